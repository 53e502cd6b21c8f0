"""Families of element-wise functions on PyTorch.

Each makes the function of a class body: one that tests with one or two identities whether PyTorch's own
function is right for the dtypes at hand, and calls it; everything else happens in the slow paths. It says
also (``register_direct``) for which dtypes nobody has to ask.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from burn_array.errors import DTypeError

from . import _integers as integers
from .direct import register_direct
from .dtypes import (
    BOOL,
    COMPLEX,
    FLOATS,
    FULL_FLOATS,
    INTS,
    NATIVE_INTS,
    REALS,
    SIGNED,
    WIDE_UNSIGNED,
    cast,
    double,
    fits,
    floating,
    nonzero_mask,
    ordered,
    promote_arrays,
    promote_floats,
    promote_pair,
    promoted,
    weak_dtype,
    weak_scalar,
)

Function = Callable[..., Any]

_HOLDS_INT8 = SIGNED | FLOATS
"""Dtypes that hold every integer of eight bits."""
_DIVISORS: dict[tuple[float, torch.dtype, int, int], torch.Tensor] = {}
_MAX_DIVISORS = 256
_stream: Callable[[int], int] = getattr(
    torch._C, "_cuda_getCurrentRawStream", lambda index: torch.cuda.current_stream(index).cuda_stream
)


def float_unary(function: Function, of_complex: Function | None = None) -> Function:
    """Make a function of floats, which takes integers by NumPy's rule."""
    fine = FLOATS if of_complex else FLOATS | COMPLEX

    def unary(x: torch.Tensor) -> Any:
        return function(x) if x.dtype in fine else slow(x)

    def slow(x: torch.Tensor) -> Any:
        if of_complex and x.dtype in COMPLEX:
            return of_complex(x)
        return function(floating(x))

    if of_complex:
        register_direct(unary, of_complex, COMPLEX)
    return register_direct(unary, function, fine)


def number_unary(
    function: Function,
    fine: frozenset[torch.dtype],
    other: Function,
    keeps: frozenset[torch.dtype] | None = None,
) -> Function:
    """Make a function that ``other`` computes for the dtypes that are not ``fine``.

    The result is of the dtype of the operand (of bools, for a test) where that is one which it ``keeps``: by
    default all that are fine.
    """

    def unary(x: torch.Tensor) -> Any:
        return function(x) if x.dtype in fine else other(x)

    return register_direct(unary, function, fine if keeps is None else keeps)


def arithmetic(function: Function, fine: frozenset[torch.dtype], other: Function) -> Function:
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
        a, b, dtype = promote_pair(a, b)
        return function(a, b) if dtype in fine else other(a, b, dtype)

    floats, holding = (
        fine & FULL_FLOATS,
        fine & _HOLDS_INT8,
    )  # PyTorch computes with a float as it is beside halves
    usual = torch.float64 if torch.float64 in fine else torch.int64  # `is` answers sooner than a set

    return register_direct(binary, function, fine)


def exact_divisor(x: torch.Tensor, number: Any) -> Any:
    """Return a Python number such that PyTorch divides floats by it.

    On CUDA it multiplies by the reciprocal, which is another number than the quotient, unless the divisor is a power
    of two. So others are kept there as arrays, each for the stream that it was made on.
    https://docs.pytorch.org/docs/stable/generated/torch.div.html (no issue known), last seen in 2.11.0.
    """
    if not x.is_cuda:
        return number
    mantissa, exponent = math.frexp(number)
    if not 0.5 < abs(mantissa) < 1 and abs(exponent) < 100:  # neither are 0, infinity and NaN
        return number
    key = (number, x.dtype, index := x.get_device(), _stream(index))
    kept = _DIVISORS.get(key)
    if kept is None:
        kept = torch.full((), number, dtype=torch.float64, device=x.device).to(x.dtype)
        if not torch.cuda.is_current_stream_capturing():
            if len(_DIVISORS) >= _MAX_DIVISORS:
                _DIVISORS.clear()
            _DIVISORS[key] = kept
    return kept


