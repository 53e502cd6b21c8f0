"""Searching functions on PyTorch."""

from __future__ import annotations

import math
from typing import Any

import array_api_compat.torch as compat
import torch

from burn_array.errors import ArgumentError

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
    def index(x: torch.Tensor, *, axis: int | None = None, keepdims: bool = False) -> torch.Tensor:
        try:
            result: torch.Tensor = function(comparable(x), axis, keepdims)
        except IndexError:
            if x.numel() if axis is None else x.shape[axis]:
                raise
            raise ArgumentError(f"{function.__name__}: the axis has size 0") from None
        return result

    return staticmethod(index)


# A name of this module is found sooner than an attribute of torch, and `is` answers sooner than a set.
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
        return torch.sum(nonzero_mask(x), dim=axis, keepdim=keepdims)

    @staticmethod
    def nonzero(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return compat.nonzero(as_signed(x))

    @staticmethod
    def searchsorted(
        x1: torch.Tensor, x2: Any, *, side: str = "left", sorter: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Search as NumPy does; PyTorch's own misses when NaN stands at the end."""
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
                except RuntimeError:  # dtypes that PyTorch does not choose among, and shapes that nobody does
                    pass
                else:
                    if out.dtype is _DOUBLE or x1.dtype is x2.dtype:  # it promotes to float64 as NumPy does
                        return out
        elif (type(x2) is float and x1.dtype in FULL_FLOATS) or (
            type(x1) is float and x2.dtype in FULL_FLOATS
        ):
            try:
                return _torch_where(nonzero_mask(condition), x1, x2)
            except RuntimeError:  # the number is beyond the dtype, or the shapes do not fit
                pass
        elif type(x1) is not _TENSOR and type(x2) is not _TENSOR:
            return _where_scalars(condition, x1, x2)
        x1, x2, dtype = promote_arrays(x1, x2)
        return from_signed(torch.where(nonzero_mask(condition), as_signed(x1), as_signed(x2)), dtype)


register_direct(SearchingFunctions.where, _torch_where, REALS | COMPLEX | BOOL)


def _where_scalars(condition: torch.Tensor, x1: Any, x2: Any) -> torch.Tensor:
    like = torch.zeros((), dtype=torch.bool, device=condition.device)
    dtype = promoted(weak_dtype(like, x1), weak_dtype(like, x2))
    one, two = (filled((), weak_scalar(x, dtype), dtype, condition.device) for x in (x1, x2))
    return torch.where(condition, one, two)


def _may_hold_nan(x: torch.Tensor) -> bool:
    """Look at the last element of a sorted array, unless an accelerator would have to be waited for."""
    return not x.is_cpu or (x.numel() > 0 and math.isnan(x[-1].item()))


def _total_order(x: torch.Tensor) -> torch.Tensor:
    """Return integers in the order of the floats ``x``, in which all zeros are equal, and all NaN the last."""
    width = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.itemsize]
    largest = torch.iinfo(width).max
    whole = (x + 0.0).view(width)
    whole = torch.where(whole < 0, torch.bitwise_xor(whole, largest), whole)
    return torch.where(x != x, largest, whole)
