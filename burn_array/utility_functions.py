"""Utility functions of the standard."""

from __future__ import annotations

from typing import Any

from ._array import Array, call, place, reduction, tag

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
    at, (values, before, after) = place("diff", x, prepend, append)
    return tag(at, call("diff", at, values, axis=axis, n=n, prepend=before, append=after))
