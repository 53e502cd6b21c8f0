"""Element-wise functions of the standard."""

from __future__ import annotations

from typing import Any

from ._core.array import Array
from ._core.dispatch import binary, call, unary, wrap
from ._core.operands import unwrap

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]


def abs(x: Array, /) -> Array:
    """Return the absolute value of each element (the magnitude of a complex one)."""
    return unary("abs", x)


def acos(x: Array, /) -> Array:
    """Return the principal inverse cosine of each element, in radians."""
    return unary("acos", x)


def acosh(x: Array, /) -> Array:
    """Return the inverse hyperbolic cosine of each element."""
    return unary("acosh", x)


def add(x1: Any, x2: Any, /) -> Array:
    """Return the sum of each pair of elements."""
    return binary("add", x1, x2)


def asin(x: Array, /) -> Array:
    """Return the principal inverse sine of each element, in radians."""
    return unary("asin", x)


def asinh(x: Array, /) -> Array:
    """Return the inverse hyperbolic sine of each element."""
    return unary("asinh", x)


def atan(x: Array, /) -> Array:
    """Return the principal inverse tangent of each element, in radians."""
    return unary("atan", x)


def atan2(x1: Any, x2: Any, /) -> Array:
    """Return the angle of each point ``(x2, x1)``, in radians in ``[-pi, pi]``."""
    return binary("atan2", x1, x2)


def atanh(x: Array, /) -> Array:
    """Return the inverse hyperbolic tangent of each element."""
    return unary("atanh", x)


def bitwise_and(x1: Any, x2: Any, /) -> Array:
    """Return the bitwise AND of each pair of elements."""
    return binary("bitwise_and", x1, x2)


def bitwise_invert(x: Array, /) -> Array:
    """Return each element with all its bits inverted."""
    return unary("bitwise_invert", x)


def bitwise_left_shift(x1: Any, x2: Any, /) -> Array:
    """Return the bits of each element of ``x1`` shifted left by ``x2``."""
    return binary("bitwise_left_shift", x1, x2)


def bitwise_or(x1: Any, x2: Any, /) -> Array:
    """Return the bitwise OR of each pair of elements."""
    return binary("bitwise_or", x1, x2)


def bitwise_right_shift(x1: Any, x2: Any, /) -> Array:
    """Return the bits of each element of ``x1`` shifted right by ``x2``, keeping the sign."""
    return binary("bitwise_right_shift", x1, x2)


def bitwise_xor(x1: Any, x2: Any, /) -> Array:
    """Return the bitwise exclusive OR of each pair of elements."""
    return binary("bitwise_xor", x1, x2)


def ceil(x: Array, /) -> Array:
    """Return the smallest integer not less than each element, in the dtype of ``x``."""
    return unary("ceil", x)


def clip(x: Array, /, min: Any = None, max: Any = None) -> Array:
    """Return each element limited to ``[min, max]``; a limit of ``None`` is none."""
    at, (values, low, high) = unwrap("clip", (x, min, max))
    return wrap(at, call("clip", at, values, low, high))


def conj(x: Array, /) -> Array:
    """Return the complex conjugate of each element."""
    return unary("conj", x)


def copysign(x1: Any, x2: Any, /) -> Array:
    """Return the magnitude of each element of ``x1`` with the sign of ``x2``."""
    return binary("copysign", x1, x2)


def cos(x: Array, /) -> Array:
    """Return the cosine of each element, given in radians."""
    return unary("cos", x)


def cosh(x: Array, /) -> Array:
    """Return the hyperbolic cosine of each element."""
    return unary("cosh", x)


def divide(x1: Any, x2: Any, /) -> Array:
    """Return the true quotient of each pair of elements."""
    return binary("divide", x1, x2)


def equal(x1: Any, x2: Any, /) -> Array:
    """Return whether each pair of elements is equal."""
    return binary("equal", x1, x2, False, True)


def exp(x: Array, /) -> Array:
    """Return the exponential of each element."""
    return unary("exp", x)


def expm1(x: Array, /) -> Array:
    """Return ``exp(x) - 1`` of each element, accurate near zero."""
    return unary("expm1", x)


def floor(x: Array, /) -> Array:
    """Return the greatest integer not greater than each element, in the dtype of ``x``."""
    return unary("floor", x)


def floor_divide(x1: Any, x2: Any, /) -> Array:
    """Return the greatest integer not greater than the quotient of each pair of elements."""
    return binary("floor_divide", x1, x2)


