"""Reductions, cumulative functions, sorting, searching and sets give on every device what they give on NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp

Cases = Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]
AXES = [None, -1, (0, 2), (), 5]


def reductions(vary: Any, grid: Any, sample: Any, kinds: Any) -> Cases:
    for dtype in ("bool", "int8", "uint8", "int64", "uint64", "float32", "float64", "complex64"):
        arrays = (grid(dtype, 2, 3, 4), sample(dtype), grid(dtype, 0, 3, 2), grid(dtype, 3, 4)[:, ::2])
        for array in arrays:
            for name in ("sum", "prod", "max", "min", "mean", "any", "all", "count_nonzero"):
                if name in ("max", "min", "mean") and dtype in (*kinds.complexes, "bool"):
                    continue
                yield from vary(
                    name, array, axis=AXES if array.ndim > 2 else AXES[:2], keepdims=[False, True]
                )
            for name in ("argmax", "argmin"):
                if dtype not in (*kinds.complexes, "bool"):
                    yield from vary(name, array, axis=[None, 0, -1], keepdims=[False, True])
            if dtype in kinds.floats:
                for name in ("var", "std"):
                    yield from vary(
                        name, array, axis=AXES[:2], correction=[0, 1, 0.5], keepdims=[False, True]
                    )
        for name in ("cumulative_sum", "cumulative_prod"):
            yield from vary(name, arrays[0], axis=[0, 1, -1], include_initial=[False, True])
            yield from vary(name, sample(dtype), axis=[None], include_initial=[False, True])
            yield from vary(name, arrays[2], axis=[0, 1], include_initial=[False, True])
        for name in ("sum", "prod"):
            yield from vary(name, grid("int8", 2, 3), dtype=[np.dtype(dtype)], axis=[None, 0])


def sorting(vary: Any, grid: Any, sample: Any, kinds: Any) -> Cases:
    for dtype in (*kinds.bools, *kinds.reals):
        views = grid(dtype, 4, 6)[::2, ::-1], np.repeat(grid(dtype, 5), 40)
        for array in (sample(dtype), grid(dtype, 3, 5), grid(dtype, 0, 2), *views):
            yield from vary("sort", array, axis=[0, -1], descending=[False, True], stable=[True, False])
            yield from vary("argsort", array, axis=[0, -1], descending=[False, True], stable=[True])
    for dtype in kinds.reals:
        sorted_ = np.sort(sample(dtype))
        for values in (sample(dtype), grid("int16", 2, 3), grid("float32", 2, 3), grid("uint64", 4)):
            yield from vary("searchsorted", sorted_, values, side=["left", "right"])
        yield from vary("searchsorted", sorted_, 2, side=["left", "right"])
        order = np.argsort(sample(dtype), stable=True)
        yield "sorter", lambda a, v, o: xp.searchsorted(a, v, sorter=o), (sample(dtype), sample(dtype), order)
    yield from vary("searchsorted", np.asarray([], dtype="float64"), grid("float64", 3), side=["left"])


def sets(vary: Any, grid: Any, sample: Any, kinds: Any, pairs: Any) -> Cases:
    for dtype in (*kinds.bools, *kinds.reals, *kinds.complexes):
        for array in (
            np.tile(sample(dtype), 2),
            grid(dtype, 3, 4),
            grid(dtype, 0, 2),
            grid(dtype, 1).reshape(()),
        ):
            if dtype in kinds.complexes:
                array = np.round(array)
                array = array + 0
            for name in ("unique_all", "unique_counts", "unique_inverse"):
                yield from vary(name, array)
            if dtype not in kinds.complexes:
                yield f"unique_values({dtype})", lambda x: xp.sort(xp.unique_values(x)), (array,)
    for one, other in pairs:
        yield from vary("isin", sample(one), sample(other)[::2], invert=[False, True])
    yield from vary("isin", grid("int64", 3, 4), 2, invert=[False, True])
    yield from vary("isin", grid("float32", 3, 4), np.asarray([], dtype="float32"), invert=[False, True])


@pytest.mark.parametrize("page", [reductions, sorting, sets], ids=lambda page: page.__name__)
def test_page_equals_numpy(compare_page: Callable[..., None], page: Callable[..., Any]) -> None:
    compare_page(page)
