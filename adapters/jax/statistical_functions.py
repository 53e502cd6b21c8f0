"""Statistical functions on JAX."""

from __future__ import annotations


class StatisticalFunctions:
    """The page *statistical functions* of the standard."""
