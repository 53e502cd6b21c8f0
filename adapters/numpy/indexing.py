"""Indexing on NumPy."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from burn_array.adapter import composed

from ..common import numpy_like


def _copy(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.array(x, copy=True)


def _setitem(x: Any, key: Any, value: Any) -> None:
    """NumPy copies between overlapping parts of a vector element by element, and so reads what it has written.

    https://github.com/numpy/numpy/issues/6272, last seen in 2.4.6.
    """
    if (
        type(value) is np.ndarray
        and (value.base is not None or x.base is value)
        and np.may_share_memory(x, value)
    ):
        value = value.copy()
    x[key] = value


class IndexingFunctions:
    """The page *indexing functions* of the standard, and what the core asks for to index and to copy."""

    copy = staticmethod(_copy)
    getitem = operator.getitem
    scatter_add = composed(numpy_like.scatter_add)
    setitem = staticmethod(_setitem)
