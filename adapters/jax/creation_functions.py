"""Creation functions on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ..common import indexing


def _full(shape: Any, value: Any, *, dtype: Any, device: Any) -> Any:
    if type(value) is int:
        indexing.check_fits(value, dtype)
    return jnp.full(shape, value, dtype=dtype, device=device)


class CreationFunctions:
    """The page *creation functions* of the standard."""

    full = staticmethod(_full)
