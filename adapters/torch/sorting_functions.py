"""Sorting functions on PyTorch."""

from __future__ import annotations

import torch

from .dtypes import (
    REALS,
    comparable,
    from_ordered,
)


class SortingFunctions:
    """The page ``sorting functions`` of the standard."""

    @staticmethod
    def argsort(
        x: torch.Tensor, *, axis: int = -1, descending: bool = False, stable: bool = True
    ) -> torch.Tensor:
        return torch.sort(comparable(x), dim=axis, descending=descending, stable=stable)[1]

    @staticmethod
    def sort(
        x: torch.Tensor, *, axis: int = -1, descending: bool = False, stable: bool = True
    ) -> torch.Tensor:
        if x.dtype in REALS:
            return torch.sort(x, dim=axis, descending=descending, stable=stable)[0]
        result = torch.sort(comparable(x), dim=axis, descending=descending, stable=stable)[0]
        return from_ordered(result, x.dtype)
