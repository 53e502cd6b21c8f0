"""Searching functions on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from .indexing import check_indices
from .promoting import in_one_dtype
from .statistical_functions import of_0d


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """Return the positions in ``x1`` at which ``x2`` would keep it sorted.

    JAX returns int32, and ignores indices of ``sorter`` that are out of range. The standard wants the default dtype of
    indices.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.searchsorted.html, last seen in 0.10.2.
    """
    if sorter is not None:
        check_indices(sorter, x1.shape)
        x1 = x1[sorter]
    x1, x2 = in_one_dtype(x1, x2)
    return jnp.searchsorted(x1, x2, side=side).astype(int)


def _where(condition: Any, x1: Any, x2: Any) -> Any:
    x1, x2 = in_one_dtype(x1, x2)
    return jnp.where(condition, x1, x2)


class SearchingFunctions:
    """The page *searching functions* of the standard."""

    argmax = of_0d(jnp.argmax)
    argmin = of_0d(jnp.argmin)
    count_nonzero = of_0d(jnp.count_nonzero)
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(_where)
