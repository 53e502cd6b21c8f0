"""Rules of the creation functions. What is made of Python numbers is constant."""

from __future__ import annotations

from typing import Any

from . import constant, joint, rule

constant("arange", "empty", "eye", "full", "linspace", "ones", "zeros")

rule("tril", lambda xp, g, _out, _x, *, k: xp.tril(g, k=k), masks=True)
rule("triu", lambda xp, g, _out, _x, *, k: xp.triu(g, k=k), masks=True)


def _meshgrid(xp: Any, g: Any, _out: Any, *_arrays: Any, indexing: str) -> list[Any]:
    own = list(range(len(_arrays)))
    if indexing == "xy":
        own[:2] = reversed(own[:2])
    others = [tuple(axis for axis in own if axis != mine) for mine in own]
    return [None if one is None else xp.sum(one, axis=axes) for one, axes in zip(g, others, strict=True)]


joint("meshgrid", _meshgrid, moves=True)
