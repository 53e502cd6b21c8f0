"""The dtypes of the standard, their kinds, and the promotion table that every device uses."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..errors import ArgumentError, ArgumentTypeError, DTypeError

DType = np.dtype[Any]

bool: DType = np.dtype("bool")
int8: DType = np.dtype("int8")
int16: DType = np.dtype("int16")
int32: DType = np.dtype("int32")
int64: DType = np.dtype("int64")
uint8: DType = np.dtype("uint8")
uint16: DType = np.dtype("uint16")
uint32: DType = np.dtype("uint32")
uint64: DType = np.dtype("uint64")
float16: DType = np.dtype("float16")
float32: DType = np.dtype("float32")
float64: DType = np.dtype("float64")
complex64: DType = np.dtype("complex64")
complex128: DType = np.dtype("complex128")

STANDARD: tuple[DType, ...] = (
    bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    float32, float64, complex64, complex128,
)  # fmt: skip

# One character per kind: b(ool), i(nt), u(nsigned), f(loat), c(omplex). bfloat16 of ml_dtypes reports "V".
_EXTENDED = ("bfloat16",)

KINDS: dict[str, str] = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}

SCALAR_KIND: dict[type, str] = {builtins.bool: "b", int: "i", float: "f", complex: "c"}


NATIVE_DTYPE_READERS: list[Callable[[object], DType | None]] = []
"""Functions that return the dtype for which an object of a library stands: one, which knows the adapters."""


def kind_of(dtype: DType) -> str:
    """Return the one-letter kind of ``dtype``: ``b``, ``i``, ``u``, ``f`` or ``c``."""
    kind = dtype.kind
    return "f" if kind == "V" and dtype.name in _EXTENDED else kind


def as_dtype(value: object, function: str) -> DType:
    """Return the dtype that ``value`` names, in any form that ``numpy.dtype`` reads or as a dtype of a library."""
    if isinstance(value, np.dtype) and value in _CANONICAL:
        return _CANONICAL[value]
    if value is None:
        raise ArgumentTypeError(f"{function}: expected a dtype such as float32, got None")
    try:
        dtype = np.dtype(value)  # type: ignore[call-overload]
    except TypeError:
        found = [dtype for read in NATIVE_DTYPE_READERS if (dtype := read(value)) is not None]
        if not found:
            raise ArgumentTypeError(
                f"{function}: expected a dtype such as float32, got {value!r:.60}"
            ) from None
        dtype = found[0]
    if dtype.kind not in "biufc" and dtype.name not in _EXTENDED:
        raise DTypeError(f"{function}: the dtype {dtype} is not a bool, integer, float or complex one")
    return canonical(dtype)


_CANONICAL: dict[DType, DType] = {dtype: dtype for dtype in (*STANDARD, float16)}


def canonical(dtype: DType) -> DType:
    """Return the object that stands for ``dtype`` here: NumPy has several for one width and byte order."""
    native = dtype.newbyteorder("=")
    return _CANONICAL.get(native, native)


_PROMOTED: dict[tuple[DType, DType], DType] = {}


def promote(a: DType, b: DType) -> DType:
    """Return the dtype that ``a`` and ``b`` promote to, by the standard, or by NumPy where it is silent."""
    key = (a, b)
    result = _PROMOTED.get(key)
    if result is None:
        try:
            result = np.promote_types(a, b)
        except TypeError:
            raise DTypeError(f"{a} and {b} have no common dtype; convert one with astype") from None
        _PROMOTED[key] = result
    return result


_as_dtype: Any = as_dtype
_promote: Any = promote
# torch.compile calls functions with this mark instead of tracing into them; it cannot trace lookups of dtypes.
_as_dtype._dynamo_marked_constant = _promote._dynamo_marked_constant = True


_DEFAULTS: dict[str, DType] = {"b": bool, "i": int64, "f": float64, "c": complex128}
_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_WEAK: dict[tuple[DType, type], DType] = {}


def promote_scalar(dtype: DType, scalar: type) -> DType:
    """Return the dtype of an array of ``dtype`` combined with a Python scalar of type ``scalar``.

    The scalar is weak: only its kind counts, not a width.
    """
    key = (dtype, scalar)
    result = _WEAK.get(key)
    if result is None:
        kind = SCALAR_KIND[scalar]
        if _RANK[kind] <= _RANK[kind_of(dtype)]:
            result = dtype
        elif kind == "c" and kind_of(dtype) == "f":
            result = promote(dtype, complex64)
        else:
            result = promote(dtype, _DEFAULTS[kind])
            if kind == "i":
                result = int64
        _WEAK[key] = result
    return result


NARROWER: dict[DType, DType] = {float64: float32, int64: int32, uint64: uint32, complex128: complex64}
"""The 64-bit dtypes (complex: 128 bits), and the dtype of half the width."""


def narrowing(dtypes: Iterable[DType]) -> dict[DType, DType]:
    """Return the 64-bit dtypes that are not among ``dtypes``, each with the dtype of its kind that takes its place.

    It is what ``Adapter.narrow`` should be for a device with these dtypes.
    """
    have = frozenset(dtypes)
    return {wide: half for wide, half in NARROWER.items() if wide not in have and half in have}


def isdtype(dtype: DType, kind: Any) -> builtins.bool:
    """Return whether ``dtype`` is of ``kind``: a dtype, a kind's name in the standard, or a tuple of them."""
    if type(kind) is tuple:
        return any(isdtype(dtype, one) for one in kind)
    if type(kind) is str:
        if kind not in KINDS:
            raise ArgumentError(
                f"isdtype: unknown kind {kind!r}; the kinds are {', '.join(map(repr, KINDS))}"
            )
        return kind_of(dtype) in KINDS[kind]
    return dtype == as_dtype(kind, "isdtype")
