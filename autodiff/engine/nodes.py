"""The nodes of recorded calls: fast ones for element-wise functions of one and two operands, and a general one."""

from __future__ import annotations

from typing import Any

from ..rules import identity_vjp
from .shape_dtype import ShapeDtype
from .tape import (
    OUT,
    SAVED_VALUE,
    GraphInput,
    Node,
    Op,
    PassState,
    X,
    Y,
    next_order,
    operand_cotangents,
    restore_zeros,
    unbroadcast,
)


class Unary(Node):
    """A call of an element-wise function of one array."""

    __slots__ = ("is_default_dtype", "parent", "saved", "saves")

    parent: Node | None
    saves: int
    saved: Any
    """The saved values: operand or result, or both as a tuple; ``None`` if the rule needs none."""
    is_default_dtype: bool
    """Whether operand and result have the default floating dtype, so that nothing needs conjugation."""

    def back(self, state: PassState, g: Any) -> Any:
        op = self.op
        state.parent = self.parent
        if op.left_derivative is None:
            x, out = self.unpack_saved()
            h = op.left_vjp(op.xp, g, out, x)
        else:
            if op.left_from_saved is SAVED_VALUE:
                h = self.saved
            elif op.left_from_saved is not None:
                h = op.left_from_saved(self.saved)
            else:
                x, out = self.unpack_saved()
                h = op.left_derivative(op.xp, out, x)
            h = op.multiply(g, h if self.is_default_dtype else op.conj(h))
        if state.mask is not None and op.uses_values:
            h = restore_zeros(op.xp, g, h)
        if state.frees:
            self.op = self.parent = self.saved = None
        return h

    def call(self) -> tuple[Any, Any, Any, Any]:
        x, out = self.unpack_saved()
        return (self.parent,), (x,), {}, out

    def unpack_saved(self) -> tuple[Any, Any]:
        """Return operand and result, each ``None`` if it was not saved."""
        saves, saved = self.saves, self.saved
        if saves == X | OUT:
            return saved  # type: ignore[no-any-return]
        return (saved, None) if saves == X else (None, saved)

    def free(self) -> None:
        self.op = self.parent = self.saved = None


def unary_node(op: Op, parent: Node | None, x: Any, out: Any, shape_dtype: ShapeDtype | None) -> Unary:
    """Return a new node that saves those of ``x`` and ``out`` that the rule reads.

    ``like`` is their shape and dtype.
    """
    node = Unary.__new__(Unary)
    node.op = op
    node.order = next_order()
    node.parent = parent
    node.is_default_dtype = shape_dtype is not None and shape_dtype.dtype is op.default_dtype
    saves = node.saves = op.left_saves
    if saves == X:
        node.saved = x
    elif saves == OUT:
        node.saved = out
    else:
        node.saved = (x, out) if saves else None
    return node


class OneTrackedBinary(Node):
    """A call of a function of two operands with one tracked operand: the second if ``is_right``, else the first."""

    __slots__ = ("is_default_dtype", "is_right", "like", "parent", "saved", "saves")

    parent: Node | None
    is_right: bool
    saves: int
    saved: Any
    """The saved values: one value, or a tuple if the rule needs several; ``None`` if it needs none."""
    is_default_dtype: bool
    """Whether operands and result have the default floating dtype or are scalars, so nothing needs conjugation."""
    like: Any
    """Shape and dtype of the operand, if its cotangent must be fitted to them."""

    def back(self, state: PassState, g: Any) -> Any:
        op = self.op
        state.parent = self.parent
        derivative = op.right_derivative if self.is_right else op.left_derivative
        if derivative is None:
            vjp = op.right_vjp if self.is_right else op.left_vjp
            if vjp is identity_vjp:
                h = g
            else:
                x, y, out = self.unpack_saved()
                h = vjp(op.xp, g, out, x, y)
        else:
            from_saved = op.right_from_saved if self.is_right else op.left_from_saved
            if from_saved is SAVED_VALUE and type(self.saved) is not tuple:
                h = self.saved
            else:
                x, y, out = self.unpack_saved()
                h = derivative(op.xp, out, x, y)
            h = op.multiply(g, h if self.is_default_dtype else op.conj(h))
        if state.mask is not None and op.uses_values:
            h = restore_zeros(op.xp, g, h)
        if self.like is not None:
            h = unbroadcast(op.xp, h, self.like)
        if state.frees:
            self.op = self.parent = self.saved = None
        return h

    def call(self) -> tuple[Any, Any, Any, Any]:
        x, y, out = self.unpack_saved()
        return (None, self.parent) if self.is_right else (self.parent, None), (x, y), {}, out

    def unpack_saved(self) -> tuple[Any, Any, Any]:
        """Return operands and result, each ``None`` if it was not saved."""
        saves, saved = self.saves, self.saved
        if saves in (X, Y, OUT):
            return (
                saved if saves == X else None,
                saved if saves == Y else None,
                saved if saves == OUT else None,
            )
        return saved if saves else (None, None, None)

    def free(self) -> None:
        self.op = self.parent = self.saved = None


