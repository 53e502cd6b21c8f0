"""Graphs made of blocks: all that the functions of this adapter know about dask's graphs is here."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any
from uuid import uuid4

import dask.array as da
import numpy as np
from dask.array.core import common_blockdim
from dask.base import tokenize
from dask.blockwise import blockwise
from dask.highlevelgraph import HighLevelGraph
from dask.layers import ArrayBlockIdDep, ArrayChunkShapeDep, ArrayValuesDep

from .apply import Apply, inner_adapter
from .memory import Chunks, chunks_for, fits, smaller

Axes = tuple[int, ...]
Operand = tuple[Any, Axes | None]
"""An array, or what a block needs beside it, with the numbers of its axes; ``None`` for a Python number."""

_DEPENDENT = (ArrayBlockIdDep, ArrayChunkShapeDep, ArrayValuesDep)
_PARTS = 16
"""How many partial results one task of a tree combines."""


@lru_cache(1024)
def meta(kind: str, ndim: int, dtype: Any) -> Any:
    """Return the empty array that says which type and dtype the blocks have."""
    adapter = inner_adapter(kind)
    return adapter.find("zeros")((0,) * ndim, dtype=dtype, device=adapter.native_device)


def kind_of_blocks(x: Any) -> str:
    """Return the device of the blocks of a dask array, ``numpy`` or ``cupy``."""
    return "cupy" if type(x._meta).__module__.partition(".")[0] == "cupy" else "numpy"


def made(kind: str, name: str, layer: Any, dependencies: Sequence[Any], chunks: Chunks, dtype: Any) -> Any:
    """Return the dask array of a layer of a graph."""
    graph = HighLevelGraph.from_collections(name, layer, dependencies=dependencies)
    return da.Array(graph, name, chunks, meta=meta(kind, len(chunks), dtype))


def block_by_block(
    apply: Apply,
    axes: Axes,
    operands: Sequence[Operand],
    chunks: Chunks,
    dtype: Any,
    new_axes: Mapping[int, tuple[int, ...]] | None = None,
) -> Any:
    """Return the array that ``apply`` makes of the blocks of the operands, which are cut alike.

    Axes are numbered freely: blocks with the same number on an axis belong together. An operand of one block on an
    axis goes to all blocks there.
    """
    seen: list[Any] = []
    pairs: list[Any] = []
    numblocks: dict[str, tuple[int, ...]] = {}
    arrays: list[Any] = []
    for value, own in operands:
        if isinstance(value, da.Array):
            numblocks[value.name] = value.numblocks
            arrays.append(value)
            value = value.name
            seen.append(value)
        elif isinstance(value, _DEPENDENT):
            seen.append((type(value).__name__, value.chunks, getattr(value, "values", None)))
        else:
            seen.append((type(value).__name__, value))
        seen.append(own)
        pairs += [value, own]
    name = f"{apply.label}-{tokenize(apply, axes, seen, chunks)}"
    layer = blockwise(
        apply, name, axes, *pairs, numblocks=numblocks, dependencies=arrays, new_axes=dict(new_axes or {})
    )
    return made(apply.kind, name, layer, arrays, chunks, dtype)


def by_place(apply: Apply, arrays: Sequence[Any], layer: Mapping[Any, Sequence[Any]], chunks: Chunks, dtype: Any) -> Any:
    """Return the array whose block at each place ``apply`` makes of the blocks that ``layer`` gives for it.

    A block is given by the number of its array and its place there.
    """
    name = f"{apply.label}-{tokenize(apply, [x.name for x in arrays], chunks)}"
    tasks = {
        (name, *place): (apply, *((arrays[i].name, *at) for i, at in blocks)) for place, blocks in layer.items()
    }
    return made(apply.kind, name, tasks, arrays, chunks, dtype)


def one_task(apply: Apply, arrays: Sequence[Any], shape: tuple[int, ...], dtype: Any) -> Any:
    """Return the array of one block that ``apply`` makes of arrays of one block each."""
    blocks = [(i, (0,) * x.ndim) for i, x in enumerate(arrays)]
    return by_place(apply, arrays, {(0,) * len(shape): blocks}, tuple((n,) for n in shape), dtype)


def created(apply: Apply, chunks: Chunks, dtype: Any, *operands: Operand) -> Any:
    """Return an array whose blocks ``apply`` makes of their shape and of further operands."""
    axes = tuple(range(len(chunks)))
    return block_by_block(apply, axes, [(ArrayChunkShapeDep(chunks), axes), *operands], chunks, dtype)


def of_host(array: np.ndarray[Any, Any], kind: str, chunks: Chunks | None = None) -> Any:
    """Return a dask array with copies of the parts of an ndarray as blocks, which are part of the graph."""
    if chunks is None:
        chunks = chunks_for(array.shape, array.dtype.itemsize)
    adapter = inner_adapter(kind)
    name = f"asarray-{uuid4().hex}"
    layer = {
        (name, *place): adapter.from_host(array[cuts], True) for place, cuts in places(chunks)
    }
    return made(kind, name, layer, (), chunks, array.dtype)


def places(chunks: Chunks) -> Any:
    """Iterate over the places of the blocks and the slices that they have in the array."""
    ends = [np.cumsum((0, *one)).tolist() for one in chunks]
    for place in product(*(range(len(one)) for one in chunks)):
        yield place, tuple(slice(end[i], end[i + 1]) for i, end in zip(place, ends, strict=True))


def block_at(place: Sequence[int], numblocks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the place of a block of an operand with fewer axes, or with one block along some of them."""
    own = place[len(place) - len(numblocks) :]
    return tuple(0 if n == 1 else i for i, n in zip(own, numblocks, strict=True))


