"""Indexing on dask: ``x[key]``, assignment, and the page *indexing functions* of the standard.

Arrays in a key are computed at the call, so that indices out of range raise there. A mask of more than 16 MiB stays where
it is: only the number of its elements in each block comes here.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import dask.array as da
import numpy as np
from dask.layers import ArrayValuesDep

from burn_array.errors import ArrayIndexError

from ..common import indexing as common
from .apply import Apply
from .blocks import (
    aligned,
    block_at,
    block_by_block,
    by_place,
    cut_again,
    gathered,
    kind_of_blocks,
    nothing,
    of_host,
    one_task,
    places,
    rechunked,
    starts,
    whole,
    without_empty,
)
from .computing import compute
from .elementwise_functions import astype, elementwise
from .manipulation_functions import checked_axis, moveaxis, permute_dims, reshape
from .views import Permuted, note_view, write

LARGE_MASK = 2**24
"""Bytes from which on a mask is not brought here: its indices would take eight times as much memory."""
_BASIC = (int, slice, type(None), type(...))


def on_host(function: str, arrays: Any) -> list[np.ndarray[Any, Any]]:
    """Return the values of arrays of indices as ndarrays, computed in one pass."""
    found = compute(function, [x for x in arrays if isinstance(x, da.Array)])
    values = iter(found)
    return [_host(next(values)) if isinstance(x, da.Array) else x for x in arrays]


def _host(value: Any) -> np.ndarray[Any, Any]:
    return np.asarray(value.get() if hasattr(value, "get") else value)


class _Host:
    """The functions of NumPy for the arrays of a key, and dask's for the array that is indexed."""

    zeros_like = staticmethod(lambda x, *, shape, dtype: np.zeros(shape, dtype))
    nonzero = staticmethod(np.nonzero)
    transpose = staticmethod(lambda x, axes: da.transpose(x, axes))


def _is_basic(key: Any) -> bool:
    return all(type(one) in _BASIC for one in key)


# -- x[key] -----------------------------------------------------------------------------------


def part(x: Any, key: Any) -> Any:
    """Return ``x[key]`` for a key of ints, slices, ``None`` and ``...``, as another object than ``x``."""
    if type(key) is Permuted:
        return permute_dims(x, key.order)
    out = x[tuple(_plain_key(key if type(key) is tuple else (key,), x.shape))]
    return out.copy() if out is x else out


