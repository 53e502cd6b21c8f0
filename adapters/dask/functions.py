"""The adapter of dask with dask imported: functions by page of the standard, moves, and computing."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import dask.array as da
import numpy as np

from burn_array.adapter import Adapter
from burn_array.errors import CopyRequiredError, DeviceNotFoundError, DTypeError, NotSupportedError

from ..common.special import FORMULAS_ONLY
from .adapter import DaskDevice
from .apply import inner_adapter
from .blocks import kind_of_blocks, of_host
from .computing import compute, note_started, persist, wait, with_known_shape
from .creation_functions import CreationFunctions
from .elementwise_functions import NAMES, ElementwiseFunctions, elementwise
from .fft import FourierExtension
from .indexing import IndexingFunctions, part
from .linalg import LinearAlgebraFunctions
from .manipulation_functions import ManipulationFunctions
from .random import RandomExtension
from .set_functions import SearchingFunctions, SetFunctions, SortingFunctions
from .statistical_functions import StatisticalFunctions, UtilityFunctions
from .views import refresh, replace, root_of

_LARGE = 64 * 2**20
"""Bytes of an ndarray from which on another way to dask is recommended."""
_OWN_OBJECTS = frozenset(("copy", "getitem", "setitem"))
"""Functions whose results are new objects already."""


class LoadedDaskAdapter(
    CreationFunctions,
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
    DaskDevice,
):
    """One device of dask, with dask imported."""

    library = da
    array_type = da.Array

    def load(self) -> None:
        """Check that dask has the array class that this adapter knows, and that the device of the blocks is there."""
        if da.Array.__module__ != "dask.array.core":
            raise DeviceNotFoundError(
                f"{self}: dask is set to another class of arrays, {da.Array.__module__}.Array; set dask.config "
                f"'array.query-planning' to False before dask is imported"
            )
        inner_adapter(self.native_device)

    def open(self) -> None:
        """Do nothing: dask is imported."""

    def find(self, name: str) -> Callable[..., Any]:
        own = getattr(type(self), name.replace(".", "_"), None)
        if own is None:
            own = self._of_blocks(name)
        if isinstance(own, partial) or name in _OWN_OBJECTS or name.startswith("random."):
            return own
        return _new_objects(own)

    def _of_blocks(self, name: str) -> Callable[..., Any]:
        """Return a function that is the blocks' own, block by block."""
        page, _, function = name.partition(".")
        is_special = page == "special" and function not in FORMULAS_ONLY
        if name in NAMES or is_special:
            inner_adapter(self.native_device).find(name)  # raises if the blocks lack it
            return partial(elementwise, name)
        raise NotSupportedError(
            f"{name} is not available on {self}: the adapter does not have it; move the array to 'numpy'"
        )

    # -- values -------------------------------------------------------------------------------

    def adopt(self, value: Any) -> Any:
        if not isinstance(value, da.Array):
            return of_host(np.asarray(value), self.native_device)
        meta = value._meta
        if type(meta) is not inner_adapter(kind_of_blocks(value)).array_type:
            raise DTypeError(f"the blocks of a dask array must be arrays of NumPy or CuPy, not {type(meta).__name__}")
        if meta.dtype not in self.dtypes:
            raise DTypeError(f"{meta.dtype} is not a dtype of {self}; convert the dask array with astype first")
        return with_known_shape(value)

    def item(self, native: Any) -> Any:
        return self._computed("item", native).item()

    def show(self, native: Any) -> str | None:
        return f"lazy, shape={native.shape}, dtype={native.dtype}, chunks={native.chunksize}"

    def memory(self, native: Any) -> tuple[Any, Any]:
        root = root_of(native)
        return root, root

    def _computed(self, function: str, native: Any) -> np.ndarray[Any, Any]:
        """Return the values as an ndarray."""
        (value,) = compute(function, [native])
        host: np.ndarray[Any, Any] = np.asarray(value.get() if hasattr(value, "get") else value)
        return host

    def persist(self, natives: Sequence[Any]) -> Sequence[Any]:
        """Start computing arrays in one pass; the same objects then refer to the computed blocks."""
        for native, started in zip(natives, persist(natives), strict=True):
            replace(native, started)
            note_started(native)
        for native in natives:
            refresh(native, part, list(natives))
        return natives

    def synchronize(self) -> None:
        """Wait for what ``persist`` started."""
        wait()

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        host = self._computed("to_host", native)
        # A single block may be part of the graph, whose values nobody may change.
        return host.copy() if native.npartitions == 1 else host

    def from_host(self, array: Any, copy: bool | None) -> Any:
        if isinstance(array, da.Array):
            return self.adopt(array)
        if copy is False:
            raise CopyRequiredError(f"{self} copies the memory of the host into its graph; leave copy=False away")
        if array.nbytes > _LARGE:
            warnings.warn(
                f"asarray copies {array.nbytes / 2**20:,.0f} MiB into the graph of a dask array; open the data by "
                f"dask.array.from_zarr or dask.array.from_array(memmap) and give asarray that array",
                RuntimeWarning,
                stacklevel=5,
            )
        return of_host(array, self.native_device)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        return self.from_host(np.from_dlpack(exporter), copy)

    def deliver(self, native: Any, target: Adapter, copy: bool | None) -> Any:
        if copy is False and not isinstance(target, DaskDevice):
            raise CopyRequiredError(f"{self} computes values into new memory, so copy=False cannot be met")
        return None

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> Any:
        if not isinstance(source, DaskDevice):
            return None
        adapter = inner_adapter(self.native_device)
        if copy is False:
            raise CopyRequiredError(f"{source} and {self} share no memory, so copy=False cannot be met")
        return native.map_blocks(_moved, self.native_device, dtype=native.dtype, meta=adapter.adopt(np.zeros(0)))

    def dlpack(
        self,
        native: Any,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        """Return a capsule of the computed values, which are new memory whatever ``copy`` says."""
        host = self.to_host(native)
        return host.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device)


def _moved(block: Any, kind: str) -> Any:
    """Return a block as an array of NumPy or CuPy."""
    host = block.get() if hasattr(block, "get") else block
    return inner_adapter(kind).from_host(host, None)


def _new_objects(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``function`` such that it never returns an operand itself, whose later changes the result must not see."""

    def wrapped(*args: Any, **settings: Any) -> Any:
        out = function(*args, **settings)
        if isinstance(out, da.Array):
            return out.copy() if _is_among(out, args) else out
        return tuple(one.copy() if _is_among(one, args) else one for one in out)

    return wrapped


def _is_among(out: Any, args: Any) -> bool:
    for one in args:
        if one is out or (isinstance(one, (list, tuple)) and any(part is out for part in one)):
            return True
    return False

