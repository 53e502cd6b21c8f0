"""Statistical functions on JAX.

Nothing here looks at values, so that everything works while JAX traces: norms and deviations are always scaled.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ..common.numpy_like import total_dtype

_HALF = ("float16", "bfloat16")


def of_0d(function: Any) -> Any:
    """Return a reduction that takes the axes 0 and -1 of a 0-d array, as NumPy's sums and PyTorch do."""

    def reduce(x: Any, /, *, axis: Any, **settings: Any) -> Any:
        return function(x, axis=None if not x.ndim and axis in (0, -1) else axis, **settings)

    return staticmethod(reduce)


def in_single(function: Any) -> Any:
    """Return a function of one array such that half precision is computed in single and rounded at the end."""

    def precise(x: Any, /, **settings: Any) -> Any:
        if x.dtype.name not in _HALF:
            return function(x, **settings)
        if settings.get("dtype") not in (None, x.dtype):
            return function(x, **settings)
        settings = {name: None if name == "dtype" else value for name, value in settings.items()}
        return function(x.astype("float32"), **settings).astype(x.dtype)

    return precise


def scale_of(x: Any, axis: Any) -> Any:
    """Return the largest magnitude along ``axis``, 1 where it is 0 or not finite; a norm of ``x / scale`` is safe."""
    size = jnp.abs(x)
    top = jnp.max(size, axis=axis, keepdims=True, initial=0)
    return jnp.where(jnp.isfinite(top) & (top > 0), top, jnp.ones((), top.dtype))


def _running(function: Any) -> Any:
    """Return a running sum or product.

    JAX keeps the dtype of small integers in a product of nothing. The standard widens them, as in ``sum``.
    No report known; last seen in 0.10.2.
    """

    def scan(x: Any, *, axis: Any, dtype: Any, include_initial: bool) -> Any:
        if dtype is None:
            dtype = jax.dtypes.canonicalize_dtype(total_dtype(x.dtype))
        return function(x, axis=axis, dtype=dtype, include_initial=include_initial)

    return staticmethod(in_single(scan))


def _var(x: Any, *, axis: Any, correction: Any, keepdims: bool) -> Any:
    """Return variances; the mean is subtracted twice, since a large one is rounded."""
    x = x.astype(float) if x.dtype.kind in "biu" else x
    centred = x - jnp.mean(x, axis=axis, keepdims=True) if x.size else x
    return jnp.var(centred, axis=axis, correction=correction, keepdims=keepdims)


def _std(x: Any, *, axis: Any, correction: Any, keepdims: bool) -> Any:
    """Return standard deviations, whose squares do not overflow."""
    x = x.astype(float) if x.dtype.kind in "biu" else x
    if not x.size or axis == ():
        return jnp.std(x, axis=axis, correction=correction, keepdims=keepdims)
    scale = scale_of(x, axis)
    out = jnp.sqrt(_var(x / scale, axis=axis, correction=correction, keepdims=True)) * scale
    return out if keepdims else jnp.squeeze(out, axis)


class StatisticalFunctions:
    """The page *statistical functions* of the standard."""

    cumulative_prod = _running(jnp.cumulative_prod)
    cumulative_sum = _running(jnp.cumulative_sum)
    max = of_0d(jnp.max)
    mean = of_0d(jnp.mean)
    min = of_0d(jnp.min)
    prod = of_0d(jnp.prod)
    std = of_0d(in_single(_std))
    sum = of_0d(jnp.sum)
    var = of_0d(in_single(_var))
