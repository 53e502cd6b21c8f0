"""Rules of the sorting functions."""

from __future__ import annotations

from typing import Any

from . import constant, rule

constant("argsort")


def _sort(xp: Any, g: Any, _out: Any, x: Any, *, axis: int, descending: bool, **_: Any) -> Any:
    """Each element takes the cotangent of the place that the stable sort gave it."""
    order = xp.argsort(xp.stop_gradient(x), axis=axis, descending=descending)
    return xp.take_along_axis(g, xp.argsort(order, axis=axis), axis=axis)


rule("sort", _sort, moves=True)
