"""Manipulation functions of the standard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ._core.arguments import check_axis, count, integer, integers
from ._core.array import Array
from ._core.dispatch import apply, call, joined, wrap
from ._core.operands import describe, not_an_array, unwrap, unwrap_arrays
from .errors import ArgumentError, ArgumentTypeError, ShapeError, explain

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """Return the arrays with the shape that they broadcast to."""
    if not arrays:
        return ()
    at, natives = unwrap_arrays("broadcast_arrays", arrays)
    try:
        return tuple(wrap(at, out) for out in call("broadcast_arrays", at, *natives))
    except ShapeError as error:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ShapeError(f"broadcast_arrays: the shapes {shapes} could not be broadcast together") from error


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that the shapes broadcast to.

    Raises
    ------
    ShapeError
        if they do not
    """
    for shape in shapes:
        if isinstance(shape, int) or any(not isinstance(length, int) for length in shape):
            raise ArgumentTypeError(f"broadcast_shapes: shapes are tuples of integers, got {shape!r}")
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(f"broadcast_shapes: {', '.join(map(str, shapes))} do not go together") from None


def broadcast_to(x: Array, /, shape: tuple[int, ...]) -> Array:
    """Return ``x`` repeated to ``shape``, as a view where the library can."""
    return apply("broadcast_to", x, integers("broadcast_to", "shape", shape))


def concat(arrays: Sequence[Array], /, *, axis: int | None = 0) -> Array:
    """Return the arrays joined along an existing axis, all flattened for ``axis=None``."""
    return joined("concat", arrays, axis)


def stack(arrays: Sequence[Array], /, *, axis: int = 0) -> Array:
    """Return the arrays, all of one shape, joined along a new axis."""
    return joined("stack", arrays, axis)


def expand_dims(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """Return ``x`` with new axes of length one at the positions ``axis`` of the result."""
    return apply("expand_dims", x, axis)


def flip(x: Array, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Return ``x`` in reverse order along ``axis``, along every axis without."""
    return apply("flip", x, axis=axis)


def moveaxis(x: Array, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Array:
    """Return ``x`` with the axes ``source`` at the positions ``destination``, the others in their order."""
    return apply("moveaxis", x, source, destination)


def permute_dims(x: Array, /, axes: tuple[int, ...]) -> Array:
    """Return ``x`` with its axes in the order ``axes``."""
    axes = tuple(axes)
    if type(x) is Array and len(axes) != x.ndim:
        raise ArgumentError(f"permute_dims: {axes} are not the axes of an array of {x.ndim} dimensions")
    return apply("permute_dims", x, axes)


def repeat(x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Return each element repeated along ``axis``, of the flattened array without.

    ``repeats`` is one number for all, or an array with one for each element along the axis.
    """
    if axis is not None and type(x) is Array:
        check_axis("repeat", axis, x.ndim)
    if type(repeats) is not Array and not hasattr(repeats, "shape"):
        return apply("repeat", x, count("repeat", "repeats", repeats), axis=axis)
    at, (values, counts) = unwrap("repeat", (x, repeats))
    return wrap(at, call("repeat", at, values, counts, axis=axis))


def reshape(x: Array, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Array:
    """Return the elements of ``x``, in row-major order, with ``shape``; one length may be -1.

    Raises
    ------
    ShapeError
        if the shape has another number of elements
    CopyRequiredError
        for ``copy=False`` where only a copy would do
    """
    if type(x) is not Array:
        raise not_an_array("reshape", x)
    return _reshaped(x, shape if type(shape) is tuple else integers("reshape", "shape", shape), copy)


def _reshaped(x: Any, shape: tuple[int, ...], copy: bool | None) -> Array:
    at = x._device
    try:
        function = at.functions.get("reshape")
        if function is None:
            function = at.function("reshape")
        out = function(x._native, shape) if copy is None else function(x._native, shape, copy=copy)
    except Exception as error:
        raise explain("reshape", error, [describe(x), str(shape), f"copy={copy}"], at.adapter) from error
    return wrap(at, out)


def roll(x: Array, /, shift: int | tuple[int, ...], *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Return ``x`` shifted along ``axis``, what leaves at one end coming back at the other."""
    several = isinstance(shift, tuple | list)
    return apply("roll", x, (integers if several else integer)("roll", "shift", shift), axis=axis)


def squeeze(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """Return ``x`` without the axes ``axis``, all of length one."""
    if type(x) is not Array:
        raise not_an_array("squeeze", x)
    _check_squeezable(x, integers("squeeze", "axis", axis))
    return apply("squeeze", x, axis)


def _check_squeezable(x: Array, axes: tuple[int, ...]) -> None:
    shape = x.shape
    for axis in axes:
        check_axis("squeeze", axis, len(shape))
        if shape[axis] != 1:
            raise ShapeError(f"squeeze: axis {axis} of shape {shape} is not of length one")


def tile(x: Array, repetitions: tuple[int, ...], /) -> Array:
    """Return ``x`` repeated as a whole along each axis."""
    if isinstance(repetitions, int) or not isinstance(repetitions, Iterable):
        raise ArgumentTypeError(f"tile: repetitions must be a tuple of integers, got {repetitions!r}")
    return apply("tile", x, tuple(count("tile", "a repetition", one) for one in repetitions))


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the sub-arrays along ``axis``, as a tuple."""
    if type(x) is not Array:
        raise not_an_array("unstack", x)
    check_axis("unstack", axis, x.ndim)
    at = x._device
    return tuple(wrap(at, out) for out in call("unstack", at, x._native, axis=axis))
