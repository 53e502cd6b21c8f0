"""Indexing, assignment, ``take`` and casts give on every device what they give on NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp

Cases = Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]


def dtypes(sample: Any, kinds: Any) -> Cases:
    for one, other in itertools.product(kinds.all, kinds.all):
        x = sample(one)
        if x.dtype.kind in "fc" and other in kinds.integers:
            x = x[np.isfinite(x) & (x.real >= 0) & (x.real < 100)]
        yield f"astype({one}, {other})", lambda a, to=other: xp.astype(a, to), (x,)
        yield f"setitem({one}, {other})", _assign(slice(1, 3)), (x[:4], sample(other)[1])


def _assign(key: Any) -> Callable[..., Any]:
    def assign(x: Any, *rest: Any) -> Any:
        *index, value = rest
        x[tuple(index) if index else key] = value
        return x

    return assign


ALL_OF = slice(None)
KEYS = (
    *(0, -1, 5, ALL_OF, slice(None, None, -1), slice(10, None, -2), slice(-1, -4, -1), slice(1, 1)),
    *(..., None, True, False, (0, ...), (..., 0), (None, ..., None), (ALL_OF, 1)),
    *((1, slice(None, None, -2), 2), (slice(2, 0, -1), None, 0), (0, 0, 0), (0, 0, 0, 0)),
    *((ALL_OF, ALL_OF, ALL_OF, 0), (slice(-3, 0), ...), (True, 0), (..., False)),
)
INT = np.asarray([0, -1, 1])
INT2 = np.asarray([[0, 1], [1, -2]], dtype="int32")
SMALL = np.asarray([1, 0], dtype="uint8")
MASK = np.asarray([True, False, True])
YES, NO = np.asarray(True), np.asarray(False)
ARRAY_KEYS: tuple[tuple[Any, ...], ...] = (
    *((INT % 2,), (INT2,), (ALL_OF, INT), (INT, INT), (INT, ALL_OF, INT), (ALL_OF, INT, INT)),
    *((..., INT), (INT, ..., 0), (INT, ..., INT, INT), (INT2, None), (None, INT), (INT[:, None], INT)),
    *((ALL_OF, INT2, slice(None, None, -1)), (SMALL,), (0, INT), (0, ALL_OF, INT), (INT, 0), (1, INT, 0)),
    *((ALL_OF, MASK), (ALL_OF, MASK, INT[:2]), (np.ones((2, 3), dtype=bool),), (YES,), (NO,)),
    *((np.zeros(2, dtype=bool),), (np.asarray(1),), (np.asarray(1), ALL_OF)),
    *((INT[:0],), (ALL_OF, YES, INT), (np.ones(3, dtype=bool),)),
)


def indexing(vary: Any, grid: Any, sample: Any) -> Cases:
    x = grid("float32", 2, 3, 4)
    for key in KEYS:
        yield f"x[{key}]", lambda a, k=key: a[k], (x,)
        yield f"x[{key}] = 7", _assign(key), (x, 7)
        yield f"x.T[{key}]", lambda a, k=key: xp.permute_dims(a, (1, 0, 2))[k], (x,)
        yield f"x[{key}] = x[{key}] + 1", lambda a, k=key: _store(a, k, a[k] + 1), (x,)
    for keys in (*ARRAY_KEYS, (grid("bool", 2, 3, 4),)):
        yield f"x[{keys}]", lambda a, *k: a[k if len(k) > 1 else k[0]], (x, *keys)
        yield f"x[{keys}] = 7", _assign(None), (x, *keys, 7)
        yield f"x[{keys}] = row", _assign(None), (x, *keys, grid("float64", 1))
        yield f"x.T[{keys}]", lambda a, *k: xp.permute_dims(a, (0, 1, 2))[::-1][k], (x, *keys)
    yield "0-d", lambda a: a[()], (grid("int8", 1).reshape(()),)
    yield "0-d mask", lambda a, m: a[m], (grid("int8", 1).reshape(()), np.asarray(False))
    yield "0-d store", lambda a: _store(a, (), 3), (grid("int8", 1).reshape(()),)
    yield "0-d ...", lambda a: _store(a, ..., 3), (grid("int8", 1).reshape(()),)
    yield "overlap", lambda a: _store(a, slice(1, None), a[:-1]), (grid("int64", 9),)
    yield "overlap back", lambda a: _store(a, slice(None, -1), a[1:]), (grid("int64", 9),)
    yield "overlap reversed", lambda a: _store(a, slice(None), a[::-1]), (grid("int64", 9),)
    yield "mask with values", lambda a, m, v: _store(a, m, v), (grid("int64", 3), MASK, grid("int64", 2))
    yield "mask with too many", lambda a, m, v: _store(a, m, v), (grid("int64", 3), MASK, grid("int64", 3))
    yield "out of range", lambda a: _store(a, 0, 300), (grid("int8", 3),)
    yield "out of range u8", lambda a: _store(a, 0, -1), (grid("uint8", 3),)
    yield "2**63", lambda a: _store(a, 0, 2**63), (grid("uint64", 3),)
    yield "float into int", lambda a: _store(a, 0, 2.7), (grid("int64", 3),)
    yield "wrong shape", lambda a, v: _store(a, slice(0, 2), v), (grid("int64", 3), grid("int64", 3))
    for indices in (INT, INT2[:, :1] * 0, SMALL):
        yield from vary("take", x, indices.reshape(-1), axis=[0, 1, -1])
    yield from vary("take", grid("int8", 5), INT2, axis=[0])
    yield from vary(
        "take_along_axis", grid("float32", 3, 4), np.asarray([[0, -1], [1, 1], [-2, 3]]), axis=[-1, 1]
    )
    yield from vary("take_along_axis", grid("float32", 3, 4), np.asarray([[0, -1, 1, 2]]), axis=[0])
    yield from vary("take_along_axis", grid("float32", 3, 1), np.asarray([[0, -1, 1, 2]]), axis=[0])
    yield from vary("nonzero", grid("int8", 2, 3, 4))
    yield from vary("nonzero", sample("float32"))
    yield from vary("nonzero", grid("complex64", 2, 0))


def _store(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


@pytest.mark.parametrize("page", [dtypes, indexing], ids=lambda page: page.__name__)
def test_page_equals_numpy(compare_page: Callable[..., None], page: Callable[..., Any]) -> None:
    compare_page(page)
