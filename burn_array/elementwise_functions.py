"""Element-wise functions of the standard: one result for each element, or for each pair of elements.

A function of two operands takes an array and an array or number. Their shapes are broadcast and their
dtypes promoted; a Python number takes the dtype of the array as far as its kind allows, so ``int8`` plus
1 is ``int8``. An array of another library counts as an uncommitted array.

Where a result is called *floating-point*, the precision of floating-point input is kept, and bools and
integers are computed in the dtype that NumPy takes: float16 for 8 bits, float32 for 16, float64 for more.

Raises
------
ArgumentTypeError
    If no operand is an array, or one is neither an array nor a number.
ShapeError
    If the shapes cannot be broadcast together.
DTypeError
    If the function does not take the dtype, or the dtypes have no common one.
IntegerOverflowError
    If the dtype of the array cannot hold a Python int.
DeviceMismatchError
    If two arrays are committed to different devices, unless exactly one of them is 0-d.
"""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_numeric, check_ordered
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
    """Return the absolute value of each element; of a complex number its magnitude.

    The least integer of a signed dtype has no positive counterpart there and stays as it is.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        The dtype of ``x``, for complex numbers that of their real part; the shape of ``x``.
    """
    return unary("abs", x)


def acos(x: Array, /) -> Array:
    """Return the principal inverse cosine of each element, in radians.

    Parameters
    ----------
    x : Array
        Real or complex; a real element outside of [-1, 1] gives NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``; real results lie in [0, pi].
    """
    return unary("acos", x)


def acosh(x: Array, /) -> Array:
    """Return the principal inverse hyperbolic cosine of each element.

    Parameters
    ----------
    x : Array
        Real or complex; a real element below 1 gives NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``; real results are not negative.
    """
    return unary("acosh", x)


def add(x1: Any, x2: Any, /) -> Array:
    """Return the sum of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or complex; of bools the sum is the logical OR.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.
    """
    return binary("add", x1, x2)


def asin(x: Array, /) -> Array:
    """Return the principal inverse sine of each element, in radians.

    Parameters
    ----------
    x : Array
        Real or complex; a real element outside of [-1, 1] gives NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``; real results lie in [-pi/2, pi/2].
    """
    return unary("asin", x)


def asinh(x: Array, /) -> Array:
    """Return the inverse hyperbolic sine of each element.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("asinh", x)


def atan(x: Array, /) -> Array:
    """Return the principal inverse tangent of each element, in radians.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``; real results lie in [-pi/2, pi/2].
    """
    return unary("atan", x)


def atan2(x1: Any, x2: Any, /) -> Array:
    """Return the angle between the positive x-axis and each point ``(x2, x1)``, in radians.

    Parameters
    ----------
    x1, x2 : Array or number
        The ordinates and the abscissas, real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape, in [-pi, pi].

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("atan2", x1, x2)


