"""Statistical functions on NumPy.

``max``, ``min``, ``prod`` and ``sum`` call the ``reduce`` of a ufunc, which is faster than the function of that name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common import norms, numpy_like
from ..common.numpy_like import HALF
from ._undispatched import undispatched
from .sorting_functions import require_real

_add = np.add.reduce


def _max(x: Any, *, axis: Any, keepdims: Any) -> Any:
    """Return the largest elements; complex numbers are refused, see :func:`require_real`."""
    return np.maximum.reduce(require_real(x), axis=axis, keepdims=keepdims)


def _min(x: Any, *, axis: Any, keepdims: Any) -> Any:
    """Return the smallest elements; complex numbers are refused, see :func:`require_real`."""
    return np.minimum.reduce(require_real(x), axis=axis, keepdims=keepdims)


def _sum(x: Any, *, axis: Any, dtype: Any, keepdims: Any) -> Any:
    """Return sums; those of float16 are accumulated in float32.

    NumPy accumulates float16 in float16 unless the reduced axis is contiguous, and so stops counting at 2048. The
    standard leaves the precision open; see ``numpy_like.in_single``. Here NumPy converts while it adds, without a copy.
    No report known; last seen in NumPy 2.4.6.
    """
    if x.dtype is HALF and (dtype is None or dtype is HALF):
        with np.errstate(over="ignore"):
            return _add(x, axis=axis, dtype=np.float32, keepdims=keepdims).astype(HALF)
    return _add(x, axis=axis, dtype=dtype, keepdims=keepdims)


_running_sum = undispatched(np.cumulative_sum)
_WIDER = {
    np.dtype("float16"): np.float64,
    np.dtype("float32"): np.float64,
    np.dtype("complex64"): np.complex128,
}


def _cumulative_sum(x: Any, *, axis: Any, dtype: Any, include_initial: Any) -> Any:
    """Return running sums; those of half and single precision are accumulated in double.

    NumPy adds one by one in the precision of the result, so that the running total of float32 ones stops at 2**24. The
    standard leaves the precision open, but the last total should be near ``sum(x)``, which NumPy adds in pairs.
    https://github.com/numpy/numpy/issues/14909, last seen in NumPy 2.4.6.
    """
    to = x.dtype if dtype is None else dtype
    wider = _WIDER.get(to)
    if wider is None:
        return _running_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)
    with np.errstate(over="ignore"):
        return _running_sum(x, axis=axis, dtype=wider, include_initial=include_initial).astype(to)


class StatisticalFunctions:
    """The page *statistical functions* of the standard."""

    cumulative_prod = numpy_like.in_single(undispatched(np.cumulative_prod))
    cumulative_sum = staticmethod(_cumulative_sum)
    max = staticmethod(_max)
    mean = numpy_like.allow_axis_of_0d(undispatched(np.mean))
    min = staticmethod(_min)
    prod = np.multiply.reduce
    std = numpy_like.allow_axis_of_0d(numpy_like.in_single(norms.spread(np, undispatched(np.std), True)))
    sum = staticmethod(_sum)
    var = numpy_like.allow_axis_of_0d(numpy_like.in_single(norms.spread(np, undispatched(np.var), False)))
