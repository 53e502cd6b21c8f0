"""Rules of indexing, assignment and copies, which the standard describes with the array object."""

from __future__ import annotations

import math
from typing import Any

from . import rule


def _has_positions(xp: Any, key: Any) -> bool:
    """Return whether a key holds an array of integers, which may select an element twice."""
    keys = key if type(key) is tuple else (key,)
    return any(hasattr(one, "dtype") and not xp.is_bool(one) for one in keys)


def _scattered(xp: Any, g: Any, _out: Any, _x: Any, key: Any) -> Any:
    zeros = xp.zeros(_x.shape, dtype=_x.dtype)
    return xp.scatter_add(zeros, key, g) if _has_positions(xp, key) else xp.put(zeros, key, g)


def _written(xp: Any, g: Any, _out: Any, _x: Any, key: Any, _v: Any) -> Any:
    """Return ``g`` where the values went; of several written to one element only the one that stayed counts."""
    picked = xp.getitem(g, key)
    if not _has_positions(xp, key):
        return picked
    order = xp.reshape(xp.arange(math.prod(picked.shape)), picked.shape)
    stayed = xp.put(xp.zeros(g.shape, dtype=order.dtype), key, order)
    return xp.where(xp.getitem(stayed, key) == order, picked, 0)


rule("getitem", _scattered, None, moves=True)
rule(
    "setitem",
    lambda xp, g, _out, _x, key, _v: xp.put(g, key, 0),
    None,
    _written,
)
rule(
    "scatter_add",
    lambda xp, g, _out, _x, _key, _v: g,
    None,
    lambda xp, g, _out, _x, key, _v: xp.getitem(g, key),
)
rule("copy", lambda xp, g, _out, _x: g, moves=True)
