"""Complex functions at infinities and NaNs, for libraries that are right at finite numbers only.

The special values are those of the standard, which follow annex G of C99. ``lib`` is a library with NumPy's names.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]
Corrections = list[tuple[Any, Any, Any]]
"""Conditions, each with the real and the imaginary part where it holds; the last that holds decides."""


def corrected(
    lib: Any, function: Function, join: Function, special: Callable[[Any, Any, Any], Corrections]
) -> Function:
    """Return ``function`` of one array with the corrections ``special(lib, real, imag)`` where the array is complex.

    ``join(real, imag)`` makes a complex array.
    """

    def wrapped(x: Any) -> Any:
        out = function(x)
        if out.dtype.kind != "c":
            return out
        real, imag = out.real, out.imag
        for condition, new_real, new_imag in special(lib, x.real, x.imag):
            real = lib.where(condition, new_real, real)
            imag = lib.where(condition, new_imag, imag)
        return join(real, imag)

    return wrapped


def exp(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``exp``."""
    odd = lib.isinf(re) & ~lib.isfinite(im)
    return [(odd, lib.where(re > 0, math.inf, 0.0), lib.where(re > 0, math.nan, 0.0))]


def expm1(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``expm1``."""
    odd = lib.isinf(re) & ~lib.isfinite(im)
    return [(odd, lib.where(re > 0, math.inf, -1.0), lib.where(re > 0, math.nan, 0.0))]


def cosh(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``cosh``."""
    odd = ~lib.isfinite(im)
    return [(odd & lib.isinf(re), math.inf, math.nan), (odd & (re == 0), math.nan, 0.0)]


def sinh(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``sinh``."""
    return [(~lib.isfinite(im) & (lib.isinf(re) | (re == 0)), re, math.nan)]


def tanh(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``tanh``; at infinity its imaginary part is a zero with the sign of ``imag``."""
    one, zero = lib.copysign(lib.ones_like(re), re), lib.copysign(lib.zeros_like(im), im)
    return [(lib.isinf(re), one, zero), (~lib.isfinite(im) & (re == 0), re, math.nan)]


def tan(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``tan``, which is ``-1j * tanh(1j * x)``."""
    return [(condition, imag, -real) for condition, real, imag in tanh(lib, -im, re)]


def sqrt(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``sqrt``."""
    odd = lib.isnan(im)
    return [
        ((odd & lib.isfinite(re)) | (lib.isnan(re) & lib.isfinite(im)), math.nan, math.nan),
        (odd & (re == math.inf), math.inf, math.nan),
        (odd & (re == -math.inf), math.nan, math.inf),
    ]


def log(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``log`` and ``log1p``: the modulus is infinite if one part is."""
    return [((lib.isinf(re) & lib.isnan(im)) | (lib.isnan(re) & lib.isinf(im)), math.inf, math.nan)]


def acos(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``acos``."""
    odd = lib.isnan(im) & lib.isfinite(re)
    return [(odd, lib.where(re == 0, math.pi / 2, math.nan), math.nan)]


def acosh(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``acosh``."""
    lost = (lib.isnan(im) & lib.isfinite(re)) | (lib.isnan(re) & ~lib.isinf(im))
    return [(lost, math.nan, math.nan), (lib.isnan(im) & (re == 0), math.nan, math.pi / 2)]


def asinh(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``asinh``."""
    lost = (lib.isnan(re) & lib.isfinite(im)) | (lib.isnan(im) & ~lib.isinf(re))
    return [(lost, math.nan, math.nan), (lib.isnan(re) & (im == 0), math.nan, im)]


def atanh(lib: Any, re: Any, im: Any) -> Corrections:
    """Return the corrections of ``atanh``."""
    finite = lib.isnan(im) & lib.isfinite(re)
    return [
        (finite, lib.where(re == 0, re, math.nan), math.nan),
        (lib.isnan(im) & lib.isinf(re), lib.copysign(lib.zeros_like(re), re), math.nan),
        (lib.isnan(re) & ~lib.isinf(im), math.nan, math.nan),
    ]
