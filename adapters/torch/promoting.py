"""Makers of element-wise functions that promote their operands by NumPy's rules.

Each maker wraps a function of PyTorch. The result first checks, with as few comparisons as possible, whether PyTorch's
function gives the right answer for the dtypes at hand, and calls it; a nested function ``slow`` does everything else.
The makers also register (``register_direct``) for which dtypes PyTorch's function can be called without that check.
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
"""Dtypes that can hold every integer from -128 to 127."""
_EXACT = 2**24
"""The largest integer up to which all are exact in float32."""
_DIVISORS: dict[tuple[float, torch.dtype, int, int], torch.Tensor] = {}
"""Cache of ``exact_divisor``, by number, dtype, index of the GPU and stream."""
_MAX_DIVISORS = 256
_stream: Callable[[int], int] = getattr(
    torch._C, "_cuda_getCurrentRawStream", lambda index: torch.cuda.current_stream(index).cuda_stream
)


def float_unary(function: Function, complex_function: Function | None = None) -> Function:
    """Make a unary function of floats, which converts integers and bools to floats as NumPy does.

    ``complex_function`` computes it for complex numbers, if ``function`` gives wrong values for them.
    """
    supported = FLOATS if complex_function else FLOATS | COMPLEX

    def unary(x: torch.Tensor) -> Any:
        return function(x) if x.dtype in supported else slow(x)

    def slow(x: torch.Tensor) -> Any:
        if complex_function and x.dtype in COMPLEX:
            return complex_function(x)
        return function(floating(x))

    if complex_function:
        register_direct(unary, complex_function, COMPLEX)
    return register_direct(unary, function, supported)


def number_unary(
    function: Function,
    supported: frozenset[torch.dtype],
    fallback: Function,
    keeps: frozenset[torch.dtype] | None = None,
) -> Function:
    """Make a unary function: ``function`` for the dtypes ``supported``, ``fallback`` for all others.

    For the dtypes in ``keeps`` (all supported ones unless given) the result has the dtype of the operand, or bool for a
    predicate.
    """

    def unary(x: torch.Tensor) -> Any:
        return function(x) if x.dtype in supported else fallback(x)

    return register_direct(unary, function, supported if keeps is None else keeps)


def arithmetic(function: Function, supported: frozenset[torch.dtype], fallback: Function) -> Function:
    """Make a binary function: ``function(a, b)`` if the common dtype is ``supported``, else ``fallback(a, b, dtype)``.

    Both get operands in their common dtype; one of them may be a Python scalar.
    """

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and (dtype is usual or dtype in supported):
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
        return function(a, b) if dtype in supported else fallback(a, b, dtype)

    floats = supported & FULL_FLOATS  # beside half precision PyTorch does not round a Python float
    holding = supported & _HOLDS_INT8
    usual = torch.float64 if torch.float64 in supported else torch.int64  # `is` is faster than a set lookup

    return register_direct(binary, function, supported)


def exact_divisor(x: torch.Tensor, number: Any) -> Any:
    """Return a Python number in a form by which PyTorch divides the floats ``x`` with correct rounding.

    On CUDA PyTorch multiplies by the reciprocal of a Python number, which rounds differently unless the number is a
    power of two; the standard asks for the quotient. A 0-d array as divisor gives it. Such arrays are cached, each for
    the stream on which it was made.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.div.html), last seen in 2.11.0.
    """
    if not x.is_cuda:
        return number
    mantissa, exponent = math.frexp(number)
    if not 0.5 < abs(mantissa) < 1 and abs(exponent) < 100:  # a power of two, 0, infinity or NaN
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
    """Make the true division, of integers in float64.

    PyTorch divides integers in its default dtype, float32; NumPy gives float64.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.div.html), last seen in 2.13.0.
    """
    supported = FLOATS | COMPLEX

    def divide(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in supported:
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
        return function(a, b) if dtype in supported else function(double(a), double(b))

    return register_direct(divide, function, supported)


def float_binary(function: Function) -> Function:
    """Make a binary function of real floats from one of PyTorch's that takes no Python scalars."""

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
    function: Function, mirrored: Function, python: Function, supported: frozenset[torch.dtype]
) -> Function:
    """Make a comparison.

    ``mirrored`` is the comparison with exchanged operands, ``python`` the operator for Python numbers: it decides about
    a Python integer that the dtype cannot hold, which is larger or smaller than every element.
    """

    def compare(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in supported:
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

    return register_direct(compare, function, supported)


def bitwise(
    function: Function, fallback: Function, supported: frozenset[torch.dtype] = NATIVE_INTS | BOOL
) -> Function:
    """Make a binary function as ``arithmetic`` does, which refuses all but integers and bools."""

    def checked(a: Any, b: Any, dtype: torch.dtype) -> Any:
        if dtype not in INTS and dtype is not torch.bool:
            raise DTypeError(f"expected integers or bools, got operands whose common dtype is {dtype}")
        return fallback(a, b, dtype)

    return arithmetic(function, supported, checked)


def logical(function: Function) -> Function:
    """Make a logical function of two operands, each reduced to whether it is zero."""

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in supported:
            return function(a, b)
        return function(truth(a, b), truth(b, a))

    def truth(x: Any, other: Any) -> torch.Tensor:
        if isinstance(x, torch.Tensor):
            return nonzero_mask(x)
        return torch.full((), bool(x), device=other.device)

    supported = REALS | COMPLEX | BOOL
    return register_direct(binary, function, supported)


def extremum(function: Function, limit: Callable[[torch.Tensor, float], torch.Tensor]) -> Function:
    """Make ``maximum`` or ``minimum``; ``limit(a, b)`` is the same for a Python number ``b``."""

    def fallback(a: Any, b: Any, dtype: torch.dtype) -> Any:
        if dtype in COMPLEX:
            raise DTypeError("complex numbers have no order")
        return integers.in_order(function, *promote_arrays(a, b))

    def binary(a: Any, b: Any) -> Any:
        if type(a) is type(b) and (dtype := a.dtype) is b.dtype and dtype in supported:
            return function(a, b)
        if type(a) is torch.Tensor and is_limit(b, a.dtype):
            try:
                return limit(a, b)
            except RuntimeError:  # the number is beyond the range of the dtype
                return limit(a, weak_scalar(b, a.dtype))
        a, b, dtype = promote_arrays(a, b)
        return function(a, b) if dtype in supported else fallback(a, b, dtype)

    supported = REALS | BOOL
    return register_direct(binary, function, supported)


def is_limit(b: Any, dtype: torch.dtype) -> bool:
    """Return whether ``b`` is a Python number by which PyTorch clamps an array of ``dtype`` as the standard asks."""
    if type(b) is int:
        if dtype in NATIVE_INTS:
            return fits(b, dtype)
        return -_EXACT <= b <= _EXACT and dtype in FULL_FLOATS
    return type(b) is float and dtype in FULL_FLOATS
