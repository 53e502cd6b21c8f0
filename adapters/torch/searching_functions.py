"""Searching functions on PyTorch."""

from __future__ import annotations

import math
from typing import Any

import array_api_compat.torch as compat
import torch

from burn_array.errors import ArgumentError

from ._host_values import readable
from .direct import register_direct
from .dtypes import (
    BOOL,
    COMPLEX,
    FLOATS,
    FULL_FLOATS,
    REALS,
    as_signed,
    cast,
    comparable,
    filled,
    from_signed,
    nonzero_mask,
    promote_arrays,
    promoted,
    weak_dtype,
    weak_scalar,
)

Axis = int | tuple[int, ...]


def _extreme_index(function: Any) -> Any:
    """Make ``argmax`` or ``argmin``, which name the axis that has no elements."""

    def index(x: torch.Tensor, *, axis: int | None = None, keepdims: bool = False) -> torch.Tensor:
        try:
            result: torch.Tensor = function(comparable(x), axis, keepdims)
        except IndexError:
            if x.numel() if axis is None else x.shape[axis]:
                raise
            raise ArgumentError(f"{function.__name__}: the axis has size 0") from None
        return result

    return staticmethod(index)


# These aliases save `where` the lookup of an attribute of torch; comparing by `is` is faster than a lookup in a set.
_BOOL, _DOUBLE, _TENSOR = torch.bool, torch.float64, torch.Tensor
_torch_where: Any = torch.where


class SearchingFunctions:
    """The page ``searching functions`` of the standard."""

    argmax = _extreme_index(torch.argmax)
    argmin = _extreme_index(torch.argmin)

    @staticmethod
    def count_nonzero(x: torch.Tensor, *, axis: Axis | None = None, keepdims: bool = False) -> torch.Tensor:
        if axis == ():
            return nonzero_mask(x).to(torch.int64)
        if axis is not None:
            return torch.sum(nonzero_mask(x), dim=axis, keepdim=keepdims)
        count = torch.count_nonzero(as_signed(x))  # converts nothing; `sum` converts bools to int64 first
        return count.reshape((1,) * x.ndim) if keepdims else count

    @staticmethod
    def nonzero(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return compat.nonzero(as_signed(x))

    @staticmethod
    def searchsorted(
        x1: torch.Tensor, x2: Any, *, side: str = "left", sorter: torch.Tensor | None = None
    ) -> torch.Tensor:
        """PyTorch misses the position where NaN stands at the end of ``x1``; NumPy sorts NaN as the largest number.

        https://github.com/pytorch/pytorch/issues/158738, last seen in 2.13.0.
        """
        if sorter is not None:
            x1 = from_signed(as_signed(x1)[cast(sorter, torch.int64)], x1.dtype)
        if type(x2) is not torch.Tensor or x2.dtype is not x1.dtype:
            x1, x2, _ = promote_arrays(x1, x2)
        keys, wanted = comparable(x1), comparable(x2)
        if keys.dtype in FLOATS and _may_hold_nan(keys):
            keys, wanted = _total_order(keys), _total_order(wanted)
        return torch.searchsorted(keys.contiguous(), wanted.contiguous(), side=side)

    @staticmethod
    def where(condition: torch.Tensor, x1: Any, x2: Any) -> torch.Tensor:
        if type(x1) is _TENSOR and type(x2) is _TENSOR:
            if condition.dtype is _BOOL:
                try:
                    out: torch.Tensor = _torch_where(condition, x1, x2)
                except (
                    RuntimeError
                ):  # PyTorch refuses some dtypes; shapes that do not fit are refused again below
                    pass
                else:
                    if (
                        out.dtype is _DOUBLE or x1.dtype is x2.dtype
                    ):  # other promotions of PyTorch differ from NumPy's
                        return out
        elif (type(x2) is float and x1.dtype in FULL_FLOATS) or (
            type(x1) is float and x2.dtype in FULL_FLOATS
        ):
            try:
                return _torch_where(nonzero_mask(condition), x1, x2)
            except RuntimeError:  # the number is beyond the range of the dtype, or the shapes do not fit
                pass
        elif type(x1) is not _TENSOR and type(x2) is not _TENSOR:
            return _where_scalars(condition, x1, x2)
        x1, x2, dtype = promote_arrays(x1, x2)
        return from_signed(torch.where(nonzero_mask(condition), as_signed(x1), as_signed(x2)), dtype)


register_direct(SearchingFunctions.where, _torch_where, REALS | COMPLEX | BOOL)


def _where_scalars(condition: torch.Tensor, x1: Any, x2: Any) -> torch.Tensor:
    """Return ``where`` of two Python scalars."""
    like = torch.zeros((), dtype=torch.bool, device=condition.device)
    dtype = promoted(weak_dtype(like, x1), weak_dtype(like, x2))
    first, second = (filled((), weak_scalar(x, dtype), dtype, condition.device) for x in (x1, x2))
    return torch.where(condition, first, second)


def _may_hold_nan(x: torch.Tensor) -> bool:
    """Return whether the last element of a sorted array is NaN; true on an accelerator, where reading it would wait."""
    return not readable(x) or (x.numel() > 0 and math.isnan(x[-1].item()))


def _total_order(x: torch.Tensor) -> torch.Tensor:
    """Return integers in the same order as the floats ``x``, with equal zeros and with NaN as the largest number."""
    width = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.itemsize]
    largest = torch.iinfo(width).max
    whole = (x + 0.0).view(width)
    whole = torch.where(whole < 0, torch.bitwise_xor(whole, largest), whole)
    return torch.where(x != x, largest, whole)
