"""Functions of NumPy without the search for overrides."""

from __future__ import annotations

from typing import Any


def undispatched(function: Any) -> Any:
    """Return what a function of NumPy does once it has found no ``__array_function__`` among its operands.

    Native values are NumPy's own arrays, so that there is none; the search takes as long as a short call.
    """
    return getattr(function, "_implementation", function)
