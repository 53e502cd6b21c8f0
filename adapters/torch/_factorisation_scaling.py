"""Matrices brought to a size whose squares neither overflow nor underflow.

LAPACK does so within its factorisations, but for a norm that itself overflows; those of CUDA square numbers that are
too large or too small for it, which gives NaN. Nothing here waits for the device. No upstream issue known
(https://docs.pytorch.org/docs/stable/generated/torch.linalg.qr.html); last seen in PyTorch 2.11.0 with CUDA 13.0.
"""

from __future__ import annotations

import cmath
import math

import torch

from .dtypes import COMPLEX, FULL_FLOATS

_REACH = {torch.float32: 2.0**40, torch.float64: 2.0**400}
"""Matrices whose largest element is within this, and its reciprocal, are left alone."""
_COLUMN_REACH = {torch.float32: 2.0**20, torch.float64: 2.0**400}
"""The same for columns, beside the largest of which ``_LEAST`` has to be lost."""
_LEAST = {torch.float32: 2.0**-50, torch.float64: 2.0**-480}
"""What is less than this can hardly be squared."""


def must_be_scaled(x: torch.Tensor) -> bool:
    """Return whether the factorisations of the device do not scale by themselves."""
    return x.is_cuda and x.numel() > 0 and x.ndim > 1 and (x.dtype in FULL_FLOATS or x.dtype in COMPLEX)


def has_overflowed(x: torch.Tensor) -> bool:
    """Return whether an element of ``x``, in host memory, is not finite, or may be about to be so."""
    return x.is_cpu and not cmath.isfinite(x.sum().item())


def scaled(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ``x`` divided by a number for each matrix, and these numbers, of shape (..., 1, 1).

    The number is 1 unless the largest element is very large or very small.
    """
    parts = _parts(x)
    excess = _excess(parts, tuple(range(x.ndim - 2, parts.ndim)), _REACH)
    return _like(x, parts / excess), excess.squeeze(-1) if x.dtype in COMPLEX else excess


def with_scaled_columns(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ``x`` divided by a number for each column, and these numbers, of shape (..., 1, columns).

    What is too small to be squared beside the largest element of its column is zero then: CUDA divides by its norm.
    """
    parts = _parts(x)
    excess = _excess(parts, (x.ndim - 2, *range(x.ndim, parts.ndim)), _COLUMN_REACH)
    small = parts / excess
    small = torch.where(torch.abs(small) < _LEAST[parts.dtype], 0, small)
    return _like(x, small), excess.squeeze(-1) if x.dtype in COMPLEX else excess


def _parts(x: torch.Tensor) -> torch.Tensor:
    """Return complex numbers as pairs along a last axis."""
    return torch.view_as_real(x.resolve_conj()) if x.dtype in COMPLEX else x


def _like(x: torch.Tensor, parts: torch.Tensor) -> torch.Tensor:
    return torch.view_as_complex(parts) if x.dtype in COMPLEX else parts


def _excess(parts: torch.Tensor, axes: tuple[int, ...], reaches: dict[torch.dtype, float]) -> torch.Tensor:
    limits, reach = torch.finfo(parts.dtype), reaches[parts.dtype]
    largest = torch.linalg.vector_norm(parts, math.inf, dim=axes, keepdim=True)
    largest = torch.where(torch.isfinite(largest), torch.clamp(largest, limits.tiny, limits.max), 1)
    return largest / torch.clamp(largest, 1 / reach, reach)


def multiply_by(x: torch.Tensor, number: torch.Tensor) -> torch.Tensor:
    """Multiply, complex numbers by parts, so that an infinity beside a zero stays one."""
    if x.dtype in COMPLEX:
        return torch.view_as_complex(torch.view_as_real(x.resolve_conj()) * number.unsqueeze(-1))
    return x * number
