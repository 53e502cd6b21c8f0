"""The nodes of recorded calls: those of one and of two operands with fields of their own, and the general one."""

from __future__ import annotations

from typing import Any

from .tape import ORDER, End, Node, Op, Pass, cotangents, fit, masked


class Unary(Node):
    """A call of an element-wise function of one array."""

    __slots__ = ("out", "parent", "x")

    parent: Node | None
    x: Any
    out: Any

    def back(self, sweep: Pass, g: Any) -> tuple[Node | None, Any]:
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


def unary_node(op: Op, parent: Node | None, x: Any, out: Any) -> Unary:
    """Return a new node."""
    made = Unary.__new__(Unary)
    made.op = op
    made.order = next(ORDER)
    made.parent = parent
    made.x = x
    made.out = out
    return made


class OneSided(Node):
    """A call of a function of two operands, of which one is tracked: ``pull`` is its pull."""

    __slots__ = ("fit", "out", "parent", "pull", "x", "y")

    parent: Node | None
    x: Any
    y: Any
    out: Any
    pull: Any
    fit: Any
    """The outline of the operand where a cotangent of the result's shape and dtype must be fitted."""

    def back(self, sweep: Pass, g: Any) -> tuple[Node | None, Any]:
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


def one_sided_node(op: Op, pull: Any, parent: Node | None, x: Any, y: Any, out: Any, fit: Any) -> OneSided:
    """Return a new node."""
    made = OneSided.__new__(OneSided)
    made.op = op
    made.order = next(ORDER)
    made.pull = pull
    made.parent = parent
    made.x = x
    made.y = y
    made.out = out
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

    def back(self, sweep: Pass, g: Any) -> tuple[Node | None, Any]:
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
        if isinstance(right, End):
            sweep.push(right, k)
            return left, h
        sweep.push(left, h)
        return right, k

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.left, self.right), (self.x, self.y), {}, self.out

    def free(self) -> None:
        self.op = self.left = self.right = self.x = self.y = self.out = None


def binary_node(op: Op, left: Node, right: Node, x: Any, y: Any, out: Any, fit_x: Any, fit_y: Any) -> Binary:
    """Return a new node."""
    made = Binary.__new__(Binary)
    made.op = op
    made.order = next(ORDER)
    made.left = left
    made.right = right
    made.x = x
    made.y = y
    made.out = out
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

    def back(self, sweep: Pass, g: Any) -> tuple[Node | None, Any]:
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


def single_node(op: Op, parent: Node | None, x: Any, args: Any, settings: Any, out: Any) -> Single:
    """Return a new node."""
    made = Single.__new__(Single)
    made.op = op
    made.order = next(ORDER)
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
        self.order = next(ORDER)
        self.parents = parents
        self.args = args
        self.settings = settings
        self.out = out

    def back(self, sweep: Pass, g: Any) -> tuple[Node | None, Any]:
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
