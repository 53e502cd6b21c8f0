"""Make functions of an adapter record their calls: one closure for each name, by the number of operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burn_array.adapter import Adapter, kind_of
from burn_array.errors import GradientError

from ..rules import RULES, Rule
from .nodes import Call, binary_node, one_tracked_node, unary_node, unary_with_settings_node
from .shape_dtype import ShapeDtype
from .tape import (
    OUT,
    GraphValue,
    Op,
    Output,
    X,
    Y,
    broadcast_shape_dtype,
    common_shape_dtype,
    graph_value,
    shape_dtype_of,
)

Function = Callable[..., Any]

_ARRAY_SETTINGS = frozenset(("linalg.pinv",))
"""Functions of one operand that also take an array by keyword."""
_VIEWS = frozenset(("conj", "positive"))
"""Element-wise functions whose result may be a view."""
_REAL = frozenset(("abs", "imag", "real"))
"""Element-wise functions of one array whose result may have another dtype."""


class Recording:
    """A function of an adapter with its rule. The methods call the function and record the call."""

    __slots__ = (
        "adopt",
        "array_type",
        "function",
        "general",
        "keeps_shape_dtype",
        "may_view",
        "op",
        "square",
    )

    def __init__(self, op: Op, function: Function, inner: Adapter) -> None:
        self.op = op
        self.function = function
        self.array_type = inner.array_type
        self.adopt = inner.adopt
        self.square: Recording | None = square_recording(op, Recording, inner)
        """For ``x * x``: record it as ``square(x)``."""
        self.may_view = op.name in _VIEWS
        self.keeps_shape_dtype = op.elementwise and op.name not in _REAL and "." not in op.name
        """Whether operands of one shape and dtype give a result of that shape and dtype."""
        self.general = record_general(op, function, inner)
        """The fallback for list operands and array keywords."""

    def unary(self, x: GraphValue) -> GraphValue:
        """Call an element-wise function of one array, and record it."""
        if self.may_view:
            x.owns_memory = False
        out = self.function(x.value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if x.node is None:
            return graph_value(out, None, None)
        shape_dtype = x.shape_dtype if self.keeps_shape_dtype else None
        return graph_value(out, unary_node(self.op, x.node, x.value, out, shape_dtype), shape_dtype)

    def binary(self, a: Any, b: Any) -> GraphValue:
        """Call an element-wise function of two operands; one of them may be a Python scalar."""
        if type(a) is not GraphValue:
            return self._scalar_first(a, b)
        if type(b) is not GraphValue:
            return self._scalar_second(a, b)
        x, y, op = a, b, self.op
        if x is y and self.square is not None and x.node is not None:
            return self.square.unary(x)
        out = self.function(x.value, y.value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        right_is_constant = y.node is None or op.right_vjp is None
        if x.node is None and right_is_constant:
            return graph_value(out, None, None)
        # Equal operands have a result of the same shape and dtype: nothing to fit then, and nothing to ask.
        shape_dtype = x.shape_dtype
        if shape_dtype is None or shape_dtype is not y.shape_dtype or not self.keeps_shape_dtype:
            shape_dtype = common_shape_dtype(x, y) if self.keeps_shape_dtype else None
            if shape_dtype is None:
                return self._binary_unequal(x, y, out)
        result = graph_value(out, None, shape_dtype)
        if right_is_constant:
            result.node = one_tracked_node(
                op, False, x.node, op.left_saves, x.value, y.value, out, shape_dtype, None
            )
        elif x.node is None:
            result.node = one_tracked_node(
                op, True, y.node, op.right_saves, x.value, y.value, out, shape_dtype, None
            )
        else:
            result.node = binary_node(op, x.node, y.node, x.value, y.value, out, None, None)
        return result

    def _binary_unequal(self, x: GraphValue, y: GraphValue, out: Any) -> GraphValue:
        """Record a call in which operands or result differ in shape or dtype."""
        op, a, b = self.op, x.value, y.value
        left, right = x.node, y.node if op.right_vjp is not None else None
        wide = broadcast_shape_dtype(x, y) if self.keeps_shape_dtype else None
        result = graph_value(out, None, wide)
        if right is None:
            like = shape_dtype_of(x) if wide is None else unbroadcast_like(x, result)
            result.node = one_tracked_node(op, False, left, op.left_saves, a, b, out, wide, like)
        elif left is None:
            like = shape_dtype_of(y) if wide is None else unbroadcast_like(y, result)
            result.node = one_tracked_node(op, True, right, op.right_saves, a, b, out, wide, like)
        else:
            like_x = like_y = None
            if wide is None:  # a vjp may give any dtype then
                like_x, like_y = shape_dtype_of(x), shape_dtype_of(y)
            elif wide is x.shape_dtype:
                like_y = y.shape_dtype
            else:
                like_x = x.shape_dtype
            result.node = binary_node(op, left, right, a, b, out, like_x, like_y)
        return result

    def _scalar_first(self, a: Any, b: Any) -> GraphValue:
        y, op = b, self.op
        out = self.function(a, y.value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if y.node is None or op.right_vjp is None:
            return graph_value(out, None, None)
        result = graph_value(out, None, None)
        like = self._like_beside_scalar(a, y, result)
        result.node = one_tracked_node(
            op, True, y.node, op.right_saves | X, a, y.value, out, result.shape_dtype, like
        )
        return result

    def _scalar_second(self, a: Any, b: Any) -> GraphValue:
        x, op = a, self.op
        out = self.function(x.value, b)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if x.node is None:
            return graph_value(out, None, None)
        result = graph_value(out, None, None)
        like = self._like_beside_scalar(b, x, result)
        result.node = one_tracked_node(
            op, False, x.node, op.left_saves | Y, x.value, b, out, result.shape_dtype, like
        )
        return result

    def _like_beside_scalar(self, scalar: Any, operand: GraphValue, result: GraphValue) -> ShapeDtype | None:
        """Return the shape and dtype to which the cotangent of an array beside a Python scalar must be fitted."""
        if self.keeps_shape_dtype and type(scalar) is not complex:
            result.shape_dtype = shape_dtype_of(operand)
            return None
        return unbroadcast_like(operand, result)

    def product(self, a: Any, b: Any) -> Any:
        """Call ``matmul`` and record it; its cotangents always need fitting."""
        if type(a) is not GraphValue or type(b) is not GraphValue:
            return self.general(a, b)
        x, y = a, b
        left_value, right_value, left, right = x.value, y.value, x.node, y.node
        x.owns_memory = y.owns_memory = False
        out = self.function(left_value, right_value)
        if type(out) is not self.array_type:
            out = self.adopt(out)
        if left is None and right is None:
            return graph_value(out, None, None)
        if right is None:
            shape_dtype = shape_dtype_of(x)
            return graph_value(
                out,
                one_tracked_node(
                    self.op, False, left, X | Y, shape_dtype, right_value, None, None, shape_dtype
                ),
                None,
            )
        if left is None:
            shape_dtype = shape_dtype_of(y)
            return graph_value(
                out,
                one_tracked_node(
                    self.op, True, right, X | Y, left_value, shape_dtype, None, None, shape_dtype
                ),
                None,
            )
        return graph_value(
            out,
            binary_node(
                self.op, left, right, left_value, right_value, None, shape_dtype_of(x), shape_dtype_of(y)
            ),
            None,
        )

    def with_settings(self, x: Any, /, *args: Any, **settings: Any) -> Any:
        """Call a function of one array and further arguments, and record it."""
        if type(x) is not GraphValue:
            return self.general(x, *args, **settings)
        return self._with_settings(x, tuple(map(natives_of, args)) if args else args, settings)

    def _with_settings(self, x: GraphValue, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
        value, parent = x.value, x.node
        x.owns_memory = False
        out = self.function(value, *args, **settings)
        if type(out) is not self.array_type:
            out = adopt_all(out, self.array_type, self.adopt)
        if parent is None:
            return untracked(out)
        saves = self.op.left_saves
        saved_x = value if saves & X else shape_dtype_of(x)
        if type(out) is tuple:
            parents = (parent, *[None] * len(args))
            return recorded_results(
                Call(self.op, parents, [saved_x, *args], settings, None), out, bool(saves & OUT)
            )
        result = graph_value(out, None, None)
        saved_out = out if saves & OUT else shape_dtype_of(result)
        result.node = unary_with_settings_node(self.op, parent, saved_x, args, settings, saved_out)
        return result


def square_recording(op: Op, make: Callable[[Op, Function, Adapter], Any], inner: Adapter) -> Any:
    """Return the recording of ``square`` if ``op`` is ``multiply``: it serves for ``x * x``."""
    if op.name != "multiply":
        return None
    square: Any = RULES["square"]
    return make(Op(square, op.xp, op.tracking), inner.find("square"), inner)


def unbroadcast_like(operand: Any, result: GraphValue) -> ShapeDtype | None:
    """Return the shape and dtype to which the cotangent of ``result`` must be fitted, or ``None`` if it fits."""
    return None if common_shape_dtype(result, operand) is not None else shape_dtype_of(operand)


def recording(op: Op, function: Function, inner: Adapter) -> Function:
    """Return a function that records its calls, for a function with a rule."""
    rule = op.rule
    if rule.name == "matmul":
        form = "product"
    elif rule.elementwise and rule.arity <= 2:
        form = "binary" if rule.arity == 2 else "unary"
    else:
        by_lists = rule.is_joint or any(rule.vjps[1:]) or rule.name in _ARRAY_SETTINGS
        form = "general" if by_lists else "with_settings"
    result: Function = getattr(Recording(op, function, inner), form)
    return result


def record_general(op: Op, function: Function, inner: Adapter) -> Function:
    """Return a function that records its calls, with any arguments, lists of operands and several results."""
    array_type, adopt = inner.array_type, inner.adopt

    def recorded(*args: Any, **settings: Any) -> Any:
        values = [natives_of(one) for one in args]
        settings = {key: refuse_tracked(op.name, key, one) for key, one in settings.items()}
        out = function(*values, **settings)
        parents = [nodes_of(op.rule, i, one) for i, one in enumerate(args)]
        out = adopt_all(out, array_type, adopt)
        if not any(parents):
            return untracked(out)
        saved = [
            value if is_saved(op.rule, parents, i) else drop_values(value, array_type)
            for i, value in enumerate(values)
        ]
        node = Call(op, parents, saved, settings, None)
        return recorded_results(node, out, any(op.rule.saves_out))

    return recorded


def natives_of(one: Any) -> Any:
    """Return the native values of a graph value, or of a list of them."""
    if type(one) is GraphValue:
        one.owns_memory = False
        return one.value
    if type(one) in (list, tuple) and any(type(each) is GraphValue for each in one):
        return type(one)(map(natives_of, one))
    return one


def refuse_tracked(name: str, key: str, one: Any) -> Any:
    """Return the native value of an argument that is not differentiated.

    Raises
    ------
    GradientError
        If it is tracked.
    """
    if type(one) is GraphValue and one.node is not None:
        raise GradientError(f"{name}: there is no derivative with respect to {key}=; give {key}.detach()")
    return natives_of(one)


def nodes_of(rule: Rule, position: int, one: Any) -> Any:
    """Return the node of an operand, or of each in a list, if the rule differentiates that operand."""
    if not rule.is_joint and (position >= len(rule.vjps) or rule.vjps[position] is None):
        return None
    if type(one) is GraphValue:
        return one.node
    if type(one) in (list, tuple):
        nodes = [each.node if type(each) is GraphValue else None for each in one]
        return nodes if any(nodes) else None
    return None


def is_saved(rule: Rule, parents: list[Any], position: int) -> bool:
    """Return whether the rule of a tracked operand reads the values of the operand at ``position``."""
    active = [0] if rule.is_joint else [i for i, parent in enumerate(parents) if parent is not None]
    return any(rule.saves[i][min(position, len(rule.saves[i]) - 1)] for i in active)


def drop_values(value: Any, array_type: Any) -> Any:
    """Return shape and dtype of an array, or of each array in a list; other objects are returned unchanged."""
    if type(value) is array_type:
        return ShapeDtype(value.shape, value.dtype)
    if type(value) in (list, tuple) and any(type(one) is array_type for one in value):
        return [drop_values(one, array_type) for one in value]
    return value


def adopt_all(out: Any, array_type: type, adopt: Function) -> Any:
    """Return the result of a library, or the tuple of its results, with each array of type ``array_type``."""
    if type(out) is array_type:
        return out
    if isinstance(out, list | tuple):
        return tuple(one if type(one) is array_type else adopt(one) for one in out)
    return adopt(out)


def untracked(out: Any) -> Any:
    """Return untracked graph values for one native value or a tuple of them."""
    return tuple(GraphValue(one, None) for one in out) if type(out) is tuple else GraphValue(out, None)


def recorded_results(node: Call, out: Any, saves: bool) -> Any:
    """Return graph values for the results of a recorded call; the node saves them if a rule ``reads`` them."""
    if type(out) is not tuple:
        node.out = out if saves else ShapeDtype(out.shape, out.dtype)
        return GraphValue(out, node)
    node.out = out if saves else tuple(ShapeDtype(one.shape, one.dtype) for one in out)
    return tuple(GraphValue(one, Output(node, i)) for i, one in enumerate(out))


def astype(op: Op, function: Function, inner: Adapter) -> Function:
    """Return ``astype`` that records its calls; a result of integers or bools is a constant."""
    smooth = {native for dtype, native in inner.dtypes.items() if kind_of(dtype) in "fc"}
    recorded, direct = record_general(op, function, inner), constant(function, inner)

    def converted(x: GraphValue, dtype: Any, **settings: Any) -> Any:
        return (recorded if dtype in smooth else direct)(x, dtype, **settings)

    return converted


def constant(function: Function, inner: Adapter) -> Function:
    """Return a function whose results are constants, whatever its operands."""
    array_type, adopt = inner.array_type, inner.adopt

    def called(*args: Any, **settings: Any) -> Any:
        values = [natives_of(one) for one in args]
        out = function(*values, **{key: natives_of(one) for key, one in settings.items()})
        return untracked(adopt_all(out, array_type, adopt))

    return called


def composed(name: str, body: Function, function: Function, inner: Adapter, tracking: Any) -> Function:
    """Return a function that is computed from other functions whenever an operand is tracked."""
    direct = constant(function, inner)

    def recorded(*args: Any, **settings: Any) -> Any:
        if not any(map(_is_tracked, args)) and not any(map(_is_tracked, settings.values())):
            return direct(*args, **settings)
        wrapped = [_wrap_saved(tracking, one) for one in args]
        out = body(tracking, *wrapped, **{key: _wrap_saved(tracking, one) for key, one in settings.items()})
        return tuple(map(tracking.native, out)) if isinstance(out, list | tuple) else tracking.native(out)

    return recorded


def _is_tracked(one: Any) -> bool:
    if type(one) is GraphValue:
        return one.node is not None
    return type(one) in (list, tuple) and any(map(_is_tracked, one))


def _wrap_saved(tracking: Any, one: Any) -> Any:
    if type(one) in (list, tuple):
        return type(one)(_wrap_saved(tracking, each) for each in one)
    return tracking.wrap_saved(one, None)


def undeclared(name: str, function: Function, inner: Adapter) -> Function:
    """Return a function without a rule, which refuses tracked operands."""
    direct = constant(function, inner)

    def refused(*args: Any, **settings: Any) -> Any:
        if any(map(_is_tracked, (*args, *settings.values()))):
            raise GradientError(
                f"{name}: there is no derivative rule for it; give x.detach() to leave the graph here"
            )
        return direct(*args, **settings)

    return refused
