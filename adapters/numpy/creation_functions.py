"""Creation functions on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np


def _ones(shape: tuple[int, ...], *, dtype: Any, device: Any) -> Any:
    """As NumPy does it, whose own function asks itself for overrides twice."""
    out = np.empty(shape, dtype)
    out.fill(1)
    return out


class CreationFunctions:
    """The page *creation functions* of the standard."""

    ones = staticmethod(_ones)
