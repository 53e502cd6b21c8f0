"""Moves of dpnp's arrays. SYCL allocates host memory for a CPU, so NumPy reads these arrays in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._imports import dpnp


class HostMemory:
    """The memory of a dpnp array in the form of NumPy's array interface. It keeps the array alive."""

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
    """Wait until the queue of ``native`` has finished, and return an ndarray over its memory."""
    native.sycl_queue.wait()
    if not native.size:
        return np.empty(native.shape, dtype=native.dtype)
    return np.asarray(HostMemory(native))


def host_array(exporter: Any) -> np.ndarray[Any, Any] | None:
    """Return an ndarray over the memory of ``exporter``, or ``None`` if that is not host memory."""
    if type(exporter) is np.ndarray:
        return exporter
    try:
        return np.from_dlpack(exporter)  # asking for the device first would take as long as this call
    except RuntimeError:
        return None


def from_host_view(array: np.ndarray[Any, Any], queue: Any) -> Any:
    """Return a dpnp array over the memory of ``array``, or ``None`` if SYCL did not allocate this memory.

    dpctl takes no pointer to memory that NumPy allocated.
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
    """Return the object that owns the memory of ``array``: the last in its chain of views."""
    base: Any = array
    while True:
        if isinstance(base, np.ndarray):
            base = base.base
        elif isinstance(base, memoryview):
            base = base.obj
        elif isinstance(base, tuple):  # NumPy keeps an exporter with ``__array_struct__`` beside its capsule
            exporter = base[0]
            base = exporter.__array__() if hasattr(exporter, "__array__") else exporter
        else:
            return base


def on_queue(native: Any, queue: Any) -> Any:
    """Return ``native`` with the queue of its burn_array device, after the work on its own queue is done."""
    if native.sycl_queue == queue:
        return native
    native.sycl_queue.wait()
    return native.to_device(queue)


def dlpack_device(queue: Any) -> tuple[int, int]:
    """Return the DLPack type and id of the device of ``queue``."""
    kind, index = dpnp.empty(1, dtype=np.int8, sycl_queue=queue).__dlpack_device__()
    return int(kind), int(index)
