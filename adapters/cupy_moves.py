"""Moves of CuPy's arrays: between host and GPU through pinned memory, and by DLPack in the order of streams."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import cupy
import numpy as np

_CHUNK = 32 << 20
"""Bytes of one pinned buffer."""
_DIRECT = 1 << 20
"""Moves of fewer bytes go by the driver's own staging buffer."""
_PINNED_HOST = 1
"""The type of page-locked host memory, as the runtime tells it (``cudaMemoryTypeHost``)."""


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(8, os.cpu_count() or 1), thread_name_prefix="burn_array_copy")


class _Buffer:
    """A pinned buffer, and the event after which it is free again."""

    def __init__(self) -> None:
        self.memory = cupy.cuda.alloc_pinned_memory(_CHUNK)
        self.bytes = np.frombuffer(self.memory, dtype=np.uint8, count=_CHUNK)
        self.pointer = self.bytes.ctypes.data
        self.free = cupy.cuda.Event(disable_timing=True)


def upload(array: np.ndarray[Any, Any]) -> Any:
    """Return a copy of ``array`` on the current GPU, in the order of the current stream.

    The caller may change ``array`` as soon as this returns.
    """
    array = np.ascontiguousarray(array).reshape(array.shape)
    out = cupy.empty(array.shape, dtype=array.dtype)
    if array.nbytes < _DIRECT:
        out.set(array)
    elif _is_pinned(array):
        stream = cupy.cuda.get_current_stream()
        out.data.copy_from_host_async(array.ctypes.data, array.nbytes, stream)
        stream.synchronize()
    else:
        _upload_staged(array.reshape(-1).view(np.uint8), out)
    return out


def _is_pinned(array: np.ndarray[Any, Any]) -> bool:
    try:
        return bool(cupy.cuda.runtime.pointerGetAttributes(array.ctypes.data).type == _PINNED_HOST)
    except cupy.cuda.runtime.CUDARuntimeError:
        return False


def _upload_staged(source: np.ndarray[Any, Any], out: Any) -> None:
    """Copy through two pinned buffers, one being filled by several threads while the other is sent."""
    stream = cupy.cuda.get_current_stream()
    buffers = (_Buffer(), _Buffer())
    for number, start in enumerate(range(0, source.size, _CHUNK)):
        buffer = buffers[number % 2]
        if number > 1:
            buffer.free.synchronize()
        part = source[start : start + _CHUNK]
        _copy(part, buffer.bytes[: part.size])
        (out.data + start).copy_from_host_async(buffer.pointer, part.size, stream)
        buffer.free.record(stream)
    for buffer in buffers[: 1 if source.size <= _CHUNK else 2]:
        buffer.free.synchronize()


def _copy(source: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> None:
    """Copy bytes with several threads (NumPy lets go of the interpreter while it copies)."""
    share = max(1 << 20, -(-source.size // 8))
    starts = range(0, source.size, share)
    copies = [_threads().submit(np.copyto, target[at : at + share], source[at : at + share]) for at in starts]
    for one in copies:
        one.result()


def download(native: Any) -> np.ndarray[Any, Any]:
    """Return a copy of ``native`` on the host, once the work queued before is done."""
    if native.nbytes < _DIRECT:
        return cupy.asnumpy(native)
    flat = cupy.ascontiguousarray(native).reshape(-1).view(np.uint8)
    target = np.empty(flat.size, dtype=np.uint8)
    _download_staged(flat, target)
    return target.view(native.dtype).reshape(native.shape)


def _download_staged(source: Any, target: np.ndarray[Any, Any]) -> None:
    stream = cupy.cuda.get_current_stream()
    buffers = (_Buffer(), _Buffer())
    starts = range(0, target.size, _CHUNK)
    for number in range(len(starts) + 1):
        if number < len(starts):
            buffer, start = buffers[number % 2], starts[number]
            size = min(_CHUNK, target.size - start)
            (source.data + start).copy_to_host_async(buffer.pointer, size, stream)
            buffer.free.record(stream)
        if number:
            buffer, start = buffers[(number - 1) % 2], starts[number - 1]
            part = target[start : start + _CHUNK]
            buffer.free.synchronize()
            _copy(buffer.bytes[: part.size], part)


def to_gpu(native: Any, index: int) -> Any:
    """Return a copy of ``native`` on the GPU ``index``, peer to peer where the GPUs can.

    The current stream of the target waits for the current one of the source.
    """
    with cupy.cuda.Device(native.device.id):
        source = cupy.ascontiguousarray(native)
        ready = cupy.cuda.get_current_stream().record()
    with cupy.cuda.Device(index):
        cupy.cuda.get_current_stream().wait_event(ready)
        out = cupy.empty(native.shape, dtype=native.dtype)
        if source.nbytes:
            out.data.copy_from_device_async(source.data, source.nbytes)
        done = cupy.cuda.get_current_stream().record()
    with cupy.cuda.Device(native.device.id):
        cupy.cuda.get_current_stream().wait_event(done)
    return out


def export(native: Any, stream: Any, max_version: Any, dl_device: Any, copy: bool | None) -> Any:
    """Return a DLPack capsule; CuPy copies to the host alone, so a copy on the GPU is made here."""
    here = tuple(map(int, native.__dlpack_device__()))
    wanted = here if dl_device is None else tuple(map(int, dl_device))
    if wanted != here and copy is False:
        raise BufferError(f"memory of the DLPack device {here} cannot be handed out as {wanted} without a copy")
    if copy and wanted == here:
        native, copy = native.copy(), None
    version = None if max_version is None else tuple(max_version)
    return native.__dlpack__(stream=stream, max_version=version, dl_device=wanted, copy=copy)
