"""Elementwise functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np


def _held(x: Any, dtype: Any) -> Any:
    """Return a Python number as it is in a floating dtype, in which it may be infinite."""
    if type(x) is np.ndarray or abs(x) <= 65504:
        return x
    with np.errstate(over="ignore"):
        return np.asarray(x, dtype=dtype)


def _floor_divide(x1: Any, x2: Any) -> Any:
    """NumPy follows Python's ``//`` at infinities; the standard takes the floor of the quotient.

    https://github.com/numpy/numpy/issues/23860, last seen in 2.4.6.
    """
    out = np.floor_divide(x1, x2)
    if out.dtype.kind != "f":
        return out
    if out.dtype.itemsize < 8 or type(x1) is int or type(x2) is int:
        x1, x2 = _held(x1, out.dtype), _held(x2, out.dtype)
    if (np.isfinite(x1) & np.isfinite(x2)).all():
        return out
    with np.errstate(all="ignore"):
        return np.where(np.isinf(x1) | np.isinf(x2), np.divide(x1, x2), out).astype(out.dtype, copy=False)


def _pow(x1: Any, x2: Any) -> Any:
    """NumPy takes the square root for one exponent of 0.5, which differs at -infinity and at -0.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.power.html), last seen in
    2.4.6.
    """
    if type(x2) is int and x2 == 2 and x1.dtype.kind == "f":
        return np.square(x1)  # the same, sooner
    out = np.power(x1, x2)
    if type(x2) is int or (type(x2) is float and x2 != 0.5) or out.dtype.kind != "f":
        return out
    if type(x2) is np.ndarray and x2.shape == out.shape and 0 not in x2.strides and x2.ndim:
        return out
    half = np.equal(x2, 0.5)
    out = np.where(half & (x1 == -np.inf), np.inf, np.where(half & (out == 0), 0.0, out))
    return out.astype(np.result_type(x1, x2), copy=False)


def _expm1(x: Any) -> Any:
    """NumPy subtracts parts of complex infinities and keeps the sign of a real zero.

    The standard gives ``exp(x) - 1`` for the first and +0 for the second.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.expm1.html), last seen
    in 2.4.6.
    """
    out = np.expm1(x)
    if out.dtype.kind != "c":
        return out
    with np.errstate(all="ignore"):
        out = np.where(np.isfinite(x), out, np.exp(x) - 1)
    out.real[...] += 0.0
    return out


def _tanh(x: Any) -> Any:
    """NumPy signs the zero of ``tanh(inf + yj)`` as C99 does; the standard by the sign of ``y``.

    https://github.com/data-apis/array-api/issues/1006, last seen in 2.4.6.
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
    pow = staticmethod(_pow)
    tanh = staticmethod(_tanh)
