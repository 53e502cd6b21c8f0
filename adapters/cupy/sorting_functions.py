"""Sorting functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..common import numpy_like


def _argsort(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Return the indices that sort ``x``; there are none if it has no elements."""
    if not x.size:
        return cupy.empty(x.shape, dtype=np.int64)
    return numpy_like.argsort(cupy, x, axis=axis, descending=descending, stable=True)


def _sort(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Return ``x`` sorted along an axis.

    Before 14.1 CuPy raises ``ZeroDivisionError`` for an array without elements; by the standard the result has none.

    https://github.com/cupy/cupy/issues/9816, last seen in 14.0.1. Canary: ``sort``.
    """
    return numpy_like.sort(cupy, x, axis=axis, descending=descending, stable=True) if x.size else x.copy()


class SortingFunctions:
    """The page ``sorting functions`` of the standard."""

    argsort = staticmethod(_argsort)
    sort = staticmethod(_sort)
