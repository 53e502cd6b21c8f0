"""Searching functions on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common import numpy_like
from ._imports import dpnp
from .indexing import take


def where(condition: Any, x1: Any, x2: Any) -> Any:
    """Return the elements of ``x1`` where ``condition`` is true, of ``x2`` elsewhere.

    dpnp reads beyond the memory of an operand that has negative strides if another operand is broadcast; by the
    standard memory layout does not matter.

    No upstream issue is known; last seen in 0.20.0. Canary: ``where``.
    """
    return dpnp.where(*(_forward(x) for x in (condition, x1, x2)))


def _forward(x: Any) -> Any:
    """Return ``x``, or a row-major copy if it has negative strides."""
    return (
        dpnp.array(x, copy=True, order="C")
        if type(x) is dpnp.ndarray and min(x.strides, default=0) < 0
        else x
    )


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """Return the positions at which the elements of ``x2`` keep ``x1`` sorted.

    dpnp moves an index of ``sorter`` that is out of range to the nearest element; the standard leaves this open, and
    NumPy raises an error. https://github.com/IntelPython/dpctl/issues/1599

    dpnp returns wrong positions for many bools; the standard takes real numbers only, and NumPy sorts False before
    True. No upstream issue is known.

    Both were last seen in 0.20.0. Canary: ``searchsorted``.
    """
    x1 = x1 if sorter is None else take(x1, sorter, axis=0)
    if x1.dtype.kind == x2.dtype.kind == "b":
        x1, x2 = x1.astype(np.uint8), x2.astype(np.uint8)
    return dpnp.searchsorted(x1, x2, side=side)


def _first_extreme(function: Any) -> Any:
    """Return ``argmax`` or ``argmin`` that returns the index of the first NaN.

    dpnp returns the index of the last NaN; by the standard equal extremes give the first index, and NumPy treats NaNs
    in the same way.

    No upstream issue is known; last seen in 0.20.0. Canaries: ``argmax`` and ``argmin``.
    """

    def extreme(x: Any, *, axis: Any, keepdims: Any) -> Any:
        found = function(x, axis=axis, keepdims=keepdims)
        if x.dtype.kind != "f":
            return found
        nans = dpnp.isnan(x)
        first = dpnp.argmax(nans.astype("uint8"), axis=axis, keepdims=keepdims)
        return where(dpnp.any(nans, axis=axis, keepdims=keepdims), first, found)

    return staticmethod(extreme)


class SearchingFunctions:
    """The page ``searching functions`` of the standard."""

    argmax = numpy_like.allow_axis_of_0d(_first_extreme(dpnp.argmax))
    argmin = numpy_like.allow_axis_of_0d(_first_extreme(dpnp.argmin))
    count_nonzero = numpy_like.allow_axis_of_0d(dpnp.count_nonzero)
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(where)
