"""The extension ``fft`` on PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from burn_array.errors import ArgumentError, DTypeError

from ._host_values import readable
from .dtypes import COMPLEX, HALF, cast, double, via_signed


def _input(x: torch.Tensor) -> torch.Tensor:
    """Return ``x`` in a dtype that PyTorch transforms: integers as float64, half precision as float32."""
    return x.to(torch.float32) if x.dtype in HALF else double(x)


def _real_input(x: torch.Tensor) -> torch.Tensor:
    if x.dtype in COMPLEX:
        raise DTypeError("expected real numbers, got complex ones; take xp.real first")
    return _input(x)


def _of_no_lines(
    x: torch.Tensor, axes: Sequence[int], transform: Callable[[torch.Tensor], torch.Tensor]
) -> torch.Tensor:
    """PyTorch (MKL) refuses an array that is empty along an axis that is not transformed; NumPy returns an empty one.

    https://github.com/pytorch/pytorch/issues/174984, last seen in 2.13.0.
    """
    transformed = {axis % x.ndim for axis in axes} if x.ndim else set()
    empty = [axis for axis, size in enumerate(x.shape) if not size and axis not in transformed]
    out = transform(x.new_zeros([1 if axis in empty else size for axis, size in enumerate(x.shape)]))
    return out.new_empty([0 if axis in empty else size for axis, size in enumerate(out.shape)])


def _conjugated(x: torch.Tensor) -> torch.Tensor:
    """Return a new tensor that PyTorch conjugated lazily with its elements conjugated, in the same memory."""
    if not readable(x):
        return x.resolve_conj()
    return x.conj().conj_physical_() if x.is_conj() else x


def _along_axis(function: Any, prepare: Any = _input) -> Any:
    """Make a transform along one axis."""

    def transform(
        x: torch.Tensor, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> torch.Tensor:
        x = prepare(x)
        try:
            result: torch.Tensor = function(x, n, axis, norm)
        except RuntimeError:
            if x.numel():
                raise
            return _of_no_lines(x, (axis,), lambda x: function(x, n, axis, norm))
        return _conjugated(result)

    return staticmethod(transform)


def _along_axes(function: Any, prepare: Any = _input) -> Any:
    """Make a transform along several axes."""

    def transform(
        x: torch.Tensor,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> torch.Tensor:
        if s is not None and axes is not None and len(s) != len(axes):
            raise ArgumentError("s and axes must have equal length")
        x = prepare(x)
        try:
            result: torch.Tensor = function(x, s, axes, norm)
        except RuntimeError:
            if x.numel() or axes is None:
                raise
            return _of_no_lines(x, axes, lambda x: function(x, s, axes, norm))
        return result

    return staticmethod(transform)


def _frequencies(function: Any) -> Any:
    """Make ``fftfreq`` or ``rfftfreq``, computed in double precision if the device has it."""

    def frequencies(n: int, *, d: float = 1.0, dtype: torch.dtype, device: Any) -> torch.Tensor:
        exact = torch.float32 if device is not None and device.type == "mps" else torch.float64
        return cast(function(n, d=1.0 / n, dtype=exact, device=device).mul_(1.0 / (n * d)), dtype)

    return staticmethod(frequencies)


def _shift(function: Any) -> Any:
    """PyTorch refuses an empty list of axes for a shift; NumPy returns a copy.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.fft.fftshift.html), last seen in
    2.13.0.
    """

    @via_signed
    def shift(x: torch.Tensor, *, axes: int | Sequence[int] | None = None) -> torch.Tensor:
        if axes in ((), []):
            return x.clone()
        result: torch.Tensor = function(x, dim=axes)
        return result

    return staticmethod(shift)


class FourierExtension:
    """The extension ``fft`` of the standard."""

    fft_fft = _along_axis(torch.fft.fft)
    fft_ifft = _along_axis(torch.fft.ifft)
    fft_rfft = _along_axis(torch.fft.rfft, _real_input)
    fft_irfft = _along_axis(torch.fft.irfft)
    fft_hfft = _along_axis(torch.fft.hfft)
    fft_ihfft = _along_axis(torch.fft.ihfft, _real_input)
    fft_fftn = _along_axes(torch.fft.fftn)
    fft_ifftn = _along_axes(torch.fft.ifftn)
    fft_rfftn = _along_axes(torch.fft.rfftn, _real_input)
    fft_irfftn = _along_axes(torch.fft.irfftn)
    fft_fftfreq = _frequencies(torch.fft.fftfreq)
    fft_rfftfreq = _frequencies(torch.fft.rfftfreq)
    fft_fftshift = _shift(torch.fft.fftshift)
    fft_ifftshift = _shift(torch.fft.ifftshift)
