"""Searching functions on dpnp."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common import numpy_like
from ._imports import dpnp
from .indexing import take


def where(condition: Any, x1: Any, x2: Any) -> Any:
    """dpnp reads outside of operands with negative strides beside others that are broadcast.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.where.html), last seen in
    0.20.0.
    """
    return dpnp.where(*(_forward(x) for x in (condition, x1, x2)))


def _forward(x: Any) -> Any:
    return (
        dpnp.array(x, copy=True, order="C")
        if type(x) is dpnp.ndarray and min(x.strides, default=0) < 0
        else x
    )


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """As ``take``: an index of ``sorter`` outside of the array counts as the nearest; many bools get wrong places.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.searchsorted.html), last seen
    in 0.20.0.
    """
    x1 = x1 if sorter is None else take(x1, sorter, axis=0)
    if x1.dtype.kind == x2.dtype.kind == "b":
        x1, x2 = x1.astype(np.uint8), x2.astype(np.uint8)
    return dpnp.searchsorted(x1, x2, side=side)


def _first_extreme(function: Any) -> Any:
    """dpnp gives the last of several NaNs; the standard wants the first.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.argmax.html), last seen
    in 0.20.0.
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
    """The page *searching functions* of the standard."""

    argmax = numpy_like.allow_axis_of_0d(_first_extreme(dpnp.argmax))
    argmin = numpy_like.allow_axis_of_0d(_first_extreme(dpnp.argmin))
    count_nonzero = numpy_like.allow_axis_of_0d(dpnp.count_nonzero)
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(where)
