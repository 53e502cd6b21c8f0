"""Searching functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from burn_array.adapter import promote

from ..common import numpy_like

# cupy.where calls this private function, last seen in 14.2.0. Its checks take as long as a call of burn_array.
try:
    from cupy._sorting.search import _where_ufunc as _chosen
except ImportError:
    _chosen = cupy.where
_BOOL = np.dtype("bool")


def _where(condition: Any, x1: Any, x2: Any) -> Any:
    """Return the elements of ``x1`` where ``condition`` is true, of ``x2`` elsewhere."""
    if type(condition) is cupy.ndarray and condition.dtype is _BOOL:
        return _chosen(condition, x1, x2)
    return cupy.where(condition, x1, x2)


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """Return the positions at which the elements of ``x2`` keep ``x1`` sorted.

    CuPy compares numbers of different dtypes by the rules of C, in which -1 is greater than every uint64. The standard
    leaves mixed dtypes open; NumPy compares in their common dtype.

    No upstream issue is known; last seen in 14.2.0. Canary: ``searchsorted``.
    """
    dtype = promote(x1.dtype, x2.dtype)
    x1 = x1 if sorter is None else cupy.take(x1, sorter.astype(np.int64, copy=False))
    return cupy.searchsorted(x1.astype(dtype, copy=False), x2.astype(dtype, copy=False), side=side)


def _index(function: Any) -> Any:
    """Return ``argmax`` or ``argmin`` with ``keepdims``."""

    def index(x: Any, *, axis: Any, keepdims: bool) -> Any:
        found = function(x, axis=axis)
        if not keepdims:
            return found
        return cupy.expand_dims(found, axis) if axis is not None else found.reshape((1,) * x.ndim)

    return numpy_like.allow_axis_of_0d(index)


def _count_nonzero(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """Return the number of elements that are not 0.

    CuPy's function has no parameter ``keepdims``; by the standard it has.

    No upstream issue is known; last seen in 14.2.0. Canary: ``count_nonzero``.
    """
    hits = (x != 0).astype(np.int64)
    return hits if axis == () else cupy.sum(hits, axis=axis, keepdims=keepdims)


class SearchingFunctions:
    """The page ``searching functions`` of the standard."""

    argmax = _index(cupy.argmax)
    argmin = _index(cupy.argmin)
    count_nonzero = numpy_like.allow_axis_of_0d(_count_nonzero)
    nonzero = staticmethod(cupy.nonzero)
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(_where)
