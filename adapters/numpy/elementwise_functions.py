"""Element-wise functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from burn_array.errors import DTypeError

from ..common.complex_functions import SMALL_LOGARITHM, log1p_real


def _in_dtype(x: Any, dtype: Any) -> Any:
    """Return a Python number as it is stored in a floating dtype, perhaps as infinity; arrays are returned as is."""
    if type(x) is np.ndarray or abs(x) <= 65504:
        return x
    with np.errstate(over="ignore"):
        return np.asarray(x, dtype=dtype)


_LARGE = 2**14
"""Number of elements from which on memory counts more than the time of one more call."""


def _all_finite(x1: Any, x2: Any, size: int) -> bool:
    """Return whether all numbers and elements are finite, with one array of bools at a time if ``size`` is large."""
    if size < _LARGE:
        return bool((np.isfinite(x1) & np.isfinite(x2)).all())
    return bool(np.isfinite(x1).all() and np.isfinite(x2).all())


def _ordered(function: Any) -> Any:
    """Return a comparison, or a maximum or minimum, that refuses complex numbers.

    NumPy orders them by their real parts, then by their imaginary parts; by the standard they have no order.
    https://numpy.org/doc/stable/reference/generated/numpy.maximum.html, last seen in NumPy 2.4.6.
    """

    def wrapped(x1: Any, x2: Any) -> Any:
        if (x1.dtype.kind == "c") if type(x1) is np.ndarray else (type(x1) is complex):
            raise DTypeError(_NO_ORDER)
        if (x2.dtype.kind == "c") if type(x2) is np.ndarray else (type(x2) is complex):
            raise DTypeError(_NO_ORDER)
        return function(x1, x2)

    return staticmethod(wrapped)


_NO_ORDER = "complex numbers have no order; compare abs(x), real(x) or imag(x)"


def _logical(function: Any) -> Any:
    """Return a logical function of arrays and Python numbers.

    NumPy converts a Python integer to the dtype of the array, where it may not fit; only its truth matters here.
    No report known; last seen in NumPy 2.4.6.
    """

    def wrapped(x1: Any, x2: Any) -> Any:
        try:
            return function(x1, x2)
        except OverflowError:
            return function(*(bool(x) if type(x) is int else x for x in (x1, x2)))

    return staticmethod(wrapped)


def _floor_divide(x1: Any, x2: Any) -> Any:
    """Return ``x1 // x2``.

    NumPy follows Python's ``//`` at infinities: ``inf // 2.0`` is NaN, and ``5.0 // -inf`` is -1.0. The standard rounds
    the quotient down: inf and -0.0.
    https://github.com/numpy/numpy/issues/23860, last seen in NumPy 2.4.6.
    """
    out = np.floor_divide(x1, x2)
    if out.dtype.kind != "f":
        return out
    if out.dtype.itemsize < 8 or type(x1) is int or type(x2) is int:
        x1, x2 = _in_dtype(x1, out.dtype), _in_dtype(x2, out.dtype)
    if _all_finite(x1, x2, out.size):
        return out
    with np.errstate(all="ignore"):
        return np.where(np.isinf(x1) | np.isinf(x2), np.divide(x1, x2), out).astype(out.dtype, copy=False)


def _pow(x1: Any, x2: Any) -> Any:
    """Return ``x1 ** x2``.

    NumPy takes the square root if there is one exponent for all elements and it is 0.5, so that ``-inf ** 0.5`` is NaN
    and ``-0.0 ** 0.5`` is -0.0. By the standard these are inf and 0.0.
    No report known; last seen in NumPy 2.4.6.
    """
    if type(x2) is int and x2 == 2 and x1.dtype.kind == "f":
        return np.square(x1)  # gives the same, and is faster
    out = np.power(x1, x2)
    if type(x2) is int or (type(x2) is float and x2 != 0.5) or out.dtype.kind != "f":
        return out
    if type(x2) is np.ndarray and x2.shape == out.shape and 0 not in x2.strides and x2.ndim:
        return out
    half = np.equal(x2, 0.5)
    out = np.where(half & (x1 == -np.inf), np.inf, np.where(half & (out == 0), 0.0, out))
    return out.astype(np.result_type(x1, x2), copy=False)


def _expm1(x: Any) -> Any:
    """Return ``exp(x) - 1``.

    NumPy gives a NaN imaginary part for ``expm1(inf + 0j)``, and ``-0.0`` as the real part of ``expm1(-0.0 + 0j)``. By
    the standard the first is ``inf + 0j``, and the second has the real part 0.0.
    No report known; last seen in NumPy 2.4.6.
    """
    out = np.expm1(x)
    if out.dtype.kind != "c":
        return out
    with np.errstate(all="ignore"):
        out = np.where(np.isfinite(x), out, np.exp(x) - 1)
    out.real[...] += 0.0
    return out


def _log1p(x: Any) -> Any:
    """Return ``log(1 + x)``.

    NumPy loses the real part of complex results near 0: it is 0 for ``log1p(1e-160j)`` in place of 5e-321.
    https://github.com/numpy/numpy/issues/22609, last seen in NumPy 2.4.6.
    """
    if x.dtype.kind != "c":
        return np.log1p(x)
    with np.errstate(all="ignore"):
        out = np.asarray(np.log1p(x))
        if not (np.abs(out.real) < SMALL_LOGARITHM).any():
            return out
        out.real = np.where(np.isfinite(out), log1p_real(np, np.real(x), np.imag(x)), out.real)
    return out


def _tanh(x: Any) -> Any:
    """Return the hyperbolic tangent.

    In ``tanh(inf + yj)`` NumPy gives the imaginary part, a zero, the sign of ``sin(2 * y)``, as C99 does; the standard
    wants the sign of ``y``.
    https://github.com/data-apis/array-api/issues/1006, last seen in NumPy 2.4.6.
    """
    out = np.tanh(x)
    if out.dtype.kind != "c":
        return out
    zero = np.copysign(np.zeros_like(out.imag), np.imag(x))
    imag = np.where(np.isinf(np.real(x)) & np.isfinite(np.imag(x)), zero, out.imag)
    out = np.asarray(out)
    out.imag = imag
    return out


class ElementwiseFunctions:
    """The page *elementwise functions* of the standard."""

    expm1 = staticmethod(_expm1)
    floor_divide = staticmethod(_floor_divide)
    greater = _ordered(np.greater)
    greater_equal = _ordered(np.greater_equal)
    less = _ordered(np.less)
    less_equal = _ordered(np.less_equal)
    log1p = staticmethod(_log1p)
    logical_and = _logical(np.logical_and)
    logical_or = _logical(np.logical_or)
    logical_xor = _logical(np.logical_xor)
    maximum = _ordered(np.maximum)
    minimum = _ordered(np.minimum)
    pow = staticmethod(_pow)
    tanh = staticmethod(_tanh)
