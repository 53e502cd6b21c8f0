"""The devices of JAX. This module does not import JAX: listing devices must not switch on its 64-bit dtypes.

JAX is imported when a device is opened by its name, or when a listed device is used for the first time: the adapter
then becomes an instance of :class:`~burn_array.adapters.jax.functions.LoadedJaxAdapter`.
"""

from __future__ import annotations

import operator
import os
import re
import sys
from collections.abc import Callable, Mapping
from glob import glob
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from burn_array.adapter import Adapter, narrowing
from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    AxisError,
    DeviceNotFoundError,
    DTypeError,
    NotSupportedError,
    OutOfMemoryError,
    ShapeError,
)

from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import DTYPES

LEAST_VERSION = "0.6"
"""The oldest version of JAX that has what the adapter calls."""
_CUDA_PLUGINS = ("jax_cuda12_plugin", "jax_cuda13_plugin")
_PLACES = {"cpu": "cpu", "gpu": "gpu", "cuda": "gpu", "rocm": "gpu", "tpu": "tpu"}
"""What JAX calls a platform -> the place in the device string."""


class _TypeOfJax(type):
    """The class of a stand-in for a type of JAX: ``isinstance`` asks that type once JAX is imported.

    A class attribute that looks JAX up would do, but ``torch.compile`` cannot trace it.
    """

    def __instancecheck__(cls, instance: object) -> bool:
        jax = sys.modules.get("jax")
        return jax is not None and hasattr(jax, "Array") and isinstance(instance, cls.find(jax))

    def find(cls, jax: ModuleType) -> Any:
        """Return the type of JAX."""
        raise NotImplementedError


class _ArrayOfJax(metaclass=_TypeOfJax):
    """Stands for ``jax.Array``."""

    @classmethod
    def find(cls, jax: ModuleType) -> Any:
        return jax.Array


class _TracerOfJax(metaclass=_TypeOfJax):
    """Stands for ``jax.core.Tracer``."""

    @classmethod
    def find(cls, jax: ModuleType) -> Any:
        return jax.core.Tracer


