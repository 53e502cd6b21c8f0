"""Rules of the utility functions."""

from __future__ import annotations

from typing import Any

from . import composition, constant
from ._axes import part

constant("all", "any")


def _diff(xp: Any, x: Any, *, axis: int, n: int, prepend: Any, append: Any) -> Any:
    parts = [one for one in (prepend, x, append) if one is not None]
    out = xp.concat(parts, axis=axis) if len(parts) > 1 else x
    for _ in range(n):
        out = part(xp, out, axis, slice(1, None)) - part(xp, out, axis, slice(None, -1))
    return out


composition("diff", _diff)
