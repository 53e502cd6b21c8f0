"""Moves of CuPy's arrays between the host and GPUs, and to other libraries by DLPack."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..common import pinned_copies as pinned
from ..common.pinned_copies import StagingBuffer

_STAGED = 1 << 24
"""The size in bytes from which copies by several threads are faster than the driver's copy of ordinary memory."""
_ORDINARY = 0
"""What the runtime returns for ordinary host memory (``cudaMemoryTypeUnregistered``)."""


def upload(array: np.ndarray[Any, Any]) -> Any:
    """Return a copy of ``array`` on the current GPU, made in the current stream.

    The caller may change ``array`` as soon as this returns.
    """
    array = np.ascontiguousarray(array).reshape(array.shape)
    out = cupy.empty(array.shape, dtype=array.dtype)
    if _is_known(array):  # CuPy would return before page-locked memory has been read
        stream = cupy.cuda.get_current_stream()
        out.data.copy_from_host_async(array.ctypes.data, array.nbytes, stream)
        stream.synchronize()
    elif array.nbytes < _STAGED:
        out.set(array)
    else:
        _upload_staged(array.reshape(-1).view(np.uint8), out)
    return out


def _is_known(array: np.ndarray[Any, Any]) -> bool:
    """Return whether CUDA allocated the memory or it is page-locked, so that the GPU can read it."""
    try:
        return bool(cupy.cuda.runtime.pointerGetAttributes(array.ctypes.data).type != _ORDINARY)
    except cupy.cuda.runtime.CUDARuntimeError:
        return False


def _upload_staged(source: np.ndarray[Any, Any], out: Any) -> None:
    """Copy bytes to ``out`` through staging buffers."""
    stream = cupy.cuda.get_current_stream()

    def send(buffer: StagingBuffer, start: int, size: int) -> None:
        (out.data + start).copy_from_host_async(buffer.memory.ptr, size, stream)
        buffer.event.record(stream)

    pinned.upload(source, pinned.python_workers(), _staging_buffer, send, stream.synchronize)


def _staging_buffer(size: int) -> StagingBuffer:
    """Return a page-locked buffer of this size in bytes."""
    memory = cupy.cuda.alloc_pinned_memory(size)
    host = np.frombuffer(memory, dtype=np.uint8, count=size)
    return StagingBuffer(memory, host, cupy.cuda.Event(disable_timing=True))


def download(native: Any) -> np.ndarray[Any, Any]:
    """Return a copy of ``native`` on the host, after the work that was queued before is done."""
    if native.nbytes < _STAGED:
        return cupy.asnumpy(native)
    flat = cupy.ascontiguousarray(native).reshape(-1).view(np.uint8)
    target = np.empty(flat.size, dtype=np.uint8)
    _download_staged(flat, target)
    return target.view(native.dtype).reshape(native.shape)


def _download_staged(source: Any, target: np.ndarray[Any, Any]) -> None:
    """Copy bytes of a GPU to ``target`` through staging buffers."""
    stream = cupy.cuda.get_current_stream()

    def fetch(buffer: StagingBuffer, start: int, size: int) -> None:
        (source.data + start).copy_to_host_async(buffer.memory.ptr, size, stream)
        buffer.event.record(stream)

    pinned.download(target, pinned.python_workers(), _staging_buffer, fetch, stream.synchronize)


def to_gpu(native: Any, index: int) -> Any:
    """Return a copy of ``native`` on the GPU ``index``, directly between the GPUs if they can do so.

    The copy waits for the current stream of the source, and this stream waits until the copy is done.
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
    """Return a DLPack capsule of ``native``; a copy on the same GPU is made here, as CuPy copies only to the host."""
    here = tuple(map(int, native.__dlpack_device__()))
    wanted = here if dl_device is None else tuple(map(int, dl_device))
    if wanted != here and copy is False:
        raise BufferError(
            f"memory of the DLPack device {here} cannot be handed out as {wanted} without a copy"
        )
    if copy and wanted == here:
        native, copy = native.copy(), None
    version = None if max_version is None else tuple(max_version)
    return native.__dlpack__(stream=stream, max_version=version, dl_device=wanted, copy=copy)
