"""Set functions on dpnp."""

from __future__ import annotations

from burn_array.adapter import composed

from ..common import set_functions as sets
from ._imports import dpnp


class SetFunctions:
    """The page *set functions* of the standard."""

    isin = sets.isin(dpnp, dpnp.isin)
    # dpnp gives all NaNs the index of the first in the inverse; by the standard they are distinct. No upstream
    # issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    unique_all = composed(sets.unique_all)
    unique_inverse = composed(sets.unique_inverse)
