"""The backward pass through a graph.

Nodes are visited from the latest to the earliest, each once, when its cotangent is complete. A queue holds the nodes
that wait; a chain of calls with one operand needs no queue. Nothing here is recursive.

A cotangent may be *marked*: its zeros are structural, because they belong to elements that were not chosen (by
``where`` or ``max``, say). In a plain pass the mark is ``True``, and every zero of the cotangent counts as
structural. In a recorded pass a zero may be a value with derivatives; there the mark is an array of weights, zero
only at structural zeros, which goes back through the same rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Any

from burn_array.errors import GradientError

from .nodes import Call, OneTrackedBinary, Unary, UnaryWithSettings
from .numpy_warnings import ignore_warnings, restore_warnings
from .recomputation import recomputed
from .shared_memory import LAST_CHANGE, check
from .tape import (
    Argument,
    GraphInput,
    Leaf,
    Move,
    Node,
    Op,
    Output,
    PassState,
    freed_error,
    operand_cotangents,
    unbroadcast,
)


class BackwardPass(PassState):
    """One backward pass: the cotangents that wait, and those that have reached the targets."""

    __slots__ = ("found", "heap", "last_change", "start", "targets", "waiting", "waiting_masks")

    def __init__(self, frees: bool, targets: frozenset[Node] = frozenset(), start: int = 0) -> None:
        self.frees = frees
        self.moved = False
        self.targets = targets
        """The nodes whose cotangents the caller wants, in addition to the parameters."""
        self.start = start
        """Nodes older than this belong to an outer transformation."""
        self.last_change = LAST_CHANGE[0]
        """Nodes older than this must be checked for values changed in place."""
        self.found: dict[Node, Any] = {}
        self.waiting: dict[Node, Any] = {}
        self.heap: list[tuple[int, Node]] = []
        self.waiting_masks: dict[Node, Any] = {}
        """The marks of waiting nodes whose cotangents have structural zeros."""
        self.mask = self.next_mask = None
        self.remaining_uses = {}

    def run(self, seeds: Iterable[tuple[Node, Any]]) -> dict[Node, Any]:
        """Return the cotangents of the targets, given those of some results."""
        before = ignore_warnings()
        try:
            for node, g in seeds:
                self.accumulate(node, g)
            while self.heap:
                node = heappop(self.heap)[1]
                g = self.waiting.pop(node)
                mask = self.waiting_masks.pop(node, None)
                self.mask = self.next_mask = self.joined_mask(mask, g) if type(mask) is list else mask
                op = node.op
                guard = None if op is None or op.xp is None else op.xp.guard
                if guard is None:
                    self._propagate(node, g)
                else:
                    with guard:
                        self._propagate(node, g)
        finally:
            restore_warnings(before)
            for recomputation in self.remaining_uses:
                recomputation.value = None
        return self.found

    def _propagate(self, node: Node, g: Any) -> None:
        """Follow the graph back from ``node`` as long as no other node waits."""
        heap, start = self.heap, self.start
        while True:
            op = node.op
            if op is None:
                raise freed_error()
            if node.order < self.last_change:
                check(node)
            if self.mask is not None or op.masks:
                self.next_mask = True if op.masks or op.keeps_mask else None
            g = node.back(self, g)
            parent = self.parent
            if parent is None or g is None:
                return
            if heap or isinstance(parent, GraphInput) or parent.order < start:
                self.accumulate(parent, g)
                return
            self.mask = self.next_mask
            node = parent

    def accumulate(self, node: Node, g: Any) -> None:
        """Add ``g`` to the cotangent of ``node``."""
        if g is None:
            return
        if node.order < self.start:
            self.reached_outside()
        elif isinstance(node, GraphInput) and (type(node) is Leaf or node in self.targets):
            self.found[node] = self.found[node] + g if node in self.found else g
        elif node in self.waiting:
            self.waiting[node] = self.waiting[node] + g
            mask = self.waiting_masks.pop(node, None)
            if mask is not None and self.next_mask is not None:
                self.waiting_masks[node] = mask + self.next_mask
        else:
            self.waiting[node] = g
            if self.next_mask is not None:
                self.waiting_masks[node] = self.next_mask
            heappush(self.heap, (-node.order, node))

    def accumulate_output(self, node: Call, index: int, g: Any) -> None:
        """Add ``g`` to the cotangent of one result of ``node``."""
        if node.op is None:
            raise freed_error()
        if node not in self.waiting:
            self.waiting[node] = [None] * len(node.out)
            self.waiting_masks[node] = [None] * len(node.out)
            heappush(self.heap, (-node.order, node))
        parts, masks = self.waiting[node], self.waiting_masks[node]
        if parts[index] is None:
            parts[index], masks[index] = g, self.next_mask
        else:
            parts[index] = parts[index] + g
            both = masks[index] is not None and self.next_mask is not None
            masks[index] = masks[index] + self.next_mask if both else None

    def joined_mask(self, masks: list[Any], parts: list[Any]) -> Any:
        """Return the mark for the cotangents of several results: marked only if all of them are."""
        seen = [mask for mask, g in zip(masks, parts, strict=True) if g is not None]
        return None if None in seen else True

    def reached_outside(self) -> None:
        """Handle a node that is older than this transformation."""
        raise GradientError(
            "the function uses an array that is tracked outside of it and was not seen in time; "
            "give it as an argument, or its detach()"
        )


class TrackingBackwardPass(BackwardPass):
    """A backward pass that is recorded itself: its rules run on tracked arrays."""

    __slots__ = ()

    def reached_outside(self) -> None:
        """Stop at a node of an outer transformation, which will differentiate it."""

    def joined_mask(self, masks: list[Any], parts: list[Any]) -> Any:
        """Return the marks for the cotangents of several results; ones for those without a mark."""
        if not any(mask is not None for mask in masks):
            return None
        xp = next(g for g in parts if g is not None)._device.adapter.plain
        ones = [None if g is None else xp.ones_like(g._native.value) for g in parts]
        return tuple(one if mask is None else mask for mask, one in zip(masks, ones, strict=True))

    def _propagate(self, node: Node, g: Any) -> None:
        """Pass the cotangent ``g`` of ``node`` on to its operands."""
        op, mask = node.op, self.mask
        if op is None:
            raise freed_error()
        if node.order < self.last_change:
            check(node)
        if isinstance(node, Argument | Output | Move):
            if type(node) is Move and mask is not None:
                self.next_mask = node.source.fetch(mask, node.target)
            h = node.back(self, g)
            if self.parent is not None:
                self.accumulate(self.parent, h)
            return
        xp = op.tracking
        parents, args, settings, out = node.call()
        saved = parents, recomputed(args, self), settings, recomputed(out, self)
        found, masks = self._cotangents(node, xp, g, saved), self._masks(node, g, saved)
        for (parent, h, like), next_mask in zip(found, masks, strict=True):
            if mask is not None and op.uses_values and h is not None:
                h = xp.where(xp.constant(mask == 0), 0, h)
            self.next_mask = next_mask
            self.accumulate(parent, h if like is None else unbroadcast(xp, h, like))

    def _cotangents(self, node: Node, xp: Any, g: Any, saved: Any) -> list[tuple[Any, Any, Any]]:
        parents, args, settings, out = saved
        args = [_wrap_operands(xp, x, parent) for x, parent in zip(args, parents, strict=True)]
        if not isinstance(node, Call | UnaryWithSettings):
            return _fixed_arity_cotangents(node, xp, g, args, xp.wrap_saved(out, node))
        settings = {key: xp.wrap_saved(value, None) for key, value in settings.items()}
        if type(out) is tuple:
            out = tuple(xp.wrap_saved(one, Output(node, i)) for i, one in enumerate(out))  # type: ignore[arg-type]
        else:
            out = xp.wrap_saved(out, node)
        return operand_cotangents(node.op, xp, g, parents, args, settings, out)

    def _masks(self, node: Node, g: Any, saved: Any) -> list[Any]:
        """Return the marks for the tracked operands: the weights go back through the same rules as the cotangent."""
        op: Op = node.op
        mask = self.mask
        parents, args, settings, out = saved
        if op.masks and mask is None:
            mask = op.xp.ones_like(g._native.value)
        if mask is None or not (op.masks or op.keeps_mask):
            return [None] * len(_flatten(parents))
        if not op.masks and op.elementwise and not isinstance(node, Call | UnaryWithSettings):
            triples: Any = [(parent, mask, like) for parent, _, like in _tracked_operands(node)]
        elif not op.masks and op.elementwise:
            triples = [(p, mask, x) for p, x in zip(parents, args, strict=True) if p is not None]
        elif isinstance(node, Call | UnaryWithSettings):
            triples = operand_cotangents(op, op.xp, mask, parents, args, settings, out)
        else:
            triples = _fixed_arity_cotangents(node, op.xp, mask, args, out)
        return [h if h is None or like is None else unbroadcast(op.xp, h, like) for _, h, like in triples]


def _flatten(parents: Any) -> list[Any]:
    nested = [parent if type(parent) is list else [parent] for parent in parents]
    return [one for parent in nested for one in parent if one is not None]


def _wrap_operands(xp: Any, x: Any, parent: Any) -> Any:
    if type(x) is not list:
        return xp.wrap_saved(x, parent)
    parents = parent if type(parent) is list else [None] * len(x)
    return [xp.wrap_saved(one, p) for one, p in zip(x, parents, strict=True)]


def _tracked_operands(node: Any) -> list[tuple[Any, Any, Any]]:
    """Return, for each tracked operand of a call with one or two operands.

    Its node, its rule, and the shape and dtype to fit.
    """
    if type(node) is Unary:
        return [(node.parent, node.op.left_vjp, None)]
    if type(node) is OneTrackedBinary:
        return [(node.parent, node.op.right_vjp if node.is_right else node.op.left_vjp, node.like)]
    return [(node.left, node.op.left_vjp, node.like_x), (node.right, node.op.right_vjp, node.like_y)]


def _fixed_arity_cotangents(node: Any, xp: Any, g: Any, args: Any, out: Any) -> list[tuple[Any, Any, Any]]:
    """Return the cotangents of the operands, as ``cotangents`` does, for a call with one or two operands."""
    return [
        (parent, vjp(xp, g, out, *args), xp.wrap_saved(like, None))
        for parent, vjp, like in _tracked_operands(node)
    ]


def reaches(roots: list[Node], start: int) -> bool:
    """Return whether the results depend on a node that is older than ``floor``."""
    seen = set(roots)
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.order < start:
            return True
        fresh = [parent for parent in _parents(node) if parent not in seen]
        seen.update(fresh)
        stack += fresh
    return False


def _parents(node: Any) -> list[Node]:
    if type(node) is Leaf or node.op is None:
        return []
    if isinstance(node, Argument | Output):
        return [node.parent] if node.parent is not None else []
    return _flatten(node.call()[0])
