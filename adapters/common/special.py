"""The extension ``special`` for adapters: functions of the library itself, or of SciPy for arrays in host memory.

Mix :class:`SpecialFunctions` in before ``Adapter``. Then set ``special_library`` to the name of a module of special
functions that take native arrays (``"scipy.special"``), or put single functions into ``special_own``.
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
"""Functions along an axis, always computed by the formula: it is as exact, and its signature is the same everywhere."""
_HALF = frozenset(("float16", "bfloat16"))


class SpecialFunctions(Adapter):
    """The extension ``special`` of an adapter."""

    special_library: ClassVar[str] = ""
    """Name of a module like ``scipy.special`` whose functions take native arrays."""
    special_own: ClassVar[Mapping[str, Function]] = {}
    """Functions of native arrays, by name, that are exact to full precision."""
    special_rough: ClassVar[Mapping[str, Function]] = {}
    """Functions of native arrays, by name, that are less exact than SciPy's; used on devices that SciPy cannot read."""

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
        way = "SciPy has it: pip install scipy" if self.is_host else "move the array to 'numpy'"
        raise NotSupportedError(f"{name} is not available on {self}: the library does not have it; {way}")


def _of_module(module: str, name: str, device: str) -> Function | None:
    """Return the function ``special.name`` of a module, or ``None`` if there is none."""
    function = name.partition(".")[2]
    if function in FORMULAS_ONLY:
        return None
    try:
        return getattr(import_module(module), function, None)
    except ImportError:
        return None


def _scipy(function: str) -> Function | None:
    """Return the function of ``scipy.special``, or ``None`` if SciPy or the function is missing."""
    return _of_module("scipy.special", f"special.{function}", "")


def all_dtypes(function: Function, adapter: Adapter) -> Function:
    """Return ``function``, one of SciPy or like it, such that each dtype gives the same dtype on every device.

    * float16 and bfloat16 are computed in float32 and cast back.
    * float32 beside a Python int stays float32, where SciPy returns float64.
    * Integers of fewer than 32 bits give float64, where SciPy returns float32 for some.
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
    """Return a function of NumPy arrays as a function of native arrays whose memory NumPy can read."""

    def shared(*operands: Any) -> Any:
        views = [adapter.to_host(x) if type(x) is adapter.array_type else x for x in operands]
        return adapter.from_host(np.asarray(function(*views)), None)

    return all_dtypes(shared, adapter)
