"""Rules of the element-wise functions.

At a kink the vjps give the subgradient of least norm. If two operands are equal, each gets half of the cotangent. An
infinite derivative gives an infinite cotangent. Complex functions are differentiated as PyTorch does: ``g`` times the
conjugate of the derivative.
"""

from __future__ import annotations

import math
from typing import Any

from . import constant, derivative, elementwise, identity_vjp, rule

_SCALARS = frozenset((bool, int, float, complex))

constant(
    "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "ceil", "equal", "floor", "floor_divide", "greater", "greater_equal", "isfinite", "isinf", "isnan", "less",
    "less_equal", "logical_and", "logical_not", "logical_or", "logical_xor", "not_equal", "round", "signbit", "trunc",
)  # fmt: skip

# -- arithmetic ---------------------------------------------------------------------------------

elementwise("add", identity_vjp, identity_vjp)
elementwise("subtract", identity_vjp, lambda xp, g, _out, _x, _y: -g)
derivative("multiply", "y", "x")
elementwise(
    "divide",
    lambda xp, g, _out, _x, y: xp.divide(g, xp.conj(y)),
    lambda xp, g, out, _x, y: -g * xp.conj(xp.divide(out, y)),
)
elementwise("negative", lambda xp, g, _out, _x: -g)
elementwise("positive", lambda xp, g, _out, _x: g)
derivative("reciprocal", lambda xp, out, _x: -(out * out))


def _twice(g: Any) -> Any:
    """Twice the product, not the product of twice a factor: it overflows only where the result does."""
    return g + g


elementwise("square", lambda xp, g, _out, x: _twice(g * xp.conj(x)))
elementwise("sqrt", lambda xp, g, out, _x: g / xp.conj(out + out))
elementwise(
    "remainder",
    identity_vjp,
    lambda xp, g, _out, x, y: -g * xp.floor(xp.divide(x, y)),
)


def _pow_base(xp: Any, g: Any, _out: Any, x: Any, y: Any) -> Any:
    if type(y) not in _SCALARS:
        if y.dtype != g.dtype:  # perhaps unsigned integers, where 0 - 1 wraps around
            zero = xp.equal(y, 0)
            power = xp.multiply(y, xp.pow(x, xp.where(zero, 1, xp.subtract(y, 1))))
            return xp.where(zero, 0, g * xp.conj(power))
        # The factor y is zero for the exponent 0, except that 0 / x is NaN for a base that is zero or NaN.
        base = xp.where(xp.logical_and(xp.equal(y, 0), xp.logical_or(xp.equal(x, 0), xp.isnan(x))), 1, x)
        return g * xp.conj(xp.multiply(y, xp.pow(base, xp.subtract(y, 1))))
    if y == 0:
        return None
    if y == 1:
        return g
    return _twice(g * xp.conj(x)) if y == 2 else g * xp.conj(y * xp.pow(x, y - 1))


def _pow_exponent(xp: Any, g: Any, out: Any, x: Any, y: Any) -> Any:
    if type(x) in _SCALARS:
        x = xp.full((), x, dtype=out.dtype)
    elif x.dtype != out.dtype:  # the logarithm of a small integer would be in half precision
        x = xp.astype(x, out.dtype)
    flat = xp.logical_and(x == 0, xp.greater_equal(xp.real_part(y), 0))
    return xp.where(flat, 0, g * xp.conj(out * xp.log(x)))


elementwise("pow", _pow_base, _pow_exponent)

# -- exponentials and logarithms ----------------------------------------------------------------

derivative("exp", "out")
derivative("expm1", lambda xp, out, _x: out + 1)
elementwise("log", lambda xp, g, _out, x: g / xp.conj(x))
elementwise("log1p", lambda xp, g, _out, x: g / xp.conj(x + 1))
elementwise("log2", lambda xp, g, _out, x: g / xp.conj(x * math.log(2)))
elementwise("log10", lambda xp, g, _out, x: g / xp.conj(x * math.log(10)))


def _logaddexp_vjp(xp: Any, g: Any, _out: Any, x: Any, y: Any) -> Any:
    """Return ``g exp(x) / (exp(x) + exp(y))``, from the difference: the rounded result has lost it for large ones."""
    difference = xp.subtract(x, y)
    equal_infinities = xp.logical_and(xp.isnan(difference), xp.equal(x, y))
    difference = xp.where(equal_infinities, 0, difference)
    mine, other = xp.exp(xp.minimum(difference, 0)), xp.exp(xp.minimum(-difference, 0))
    return g * (mine / (mine + other))


elementwise(
    "logaddexp",
    _logaddexp_vjp,
    lambda xp, g, _out, x, y: _logaddexp_vjp(xp, g, _out, y, x),
)

