"""Utility functions on JAX."""

from __future__ import annotations

import jax.numpy as jnp

from burn_array.adapter import composed

from ..common import numpy_like
from .statistical_functions import of_0d


class UtilityFunctions:
    """The page *utility functions* of the standard."""

    all = of_0d(jnp.all)
    any = of_0d(jnp.any)
    diff = composed(numpy_like.diff)
