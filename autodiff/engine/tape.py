"""Values with their history, and the way back through it.

A :class:`Handle` is what an autodiff device stores for an array: the value of the library beneath, and the
:class:`Node` that result it. Nodes point to the nodes of their operands and to the values that their rules
need, never to an array of the user and never forward: so reference counting alone frees a graph, and changing
an array in place (which gives it a new handle) leaves what was saved as it was.
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
    """Return the next number: nodes are numbered in the order of their creation, operands before results.

    It calls nothing, so that no other thread runs in between; without the GIL it would have to be atomic itself.
    """
    global _clock
    _clock += 1
    return _clock


class GraphValue:
    """A value of the library beneath, and the node that result it (``None``: a constant)."""

    __slots__ = ("node", "owns_memory", "recomputation", "shape_dtype", "value")

    value: Any
    node: Node | None
    shape_dtype: ShapeDtype | None
    """Shape and dtype of the value, once somebody has asked; results of equal operands share one object."""
    owns_memory: bool
    """Set where the memory is known to be reachable through this handle and its nodes only."""
    recomputation: Any
    """Set with balanced checkpointing: how the value can be computed again."""

    def __init__(self, value: Any, node: Node | None) -> None:
        self.value = value
        self.node = node
        self.shape_dtype = None


def graph_value(value: Any, node: Node | None, shape_dtype: ShapeDtype | None) -> GraphValue:
    """Return ``Handle(value, node)`` with what is known of its outline, sooner."""
    result = GraphValue.__new__(GraphValue)
    result.value = value
    result.node = node
    result.shape_dtype = shape_dtype
    return result


def shape_dtype_of(one: GraphValue) -> ShapeDtype:
    """Return shape and dtype of a value: asked of the library once only, which takes longer than a call of ours."""
    found = one.shape_dtype
    if found is None:
        value = one.value
        found = one.shape_dtype = ShapeDtype(value.shape, value.dtype)
    return found


def common_shape_dtype(one: GraphValue, two: GraphValue) -> ShapeDtype | None:
    """Return shape and dtype of two values, ``None`` if they differ."""
    first, second = shape_dtype_of(one), shape_dtype_of(two)
    if first is second:
        return first
    if first.shape != second.shape or first.dtype != second.dtype:
        return None
    two.shape_dtype = first
    return first


def broadcast_shape_dtype(one: GraphValue, two: GraphValue) -> ShapeDtype | None:
    """Return the outline to which the other value broadcasts by axes in front, ``None`` if that is not the case."""
    first, second = shape_dtype_of(one), shape_dtype_of(two)
    if first.dtype != second.dtype:
        return None
    if len(first.shape) < len(second.shape):
        first, second = second, first
    return first if first.shape[len(first.shape) - len(second.shape) :] == second.shape else None


X, Y, OUT = 1, 2, 4
"""What a pull reads, as bits: the first operand, the second, the result."""


SAVED_VALUE = object()
"""Stands for the factor that is the one value which a node keeps."""


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
        """What the pull of the first operand multiplies by, where it does just that."""
        self.right_derivative = rule.derivatives[1] if len(rule.derivatives) > 1 else None
        self.left_from_saved = _from_saved(rule.from_saved[0], xp)
        """What makes this factor of the one value that the pull reads, ``KEPT`` if it is that value."""
        self.right_from_saved = _from_saved(rule.from_saved[1], xp) if len(rule.from_saved) > 1 else None
        if any(rule.derivatives):
            self.conj = xp.conj
            self.multiply = xp.multiply
        self.default_dtype: Any = None if xp is None else xp.adapter.dtypes[xp.adapter.float_dtype]
        """The default floating dtype, in which nothing has to be conjugated."""
        self.elementwise = rule.elementwise
        self.uses_values = rule.elementwise and (any(map(any, rule.saves)) or any(rule.saves_out))
        """Whether ``g`` meets values, which may be infinite: a structural zero must be restored then."""
        self.masks = rule.masks
        self.keeps_mask = rule.elementwise or rule.moves


def _from_saved(name: str | None, xp: Any) -> Any:
    """Return the function of that name, ``KEPT`` for the empty name, ``None`` for none."""
    return getattr(xp, name) if name else SAVED_VALUE if name == "" else None


def _saves(rule: Rule, side: int) -> int:
    """Return what the pull of an operand reads."""
    if side >= len(rule.vjps) or rule.vjps[side] is None:
        return 0
    saves = rule.saves[side]
    return (X if any(saves[:1]) else 0) | (Y if any(saves[1:2]) else 0) | (OUT if rule.saves_out[side] else 0)


class PassState:
    """One pass back, as nodes know it."""

    __slots__ = ("frees", "mask", "moved", "next_mask", "parent", "remaining_uses")

    frees: bool
    """Whether nodes are freed as soon as they are done."""
    mask: Any
    """The mark of the cotangent in hand."""
    moved: bool
    """Whether a cotangent went from one device to another: cotangents may share memory then."""
    parent: Node | None
    """The node to which belongs what ``back`` returned."""
    next_mask: Any
    """The mark of what follows from it."""
    remaining_uses: dict[Recomputation, int]
    """The recipes that a pass which frees nothing took values from, and how often it will again."""

    def accumulate(self, node: Node, g: Any) -> None:
        """Add ``g`` to the cotangent of ``node``."""
        raise NotImplementedError

    def accumulate_output(self, node: Call, index: int, g: Any) -> None:
        """Add ``g`` to the cotangent of one result of ``node``."""
        raise NotImplementedError


class Node:
    """One recorded call. ``op`` is ``None`` once the node is freed."""

    __slots__ = ("op", "order")

    op: Any
    order: int

    def back(self, state: PassState, g: Any) -> Any:
        """Hand ``g`` on to the operands: to all but one through ``sweep.push``.

        The cotangent of the last is the result, its node is left in ``sweep.parent``.
        """
        raise NotImplementedError

    def call(self) -> tuple[Any, Any, Any, Any]:
        """Return nodes of the operands, operands, settings and results, as far as they are saved."""
        raise NotImplementedError

    def free(self) -> None:
        """Drop what the node holds."""
        self.op = None


class GraphInput(Node):
    """A node where cotangents may be collected."""

    __slots__ = ()


class Leaf(GraphInput):
    """A parameter: what ``require_grad`` makes."""

    __slots__ = ("__weakref__", "device")

    def __init__(self, device: Device) -> None:
        self.op = LEAF
        self.device = device
        """The tag of the parameter, where its gradient belongs."""
        self.order = next_order()
        LEAVES.add(self)


class Argument(GraphInput):
    """The argument of a functional transformation: the identity; ``parent`` belongs to those around it."""

    __slots__ = ("parent",)

    def __init__(self, parent: Node | None) -> None:
        self.op = ARGUMENT
        self.order = next_order()
        self.parent = parent

    def back(self, state: PassState, g: Any) -> Any:
        state.parent = self.parent
        return g


class Output(Node):
    """One of several results of ``parent``."""

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
    """A move between two autodiff devices; the cotangent moves back."""

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
"""The parameters that are alive; without any, nothing outside of a functional transformation is tracked."""


def operand_cotangents(
    op: Op, xp: Any, g: Any, parents: Any, args: Any, settings: Any, out: Any
) -> list[tuple[Any, Any, Any]]:
    """Return the tracked operands of a call: the node, the cotangent before it is fitted, and the operand."""
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
    """Return a cotangent with the shape and dtype of an operand: un-broadcast, its real part taken, cast."""
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
    """Return ``g`` summed over the axes that broadcasting result, and broadcast to ``shape``."""
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
    """Return ``h`` with zero wherever the cotangent ``g`` that it came from has a structural zero."""
    return None if h is None else xp.where(g == 0, 0, h)


def freed_error() -> GradientError:
    """Return the error for a second pass through a graph."""
    return GradientError(
        "backward: the graph of this result was freed by an earlier backward; "
        "call that one with retain_graph=True, or compute the result again"
    )
