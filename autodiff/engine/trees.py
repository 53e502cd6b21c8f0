"""Nested tuples, lists and dicts of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def tree_map(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """Return ``tree`` with ``function`` of each leaf, and of the leaves at the same place in ``others``."""
    if isinstance(tree, dict):
        return {key: tree_map(function, one, *(other[key] for other in others)) for key, one in tree.items()}
    if isinstance(tree, tuple | list):
        mapped = [tree_map(function, *each) for each in zip(tree, *others, strict=True)]
        return type(tree)(*mapped) if hasattr(tree, "_fields") else type(tree)(mapped)
    return function(tree, *others)


def tree_leaves(tree: Any) -> list[Any]:
    """Return the leaves in order."""
    leaves: list[Any] = []
    tree_map(leaves.append, tree)
    return leaves
