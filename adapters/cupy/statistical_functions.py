"""Statistical functions on CuPy."""

from __future__ import annotations

import math
from typing import Any

import cupy
import numpy as np

from ..common import numpy_like
from ._axes import normalize_axis


def _sums(reduce: Any) -> Any:
    """Reduce by the method of the array: the function adds nothing but time, as does each call between on one axis."""

    def function(x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
        if axis == ():
            return x.astype(numpy_like.total_dtype(x.dtype) if dtype is None else dtype)
        x = x if dtype is None else x.astype(dtype, copy=False)
        return reduce(x, axis, dtype, None, keepdims)

    def total(x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
        if dtype is None and type(axis) is int and x.dtype is not numpy_like.HALF:
            try:
                return reduce(x, axis, None, None, keepdims)
            except IndexError:  # no such axis, which ``general`` knows more of
                pass
        return general(x, axis=axis, dtype=dtype, keepdims=keepdims)

    general = numpy_like.allow_axis_of_0d(numpy_like.in_single(function)).__func__
    return staticmethod(total)


def reduced(function: Any, bools: bool = False) -> Any:
    """Reduce; CuPy takes an empty tuple of axes for all axes."""

    def reduce(x: Any, *, axis: Any, keepdims: bool) -> Any:
        if axis == ():
            return x != 0 if bools else x.copy()
        return function(x, axis, None, keepdims)

    return numpy_like.allow_axis_of_0d(reduce)


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """CuPy's mean of nothing raises; here it is NaN."""
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    if axis == ():
        return x.copy()
    work = np.dtype("float32") if x.dtype.itemsize == 2 else x.dtype
    total = cupy.sum(x.astype(work, copy=False), axis=axis, keepdims=keepdims)
    return (total / float(_count(x, axis))).astype(x.dtype, copy=False)


def _count(x: Any, axis: Any) -> int:
    """Return how many elements go into one of a reduction over ``axis``."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(x.shape[one] for one in axes)


def _var(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    """CuPy takes a whole number for the correction."""
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    apart = cupy.absolute(x - _mean(x, axis=axis, keepdims=True))
    squares = apart * apart
    total = squares if axis == () else cupy.sum(squares, axis=axis, keepdims=keepdims)
    return total / float(max(_count(x, axis) - correction, 0))


def _std(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    return cupy.sqrt(_var(x, axis=axis, correction=correction, keepdims=keepdims))


def _cumulative(scan: Any, first: int) -> Any:
    def function(x: Any, *, axis: int | None, dtype: Any, include_initial: bool) -> Any:
        if axis is None and x.ndim > 1:
            raise ValueError(f"axis is required for {x.ndim} dimensions")
        axis = normalize_axis(0 if axis is None else axis, x.ndim)
        to = numpy_like.total_dtype(x.dtype) if dtype is None else dtype
        x = x.astype(to, copy=False)
        out = scan(x, axis=axis, dtype=to) if x.size else x.copy()
        if not include_initial:
            return out
        edge = cupy.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), first, dtype=to)
        return cupy.concatenate((edge, out), axis=axis)

    return numpy_like.in_single(function)


class StatisticalFunctions:
    """The page *statistical functions* of the standard."""

    cumulative_prod = _cumulative(cupy.cumprod, 1)
    cumulative_sum = _cumulative(cupy.cumsum, 0)
    max = reduced(cupy.ndarray.max)
    mean = numpy_like.allow_axis_of_0d(_mean)
    min = reduced(cupy.ndarray.min)
    prod = _sums(cupy.ndarray.prod)
    std = numpy_like.allow_axis_of_0d(numpy_like.in_single(_std))
    sum = _sums(cupy.ndarray.sum)
    var = numpy_like.allow_axis_of_0d(numpy_like.in_single(_var))
