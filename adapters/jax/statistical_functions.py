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
        dtype = settings.get("dtype")  # compared with ``is`` first: NumPy takes None for float64
        if x.dtype.name not in _HALF or (dtype is not None and dtype != x.dtype):
            return function(x, **settings)
        settings = {name: None if name == "dtype" else value for name, value in settings.items()}
        return function(x.astype("float32"), **settings).astype(x.dtype)

    return precise


def scale_of(x: Any, axis: Any) -> Any:
    """Return the power of two below the largest magnitude along ``axis``, 1 where that is 0 or not finite.

    A norm of ``x / scale`` is safe, and the division is exact.
    """
    return power_below(jnp.max(jnp.abs(x), axis=axis, keepdims=True, initial=0))


def power_below(size: Any) -> Any:
    """Return the powers of two that are not above ``size``, 1 where it is 0 or not finite."""
    one = jnp.ones((), size.dtype)
    usual = jnp.isfinite(size) & (size > 0)
    return jnp.ldexp(one, jnp.where(usual, jnp.frexp(jnp.where(usual, size, one))[1] - 1, 0))


def _running(function: Any) -> Any:
    """Return a running sum or product.

    JAX keeps the dtype of small integers in a product of nothing, and ignores a wider ``dtype`` of floats. The standard
    widens both.
    No report known; last seen in 0.10.2.
    """

    def scan(x: Any, *, axis: Any, dtype: Any, include_initial: bool) -> Any:
        if dtype is None:
            dtype = jax.dtypes.canonicalize_dtype(total_dtype(x.dtype))
        return function(x.astype(dtype), axis=axis, dtype=dtype, include_initial=include_initial)

    return staticmethod(in_single(scan))


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """Return means; JAX computes those of integers of up to 32 bits in float32, NumPy in float64."""
    return jnp.mean(x.astype(float) if x.dtype.kind in "biu" else x, axis=axis, keepdims=keepdims)


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
    mean = of_0d(_mean)
    min = of_0d(jnp.min)
    prod = of_0d(jnp.prod)
    std = of_0d(in_single(_std))
    sum = of_0d(jnp.sum)
    var = of_0d(in_single(_var))
