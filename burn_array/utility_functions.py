"""Utility functions of the standard."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_axis, count
from ._core.array import Array
from ._core.dispatch import call, reduction, wrap
from ._core.operands import unwrap_arrays

__all__ = ["all", "any", "diff"]


def all(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return whether all elements along ``axis`` are true."""
    return reduction("all", x, axis, keepdims)


def any(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return whether any element along ``axis`` is true."""
    return reduction("any", x, axis, keepdims)


def diff(
    x: Array, /, *, axis: int = -1, n: int = 1, prepend: Array | None = None, append: Array | None = None
) -> Array:
    """Return the ``n``-th forward difference along ``axis``, after ``prepend`` and ``append`` are joined on."""
    given = [one for one in (prepend, append) if one is not None]
    at, (values, *joined) = unwrap_arrays("diff", (x, *given))
    check_axis("diff", axis, len(at.shape_of(values)))
    before = None if prepend is None else joined.pop(0)
    after = joined[0] if joined else None
    n = count("diff", "n", n)
    return wrap(at, call("diff", at, values, axis=axis, n=n, prepend=before, append=after))
