"""Moves between host memory, accelerators and other libraries on PyTorch."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import torch
from torch.utils.dlpack import from_dlpack

from burn_array.errors import CopyRequiredError, ExportError

from ..common import pinned_copies as pinned
from ..common.pinned_copies import StagingBuffer
from .dtypes import TO_NUMPY, TO_TORCH

Host = np.ndarray[Any, Any]

STAGED = 1 << 23
"""Bytes from which a move between ordinary memory and a CUDA device goes through page-locked memory."""


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """Return any tensor as one of exactly ``torch.Tensor``, dense, without gradient and without lazy bits."""
    tensor = tensor.detach()
    if type(tensor) is not torch.Tensor:
        tensor = tensor.as_subclass(torch.Tensor)
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    return tensor.resolve_conj().resolve_neg()


# -- NumPy ------------------------------------------------------------------------------------


def host_view(tensor: torch.Tensor) -> Host:
    """Return a tensor in host memory as an ndarray of the same memory."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype is torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(TO_NUMPY[torch.bfloat16])
    array: Host = tensor.numpy()
    if 0 in array.strides and array.size > 1:  # one element stands for many, as after broadcast_to
        array.flags.writeable = False
    return array


def is_shareable(array: Host) -> bool:
    """Return whether PyTorch can take the memory of ``array`` as it is."""
    flags = array.flags
    return (
        flags.writeable
        and flags.aligned
        and all(stride >= 0 and stride % array.itemsize == 0 for stride in array.strides)
    )


def from_ndarray(array: Host, copy: bool | None) -> torch.Tensor:
    """Return an ndarray as a tensor in host memory, of the same memory where that is possible and asked for."""
    shareable = is_shareable(array)
    if copy is False and not shareable:
        reason = "read-only" if not array.flags.writeable else "of strides that PyTorch does not have"
        raise CopyRequiredError(f"the memory is {reason}, so it must be copied; leave copy=False away")
    if copy or not shareable:
        array = np.array(array, order="C")
    if TO_TORCH[array.dtype] is torch.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


class _Unlocked:
    """Memory of a read-only array, offered for reading to a library that takes only writable arrays."""

    def __init__(self, array: Host) -> None:
        self.array = array
        pointer, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (pointer, False)}


def readable(array: Host) -> torch.Tensor:
    """Return an ndarray as a tensor that must only be read, without a copy where the strides allow."""
    name = array.dtype.name
    array = array if array.flags.c_contiguous and min(array.strides, default=0) >= 0 else array.copy()
    array = array.view(np.int16) if name == "bfloat16" else array
    if not array.flags.writeable and array.size:
        array = np.asarray(_Unlocked(array))
    tensor = torch.from_numpy(array if array.flags.writeable else array.copy())
    return tensor.view(torch.bfloat16) if name == "bfloat16" else tensor


# -- accelerators -----------------------------------------------------------------------------


