"""Element-wise functions of dpnp that differ from the standard, or from NumPy where the standard is silent."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.adapter import kind_of
from burn_array.adapters.dpnp_runtime import dpnp
from burn_array.adapters.numpy_like_indexing import check_fits
from burn_array.errors import IntegerOverflowError

Function = Callable[..., Any]
_SCALARS = frozenset((bool, int, float, complex))
_HALF = {1: np.dtype("float16"), 2: np.dtype("float32")}


# -- Python integers that an integer dtype cannot hold ------------------------------------------


def _otherwise(function: Function, instead: Function) -> Function:
    """Call ``instead`` where dpnp refuses a Python integer that does not fit the dtype of the array.

    dpnp converts the integer to the dtype of the array first; NumPy does so only where the result has that
    dtype. No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """

    def wrapped(a: Any, b: Any) -> Any:
        try:
            return function(a, b)
        except OverflowError:
            return instead(function, a, b)

    return wrapped


def _compared(compare: Function) -> Function:
    """An integer outside of a dtype is less, or greater, than every element."""

    def constant(function: Function, a: Any, b: Any) -> Any:
        array, answer = (b, compare(a, 0)) if type(a) in _SCALARS else (a, compare(0, b))
        return dpnp.full_like(array, answer, dtype=bool)

    return constant


def _as_floats(function: Function, a: Any, b: Any) -> Any:
    """Take both as floats, in the dtype that NumPy computes such a function of integers in."""
    array = b if type(a) in _SCALARS else a
    small = None if function is dpnp.divide or array.dtype.kind == "b" else _HALF.get(array.dtype.itemsize)
    to = small or dpnp.default_float_type(sycl_queue=array.sycl_queue)
    return function(*(float(x) if type(x) in _SCALARS else x.astype(to) for x in (a, b)))


def _compares(function: Function, compare: Function) -> Any:
    return staticmethod(_otherwise(function, _compared(compare)))


def _floats(function: Function) -> Any:
    return staticmethod(_otherwise(function, _as_floats))


def _logical(function: Function) -> Any:
    """Only the truth of a Python scalar matters, whatever its size."""
    return staticmethod(lambda a, b: function(*(bool(x) if type(x) in _SCALARS else x for x in (a, b))))


# -- complex functions ---------------------------------------------------------------------------


def _complex_parts(function: Function, repair: Function) -> Any:
    """Mend the parts of complex results: ``repair(x, real, imag)`` gives the right ones."""

    def wrapped(x: Any) -> Any:
        out = function(x)
        if out.dtype.kind != "c":
            return out
        real, imag = repair(x, out.real, out.imag)
        result = dpnp.empty_like(out)
        result.real, result.imag = real, imag
        return result

    return staticmethod(wrapped)


def _acosh(x: Any, real: Any, imag: Any) -> Any:
    """dpnp gives ``nan + nanj`` for ``0 + nanj``; the standard an imaginary part of pi/2.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    return real, dpnp.where((x.real == 0) & dpnp.isnan(x.imag), math.pi / 2, imag)


def _expm1(x: Any, real: Any, imag: Any) -> Any:
    """dpnp gives ``-0`` as the real part of ``expm1(0 + 0j)``; the standard ``+0``.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    return real + 0, imag


def _tanh(x: Any, real: Any, imag: Any) -> Any:
    """dpnp signs the zero of ``tanh(inf + yj)`` as C99 does and loses that of ``-0j``; the standard has that of ``y``.

    https://github.com/data-apis/array-api/issues/1006, last seen in 0.20.0.
    """
    zero = (dpnp.isinf(x.real) & dpnp.isfinite(x.imag)) | (x.imag == 0)
    return real, dpnp.where(zero, dpnp.copysign(dpnp.zeros_like(imag), x.imag), imag)


# -- quotients and powers -------------------------------------------------------------------------


def _floor_divide(a: Any, b: Any) -> Any:
    """dpnp takes the floor of the rounded quotient (``1 // 0.001`` is 1000); Python and NumPy go by the remainder.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    out = dpnp.floor_divide(a, b)
    if out.dtype.kind != "f":
        return out
    exact = dpnp.round((a - dpnp.remainder(a, b)) / b)
    return dpnp.where(dpnp.isfinite(exact) & (exact != 0), exact.astype(out.dtype), out)


def _pow(a: Any, b: Any) -> Any:
    """Integers to a negative Python integer raise, as in NumPy; for an array that would need a wait."""
    if type(b) is int and b < 0 and a.dtype.kind in "bi":
        raise ValueError("integers to negative integer powers are not allowed; convert the array to floats")
    return dpnp.pow(a, b)


def _reciprocal(x: Any) -> Any:
    """dpnp makes floats of integers; NumPy keeps them, so that all but 1 and -1 give 0.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    if x.dtype.kind not in "biu":
        return dpnp.reciprocal(x)
    x = x.astype(np.int8) if x.dtype.kind == "b" else x
    return dpnp.where(dpnp.abs(x) == 1, x, dpnp.zeros_like(x))


def _clip(x: Any, low: Any = None, high: Any = None) -> Any:
    """dpnp refuses limits that raise the dtype of ``x``; NumPy promotes.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    if low is None and high is None:
        return dpnp.copy(x)
    x = x if low is None or _is_idle(low, x, low=True) else dpnp.maximum(x, low)
    return x if high is None or _is_idle(high, x, low=False) else dpnp.minimum(x, high)


def _is_idle(limit: Any, x: Any, low: bool) -> bool:
    """Return whether ``limit`` is a Python integer that every element of an integer dtype keeps to."""
    if type(limit) is not int or kind_of(x.dtype) not in "iu":
        return False
    try:
        check_fits(limit, x.dtype)
    except IntegerOverflowError:
        return (limit < 0) == low
    return False


class ElementwiseFunctions:
    """The page ``elementwise functions`` of the standard."""

    acosh = _complex_parts(dpnp.acosh, _acosh)
    atan2 = _floats(dpnp.atan2)
    clip = staticmethod(_clip)
    copysign = _floats(dpnp.copysign)
    divide = _floats(dpnp.divide)
    equal = _compares(dpnp.equal, operator.eq)
    expm1 = _complex_parts(dpnp.expm1, _expm1)
    floor_divide = staticmethod(_floor_divide)
    greater = _compares(dpnp.greater, operator.gt)
    greater_equal = _compares(dpnp.greater_equal, operator.ge)
    hypot = _floats(dpnp.hypot)
    less = _compares(dpnp.less, operator.lt)
    less_equal = _compares(dpnp.less_equal, operator.le)
    logaddexp = _floats(dpnp.logaddexp)
    logical_and = _logical(dpnp.logical_and)
    logical_or = _logical(dpnp.logical_or)
    logical_xor = _logical(dpnp.logical_xor)
    nextafter = _floats(dpnp.nextafter)
    not_equal = _compares(dpnp.not_equal, operator.ne)
    pow = staticmethod(_pow)
    reciprocal = staticmethod(_reciprocal)
    tanh = _complex_parts(dpnp.tanh, _tanh)
