"""Indexing functions of the standard."""

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
    """Return the elements of ``x`` at ``indices`` along ``axis``, which may be left out for one axis."""
    at, (values, positions) = unwrap_arrays("take", (x, indices))
    _check_indices("take", at, positions)
    if axis is None:
        if len(at.shape_of(values)) != 1:
            raise ArgumentError(f"take: axis is required for {len(at.shape_of(values))} dimensions")
        axis = 0
    check_axis("take", axis, len(at.shape_of(values)))
    return wrap(at, call("take", at, values, positions, axis=axis))


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Return the elements of ``x`` at ``indices``, matched with ``x`` along every axis but ``axis``."""
    at, (values, positions) = unwrap_arrays("take_along_axis", (x, indices))
    _check_indices("take_along_axis", at, positions)
    if len(at.shape_of(values)) != len(at.shape_of(positions)):
        raise ShapeError("take_along_axis: x and indices must have the same number of dimensions")
    check_axis("take_along_axis", axis, len(at.shape_of(values)))
    return wrap(at, call("take_along_axis", at, values, positions, axis=axis))


def _check_indices(name: str, at: Device, indices: Any) -> None:
    dtype = at.dtype_of(indices)
    if kind_of(dtype) not in "iu":
        raise DTypeError(f"{name}: indices must be integers, not {dtype}; use astype")