def to_device(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Return a tensor on another device, at the bandwidth of page-locked memory where it is large."""
    kinds = {tensor.device.type, device.type}
    if kinds == {"cpu", "cuda"} and tensor.nbytes >= STAGED and not _is_pinned(tensor):
        return _staged(tensor.contiguous(), device)
    return tensor.to(device)


def _is_pinned(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "cpu" and tensor.is_pinned()


def _staged(source: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Copy through page-locked buffers."""
    upward = device.type == "cuda"
    result = torch.empty(source.shape, dtype=source.dtype, device=device) if upward else _host_empty(source)
    host, remote = (_bytes(x) for x in ((source, result) if upward else (result, source)))
    workers = _upload_workers() if upward else pinned.python_workers()
    stream = torch.cuda.current_stream(remote.device)
    starts, sizes = zip(*pinned.split(host.numel(), workers), strict=True)
    # Made before: the thread that queues the copies is what keeps the GPU waiting.
    parts = dict(zip(starts, remote.split(sizes), strict=True))
    length = max(sizes)

    def send(buffer: StagingBuffer, start: int, size: int) -> None:
        parts[start].copy_(buffer.memory if size == length else buffer.memory[:size], non_blocking=True)
        buffer.event.record(stream)

    def fetch(buffer: StagingBuffer, start: int, size: int) -> None:
        memory = buffer.memory if size == length else buffer.memory[:size]
        memory.copy_(parts[start], non_blocking=True)
        buffer.event.record(stream)

    with torch.cuda.device(remote.device):
        if upward:
            pinned.upload(host.numpy(), workers, _staging_buffer, send, stream.synchronize)
        else:
            pinned.download(host.numpy(), workers, _staging_buffer, fetch, stream.synchronize)
    return result


def _upload_workers() -> pinned.Workers:
    """Return PyTorch's own threads, unless it may use no more than there would be of Python's.

    Not for the way back: PyTorch's threads all at once are slow at memory that has never been touched.
    """
    workers, own = pinned.python_workers(), torch.get_num_threads()
    if own <= workers.threads:
        return workers
    unit = own << 12  # whole pages for each thread, which copies at half the speed otherwise
    largest = max((16 << 20) // unit, 1) * unit
    return pinned.Workers(threads=0, buffers=4, largest=largest, unit=unit, copy=_copy_with_all_cores)


def _copy_with_all_cores(target: Host, source: Host) -> None:
    torch.from_numpy(target).copy_(torch.from_numpy(source))


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.reshape(-1).view(torch.uint8)


def _host_empty(like: torch.Tensor) -> torch.Tensor:
    """Return memory of NumPy, which asks the system for huge pages, for a contiguous copy of a tensor."""
    return torch.from_numpy(np.empty(like.nbytes, dtype=np.uint8)).view(like.dtype).reshape(like.shape)


def _staging_buffer(size: int) -> StagingBuffer:
    memory = torch.empty(size, dtype=torch.uint8, device="cpu", pin_memory=True)
    return StagingBuffer(memory, memory.numpy(), torch.cuda.Event())


# -- DLPack -----------------------------------------------------------------------------------


def import_host(exporter: Any, copy: bool | None) -> torch.Tensor:
    """Take host memory by way of NumPy, which honours read-only memory and negative strides.

    PyTorch takes read-only memory as writable, and ends the process on a negative stride.
    """
    try:
        array = np.from_dlpack(exporter)
    except (RuntimeError, BufferError, TypeError) as error:
        return _import_unknown(exporter, copy, error)
    return from_ndarray(array, copy)


def _import_unknown(exporter: Any, copy: bool | None, error: Exception) -> torch.Tensor:
    """Take what NumPy cannot read, such as bfloat16; not what the producer refuses."""
    if isinstance(error, BufferError):
        raise error
    tensor = plain(from_dlpack(exporter))
    return tensor.clone() if copy else tensor


def import_device(exporter: Any, copy: bool | None, stream: int | None) -> torch.Tensor:
    """Take the memory of an accelerator; what may only be read, or has negative strides, is copied.

    The exchange without version comes first: a producer of read-only memory refuses it. PyTorch ends the process on
    a negative stride.
    """
    if min(getattr(exporter, "strides", None) or (), default=0) < 0:
        if copy is False:
            raise CopyRequiredError(
                "the memory has negative strides, so it must be copied; leave copy=False away"
            )
        exporter, copy = exporter.copy(), None
    try:
        capsule = exporter.__dlpack__(stream=stream)
    except BufferError:
        if copy is False:
            raise CopyRequiredError(
                "the memory is read-only, so it must be copied; leave copy=False away"
            ) from None
        capsule = exporter.__dlpack__(stream=stream, max_version=(1, 0), copy=True)
        copy = None
    tensor = plain(from_dlpack(capsule))
    return tensor.clone() if copy else tensor


def export(
    tensor: torch.Tensor,
    here: tuple[int, int],
    stream: Any,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:
    """Return a capsule of ``tensor``, which lies on the DLPack device ``here``."""
    tensor = tensor.resolve_conj().resolve_neg()
    if dl_device is not None and tuple(dl_device) != here:
        if copy is False or tuple(dl_device) != (1, 0):
            raise ExportError(
                f"the memory is on the DLPack device {here}; it cannot be handed out on {tuple(dl_device)}"
                + (" without a copy" if copy is False else "")
            )
        tensor, stream, copy = tensor.cpu(), None, None
    tensor = tensor.clone() if copy else tensor
    if tensor.device.type == "cpu":
        stream = None
    with _current(tensor.device):
        return tensor.__dlpack__(stream=stream, max_version=max_version)


def _current(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context in which a CUDA device is PyTorch's current one, from which alone it hands out memory."""
    return torch.cuda.device(device) if device.type == "cuda" else nullcontext()
