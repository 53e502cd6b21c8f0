"""Sets, sorting and searching on dask.

The distinct values of the blocks are merged in a tree. Their number is known only afterwards, so these functions compute
when they are called, as ``nonzero`` does.
"""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from .apply import Apply, outcome
from .blocks import (
    block_by_block,
    by_place,
    cut_again,
    gathered,
    kind_of_blocks,
    nothing,
    of_host,
    one_task,
    places,
    start_of,
    tree,
    whole,
    without_empty,
)
from .computing import compute, persist
from .elementwise_functions import elementwise
from .indexing import LARGE_MASK, count_each, on_host
from .manipulation_functions import checked_axis, reshape

_INDEX = np.dtype("int64")


# -- sorting ----------------------------------------------------------------------------------


def _along(name: str) -> Any:
    def function(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
        kind = kind_of_blocks(x)
        place = checked_axis(axis, x.ndim)
        apply = Apply(kind, name, (), axis=place, descending=descending, stable=stable)
        (dtype,) = outcome(apply, x, ndim=x.ndim, length=1)
        if not x.size:
            return nothing(kind, x.shape, dtype)
        x = whole(name, x, (place,))
        axes = tuple(range(x.ndim))
        return block_by_block(apply, axes, [(x, axes)], x.chunks, dtype)

    return staticmethod(function)


class SortingFunctions:
    """The page *sorting functions* of the standard."""

    argsort = _along("argsort")
    sort = _along("sort")


# -- searching --------------------------------------------------------------------------------


def _beside(apply: Apply, x: Any, others: Any, dtype: Any) -> Any:
    """Return the function of each block of ``x`` and of other arrays, each of which is one block."""
    if not x.size:
        return nothing(apply.kind, x.shape, dtype)
    x = without_empty(x)
    layer = {}
    for place, _ in places(x.chunks):
        layer[place] = [(0, place), *((i + 1, (0,) * one.ndim) for i, one in enumerate(others))]
    return by_place(apply, [x, *others], layer, x.chunks, dtype)


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    kind = kind_of_blocks(x1)
    outcome(Apply(kind, "searchsorted", (), side=side, sorter=None), x1, x2)
    if sorter is not None:
        (order,) = on_host("searchsorted", [sorter])
        if order.size and not -x1.size <= order.min() <= order.max() < x1.size:
            raise IndexError(f"an index of sorter is out of bounds for an array of {x1.size} elements")
        x1 = reshape(x1, (x1.size,))[order] if order.size else nothing(kind, (0,), x1.dtype)
    apply = Apply(kind, "blocks.searched", (side,))
    return _beside(apply, x2, [gathered("searchsorted", x1)], _INDEX)


def _isin(x1: Any, x2: Any, *, invert: bool) -> Any:
    kind = next(kind_of_blocks(x) for x in (x1, x2) if isinstance(x, da.Array))
    outcome(Apply(kind, "isin", (), invert=invert), x1, x2)
    if not isinstance(x1, da.Array):
        x2 = gathered("isin", x2)
        return one_task(Apply(kind, "blocks.is_in_block", (x1, invert)), [x2], (), np.dtype("bool"))
    if not isinstance(x2, da.Array):
        return _beside(Apply(kind, "isin", (x2,), invert=invert), x1, [], np.dtype("bool"))
    return _beside(Apply(kind, "isin", (), invert=invert), x1, [gathered("isin", x2)], np.dtype("bool"))


def _nonzero(x: Any) -> tuple[Any, ...]:
    """Return the indices of the elements that are not zero; of a large array only their number is computed at once."""
    if not x.ndim:
        raise ValueError("nonzero of a zero-dimensional array; use x != 0")
    kind = kind_of_blocks(x)
    mask = x if x.dtype.kind == "b" else elementwise("not_equal", x, x.dtype.type(0).item())
    if mask.nbytes <= LARGE_MASK:
        (host,) = on_host("nonzero", [mask])
        return tuple(of_host(one.astype(_INDEX, copy=False), kind) for one in np.nonzero(host))
    mask = whole("nonzero", mask, tuple(range(1, mask.ndim)))
    counts = count_each(mask)
    axes = tuple(range(mask.ndim))
    apply = Apply(kind, "blocks.positions")
    several = block_by_block(apply, axes, [(mask, axes), start_of(mask.chunks[0], 0)], mask.chunks, _INDEX)
    rest = (0,) * (mask.ndim - 1)
    layer = {(i,): [(0, (i, *rest))] for i in range(mask.numblocks[0])}
    return tuple(
        by_place(Apply(kind, "blocks.item", (i,)), [several], layer, (counts,), _INDEX) for i in range(mask.ndim)
    )


class SearchingFunctions:
    """The page *searching functions* of the standard, without ``argmax``, ``argmin``, ``count_nonzero`` and ``where``."""

    isin = staticmethod(_isin)
    nonzero = staticmethod(_nonzero)
    searchsorted = staticmethod(_searchsorted)


# -- sets -------------------------------------------------------------------------------------


def _distinct(function: str, x: Any) -> tuple[Any, Any, Any]:
    """Return the distinct values of an array, where each occurs first, and how often, after one computation."""
    kind = kind_of_blocks(x)
    empty = [nothing(kind, (0,), dtype) for dtype in (x.dtype, _INDEX, _INDEX)]
    if not x.size:
        return empty[0], empty[1], empty[2]
    x = without_empty(x)
    if x.dtype.kind == "c":  # complex numbers have no order by which parts could be merged
        x = gathered(function, x)
    axes = tuple(range(x.ndim))
    begin = [start_of(chunks, axis) for axis, chunks in enumerate(x.chunks)]
    first = Apply(kind, "blocks.distinct_of", (x.shape,))
    together = Apply(kind, "blocks.distinct_together")
    merged = tree(x, axes, False, first, together, together, x.dtype, *begin)
    (merged,) = persist([merged])
    (count,) = compute(function, [one_task(Apply(kind, "blocks.length"), [merged], (), _INDEX)])
    shape = (int(count),)
    dtypes = (x.dtype, _INDEX, _INDEX)
    parts = [one_task(Apply(kind, "blocks.item", (i,)), [merged], shape, dtype) for i, dtype in enumerate(dtypes)]
    return parts[0], parts[1], parts[2]


def _inverse(function: str, x: Any, values: Any, first: Any) -> Any:
    """Return for each element the index of its value."""
    kind = kind_of_blocks(x)
    if not x.size:
        return nothing(kind, x.shape, _INDEX)
    if x.dtype.kind == "c":
        out = one_task(Apply(kind, "blocks.inverse_of_all"), [gathered(function, x)], x.shape, _INDEX)
        return cut_again(out)
    x = without_empty(x)
    axes = tuple(range(x.ndim))
    begin = [start_of(chunks, axis) for axis, chunks in enumerate(x.chunks)]
    # The values go to every block whole: under the number of an axis that x does not have.
    flat = [(one, (x.ndim,)) for one in (values, first)]
    apply = Apply(kind, "blocks.inverse_beside", (x.shape,))
    return block_by_block(apply, axes, [(x, axes), *flat, *begin], x.chunks, _INDEX)


def _unique_all(x: Any) -> tuple[Any, ...]:
    values, first, counts = _distinct("unique_all", x)
    return cut_again(values), cut_again(first), _inverse("unique_all", x, values, first), cut_again(counts)


def _unique_counts(x: Any) -> tuple[Any, ...]:
    values, _, counts = _distinct("unique_counts", x)
    return cut_again(values), cut_again(counts)


def _unique_inverse(x: Any) -> tuple[Any, ...]:
    values, first, _ = _distinct("unique_inverse", x)
    return cut_again(values), _inverse("unique_inverse", x, values, first)


def _unique_values(x: Any) -> Any:
    return cut_again(_distinct("unique_values", x)[0])


class SetFunctions:
    """The page *set functions* of the standard."""

    unique_all = staticmethod(_unique_all)
    unique_counts = staticmethod(_unique_counts)
    unique_inverse = staticmethod(_unique_inverse)
    unique_values = staticmethod(_unique_values)

