"""Searching functions of the standard."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_ordered
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import call, extreme, reduction, ternary, wrap
from ._core.dtypes import kind_of
from ._core.host_data import from_host, parse
from ._core.operands import SCALARS, not_an_array, unwrap
from .creation_functions import full_of_both
from .errors import ArgumentError, DTypeError, ShapeError

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the index of the first greatest element along ``axis``, of the flattened array without."""
    return extreme("argmax", x, axis, keepdims)


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the index of the first least element along ``axis``, of the flattened array without."""
    return extreme("argmin", x, axis, keepdims)


def count_nonzero(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the number of elements along ``axis`` that are not zero."""
    return reduction("count_nonzero", x, axis, keepdims)


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """Return the indices of the elements that are not zero, one array for each axis."""
    if type(x) is not Array:
        raise not_an_array("nonzero", x)
    if not x.shape:
        raise ArgumentError("nonzero: a 0-d array has no axis; use x != 0")
    at = x._device
    return tuple(wrap(at, out) for out in call("nonzero", at, x._native))


def searchsorted(x1: Array, x2: Any, /, *, side: str = "left", sorter: Array | None = None) -> Array:
    """Return where each element of ``x2`` would go in the sorted ``x1`` to keep it sorted.

    ``side`` says before (``"left"``) or after (``"right"``) equal elements; ``sorter`` is what
    ``argsort(x1)`` gives if ``x1`` is not sorted. A Python number takes the dtype of ``x1``.
    """
    if side not in ("left", "right"):
        raise ArgumentError(f"searchsorted: side must be 'left' or 'right', got {side!r}")
    if type(x1) is not Array:
        raise not_an_array("searchsorted", x1)
    values = _as_sought(x1, x2) if type(x2) in SCALARS else x2
    check_ordered("searchsorted", x1.dtype)
    at, (sorted_, sought, order) = unwrap("searchsorted", (x1, values, sorter))
    check_ordered("searchsorted", at.dtype_of(sought))
    if order is not None:
        _check_sorter(at, sorted_, order)
    return wrap(at, call("searchsorted", at, sorted_, sought, side=side, sorter=order))


def _check_sorter(at: Device, sorted_: Any, order: Any) -> None:
    shape, dtype = at.shape_of(order), at.dtype_of(order)
    if shape != at.shape_of(sorted_):
        raise ShapeError(
            f"searchsorted: sorter has shape {shape}, the array {at.shape_of(sorted_)}; give argsort(x1)"
        )
    if kind_of(dtype) not in "iu":
        raise DTypeError(f"searchsorted: sorter must be integers, not {dtype}; give argsort(x1)")


def _as_sought(x1: Array, number: Any) -> Array:
    at = x1._device
    host = parse("searchsorted", number, x1.dtype, at)
    return wrap(at, from_host("searchsorted", host, at, x1.dtype, None))


def where(condition: Array, x1: Any, x2: Any, /) -> Array:
    """Return the elements of ``x1`` where the condition is true, those of ``x2`` elsewhere."""
    if type(x1) is not Array and type(x1) in SCALARS and type(x2) in SCALARS and type(condition) is Array:
        x1 = full_of_both("where", condition._device, x1, x2)
    return ternary("where", condition, x1, x2)
