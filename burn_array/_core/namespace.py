"""The module ``burn_array`` itself, for code that is imported before it."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def namespace() -> Any:
    """Return the module ``burn_array``.

    The pages of the standard import ``Array``, and methods of ``Array`` call functions of the pages. Only this function
    imports in that direction, when it is first called.
    """
    import burn_array

    return burn_array
