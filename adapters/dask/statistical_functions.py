"""Reductions on dask: partial results of the blocks, combined in a tree, and running totals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from dask.base import tokenize

from .apply import Apply, inner_adapter, outcome, quietly
from .blocks import (
    block_by_block,
    by_place,
    filled,
    kind_of_blocks,
    made,
    nothing,
    places,
    start_of,
    tree,
    without_empty,
)
from .elementwise_functions import astype, elementwise
from .manipulation_functions import checked_axes, checked_axis, concat, reshape

HALF, SINGLE, DOUBLE = np.dtype("float16"), np.dtype("float32"), np.dtype("float64")


def normalized(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes of a reduction counted from the front; a 0-d array may be reduced over 0 and -1."""
    if axis is None:
        return tuple(range(ndim))
    if not ndim and axis in (0, -1, (0,), (-1,)):
        return ()
    return checked_axes(axis, ndim)


def reduced(
    name: str, x: Any, axis: Any, keepdims: bool, in_tree: Any, always_in_tree: bool = False, **settings: Any
) -> Any:
    """Return a reduction: of one block by the function of the blocks, of several by ``in_tree(x, axes, dtype)``."""
    kind = kind_of_blocks(x)
    apply = Apply(kind, name, (), axis=axis, keepdims=keepdims, **settings)
    (dtype,) = outcome(apply, x, ndim=x.ndim, length=1)
    axes = normalized(axis, x.ndim)
    if not x.size:
        return _of_nothing(apply, x, axes, keepdims, dtype)
    x = without_empty(x)
    if all(x.numblocks[one] == 1 for one in axes) and not always_in_tree:
        return _each(apply, x, axes, keepdims, dtype)
    return in_tree(x, axes, dtype)


def _each(apply: Apply, x: Any, axes: tuple[int, ...], keepdims: bool, dtype: Any) -> Any:
    """Return a reduction over axes that are not cut."""
    every = tuple(range(x.ndim))
    kept = tuple(i for i in every if keepdims or i not in axes)
    chunks = tuple((1,) if i in axes else x.chunks[i] for i in kept)
    if keepdims or not axes:
        return block_by_block(apply, every, [(x, every)], chunks, dtype)
    layer = {}
    for place, _ in places(x.chunks):
        layer[tuple(place[i] for i in kept)] = [(0, place)]
    return by_place(apply, [x], layer, chunks, dtype)


def _of_nothing(apply: Apply, x: Any, axes: tuple[int, ...], keepdims: bool, dtype: Any) -> Any:
    """Return the reduction of an array without elements, all of which are the same; or raise as the library does."""
    small = tuple(min(n, 1) for n in x.shape)
    adapter = inner_adapter(apply.kind)
    sample = adapter.find("zeros")(small, dtype=x.dtype, device=adapter.native_device)
    value = quietly(apply, sample)
    shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape) if keepdims or i not in axes)
    if 0 in shape:
        return nothing(apply.kind, shape, dtype)
    number = value.reshape(-1)[0].item()
    return filled(apply.kind, "full", shape, dtype, None, number)


def _wide(dtype: Any) -> Any:
    """Return the dtype in which sums are computed, for float16 another one."""
    return SINGLE if dtype == HALF else dtype


def _by(operation: str) -> Any:
    """Return a reduction whose partial results are combined by a function of two arrays."""

    def function(name: str, x: Any, axis: Any, keepdims: bool, of: Any = None, divisor: Any = None, **more: Any) -> Any:
        def in_tree(x: Any, axes: tuple[int, ...], dtype: Any) -> Any:
            wide = of(x, dtype) if of is not None else None
            partial = "sum" if divisor is not None else name
            rest = {**more, "dtype": wide} if "dtype" in more or divisor is not None else more
            first = Apply(
                kind_of_blocks(x), "blocks.first_of", (partial, axes, wide, tuple(rest.items()))
            )
            count = math.prod(x.shape[i] for i in axes) if divisor is not None else None
            last = Apply(
                first.kind, "blocks.finished", (operation, None if keepdims else axes, dtype, count)
            )
            combine = Apply(first.kind, "blocks.folded", (operation,))
            return tree(x, axes, keepdims, first, combine, last, dtype)

        return reduced(name, x, axis, keepdims, in_tree, **more)

    return function


