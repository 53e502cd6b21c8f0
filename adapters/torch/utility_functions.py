"""Utility functions on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from burn_array.errors import ArgumentError

from . import _complex as complex_numbers
from .dtypes import (
    BOOL,
    COMPLEX,
    REALS,
    as_signed,
    from_signed,
    nonzero_mask,
)
from .manipulation_functions import ManipulationFunctions

Axis = int | tuple[int, ...]

_TRUTH_IS_RIGHT = REALS - {torch.uint8} | COMPLEX | BOOL
"""Dtypes for which ``torch.all`` and ``torch.any`` return bools."""


def _truth(function: Any) -> Any:
    """PyTorch's ``any`` and ``all`` return uint8 for uint8, and take ``()`` for all axes.

    The standard asks for bools, and reduces nothing for ``()``. array_api_compat's functions are slower.

    https://github.com/pytorch/pytorch/issues/50342 and https://github.com/pytorch/pytorch/issues/29137, last seen in
    2.13.0.
    """

    def reduce(x: torch.Tensor, *, axis: Axis | None = None, keepdims: bool = False) -> torch.Tensor:
        if axis != () and x.dtype in _TRUTH_IS_RIGHT:
            return function(x, axis, keepdims)
        if axis == ():
            truth = nonzero_mask(x)
            return truth.clone() if truth is x else truth
        return function(as_signed(x), dim=axis, keepdim=keepdims).to(torch.bool)

    return staticmethod(reduce)


class UtilityFunctions:
    """The page ``utility functions`` of the standard."""

    all = _truth(torch.all)
    any = _truth(torch.any)

    @staticmethod
    def diff(
        x: torch.Tensor, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
    ) -> torch.Tensor:
        """Return differences of neighbours, with the ``subtract`` of this adapter.

        PyTorch's own has the faults of its ``sub``: NaN for complex infinities, and no kernels for wide unsigned
        integers.

        https://github.com/pytorch/pytorch/issues/82510, last seen in 2.13.0.
        """
        if n < 0:
            raise ArgumentError(f"diff: n is {n}, which is negative")
        if prepend is None and append is None and x.dtype in _SUBTRACTED:
            return torch.diff(x, n, axis) if n else x.clone()
        parts = [part for part in (prepend, x, append) if part is not None]
        x = ManipulationFunctions.concat(parts, axis=axis) if len(parts) > 1 else x if n else x.clone()
        for _ in range(n):
            x = _difference(x, axis)
        return x


_SUBTRACTED = REALS | BOOL
"""The dtypes for which PyTorch's ``diff`` is right."""


def _difference(x: torch.Tensor, axis: int) -> torch.Tensor:
    """Return each element minus the one before it."""
    if x.dtype not in COMPLEX:
        return from_signed(torch.diff(as_signed(x), 1, axis), x.dtype)
    count = max(x.shape[axis] - 1, 0)
    return complex_numbers.subtract(x.narrow(axis, x.shape[axis] - count, count), x.narrow(axis, 0, count))
