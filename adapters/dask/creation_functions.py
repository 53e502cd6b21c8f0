"""Creation functions on dask: each block is made where it is needed, from its place in the array."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .apply import Apply
from .blocks import block_by_block, created, filled, kind_of_blocks, start_of
from .manipulation_functions import broadcast_to, expand_dims
from .memory import chunks_for


def _zeros(shape: tuple[int, ...], *, dtype: Any, device: str) -> Any:
    return filled(device, "zeros", shape, dtype)


def _ones(shape: tuple[int, ...], *, dtype: Any, device: str) -> Any:
    return filled(device, "ones", shape, dtype)


def _full(shape: tuple[int, ...], value: Any, *, dtype: Any, device: str) -> Any:
    np.full((1,) * len(shape), value, dtype)  # raises for a number that the dtype cannot hold
    return filled(device, "full", shape, dtype, None, value)


def _arange(start: Any, stop: Any, step: Any, *, dtype: Any, device: str) -> Any:
    """Return a range; one of floats in a single block is the library's own."""
    if all(isinstance(one, int) for one in (start, stop, step)):
        count = len(range(start, stop, step))
    else:
        count = max(0, math.ceil((stop - start) / step))
    chunks = chunks_for((count,), dtype.itemsize)
    if len(chunks[0]) == 1:
        apply = Apply(device, "blocks.arange_whole", (start, stop, step, dtype))
        return created(apply, chunks, dtype)
    return created(Apply(device, "blocks.arange", (start, step, dtype)), chunks, dtype, start_of(chunks[0], 0))


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: str, endpoint: bool) -> Any:
    chunks = chunks_for((num,), dtype.itemsize)
    if len(chunks[0]) == 1:
        apply = Apply(device, "blocks.linspace_whole", (start, stop, num, endpoint, dtype))
        return created(apply, chunks, dtype)
    apply = Apply(device, "blocks.linspace", (start, stop, num, endpoint, dtype))
    return created(apply, chunks, dtype, start_of(chunks[0], 0))


def _eye(rows: int, columns: int, *, k: int, dtype: Any, device: str) -> Any:
    chunks = chunks_for((rows, columns), dtype.itemsize)
    apply = Apply(device, "blocks.eye", (min(max(k, -rows), columns), dtype))
    return created(apply, chunks, dtype, start_of(chunks[0], 0), start_of(chunks[1], 1))


def _triangle(name: str, x: Any, k: int) -> Any:
    rows, columns = x.shape[-2:]
    apply = Apply(kind_of_blocks(x), "blocks.triangle", (name, min(max(k, -rows - 1), columns + 1)))
    axes = tuple(range(x.ndim))
    below, beside = start_of(x.chunks[-2], x.ndim - 2), start_of(x.chunks[-1], x.ndim - 1)
    return block_by_block(apply, axes, [(x, axes), below, beside], x.chunks, x.dtype)


def _meshgrid(*arrays: Any, indexing: str) -> list[Any]:
    """Return the coordinates as arrays of the shape of the grid."""
    count = len(arrays)
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing must be 'xy' or 'ij', got {indexing!r}")
    place = list(range(count))
    if indexing == "xy" and count > 1:
        place[:2] = 1, 0
    lengths = [0] * count
    for axis, x in zip(place, arrays, strict=True):
        lengths[axis] = x.size
    out = []
    for axis, x in zip(place, arrays, strict=True):
        flat = x if x.ndim else expand_dims(x, 0)
        shaped = expand_dims(flat, tuple(i for i in range(count) if i != axis)) if count > 1 else flat
        out.append(broadcast_to(shaped, tuple(lengths)))
    return out


class CreationFunctions:
    """The page *creation functions* of the standard."""

    arange = staticmethod(_arange)
    empty = staticmethod(_zeros)
    eye = staticmethod(_eye)
    full = staticmethod(_full)
    linspace = staticmethod(_linspace)
    meshgrid = staticmethod(_meshgrid)
    ones = staticmethod(_ones)
    tril = staticmethod(lambda x, *, k: _triangle("tril", x, k))
    triu = staticmethod(lambda x, *, k: _triangle("triu", x, k))
    zeros = staticmethod(_zeros)

