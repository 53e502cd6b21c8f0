"""NumPy's functions without the search for overrides by other array types."""

from __future__ import annotations

from typing import Any


def undispatched(function: Any) -> Any:
    """Return the implementation behind a function of NumPy, or the function itself if there is none.

    Without it NumPy looks for ``__array_function__`` among the operands first. Native arrays never have one, and the
    search takes as long as a short call.
    """
    return getattr(function, "_implementation", function)
