"""Move native values from one device to another."""

from __future__ import annotations

from typing import Any

from ..adapter import Adapter, shares_memory
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


_NOT_BY_DLPACK = (AttributeError, BufferError, NotImplementedError, RuntimeError, TypeError)
"""What libraries raise for an array that DLPack cannot carry between them, such as bfloat16 to NumPy."""


def _through_memory(function: str, native: Any, a: Adapter, b: Adapter, copy: bool | None) -> Any:
    on_host = a.is_host and b.is_host
    if shares_memory(a.dlpack_device, b.dlpack_device):
        try:
            return b.from_dlpack(native, copy)
        except CopyRequiredError:
            raise
        except _NOT_BY_DLPACK:
            if not on_host:
                raise
    if on_host:
        return b.from_host(a.to_host(native), copy)
    if copy is False:
        raise CopyRequiredError(
            f"{function}: {a} and {b} share no memory, so copy=False cannot be met; "
            f"leave copy out to let the array be copied"
        )
    return b.from_host(a.to_host(native), None)


def moves_freely(source: Device, target: Device) -> bool:
    """Return whether a move from ``source`` to ``target`` copies nothing, by a trial with one new element.

    A trial, since the DLPack devices do not tell: NumPy reads the memory of dpnp's arrays on the CPU in place, but dpnp
    takes no memory that SYCL did not allocate.
    """
    a, b = source.adapter, target.adapter
    if not shares_memory(a.dlpack_device, b.dlpack_device):
        return False
    try:
        dtype = a.dtypes[a.float_dtype]
        native = source.function("zeros")((1,), dtype=dtype, device=a.native_device)
        move("to_device", native, source, target, False)
    except (
        Exception
    ):  # an accelerator may have failed for good; the caller is about to raise an error of its own
        return False
    return True
