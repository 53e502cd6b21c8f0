"""Statistical functions on PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from burn_array.errors import ArgumentError, DTypeError

from ._scaled_norms import finite_scale, is_offset, needs_scaling, squeezed
from .dtypes import (
    COMPLEX,
    FLOATS,
    HALF,
    REALS,
    SIGNED,
    UNSIGNED,
    WIDE_UNSIGNED,
    cast,
    double,
    from_int64,
    from_ordered,
    ordered,
    to_int64,
)
from .manipulation_functions import normalized_axes

Axis = int | tuple[int, ...]
Function = Callable[..., Any]

_SUM_KEEPS = FLOATS | COMPLEX
"""Dtypes that ``sum`` keeps."""
_PRECISE = _SUM_KEEPS - HALF
_SUM_IS_RIGHT = _SUM_KEEPS | SIGNED | {torch.bool}
"""Dtypes for which PyTorch's ``sum`` returns the dtype that the standard asks for."""
_CUMULATIVE_IS_RIGHT = _SUM_IS_RIGHT - HALF
"""Dtypes for which PyTorch's ``prod``, ``cumsum`` and ``cumprod`` are right as well."""


def accumulator(dtype: torch.dtype) -> torch.dtype:
    """Return the dtype of a sum of ``dtype``.

    PyTorch sums uint8 to int64; the standard asks for uint64, the unsigned dtype of the default width.

    https://github.com/pytorch/pytorch/issues/58734, last seen in 2.13.0.
    """
    if dtype in _SUM_KEEPS:
        return dtype
    return torch.uint64 if dtype in UNSIGNED else torch.int64


def _accumulated(x: torch.Tensor, dtype: torch.dtype | None) -> tuple[torch.Tensor, torch.dtype]:
    """Return ``x`` in the dtype in which to sum it, and the dtype of the result.

    PyTorch rounds half precision at every step of ``prod`` on the CPU, and of ``cumsum`` and ``cumprod`` on CUDA. Here,
    as on every other device, it is computed in single precision and rounded once.

    https://github.com/pytorch/pytorch/issues/156018, last seen in 2.13.0 on the CPU and 2.11.0 on CUDA.
    """
    dtype = accumulator(x.dtype) if dtype is None else dtype
    x = cast(x, dtype)
    if dtype in HALF:
        return cast(x, torch.float32), dtype
    return (to_int64(x), dtype) if dtype in WIDE_UNSIGNED else (x, dtype)


