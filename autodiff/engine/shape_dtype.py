"""What a node keeps of an array whose values no rule reads."""

from __future__ import annotations

from typing import Any


class ShapeDtype:
    """Shape and dtype of an array that is not kept."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)
