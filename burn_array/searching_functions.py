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
from .errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError

__all__ = ["argmax", "argmin", "count_nonzero", "nonzero", "searchsorted", "where"]


def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the index of the greatest element along an axis: the first one of several, or of the first NaN.

    Parameters
    ----------
    x : Array
        Real or bools.
    axis : int, optional
        The axis to search; by default the flattened array is searched.
    keepdims : bool
        Whether the axis stays, with length 1.

    Returns
    -------
    Array
        Of the default integer dtype, with the shape of ``x`` without the axis.

    Raises
    ------
    ArgumentError
        If there are no elements along the axis.
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``x`` is complex.
    """
    return extreme("argmax", x, axis, keepdims)


def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False) -> Array:
    """Return the index of the least element along an axis: the first one of several, or of the first NaN.

    Parameters
    ----------
    x : Array
        Real or bools.
    axis : int, optional
        The axis to search; by default the flattened array is searched.
    keepdims : bool
        Whether the axis stays, with length 1.

    Returns
    -------
    Array
        Of the default integer dtype, with the shape of ``x`` without the axis.

    Raises
    ------
    ArgumentError
        If there are no elements along the axis.
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``x`` is complex.
    """
    return extreme("argmin", x, axis, keepdims)


def count_nonzero(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return how many elements along axes are not zero.

    Parameters
    ----------
    x : Array
        Of any dtype; NaN is not zero.
    axis : int, tuple of int or None
        The axes to count along; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Of the default integer dtype, with the shape of ``x`` without the axes.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return reduction("count_nonzero", x, axis, keepdims)


def nonzero(x: Array, /) -> tuple[Array, ...]:
    """Return the indices of the elements that are not zero.

    Parameters
    ----------
    x : Array
        Of any dtype, with at least one axis.

    Returns
    -------
    tuple of Array
        For each axis of ``x`` the indices along it, one-dimensional and in row-major order.

    Raises
    ------
    ArgumentError
        If ``x`` is 0-d.
    """
    if type(x) is not Array:
        raise not_an_array("nonzero", x)
    if not x.shape:
        raise ArgumentError("nonzero: a 0-d array has no axis; use x != 0")
    at = x._device
    return tuple(wrap(at, out) for out in call("nonzero", at, x._native))


def searchsorted(x1: Array, x2: Any, /, *, side: str = "left", sorter: Array | None = None) -> Array:
    """Return the positions at which elements can be put into a sorted array so that it stays sorted.

    Parameters
    ----------
    x1 : Array
        One-dimensional, real, in ascending order; NaNs come last.
    x2 : Array or number
        The elements. A Python number takes the dtype of ``x1``.
    side : {"left", "right"}
        The position before or after elements that are equal.
    sorter : Array of integers, optional
        The result of ``argsort(x1)``, if ``x1`` is not sorted.

    Returns
    -------
    Array
        Of the default integer dtype, with the shape of ``x2``.

    Raises
    ------
    ArgumentError
        If ``side`` is anything else.
    DTypeError
        If an array is complex, or ``sorter`` is not of integers.
    ShapeError
        If ``sorter`` has another shape than ``x1``.
    IntegerOverflowError
        If the dtype of ``x1`` cannot hold a Python int.
    """
    if side not in ("left", "right"):
        raise ArgumentError(f"searchsorted: side must be 'left' or 'right', got {side!r}")
    if type(x1) is not Array:
        raise not_an_array("searchsorted", x1)
    values = _as_sought(x1, x2) if type(x2) in SCALARS else x2
    check_ordered("searchsorted", x1.dtype)
    if x1.ndim != 1:
        raise ShapeError(f"searchsorted: the sorted array must have one dimension, got {x1.ndim}")
    at, (sorted_, sought, order) = unwrap("searchsorted", (x1, values, sorter))
    check_ordered("searchsorted", at.dtype_of(sought))
    if order is not None:
        _check_sorter(at, sorted_, order)
    return wrap(at, call("searchsorted", at, sorted_, sought, side=side, sorter=order))


def _check_sorter(at: Device, sorted_: Any, order: Any) -> None:
    """Raise if a native ``sorter`` is not made of integers or has another shape than the sorted array."""
    shape, dtype = at.shape_of(order), at.dtype_of(order)
    if shape != at.shape_of(sorted_):
        raise ShapeError(
            f"searchsorted: sorter has shape {shape}, the array {at.shape_of(sorted_)}; give argsort(x1)"
        )
    if kind_of(dtype) not in "iu":
        raise DTypeError(f"searchsorted: sorter must be integers, not {dtype}; give argsort(x1)")


def _as_sought(x1: Array, number: Any) -> Array:
    """Return a Python number as an array of the dtype and device of ``x1``."""
    at = x1._device
    host = parse("searchsorted", number, x1.dtype, at)
    return wrap(at, from_host("searchsorted", host, at, x1.dtype, None))


def where(condition: Array, x1: Any = ..., x2: Any = ..., /) -> Array:
    """Return the elements of ``x1`` where a condition is true and those of ``x2`` elsewhere.

    As in NumPy, ``where(condition)`` is ``nonzero(condition)``, a tuple of arrays. The standard does not have this
    form, but libraries such as scikit-learn call it.

    Parameters
    ----------
    condition : Array
        Bools; numbers count as true unless they are zero.
    x1, x2 : Array or number
        Broadcast with the condition. Two numbers give the default dtype that holds both.

    Returns
    -------
    Array
        The dtype to which ``x1`` and ``x2`` promote, and the broadcast shape.

    Raises
    ------
    ArgumentTypeError
        If ``condition`` is not an array, or ``x2`` is missing.
    ShapeError
        If the shapes cannot be broadcast together.
    """
    if x2 is ...:
        if x1 is ...:
            return nonzero(condition)  # type: ignore[return-value]
        raise ArgumentTypeError("where: x2 is missing; call where(condition, x1, x2)")
    if type(x1) is not Array and type(x1) in SCALARS and type(x2) in SCALARS and type(condition) is Array:
        x1 = full_of_both("where", condition._device, x1, x2)
    return ternary("where", condition, x1, x2)
