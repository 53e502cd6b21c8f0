"""Utility functions on dpnp."""

from __future__ import annotations

from burn_array.adapter import composed

from ..common import numpy_like
from ._imports import dpnp


class UtilityFunctions:
    """The page ``utility functions`` of the standard."""

    all = numpy_like.allow_axis_of_0d(dpnp.all)
    any = numpy_like.allow_axis_of_0d(dpnp.any)
    diff = composed(numpy_like.diff)
