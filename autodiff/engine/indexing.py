"""Indexing and assignment on an autodiff device.

Arrays have value semantics here: an assignment gives the array a new handle, and what other arrays, views or
nodes saw stays as it was. The memory is reused where nobody else can see it: it was made by this device
(``owned``) and nothing but the handle refers to it, which the reference count of the value tells.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any

from burn_array.adapter import Adapter
from burn_array.errors import GradientError

from ..rules import Rule
from .nodes import Call
from .record import Function, outline, plain
from .tape import Handle, Leaf, Op

_ALONE = 2  # the slot of the handle, and the argument of getrefcount itself


def getitem(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of ``x[key]``."""
    array_type, adopt = inner.array_type, inner.adopt
    rule = op.rule
    choosing = Op(Rule(rule.name, rule.pulls, False, False, True, True), op.xp, op.tracking)

    def recorded(x: Handle, key: Any) -> Handle:
        value = x.value
        arrays = False
        if type(key) is Handle or type(key) is tuple:
            keys = key if type(key) is tuple else (key,)
            arrays = any(type(one) is Handle for one in keys)
            key = plain(key)
        out = function(value, key)
        if type(out) is not array_type:
            out = adopt(out)
        if getattr(x, "owned", False) and not arrays:
            out = op.xp.copy(out)
        if x.node is None:
            return Handle(out, None)
        used = choosing if arrays else op
        return Handle(out, Call(used, (x.node, None), [outline(value, array_type), key], {}, None))

    return recorded


def setitem(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the recording form of ``x[key] = v``: it gives the new handle of ``x``."""
    array_type = inner.array_type

    def recorded(x: Handle, key: Any, v: Any) -> Handle:
        node = x.node
        if type(node) is Leaf:
            raise GradientError(
                "a parameter cannot be changed in place, which would lose it; "
                "write y = x + 0.0 and change y, or change x.detach() and call require_grad() on it"
            )
        if key is ... and type(v) is Handle and _replaces(x.value, v.value):
            v.owned = False
            return Handle(v.value, v.node)
        key, value = plain(key), plain(v)
        out = (
            x.value if getattr(x, "owned", False) and getrefcount(x.value) == _ALONE else op.xp.copy(x.value)
        )
        changed = function(out, key, value)
        made = Handle(out if changed is None else changed, None)
        made.owned = True
        source = v.node if type(v) is Handle else None
        if node is not None or source is not None:
            kept = [outline(x.value, array_type), key, outline(value, array_type)]
            made.node = Call(op, (node, None, source), kept, {}, None)
        return made

    return recorded


def _replaces(old: Any, new: Any) -> bool:
    return bool(new.shape == old.shape and new.dtype == old.dtype)


def created(function: Function, inner: Adapter) -> Function:
    """Return the form of a creation function: its memory is new."""
    array_type, adopt = inner.array_type, inner.adopt

    def made(*args: Any, **settings: Any) -> Handle:
        out = function(*args, **settings)
        handle = Handle(out if type(out) is array_type else adopt(out), None)
        handle.owned = True
        return handle

    return made
