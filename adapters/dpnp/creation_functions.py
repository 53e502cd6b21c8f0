"""Creation functions on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common import numpy_like
from ..common.formulas import creation
from ._imports import dpnp


def _arange(start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """Return evenly spaced numbers from ``start`` up to ``stop``.

    dpnp computes float16 numbers in float16, where a large step is infinite, and the first number is then NaN. By the
    standard number ``i`` is ``start + i * step``; here it is computed in float32 and rounded once.

    No upstream issue is known; last seen in 0.20.0. Canary: ``arange``.
    """
    if dtype != numpy_like.HALF:
        return dpnp.arange(start, stop, step, dtype=dtype, device=device)
    return dpnp.arange(start, stop, step, dtype=np.float32, device=device).astype(numpy_like.HALF)


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: Any, endpoint: bool) -> Any:
    """Return ``num`` evenly spaced numbers.

    dpnp multiplies integers by a rounded step before it takes the floor, so some whole numbers are 1 too small:
    ``linspace(10, 1, 10)`` has 6 in place of 7. The standard takes floats only; NumPy returns 7.

    No upstream issue is known; last seen in 0.20.0. Canary: ``linspace``.
    """
    if dtype.kind not in "iu":
        return dpnp.linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
    return creation.linspace_of_integers(
        dpnp, start, stop, num, dtype=dtype, endpoint=endpoint, device=device
    )


class CreationFunctions:
    """The page ``creation functions`` of the standard."""

    arange = staticmethod(_arange)
    linspace = staticmethod(_linspace)
