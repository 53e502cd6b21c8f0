"""NumPy's indexing for libraries modelled on NumPy that support only part of it.

The parameter ``lib`` is the library. A key is split into a basic key (slices and ``None``, which give a view) and
integer arrays that index some axes of this view. If a slice stands between the arrays, NumPy puts their axes first in
the result; here the view is transposed for that.
"""

from __future__ import annotations

import math
from typing import Any

from burn_array.errors import ArrayIndexError, IntegerOverflowError

_BASIC = (slice, type(None), type(...))


def getitem(lib: Any, x: Any, key: Any) -> Any:
    """Return ``x[key]``: a view if the key holds no array, otherwise a copy."""
    if type(key) is slice:
        try:  # not a call of _check_slice, because slices are the most frequent keys
            key.indices(0)
        except TypeError:
            _check_slice(key)
        return x[key]
    if type(key) is int:
        return x[key]
    view, arrays = split(lib, x, key)
    return view[arrays] if arrays else view


def setitem(lib: Any, x: Any, key: Any, value: Any) -> None:
    """Set ``x[key]`` to ``value``: an array, which is broadcast and cast, or a Python scalar."""
    value = stored(value, x.dtype)
    view, arrays = split(lib, x, key)
    view[arrays or ...] = fitted(value, view, arrays)


def fitted(value: Any, view: Any, arrays: tuple[Any, ...]) -> Any:
    """Return ``value`` without surplus leading axes of length 1, which NumPy drops and CuPy and dpnp refuse."""
    if isinstance(value, (bool, int, float, complex)):
        return value
    ranks = [array.ndim for array in arrays if type(array) is not slice]
    axes = view.ndim - len(ranks) + max(ranks, default=0)
    while value.ndim > axes and value.shape[0] == 1:
        value = value[0]
    return value


def stored(value: Any, dtype: Any) -> Any:
    """Return ``value`` in the form in which an array of ``dtype`` stores it; arrays are returned unchanged.

    Raises
    ------
    ValueError, OverflowError
        if ``dtype`` is an integer dtype and ``value`` is NaN, infinite or out of its range
    """
    if type(value) is float and dtype.kind in "iu":
        value = int(value)
    if type(value) is int:
        if dtype.kind == "b":
            return bool(value)
        check_fits(value, dtype)
        return float(value) if dtype.kind in "fc" else value
    return value


def check_fits(value: int, dtype: Any) -> None:
    """Do nothing if ``dtype`` can hold a Python integer, or is no integer dtype.

    Raises
    ------
    IntegerOverflowError
        if the integer is out of range
    """
    if dtype.kind not in "iu":
        return
    bits = 8 * dtype.itemsize - (dtype.kind == "i")
    if not (-(1 << bits) if dtype.kind == "i" else 0) <= value < 1 << bits:
        raise IntegerOverflowError(f"Python integer {value} out of bounds for {dtype}")


