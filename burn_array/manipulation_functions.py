"""Manipulation functions of the standard. A result may share memory with its operand: do not count on a copy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ._core.arguments import check_axis, check_shifts, count, integer, integers
from ._core.array import Array
from ._core.dispatch import apply, call, joined, wrap
from ._core.dtypes import kind_of
from ._core.operands import describe, not_an_array, unwrap, unwrap_arrays
from .errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError, explain

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
    """Return arrays repeated to the one shape to which they broadcast.

    Parameters
    ----------
    *arrays : Array
        Of any dtypes.

    Returns
    -------
    tuple of Array
        Each with its own dtype; views where the library has them.

    Raises
    ------
    ShapeError
        If the shapes cannot be broadcast together.
    """
    if not arrays:
        return ()
    at, natives = unwrap_arrays("broadcast_arrays", arrays)
    try:
        return tuple(wrap(at, out) for out in call("broadcast_arrays", at, *natives))
    except ShapeError as error:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ShapeError(f"broadcast_arrays: the shapes {shapes} could not be broadcast together") from error


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to which shapes broadcast.

    Parameters
    ----------
    *shapes : tuple of int
        The shapes.

    Returns
    -------
    tuple of int
        The broadcast shape.

    Raises
    ------
    ShapeError
        If the shapes cannot be broadcast together.
    ArgumentTypeError
        If a shape is not a tuple of integers.
    """
    for shape in shapes:
        if isinstance(shape, int) or any(not isinstance(length, int) for length in shape):
            raise ArgumentTypeError(f"broadcast_shapes: shapes are tuples of integers, got {shape!r}")
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(
            f"broadcast_shapes: {', '.join(map(str, shapes))} cannot be broadcast together"
        ) from None


def broadcast_to(x: Array, /, shape: tuple[int, ...]) -> Array:
    """Return ``x`` repeated to a shape.

    Parameters
    ----------
    x : Array
        Of any dtype.
    shape : tuple of int
        The shape, to which that of ``x`` broadcasts.

    Returns
    -------
    Array
        The dtype of ``x`` and that shape; a view where the library has them.

    Raises
    ------
    ShapeError
        If the shape of ``x`` does not broadcast to ``shape``.
    """
    lengths = integers("broadcast_to", "shape", shape)
    if any(length < 0 for length in lengths):
        raise ShapeError(f"broadcast_to: lengths must not be negative, got {lengths}")
    return apply("broadcast_to", x, lengths)


def concat(arrays: Sequence[Array], /, *, axis: int | None = 0) -> Array:
    """Return arrays joined along an axis that they have.

    Parameters
    ----------
    arrays : sequence of Array
        At least one; their shapes agree along every other axis.
    axis : int or None
        The axis to join along; with ``None`` the arrays are flattened first.

    Returns
    -------
    Array
        The promoted dtype.

    Raises
    ------
    ShapeError
        If the shapes do not agree, or an array is 0-d.
    AxisError
        If the arrays do not have the axis.
    ArgumentError
        If there are no arrays.
    """
    return joined("concat", arrays, axis)


def stack(arrays: Sequence[Array], /, *, axis: int = 0) -> Array:
    """Return arrays of one shape joined along a new axis.

    Parameters
    ----------
    arrays : sequence of Array
        At least one.
    axis : int
        The position of the new axis in the result.

    Returns
    -------
    Array
        The promoted dtype, with one axis more.

    Raises
    ------
    ShapeError
        If the shapes differ.
    AxisError
        If ``axis`` is out of range.
    ArgumentError
        If there are no arrays.
    """
    return joined("stack", arrays, axis)


