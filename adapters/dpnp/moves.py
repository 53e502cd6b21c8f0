"""Moves of dpnp's arrays: memory that SYCL allocated for a CPU is host memory, which NumPy reads in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._imports import dpnp


class HostMemory:
    """The memory of a dpnp array as NumPy's array interface describes it; keeps the array alive."""

    def __init__(self, native: Any) -> None:
        self.native = native
        usm = native.get_array()
        self.__array_interface__ = {
            "version": 3,
            "data": (usm._pointer, not usm.flags.writable),
            "shape": native.shape,
            "strides": native.strides,
            "typestr": native.dtype.str,
        }


def host_view(native: Any) -> np.ndarray[Any, Any]:
    """Return an ndarray over the memory of ``native`` once all work queued on it is done."""
    native.sycl_queue.wait()
    if not native.size:
        return np.empty(native.shape, dtype=native.dtype)
    return np.asarray(HostMemory(native))


def host_array(exporter: Any) -> np.ndarray[Any, Any] | None:
    """Return the array of ``exporter`` as NumPy reads it, ``None`` if its memory is not that of the host."""
    if type(exporter) is np.ndarray:
        return exporter
    try:
        return np.from_dlpack(exporter)  # not asked for its device first, which takes as long as this
    except RuntimeError:
        return None


def from_host_view(array: np.ndarray[Any, Any], queue: Any) -> Any:
    """Return a dpnp array over the memory of ``array``, ``None`` if it is not a view of such memory.

    Memory that NumPy allocated stays out: dpctl takes only pointers that SYCL knows as its own.
    """
    base = owner(array)
    if not isinstance(base, HostMemory) or base.native.sycl_queue != queue:
        return None
    size = array.dtype.itemsize
    if not array.flags.writeable or array.dtype != base.native.dtype or any(s % size for s in array.strides):
        return None
    memory = base.native.get_array().usm_data
    offset = (array.ctypes.data - memory._pointer) // size
    return dpnp.ndarray(array.shape, dtype=array.dtype, buffer=memory, strides=array.strides, offset=offset)


def owner(array: np.ndarray[Any, Any]) -> Any:
    """Return the object at the end of the chain of views that keeps the memory of ``array`` alive."""
    base: Any = array
    while True:
        if isinstance(base, np.ndarray):
            base = base.base
        elif isinstance(base, memoryview):
            base = base.obj
        elif isinstance(base, tuple):  # NumPy's pair of an exporter with ``__array_struct__`` and its capsule
            exporter = base[0]
            base = exporter.__array__() if hasattr(exporter, "__array__") else exporter
        else:
            return base


def on_queue(native: Any, queue: Any) -> Any:
    """Return ``native`` with the queue of its burn_array device; work queued on another one is waited for."""
    if native.sycl_queue == queue:
        return native
    native.sycl_queue.wait()
    return native.to_device(queue)


def dlpack_device(queue: Any) -> tuple[int, int]:
    """Return the DLPack type and id of the device of ``queue``."""
    kind, index = dpnp.empty(1, dtype=np.int8, sycl_queue=queue).__dlpack_device__()
    return int(kind), int(index)
