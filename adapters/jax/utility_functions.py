"""Utility functions on JAX."""

from __future__ import annotations

from burn_array.adapter import composed

from ..common import numpy_like


class UtilityFunctions:
    """The page *utility functions* of the standard."""

    diff = composed(numpy_like.diff)
