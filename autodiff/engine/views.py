"""Views on an autodiff device: arrays that share memory on the plain device see each other's changes here too.

A view remembers the array it was taken from and the call that took it; the array refers to its views weakly. An
in-place change of an array gives new values first to the arrays it is a view of, then to all their other views. Each
new value is computed by recorded calls, so its gradient is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from weakref import ref

from burn_array.adapter import Adapter
from burn_array.errors import GradientError

from .tape import GraphValue, Leaf

Function = Callable[..., Any]

VIEWS = frozenset(
    """astype broadcast_to conj expand_dims flip imag linalg.diagonal linalg.matrix_transpose matrix_transpose moveaxis
    permute_dims positive real reshape squeeze unstack""".split()
)
"""Functions of one array that return views of it in some library; ``getitem`` and ``broadcast_arrays`` do so too."""
_INVERSE = frozenset(
    """expand_dims flip linalg.matrix_transpose matrix_transpose moveaxis permute_dims reshape squeeze""".split()
)
"""Views with all elements of the array: their derivative rule is the inverse function."""


_NO_SETTINGS: dict[str, Any] = {}


class Source:
    """The array that a view was taken from, and the recorded call that took the view."""

    __slots__ = ("args", "function", "index", "name", "parent", "settings", "store")

    def __init__(
        self,
        parent: GraphValue,
        name: str,
        function: Function,
        store: Function | None,
        args: Any = (),
        settings: Any = _NO_SETTINGS,
        index: int | None = None,
    ) -> None:
        self.parent = parent
        self.name = name
        self.function = function
        self.store = store
        """The function that gives the new value of the parent, from the source and its changed view; or ``None``."""
        self.args = args
        self.settings = settings
        self.index = index
        """The place of the view among several results."""

    def taken(self) -> GraphValue:
        """Return the view of the present value of the parent."""
        out = self.function(self.parent, *self.args, **self.settings)
        view: GraphValue = out if self.index is None else out[self.index]
        return view


def link(source: Source, view: GraphValue) -> None:
    """Remember that ``view`` was taken from the parent of ``source``."""
    parent = source.parent
    views = getattr(parent, "views", None)
    if views is None:
        views = parent.views = set()
    views.add(ref(view, views.discard))
    view.source = source


def is_view(inner: Adapter, value: Any, out: Any) -> bool:
    """Return whether two native values share memory that can be changed."""
    return inner.has_views and inner.memory(value)[0] is inner.memory(out)[0]


def linking(name: str, recorded: Function, adapter: Any) -> Function:
    """Return a recorded function that links its results to its operand, if they are views of it."""
    inner = adapter.inner
    store = _storing(name, adapter)
    keeps_dtype = name in ("astype", "real")

    def taken(x: GraphValue, /, *args: Any, **settings: Any) -> Any:
        out = recorded(x, *args, **settings)
        several = type(out) is tuple
        for index, one in enumerate(out) if several else ((None, out),):
            value, view = x.value, one.value
            if one is not x and is_view(inner, value, view):
                way_back = None if keeps_dtype and value.dtype != view.dtype else store
                link(Source(x, name, recorded, way_back, args, settings, index), one)
        return out

    return taken


def linking_each(recorded: Function, adapter: Any) -> Function:
    """Return ``broadcast_arrays`` such that each result is linked to its operand."""
    inner = adapter.inner

    def taken(*arrays: GraphValue) -> Any:
        out = recorded(*arrays)
        broadcast_to = adapter.find("broadcast_to")
        for x, one in zip(arrays, out, strict=True):
            if is_view(inner, x.value, one.value):
                shape = inner.shape_of(one.value)
                link(Source(x, "broadcast_arrays", broadcast_to, None, (shape,)), one)
        return out

    return taken


def _storing(name: str, adapter: Any) -> Function | None:
    """Return the function that writes a changed view back, or ``None`` if the array cannot be written through it."""
    if name in _INVERSE:
        return lambda source, view: _inverse(adapter, source, view)
    if name == "unstack":
        return lambda source, view: adapter.find("setitem")(source.parent, _unstack_key(source), view)
    if name == "conj":
        return lambda _source, view: adapter.find("conj")(view)
    if name in ("astype", "positive", "real"):
        return lambda _source, view: GraphValue(view.value, view.node)
    return None


def _inverse(adapter: Any, source: Source, view: GraphValue) -> GraphValue:
    from ..rules import load

    tracking = adapter.tracking
    like = tracking.wrap_saved(source.parent, None)
    rule: Any = load()[source.name]
    array = rule.vjps[0](
        tracking, tracking.wrap_saved(view, None), None, like, *source.args, **source.settings
    )
    inverse: GraphValue = array._native
    return inverse


def _unstack_key(source: Source) -> tuple[Any, ...]:
    axis = source.settings.get("axis", 0) % len(source.parent.value.shape)
    return (*(slice(None),) * axis, source.index)


def check_writable(x: GraphValue) -> None:
    """Raise if ``x``, or an array that it is a view of, cannot be changed in place.

    Raises
    ------
    GradientError
        If it is a parameter, or if the view has no way back to the array.
    """
    one = x
    while True:
        if type(one.node) is Leaf:
            raise GradientError(
                "a parameter cannot be changed in place, nor through a view of it, which would lose it; for a step "
                "write w = (w.detach() - step).require_grad(), or change y = w + 0.0 instead"
            )
        source = getattr(one, "source", None)
        if source is None:
            return
        if source.store is None:
            raise GradientError(
                f"the result of {source.name} shares memory with its operand, so it cannot be changed in place on "
                f"a device that differentiates; change a copy, asarray(y, copy=True), or the operand itself"
            )
        one = source.parent


def write(x: GraphValue, new: GraphValue, key: Any) -> None:
    """Give ``x`` a new value, which differs from the old one at ``key``, and all that share its memory new values."""
    _replace(x, new)
    if getattr(x, "views", None):
        _refresh(x, None, key)
    while (source := getattr(x, "source", None)) is not None:
        parent = source.parent
        changed = source.store(source, x)
        _replace(parent, changed)
        _refresh(parent, x, source.args[0] if source.name == "getitem" else ...)
        x = parent


def _replace(x: GraphValue, new: GraphValue) -> None:
    if x is new:
        return
    x.value, x.node = new.value, new.node
    x.owns_memory = getattr(new, "owns_memory", False)
    x.recomputation = getattr(new, "recomputation", None)


def _refresh(x: GraphValue, but: GraphValue | None, key: Any) -> None:
    """Compute the views of ``x``, and their views, again; not those that share nothing with ``x[key]``."""
    waiting = [(view, key) for view in _views(x) if view is not but]
    while waiting:
        view, changed = waiting.pop()
        source: Source = view.source
        if source.name == "getitem" and apart(changed, source.args[0], source.parent.value.shape):
            continue
        _replace(view, source.taken())
        waiting += [(one, ...) for one in _views(view)]


def _views(x: GraphValue) -> Iterator[GraphValue]:
    for reference in tuple(getattr(x, "views", None) or ()):
        view = reference()
        if view is not None:
            yield view


def apart(key: Any, other: Any, shape: tuple[int, ...]) -> bool:
    """Return whether two keys surely select different elements of an array: in some axis their ranges do not meet."""
    for a, b, length in zip(_parts(key), _parts(other), shape, strict=False):
        if not _kinds(a) or not _kinds(b):
            return False
        first, second = _range(a, length), _range(b, length)
        if first[1] <= second[0] or second[1] <= first[0]:
            return True
    return False


def _parts(key: Any) -> tuple[Any, ...]:
    return key if type(key) is tuple else (key,)


def _kinds(part: Any) -> bool:
    return type(part) is int or type(part) is slice


def _range(part: Any, length: int) -> tuple[int, int]:
    """Return the smallest index that an int or slice selects, and the largest one plus 1."""
    if type(part) is int:
        index = part % length if length else part
        return index, index + 1
    selected = range(length)[part]
    return (min(selected[0], selected[-1]), max(selected[0], selected[-1]) + 1) if selected else (0, 0)
