"""The nodes of recorded calls: those of one and of two operands with fields of their own, and the general one."""

from __future__ import annotations

from typing import Any

from ..rules import same
from .shape_dtype import Outline
from .tape import KEPT, OUT, End, Node, Op, Pass, X, Y, cotangents, fit, masked, tick


class Unary(Node):
    """A call of an element-wise function of one array."""

    __slots__ = ("is_usual", "kept", "parent", "reads")

    parent: Node | None
    reads: int
    kept: Any
    """What is read, if that is one of them; operand and result as a tuple if that is both."""
    is_usual: bool
    """Whether operand and result are known to be of the usual dtype, which is real."""

    def back(self, sweep: Pass, g: Any) -> Any:
        op = self.op
        sweep.parent = self.parent
        if op.left_slope is None:
            x, out = self.saved()
            h = op.left(op.xp, g, out, x)
        else:
            if op.left_factor is KEPT:
                h = self.kept
            elif op.left_factor is not None:
                h = op.left_factor(self.kept)
            else:
                x, out = self.saved()
                h = op.left_slope(op.xp, out, x)
            h = op.multiply(g, h if self.is_usual else op.conj(h))
        if sweep.mark is not None and op.scales:
            h = masked(op.xp, g, h)
        if sweep.frees:
            self.op = self.parent = self.kept = None
        return h

    def call(self) -> tuple[Any, Any, Any, Any]:
        x, out = self.saved()
        return (self.parent,), (x,), {}, out

    def saved(self) -> tuple[Any, Any]:
        """Return operand and result, ``None`` for what is not read."""
        reads, kept = self.reads, self.kept
        if reads == X | OUT:
            return kept  # type: ignore[no-any-return]
        return (kept, None) if reads == X else (None, kept)

    def free(self) -> None:
        self.op = self.parent = self.kept = None


def unary_node(op: Op, parent: Node | None, x: Any, out: Any, like: Outline | None) -> Unary:
    """Return a new node, which keeps of ``x`` and ``out`` what the pull reads; ``like`` is their outline."""
    made = Unary.__new__(Unary)
    made.op = op
    made.order = tick()
    made.parent = parent
    made.is_usual = like is not None and like.dtype is op.usual
    reads = made.reads = op.left_reads
    if reads == X:
        made.kept = x
    elif reads == OUT:
        made.kept = out
    else:
        made.kept = (x, out) if reads else None
    return made


class OneSided(Node):
    """A call of a function of two operands, of which one is tracked: the second if ``is_right``."""

    __slots__ = ("fit", "is_right", "is_usual", "kept", "parent", "reads")

    parent: Node | None
    is_right: bool
    reads: int
    kept: Any
    """What is read, if that is one of them; operands and result as a tuple if that is more."""
    is_usual: bool
    """Whether operands and result are known to be of the usual dtype, which is real, or a Python scalar of theirs."""
    fit: Any
    """The outline of the operand where a cotangent of the result's shape and dtype must be fitted."""

    def back(self, sweep: Pass, g: Any) -> Any:
        op = self.op
        sweep.parent = self.parent
        slope = op.right_slope if self.is_right else op.left_slope
        if slope is None:
            pull = op.right if self.is_right else op.left
            if pull is same:
                h = g
            else:
                x, y, out = self.saved()
                h = pull(op.xp, g, out, x, y)
        else:
            factor = op.right_factor if self.is_right else op.left_factor
            if factor is KEPT and type(self.kept) is not tuple:
                h = self.kept
            else:
                x, y, out = self.saved()
                h = slope(op.xp, out, x, y)
            h = op.multiply(g, h if self.is_usual else op.conj(h))
        if sweep.mark is not None and op.scales:
            h = masked(op.xp, g, h)
        if self.fit is not None:
            h = fit(op.xp, h, self.fit)
        if sweep.frees:
            self.op = self.parent = self.kept = None
        return h

    def call(self) -> tuple[Any, Any, Any, Any]:
        x, y, out = self.saved()
        return (None, self.parent) if self.is_right else (self.parent, None), (x, y), {}, out

    def saved(self) -> tuple[Any, Any, Any]:
        """Return operands and result, ``None`` for what is not read."""
        reads, kept = self.reads, self.kept
        if reads in (X, Y, OUT):
            return kept if reads == X else None, kept if reads == Y else None, kept if reads == OUT else None
        return kept if reads else (None, None, None)

    def free(self) -> None:
        self.op = self.parent = self.kept = None


