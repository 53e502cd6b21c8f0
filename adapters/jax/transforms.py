"""Let JAX's transforms take and return arrays: ``Array`` becomes a node of its trees."""

from __future__ import annotations


def register() -> None:
    """Register ``Array`` as a node of JAX's trees."""
