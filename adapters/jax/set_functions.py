"""Set functions on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ..common import set_functions as sets


def _isin(x1: Any, x2: Any, *, invert: bool) -> Any:
    return jnp.isin(x1, x2, invert=invert)


class SetFunctions:
    """The page *set functions* of the standard."""

    isin = sets.isin(jnp, _isin)
