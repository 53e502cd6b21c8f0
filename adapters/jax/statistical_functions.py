"""Statistical functions on JAX."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ..common.numpy_like import total_dtype


def _running(function: Any) -> Any:
    """Return a running sum or product.

    JAX keeps the dtype of small integers in a product of nothing. The standard widens them, as in ``sum``.
    No report known; last seen in 0.10.2.
    """

    def scan(x: Any, *, axis: Any, dtype: Any, include_initial: bool) -> Any:
        if dtype is None:
            dtype = jax.dtypes.canonicalize_dtype(total_dtype(x.dtype))
        return function(x, axis=axis, dtype=dtype, include_initial=include_initial)

    return staticmethod(scan)


class StatisticalFunctions:
    """The page *statistical functions* of the standard."""

    cumulative_prod = _running(jnp.cumulative_prod)
    cumulative_sum = _running(jnp.cumulative_sum)