def one_tracked_node(
    op: Op,
    is_right: bool,
    parent: Node | None,
    saves: int,
    x: Any,
    y: Any,
    out: Any,
    shape_dtype: ShapeDtype | None,
    like: Any,
) -> OneTrackedBinary:
    """Return a new node that saves those of ``x``, ``y`` and ``out`` that it ``reads``.

    ``like`` is their shape and dtype.
    """
    node = OneTrackedBinary.__new__(OneTrackedBinary)
    node.op = op
    node.order = next_order()
    node.is_right = is_right
    node.parent = parent
    node.saves = saves
    node.is_default_dtype = shape_dtype is not None and shape_dtype.dtype is op.default_dtype
    if saves == Y:
        node.saved = y
    elif saves == X:
        node.saved = x
    elif saves == OUT:
        node.saved = out
    elif saves:
        node.saved = x if saves & X else None, y if saves & Y else None, out if saves & OUT else None
    else:
        node.saved = None
    node.like = like
    return node


class Binary(Node):
    """A call of an element-wise function of two tracked operands."""

    __slots__ = ("left", "like_x", "like_y", "out", "right", "x", "y")

    left: Node | None
    right: Node | None
    x: Any
    y: Any
    out: Any
    like_x: Any
    like_y: Any

    def back(self, state: PassState, g: Any) -> Any:
        op = self.op
        xp = op.xp
        x, y, out = self.x, self.y, self.out
        if op.left_derivative is None or op.right_derivative is None:
            h, k = op.left_vjp(xp, g, out, x, y), op.right_vjp(xp, g, out, x, y)
        else:
            h = op.multiply(g, op.conj(op.left_derivative(xp, out, x, y)))
            k = op.multiply(g, op.conj(op.right_derivative(xp, out, x, y)))
        if state.mask is not None and op.uses_values:
            h, k = restore_zeros(xp, g, h), restore_zeros(xp, g, k)
        if self.like_x is not None:
            h = unbroadcast(xp, h, self.like_x)
        if self.like_y is not None:
            k = unbroadcast(xp, k, self.like_y)
        left, right = self.left, self.right
        if state.frees:
            self.op = self.left = self.right = self.x = self.y = self.out = None
        assert left is not None
        assert right is not None
        if isinstance(right, GraphInput):
            state.accumulate(right, k)
            state.parent = left
            return h
        state.accumulate(left, h)
        state.parent = right
        return k

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.left, self.right), (self.x, self.y), {}, self.out

    def free(self) -> None:
        self.op = self.left = self.right = self.x = self.y = self.out = None


def binary_node(
    op: Op, left: Node | None, right: Node | None, x: Any, y: Any, out: Any, like_x: Any, like_y: Any
) -> Binary:
    """Return a new node that saves those of ``x``, ``y`` and ``out`` that the rules read."""
    node = Binary.__new__(Binary)
    saves = op.left_saves | op.right_saves
    node.op = op
    node.order = next_order()
    node.left = left
    node.right = right
    node.x = x if saves & X else None
    node.y = y if saves & Y else None
    node.out = out if saves & OUT else None
    node.like_x = like_x
    node.like_y = like_y
    return node


class UnaryWithSettings(Node):
    """A call of a function of one array and further arguments."""

    __slots__ = ("args", "out", "parent", "settings", "x")

    parent: Node | None
    args: Any
    settings: Any
    x: Any
    out: Any

    def back(self, state: PassState, g: Any) -> Any:
        op, x = self.op, self.x
        state.parent = self.parent
        h = op.left_vjp(op.xp, g, self.out, x, *self.args, **self.settings)
        if state.mask is not None and op.uses_values:
            h = restore_zeros(op.xp, g, h)
        if state.frees:
            self.op = self.parent = self.x = self.args = self.settings = self.out = None
        return unbroadcast(op.xp, h, x)

    def call(self) -> tuple[Any, Any, Any, Any]:
        return (self.parent, *[None] * len(self.args)), (self.x, *self.args), self.settings, self.out

    def free(self) -> None:
        self.op = self.parent = self.x = self.args = self.settings = self.out = None


def unary_with_settings_node(
    op: Op, parent: Node | None, x: Any, args: Any, settings: Any, out: Any
) -> UnaryWithSettings:
    """Return a new node."""
    node = UnaryWithSettings.__new__(UnaryWithSettings)
    node.op = op
    node.order = next_order()
    node.parent = parent
    node.x = x
    node.args = args
    node.settings = settings
    node.out = out
    return node


class Call(Node):
    """Any other call. ``args`` and ``out`` hold values, or shape and dtype alone where the rule needs no values."""

    __slots__ = ("args", "out", "parents", "settings")

    def __init__(self, op: Op, parents: Any, args: Any, settings: Any, out: Any) -> None:
        self.op = op
        self.order = next_order()
        self.parents = parents
        self.args = args
        self.settings = settings
        self.out = out

    def back(self, state: PassState, g: Any) -> Any:
        op = self.op
        xp = op.xp
        parent, last = None, None
        for node, h, operand in operand_cotangents(
            op, xp, g, self.parents, self.args, self.settings, self.out
        ):
            if parent is not None:
                state.accumulate(parent, last)
            if state.mask is not None and op.uses_values:
                h = restore_zeros(xp, g, h)
            parent, last = node, unbroadcast(xp, h, operand)
        if state.frees:
            self.free()
        state.parent = parent
        return last

    def call(self) -> tuple[Any, Any, Any, Any]:
        return self.parents, self.args, self.settings, self.out

    def free(self) -> None:
        self.op = self.parents = self.args = self.settings = self.out = None
