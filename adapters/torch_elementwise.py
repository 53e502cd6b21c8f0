"""Element-wise functions on PyTorch.

A function of the class body tests with one or two identities whether PyTorch's own function is right for the
dtypes at hand, and calls it; everything else happens in the slow paths. Where PyTorch's function is right for
every dtype it is named directly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch

from burn_array.adapters import torch_complex as complex_numbers
from burn_array.adapters import torch_integers as integers
from burn_array.adapters.torch_division import distant_remainder, divisor
from burn_array.adapters.torch_dtypes import (
    BOOL,
    COMPLEX,
    FLOATS,
    FULL,
    INTS,
    NATIVE_INTS,
    REALS,
    SIGNED,
    WIDE,
    arrays,
    bits,
    cast,
    double,
    fits,
    float_arrays,
    floating,
    in_single,
    match,
    nonzero_mask,
    ordered,
    promoted,
    weak,
    weak_dtype,
)
from burn_array.errors import DTypeError

Function = Callable[..., Any]

_HOLDING = SIGNED | FLOATS
"""Dtypes that hold every integer of eight bits."""


# -- families ---------------------------------------------------------------------------------


def _float_unary(function: Function, of_complex: Function | None = None) -> Function:
    """Make a function of floats, which takes integers by NumPy's rule."""
    fine = FLOATS if of_complex else FLOATS | COMPLEX

    def unary(x: torch.Tensor) -> Any:
        return function(x) if x.dtype in fine else slow(x)

    def slow(x: torch.Tensor) -> Any:
        if of_complex and x.dtype in COMPLEX:
            return of_complex(x)
        return function(floating(x))

    return unary


def _number_unary(function: Function, fine: frozenset[torch.dtype], other: Function) -> Function:
    """Make a function that ``other`` computes for the dtypes that are not ``fine``."""

    def unary(x: torch.Tensor) -> Any:
        return function(x) if x.dtype in fine else other(x)

    return unary


def _arithmetic(function: Function, fine: frozenset[torch.dtype], other: Function) -> Function:
    """Make a binary function; ``other(a, b, dtype)`` computes it for common dtypes that are not ``fine``."""

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and (dtype is usual or dtype in fine):
            return function(a, b)
        if type(b) is float:
            return function(a, b) if a.dtype in floats else slow(a, b)
        if type(b) is int and -128 <= b < 128 and a.dtype in holding:
            return function(a, b)
        if type(a) is float and b.dtype in floats:
            return function(a, b)
        return slow(a, b)

    def slow(a: Any, b: Any) -> Any:
        a, b, dtype = match(a, b)
        return function(a, b) if dtype in fine else other(a, b, dtype)

    floats, holding = fine & FULL, fine & _HOLDING  # PyTorch computes with a float as it is beside halves
    usual = torch.float64 if torch.float64 in fine else torch.int64  # `is` answers sooner than a set

    return binary


