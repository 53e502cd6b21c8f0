"""Sorting functions of the standard."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_axis, check_ordered
from ._core.array import Array
from ._core.dispatch import apply
from ._core.operands import not_an_array

__all__ = ["argsort", "sort"]


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return the indices that sort ``x`` along ``axis``; equal elements keep their order if ``stable``."""
    _check("argsort", x, axis)
    return apply("argsort", x, axis=axis, descending=descending, stable=stable)


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return ``x`` sorted along ``axis``."""
    _check("sort", x, axis)
    return apply("sort", x, axis=axis, descending=descending, stable=stable)


def _check(name: str, x: Any, axis: int) -> None:
    if type(x) is not Array:
        raise not_an_array(name, x)
    check_axis(name, axis, x.ndim)
    check_ordered(name, x.dtype)
