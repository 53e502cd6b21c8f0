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
"""Moves of at least this many bytes between ordinary host memory and CUDA go through page-locked memory."""


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """Return ``tensor`` as exactly a ``torch.Tensor``: dense, without gradient, no conjugation or negation pending."""
    tensor = tensor.detach()
    if type(tensor) is not torch.Tensor:
        tensor = tensor.as_subclass(torch.Tensor)
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    return tensor.resolve_conj().resolve_neg()


def is_lazy(tensor: torch.Tensor) -> bool:
    """Return whether a conjugation or negation is still to be done when the elements are read.

    PyTorch: ``__dlpack__`` refuses a conjugated tensor, but exports a negated one without its sign. The standard: a
    capsule has the values of the array. No upstream issue known
    (https://github.com/pytorch/pytorch/blob/v2.13.0/torch/_tensor.py), last seen in 2.13.0.
    """
    return tensor.is_conj() or tensor.is_neg()


# -- NumPy ------------------------------------------------------------------------------------


def host_view(tensor: torch.Tensor) -> Host:
    """Return a tensor in host memory as an ndarray on the same memory, read-only if its elements share memory."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype is torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(TO_NUMPY[torch.bfloat16])
    array: Host = tensor.numpy()
    if 0 in array.strides and array.size > 1:  # elements share memory, for example after broadcast_to
        array.flags.writeable = False
    return array


def is_shareable(array: Host) -> bool:
    """Return whether a tensor can share the memory of ``array``."""
    flags = array.flags
    return (
        flags.writeable
        and flags.aligned
        and all(stride >= 0 and stride % array.itemsize == 0 for stride in array.strides)
    )


def from_ndarray(array: Host, copy: bool | None) -> torch.Tensor:
    """Return an ndarray as a tensor in host memory, which shares its memory unless ``copy`` is true.

    With ``copy=None`` it is copied if a tensor cannot share its memory.

    Raises
    ------
    CopyRequiredError
        for ``copy=False`` if a tensor cannot share its memory
    """
    shareable = is_shareable(array)
    if copy is False and not shareable:
        reason = "is read-only" if not array.flags.writeable else "has strides that PyTorch does not take"
        raise CopyRequiredError(f"the memory {reason}, so it must be copied; leave copy=False away")
    if copy or not shareable:
        array = np.array(array, order="C")
    if TO_TORCH[array.dtype] is torch.bfloat16:  # which NumPy cannot export
        return from_dlpack(array.view(np.int16).__dlpack__()).view(torch.bfloat16)
    return from_dlpack(array.__dlpack__())


class _Unlocked:
    """The memory of a read-only array, for PyTorch, which takes only writable arrays, to read."""

    def __init__(self, array: Host) -> None:
        self.array = array
        pointer, _ = array.__array_interface__["data"]
        self.__array_interface__ = {**array.__array_interface__, "data": (pointer, False)}


def readable(array: Host) -> torch.Tensor:
    """Return an ndarray as a tensor that must not be written to; it is copied only if it is not row-major."""
    name = array.dtype.name
    array = array if array.flags.c_contiguous and min(array.strides, default=0) >= 0 else array.copy()
    array = array.view(np.int16) if name == "bfloat16" else array
    if not array.flags.writeable and array.size:
        array = np.asarray(_Unlocked(array))
    tensor = torch.from_numpy(array if array.flags.writeable else array.copy())
    return tensor.view(torch.bfloat16) if name == "bfloat16" else tensor


# -- accelerators -----------------------------------------------------------------------------


def to_device(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Return a tensor on another device; large ones go through page-locked memory, which is faster."""
    kinds = {tensor.device.type, device.type}
    if kinds == {"cpu", "cuda"} and tensor.nbytes >= STAGED and not _is_pinned(tensor):
        return _staged(tensor.contiguous(), device)
    return tensor.to(device)


def _is_pinned(tensor: torch.Tensor) -> bool:
    return tensor.device.type == "cpu" and tensor.is_pinned()


