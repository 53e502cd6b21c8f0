"""Values with their history, and the way back through it.

A :class:`Handle` is what an autodiff device stores for an array: the value of the library beneath, and the
:class:`Node` that made it. Nodes point to the nodes of their operands and to the values that their rules
need, never to an array of the user and never forward: so reference counting alone frees a graph, and changing
an array in place (which gives it a new handle) leaves what was saved as it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from burn_array.errors import GradientError

from ..rules import Rule
from .shape_dtype import Outline

if TYPE_CHECKING:
    from burn_array import Device

    from .nodes import Call
    from .recomputation import Recipe

_latest = 0


def tick() -> int:
    """Return the next number: nodes are numbered in the order of their creation, operands before results.

    It calls nothing, so that no other thread runs in between; without the GIL it would have to be atomic itself.
    """
    global _latest
    _latest += 1
    return _latest


class Handle:
    """A value of the library beneath, and the node that made it (``None``: a constant)."""

    __slots__ = ("node", "outline", "owned", "recipe", "value")

    value: Any
    node: Node | None
    outline: Outline | None
    """Shape and dtype of the value, once somebody has asked; results of equal operands share one object."""
    owned: bool
    """Set where the memory is known to be reachable through this handle and its nodes only."""
    recipe: Any
    """Set with balanced checkpointing: how the value can be computed again."""

    def __init__(self, value: Any, node: Node | None) -> None:
        self.value = value
        self.node = node
        self.outline = None


def handle(value: Any, node: Node | None, outline: Outline | None) -> Handle:
    """Return ``Handle(value, node)`` with what is known of its outline, sooner."""
    made = Handle.__new__(Handle)
    made.value = value
    made.node = node
    made.outline = outline
    return made


def outline_of(one: Handle) -> Outline:
    """Return shape and dtype of a value: asked of the library once only, which takes longer than a call of ours."""
    found = one.outline
    if found is None:
        value = one.value
        found = one.outline = Outline(value.shape, value.dtype)
    return found


def common_outline(one: Handle, two: Handle) -> Outline | None:
    """Return shape and dtype of two values, ``None`` if they differ."""
    first, second = outline_of(one), outline_of(two)
    if first is second:
        return first
    if first.shape != second.shape or first.dtype != second.dtype:
        return None
    two.outline = first
    return first


def wider_outline(one: Handle, two: Handle) -> Outline | None:
    """Return the outline to which the other value broadcasts by axes in front, ``None`` if that is not the case."""
    first, second = outline_of(one), outline_of(two)
    if first.dtype != second.dtype:
        return None
    if len(first.shape) < len(second.shape):
        first, second = second, first
    return first if first.shape[len(first.shape) - len(second.shape) :] == second.shape else None


X, Y, OUT = 1, 2, 4
"""What a pull reads, as bits: the first operand, the second, the result."""


KEPT = object()
"""Stands for the factor that is the one value which a node keeps."""


class Op:
    """A function of one adapter together with its rule."""

    __slots__ = (
        "conj",
        "elementwise",
        "left",
        "left_factor",
        "left_reads",
        "left_slope",
        "masks",
        "multiply",
        "name",
        "right",
        "right_factor",
        "right_reads",
        "right_slope",
        "rule",
        "scales",
        "spreads",
        "tracking",
        "usual",
        "xp",
    )

    def __init__(self, rule: Rule, xp: Any, tracking: Any) -> None:
        self.rule = rule
        self.name = rule.name
        self.xp = xp
        self.tracking = tracking
        self.left = rule.pulls[0]
        self.right = rule.pulls[1] if len(rule.pulls) > 1 else None
        self.left_reads = _read(rule, 0)
        self.right_reads = _read(rule, 1)
        self.left_slope = rule.slopes[0]
        """What the pull of the first operand multiplies by, where it does just that."""
        self.right_slope = rule.slopes[1] if len(rule.slopes) > 1 else None
        self.left_factor = _factor(rule.factors[0], xp)
        """What makes this factor of the one value that the pull reads, ``KEPT`` if it is that value."""
        self.right_factor = _factor(rule.factors[1], xp) if len(rule.factors) > 1 else None
        if any(rule.slopes):
            self.conj = xp.conj
            self.multiply = xp.multiply
        self.usual: Any = None if xp is None else xp.adapter.dtypes[xp.adapter.float_dtype]
        """The default floating dtype, in which nothing has to be conjugated."""
        self.elementwise = rule.elementwise
        self.scales = rule.elementwise and (any(map(any, rule.needs)) or any(rule.needs_out))
        """Whether ``g`` meets values, which may be infinite: a structural zero must be restored then."""
        self.masks = rule.masks
        self.spreads = rule.elementwise or rule.moves


def _factor(name: str | None, xp: Any) -> Any:
    """Return the function of that name, ``KEPT`` for the empty name, ``None`` for none."""
    return getattr(xp, name) if name else KEPT if name == "" else None


def _read(rule: Rule, side: int) -> int:
    """Return what the pull of an operand reads."""
    if side >= len(rule.pulls) or rule.pulls[side] is None:
        return 0
    needs = rule.needs[side]
    return (X if any(needs[:1]) else 0) | (Y if any(needs[1:2]) else 0) | (OUT if rule.needs_out[side] else 0)


class Pass:
    """One pass back, as nodes know it."""

    __slots__ = ("frees", "mark", "moved", "parent", "passing", "taken")

    frees: bool
    """Whether nodes are freed as soon as they are done."""
    mark: Any
    """The mark of the cotangent in hand."""
    moved: bool
    """Whether a cotangent went from one device to another: cotangents may share memory then."""
    parent: Node | None
    """The node to which belongs what ``back`` returned."""
    passing: Any
    """The mark of what follows from it."""
    taken: dict[Recipe, int]
    """The recipes that a pass which frees nothing took values from, and how often it will again."""

    def push(self, node: Node, g: Any) -> None:
        """Add ``g`` to the cotangent of ``node``."""
        raise NotImplementedError

    def push_part(self, node: Call, index: int, g: Any) -> None:
        """Add ``g`` to the cotangent of one result of ``node``."""
        raise NotImplementedError


class Node:
    """One recorded call. ``op`` is ``None`` once the node is freed."""

    __slots__ = ("op", "order")

    op: Any
    order: int

    def back(self, sweep: Pass, g: Any) -> Any:
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


class End(Node):
    """A node where cotangents may be collected."""

    __slots__ = ()


class Leaf(End):
    """A parameter: what ``require_grad`` makes."""

    __slots__ = ("__weakref__", "device")

    def __init__(self, device: Device) -> None:
        self.op = LEAF
        self.device = device
        """The tag of the parameter, where its gradient belongs."""
        self.order = tick()
        LEAVES.add(self)


class Argument(End):
    """The argument of a functional transformation: the identity; ``parent`` belongs to those around it."""

    __slots__ = ("parent",)

    def __init__(self, parent: Node | None) -> None:
        self.op = ARGUMENT
        self.order = tick()
        self.parent = parent

    def back(self, sweep: Pass, g: Any) -> Any:
        sweep.parent = self.parent
        return g


class Part(Node):
    """One of several results of ``parent``."""

    __slots__ = ("index", "parent")

    def __init__(self, parent: Call, index: int) -> None:
        self.op = PART
        self.order = tick()
        self.parent: Call | None = parent
        self.index = index

    def back(self, sweep: Pass, g: Any) -> Any:
        assert self.parent is not None
        sweep.push_part(self.parent, self.index, g)
        if sweep.frees:
            self.free()
        sweep.parent = None

    def free(self) -> None:
        self.op = self.parent = None


class Move(Node):
    """A move between two autodiff devices; the cotangent moves back."""

    __slots__ = ("parent", "source", "target")

    def __init__(self, parent: Node, source: Any, target: Any) -> None:
        self.op = MOVE
        self.order = tick()
        self.parent: Node | None = parent
        self.source = source
        self.target = target

    def back(self, sweep: Pass, g: Any) -> Any:
        assert self.parent is not None
        sweep.moved = True
        sweep.push(self.parent, self.source.fetch(g, self.target))
        if sweep.frees:
            self.op = self.parent = None
        sweep.parent = None

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent,), (None,), {}, None

    def free(self) -> None:
        self.op = self.parent = None


LEAF = Op(Rule("require_grad", (None,), False, False, False, False), None, None)
ARGUMENT = Op(Rule("argument", (None,), False, False, False, True), None, None)
MOVE = Op(Rule("to_device", (None,), False, False, False, True), None, None)
PART = Op(Rule("part", (None,), False, False, False, True), None, None)


LEAVES: WeakSet[Leaf] = WeakSet()
"""The parameters that are alive; without any, nothing outside of a functional transformation is tracked."""


def cotangents(
    op: Op, xp: Any, g: Any, parents: Any, args: Any, settings: Any, out: Any
) -> list[tuple[Any, Any, Any]]:
    """Return the tracked operands of a call: the node, the cotangent before it is fitted, and the operand."""
    if op.rule.is_joint:
        found = op.rule.pulls[0](xp, g, out, *args, **settings)  # type: ignore[misc]
        each: Any = zip(parents, found, args, strict=True)
    else:
        each = [
            (parent, op.rule.pulls[i](xp, g, out, *args, **settings), args[i])  # type: ignore[misc]
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


def fit(xp: Any, g: Any, like: Any) -> Any:
    """Return a cotangent with the shape and dtype of an operand: un-broadcast, its real part taken, cast."""
    if g is None:
        return None
    shape, have = like.shape, g.shape
    if have != shape:
        lead = len(have) - len(shape)
        if lead > 0 and have[lead:] == shape:
            g = xp.sum(g, axis=0 if lead == 1 else tuple(range(lead)))
        else:
            g = _reshaped(xp, g, shape)
    if g.dtype is not like.dtype and g.dtype != like.dtype:
        if xp.is_complex(g) and not xp.is_complex(like):
            g = xp.real(g)
        g = xp.astype(g, like.dtype)
    return g


def _reshaped(xp: Any, g: Any, shape: tuple[int, ...]) -> Any:
    """Return ``g`` summed over the axes that broadcasting made, and broadcast to ``shape``."""
    lead = g.ndim - len(shape)
    if lead >= 0:
        ones = tuple(lead + i for i, n in enumerate(shape) if n == 1 and g.shape[lead + i] != 1)
        if lead or ones:
            kept = g.shape[lead:]
            g = xp.sum(g, axis=(*range(lead), *ones))
            if ones:
                g = xp.reshape(g, tuple(1 if lead + i in ones else n for i, n in enumerate(kept)))
    return g if g.shape == shape else xp.broadcast_to(g, shape)


def masked(xp: Any, g: Any, h: Any) -> Any:
    """Return ``h`` with zero wherever the cotangent ``g`` that it came from has a structural zero."""
    return None if h is None else xp.where(g == 0, 0, h)


def freed() -> GradientError:
    """Return the error for a second pass through a graph."""
    return GradientError(
        "backward: the graph of this result was freed by an earlier backward; "
        "call that one with retain_graph=True, or compute the result again"
    )
