"""Set functions on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

from typing import Any

from burn_array.adapter import composed

from ..common import set_functions as sets
from ._imports import dpnp


def _unique_all(lib: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Return the distinct values, their first indices, the inverse and the counts.

    In the inverse dpnp gives all NaNs the index of one NaN; by the standard NaNs are distinct.

    No upstream issue is known; last seen in 0.20.0. Canary: ``unique_all``.
    """
    return sets.unique_all(lib, x)


def _unique_inverse(lib: Any, x: Any) -> tuple[Any, Any]:
    """Return the distinct values, and for each element the index of its value.

    In the inverse dpnp gives all NaNs the index of one NaN; by the standard NaNs are distinct.

    No upstream issue is known; last seen in 0.20.0. Canary: ``unique_inverse``.
    """
    return sets.unique_inverse(lib, x)


class SetFunctions:
    """The page ``set functions`` of the standard."""

    isin = sets.isin(dpnp, dpnp.isin)
    unique_all = composed(_unique_all)
    unique_inverse = composed(_unique_inverse)
