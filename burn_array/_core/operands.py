"""Prepare the operands of a call: choose the device, lift foreign objects, unwrap arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import ArgumentTypeError, GradientError
from .array import Array
from .device import Device
from .dtypes import DType, kind_of
from .foreign import device_holding, lift_native
from .host_data import cast, check_narrow
from .moves import move
from .placement import meet

_NUMBERS = (bool, int, float, complex)
SCALARS = frozenset(_NUMBERS)


def unwrap(name: str, operands: Sequence[Any]) -> tuple[Device, list[Any]]:
    """Return the device on which a call with these operands runs, and each operand as a native value there.

    Python scalars and ``None`` stay as they are. Foreign arrays are lifted if at least one operand is an ``Array``.
    """
    at = None
    natives = []
    for x in operands:
        if type(x) is Array:
            one = x
            if at is None:
                at = one._device
            elif one._device is not at:
                return _unwrap_mixed(name, operands)
            natives.append(one._native)
        elif x is None or type(x) in SCALARS:
            natives.append(x)
        else:
            return _unwrap_mixed(name, operands)
    if at is None:
        raise not_an_array(name, operands[0])
    return at, natives


def _unwrap_mixed(name: str, operands: Sequence[Any]) -> tuple[Device, list[Any]]:
    if not any(type(x) is Array for x in operands):
        raise not_an_array(name, operands[0])
    near = next(x._device for x in operands if type(x) is Array)
    lifted = [x if x is None or type(x) in SCALARS else lift_operand(name, x, near) for x in operands]
    at = meet_all(name, [(x._device, x.ndim) for x in lifted if type(x) is Array])
    return at, [native_on(name, x, at) if type(x) is Array else x for x in lifted]


def unwrap_arrays(name: str, operands: Sequence[Any]) -> tuple[Device, list[Any]]:
    """Do what ``unwrap`` does, and raise for Python scalars."""
    for x in operands:
        if type(x) is not Array and (x is None or isinstance(x, _NUMBERS)):
            raise not_an_array(name, x)
    return unwrap(name, operands)


def meet_all(name: str, operands: Sequence[tuple[Device, int]]) -> Device:
    """Return the device of the result of an operation on arrays with these devices and numbers of axes."""
    ranked = sorted(operands, key=lambda one: (one[0] is one[0].committed, one[1] > 0), reverse=True)
    at, ndim = ranked[0]
    for one, other in ranked[1:]:
        if one is not at:
            at = meet(name, at, one, ndim, other)
    return at


def native_on(name: str, x: Array, at: Device) -> Any:
    """Return the native value of ``x`` on the device ``at``, moved there if need be."""
    have = x._device
    return x._native if have.adapter is at.adapter else _following(name, x._native, have, at)


def _following(name: str, native: Any, source: Device, at: Device) -> Any:
    """Return a native value moved to the device ``at`` of an array it meets, narrowed if that lacks its dtype.

    Raises
    ------
    IntegerOverflowError
        If an integer does not fit the narrower dtype.
    """
    have = source.dtype_of(native)
    dtype = at.adapter.narrow.get(have)
    if dtype is not None:
        if kind_of(have) in "iu" and 0 not in source.shape_of(native):
            check_narrow(name, _ends(native, source), dtype, at)
        native = cast(name, native, source, dtype, None)
    return move(name, native, source, at, None)


def _ends(native: Any, at: Device) -> tuple[int, int]:
    """Return the least and the greatest element."""
    adapter = at.adapter
    least, greatest = (
        adapter.item(adapter.adopt(at.function(name)(native, axis=None, keepdims=False)))
        for name in ("min", "max")
    )
    return least, greatest


def storable(name: str, x: Array, at: Device, dtype: DType) -> Array:
    """Return a value to be stored in an array of ``dtype`` on ``at``.

    If ``at`` lacks the dtype of the value, it is cast before it moves.
    """
    have = x._device
    if have.adapter is at.adapter or x.dtype not in at.adapter.narrow or dtype not in have.adapter.dtypes:
        return x
    return Array(cast(name, x._native, have, dtype, None), have)


def lift(name: str, obj: Any) -> Array:
    """Return an ``Array`` for ``obj``: itself, or an uncommitted array of foreign data."""
    if type(obj) is Array:
        return obj
    native, at = lift_native(name, obj, None, None, None)
    return Array(native, at.uncommitted)


def lift_operand(name: str, obj: Any, near: Device | None = None) -> Any:
    """Return an uncommitted ``Array`` for a foreign operand; Python scalars stay scalars.

    Host data go to the device ``near``. NumPy's ``float64`` and ``complex128`` scalars are subclasses of ``float`` and
    ``complex``, and therefore count as weak Python scalars.
    """
    if type(obj) is Array:
        return obj
    if isinstance(obj, bool | int | float | complex):
        base: Any = next(t for t in (bool, int, float, complex) if isinstance(obj, t))
        return base(obj)
    if isinstance(obj, (np.ndarray, np.generic)):
        native, at = lift_native(name, obj, near, None, None, follows=True)
        return Array(native, at.uncommitted)
    if hasattr(obj, "__dlpack__"):
        return lift(name, obj)
    raise not_an_array(name, obj)


def number(function: str, parameter: str, value: Any) -> Any:
    """Return a parameter as a Python number: itself, or the one number of a 0-d array.

    Raises
    ------
    GradientError
        If the array is tracked: its gradient would be lost.
    """
    if type(value) in SCALARS:
        return value
    lifted = lift_operand(function, value)
    if type(lifted) is not Array:
        return lifted
    if lifted.is_tracked:
        raise GradientError(
            f"{function}: there is no derivative with respect to {parameter}; give float({parameter}), a constant"
        )
    return lifted._scalar(function)


def is_tracked(value: Any) -> bool:
    """Return whether an argument is a tracked array."""
    return type(value) is Array and value.is_tracked


def not_an_array(name: str, x: Any) -> ArgumentTypeError:
    """Return the error for an argument that should be an ``Array``."""
    if isinstance(x, np.ndarray) or hasattr(x, "__dlpack__") or is_foreign_array(x):
        kind = f"{type(x).__module__}.{type(x).__name__}"
        return ArgumentTypeError(
            f"{name}: expected an Array of burn_array, got a {kind}; convert it with asarray(x)"
        )
    return ArgumentTypeError(
        f"{name}: expected an Array of burn_array, got {type(x).__name__} {x!r:.60}; make one with asarray(x)"
    )


def is_foreign_array(x: Any) -> bool:
    """Return whether ``x`` is an array of a library that has an adapter."""
    return hasattr(x, "shape") and hasattr(x, "dtype") and device_holding(x) is not None


def describe(x: Any) -> str:
    """Return text about an operand for an error: dtype and shape of an array, the repr of a scalar."""
    return f"{x.dtype}{list(x.shape)}" if type(x) is Array else f"{x!r:.60}"


def describe_native(at: Device, value: Any) -> str:
    """Return text about a native value for an error: dtype and shape of an array, the repr of anything else."""
    if type(value) is at.array_type:
        return f"{at.dtype_of(value)}{list(at.shape_of(value))}"
    if isinstance(value, Sequence) and any(type(one) is at.array_type for one in value):
        return f"[{', '.join(describe_native(at, one) for one in value)}]"
    return f"{value!r:.60}"
