"""Manipulation functions on dask."""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import Any

import dask.array as da
import numpy as np

from burn_array.errors import ArgumentError, AxisError, CopyRequiredError, IntegerOverflowError, ShapeError

from .apply import Apply, inner_adapter
from .blocks import block_by_block, kind_of_blocks, nothing, one_task, rechunked, without_empty
from .elementwise_functions import astype
from .memory import chunks_for
from .views import Permuted, note_view

Shape = tuple[int, ...]


def checked_axis(axis: int, ndim: int) -> int:
    """Return an axis counted from the front; raise ``AxisError`` if there is no such axis."""
    if not -ndim <= axis < ndim:
        raise AxisError(f"axis {axis} is out of bounds for an array of {ndim} dimensions")
    return axis % ndim


def checked_axes(axes: Any, ndim: int) -> Shape:
    """Return axes counted from the front; raise if one is absent or comes twice."""
    several = (axes,) if isinstance(axes, int) else tuple(axes)
    found = tuple(checked_axis(axis, ndim) for axis in several)
    if len(set(found)) < len(found):
        raise AxisError(f"an axis is repeated in {several}")
    return found


# -- axes -------------------------------------------------------------------------------------


def _expanding(x: Any, axis: Any) -> tuple[Any, ...]:
    """Return the key that adds axes of length 1."""
    several = (axis,) if isinstance(axis, int) else tuple(axis)
    places = checked_axes(several, x.ndim + len(several))
    return tuple(None if i in places else slice(None) for i in range(x.ndim + len(several)))


def expand_dims(x: Any, axis: Any) -> Any:
    """Return an array with new axes of length 1."""
    return x[_expanding(x, axis)]


def _squeezing(x: Any, axis: Any) -> tuple[Any, ...]:
    """Return the key that takes axes of length 1 away."""
    axes = checked_axes(axis, x.ndim)
    if any(x.shape[one] != 1 for one in axes):
        raise ShapeError(f"cannot squeeze axes {axes} of shape {x.shape}: each must have length 1")
    return tuple(0 if i in axes else slice(None) for i in range(x.ndim))


def squeeze(x: Any, axis: Any) -> Any:
    """Return an array without some axes of length 1."""
    key = _squeezing(x, axis)
    return without_empty(x)[key]


def _order_of(x: Any, axes: Any) -> tuple[int, ...]:
    order = checked_axes(axes, x.ndim)
    if len(order) != x.ndim:
        raise ShapeError(f"{len(order)} axes for an array of {x.ndim} dimensions")
    return order


def permute_dims(x: Any, axes: Any) -> Any:
    """Return an array with its axes in another order."""
    order = _order_of(x, axes)
    chunks = tuple(x.chunks[i] for i in order)
    apply = Apply(kind_of_blocks(x), "permute_dims", (order,))
    return block_by_block(apply, order, [(x, tuple(range(x.ndim)))], chunks, x.dtype)


