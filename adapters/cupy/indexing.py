"""Indexing on CuPy."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from burn_array.adapter import composed

from ..common import indexing, numpy_like
from ._axes import normalize_axis


def _getitem(x: Any, key: Any) -> Any:
    """CuPy takes 0-d masks for integers, or not at all, and an index into an axis of no elements.

    https://github.com/cupy/cupy/issues/645
    """
    return indexing.getitem(cupy, x, key)


def _setitem(x: Any, key: Any, value: Any) -> None:
    """CuPy copies element by element, so that a value which overlaps the target is read after it was written."""
    if type(value) is cupy.ndarray:
        value = value.copy() if cupy.may_share_memory(x, value) else value
    indexing.setitem(cupy, x, key, value)


_ADDED_AS: dict[str, np.dtype[Any]] = {
    "int64": np.dtype("uint64"),
    **dict.fromkeys(("bool", "int8", "int16", "uint8", "uint16"), np.dtype("int32")),
}


def _scatter_add(x: Any, key: Any, values: Any) -> Any:
    """CuPy adds at indices in some dtypes only: narrow integers go by int32, int64 by the bits of uint64.

    Complex numbers are added by parts.
    """
    positions = indexing.scatter_positions(cupy, x, key)
    values = cupy.broadcast_to(cupy.asarray(values).astype(x.dtype), positions.shape).reshape(-1)
    positions = positions.reshape(-1)
    if x.dtype.kind != "c":
        return _added(x, positions, values)
    out = cupy.empty(x.shape, dtype=x.dtype)
    out.real, out.imag = _added(x.real, positions, values.real), _added(x.imag, positions, values.imag)
    return out


def _added(x: Any, positions: Any, values: Any) -> Any:
    """Return ``x`` with values added at positions of its flattened form."""
    work = _ADDED_AS.get(x.dtype.name, x.dtype)
    out = x.reshape(-1).astype(work)
    if positions.size:
        cupy.add.at(out, positions, values.astype(work))
    return out.astype(x.dtype, copy=False).reshape(x.shape)


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    return x.take(indices if indices.dtype.char == "l" else indices.astype(np.int64), axis)


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    axis = normalize_axis(axis, x.ndim)
    keys = []
    for other, length in enumerate(x.shape):
        if other == axis:
            keys.append(indices.astype(np.int64, copy=False))
        else:
            keys.append(cupy.arange(length).reshape((length,) + (1,) * (x.ndim - other - 1)))
    return x[tuple(keys)]


class IndexingFunctions:
    """The page *indexing functions* of the standard, and what the core asks for to index and to copy."""

    copy = composed(numpy_like.copy)
    getitem = staticmethod(_getitem)
    scatter_add = staticmethod(_scatter_add)
    setitem = staticmethod(_setitem)
    take = staticmethod(_take)
    take_along_axis = staticmethod(_take_along_axis)