def _division(function: Function) -> Function:
    """Make the true division; PyTorch divides integers in its own default dtype, float32."""
    fine = FLOATS | COMPLEX

    def divide(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in fine:
            return function(a, b)
        if (type(b) is float and a.dtype in FULL) or (type(b) is int and -128 <= b < 128 and a.dtype in FLOATS):
            return function(a, divisor(a, b))
        if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
            a, b = (double(x) if isinstance(x, torch.Tensor) else x for x in (a, b))
        a, b, dtype = match(a, b)
        if dtype in FLOATS and type(b) is not torch.Tensor:
            b = divisor(a, b)
        return function(a, b) if dtype in fine else function(double(a), double(b))

    return divide


def _float_binary(function: Function) -> Function:
    """Make a binary function of floats that takes arrays only."""

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in FLOATS:
            return function(a, b)
        if type(a) is complex or type(b) is complex:
            raise DTypeError("expected real numbers, got complex ones")
        a, b = float_arrays(a, b)
        if a.dtype in COMPLEX:
            raise DTypeError("expected real numbers, got complex ones")
        return function(a, b)

    return binary


def _comparison(
    function: Function, mirrored: Function, python: Function, fine: frozenset[torch.dtype]
) -> Function:
    """Make a comparison; one with a Python integer outside of the dtype is decided, not computed."""

    def compare(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in fine:
            return function(a, b)
        if type(b) is float:
            return function(a, b) if a.dtype in FLOATS else with_scalar(a, b, function, python)
        if type(b) is int and -128 <= b < 128 and a.dtype in _HOLDING:
            return function(a, b)
        if not isinstance(b, torch.Tensor):
            return with_scalar(a, b, function, python)
        if not isinstance(a, torch.Tensor):
            return with_scalar(b, a, mirrored, lambda x, y: python(y, x))
        return slow(a, b)

    def with_scalar(x: torch.Tensor, scalar: Any, compared: Function, decide: Function) -> Any:
        dtype = weak_dtype(x, scalar)
        if type(scalar) is int and not fits(scalar, dtype):
            return torch.full(x.shape, decide(0, scalar), dtype=torch.bool, device=x.device)
        if dtype in WIDE:
            return compared(*integers.ordered_pair(cast(x, dtype), scalar, dtype))
        return compared(cast(x, dtype), weak(scalar, dtype))

    def slow(a: torch.Tensor, b: torch.Tensor) -> Any:
        if torch.uint64 in (a.dtype, b.dtype) and a.dtype in INTS and b.dtype in INTS:
            return integers.compare_exactly(function, python, a, b)
        dtype = promoted(a.dtype, b.dtype)
        return function(ordered(cast(a, dtype)), ordered(cast(b, dtype)))

    return compare


def _bitwise(
    function: Function, other: Function, fine: frozenset[torch.dtype] = NATIVE_INTS | BOOL
) -> Function:
    def of_other(a: Any, b: Any, dtype: torch.dtype) -> Any:
        if dtype not in INTS and dtype is not torch.bool:
            raise DTypeError(f"expected integers or bools, got operands that are {dtype} together")
        return other(a, b, dtype)

    return _arithmetic(function, fine, of_other)


def _logical(function: Function) -> Function:
    def logical(a: Any, b: Any) -> Any:
        if type(a) is type(b) and a.dtype is torch.bool and b.dtype is torch.bool:
            return function(a, b)
        return function(truth(a, b), truth(b, a))

    def truth(x: Any, other: Any) -> torch.Tensor:
        return (
            nonzero_mask(x) if isinstance(x, torch.Tensor) else torch.full((), bool(x), device=other.device)
        )

    return logical


def _extremum(function: Function, limit: Callable[[torch.Tensor, float], torch.Tensor]) -> Function:
    """Make maximum or minimum; ``limit(a, b)`` is the same for a number, without an array of it."""

    def of_other(a: Any, b: Any, dtype: torch.dtype) -> Any:
        if dtype in COMPLEX:
            raise DTypeError("complex numbers have no order")
        return integers.in_order(function, *arrays(a, b))

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in fine:
            return function(a, b)
        if is_limit(b) and a.dtype in FULL:
            try:
                return limit(a, b)
            except RuntimeError:  # the number is beyond the dtype
                return limit(a, weak(b, a.dtype))
        a, b, dtype = arrays(a, b)
        return function(a, b) if dtype in fine else of_other(a, b, dtype)

    fine = REALS | BOOL
    return binary


def is_limit(b: Any) -> bool:
    """Return whether ``b`` is a Python number that PyTorch clamps floats with."""
    return type(b) is float or (type(b) is int and -128 <= b < 128)


# -- what PyTorch lacks for single dtypes -----------------------------------------------------


def _refuse_bool(a: Any, *rest: Any) -> Any:
    raise DTypeError("expected numbers, got bools; use a logical function or astype")


def _subtract(a: Any, b: Any, dtype: torch.dtype) -> Any:
    if dtype in COMPLEX:
        return complex_numbers.subtract(*arrays(a, b)[:2])
    if dtype is torch.bool:
        return _refuse_bool(a)
    return integers.subtract(a, b, dtype)


def _add(a: Any, b: Any, dtype: torch.dtype) -> Any:
    if dtype in COMPLEX:
        return complex_numbers.add(*arrays(a, b)[:2])
    return integers.add(a, b, dtype)


def _remainder(a: Any, b: Any, dtype: torch.dtype) -> Any:
    return integers.remainder(*arrays(a, b))


def _floor_divide(a: Any, b: Any) -> torch.Tensor:
    """PyTorch follows Python's ``//`` at infinities; the standard takes the floor of the quotient.

    Of an infinity PyTorch makes NaN; ``0 * b`` is NaN where ``b`` is infinite.
    """
    by = b if type(b) is torch.Tensor else divisor(a, b)
    quotient = torch.div(a, by)
    if type(b) is float and abs(b) > 1e38 and math.isinf(b if a.dtype is torch.float64 else in_single(b)):
        return quotient
    floor: torch.Tensor = torch.floor_divide(a, by)
    mended = floor if type(b) is not torch.Tensor else torch.add(floor, b, alpha=0)
    return torch.where(mended == mended, floor, quotient)


def _float_remainder(a: Any, b: Any) -> torch.Tensor:
    """Python's ``%``, of the sign of ``b``; PyTorch gives a zero the sign of ``a``."""
    rest = torch.remainder(a, b)
    if rest.is_cpu and math.isnan(rest.sum().item()):
        a, b, _ = arrays(a, b)
        rest = torch.where(torch.isnan(rest), distant_remainder(a, b), rest)
    return torch.copysign(rest, b)


def _float_pow(a: Any, b: Any) -> torch.Tensor:
    """PyTorch takes a root for the exponents 0.5 and -0.5: NaN of -inf, and of -0 what is negative.

    It does not round a number that is the exponent to single precision: ``0 ** 1e-50`` is 0, not 1.
    """
    if type(b) is float and (b % 0.125 or abs(b) > 2.0**20) and a.dtype is torch.float32:
        b = in_single(b)
    if type(b) is not float or (b != 0.5 and b != -0.5):
        return torch.pow(a, b)
    root = torch.abs(torch.pow(a, b))
    if root.is_cpu and not math.isnan(root.sum().item()):
        return root
    return torch.where(a == -math.inf, math.inf if b > 0 else 0.0, root)


def _pow(a: Any, b: Any, dtype: torch.dtype) -> Any:
    if dtype in COMPLEX:
        if type(b) is float and b.is_integer() and abs(b) < complex_numbers.MANY:
            return complex_numbers.whole_power(a, int(b))
        return complex_numbers.power(*arrays(a, b)[:2])
    return integers.power(a, b, dtype)


def _sign(x: torch.Tensor) -> torch.Tensor:
    if x.dtype in FLOATS:
        return torch.where(x != x, x, torch.sign(x))
    if x.dtype in COMPLEX:
        return complex_numbers.sign(x)
    return cast(bits(x) != 0, x.dtype) if x.dtype in WIDE else _refuse_bool(x)


def _without_early_overflow(result: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Give sinh and cosh the last stretch before exp overflows, where the vectorised ones are infinite."""
    if not result.is_cpu or math.isfinite(result.sum().item()):
        return result
    half = torch.exp(torch.abs(x) * 0.5)
    large = torch.copysign(half * 0.5 * half, result)
    return torch.where(torch.isinf(result), large, result)


def _whole(x: torch.Tensor) -> torch.Tensor:
    return _no_complex(x).clone()


def _no_complex(x: torch.Tensor) -> torch.Tensor:
    if x.dtype in COMPLEX:
        raise DTypeError("expected real numbers, got complex ones; take real(x) or abs(x) first")
    return x


def _signbit(x: torch.Tensor) -> torch.Tensor:
    _no_complex(x)
    return torch.zeros(x.shape, dtype=torch.bool, device=x.device)


def _reciprocal(x: torch.Tensor) -> torch.Tensor:
    if x.dtype in COMPLEX:
        return complex_numbers.reciprocal(x)
    return integers.reciprocal(x) if x.dtype in INTS else _refuse_bool(x)


def _negative(x: torch.Tensor) -> torch.Tensor:
    if x.dtype in COMPLEX:
        return complex_numbers.negative(x)
    return integers.negative(x) if x.dtype in WIDE else _refuse_bool(x)


def _square(x: torch.Tensor) -> torch.Tensor:
    x = cast(x, torch.int8) if x.dtype is torch.bool else x
    return integers.multiply(x, x, x.dtype) if x.dtype in WIDE else torch.mul(x, x)


def _round(x: torch.Tensor) -> torch.Tensor:
    return complex_numbers.by_parts(torch.round)(x) if x.dtype in COMPLEX else x.clone()


def _imag(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros_like(x)


def _as_numbers(function: Function) -> Function:
    return lambda x: function(bits(x))


class ElementwiseFunctions:
    """The page ``elementwise functions`` of the standard."""

    abs = _number_unary(torch.abs, REALS | COMPLEX, torch.clone)
    acos = _float_unary(torch.acos, complex_numbers.acos)
    acosh = _float_unary(torch.acosh, complex_numbers.acosh)
    add = _arithmetic(torch.add, REALS | BOOL, _add)
    asin = _float_unary(torch.asin)
    asinh = _float_unary(torch.asinh)
    atan = _float_unary(torch.atan, complex_numbers.atan)
    atan2 = _float_binary(torch.atan2)
    atanh = _float_unary(torch.atanh, complex_numbers.atanh)
    bitwise_and = _bitwise(torch.bitwise_and, integers.bitwise(torch.bitwise_and))
    bitwise_left_shift = _bitwise(torch.bitwise_left_shift, integers.left_shift, NATIVE_INTS)
    bitwise_invert = _number_unary(torch.bitwise_not, NATIVE_INTS | BOOL, integers.invert)
    bitwise_or = _bitwise(torch.bitwise_or, integers.bitwise(torch.bitwise_or))
    bitwise_right_shift = _bitwise(torch.bitwise_right_shift, integers.right_shift, NATIVE_INTS)
    bitwise_xor = _bitwise(torch.bitwise_xor, integers.bitwise(torch.bitwise_xor))
    ceil = _number_unary(torch.ceil, FLOATS, _whole)
    conj = _number_unary(torch.conj_physical, COMPLEX, torch.clone)
    copysign = _float_binary(torch.copysign)
    cos = _float_unary(torch.cos, complex_numbers.cos)
    cosh = _float_unary(lambda x: _without_early_overflow(torch.cosh(x), x), complex_numbers.cosh)
    divide = _division(torch.div)
    equal = _comparison(torch.eq, torch.eq, operator.eq, REALS | COMPLEX | BOOL)
    exp = _float_unary(torch.exp, complex_numbers.exp)
    expm1 = _float_unary(torch.expm1, complex_numbers.expm1)
    floor = _number_unary(torch.floor, FLOATS, _whole)
    floor_divide = _arithmetic(_floor_divide, FLOATS, integers.floor_divide)
    greater = _comparison(torch.gt, torch.lt, operator.gt, REALS | BOOL)
    greater_equal = _comparison(torch.ge, torch.le, operator.ge, REALS | BOOL)
    hypot = _float_binary(torch.hypot)
    imag = _number_unary(torch.imag, COMPLEX, _imag)
    isfinite = _number_unary(torch.isfinite, REALS | COMPLEX | BOOL, _as_numbers(torch.isfinite))
    isinf = _number_unary(torch.isinf, REALS | COMPLEX | BOOL, _as_numbers(torch.isinf))
    isnan = _number_unary(torch.isnan, REALS | COMPLEX | BOOL, _as_numbers(torch.isnan))
    less = _comparison(torch.lt, torch.gt, operator.lt, REALS | BOOL)
    less_equal = _comparison(torch.le, torch.ge, operator.le, REALS | BOOL)
    log = _float_unary(torch.log)
    log1p = _float_unary(torch.log1p, complex_numbers.log1p)
    log2 = _float_unary(torch.log2)
    log10 = _float_unary(torch.log10)
    logaddexp = _float_binary(torch.logaddexp)
    logical_and = _logical(torch.logical_and)
    logical_not = _number_unary(torch.logical_not, REALS | COMPLEX | BOOL, _as_numbers(torch.logical_not))
    logical_or = _logical(torch.logical_or)
    logical_xor = _logical(torch.logical_xor)
    maximum = _extremum(torch.maximum, torch.clamp_min)
    minimum = _extremum(torch.minimum, torch.clamp_max)
    multiply = _arithmetic(torch.mul, REALS | COMPLEX | BOOL, integers.multiply)
    negative = _number_unary(torch.neg, REALS, _negative)
    nextafter = _float_binary(torch.nextafter)
    not_equal = _comparison(torch.ne, torch.ne, operator.ne, REALS | COMPLEX | BOOL)
    positive = _number_unary(torch.clone, REALS | WIDE | COMPLEX, _refuse_bool)
    pow = _arithmetic(_float_pow, FLOATS, _pow)
    real = staticmethod(torch.real)
    reciprocal = _number_unary(torch.reciprocal, FLOATS, _reciprocal)
    remainder = _arithmetic(_float_remainder, FLOATS, _remainder)
    round = _number_unary(torch.round, FLOATS, _round)
    sign = _number_unary(torch.sign, NATIVE_INTS, _sign)
    signbit = _number_unary(torch.signbit, REALS, _signbit)
    sin = _float_unary(torch.sin, complex_numbers.sin)
    sinh = _float_unary(lambda x: _without_early_overflow(torch.sinh(x), x), complex_numbers.sinh)
    square = _number_unary(torch.square, REALS, _square)
    sqrt = _float_unary(torch.sqrt, complex_numbers.sqrt)
    subtract = _arithmetic(torch.sub, REALS, _subtract)
    tan = _float_unary(torch.tan, complex_numbers.tan)
    tanh = _float_unary(torch.tanh, complex_numbers.tanh)
    trunc = _number_unary(torch.trunc, FLOATS, _whole)

    @staticmethod
    def clip(x: torch.Tensor, min: Any = None, max: Any = None) -> torch.Tensor:
        """Clamp by NumPy's rules: NaN anywhere gives NaN, an integer bound outside of the dtype is none."""
        if x.dtype in FULL and is_limit(min) and is_limit(max):
            try:
                return torch.clamp(x, min, max)
            except RuntimeError:  # a number is beyond the dtype
                return torch.clamp(x, weak(min, x.dtype), weak(max, x.dtype))
        out = x
        if min is not None and not _beyond(out, min, True):
            out = ElementwiseFunctions.maximum(out, min)
        if max is not None and not _beyond(out, max, False):
            out = ElementwiseFunctions.minimum(out, max)
        return x.clone() if out is x else out


def _beyond(x: torch.Tensor, bound: Any, is_lower: bool) -> bool:
    """Return whether ``bound`` is a Python integer that no element of the dtype of ``x`` passes."""
    if type(bound) is not int or fits(bound, x.dtype):
        return False
    return (bound < 0) == is_lower
