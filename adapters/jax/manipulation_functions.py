"""Manipulation functions on JAX."""

from __future__ import annotations


class ManipulationFunctions:
    """The page *manipulation functions* of the standard."""
