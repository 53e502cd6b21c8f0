"""Rules of indexing, assignment and copies, which the standard describes with the array object."""

from __future__ import annotations

from typing import Any

from . import rule


def _has_positions(xp: Any, key: Any) -> bool:
    """Return whether a key holds an array of integers, which may select an element twice."""
    keys = key if type(key) is tuple else (key,)
    return any(hasattr(one, "dtype") and not xp.is_bool(one) for one in keys)


def _scattered(xp: Any, g: Any, _out: Any, _x: Any, key: Any) -> Any:
    zeros = xp.zeros(_x.shape, dtype=_x.dtype)
    return xp.scatter_add(zeros, key, g) if _has_positions(xp, key) else xp.put(zeros, key, g)


rule("getitem", _scattered, None, moves=True)
rule(
    "setitem",
    lambda xp, g, _out, _x, key, _v: xp.put(g, key, 0),
    None,
    lambda xp, g, _out, _x, key, _v: xp.getitem(g, key),
)
rule(
    "scatter_add",
    lambda xp, g, _out, _x, _key, _v: g,
    None,
    lambda xp, g, _out, _x, key, _v: xp.getitem(g, key),
)
rule("copy", lambda xp, g, _out, _x: g, moves=True)
