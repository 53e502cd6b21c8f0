"""Set functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

from typing import Any

import cupy

from burn_array.adapter import composed, promote

from ..common import set_functions as sets


def _isin(x1: Any, x2: Any, *, invert: bool) -> Any:
    """Return whether elements of ``x1`` are among those of ``x2``, in their common dtype; see ``sets.isin``."""
    dtype = promote(x1.dtype, x2.dtype)
    wanted, known = x1.astype(dtype), cupy.sort(x2.reshape(-1).astype(dtype))
    if not known.size:
        return cupy.full(x1.shape, invert)
    places = cupy.minimum(cupy.searchsorted(known, wanted), known.size - 1)
    found = known[places] == wanted
    return ~found if invert else found


def _unique_all(lib: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Return the distinct values, their first indices, the inverse and the counts.

    CuPy 13 merges NaNs and flattens the inverse; by the standard NaNs are distinct, and the inverse has the shape of
    ``x``.

    https://github.com/cupy/cupy/pull/6853, last seen in 13. Canary: ``unique_all``.
    """
    return sets.unique_all(lib, x)


def _unique_counts(lib: Any, x: Any) -> tuple[Any, Any]:
    """Return the distinct values, and how often each occurs.

    CuPy 13 merges NaNs; by the standard they are distinct.

    https://github.com/cupy/cupy/pull/6853, last seen in 13. Canary: ``unique_counts``.
    """
    return sets.unique_counts(lib, x)


def _unique_inverse(lib: Any, x: Any) -> tuple[Any, Any]:
    """Return the distinct values, and for each element the index of its value.

    CuPy 13 merges NaNs and flattens the inverse; by the standard NaNs are distinct, and the inverse has the shape of
    ``x``.

    https://github.com/cupy/cupy/pull/6853, last seen in 13. Canary: ``unique_inverse``.
    """
    return sets.unique_inverse(lib, x)


def _unique_values(lib: Any, x: Any) -> Any:
    """Return the distinct values.

    CuPy 13 merges NaNs; by the standard they are distinct.

    https://github.com/cupy/cupy/pull/6853, last seen in 13. Canary: ``unique_values``.
    """
    return sets.unique_values(lib, x)


class SetFunctions:
    """The page ``set functions`` of the standard."""

    isin = sets.isin(cupy, _isin)
    unique_all = composed(_unique_all)
    unique_counts = composed(_unique_counts)
    unique_inverse = composed(_unique_inverse)
    unique_values = composed(_unique_values)
