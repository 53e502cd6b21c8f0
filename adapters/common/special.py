"""Special functions for adapters: from the library's own module of them, or from SciPy in the same memory.

Mix :class:`SpecialFunctions` in before ``Adapter`` and name the module of ufuncs that takes native values
(``special_library = "cupyx.scipy.special"``), or put single functions into ``special_own``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from burn_array.adapter import Adapter
from burn_array.errors import NotSupportedError

Function = Callable[..., Any]

FORMULAS_ONLY = frozenset(("logsumexp", "softmax", "log_softmax"))
"""Functions along an axis: the formula is as exact, and has one signature."""
_HALF = frozenset(("float16", "bfloat16"))


class SpecialFunctions(Adapter):
    """The extension ``special`` of an adapter."""

    special_library: ClassVar[str] = ""
    """A module like ``scipy.special`` whose functions take native values."""
    special_own: ClassVar[Mapping[str, Function]] = {}
    """Functions on native values that are right to full precision."""
    special_rough: ClassVar[Mapping[str, Function]] = {}
    """Functions on native values that are less exact than SciPy's; taken where SciPy cannot be."""

    def find(self, name: str) -> Function:
        page, _, function = name.partition(".")
        if page != "special" or hasattr(type(self), f"special_{function}"):
            return super().find(name)
        if function in self.special_own:
            return self.special_own[function]
        if self.special_library and (found := _of_module(self.special_library, name, str(self))):
            return all_dtypes(found, self)
        if self.is_host and not self.special_library and (found := _scipy(function)):
            return on_host(found, self)
        if function in self.special_rough:
            return self.special_rough[function]
        way = "SciPy has: pip install 'burn_array[special]'" if self.is_host else "move the array to 'numpy'"
        raise NotSupportedError(f"{name} is not available on {self}: the library does not have it; {way}")


def _of_module(module: str, name: str, device: str) -> Function | None:
    function = name.partition(".")[2]
    if function in FORMULAS_ONLY:
        return None
    try:
        return getattr(import_module(module), function, None)
    except ImportError:
        return None


def _scipy(function: str) -> Function | None:
    return _of_module("scipy.special", f"special.{function}", "")


def all_dtypes(function: Function, adapter: Adapter) -> Function:
    """Return a function of SciPy for every dtype.

    Half precision is computed in single precision and cast back; single precision, beside a Python int of which SciPy
    makes float64, is kept. Small integers, of which SciPy makes float32 or float64, become float64.
    """
    half = {native for dtype, native in adapter.dtypes.items() if dtype.name in _HALF}
    small = {native for dtype, native in adapter.dtypes.items() if dtype.kind in "biu" and dtype.itemsize < 4}
    floating = {native for dtype, native in adapter.dtypes.items() if dtype.kind in "fcV"}
    single = adapter.dtypes[np.dtype("float32")]
    astype = adapter.find("astype")

    def dtype_of(x: Any) -> Any:
        return getattr(x, "dtype", None)

    def convert(operands: tuple[Any, ...], of: Any, to: Any) -> list[Any]:
        return [astype(x, to, copy=True) if dtype_of(x) in of else x for x in operands]

    def wrapped(*operands: Any) -> Any:
        dtypes = {dtype_of(x) for x in operands} - {None}
        if dtypes & half:
            out = function(*convert(operands, half, single))
            return astype(adapter.adopt(out), dtypes.pop(), copy=True) if len(dtypes) == 1 else out
        if dtypes & small and not dtypes & floating:
            return function(*convert(operands, small, adapter.dtypes[np.dtype("int64")]))
        out = function(*operands)
        return astype(adapter.adopt(out), single, copy=False) if dtypes == {single} else out

    return wrapped


def on_host(function: Function, adapter: Adapter) -> Function:
    """Return a function of NumPy arrays as one of native values that lie in host memory."""

    def shared(*operands: Any) -> Any:
        views = [adapter.to_host(one) if type(one) is adapter.array_type else one for one in operands]
        return adapter.from_host(np.asarray(function(*views)), None)

    return all_dtypes(shared, adapter)
