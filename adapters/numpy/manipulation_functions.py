"""Manipulation functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np


def _broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return ``x`` broadcast to ``shape``, read-only.

    A 0-d array, such as the cotangent of a sum, always fits; without NumPy's checks it is much faster.
    """
    if x.ndim:
        return np.broadcast_to(x, shape)
    out = np.ndarray(shape, x.dtype, x, strides=(0,) * len(shape))
    out.flags.writeable = False
    return out


class ManipulationFunctions:
    """The page *manipulation functions* of the standard: faster forms of NumPy's own."""

    broadcast_to = staticmethod(_broadcast_to)
    reshape = staticmethod(lambda x, shape, **copy: x.reshape(shape, **copy))
