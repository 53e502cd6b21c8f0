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
    """The distinct values of an array, in the order of ``unique_all``."""

    values: torch.Tensor
    indices: torch.Tensor
    """Where each value occurs first in the flattened array."""
    inverse: torch.Tensor
    """For each element of the array, in its shape, the index of its value."""
    counts: torch.Tensor


def _sorted_indices(x: torch.Tensor) -> torch.Tensor:
    """Return the indices that sort a one-dimensional array stably, complex numbers by real, then imaginary part.

    Complex numbers with a NaN part come last.
    """
    if x.dtype not in COMPLEX:
        return torch.sort(comparable(x), stable=True).indices
    by_imag = torch.sort(x.imag, stable=True).indices
    order = by_imag[torch.sort(x.real[by_imag], stable=True).indices]
    return order[torch.sort(torch.isnan(x)[order].to(torch.uint8), stable=True).indices]


def _group(x: torch.Tensor) -> _Groups:
    """Return the distinct values of ``x``, by one stable sort; each NaN is distinct.

    PyTorch's ``unique`` gives no first occurrences, miscounts NaN and refuses complex numbers; the standard asks for
    all of them.

    https://github.com/pytorch/pytorch/issues/70920, last seen in 2.13.0.
    """
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
    """Return the groups of real numbers, whose sorted values PyTorch groups itself."""
    in_order, order = torch.sort(flat, stable=True)
    values, groups, counts = torch.unique_consecutive(in_order, return_inverse=True, return_counts=True)
    inverse = torch.empty_like(order).scatter_(0, order, groups)
    first = order[torch.cumsum(counts, 0) - counts]
    return _Groups(values, first, inverse.reshape(shape), counts)


class SetFunctions:
    """The page ``set functions`` of the standard."""

    @staticmethod
    def isin(x1: Any, x2: Any, *, invert: bool = False) -> torch.Tensor:
        """Return which elements of ``x1`` are in ``x2``, comparing exactly, also signed with unsigned integers.

        PyTorch refuses an ``x2`` whose strides do not allow to view it as one axis; the standard takes every array.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.isin.html), last seen in 2.13.0.
        """
        if type(x1) is type(x2) and x1.dtype is x2.dtype and x1.dtype in REALS:
            try:
                return torch.isin(x1, x2, invert=invert)
            except RuntimeError:
                return torch.isin(x1, x2.reshape(-1), invert=invert)
        elements, test, only_nonnegative = _isin_operands(x1, x2)
        if elements.dtype in REALS:
            found = torch.isin(elements, test.reshape(-1))
        else:
            groups = _group(torch.cat([elements.reshape(-1), test.reshape(-1)])).inverse
            held = torch.zeros(groups.shape, dtype=torch.bool, device=elements.device)
            held[groups[elements.numel() :]] = True
            found = held[groups[: elements.numel()]].reshape(elements.shape)
        found = found & (elements >= 0) if only_nonnegative else found
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
        """Return the distinct values in ascending order: those that differ from their neighbour in a sorted array."""
        if x.dtype in REALS:
            return torch.unique_consecutive(torch.sort(x.reshape(-1))[0])
        if x.dtype is torch.bool:
            return torch.unique(x)
        return _group(x).values


def _isin_operands(x1: Any, x2: Any) -> tuple[torch.Tensor, torch.Tensor, bool]:
    """Return both operands as arrays that can be compared, and whether negative elements cannot be found.

    Signed and uint64 integers have no common dtype that holds both: they are compared modulo 2**64, where a negative
    number looks like a large one.
    """
    if isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor):
        kinds = {x1.dtype, x2.dtype}
        if torch.uint64 in kinds and kinds <= INTS and not kinds <= UNSIGNED:
            return to_int64(x1), to_int64(x2), True
    elements, test, _ = _exact_arrays(x1, x2)
    if elements.dtype in COMPLEX | BOOL:
        return elements, test, False
    return ordered(elements), ordered(test), False


def _exact_arrays(x1: Any, x2: Any) -> tuple[torch.Tensor, torch.Tensor, torch.dtype]:
    """Return both operands as arrays in their common dtype, and that dtype.

    A Python number that the dtype cannot hold equals no element: ``x2`` is then an empty array.
    """
    for scalar, array in ((x2, x1), (x1, x2)):
        if not isinstance(scalar, torch.Tensor) and not _holds(weak_dtype(array, scalar), scalar):
            return (x1, _empty(x1), x1.dtype) if scalar is x2 else (_zero(x2), _empty(x2), x2.dtype)
    return promote_arrays(x1, x2)


def _holds(dtype: torch.dtype, scalar: Any) -> bool:
    """Return whether ``dtype`` holds this Python number exactly."""
    if dtype in INTS or type(scalar) is bool:
        return type(scalar) is not int or fits(scalar, dtype)
    try:
        exact: bool = filled((), weak_scalar(scalar, dtype), dtype, torch.device("cpu")).item() == scalar
    except IntegerOverflowError:
        return False
    return exact


def _empty(x: torch.Tensor) -> torch.Tensor:
    return torch.empty((0,), dtype=x.dtype, device=x.device)


def _zero(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros((), dtype=x.dtype, device=x.device)
