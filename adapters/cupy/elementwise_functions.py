"""Element-wise functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``.

The class lists all functions, because CuPy has some under NumPy's older names only.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from burn_array.adapter import promote, promote_scalar

from ..common import elementwise_functions as numpy_like
from . import _kernels as kernels

Function = Callable[..., Any]
_BITS: dict[int, np.dtype[Any]] = {2: np.dtype("int16"), 4: np.dtype("int32"), 8: np.dtype("int64")}


def _power(a: Any, b: Any) -> Any:
    """Return ``a ** b``; see ``kernels.complex_power`` for complex numbers."""
    if any(type(x) is complex or _is_complex(x) for x in (a, b)):
        return kernels.complex_power(*kernels.common(a, b))
    return numpy_like.power(cupy, a, b)


def _is_complex(x: Any) -> bool:
    return type(x) is cupy.ndarray and x.dtype.kind == "c"


def _nextafter(a: Any, b: Any) -> Any:
    """Return the next number after ``a`` in the direction of ``b``.

    CuPy compiles with ``-ftz=true``, so float32 numbers below the smallest normal one are 0: after 0 comes 1.2e-38. By
    the standard 1.4e-45 comes next. Here the bits of the numbers are counted up or down, as integers in the same order.

    https://github.com/cupy/cupy/issues/1686, last seen in 14.2.0. Canary: ``nextafter``.
    """
    x, y = cupy.broadcast_arrays(*_as_common_floats(a, b))
    bits = _BITS[x.dtype.itemsize]
    least = -(1 << (8 * bits.itemsize - 1))
    here, there = (_ordered(v.copy(order="C").view(bits), least) for v in (x, y))
    step = here + (there > here).astype(bits) - (there < here).astype(bits)
    moved = _ordered(step, least).view(x.dtype)
    return cupy.where(cupy.isnan(x) | cupy.isnan(y), x + y, cupy.where(here == there, y, moved))


def _ordered(bits: Any, least: int) -> Any:
    """Return the bits of floats as integers in the order of the floats. The function is its own inverse."""
    return cupy.where(bits >= 0, bits, least - bits)


def _as_common_floats(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two operands as real floats of one dtype; integers and Python scalars are converted as in NumPy."""
    if type(a) in numpy_like.SCALARS:
        b, a = _as_common_floats(b, a)
        return a, b
    if type(b) in numpy_like.SCALARS:
        b = cupy.full((), b, dtype=_float_of(promote_scalar(a.dtype, type(b))))
    dtype = promote(_float_of(a.dtype), _float_of(b.dtype))
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def _float_of(dtype: Any) -> Any:
    """Return the floating dtype to which NumPy converts a real dtype in functions of floats."""
    if dtype.kind == "c":
        raise TypeError(f"expected real numbers, not {dtype}")
    return np.result_type(dtype, np.float16)


def _rounded(x: Any) -> Any:
    """Return ``x`` rounded to whole numbers, halves to even ones.

    CuPy's ``rint`` returns floats for integers, and its kernel for complex numbers does not compile. By the standard
    the dtype is kept, and the parts of complex numbers are rounded.

    No upstream issue is known; last seen in 14.2.0. Canary: ``round``.
    """
    if x.dtype.kind == "c":
        return kernels.round_complex(x)
    return cupy.rint(x) if x.dtype.kind in "fb" else x.copy()


def _truth(x: Any) -> Any:
    """Return whether elements differ from 0, for complex arrays; other arrays are returned unchanged."""
    return (x != 0) if _is_complex(x) else x


def _logical(function: Function) -> Any:
    """Return a logical function of two operands of any dtypes.

    CuPy's functions refuse complex numbers, and since 14.1 ``logical_and`` takes a negative int64 beside uint64 for
    false. The standard takes bools only; in NumPy every number but 0 is true.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``logical_and``, ``logical_or`` and ``logical_xor``.
    """
    of_truths = numpy_like.logical(function).__func__

    def logical(a: Any, b: Any) -> Any:
        if getattr(a, "dtype", None) != getattr(b, "dtype", None):
            a, b = (x != 0 if isinstance(x, cupy.ndarray) else x for x in (a, b))
        return of_truths(_truth(a), _truth(b))

    return staticmethod(logical)


def _logical_not(x: Any) -> Any:
    """Return whether elements are 0 or False.

    CuPy refuses complex numbers. The standard takes bools only; NumPy takes complex numbers as well.

    No upstream issue is known; last seen in 14.2.0. Canary: ``logical_not``.
    """
    return cupy.logical_not(_truth(x))


def _sign(x: Any) -> Any:
    """Return the signs of numbers.

    CuPy takes bools, as int8; the standard takes numbers only, and NumPy refuses bools. CuPy divides a complex number
    by its magnitude, so an infinite part becomes NaN; NumPy returns the direction of this part.

    No upstream issue is known; last seen in 14.2.0. Canary: ``sign``.
    """
    if x.dtype.kind == "b":
        raise TypeError("expected numbers, not bool")
    out = cupy.sign(x)
    return out if out.dtype.kind != "c" else numpy_like.sign_of_infinite(cupy, x, out)


def _clip(x: Any, low: Any = None, high: Any = None) -> Any:
    """Return ``x`` limited to a range.

    CuPy ignores a limit that is NaN, and replaces NaN by the upper limit if the limits cross. The standard leaves both
    open; NumPy returns NaN. CuPy's one kernel is called if neither can happen, two functions otherwise.

    https://github.com/cupy/cupy/issues/9031, last seen in 14.2.0. Canary: ``clip``.
    """
    if x.dtype.char in _CLIPPED and _is_limit(low) and _is_limit(high) and low <= high:
        return x.clip(low, high)
    return numpy_like.clip(cupy, x, low, high)


