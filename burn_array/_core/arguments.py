"""Check arguments that are not arrays: counts, shapes and axes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from ..errors import (
    ArgumentError,
    ArgumentTypeError,
    AxisError,
    DTypeError,
    IntegerOverflowError,
    ShapeError,
)


def integer(function: str, what: str, value: Any) -> int:
    """Return ``value`` as an int.

    Raises
    ------
    ArgumentTypeError
        If it is not an integer.
    """
    try:
        return operator.index(value)
    except TypeError:
        raise ArgumentTypeError(f"{function}: {what} must be an integer, got {value!r:.60}") from None


def count(function: str, what: str, value: Any) -> int:
    """Return ``value`` as an int; a negative one raises ``ArgumentError``."""
    number = integer(function, what, value)
    if number < 0:
        raise ArgumentError(f"{function}: {what} must not be negative, got {number}")
    return number


def integers(function: str, what: str, values: Any) -> tuple[int, ...]:
    """Return one integer, or an iterable of integers, as a tuple of ints."""
    if not isinstance(values, Iterable) or isinstance(values, str) or hasattr(values, "__index__"):
        return (integer(function, what, values),)
    return tuple(integer(function, what, value) for value in values)


_BOUNDS = frozenset((int, type(None)))


def with_plain_bounds(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``function(x, key, ...)`` so that it gets slices whose bounds and steps are ints or ``None``."""

    def keyed(x: Any, key: Any, *value: Any) -> Any:
        if type(key) is slice:
            key = _plain_slice(key)
        elif type(key) is tuple:
            key = tuple(_plain_slice(one) if type(one) is slice else one for one in key)
        return function(x, key, *value)

    return keyed


def _plain_slice(key: slice) -> slice:
    bounds = (key.start, key.stop, key.step)
    if all(type(one) in _BOUNDS for one in bounds):
        return key
    try:
        return slice(*(one if one is None else operator.index(one) for one in bounds))
    except TypeError as error:
        raise IndexError(f"the bounds of a slice must be integers or None: {error}") from error


def check_axis(function: str, axis: Any, ndim: int) -> None:
    """Raise ``AxisError`` if an array with ``ndim`` axes does not have ``axis``."""
    if not -ndim <= integer(function, "axis", axis) < ndim:
        raise AxisError(f"{function}: axis {axis} is out of range for an array of {ndim} dimensions")


def check_matrices(function: str, ndim: int) -> None:
    """Raise ``ShapeError`` if an array with ``ndim`` axes is not a stack of matrices."""
    if ndim < 2:
        raise ShapeError(
            f"{function}: expected a matrix or a stack of them, got {ndim} dimensions; use reshape"
        )


def check_ordered(function: str, dtype: Any) -> None:
    """Raise ``DTypeError`` for a complex dtype, because complex numbers have no order."""
    if dtype.kind == "c":
        raise DTypeError(
            f"{function}: complex numbers have no order; use abs(x), real(x) or imag(x), not {dtype}"
        )


def check_numeric(function: str, dtype: Any) -> None:
    """Raise ``DTypeError`` for bool, in a function of numbers."""
    if dtype.kind == "b":
        raise DTypeError(f"{function}: expected numbers, got bool; convert with astype(x, int8), or compare")


def check_contraction(axes: Any, ndims: tuple[int, int]) -> None:
    """Raise if ``tensordot`` cannot contract ``axes`` of arrays with these numbers of axes."""
    if isinstance(axes, Iterable):
        pairs = list(axes)
        if len(pairs) != 2:
            raise ArgumentError(f"tensordot: axes are an integer or two sequences, got {axes!r}")
        first, second = (integers("tensordot", "axes", some) for some in pairs)
        if len(first) != len(second):
            raise ArgumentError(f"tensordot: {len(first)} axes of x1 are paired with {len(second)} of x2")
        for some, ndim in zip((first, second), ndims, strict=True):
            for axis in some:
                check_axis("tensordot", axis, ndim)
            if len({axis % ndim for axis in some}) < len(some):
                raise ArgumentError(f"tensordot: an axis is named twice in {some}")
        return
    number = count("tensordot", "axes", axes)
    if number > min(ndims):
        raise AxisError(
            f"tensordot: cannot contract {number} axes of arrays of {ndims[0]} and {ndims[1]} dimensions"
        )


def check_shifts(shift: Any, axis: Any, ndim: int) -> None:
    """Raise if ``shift`` and ``axis`` of ``roll`` do not match each other or the array."""
    shifts = integers("roll", "shift", shift)
    if axis is None:
        if len(shifts) > 1:
            raise ArgumentError(f"roll: {len(shifts)} shifts need as many axes; give axis=")
        return
    axes = integers("roll", "axis", axis)
    for one in axes:
        check_axis("roll", one, ndim)
    if len({one % ndim for one in axes}) < len(axes):
        raise ArgumentError(f"roll: an axis is named twice in {axes}; add the shifts up")
    if len(shifts) not in (1, len(axes)):
        raise ArgumentError(f"roll: {len(shifts)} shifts do not go with {len(axes)} axes")


def check_range(function: str, ends: Iterable[int], dtype: Any, least: int, greatest: int) -> None:
    """Raise ``IntegerOverflowError`` if an integer dtype cannot hold all of ``ends``."""
    for end in ends:
        if not least <= end <= greatest:
            raise IntegerOverflowError(f"{function}: {end} does not fit {dtype}; ask for a wider dtype")