def _moving(x: Any, source: Any, destination: Any) -> tuple[int, ...]:
    """Return the order of the axes after some of them have moved."""
    start, end = checked_axes(source, x.ndim), checked_axes(destination, x.ndim)
    if len(start) != len(end):
        raise ShapeError(f"{len(start)} axes cannot move to {len(end)} places")
    order = [axis for axis in range(x.ndim) if axis not in start]
    for to, one in sorted(zip(end, start, strict=True)):
        order.insert(to, one)
    return tuple(order)


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Return an array with some axes at other places."""
    return permute_dims(x, _moving(x, source, destination))


def _transposing(x: Any) -> tuple[int, ...]:
    """Return the order of the axes with the last two exchanged."""
    if x.ndim < 2:
        raise ShapeError(f"a matrix has at least 2 dimensions, not {x.ndim}")
    return (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)


def _view_of(function: Any, key: Any) -> Any:
    """Return ``function`` such that its results are views: by ``key(x, ...)``, a key or the order of the axes."""

    def view(x: Any, *args: Any) -> Any:
        out = function(x, *args)
        out = out.copy() if out is x else out
        note_view(x, key(x, *args), out)
        return out

    return staticmethod(view)


def _permuted(order: Any) -> Any:
    return lambda x, *args: Permuted(order(x, *args))


def flip(x: Any, *, axis: Any = None) -> Any:
    """Return an array with the order of its elements reversed along axes."""
    axes = tuple(range(x.ndim)) if axis is None else checked_axes(axis, x.ndim)
    if not x.size or not axes:
        return x
    return x[tuple(slice(None, None, -1 if i in axes else None) for i in range(x.ndim))]


def roll(x: Any, shift: Any, *, axis: Any = None) -> Any:
    """Return an array whose elements are moved along axes; those that leave at one end come back at the other."""
    if axis is None:
        return reshape(roll(reshape(x, (x.size,)), shift, axis=0), x.shape)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    shifts = (shift,) * len(axes) if isinstance(shift, int) else tuple(shift)
    if len(shifts) == 1:
        shifts *= len(axes)
    if len(axes) == 1:
        axes *= len(shifts)
    if len(shifts) != len(axes):
        raise ShapeError(f"{len(shifts)} shifts for {len(axes)} axes")
    for by, one in zip(shifts, axes, strict=True):
        place = checked_axis(one, x.ndim)
        length = x.shape[place]
        at = by % length if length else 0
        if at:
            before = (slice(None),) * place
            x = da.concatenate([x[(*before, slice(length - at, None))], x[(*before, slice(0, length - at))]], place)
    return x


# -- shapes -----------------------------------------------------------------------------------


def reshape(x: Any, shape: Shape, *, copy: bool | None = None) -> Any:
    """Return the elements in another shape, in row-major order.

    Raises
    ------
    CopyRequiredError
        For ``copy=False`` and another shape: only ``x[key]`` shares elements with an array.
    """
    shape = _completed(x.size, tuple(map(operator.index, shape)))
    if shape == x.shape:
        return x
    if copy is False:
        raise CopyRequiredError(
            "reshape: on dask only x[key] shares elements with x, so copy=False cannot be met; leave it out"
        )
    kind = kind_of_blocks(x)
    if not x.size:
        return nothing(kind, shape, x.dtype)
    x = without_empty(x)
    if x.npartitions == 1:
        apply = Apply(kind, "blocks.reshaped", (shape,))
        out = one_task(apply, [x], shape, x.dtype)
        return rechunked(out, chunks_for(shape, x.dtype.itemsize)) if x.nbytes > 2**20 else out
    try:
        return da.reshape(x, shape)
    except (NotImplementedError, ValueError):  # lengths that neither merge nor split: by one long vector
        return da.reshape(da.reshape(x, (x.size,)), shape)


def _completed(size: int, shape: Shape) -> Shape:
    """Return a shape in which -1 is replaced by the length that it stands for."""
    if shape.count(-1) > 1 or any(n < -1 for n in shape):
        raise ShapeError(f"cannot reshape an array of size {size} into shape {shape}")
    if -1 in shape:
        rest = math.prod(n for n in shape if n != -1)
        if not rest or size % rest:
            raise ShapeError(f"cannot reshape an array of size {size} into shape {shape}")
        shape = tuple(size // rest if n == -1 else n for n in shape)
    if math.prod(shape) != size:
        raise ShapeError(f"cannot reshape an array of size {size} into shape {shape}")
    return shape


def broadcast_to(x: Any, shape: Shape) -> Any:
    """Return an array of a larger shape with the same elements; its new parts are cut like a new array."""
    shape = tuple(shape)
    if np.broadcast_shapes(x.shape, shape) != shape:
        raise ShapeError(f"shape {x.shape} cannot be broadcast to {shape}")
    if x.shape == shape:
        return x
    if 0 in shape:
        return nothing(kind_of_blocks(x), shape, x.dtype)
    x = without_empty(x)
    new = len(shape) - x.ndim
    fixed = tuple(i for i, n in enumerate(shape) if i >= new and x.shape[i - new] == n)
    largest = [max(x.chunks[i - new]) if i in fixed else n for i, n in enumerate(shape)]
    cuts = chunks_for(tuple(largest), x.dtype.itemsize, fixed)
    return da.broadcast_to(
        x, shape, chunks=tuple(x.chunks[i - new] if i in fixed else cuts[i] for i in range(len(shape)))
    )


def _broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    shape = np.broadcast_shapes(*(x.shape for x in arrays))
    return tuple(broadcast_to(x, shape) for x in arrays)


# -- joining and repeating --------------------------------------------------------------------


def in_one_dtype(arrays: Any) -> list[Any]:
    """Return arrays cast to the dtype to which all of them promote."""
    adapter = inner_adapter(kind_of_blocks(arrays[0]))
    distinct = {x.dtype for x in arrays}
    dtype = np.result_type(*distinct) if len(distinct) != 2 else adapter.promote(*distinct)
    return [astype(x, dtype, copy=False) for x in arrays]


def concat(arrays: Any, *, axis: int | None = 0) -> Any:
    """Return arrays joined along an axis."""
    arrays = in_one_dtype(arrays)
    if axis is None:
        arrays, axis = [reshape(x, (x.size,)) for x in arrays], 0
    ndim = arrays[0].ndim
    if not ndim:
        raise ShapeError("zero-dimensional arrays cannot be concatenated")
    axis = checked_axis(axis, ndim)
    rests = {x.shape[:axis] + x.shape[axis + 1 :] if x.ndim == ndim else None for x in arrays}
    if len(rests) > 1:
        raise ShapeError(f"all but axis {axis} must have the same length: {[x.shape for x in arrays]}")
    first = arrays[0]
    some = [x for x in arrays if x.size]
    if not some:
        length = sum(x.shape[axis] for x in arrays)
        shape = (*first.shape[:axis], length, *first.shape[axis + 1 :])
        return nothing(kind_of_blocks(first), shape, first.dtype)
    return some[0] if len(some) == 1 else da.concatenate([without_empty(x) for x in some], axis)


def stack(arrays: Any, *, axis: int = 0) -> Any:
    """Return arrays joined along a new axis."""
    if len({x.shape for x in arrays}) > 1:
        raise ShapeError(f"all arrays must have the same shape: {[x.shape for x in arrays]}")
    axis = checked_axis(axis, arrays[0].ndim + 1)
    return concat([expand_dims(x, axis) for x in arrays], axis=axis)


def _unstack(x: Any, *, axis: int) -> tuple[Any, ...]:
    if not x.ndim:
        raise ShapeError("a zero-dimensional array has no axis to unstack")
    axis = checked_axis(axis, x.ndim)
    return tuple(x[(*(slice(None),) * axis, i)] for i in range(x.shape[axis]))


def _tile(x: Any, repetitions: Shape) -> Any:
    ndim = max(x.ndim, len(repetitions))
    times = (1,) * (ndim - len(repetitions)) + tuple(repetitions)
    if x.ndim < ndim:
        x = expand_dims(x, tuple(range(ndim - x.ndim)))
    if 0 in times or not x.size:
        shape = tuple(n * by for n, by in zip(x.shape, times, strict=True))
        return nothing(kind_of_blocks(x), shape, x.dtype)
    return reduce(
        lambda y, axis: da.concatenate([y] * times[axis], axis) if times[axis] > 1 else y, range(ndim), x
    )


def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Any:
    """Return each element repeated; numbers of repetitions that are an array are computed at the call."""
    from .indexing import on_host, take

    if axis is None:
        x, axis = reshape(x, (x.size,)), 0
    axis = checked_axis(axis, x.ndim)
    if isinstance(repeats, int):
        if repeats * x.shape[axis] >= 2**63:
            raise IntegerOverflowError(f"repeat: {repeats} repetitions are too many for any array")
        chunks = tuple(
            tuple(n * repeats for n in c) if i == axis else c for i, c in enumerate(x.chunks)
        )
        shape = tuple(map(sum, chunks))
        if 0 in shape:
            return nothing(kind_of_blocks(x), shape, x.dtype)
        axes = tuple(range(x.ndim))
        apply = Apply(kind_of_blocks(x), "repeat", (repeats,), axis=axis)
        return block_by_block(apply, axes, [(x, axes)], chunks, x.dtype)
    (counts,) = on_host("repeat", [repeats])
    if counts.ndim > 1 or (counts.size != x.shape[axis] and counts.size != 1):
        raise ShapeError(f"{counts.shape} repetitions for an axis of length {x.shape[axis]}")
    if counts.size and counts.min() < 0:
        raise ArgumentError("repetitions must not be negative")
    return take(x, np.repeat(np.arange(x.shape[axis]), np.broadcast_to(counts, x.shape[axis])), axis=axis)


class ManipulationFunctions:
    """The page *manipulation functions* of the standard."""

    broadcast_arrays = staticmethod(_broadcast_arrays)
    broadcast_to = staticmethod(broadcast_to)
    concat = staticmethod(concat)
    expand_dims = _view_of(expand_dims, _expanding)
    flip = staticmethod(flip)
    moveaxis = _view_of(moveaxis, _permuted(_moving))
    permute_dims = _view_of(permute_dims, _permuted(_order_of))
    repeat = staticmethod(_repeat)
    reshape = staticmethod(reshape)
    roll = staticmethod(roll)
    squeeze = _view_of(squeeze, _squeezing)
    stack = staticmethod(stack)
    tile = staticmethod(_tile)
    unstack = staticmethod(_unstack)
    matrix_transpose = _view_of(lambda x: permute_dims(x, _transposing(x)), _permuted(_transposing))
