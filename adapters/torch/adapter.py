"""The adapter of PyTorch: devices, moves between them, and functions from the files of this folder.

Functions that need no override are looked up in ``array_api_compat.torch``. An override exists where neither it nor
PyTorch gives the answer of the standard (of NumPy, where the standard leaves it open), or where it would be slower. The
overrides are in one file for each page of the standard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import array_api_compat.torch
import numpy as np
import torch

from burn_array.adapter import Adapter, DType, narrowing, shares_memory
from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    AxisError,
    CopyRequiredError,
    DeviceNotFoundError,
    DTypeError,
    GradientError,
    OutOfMemoryError,
    ShapeError,
    UnsupportedDTypeError,
)

from . import moves as moves
from ._memory import is_same_view, share_memory
from .creation_functions import CreationFunctions
from .direct import tables
from .dtypes import (
    COMPLEX,
    FLOATS,
    HALF,
    NARROW,
    NATIVE_INTS,
    PROMOTED,
    TO_NUMPY,
    TO_TORCH,
    WIDE_UNSIGNED,
    fits,
    to_float32,
)
from .elementwise_functions import ElementwiseFunctions
from .fft import FourierExtension
from .indexing import IndexingFunctions
from .linalg import LinearAlgebraExtension, LinearAlgebraFunctions
from .manipulation_functions import ManipulationFunctions
from .programs import ProgramExtension
from .promoting import exact_divisor
from .random import RandomExtension
from .searching_functions import SearchingFunctions
from .set_functions import SetFunctions
from .sorting_functions import SortingFunctions
from .special import SpecialExtension
from .statistical_functions import StatisticalFunctions
from .utility_functions import UtilityFunctions

_DLPACK_TYPES = {"cpu": 1, "cuda": 2, "mps": 8, "xpu": 14}
_ROCM = 10

_IN_PLACE: dict[str, Callable[..., torch.Tensor]] = {
    "add": torch.Tensor.add_,
    "subtract": torch.Tensor.sub_,
    "multiply": torch.Tensor.mul_,
    "divide": torch.Tensor.div_,
    "pow": torch.Tensor.pow_,
}
"""Functions of floats that write their result into the first operand."""
_INTEGERS_IN_PLACE: dict[str, Callable[..., torch.Tensor]] = {
    "add": torch.Tensor.add_,
    "subtract": torch.Tensor.sub_,
    "multiply": torch.Tensor.mul_,
    "bitwise_and": torch.Tensor.bitwise_and_,
    "bitwise_or": torch.Tensor.bitwise_or_,
    "bitwise_xor": torch.Tensor.bitwise_xor_,
    "bitwise_left_shift": torch.Tensor.bitwise_left_shift_,
    "bitwise_right_shift": torch.Tensor.bitwise_right_shift_,
    "floor_divide": torch.Tensor.floor_divide_,
    "remainder": torch.Tensor.remainder_,
}
"""The same for integers, which are divided in place by numbers only, because an error for a 0 would come too late."""
_BOOLS_IN_PLACE = ("bitwise_and", "bitwise_or", "bitwise_xor")
_COMPLEX_IN_PLACE: dict[str, Callable[..., torch.Tensor]] = {
    "add": lambda a, b: torch.view_as_real(a).add_(torch.view_as_real(b)),
    "subtract": lambda a, b: torch.view_as_real(a).sub_(torch.view_as_real(b)),
    "multiply": torch.Tensor.mul_,
    "divide": torch.Tensor.div_,
}
"""The same for complex numbers, whose parts are added as in ``_complex.add``."""
_EXACT, _EXACT_IN_HALF = 2**24, 2**8
"""The largest integers up to which all are exact in float32 and in half precision."""


def _computes_differently(name: str, dtype: torch.dtype, number: Any) -> bool:
    """Return whether PyTorch's in-place method may give another result than the function ``name`` of the adapter."""
    if type(number) is not float:
        return type(number) is int and abs(number) > (_EXACT_IN_HALF if dtype in HALF else _EXACT)
    if name == "pow" and (abs(number) == 0.5 or (dtype is torch.float32 and to_float32(number) != number)):
        return True
    return dtype in HALF


def _other_method(name: str, dtype: torch.dtype, other: Any) -> Callable[..., torch.Tensor] | None:
    """Return the method that computes ``name`` in place for an array that holds no floats, or ``None``."""
    is_tensor = type(other) is torch.Tensor
    if dtype in NATIVE_INTS:
        if name in ("floor_divide", "remainder") and (is_tensor or not other):
            return None
        return (
            _INTEGERS_IN_PLACE.get(name) if is_tensor or (type(other) is int and fits(other, dtype)) else None
        )
    if dtype is torch.bool:
        return _INTEGERS_IN_PLACE[name] if is_tensor and name in _BOOLS_IN_PLACE else None
    if dtype not in COMPLEX:
        return None
    able = other.dtype is dtype if is_tensor else name in ("multiply", "divide") and abs(other) <= _EXACT
    return _COMPLEX_IN_PLACE.get(name) if able else None


