"""Set functions of the standard. NaNs are distinct from one another; the order of values is ascending."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._core.array import Array
from ._core.dispatch import apply, call, wrap
from ._core.operands import not_an_array, unwrap

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """What ``unique_all`` returns."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What ``unique_counts`` returns."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What ``unique_inverse`` returns."""

    values: Array
    inverse_indices: Array


def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Array:
    """Return whether each element of ``x1`` is in ``x2``, or is not if ``invert``."""
    at, (elements, test) = unwrap("isin", (x1, x2))
    return wrap(at, call("isin", at, elements, test, invert=invert))


def _unique(name: str, x: Any) -> list[Array]:
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    return [wrap(at, out) for out in call(name, at, x._native)]


def unique_all(x: Array, /) -> UniqueAllResult:
    """Return the unique values, where each first occurs, the index of each element's value, and the counts."""
    return UniqueAllResult(*_unique("unique_all", x))


def unique_counts(x: Array, /) -> UniqueCountsResult:
    """Return the unique values and how often each occurs."""
    return UniqueCountsResult(*_unique("unique_counts", x))


def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """Return the unique values and the index of each element's value, in the shape of ``x``."""
    return UniqueInverseResult(*_unique("unique_inverse", x))


def unique_values(x: Array, /) -> Array:
    """Return the unique values."""
    return apply("unique_values", x)
