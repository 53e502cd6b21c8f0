"""Axes of CuPy's arrays."""

from __future__ import annotations

import cupy


def normalize_axis(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise cupy.exceptions.AxisError(axis, ndim)
    return axis % ndim
