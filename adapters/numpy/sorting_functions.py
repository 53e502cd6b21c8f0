"""Sorting functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from burn_array.errors import DTypeError

from ..common import numpy_like


def require_real(x: Any) -> Any:
    """Return ``x``, whose elements are to be ordered.

    NumPy orders complex numbers by their real parts, then by their imaginary parts; by the standard they have no order,
    and other libraries raise.
    https://numpy.org/doc/stable/reference/generated/numpy.sort.html, last seen in NumPy 2.4.6.

    Raises
    ------
    DTypeError
        if ``x`` is complex
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
