"""Manipulation functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np


def _broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """A single number, the cotangent of every sum, needs none of the checks of the namesake."""
    if x.ndim:
        return np.broadcast_to(x, shape)
    out = np.ndarray(shape, x.dtype, x, strides=(0,) * len(shape))
    out.flags.writeable = False
    return out


class ManipulationFunctions:
    """The page *manipulation functions* of the standard."""

    broadcast_to = staticmethod(_broadcast_to)
    reshape = staticmethod(lambda x, shape, **copy: x.reshape(shape, **copy))
