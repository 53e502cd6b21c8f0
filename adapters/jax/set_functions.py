"""Set functions on JAX."""

from __future__ import annotations


class SetFunctions:
    """The page *set functions* of the standard."""
