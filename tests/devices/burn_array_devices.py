"""Three devices that need no hardware: without 64-bit dtypes, with immutable arrays, and with memory of its own.

Their arrays are those of array-api-strict, whose operators refuse whatever the standard leaves open. The values are
computed by the functions of NumPy's adapter.

==============================  =====================================================================================
``array_api_strict:narrow``     dtypes of at most 32 bits (complex: 64), which array-api-strict checks; host memory
``array_api_strict:immutable``  ``setitem`` returns a new array, and slices are values of their own; host memory
``array_api_strict:apart``      memory that the host reads and writes by copies alone; no special functions of its own
==============================  =====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_strict as strict
import numpy as np

import burn_array
from burn_array.adapter import Adapter, narrowing
from burn_array.errors import CopyRequiredError, NotSupportedError

NUMPY = burn_array.device("numpy").adapter
ARRAY = type(strict.zeros(0))
DTYPE = type(strict.float32)
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
TO_STRICT = {np.dtype(name): getattr(strict, name) for name in NAMES.split()}
TO_NUMPY = {theirs: dtype for dtype, theirs in TO_STRICT.items()}
WIDE = ("int64", "uint64", "float64", "complex128")
DEVICES = {
    "narrow": strict.Device("no_x64"),
    "immutable": strict.Device("CPU_DEVICE"),
    "apart": strict.Device("device1"),
}


def unwrapped(value: Any) -> Any:
    """Return an argument in the form in which NumPy's adapter takes it."""
    if type(value) is ARRAY:
        return value._array
    if type(value) is DTYPE:
        return TO_NUMPY[value]
    if type(value) in (list, tuple):
        return type(value)(map(unwrapped, value))
    return value


class StrictAdapter(Adapter):
    """One of the three devices."""

    name = "array_api_strict"
    library = strict
    array_type = ARRAY
    errors = NUMPY.errors

    def __init__(self, suffix: str) -> None:
        suffix = suffix or "narrow"
        if suffix not in DEVICES:
            raise self.absent(suffix)
        super().__init__(suffix)
        self.native_device = DEVICES[suffix]
        self.dtypes = dict(TO_STRICT)
        self.has_views = suffix != "immutable"
        self.is_host = suffix != "apart"
        if not self.is_host:
            self.dlpack_device, self.export_device = None, (1, 0)
        if suffix == "narrow":
            self.dtypes = {dtype: native for dtype, native in TO_STRICT.items() if dtype.name not in WIDE}
            self.narrow = narrowing(self.dtypes)
            self.float_dtype, self.complex_dtype = np.dtype("float32"), np.dtype("complex64")
            self.int_dtype = self.index_dtype = np.dtype("int32")

    @classmethod
    def present(cls) -> list[str]:
        return []  # so that programs over all devices, which tests run, do not meet these; tests name them

    @classmethod
    def suffix_of(cls, native: Any) -> str:
        return next((suffix for suffix, device in DEVICES.items() if device == native.device), "immutable")

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        return next((suffix for suffix, device in DEVICES.items() if device == value), None)

    # -- values -------------------------------------------------------------------------------

    def dtype_of(self, native: Any) -> np.dtype[Any]:
        return TO_NUMPY[native.dtype]

    def wrapped(self, value: Any) -> Any:
        """Return a result of NumPy's adapter as one of this device."""
        if isinstance(value, tuple):
            return tuple(map(self.wrapped, value))
        if not isinstance(value, np.ndarray | np.generic):
            return value
        array = np.asarray(value)
        dtype = self.narrow.get(array.dtype, np.dtype("float32") if array.dtype == "float16" else None)
        if dtype is not None:
            with np.errstate(over="ignore"):
                array = array.astype(dtype)
        if not self.has_views:
            array = array.view()
            array.flags.writeable = False
        return strict.asarray(array, device=self.native_device)

    def adopt(self, value: Any) -> Any:
        return value if type(value) is ARRAY else self.wrapped(np.asarray(value))

    def item(self, native: Any) -> Any:
        return native._array.item()

    def memory(self, native: Any) -> tuple[Any, Any]:
        return NUMPY.memory(native._array)

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        if name.startswith("special.") and not self.is_host:
            raise NotSupportedError(f"{name} is not available on {self}: it would be computed on the host")
        function = NUMPY.find(name)
        if name in ("random.generator", "random.get_state", "random.set_state"):
            return function

        def computed(*args: Any, **settings: Any) -> Any:
            settings = {key: unwrapped(value) for key, value in settings.items()}
            if "device" in settings:
                settings["device"] = NUMPY.native_device
            return self.wrapped(function(*map(unwrapped, args), **settings))

        def replaced(x: Any, key: Any, value: Any) -> Any:
            changed = np.array(x._array)
            function(changed, unwrapped(key), unwrapped(value))
            return self.wrapped(changed)

        return replaced if name == "setitem" and not self.has_views else computed

    def in_place(self, name: str, native: Any, other: Any) -> Any:
        if self.has_views:
            return NUMPY.in_place(name, native._array, unwrapped(other))
        changed = np.array(native._array)
        return self.wrapped(changed) if NUMPY.in_place(name, changed, unwrapped(other)) else False

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        values: np.ndarray[Any, Any] = native._array
        return values if self.is_host else values.copy()

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        shares = self.is_host and array.flags.writeable is self.has_views and not copy
        if copy is False and not shares:
            raise CopyRequiredError(f"{self} cannot share this memory of the host")
        return self.wrapped(array if shares else np.array(array, copy=True))

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        return self.from_host(NUMPY.from_dlpack(unwrapped(exporter), None), copy)

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> Any:
        return self.from_host(native._array, copy) if isinstance(source, StrictAdapter) else None

    def dlpack(
        self,
        native: Any,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        values = self.to_host(native)
        if not max_version and copy is not False:
            values = np.array(values, copy=True)  # only DLPack 1.0 says that memory is read-only
        return values.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