def atanh(x: Array, /) -> Array:
    """Return the inverse hyperbolic tangent of each element.

    Parameters
    ----------
    x : Array
        Real or complex; real elements -1 and 1 give infinities, those beyond give NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("atanh", x)


def bitwise_and(x1: Any, x2: Any, /) -> Array:
    """Return the bitwise AND of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Bools or integers; of bools it is the logical AND.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is floating-point or complex.
    """
    return binary("bitwise_and", x1, x2)


def bitwise_invert(x: Array, /) -> Array:
    """Return each element with all its bits inverted; a bool is negated.

    Parameters
    ----------
    x : Array
        Bools or integers.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` is floating-point or complex.
    """
    return unary("bitwise_invert", x)


def bitwise_left_shift(x1: Any, x2: Any, /) -> Array:
    """Return each element of ``x1`` with its bits shifted left by ``x2`` places.

    Bits shifted out are lost; zeros come in on the right.

    Parameters
    ----------
    x1, x2 : Array or number
        Integers: the bits, and by how many places they are shifted (not negative).

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is floating-point or complex.
    """
    return binary("bitwise_left_shift", x1, x2)


def bitwise_or(x1: Any, x2: Any, /) -> Array:
    """Return the bitwise OR of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Bools or integers; of bools it is the logical OR.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is floating-point or complex.
    """
    return binary("bitwise_or", x1, x2)


def bitwise_right_shift(x1: Any, x2: Any, /) -> Array:
    """Return each element of ``x1`` with its bits shifted right by ``x2`` places.

    The sign is kept: copies of the sign bit come in on the left, so this is the floor of ``x1 / 2**x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Integers: the bits, and by how many places they are shifted (not negative).

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is floating-point or complex.
    """
    return binary("bitwise_right_shift", x1, x2)


def bitwise_xor(x1: Any, x2: Any, /) -> Array:
    """Return the bitwise exclusive OR of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Bools or integers; of bools it is the logical exclusive OR.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is floating-point or complex.
    """
    return binary("bitwise_xor", x1, x2)


def ceil(x: Array, /) -> Array:
    """Return the smallest whole number that is not less than each element.

    Parameters
    ----------
    x : Array
        Real; integers stay as they are.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` is complex.
    """
    return unary("ceil", x)


def clip(x: Array, /, min: Any = None, max: Any = None) -> Array:
    """Return each element limited to the interval from ``min`` to ``max``.

    If ``min`` is greater than ``max``, the result is ``max``.

    Parameters
    ----------
    x : Array
        Real.
    min, max : Array, number or None
        The limits, broadcast with ``x``; ``None`` means no limit.

    Returns
    -------
    Array
        The dtype and shape to which ``x`` and the limits promote and broadcast.

    Raises
    ------
    IntegerOverflowError
        If a lower limit lies above all numbers of an integer dtype, or an upper limit below.
    """
    at, (values, low, high) = unwrap("clip", (x, min, max))
    for native in (values, low, high):
        if type(native) is at.array_type:
            check_ordered("clip", at.dtype_of(native))
    return wrap(at, call("clip", at, values, low, high))


def conj(x: Array, /) -> Array:
    """Return the complex conjugate of each element.

    Parameters
    ----------
    x : Array
        Complex; real numbers stay as they are.

    Returns
    -------
    Array
        The dtype and shape of ``x``.
    """
    if type(x) is Array:
        check_numeric("conj", x.dtype)
    return unary("conj", x)


def copysign(x1: Any, x2: Any, /) -> Array:
    """Return the magnitude of each element of ``x1`` with the sign of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Real; the sign of a negative zero or NaN in ``x2`` counts.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("copysign", x1, x2)


def cos(x: Array, /) -> Array:
    """Return the cosine of each element.

    Parameters
    ----------
    x : Array
        Angles in radians, real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("cos", x)


def cosh(x: Array, /) -> Array:
    """Return the hyperbolic cosine of each element.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("cosh", x)


def divide(x1: Any, x2: Any, /) -> Array:
    """Return the quotient ``x1 / x2`` of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or complex; division by zero gives an infinity or NaN.

    Returns
    -------
    Array
        Floating-point (float64 for integers), of the broadcast shape.
    """
    return binary("divide", x1, x2)


def equal(x1: Any, x2: Any, /) -> Array:
    """Return whether the elements of each pair are equal; NaN equals nothing.

    Parameters
    ----------
    x1, x2 : Array or number
        Any dtypes that promote to a common one.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("equal", x1, x2, False, True)


def exp(x: Array, /) -> Array:
    """Return e to the power of each element.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("exp", x)


