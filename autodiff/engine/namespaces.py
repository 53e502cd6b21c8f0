"""The two namespaces in which derivative rules run.

Plain ``backward`` runs a rule on native values (``PlainNamespace``). With ``create_graph`` the same rule runs on
tracked arrays (``TrackingNamespace``). Both have the functions of the standard with their usual signatures, and a few
more, which ``rules`` lists.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import burn_array
from burn_array.adapter import Adapter

from .shape_dtype import ShapeDtype
from .tape import GraphValue

if TYPE_CHECKING:
    from burn_array import Array, Device

    from .tape import Node

_EXTENSIONS = ("linalg", "fft", "special")
_BEYOND = ("copy", "getitem", "scatter_add", "setitem", "solve_triangular")


def defaults(name: str) -> dict[str, Any]:
    """Return the keyword-only parameters of a function of the standard with their defaults."""
    if name in _BEYOND:
        return {}
    function: Any = burn_array
    for part in name.split("."):
        function = getattr(function, part)
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}


def _like(create: Callable[..., Any], x: Any, *fill: Any) -> Any:
    return create(x.shape, *fill, dtype=x.dtype)


def _conjugation(adapter: Adapter, real: frozenset[Any]) -> Callable[[Any], Any]:
    """Return ``conj`` for native values: a closure, since nearly every rule calls it."""
    array_type: Any = adapter.array_type
    default_dtype, conjugated = adapter.dtypes[adapter.float_dtype], adapter.find("conj")

    def conj(x: Any) -> Any:
        if type(x) is not array_type:
            return x.conjugate()
        dtype = x.dtype
        return x if dtype is default_dtype or dtype in real else conjugated(x)

    return conj


class PlainNamespace:
    """The functions of one adapter, for native values."""

    if TYPE_CHECKING:
        linalg: Any
        fft: Any
        special: Any

    def __init__(self, adapter: Adapter, prefix: str = "") -> None:
        self.adapter = adapter
        self._prefix = prefix
        self._array_type: Any = adapter.array_type
        self._plain_device = burn_array.device(str(adapter))
        self._real = frozenset(native for dtype, native in adapter.dtypes.items() if dtype.kind != "c")
        self.conj = _conjugation(adapter, self._real)
        """Returns the conjugate; a real array or number is returned as it is."""
        base = next((name for name in ("base", "_base") if hasattr(adapter.array_type, name)), "shape")
        self._base = attrgetter(base)
        """The array a view was made from. If the library does not tell, any array: then all count as views."""
        self._bool = adapter.dtypes[burn_array.bool]
        self.guard = adapter.guard()
        """A context in which operators run on this device, or ``None`` if none is needed."""
        self._complex = frozenset(native for dtype, native in adapter.dtypes.items() if dtype.kind == "c")

    def __getattr__(self, name: str) -> Any:
        if name in _EXTENSIONS and not self._prefix:
            found: Any = PlainNamespace(self.adapter, f"{name}.")
        elif name.endswith("_like"):
            found = partial(_like, getattr(self, name.removesuffix("_like")))
        else:
            found = self._function(self._prefix + name)
        setattr(self, name, found)
        return found

    def _function(self, name: str) -> Callable[..., Any]:
        if self._prefix == "special.":
            return burn_array.special.find(name, burn_array.device(str(self.adapter)))
        function = self.adapter.find(name)
        settings = {"copy": True} if name == "astype" else defaults(name)
        if "device" in settings:
            settings["device"] = self.adapter.native_device
        return partial(function, **settings) if settings else function

    def real_part(self, x: Any) -> Any:
        """Return the real part; a real array is returned as it is."""
        if type(x) is not self._array_type:
            return x.real
        return x if x.dtype in self._real else self.real(x)

    def is_complex(self, x: Any) -> bool:
        """Return whether the dtype of an array or a ``ShapeDtype`` is complex."""
        return x.dtype in self._complex

    def is_bool(self, x: Any) -> bool:
        """Return whether the dtype of an array or a ``ShapeDtype`` is bool."""
        return bool(x.dtype == self._bool)

    def is_view(self, x: Any) -> bool:
        """Return whether ``x`` may share the memory of another array."""
        return type(x) is not self._array_type or self._base(x) is not None

    def put(self, x: Any, key: Any, value: Any) -> Any:
        """Return a copy of ``x`` with ``x[key] = value``."""
        out = self.copy(x)
        changed = self.setitem(out, key, value)
        return out if changed is None else changed

    @staticmethod
    def stop_gradient(x: Any) -> Any:
        """Return ``x``, which is a constant here."""
        return x

    @staticmethod
    def wrap_saved(value: Any, node: Node | None) -> Any:
        """Return a saved value in the form in which rules get it."""
        return value

    def to_public(self, value: Any) -> Any:
        """Return arrays for a user function, for one value or a tuple of them."""
        if type(value) in (tuple, list):
            return tuple(map(self.to_public, value))
        return burn_array.Array(value, self._plain_device) if type(value) is self._array_type else value

    def from_public(self, x: Any) -> Any:
        """Return the native value of a user function's result, in memory of its own."""
        return self.copy(x.to_device(self._plain_device)._native)

    def writable(self, value: Any) -> Any:
        """Return a cotangent that a user function may change in place."""
        return self.copy(value)

    @staticmethod
    def dtype(native: Any) -> Any:
        """Return the dtype that rules see for a native dtype."""
        return native


