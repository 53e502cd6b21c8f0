"""The passes back through a graph.

Nodes are visited from the latest to the earliest, each once, when its whole cotangent has come together. A
queue holds those that wait; a chain of single operands needs none. There is no recursion.

A cotangent may be *marked*: its zeros are structural, they belong to elements that were not chosen. In a
plain pass the mark is ``True`` and the zeros of the cotangent itself count. A pass that is recorded needs the
structure exactly, since a zero of the values has derivatives: there the mark is a weight, zero at structural
zeros only, that takes the same way back.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Any

from burn_array.errors import GradientError

from .nodes import Call, OneSided, Single, Unary
from .numpy_warnings import hush, restore
from .recomputation import taken
from .shared_memory import LATEST, check
from .tape import Argument, End, Leaf, Move, Node, Op, Part, Pass, cotangents, fit, freed


class Sweep(Pass):
    """One pass back: the cotangents that wait, and what arrived at the targets."""

    __slots__ = ("floor", "found", "heap", "latest", "marked", "targets", "waiting")

    def __init__(self, frees: bool, targets: frozenset[Node] = frozenset(), floor: int = 0) -> None:
        self.frees = frees
        self.moved = False
        self.targets = targets
        """Nodes whose cotangents are asked for, beside the leaves."""
        self.floor = floor
        """Nodes made before it belong to somebody else."""
        self.latest = LATEST[0]
        """Nodes made before it may have saved what was changed since."""
        self.found: dict[Node, Any] = {}
        self.waiting: dict[Node, Any] = {}
        self.heap: list[tuple[int, Node]] = []
        self.marked: dict[Node, Any] = {}
        """Waiting nodes whose cotangent has structural zeros, with their mark."""
        self.mark = self.passing = None
        self.taken = {}

    def run(self, seeds: Iterable[tuple[Node, Any]]) -> dict[Node, Any]:
        """Return the cotangents of the targets, given those of some results."""
        before = hush()
        try:
            for node, g in seeds:
                self.push(node, g)
            while self.heap:
                node = heappop(self.heap)[1]
                g = self.waiting.pop(node)
                mark = self.marked.pop(node, None)
                self.mark = self.passing = self.joined(mark, g) if type(mark) is list else mark
                op = node.op
                guard = None if op is None or op.xp is None else op.xp.guard
                if guard is None:
                    self._follow(node, g)
                else:
                    with guard:
                        self._follow(node, g)
        finally:
            restore(before)
            for recipe in self.taken:
                recipe.value = None
        return self.found

    def _follow(self, node: Node, g: Any) -> None:
        """Go back from ``node`` for as long as nothing else waits."""
        heap, floor = self.heap, self.floor
        while True:
            op = node.op
            if op is None:
                raise freed()
            if node.order < self.latest:
                check(node)
            if self.mark is not None or op.masks:
                self.passing = True if op.masks or op.spreads else None
            g = node.back(self, g)
            parent = self.parent
            if parent is None or g is None:
                return
            if heap or isinstance(parent, End) or parent.order < floor:
                self.push(parent, g)
                return
            self.mark = self.passing
            node = parent

    def push(self, node: Node, g: Any) -> None:
        """Add ``g`` to the cotangent of ``node``."""
        if g is None:
            return
        if node.order < self.floor:
            self.outside()
        elif isinstance(node, End) and (type(node) is Leaf or node in self.targets):
            self.found[node] = self.found[node] + g if node in self.found else g
        elif node in self.waiting:
            self.waiting[node] = self.waiting[node] + g
            mark = self.marked.pop(node, None)
            if mark is not None and self.passing is not None:
                self.marked[node] = mark + self.passing
        else:
            self.waiting[node] = g
            if self.passing is not None:
                self.marked[node] = self.passing
            heappush(self.heap, (-node.order, node))

    def push_part(self, node: Call, index: int, g: Any) -> None:
        """Add ``g`` to the cotangent of one result of ``node``."""
        if node.op is None:
            raise freed()
        if node not in self.waiting:
            self.waiting[node] = [None] * len(node.out)
            self.marked[node] = [None] * len(node.out)
            heappush(self.heap, (-node.order, node))
        parts, marks = self.waiting[node], self.marked[node]
        if parts[index] is None:
            parts[index], marks[index] = g, self.passing
        else:
            parts[index] = parts[index] + g
            both = marks[index] is not None and self.passing is not None
            marks[index] = marks[index] + self.passing if both else None

    def joined(self, marks: list[Any], parts: list[Any]) -> Any:
        """Return the mark of the cotangents of several results: they are marked if each of them is."""
        seen = [mark for mark, g in zip(marks, parts, strict=True) if g is not None]
        return None if None in seen else True

    def outside(self) -> None:
        """Meet a node that was made before this transformation began."""
        raise GradientError(
            "the function uses an array that is tracked outside of it and was not seen in time; "
            "give it as an argument, or its detach()"
        )


class TrackingSweep(Sweep):
    """A pass back that is recorded itself: rules run on tracked arrays."""

    __slots__ = ()

    def outside(self) -> None:
        """Leave what belongs to an outer transformation to that one."""

    def joined(self, marks: list[Any], parts: list[Any]) -> Any:
        """Return the marks of the cotangents of several results, ones where only others are marked."""
        if not any(mark is not None for mark in marks):
            return None
        xp = next(g for g in parts if g is not None)._device.adapter.plain
        ones = [None if g is None else xp.ones_like(g._native.value) for g in parts]
        return tuple(one if mark is None else mark for mark, one in zip(marks, ones, strict=True))

    def _follow(self, node: Node, g: Any) -> None:
        """Hand ``g`` on to the operands of ``node``."""
        op, mark = node.op, self.mark
        if op is None:
            raise freed()
        if node.order < self.latest:
            check(node)
        if isinstance(node, Argument | Part | Move):
            if type(node) is Move and mark is not None:
                self.passing = node.source.fetch(mark, node.target)
            h = node.back(self, g)
            if self.parent is not None:
                self.push(self.parent, h)
            return
        xp = op.tracking
        parents, args, settings, out = node.call()
        saved = parents, taken(args, self), settings, taken(out, self)
        pulled, weights = self._pulled(node, xp, g, saved), self._weights(node, g, saved)
        for (parent, h, like), weight in zip(pulled, weights, strict=True):
            if mark is not None and op.scales and h is not None:
                h = xp.where(xp.constant(mark == 0), 0, h)
            self.passing = weight
            self.push(parent, h if like is None else fit(xp, h, like))

    def _pulled(self, node: Node, xp: Any, g: Any, saved: Any) -> list[tuple[Any, Any, Any]]:
        parents, args, settings, out = saved
        args = [_lifted(xp, x, parent) for x, parent in zip(args, parents, strict=True)]
        if not isinstance(node, Call | Single):
            return _fixed(node, xp, g, args, xp.lift(out, node))
        settings = {key: xp.lift(value, None) for key, value in settings.items()}
        if type(out) is tuple:
            out = tuple(xp.lift(one, Part(node, i)) for i, one in enumerate(out))  # type: ignore[arg-type]
        else:
            out = xp.lift(out, node)
        return cotangents(node.op, xp, g, parents, args, settings, out)

    def _weights(self, node: Node, g: Any, saved: Any) -> list[Any]:
        """Return the marks of the tracked operands: a weight of structural zeros only takes the same way back."""
        op: Op = node.op
        mark = self.mark
        parents, args, settings, out = saved
        if op.masks and mark is None:
            mark = op.xp.ones_like(g._native.value)
        if mark is None or not (op.masks or op.spreads):
            return [None] * len(_flat(parents))
        if not op.masks and op.elementwise and not isinstance(node, Call | Single):
            triples: Any = [(parent, mark, like) for parent, _, like in _sides(node)]
        elif not op.masks and op.elementwise:
            triples = [(p, mark, x) for p, x in zip(parents, args, strict=True) if p is not None]
        elif isinstance(node, Call | Single):
            triples = cotangents(op, op.xp, mark, parents, args, settings, out)
        else:
            triples = _fixed(node, op.xp, mark, args, out)
        return [h if h is None or like is None else fit(op.xp, h, like) for _, h, like in triples]


def _flat(parents: Any) -> list[Any]:
    nested = [parent if type(parent) is list else [parent] for parent in parents]
    return [one for parent in nested for one in parent if one is not None]


def _lifted(xp: Any, x: Any, parent: Any) -> Any:
    if type(x) is not list:
        return xp.lift(x, parent)
    parents = parent if type(parent) is list else [None] * len(x)
    return [xp.lift(one, p) for one, p in zip(x, parents, strict=True)]


def _sides(node: Any) -> list[tuple[Any, Any, Any]]:
    """Return the tracked operands of a call of fixed arity: node, pull, and outline to fit."""
    if type(node) is Unary:
        return [(node.parent, node.op.left, None)]
    if type(node) is OneSided:
        return [(node.parent, node.op.right if node.is_right else node.op.left, node.fit)]
    return [(node.left, node.op.left, node.fit_x), (node.right, node.op.right, node.fit_y)]


def _fixed(node: Any, xp: Any, g: Any, args: Any, out: Any) -> list[tuple[Any, Any, Any]]:
    """Return what ``cotangents`` does, for a call of fixed arity."""
    return [(parent, pull(xp, g, out, *args), xp.lift(like, None)) for parent, pull, like in _sides(node)]


def reaches(roots: list[Node], floor: int) -> bool:
    """Return whether results depend on a node made before ``floor``."""
    seen = set(roots)
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.order < floor:
            return True
        fresh = [parent for parent in _parents(node) if parent not in seen]
        seen.update(fresh)
        stack += fresh
    return False


def _parents(node: Any) -> list[Node]:
    if type(node) is Leaf or node.op is None:
        return []
    if isinstance(node, Argument | Part):
        return [node.parent] if node.parent is not None else []
    return _flat(node.call()[0])
