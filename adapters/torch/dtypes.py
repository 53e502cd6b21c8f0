"""Dtypes of PyTorch: the tables, NumPy's promotion over them, and integers that PyTorch hardly computes with.

PyTorch has few kernels for uint16, uint32 and uint64. Here an array of one is *taken* as a signed one and
the result is *given back*:

* ``as_signed`` / ``from_signed``: the same memory, read as the signed dtype of the same width. Moving elements about.
* ``to_int64`` / ``from_int64``: int64 with the same value modulo 2**64. Sums, products, bits.
* ``ordered`` / ``from_ordered``: int64 in the same order. Comparing, sorting, extremes.
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
"""The unsigned dtypes that most kernels of PyTorch lack."""
UNSIGNED = WIDE_UNSIGNED | {torch.uint8}
NATIVE_INTS = SIGNED | {torch.uint8}
INTS = SIGNED | UNSIGNED
FLOATS = frozenset({torch.float16, torch.bfloat16, torch.float32, torch.float64})
HALF = frozenset({torch.float16, torch.bfloat16})
FULL_FLOATS = frozenset({torch.float32, torch.float64})
"""The floats that every function of PyTorch takes, to full precision."""
COMPLEX = frozenset({torch.complex64, torch.complex128})
REALS = NATIVE_INTS | FLOATS
"""Real numbers that PyTorch computes with."""

TO_TORCH: dict[DType, torch.dtype] = {
    np.dtype(name): getattr(torch, name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "float32", "float64", "complex64", "complex128",
    )
}  # fmt: skip
try:
    import ml_dtypes
except ImportError:  # then NumPy has no bfloat16, and neither has the device
    pass
else:
    TO_TORCH[np.dtype(ml_dtypes.bfloat16)] = torch.bfloat16
TO_NUMPY: dict[torch.dtype, DType] = {native: dtype for dtype, native in TO_TORCH.items()}

SIGNED_OF: dict[torch.dtype, torch.dtype] = {
    torch.uint16: torch.int16,
    torch.uint32: torch.int32,
    torch.uint64: torch.int64,
}
REAL_OF: dict[torch.dtype, torch.dtype] = {
    torch.complex64: torch.float32,
    torch.complex128: torch.float64,
}
NARROW: dict[torch.dtype, torch.dtype] = {
    torch.float64: torch.float32,
    torch.complex128: torch.complex64,
}
"""What stands for the dtypes that Apple's GPUs do not have."""
FLOAT_OF: dict[torch.dtype, torch.dtype] = {
    torch.bool: torch.float16,
    torch.int8: torch.float16,
    torch.uint8: torch.float16,
    torch.int16: torch.float32,
    torch.uint16: torch.float32,
}
"""The float dtype in which NumPy computes the sine of a small integer; float64 for the others."""
_LIMITS: dict[torch.dtype, tuple[int, int]] = {
    native: (int(np.iinfo(TO_NUMPY[native]).min), int(np.iinfo(TO_NUMPY[native]).max)) for native in INTS
}
_LARGEST: dict[torch.dtype, float] = {
    dtype: torch.finfo(dtype).max for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.complex64)
}
_SIGN = -(2**63)
_SINGLE = struct.Struct("f")
_HAS_MPS = torch.backends.mps.is_available()
"""Whether Apple's GPU is here; to ask every array for its device takes longer."""


def _table() -> dict[tuple[torch.dtype, torch.dtype], torch.dtype]:
    table = {}
    for a, x in TO_NUMPY.items():
        for b, y in TO_NUMPY.items():
            try:
                table[a, b] = TO_TORCH[promote(x, y)]
            except (KeyError, DTypeError):
                continue
    return table


PROMOTED = _table()
WEAK_PROMOTED: dict[tuple[torch.dtype, type], torch.dtype] = {
    (native, scalar): TO_TORCH[promote_scalar(dtype, scalar)]
    for native, dtype in TO_NUMPY.items()
    for scalar in (bool, int, float, complex)
    if not (dtype.name == "bfloat16" and scalar is complex)
}


# -- promotion --------------------------------------------------------------------------------


def promoted(a: torch.dtype, b: torch.dtype) -> torch.dtype:
    """Return the dtype of ``a`` and ``b`` together, by NumPy's rules."""
    try:
        return PROMOTED[a, b]
    except KeyError:
        raise DTypeError(f"{a} and {b} have no common dtype; convert one with astype") from None


