"""How a function of an adapter becomes one that records: a closure for each arity, made once a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burn_array.adapter import Adapter, kind_of
from burn_array.errors import GradientError

from .rules import Outline, Rule
from .tape import Binary, Call, Handle, OneSided, Op, Part, Single, Unary

Function = Callable[..., Any]

_ARRAY_SETTINGS = frozenset(("linalg.pinv",))
"""Functions of one operand that take an array by keyword."""
_VIEWS = frozenset(("conj", "positive"))
"""Element-wise functions whose result may be a view."""


def unary(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of an element-wise function of one array."""
    array_type, adopt = inner.array_type, inner.adopt
    saves_x, saves_out = op.rule.needs[0][0], op.rule.needs_out[0]
    may_view = op.name in _VIEWS

    def recorded(x: Handle) -> Handle:
        value = x.value
        if may_view:
            x.owned = False
        out = function(value)
        if type(out) is not array_type:
            out = adopt(out)
        node = x.node
        if node is None:
            return Handle(out, None)
        return Handle(out, Unary(op, node, value if saves_x else None, out if saves_out else None))

    return recorded


def binary(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of an element-wise function of two operands; one may be a Python scalar."""
    array_type, adopt = inner.array_type, inner.adopt
    left_x, left_y, left_out = _saves(op.rule, 0)
    right_x, right_y, right_out = _saves(op.rule, 1)
    both_x, both_y, both_out = left_x or right_x, left_y or right_y, left_out or right_out
    pull_left, pull_right = op.left, op.right

    def recorded(a: Any, b: Any) -> Handle:
        left = right = None
        x, y = a, b
        if type(a) is Handle:
            x, left = a.value, a.node
        if type(b) is Handle:
            y, right = b.value, b.node
        out = function(x, y)
        if type(out) is not array_type:
            out = adopt(out)
        if right is None or pull_right is None:
            if left is None:
                return Handle(out, None)
            kept_x, kept_y = x if left_x else None, y if left_y or y is b else None
            same = type(b) is not complex if y is b else x.dtype is out.dtype and x.shape == out.shape
            like = None if same else x if left_x else Outline(x.shape, x.dtype)
            return Handle(out, OneSided(op, pull_left, left, kept_x, kept_y, out if left_out else None, like))
        if left is None:
            kept_x, kept_y = x if right_x or x is a else None, y if right_y else None
            same = type(a) is not complex if x is a else y.dtype is out.dtype and y.shape == out.shape
            like = None if same else y if right_y else Outline(y.shape, y.dtype)
            return Handle(
                out, OneSided(op, pull_right, right, kept_x, kept_y, out if right_out else None, like)
            )
        kept_x, kept_y = x if both_x else None, y if both_y else None
        same = x.dtype is out.dtype and x.shape == out.shape
        fit_x = None if same else x if both_x else Outline(x.shape, x.dtype)
        same = y.dtype is out.dtype and y.shape == out.shape
        fit_y = None if same else y if both_y else Outline(y.shape, y.dtype)
        return Handle(out, Binary(op, left, right, kept_x, kept_y, out if both_out else None, fit_x, fit_y))

    return recorded


def product(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of ``matmul``, whose cotangents always have to be fitted."""
    array_type, adopt = inner.array_type, inner.adopt

    def recorded(a: Handle, b: Handle) -> Handle:
        x, y, left, right = a.value, b.value, a.node, b.node
        a.owned = b.owned = False
        out = function(x, y)
        if type(out) is not array_type:
            out = adopt(out)
        if left is None and right is None:
            return Handle(out, None)
        kept_x = x if right is not None else Outline(x.shape, x.dtype)
        kept_y = y if left is not None else Outline(y.shape, y.dtype)
        if right is None:
            return Handle(out, OneSided(op, op.left, left, kept_x, kept_y, None, kept_x))  # type: ignore[arg-type]
        if left is None:
            return Handle(out, OneSided(op, op.right, right, kept_x, kept_y, None, kept_y))
        return Handle(out, Binary(op, left, right, x, y, None, x, y))

    return recorded


def _saves(rule: Rule, side: int) -> tuple[bool, bool, bool]:
    """Return whether the pull of an operand reads the first operand, the second, the result."""
    if side >= len(rule.pulls) or rule.pulls[side] is None:
        return False, False, False
    return rule.needs[side][0], rule.needs[side][1], rule.needs_out[side]


def single(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of a function of one array and settings."""
    array_type, adopt = inner.array_type, inner.adopt
    reads_x, reads_out = op.rule.needs[0][0], op.rule.needs_out[0]
    elsewhere = general(op, function, inner)

    def recorded(x: Any, *args: Any, **settings: Any) -> Any:
        if type(x) is not Handle:
            return elsewhere(x, *args, **settings)
        value = x.value
        x.owned = False
        if args:
            args = tuple(map(plain, args))
        out = function(value, *args, **settings)
        if type(out) is not array_type:
            out = adopted(out, array_type, adopt)
        parent = x.node
        if parent is None:
            return constants(out)
        kept = value if reads_x else Outline(value.shape, value.dtype)
        if type(out) is tuple:
            return outcome(
                Call(op, (parent, *[None] * len(args)), [kept, *args], settings, None), out, reads_out
            )
        saved = out if reads_out else Outline(out.shape, out.dtype)
        return Handle(out, Single(op, parent, kept, args, settings, saved))

    return recorded


def general(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of any function: settings, lists of operands, several results."""
    array_type, adopt = inner.array_type, inner.adopt

    def recorded(*args: Any, **settings: Any) -> Any:
        values = [plain(one) for one in args]
        settings = {key: refuse_tracked(op.name, key, one) for key, one in settings.items()}
        out = function(*values, **settings)
        parents = [nodes_of(op.rule, i, one) for i, one in enumerate(args)]
        out = adopted(out, array_type, adopt)
        if not any(parents):
            return constants(out)
        kept = [
            value if reads(op.rule, parents, i) else outline(value, array_type)
            for i, value in enumerate(values)
        ]
        node = Call(op, parents, kept, settings, None)
        return outcome(node, out, any(op.rule.needs_out))

    return recorded


def plain(one: Any) -> Any:
    """Return a handle, or a list of handles, as values of the library beneath."""
    if type(one) is Handle:
        one.owned = False
        return one.value
    if type(one) in (list, tuple) and any(type(each) is Handle for each in one):
        return type(one)(map(plain, one))
    return one


def refuse_tracked(name: str, key: str, one: Any) -> Any:
    """Return a setting as a value of the library beneath.

    Raises
    ------
    GradientError
        if it is tracked
    """
    if type(one) is Handle and one.node is not None:
        raise GradientError(f"{name}: there is no derivative with respect to {key}=; give {key}.detach()")
    return plain(one)


def nodes_of(rule: Rule, position: int, one: Any) -> Any:
    """Return the node of an operand, or the list of those of a list, where the rule has a pull for it."""
    if not rule.is_joint and (position >= len(rule.pulls) or rule.pulls[position] is None):
        return None
    if type(one) is Handle:
        return one.node
    if type(one) in (list, tuple):
        nodes = [each.node if type(each) is Handle else None for each in one]
        return nodes if any(nodes) else None
    return None


def reads(rule: Rule, parents: list[Any], position: int) -> bool:
    """Return whether a pull of a tracked operand reads the values of the operand at ``position``."""
    active = [0] if rule.is_joint else [i for i, parent in enumerate(parents) if parent is not None]
    return any(rule.needs[i][min(position, len(rule.needs[i]) - 1)] for i in active)


def outline(value: Any, array_type: Any) -> Any:
    """Return shape and dtype of an array, of each array in a list; anything else as it is."""
    if type(value) is array_type:
        return Outline(value.shape, value.dtype)
    if type(value) in (list, tuple) and any(type(one) is array_type for one in value):
        return [outline(one, array_type) for one in value]
    return value


def adopted(out: Any, array_type: type, adopt: Function) -> Any:
    """Return what a library gave with every array of ``array_type``; several results as a tuple."""
    if type(out) is array_type:
        return out
    if isinstance(out, list | tuple):
        return tuple(one if type(one) is array_type else adopt(one) for one in out)
    return adopt(out)


def constants(out: Any) -> Any:
    """Return untracked handles of one value or of a tuple."""
    return tuple(Handle(one, None) for one in out) if type(out) is tuple else Handle(out, None)


def outcome(node: Call, out: Any, reads: bool) -> Any:
    """Return the results of a recorded call as handles; the node keeps them if a pull ``reads`` them."""
    if type(out) is not tuple:
        node.out = out if reads else Outline(out.shape, out.dtype)
        return Handle(out, node)
    node.out = out if reads else tuple(Outline(one.shape, one.dtype) for one in out)
    return tuple(Handle(one, Part(node, i)) for i, one in enumerate(out))


def astype(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of ``astype``: what becomes an integer or a bool leaves the graph."""
    smooth = {native for dtype, native in inner.dtypes.items() if kind_of(dtype) in "fc"}
    recorded, direct = general(op, function, inner), constant(function, inner)

    def converted(x: Handle, dtype: Any, **settings: Any) -> Any:
        return (recorded if dtype in smooth else direct)(x, dtype, **settings)

    return converted


def constant(function: Function, inner: Adapter) -> Function:
    """Return the form of a function whose results are constants."""
    array_type, adopt = inner.array_type, inner.adopt

    def untracked(*args: Any, **settings: Any) -> Any:
        values = [plain(one) for one in args]
        out = function(*values, **{key: plain(one) for key, one in settings.items()})
        return constants(adopted(out, array_type, adopt))

    return untracked


def composed(name: str, body: Function, function: Function, inner: Adapter, tracking: Any) -> Function:
    """Return the form of a function that is computed from others whenever an operand is tracked."""
    direct = constant(function, inner)

    def recorded(*args: Any, **settings: Any) -> Any:
        if not any(map(_is_tracked, args)) and not any(map(_is_tracked, settings.values())):
            return direct(*args, **settings)
        lifted = [_lift(tracking, one) for one in args]
        out = body(tracking, *lifted, **{key: _lift(tracking, one) for key, one in settings.items()})
        return tuple(map(tracking.native, out)) if isinstance(out, list | tuple) else tracking.native(out)

    return recorded


def _is_tracked(one: Any) -> bool:
    if type(one) is Handle:
        return one.node is not None
    return type(one) in (list, tuple) and any(map(_is_tracked, one))


def _lift(tracking: Any, one: Any) -> Any:
    if type(one) in (list, tuple):
        return type(one)(_lift(tracking, each) for each in one)
    return tracking.lift(one, None)


def recording(op: Op) -> Callable[[Op, Function, Adapter], Function]:
    """Return the factory for the recording form of a function with a rule."""
    rule = op.rule
    if rule.name == "matmul":
        return product
    if rule.elementwise and rule.arity == 2:
        return binary
    if rule.elementwise and rule.arity == 1:
        return unary
    return general if rule.is_joint or any(rule.pulls[1:]) or rule.name in _ARRAY_SETTINGS else single


def undeclared(name: str, function: Function, inner: Adapter) -> Function:
    """Return the form of a function without a rule: it refuses tracked operands."""
    direct = constant(function, inner)

    def refused(*args: Any, **settings: Any) -> Any:
        if any(map(_is_tracked, (*args, *settings.values()))):
            raise GradientError(
                f"{name}: there is no derivative rule for it; give x.detach() to leave the graph here"
            )
        return direct(*args, **settings)

    return refused
