"""Values with their history, and the way back through it.

A :class:`Handle` is what an autodiff device stores for an array: the value of the library beneath, and the
:class:`Node` that made it. Nodes point to the nodes of their operands and to the values that their rules need, never to
an array of the user and never forward: so reference counting alone frees a graph, and changing an array in place
(which gives it a new handle) leaves what was saved as it was.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np

from burn_array.errors import GradientError

from .rules import Outline, Rule

next_order = count().__next__
"""Numbers nodes in the order of their creation, in which operands come before results."""


class Handle:
    """A value of the library beneath, and the node that made it (``None``: a constant)."""

    __slots__ = ("node", "owned", "value")

    value: Any
    node: Node | None
    owned: bool
    """Set where the memory is known to be reachable through this handle and its nodes only."""

    def __init__(self, value: Any, node: Node | None) -> None:
        self.value = value
        self.node = node


class Op:
    """A function of one adapter together with its rule."""

    __slots__ = ("elementwise", "left", "masks", "name", "right", "rule", "spreads", "tracking", "xp")

    def __init__(self, rule: Rule, xp: Any, tracking: Any) -> None:
        self.rule = rule
        self.name = rule.name
        self.xp = xp
        self.tracking = tracking
        self.left = rule.pulls[0]
        self.right = rule.pulls[1] if len(rule.pulls) > 1 else None
        self.elementwise = rule.elementwise
        self.masks = rule.masks
        self.spreads = rule.elementwise or rule.moves


class Node:
    """One recorded call. ``op`` is ``None`` once the node is freed."""

    __slots__ = ("op", "order")

    op: Any
    order: int

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

    def __init__(self) -> None:
        self.op = LEAF
        self.order = next_order()


class Argument(Node):
    """The argument of a functional transformation: the identity, with ``parent`` for the transformations around it."""

    __slots__ = ("parent",)

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
        if sweep.mark:
            h = masked(op.xp, g, h)
        if sweep.frees:
            self.op = self.parent = self.x = self.out = None
        return parent, h

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent,), (self.x,), {}, self.out

    def free(self) -> None:
        self.op = self.parent = self.x = self.out = None


class Binary(Node):
    """A call of a function of two operands without settings; ``fits`` says where a cotangent must be fitted."""

    __slots__ = ("fit_x", "fit_y", "left", "out", "right", "x", "y")

    def __init__(
        self, op: Op, left: Node | None, right: Node | None, x: Any, y: Any, out: Any, fit_x: Any, fit_y: Any
    ) -> None:
        self.op = op
        self.order = next_order()
        self.left = left
        self.right = right
        self.x = x
        self.y = y
        self.out = out
        self.fit_x = fit_x
        self.fit_y = fit_y

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op = self.op
        xp = op.xp
        parent, h = self.left, None
        if parent is not None:
            h = op.left(xp, g, self.out, self.x, self.y)
            if sweep.mark and op.elementwise:
                h = masked(xp, g, h)
            if self.fit_x is not None:
                h = fit(xp, h, self.fit_x)
        if self.right is not None:
            if parent is not None:
                sweep.push(parent, h)
            parent = self.right
            h = op.right(xp, g, self.out, self.x, self.y)
            if sweep.mark and op.elementwise:
                h = masked(xp, g, h)
            if self.fit_y is not None:
                h = fit(xp, h, self.fit_y)
        if sweep.frees:
            self.free()
        return parent, h

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.left, self.right), (self.x, self.y), {}, self.out

    def free(self) -> None:
        self.op = self.left = self.right = self.x = self.y = self.out = None


class Call(Node):
    """Any other call. ``args`` and ``out`` hold values, or outlines where the rule needs no more."""

    __slots__ = ("args", "out", "parents", "settings")

    def __init__(self, op: Op, parents: Any, args: Any, settings: dict[str, Any], out: Any) -> None:
        self.op = op
        self.order = next_order()
        self.parents = parents
        self.args = args
        self.settings = settings
        self.out = out

    def back(self, sweep: Sweep, g: Any) -> tuple[Node | None, Any]:
        op = self.op
        pairs = cotangents(sweep, op, op.xp, g, self.parents, self.args, self.settings, self.out)
        if sweep.frees:
            self.free()
        return sweep.push_all(pairs)

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


LEAF = Op(Rule("require_grad", (None,), False, False, False, False), None, None)
ARGUMENT = Op(Rule("argument", (None,), False, False, False, True), None, None)
PART = Op(Rule("part", (None,), False, False, False, False), None, None)


def cotangents(
    sweep: Sweep, op: Op, xp: Any, g: Any, parents: Any, args: Any, settings: Any, out: Any
) -> list[tuple[Node, Any]]:
    """Return the tracked operands of a call, each with its cotangent."""
    if op.rule.is_joint:
        found = op.rule.pulls[0](xp, g, out, *args, **settings)  # type: ignore[misc]
        each = zip(parents, args, found, strict=True)
    else:
        each = (
            (parent, args[i], op.rule.pulls[i](xp, g, out, *args, **settings))  # type: ignore[misc]
            for i, parent in enumerate(parents)
            if parent is not None
        )
    pairs = []
    for parent, operand, h in each:
        if type(parent) is list:
            lists = zip(parent, operand, h, strict=True)
            pairs += [(p, fit(xp, c, x)) for p, x, c in lists if p is not None]
        elif parent is not None:
            if sweep.mark and op.elementwise:
                h = masked(xp, g, h)
            pairs.append((parent, fit(xp, h, operand)))
    return pairs


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


class Sweep:
    """One pass back from a result: the cotangents that wait, and what arrived at the targets."""

    __slots__ = ("floor", "found", "frees", "heap", "mark", "marked", "passing", "targets", "waiting")

    def __init__(self, frees: bool, targets: frozenset[Node] = frozenset(), floor: int = 0) -> None:
        self.frees = frees
        self.targets = targets
        """Nodes whose cotangents are asked for, beside the leaves."""
        self.floor = floor
        """Nodes made before it are not gone into."""
        self.found: dict[Node, Any] = {}
        self.waiting: dict[Node, Any] = {}
        self.heap: list[tuple[int, Node]] = []
        self.marked: set[Node] = set()
        """Waiting nodes whose cotangent has structural zeros."""
        self.mark = False
        """Whether the cotangent in hand has."""
        self.passing = False
        """Whether what follows from it has."""

    def run(self, root: Node, g: Any) -> dict[Node, Any]:
        """Return the cotangents of the targets, given that of ``root``."""
        with np.errstate(all="ignore"):
            self.push(root, g)
            while self.heap:
                node = heappop(self.heap)[1]
                self.mark = node in self.marked
                self._follow(node, self.waiting.pop(node))
        return self.found

    def _follow(self, node: Node, g: Any) -> None:
        """Go back from ``node`` as long as nothing else waits: a chain needs no queue."""
        while True:
            op = node.op
            if op is None:
                raise freed()
            self.passing = op.masks or (self.mark and op.spreads)
            parent, g = self.back(node, g)
            if parent is None or g is None or parent.order < self.floor:
                return
            if self.heap or type(parent) is Leaf or parent in self.targets:
                self.push(parent, g)
                return
            self.mark = self.passing
            node = parent

    def back(self, node: Node, g: Any) -> tuple[Node | None, Any]:
        """Hand ``g`` on to the operands of ``node``."""
        return node.back(self, g)

    def push(self, node: Node, g: Any) -> None:
        """Add ``g`` to the cotangent of ``node``."""
        if g is None or node.order < self.floor:
            return
        if type(node) is Leaf or node in self.targets:
            self.found[node] = self.found[node] + g if node in self.found else g
        elif node in self.waiting:
            self.waiting[node] = self.waiting[node] + g
            if not self.passing:
                self.marked.discard(node)
        else:
            self.waiting[node] = g
            if self.passing:
                self.marked.add(node)
            heappush(self.heap, (-node.order, node))

    def push_all(self, pairs: list[tuple[Node, Any]]) -> tuple[Node | None, Any]:
        """Push all pairs but the last one, and return that."""
        if not pairs:
            return None, None
        for parent, h in pairs[:-1]:
            self.push(parent, h)
        return pairs[-1]

    def push_part(self, node: Call, index: int, g: Any) -> None:
        """Add ``g`` to the cotangent of one result of ``node``."""
        if node.op is None:
            raise freed()
        if node not in self.waiting:
            self.waiting[node] = [None] * len(node.out)
            heappush(self.heap, (-node.order, node))
        parts = self.waiting[node]
        parts[index] = g if parts[index] is None else parts[index] + g


class TrackingSweep(Sweep):
    """A pass back that is recorded itself: rules run on tracked arrays."""

    __slots__ = ()

    def back(self, node: Node, g: Any) -> tuple[Node | None, Any]:
        """Hand ``g`` on to the operands of ``node``."""
        if type(node) in (Argument, Part):
            return node.back(self, g)
        xp = node.op.tracking
        parents, args, settings, out = node.call()
        args = [_lifted(xp, x, parent) for x, parent in zip(args, parents, strict=True)]
        settings = {key: xp.lift(value, None) for key, value in settings.items()}
        if type(out) is tuple:
            out = tuple(xp.lift(one, Part(node, i)) for i, one in enumerate(out))  # type: ignore[arg-type]
        else:
            out = xp.lift(out, node)
        if type(node) is Call:
            return self.push_all(cotangents(self, node.op, xp, g, parents, args, settings, out))
        return self.push_all(_pairs(self, node, xp, g, args, out))


def _lifted(xp: Any, x: Any, parent: Any) -> Any:
    if type(x) is not list:
        return xp.lift(x, parent)
    parents = parent if type(parent) is list else [None] * len(x)
    return [xp.lift(one, p) for one, p in zip(x, parents, strict=True)]


def _pairs(sweep: Sweep, node: Any, xp: Any, g: Any, args: list[Any], out: Any) -> list[tuple[Node, Any]]:
    """Return the tracked operands of a call of fixed arity, each with its cotangent."""
    op = node.op
    if type(node) is Unary:
        sides = [(node.parent, op.left, None)]
    else:
        sides = [(node.left, op.left, node.fit_x), (node.right, op.right, node.fit_y)]
    pairs = []
    for parent, pull, like in sides:
        if parent is not None:
            h = pull(xp, g, out, *args)
            if sweep.mark and op.elementwise:
                h = masked(xp, g, h)
            pairs.append((parent, h if like is None else fit(xp, h, xp.lift(like, None))))
    return pairs


def freed() -> GradientError:
    """Return the error for a second pass through a graph."""
    return GradientError(
        "backward: the graph of this result was freed by an earlier backward; "
        "call that one with retain_graph=True, or compute the result again"
    )