def greater(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is greater than that of ``x2``."""
    return binary("greater", x1, x2, False, True)


def greater_equal(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is not less than that of ``x2``."""
    return binary("greater_equal", x1, x2, False, True)


def hypot(x1: Any, x2: Any, /) -> Array:
    """Return ``sqrt(x1**2 + x2**2)`` of each pair of elements, without needless overflow."""
    return binary("hypot", x1, x2)


def imag(x: Array, /) -> Array:
    """Return the imaginary part of each element."""
    return unary("imag", x)


def isfinite(x: Array, /) -> Array:
    """Return whether each element is neither infinite nor NaN."""
    return unary("isfinite", x, True)


def isinf(x: Array, /) -> Array:
    """Return whether each element is infinite."""
    return unary("isinf", x, True)


def isnan(x: Array, /) -> Array:
    """Return whether each element is NaN."""
    return unary("isnan", x, True)


def less(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is less than that of ``x2``."""
    return binary("less", x1, x2, False, True)


def less_equal(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is not greater than that of ``x2``."""
    return binary("less_equal", x1, x2, False, True)


def log(x: Array, /) -> Array:
    """Return the natural logarithm of each element."""
    return unary("log", x)


def log10(x: Array, /) -> Array:
    """Return the base-10 logarithm of each element."""
    return unary("log10", x)


def log1p(x: Array, /) -> Array:
    """Return ``log(1 + x)`` of each element, accurate near zero."""
    return unary("log1p", x)


def log2(x: Array, /) -> Array:
    """Return the base-2 logarithm of each element."""
    return unary("log2", x)


def logaddexp(x1: Any, x2: Any, /) -> Array:
    """Return ``log(exp(x1) + exp(x2))`` of each pair of elements, without needless overflow."""
    return binary("logaddexp", x1, x2)


def logical_and(x1: Any, x2: Any, /) -> Array:
    """Return the logical AND of each pair of elements."""
    return binary("logical_and", x1, x2, False, True)


def logical_not(x: Array, /) -> Array:
    """Return the logical negation of each element."""
    return unary("logical_not", x, True)


def logical_or(x1: Any, x2: Any, /) -> Array:
    """Return the logical OR of each pair of elements."""
    return binary("logical_or", x1, x2, False, True)


def logical_xor(x1: Any, x2: Any, /) -> Array:
    """Return the logical exclusive OR of each pair of elements."""
    return binary("logical_xor", x1, x2, False, True)


def maximum(x1: Any, x2: Any, /) -> Array:
    """Return the greater of each pair of elements, NaN if either is."""
    return binary("maximum", x1, x2)


def minimum(x1: Any, x2: Any, /) -> Array:
    """Return the lesser of each pair of elements, NaN if either is."""
    return binary("minimum", x1, x2)


def multiply(x1: Any, x2: Any, /) -> Array:
    """Return the product of each pair of elements."""
    return binary("multiply", x1, x2)


def negative(x: Array, /) -> Array:
    """Return each element negated."""
    return unary("negative", x)


def nextafter(x1: Any, x2: Any, /) -> Array:
    """Return the next representable number after each element of ``x1`` towards ``x2``."""
    return binary("nextafter", x1, x2)


def not_equal(x1: Any, x2: Any, /) -> Array:
    """Return whether each pair of elements differs."""
    return binary("not_equal", x1, x2, False, True)


def positive(x: Array, /) -> Array:
    """Return each element as it is."""
    return unary("positive", x)


def pow(x1: Any, x2: Any, /) -> Array:
    """Return each element of ``x1`` to the power of that of ``x2``."""
    return binary("pow", x1, x2)


def real(x: Array, /) -> Array:
    """Return the real part of each element."""
    return unary("real", x)


def reciprocal(x: Array, /) -> Array:
    """Return ``1 / x`` of each element."""
    return unary("reciprocal", x)


def remainder(x1: Any, x2: Any, /) -> Array:
    """Return the remainder of each pair of elements, with the sign of ``x2``."""
    return binary("remainder", x1, x2)


def round(x: Array, /) -> Array:
    """Return the integer nearest to each element, ties to the even one, in the dtype of ``x``."""
    return unary("round", x)


def sign(x: Array, /) -> Array:
    """Return the sign of each element: -1, 0 or 1, ``x / abs(x)`` of a complex one."""
    return unary("sign", x)


def signbit(x: Array, /) -> Array:
    """Return whether the sign bit of each element is set."""
    return unary("signbit", x, True)


def sin(x: Array, /) -> Array:
    """Return the sine of each element, given in radians."""
    return unary("sin", x)


def sinh(x: Array, /) -> Array:
    """Return the hyperbolic sine of each element."""
    return unary("sinh", x)


def sqrt(x: Array, /) -> Array:
    """Return the principal square root of each element."""
    return unary("sqrt", x)


def square(x: Array, /) -> Array:
    """Return each element squared."""
    return unary("square", x)


def subtract(x1: Any, x2: Any, /) -> Array:
    """Return the difference of each pair of elements."""
    return binary("subtract", x1, x2)


def tan(x: Array, /) -> Array:
    """Return the tangent of each element, given in radians."""
    return unary("tan", x)


def tanh(x: Array, /) -> Array:
    """Return the hyperbolic tangent of each element."""
    return unary("tanh", x)


def trunc(x: Array, /) -> Array:
    """Return the integer nearest to each element towards zero, in the dtype of ``x``."""
    return unary("trunc", x)