class JaxDevice(Adapter):
    """One device of JAX: ``jax:cpu``, ``jax:gpu:0``, ``jax:tpu:0``; ``jax`` is the CPU.

    Arrays of JAX are immutable: an assignment to ``x[key]`` gives ``x`` a new array. Without 64-bit dtypes, if the
    environment variable ``JAX_ENABLE_X64`` is set to 0, the device is narrow.
    """

    name: ClassVar[str] = "jax"
    extra: ClassVar[str] = "jax"
    array_type: type = _ArrayOfJax
    foreign_types: tuple[type, ...] = (_TracerOfJax,)
    has_views = False
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]
    errors = (
        ("out of memory|resource_exhausted", OutOfMemoryError),
        (r"axis -?\d+ is out of bounds", AxisError),
        ("unsupported dtype|not well defined for complex|only real valued", DTypeError),
        ("unbound axis name|concrete values of integer type", ArgumentTypeError),
        ("must be unique|negative powers|inconsistent number of elements", ArgumentError),
        ("unknown axis size|integer modulo by zero|numbers? of dimensions|must have ndim", ShapeError),
        ("NonConcreteBooleanIndexError", ArrayIndexError),
        (
            "ConcretizationTypeError|TracerArrayConversionError|TracerIntegerConversionError",
            NotSupportedError,
        ),
        ("TracerBoolConversionError", NotSupportedError),
        ("does not accept dtype|must be an? (integer|float|inexact|boolean)|only accepts", DTypeError),
        *NUMPY_ERRORS,
    )

    def __init__(self, suffix: str) -> None:
        super().__init__(suffix or "cpu")
        self._check_library()
        self.is_host = self.suffix == "cpu"
        self.dlpack_device = (1, 0) if self.is_host else None
        if self.suffix not in self.present():
            raise self.absent(self.suffix)
        self._set_dtypes(_wide())

    def _check_library(self) -> None:
        """Raise ``DeviceNotFoundError`` if JAX is not installed, or too old for this adapter."""
        if not self.present():
            raise DeviceNotFoundError("JAX is not installed; install it with: pip install jax")
        have = self.versions().get("jax", LEAST_VERSION)
        if _numbers(have) < _numbers(LEAST_VERSION):
            raise DeviceNotFoundError(
                f"the devices of JAX need jax {LEAST_VERSION} or newer, and {have} is installed; "
                f"pip install --upgrade 'jax>={LEAST_VERSION}'"
            )

    def _set_dtypes(self, wide: bool) -> None:
        self.dtypes: Mapping[Any, Any] = {**DTYPES, **_bfloat16()}
        if wide:
            return
        self.dtypes = {dtype: native for dtype, native in self.dtypes.items() if dtype.name not in _WIDE}
        self.narrow = narrowing(self.dtypes)
        self.float_dtype, self.complex_dtype = np.dtype("float32"), np.dtype("complex64")
        self.int_dtype = self.index_dtype = np.dtype("int32")

    # -- what is there ------------------------------------------------------------------------

    @classmethod
    def present(cls) -> list[str]:
        jax = sys.modules.get("jax")
        if jax is not None and _backends_started(jax):
            return ["cpu", *(_suffix(device) for device in jax.devices() if device.platform != "cpu")]
        gpus = range(len(glob("/dev/nvidia[0-9]*"))) if any(map(find_spec, _CUDA_PLUGINS)) else ()
        return ["cpu", *(f"gpu:{index}" for index in gpus)] if find_spec("jax") else []

    @classmethod
    def versions(cls) -> dict[str, str]:
        found = {}
        for package in ("jax", "jaxlib"):
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
        return found

    @classmethod
    def suffix_of(cls, native: Any) -> str:
        devices = native.devices() if not isinstance(native, cls.foreign_types) else ()
        return _suffix(next(iter(devices))) if devices else _suffix(sys.modules["jax"].devices()[0])

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        return _suffix(value) if isinstance(value, sys.modules["jax"].Device) else None


_WIDE = ("int64", "uint64", "float64", "complex128")


def _bfloat16() -> dict[Any, Any]:
    """Return bfloat16 as an entry of ``dtypes``: ml_dtypes, which defines it for NumPy, comes with JAX."""
    try:
        import ml_dtypes
    except ImportError:
        return {}
    dtype = np.dtype(ml_dtypes.bfloat16)
    return {dtype: dtype}


def _wide() -> bool:
    """Return whether the environment lets JAX have 64-bit dtypes."""
    return os.environ.get("JAX_ENABLE_X64", "1").lower() in ("1", "true", "on", "yes", "y", "t")


def _numbers(version: str) -> list[int]:
    """Return the numbers that a version starts with, as ``[0, 10, 2]`` for ``"0.10.2rc1"``."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def _backends_started(jax: ModuleType) -> bool:
    """Return whether JAX has looked for its devices already; asking for them then changes nothing."""
    bridge = sys.modules.get("jax._src.xla_bridge")
    return bool(bridge is not None and bridge.backends_are_initialized())


def _suffix(device: Any) -> str:
    place = _PLACES.get(device.platform, device.platform)
    return place if place == "cpu" else f"{place}:{device.id}"


class JaxAdapter(JaxDevice):
    """A device of JAX before JAX is imported, which the first use of it does."""

    def open(self) -> None:
        """Import JAX, and switch its 64-bit dtypes on unless ``JAX_ENABLE_X64`` says otherwise."""
        from .functions import LoadedJaxAdapter

        adapter: Any = self
        adapter.__class__ = LoadedJaxAdapter
        adapter.load()

    def find(self, name: str) -> Callable[..., Any]:
        self.open()
        return self.find(name)

    def adopt(self, value: Any) -> Any:
        self.open()
        return self.adopt(value)

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        self.open()
        return self.from_host(array, copy)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        self.open()
        return self.from_dlpack(exporter, copy)
