"""Searching, set, sorting and utility functions on PyTorch."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch

from burn_array.errors import ArgumentError, AxisError, DTypeError, IntegerOverflowError

from . import _complex as complex_numbers
from .direct import directly
from .dtypes import (
    BOOL,
    COMPLEX,
    FLOATS,
    FULL,
    INTS,
    REALS,
    SIGNED,
    UNSIGNED,
    arrays,
    bits,
    cast,
    fits,
    from_bits,
    from_modular,
    from_ordered,
    full,
    modular,
    nonzero_mask,
    ordered,
    promoted,
    weak,
    weak_dtype,
)
from .manipulation_functions import ManipulationFunctions

Axis = int | tuple[int, ...]

_COUNTED = REALS - {torch.uint8} | COMPLEX | BOOL
"""Dtypes whose truth PyTorch reduces to a bool."""


def comparable(x: torch.Tensor) -> torch.Tensor:
    """Return real numbers or bools such that PyTorch compares, searches and sorts them."""
    if x.dtype in REALS:
        return x
    if x.dtype in COMPLEX:
        raise DTypeError("complex numbers have no order")
    return x.to(torch.uint8) if x.dtype is torch.bool else ordered(x)


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
_choose: Any = torch.where


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
        if x.ndim == 0:
            raise AxisError("nonzero: a zero-dimensional array has no axes; reshape it first")
        return torch.nonzero(nonzero_mask(x), as_tuple=True)

    @staticmethod
    def searchsorted(
        x1: torch.Tensor, x2: Any, *, side: str = "left", sorter: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Search as NumPy does; PyTorch's own misses when NaN stands at the end."""
        if sorter is not None:
            x1 = from_bits(bits(x1)[cast(sorter, torch.int64)], x1.dtype)
        if type(x2) is not torch.Tensor or x2.dtype is not x1.dtype:
            x1, x2, _ = arrays(x1, x2)
        keys, wanted = comparable(x1), comparable(x2)
        if keys.dtype in FLOATS and _may_hold_nan(keys):
            keys, wanted = _total_order(keys), _total_order(wanted)
        return torch.searchsorted(keys.contiguous(), wanted.contiguous(), side=side)

    @staticmethod
    def where(condition: torch.Tensor, x1: Any, x2: Any) -> torch.Tensor:
        if type(x1) is _TENSOR and type(x2) is _TENSOR:
            if condition.dtype is _BOOL:
                try:
                    out: torch.Tensor = _choose(condition, x1, x2)
                except RuntimeError:  # dtypes that PyTorch does not choose among, and shapes that nobody does
                    pass
                else:
                    if out.dtype is _DOUBLE or x1.dtype is x2.dtype:  # it promotes to float64 as NumPy does
                        return out
        elif (type(x2) is float and x1.dtype in FULL) or (type(x1) is float and x2.dtype in FULL):
            try:
                return _choose(nonzero_mask(condition), x1, x2)
            except RuntimeError:  # the number is beyond the dtype, or the shapes do not fit
                pass
        elif type(x1) is not _TENSOR and type(x2) is not _TENSOR:
            return _where_scalars(condition, x1, x2)
        x1, x2, dtype = arrays(x1, x2)
        return from_bits(torch.where(nonzero_mask(condition), bits(x1), bits(x2)), dtype)


directly(SearchingFunctions.where, _choose, REALS | COMPLEX | BOOL)


def _where_scalars(condition: torch.Tensor, x1: Any, x2: Any) -> torch.Tensor:
    like = torch.zeros((), dtype=torch.bool, device=condition.device)
    dtype = promoted(weak_dtype(like, x1), weak_dtype(like, x2))
    one, two = (full((), weak(x, dtype), dtype, condition.device) for x in (x1, x2))
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


# -- sorting ----------------------------------------------------------------------------------


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