# -- trigonometry -------------------------------------------------------------------------------

derivative("sin", "cos(x)")
derivative("cos", lambda xp, _out, x: -xp.sin(x))
elementwise("tan", lambda xp, g, out, _x: g + g * xp.conj(out * out))
# (1 - x)(1 + x) keeps the digits near 1 and -1 that 1 - x*x loses.
elementwise("asin", lambda xp, g, _out, x: g / xp.conj(xp.sqrt((1 - x) * (1 + x))))
elementwise("acos", lambda xp, g, _out, x: -g / xp.conj(xp.sqrt((1 - x) * (1 + x))))
elementwise("atan", lambda xp, g, _out, x: g / xp.conj(x * x + 1))
derivative("sinh", "cosh(x)")
derivative("cosh", "sinh(x)")
derivative("tanh", lambda xp, out, _x: 1 - out * out)
elementwise("asinh", lambda xp, g, _out, x: g / xp.conj(xp.sqrt(x * x + 1)))
# Two roots: sqrt(x*x - 1) has the wrong sign in the left half of the complex plane.
elementwise("acosh", lambda xp, g, _out, x: g / xp.conj(xp.sqrt(x - 1) * xp.sqrt(x + 1)))
elementwise("atanh", lambda xp, g, _out, x: g / xp.conj((1 - x) * (1 + x)))


def _turned(xp: Any, g: Any, part: Any, y: Any, x: Any) -> Any:
    """Divide twice by the radius, which cannot overflow where its square does."""
    h = xp.hypot(y, x)
    radius = xp.where(h == 0, 1, h)
    return g * xp.divide(part, radius) / radius


elementwise(
    "atan2",
    lambda xp, g, _out, y, x: _turned(xp, g, x, y, x),
    lambda xp, g, _out, y, x: _turned(xp, -g, y, y, x),
)
elementwise(
    "hypot",
    lambda xp, g, out, x, _y: g * xp.divide(x, xp.where(out == 0, 1, out)),
    lambda xp, g, out, _x, y: g * xp.divide(y, xp.where(out == 0, 1, out)),
)

# -- complex numbers, magnitudes and signs ------------------------------------------------------

elementwise("conj", lambda xp, g, _out, _x: xp.conj(g))
rule("real", lambda xp, g, _out, _x: g, moves=True)
rule("imag", lambda xp, g, _out, _x: g * 1j, moves=True)
elementwise("abs", lambda xp, g, _out, x: g * xp.sign(x))


def _sign(xp: Any, g: Any, out: Any, x: Any) -> Any:
    """The part of ``g`` across the direction of ``x``, over its length; zero for real numbers and at 0."""
    if not xp.is_complex(x):
        return None
    length = xp.abs(x)
    across = g - out * xp.real(xp.conj(out) * g)
    return xp.where(length == 0, 0, across / xp.where(length == 0, 1, length))


elementwise("sign", _sign)
elementwise("copysign", lambda xp, g, out, x, _y: g * (xp.sign(x) * xp.sign(out)), None)
elementwise("nextafter", identity_vjp, None)

# -- choices ------------------------------------------------------------------------------------


def _if_greater(xp: Any, g: Any, x: Any, y: Any) -> Any:
    """``g`` where ``x`` is the greater one, half of it on ties, NaN where either is NaN."""
    tie = xp.where(x == y, 0.5 * g, math.nan)
    return xp.where(x > y, g, xp.where(x < y, 0, tie))


elementwise(
    "maximum",
    lambda xp, g, _out, x, y: _if_greater(xp, g, x, y),
    lambda xp, g, _out, x, y: _if_greater(xp, g, y, x),
    masks=True,
)
elementwise(
    "minimum",
    lambda xp, g, _out, x, y: _if_greater(xp, g, y, x),
    lambda xp, g, _out, x, y: _if_greater(xp, g, x, y),
    masks=True,
)


def _inside(xp: Any, g: Any, _out: Any, x: Any, low: Any, high: Any) -> Any:
    if low is not None:
        g = xp.where(x < low, 0, g)
    return g if high is None else xp.where(x > high, 0, g)


def _at_low(xp: Any, g: Any, _out: Any, x: Any, low: Any, high: Any) -> Any:
    below = x < low
    return xp.where(below if high is None else xp.logical_and(below, low <= high), g, 0)


def _at_high(xp: Any, g: Any, _out: Any, x: Any, low: Any, high: Any) -> Any:
    """``g`` where the result is ``high``: everywhere if ``low`` is greater."""
    above = x > high
    return xp.where(above if low is None else xp.logical_or(above, high < low), g, 0)


elementwise("clip", _inside, _at_low, _at_high, masks=True)

rule("astype", lambda xp, g, _out, _x, _dtype, **_: g, moves=True)
