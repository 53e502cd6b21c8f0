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
    """Set ``x[key]`` to ``value``.

    If ``value`` shares memory with ``x``, and the key holds an array or both have one axis and different strides, NumPy
    reads elements that it has already overwritten; by the standard the value is read first.
    https://github.com/numpy/numpy/issues/6272, last seen in NumPy 2.4.6.
    """
    if (
        type(value) is np.ndarray
        and (value.base is not None or x.base is value)
        and np.may_share_memory(x, value)
        and (_holds_array(key) or (value.ndim == 1 and value.strides != x[key].strides))
    ):
        value = value.copy()
    x[key] = value


def _holds_array(key: Any) -> bool:
    """Return whether a key is an array or a tuple with one; of other keys NumPy minds the overlap itself."""
    if type(key) is tuple:
        return any(type(part) is np.ndarray for part in key)
    return type(key) is np.ndarray


class IndexingFunctions:
    """Access to elements by a key, and copies, which the core asks for beyond the standard."""

    copy = staticmethod(_copy)
    getitem = operator.getitem
    scatter_add = composed(numpy_like.scatter_add)
    setitem = staticmethod(_setitem)
