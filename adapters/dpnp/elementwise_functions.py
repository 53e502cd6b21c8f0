"""Element-wise functions on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.adapter import composed

from ..common import elementwise_functions as numpy_like
from ..common.complex_functions import SMALL_LOGARITHM, log1p_real
from ..common.formulas.elementwise import reciprocal_of_integers
from ._imports import dpnp
from .searching_functions import where

Function = Callable[..., Any]


# -- complex functions ---------------------------------------------------------------------------


def _of_vectors(function: Function) -> Function:
    """Return a function that is called with contiguous arrays of at least one axis if they are complex.

    dpnp computes such arrays by Intel's library. For 0-d and strided complex arrays it has kernels of its own, in which
    squares overflow and small numbers cancel: ``asin(1e10j)`` is infinite, ``cosh(1e4)`` has a NaN imaginary part, and
    ``log(1 + 1e-9j)`` and ``atan(1e-12 + 1e-12j)`` lose their small part. By the standard a function returns the same
    value whatever the shape and the strides of its operand.

    https://github.com/IntelPython/dpctl/issues/1986, last seen in 0.20.0. Canaries: ``acos``, ``acosh``, ``asin``,
    ``asinh``, ``atan``, ``atanh``, ``cos``, ``cosh``, ``log``, ``log10``, ``sinh``, ``sqrt`` and ``tan``.
    """

    def wrapped(x: Any) -> Any:
        if x.dtype.kind != "c":
            return function(x)
        if not x.ndim:
            return function(x.reshape(1)).reshape(())
        return function(x if x.flags.c_contiguous else dpnp.ascontiguousarray(x))

    return wrapped


def _complex_parts(function: Function, repair: Function) -> Any:
    """Return ``function`` with repaired complex results; ``repair(x, real, imag)`` returns their right parts."""
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
    """Return the right parts of ``acosh(x)``.

    dpnp returns ``nan + nanj`` for ``0 + nanj``; by the standard the imaginary part is pi/2.

    https://github.com/IntelPython/dpnp/pull/2914, last seen in 0.20.0. Canary: ``acosh``.
    """
    return real, where((x.real == 0) & dpnp.isnan(x.imag), math.pi / 2, imag)


def _expm1(x: Any, real: Any, imag: Any) -> Any:
    """Return the right parts of ``expm1(x)``.

    dpnp returns -0 as the real part of ``expm1(-0 + 0j)``; by the standard it is +0.

    No upstream issue is known; last seen in 0.20.0. Canary: ``expm1``.
    """
    return real + 0, imag


def _log1p(x: Any, real: Any, imag: Any) -> Any:
    """Return the right parts of ``log1p(x)``.

    dpnp loses digits of a real part that is small beside 1, as in ``log1p(0.001 + 0.5j)``. By the standard the result
    is as exact as for other numbers.

    No upstream issue is known; last seen in 0.20.0. Canary: ``log1p``.
    """
    if not dpnp.any(dpnp.abs(real) < SMALL_LOGARITHM):
        return real, imag
    return where(dpnp.isfinite(real) & dpnp.isfinite(imag), log1p_real(dpnp, x.real, x.imag), real), imag


def _log2(x: Any) -> Any:
    """Return the logarithm to base 2.

    dpnp loses the real part of ``log2`` near 1: it is 0 for ``1 + 1e-9j``. By the standard it is the logarithm of the
    magnitude, 7.2e-19 here. It is computed from ``log``, which is exact there.

    No upstream issue is known; last seen in 0.20.0. Canary: ``log2``.
    """
    return _complex_log2(x) if x.dtype.kind == "c" else dpnp.log2(x)


def _tan(x: Any, real: Any, imag: Any) -> Any:
    """Return the right parts of ``tan(x)``.

    dpnp returns ``nan + nanj`` for ``inf + 0j``. The standard defines ``tan(x)`` as ``-1j * tanh(1j * x)``, whose
    imaginary part is 0 there.

    No upstream issue is known; last seen in 0.20.0. Canary: ``tan``.
    """
    return real, where((x.imag == 0) & ~dpnp.isfinite(x.real), x.imag, imag)


def _tanh(x: Any, real: Any, imag: Any) -> Any:
    """Return the right parts of ``tanh(x)``.

    dpnp gives the zero in ``tanh(inf + yj)`` the sign of ``sin(2 * y)``, as C99 does, and drops the sign of the zero in
    ``tanh(0 - 0j)``; by the standard both zeros have the sign of ``y``. For ``0 + infj`` it returns ``nan + nanj``; by
    the standard the real part is 0.

    https://github.com/data-apis/array-api/issues/1006, last seen in 0.20.0. Canary: ``tanh``.
    """
    zero = (dpnp.isinf(x.real) & dpnp.isfinite(x.imag)) | (x.imag == 0)
    real = where((x.real == 0) & ~dpnp.isfinite(x.imag), x.real, real)
    return real, where(zero, dpnp.copysign(dpnp.zeros_like(imag), x.imag), imag)


_complex_log2 = _complex_parts(
    dpnp.log, lambda x, real, imag: (real / math.log(2), imag / math.log(2))
).__func__


def _sign(x: Any) -> Any:
    """Return the signs of numbers.

    dpnp returns NaN for complex numbers with an infinite part. The standard divides a number by its magnitude; where
    one part is infinite, NumPy returns the direction of this part.

    No upstream issue is known; last seen in 0.20.0. Canary: ``sign``.
    """
    out = dpnp.sign(x)
    return out if out.dtype.kind != "c" else numpy_like.sign_of_infinite(dpnp, x, out)


# -- quotients and powers -------------------------------------------------------------------------


def _floor_divide(a: Any, b: Any) -> Any:
    """Return ``a // b``.

    dpnp rounds the quotient before it takes the floor, so ``1 // 0.001`` is 1000. The standard wants the floor of the
    quotient, and 1 divided by the number 0.001 is a little less than 1000; NumPy returns 999, by the remainder.

    No upstream issue is known; last seen in 0.20.0. Canary: ``floor_divide``.
    """
    out = dpnp.floor_divide(a, b)
    if out.dtype.kind != "f":
        return out
    exact = dpnp.round((a - dpnp.remainder(a, b)) / b)
    return where(dpnp.isfinite(exact) & (exact != 0), exact.astype(out.dtype), out)


def _pow(lib: Any, a: Any, b: Any) -> Any:
    """Return ``a ** b``.

    dpnp returns NaN for the complex power 0 of zero, an infinity or NaN; the standard gives 1 for real numbers, and
    NumPy for complex ones. It returns 0 for integers to negative integer powers; the standard leaves them open, and
    NumPy raises an error.

    No upstream issue is known; last seen in 0.20.0. Canary: ``pow``.
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
    """Return ``1 / x``.

    dpnp returns floats for integers. The standard takes floats only; NumPy keeps the dtype, so every integer except 1
    and -1 gives 0.

    No upstream issue is known; last seen in 0.20.0. Canary: ``reciprocal``.
    """
    if x.dtype.kind not in "biu":
        return dpnp.reciprocal(x)
    return reciprocal_of_integers(dpnp, x.astype(np.int8) if x.dtype.kind == "b" else x)


