"""Matrices brought to a size whose squares neither overflow nor underflow, by exact powers of two.

LAPACK does so within its factorisations; those of CUDA square numbers that are too large or too small for it, which
gives NaN. Nothing here waits for the device. No upstream issue known
(https://docs.pytorch.org/docs/stable/generated/torch.linalg.qr.html); last seen in PyTorch 2.11.0 with CUDA 13.0.
"""

from __future__ import annotations

import math

import torch

from burn_array.adapters.torch_dtypes import COMPLEX, FULL

_LAYOUT = {
    torch.float32: (torch.int32, 23, 127, 40),
    torch.float64: (torch.int64, 52, 1023, 400),
}
"""The integers of a float's width, where its exponent starts, what is added to it, and the largest one left alone."""


def must_be_scaled(x: torch.Tensor) -> bool:
    """Return whether the factorisations of the device do not scale by themselves."""
    return x.is_cuda and x.numel() > 0 and x.ndim > 1 and (x.dtype in FULL or x.dtype in COMPLEX)


def scaled(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``x`` times a power of two for each matrix, the power, and its reciprocal, both of shape (..., 1, 1).

    The power is 1 unless the largest element is very large or very small.
    """
    parts = torch.view_as_real(x.resolve_conj()) if x.dtype in COMPLEX else x
    whole, start, bias, reach = _LAYOUT[parts.dtype]
    axes = tuple(range(x.ndim - 2, parts.ndim))
    largest = torch.linalg.vector_norm(parts, math.inf, dim=axes, keepdim=True)
    exponent = (largest.view(whole) >> start) - bias
    excess = exponent - exponent.clamp(-reach, reach)
    down = ((bias - excess) << start).view(parts.dtype)
    up = ((bias + excess) << start).view(parts.dtype)
    if x.dtype in COMPLEX:
        down, up = down.squeeze(-1), up.squeeze(-1)
    return times(x, down), down, up


def times(x: torch.Tensor, power: torch.Tensor) -> torch.Tensor:
    """Multiply, complex numbers by parts, so that an infinity beside a zero stays one."""
    if x.dtype in COMPLEX:
        return torch.view_as_complex(torch.view_as_real(x.resolve_conj()) * power.unsqueeze(-1))
    return x * power