def expand_dims(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """Return ``x`` with new axes of length 1.

    Parameters
    ----------
    x : Array
        Of any dtype.
    axis : int or tuple of int
        The positions of the new axes in the result.

    Returns
    -------
    Array
        The dtype and elements of ``x``.

    Raises
    ------
    AxisError
        If a position is out of range.
    ArgumentError
        If a position is repeated.
    """
    return apply("expand_dims", x, axis)


def flip(x: Array, /, *, axis: int | tuple[int, ...] | None = None) -> Array:
    """Return ``x`` with its elements in reverse order along axes.

    Parameters
    ----------
    x : Array
        Of any dtype.
    axis : int, tuple of int or None
        The axes to reverse; ``None`` for all.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return apply("flip", x, axis=axis)


def moveaxis(x: Array, source: int | tuple[int, ...], destination: int | tuple[int, ...], /) -> Array:
    """Return ``x`` with some axes at other positions; the other axes keep their order.

    Parameters
    ----------
    x : Array
        Of any dtype.
    source : int or tuple of int
        The axes to move.
    destination : int or tuple of int
        Their positions in the result.

    Returns
    -------
    Array
        The dtype and elements of ``x``.

    Raises
    ------
    AxisError
        If an axis or position is out of range.
    ArgumentError
        If one is repeated, or there are not as many positions as axes.
    """
    return apply("moveaxis", x, source, destination)


def permute_dims(x: Array, /, axes: tuple[int, ...]) -> Array:
    """Return ``x`` with its axes in another order.

    Parameters
    ----------
    x : Array
        Of any dtype.
    axes : tuple of int
        Every axis of ``x`` once, in the order of the result.

    Returns
    -------
    Array
        The dtype and elements of ``x``.

    Raises
    ------
    ArgumentError
        If ``axes`` has another length, or repeats an axis.
    AxisError
        If ``x`` does not have one of the axes.
    """
    axes = tuple(axes)
    if type(x) is Array and len(axes) != x.ndim:
        raise ArgumentError(
            f"permute_dims: {axes} must name each axis of an array of {x.ndim} dimensions once"
        )
    return apply("permute_dims", x, axes)


def repeat(x: Array, repeats: Any, /, *, axis: int | None = None) -> Array:
    """Return ``x`` with each element repeated.

    Parameters
    ----------
    x : Array
        Of any dtype.
    repeats : int or Array of integers
        How often: a number for all, or one for each position along the axis.
    axis : int, optional
        The axis along which to repeat; by default ``x`` is flattened first.

    Returns
    -------
    Array
        The dtype of ``x``; along the axis as long as the sum of the repeats.

    Raises
    ------
    ArgumentError
        If a Python int is negative.
    ShapeError
        If an array of repeats has another length than the axis.
    AxisError
        If ``x`` does not have the axis.
    """
    if axis is not None and type(x) is Array:
        check_axis("repeat", axis, x.ndim)
    if type(repeats) is not Array and not hasattr(repeats, "shape"):
        return apply("repeat", x, count("repeat", "repeats", repeats), axis=axis)
    at, (values, counts) = unwrap("repeat", (x, repeats))
    if kind_of(at.dtype_of(counts)) not in "iu":
        raise DTypeError(f"repeat: the counts must be integers, not {at.dtype_of(counts)}")
    lengths, have = at.shape_of(values), at.shape_of(counts)
    needed = lengths[axis] if axis is not None else math.prod(lengths)
    if have not in ((), (1,), (needed,)):
        raise ShapeError(f"repeat: {needed} elements cannot be repeated by counts of shape {have}")
    return wrap(at, call("repeat", at, values, counts, axis=axis))


def reshape(x: Array, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Array:
    """Return the elements of ``x``, in row-major order, with another shape.

    Parameters
    ----------
    x : Array
        Of any dtype.
    shape : tuple of int
        The new shape; one length may be -1, and is found from the others.
    copy : bool, optional
        Whether to copy the memory; by default only if the library has to.

    Returns
    -------
    Array
        The dtype of ``x`` and that shape.

    Raises
    ------
    ShapeError
        If the shape has another number of elements.
    CopyRequiredError
        If ``copy=False`` and the memory must be copied; NumPy's own refusal is an ArgumentError.
    """
    if type(x) is not Array:
        raise not_an_array("reshape", x)
    return _reshaped(x, shape if type(shape) is tuple else integers("reshape", "shape", shape), copy)


def _reshaped(x: Any, shape: tuple[int, ...], copy: bool | None) -> Array:
    """Return an array reshaped by its library, whose ``copy`` argument is left out unless it is needed."""
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
    """Return ``x`` with its elements shifted along axes; those that leave at one end come back at the other.

    Parameters
    ----------
    x : Array
        Of any dtype.
    shift : int or tuple of int
        By how many places, towards greater indices.
    axis : int, tuple of int or None
        The axes of the shifts; with ``None`` the flattened array is shifted.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    ArgumentError
        If ``shift`` and ``axis`` are tuples of different lengths.
    """
    several = isinstance(shift, tuple | list)
    if type(x) is Array:
        check_shifts(shift, axis, x.ndim)
    return apply("roll", x, (integers if several else integer)("roll", "shift", shift), axis=axis)


def squeeze(x: Array, /, axis: int | tuple[int, ...]) -> Array:
    """Return ``x`` without some axes of length 1.

    Parameters
    ----------
    x : Array
        Of any dtype.
    axis : int or tuple of int
        The axes to leave out.

    Returns
    -------
    Array
        The dtype and elements of ``x``.

    Raises
    ------
    ShapeError
        If an axis has another length than 1.
    AxisError
        If ``x`` does not have one of the axes.
    """
    if type(x) is not Array:
        raise not_an_array("squeeze", x)
    _check_squeezable(x, integers("squeeze", "axis", axis))
    return apply("squeeze", x, axis)


def _check_squeezable(x: Array, axes: tuple[int, ...]) -> None:
    """Raise if an axis does not exist or is not of length one."""
    shape = x.shape
    for axis in axes:
        check_axis("squeeze", axis, len(shape))
        if shape[axis] != 1:
            raise ShapeError(f"squeeze: axis {axis} of shape {shape} is not of length one")


def tile(x: Array, repetitions: tuple[int, ...], /) -> Array:
    """Return ``x`` repeated as a whole, like a tile, along each axis.

    Parameters
    ----------
    x : Array
        Of any dtype.
    repetitions : tuple of int
        How often along each axis; for fewer numbers than axes the first axes are not repeated, for more
        numbers ``x`` gets new axes in front.

    Returns
    -------
    Array
        The dtype of ``x``.

    Raises
    ------
    ArgumentTypeError
        If ``repetitions`` is not a tuple of integers.
    ArgumentError
        If a number is negative.
    """
    if isinstance(repetitions, int) or not isinstance(repetitions, Iterable):
        raise ArgumentTypeError(f"tile: repetitions must be a tuple of integers, got {repetitions!r}")
    return apply("tile", x, tuple(count("tile", "a repetition", one) for one in repetitions))


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Return the slices of ``x`` along an axis as separate arrays.

    Parameters
    ----------
    x : Array
        Of any dtype, with at least one axis.
    axis : int
        The axis that is taken apart.

    Returns
    -------
    tuple of Array
        As many as the axis is long, each without the axis.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis.
    """
    if type(x) is not Array:
        raise not_an_array("unstack", x)
    check_axis("unstack", axis, x.ndim)
    at = x._device
    return tuple(wrap(at, out) for out in call("unstack", at, x._native, axis=axis))
