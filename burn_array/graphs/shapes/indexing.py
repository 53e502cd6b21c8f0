"""Access to elements by a key, and assignment."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import CaptureError
from ..values import SCALARS, Spec
from . import rule
from .manipulation import stand_in
from .probing import call, is_array


def is_basic(key: Any) -> bool:
    """Return whether a key holds no array and no bool, so that it gives a view."""
    return not any(is_array(one) or type(one) is bool for one in (key if type(key) is tuple else (key,)))


def selected(shape: tuple[int, ...], key: Any, masks: bool = False) -> tuple[int | None, ...]:
    """Return the shape of ``x[key]``.

    With ``masks`` an array of bools is taken as well; the length of the axis that it makes is then ``None``.

    Raises
    ------
    CaptureError
        If the length depends on the values of an array of bools.
    IndexError
        If the key does not fit the shape.
    """
    keys = key if type(key) is tuple else (key,)
    if is_basic(key):
        found: tuple[int, ...] = stand_in(Spec(shape, None))[key].shape
        return found
    if not masks and any(is_array(one) and one.dtype.kind == "b" for one in keys):
        raise CaptureError(
            "how many elements there are depends on values, which a capture does not have; use "
            "where(mask, x, other), or index outside of the capture; x[mask] = value works"
        )
    return _advanced(shape, keys)


def _taken(one: Any) -> int:
    """Return how many axes of the array a part of a key consumes."""
    if one is None or one is ... or type(one) is bool:
        return 0
    return one.ndim if is_array(one) and one.dtype.kind == "b" else 1


def _advanced(shape: tuple[int, ...], keys: tuple[Any, ...]) -> tuple[int | None, ...]:
    rest = len(shape) - sum(map(_taken, keys))
    if rest < 0:
        raise IndexError(f"too many indices for an array of {len(shape)} dimensions")
    if not any(one is ... for one in keys):
        keys = (*keys, ...)
    out: list[int | None] = []
    shapes: list[Any] = []
    places: list[
        tuple[int, int]
    ] = []  # where each index array stands in the key, and where its axes would go
    axis = 0
    for number, one in enumerate(keys):
        if one is None:
            out.append(1)
        elif one is ...:
            out += shape[axis : axis + rest]
            axis += rest
        elif type(one) is slice:
            out.append(len(range(shape[axis])[one]))
            axis += 1
        else:
            shapes.append(_index_shape(one, shape, axis))
            places.append((number, len(out)))
            axis += _taken(one)
    known = [s for s in shapes if None not in s]
    joint: tuple[int | None, ...] = np.broadcast_shapes(*known)
    if len(known) < len(shapes):
        joint = joint if joint and joint[-1] != 1 else (*joint[:-1], None)
    numbers = [number for number, _ in places]
    together = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    at = places[0][1] if together else 0
    return (*out[:at], *joint, *out[at:])


def _index_shape(one: Any, shape: tuple[int, ...], axis: int) -> tuple[int | None, ...]:
    """Return the shape of an index array, of an int, or of a bool, which are index arrays beside one."""
    if type(one) is bool:
        return (int(one),)
    if not is_array(one):
        if not -shape[axis] <= one < shape[axis]:
            raise IndexError(f"index {one} is out of bounds for axis {axis} with size {shape[axis]}")
        return ()
    if one.dtype.kind != "b":
        return one.shape  # type: ignore[no-any-return]
    if one.shape != shape[axis : axis + one.ndim]:
        raise IndexError(f"boolean index did not match indexed array: {one.shape} in {shape} at axis {axis}")
    return (None,)


@rule("getitem")
def _getitem(x: Any, key: Any) -> Spec:
    return Spec(selected(x.shape, key), x.dtype)


@rule("setitem")
def _setitem(x: Any, key: Any, value: Any) -> Spec:
    shape = selected(x.shape, key, masks=True)
    if type(value) in SCALARS:
        call("setitem", (Spec((), x.dtype), ..., value), {}, lambda one: np.zeros((), _plain(one.dtype)))
    elif not _fits(value.shape, shape):
        shown = str(shape).replace("None", "?")
        raise ValueError(f"could not broadcast a value of shape {value.shape} into the shape {shown}")
    return Spec(x.shape, x.dtype)


def _plain(dtype: Any) -> Any:
    return np.dtype("float16") if dtype.name == "bfloat16" else dtype


def _fits(value: tuple[int, ...], shape: tuple[int | None, ...]) -> bool:
    """Return whether a shape broadcasts to that of the selected elements; axes of length 1 in front are left out."""
    while len(value) > len(shape) and value[0] == 1:
        value = value[1:]
    if len(value) > len(shape):
        return False
    return all(n == 1 or n == m or m is None for n, m in zip(value[::-1], shape[::-1], strict=False))


@rule("scatter_add")
def _scatter_add(x: Any, indices: Any, values: Any) -> Spec:
    selected(x.shape, indices, masks=True)
    return Spec(x.shape, x.dtype)
