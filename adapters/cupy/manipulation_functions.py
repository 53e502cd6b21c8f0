"""Manipulation functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from burn_array.errors import CopyRequiredError

from ..common import numpy_like
from ._axes import normalize_axis


def _reshape(x: Any, shape: Any, *, copy: bool | None = None) -> Any:
    """Return ``x`` in another shape.

    Before 14.2 CuPy's function has no parameter ``copy``; by the standard it has.

    No upstream issue is known; last seen in 14.1.1. Canary: ``reshape``.
    """
    out = x.reshape(shape)
    if copy:
        return out.copy() if out.base is not None or out is x else out
    if copy is False and x.size and not cupy.may_share_memory(x, out):
        raise CopyRequiredError(
            f"reshape: from {x.shape} to {shape} the elements must be copied; leave copy=False away"
        )
    return out


def _roll(x: Any, shift: Any, *, axis: Any) -> Any:
    """Return ``x`` with its elements shifted along axes, or in the flattened array if ``axis`` is ``None``."""
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
    """Return ``x`` with its elements shifted along one axis."""
    axis = normalize_axis(axis, x.ndim)
    shift %= max(1, x.shape[axis])
    cut, place = (slice(None),) * axis, x.shape[axis] - shift
    return cupy.concatenate((x[(*cut, slice(place, None))], x[(*cut, slice(place))]), axis)


def _concat(arrays: Any, axis: int | None = 0) -> Any:
    """Return the arrays joined; the dtypes of three or more arrays are promoted at once, see ``numpy_like.joining``."""
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
    """Return two arrays joined by copies of their memory, which start in half the time of CuPy's kernels."""
    out = cupy.ndarray(shape, a.dtype)
    size = a.nbytes
    out.data.copy_from_device_async(a.data, size)
    (out.data + size).copy_from_device_async(b.data, b.nbytes)
    return out


def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Any:
    """Return ``x`` with repeated elements.

    Before 14.1 CuPy refuses an array of repeats; the standard takes it.

    https://github.com/cupy/cupy/issues/3849, last seen in 14.0.1. Canary: ``repeat``.
    """
    if axis is None:
        x, axis = x.reshape(-1), 0
    if type(repeats) is int or not hasattr(repeats, "ndim"):
        return cupy.repeat(x, repeats, axis=axis)
    length = x.shape[normalize_axis(axis, x.ndim)]
    ends = cupy.cumsum(cupy.broadcast_to(repeats.astype(np.int64), (length,)))
    total = int(ends[-1]) if length else 0
    return cupy.take(x, cupy.searchsorted(ends, cupy.arange(total), side="right"), axis=axis)


def _tile(x: Any, times: Any) -> Any:
    """Return ``x`` repeated along axes; always a copy."""
    return cupy.tile(x, times) if times else x.copy()


def _unstack(x: Any, *, axis: int) -> tuple[Any, ...]:
    """Return the parts of ``x`` along an axis, as views.

    ``cupy`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``unstack``.
    """
    moved = cupy.moveaxis(x, axis, 0)
    return tuple(moved[i] for i in range(moved.shape[0]))


class ManipulationFunctions:
    """The page ``manipulation functions`` of the standard."""

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
