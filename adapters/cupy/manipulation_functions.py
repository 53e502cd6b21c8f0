"""Manipulation functions on CuPy."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from burn_array.errors import CopyRequiredError

from ..common import numpy_like
from ._axes import normalize_axis


def _reshape(x: Any, shape: Any, *, copy: bool | None = None) -> Any:
    out = x.reshape(shape)
    if copy:
        return out.copy() if out.base is not None or out is x else out
    if copy is False and x.size and not cupy.may_share_memory(x, out):
        raise CopyRequiredError(f"reshape from {x.shape} to {shape} needs a copy here")
    return out


def _roll(x: Any, shift: Any, *, axis: Any) -> Any:
    if axis is None:
        total = sum(shift) if isinstance(shift, tuple) else shift
        return _rolled(x.reshape(-1), total, 0).reshape(x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    axes = axes * len(shifts) if len(axes) == 1 else axes
    for by, one in zip(shifts, axes, strict=True):
        x = _rolled(x, by, one)
    return x.copy() if not axes else x


def _rolled(x: Any, shift: int, axis: int) -> Any:
    axis = normalize_axis(axis, x.ndim)
    shift %= max(1, x.shape[axis])
    cut, place = (slice(None),) * axis, x.shape[axis] - shift
    return cupy.concatenate((x[(*cut, slice(place, None))], x[(*cut, slice(place))]), axis)


def _concat(arrays: Any, axis: int | None = 0) -> Any:
    """Join arrays; the dtypes of more than two are promoted at once, see ``numpy_like.joining``."""
    if len(arrays) == 2:
        a, b = arrays
        if axis == 0 and a.dtype is b.dtype and a.flags.c_contiguous and b.flags.c_contiguous:
            shape, other = a.shape, b.shape
            if shape and other and shape[1:] == other[1:]:
                return _one_after_the_other(a, b, (shape[0] + other[0], *shape[1:]))
    else:
        arrays = numpy_like.in_one_dtype(arrays)
    return cupy.concatenate(arrays, axis=axis)


def _one_after_the_other(a: Any, b: Any, shape: tuple[int, ...]) -> Any:
    """Copy the memory of two arrays; CuPy runs a kernel for each of them, which takes twice as long to start."""
    out = cupy.ndarray(shape, a.dtype)
    size = a.nbytes
    out.data.copy_from_device_async(a.data, size)
    (out.data + size).copy_from_device_async(b.data, b.nbytes)
    return out


def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Any:
    """Here an array of numbers of repeats stays on the device."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    if type(repeats) is int or not hasattr(repeats, "ndim"):
        return cupy.repeat(x, repeats, axis=axis)
    length = x.shape[normalize_axis(axis, x.ndim)]
    ends = cupy.cumsum(cupy.broadcast_to(repeats.astype(np.int64), (length,)))
    total = int(ends[-1]) if length else 0
    return cupy.take(x, cupy.searchsorted(ends, cupy.arange(total), side="right"), axis=axis)


def _tile(x: Any, times: Any) -> Any:
    return cupy.tile(x, times) if times else x.copy()


def _unstack(x: Any, *, axis: int) -> tuple[Any, ...]:
    moved = cupy.moveaxis(x, axis, 0)
    return tuple(moved[i] for i in range(moved.shape[0]))


class ManipulationFunctions:
    """The page *manipulation functions* of the standard."""

    broadcast_arrays = staticmethod(cupy.broadcast_arrays)
    broadcast_to = staticmethod(cupy.broadcast_to)
    concat = staticmethod(_concat)
    expand_dims = staticmethod(cupy.expand_dims)
    flip = staticmethod(cupy.flip)
    moveaxis = staticmethod(cupy.moveaxis)
    permute_dims = staticmethod(cupy.transpose)
    repeat = staticmethod(_repeat)
    reshape = staticmethod(_reshape)
    roll = staticmethod(_roll)
    squeeze = staticmethod(cupy.squeeze)
    stack = numpy_like.joining(cupy.stack)
    tile = staticmethod(_tile)
    unstack = staticmethod(_unstack)
