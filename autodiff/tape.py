"""Values with their history, and the way back through it.

A :class:`Handle` is what an autodiff device stores for an array: the value of the library beneath, and the
:class:`Node` that made it. Nodes point to the nodes of their operands and to the values that their rules
need, never to an array of the user and never forward: so reference counting alone frees a graph, and changing
an array in place (which gives it a new handle) leaves what was saved as it was.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

from burn_array.errors import GradientError

from .rules import Rule

if TYPE_CHECKING:
    from .sweep import Sweep

next_order = count().__next__
"""Numbers nodes in the order of their creation, in which operands come before results."""


class Handle:
    """A value of the library beneath, and the node that made it (``None``: a constant)."""

    __slots__ = ("node", "owned", "recipe", "value")

    value: Any
    node: Node | None
    owned: bool
    """Set where the memory is known to be reachable through this handle and its nodes only."""
    recipe: Any
    """Set with balanced checkpointing: how the value can be computed again."""

    def __init__(self, value: Any, node: Node | None) -> None:
        self.value = value
        self.node = node


class Op:
    """A function of one adapter together with its rule."""

    __slots__ = (
        "elementwise",
        "left",
        "masks",
        "name",
        "right",
        "rule",
        "scales",
        "spreads",
        "tracking",
        "xp",
    )

    def __init__(self, rule: Rule, xp: Any, tracking: Any) -> None:
        self.rule = rule
        self.name = rule.name
        self.xp = xp
        self.tracking = tracking
        self.left = rule.pulls[0]
        self.right = rule.pulls[1] if len(rule.pulls) > 1 else None
        self.elementwise = rule.elementwise
        self.scales = rule.elementwise and (any(map(any, rule.needs)) or any(rule.needs_out))
        """Whether ``g`` meets values, which may be infinite: a structural zero must be restored then."""
        self.masks = rule.masks
        self.spreads = rule.elementwise or rule.moves


class Node:
    """One recorded call. ``op`` is ``None`` once the node is freed."""

    __slots__ = ("op", "order")

    op: Any
    order: int
    ends: ClassVar[bool] = False
    """Whether cotangents may be collected here."""

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        """Hand ``g`` on to the operands: to all but one through ``sweep.push``, to the last as the result."""
        raise NotImplementedError

    def call(self) -> tuple[Any, Any, Any, Any]:
        """Return nodes of the operands, operands, settings and results, as far as they are saved."""
        raise NotImplementedError

    def free(self) -> None:
        """Drop what the node holds."""
        self.op = None


class Leaf(Node):
    """A parameter: what ``require_grad`` makes."""

    __slots__ = ("__weakref__",)
    ends = True

    def __init__(self) -> None:
        self.op = LEAF
        self.order = next_order()
        LEAVES.add(self)


class Argument(Node):
    """The argument of a functional transformation: the identity; ``parent`` belongs to those around it."""

    __slots__ = ("parent",)
    ends = True

    def __init__(self, parent: Node | None) -> None:
        self.op = ARGUMENT
        self.order = next_order()
        self.parent = parent

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        return self.parent, g


class Unary(Node):
    """A call of an element-wise function of one array."""

    __slots__ = ("out", "parent", "x")

    def __init__(self, op: Op, parent: Node, x: Any, out: Any) -> None:
        self.op = op
        self.order = next_order()
        self.parent: Node | None = parent
        self.x = x
        self.out = out

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op, parent = self.op, self.parent
        h = op.left(op.xp, g, self.out, self.x)
        if sweep.mark is not None and op.scales:
            h = masked(op.xp, g, h)
        if sweep.frees:
            self.op = self.parent = self.x = self.out = None
        return parent, h

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent,), (self.x,), {}, self.out

    def free(self) -> None:
        self.op = self.parent = self.x = self.out = None


class OneSided(Node):
    """A call of a function of two operands, of which one is tracked: ``pull`` is its pull."""

    __slots__ = ("fit", "out", "parent", "pull", "x", "y")

    def __init__(self, op: Op, pull: Any, parent: Node, x: Any, y: Any, out: Any, fit: Any) -> None:
        self.op = op
        self.order = next_order()
        self.pull = pull
        self.parent: Node | None = parent
        self.x = x
        self.y = y
        self.out = out
        self.fit = fit
        """The outline of the operand where a cotangent of the result's shape and dtype must be fitted."""

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op, parent = self.op, self.parent
        h = self.pull(op.xp, g, self.out, self.x, self.y)
        if sweep.mark is not None and op.scales:
            h = masked(op.xp, g, h)
        if self.fit is not None:
            h = fit(op.xp, h, self.fit)
        if sweep.frees:
            self.op = self.parent = self.x = self.y = self.out = None
        return parent, h

    def call(self) -> tuple[Any, Any, Any, Any]:
        parents = (self.parent, None) if self.pull is self.op.left else (None, self.parent)
        return parents, (self.x, self.y), {}, self.out

    def free(self) -> None:
        self.op = self.parent = self.x = self.y = self.out = None


