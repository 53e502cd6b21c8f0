"""Rules of the indexing functions: the adjoint of a gather adds up what was taken from the same place."""

from __future__ import annotations

from typing import Any

from . import rule
from ._axes import along, positions


def _take(xp: Any, g: Any, _out: Any, _x: Any, indices: Any, *, axis: int) -> Any:
    key = (*(slice(None),) * (axis % _x.ndim), indices)
    return xp.scatter_add(xp.zeros(_x.shape, dtype=g.dtype), key, g)


def _take_along_axis(xp: Any, g: Any, _out: Any, _x: Any, indices: Any, *, axis: int) -> Any:
    key = [along(xp, positions(xp, length, g), i, _x.ndim) for i, length in enumerate(_x.shape)]
    key[axis] = indices
    return xp.scatter_add(xp.zeros(_x.shape, dtype=g.dtype), tuple(key), g)


rule("take", _take, masks=True)
rule("take_along_axis", _take_along_axis, masks=True)