def split(lib: Any, x: Any, key: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the view that the basic part of ``key`` selects, and the key of arrays that then indexes this view."""
    keys = key if type(key) is tuple else (key,)
    if all(type(part) is int or isinstance(part, _BASIC) for part in keys):
        return _basic(x, keys), ()
    keys = _complete(keys, x.ndim)
    basic: list[Any] = []
    axes: list[int] = []
    arrays: list[Any] = []
    places: list[int] = []
    source = 0
    for place, part in enumerate(keys):
        _check_mask(part, x.shape[source:])
        source += 0 if part is ... else _consumed(part)
        if isinstance(part, _BASIC):
            basic += [] if part is ... else [part]
            continue
        for index in _indices(lib, x, part):
            axes.append(len(basic))
            arrays.append(index)
            basic.append(None if _is_flag(part) else slice(None))
        places.append(place)
    view = x[tuple(basic)] if basic else x
    for axis, array in zip(axes, arrays, strict=True):
        _check_bounds(array, view.shape[axis])
    separated = places[-1] - places[0] >= len(places)
    if not separated:
        return view, (*(slice(None),) * axes[0], *arrays)
    rest = [axis for axis in range(view.ndim) if axis not in axes]
    return lib.transpose(view, (*axes, *rest)), tuple(arrays)


def _check_slice(key: slice) -> None:
    """Raise if a part of a slice is not an integer; some libraries would convert it."""
    try:
        key.indices(0)
    except TypeError as error:
        raise ArrayIndexError(f"{key!r:.60}: {error}") from error


def _basic(x: Any, keys: tuple[Any, ...]) -> Any:
    """Return ``x[keys]``, a view even if it is 0-d, which ``...`` in the key ensures."""
    for part in keys:
        if type(part) is slice:
            _check_slice(part)
    try:
        return x[(*keys, ...)] if ... not in keys else x[keys]
    except OverflowError as error:
        raise ArrayIndexError(f"index out of bounds: {error}") from error


def _complete(keys: tuple[Any, ...], ndim: int) -> tuple[Any, ...]:
    """Return ``keys`` with a slice for each axis that ``...`` stands for.

    The ``...`` itself stays, because arrays on both sides of it count as separated.
    """
    missing = ndim - sum(_consumed(part) for part in keys)
    places = [place for place, part in enumerate(keys) if part is ...]
    if missing < 0 or len(places) > 1:
        raise ArrayIndexError(f"too many indices for an array of {ndim} dimensions: {ndim - missing}")
    if not places:
        return (*keys, *(slice(None),) * missing)
    return (*keys[: places[0] + 1], *(slice(None),) * missing, *keys[places[0] + 1 :])


def _is_flag(key: Any) -> bool:
    """Return whether ``key`` is a bool or a 0-d mask, which add an axis instead of indexing one."""
    return type(key) is bool or (
        not isinstance(key, (int, *_BASIC)) and key.dtype.kind == "b" and not key.ndim
    )


def _consumed(key: Any) -> int:
    """Return how many axes ``key`` indexes."""
    if key is None or key is ... or _is_flag(key):
        return 0
    return key.ndim if not isinstance(key, int | slice) and key.dtype.kind == "b" else 1


def _check_mask(key: Any, shape: tuple[int, ...]) -> None:
    """Raise if a length of a mask is neither that of the axis it indexes nor 0, which selects nothing."""
    if isinstance(key, (bool, int, *_BASIC)) or key.dtype.kind != "b":
        return
    if any(length not in (0, own) for length, own in zip(key.shape, shape, strict=False)):
        raise ArrayIndexError(
            f"a mask of shape {key.shape} does not index axes of lengths {shape[: key.ndim]}"
        )


def _indices(lib: Any, x: Any, key: Any) -> tuple[Any, ...]:
    """Return the integer arrays that ``key``, an integer or an array, stands for: one for each axis of a mask."""
    if type(key) is bool:
        return (_zeros(lib, x, int(key)),)
    if type(key) is int:
        return (_zeros(lib, x, ()) + key,)
    if key.dtype.kind == "b":
        return lib.nonzero(key) if key.ndim else lib.nonzero(key.reshape(1))
    return (key if key.dtype == "int64" else key.astype("int64"),)


def _zeros(lib: Any, x: Any, shape: Any) -> Any:
    """Return int64 zeros on the device of ``x``; CuPy's ``zeros_like`` reads the shapes () and 0 as that of ``x``."""
    zero = lib.zeros_like(x, shape=(1,), dtype="int64")
    return zero.reshape(()) if shape == () else zero[:shape]


def _check_bounds(index: Any, length: int) -> None:
    """Raise if an axis of length 0 is indexed, for which no index is in range."""
    if length == 0 and math.prod(index.shape):
        raise ArrayIndexError("an index into an axis of length 0")


def scatter_positions(lib: Any, x: Any, key: Any) -> Any:
    """Return the positions that the elements ``x[key]`` have in the flattened ``x``."""
    ones = lib.ones_like(x, shape=(math.prod(x.shape),), dtype="int64")
    return getitem(lib, (lib.cumsum(ones) - 1).reshape(x.shape), key)
