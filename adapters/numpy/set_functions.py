"""Set functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common import set_functions as sets
from ._undispatched import undispatched


def _unique_values(x: Any) -> Any:
    """Return the distinct values of ``x`` in ascending order.

    NumPy returns them in the order of a hash table. The standard leaves the order open; the other libraries sort.
    https://github.com/numpy/numpy/pull/26018, last seen in NumPy 2.4.6.
    """
    return np.unique(x, equal_nan=False)


class SetFunctions:
    """The page *set functions* of the standard."""

    isin = sets.isin(np, undispatched(np.isin))
    unique_values = staticmethod(_unique_values)
