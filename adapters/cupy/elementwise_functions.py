"""Element-wise functions of CuPy, each that is right as it is by its own name.

Unless a line names an issue, none is known upstream
(https://docs.cupy.dev/en/stable/user_guide/difference.html); all were last seen in CuPy 14.2.0.
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
    """CuPy's complex power of 0 is NaN or 0 as ``exp(b * log(0))`` falls; NumPy gives 0 where ``b.real > 0``."""
    if any(type(x) is complex or _is_complex(x) for x in (a, b)):
        return kernels.complex_power(*kernels.common(a, b))
    return numpy_like.power(cupy, a, b)


def _is_complex(x: Any) -> bool:
    return type(x) is cupy.ndarray and x.dtype.kind == "c"


def _nextafter(a: Any, b: Any) -> Any:
    """CuPy compiles with ``-ftz=true``, which takes float32 subnormals for 0, and has no float16 one.

    Here the bits are counted, as integers in the order of the numbers.
    """
    x, y = cupy.broadcast_arrays(*_as_common_floats(a, b))
    bits = _BITS[x.dtype.itemsize]
    least = -(1 << (8 * bits.itemsize - 1))
    here, there = (_ordered(v.copy(order="C").view(bits), least) for v in (x, y))
    step = here + (there > here).astype(bits) - (there < here).astype(bits)
    moved = _ordered(step, least).view(x.dtype)
    return cupy.where(cupy.isnan(x) | cupy.isnan(y), x + y, cupy.where(here == there, y, moved))


def _ordered(bits: Any, least: int) -> Any:
    """Return bits of floats as integers in their order, or back: it is its own inverse."""
    return cupy.where(bits >= 0, bits, least - bits)


def _as_common_floats(a: Any, b: Any) -> tuple[Any, Any]:
    """Return two operands as real floats of one dtype, integers and Python scalars as NumPy converts them."""
    if type(a) in numpy_like.SCALARS:
        b, a = _as_common_floats(b, a)
        return a, b
    if type(b) in numpy_like.SCALARS:
        b = cupy.full((), b, dtype=_float_of(promote_scalar(a.dtype, type(b))))
    dtype = promote(_float_of(a.dtype), _float_of(b.dtype))
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def _float_of(dtype: Any) -> Any:
    if dtype.kind == "c":
        raise TypeError(f"expected real numbers, not {dtype}")
    return np.result_type(dtype, np.float16)


def _rounded(x: Any) -> Any:
    """CuPy has ``rint`` in floats."""
    if x.dtype.kind == "c":
        return kernels.round_complex(x)
    return cupy.rint(x) if x.dtype.kind in "fb" else x.copy()


def _truth(x: Any) -> Any:
    return (x != 0) if _is_complex(x) else x


def _logical(function: Function) -> Any:
    """CuPy's logical functions take no complex numbers, and wrong ones of uint64 beside int64.

    No upstream issue known (https://docs.cupy.dev/en/stable/reference/generated/cupy.logical_and.html), last
    seen in 14.2.0.
    """
    of_truths = numpy_like.logical(function).__func__

    def logical(a: Any, b: Any) -> Any:
        if getattr(a, "dtype", None) != getattr(b, "dtype", None):
            a, b = (x != 0 if isinstance(x, cupy.ndarray) else x for x in (a, b))
        return of_truths(_truth(a), _truth(b))

    return staticmethod(logical)


def _sign(x: Any) -> Any:
    """CuPy has a sign of bools; NumPy does not, and the standard wants numbers. Complex infinities are NumPy's."""
    if x.dtype.kind == "b":
        raise TypeError("expected numbers, not bool")
    out = cupy.sign(x)
    return out if out.dtype.kind != "c" else numpy_like.sign_of_infinite(cupy, x, out)


def _clip(x: Any, low: Any = None, high: Any = None) -> Any:
    """CuPy's own, one kernel, is right for numbers in order, of the kind of ``x``, not NaN; others go one by one.

    Of limits that cross it makes the upper one of NaN, too.
    """
    if x.dtype.char in _CLIPPED and _is_limit(low) and _is_limit(high) and low <= high:
        return x.clip(low, high)
    return numpy_like.clip(cupy, x, low, high)


_CLIPPED = frozenset("fd")


def _is_limit(limit: Any) -> bool:
    kind = type(limit)
    return (kind is float and limit == limit) or (kind is int and -128 <= limit < 128)


def _compares(function: Function, compare: Function) -> Any:
    return numpy_like.compared(cupy, function, compare)


def _orders(function: Function, compare: Function) -> Any:
    """Do what ``_compares`` does, for a comparison that complex numbers do not have."""
    return numpy_like.ordered_compared(cupy, function, compare)


def _floats(function: Function) -> Any:
    return numpy_like.as_floats(cupy, function)


def _reals(function: Function) -> Any:
    """Apply a function of real numbers; what CuPy raises of complex ones does not say why."""
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
    logical_not = staticmethod(lambda x: cupy.logical_not(_truth(x)))
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
