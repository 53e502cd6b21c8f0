"""Indexing and assignment on an autodiff device.

Arrays have value semantics here: an assignment gives the array a new handle, and what other arrays, views or
nodes saw stays as it was. The memory is reused where no other array can see it: it was made by this device
(``owned``) and nothing but the handle refers to it, which the reference count of the value tells.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from burn_array.adapter import Adapter
from burn_array.errors import GradientError

from ..rules import Rule
from .nodes import Call
from .record import Function, drop_values, natives_of
from .tape import GraphValue, Leaf, Op

_SOLE_REFERENCES = 2  # the slot of the handle, and the argument of getrefcount itself


def getitem(op: Op, function: Function, inner: Adapter) -> Function:
    """Return a function for ``x[key]`` that records its calls."""
    array_type, adopt = inner.array_type, inner.adopt
    rule = op.rule
    choosing_op = Op(Rule(rule.name, rule.vjps, False, False, True, True), op.xp, op.tracking)

    def recorded(x: GraphValue, key: Any) -> GraphValue:
        value = x.value
        arrays = False
        if type(key) is GraphValue or type(key) is tuple:
            keys = key if type(key) is tuple else (key,)
            arrays = any(type(one) is GraphValue for one in keys)
            key = natives_of(key)
        out = function(value, key)
        if type(out) is not array_type:
            out = adopt(out)
        if getattr(x, "owns_memory", False) and not arrays:
            out = op.xp.copy(out)
        if x.node is None:
            return GraphValue(out, None)
        used = choosing_op if arrays else op
        return GraphValue(out, Call(used, (x.node, None), [drop_values(value, array_type), key], {}, None))

    return recorded


def setitem(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of ``x[key] = v``: it gives the new handle of ``x``."""
    array_type = inner.array_type

    def recorded(x: GraphValue, key: Any, v: Any) -> GraphValue:
        node = x.node
        if type(node) is Leaf:
            raise GradientError(
                "a parameter cannot be changed in place, which would lose it; "
                "write y = x + 0.0 and change y, or change x.detach() and call require_grad() on it"
            )
        if key is ... and type(v) is GraphValue and _replaces(x.value, v.value):
            v.owns_memory = False
            return GraphValue(v.value, v.node)
        key, value = natives_of(key), natives_of(v)
        out = (
            x.value
            if getattr(x, "owns_memory", False) and getrefcount(x.value) == _SOLE_REFERENCES
            else op.xp.copy(x.value)
        )
        changed = function(out, key, value)
        made = GraphValue(out if changed is None else changed, None)
        made.owns_memory = True
        source = v.node if type(v) is GraphValue else None
        if node is not None or source is not None:
            saved = [drop_values(x.value, array_type), key, drop_values(value, array_type)]
            made.node = Call(op, (node, None, source), saved, {}, None)
        return made

    return recorded


def _replaces(old: Any, new: Any) -> bool:
    return bool(new.shape == old.shape and new.dtype == old.dtype)


def creation(function: Function, inner: Adapter) -> Function:
    """Return a creation function whose results are known to have memory of their own."""
    array_type, adopt = inner.array_type, inner.adopt

    def made(*args: Any, **settings: Any) -> GraphValue:
        out = function(*args, **settings)
        result = GraphValue(out if type(out) is array_type else adopt(out), None)
        result.owns_memory = True
        return result

    return made
