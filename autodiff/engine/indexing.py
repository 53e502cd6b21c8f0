"""Indexing and assignment on an autodiff device.

An assignment gives the array, and the arrays that share its memory (``views.py``), a new value and node; what nodes
saved stays as it was. The memory is reused where nothing else can see it: it was made by this device
(``owns_memory``) and nothing but the graph value refers to it, which its reference count tells.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from burn_array.adapter import Adapter

from ..rules import RULES, Rule
from .nodes import Call
from .record import Function, drop_values, natives_of
from .tape import GraphValue, Op
from .views import Source, check_writable, is_view, link, write

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
        shares = False
        if type(out) is not array_type:
            out = adopt(out)
        elif not arrays:
            shares = is_view(inner, value, out)
        if getattr(x, "owns_memory", False) and not arrays:
            out = op.xp.copy(out)
        node = x.node
        if node is not None:
            used = choosing_op if arrays else op
            node = Call(used, (node, None), [drop_values(value, array_type), key], {}, None)
        result = GraphValue(out, node)
        if shares:
            link(Source(x, "getitem", recorded, store, (key,)), result)
        return result

    def store(source: Source, view: GraphValue) -> GraphValue:
        changed: GraphValue = assign(source.parent, source.args[0], view)
        return changed

    setting: Any = RULES["setitem"]
    assign = assignment(Op(setting, op.xp, op.tracking), inner.find("setitem"), inner)
    return recorded


def setitem(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of ``x[key] = v``, which changes ``x`` and returns it."""
    assign = assignment(op, function, inner)

    def recorded(x: GraphValue, key: Any, v: Any) -> GraphValue:
        check_writable(x)
        source = getattr(v, "source", None) if type(v) is GraphValue else None
        if source is None or not _is_stored(source, x, key):
            write(x, assign(x, key, v), key)
        return x

    return recorded


def _is_stored(source: Source, x: GraphValue, key: Any) -> bool:
    """Return whether a view is ``x[key]`` already, as at the end of ``x[key] += v``."""
    return source.parent is x and source.name == "getitem" and source.args[0] is key


def assignment(op: Op, function: Function, inner: Adapter) -> Function:
    """Return a function that gives the value of ``x`` after ``x[key] = v``, and records that."""
    array_type = inner.array_type

    def assigned(x: GraphValue, key: Any, v: Any) -> GraphValue:
        node = x.node
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

    return assigned


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
