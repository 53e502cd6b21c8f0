"""The adapter that adds differentiation to a device, by wrapping its adapter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import burn_array
from burn_array.adapter import Adapter
from burn_array.errors import GradientError

from .engine import indexing, record
from .engine.checkpointing import balanced
from .engine.namespaces import PlainNamespace, TrackingNamespace
from .engine.shared_memory import register_moved, register_shared
from .engine.tape import GraphValue, Leaf, Move, Op
from .engine.views import VIEWS, linking, linking_each
from .gradients import Gradients, backward, require_grad
from .rules import PARTIAL, Composition, Constant, load

STRATEGIES = ("", "balanced")
CREATION = frozenset(("arange", "empty", "eye", "full", "linspace", "ones", "zeros"))
"""Functions that create arrays from no other array."""
SPECIAL = {"astype": record.astype, "getitem": indexing.getitem, "setitem": indexing.setitem}
"""Functions that record their calls in a way of their own."""


class AutodiffAdapter(Adapter):
    """One device that records what is computed from tracked arrays."""

    array_type = GraphValue
    is_autodiff = True
    inner: Adapter

    def __init__(self, inner: Adapter, option: str) -> None:
        if inner.is_autodiff:
            raise GradientError(f"{inner} differentiates already; higher derivatives need no second wrapper")
        if option not in STRATEGIES:
            raise GradientError(
                f"+autodiff[{option}]: unknown strategy; there are 'autodiff' and 'autodiff[balanced]'"
            )
        self.inner_device = burn_array.device(str(inner))
        """The device without autodiff."""
        self.inner = inner = self.inner_device.adapter
        self.checkpointing = option or None
        self.suffix = inner.suffix
        self.library = inner.library
        self.name = inner.name  # type: ignore[misc]
        self.is_host = inner.is_host
        self.native_device = inner.native_device
        self.dtypes = inner.dtypes
        self.float_dtype = inner.float_dtype
        self.complex_dtype = inner.complex_dtype
        self.int_dtype = inner.int_dtype
        self.index_dtype = inner.index_dtype
        self.narrow = inner.narrow
        self.spelled = inner.spelled  # type: ignore[method-assign]
        self.any_bounds = inner.any_bounds
        self.has_views = inner.has_views
        self.absorbs = inner.absorbs
        self.data_dependent_shapes = inner.data_dependent_shapes
        self.dlpack_device = inner.dlpack_device
        self.export_device = inner.export_device
        self.errors = inner.errors
        inner_dtype, inner_shape = inner.dtype_of, inner.shape_of
        self.dtype_of = lambda native: inner_dtype(native.value)  # type: ignore[method-assign]
        self.shape_of = lambda native: inner_shape(native.value)  # type: ignore[method-assign]
        self.plain = PlainNamespace(inner)
        self._tracking: TrackingNamespace | None = None

    def __str__(self) -> str:
        return (
            f"{self.inner}+autodiff[{self.checkpointing}]" if self.checkpointing else f"{self.inner}+autodiff"
        )

    @property
    def tracking(self) -> TrackingNamespace:
        """The namespace in which rules run when they are differentiated themselves."""
        if self._tracking is None:
            self._tracking = TrackingNamespace(burn_array.device(str(self)))
        return self._tracking

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        rule = load().get(name)
        if rule is not None and name.startswith("special.") and name not in PARTIAL:
            # A formula, where the library lacks the function: the rule saves recording it. A partial rule does not.
            function = burn_array.special.find(name, self.inner_device)
        else:
            function = self.inner.find(name)
        if rule is None:
            return record.undeclared(name, function, self.inner)
        if isinstance(rule, Constant):
            kind = indexing.creation if name in CREATION else record.constant
            return kind(function, self.inner)
        if isinstance(rule, Composition):
            return record.composed(name, rule.body, function, self.inner, self.tracking)
        op = Op(rule, self.plain, self.tracking)
        usual = balanced if self.checkpointing else record.recording
        recorded = SPECIAL.get(name, usual)(op, function, self.inner)
        if name == "broadcast_arrays":
            return linking_each(recorded, self)
        return linking(name, recorded, self) if name in VIEWS else recorded

    # -- values -------------------------------------------------------------------------------

    def adopt(self, value: Any) -> GraphValue:
        if type(value) is GraphValue:
            return value
        return GraphValue(value if type(value) is self.inner.array_type else self.inner.adopt(value), None)

    def adopt_operand(self, x: Any) -> Any:
        """Return the native value, on the inner device, of an array of any device.

        Other objects are returned unchanged.
        """
        if type(x) is not burn_array.Array:
            return x
        return (x if x._device.adapter is self else x.to_device(str(self)))._native.value

    def item(self, native: GraphValue) -> Any:
        return self.inner.item(native.value)

    def untracked(self, native: GraphValue) -> GraphValue:
        native.owns_memory = False
        return GraphValue(native.value, None)

    def unwrapped(self, native: GraphValue) -> Any:
        native.owns_memory = False
        return self.inner.unwrapped(native.value)

    def show(self, native: GraphValue) -> str | None:
        return self.inner.show(native.value)

    def layout(self, native: GraphValue) -> Any:
        return self.inner.layout(native.value)

    def laid(self, native: GraphValue, layout: Any) -> GraphValue:
        return GraphValue(self.inner.laid(native.value, layout), native.node)

    def synchronize(self) -> None:
        self.inner.synchronize()

    def persist(self, natives: Sequence[GraphValue]) -> Sequence[GraphValue]:
        self.inner.persist([native.value for native in natives])
        return natives

    # -- the object interface -----------------------------------------------------------------

    def is_tracked(self, native: GraphValue) -> bool:
        return native.node is not None

    def requires_grad(self, native: GraphValue) -> bool:
        return type(native.node) is Leaf

    def detach(self, native: GraphValue) -> GraphValue:
        native.owns_memory = False
        return GraphValue(native.value, None)

    def require_grad(self, array: Any) -> Any:
        return require_grad(array)

    def backward(self, array: Any, grad: Any, retain_graph: bool, create_graph: bool) -> Gradients:
        return backward(array, grad, retain_graph, create_graph)

    # -- moves --------------------------------------------------------------------------------

    def transfer(self, native: Any, source: Adapter, copy: bool | None) -> GraphValue | None:
        if not isinstance(source, AutodiffAdapter):
            if source is self.inner and not copy:
                register_shared(source, native)
                return GraphValue(native, None)
            value = _between(native, burn_array.device(str(source)), self.inner_device, copy)
            if not copy:
                register_moved(source, native, self.inner, value)
            return GraphValue(value, None)
        native.owns_memory = False
        value = _between(native.value, source.inner_device, self.inner_device, copy)
        if not copy:
            register_moved(source.inner, native.value, self.inner, value)
        return GraphValue(value, None if native.node is None else Move(native.node, source, self))

    def deliver(self, native: GraphValue, target: Adapter, copy: bool | None) -> Any:
        value = self._exported(native)
        moved = _between(value, self.inner_device, burn_array.device(str(target)), copy)
        if not copy:
            register_moved(self.inner, value, target, moved)
        return moved

    def alias(self, native: GraphValue) -> GraphValue:
        native.owns_memory = False
        return native

    def fetch(self, g: Any, source: AutodiffAdapter) -> Any:
        """Return a cotangent, native or tracked, from the device of ``source``."""
        if type(g) is burn_array.Array:
            return g.to_device(str(self))
        return _between(source.inner.adopt(g), source.inner_device, self.inner_device, None)

    def stored(self, native: GraphValue) -> Any:
        return self.inner.stored(self._exported(native))

    def to_host(self, native: GraphValue) -> np.ndarray[Any, Any]:
        return self.inner.to_host(self._exported(native))

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> GraphValue:
        return GraphValue(self.inner.from_host(array, copy), None)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> GraphValue:
        value = self.inner.from_dlpack(exporter, copy)
        if not copy:
            register_shared(self.inner, value)
        return GraphValue(value, None)

    def dlpack(
        self,
        native: GraphValue,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        return self.inner.dlpack(self._exported(native), stream, max_version, dl_device, copy)

    def _exported(self, native: GraphValue) -> Any:
        if native.node is not None:
            raise GradientError(
                "a tracked array cannot be handed to another library, which would lose its gradient; "
                "hand over x.detach()"
            )
        native.owns_memory = False
        register_shared(self.inner, native.value)
        return native.value


def _between(value: Any, source: Any, target: Any, copy: bool | None) -> Any:
    """Return a native value moved from one plain device to another."""
    return burn_array.asarray(burn_array.Array(value, source), device=target, copy=copy)._native
