"""The namespace itself, for what must be defined before it."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def namespace() -> Any:
    """Return the module ``burn_array``.

    Its pages import :class:`Array`, and the methods of ``Array`` call the functions of its pages: this is the one
    place where that circle is closed.
    """
    import burn_array

    return burn_array
