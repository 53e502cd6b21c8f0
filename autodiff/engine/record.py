"""How a function of an adapter becomes one that records: a closure for each arity, made once a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burn_array.adapter import Adapter, kind_of
from burn_array.errors import GradientError

from ..rules import RULES, Rule
from .nodes import Call, binary_node, one_sided_node, single_node, unary_node
from .shape_dtype import Outline
from .tape import OUT, Handle, Op, Part, X, Y, common_outline, handle, outline_of, wider_outline

Function = Callable[..., Any]

_ARRAY_SETTINGS = frozenset(("linalg.pinv",))
"""Functions of one operand that take an array by keyword."""
_VIEWS = frozenset(("conj", "positive"))
"""Element-wise functions whose result may be a view."""
_REAL = frozenset(("abs", "imag", "real"))
"""Element-wise functions of one array whose result may have another dtype."""


class Recording:
    """A function of an adapter with its rule; the methods are forms of the function that record its calls."""

    __slots__ = ("adopt", "array_type", "elsewhere", "function", "keeps_outline", "may_view", "op", "twin")

    def __init__(self, op: Op, function: Function, inner: Adapter) -> None:
        self.op = op
        self.function = function
        self.array_type = inner.array_type
        self.adopt = inner.adopt
        self.twin: Recording | None = twin_of(op, Recording, inner)
        """What to record where both operands are the same one: a single cotangent then, not a sum of two."""
        self.may_view = op.name in _VIEWS
        self.keeps_outline = op.elementwise and op.name not in _REAL and "." not in op.name
        """Whether operands of one shape and dtype give a result of the same, as in the standard."""
        self.elsewhere = general(op, function, inner)
        """What takes operands that ``single`` does not."""

    def unary(self, x: Handle) -> Handle:
        """Call an element-wise function of one array."""
        if self.may_view:
            x.owned = False
        out = self.function(x.value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if x.node is None:
            return handle(out, None, None)
        like = x.outline if self.keeps_outline else None
        return handle(out, unary_node(self.op, x.node, x.value, out, like), like)

    def binary(self, a: Any, b: Any) -> Handle:
        """Call an element-wise function of two operands, of which one may be a Python scalar."""
        if type(a) is not Handle:
            return self._scalar_first(a, b)
        if type(b) is not Handle:
            return self._scalar_second(a, b)
        one, two, op = a, b, self.op
        if one is two and self.twin is not None and one.node is not None:
            return self.twin.unary(one)
        out = self.function(one.value, two.value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        alone = two.node is None or op.right is None
        if one.node is None and alone:
            return handle(out, None, None)
        # Equal operands have a result of the same shape and dtype: nothing to fit then, and nothing to ask.
        like = one.outline
        if like is None or like is not two.outline or not self.keeps_outline:
            like = common_outline(one, two) if self.keeps_outline else None
            if like is None:
                return self._fitted(one, two, out)
        made = handle(out, None, like)
        if alone:
            made.node = one_sided_node(
                op, False, one.node, op.left_reads, one.value, two.value, out, like, None
            )
        elif one.node is None:
            made.node = one_sided_node(
                op, True, two.node, op.right_reads, one.value, two.value, out, like, None
            )
        else:
            made.node = binary_node(op, one.node, two.node, one.value, two.value, out, None, None)
        return made

    def _fitted(self, one: Handle, two: Handle, out: Any) -> Handle:
        """Record a call of operands that differ in shape or dtype, or whose result does."""
        op, x, y = self.op, one.value, two.value
        left, right = one.node, two.node if op.right is not None else None
        wide = wider_outline(one, two) if self.keeps_outline else None
        made = handle(out, None, wide)
        if right is None:
            fit = outline_of(one) if wide is None else unlike(one, made)
            made.node = one_sided_node(op, False, left, op.left_reads, x, y, out, wide, fit)
        elif left is None:
            fit = outline_of(two) if wide is None else unlike(two, made)
            made.node = one_sided_node(op, True, right, op.right_reads, x, y, out, wide, fit)
        else:
            fit_x = fit_y = None
            if wide is None:  # a pull may give any dtype then
                fit_x, fit_y = outline_of(one), outline_of(two)
            elif wide is one.outline:
                fit_y = two.outline
            else:
                fit_x = one.outline
            made.node = binary_node(op, left, right, x, y, out, fit_x, fit_y)
        return made

    def _scalar_first(self, a: Any, b: Any) -> Handle:
        two, op = b, self.op
        out = self.function(a, two.value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if two.node is None or op.right is None:
            return handle(out, None, None)
        made = handle(out, None, None)
        fit = self._fit_beside(a, two, made)
        made.node = one_sided_node(
            op, True, two.node, op.right_reads | X, a, two.value, out, made.outline, fit
        )
        return made

    def _scalar_second(self, a: Any, b: Any) -> Handle:
        one, op = a, self.op
        out = self.function(one.value, b)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if one.node is None:
            return handle(out, None, None)
        made = handle(out, None, None)
        fit = self._fit_beside(b, one, made)
        made.node = one_sided_node(
            op, False, one.node, op.left_reads | Y, one.value, b, out, made.outline, fit
        )
        return made

    def _fit_beside(self, scalar: Any, operand: Handle, made: Handle) -> Outline | None:
        """Return the outline that the cotangent of an array must be fitted to, beside a Python scalar."""
        if self.keeps_outline and type(scalar) is not complex:
            made.outline = outline_of(operand)
            return None
        return unlike(operand, made)

    def product(self, a: Any, b: Any) -> Any:
        """Call ``matmul``, whose cotangents always have to be fitted."""
        if type(a) is not Handle or type(b) is not Handle:
            return self.elsewhere(a, b)
        one, two = a, b
        x, y, left, right = one.value, two.value, one.node, two.node
        one.owned = two.owned = False
        out = self.function(x, y)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if left is None and right is None:
            return handle(out, None, None)
        if right is None:
            like = outline_of(one)
            return handle(out, one_sided_node(self.op, False, left, X | Y, like, y, None, None, like), None)
        if left is None:
            like = outline_of(two)
            return handle(out, one_sided_node(self.op, True, right, X | Y, x, like, None, None, like), None)
        return handle(
            out, binary_node(self.op, left, right, x, y, None, outline_of(one), outline_of(two)), None
        )

    def single(self, x: Any, /, *args: Any, **settings: Any) -> Any:
        """Call a function of one array and settings."""
        if type(x) is not Handle:
            return self.elsewhere(x, *args, **settings)
        return self._single(x, tuple(map(plain, args)) if args else args, settings)

    def _single(self, x: Handle, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
        value, parent = x.value, x.node
        x.owned = False
        out = self.function(value, *args, **settings)
        if type(out) is not self.array_type:
            out = adopted(out, self.array_type, self.adopt)
        if parent is None:
            return constants(out)
        reads = self.op.left_reads
        kept = value if reads & X else outline_of(x)
        if type(out) is tuple:
            parents = (parent, *[None] * len(args))
            return outcome(Call(self.op, parents, [kept, *args], settings, None), out, bool(reads & OUT))
        made = handle(out, None, None)
        saved = out if reads & OUT else outline_of(made)
        made.node = single_node(self.op, parent, kept, args, settings, saved)
        return made


def twin_of(op: Op, make: Callable[[Op, Function, Adapter], Any], inner: Adapter) -> Any:
    """Return what records the product of an operand with itself: its square, where ``op`` is a product."""
    if op.name != "multiply":
        return None
    square: Any = RULES["square"]
    return make(Op(square, op.xp, op.tracking), inner.find("square"), inner)


def unlike(operand: Any, result: Handle) -> Outline | None:
    """Return the outline that a cotangent of ``result`` must be fitted to, ``None`` if it fits."""
    return None if common_outline(result, operand) is not None else outline_of(operand)


def recording(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the form of a function with a rule that records its calls."""
    rule = op.rule
    if rule.name == "matmul":
        form = "product"
    elif rule.elementwise and rule.arity <= 2:
        form = "binary" if rule.arity == 2 else "unary"
    else:
        by_lists = rule.is_joint or any(rule.pulls[1:]) or rule.name in _ARRAY_SETTINGS
        form = "elsewhere" if by_lists else "single"
    made: Function = getattr(Recording(op, function, inner), form)
    return made


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