def _sum_dtype(x: Any, dtype: Any) -> Any:
    return _wide(dtype)


def _mean_dtype(x: Any, dtype: Any) -> Any:
    return DOUBLE if x.dtype.kind in "biu" else _wide(x.dtype)


def _simple(name: str, operation: str) -> Any:
    by = _by(operation)
    return staticmethod(lambda x, *, axis, keepdims: by(name, x, axis, keepdims))


def _total(name: str, operation: str) -> Any:
    by = _by(operation)
    return staticmethod(
        lambda x, *, axis, dtype, keepdims: by(name, x, axis, keepdims, of=_sum_dtype, dtype=dtype)
    )


def sum_(x: Any, *, axis: Any, dtype: Any = None, keepdims: bool = False) -> Any:
    """Return the sum over axes."""
    return _by("add")("sum", x, axis, keepdims, of=_sum_dtype, dtype=dtype)


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _by("add")("mean", x, axis, keepdims, of=_mean_dtype, divisor=True)


def _spread(name: str, is_root: bool) -> Any:
    def function(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
        def in_tree(x: Any, axes: tuple[int, ...], dtype: Any) -> Any:
            kind = kind_of_blocks(x)
            first, combine = Apply(kind, "blocks.spread_of", (axes,)), Apply(kind, "blocks.spread_together")
            dropped = None if keepdims else axes
            last = Apply(kind, "blocks.last_spread", (is_root, correction, dropped, dtype))
            return tree(x, axes, keepdims, first, combine, last, dtype)

        # NumPy warns of too few elements, which a task in another thread should not.
        few = bool(math.prod(x.shape[i] for i in normalized(axis, x.ndim)) <= correction)
        return reduced(name, x, axis, keepdims, in_tree, few, correction=correction)

    return staticmethod(function)


def vector_norm(x: Any, *, axis: Any, keepdims: bool, ord: Any) -> Any:
    """Return norms of vectors: the norm of the norms of their parts."""

    def in_tree(x: Any, axes: tuple[int, ...], dtype: Any) -> Any:
        kind = kind_of_blocks(x)
        wide = SINGLE if x.dtype == HALF else None
        first = Apply(kind, "blocks.first_of", ("linalg.vector_norm", axes, wide, (("ord", ord),)))
        combine = Apply(kind, "blocks.norm_of_norms", (ord,))
        last = Apply(kind, "blocks.last_norm", (ord, None if keepdims else axes, dtype))
        return tree(x, axes, keepdims, first, combine, last, dtype)

    return reduced("linalg.vector_norm", x, axis, keepdims, in_tree, ord=ord)


def extreme_index(name: str, x: Any, axis: int | None, keepdims: bool) -> Any:
    """Return the index of the extreme element, the first one among equals."""

    def in_tree(x: Any, axes: tuple[int, ...], dtype: Any) -> Any:
        kind = kind_of_blocks(x)
        place = None if axis is None else axes[0]
        shape = x.shape if place is None else None
        first = Apply(kind, "blocks.extreme_of", (name, place, shape))
        combine = Apply(kind, "blocks.extreme_together", (name, place))
        last = Apply(kind, "blocks.last_extreme", (name, place, None if keepdims else axes))
        begin = [start_of(x.chunks[i], i) for i in axes]
        return tree(x, axes, keepdims, first, combine, last, dtype, *begin)

    return reduced(name, x, axis, keepdims, in_tree)


def _cumulative(name: str, operation: str, start: int) -> Any:
    def function(x: Any, *, axis: int | None, dtype: Any, include_initial: bool) -> Any:
        kind = kind_of_blocks(x)
        if axis is None:
            if x.ndim > 1:
                raise ValueError(f"{name} of an array of {x.ndim} dimensions needs an axis")
            axis = 0
        if not x.ndim:
            x = reshape(x, (1,))
        axis = checked_axis(axis, x.ndim)
        settings = {"axis": axis, "dtype": dtype, "include_initial": False}
        (to,) = outcome(Apply(kind, name, (), **settings), x, ndim=x.ndim, length=1)
        out = _running(kind, name, operation, x, axis, to)
        if not include_initial:
            return out
        shape = tuple(1 if i == axis else n for i, n in enumerate(x.shape))
        return concat([filled(kind, "full", shape, to, None, start), out], axis=axis)

    return staticmethod(function)


_WIDER = {HALF: DOUBLE, SINGLE: DOUBLE, np.dtype("complex64"): np.dtype("complex128")}


def _running(kind: str, name: str, operation: str, x: Any, axis: int, dtype: Any) -> Any:
    """Return running totals; those of a block begin with the last one of the block before."""
    if not x.size:
        return nothing(kind, x.shape, dtype)
    x = without_empty(x)
    several = x.numblocks[axis] > 1
    wide = _WIDER.get(dtype, dtype) if several else dtype
    every = tuple(range(x.ndim))
    apply = Apply(kind, name, (), axis=axis, dtype=wide, include_initial=False)
    own = block_by_block(apply, every, [(x, every)], x.chunks, wide)
    if not several:
        return own
    carry = Apply(kind, "blocks.carried", (operation, axis))
    label = f"{name}-{tokenize(carry, own.name)}"
    layer: dict[Any, Any] = {}
    for place, _ in places(x.chunks):
        block = (own.name, *place)
        if place[axis]:
            before = (label, *(i - (j == axis) for j, i in enumerate(place)))
            layer[(label, *place)] = (carry, before, block)
        else:
            layer[(label, *place)] = block
    return astype(made(kind, label, layer, (own,), x.chunks, wide), dtype, copy=False)


class StatisticalFunctions:
    """Reductions and running totals, whatever page of the standard they are on."""

    all = _simple("all", "logical_and")
    any = _simple("any", "logical_or")
    argmax = staticmethod(lambda x, *, axis, keepdims: extreme_index("argmax", x, axis, keepdims))
    argmin = staticmethod(lambda x, *, axis, keepdims: extreme_index("argmin", x, axis, keepdims))
    count_nonzero = _simple("count_nonzero", "add")
    cumulative_prod = _cumulative("cumulative_prod", "multiply", 1)
    cumulative_sum = _cumulative("cumulative_sum", "add", 0)
    linalg_vector_norm = staticmethod(vector_norm)
    max = _simple("max", "maximum")
    mean = staticmethod(_mean)
    min = _simple("min", "minimum")
    prod = _total("prod", "multiply")
    std = _spread("std", True)
    sum = staticmethod(sum_)
    var = _spread("var", False)


def _diff(x: Any, *, axis: int, n: int, prepend: Any, append: Any) -> Any:
    """Return differences of neighbours along an axis."""
    parts = [part for part in (prepend, x, append) if part is not None]
    axis = checked_axis(axis, x.ndim)
    if n < 0:
        raise ValueError(f"n must not be negative, got {n}")
    out = concat(parts, axis=axis) if len(parts) > 1 else x
    before = (slice(None),) * axis
    subtract = "not_equal" if out.dtype.kind == "b" else "subtract"
    for _ in range(n):
        out = elementwise(subtract, out[(*before, slice(1, None))], out[(*before, slice(None, -1))])
    return out


class UtilityFunctions:
    """The page *utility functions* of the standard."""

    diff = staticmethod(_diff)