def starts(chunks: tuple[int, ...]) -> list[int]:
    """Return the index of the first element of each block along an axis."""
    found: list[int] = np.cumsum((0, *chunks[:-1])).tolist()
    return found


def start_of(chunks: tuple[int, ...], axis: int) -> Operand:
    """Return the operand that gives each block the index of its first element along ``axis``."""
    return ArrayValuesDep((chunks,), {(i,): start for i, start in enumerate(starts(chunks))}), (axis,)


def place_of(chunks: Chunks) -> Operand:
    """Return the operand that gives each block its place among the blocks."""
    return ArrayBlockIdDep(chunks), tuple(range(len(chunks)))


# -- cutting ----------------------------------------------------------------------------------


def rechunked(x: Any, chunks: Chunks) -> Any:
    """Return an array cut in another way."""
    if x.chunks == chunks:
        return x
    if x.size == 0:
        return nothing(kind_of_blocks(x), x.shape, x.dtype)
    if any(0 in one for one in x.chunks):
        x = _without_empty(x)
    return x if x.chunks == chunks else x.rechunk(chunks)


def _without_empty(x: Any) -> Any:
    """Return an array of at least one element with the blocks left out that have none."""
    kept = [[i for i, n in enumerate(one) if n] for one in x.chunks]
    chunks = tuple(tuple(one[i] for i in own) for one, own in zip(x.chunks, kept, strict=True))
    name = f"kept-{tokenize(x.name, x.chunks)}"
    layer = {
        (name, *place): (x.name, *(own[i] for i, own in zip(place, kept, strict=True)))
        for place in product(*(range(len(own)) for own in kept))
    }
    return made(kind_of_blocks(x), name, layer, (x,), chunks, x.dtype)


def without_empty(x: Any) -> Any:
    """Return an array without empty blocks, unless it has no elements at all."""
    return _without_empty(x) if any(0 in one for one in x.chunks) and x.size else x


def whole(function: str, x: Any, axes: Axes, times: int = 1) -> Any:
    """Return an array that is not cut along ``axes``; ``times`` says how much memory the function takes.

    Raises
    ------
    OutOfMemoryError
        If such a block does not fit.
    """
    if all(len(x.chunks[axis]) == 1 for axis in axes):
        chunks = x.chunks
    else:
        chunks = smaller(without_empty(x).chunks, x.dtype.itemsize, axes)
    fits(function, times * x.dtype.itemsize * math.prod(max(one, default=0) for one in chunks))
    return rechunked(x, chunks)