_CLIPPED = frozenset("fd")
"""The characters of dtypes for which CuPy's own ``clip`` is called."""


def _is_limit(limit: Any) -> bool:
    """Return whether a limit is a Python number other than NaN that float32 holds exactly or rounds."""
    kind = type(limit)
    return (kind is float and limit == limit) or (kind is int and -128 <= limit < 128)


def _compares(function: Function, compare: Function) -> Any:
    """Return a comparison that takes every Python integer.

    CuPy refuses an integer of more than 64 bits. The standard leaves this open; NumPy compares with its value.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``equal``, ``greater``, ``greater_equal``, ``less``,
    ``less_equal`` and ``not_equal``.
    """
    return numpy_like.compared(cupy, function, compare)


def _orders(function: Function, compare: Function) -> Any:
    """Return ``_compares(function, compare)`` that refuses complex numbers, see ``numpy_like.ordered``."""
    return numpy_like.ordered_compared(cupy, function, compare)


def _floats(function: Function) -> Any:
    """Return a function of real numbers that takes every Python integer.

    CuPy refuses an integer of more than 64 bits. The standard leaves this open; NumPy converts the integer to the
    floating dtype of the result.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``atan2``, ``copysign``, ``divide``, ``hypot`` and
    ``logaddexp``.
    """
    return numpy_like.as_floats(cupy, function)


def _reals(function: Function) -> Any:
    """Return ``_floats(function)`` with a clear error for complex numbers; CuPy's error does not say what is wrong."""
    compute = _floats(function).__func__

    def of_reals(a: Any, b: Any) -> Any:
        try:
            return compute(a, b)
        except Exception as error:
            if any(type(x) is complex or _is_complex(x) for x in (a, b)):
                raise TypeError("expected real numbers, got complex ones") from error
            raise

    return staticmethod(of_reals)


class ElementwiseFunctions:
    """The page ``elementwise functions`` of the standard."""

    abs = cupy.absolute
    acos = cupy.arccos
    acosh = kernels.complex_unary(kernels.acosh, cupy.arccosh)
    add = cupy.add
    asin = cupy.arcsin
    asinh = cupy.arcsinh
    atan = cupy.arctan
    atan2 = _reals(cupy.arctan2)
    atanh = cupy.arctanh
    bitwise_and = cupy.bitwise_and
    bitwise_invert = cupy.invert
    bitwise_left_shift = kernels.integer_binary(kernels.left_shift, cupy.left_shift)
    bitwise_or = cupy.bitwise_or
    bitwise_right_shift = kernels.integer_binary(kernels.right_shift, cupy.right_shift)
    bitwise_xor = cupy.bitwise_xor
    ceil = cupy.ceil
    clip = staticmethod(_clip)
    conj = cupy.conjugate
    copysign = _reals(cupy.copysign)
    cos = cupy.cos
    cosh = cupy.cosh
    divide = _floats(cupy.divide)
    equal = _compares(cupy.equal, operator.eq)
    exp = cupy.exp
    expm1 = kernels.complex_unary(kernels.expm1, cupy.expm1)
    floor = cupy.floor
    floor_divide = kernels.real_binary(kernels.floor_divide, cupy.floor_divide)
    greater = _orders(cupy.greater, operator.gt)
    greater_equal = _orders(cupy.greater_equal, operator.ge)
    hypot = _reals(cupy.hypot)
    imag = staticmethod(cupy.imag)
    isfinite = cupy.isfinite
    isinf = cupy.isinf
    isnan = cupy.isnan
    less = _orders(cupy.less, operator.lt)
    less_equal = _orders(cupy.less_equal, operator.le)
    log = kernels.complex_unary(kernels.log, cupy.log)
    log1p = kernels.complex_unary(kernels.log1p, cupy.log1p)
    log2 = kernels.complex_unary(kernels.log2, cupy.log2)
    log10 = kernels.complex_unary(kernels.log10, cupy.log10)
    logaddexp = _reals(cupy.logaddexp)
    logical_and = _logical(cupy.logical_and)
    logical_not = staticmethod(_logical_not)
    logical_or = _logical(cupy.logical_or)
    logical_xor = _logical(cupy.logical_xor)
    maximum = staticmethod(numpy_like.ordered(cupy.maximum))
    minimum = staticmethod(numpy_like.ordered(cupy.minimum))
    multiply = cupy.multiply
    negative = cupy.negative
    nextafter = staticmethod(_nextafter)
    not_equal = _compares(cupy.not_equal, operator.ne)
    positive = cupy.positive
    pow = staticmethod(_power)
    real = staticmethod(cupy.real)
    reciprocal = cupy.reciprocal
    remainder = kernels.real_binary(kernels.remainder, cupy.remainder)
    round = staticmethod(_rounded)
    sign = staticmethod(_sign)
    signbit = cupy.signbit
    sin = cupy.sin
    sinh = cupy.sinh
    sqrt = cupy.sqrt
    square = cupy.square
    subtract = cupy.subtract
    tan = kernels.complex_unary(kernels.tan, cupy.tan)
    tanh = kernels.complex_unary(kernels.tanh, cupy.tanh)
    trunc = cupy.trunc
