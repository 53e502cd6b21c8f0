"""Integer arithmetic that PyTorch lacks: wide unsigned dtypes, and NumPy's division by zero, powers and shifts.

``a`` and ``b`` are operands in their common ``dtype``. At least one is an array, the other may be a Python scalar.
Functions of integers raise ``DTypeError`` for other kinds of dtype. See ``dtypes`` for what PyTorch lacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from burn_array.errors import ArgumentError, DTypeError

from ._host_values import readable
from .dtypes import (
    BOOL,
    INTS,
    NATIVE_INTS,
    SIGNED,
    UNSIGNED,
    WIDE_UNSIGNED,
    as_signed,
    cast,
    from_int64,
    from_ordered,
    from_signed,
    ordered,
    promote_arrays,
    signed_scalar,
    to_int64,
)

Function = Callable[..., Any]
_MAX = 2**63 - 1
"""The largest int64, which is also all bits but the sign."""


def _modulo(function: Function) -> Function:
    """Make a binary function of wide unsigned integers from one that is right for signed integers modulo 2**width."""

    def binary(a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
        if dtype not in WIDE_UNSIGNED:
            raise DTypeError(f"expected integers, got {dtype}")
        a, b = (as_signed(x) if isinstance(x, torch.Tensor) else signed_scalar(x, dtype) for x in (a, b))
        return from_signed(function(a, b), dtype)

    return binary


add = _modulo(torch.add)
subtract = _modulo(torch.sub)
multiply = _modulo(torch.mul)
bitwise = _modulo


def negative(x: torch.Tensor) -> torch.Tensor:
    """Return ``-x`` modulo 2**width."""
    return from_signed(torch.neg(as_signed(x)), x.dtype)


def invert(x: torch.Tensor) -> torch.Tensor:
    """Return wide unsigned integers with their bits inverted."""
    if x.dtype not in WIDE_UNSIGNED:
        raise DTypeError(f"expected integers or bools, got {x.dtype}")
    return from_signed(torch.bitwise_not(as_signed(x)), x.dtype)


def reciprocal(x: torch.Tensor) -> torch.Tensor:
    """Return ``1 / x`` truncated to an integer, as NumPy does."""
    whole = to_int64(x)
    size = whole if x.dtype is torch.uint64 else torch.abs(whole)
    return from_int64(torch.where(size == 1, whole, 0), x.dtype)


# -- order ------------------------------------------------------------------------------------


def ordered_pair(x: torch.Tensor, scalar: int, dtype: torch.dtype) -> tuple[torch.Tensor, int]:
    """Return wide unsigned integers and a scalar of their dtype as ``ordered`` does, so that PyTorch compares them."""
    return ordered(x), int(scalar) - 2**63 if dtype is torch.uint64 else int(scalar)


def in_order(function: Function, a: torch.Tensor, b: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return ``function(a, b)`` for a function that returns its smaller or its larger operand."""
    return from_ordered(function(ordered(a), ordered(b)), dtype)