def gathered(function: str, x: Any) -> Any:
    """Return an array of one block."""
    return whole(function, x, tuple(range(x.ndim)))


def cut_again(x: Any) -> Any:
    """Return an array of one large block, cut as a new array is."""
    return rechunked(x, chunks_for(x.shape, x.dtype.itemsize))


def aligned(operands: Sequence[Operand]) -> tuple[list[Operand], dict[int, tuple[int, ...]]]:
    """Return arrays cut alike on the axes with the same number, and the chunks of these axes.

    An array of length 1 along an axis, where the others are longer, is not cut there.
    """
    found: dict[int, set[tuple[int, ...]]] = {}
    ready: list[Operand] = []
    for x, own in operands:
        if own is not None:
            x = without_empty(x)
            for axis, chunks in zip(own, x.chunks, strict=True):
                found.setdefault(axis, set()).add(chunks)
        ready.append((x, own))
    cuts: dict[int, tuple[int, ...]] = {}
    for axis, several in found.items():
        longer = [one for one in several if one != (1,)] or [(1,)]
        cuts[axis] = longer[0] if len(longer) == 1 else common_blockdim(longer)
    return [(x if own is None else _cut_as(x, own, cuts), own) for x, own in ready], cuts


def _cut_as(x: Any, own: Axes, cuts: Mapping[int, tuple[int, ...]]) -> Any:
    wanted = tuple(
        one if one == (1,) else cuts[axis] for axis, one in zip(own, x.chunks, strict=True)
    )
    return rechunked(x, wanted)


# -- small arrays and parts -------------------------------------------------------------------


def nothing(kind: str, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return an array without elements, of one block."""
    return filled(kind, "zeros", shape, dtype, tuple((n,) for n in shape))


def filled(
    kind: str, name: str, shape: tuple[int, ...], dtype: Any, chunks: Chunks | None = None, *value: Any
) -> Any:
    """Return an array made by ``zeros``, ``ones`` or ``full``."""
    if chunks is None:
        chunks = chunks_for(shape, dtype.itemsize)
    return created(Apply(kind, "blocks.filled", (name, dtype, *value)), chunks, dtype)


# -- trees ------------------------------------------------------------------------------------


def tree(
    x: Any, axes: Axes, keepdims: bool, first: Apply, combine: Apply, last: Apply, dtype: Any, *operands: Operand
) -> Any:
    """Return a reduction of ``x`` over ``axes``.

    ``first`` gives a partial result of each block, ``combine`` makes one of a list of them, and ``last`` the block of
    the result, in which the axes have length 1 unless they are dropped.
    """
    every = tuple(range(x.ndim))
    chunks = tuple((1,) * len(c) if axis in axes else c for axis, c in enumerate(x.chunks))
    level = block_by_block(first, every, [(x, every), *operands], chunks, dtype)
    group = max(2, round(_PARTS ** (1 / max(1, len(axes)))))
    while math.prod(level.numblocks[axis] for axis in axes) > _PARTS:
        level = _merged(level, combine, {axis: group for axis in axes}, (), dtype)
    return _merged(level, last, {axis: level.numblocks[axis] for axis in axes}, () if keepdims else axes, dtype)


def _merged(level: Any, apply: Apply, groups: Mapping[int, int], dropped: Axes, dtype: Any) -> Any:
    """Return the array of the results of ``apply`` for groups of neighbouring blocks."""
    kept = [axis for axis in range(level.ndim) if axis not in dropped]
    counts = [-(-n // groups.get(axis, 1)) for axis, n in enumerate(level.numblocks)]
    name = f"{apply.label}-{tokenize(apply, level.name, sorted(groups.items()), dropped)}"
    layer = {}
    for place in product(*map(range, counts)):
        members = product(
            *(
                range(i * groups.get(axis, 1), min((i + 1) * groups.get(axis, 1), level.numblocks[axis]))
                for axis, i in enumerate(place)
            )
        )
        layer[(name, *(place[axis] for axis in kept))] = (apply, [(level.name, *one) for one in members])
    chunks = tuple((1,) * counts[axis] if axis in groups else level.chunks[axis] for axis in kept)
    return made(apply.kind, name, layer, (level,), chunks, dtype)
