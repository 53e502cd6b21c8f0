"""Set functions on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from ..common import set_functions as sets
from ..common.formulas import sets as formulas


def _isin(x1: Any, x2: Any, *, invert: bool) -> Any:
    return jnp.isin(x1, x2, invert=invert)


def _unique_all(x: Any) -> tuple[Any, ...]:
    """Return the distinct values, their first indices, the inverse and the counts.

    JAX takes all complex numbers with a NaN for one number. NumPy keeps them apart, and puts those whose real part is a
    number before the others.
    No report known; last seen in 0.10.2.
    """
    if x.dtype.kind != "c" or not x.size:
        return jnp.unique_all(x)
    return formulas.unique_all(jnp, x, formulas.order_of_complex(jnp, x.reshape(-1)))


def _parts(function: Any, *numbers: int) -> Any:
    """Return the function of the standard that gives some of the results of ``_unique_all``."""

    def unique(x: Any) -> Any:
        if x.dtype.kind != "c":
            return function(x)
        found = _unique_all(x)
        return found[0] if not numbers else tuple(found[number] for number in (0, *numbers))

    return staticmethod(unique)


class SetFunctions:
    """The page *set functions* of the standard."""

    isin = sets.isin(jnp, _isin)
    unique_all = staticmethod(_unique_all)
    unique_counts = _parts(jnp.unique_counts, 3)
    unique_inverse = _parts(jnp.unique_inverse, 2)
    unique_values = _parts(jnp.unique_values)
