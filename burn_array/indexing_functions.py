"""Indexing functions of the standard."""

from __future__ import annotations

from ._array import Array, call, place, tag
from .errors import ArgumentError

__all__ = ["take", "take_along_axis"]


def take(x: Array, indices: Array, /, *, axis: int | None = None) -> Array:
    """Return the elements of ``x`` at ``indices`` along ``axis``, which may be left out for one axis."""
    at, (values, positions) = place("take", x, indices)
    if axis is None:
        if len(at.shape_of(values)) != 1:
            raise ArgumentError(f"take: axis is required for {len(at.shape_of(values))} dimensions")
        axis = 0
    return tag(at, call("take", at, values, positions, axis=axis))


def take_along_axis(x: Array, indices: Array, /, *, axis: int = -1) -> Array:
    """Return the elements of ``x`` at ``indices``, matched with ``x`` along every axis but ``axis``."""
    at, (values, positions) = place("take_along_axis", x, indices)
    return tag(at, call("take_along_axis", at, values, positions, axis=axis))
