"""Dtypes of PyTorch: conversion tables, promotion by NumPy's rules, and stand-ins for wide unsigned integers.

PyTorch has no kernels for uint16, uint32 and uint64 in most of its functions; the standard gives every function every
numeric dtype. So the adapter computes with signed integers and converts the result back, in one of three ways:

* ``as_signed`` / ``from_signed`` view the same memory as the signed dtype of the same width. For functions that only
  move elements.
* ``to_int64`` / ``from_int64`` convert to the int64 that is equal modulo 2**64. For sums, products and bit operations.
* ``ordered`` / ``from_ordered`` convert to int64 values in the same order. For comparing, sorting and extremes.

https://github.com/pytorch/pytorch/issues/58734, last seen in 2.13.0. On the CPU some functions take these dtypes since
2.13 at the latest (``multiply``, ``concat``, ``stack``, ``roll``, ``where``, and ``sort`` for fewer than 32768
elements); the conversions stay for older versions and for GPUs.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from burn_array.adapter import DType, promote, promote_scalar
from burn_array.errors import ArgumentTypeError, DTypeError, IntegerOverflowError

Scalar = bool | int | float | complex

BOOL = frozenset({torch.bool})
SIGNED = frozenset({torch.int8, torch.int16, torch.int32, torch.int64})
WIDE_UNSIGNED = frozenset({torch.uint16, torch.uint32, torch.uint64})
"""Unsigned dtypes that most functions of PyTorch do not take."""
UNSIGNED = WIDE_UNSIGNED | {torch.uint8}
NATIVE_INTS = SIGNED | {torch.uint8}
"""Integer dtypes that PyTorch's functions take."""
INTS = SIGNED | UNSIGNED
FLOATS = frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64})
HALF = frozenset({torch.float16, torch.bfloat16})
FULL_FLOATS = frozenset({torch.float32, torch.float64})
"""Float dtypes that PyTorch computes with in their own precision."""
COMPLEX = frozenset({torch.complex64, torch.complex128})
REALS = NATIVE_INTS | FLOATS
"""Real dtypes that PyTorch's functions take."""

TO_TORCH: dict[DType, torch.dtype] = {
    np.dtype(name): getattr(torch, name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128",
    )
}  # fmt: skip
try:
    import ml_dtypes
except ImportError:  # NumPy has no bfloat16 without ml_dtypes, so the device has none either
    pass
else:
    TO_TORCH[np.dtype(ml_dtypes.bfloat16)] = torch.bfloat16
TO_NUMPY: dict[torch.dtype, DType] = {native: dtype for dtype, native in TO_TORCH.items()}

SIGNED_OF: dict[torch.dtype, torch.dtype] = {
    torch.uint16: torch.int16,
    torch.uint32: torch.int32,
    torch.uint64: torch.int64,
}
"""The signed dtype of the same width."""
REAL_OF: dict[torch.dtype, torch.dtype] = {
    torch.complex64: torch.float32,
    torch.complex128: torch.float64,
}
"""The dtype of the real and imaginary parts."""
NARROW: dict[torch.dtype, torch.dtype] = {
    torch.float64: torch.float32,
    torch.complex128: torch.complex64,
}
"""Replacements for the dtypes that Apple's GPUs do not have."""
FLOAT_OF: dict[torch.dtype, torch.dtype] = {
    torch.bool: torch.float16,
    torch.int8: torch.float16,
    torch.uint8: torch.float16,
    torch.int16: torch.float32,
    torch.uint16: torch.float32,
}
"""The float dtype in which NumPy computes functions such as ``sin`` of small integers; float64 for all others."""
_LIMITS: dict[torch.dtype, tuple[int, int]] = {
    native: (int(np.iinfo(TO_NUMPY[native]).min), int(np.iinfo(TO_NUMPY[native]).max)) for native in INTS
}
"""The smallest and the largest integer of each integer dtype."""
_LARGEST: dict[torch.dtype, float] = {
    dtype: torch.finfo(dtype).max for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.complex64)
}
"""The largest finite number of the dtypes narrower than Python's float."""
_SIGN = -(2**63)
"""The sign bit of int64."""
_SINGLE = struct.Struct("f")
_HAS_MPS = torch.backends.mps.is_available()
"""Whether this machine has an Apple GPU. Known once, because reading the device of each array would be slower."""


