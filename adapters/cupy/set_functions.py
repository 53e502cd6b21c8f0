"""Set functions on CuPy. Each override has a canary in
``tests/adapters/cupy/test_cupy_quirks.py``.
"""

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


class SetFunctions:
    """The page ``set functions`` of the standard."""

    isin = sets.isin(cupy, _isin)
    # CuPy 13 merges NaNs and flattens the inverse; the canaries show that CuPy 14 does neither.
    unique_all = composed(sets.unique_all)
    unique_counts = composed(sets.unique_counts)
    unique_inverse = composed(sets.unique_inverse)
    unique_values = composed(sets.unique_values)
