"""Sorting functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from burn_array.errors import DTypeError

from ..common import numpy_like


def require_real(x: Any) -> Any:
    """NumPy orders complex numbers by their parts; by the standard they have no order, as in other libraries.

    https://numpy.org/doc/stable/reference/generated/numpy.sort.html, last seen in 2.4.6.
    """
    if x.dtype.kind == "c":
        raise DTypeError("complex numbers have no order; sort or compare abs(x), real(x) or imag(x)")
    return x


def _sort(x: Any, **settings: Any) -> Any:
    return numpy_like.sort(np, require_real(x), **settings)


def _argsort(x: Any, **settings: Any) -> Any:
    return numpy_like.argsort(np, require_real(x), **settings)


class SortingFunctions:
    """The page *sorting functions* of the standard."""

    argsort = staticmethod(_argsort)
    sort = staticmethod(_sort)