def _is_promoted_alone(native: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether ``other`` is what PyTorch, as the adapter, converts to the dtype of ``native`` to compute."""
    return (
        native.dtype not in HALF
        and other.dtype not in WIDE_UNSIGNED
        and PROMOTED.get((native.dtype, other.dtype)) is native.dtype
    )


def _why_no_cuda() -> str:
    """Return why PyTorch finds no GPU of NVIDIA or AMD, and what to do about it."""
    if torch.version.cuda is None and torch.version.hip is None:
        return (
            f"PyTorch {torch.__version__} is built without CUDA; for a build that has it see "
            f"https://pytorch.org/get-started/locally"
        )
    try:
        torch.cuda.init()
    except Exception as error:  # no GPU, or no driver, or a driver that is too old
        return f"PyTorch says: {' '.join(str(error).split()):.300}"
    return "the driver lists no GPU; CUDA_VISIBLE_DEVICES may hide it"


class TorchAdapter(
    CreationFunctions,
    ElementwiseFunctions,
    IndexingFunctions,
    LinearAlgebraFunctions,
    LinearAlgebraExtension,
    FourierExtension,
    ManipulationFunctions,
    SearchingFunctions,
    SetFunctions,
    SortingFunctions,
    StatisticalFunctions,
    UtilityFunctions,
    SpecialExtension,
    RandomExtension,
    ProgramExtension,
    Adapter,
):
    """One device of PyTorch: ``torch:cpu``, ``torch:cuda:0``, ``torch:mps``, ``torch:xpu:0``."""

    name: ClassVar[str] = "torch"
    extra: ClassVar[str] = "torch"
    library = array_api_compat.torch
    array_type = torch.Tensor
    any_bounds = True
    native_device: torch.device
    dtypes = TO_TORCH
    errors = (
        ("out of memory|can't allocate memory|allocation failed|alloc_failed", OutOfMemoryError),
        ("size calculation overflowed|numel: integer multiplication overflow", OutOfMemoryError),
        ("low precision dtypes|dimensions of float, double|not implemented for '", DTypeError),
        ("of the mask", ArrayIndexError),
        ("must be tuple of ints|invalid combination of arguments|not found in tensor", ArgumentTypeError),
        ("multiple times|duplicate|does not match the length|destination", ArgumentError),
        ("shape|broadcast|mismatch|incompatible|inconsistent|must match|square|sizes provided", ShapeError),
        (
            "equal size|same (size|ndim|number of (dim|el))|at least (2|two|1|one)[- ]?d|no dimensions",
            ShapeError,
        ),
        ("dimension out of range", AxisError),
        ("invalid number of|non-?negative|not be negative|negative dim|have an identity", ArgumentError),
        (r"index -?\d+ is out of bounds", ArrayIndexError),
        (r"singular|positive[- ]definite|not supported\.$|^_LinAlgError", ArgumentError),
    )
    """Nearly every error of PyTorch is a ``RuntimeError``, so that its text must tell."""

    def __init__(self, suffix: str) -> None:
        present = self.present()
        canonical = f"{suffix}:0" if suffix in ("cuda", "xpu") else suffix or present[0]
        if canonical not in present:
            raise self.absent(suffix)
        super().__init__(canonical)
        self.native_device = torch.device(canonical)
        kind, index = self.native_device.type, self.native_device.index or 0
        self.is_host = kind == "cpu"
        self.dlpack_device = (_ROCM if kind == "cuda" and torch.version.hip else _DLPACK_TYPES[kind], index)
        self.dtypes = dict(TO_TORCH)
        if kind == "mps":
            self.dtypes = {dtype: native for dtype, native in TO_TORCH.items() if native not in NARROW}
            self.float_dtype, self.complex_dtype = np.dtype("float32"), np.dtype("complex64")
            self.narrow = narrowing(self.dtypes)
        self.direct = tables(type(self), self.dtypes.values())

    # -- devices and arrays -------------------------------------------------------------------

    @classmethod
    def present(cls) -> list[str]:
        found = [f"cuda:{i}" for i in range(torch.cuda.device_count())] if torch.cuda.is_available() else []
        found += [f"xpu:{i}" for i in range(torch.xpu.device_count())] if torch.xpu.is_available() else []
        found += ["mps"] if torch.backends.mps.is_available() else []
        return [*found, "cpu"]

    def absent(self, suffix: str) -> DeviceNotFoundError:
        missing = super().absent(suffix)
        has_cuda = any(present.startswith("cuda") for present in self.present())
        reason = _why_no_cuda() if suffix.startswith("cuda") and not has_cuda else ""
        return DeviceNotFoundError(f"{missing} ({reason})") if reason else missing

    @classmethod
    def versions(cls) -> dict[str, str]:
        runtime = {"cuda": torch.version.cuda, "rocm": torch.version.hip}
        return {"torch": torch.__version__} | {name: text for name, text in runtime.items() if text}

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        if not isinstance(value, torch.device):
            return None
        if value.type == "cuda" and value.index is None and torch.cuda.is_available():
            return f"cuda:{torch.cuda.current_device()}"
        return "cpu" if value.type == "cpu" else str(value)

    @classmethod
    def suffix_of(cls, native: torch.Tensor) -> str:
        device = native.device
        return f"{device.type}:{device.index or 0}" if device.type in ("cuda", "xpu") else device.type

    def dtype_of(self, native: torch.Tensor) -> DType:
        return TO_NUMPY[native.dtype]

    def shape_of(self, native: torch.Tensor) -> tuple[int, ...]:
        return tuple(native.shape)

    def adopt(self, value: Any) -> torch.Tensor:
        if not isinstance(value, torch.Tensor):
            return self.from_host(np.asarray(value), True)
        if value.requires_grad:
            raise GradientError("the tensor is part of PyTorch's own graph; take t.detach() to leave it")
        tensor = moves.plain(value)
        if tensor.dtype not in TO_NUMPY:
            raise UnsupportedDTypeError(
                f"{self} has no dtype {tensor.dtype}, because NumPy has none; convert the tensor first"
            )
        return tensor

    def synchronize(self) -> None:
        waiting: dict[str, Callable[..., None]] = {
            "cuda": torch.cuda.synchronize,
            "xpu": torch.xpu.synchronize,
        }
        if self.native_device.type in waiting:
            waiting[self.native_device.type](self.native_device)
        elif self.native_device.type == "mps":
            torch.mps.synchronize()

    item = staticmethod(torch.Tensor.item)  # type: ignore[assignment]

    def in_place(self, name: str, native: torch.Tensor, other: Any) -> bool:
        dtype = native.dtype
        method = _IN_PLACE.get(name) if dtype in FLOATS else _other_method(name, dtype, other)
        if method is None:
            return False
        if type(other) is torch.Tensor:
            if name == "pow" or (other.dtype is not dtype and not _is_promoted_alone(native, other)):
                return False
            if other is not native and share_memory(native, other) and not is_same_view(native, other):
                return False
        elif dtype in FLOATS:
            if _computes_differently(name, dtype, other):
                return False
            if name == "divide":
                other = exact_divisor(native, other)
        try:
            method(native, other)
        except RuntimeError:  # the shape does not fit, or elements of `native` share memory
            return False
        return True

    def memory(self, native: torch.Tensor) -> tuple[Any, Any]:
        owner = native if native._base is None else native._base
        return owner, owner

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: torch.Tensor) -> np.ndarray[Any, Any]:
        if self.is_host:
            return moves.host_view(native)
        return moves.host_view(moves.to_device(native, torch.device("cpu")))

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> torch.Tensor:
        if self.is_host:
            return moves.from_ndarray(array, copy)
        if copy is False:
            raise CopyRequiredError(f"host memory must be copied to {self}; leave copy=False away")
        return moves.to_device(moves.readable(array), self.native_device)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> torch.Tensor:
        if isinstance(exporter, torch.Tensor):
            tensor = self.adopt(exporter)
            return tensor.clone() if copy else tensor
        if self.is_host:
            return moves.import_host(exporter, copy)
        return moves.import_device(exporter, copy, self._stream())

    def _stream(self) -> int | None:
        """Return the current stream by DLPack's numbers: 1 is the default stream of CUDA, 0 that of ROCm."""
        if self.native_device.type != "cuda":
            return None
        stream = torch.cuda.current_stream(self.native_device).cuda_stream
        return stream or (0 if torch.version.hip else 1)

    def dlpack(
        self,
        native: torch.Tensor,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        return moves.export(native, self.dlpack_device, stream, max_version, dl_device, copy)

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> torch.Tensor | None:
        if not isinstance(source, TorchAdapter):
            return None
        if source.native_device == self.native_device:
            return native.clone() if copy else native
        if copy is False:
            raise CopyRequiredError(f"{source} and {self} share no memory; leave copy=False away")
        return moves.to_device(native, self.native_device)

    def deliver(self, native: Any, target: Adapter, copy: bool | None) -> Any:
        """Return ``native`` as an array of ``target`` if DLPack alone would not do, ``None`` otherwise.

        A lazily conjugated or negated tensor is written out first. To another GPU, PyTorch copies without the host;
        the target then shares the memory of the copy.
        """
        if shares_memory(target.dlpack_device, self.dlpack_device):
            return self._deliver_lazy(native, target, copy) if moves.is_lazy(native) else None
        if self.native_device.type != "cuda" or target.dlpack_device is None or self.dlpack_device is None:
            return None
        kind, index = target.dlpack_device
        if kind != self.dlpack_device[0] or copy is False:
            return None
        return target.from_dlpack(moves.to_device(native, torch.device("cuda", index)), None)

    def _deliver_lazy(self, native: torch.Tensor, target: Adapter, copy: bool | None) -> Any:
        if copy is False:
            raise CopyRequiredError(
                "the tensor is conjugated or negated lazily, so it must be copied; leave copy=False away"
            )
        tensor = native.resolve_conj().resolve_neg()
        return (
            target.from_host(moves.host_view(tensor), None)
            if self.is_host
            else target.from_dlpack(tensor, None)
        )
