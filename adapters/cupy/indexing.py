"""Indexing on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from burn_array.adapter import composed

from ..common import indexing, numpy_like
from ._axes import normalize_axis


def _getitem(x: Any, key: Any) -> Any:
    """Return ``x[key]``.

    CuPy accepts an index array for an axis of length 0 if the result has no elements, and did not add an axis for a 0-d
    mask. The standard leaves both open; NumPy raises ``IndexError``, and adds the axis.

    https://github.com/cupy/cupy/issues/1512, last seen in 14.2.0. Canary: ``getitem``.
    """
    return indexing.getitem(cupy, x, key)


def _setitem(x: Any, key: Any, value: Any) -> None:
    """Set ``x[key]`` to ``value``.

    If the value shares memory with ``x``, CuPy may read elements that it has already overwritten; the standard asks for
    the same result as with a copy. Older CuPy stores NaN in an integer array as some integer, which 14.2.0 refuses;
    the standard leaves this open, and NumPy raises an error.

    No upstream issue is known; last seen in 14.2.0. Canary: ``setitem``.
    """
    if type(value) is cupy.ndarray:
        value = value.copy() if cupy.may_share_memory(x, value) else value
    indexing.setitem(cupy, x, key, value)


_ADDED_AS: dict[str, np.dtype[Any]] = {
    "int64": np.dtype("uint64"),
    **dict.fromkeys(("bool", "int8", "int16", "uint8", "uint16"), np.dtype("int32")),
}
"""The dtype in which elements of another dtype are added; sums of int64 and uint64 have the same bits."""


def _scatter_add(x: Any, key: Any, values: Any) -> Any:
    """Return a copy of ``x`` with ``values`` added at ``x[key]``.

    CuPy's ``add.at`` refuses complex numbers, integers of fewer than 32 bits, and before 14.1 int64. The standard does
    not name this function; NumPy's takes every dtype. The parts of complex numbers are added separately here.

    No upstream issue is known; last seen in 14.2.0. Canary: ``scatter_add``.
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
    """Return a copy of ``x`` with ``values`` added at ``positions`` of the flattened array."""
    work = _ADDED_AS.get(x.dtype.name, x.dtype)
    out = x.reshape(-1).astype(work)
    if positions.size:
        cupy.add.at(out, positions, values.astype(work))
    return out.astype(x.dtype, copy=False).reshape(x.shape)


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    """Return the elements at ``indices`` along an axis, by the method of the array, which starts faster."""
    return x.take(indices if indices.dtype.char == "l" else indices.astype(np.int64), axis)


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    """Return the elements at ``indices``, which are matched with the other axes of ``x``."""
    axis = normalize_axis(axis, x.ndim)
    keys = []
    for other, length in enumerate(x.shape):
        if other == axis:
            keys.append(indices.astype(np.int64, copy=False))
        else:
            keys.append(cupy.arange(length).reshape((length,) + (1,) * (x.ndim - other - 1)))
    return x[tuple(keys)]


class IndexingFunctions:
    """The page ``indexing functions`` of the standard, and the functions that index and copy for the core."""

    copy = composed(numpy_like.copy)
    getitem = staticmethod(_getitem)
    scatter_add = staticmethod(_scatter_add)
    setitem = staticmethod(_setitem)
    take = staticmethod(_take)
    take_along_axis = staticmethod(_take_along_axis)
