"""Let JAX's transforms (``jit``, ``vmap``, ``lax.scan``, ...) take and return arrays of burn_array.

``Array`` becomes a node of JAX's trees, whose only leaf is the native value.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import jax

import burn_array
from burn_array.errors import GradientError

Place = tuple[str, bool]
"""The string of a device, and whether the array is committed to it."""


@cache
def register() -> None:
    """Register ``Array`` as a node of JAX's trees, once in a process."""
    jax.tree_util.register_pytree_node(burn_array.Array, _flatten, _unflatten)


def _flatten(x: burn_array.Array) -> tuple[tuple[Any], Place]:
    """Return the native value, and where the array is.

    Raises
    ------
    GradientError
        If the array is tracked: a transform of JAX would lose what was recorded.
    """
    at = x._device
    if at.adapter.is_tracked(x._native):
        raise GradientError(
            f"an array that {at} records cannot enter a transform of JAX; call burn_array.autodiff.grad inside of it"
        )
    return (at.adapter.unwrapped(x._native),), (str(at), at is at.committed)


def _unflatten(place: Place, leaves: tuple[Any]) -> burn_array.Array:
    """Return an array on the device ``place``, or on JAX's own if the leaf has become an array of JAX.

    JAX also rebuilds trees of leaves that are no arrays; these are kept as they are.
    """
    name, is_committed = place
    leaf = leaves[0]
    at = burn_array.device(name)
    if isinstance(leaf, jax.Array):
        at = at if at.library == "jax" else burn_array.device("jax")
        leaf = at.adapter.adopt(leaf)
    at = at if is_committed else at.uncommitted
    x: burn_array.Array = burn_array.Array.__new__(burn_array.Array)
    x._native, x._device, x._direct = leaf, at, at.no_table
    return x
