"""Shape and dtype of an array: all that a node saves if no rule reads its values."""

from __future__ import annotations

from typing import Any


class ShapeDtype:
    """Shape and dtype of an array whose values are not saved."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)
