"""Sorting functions on JAX."""

from __future__ import annotations


class SortingFunctions:
    """The page *sorting functions* of the standard."""
