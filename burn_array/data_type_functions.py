"""Data type functions of the standard."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ._core import dtypes as _dtypes
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import wrap
from ._core.dtypes import DType, as_dtype, kind_of, promote, promote_scalar
from ._core.host_data import cast
from ._core.moves import move
from ._core.operands import SCALARS, lift_operand, not_an_array
from ._core.placement import placement
from .errors import DTypeError, NoDTypeError

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def astype(x: Array, dtype: Any, /, *, copy: bool = True, device: str | Device | None = None) -> Array:
    """Return ``x`` converted to ``dtype``; ``copy=False`` returns it as it is where nothing changes.

    Raises
    ------
    DTypeError
        for a complex array and a real dtype
    """
    if type(x) is not Array:
        raise not_an_array("astype", x)
    to = as_dtype(dtype, "astype")
    have = x._device
    at = have if device is None else placement("astype", device)
    native = cast("astype", x._native, have, to, None)
    if native is x._native or at is not have:
        native = move("astype", native, have, at, True if copy and native is x._native else None)
    return wrap(at, native) if native is not x._native or at is not have else x


def can_cast(from_: Any, to: Any, /) -> bool:
    """Return whether promotion allows an array or dtype ``from_`` to become ``to``."""
    source = from_.dtype if type(from_) is Array else as_dtype(from_, "can_cast")
    target = as_dtype(to, "can_cast")
    try:
        return promote(source, target) == target
    except DTypeError:
        return False


def isdtype(dtype: Any, kind: Any) -> bool:
    """Return whether ``dtype`` is of ``kind``: a dtype, a name of the standard, or a tuple of these.

    The names: ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
    ``"real floating"``, ``"complex floating"``, ``"numeric"``.
    """
    return _dtypes.isdtype(as_dtype(dtype, "isdtype"), kind)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the dtype that arrays, dtypes and Python scalars promote to, whatever their order.

    Raises
    ------
    NoDTypeError
        if there is neither an array nor a dtype
    """
    operands = [x if type(x) in SCALARS else _dtype_of(x) for x in arrays_and_dtypes]
    dtypes = [x for x in operands if isinstance(x, np.dtype)]
    if not dtypes:
        raise NoDTypeError("result_type: expected at least one array or dtype")
    result = dtypes[0]
    for one in dtypes[1:]:
        result = promote(result, one)
    for kind in {type(x) for x in operands if not isinstance(x, np.dtype)}:
        result = promote_scalar(result, kind)
    return result


def _dtype_of(x: Any) -> Any:
    if type(x) is Array:
        return x.dtype
    if isinstance(x, np.ndarray | np.generic):
        operand = lift_operand("result_type", x)
        return operand.dtype if type(operand) is Array else operand
    return as_dtype(x, "result_type")


class FloatInfo(NamedTuple):
    """Limits of a floating-point dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerInfo(NamedTuple):
    """Limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> FloatInfo:
    """Return the limits of a floating-point dtype, or of the parts of a complex one."""
    limits: FloatInfo = _limits("finfo", "fc", type)
    return limits


def iinfo(type: Any, /) -> IntegerInfo:
    """Return the limits of an integer dtype."""
    limits: IntegerInfo = _limits("iinfo", "iu", type)
    return limits


def _limits(name: str, kinds: str, value: Any) -> Any:
    """Return the limits of a dtype, or of the dtype of an array, if its kind is one of ``kinds``."""
    dtype = value.dtype if isinstance(value, Array) else as_dtype(value, name)
    if kind_of(dtype) not in kinds:
        wanted, other = ("an integer", "finfo") if name == "iinfo" else ("a floating-point", "iinfo")
        advice = "" if kind_of(dtype) == "b" else f"; use {other}"
        raise DTypeError(f"{name}: {dtype} is not {wanted} dtype{advice}")
    return _limits_of(dtype)


@cache
def _limits_of(dtype: DType) -> FloatInfo | IntegerInfo:
    if kind_of(dtype) in "iu":
        integer = np.iinfo(dtype)
        return IntegerInfo(integer.bits, int(integer.max), int(integer.min), dtype)
    if dtype.name == "bfloat16":
        import ml_dtypes

        info: Any = ml_dtypes.finfo(dtype)
    else:
        info = np.finfo(dtype)
    eps, greatest, least, smallest = map(float, (info.eps, info.max, info.min, info.smallest_normal))
    return FloatInfo(int(info.bits), eps, greatest, least, smallest, np.dtype(info.dtype))
