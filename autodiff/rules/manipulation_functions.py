"""Rules of the manipulation functions: each moves the cotangent back."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from typing import Any

from . import joint, rule
from ._axes import axes_of, part, positions

rule("reshape", lambda xp, g, _out, _x, _shape, **_: xp.reshape(g, _x.shape), moves=True)
rule("squeeze", lambda xp, g, _out, _x, axis: xp.expand_dims(g, axis), moves=True)
rule("expand_dims", lambda xp, g, _out, _x, axis: xp.squeeze(g, axis), moves=True)
rule("matrix_transpose", lambda xp, g, _out, _x: xp.matrix_transpose(g), moves=True)
rule(
    "moveaxis",
    lambda xp, g, _out, _x, source, destination: xp.moveaxis(g, destination, source),
    moves=True,
)
rule("flip", lambda xp, g, _out, _x, *, axis: xp.flip(g, axis=axis), moves=True)
rule("broadcast_to", lambda xp, g, _out, _x, _shape: g, moves=True)
joint("broadcast_arrays", lambda xp, g, _out, *_arrays: g, moves=True)


def _permute_dims(xp: Any, g: Any, _out: Any, _x: Any, axes: tuple[int, ...]) -> Any:
    axes = axes_of(axes, len(axes))
    return xp.permute_dims(g, tuple(axes.index(i) for i in range(len(axes))))


def _roll(xp: Any, g: Any, _out: Any, _x: Any, shift: Any, *, axis: Any) -> Any:
    back = tuple(-one for one in shift) if isinstance(shift, tuple | list) else -shift
    return xp.roll(g, back, axis=axis)


rule("permute_dims", _permute_dims, moves=True)
rule("roll", _roll, moves=True)

# -- joining and splitting ------------------------------------------------------------------------


def _concat(xp: Any, g: Any, _out: Any, _arrays: Any, *, axis: int | None = 0) -> list[Any]:
    lengths = [math.prod(x.shape) if axis is None else x.shape[axis] for x in _arrays]
    pieces = [part(xp, g, axis or 0, slice(*ends)) for ends in pairwise(accumulate(lengths, initial=0))]
    return [xp.reshape(piece, x.shape) for piece, x in zip(pieces, _arrays, strict=True)]


def _unstack(xp: Any, g: Any, _out: Any, _x: Any, *, axis: int) -> Any:
    seen = [xp.zeros(one.shape, dtype=one.dtype) if h is None else h for h, one in zip(g, _out, strict=True)]
    return xp.stack(seen, axis=axis)


rule("concat", _concat, moves=True)
rule("stack", lambda xp, g, _out, _arrays, *, axis=0: list(xp.unstack(g, axis=axis)), moves=True)
rule("unstack", _unstack, moves=True)

# -- repetition -----------------------------------------------------------------------------------


def _repeat(xp: Any, g: Any, _out: Any, _x: Any, repeats: Any, *, axis: int | None) -> Any:
    shape = (math.prod(_x.shape),) if axis is None else _x.shape
    axis = (axis or 0) % len(shape)
    length = shape[axis]
    if type(repeats) is int:
        h = xp.sum(xp.reshape(g, (*shape[:axis], length, repeats, *shape[axis + 1 :])), axis=axis + 1)
    else:
        sources = xp.repeat(positions(xp, length, g), repeats)
        h = xp.scatter_add(xp.zeros(shape, dtype=g.dtype), (*(slice(None),) * axis, sources), g)
    return xp.reshape(h, _x.shape)


def _tile(xp: Any, g: Any, _out: Any, _x: Any, repetitions: tuple[int, ...]) -> Any:
    if 0 in repetitions:
        return None
    times = (*(1,) * (g.ndim - len(repetitions)), *repetitions)
    split = [length for n, r in zip(g.shape, times, strict=True) for length in (r, n // r)]
    return xp.sum(xp.reshape(g, tuple(split)), axis=tuple(range(0, len(split), 2)))


rule("repeat", _repeat, moves=True)
rule("tile", _tile, moves=True)
