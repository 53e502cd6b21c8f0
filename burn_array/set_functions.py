"""Set functions of the standard. Unique values are in ascending order, and each NaN is a value of its own."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core.array import Array
from ._core.dispatch import apply, call, wrap
from ._core.operands import not_an_array, unwrap

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """The values, indices, inverse indices and counts that ``unique_all`` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """The values and counts that ``unique_counts`` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """The values and inverse indices that ``unique_inverse`` returns."""

    values: Array
    inverse_indices: Array


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    """Return whether each element of ``x1`` occurs in ``x2``.

    Parameters
    ----------
    x1, x2 : Array or number
        The elements, and the values to look for; one of the two is an array.
    invert : bool
        Whether to return the opposite.

    Returns
    -------
    Array
        Bools, with the shape of ``x1``.
    """
    at, (elements, test) = unwrap("isin", (x1, x2))
    return wrap(at, call("isin", at, elements, test, invert=invert))


def _unique(name: str, x: Any) -> list[Array]:
    """Return the results of one of the ``unique`` functions."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    return [wrap(at, out) for out in call(name, at, x._native)]


def unique_all(x: Array, /) -> UniqueAllResult:
    """Return the unique values of ``x``, where they occur and how often.

    Parameters
    ----------
    x : Array
        Of any dtype and shape.

    Returns
    -------
    UniqueAllResult
        ``values``, one-dimensional; for each of them the index of its first occurrence in the flattened
        ``x`` (``indices``) and its number of occurrences (``counts``); for each element of ``x``, in its
        shape, the index of its value (``inverse_indices``).
    """
    return UniqueAllResult(*_unique("unique_all", x))


def unique_counts(x: Array, /) -> UniqueCountsResult:
    """Return the unique values of ``x`` and how often each occurs.

    Parameters
    ----------
    x : Array
        Of any dtype and shape.

    Returns
    -------
    UniqueCountsResult
        ``values`` and ``counts``, both one-dimensional.
    """
    return UniqueCountsResult(*_unique("unique_counts", x))


def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """Return the unique values of ``x``, and for each element the index of its value.

    Parameters
    ----------
    x : Array
        Of any dtype and shape.

    Returns
    -------
    UniqueInverseResult
        ``values``, one-dimensional, and ``inverse_indices`` in the shape of ``x``, so that ``take(values,
        inverse_indices)`` is ``x``.
    """
    return UniqueInverseResult(*_unique("unique_inverse", x))


def unique_values(x: Array, /) -> Array:
    """Return the unique values of ``x``.

    Parameters
    ----------
    x : Array
        Of any dtype and shape.

    Returns
    -------
    Array
        One-dimensional, of the dtype of ``x``.
    """
    return apply("unique_values", x)