def compare_exactly(function: Function, python: Function, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the exact comparison of two arrays of integers, at least one of them uint64.

    Promotion would convert uint64 and a signed dtype to float64, which does not hold them all. A negative number is
    less than every uint64; ``python``, the comparison of Python numbers, tells what that means here.
    """
    if a.dtype in UNSIGNED and b.dtype in UNSIGNED:
        return function(ordered(cast(a, torch.uint64)), ordered(cast(b, torch.uint64)))
    if a.dtype is torch.uint64:
        below = to_int64(b) < 0
        answer = python(1, 0)
    else:
        below = to_int64(a) < 0
        answer = python(0, 1)
    compared = function(ordered(cast(a, torch.uint64)), ordered(cast(b, torch.uint64)))
    return torch.where(below, answer, compared)


# -- division ---------------------------------------------------------------------------------


def floor_divide(a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
    """PyTorch raises for an integer divisor 0 on the CPU, and gives any number on CUDA; NumPy gives 0.

    https://github.com/pytorch/pytorch/issues/89418, last seen in 2.13.0.
    """
    return _divide(torch.floor_divide, a, b, dtype)


def remainder(a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
    """PyTorch raises for an integer divisor 0 on the CPU, and gives any number on CUDA; NumPy gives 0.

    https://github.com/pytorch/pytorch/issues/89418, last seen in 2.13.0.
    """
    return _divide(torch.remainder, a, b, dtype)


def _divide(function: Function, a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
    """Return ``function(a, b)``, which is ``floor_divide`` or ``remainder`` of PyTorch, and 0 where ``b`` is 0."""
    if type(b) is int and b and dtype in NATIVE_INTS:
        return function(a, b)
    a, b, dtype = _integral(*promote_arrays(a, b))
    if dtype is torch.uint64:
        return _unsigned_divide(a.view(torch.int64), b.view(torch.int64))[function is torch.remainder].view(
            dtype
        )
    if dtype in WIDE_UNSIGNED:
        return _divide(function, to_int64(a), to_int64(b), torch.int64).to(dtype)
    if readable(a) and readable(b):
        try:
            return function(a, b)
        except RuntimeError:  # a divisor is 0, or the shapes do not fit
            pass
    is_zero = b == 0
    return function(a, torch.where(is_zero, 1, b)).masked_fill_(is_zero, 0)


def _integral(
    a: torch.Tensor, b: torch.Tensor, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor, torch.dtype]:
    """Return the operands as integers, bools as int8.

    Raises
    ------
    DTypeError
        for complex numbers, which have no remainder
    """
    if dtype is torch.bool:
        return a.to(torch.int8), b.to(torch.int8), torch.int8
    if dtype not in INTS:
        raise DTypeError(f"expected real numbers, got {dtype}")
    return a, b, dtype


def _unsigned_divide(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return quotient and remainder of uint64 numbers, given and returned as the int64 with the same bits.

    Both are 0 for ``b`` = 0.

    For ``b`` < 2**63 half of ``a`` is divided, the quotient doubled, and corrected by at most one. For a larger ``b``
    the quotient is 0 or 1.
    """
    divisor = torch.where(b > 0, b, 1)
    half = torch.bitwise_and(a >> 1, _MAX)
    quotient = torch.div(half, divisor, rounding_mode="trunc") << 1
    rest = a - quotient * divisor
    quotient = quotient + _unsigned_at_least(rest, divisor)
    quotient = torch.where(b > 0, quotient, torch.where(b == 0, 0, _unsigned_at_least(a, b).to(torch.int64)))
    return quotient, torch.where(b == 0, 0, a - quotient * b)


def _unsigned_at_least(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return ``a >= b`` for uint64 numbers that are given as int64 with the same bits."""
    return (a ^ -(2**63)) >= (b ^ -(2**63))


# -- powers and shifts ------------------------------------------------------------------------


def power(a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
    """PyTorch gives 0 for an integer to a negative power; NumPy refuses it.

    https://github.com/pytorch/pytorch/issues/121926, last seen in 2.13.0.

    Raises
    ------
    ArgumentError
        for a negative exponent
    """
    if dtype is torch.bool:
        a, b, dtype = (*_as_int8(a, b), torch.int8)
    _check_exponent(b, dtype)
    if dtype in NATIVE_INTS:
        return torch.pow(a, b)
    exponent = promote_arrays(a, b)[1] if not isinstance(b, torch.Tensor) and b >= 2**62 else b
    exponent = to_int64(exponent)
    if dtype is torch.uint64 and isinstance(exponent, torch.Tensor):
        exponent = _reduced(exponent)
    return from_int64(torch.pow(to_int64(a), exponent), dtype)


def _check_exponent(b: Any, dtype: torch.dtype) -> None:
    if isinstance(b, torch.Tensor):
        negative = b.dtype in SIGNED and readable(b) and bool((b < 0).any())
    else:
        negative = b < 0
    if negative:
        raise ArgumentError("pow: integers to negative integer powers are not allowed; use a float dtype")


def _reduced(exponent: torch.Tensor) -> torch.Tensor:
    """Return exponents below 2**63 that give the same powers modulo 2**64.

    The powers of an odd number repeat after a divisor of 2**62 steps, and those of an even number are 0 from 64 on.
    """
    large = (exponent < 0) | (exponent >= 2**62)
    return torch.where(large, (exponent & (2**62 - 1)) | 2**62, exponent)


def left_shift(a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
    """Return wide unsigned integers, or bools as int8, shifted to the left; 0 for a shift by the width or more."""
    if dtype in BOOL:
        return torch.bitwise_left_shift(*_as_int8(a, b))
    a, b, _ = promote_arrays(a, b)
    return from_int64(torch.bitwise_left_shift(to_int64(a), _count(b)), dtype)


def right_shift(a: Any, b: Any, dtype: torch.dtype) -> torch.Tensor:
    """Return wide unsigned integers, or bools as int8, shifted to the right."""
    if dtype in BOOL:
        return torch.bitwise_right_shift(*_as_int8(a, b))
    a, b, _ = promote_arrays(a, b)
    whole, count = to_int64(a), _count(b)
    half = torch.bitwise_and(whole >> 1, _MAX)
    return from_int64(torch.where(count == 0, whole, half >> torch.clamp(count - 1, min=0)), dtype)


def _as_int8(a: Any, b: Any) -> list[torch.Tensor]:
    return [x.to(torch.int8) for x in promote_arrays(a, b)[:2]]


def _count(b: torch.Tensor) -> torch.Tensor:
    """Return shift counts as int64, those above 64 as 64."""
    count = to_int64(b)
    return torch.where((count < 0) | (count > 64), 64, count)
