"""Creation functions on JAX."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from burn_array.errors import OutOfMemoryError

from ..common import indexing
from ..common.formulas import creation

_LARGEST = 2**46
"""More bytes than any machine has; XLA ends the process if it is asked for much more."""


def check_size(shape: Any, dtype: Any) -> None:
    """Raise an error for an array that no machine can hold.

    XLA ends the whole process with ``std::bad_alloc`` when it plans such an array, where other libraries raise.
    No report known; last seen in 0.10.2.
    """
    if math.prod(shape) * np.dtype(dtype).itemsize > _LARGEST:
        raise OutOfMemoryError(f"an array of shape {tuple(shape)} and dtype {dtype} is out of memory")


def _shaped(function: Any) -> Any:
    def made(shape: Any, *, dtype: Any, device: Any) -> Any:
        check_size(shape, dtype)
        return function(shape, dtype=dtype, device=device)

    return staticmethod(made)


def _full(shape: Any, value: Any, *, dtype: Any, device: Any) -> Any:
    check_size(shape, dtype)
    if type(value) is int:
        indexing.check_fits(value, dtype)
    return jnp.full(shape, value, dtype=dtype, device=device)


def _eye(rows: int, columns: int, *, k: int, dtype: Any, device: Any) -> Any:
    check_size((rows, columns), dtype)
    return jnp.eye(rows, columns, k=k, dtype=dtype, device=device)


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: Any, endpoint: bool) -> Any:
    """Return evenly spaced numbers.

    JAX interpolates between integers such that some come out just below a whole number, and are then rounded down.
    NumPy adds multiples of the step.
    No report known; last seen in 0.10.2.
    """
    check_size((num,), dtype)
    if dtype.kind not in "iu" or num < 2:
        return jnp.linspace(start, stop, num, dtype=dtype, endpoint=endpoint, device=device)
    return creation.linspace_of_integers(jnp, start, stop, num, dtype=dtype, endpoint=endpoint, device=device)


class CreationFunctions:
    """The page *creation functions* of the standard."""

    empty = _shaped(jnp.empty)
    eye = staticmethod(_eye)
    full = staticmethod(_full)
    linspace = staticmethod(_linspace)
    ones = _shaped(jnp.ones)
    zeros = _shaped(jnp.zeros)
