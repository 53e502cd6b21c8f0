"""Axes and shapes, as several pages of rules need them."""

from __future__ import annotations

import math
from typing import Any


def axes_of(axis: int | tuple[int, ...] | None, ndim: int) -> tuple[int, ...]:
    """Return the axes that ``axis`` names, none of them negative; all for ``None``."""
    if axis is None:
        return tuple(range(ndim))
    return tuple(one % ndim for one in (axis if isinstance(axis, tuple | list) else (axis,)))


def count_along(x: Any, axis: int | tuple[int, ...] | None) -> int:
    """Return the number of elements that go into one result of a reduction."""
    return math.prod(x.shape[one] for one in axes_of(axis, x.ndim))


def unreduced(xp: Any, g: Any, x: Any, axis: int | tuple[int, ...] | None, keepdims: bool) -> Any:
    """Return what belongs to the result of a reduction of ``x`` in a shape that broadcasts with ``x``."""
    if keepdims or axis is None:
        return g
    axes = axes_of(axis, x.ndim)
    return xp.reshape(g, tuple(1 if i in axes else length for i, length in enumerate(x.shape)))


def resized(xp: Any, g: Any, length: int, axis: int) -> Any:
    """Return ``g`` cut, or filled up with zeros, to ``length`` along ``axis``."""
    have = g.shape[axis]
    if have > length:
        return part(xp, g, axis, slice(0, length))
    if have == length:
        return g
    axis %= g.ndim
    zeros = xp.zeros((*g.shape[:axis], length - have, *g.shape[axis + 1 :]), dtype=g.dtype)
    return xp.concat([g, zeros], axis=axis)


def part(xp: Any, x: Any, axis: int, key: int | slice) -> Any:
    """Return what ``key`` selects along ``axis``."""
    return xp.getitem(x, (*(slice(None),) * (axis % x.ndim), key))


def positions(xp: Any, length: int, like: Any) -> Any:
    """Return ``0, 1, ..., length - 1`` in the dtype of indices, which those of the user may be too narrow for."""
    return xp.argsort(xp.real_part(xp.zeros((length,), dtype=like.dtype)), axis=0)


def along(xp: Any, vector: Any, axis: int, ndim: int) -> Any:
    """Return a vector as an array of ``ndim`` axes that lies along ``axis``."""
    axis %= ndim
    return xp.reshape(vector, (*(1,) * axis, vector.shape[0], *(1,) * (ndim - 1 - axis)))
