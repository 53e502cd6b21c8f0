"""Creation functions on dpnp."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..common import numpy_like
from ._imports import dpnp


def _arange(start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """dpnp multiplies within half precision, in which a step may be infinite: the first number is then NaN.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.arange.html), last seen in
    0.20.0.
    """
    if dtype != numpy_like.HALF:
        return dpnp.arange(start, stop, step, dtype=dtype, device=device)
    return dpnp.arange(start, stop, step, dtype=np.float32, device=device).astype(numpy_like.HALF)


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: Any, endpoint: bool) -> Any:
    """dpnp rounds on the way, so that floors of whole numbers are one less; NumPy's integers come from the host.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.linspace.html), last seen in
    0.20.0.
    """
    if dtype.kind not in "iu":
        return dpnp.linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
    return dpnp.asarray(np.linspace(start, stop, num, dtype=dtype, endpoint=endpoint), device=device)


class CreationFunctions:
    """The page *creation functions* of the standard."""

    arange = staticmethod(_arange)
    linspace = staticmethod(_linspace)