def _promotion_table() -> dict[tuple[torch.dtype, torch.dtype], torch.dtype]:
    """Return the common dtype of each pair of dtypes that has one."""
    table = {}
    for a, x in TO_NUMPY.items():
        for b, y in TO_NUMPY.items():
            try:
                table[a, b] = TO_TORCH[promote(x, y)]
            except (KeyError, DTypeError):
                continue
    return table


PROMOTED = _promotion_table()
WEAK_PROMOTED: dict[tuple[torch.dtype, type], torch.dtype] = {
    (native, scalar): TO_TORCH[promote_scalar(dtype, scalar)]
    for native, dtype in TO_NUMPY.items()
    for scalar in (bool, int, float, complex)
    if not (dtype.name == "bfloat16" and scalar is complex)
}
"""The dtype of an array together with a Python scalar, by the dtype of the array and the type of the scalar."""


# -- promotion --------------------------------------------------------------------------------


def promoted(a: torch.dtype, b: torch.dtype) -> torch.dtype:
    """Return the common dtype of ``a`` and ``b`` by NumPy's rules.

    PyTorch lets the array with more axes decide between dtypes of one kind, and promotes int64 and float32 to float32
    (https://github.com/pytorch/pytorch/issues/58489, last seen in 2.13.0). In the standard the number of axes plays no
    part, and NumPy gives float64.

    Raises
    ------
    DTypeError
        if they have none
    """
    try:
        return PROMOTED[a, b]
    except KeyError:
        raise DTypeError(f"{a} and {b} have no common dtype; convert one with astype") from None