class Binary(Node):
    """A call of a function of two operands without settings, both tracked."""

    __slots__ = ("fit_x", "fit_y", "left", "out", "right", "x", "y")

    def __init__(
        self, op: Op, left: Node, right: Node, x: Any, y: Any, out: Any, fit_x: Any, fit_y: Any
    ) -> None:
        self.op = op
        self.order = next_order()
        self.left: Node | None = left
        self.right: Node | None = right
        self.x = x
        self.y = y
        self.out = out
        self.fit_x = fit_x
        self.fit_y = fit_y

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op = self.op
        xp = op.xp
        h = op.left(xp, g, self.out, self.x, self.y)
        k = op.right(xp, g, self.out, self.x, self.y)
        if sweep.mark is not None and op.scales:
            h, k = masked(xp, g, h), masked(xp, g, k)
        if self.fit_x is not None:
            h = fit(xp, h, self.fit_x)
        if self.fit_y is not None:
            k = fit(xp, k, self.fit_y)
        left, right = self.left, self.right
        if sweep.frees:
            self.op = self.left = self.right = self.x = self.y = self.out = None
        assert left is not None
        assert right is not None
        if right.ends:
            sweep.push(right, k)
            return left, h
        sweep.push(left, h)
        return right, k

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.left, self.right), (self.x, self.y), {}, self.out

    def free(self) -> None:
        self.op = self.left = self.right = self.x = self.y = self.out = None


class Single(Node):
    """A call of a function of one array and settings."""

    __slots__ = ("args", "out", "parent", "settings", "x")

    def __init__(self, op: Op, parent: Node, x: Any, args: Any, settings: Any, out: Any) -> None:
        self.op = op
        self.order = next_order()
        self.parent: Node | None = parent
        self.x = x
        self.args = args
        self.settings = settings
        self.out = out

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op, parent, x = self.op, self.parent, self.x
        h = op.left(op.xp, g, self.out, x, *self.args, **self.settings)
        if sweep.mark is not None and op.scales:
            h = masked(op.xp, g, h)
        if sweep.frees:
            self.op = self.parent = self.x = self.args = self.settings = self.out = None
        return parent, fit(op.xp, h, x)

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent, *[None] * len(self.args)), (self.x, *self.args), self.settings, self.out

    def free(self) -> None:
        self.op = self.parent = self.x = self.args = self.settings = self.out = None


class Call(Node):
    """Any other call. ``args`` and ``out`` hold values, or outlines where the rule needs no more."""

    __slots__ = ("args", "out", "parents", "settings")

    def __init__(self, op: Op, parents: Any, args: Any, settings: Any, out: Any) -> None:
        self.op = op
        self.order = next_order()
        self.parents = parents
        self.args = args
        self.settings = settings
        self.out = out

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op = self.op
        xp = op.xp
        parent, last = None, None
        for node, h, operand in cotangents(op, xp, g, self.parents, self.args, self.settings, self.out):
            if parent is not None:
                sweep.push(parent, last)
            if sweep.mark is not None and op.scales:
                h = masked(xp, g, h)
            parent, last = node, fit(xp, h, operand)
        if sweep.frees:
            self.free()
        return parent, last

    def call(self) -> tuple[Any, Any, Any, Any]:
        return self.parents, self.args, self.settings, self.out

    def free(self) -> None:
        self.op = self.parents = self.args = self.settings = self.out = None


class Part(Node):
    """One of several results of ``parent``."""

    __slots__ = ("index", "parent")

    def __init__(self, parent: Call, index: int) -> None:
        self.op = PART
        self.order = next_order()
        self.parent: Call | None = parent
        self.index = index

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        assert self.parent is not None
        sweep.push_part(self.parent, self.index, g)
        if sweep.frees:
            self.free()
        return None, None

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

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        parent = self.parent
        h = self.source.fetch(g, self.target)
        if sweep.frees:
            self.op = self.parent = None
        return parent, h

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
    if g.shape != like.shape:
        g = _reshaped(xp, g, like.shape)
    if g.dtype is not like.dtype and g.dtype != like.dtype:
        if xp.is_complex(g) and not xp.is_complex(like):
            g = xp.real(g)
        g = xp.astype(g, like.dtype)
    return g


def _reshaped(xp: Any, g: Any, shape: tuple[int, ...]) -> Any:
    """Return ``g`` summed over the axes that broadcasting made, and broadcast to ``shape``."""
    lead = g.ndim - len(shape)
    if lead > 0 and g.shape[lead:] == shape:
        return xp.sum(g, axis=tuple(range(lead)))
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