def _staged(source: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Return a contiguous tensor, copied between host memory and CUDA through page-locked buffers."""
    upward = device.type == "cuda"
    result = torch.empty(source.shape, dtype=source.dtype, device=device) if upward else _host_empty(source)
    host, remote = (_bytes(x) for x in ((source, result) if upward else (result, source)))
    workers = _upload_workers() if upward else pinned.python_workers()
    stream = torch.cuda.current_stream(remote.device)
    starts, sizes = zip(*pinned.split(host.numel(), workers), strict=True)
    # Made before the copies start, because the thread that queues them must not keep the GPU waiting.
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
    """Return the workers that copy to the GPU: PyTorch's own threads if it has more of them than Python's workers.

    Downloads use Python's workers: PyTorch's threads together are slow in memory that has never been touched.
    """
    workers, own = pinned.python_workers(), torch.get_num_threads()
    if own <= workers.threads:
        return workers
    unit = own << 12  # whole pages for each thread: otherwise it copies at half the speed
    largest = max((16 << 20) // unit, 1) * unit
    return pinned.Workers(threads=0, buffers=4, largest=largest, unit=unit, copy=_copy_with_all_cores)


def _copy_with_all_cores(target: Host, source: Host) -> None:
    torch.from_numpy(target).copy_(torch.from_numpy(source))


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.reshape(-1).view(torch.uint8)


def _host_empty(like: torch.Tensor) -> torch.Tensor:
    """Return an empty contiguous tensor like ``like``, in memory from NumPy, which asks the system for huge pages."""
    return torch.from_numpy(np.empty(like.nbytes, dtype=np.uint8)).view(like.dtype).reshape(like.shape)


def _staging_buffer(size: int) -> StagingBuffer:
    memory = torch.empty(size, dtype=torch.uint8, device="cpu", pin_memory=True)
    return StagingBuffer(memory, memory.numpy(), torch.cuda.Event())


# -- DLPack -----------------------------------------------------------------------------------


def import_host(exporter: Any, copy: bool | None) -> torch.Tensor:
    """Return host memory as a tensor, imported by NumPy.

    PyTorch makes read-only memory writable, and ends the process on a negative stride; the standard asks for a copy or
    a ``BufferError``.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.from_dlpack.html), last seen in
    2.13.0.
    """
    try:
        array = exporter if type(exporter) is np.ndarray else np.from_dlpack(exporter)
    except (RuntimeError, BufferError, TypeError) as error:
        return _import_unknown(exporter, copy, error)
    return from_ndarray(array, copy)


def _import_unknown(exporter: Any, copy: bool | None, error: Exception) -> torch.Tensor:
    """Return memory that NumPy cannot read, for example bfloat16; raise again if the exporter itself refused."""
    if isinstance(error, BufferError):
        raise error
    tensor = plain(from_dlpack(exporter))
    return tensor.clone() if copy else tensor


def import_device(exporter: Any, copy: bool | None, stream: int | None) -> torch.Tensor:
    """Return memory of an accelerator as a tensor, copied if it is read-only or has negative strides.

    PyTorch ends the process on a negative stride. A capsule without a version is asked for first, because an exporter
    of read-only memory refuses to make one.

    Raises
    ------
    CopyRequiredError
        for ``copy=False`` if the memory must be copied
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
    here: tuple[int, int] | None,
    stream: Any,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:
    """Return a DLPack capsule of ``tensor``, whose memory is on the DLPack device ``here``.

    PyTorch raises no ``BufferError`` for a device that it cannot reach; the standard asks for one.

    https://github.com/pytorch/pytorch/issues/194267, last seen in 2.13.0.

    Raises
    ------
    ExportError
        for a ``dl_device`` that cannot read the memory, and for ``copy=False`` if the tensor is conjugated or negated
        lazily
    """
    if copy is False and is_lazy(tensor):
        raise ExportError("the tensor is conjugated or negated lazily, so it must be copied")
    tensor = tensor.resolve_conj().resolve_neg()
    if dl_device is not None and tuple(dl_device) != here:
        if copy is False or tuple(dl_device) != (1, 0):
            raise ExportError(
                f"the memory is on the DLPack device {here}; it cannot be exported to {tuple(dl_device)}"
                + (" without a copy" if copy is False else "")
            )
        tensor, stream, copy = tensor.cpu(), None, None
    tensor = tensor.clone() if copy else tensor
    if tensor.device.type == "cpu":
        stream = None
    with _current(tensor.device):
        return tensor.__dlpack__(stream=stream, max_version=max_version)


def _current(device: torch.device) -> AbstractContextManager[Any]:
    """Return a context that makes a CUDA device PyTorch's current one; it exports memory of the current one only."""
    return torch.cuda.device(device) if device.type == "cuda" else nullcontext()
