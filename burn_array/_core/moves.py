"""Move native values from one device to another."""

from __future__ import annotations

from typing import Any

from ..adapter import Adapter
from ..errors import CopyRequiredError, explain
from .device import Device


def move(function: str, native: Any, source: Device, target: Device, copy: bool | None) -> Any:
    """Return a native value of ``source`` as one of ``target``; they share memory if both devices can reach it.

    Raises
    ------
    CopyRequiredError
        If ``copy`` is false and the two devices share no memory.
    UnsupportedDTypeError
        If the target does not have the dtype.
    """
    a, b = source.adapter, target.adapter
    if a is b:
        return target.function("copy")(native) if copy else b.alias(native)
    target.native_dtype(source.dtype_of(native), function)
    try:
        moved = b.transfer(native, a, copy)
        if moved is None:
            moved = a.deliver(native, b, copy)
        if moved is None:
            moved = _through_memory(function, native, a, b, copy)
    except Exception as error:
        raise explain(function, error, [str(a.dtype_of(native))], a, b) from error
    return moved


def _through_memory(function: str, native: Any, a: Adapter, b: Adapter, copy: bool | None) -> Any:
    if a.is_host and b.is_host:
        return b.from_host(a.to_host(native), copy)
    if a.dlpack_device == b.dlpack_device:
        return b.from_dlpack(native, copy)
    if copy is False:
        raise CopyRequiredError(
            f"{function}: {a} and {b} share no memory, so copy=False cannot be met; "
            f"leave copy out to let the array be copied"
        )
    return b.from_host(a.to_host(native), None)
