"""Manipulation functions on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from .creation_functions import check_size
from .promoting import in_common_dtype


def _joining(function: Any) -> Any:
    """Return ``concat`` or ``stack`` such that all dtypes are promoted first, by the rules of the standard."""
    return staticmethod(lambda arrays, *, axis=0: function(in_common_dtype(arrays), axis=axis))


def _permute_dims(x: Any, axes: tuple[int, ...]) -> Any:
    """Return ``x`` with its axes in another order.

    JAX refuses negative axes. The standard counts them from the end.
    No report known; last seen in 0.10.2.
    """
    return jnp.permute_dims(x, tuple(axis + x.ndim if axis < 0 else axis for axis in axes))


def _broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    check_size(shape, x.dtype)
    return jnp.broadcast_to(x, shape)


class ManipulationFunctions:
    """The page *manipulation functions* of the standard."""

    broadcast_to = staticmethod(_broadcast_to)
    concat = _joining(jnp.concat)
    permute_dims = staticmethod(_permute_dims)
    stack = _joining(jnp.stack)
