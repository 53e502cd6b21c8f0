"""Element-wise functions of integers and of complex numbers."""

from __future__ import annotations

from typing import Any

from ..complex_functions import log1p_real


def reciprocal_of_integers(lib: Any, x: Any) -> Any:
    """Return ``1 / x`` cut off to an integer, as NumPy does: 1 and -1 stay as they are, all others give 0."""
    is_unit = x == 1 if x.dtype.kind == "u" else lib.abs(x) == 1
    return lib.where(is_unit, x, lib.zeros_like(x))


def zero_by_zero(lib: Any, out: Any, b: Any) -> Any:
    """Return ``out``, a quotient or remainder of integers, with 0 where the divisor ``b`` is 0, as NumPy does."""
    return lib.where(b == 0, lib.zeros_like(out), out)


def power_step(lib: Any, product: Any, base: Any, exponent: Any) -> tuple[Any, Any, Any]:
    """Return product, base and exponent of an integer power by squaring, after one bit of the exponent.

    The power is in ``product`` once all exponents are 0. It wraps around like every product of integers.
    """
    return lib.where((exponent & 1) == 1, product * base, product), base * base, exponent >> 1


def with_signs(lib: Any, join: Any, out: Any, x: Any, real: int, imag: int) -> Any:
    """Return a complex ``out`` whose parts have the signs of those of ``x``, times 1 or -1; 0 leaves a part alone.

    Inverse functions on a branch cut need it, if the library ignores the sign of a zero. ``join`` makes a complex array
    of two real ones.
    """
    parts = ((out.real, x.real, real), (out.imag, x.imag, imag))
    return join(*(lib.copysign(part, sign * of) if sign else part for part, of, sign in parts))


def complex_sinh(lib: Any, join: Any, out: Any, x: Any) -> Any:
    """Return ``out``, the hyperbolic sine of a complex ``x``, from real functions where differences lose digits."""
    near = join(lib.sinh(x.real) * lib.cos(x.imag), lib.cosh(x.real) * lib.sin(x.imag))
    return lib.where(lib.abs(x.real) < 1, near, out)


def complex_log1p(lib: Any, join: Any, x: Any) -> Any:
    """Return ``log(1 + x)`` of a complex ``x``, both parts with full precision; see ``log1p_real``."""
    return join(log1p_real(lib, x.real, x.imag), lib.arctan2(x.imag, x.real + 1))


def complex_power(lib: Any, join: Any, out: Any, a: Any, b: Any) -> Any:
    """Return ``out``, complex powers, without the NaN of an infinity times zero where ``a`` is positive and real.

    The power 1 of a number is that number.
    """
    real = (a.real > 0) & (a.imag == 0) & (b.imag == 0)
    base = lib.where(real, a.real, lib.ones_like(a.real))
    of_real = join(base**b.real, lib.copysign(lib.zeros_like(base), a.imag * b.real))
    return lib.where(b == 1, a, lib.where(real, of_real, out))
