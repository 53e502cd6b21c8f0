"""Sorting functions on PyTorch."""

from __future__ import annotations

import torch

from .dtypes import (
    REALS,
    comparable,
    from_ordered,
)


class SortingFunctions:
    """The page ``sorting functions`` of the standard.

    PyTorch refuses 32768 or more uint16, uint32 or uint64 on the CPU, and any number of them on CUDA; the standard
    sorts them.

    https://github.com/pytorch/pytorch/issues/58734, last seen in 2.13.0.
    """

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
