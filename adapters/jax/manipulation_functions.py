"""Manipulation functions on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from numpy.lib.array_utils import normalize_axis_tuple

from burn_array.errors import IntegerOverflowError

from .creation_functions import check_size
from .promoting import in_common_dtype


def _joining(function: Any) -> Any:
    """Return ``concat`` or ``stack`` such that all dtypes are promoted first, by the rules of the standard."""
    return staticmethod(lambda arrays, *, axis=0: function(in_common_dtype(arrays), axis=axis))


def _permute_dims(x: Any, axes: tuple[int, ...]) -> Any:
    """Return ``x`` with its axes in another order.

    JAX refuses negative axes. The standard counts them from the end.
    No report known; last seen in 0.10.2.
    """
    return jnp.permute_dims(x, normalize_axis_tuple(axes, x.ndim))


def _moveaxis(x: Any, source: Any, destination: Any) -> Any:
    for axes in (source, destination):
        normalize_axis_tuple(axes, x.ndim)
    return jnp.moveaxis(x, source, destination)


def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Any:
    if type(repeats) is int:
        if repeats >= 2**63:
            raise IntegerOverflowError(f"Python integer {repeats} is no number of repetitions")
        check_size((x.size, repeats), x.dtype)
    else:  # JAX compares the length of the axis with the counts, in their dtype
        repeats = repeats.astype(int)
    return jnp.repeat(x, repeats, axis=axis)


def _reshape(x: Any, shape: tuple[int, ...], *, copy: bool | None = None) -> Any:
    """Return ``x`` with another shape.

    ``copy`` makes no difference: the arrays cannot change, so the result tells nothing about its memory.
    """
    return jnp.reshape(x, shape)


def _tile(x: Any, repetitions: tuple[int, ...]) -> Any:
    check_size((x.size, *repetitions), x.dtype)
    return jnp.tile(x, repetitions)


def _broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    check_size(shape, x.dtype)
    return jnp.broadcast_to(x, shape)


class ManipulationFunctions:
    """The page *manipulation functions* of the standard."""

    broadcast_to = staticmethod(_broadcast_to)
    concat = _joining(jnp.concat)
    moveaxis = staticmethod(_moveaxis)
    permute_dims = staticmethod(_permute_dims)
    repeat = staticmethod(_repeat)
    reshape = staticmethod(_reshape)
    stack = _joining(jnp.stack)
    tile = staticmethod(_tile)