# -- sets -------------------------------------------------------------------------------------


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
    in_order = bits(flat)[order]
    starts = torch.ones(flat.shape, dtype=torch.bool, device=x.device)
    starts[1:] = in_order[1:] != in_order[:-1]
    inverse = torch.empty_like(order)
    inverse[order] = torch.cumsum(starts, 0) - 1
    first = torch.nonzero(starts)[:, 0]
    ends = torch.cat([first[1:], torch.full((min(len(first), 1),), flat.numel(), device=x.device)])
    return _Groups(from_bits(in_order[first], x.dtype), order[first], inverse.reshape(x.shape), ends - first)


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
            return modular(x1), modular(x2), True
    one, two, _ = _exact_arrays(x1, x2)
    return (one, two, False) if one.dtype in COMPLEX | BOOL else (ordered(one), ordered(two), False)


def _exact_arrays(x1: Any, x2: Any) -> tuple[torch.Tensor, torch.Tensor, torch.dtype]:
    """Return both as arrays; a Python number that the dtype cannot hold makes an empty one."""
    for scalar, other in ((x2, x1), (x1, x2)):
        if not isinstance(scalar, torch.Tensor) and not _holds(weak_dtype(other, scalar), scalar):
            return (x1, _none_of(x1), x1.dtype) if scalar is x2 else (_zero_of(x2), _none_of(x2), x2.dtype)
    return arrays(x1, x2)


def _holds(dtype: torch.dtype, scalar: Any) -> bool:
    """Return whether ``dtype`` has exactly this number."""
    if dtype in INTS or type(scalar) is bool:
        return type(scalar) is not int or fits(scalar, dtype)
    try:
        exact: bool = full((), weak(scalar, dtype), dtype, torch.device("cpu")).item() == scalar
    except IntegerOverflowError:
        return False
    return exact


def _none_of(x: torch.Tensor) -> torch.Tensor:
    return torch.empty((0,), dtype=x.dtype, device=x.device)


def _zero_of(x: torch.Tensor) -> torch.Tensor:
    return torch.zeros((), dtype=x.dtype, device=x.device)


# -- utilities --------------------------------------------------------------------------------


def _truth(function: Any) -> Any:
    def reduce(x: torch.Tensor, *, axis: Axis | None = None, keepdims: bool = False) -> torch.Tensor:
        if axis != () and x.dtype in _COUNTED:
            return function(x, axis, keepdims)
        truth = nonzero_mask(x)
        return truth.clone() if axis == () else function(truth, dim=axis, keepdim=keepdims)

    return staticmethod(reduce)


class UtilityFunctions:
    """The page ``utility functions`` of the standard."""

    all = _truth(torch.all)
    any = _truth(torch.any)

    @staticmethod
    def diff(
        x: torch.Tensor, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
    ) -> torch.Tensor:
        """Subtract neighbours; PyTorch's own makes NaN of complex infinities, as its ``subtract`` does."""
        if n < 0:
            raise ArgumentError(f"diff: n is {n}, which is negative")
        if prepend is None and append is None and x.dtype in _SUBTRACTED:
            return torch.diff(x, n, axis) if n else x.clone()
        parts = [part for part in (prepend, x, append) if part is not None]
        x = ManipulationFunctions.concat(parts, axis=axis) if len(parts) > 1 else x if n else x.clone()
        for _ in range(n):
            x = _difference(x, axis)
        return x


_SUBTRACTED = FLOATS | SIGNED


def _difference(x: torch.Tensor, axis: int) -> torch.Tensor:
    count = max(x.shape[axis] - 1, 0)
    whole = modular(x) if x.dtype in UNSIGNED else x
    later, earlier = whole.narrow(axis, x.shape[axis] - count, count), whole.narrow(axis, 0, count)
    if x.dtype is torch.bool:
        return later ^ earlier
    if x.dtype in COMPLEX:
        return complex_numbers.subtract(later, earlier)
    return from_modular(later - earlier, x.dtype) if x.dtype in UNSIGNED else later - earlier