def expm1(x: Array, /) -> Array:
    """Return ``exp(x) - 1`` of each element, without loss of digits near zero.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("expm1", x)


def floor(x: Array, /) -> Array:
    """Return the greatest whole number that is not greater than each element.

    Parameters
    ----------
    x : Array
        Real; integers stay as they are.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` is complex.
    """
    return unary("floor", x)


def floor_divide(x1: Any, x2: Any, /) -> Array:
    """Return the greatest whole number that is not greater than ``x1 / x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Real; an integer divided by zero gives 0.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("floor_divide", x1, x2)


def greater(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is greater than that of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Numbers or bools; the order of complex numbers is not defined.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("greater", x1, x2, False, True)


def greater_equal(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is greater than that of ``x2`` or equal to it.

    Parameters
    ----------
    x1, x2 : Array or number
        Numbers or bools; the order of complex numbers is not defined.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("greater_equal", x1, x2, False, True)


def hypot(x1: Any, x2: Any, /) -> Array:
    """Return ``sqrt(x1**2 + x2**2)`` of each pair of elements, without overflow in the squares.

    Parameters
    ----------
    x1, x2 : Array or number
        Real: the legs of right triangles.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("hypot", x1, x2)


def imag(x: Array, /) -> Array:
    """Return the imaginary part of each element.

    Parameters
    ----------
    x : Array
        Complex; of real numbers it is 0.

    Returns
    -------
    Array
        The dtype of the parts (float64 for complex128), with the shape of ``x``.
    """
    return unary("imag", x)


def isfinite(x: Array, /) -> Array:
    """Return whether each element is neither infinite nor NaN.

    Parameters
    ----------
    x : Array
        Any dtype.

    Returns
    -------
    Array
        Bools, with the shape of ``x``.
    """
    return unary("isfinite", x, True)


def isinf(x: Array, /) -> Array:
    """Return whether each element is infinite, positive or negative.

    Parameters
    ----------
    x : Array
        Any dtype; a complex number counts if one of its parts does.

    Returns
    -------
    Array
        Bools, with the shape of ``x``.
    """
    return unary("isinf", x, True)


def isnan(x: Array, /) -> Array:
    """Return whether each element is NaN.

    Parameters
    ----------
    x : Array
        Any dtype; a complex number counts if one of its parts does.

    Returns
    -------
    Array
        Bools, with the shape of ``x``.
    """
    return unary("isnan", x, True)


def less(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is less than that of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Numbers or bools; the order of complex numbers is not defined.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("less", x1, x2, False, True)


def less_equal(x1: Any, x2: Any, /) -> Array:
    """Return whether each element of ``x1`` is less than that of ``x2`` or equal to it.

    Parameters
    ----------
    x1, x2 : Array or number
        Numbers or bools; the order of complex numbers is not defined.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("less_equal", x1, x2, False, True)


def log(x: Array, /) -> Array:
    """Return the natural logarithm of each element.

    Parameters
    ----------
    x : Array
        Real or complex; real 0 gives -inf, a negative real number NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("log", x)


def log10(x: Array, /) -> Array:
    """Return the logarithm to base 10 of each element.

    Parameters
    ----------
    x : Array
        Real or complex; real 0 gives -inf, a negative real number NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("log10", x)


def log1p(x: Array, /) -> Array:
    """Return ``log(1 + x)`` of each element, without loss of digits near zero.

    Parameters
    ----------
    x : Array
        Real or complex; real -1 gives -inf, a real number below gives NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("log1p", x)


def log2(x: Array, /) -> Array:
    """Return the logarithm to base 2 of each element.

    Parameters
    ----------
    x : Array
        Real or complex; real 0 gives -inf, a negative real number NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("log2", x)


def logaddexp(x1: Any, x2: Any, /) -> Array:
    """Return ``log(exp(x1) + exp(x2))`` of each pair, without overflow in the exponentials.

    Parameters
    ----------
    x1, x2 : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("logaddexp", x1, x2)


def logical_and(x1: Any, x2: Any, /) -> Array:
    """Return whether both elements of each pair are true.

    Parameters
    ----------
    x1, x2 : Array or number
        Any dtype; an element counts as true if it is not zero.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("logical_and", x1, x2, False, True)


def logical_not(x: Array, /) -> Array:
    """Return whether each element is false.

    Parameters
    ----------
    x : Array
        Any dtype; an element counts as false if it is zero.

    Returns
    -------
    Array
        Bools, with the shape of ``x``.
    """
    return unary("logical_not", x, True)


def logical_or(x1: Any, x2: Any, /) -> Array:
    """Return whether an element of each pair, or both, are true.

    Parameters
    ----------
    x1, x2 : Array or number
        Any dtype; an element counts as true if it is not zero.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("logical_or", x1, x2, False, True)


def logical_xor(x1: Any, x2: Any, /) -> Array:
    """Return whether exactly one element of each pair is true.

    Parameters
    ----------
    x1, x2 : Array or number
        Any dtype; an element counts as true if it is not zero.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("logical_xor", x1, x2, False, True)


def maximum(x1: Any, x2: Any, /) -> Array:
    """Return the greater element of each pair, NaN if either is NaN.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or bools; the order of complex numbers is not defined.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.
    """
    return binary("maximum", x1, x2)


def minimum(x1: Any, x2: Any, /) -> Array:
    """Return the lesser element of each pair, NaN if either is NaN.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or bools; the order of complex numbers is not defined.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.
    """
    return binary("minimum", x1, x2)


def multiply(x1: Any, x2: Any, /) -> Array:
    """Return the product of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or complex; of bools the product is the logical AND.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.
    """
    return binary("multiply", x1, x2)


def negative(x: Array, /) -> Array:
    """Return each element with its sign changed.

    Parameters
    ----------
    x : Array
        Real or complex; unsigned integers wrap around.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` holds bools.
    """
    return unary("negative", x)


def nextafter(x1: Any, x2: Any, /) -> Array:
    """Return the next representable number after each element of ``x1``, in the direction of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("nextafter", x1, x2)


