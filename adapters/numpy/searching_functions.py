"""Searching functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._undispatched import undispatched
from .sorting_functions import require_real


def _argmax(x: Any, *, axis: Any, keepdims: Any) -> Any:
    return np.argmax(require_real(x), axis=axis, keepdims=keepdims)


def _argmin(x: Any, *, axis: Any, keepdims: Any) -> Any:
    return np.argmin(require_real(x), axis=axis, keepdims=keepdims)


def _searchsorted(x1: Any, x2: Any, *, side: Any, sorter: Any) -> Any:
    """NumPy sees an index of ``sorter`` outside of the array only where the search comes by; PyTorch sees all.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.searchsorted.html), last seen in
    2.4.6.
    """
    x1 = require_real(x1) if sorter is None else np.take(require_real(x1), sorter)
    return np.searchsorted(x1, require_real(x2), side=side)


_choose = undispatched(np.where)


def _where(condition: Any, x1: Any, x2: Any) -> Any:
    """NumPy wraps a Python int that does not fit the other operand; everywhere else it raises.

    https://github.com/numpy/numpy/issues/27006, last seen in 2.4.6.
    """
    if type(x1) is int and isinstance(x2, np.ndarray):
        x1 = np.asarray(x1, dtype=np.result_type(x1, x2))
    elif type(x2) is int and isinstance(x1, np.ndarray):
        x2 = np.asarray(x2, dtype=np.result_type(x1, x2))
    return _choose(condition, x1, x2)


class SearchingFunctions:
    """The page *searching functions* of the standard."""

    argmax = staticmethod(_argmax)
    argmin = staticmethod(_argmin)
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(_where)
