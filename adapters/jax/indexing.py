"""Indexing on JAX, whose arrays are immutable."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from burn_array.errors import ArrayIndexError

from ..common import indexing


def _getitem(x: Any, key: Any) -> Any:
    _check(x, key)
    return x[key]


def _setitem(x: Any, key: Any, value: Any) -> Any:
    """Return a copy of ``x`` in which ``x[key]`` is ``value``."""
    _check(x, key)
    value = indexing.stored(value, x.dtype)
    value = value.astype(x.dtype) if isinstance(value, jax.Array) else np.asarray(value, dtype=x.dtype)
    place = x.at[key]
    while True:
        try:
            return place.set(value)
        except ValueError:  # JAX refuses surplus leading axes of length 1, which NumPy drops
            if not value.ndim or value.shape[0] != 1:
                raise
            value = value[0]


def _check(x: Any, key: Any) -> None:
    """Raise for an index out of range.

    JAX takes the nearest element for such an index, and drops what is stored there. Arrays of indices are checked on
    the CPU, not where that would wait for an accelerator, and not while JAX traces.
    https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html, last seen in 0.10.2.
    """
    keys = key if type(key) is tuple else (key,)
    if any(isinstance(part, jax.Array) and _picks_nothing(part) for part in keys):
        return  # where nothing is picked, nothing is out of range
    axis, rest = 0, x.ndim - sum(map(_consumed, keys))
    for part in keys:
        if part is ...:
            axis += rest
            continue
        taken = _consumed(part)
        if taken and type(part) is not slice and axis + taken <= x.ndim:
            check_indices(part, x.shape[axis : axis + taken])
        axis += taken


def _picks_nothing(part: Any) -> bool:
    """Return whether it is known that an array of indices, or a mask, picks no element."""
    return not part.size or (part.dtype == bool and readable(part) and not np.asarray(part).any())


def _consumed(part: Any) -> int:
    if part is None or part is ... or type(part) is bool:
        return 0
    return part.ndim if isinstance(part, jax.Array) and part.dtype == bool else 1


def check_indices(part: Any, lengths: tuple[int, ...]) -> None:
    """Raise if an index, or a mask, does not fit axes of these lengths."""
    if type(part) is int:
        worst = part
    elif part.dtype == bool:
        if any(length not in (0, own) for length, own in zip(part.shape, lengths, strict=True)):
            raise ArrayIndexError(f"a mask of shape {part.shape} does not index axes of lengths {lengths}")
        return
    elif part.size and readable(part):
        host = np.asarray(part)
        worst = int(host.max()) if host.max() >= lengths[0] else int(host.min())
    else:
        return
    if not -lengths[0] <= worst < lengths[0]:
        raise ArrayIndexError(f"index {worst} is out of bounds for an axis of length {lengths[0]}")


def readable(x: Any) -> bool:
    """Return whether NumPy can read ``x`` without waiting for an accelerator: it is not traced, and on the CPU."""
    if type(x) is np.ndarray:
        return True
    return not isinstance(x, jax.core.Tracer) and next(iter(x.devices())).platform == "cpu"


def _take(x: Any, indices: Any, *, axis: Any) -> Any:
    if axis is None:
        x, axis = x.reshape(-1), 0
    if -x.ndim <= axis < x.ndim:
        check_indices(indices, (x.shape[axis],))
    return jnp.take(x, indices, axis=axis)


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    if -x.ndim <= axis < x.ndim:
        check_indices(indices, (x.shape[axis],))
    return jnp.take_along_axis(x, indices, axis=axis)


def _scatter_add(x: Any, indices: Any, values: Any) -> Any:
    if x.dtype == bool:  # which JAX does not add
        return x.astype("int8").at[indices].max(values.astype("int8")) != 0
    return x.at[indices].add(values)


class IndexingFunctions:
    """Indexing, and the page *indexing functions* of the standard."""

    copy = staticmethod(lambda x: x)
    getitem = staticmethod(_getitem)
    scatter_add = staticmethod(_scatter_add)
    setitem = staticmethod(_setitem)
    take = staticmethod(_take)
    take_along_axis = staticmethod(_take_along_axis)
