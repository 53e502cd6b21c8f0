"""Statistical functions on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

import math
from typing import Any

from ..common import norms, numpy_like
from ._imports import dpnp


def _spread(function: Any, is_root: bool) -> Any:
    """Return ``var``, or ``std`` if ``is_root``, for every correction.

    dpnp returns NaN if the correction is at least the number of elements. The standard leaves this open; NumPy and
    PyTorch divide by zero, so different elements give inf.

    No upstream issue is known; last seen in 0.20.0. Canaries: ``var`` and ``std``.
    """

    def spread(x: Any, *, axis: Any, correction: Any, keepdims: Any) -> Any:
        axes = range(x.ndim) if axis is None else axis if type(axis) is tuple else (axis,)
        if correction < math.prod(x.shape[one] for one in axes):
            return function(x, axis=axis, correction=correction, keepdims=keepdims)
        return function(x, axis=axis, correction=0, keepdims=keepdims) / 0.0

    return numpy_like.in_single(norms.spread(dpnp, spread, is_root))


class StatisticalFunctions:
    """The page ``statistical functions`` of the standard."""

    cumulative_prod = numpy_like.in_single(dpnp.cumulative_prod)
    cumulative_sum = numpy_like.in_single(dpnp.cumulative_sum)
    max = numpy_like.allow_axis_of_0d(dpnp.max)
    mean = numpy_like.allow_axis_of_0d(numpy_like.in_single(dpnp.mean))
    min = numpy_like.allow_axis_of_0d(dpnp.min)
    prod = numpy_like.allow_axis_of_0d(numpy_like.in_single(dpnp.prod))
    std = numpy_like.allow_axis_of_0d(_spread(dpnp.std, True))
    sum = numpy_like.allow_axis_of_0d(numpy_like.in_single(dpnp.sum))
    var = numpy_like.allow_axis_of_0d(_spread(dpnp.var, False))
