"""Scaling of matrices before a factorisation, so that squares of their elements neither overflow nor underflow.

On CUDA the factorisations square numbers that are too large or too small for it, which gives NaN. LAPACK, on the CPU,
scales by itself, unless the norm of a column overflows. The result should be finite wherever it can be represented.
Nothing here waits for the GPU.

No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.linalg.qr.html), last seen in 2.11.0 with
CUDA 13.0.
"""

from __future__ import annotations

import cmath
import math

import torch

from ._host_values import readable
from .dtypes import COMPLEX, FULL_FLOATS

_REACH = {torch.float32: 2.0**40, torch.float64: 2.0**400}
"""A matrix is scaled only if its largest element is above this number or below its reciprocal."""
_COLUMN_REACH = {torch.float32: 2.0**20, torch.float64: 2.0**400}
"""The same for a column. Smaller than ``_REACH`` in float32, because elements below ``_LEAST`` are set to zero."""
_LEAST = {torch.float32: 2.0**-50, torch.float64: 2.0**-480}
"""Squares of smaller numbers underflow, or lose digits."""


def must_be_scaled(x: torch.Tensor) -> bool:
    """Return whether ``x`` is a matrix on CUDA, whose factorisations do not scale by themselves."""
    return x.is_cuda and x.numel() > 0 and x.ndim > 1 and (x.dtype in FULL_FLOATS or x.dtype in COMPLEX)


def has_overflowed(x: torch.Tensor) -> bool:
    """Return whether ``x`` is in host memory and its sum is not finite: then an element may have overflowed."""
    return readable(x) and not cmath.isfinite(x.sum().item())


def scaled(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each matrix of ``x`` divided by a factor, and the factors, of shape (..., 1, 1).

    The factor is 1 unless the largest element is very large or very small.
    """
    parts = _parts(x)
    excess = _excess(parts, tuple(range(x.ndim - 2, parts.ndim)), _REACH)
    return _like(x, parts / excess), excess.squeeze(-1) if x.dtype in COMPLEX else excess


def with_scaled_columns(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each column of ``x`` divided by a factor, and the factors, of shape (..., 1, columns).

    Elements that are too small to be squared beside the largest of their column become zero: CUDA would divide by a
    norm that underflows.
    """
    parts = _parts(x)
    excess = _excess(parts, (x.ndim - 2, *range(x.ndim, parts.ndim)), _COLUMN_REACH)
    small = parts / excess
    small = torch.where(torch.abs(small) < _LEAST[parts.dtype], 0, small)
    return _like(x, small), excess.squeeze(-1) if x.dtype in COMPLEX else excess


def _parts(x: torch.Tensor) -> torch.Tensor:
    """Return complex numbers as pairs of reals along a new last axis, real numbers unchanged."""
    return torch.view_as_real(x.resolve_conj()) if x.dtype in COMPLEX else x


def _like(x: torch.Tensor, parts: torch.Tensor) -> torch.Tensor:
    """Undo ``_parts(x)``."""
    return torch.view_as_complex(parts) if x.dtype in COMPLEX else parts


def _excess(parts: torch.Tensor, axes: tuple[int, ...], reaches: dict[torch.dtype, float]) -> torch.Tensor:
    """Return how far the largest absolute part along ``axes`` is beyond its reach, as a factor; 1 if it is within."""
    limits, reach = torch.finfo(parts.dtype), reaches[parts.dtype]
    largest = torch.linalg.vector_norm(parts, math.inf, dim=axes, keepdim=True)
    largest = torch.where(torch.isfinite(largest), torch.clamp(largest, limits.tiny, limits.max), 1)
    return largest / torch.clamp(largest, 1 / reach, reach)


def multiply_by(x: torch.Tensor, number: torch.Tensor) -> torch.Tensor:
    """Return ``x`` times real factors, complex numbers by parts, because ``inf * 0`` would make their zeros NaN."""
    if x.dtype in COMPLEX:
        return torch.view_as_complex(torch.view_as_real(x.resolve_conj()) * number.unsqueeze(-1))
    return x * number