def not_equal(x1: Any, x2: Any, /) -> Array:
    """Return whether the elements of each pair differ; NaN differs from everything.

    Parameters
    ----------
    x1, x2 : Array or number
        Any dtypes that promote to a common one.

    Returns
    -------
    Array
        Bools, of the broadcast shape.
    """
    return binary("not_equal", x1, x2, False, True)


def positive(x: Array, /) -> Array:
    """Return each element as it is.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` holds bools.
    """
    return unary("positive", x)


def pow(x1: Any, x2: Any, /) -> Array:
    """Return each element of ``x1`` to the power of that of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or complex; a negative real number to a fractional power gives NaN.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    ArgumentError
        For integers to the power of negative integers.
    """
    return binary("pow", x1, x2)


def real(x: Array, /) -> Array:
    """Return the real part of each element.

    Parameters
    ----------
    x : Array
        Complex; real numbers stay as they are.

    Returns
    -------
    Array
        The dtype of the parts (float64 for complex128), with the shape of ``x``.
    """
    return unary("real", x)


def reciprocal(x: Array, /) -> Array:
    """Return ``1 / x`` of each element.

    Parameters
    ----------
    x : Array
        Real or complex; of integers the quotient is truncated, so only 1 and -1 give anything but 0.

    Returns
    -------
    Array
        The dtype and shape of ``x``.
    """
    if type(x) is Array:
        check_numeric("reciprocal", x.dtype)
    return unary("reciprocal", x)


def remainder(x1: Any, x2: Any, /) -> Array:
    """Return the remainder ``x1 - floor(x1 / x2) * x2`` of each pair; it has the sign of ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        Real; an integer divided by zero gives 0, a float NaN.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If an operand is complex.
    """
    return binary("remainder", x1, x2)


def round(x: Array, /) -> Array:
    """Return each element rounded to the nearest whole number, halves to the even one.

    Parameters
    ----------
    x : Array
        Real or complex, whose parts are rounded; integers stay as they are.

    Returns
    -------
    Array
        The dtype and shape of ``x``.
    """
    if type(x) is Array:
        check_numeric("round", x.dtype)
    return unary("round", x)


def sign(x: Array, /) -> Array:
    """Return the sign of each element: -1, 0 or 1; of a complex number ``x / abs(x)``.

    Parameters
    ----------
    x : Array
        Real or complex; NaN gives NaN.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` holds bools.
    """
    return unary("sign", x)


def signbit(x: Array, /) -> Array:
    """Return whether the sign bit of each element is set: also that of -0.0 and of a negative NaN.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Bools, with the shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` is complex.
    """
    return unary("signbit", x, True)


def sin(x: Array, /) -> Array:
    """Return the sine of each element.

    Parameters
    ----------
    x : Array
        Angles in radians, real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("sin", x)


def sinh(x: Array, /) -> Array:
    """Return the hyperbolic sine of each element.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("sinh", x)


def sqrt(x: Array, /) -> Array:
    """Return the principal square root of each element.

    Parameters
    ----------
    x : Array
        Real or complex; a negative real number gives NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("sqrt", x)


def square(x: Array, /) -> Array:
    """Return the product of each element with itself.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        The dtype and shape of ``x``.
    """
    return unary("square", x)


def subtract(x1: Any, x2: Any, /) -> Array:
    """Return the difference ``x1 - x2`` of each pair of elements.

    Parameters
    ----------
    x1, x2 : Array or number
        Real or complex.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    DTypeError
        If both operands hold bools.
    """
    return binary("subtract", x1, x2)


def tan(x: Array, /) -> Array:
    """Return the tangent of each element.

    Parameters
    ----------
    x : Array
        Angles in radians, real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("tan", x)


def tanh(x: Array, /) -> Array:
    """Return the hyperbolic tangent of each element.

    Parameters
    ----------
    x : Array
        Real or complex.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return unary("tanh", x)


def trunc(x: Array, /) -> Array:
    """Return each element without its fractional part: rounded towards zero.

    Parameters
    ----------
    x : Array
        Real; integers stay as they are.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` is complex.
    """
    return unary("trunc", x)
