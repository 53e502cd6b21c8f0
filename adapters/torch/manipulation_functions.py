"""Manipulation functions on PyTorch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import array_api_compat.torch as compat
import torch

from burn_array.errors import ArgumentError, AxisError, CopyRequiredError, ShapeError

from .direct import register_direct
from .dtypes import BOOL, COMPLEX, REALS, WIDE_UNSIGNED, as_signed, cast, from_signed, promote_all, via_signed

Axis = int | tuple[int, ...]


def as_tuple(value: int | Sequence[int]) -> tuple[int, ...]:
    """Return an integer as a tuple of one, a sequence of integers as a tuple."""
    return (value,) if isinstance(value, int) else tuple(value)


def normalized_axes(axis: int | Sequence[int], ndim: int) -> tuple[int, ...]:
    """Return the axes as numbers from 0 to ``ndim - 1``.

    Raises
    ------
    AxisError
        for an axis that the array does not have
    ArgumentError
        for an axis that is named twice
    """
    axes = as_tuple(axis)
    for number in axes:
        if not -ndim <= number < ndim:
            raise AxisError(f"axis {number} is out of range for {ndim} axes")
    axes = tuple(number % ndim for number in axes)
    if len(set(axes)) != len(axes):
        raise ArgumentError(f"the axes {as_tuple(axis)} of {ndim} name an axis twice")
    return axes


def row_major(x: torch.Tensor) -> torch.Tensor:
    """Return a copy in row-major order."""
    return x.clone(memory_format=torch.contiguous_format)


class ManipulationFunctions:
    """The page ``manipulation functions`` of the standard."""

    @staticmethod
    def broadcast_arrays(*arrays: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the arrays with their common shape, five times as fast as array_api_compat does."""
        return tuple(torch.broadcast_tensors(*arrays)) if arrays else ()

    @staticmethod
    def concat(arrays: Sequence[torch.Tensor], *, axis: int | None = 0) -> torch.Tensor:
        out = _concat_same_dtype(arrays, axis=axis)
        dtype = out.dtype  # PyTorch's promotion to float64 is NumPy's, others may not be
        return out if dtype is _DOUBLE or _all_have_dtype(dtype, arrays) else _concat(arrays, axis)

    @staticmethod
    def expand_dims(x: torch.Tensor, axis: Axis) -> torch.Tensor:
        if type(axis) is int:
            return x.unsqueeze(axis)
        axes = as_tuple(axis)
        inserted = normalized_axes(axes, x.ndim + len(axes))
        for position in sorted(inserted):
            x = x.unsqueeze(position)
        return x

    @staticmethod
    @via_signed
    def flip(x: torch.Tensor, *, axis: Axis | None = None) -> torch.Tensor:
        """PyTorch needs the axes, and takes an axis of a 0-d array; the standard flips all by default, and refuses.

        https://github.com/pytorch/pytorch/issues/71210, last seen in 2.13.0.
        """
        if not x.ndim and axis is not None:
            normalized_axes(axis, 0)
        return torch.flip(x, tuple(range(x.ndim)) if axis is None else as_tuple(axis))

    @staticmethod
    def moveaxis(x: torch.Tensor, source: Axis, destination: Axis) -> torch.Tensor:
        if len(as_tuple(source)) != len(as_tuple(destination)):
            raise ArgumentError("moveaxis: source and destination must name the same number of axes")
        return torch.movedim(x, normalized_axes(source, x.ndim), normalized_axes(destination, x.ndim))

    @staticmethod
    @via_signed
    def repeat(x: torch.Tensor, repeats: Any, *, axis: int | None = None) -> torch.Tensor:
        x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
        if isinstance(repeats, torch.Tensor):
            repeats = cast(repeats, torch.int64)
            repeats = repeats.reshape(-1).expand(x.shape[axis])
        elif not -(2**63) <= repeats < 2**63:  # PyTorch raises a TypeError of its own
            raise OverflowError(f"repeats={repeats} does not fit int64")
        return torch.repeat_interleave(x, repeats, dim=axis)

    @staticmethod
    def reshape(x: torch.Tensor, shape: tuple[int, ...], *, copy: bool | None = None) -> torch.Tensor:
        if copy is None:
            try:
                return torch.reshape(x, shape)
            except RuntimeError:  # PyTorch refuses some empty arrays
                return torch.reshape(x, _resolved_shape(x, as_tuple(shape)))
        if not x.numel() or copy is False:
            shape = _resolved_shape(x, as_tuple(shape))
        if copy:
            x = row_major(x)
        try:
            return x.reshape(shape) if copy is not False else x.view(shape)
        except RuntimeError:
            _resolved_shape(x, as_tuple(shape))
            raise CopyRequiredError(
                f"reshape: elements of an array of shape {tuple(x.shape)} and strides {x.stride()} must be "
                f"copied to have shape {shape}; leave copy=False away"
            ) from None

    @staticmethod
    @via_signed
    def roll(x: torch.Tensor, shift: Any, *, axis: Axis | None = None) -> torch.Tensor:
        if axis is None:
            return torch.roll(x, sum(as_tuple(shift)))
        axes, shifts = as_tuple(axis), as_tuple(shift)
        axes, shifts = (
            (axes * len(shifts) if len(axes) == 1 else axes),
            (shifts * len(axes) if len(shifts) == 1 else shifts),
        )
        if len(axes) != len(shifts):
            raise ArgumentError("roll: shift and axis must have equal length")
        normalized_axes(tuple(set(axes)), x.ndim)
        return torch.roll(x, shifts, axes) if axes else x.clone()

    @staticmethod
    def squeeze(x: torch.Tensor, axis: Axis) -> torch.Tensor:
        if type(axis) is int and x.shape[axis] == 1:  # array_api_compat's is slower for one axis
            return x.squeeze(axis)
        return compat.squeeze(x, axis)

    @staticmethod
    def stack(arrays: Sequence[torch.Tensor], *, axis: int = 0) -> torch.Tensor:
        if arrays[0].dtype not in WIDE_UNSIGNED and _all_have_dtype(arrays[0].dtype, arrays):
            return torch.stack(arrays, axis)  # type: ignore[arg-type]
        xs = promote_all(arrays)
        return from_signed(torch.stack([as_signed(x) for x in xs], dim=axis), xs[0].dtype)

    @staticmethod
    def unstack(x: torch.Tensor, *, axis: int = 0) -> tuple[torch.Tensor, ...]:
        """Return the parts along an axis; array_api_compat's function, which moves the axis first, is slower."""
        return torch.unbind(x, dim=axis)


