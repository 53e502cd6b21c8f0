"""Element-wise functions on PyTorch.

The makers of ``promoting`` make most functions of the class body. The functions above it compute what PyTorch refuses
or gets wrong for single dtypes.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import torch

from burn_array.errors import DTypeError

from . import _complex as complex_numbers
from . import _integers as integers
from ._host_values import readable, traced
from .direct import register_direct
from .dtypes import (
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NATIVE_INTS,
    REALS,
    WIDE_UNSIGNED,
    as_signed,
    cast,
    fits,
    promote_arrays,
    to_float32,
    weak_scalar,
)
from .promoting import (
    Function,
    arithmetic,
    bitwise,
    comparison,
    division,
    exact_divisor,
    extremum,
    float_binary,
    float_unary,
    is_limit,
    logical,
    number_unary,
)

# -- what PyTorch refuses or gets wrong for single dtypes --------------------------------------


def _refuse_bool(a: Any, *rest: Any) -> Any:
    raise DTypeError("expected numbers, got bools; use a logical function or astype")


def _subtract(a: Any, b: Any, dtype: torch.dtype) -> Any:
    if dtype in COMPLEX:
        return complex_numbers.subtract(*promote_arrays(a, b)[:2])
    if dtype is torch.bool:
        return _refuse_bool(a)
    return integers.subtract(a, b, dtype)


def _add(a: Any, b: Any, dtype: torch.dtype) -> Any:
    if dtype in COMPLEX:
        return complex_numbers.add(*promote_arrays(a, b)[:2])
    return integers.add(a, b, dtype)


def _is_finite(x: Any) -> bool:
    """Return whether a number, or every element that can be read without waiting, is surely finite.

    A sum reads the elements once and makes no array.
    """
    return math.isfinite(x if type(x) is not torch.Tensor else x.sum().item() if readable(x) else math.nan)


def _floor_divide(a: Any, b: Any) -> torch.Tensor:
    """PyTorch gives NaN for ``inf // 1``, as Python's ``//`` does; the standard takes the floor of the quotient.

    https://github.com/numpy/numpy/issues/23228, last seen in 2.13.0.
    """
    by = b if type(b) is torch.Tensor else exact_divisor(a, b)
    if type(b) is float and abs(b) > 1e38 and math.isinf(b if a.dtype is torch.float64 else to_float32(b)):
        return torch.div(a, by)
    floor: torch.Tensor = torch.floor_divide(a, by)
    if _is_finite(floor) and _is_finite(b):
        return floor
    # NaN where the operands are not finite: ``0 * b`` is NaN for an infinite ``b``.
    marked = floor if type(b) is not torch.Tensor else torch.add(floor, b, alpha=0)
    is_right = marked == marked
    del marked  # its memory is used again for the quotient
    return torch.where(is_right, floor, torch.div(a, by), out=None if traced() else floor)


def _float_remainder(a: Any, b: Any) -> torch.Tensor:
    """PyTorch gives a remainder of zero the sign of ``a``; the standard gives it the sign of ``b``.

    https://github.com/pytorch/pytorch/issues/193755, last seen in 2.13.0.
    """
    rest = torch.remainder(a, b)
    if rest.is_cpu and (not readable(rest) or math.isnan(rest.sum().item())):
        a, b, _ = promote_arrays(a, b)
        rest = torch.where(torch.isnan(rest), _distant_remainder(a, b), rest)
    return rest.copysign_(b)


def _distant_remainder(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """PyTorch's vectorised ``fmod`` on the CPU is NaN where ``a / b`` overflows; the standard asks for the remainder.

    The remainder by ``b`` times a power of two is taken first: its own remainder by ``b`` is the same, and its quotient
    is smaller.

    https://github.com/pytorch/pytorch/issues/193753, last seen in 2.13.0.
    """
    rest, divisor = a.to(torch.float64), b.to(torch.float64)
    for exponent in (1000.0, 500.0, 0.0):
        step = divisor * 2.0**exponent
        rest = torch.where(torch.isfinite(step), torch.fmod(rest, step), rest)
    rest = torch.where((rest != 0) & (torch.signbit(rest) != torch.signbit(divisor)), rest + divisor, rest)
    return torch.where(torch.isfinite(divisor), rest, float("nan")).to(a.dtype)


def _float_pow(a: Any, b: Any) -> torch.Tensor:
    """PyTorch takes the square root for a Python exponent of 0.5 or -0.5, and does not round an exponent to float32.

    So it gives NaN for ``-inf ** 0.5``, a negative zero for ``-0.0 ** 0.5``, and 0 for ``0 ** 1e-50`` in float32. The
    standard gives inf, +0, and rounds the exponent to the dtype of the array, which gives 1.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.pow.html), last seen in 2.13.0.
    """
    if type(b) is float and (b % 0.125 or abs(b) > 2.0**20) and a.dtype is torch.float32:
        b = to_float32(b)
    if type(b) is not float or (b != 0.5 and b != -0.5):
        return torch.pow(a, b)
    root = torch.pow(a, b).abs_()
    if readable(root) and not math.isnan(root.sum().item()):
        return root
    return torch.where(a == -math.inf, math.inf if b > 0 else 0.0, root)


def _pow(a: Any, b: Any, dtype: torch.dtype) -> Any:
    if dtype in COMPLEX:
        if type(b) is float and b.is_integer() and abs(b) < complex_numbers.MAX_WHOLE_EXPONENT:
            return complex_numbers.whole_power(a, int(b))
        return complex_numbers.power(*promote_arrays(a, b)[:2])
    return integers.power(a, b, dtype)


def _sign(x: torch.Tensor) -> torch.Tensor:
    """PyTorch gives 0 for NaN, and refuses complex numbers; the standard gives NaN, and ``x / abs(x)``.

    https://github.com/pytorch/pytorch/issues/41245, last seen in 2.13.0.
    """
    if x.dtype in FLOATS:
        signs = torch.sign(x)
        return signs if _is_finite(x) else torch.where(x != x, x, signs, out=None if traced() else signs)
    if x.dtype in COMPLEX:
        return complex_numbers.sign(x)
    return cast(as_signed(x) != 0, x.dtype) if x.dtype in WIDE_UNSIGNED else _refuse_bool(x)


def _without_early_overflow(result: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """PyTorch's vectorised ``sinh`` and ``cosh`` are infinite from 709.79 on; the values are finite up to 710.47.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.cosh.html), last seen in 2.13.0.
    """
    if not result.is_cpu or (readable(result) and math.isfinite(result.sum().item())):
        return result
    half = torch.exp(torch.abs(x) * 0.5)
    large = torch.copysign(half * 0.5 * half, result)
    return torch.where(torch.isinf(result), large, result)


def _whole(x: torch.Tensor) -> torch.Tensor:
    """PyTorch refuses to round bools down or up; NumPy returns them unchanged.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.floor.html), last seen in 2.13.0.
    """
    return _no_complex(x).clone()


def _no_complex(x: torch.Tensor) -> torch.Tensor:
    if x.dtype in COMPLEX:
        raise DTypeError("expected real numbers, got complex ones; take real(x) or abs(x) first")
    return x


def _signbit(x: torch.Tensor) -> torch.Tensor:
    _no_complex(x)
    return torch.zeros(x.shape, dtype=torch.bool, device=x.device)


def _reciprocal(x: torch.Tensor) -> torch.Tensor:
    """PyTorch gives a real part of -0 for the reciprocal of ``-1j``; NumPy gives +0.

    https://github.com/pytorch/pytorch/issues/52332, last seen in 2.13.0.
    """
    if x.dtype in COMPLEX:
        return complex_numbers.reciprocal(x)
    return integers.reciprocal(x) if x.dtype in INTS else _refuse_bool(x)


def _negative(x: torch.Tensor) -> torch.Tensor:
    """PyTorch's vectorised ``neg`` keeps a complex part of +0; the standard gives -0.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.neg.html), last seen in 2.13.0.
    """
    if x.dtype in COMPLEX:
        return complex_numbers.negative(x)
    return integers.negative(x) if x.dtype in WIDE_UNSIGNED else _refuse_bool(x)


def _square(x: torch.Tensor) -> torch.Tensor:
    x = cast(x, torch.int8) if x.dtype is torch.bool else x
    return integers.multiply(x, x, x.dtype) if x.dtype in WIDE_UNSIGNED else torch.mul(x, x)


def _round(x: torch.Tensor) -> torch.Tensor:
    """PyTorch refuses complex numbers and bools; the standard rounds both parts, NumPy returns bools unchanged.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.round.html), last seen in 2.13.0.
    array_api_compat's function gives NaN for a part beside an infinite one.
    """
    return complex_numbers.by_parts(torch.round)(x) if x.dtype in COMPLEX else x.clone()


def _imag(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(x)


def _of_signed(function: Function) -> Function:
    """Let a predicate take wide unsigned integers."""
    return lambda x: function(as_signed(x))


class ElementwiseFunctions:
    """The page ``elementwise functions`` of the standard."""

    abs = number_unary(torch.abs, REALS | COMPLEX, torch.clone, REALS)
    acos = float_unary(torch.acos, complex_numbers.acos)
    acosh = float_unary(torch.acosh, complex_numbers.acosh)
    add = arithmetic(torch.add, REALS | BOOL, _add)
    asin = float_unary(torch.asin)
    asinh = float_unary(torch.asinh)
    atan = float_unary(torch.atan, complex_numbers.atan)
    atan2 = float_binary(torch.atan2)
    atanh = float_unary(torch.atanh, complex_numbers.atanh)
    bitwise_and = bitwise(torch.bitwise_and, integers.bitwise(torch.bitwise_and))
    bitwise_left_shift = bitwise(torch.bitwise_left_shift, integers.left_shift, NATIVE_INTS)
    bitwise_invert = number_unary(torch.bitwise_not, NATIVE_INTS | BOOL, integers.invert)
    bitwise_or = bitwise(torch.bitwise_or, integers.bitwise(torch.bitwise_or))
    bitwise_right_shift = bitwise(torch.bitwise_right_shift, integers.right_shift, NATIVE_INTS)
    bitwise_xor = bitwise(torch.bitwise_xor, integers.bitwise(torch.bitwise_xor))
    ceil = number_unary(torch.ceil, FLOATS, _whole)
    conj = number_unary(torch.conj_physical, COMPLEX, torch.clone)
    copysign = float_binary(torch.copysign)
    cos = float_unary(torch.cos, complex_numbers.cos)
    cosh = float_unary(lambda x: _without_early_overflow(torch.cosh(x), x), complex_numbers.cosh)
    divide = division(torch.div)
    equal = comparison(torch.eq, torch.eq, operator.eq, REALS | COMPLEX | BOOL)
    exp = float_unary(torch.exp, complex_numbers.exp)
    expm1 = float_unary(torch.expm1, complex_numbers.expm1)
    floor = number_unary(torch.floor, FLOATS, _whole)
    floor_divide = arithmetic(_floor_divide, FLOATS, integers.floor_divide)
    greater = comparison(torch.gt, torch.lt, operator.gt, REALS | BOOL)
    greater_equal = comparison(torch.ge, torch.le, operator.ge, REALS | BOOL)
    hypot = float_binary(torch.hypot)
    imag = number_unary(torch.imag, COMPLEX, _imag, frozenset())
    isfinite = number_unary(torch.isfinite, REALS | COMPLEX | BOOL, _of_signed(torch.isfinite))
    isinf = number_unary(torch.isinf, REALS | COMPLEX | BOOL, _of_signed(torch.isinf))
    isnan = number_unary(torch.isnan, REALS | COMPLEX | BOOL, _of_signed(torch.isnan))
    less = comparison(torch.lt, torch.gt, operator.lt, REALS | BOOL)
    less_equal = comparison(torch.le, torch.ge, operator.le, REALS | BOOL)
    log = float_unary(torch.log)
    log1p = float_unary(torch.log1p, complex_numbers.log1p)
    log2 = float_unary(torch.log2)
    log10 = float_unary(torch.log10)
    logaddexp = float_binary(torch.logaddexp)
    logical_and = logical(torch.logical_and)
    logical_not = number_unary(torch.logical_not, REALS | COMPLEX | BOOL, _of_signed(torch.logical_not))
    logical_or = logical(torch.logical_or)
    logical_xor = logical(torch.logical_xor)
    maximum = extremum(torch.maximum, torch.clamp_min)
    minimum = extremum(torch.minimum, torch.clamp_max)
    multiply = arithmetic(torch.mul, REALS | COMPLEX | BOOL, integers.multiply)
    negative = number_unary(torch.neg, REALS, _negative)
    nextafter = float_binary(torch.nextafter)
    not_equal = comparison(torch.ne, torch.ne, operator.ne, REALS | COMPLEX | BOOL)
    positive = number_unary(torch.clone, REALS | WIDE_UNSIGNED | COMPLEX, _refuse_bool)
    pow = arithmetic(_float_pow, FLOATS, _pow)
    reciprocal = number_unary(torch.reciprocal, FLOATS, _reciprocal)
    remainder = arithmetic(_float_remainder, FLOATS, integers.remainder)
    round = number_unary(torch.round, FLOATS, _round)
    sign = register_direct(number_unary(torch.sign, NATIVE_INTS, _sign), _sign, FLOATS | COMPLEX)
    signbit = number_unary(torch.signbit, REALS, _signbit)
    sin = float_unary(torch.sin, complex_numbers.sin)
    sinh = float_unary(lambda x: _without_early_overflow(torch.sinh(x), x), complex_numbers.sinh)
    square = number_unary(torch.square, REALS, _square)
    sqrt = float_unary(torch.sqrt, complex_numbers.sqrt)
    subtract = arithmetic(torch.sub, REALS, _subtract)
    tan = float_unary(torch.tan, complex_numbers.tan)
    tanh = float_unary(torch.tanh, complex_numbers.tanh)
    trunc = number_unary(torch.trunc, FLOATS, _whole)

    @staticmethod
    def clip(x: torch.Tensor, min: Any = None, max: Any = None) -> torch.Tensor:
        """Return ``x`` limited by NumPy's rules: NaN as element or bound gives NaN.

        PyTorch refuses a Python integer that the dtype cannot hold; here it limits nothing if no element can pass it.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.clamp.html), last seen in 2.13.0.
        """
        if is_limit(min, x.dtype) and is_limit(max, x.dtype):
            try:
                return torch.clamp(x, min, max)
            except RuntimeError:  # a number is beyond the range of the dtype
                return torch.clamp(x, weak_scalar(min, x.dtype), weak_scalar(max, x.dtype))
        if _has_dtype(min, x.dtype) and _has_dtype(max, x.dtype) and x.dtype in REALS:
            return torch.clamp(x, min, max)
        out = x
        if min is not None and not _beyond(out, min, True):
            out = ElementwiseFunctions.maximum(out, min)
        if max is not None and not _beyond(out, max, False):
            out = ElementwiseFunctions.minimum(out, max)
        return x.clone() if out is x else out


def _has_dtype(x: Any, dtype: torch.dtype) -> bool:
    return type(x) is torch.Tensor and x.dtype is dtype


def _beyond(x: torch.Tensor, bound: Any, is_lower: bool) -> bool:
    """Return whether ``bound`` is a Python integer beyond the dtype of ``x``, on the side where it limits nothing."""
    if type(bound) is not int or fits(bound, x.dtype):
        return False
    return (bound < 0) == is_lower
