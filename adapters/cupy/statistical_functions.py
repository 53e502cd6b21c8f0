"""Statistical functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

import math
from typing import Any

import cupy
import numpy as np

from ..common import numpy_like
from ._axes import normalize_axis


def _sums(reduce: Any) -> Any:
    """Return ``sum`` or ``prod``, by the method of the array, which takes less time than CuPy's function.

    For no axes, ``()``, older CuPy raises an error or reduces all axes; by the standard it reduces none.

    No upstream issue is known; 14.2.0 is right. Canaries: ``sum`` and ``prod``.
    """

    def function(x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
        if axis == ():
            return x.astype(numpy_like.total_dtype(x.dtype) if dtype is None else dtype)
        x = x if dtype is None else x.astype(dtype, copy=False)
        return reduce(x, axis, dtype, None, keepdims)

    def total(x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
        if dtype is None and type(axis) is int and x.dtype is not numpy_like.HALF:
            try:
                return reduce(x, axis, None, None, keepdims)
            except IndexError:  # there is no such axis; ``general`` accepts some axes of 0-d arrays
                pass
        return general(x, axis=axis, dtype=dtype, keepdims=keepdims)

    general = numpy_like.allow_axis_of_0d(numpy_like.in_single(function)).__func__
    return staticmethod(total)


def reduced(function: Any, bools: bool = False) -> Any:
    """Return a reduction; ``bools`` is set for ``all`` and ``any``.

    For no axes, ``()``, older CuPy raises an error or reduces all axes; by the standard it reduces none.

    No upstream issue is known; 14.2.0 is right. Canaries: ``all``, ``any``, ``max`` and ``min``.
    """

    def reduce(x: Any, *, axis: Any, keepdims: bool) -> Any:
        if axis == ():
            return x != 0 if bools else x.copy()
        return function(x, axis, None, keepdims)

    return numpy_like.allow_axis_of_0d(reduce)


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """Return the mean; the mean of no numbers is NaN.

    For no axes, ``()``, older CuPy raises an error or reduces all axes; by the standard it reduces none.

    No upstream issue is known; 14.2.0 is right. Canary: ``mean``.
    """
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    if axis == ():
        return x.copy()
    work = np.dtype("float32") if x.dtype.itemsize == 2 else x.dtype
    total = cupy.sum(x.astype(work, copy=False), axis=axis, keepdims=keepdims)
    return (total / float(_count(x, axis))).astype(x.dtype, copy=False)


def _count(x: Any, axis: Any) -> int:
    """Return the number of elements that a reduction over ``axis`` combines into one."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(x.shape[one] for one in axes)


def _var(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    """Return the variance.

    CuPy's parameter is ``ddof``; the standard's is ``correction``, which need not be a whole number.

    No upstream issue is known; last seen in 14.2.0. Canary: ``var``.
    """
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    apart = cupy.absolute(x - _mean(x, axis=axis, keepdims=True))
    squares = apart * apart
    total = squares if axis == () else cupy.sum(squares, axis=axis, keepdims=keepdims)
    return total / float(max(_count(x, axis) - correction, 0))


def _std(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    """Return the standard deviation.

    CuPy's parameter is ``ddof``; the standard's is ``correction``, which need not be a whole number.

    No upstream issue is known; last seen in 14.2.0. Canary: ``std``.
    """
    return cupy.sqrt(_var(x, axis=axis, correction=correction, keepdims=keepdims))


def _cumulative(scan: Any, first: int) -> Any:
    """Return a cumulative function made of ``cumsum`` or ``cumprod``; with ``include_initial`` it starts with
    ``first``."""

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
    """The page ``statistical functions`` of the standard."""

    cumulative_prod = _cumulative(cupy.cumprod, 1)
    cumulative_sum = _cumulative(cupy.cumsum, 0)
    max = reduced(cupy.ndarray.max)
    mean = numpy_like.allow_axis_of_0d(_mean)
    min = reduced(cupy.ndarray.min)
    prod = _sums(cupy.ndarray.prod)
    std = numpy_like.allow_axis_of_0d(numpy_like.in_single(_std))
    sum = _sums(cupy.ndarray.sum)
    var = numpy_like.allow_axis_of_0d(numpy_like.in_single(_var))
