"""The methods of :class:`Array` that copy it, pickle it or hand it to other libraries."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, ArgumentTypeError, BurnArrayError, ExportError, HostAccessError, explain
from .device import device
from .namespace import namespace
from .records import ArrayRecord

if TYPE_CHECKING:
    from .array import Array


class NoInterfaceError(HostAccessError, AttributeError):
    """The array cannot be described by an attribute such as ``__array_interface__``.

    It is an ``AttributeError`` too, so that ``hasattr`` returns ``False`` and other libraries try another way.
    """


REVISIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


class Interchange(ArrayRecord):
    """The methods of an array that copy it, pickle it, or hand it to other libraries."""

    __slots__ = ()

    def __array_namespace__(self: Any, /, *, api_version: str | None = None) -> ModuleType:
        """Return the namespace of the array: the module ``burn_array``."""
        if api_version is not None and api_version not in REVISIONS:
            raise ArgumentError(
                f"__array_namespace__: unknown revision {api_version!r}; there are {', '.join(REVISIONS)}"
            )
        return namespace()

    @property
    def native(self: Any) -> Any:
        """The array of the library, such as a ``torch.Tensor``, which shares the memory of this array.

        On a device that differentiates it is the value alone, without what was recorded.
        """
        return self._device.adapter.unwrapped(self._native)

    def __dlpack__(
        self: Any,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a DLPack capsule of the array, as the standard describes.

        ``stream`` is ``None`` wherever the capsule is host memory. On CUDA and ROCm it may also be an integer that the
        standard allows: a stream of the consumer, which then waits for the work queued on the array, or -1 for no wait.
        """
        if stream is not None:
            _check_stream(self.__dlpack_device__() if dl_device is None else dl_device, stream)
        if max_version is not None and not isinstance(max_version, tuple):
            raise ArgumentTypeError(
                f"__dlpack__: max_version must be a tuple of two integers, got {max_version!r}"
            )
        if copy not in (None, True, False):
            raise ArgumentError(f"__dlpack__: copy must be True, False or None, got {copy!r}")
        try:
            return self._device.adapter.dlpack(self._native, stream, max_version, dl_device, copy)
        except Exception as error:
            raise explain(
                "__dlpack__", error, [f"{self.dtype}{list(self.shape)}"], self._device.adapter
            ) from error

    def __dlpack_device__(self: Any, /) -> tuple[int, int]:
        """Return the DLPack device type and id under which ``__dlpack__`` exports.

        Raises
        ------
        ExportError
            If the device exports nothing by DLPack.
        """
        exported = self._device.adapter.export_device
        if exported is None:
            raise ExportError(
                f"__dlpack_device__: no other library can reach the memory of {self.device}; "
                f"move the array to one that can, such as x.to_device('numpy')"
            )
        return exported

    def __array__(self: Any, /, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """Return an ndarray for ``numpy.asarray(x)``: a view of host memory, or else ``HostAccessError``."""
        return np.asarray(self._host_memory("__array__"), dtype=dtype, copy=copy)

    @property
    def __array_interface__(self: Any) -> dict[str, Any]:
        """The description of the memory that libraries such as Pillow read, where the host can reach it."""
        memory = self._described("__array_interface__")
        # With strides, Pillow copies by tobytes; without them it asks for a buffer, which needs Python 3.12.
        return memory.__array_interface__ | {"strides": memory.strides}

    @property
    def __array_struct__(self: Any) -> Any:
        """The same description in C, which keeps the memory alive; NumPy prefers it to ``__array_interface__``."""
        return self._described("__array_struct__").__array_struct__

    @property
    def flags(self: Any) -> Any:
        """How the memory lies, as ``numpy.ndarray.flags`` tells it, where the host can reach it.

        Consumers of ``__array_interface__`` such as XGBoost ask for it.
        """
        return self._described("flags").flags

    def __arrow_array__(self: Any, /, type: Any = None) -> Any:
        """Return the array for ``pyarrow.array``; as for an ndarray, it must have one dimension."""
        memory = self._host_memory("__arrow_array__")
        import pyarrow

        return pyarrow.array(memory, type=type)

    def tobytes(self: Any, /, order: str | None = "C") -> bytes:
        """Return a copy of the memory as bytes.

        Parameters
        ----------
        order : {"C", "F", "A"}, optional
            The order of the elements: row by row, column by column, or ``"F"`` for an array that is stored so
            and ``"C"`` for any other.

        Raises
        ------
        ArgumentError
            If ``order`` is anything else.
        HostAccessError
            If the host cannot read the memory.
        """
        if order not in ("C", "F", "A", None):
            raise ArgumentError(f"tobytes: order must be 'C', 'F', 'A' or None, got {order!r:.60}")
        return self._host_memory("tobytes").tobytes(order)

    def _host_memory(self: Any, function: str) -> np.ndarray[Any, Any]:
        """Return an ndarray that shares the memory of the array.

        Raises
        ------
        HostAccessError
            If the host cannot read the memory.
        """
        adapter = self._device.adapter
        if not adapter.is_host:
            raise HostAccessError(
                f"{function}: the array is on {self.device}, which NumPy cannot read; "
                f"move it first: x.to_device('numpy')"
            )
        return adapter.to_host(self._native)

    def _described(self: Any, name: str) -> np.ndarray[Any, Any]:
        """Return an ndarray that shares the memory and whose dtype the attribute ``name`` can express.

        Raises
        ------
        NoInterfaceError
            If there is none.
        """
        try:
            memory = self._host_memory(name)
        except BurnArrayError as error:
            raise NoInterfaceError(str(error)) from error
        if memory.dtype.kind == "V":
            raise NoInterfaceError(f"{name}: it cannot express {memory.dtype}; use numpy.asarray(x)")
        return memory

    def __copy__(self: Any, /) -> Array:
        """Return an independent copy, for ``copy.copy``."""
        return type(self)(self._device.function("copy")(self._native), self._device)

    def __deepcopy__(self: Any, memo: object, /) -> Array:
        """Return an independent copy, for ``copy.deepcopy``; the copy of a parameter is a parameter."""
        adapter = self._device.adapter
        if not adapter.requires_grad(self._native):
            return self.__copy__()
        return type(self)(
            self._device.function("copy")(adapter.detach(self._native)), self._device
        ).require_grad()

    def __reduce__(self: Any, /) -> tuple[Any, ...]:
        """Return what ``pickle`` stores: the values, or on a lazy device their graph, and the string of the device."""
        committed = self._device is self._device.committed
        return restored, (self._device.adapter.stored(self._native), str(self._device), committed)


_HOSTS = (1, 3, 11)
"""DLPack device types of host memory: ordinary, and page-locked by CUDA or by ROCm."""
_NO_STREAM: dict[int, tuple[int, ...]] = {2: (0,), 10: (1, 2)}
"""Integers that name no stream, by DLPack device type: of CUDA (2) and of ROCm (10)."""


def _check_stream(exported: tuple[int, int], stream: Any) -> None:
    """Raise ``ArgumentError`` for a ``stream`` that the standard rules out for the DLPack device of the capsule.

    The standard settles streams of the host, CUDA and ROCm; the libraries of other devices check their own.
    """
    kind = int(exported[0])
    if kind in _HOSTS:
        raise ArgumentError(f"__dlpack__: host memory has no streams, so stream must be None, got {stream!r}")
    if kind not in _NO_STREAM:
        return
    if not isinstance(stream, int) or isinstance(stream, bool):
        raise ArgumentError(
            f"__dlpack__: stream must be an integer (the pointer of a stream) or None, got {stream!r}"
        )
    if stream in _NO_STREAM[kind] or stream < -1:
        allowed = "-1, 1, 2 or the pointer of a stream" if kind == 2 else "-1, 0 or the pointer of a stream"
        raise ArgumentError(f"__dlpack__: no stream has the number {stream} here; give None, {allowed}")


def restored(values: Any, name: str, committed: bool) -> Array:
    """Return the array that a pickle holds, from its values or graph, the string of its device, and whether it was committed."""
    at = device(name) if committed else device(name).uncommitted
    return namespace().Array(at.adapter.from_host(values, None), at)
