"""The devices of dask. This module does not import dask, which takes half a second.

dask is imported when a device is opened by its name, or when a listed device is used for the first time: the adapter
then becomes an instance of :class:`~burn_array.adapters.dask.functions.LoadedDaskAdapter`.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from burn_array.adapter import Adapter
from burn_array.errors import ShapeError

from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import DTYPES

_BLOCKS = {"": "numpy", "cupy": "cupy"}
"""The suffix of the device -> the device of the blocks."""


class _NotImported:
    """No value is of this type, which stands for ``dask.array.Array`` while dask is not imported."""


class _ArrayType:
    """A class attribute that gives ``dask.array.Array``, or an empty type while dask is not imported."""

    def __get__(self, instance: object, owner: type) -> Any:
        module: ModuleType | None = sys.modules.get("dask.array")
        return getattr(module, "Array", _NotImported)


class DaskDevice(Adapter):
    """Chunked arrays: ``dask`` has blocks of NumPy, ``dask:cupy`` blocks of CuPy.

    What happens inside a block is a function of the adapter of NumPy or CuPy. Nothing is computed before a value is
    asked for; where it is computed, dask decides: by the current ``distributed.Client``, else by threads.
    """

    name: ClassVar[str] = "dask"
    extra: ClassVar[str] = "dask"
    array_type = _ArrayType()
    dlpack_device = None
    dtypes = DTYPES
    errors = (("do not add up|cannot be broadcast|chunks and shape", ShapeError), *NUMPY_ERRORS)
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]

    def __init__(self, suffix: str) -> None:
        super().__init__("" if suffix == "numpy" else suffix)
        self.export_device = (1, 0)
        if self.suffix not in self.present():
            raise self.absent(self.suffix)
        self.native_device = _BLOCKS[self.suffix]
        """The device of the blocks."""

    @classmethod
    def present(cls) -> list[str]:
        if find_spec("dask") is None:
            return []
        return ["", "cupy"] if find_spec("cupy") else [""]

    @classmethod
    def versions(cls) -> dict[str, str]:
        found = {}
        for package in ("dask", "distributed"):
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
        return found

    @classmethod
    def suffix_of(cls, native: Any) -> str:
        return "cupy" if type(native._meta).__module__.partition(".")[0] == "cupy" else ""

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        return None


class DaskAdapter(DaskDevice):
    """A device of dask before dask is imported, which the first use of it does."""

    def open(self) -> None:
        """Import dask."""
        from .functions import LoadedDaskAdapter

        adapter: Any = self
        adapter.__class__ = LoadedDaskAdapter
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
