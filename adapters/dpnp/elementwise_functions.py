"""Element-wise functions of dpnp that differ from the standard, or from NumPy where the standard is silent."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.adapter import composed

from ..common import elementwise_functions as numpy_like
from ..common.complex_functions import SMALL_LOGARITHM, log1p_real
from ._imports import dpnp
from .searching_functions import where

Function = Callable[..., Any]


# -- complex functions ---------------------------------------------------------------------------


def _of_vectors(function: Function) -> Function:
    """Let a function of complex numbers have contiguous vectors only.

    For these dpnp calls Intel's library; of others, and of 0-d arrays, it computes by itself, where squares of
    large and of small numbers are lost: ``asin(1e4j)`` is infinite in single precision. No upstream issue known
    (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """

    def wrapped(x: Any) -> Any:
        if x.dtype.kind != "c":
            return function(x)
        if not x.ndim:
            return function(x.reshape(1)).reshape(())
        return function(x if x.flags.c_contiguous else dpnp.ascontiguousarray(x))

    return wrapped


def _complex_parts(function: Function, repair: Function) -> Any:
    """Mend the parts of complex results: ``repair(x, real, imag)`` gives the right ones."""
    function = _of_vectors(function)

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
    return real, where((x.real == 0) & dpnp.isnan(x.imag), math.pi / 2, imag)


def _expm1(x: Any, real: Any, imag: Any) -> Any:
    """dpnp gives ``-0`` as the real part of ``expm1(0 + 0j)``; the standard ``+0``.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    return real + 0, imag


def _log1p(x: Any, real: Any, imag: Any) -> Any:
    """dpnp loses digits of a real part that is small beside 1, as of ``log1p(0.001 + 0.5j)``.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    if not dpnp.any(dpnp.abs(real) < SMALL_LOGARITHM):
        return real, imag
    return where(dpnp.isfinite(real) & dpnp.isfinite(imag), log1p_real(dpnp, x.real, x.imag), real), imag


def _log2(x: Any) -> Any:
    """dpnp gives 0 for the real part of ``log2(1e-160 + 1j)``; by ``log`` it is 7.2e-321.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    return _of_vectors(dpnp.log)(x) * (1 / math.log(2)) if x.dtype.kind == "c" else dpnp.log2(x)


def _tan(x: Any, real: Any, imag: Any) -> Any:
    """Like ``_tanh``, turned by a right angle: the imaginary part of ``tan(inf + 0j)`` is a zero, not NaN."""
    return real, where((x.imag == 0) & ~dpnp.isfinite(x.real), x.imag, imag)


def _tanh(x: Any, real: Any, imag: Any) -> Any:
    """dpnp signs the zero of ``tanh(inf + yj)`` as C99 does and loses that of ``-0j``; the standard has that of ``y``.

    Of ``tanh(0 + infj)`` it makes ``nan + nanj``; the standard has a zero for the real part.

    https://github.com/data-apis/array-api/issues/1006, last seen in 0.20.0.
    """
    zero = (dpnp.isinf(x.real) & dpnp.isfinite(x.imag)) | (x.imag == 0)
    real = where((x.real == 0) & ~dpnp.isfinite(x.imag), x.real, real)
    return real, where(zero, dpnp.copysign(dpnp.zeros_like(imag), x.imag), imag)


def _sign(x: Any) -> Any:
    """dpnp gives NaN for complex numbers with an infinite part; NumPy the direction of the one that is infinite.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    out = dpnp.sign(x)
    return out if out.dtype.kind != "c" else numpy_like.sign_of_infinite(dpnp, x, out)


# -- quotients and powers -------------------------------------------------------------------------


def _floor_divide(a: Any, b: Any) -> Any:
    """dpnp takes the floor of the rounded quotient (``1 // 0.001`` is 1000); Python and NumPy go by the remainder.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    out = dpnp.floor_divide(a, b)
    if out.dtype.kind != "f":
        return out
    exact = dpnp.round((a - dpnp.remainder(a, b)) / b)
    return where(dpnp.isfinite(exact) & (exact != 0), exact.astype(out.dtype), out)


def _pow(lib: Any, a: Any, b: Any) -> Any:
    """dpnp gives NaN for the complex power 0 of zeros, infinities and NaN; NumPy gives 1, as for real numbers.

    Of integers to negative powers it makes 0; NumPy raises.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.power.html), last seen in
    0.20.0.
    """
    out = numpy_like.power(lib, a, b)
    if out.dtype.kind == "i" and type(b) is dpnp.ndarray and b.dtype.kind == "i" and bool((b < 0).any()):
        raise ValueError("integers to negative integer powers are not allowed; convert the array to floats")
    if out.dtype.kind != "c":
        return out
    if type(b) is dpnp.ndarray:
        return where(b == 0, 1, out)
    return out if b else lib.ones_like(out)


def _reciprocal(x: Any) -> Any:
    """dpnp makes floats of integers; NumPy keeps them, so that all but 1 and -1 give 0.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    if x.dtype.kind not in "biu":
        return dpnp.reciprocal(x)
    x = x.astype(np.int8) if x.dtype.kind == "b" else x
    return where(dpnp.abs(x) == 1, x, dpnp.zeros_like(x))


def _compares(function: Function, compare: Function) -> Any:
    """dpnp refuses Python integers outside of the dtype; NumPy compares with them.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    return numpy_like.compared(dpnp, function, compare)


def _orders(function: Function, compare: Function) -> Any:
    """Do what ``_compares`` does, for a comparison that complex numbers do not have."""
    return numpy_like.ordered_compared(dpnp, function, compare)


def _floats(function: Function) -> Any:
    """dpnp refuses Python integers outside of the dtype; NumPy takes them as floats.

    No upstream issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    """
    return numpy_like.as_floats(dpnp, function)


class ElementwiseFunctions:
    """The page ``elementwise functions`` of the standard."""

    acos = staticmethod(_of_vectors(dpnp.acos))
    acosh = _complex_parts(dpnp.acosh, _acosh)
    asin = staticmethod(_of_vectors(dpnp.asin))
    asinh = staticmethod(_of_vectors(dpnp.asinh))
    atan = staticmethod(_of_vectors(dpnp.atan))
    atan2 = _floats(dpnp.atan2)
    atanh = staticmethod(_of_vectors(dpnp.atanh))
    # dpnp refuses limits that raise the dtype of the array; NumPy promotes. No upstream issue known, 0.20.0.
    clip = composed(numpy_like.clip)
    copysign = _floats(dpnp.copysign)
    cos = staticmethod(_of_vectors(dpnp.cos))
    cosh = staticmethod(_of_vectors(dpnp.cosh))
    divide = _floats(dpnp.divide)
    equal = _compares(dpnp.equal, operator.eq)
    exp = staticmethod(_of_vectors(dpnp.exp))
    expm1 = _complex_parts(dpnp.expm1, _expm1)
    floor_divide = staticmethod(_floor_divide)
    greater = _orders(dpnp.greater, operator.gt)
    greater_equal = _orders(dpnp.greater_equal, operator.ge)
    hypot = _floats(dpnp.hypot)
    less = _orders(dpnp.less, operator.lt)
    less_equal = _orders(dpnp.less_equal, operator.le)
    log = staticmethod(_of_vectors(dpnp.log))
    log1p = _complex_parts(dpnp.log1p, _log1p)
    log2 = staticmethod(_log2)
    log10 = staticmethod(_of_vectors(dpnp.log10))
    logaddexp = _floats(dpnp.logaddexp)
    logical_and = numpy_like.logical(dpnp.logical_and)
    logical_or = numpy_like.logical(dpnp.logical_or)
    logical_xor = numpy_like.logical(dpnp.logical_xor)
    maximum = staticmethod(numpy_like.ordered(dpnp.maximum))
    minimum = staticmethod(numpy_like.ordered(dpnp.minimum))
    nextafter = _floats(dpnp.nextafter)
    not_equal = _compares(dpnp.not_equal, operator.ne)
    pow = composed(_pow)
    reciprocal = staticmethod(_reciprocal)
    sign = staticmethod(_sign)
    sin = staticmethod(_of_vectors(dpnp.sin))
    sinh = staticmethod(_of_vectors(dpnp.sinh))
    sqrt = staticmethod(_of_vectors(dpnp.sqrt))
    tan = _complex_parts(dpnp.tan, _tan)
    tanh = _complex_parts(dpnp.tanh, _tanh)
