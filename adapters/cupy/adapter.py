"""The adapter of CuPy, for the GPUs of NVIDIA (CUDA) and AMD (ROCm).

It repairs the functions of CuPy that deviate from the standard, or from NumPy where the standard leaves a result open.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import cupy
import numpy as np

from burn_array.adapter import Adapter
from burn_array.errors import CopyRequiredError, DeviceNotFoundError, OutOfMemoryError

from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import DTYPES
from . import moves as moves
from .creation_functions import CreationFunctions
from .data_type_functions import DataTypeFunctions
from .elementwise_functions import ElementwiseFunctions
from .fft import FourierExtension
from .indexing import IndexingFunctions
from .linalg import LinearAlgebraFunctions
from .manipulation_functions import ManipulationFunctions
from .programs import ProgramExtension
from .random import RandomExtension
from .searching_functions import SearchingFunctions
from .set_functions import SetFunctions
from .sorting_functions import SortingFunctions
from .special import SpecialExtension
from .statistical_functions import StatisticalFunctions
from .utility_functions import UtilityFunctions

_CUDA, _ROCM = 2, 10
"""The numbers of these device types in DLPack."""


@cache
def _count() -> tuple[int, str]:
    """Return the number of GPUs, and the reason if there is none."""
    try:
        return int(cupy.cuda.runtime.getDeviceCount()), "the driver reports none"
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return 0, str(error)


def _advice(reason: str) -> str:
    """Return the end of an error text: how to make a GPU available."""
    if "insufficient" in reason.lower():
        return (
            f"; update the driver of the GPU, or install a CuPy for an older CUDA "
            f"(this CuPy needs CUDA {cupy.cuda.runtime.runtimeGetVersion()})"
        )
    return (
        "; check that nvidia-smi (or rocm-smi) lists the GPU and that CUDA_VISIBLE_DEVICES does not hide it"
    )


class CupyAdapter(
    CreationFunctions,
    DataTypeFunctions,
    ElementwiseFunctions,
    IndexingFunctions,
    ManipulationFunctions,
    SearchingFunctions,
    SetFunctions,
    SortingFunctions,
    StatisticalFunctions,
    UtilityFunctions,
    LinearAlgebraFunctions,
    FourierExtension,
    RandomExtension,
    SpecialExtension,
    ProgramExtension,
    Adapter,
):
    """One GPU of CuPy, such as ``cupy:0`` or ``cupy:1``; ``cupy`` is the first GPU.

    Work is queued on CuPy's current stream of this GPU, and memory comes from CuPy's pool. If there are several GPUs,
    every function makes the GPU of its arrays the current one while it runs.
    """

    name: ClassVar[str] = "cupy"
    extra: ClassVar[str] = "cupy"
    library = cupy
    array_type = cupy.ndarray
    any_bounds = True
    is_host = False
    dtypes = DTYPES
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]
    errors = (("out of memory|alloc_failed|negative value to size_t", OutOfMemoryError), *NUMPY_ERRORS)

    def __init__(self, suffix: str) -> None:
        count, reason = _count()
        if not count:
            raise DeviceNotFoundError(
                f"{self.name}:{suffix or 0}: CuPy finds no GPU here ({reason}){_advice(reason)}; or use another "
                f"device, such as numpy"
            )
        suffix = suffix or "0"
        if suffix not in self.present():
            raise self.absent(suffix)
        super().__init__(suffix)
        self.native_device = int(suffix)
        self._kind = _ROCM if cupy.cuda.runtime.is_hip else _CUDA
        self.dlpack_device = (self._kind, self.native_device)

    # -- devices and values -------------------------------------------------------------------

    @classmethod
    def present(cls) -> list[str]:
        return [str(index) for index in range(_count()[0])]

    @classmethod
    def versions(cls) -> dict[str, str]:
        runtime = cupy.cuda.runtime
        found = {"cupy": cupy.__version__}
        if _count()[0]:
            found["ROCm" if runtime.is_hip else "CUDA runtime"] = str(runtime.runtimeGetVersion())
            found["GPU driver"] = str(runtime.driverGetVersion())
        return found

    @classmethod
    def suffix_of(cls, native: Any) -> str:
        return str(native.device.id)

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        return str(value.id) if isinstance(value, cupy.cuda.Device) else None

    def adopt(self, value: Any) -> Any:
        with self._current():
            return cupy.asarray(value)

    def item(self, native: Any) -> Any:
        with self._current():
            return native.item()

    def synchronize(self) -> None:
        self._current().synchronize()

    def _current(self) -> Any:
        """Return a context in which this GPU is the current one."""
        return cupy.cuda.Device(self.native_device)

    def guard(self) -> Any:
        return self._current() if _count()[0] > 1 else None

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        """Return the function of this name. If there are several GPUs, it runs on this GPU, whichever is current."""
        function = super().find(name)
        return self._here(function) if _count()[0] > 1 else function

    def _here(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that makes this GPU the current one while it runs."""
        index = self.native_device
        get_device, use = cupy.cuda.runtime.getDevice, cupy.cuda.Device(index)

        def run(*args: Any, **kwargs: Any) -> Any:
            if get_device() == index:
                return function(*args, **kwargs)
            with use:
                return function(*args, **kwargs)

        return run

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        with self._current():
            return moves.download(native)

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        if copy is False:
            raise CopyRequiredError(f"host memory must be copied to {self}; leave copy=False away")
        with self._current():
            return moves.upload(array)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        with self._current():
            native = exporter if type(exporter) is cupy.ndarray else cupy.from_dlpack(exporter)
            return native.copy() if copy else native

    def dlpack(
        self,
        native: Any,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        with self._current():
            return moves.export(native, stream, max_version, dl_device, copy)

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> Any:
        if not isinstance(source, CupyAdapter):
            return None
        if source.native_device == self.native_device:
            with self._current():
                return native.copy() if copy else native
        if copy is False:
            raise CopyRequiredError(f"{source} and {self} share no memory, so copy=False cannot be met")
        return moves.to_gpu(native, self.native_device)

    def deliver(self, native: Any, target: Adapter, copy: bool | None) -> Any:
        """Return ``native`` as an array of another library, by DLPack.

        If the target is another GPU, CuPy first copies the array there, which needs no memory of the host.
        """
        if target.dlpack_device is None:
            return None
        kind, index = target.dlpack_device
        apart = index != self.native_device
        if kind != self._kind or (apart and copy is False):
            return None
        near = moves.to_gpu(native, index) if apart else native
        with cupy.cuda.Device(index):  # the target waits for the current stream of this GPU
            return target.from_dlpack(near, None if apart else copy)