def division(function: Function) -> Function:
    """Make the true division; PyTorch divides integers in its own default dtype, float32."""
    fine = FLOATS | COMPLEX

    def divide(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in fine:
            return function(a, b)
        if (type(b) is float and a.dtype in FULL_FLOATS) or (
            type(b) is int and -128 <= b < 128 and a.dtype in FLOATS
        ):
            return function(a, exact_divisor(a, b))
        if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
            a, b = (double(x) if isinstance(x, torch.Tensor) else x for x in (a, b))
        a, b, dtype = promote_pair(a, b)
        if dtype in FLOATS and type(b) is not torch.Tensor:
            b = exact_divisor(a, b)
        return function(a, b) if dtype in fine else function(double(a), double(b))

    return register_direct(divide, function, fine)


def float_binary(function: Function) -> Function:
    """Make a binary function of floats that takes arrays only."""

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in FLOATS:
            return function(a, b)
        if type(a) is complex or type(b) is complex:
            raise DTypeError("expected real numbers, got complex ones")
        a, b = promote_floats(a, b)
        if a.dtype in COMPLEX:
            raise DTypeError("expected real numbers, got complex ones")
        return function(a, b)

    return register_direct(binary, function, FLOATS)


def comparison(
    function: Function, mirrored: Function, python: Function, fine: frozenset[torch.dtype]
) -> Function:
    """Make a comparison; one with a Python integer outside of the dtype is decided, not computed."""

    def compare(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in fine:
            return function(a, b)
        if type(b) is float:
            return function(a, b) if a.dtype in FLOATS else with_scalar(a, b, function, python)
        if type(b) is int and -128 <= b < 128 and a.dtype in _HOLDS_INT8:
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
        if dtype in WIDE_UNSIGNED:
            return compared(*integers.ordered_pair(cast(x, dtype), scalar, dtype))
        return compared(cast(x, dtype), weak_scalar(scalar, dtype))

    def slow(a: torch.Tensor, b: torch.Tensor) -> Any:
        if torch.uint64 in (a.dtype, b.dtype) and a.dtype in INTS and b.dtype in INTS:
            return integers.compare_exactly(function, python, a, b)
        dtype = promoted(a.dtype, b.dtype)
        return function(ordered(cast(a, dtype)), ordered(cast(b, dtype)))

    return register_direct(compare, function, fine)


def bitwise(
    function: Function, other: Function, fine: frozenset[torch.dtype] = NATIVE_INTS | BOOL
) -> Function:
    def of_other(a: Any, b: Any, dtype: torch.dtype) -> Any:
        if dtype not in INTS and dtype is not torch.bool:
            raise DTypeError(f"expected integers or bools, got operands that are {dtype} together")
        return other(a, b, dtype)

    return arithmetic(function, fine, of_other)


def logical(function: Function) -> Function:
    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and a.dtype is torch.bool and b.dtype is torch.bool:
            return function(a, b)
        return function(truth(a, b), truth(b, a))

    def truth(x: Any, other: Any) -> torch.Tensor:
        return (
            nonzero_mask(x) if isinstance(x, torch.Tensor) else torch.full((), bool(x), device=other.device)
        )

    return register_direct(binary, function, BOOL)


def extremum(function: Function, limit: Callable[[torch.Tensor, float], torch.Tensor]) -> Function:
    """Make maximum or minimum; ``limit(a, b)`` is the same for a number, without an array of it."""

    def of_other(a: Any, b: Any, dtype: torch.dtype) -> Any:
        if dtype in COMPLEX:
            raise DTypeError("complex numbers have no order")
        return integers.in_order(function, *promote_arrays(a, b))

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in fine:
            return function(a, b)
        if is_clamp_limit(b) and a.dtype in FULL_FLOATS:
            try:
                return limit(a, b)
            except RuntimeError:  # the number is beyond the dtype
                return limit(a, weak_scalar(b, a.dtype))
        a, b, dtype = promote_arrays(a, b)
        return function(a, b) if dtype in fine else of_other(a, b, dtype)

    fine = REALS | BOOL
    return register_direct(binary, function, fine)


def is_clamp_limit(b: Any) -> bool:
    """Return whether ``b`` is a Python number that PyTorch clamps floats with."""
    return type(b) is float or (type(b) is int and -128 <= b < 128)
