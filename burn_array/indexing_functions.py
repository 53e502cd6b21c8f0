"""Indexing functions of the standard. An index may be negative: it counts from the end of the axis."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_axis
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import call, wrap
from ._core.dtypes import kind_of
from ._core.operands import unwrap_arrays
from .errors import ArgumentError, DTypeError, ShapeError

__all__ = ["take", "take_along_axis"]


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """Return the elements of ``x`` at the given indices along one axis.

    Parameters
    ----------
    x : Array
        Of any dtype.
    indices : Array
        Integers; of any shape.
    axis : int, optional
        The axis to index; may be left out if ``x`` has one axis.

    Returns
    -------
    Array
        The dtype of ``x``, and its shape with the axis replaced by the shape of ``indices``.

    Raises
    ------
    ArgumentError
        If ``axis`` is left out and ``x`` does not have exactly one axis.
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``indices`` are not integers.
    ArrayIndexError
        If an index is out of range and the library checks it; accelerators may not.
    """
    at, (values, positions) = unwrap_arrays("take", (x, indices))
    _check_indices("take", at, positions)
    if axis is None:
        if len(at.shape_of(values)) != 1:
            raise ArgumentError(
                f"take: axis must be given for an array of {len(at.shape_of(values))} dimensions"
            )
        axis = 0
    check_axis("take", axis, len(at.shape_of(values)))
    return wrap(at, call("take", at, values, positions, axis=axis))


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Return the elements of ``x`` that an array of indices names along one axis, position by position.

    With the indices of ``argsort``, or of ``argmax`` with ``keepdims=True``, it returns the elements that
    they stand for.

    Parameters
    ----------
    x : Array
        Of any dtype.
    indices : Array
        Integers; broadcast with ``x`` along every other axis.
    axis : int
        The axis to index.

    Returns
    -------
    Array
        The dtype of ``x``; along ``axis`` as long as ``indices``.

    Raises
    ------
    ShapeError
        If ``x`` and ``indices`` differ in their number of axes.
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``indices`` are not integers.
    ArrayIndexError
        If an index is out of range and the library checks it; accelerators may not.
    """
    at, (values, positions) = unwrap_arrays("take_along_axis", (x, indices))
    _check_indices("take_along_axis", at, positions)
    if len(at.shape_of(values)) != len(at.shape_of(positions)):
        raise ShapeError("take_along_axis: x and indices must have the same number of dimensions")
    check_axis("take_along_axis", axis, len(at.shape_of(values)))
    return wrap(at, call("take_along_axis", at, values, positions, axis=axis))


def _check_indices(name: str, at: Device, indices: Any) -> None:
    """Raise if native indices are not integers."""
    dtype = at.dtype_of(indices)
    if kind_of(dtype) not in "iu":
        raise DTypeError(f"{name}: indices must be integers, not {dtype}; use astype")
