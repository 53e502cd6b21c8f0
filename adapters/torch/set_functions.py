"""Set functions on PyTorch."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from burn_array.errors import IntegerOverflowError

from .dtypes import (
    BOOL,
    COMPLEX,
    INTS,
    REALS,
    UNSIGNED,
    as_signed,
    comparable,
    filled,
    fits,
    from_signed,
    ordered,
    promote_arrays,
    to_int64,
    weak_dtype,
    weak_scalar,
)


class _Groups(NamedTuple):
    """The equal elements of an array, from one stable sort."""

    values: torch.Tensor
    indices: torch.Tensor
    """Where each value occurs first."""
    inverse: torch.Tensor
    counts: torch.Tensor


def _sorted_indices(x: torch.Tensor) -> torch.Tensor:
    """Return the stable order of a one-dimensional array, complex numbers by real, then imaginary part."""
    if x.dtype not in COMPLEX:
        return torch.sort(comparable(x), stable=True).indices
    by_imag = torch.sort(x.imag, stable=True).indices
    order = by_imag[torch.sort(x.real[by_imag], stable=True).indices]
    return order[
        torch.sort(torch.isnan(x)[order].to(torch.uint8), stable=True).indices
    ]  # those that are NaN last


def _group(x: torch.Tensor) -> _Groups:
    """Group equal elements. PyTorch's unique has no first occurrences, and miscounts NaN."""
    flat = x.reshape(-1)
    if flat.dtype in REALS:
        return _group_reals(flat, x.shape)
    order = _sorted_indices(flat)
    in_order = as_signed(flat)[order]
    starts = torch.ones(flat.shape, dtype=torch.bool, device=x.device)
    starts[1:] = in_order[1:] != in_order[:-1]
    inverse = torch.empty_like(order)
    inverse[order] = torch.cumsum(starts, 0) - 1
    first = torch.nonzero(starts)[:, 0]
    ends = torch.cat([first[1:], torch.full((min(len(first), 1),), flat.numel(), device=x.device)])
    return _Groups(
        from_signed(in_order[first], x.dtype), order[first], inverse.reshape(x.shape), ends - first
    )


def _group_reals(flat: torch.Tensor, shape: torch.Size) -> _Groups:
    in_order, order = torch.sort(flat, stable=True)
    values, groups, counts = torch.unique_consecutive(in_order, return_inverse=True, return_counts=True)
    inverse = torch.empty_like(order).scatter_(0, order, groups)
    first = order[torch.cumsum(counts, 0) - counts]
    return _Groups(values, first, inverse.reshape(shape), counts)


class SetFunctions:
    """The page ``set functions`` of the standard."""

    @staticmethod
    def isin(x1: Any, x2: Any, *, invert: bool = False) -> torch.Tensor:
        """Compare exactly, signed with unsigned integers too.

        PyTorch views ``x2`` as one axis, which not all strides allow; the standard takes every array.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.isin.html), last seen in 2.13.0.
        """
        if type(x1) is type(x2) and x1.dtype is x2.dtype and x1.dtype in REALS:
            try:
                return torch.isin(x1, x2, invert=invert)
            except RuntimeError:
                return torch.isin(x1, x2.reshape(-1), invert=invert)
        one, two, both_nonnegative = _isin_operands(x1, x2)
        if one.dtype in REALS:
            found = torch.isin(one, two.reshape(-1))
        else:
            groups = _group(torch.cat([one.reshape(-1), two.reshape(-1)])).inverse
            held = torch.zeros(groups.shape, dtype=torch.bool, device=one.device)
            held[groups[one.numel() :]] = True
            found = held[groups[: one.numel()]].reshape(one.shape)
        found = found & (one >= 0) if both_nonnegative else found
        return torch.logical_not(found) if invert else found

    @staticmethod
    def unique_all(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(_group(x))

    @staticmethod
    def unique_counts(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        if x.dtype in REALS:
            values, counts = torch.unique_consecutive(torch.sort(x.reshape(-1))[0], return_counts=True)
            return values, counts
        groups = _group(x)
        return groups.values, groups.counts

    @staticmethod
    def unique_inverse(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        groups = _group(x)
        return groups.values, groups.inverse

    @staticmethod
    def unique_values(x: torch.Tensor) -> torch.Tensor:
        """Compare neighbours, of which no NaN equals another; PyTorch's unique goes by other rules."""
        if x.dtype in REALS:
            return torch.unique_consecutive(torch.sort(x.reshape(-1))[0])
        return _group(x).values


def _isin_operands(x1: Any, x2: Any) -> tuple[torch.Tensor, torch.Tensor, bool]:
    """Return both as arrays that PyTorch searches, and whether only elements that are not negative count."""
    if isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor):
        kinds = {x1.dtype, x2.dtype}
        if torch.uint64 in kinds and kinds <= INTS and not kinds <= UNSIGNED:
            return to_int64(x1), to_int64(x2), True
    one, two, _ = _exact_arrays(x1, x2)
    return (one, two, False) if one.dtype in COMPLEX | BOOL else (ordered(one), ordered(two), False)


def _exact_arrays(x1: Any, x2: Any) -> tuple[torch.Tensor, torch.Tensor, torch.dtype]:
    """Return both as arrays; a Python number that the dtype cannot hold makes an empty one."""
    for scalar, other in ((x2, x1), (x1, x2)):
        if not isinstance(scalar, torch.Tensor) and not _holds(weak_dtype(other, scalar), scalar):
            return (x1, _none_of(x1), x1.dtype) if scalar is x2 else (_zero_of(x2), _none_of(x2), x2.dtype)
    return promote_arrays(x1, x2)


def _holds(dtype: torch.dtype, scalar: Any) -> bool:
    """Return whether ``dtype`` has exactly this number."""
    if dtype in INTS or type(scalar) is bool:
        return type(scalar) is not int or fits(scalar, dtype)
    try:
        exact: bool = filled((), weak_scalar(scalar, dtype), dtype, torch.device("cpu")).item() == scalar
    except IntegerOverflowError:
        return False
    return exact


def _none_of(x: torch.Tensor) -> torch.Tensor:
    return torch.empty((0,), dtype=x.dtype, device=x.device)


def _zero_of(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros((), dtype=x.dtype, device=x.device)
