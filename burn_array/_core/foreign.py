"""Make native values of foreign objects: arrays of other libraries, lists and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..adapter import shares_memory
from ..errors import ArgumentError, CopyRequiredError, explain
from .device import Device, device, devices, loaded_adapters
from .dtypes import DType
from .host_data import cast, from_host, is_buffer, narrowed, parse
from .moves import move
from .placement import current_device, placement


def device_holding(obj: Any) -> Device | None:
    """Return the device that holds a foreign array, or ``None`` if no device does.

    For an ndarray that is ``None``: like a list, it goes to whichever device is asked for.
    """
    if isinstance(obj, (np.ndarray, np.generic)):
        return None
    for adapter in loaded_adapters(obj):
        if isinstance(obj, (adapter.array_type, *adapter.foreign_types)):
            return device(adapter.spelled(adapter.suffix_of(obj))).uncommitted
    if hasattr(obj, "__dlpack_device__"):
        return _reachable(obj.__dlpack_device__())
    return None


def _reachable(memory: tuple[int, int]) -> Device:
    memory = (int(memory[0]), int(memory[1]))
    chosen = current_device()
    candidates = [chosen, *devices()]
    for one in candidates:
        if shares_memory(one.adapter.dlpack_device, memory):
            return one.uncommitted
    raise ArgumentError(
        f"no device here reaches memory of the DLPack device {memory}; copy the array to the host first"
    )


def lift_native(
    function: str,
    obj: Any,
    requested: Any,
    dtype: DType | None,
    copy: bool | None,
    follows: bool = False,
) -> tuple[Any, Device]:
    """Return a native value for a foreign object, and its device.

    Host data for which the caller asked no device, or which follow an array (``follows``), are narrowed for a device
    that lacks their dtype.
    """
    at = None if isinstance(obj, (bool, int, float, complex, list, tuple)) else device_holding(obj)
    target = placement(function, requested) if requested is not None or at is None else at
    if at is None:
        if copy is False and not hasattr(obj, "dtype") and not is_buffer(obj):
            raise CopyRequiredError(
                f"{function}: copy=False, but Python numbers and sequences must be copied into an array"
            )
        if copy is False and not getattr(getattr(obj, "dtype", None), "isnative", True):
            raise CopyRequiredError(f"{function}: copy=False, but the data are in another byte order")
        array = parse(function, obj, dtype, target)
        if dtype is None and (follows or requested is None) and copy is not False:
            array = narrowed(function, array, target)
        return from_host(function, array, target, dtype, copy), target
    native = move(function, _native(function, obj, at, False if copy is False else None), at, target, copy)
    return cast(function, native, target, dtype, copy), target


def _native(function: str, obj: Any, at: Device, copy: bool | None) -> Any:
    try:
        if isinstance(obj, (at.array_type, *at.adapter.foreign_types)):
            return at.adapter.adopt(obj)
        return at.adapter.from_dlpack(obj, copy)
    except Exception as error:
        raise explain(function, error, [type(obj).__name__], at.adapter) from error
