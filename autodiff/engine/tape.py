"""The graph: values, the nodes that made them, and how a node passes a cotangent on.

An autodiff device stores a ``GraphValue`` for each array: the native value, and the ``Node`` that made it. A node
refers to the nodes of its operands and to the values that its rule needs, never to an ``Array`` and never to later
nodes. So reference counting alone frees a graph, and an in-place change, which gives the ``GraphValue`` another value
and node, leaves the saved values as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from burn_array.errors import GradientError

from ..rules import Rule
from .shape_dtype import ShapeDtype

if TYPE_CHECKING:
    from burn_array import Device

    from .nodes import Call
    from .recomputation import Recomputation

_clock = 0


def next_order() -> int:
    """Return the next number for a node: operands have smaller numbers than results.

    The function calls nothing, so the global interpreter lock makes it atomic. A Python that runs without that lock
    cannot import burn_array.
    """
    global _clock
    _clock += 1
    return _clock


class GraphValue:
    """A native value, and the node that made it; ``None`` for a constant."""

    __slots__ = (
        "__weakref__",
        "node",
        "owns_memory",
        "recomputation",
        "shape_dtype",
        "source",
        "value",
        "views",
    )

    value: Any
    node: Node | None
    shape_dtype: ShapeDtype | None
    """Shape and dtype of the value, if they have been asked for. Results of equal operands share one object."""
    owns_memory: bool
    """Whether the memory is known to be reachable only through this object and its nodes."""
    recomputation: Any
    """With balanced checkpointing: how to compute the value again."""
    source: Any
    """For a view: the array it was taken from, and how."""
    views: Any
    """Weak references to the views of this array; missing or ``None`` if there was never one."""

    def __init__(self, value: Any, node: Node | None) -> None:
        self.value = value
        self.node = node
        self.shape_dtype = None


def graph_value(value: Any, node: Node | None, shape_dtype: ShapeDtype | None) -> GraphValue:
    """Return ``GraphValue(value, node)`` with its shape and dtype, if known; faster than calling the class."""
    result = GraphValue.__new__(GraphValue)
    result.value = value
    result.node = node
    result.shape_dtype = shape_dtype
    return result


def shape_dtype_of(one: GraphValue) -> ShapeDtype:
    """Return shape and dtype of a value. The library is asked only once, because asking is slow."""
    found = one.shape_dtype
    if found is None:
        value = one.value
        found = one.shape_dtype = ShapeDtype(value.shape, value.dtype)
    return found


def common_shape_dtype(one: GraphValue, two: GraphValue) -> ShapeDtype | None:
    """Return the shape and dtype of two values, or ``None`` if they differ."""
    first, second = shape_dtype_of(one), shape_dtype_of(two)
    if first is second:
        return first
    if first.shape != second.shape or first.dtype != second.dtype:
        return None
    two.shape_dtype = first
    return first


def broadcast_shape_dtype(one: GraphValue, two: GraphValue) -> ShapeDtype | None:
    """Return the larger shape and dtype if the other value broadcasts to it by leading axes only, else ``None``."""
    first, second = shape_dtype_of(one), shape_dtype_of(two)
    if first.dtype != second.dtype:
        return None
    if len(first.shape) < len(second.shape):
        first, second = second, first
    return first if first.shape[len(first.shape) - len(second.shape) :] == second.shape else None


X, Y, OUT = 1, 2, 4
"""Bit flags: which values a rule reads, of the first operand, the second operand and the result."""


SAVED_VALUE = object()
"""Marks a factor that is the saved value itself."""


class Op:
    """A function of one adapter together with its rule."""

    __slots__ = (
        "conj",
        "default_dtype",
        "elementwise",
        "keeps_mask",
        "left_derivative",
        "left_from_saved",
        "left_saves",
        "left_vjp",
        "masks",
        "multiply",
        "name",
        "right_derivative",
        "right_from_saved",
        "right_saves",
        "right_vjp",
        "rule",
        "tracking",
        "uses_values",
        "xp",
    )

    def __init__(self, rule: Rule, xp: Any, tracking: Any) -> None:
        self.rule = rule
        self.name = rule.name
        self.xp = xp
        self.tracking = tracking
        self.left_vjp = rule.vjps[0]
        self.right_vjp = rule.vjps[1] if len(rule.vjps) > 1 else None
        self.left_saves = _saves(rule, 0)
        self.right_saves = _saves(rule, 1)
        self.left_derivative = rule.derivatives[0]
        """d(result)/d(first operand), if the rule is just ``g`` times this."""
        self.right_derivative = rule.derivatives[1] if len(rule.derivatives) > 1 else None
        self.left_from_saved = _from_saved(rule.from_saved[0], xp)
        """The function that computes this factor from the saved value, or the saved-value mark if it is that value."""
        self.right_from_saved = _from_saved(rule.from_saved[1], xp) if len(rule.from_saved) > 1 else None
        if any(rule.derivatives):
            self.conj = xp.conj
            self.multiply = xp.multiply
        self.default_dtype: Any = None if xp is None else xp.adapter.dtypes[xp.adapter.float_dtype]
        """The default floating dtype. It is real, so nothing needs conjugation."""
        self.elementwise = rule.elementwise
        self.uses_values = rule.elementwise and (any(map(any, rule.saves)) or any(rule.saves_out))
        """Whether ``g`` is multiplied by values, which may be infinite; then structural zeros must be restored."""
        self.masks = rule.masks
        self.keeps_mask = rule.elementwise or rule.moves


def _from_saved(name: str | None, xp: Any) -> Any:
    """Return the function of that name; the saved-value mark for the empty name, ``None`` for no name."""
    return getattr(xp, name) if name else SAVED_VALUE if name == "" else None


def _saves(rule: Rule, side: int) -> int:
    """Return the bit flags of the values that the rule of one operand reads."""
    if side >= len(rule.vjps) or rule.vjps[side] is None:
        return 0
    saves = rule.saves[side]
    return (X if any(saves[:1]) else 0) | (Y if any(saves[1:2]) else 0) | (OUT if rule.saves_out[side] else 0)


class PassState:
    """One backward pass, as nodes see it."""

    __slots__ = ("frees", "mask", "moved", "next_mask", "parent", "remaining_uses")

    frees: bool
    """Whether each node is freed when it is done."""
    mask: Any
    """The mark of the cotangent that is being passed on."""
    moved: bool
    """Whether a cotangent moved between devices; then cotangents may share memory."""
    parent: Node | None
    """The parent that receives the cotangent returned by ``back``."""
    next_mask: Any
    """The mark to pass on with it."""
    remaining_uses: dict[Recomputation, int]
    """The recomputations that a pass without freeing has used, and how often it will use them again."""

    def accumulate(self, node: Node, g: Any) -> None:
        """Add ``g`` to the cotangent of ``node``."""
        raise NotImplementedError

    def accumulate_output(self, node: Call, index: int, g: Any) -> None:
        """Add ``g`` to the cotangent of one result of ``node``."""
        raise NotImplementedError


class Node:
    """One recorded call; ``op`` is ``None`` after the node is freed."""

    __slots__ = ("op", "order")

    op: Any
    order: int

    def back(self, state: PassState, g: Any) -> Any:
        """Pass ``g`` on to the operands: to all but the last by ``push`` of the pass.

        The cotangent of the last operand is returned, and its node stored as ``parent`` of the pass.
        """
        raise NotImplementedError

    def call(self) -> tuple[Any, Any, Any, Any]:
        """Return the nodes of the operands, the operands, the settings and the results, as far as they are saved."""
        raise NotImplementedError

    def free(self) -> None:
        """Drop the saved values and the parents."""
        self.op = None


class GraphInput(Node):
    """A node at which a caller can ask for the cotangent."""

    __slots__ = ()


class Leaf(GraphInput):
    """The node of a parameter, made by ``require_grad``."""

    __slots__ = ("__weakref__", "device")

    def __init__(self, device: Device) -> None:
        self.op = LEAF
        self.device = device
        """The device of the parameter, where its gradient is returned."""
        self.order = next_order()
        LEAVES.add(self)


class Argument(GraphInput):
    """The node of an argument of a functional transformation.

    It is the identity; ``parent`` belongs to an outer one.
    """

    __slots__ = ("parent",)

    def __init__(self, parent: Node | None) -> None:
        self.op = ARGUMENT
        self.order = next_order()
        self.parent = parent

    def back(self, state: PassState, g: Any) -> Any:
        state.parent = self.parent
        return g


class Output(Node):
    """The node of one of several results of ``parent``."""

    __slots__ = ("index", "parent")

    def __init__(self, parent: Call, index: int) -> None:
        self.op = OUTPUT
        self.order = next_order()
        self.parent: Call | None = parent
        self.index = index

    def back(self, state: PassState, g: Any) -> Any:
        assert self.parent is not None
        state.accumulate_output(self.parent, self.index, g)
        if state.frees:
            self.free()
        state.parent = None

    def free(self) -> None:
        self.op = self.parent = None


class Move(Node):
    """The node of a move between two autodiff devices; its cotangent moves back."""

    __slots__ = ("parent", "source", "target")

    def __init__(self, parent: Node, source: Any, target: Any) -> None:
        self.op = MOVE
        self.order = next_order()
        self.parent: Node | None = parent
        self.source = source
        self.target = target

    def back(self, state: PassState, g: Any) -> Any:
        assert self.parent is not None
        state.moved = True
        state.accumulate(self.parent, self.source.fetch(g, self.target))
        if state.frees:
            self.op = self.parent = None
        state.parent = None

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent,), (None,), {}, None

    def free(self) -> None:
        self.op = self.parent = None


LEAF = Op(Rule("require_grad", (None,), False, False, False, False), None, None)
ARGUMENT = Op(Rule("argument", (None,), False, False, False, True), None, None)
MOVE = Op(Rule("to_device", (None,), False, False, False, True), None, None)
OUTPUT = Op(Rule("output", (None,), False, False, False, True), None, None)


LEAVES: WeakSet[Leaf] = WeakSet()
"""The parameters that exist. If there are none, only functional transformations track arrays."""


def operand_cotangents(
    op: Op, xp: Any, g: Any, parents: Any, args: Any, settings: Any, out: Any
) -> list[tuple[Any, Any, Any]]:
    """Return, for each tracked operand of a call: its node, its cotangent before fitting, and the operand."""
    if op.rule.is_joint:
        found = op.rule.vjps[0](xp, g, out, *args, **settings)  # type: ignore[misc]
        each: Any = zip(parents, found, args, strict=True)
    else:
        each = [
            (parent, op.rule.vjps[i](xp, g, out, *args, **settings), args[i])  # type: ignore[misc]
            for i, parent in enumerate(parents)
            if parent is not None
        ]
    triples = []
    for parent, h, operand in each:
        if type(parent) is list:
            triples += [one for one in zip(parent, h, operand, strict=True) if one[0] is not None]
        elif parent is not None:
            triples.append((parent, h, operand))
    return triples


def unbroadcast(xp: Any, g: Any, like: Any) -> Any:
    """Return a cotangent fitted to an operand: un-broadcast, its real part for a real operand, cast to its dtype."""
    if g is None:
        return None
    shape, have = like.shape, g.shape
    if have != shape:
        lead = len(have) - len(shape)
        if lead > 0 and have[lead:] == shape:
            g = xp.sum(g, axis=0 if lead == 1 else tuple(range(lead)))
        else:
            g = _unbroadcast_shape(xp, g, shape)
    if g.dtype is not like.dtype and g.dtype != like.dtype:
        if xp.is_complex(g) and not xp.is_complex(like):
            g = xp.real(g)
        g = xp.astype(g, like.dtype)
    return g


def _unbroadcast_shape(xp: Any, g: Any, shape: tuple[int, ...]) -> Any:
    """Return ``g`` summed over the axes that broadcasting added, then broadcast to ``shape``."""
    lead = g.ndim - len(shape)
    if lead >= 0:
        ones = tuple(lead + i for i, n in enumerate(shape) if n == 1 and g.shape[lead + i] != 1)
        if lead or ones:
            kept = g.shape[lead:]
            g = xp.sum(g, axis=(*range(lead), *ones))
            if ones:
                g = xp.reshape(g, tuple(1 if lead + i in ones else n for i, n in enumerate(kept)))
    return g if g.shape == shape else xp.broadcast_to(g, shape)


def restore_zeros(xp: Any, g: Any, h: Any) -> Any:
    """Return ``h`` with zeros where ``g``, the cotangent it was computed from, has structural zeros."""
    return None if h is None else xp.where(g == 0, 0, h)


def freed_error() -> GradientError:
    """Return the error for a second backward pass through a freed graph."""
    return GradientError(
        "backward: the graph of this result was freed by an earlier backward; "
        "call that one with retain_graph=True, or compute the result again"
    )
