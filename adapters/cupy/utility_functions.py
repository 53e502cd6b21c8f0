"""Utility functions on CuPy."""

from __future__ import annotations

import cupy

from burn_array.adapter import composed

from ..common import numpy_like
from .statistical_functions import reduced


class UtilityFunctions:
    """The page ``utility functions`` of the standard."""

    all = reduced(cupy.ndarray.all, bools=True)
    any = reduced(cupy.ndarray.any, bools=True)
    diff = composed(numpy_like.diff)
