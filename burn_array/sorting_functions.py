"""Sorting functions of the standard. NaNs count as greater than every number."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_axis, check_ordered
from ._core.array import Array
from ._core.dispatch import apply
from ._core.operands import not_an_array

__all__ = ["argsort", "sort"]


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return the indices that would sort ``x`` along an axis.

    Parameters
    ----------
    x : Array
        Real or bools, with at least one axis.
    axis : int
        The axis to sort along.
    descending : bool
        Whether the greatest element comes first.
    stable : bool
        Whether equal elements keep their order.

    Returns
    -------
    Array
        Of the default integer dtype, with the shape of ``x``; for ``take_along_axis``.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``x`` is complex.
    """
    _check("argsort", x, axis)
    return apply("argsort", x, axis=axis, descending=descending, stable=stable)


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return ``x`` with its elements sorted along an axis.

    Parameters
    ----------
    x : Array
        Real or bools, with at least one axis.
    axis : int
        The axis to sort along.
    descending : bool
        Whether the greatest element comes first.
    stable : bool
        Whether equal elements keep their order.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``x`` is complex.
    """
    _check("sort", x, axis)
    return apply("sort", x, axis=axis, descending=descending, stable=stable)


def _check(name: str, x: Any, axis: int) -> None:
    """Raise if ``x`` is not an array of ordered numbers with that axis."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    check_axis(name, axis, x.ndim)
    check_ordered(name, x.dtype)
