"""Axes of CuPy's arrays."""

from __future__ import annotations

import cupy


def normalize_axis(axis: int, ndim: int) -> int:
    """Return the axis as a number from 0 to ``ndim - 1``; raise ``AxisError`` if the array does not have it."""
    if not -ndim <= axis < ndim:
        raise cupy.exceptions.AxisError(axis, ndim)
    return axis % ndim
