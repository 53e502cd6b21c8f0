"""Sorting functions on CuPy."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..common import numpy_like


def _argsort(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    if not x.size:
        return cupy.empty(x.shape, dtype=np.int64)
    return numpy_like.argsort(cupy, x, axis=axis, descending=descending, stable=True)


def _sort(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    return numpy_like.sort(cupy, x, axis=axis, descending=descending, stable=True) if x.size else x.copy()


class SortingFunctions:
    """The page *sorting functions* of the standard."""

    argsort = staticmethod(_argsort)
    sort = staticmethod(_sort)
