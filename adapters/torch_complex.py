"""Complex functions that PyTorch computes with wrong special values, or not at all."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch


def by_parts(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Apply a real function to the real and the imaginary parts."""

    def wrapped(*xs: torch.Tensor) -> torch.Tensor:
        return torch.view_as_complex(
            function(*(torch.view_as_real(x.resolve_conj()) for x in xs)).contiguous()
        )

    return wrapped


negative = by_parts(torch.neg)


def add(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the sum by parts; PyTorch computes ``a + (1+0j) * b``, where an infinity breeds NaN."""
    return _by_broadcast_parts(torch.add, a, b)


def subtract(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the difference by parts; PyTorch computes ``a - (1+0j) * b``, where an infinity breeds NaN."""
    return _by_broadcast_parts(torch.sub, a, b)


def _by_broadcast_parts(function: Callable[..., Any], a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    left, right = torch.view_as_real(a.resolve_conj()), torch.view_as_real(b.resolve_conj())
    missing = left.ndim - right.ndim
    left = left.reshape((1,) * -missing + left.shape) if missing < 0 else left
    right = right.reshape((1,) * missing + right.shape) if missing > 0 else right
    return torch.view_as_complex(function(left, right))


def sign(x: torch.Tensor) -> torch.Tensor:
    """Return ``x / abs(x)``, and 0 for 0."""
    size = torch.abs(x)
    return torch.where(size == 0, 0, by_parts(torch.div)(x, torch.complex(size, size)))


def reciprocal(x: torch.Tensor) -> torch.Tensor:
    """Return ``1 / x``."""
    return torch.div(torch.ones((), dtype=x.dtype, device=x.device), x)


def power(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return ``a ** b``: 1 for ``b`` = 0, and 0 for ``a`` = 0 with a positive real part of ``b``."""
    result = torch.where(a == 0, torch.where(b.real > 0, 0, complex(math.nan, math.nan)), torch.pow(a, b))
    return torch.where(b == 0, 1, result)


def acos(x: torch.Tensor) -> torch.Tensor:
    """Return the arc cosine, with the imaginary part's sign opposite to that of ``x``."""
    result = torch.acos(x)
    return torch.complex(result.real, torch.copysign(result.imag, -x.imag))


def log1p(x: torch.Tensor) -> torch.Tensor:
    """Return ``log(1 + x)``, accurate near 0 and free of the NaN that ``x.imag**2`` breeds when it underflows."""
    real, imag = x.real, x.imag
    size = torch.hypot(real + 1, imag)
    near = 0.5 * torch.log1p(real * (2 + real) + imag * imag)
    close = (torch.abs(real) < 0.5) & (torch.abs(imag) < 0.5)
    return torch.complex(torch.where(close, near, torch.log(size)), torch.atan2(imag, real + 1))


def expm1(x: torch.Tensor) -> torch.Tensor:
    """Return ``exp(x) - 1``, also where ``x`` is not finite; the real part of a zero is +0."""
    power, near = torch.exp(x), torch.expm1(x)
    return torch.where(
        torch.isfinite(x),
        torch.complex(near.real + 0.0, near.imag),
        torch.complex(power.real - 1, power.imag),
    )


def tanh(x: torch.Tensor) -> torch.Tensor:
    """Return the hyperbolic tangent, whose zero imaginary part at an infinite real one has the sign of ``x.imag``."""
    result = torch.tanh(x)
    imag = torch.where(
        torch.isinf(x.real) & torch.isfinite(x.imag), torch.copysign(x.imag * 0, x.imag), result.imag
    )
    return torch.complex(result.real, imag)
