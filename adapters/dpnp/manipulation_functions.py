"""Manipulation functions on dpnp."""

from __future__ import annotations

from typing import Any

from burn_array.errors import ShapeError

from ..common import numpy_like
from ._imports import dpnp


def _concat(arrays: Any, *, axis: int | None = 0) -> Any:
    """Return the arrays joined; 0-d arrays get a clear error, as dpnp says only that the axis is out of range."""
    if axis is not None and any(x.ndim == 0 for x in arrays):
        raise ShapeError("zero-dimensional arrays cannot be joined; use stack")
    return dpnp.concat(arrays, axis=axis)


class ManipulationFunctions:
    """The page ``manipulation functions`` of the standard."""

    concat = numpy_like.joining(_concat)
    stack = numpy_like.joining(dpnp.stack)