# -- Python scalars --------------------------------------------------------------------------------


def _compares(function: Function, compare: Function) -> Any:
    """Return a comparison that takes every Python integer.

    dpnp refuses an integer out of the range of the array's dtype. The standard leaves this open; NumPy compares with
    its value.

    https://github.com/IntelPython/dpnp/pull/3017, last seen in 0.20.0. Canaries: ``equal``, ``greater``,
    ``greater_equal``, ``less``, ``less_equal`` and ``not_equal``.
    """
    return numpy_like.compared(dpnp, function, compare)


def _orders(function: Function, compare: Function) -> Any:
    """Return ``_compares(function, compare)`` that refuses complex numbers, see ``numpy_like.ordered``."""
    return numpy_like.ordered_compared(dpnp, function, compare)


def _floats(function: Function) -> Any:
    """Return a function of real numbers that takes every Python integer.

    dpnp refuses an integer out of the range of the array's dtype. The standard leaves this open; NumPy converts the
    integer to the floating dtype of the result.

    https://github.com/IntelPython/dpnp/pull/3017, last seen in 0.20.0. Canaries: ``atan2``, ``copysign``, ``divide``,
    ``hypot``, ``logaddexp`` and ``nextafter``.
    """
    return numpy_like.as_floats(dpnp, function)


def _clip(lib: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    """Return ``x`` limited to a range.

    dpnp refuses a limit whose dtype would raise the dtype of the result. The standard leaves mixed dtypes open; NumPy
    promotes them.

    No upstream issue is known; last seen in 0.20.0. Canary: ``clip``.
    """
    return numpy_like.clip(lib, x, low, high)


class ElementwiseFunctions:
    """The page ``elementwise functions`` of the standard."""

    acos = staticmethod(_of_vectors(dpnp.acos))
    acosh = _complex_parts(dpnp.acosh, _acosh)
    asin = staticmethod(_of_vectors(dpnp.asin))
    asinh = staticmethod(_of_vectors(dpnp.asinh))
    atan = staticmethod(_of_vectors(dpnp.atan))
    atan2 = _floats(dpnp.atan2)
    atanh = staticmethod(_of_vectors(dpnp.atanh))
    clip = composed(_clip)
    copysign = _floats(dpnp.copysign)
    cos = staticmethod(_of_vectors(dpnp.cos))
    cosh = staticmethod(_of_vectors(dpnp.cosh))
    divide = _floats(dpnp.divide)
    equal = _compares(dpnp.equal, operator.eq)
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
    sinh = staticmethod(_of_vectors(dpnp.sinh))
    sqrt = staticmethod(_of_vectors(dpnp.sqrt))
    tan = _complex_parts(dpnp.tan, _tan)
    tanh = _complex_parts(dpnp.tanh, _tanh)