def _finished(x: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Return the result of a sum in the dtype that ``_accumulated`` promised."""
    return from_int64(x, dtype) if dtype in WIDE_UNSIGNED else cast(x, dtype)


def _flat(x: torch.Tensor, axis: Axis | None) -> tuple[torch.Tensor, tuple[int, ...]]:
    """Return ``x`` with the reduced axes as one last axis, and the shape of the result with ``keepdims``."""
    axes = _reduced(x, axis)
    kept = [i for i in range(x.ndim) if i not in axes]
    shape = tuple(1 if i in axes else size for i, size in enumerate(x.shape))
    lead = [x.shape[i] for i in kept]
    count = 1
    for i in axes:
        count *= x.shape[i]
    return x.permute(kept + list(axes)).reshape([*lead, count]), shape


def _in_single(function: Function, x: torch.Tensor, **settings: Any) -> torch.Tensor:
    """Return ``function`` of half precision, computed in single precision and rounded once.

    A square, or a variance before it is scaled, can be out of the range of half precision although the result is not.
    """
    return cast(function(cast(x, torch.float32), **settings), x.dtype)


def _extremum(function: Function) -> Any:
    """PyTorch's ``amax`` and ``amin`` take ``()`` for all axes; the standard reduces nothing.

    https://github.com/pytorch/pytorch/issues/29137, last seen in 2.13.0.
    """

    def reduce(x: torch.Tensor, *, axis: Axis | None = None, keepdims: bool = False) -> torch.Tensor:
        if x.dtype in REALS and x.numel() and axis != ():
            return function(x, axis, keepdims)
        if x.dtype in COMPLEX:
            raise DTypeError("complex numbers have no order")
        if axis == ():
            return x.clone()
        if not x.numel() and not all(x.shape[i] for i in _reduced(x, axis)):
            raise ArgumentError(
                f"{function.__name__[1:]}: a reduced axis has size 0; no numbers have no extreme value"
            )
        return from_ordered(function(ordered(x), dim=axis, keepdim=keepdims), x.dtype)

    return staticmethod(reduce)


def _reduced(x: torch.Tensor, axis: Axis | None) -> tuple[int, ...]:
    """Return the axes that are reduced. As PyTorch does, it accepts the axes 0 and -1 of a 0-d array."""
    if axis is None or (not x.ndim and axis in (0, -1)):
        return tuple(range(x.ndim))
    return normalized_axes(axis, x.ndim)


def _count(x: torch.Tensor, axis: Axis | None) -> int:
    """Return how many elements a reduction over ``axis`` puts into each result."""
    return math.prod([x.shape[i] for i in _reduced(x, axis)])


def _var(x: torch.Tensor, axis: Axis | None, keepdims: bool) -> torch.Tensor:
    """PyTorch loses the digits of a variance beside a large mean; it should be as accurate as without the mean.

    Of ``[1e8, 1e8 + 16, 1e8 + 32]`` in float32 it gives 234.7 in place of 170.7. The mean is subtracted first if it is
    large, as far as the host can tell without waiting.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.var.html), last seen in 2.13.0.
    """
    out = torch.var(x, axis, correction=0, keepdim=keepdims)
    if not is_offset(x, out, axis, squared=True):
        return out
    return torch.var(_centred(x, axis), axis, correction=0, keepdim=keepdims)


def _centred(x: torch.Tensor, axis: Axis | None) -> torch.Tensor:
    return x - torch.mean(x, axis, keepdim=True)


def _scaled_std(x: torch.Tensor, axis: Axis | None, keepdims: bool) -> torch.Tensor:
    """Return the standard deviation of elements whose squares overflow or underflow."""
    size = torch.abs(x) if x.dtype not in COMPLEX else torch.maximum(torch.abs(x.real), torch.abs(x.imag))
    scale = finite_scale(torch.amax(size, () if axis is None else axis, keepdim=True))
    out = torch.std(_centred(x / scale, axis), axis, correction=0, keepdim=True) * scale
    return out if keepdims else squeezed(out, axis)


def _cumulative(function: Function, initial: int) -> Any:
    """Make a cumulative function, whose result starts with ``initial`` if ``include_initial`` is set."""

    def cumulate(
        x: torch.Tensor,
        *,
        axis: int | None = None,
        dtype: torch.dtype | None = None,
        include_initial: bool = False,
    ) -> torch.Tensor:
        if axis is None:
            if x.ndim != 1:
                raise ArgumentError(f"axis must be given for an array of {x.ndim} axes")
            axis = 0
        if dtype is None and not include_initial and x.dtype in _CUMULATIVE_IS_RIGHT:
            return function(x, axis)
        x, dtype = _accumulated(x, dtype)
        result = function(x, axis, dtype=x.dtype)
        if include_initial:
            shape = [*x.shape]
            shape[axis] = 1
            first = torch.full(shape, initial, dtype=x.dtype, device=x.device)
            result = torch.cat([first, result], dim=axis)
        return _finished(result, dtype)

    return staticmethod(cumulate)


class StatisticalFunctions:
    """The page ``statistical functions`` of the standard."""

    cumulative_prod = _cumulative(torch.cumprod, 1)
    cumulative_sum = _cumulative(torch.cumsum, 0)
    max = _extremum(torch.amax)
    min = _extremum(torch.amin)

    @staticmethod
    def mean(x: torch.Tensor, *, axis: Axis | None = None, keepdims: bool = False) -> torch.Tensor:
        if axis != () and x.dtype in _SUM_KEEPS:
            return torch.mean(x, axis, keepdims)
        x = double(x)
        return x.clone() if axis == () else torch.mean(x, axis, keepdims)

    @staticmethod
    def prod(
        x: torch.Tensor, *, axis: Axis | None = None, dtype: torch.dtype | None = None, keepdims: bool = False
    ) -> torch.Tensor:
        """PyTorch multiplies along one axis; the standard along several.

        https://github.com/pytorch/pytorch/issues/56586, last seen in 2.13.0.
        """
        if dtype is None and type(axis) is int and x.dtype in _CUMULATIVE_IS_RIGHT:
            return torch.prod(x, axis, keepdims)
        x, dtype = _accumulated(x, dtype)
        flat, shape = _flat(x, axis)
        result = _finished(torch.prod(flat, dim=-1, dtype=x.dtype), dtype)
        return result.reshape(shape) if keepdims else result

    @staticmethod
    def std(
        x: torch.Tensor, *, axis: Axis | None = None, correction: float = 0.0, keepdims: bool = False
    ) -> torch.Tensor:
        if correction == 0 and axis != () and x.dtype in _PRECISE and x.numel():
            out = torch.std(x, axis, correction=0, keepdim=keepdims)
            if needs_scaling(out, 2):
                return _scaled_std(x, axis, keepdims)
            if is_offset(x, out, axis):
                out = torch.std(_centred(x, axis), axis, correction=0, keepdim=keepdims)
            return out
        if x.dtype in HALF:
            return _in_single(
                StatisticalFunctions.std, x, axis=axis, correction=correction, keepdims=keepdims
            )
        if axis == () or not x.numel():
            return torch.sqrt(
                StatisticalFunctions.var(x, axis=axis, correction=correction, keepdims=keepdims)
            )
        count = _count(x, axis)
        free = max(count - correction, 0)
        out = StatisticalFunctions.std(double(x), axis=axis, correction=0.0, keepdims=keepdims)
        return out * (math.sqrt(count / free) if free else math.inf)

    @staticmethod
    def sum(
        x: torch.Tensor, *, axis: Axis | None = None, dtype: torch.dtype | None = None, keepdims: bool = False
    ) -> torch.Tensor:
        """PyTorch takes ``()`` for all axes; the standard reduces nothing.

        https://github.com/pytorch/pytorch/issues/29137, last seen in 2.13.0.
        """
        if dtype is None and axis != () and x.dtype in _SUM_IS_RIGHT:
            return torch.sum(x, axis, keepdims)
        if dtype is None and axis != () and x.dtype is torch.uint8:
            return from_int64(torch.sum(x, axis, keepdims), torch.uint64)
        x, dtype = _accumulated(x, dtype)
        return _finished(
            x.clone() if axis == () else torch.sum(x, dim=axis, keepdim=keepdims, dtype=x.dtype), dtype
        )

    @staticmethod
    def var(
        x: torch.Tensor, *, axis: Axis | None = None, correction: float = 0.0, keepdims: bool = False
    ) -> torch.Tensor:
        """PyTorch refuses integers, takes ``()`` for all axes, and warns if the correction leaves no degree of freedom.

        NumPy takes integers, and the standard reduces nothing for ``()``. A variance with a correction is scaled here,
        which gives inf without a warning. array_api_compat's function differs in the same ways.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.var.html), last seen in 2.13.0.
        """
        if correction == 0 and axis != () and x.dtype in _PRECISE and x.numel():
            return _var(x, axis, keepdims)
        if x.dtype in HALF:
            return _in_single(
                StatisticalFunctions.var, x, axis=axis, correction=correction, keepdims=keepdims
            )
        x = double(x)
        if axis == ():
            x, axis, keepdims = x.unsqueeze(0), 0, False
        count = _count(x, axis)
        free = max(count - correction, 0)
        if not x.numel():
            return torch.real(torch.sum(x, dim=axis, keepdim=keepdims)) * (1 / free if free else float("nan"))
        result = _var(x, axis, keepdims)
        return result if free == count else result * (count / free if free else float("inf"))
