"""Prepare the keys of ``x[key]``: choose the device, take in arrays, and check bounds of host arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    DTypeError,
    IntegerOverflowError,
    explain,
)
from .array import Array
from .device import Device
from .dtypes import int64, kind_of
from .foreign import lift_native
from .host_data import check_narrow
from .operands import describe, lift, meet_all, native_on


def index_operands(name: str, x: Array, key: Any, value: Any = None) -> tuple[Device, Any, Any]:
    """Return the device on which indexing runs, the native array there, and the key with its arrays as native ones.

    The device of a ``value`` to store counts as well.
    """
    at = x._device
    is_tuple = type(key) is tuple
    keys = key if is_tuple else (key,)
    if type(value) is not Array or _stays(at, value):
        natives = _natives_here(at, keys)
        if natives is not None:
            return at, x._native, tuple(natives) if is_tuple else natives[0]
    at, natives = _index_keys(name, x, keys, value)
    native = native_on(name, x, at)
    if name == "__setitem__" and x._device.adapter is not at.adapter and not x._device.adapter.has_views:
        native = at.function("copy")(native)  # an immutable array may have been moved without a copy
    return at, native, tuple(natives) if is_tuple else natives[0]


_PLAIN_KEYS = frozenset((int, slice, type(None), type(...), bool))


def is_basic(key: tuple[Any, ...]) -> bool:
    """Return whether a tuple holds only integers, slices, ``None``, ``...`` and bools, which every library takes."""
    for part in key:  # noqa: SIM110 -- a generator would cost more than most look-ups
        if type(part) not in _PLAIN_KEYS:
            return False
    return True


def _stays(at: Device, one: Array) -> bool:
    """Return whether an array on ``at`` need not move to be indexed with ``one``, nor change its device."""
    other = one._device
    return other is at or (at is at.committed and other.adapter is at.adapter)


def _natives_here(at: Device, keys: tuple[Any, ...]) -> list[Any] | None:
    """Return the keys as native values, or ``None`` if one must first be moved or converted."""
    natives = []
    for one in keys:
        if type(one) is Array:
            if not _stays(at, one) or kind_of(one.dtype) not in "iub":
                return None
            natives.append(one._native)
        elif type(one) in _PLAIN_KEYS:
            natives.append(one)
        else:
            return None
    return natives


def _index_keys(name: str, x: Array, keys: tuple[Any, ...], value: Any) -> tuple[Device, list[Any]]:
    keys = tuple(_index_list(name, one) if isinstance(one, list) else one for one in keys)
    if any(isinstance(one, np.ndarray) for one in keys):
        _check_host_indices(name, x.shape, keys)
    lifted = [one if type(one) in _PLAIN_KEYS else _index_key(name, one) for one in keys]
    tags = [(one._device, one.ndim) for one in (*lifted, value) if type(one) is Array]
    at = meet_all(name, [(x._device, x.ndim or 1), *tags]) if tags else x._device
    return at, [one if type(one) in _PLAIN_KEYS else _placed(name, one, at) for one in lifted]


def _placed(name: str, key: Any, at: Device) -> Any:
    """Return an index array as a native value of the device ``at``, in its dtype of indices if that is narrower."""
    if type(key) not in (Array, np.ndarray):
        return key
    try:
        if type(key) is Array:
            return native_on(name, key, at)
        if key.dtype == int64 and at.adapter.index_dtype != int64:
            key = _as_indices(name, key, at)
        return lift_native(name, key, at, None, None, follows=True)[0]
    except IntegerOverflowError as error:
        raise ArrayIndexError(str(error)) from error


def _as_indices(name: str, key: np.ndarray[Any, Any], at: Device) -> np.ndarray[Any, Any]:
    to = at.adapter.index_dtype
    if key.size:
        check_narrow(name, (int(key.min()), int(key.max())), to, at)
    return key.astype(to)


def _check_host_indices(name: str, shape: tuple[int, ...], keys: tuple[Any, ...]) -> None:
    """Raise for indices out of range while they are on the host: accelerators notice them too late, or never."""
    if not all(map(_surely_picks, keys)):
        return  # where nothing is picked, nothing is out of range
    rest = len(shape) - sum(map(_axes_taken, keys))
    axis = 0
    for key in keys:
        if key is ...:
            axis += max(rest, 0)
        elif isinstance(key, np.ndarray) and key.dtype.kind in "iu" and axis < len(shape):
            length = shape[axis]
            worst = next((i for i in (int(key.max()), int(key.min())) if not -length <= i < length), None)
            if worst is not None:
                raise ArrayIndexError(
                    f"{name}: index {worst} is out of bounds for axis {axis} with size {length}"
                )
        axis += _axes_taken(key)


def _surely_picks(key: Any) -> bool:
    """Return whether a key surely selects at least one element, as far as the host can tell."""
    if isinstance(key, np.ndarray):
        return key.size > 0 and (key.dtype.kind != "b" or bool(key.any()))
    if type(key) is Array:
        return key.size > 0 and kind_of(key.dtype) != "b"
    return key is not False and (type(key) in _PLAIN_KEYS or isinstance(key, np.integer))


def _axes_taken(key: Any) -> int:
    """Return how many axes of the array a key consumes."""
    if key is None or key is ... or key is True:
        return 0
    return key.ndim if isinstance(key, np.ndarray) and key.dtype.kind == "b" else 1


def _index_key(name: str, key: Any) -> Any:
    if isinstance(key, np.bool_):
        return bool(key)
    if isinstance(key, np.ndarray) and key.dtype.kind not in "iub":
        raise ArrayIndexError(f"{name}: an index array must be of integers or bools, not {key.dtype}")
    if isinstance(key, np.ndarray):
        return np.asarray(key)
    if type(key) is Array or hasattr(key, "__dlpack__"):
        lifted = lift(name, key)
        if kind_of(lifted.dtype) not in "iub":
            raise ArrayIndexError(
                f"{name}: an index array must be of integers or bools, not {lifted.dtype}; use astype"
            )
        return lifted
    if hasattr(key, "__index__"):
        return key.__index__()
    raise ArrayIndexError(
        f"{name}: cannot index with {type(key).__name__} {key!r:.40}; use integers, slices, None, ..., "
        f"or arrays of integers or bools"
    )


def _index_list(name: str, key: list[Any]) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(key, dtype=None if key else np.int64)
    except (TypeError, ValueError) as error:
        raise ArrayIndexError(f"{name}: cannot index with the list {key!r:.60}: {error}") from error


_ABOUT_A_KEY = (ArgumentError, ArgumentTypeError, DTypeError, IntegerOverflowError)


def explain_index(name: str, error: Exception, x: Array, key: Any) -> Exception:
    """Return the error of ``burn_array.errors`` for an error that a library raised while indexing.

    It is an ``ArrayIndexError`` if the key is to blame, as it always is in ``__getitem__``. A step of zero stays an
    ``ArgumentError``, which is Python's ``ValueError``.
    """
    text = " ".join(f"{key!r:.60}".split())
    explained = explain(name, error, [describe(x), f"key {text}"], x._device.adapter)
    key_is_wrong = name == "__getitem__" or any(map(_is_huge, key if type(key) is tuple else (key,)))
    if key_is_wrong and isinstance(explained, _ABOUT_A_KEY) and "step" not in str(error):
        return ArrayIndexError(str(explained))
    return explained


def _is_huge(key: Any) -> bool:
    """Return whether a key is an int that no array is long enough for."""
    return type(key) is int and not -(2**63) <= key < 2**63
