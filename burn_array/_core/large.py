"""Tell large arrays from small ones. Compiled, the extent is read from NumPy's structure in a few instructions."""

from __future__ import annotations

from typing import Any

from numpy import ndarray

LARGE = 65536
"""From how many elements on an array is large. An operating system hands out so much memory page by page."""


def is_large(x: Any) -> bool:
    """Return whether an operand is an ndarray of at least ``LARGE`` elements."""
    if type(x) is not ndarray:
        return False
    array = x
    elements = 1
    for axis in range(array.ndim):
        elements *= array.shape[axis]
    return elements >= LARGE
