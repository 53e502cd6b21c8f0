"""NumPy's indexing with arrays, for libraries modelled on NumPy that take only part of it.

A key is split into a *basic* one (slices and ``None``, which give a view) and integer arrays for some axes
of that view. Where the arrays stand apart, NumPy puts their axes first; here the view is transposed for that.
"""

from __future__ import annotations

import math
from typing import Any

from burn_array.errors import ArrayIndexError, IntegerOverflowError

_BASIC = (slice, type(None), type(...))


def getitem(lib: Any, x: Any, key: Any) -> Any:
    """Return ``x[key]``; a view where the key has no arrays."""
    if type(key) is slice:
        try:  # as in _check_slice, without its call
            key.indices(0)
        except TypeError:
            _check_slice(key)
        return x[key]
    if type(key) is int:
        return x[key]
    view, arrays = split(lib, x, key)
    return view[arrays] if arrays else view


def setitem(lib: Any, x: Any, key: Any, value: Any) -> None:
    """Set ``x[key]`` to ``value``, an array that is broadcast and cast, or a Python scalar."""
    value = stored(value, x.dtype)
    view, arrays = split(lib, x, key)
    view[arrays or ...] = fitted(value, view, arrays)


def fitted(value: Any, view: Any, arrays: tuple[Any, ...]) -> Any:
    """Return what is to be stored with no axes too many: NumPy drops leading ones of length 1."""
    if isinstance(value, (bool, int, float, complex)):
        return value
    indices = [one.ndim for one in arrays if type(one) is not slice]
    axes = view.ndim - len(indices) + max(indices, default=0)
    while value.ndim > axes and value.shape[0] == 1:
        value = value[0]
    return value


def stored(value: Any, dtype: Any) -> Any:
    """Return a Python number as an array of ``dtype`` takes it; integers take no NaN, infinity or larger number."""
    if type(value) is float and dtype.kind in "iu":
        value = int(value)
    if type(value) is int:
        if dtype.kind == "b":
            return bool(value)
        check_fits(value, dtype)
        return float(value) if dtype.kind in "fc" else value
    return value


def check_fits(value: int, dtype: Any) -> None:
    """Raise for a Python integer that an integer ``dtype`` cannot hold."""
    if dtype.kind not in "iu":
        return
    bits = 8 * dtype.itemsize - (dtype.kind == "i")
    if not (-(1 << bits) if dtype.kind == "i" else 0) <= value < 1 << bits:
        raise IntegerOverflowError(f"Python integer {value} out of bounds for {dtype}")


def split(lib: Any, x: Any, key: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the view of ``x`` by the basic part of ``key``, and the index arrays of its leading axes."""
    keys = key if type(key) is tuple else (key,)
    if all(type(one) is int or isinstance(one, _BASIC) for one in keys):
        return _basic(x, keys), ()
    keys = _complete(keys, x.ndim)
    basic: list[Any] = []
    axes: list[int] = []
    arrays: list[Any] = []
    parts: list[int] = []
    source = 0
    for part, one in enumerate(keys):
        _check_mask(one, x.shape[source:])
        source += 0 if one is ... else _consumed(one)
        if isinstance(one, _BASIC):
            basic += [] if one is ... else [one]
            continue
        for index in _indices(lib, x, one):
            axes.append(len(basic))
            arrays.append(index)
            basic.append(None if _is_flag(one) else slice(None))
        parts.append(part)
    view = x[tuple(basic)] if basic else x
    for axis, one in zip(axes, arrays, strict=True):
        _check_bounds(one, view.shape[axis])
    apart = parts[-1] - parts[0] >= len(parts)
    if not apart:
        return view, (*(slice(None),) * axes[0], *arrays)
    rest = [axis for axis in range(view.ndim) if axis not in axes]
    return lib.transpose(view, (*axes, *rest)), tuple(arrays)


def _check_slice(key: slice) -> None:
    """Raise for parts that are no integers, of which some libraries make integers."""
    try:
        key.indices(0)
    except TypeError as error:
        raise ArrayIndexError(f"{key!r:.60}: {error}") from error


def _basic(x: Any, keys: tuple[Any, ...]) -> Any:
    """Return ``x[keys]``, always a view, of no axis too."""
    for one in keys:
        if type(one) is slice:
            _check_slice(one)
    try:
        return x[(*keys, ...)] if ... not in keys else x[keys]
    except OverflowError as error:
        raise ArrayIndexError(f"index out of bounds: {error}") from error


def _complete(keys: tuple[Any, ...], ndim: int) -> tuple[Any, ...]:
    """Return the keys with slices for the axes that ``...`` stands for; it stays, as what keeps arrays apart."""
    missing = ndim - sum(_consumed(one) for one in keys)
    places = [place for place, one in enumerate(keys) if one is ...]
    if missing < 0 or len(places) > 1:
        raise ArrayIndexError(f"too many indices for an array of {ndim} dimensions: {ndim - missing}")
    if not places:
        return (*keys, *(slice(None),) * missing)
    return (*keys[: places[0] + 1], *(slice(None),) * missing, *keys[places[0] + 1 :])


def _is_flag(key: Any) -> bool:
    """Return whether ``key`` is a bool or a 0-d mask, which index no axis but add one."""
    return type(key) is bool or (
        not isinstance(key, (int, *_BASIC)) and key.dtype.kind == "b" and not key.ndim
    )


def _consumed(key: Any) -> int:
    """Return how many axes ``key`` indexes."""
    if key is None or key is ... or _is_flag(key):
        return 0
    return key.ndim if not isinstance(key, int | slice) and key.dtype.kind == "b" else 1


def _check_mask(key: Any, shape: tuple[int, ...]) -> None:
    """Raise for a mask whose lengths are neither those of the axes it indexes nor 0, which selects nothing."""
    if isinstance(key, (bool, int, *_BASIC)) or key.dtype.kind != "b":
        return
    if any(length not in (0, own) for length, own in zip(key.shape, shape, strict=False)):
        raise ArrayIndexError(
            f"a mask of shape {key.shape} does not index axes of lengths {shape[: key.ndim]}"
        )


def _indices(lib: Any, x: Any, key: Any) -> tuple[Any, ...]:
    """Return the integer arrays that a key stands for: one for each axis of a mask."""
    if type(key) is bool:
        return (_zeros(lib, x, int(key)),)
    if type(key) is int:
        return (_zeros(lib, x, ()) + key,)
    if key.dtype.kind == "b":
        return lib.nonzero(key) if key.ndim else lib.nonzero(key.reshape(1))
    return (key if key.dtype == "int64" else key.astype("int64"),)


def _zeros(lib: Any, x: Any, shape: Any) -> Any:
    """Return zeros where ``x`` is; CuPy's ``zeros_like`` takes the shapes () and 0 for that of ``x``."""
    one = lib.zeros_like(x, shape=(1,), dtype="int64")
    return one.reshape(()) if shape == () else one[:shape]


def _check_bounds(index: Any, length: int) -> None:
    """Raise for an index into an axis of no elements, the one that no value can meet."""
    if length == 0 and math.prod(index.shape):
        raise ArrayIndexError("an index into an axis of length 0")


def scatter_positions(lib: Any, x: Any, key: Any) -> Any:
    """Return the positions in the flattened ``x`` of the elements ``x[key]``."""
    ones = lib.ones_like(x, shape=(math.prod(x.shape),), dtype="int64")
    return getitem(lib, (lib.cumsum(ones) - 1).reshape(x.shape), key)
