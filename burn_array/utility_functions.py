"""Utility functions of the standard."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_axis, count
from ._core.array import Array
from ._core.dispatch import call, reduction, wrap
from ._core.operands import unwrap_arrays

__all__ = ["all", "any", "diff"]


def all(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return whether all elements along axes are true; without elements it is true.

    Parameters
    ----------
    x : Array
        Of any dtype; a number is true unless it is zero.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Bools, with the shape of ``x`` without the axes.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return reduction("all", x, axis, keepdims)


def any(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return whether at least one element along axes is true; without elements it is false.

    Parameters
    ----------
    x : Array
        Of any dtype; a number is true unless it is zero.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Bools, with the shape of ``x`` without the axes.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return reduction("any", x, axis, keepdims)


def diff(
    x: Array, /, n: int = 1, *, axis: int = -1, prepend: Array | None = None, append: Array | None = None
) -> Array:
    """Return the differences of neighbouring elements along an axis, ``x[k + 1] - x[k]``.

    Parameters
    ----------
    x : Array
        Numeric; of bools the difference tells whether two neighbours differ.
    n : int
        How often the differences are taken. The standard takes it by name only; NumPy, and libraries such as
        scikit-learn, also pass it by position.
    axis : int
        The axis to go along.
    prepend, append : Array, optional
        Joined on before and after ``x`` along the axis first.

    Returns
    -------
    Array
        The dtype of ``x``; along the axis shorter by ``n``, but not below length 0.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis.
    ArgumentError
        If ``n`` is negative.
    ShapeError
        If ``prepend`` or ``append`` does not fit ``x`` along the other axes.
    """
    given = [one for one in (prepend, append) if one is not None]
    at, (values, *joined) = unwrap_arrays("diff", (x, *given))
    check_axis("diff", axis, len(at.shape_of(values)))
    before = None if prepend is None else joined.pop(0)
    after = joined[0] if joined else None
    n = count("diff", "n", n)
    return wrap(at, call("diff", at, values, axis=axis, n=n, prepend=before, append=after))