def _plain_key(keys: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """Iterate over a key whose slices lie within the axes.

    dask reads ``x[-9::-6]`` of five elements as ``x[::-6]``; as in Python, nothing should be selected. No report known;
    last seen in dask 2026.8.0. Canary: ``test_canary_of_a_slice_that_begins_before_the_array``.
    """
    axis = 0
    for one in _without_dots(keys, len(shape)):
        if type(one) is slice and one != _ALL:
            chosen = range(shape[axis])[one]
            if not chosen:
                one = slice(0, 0)
            elif chosen.step > 0:
                one = slice(chosen[0], chosen[-1] + 1, chosen.step)
            else:
                one = slice(chosen[0], chosen[-1] - 1 if chosen[-1] else None, chosen.step)
        axis += one is not None
        yield one


_ALL = slice(None)


def getitem(x: Any, key: Any) -> Any:
    """Return ``x[key]``: a view for a basic key."""
    keys = key if type(key) is tuple else (key,)
    if _is_basic(keys):
        view = part(x, key)
        note_view(x, key, view)
        return view
    if len(keys) == 1 and _is_large_mask(keys[0], x):
        return _masked(x, keys[0])
    view, arrays = common.split(_Host, x, tuple(on_host("getitem", keys)))
    return _picked(view, arrays)


def _is_large_mask(key: Any, x: Any) -> bool:
    return (
        isinstance(key, da.Array)
        and key.dtype.kind == "b"
        and 0 < key.ndim <= x.ndim
        and key.nbytes > LARGE_MASK
        and key.shape == x.shape[: key.ndim]
    )


def _masked(x: Any, mask: Any) -> Any:
    """Return ``x[mask]`` after counting how many elements of each block are true."""
    rows = tuple(range(1, mask.ndim))
    x, mask = whole("getitem", x, rows), whole("getitem", mask, rows)
    mask = rechunked(mask, x.chunks[: mask.ndim])
    counts = count_each(mask)
    chunks = (counts, *x.chunks[mask.ndim :])
    layer = {}
    for i, *rest in product(range(x.numblocks[0]), *map(range, x.numblocks[mask.ndim :])):
        zeros = (0,) * (mask.ndim - 1)
        layer[(i, *rest)] = [(0, (i, *zeros, *rest)), (1, (i, *zeros))]
    return by_place(Apply(kind_of_blocks(x), "blocks.masked"), [x, mask], layer, chunks, x.dtype)


def count_each(mask: Any) -> tuple[int, ...]:
    """Return how many elements are true in each block of a mask that is cut along axis 0 alone; one pass."""
    apply = Apply(kind_of_blocks(mask), "blocks.count")
    layer = {(i,): [(0, (i,) + (0,) * (mask.ndim - 1))] for i in range(mask.numblocks[0])}
    counts = by_place(apply, [mask], layer, ((1,) * mask.numblocks[0],), np.dtype("int64"))
    blocks = compute("getitem", [counts.blocks[i] for i in range(mask.numblocks[0])])
    return tuple(int(_host(one)) for one in blocks)


def _picked(x: Any, key: tuple[Any, ...]) -> Any:
    """Return ``x[key]`` for a key of full slices and then ndarrays of indices, which are broadcast to each other."""
    arrays = [one for one in key if type(one) is not slice]
    if not arrays:
        return part(x, ())
    axis = len(key) - len(arrays)
    index = np.broadcast_arrays(*arrays)
    shape = index[0].shape
    flat = []
    for place, one in enumerate(index):
        flat.append(checked_indices(one, x.shape[axis + place]).reshape(-1))
    full = (*x.shape[:axis], *shape, *x.shape[axis + len(flat) :])
    if 0 in full:
        return nothing(kind_of_blocks(x), full, x.dtype)
    x = without_empty(x)
    if len(flat) == 1:
        out = _take_flat(x, flat[0], axis)
    else:
        out = x.vindex[(*(slice(None),) * axis, *flat)]
        out = moveaxis(out, 0, axis)
    return out if len(shape) == 1 else _split_axis(out, axis, shape)


def _take_flat(x: Any, index: np.ndarray[Any, Any], axis: int) -> Any:
    return da.take(x, index, axis)


def _split_axis(x: Any, axis: int, shape: tuple[int, ...]) -> Any:
    """Return an array whose axis is replaced by several."""
    if not shape:
        return x[(*(slice(None),) * axis, 0)]
    return reshape(x, (*x.shape[:axis], *shape, *x.shape[axis + 1 :]))


def checked_indices(index: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    """Return indices counted from the front.

    Raises
    ------
    ArrayIndexError
        If one is out of range.
    """
    index = index.astype(np.int64, copy=False)
    if index.size:
        for worst in (int(index.max()), int(index.min())):
            if not -length <= worst < length:
                raise ArrayIndexError(f"index {worst} is out of bounds for an axis of length {length}")
    return np.where(index < 0, index + length, index)


def take(x: Any, indices: Any, *, axis: int | None) -> Any:
    """Return elements along an axis; the indices are computed at the call."""
    if axis is None:
        x, axis = reshape(x, (x.size,)), 0
    axis = checked_axis(axis, x.ndim)
    (index,) = on_host("take", [indices])
    return _picked(x, (*(slice(None),) * axis, index))


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    """Return elements along an axis by an index for each of them."""
    axis = checked_axis(axis, x.ndim)
    if x.ndim != indices.ndim:
        raise ValueError(f"indices of {indices.ndim} dimensions for an array of {x.ndim}")
    rest = [n for i, n in enumerate(x.shape) if i != axis]
    own = [n for i, n in enumerate(indices.shape) if i != axis]
    shape = list(np.broadcast_shapes(tuple(rest), tuple(own)))
    shape.insert(axis, indices.shape[axis])
    if 0 in shape:
        return nothing(kind_of_blocks(x), tuple(shape), x.dtype)
    x, indices = whole("take_along_axis", x, (axis,)), whole("take_along_axis", indices, (axis,))
    axes = tuple(range(x.ndim))
    far = tuple(x.ndim if i == axis else i for i in axes)
    ((x, _), (indices, _)), cuts = aligned([(x, far), (indices, axes)])
    chunks = tuple(cuts[i] for i in axes)
    layer = {}
    for place, _ in places(chunks):
        layer[place] = [(i, block_at(place, one.numblocks)) for i, one in enumerate((x, indices))]
    apply = Apply(kind_of_blocks(x), "take_along_axis", axis=axis)
    return by_place(apply, [x, indices], layer, chunks, x.dtype)


# -- x[key] = value ---------------------------------------------------------------------------


def setitem(x: Any, key: Any, value: Any) -> None:
    """Give the object ``x`` another graph, in which ``x[key]`` is ``value``, and all views that share elements."""
    write(x, _assigned(x, key, value, "setitem"), part, put_part)


def put_part(x: Any, key: Any, value: Any) -> Any:
    """Return ``x`` with ``x[key]`` replaced, for a key without arrays."""
    if type(key) is Permuted:
        return permute_dims(value, key.inverse())
    return _assigned(x, key, value, "setitem")


def _scatter_add(x: Any, indices: Any, values: Any) -> Any:
    return _assigned(x, indices, values, "scatter_add")


def _assigned(x: Any, key: Any, value: Any, name: str) -> Any:
    """Return ``x`` with ``x[key]`` set to ``value``, or with ``value`` added there."""
    keys = key if type(key) is tuple else (key,)
    value = common.stored(value, x.dtype)
    if not isinstance(value, da.Array):
        value = of_host(np.asarray(value, x.dtype), kind_of_blocks(x))
    if name == "setitem":
        value = astype(value, x.dtype, copy=False)
        if len(keys) == 1 and _is_mask_of(keys[0], x) and not value.ndim:
            return elementwise("where", keys[0], value, x)
    large = [_is_large_mask(one, x) for one in keys]
    host = iter(on_host(name, [one for one, stays in zip(keys, large, strict=True) if not stays]))
    keys = tuple(one if stays else next(host) for one, stays in zip(keys, large, strict=True))
    if not any(large):
        plan = _Plan.made(keys, x.shape)
        if plan is not None:
            return plan.assigned(x, value, name)
    return _assigned_whole(x, keys, value, name)


def _is_mask_of(key: Any, x: Any) -> bool:
    return isinstance(key, da.Array) and key.dtype.kind == "b" and key.shape == x.shape and key.ndim > 0


class _Plan:
    """An assignment in which each axis is selected by itself, so that each block gets its part of the value."""

    __slots__ = ("axes", "selected", "shape")

    def __init__(self) -> None:
        self.selected: list[Any] = []
        """For each axis of the array the selected indices: a ``range`` or an ndarray."""
        self.axes: list[int | None] = []
        """For each axis of the part its axis in the array; ``None`` for a new axis."""
        self.shape: list[int] = []
        """The shape of the part."""

    @classmethod
    def made(cls, keys: tuple[Any, ...], shape: tuple[int, ...]) -> _Plan | None:
        """Return the plan for a key, ``None`` if several of its arrays or ints are paired with each other."""
        arrays = [one for one in keys if isinstance(one, np.ndarray)]
        if any(type(one) is bool for one in keys) or len(arrays) > 1:
            return None
        if arrays and (arrays[0].ndim != 1 or any(type(one) is int for one in keys)):
            return None
        keys = _without_dots(keys, len(shape))
        plan = cls()
        axis = 0
        for one in keys:
            if one is None:
                plan.axes.append(None)
                plan.shape.append(1)
                continue
            length = shape[axis]
            if type(one) is int:
                if not -length <= one < length:
                    raise ArrayIndexError(f"index {one} is out of bounds for axis {axis} with size {length}")
                plan.selected.append(range(one % length, one % length + 1))
            else:
                chosen = range(*one.indices(length)) if type(one) is slice else _positions(one, length)
                plan.selected.append(chosen)
                plan.axes.append(axis)
                plan.shape.append(len(chosen))
            axis += 1
        return plan

    def assigned(self, x: Any, value: Any, name: str) -> Any:
        """Return ``x`` with ``value`` put in, block by block."""
        while value.ndim > len(self.shape) and value.shape[0] == 1:
            value = value[0]
        if value.ndim > len(self.shape) or np.broadcast_shapes(value.shape, self.shape) != tuple(self.shape):
            raise ValueError(
                f"could not broadcast input array from shape {value.shape} into shape {tuple(self.shape)}"
            )
        if 0 in self.shape:
            return x.copy()
        x = without_empty(x)
        value = self._like_the_array(without_empty(value), x.ndim)
        operands: list[Any] = []
        every: list[list[int]] = []
        for axis, chosen in enumerate(self.selected):
            value, places, counts = _sorted_part(value, chosen, axis, x.chunks[axis], name)
            if value.shape[axis] != 1:
                cuts = tuple(n for n in counts if n)
                value = rechunked(value, (*value.chunks[:axis], cuts, *value.chunks[axis + 1 :]))
            every.append(counts)
            operands.append((ArrayValuesDep((x.chunks[axis],), places), (axis,)))
        axes = tuple(range(x.ndim))
        value = _with_gaps(value, every)
        apply = Apply(kind_of_blocks(x), "blocks.assigned", (name,))
        return block_by_block(apply, axes, [(x, axes), (value, axes), *operands], x.chunks, x.dtype)

    def _like_the_array(self, value: Any, ndim: int) -> Any:
        """Return the value with one axis for each axis of the array."""
        if value.ndim < len(self.shape):
            value = value[(None,) * (len(self.shape) - value.ndim)]
        value = value[tuple(0 if axis is None else slice(None) for axis in self.axes)]
        kept = [axis for axis in self.axes if axis is not None]
        return value[tuple(slice(None) if axis in kept else None for axis in range(ndim))]


def _without_dots(keys: tuple[Any, ...], ndim: int) -> tuple[Any, ...]:
    """Return a key with a slice for each axis that it does not name."""
    taken = sum(one is not None and one is not ... for one in keys)
    if taken > ndim:
        raise ArrayIndexError(f"too many indices for an array of {ndim} dimensions: {taken}")
    dots = [i for i, one in enumerate(keys) if one is ...]
    if len(dots) > 1:
        raise ArrayIndexError("an index can only have a single ellipsis ('...')")
    at = dots[0] if dots else len(keys)
    return (*keys[:at], *(slice(None),) * (ndim - taken), *keys[at + 1 :])


def _positions(key: np.ndarray[Any, Any], length: int) -> np.ndarray[Any, Any]:
    if key.dtype.kind == "b":
        if len(key) not in (0, length):
            raise ArrayIndexError(f"a mask of shape {key.shape} does not index an axis of length {length}")
        return np.nonzero(key)[0]
    return checked_indices(key, length)


def _counts(chosen: range, chunks: tuple[int, ...]) -> list[int]:
    """Return how many of the selected indices, which ascend, lie in each block."""
    return [len(_within(chosen, start, start + n)) for start, n in zip(starts(chunks), chunks, strict=True)]


def _within(up: range, start: int, stop: int) -> range:
    """Return the part of an ascending range that lies in ``[start, stop)``."""
    low = max(0, -(-(start - up.start) // up.step))
    high = min(len(up), max(0, -(-(stop - up.start) // up.step)))
    return up[low:high] if low < high else up[:0]


def _sorted_part(value: Any, chosen: Any, axis: int, chunks: tuple[int, ...], name: str) -> Any:
    """Return the value in the order of the selected indices, where they lie in each block, and how many."""
    before = (slice(None),) * axis
    several = value.shape[axis] != 1
    if isinstance(chosen, range):
        if chosen.step < 0:
            value = value[(*before, slice(None, None, -1))] if several else value
            chosen = chosen[::-1]
        places = {}
        for i, (start, n) in enumerate(zip(starts(chunks), chunks, strict=True)):
            own = _within(chosen, start, start + n)
            places[(i,)] = (
                slice(own[0] - start, own[-1] - start + 1, own.step) if len(own) else slice(0, 0)
            )
        return value, places, _counts(chosen, chunks)
    order = np.argsort(chosen, kind="stable")
    if name == "setitem":  # of equal indices the last one counts
        ordered = chosen[order]
        order = order[np.append(ordered[1:] != ordered[:-1], True)]
    if several:
        value = da.take(value, order, axis)
    ordered = chosen[order]
    ends = np.searchsorted(ordered, np.cumsum((0, *chunks)))
    places = {
        (i,): ordered[ends[i] : ends[i + 1]] - start for i, start in enumerate(starts(chunks))
    }
    return value, places, np.diff(ends).tolist()


def _with_gaps(value: Any, counts: list[list[int]]) -> Any:
    """Return an array with an empty block wherever a block of the target gets nothing."""
    if all(len(cuts) == len(own) or n == 1 for cuts, own, n in zip(value.chunks, counts, value.shape, strict=True)):
        return value
    sources: list[list[int]] = []
    chunks: list[tuple[int, ...]] = []
    for own, n, cuts in zip(counts, value.shape, value.chunks, strict=True):
        if n == 1:
            sources.append([0] * len(cuts))
            chunks.append(cuts)
            continue
        place, found = -1, []
        for one in own:
            place += one > 0
            found.append(max(place, 0))
        sources.append(found)
        chunks.append(tuple(cuts[0] if not cuts else cuts[i] for i in found))
    layer = {
        place: [(0, tuple(own[i] for i, own in zip(place, sources, strict=True)))]
        for place in product(*(range(len(own)) for own in sources))
    }
    apply = Apply(kind_of_blocks(value), "blocks.same", (tuple(map(tuple, sources)),))
    return by_place(apply, [value], layer, tuple(chunks), value.dtype)


def _assigned_whole(x: Any, keys: tuple[Any, ...], value: Any, name: str) -> Any:
    """Return ``x`` with an assignment by points, made in one place; large masks are not computed at the call."""
    masks = [one for one in keys if isinstance(one, da.Array)]
    if not masks:
        _check_points(x.shape, keys, value.shape)
    x, value = gathered(name, x), gathered(name, value)
    masks = [gathered(name, one) for one in masks]
    shown = tuple("mask" if isinstance(one, da.Array) else one for one in keys)
    apply = Apply(kind_of_blocks(x), "blocks.assigned_whole", (shown, name))
    out = one_task(apply, [x, value, *masks], x.shape, x.dtype)
    return cut_again(out)


def _check_points(shape: tuple[int, ...], keys: tuple[Any, ...], value: tuple[int, ...]) -> None:
    """Raise if an assignment does not fit: by the same assignment to elements that take no memory."""
    shadow = np.broadcast_to(np.zeros((), np.bool_), shape)
    part_shape = shadow[keys].shape
    while len(value) > len(part_shape) and value[0] == 1:
        value = value[1:]
    if len(value) > len(part_shape) or np.broadcast_shapes(value, part_shape) != part_shape:
        raise ValueError(f"could not broadcast input array from shape {value} into shape {part_shape}")


class IndexingFunctions:
    """Indexing, and the page *indexing functions* of the standard."""

    copy = staticmethod(lambda x: x.copy())
    getitem = staticmethod(getitem)
    scatter_add = staticmethod(_scatter_add)
    setitem = staticmethod(setitem)
    take = staticmethod(take)
    take_along_axis = staticmethod(_take_along_axis)

