"""Data type functions of the standard.

A dtype is a ``numpy.dtype`` on every device; its name, such as ``"float32"``, may stand for it.
"""

from __future__ import annotations

from functools import cache, reduce
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


def astype(x: Array, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """Return ``x`` converted to another dtype.

    Parameters
    ----------
    x : Array
        Of any dtype.
    dtype : dtype
        The new dtype. Floats are truncated to integers; anything but zero is true as a bool.
    copy : bool
        Whether to copy ``x`` also if neither dtype nor device change; with ``False`` it is returned
        itself.
    device : Device or str, optional
        Where the result shall be; by default where ``x`` is.

    Returns
    -------
    Array
        Of that dtype, with the shape of ``x``.

    Raises
    ------
    DTypeError
        If ``x`` is complex and ``dtype`` is not.
    UnsupportedDTypeError
        If the device does not have the dtype.
    """
    if type(x) is not Array:
        raise not_an_array("astype", x)
    to = as_dtype(dtype, "astype")
    have = x._device
    at = have if device is None else placement("astype", device)
    native = cast("astype", x._native, have, to, None)
    if native is x._native or at is not have:
        native = move("astype", native, have, at, True if copy and native is x._native else None)
    return x if native is x._native and at is have and not copy else wrap(at, native)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Return whether the promotion rules allow a cast to a dtype.

    Parameters
    ----------
    from_ : dtype or Array
        What would be cast.
    to : dtype
        The dtype to cast to.

    Returns
    -------
    bool
        Whether ``from_`` and ``to`` promote to ``to``.

    Raises
    ------
    DTypeError
        If one of them is no dtype of numbers or bools.
    """
    source = from_.dtype if type(from_) is Array else as_dtype(from_, "can_cast")
    target = as_dtype(to, "can_cast")
    try:
        return promote(source, target) == target
    except DTypeError:
        return False


def isdtype(dtype: Any, kind: Any) -> bool:
    """Return whether a dtype is of a kind.

    Parameters
    ----------
    dtype : dtype
        The dtype to look at.
    kind : dtype, str or tuple
        A dtype, or one of ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
        ``"real floating"``, ``"complex floating"`` and ``"numeric"``; of a tuple one member has to match.

    Returns
    -------
    bool
        Whether it is.

    Raises
    ------
    ArgumentError
        If the name of a kind is unknown.
    """
    return _dtypes.isdtype(as_dtype(dtype, "isdtype"), kind)


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Return the dtype to which arrays, dtypes and Python numbers promote, whatever their order.

    Parameters
    ----------
    *arrays_and_dtypes : Array, dtype or number
        Python numbers take part with their kind alone, not with a width.

    Returns
    -------
    dtype
        The common dtype. It is narrowed for a device without 64-bit dtypes on which a function of the arrays would run.

    Raises
    ------
    NoDTypeError
        If there is neither an array nor a dtype among them.
    DTypeError
        If they have no common dtype.
    """
    operands = [x if type(x) in SCALARS else _dtype_of(x) for x in arrays_and_dtypes]
    dtypes = [x for x in operands if isinstance(x, np.dtype)]
    if not dtypes:
        raise NoDTypeError("result_type: expected at least one array or dtype")
    result = reduce(promote, dtypes)
    for kind in {type(x) for x in operands if not isinstance(x, np.dtype)}:
        result = promote_scalar(result, kind)
    at = _first_device(arrays_and_dtypes)
    return result if at is None else at.adapter.promote(result)


def _first_device(operands: tuple[Any, ...]) -> Device | None:
    """Return the device on which a function of the arrays would run; a mismatch is left to that function."""
    arrays = [x for x in operands if type(x) is Array]
    if not arrays:
        return None
    chosen = arrays[0]
    for x in arrays[1:]:  # not max(): torch.compile cannot trace its key
        if _rank(x) > _rank(chosen):
            chosen = x
    return chosen._device


def _rank(x: Array) -> tuple[bool, bool]:
    return x._device is x._device.committed, x.ndim > 0


def _dtype_of(x: Any) -> Any:
    """Return the dtype of an argument, or a Python number for a NumPy scalar that counts as one."""
    if type(x) is Array:
        return x.dtype
    if isinstance(x, np.ndarray | np.generic):
        operand = lift_operand("result_type", x)
        return operand.dtype if type(operand) is Array else operand
    return as_dtype(x, "result_type")


class FloatInfo(NamedTuple):
    """The limits of a floating-point dtype, as ``finfo`` returns them.

    Attributes
    ----------
    bits : int
        Number of bits.
    eps : float
        Difference between 1 and the next greater number.
    max : float
        Greatest number.
    min : float
        Least number, which is ``-max``.
    smallest_normal : float
        Least positive number of full precision.
    dtype : dtype
        The floating-point dtype.
    """

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


class IntegerInfo(NamedTuple):
    """The limits of an integer dtype, as ``iinfo`` returns them.

    Attributes
    ----------
    bits : int
        Number of bits.
    max : int
        Greatest number.
    min : int
        Least number.
    dtype : dtype
        The integer dtype.
    """

    bits: int
    max: int
    min: int
    dtype: DType


def finfo(type: Any, /) -> FloatInfo:
    """Return the limits of a floating-point dtype.

    Parameters
    ----------
    type : dtype or Array
        Floating-point; a complex dtype stands for that of its real part.

    Returns
    -------
    FloatInfo
        The fields ``bits``, ``eps``, ``max``, ``min``, ``smallest_normal`` and ``dtype``.

    Raises
    ------
    DTypeError
        If the dtype is not floating-point.
    """
    limits: FloatInfo = _limits("finfo", "fc", type)
    return limits


def iinfo(type: Any, /) -> IntegerInfo:
    """Return the limits of an integer dtype.

    Parameters
    ----------
    type : dtype or Array
        An integer dtype.

    Returns
    -------
    IntegerInfo
        The fields ``bits``, ``max``, ``min`` and ``dtype``.

    Raises
    ------
    DTypeError
        If the dtype is not an integer one.
    """
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