class TrackingNamespace:
    """The public functions, for arrays of one autodiff device."""

    if TYPE_CHECKING:
        linalg: Any
        fft: Any
        special: Any

    def __init__(self, device: Device) -> None:
        self._device = device
        self._dtypes = {native: dtype for dtype, native in device.adapter.dtypes.items()}
        self.linalg = burn_array.linalg
        self.fft = burn_array.fft
        self.special = burn_array.special
        self.solve_triangular = burn_array.interop.solve_triangular

    def __getattr__(self, name: str) -> Any:
        found = getattr(burn_array, name)
        if "device" in defaults(name) and name != "astype" and not name.endswith("_like"):
            found = partial(found, device=self._device)
        setattr(self, name, found)
        return found

    def conj(self, x: Any) -> Any:
        """Return the conjugate; a real array or number is returned as it is."""
        if type(x) is not burn_array.Array:
            return x.conjugate()
        return burn_array.conj(x) if self.is_complex(x) else x

    def real_part(self, x: Any) -> Any:
        """Return the real part; a real array is returned as it is."""
        if type(x) is not burn_array.Array:
            return x.real
        return burn_array.real(x) if self.is_complex(x) else x

    def is_complex(self, x: Any) -> bool:
        """Return whether the dtype of an array or a ``ShapeDtype`` is complex."""
        return bool(x.dtype.kind == "c")

    def is_bool(self, x: Any) -> bool:
        """Return whether the dtype of an array or a ``ShapeDtype`` is bool."""
        return bool(x.dtype == burn_array.bool)

    def getitem(self, x: Array, key: Any) -> Array:
        """Return ``x[key]``."""
        element: Array = x[key]
        return element

    def put(self, x: Array, key: Any, value: Any) -> Array:
        """Return a copy of ``x`` with ``x[key] = value``."""
        out = burn_array.asarray(x, copy=True)
        out[key] = value
        return out

    def scatter_add(self, x: Array, key: Any, values: Array) -> Array:
        """Return a copy of ``x`` with ``values`` added at ``x[key]``, repeated keys add up."""
        keys = tuple(map(self.native, key)) if type(key) is tuple else self.native(key)
        added = self._device.function("scatter_add")(x._native, keys, values._native)
        return burn_array.Array(added, self._device)

    def stop_gradient(self, x: Array) -> Array:
        """Return ``x`` as a constant."""
        return burn_array.Array(GraphValue(x._native.value, None), x._device)

    def wrap_saved(self, value: Any, node: Node | None) -> Any:
        """Return a saved native value as an array that ``node`` made."""
        if type(value) is self._device.adapter.inner.array_type:
            return burn_array.Array(GraphValue(value, node), self._device)
        if type(value) is GraphValue:
            return burn_array.Array(value, self._device)
        if type(value) is ShapeDtype:
            return ShapeDtype(value.shape, self._dtypes[value.dtype])
        if type(value) is tuple:
            return tuple(self.wrap_saved(one, None) for one in value)
        return value

    def to_public(self, value: Any) -> Any:
        """Return the arrays that a user function gets: the same as a rule."""
        return value

    def from_public(self, x: Array) -> Array:
        """Return the result of a user function, on this device."""
        return x if x._device.adapter is self._device.adapter else x.to_device(self._device)

    def writable(self, value: Array) -> Array:
        """Return a cotangent that a user function may change in place."""
        native = value._native
        native.owns_memory = False
        return burn_array.Array(GraphValue(native.value, native.node), value._device)

    def constant(self, value: Any) -> Array:
        """Return an untracked array for a native value or a scalar."""
        return burn_array.Array(self._device.adapter.adopt(value), self._device)

    def native(self, value: Any) -> Any:
        """Return an array as the handle that it holds, anything else as it is."""
        return value._native if type(value) is burn_array.Array else value

    def dtype(self, native: Any) -> Any:
        """Return the dtype that rules see for a native dtype."""
        return self._dtypes[native]