def one_sided_node(
    op: Op,
    is_right: bool,
    parent: Node | None,
    reads: int,
    x: Any,
    y: Any,
    out: Any,
    like: Outline | None,
    fit: Any,
) -> OneSided:
    """Return a new node, which keeps what it ``reads`` of ``x``, ``y`` and ``out``; ``like`` is their outline."""
    made = OneSided.__new__(OneSided)
    made.op = op
    made.order = tick()
    made.is_right = is_right
    made.parent = parent
    made.reads = reads
    made.is_usual = like is not None and like.dtype is op.usual
    if reads == Y:
        made.kept = y
    elif reads == X:
        made.kept = x
    elif reads == OUT:
        made.kept = out
    elif reads:
        made.kept = x if reads & X else None, y if reads & Y else None, out if reads & OUT else None
    else:
        made.kept = None
    made.fit = fit
    return made


class Binary(Node):
    """A call of a function of two operands without settings, both tracked."""

    __slots__ = ("fit_x", "fit_y", "left", "out", "right", "x", "y")

    left: Node | None
    right: Node | None
    x: Any
    y: Any
    out: Any
    fit_x: Any
    fit_y: Any

    def back(self, sweep: Pass, g: Any) -> Any:
        op = self.op
        xp = op.xp
        x, y, out = self.x, self.y, self.out
        if op.left_slope is None or op.right_slope is None:
            h, k = op.left(xp, g, out, x, y), op.right(xp, g, out, x, y)
        else:
            h = op.multiply(g, op.conj(op.left_slope(xp, out, x, y)))
            k = op.multiply(g, op.conj(op.right_slope(xp, out, x, y)))
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
        if isinstance(right, End):
            sweep.push(right, k)
            sweep.parent = left
            return h
        sweep.push(left, h)
        sweep.parent = right
        return k

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.left, self.right), (self.x, self.y), {}, self.out

    def free(self) -> None:
        self.op = self.left = self.right = self.x = self.y = self.out = None


def binary_node(
    op: Op, left: Node | None, right: Node | None, x: Any, y: Any, out: Any, fit_x: Any, fit_y: Any
) -> Binary:
    """Return a new node, which keeps of ``x``, ``y`` and ``out`` what the pulls read."""
    made = Binary.__new__(Binary)
    reads = op.left_reads | op.right_reads
    made.op = op
    made.order = tick()
    made.left = left
    made.right = right
    made.x = x if reads & X else None
    made.y = y if reads & Y else None
    made.out = out if reads & OUT else None
    made.fit_x = fit_x
    made.fit_y = fit_y
    return made


class Single(Node):
    """A call of a function of one array and settings."""

    __slots__ = ("args", "out", "parent", "settings", "x")

    parent: Node | None
    args: Any
    settings: Any
    x: Any
    out: Any

    def back(self, sweep: Pass, g: Any) -> Any:
        op, x = self.op, self.x
        sweep.parent = self.parent
        h = op.left(op.xp, g, self.out, x, *self.args, **self.settings)
        if sweep.mark is not None and op.scales:
            h = masked(op.xp, g, h)
        if sweep.frees:
            self.op = self.parent = self.x = self.args = self.settings = self.out = None
        return fit(op.xp, h, x)

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent, *[None] * len(self.args)), (self.x, *self.args), self.settings, self.out

    def free(self) -> None:
        self.op = self.parent = self.x = self.args = self.settings = self.out = None


def single_node(op: Op, parent: Node | None, x: Any, args: Any, settings: Any, out: Any) -> Single:
    """Return a new node."""
    made = Single.__new__(Single)
    made.op = op
    made.order = tick()
    made.parent = parent
    made.x = x
    made.args = args
    made.settings = settings
    made.out = out
    return made


class Call(Node):
    """Any other call. ``args`` and ``out`` hold values, or outlines where the rule needs no more."""

    __slots__ = ("args", "out", "parents", "settings")

    def __init__(self, op: Op, parents: Any, args: Any, settings: Any, out: Any) -> None:
        self.op = op
        self.order = tick()
        self.parents = parents
        self.args = args
        self.settings = settings
        self.out = out

    def back(self, sweep: Pass, g: Any) -> Any:
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
        sweep.parent = parent
        return last

    def call(self) -> tuple[Any, Any, Any, Any]:
        return self.parents, self.args, self.settings, self.out

    def free(self) -> None:
        self.op = self.parents = self.args = self.settings = self.out = None
