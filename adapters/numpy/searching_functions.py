"""Searching functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._undispatched import undispatched
from .sorting_functions import require_real


def _argmax(x: Any, *, axis: Any, keepdims: Any) -> Any:
    """Return the index of the largest element; complex numbers are refused, see :func:`require_real`."""
    return np.argmax(require_real(x), axis=axis, keepdims=keepdims)


def _argmin(x: Any, *, axis: Any, keepdims: Any) -> Any:
    """Return the index of the smallest element; complex numbers are refused, see :func:`require_real`."""
    return np.argmin(require_real(x), axis=axis, keepdims=keepdims)


def _searchsorted(x1: Any, x2: Any, *, side: Any, sorter: Any) -> Any:
    """Return the positions in ``x1`` at which ``x2`` would keep it sorted.

    NumPy notices an index in ``sorter`` that is out of range only if the search meets it. The standard leaves this
    open; PyTorch raises for every such index.
    No report known; last seen in NumPy 2.4.6.
    """
    x1 = require_real(x1) if sorter is None else np.take(require_real(x1), sorter)
    return np.searchsorted(x1, require_real(x2), side=side)


_numpy_where = undispatched(np.where)


def _where(condition: Any, x1: Any, x2: Any) -> Any:
    """Return elements of ``x1`` where ``condition`` is true, of ``x2`` elsewhere.

    NumPy before 2.5 wraps a Python integer that does not fit the dtype of the other operand. The standard leaves this
    open; all other functions of NumPy raise.
    https://github.com/numpy/numpy/issues/27006, last seen in NumPy 2.4.6.
    """
    if type(x1) is int and isinstance(x2, np.ndarray):
        x1 = np.asarray(x1, dtype=np.result_type(x1, x2))
    elif type(x2) is int and isinstance(x1, np.ndarray):
        x2 = np.asarray(x2, dtype=np.result_type(x1, x2))
    return _numpy_where(condition, x1, x2)


class SearchingFunctions:
    """The page *searching functions* of the standard."""

    argmax = staticmethod(_argmax)
    argmin = staticmethod(_argmin)
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(_where)
