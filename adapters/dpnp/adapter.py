"""The adapter of dpnp, for every SYCL device, also the CPU.

It repairs the functions of dpnp that deviate from the standard, or from NumPy where the standard leaves a result open.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import numpy as np

from burn_array.adapter import Adapter, narrowing, shares_memory
from burn_array.errors import (
    ArgumentError,
    CopyRequiredError,
    DeviceNotFoundError,
    DTypeError,
    OutOfMemoryError,
    ShapeError,
)

from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import DTYPES
from ..common.special import SpecialFunctions
from . import moves as moves
from ._imports import ALONE, OPENCL, alone, dpctl, dpnp, wake
from .creation_functions import CreationFunctions
from .elementwise_functions import ElementwiseFunctions
from .fft import FourierExtension
from .indexing import IndexingFunctions
from .linalg import LinearAlgebraFunctions
from .manipulation_functions import ManipulationFunctions
from .random import RandomExtension
from .searching_functions import SearchingFunctions
from .set_functions import SetFunctions
from .statistical_functions import StatisticalFunctions
from .utility_functions import UtilityFunctions

_WITHOUT = {"fp64": ("float64", "complex128"), "fp16": ("float16",)}
_IN_PLACE = {"add": dpnp.add, "subtract": dpnp.subtract, "multiply": dpnp.multiply, "divide": dpnp.divide}
"""Functions that can write their result into a floating operand. They check for overlapping operands themselves."""
_EXACT = 2**24
"""Larger integers may not be exact as floats, so ``in_place`` leaves them to the element-wise functions."""
_CPU = (1, 0)
"""The DLPack device of ordinary host memory."""


@cache
def _devices() -> dict[str, Any]:
    """Return the SYCL devices by suffix: ``cpu``, ``gpu:0``, ``gpu:1``, ...

    SYCL also lists devices on which no array can be made, such as a CPU under pocl: they have no USM allocations.
    """
    found: dict[str, Any] = {}
    for device in filter(lambda one: _has(one, "usm_device_allocations"), dpctl.get_devices()):
        kind = device.device_type.name
        index = sum(name.split(":")[0] == kind for name in found)
        found[kind if kind == "cpu" and not index else f"{kind}:{index}"] = device
    return found


class DpnpAdapter(
    CreationFunctions,
    ElementwiseFunctions,
    IndexingFunctions,
    ManipulationFunctions,
    SearchingFunctions,
    SetFunctions,
    StatisticalFunctions,
    UtilityFunctions,
    LinearAlgebraFunctions,
    FourierExtension,
    RandomExtension,
    SpecialFunctions,
    Adapter,
):
    """One SYCL device of dpnp, such as ``dpnp:cpu`` or ``dpnp:gpu:0``. All its arrays use one queue."""

    name: ClassVar[str] = "dpnp"
    extra: ClassVar[str] = "dpnp"
    library = dpnp
    array_type = dpnp.ndarray
    any_bounds = True
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]
    errors = (
        ("allocation failed|unable to allocate|out of memory|negative value to size_t", OutOfMemoryError),
        ("does not support input type|implementation (is )?(defined|available) for", DTypeError),
        ("size of the repeated axis|during gesv", ArgumentError),
        ("no attribute 'strides'", ShapeError),
        *NUMPY_ERRORS,
    )

    def __init__(self, suffix: str) -> None:
        device = self._find(suffix)
        super().__init__(self._suffix(device))
        self.native_device = dpctl.get_device_cached_queue(device)
        wake(self.native_device)
        lacking = [name for aspect, names in _WITHOUT.items() if not _has(device, aspect) for name in names]
        self.dtypes = {dtype: dtype for dtype in DTYPES if dtype.name not in lacking}
        if "float64" in lacking:
            self.float_dtype, self.complex_dtype = np.dtype("float32"), np.dtype("complex64")
        self.narrow = narrowing(self.dtypes)
        self.is_host = bool(device.is_cpu)
        self.dlpack_device = _CPU if self.is_host else moves.dlpack_device(self.native_device)

    def _find(self, suffix: str) -> Any:
        """Return the device for a suffix of burn_array, or for a selector of SYCL such as ``level_zero:gpu:1``."""
        known = _devices()
        if not known:
            raise DeviceNotFoundError(
                f"there is no SYCL device here (OpenCL runtime: {OPENCL}); for the CPU install intel-opencl-rt, "
                f"or point OCL_ICD_FILENAMES at libintelocl.so before dpnp is imported"
            )
        if suffix in known:
            return known[suffix]
        try:
            return dpctl.SyclDevice(suffix) if suffix else known[self.present()[0]]
        except (ValueError, dpctl.SyclDeviceCreationError):
            raise self.absent(suffix) from None

    # -- devices and values -------------------------------------------------------------------

    @classmethod
    def present(cls) -> list[str]:
        known = _devices()
        preferred = cls._suffix(dpctl.select_default_device()) if known else ""
        return sorted(known, key=lambda suffix: suffix != preferred)

    @classmethod
    def versions(cls) -> dict[str, str]:
        return {"dpnp": dpnp.__version__, "dpctl": dpctl.__version__, "OpenCL runtime": OPENCL}

    @classmethod
    def _suffix(cls, device: Any) -> str:
        return next((suffix for suffix, one in _devices().items() if one == device), device.filter_string)

    @classmethod
    def suffix_of(cls, native: Any) -> str:
        return cls._suffix(native.sycl_device)

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        device = getattr(value, "sycl_device", value)  # of a queue or of what ``x.device`` returns
        return cls._suffix(device) if isinstance(device, dpctl.SyclDevice) else None

    @alone
    def adopt(self, value: Any) -> Any:
        if type(value) is not dpnp.ndarray:
            return dpnp.asarray(value, sycl_queue=self.native_device)
        return moves.on_queue(value, self.native_device)

    @alone
    def item(self, native: Any) -> Any:
        return native.item()

    def synchronize(self) -> None:
        self.native_device.wait()

    def guard(self) -> Any:
        return ALONE

    def find(self, name: str) -> Callable[..., Any]:
        return alone(super().find(name))

    @alone
    def in_place(self, name: str, native: Any, other: Any) -> bool:
        if name == "pow" and type(other) in (int, float) and other == 2:
            name, other = "multiply", native
        function = _IN_PLACE.get(name)
        if function is None or native.dtype.char not in "fd":
            return False
        if type(other) is dpnp.ndarray and other.dtype != native.dtype:
            return False
        if type(other) is int and abs(other) > _EXACT:
            return False
        try:
            function(native, other, out=native)
        except ValueError:  # the shape does not fit
            return False
        return True

    def memory(self, native: Any) -> tuple[Any, Any]:
        array = native.get_array()
        return array.usm_data, array

    # -- moves --------------------------------------------------------------------------------

    @alone
    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        return moves.host_view(native) if self.is_host else dpnp.asnumpy(native)

    @alone
    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        shared = None if copy else moves.from_host_view(array, self.native_device)
        if shared is not None:
            return shared
        if copy is False:
            raise CopyRequiredError(
                f"{self} can share host memory only if SYCL allocated it, so copy=False cannot be met"
            )
        return dpnp.array(array, copy=True, order="C", sycl_queue=self.native_device)

    @alone
    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        if type(exporter) is dpnp.ndarray:
            native = self.adopt(exporter)
        else:
            array = moves.host_array(exporter)
            if array is not None:
                return self.from_host(array, copy)
            native = self.adopt(dpnp.from_dlpack(exporter))
        return dpnp.copy(native) if copy else native

    @alone
    def dlpack(
        self,
        native: Any,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        wanted = None if dl_device is None else tuple(map(int, dl_device))
        if wanted not in (None, _CPU, tuple(map(int, native.__dlpack_device__()))):
            raise BufferError(f"memory of {self} cannot be handed out as the DLPack device {wanted}")
        if self.is_host and wanted in (None, _CPU):
            view = moves.host_view(native)
            return view.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
        return native.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    @alone
    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> Any:
        if not isinstance(source, DpnpAdapter):
            return None
        if copy is False:
            raise CopyRequiredError(f"{source} and {self} share no memory, so copy=False cannot be met")
        return native.to_device(self.native_device)

    def deliver(self, native: Any, target: Adapter, copy: bool | None) -> Any:
        """Return ``native`` as an array of another library on the host, over the same memory.

        dpnp exports an array on a CPU as memory of SYCL (DLPack device type 14), which no library on the host takes. If
        host memory is asked for, with ``dl_device=(1, 0)``, it copies. By the standard ``copy=None`` copies only if
        this is needed, and the CPU can read the memory. Here NumPy makes a view of it.

        https://github.com/IntelPython/dpctl/issues/1240, last seen in 0.20.0. Canary: ``__dlpack__``.
        """
        if not self.is_host or not shares_memory(self.dlpack_device, target.dlpack_device):
            return None
        return target.from_host(self.to_host(native), copy)


def _has(device: Any, aspect: str) -> bool:
    return bool(getattr(device, f"has_aspect_{aspect}"))