def cast(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return ``x`` converted to ``dtype``: ``x`` itself if it has that dtype, of complex numbers the real part."""
    if x.dtype is dtype:
        return x
    if _HAS_MPS and x.device.type == "mps":
        dtype = NARROW.get(dtype, dtype)
    if x.dtype in COMPLEX and dtype not in COMPLEX and dtype is not torch.bool:
        x = torch.real(x)
    return x.to(dtype)


def floating(x: torch.Tensor) -> torch.Tensor:
    """Return ``x`` as floats: integers and bools in the dtype in which NumPy would compute, others unchanged.

    PyTorch computes functions such as ``sin`` of integers in its default dtype, float32; NumPy takes float64 for int64.

    No upstream issue known (https://docs.pytorch.org/docs/stable/tensor_attributes.html), last seen in 2.13.0.
    """
    if x.dtype in FLOATS or x.dtype in COMPLEX:
        return x
    return cast(x, FLOAT_OF.get(x.dtype, torch.float64))


def double(x: torch.Tensor) -> torch.Tensor:
    """Return integers and bools as float64, and an array of any other dtype unchanged."""
    return x if x.dtype in FLOATS or x.dtype in COMPLEX else cast(x, torch.float64)


def fits(scalar: int, dtype: torch.dtype) -> bool:
    """Return whether ``dtype`` can hold the integer ``scalar``; always true if it is no integer dtype."""
    limits = _LIMITS.get(dtype)
    return limits is None or limits[0] <= scalar <= limits[1]


def representable(scalar: Any, dtype: torch.dtype) -> Any:
    """Return a Python number rounded to ``dtype`` where PyTorch does not do that itself.

    PyTorch refuses a number beyond the range of the dtype, and does not round one beside half precision; NumPy rounds
    both, the first to infinity.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.full.html), last seen in 2.13.0.
    """
    largest = _LARGEST.get(dtype)
    if largest is None or type(scalar) not in (float, complex):
        return scalar
    if max(abs(scalar.real), abs(scalar.imag)) <= largest and dtype not in HALF:
        return scalar
    with np.errstate(over="ignore"):
        rounded = np.asarray(scalar).astype(TO_NUMPY[dtype])
    return rounded.astype(np.complex128 if dtype.is_complex else np.float64).item()


def to_float32(number: float) -> float:
    """Return ``number`` rounded to single precision."""
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def weak_scalar(scalar: Any, dtype: torch.dtype) -> Any:
    """Return a Python scalar in the form in which PyTorch computes with it beside an array of ``dtype``.

    Raises
    ------
    IntegerOverflowError
        for an integer that ``dtype`` cannot hold
    """
    if type(scalar) is bool and dtype is not torch.bool:
        return int(scalar)
    if type(scalar) is not int:
        return scalar if dtype is torch.float64 else representable(scalar, dtype)
    if not fits(scalar, dtype):
        raise IntegerOverflowError(f"the Python integer {scalar} is out of bounds for {TO_NUMPY[dtype]}")
    if dtype in INTS:
        return scalar
    try:
        return representable(float(scalar), dtype)
    except OverflowError:
        raise IntegerOverflowError(
            f"the Python integer {scalar} is too large for {TO_NUMPY[dtype]}"
        ) from None


def weak_dtype(x: torch.Tensor, scalar: Any) -> torch.dtype:
    """Return the dtype of ``x`` together with a Python scalar.

    Raises
    ------
    ArgumentTypeError
        if ``scalar`` is no Python number
    """
    try:
        return WEAK_PROMOTED[x.dtype, type(scalar)]
    except KeyError:
        raise ArgumentTypeError(f"expected an array or a Python number, got {scalar!r}") from None


def promote_pair(a: Any, b: Any) -> tuple[Any, Any, torch.dtype]:
    """Return both operands in their common dtype, and that dtype. A Python scalar stays a Python scalar."""
    if not isinstance(b, torch.Tensor):
        dtype = weak_dtype(a, b)
        return cast(a, dtype), weak_scalar(b, dtype), dtype
    if not isinstance(a, torch.Tensor):
        dtype = weak_dtype(b, a)
        return weak_scalar(a, dtype), cast(b, dtype), dtype
    dtype = promoted(a.dtype, b.dtype)
    return cast(a, dtype), cast(b, dtype), dtype


def filled(shape: Sequence[int], value: Any, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Return an array filled with ``value``, which ``dtype`` must be able to hold."""
    if dtype in WIDE_UNSIGNED:
        return from_signed(
            torch.full(shape, signed_scalar(value, dtype), dtype=SIGNED_OF[dtype], device=device), dtype
        )
    return torch.full(shape, representable(value, dtype), dtype=dtype, device=device)


def promote_arrays(a: Any, b: Any) -> tuple[torch.Tensor, torch.Tensor, torch.dtype]:
    """Return both operands as arrays in their common dtype, and that dtype."""
    a, b, dtype = promote_pair(a, b)
    if not isinstance(b, torch.Tensor):
        b = filled((), b, a.dtype, a.device)
    elif not isinstance(a, torch.Tensor):
        a = filled((), a, b.dtype, b.device)
    return a, b, dtype


def promote_floats(a: Any, b: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Return both operands as floats of one dtype, each array of integers in the dtype that NumPy would take.

    A Python integer becomes a float first, so it is never out of bounds.
    """
    if not isinstance(b, torch.Tensor):
        x = floating(cast(a, promoted(a.dtype, torch.float64))) if _widens(a, b) else floating(a)
        dtype = torch.float32 if x.dtype is torch.float16 else x.dtype
        return x, filled((), weak_scalar(b, dtype), dtype, x.device).to(x.dtype)
    if not isinstance(a, torch.Tensor):
        b, a = promote_floats(b, a)
        return a, b
    a, b = promote_all((floating(a), floating(b)))
    return a, b


def _widens(x: torch.Tensor, scalar: Any) -> bool:
    """Return whether NumPy computes in float64 because of the scalar.

    That is so for a Python float beside integers, and for a Python integer beside bools.
    """
    if type(scalar) is int:
        return x.dtype is torch.bool
    return type(scalar) is float and x.dtype not in FLOATS


def promote_all(xs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Return all arrays in their common dtype."""
    dtypes = list({x.dtype: None for x in xs})
    dtype = dtypes[0] if len(dtypes) == 1 else _promoted_together(dtypes)
    return [cast(x, dtype) for x in xs]


def _promoted_together(dtypes: list[torch.dtype]) -> torch.dtype:
    """Return the common dtype of all: for more than two, NumPy does not simply promote pair after pair."""
    if len(dtypes) > 2 and torch.bfloat16 not in dtypes:
        return TO_TORCH[np.result_type(*(TO_NUMPY[dtype] for dtype in dtypes))]
    dtype = dtypes[0]
    for another in dtypes[1:]:
        dtype = promoted(dtype, another)
    return dtype


# -- stand-ins for wide unsigned integers ------------------------------------------------------


def signed_scalar(scalar: int, dtype: torch.dtype) -> int:
    """Return the signed integer whose bits are those of ``scalar`` in the unsigned ``dtype``."""
    half = 1 << (8 * dtype.itemsize - 1)
    return (int(scalar) + half) % (2 * half) - half


def as_signed(x: torch.Tensor) -> torch.Tensor:
    """Return ``x``, or if it holds wide unsigned integers a view of its memory with the signed dtype of that width."""
    signed = SIGNED_OF.get(x.dtype)
    return x if signed is None else x.view(signed)


def from_signed(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Undo ``as_signed``: return ``x`` with ``dtype``, as a view of the same memory."""
    return x if x.dtype is dtype else x.view(dtype)


def nonzero_mask(x: torch.Tensor) -> torch.Tensor:
    """Return an array of bools that tells where ``x`` is not zero; ``x`` itself if it holds bools."""
    return x if x.dtype is torch.bool else as_signed(x) != 0


def via_signed(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Decorate ``function(x, ...)``, which only moves elements, so that it takes wide unsigned integers too."""

    def wrapped(x: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        signed = SIGNED_OF.get(x.dtype)
        if signed is None:
            return function(x, *args, **kwargs)
        return function(x.view(signed), *args, **kwargs).view(x.dtype)

    wrapped.__doc__ = function.__doc__
    wrapped.__name__ = wrapped.__qualname__ = getattr(function, "__name__", "via_signed")
    return wrapped


def to_int64(x: Any) -> Any:
    """Return an integer operand (an array or a Python integer) as the int64 that is equal modulo 2**64."""
    if not isinstance(x, torch.Tensor):
        return signed_scalar(x, torch.int64)
    return x.view(torch.int64) if x.dtype is torch.uint64 else x.to(torch.int64)


def from_int64(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Undo ``to_int64``: return int64 values modulo 2**width in the integer ``dtype``."""
    return x.view(dtype) if dtype is torch.uint64 else x.to(dtype)


def ordered(x: torch.Tensor) -> torch.Tensor:
    """Return ``x``, or if it holds wide unsigned integers int64 values in the same order, which PyTorch can compare."""
    dtype = x.dtype
    if dtype not in WIDE_UNSIGNED:
        return x
    return torch.bitwise_xor(x.view(torch.int64), _SIGN) if dtype is torch.uint64 else x.to(torch.int64)


def from_ordered(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Undo ``ordered``: return the numbers of ``dtype`` that the values of ``x`` stand for."""
    if dtype is torch.uint64:
        return torch.bitwise_xor(x, _SIGN).view(dtype)
    if dtype is torch.bool:
        return x.view(dtype)
    return x if x.dtype is dtype else x.to(dtype)


def comparable(x: torch.Tensor) -> torch.Tensor:
    """Return real numbers or bools in a dtype that PyTorch compares, searches and sorts.

    ``argmax`` and ``searchsorted`` of PyTorch refuse bools; NumPy takes them.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.argmax.html), last seen in 2.13.0.

    Raises
    ------
    DTypeError
        for complex numbers
    """
    if x.dtype in REALS:
        return x
    if x.dtype in COMPLEX:
        raise DTypeError("complex numbers have no order")
    return x.view(torch.uint8) if x.dtype is torch.bool else ordered(x)