# These aliases save `concat` the lookup of an attribute of torch; comparing by `is` is faster than a lookup in a set.
_DOUBLE = torch.float64
_torch_cat: Any = torch.cat


def _join_along(arrays: Sequence[torch.Tensor], axis: int) -> torch.Tensor:
    """PyTorch accepts any axis if all arrays are empty and one-dimensional; the standard asks for an existing axis.

    https://github.com/pytorch/pytorch/issues/86918, last seen in 2.13.0.
    """
    out: torch.Tensor = _torch_cat(arrays, axis)
    if not out.numel():
        normalized_axes(axis, out.ndim)
    return out


def _concat_same_dtype(arrays: Sequence[torch.Tensor], axis: int | None = 0) -> torch.Tensor:
    """Return arrays of one dtype, joined along an axis."""
    if axis is None:
        return _concat(arrays, axis)
    try:  # without an axis the call is faster
        out: torch.Tensor = _torch_cat(arrays) if axis == 0 else _join_along(arrays, axis)
    except (IndexError, RuntimeError, TypeError):  # _concat joins what PyTorch refuses, or raises
        return _concat(arrays, axis)
    if out.ndim > 1:  # PyTorch may have skipped an empty vector
        _check_joinable(arrays)
    return out


register_direct(ManipulationFunctions.concat, _concat_same_dtype, REALS | COMPLEX | BOOL)
register_direct(ManipulationFunctions.stack, ManipulationFunctions.stack, REALS | COMPLEX | BOOL)


def _all_have_dtype(dtype: torch.dtype, arrays: Sequence[torch.Tensor]) -> bool:
    """Return whether all arrays have this dtype."""
    for x in arrays:  # noqa: SIM110 (a generator is slower)
        if x.dtype is not dtype:
            return False
    return True


def _concat(arrays: Sequence[torch.Tensor], axis: int | None) -> torch.Tensor:
    """Return the arrays promoted to their common dtype and joined."""
    xs = promote_all(arrays)
    if axis is None:
        xs, axis = [x.reshape(-1) for x in xs], 0
    _check_joinable(xs)
    (axis,) = normalized_axes(axis, xs[0].ndim)
    return from_signed(torch.cat([as_signed(x) for x in xs], dim=axis), xs[0].dtype)


def _check_joinable(xs: Sequence[torch.Tensor]) -> None:
    """PyTorch joins an empty vector with arrays of any shape; the standard asks for an equal number of axes.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.cat.html), last seen in 2.13.0.

    Raises
    ------
    ShapeError
        if the arrays differ in their number of axes, or have none
    """
    ndim = xs[0].ndim
    for x in xs:
        if x.ndim != ndim:
            raise ShapeError("concat: all arrays must have the same number of axes")
    if ndim == 0:
        raise ShapeError("concat: zero-dimensional arrays cannot be joined; use stack")


def _resolved_shape(x: torch.Tensor, shape: tuple[int, ...]) -> tuple[int, ...]:
    """PyTorch refuses to replace -1 in the shape of some empty arrays; NumPy replaces it, and so does this function.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.reshape.html), last seen in 2.13.0.

    Raises
    ------
    ShapeError
        if the shape has another number of elements than ``x``
    """
    known = math.prod(size for size in shape if size != -1)
    if shape.count(-1) == 1 and known:
        shape = tuple(x.numel() // known if size == -1 else size for size in shape)
    if math.prod(shape) != x.numel() or any(size < 0 for size in shape):
        raise ShapeError(f"reshape: an array of shape {tuple(x.shape)} cannot have shape {shape}")
    return shape