def cast(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return ``x`` in ``dtype``, itself where it has that dtype."""
    if x.dtype is dtype:
        return x
    if _HAS_MPS and x.device.type == "mps":
        dtype = NARROW.get(dtype, dtype)
    if x.dtype in COMPLEX and dtype not in COMPLEX and dtype is not torch.bool:
        x = torch.real(x)
    return x.to(dtype)


def floating(x: torch.Tensor) -> torch.Tensor:
    """Return an array of integers or bools in the float dtype that NumPy would compute in."""
    if x.dtype in FLOATS or x.dtype in COMPLEX:
        return x
    return cast(x, FLOAT_OF.get(x.dtype, torch.float64))


def double(x: torch.Tensor) -> torch.Tensor:
    """Return an array of integers or bools as float64, any other unchanged."""
    return x if x.dtype in FLOATS or x.dtype in COMPLEX else cast(x, torch.float64)


def fits(scalar: int, dtype: torch.dtype) -> bool:
    """Return whether an integer ``dtype`` holds ``scalar``; true for every other dtype."""
    limits = _LIMITS.get(dtype)
    return limits is None or limits[0] <= scalar <= limits[1]


def representable(scalar: Any, dtype: torch.dtype) -> Any:
    """Return a number as it is in a narrow ``dtype`` if it lies beyond: PyTorch refuses what NumPy has as infinity.

    In half precision every number: PyTorch computes with it as it is, in single precision.

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
    """Return a number as it is in single precision."""
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


def weak_scalar(scalar: Any, dtype: torch.dtype) -> Any:
    """Return a Python scalar as PyTorch takes it beside an array of ``dtype``.

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
    """Return the dtype of ``x`` together with a Python scalar."""
    try:
        return WEAK_PROMOTED[x.dtype, type(scalar)]
    except KeyError:
        raise ArgumentTypeError(f"expected an array or a Python number, got {scalar!r}") from None


def promote_pair(a: Any, b: Any) -> tuple[Any, Any, torch.dtype]:
    """Return two operands in their common dtype, and the dtype; Python scalars stay Python scalars."""
    if not isinstance(b, torch.Tensor):
        dtype = weak_dtype(a, b)
        return cast(a, dtype), weak_scalar(b, dtype), dtype
    if not isinstance(a, torch.Tensor):
        dtype = weak_dtype(b, a)
        return weak_scalar(a, dtype), cast(b, dtype), dtype
    dtype = promoted(a.dtype, b.dtype)
    return cast(a, dtype), cast(b, dtype), dtype


def filled(shape: Sequence[int], value: Any, dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """Return an array of one value, which ``dtype`` must hold."""
    if dtype in WIDE_UNSIGNED:
        return from_signed(
            torch.full(shape, signed_scalar(value, dtype), dtype=SIGNED_OF[dtype], device=device), dtype
        )
    return torch.full(shape, representable(value, dtype), dtype=dtype, device=device)


def promote_arrays(a: Any, b: Any) -> tuple[torch.Tensor, torch.Tensor, torch.dtype]:
    """Return two operands as arrays in their common dtype, and the dtype."""
    a, b, dtype = promote_pair(a, b)
    if not isinstance(b, torch.Tensor):
        b = filled((), b, a.dtype, a.device)
    elif not isinstance(a, torch.Tensor):
        a = filled((), a, b.dtype, b.device)
    return a, b, dtype


def promote_floats(a: Any, b: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two operands as floats of one dtype, each integer by NumPy's rule; Python integers never overflow."""
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
    """A Python float makes small integers float64, a Python integer bools."""
    if type(scalar) is int:
        return x.dtype is torch.bool
    return type(scalar) is float and x.dtype not in FLOATS


def promote_all(xs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Return arrays in their common dtype."""
    dtypes = list({x.dtype: None for x in xs})
    dtype = dtypes[0] if len(dtypes) == 1 else _promoted_together(dtypes)
    return [cast(x, dtype) for x in xs]


def _promoted_together(dtypes: list[torch.dtype]) -> torch.dtype:
    """Return the dtype of all: of more than two NumPy's is not that of pair after pair."""
    if len(dtypes) > 2 and torch.bfloat16 not in dtypes:
        return TO_TORCH[np.result_type(*(TO_NUMPY[dtype] for dtype in dtypes))]
    dtype = dtypes[0]
    for other in dtypes[1:]:
        dtype = promoted(dtype, other)
    return dtype


# -- unsigned integers as signed ones ---------------------------------------------------------


def signed_scalar(scalar: int, dtype: torch.dtype) -> int:
    """Return the signed integer with the bits that ``scalar`` has in ``dtype``."""
    half = 1 << (8 * dtype.itemsize - 1)
    return (int(scalar) + half) % (2 * half) - half


def as_signed(x: torch.Tensor) -> torch.Tensor:
    """Return ``x`` itself, unsigned integers as a signed view of the same memory."""
    twin = SIGNED_OF.get(x.dtype)
    return x if twin is None else x.view(twin)


def from_signed(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Undo ``as_signed``."""
    return x if x.dtype is dtype else x.view(dtype)


def nonzero_mask(x: torch.Tensor) -> torch.Tensor:
    """Return where ``x`` is not zero."""
    return x if x.dtype is torch.bool else as_signed(x) != 0


def via_signed(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Let ``function(x, ...)``, which only moves elements about, take every dtype."""

    def wrapped(x: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        twin = SIGNED_OF.get(x.dtype)
        if twin is None:
            return function(x, *args, **kwargs)
        return function(x.view(twin), *args, **kwargs).view(x.dtype)

    wrapped.__doc__ = function.__doc__
    wrapped.__name__ = wrapped.__qualname__ = getattr(function, "__name__", "on_bits")
    return wrapped


def to_int64(x: Any) -> Any:
    """Return an operand as int64 with the same value modulo 2**64."""
    if not isinstance(x, torch.Tensor):
        return signed_scalar(x, torch.int64)
    return x.view(torch.int64) if x.dtype is torch.uint64 else x.to(torch.int64)


def from_int64(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return int64 results in ``dtype``, modulo its width."""
    return x.view(dtype) if dtype is torch.uint64 else x.to(dtype)


def ordered(x: torch.Tensor) -> torch.Tensor:
    """Return real numbers such that PyTorch compares them; unsigned integers become int64 in the same order."""
    dtype = x.dtype
    if dtype not in WIDE_UNSIGNED:
        return x
    return torch.bitwise_xor(x.view(torch.int64), _SIGN) if dtype is torch.uint64 else x.to(torch.int64)


def from_ordered(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Undo ``ordered``."""
    if dtype is torch.uint64:
        return torch.bitwise_xor(x, _SIGN).view(dtype)
    return x if x.dtype is dtype else x.to(dtype)


def comparable(x: torch.Tensor) -> torch.Tensor:
    """Return real numbers or bools such that PyTorch compares, searches and sorts them."""
    if x.dtype in REALS:
        return x
    if x.dtype in COMPLEX:
        raise DTypeError("complex numbers have no order")
    return x.to(torch.uint8) if x.dtype is torch.bool else ordered(x)
