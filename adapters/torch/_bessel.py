"""Bessel functions of the first and second kind in double precision.

PyTorch's are off by up to 1e-6 between 2 and 25; they should be accurate to double precision. Below 25 the functions of
the first kind are computed from their integral over a quarter turn (Abramowitz and Stegun 9.1.18) by the midpoint rule,
which converges faster than any power of the step, because the integrand is periodic. Those of the second kind are
Neumann's series (9.1.89) and its derivative. The sum over the terms of the series is part of the weight of each step.

No upstream issue known (https://docs.pytorch.org/docs/stable/special.html), last seen in 2.13.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

Function = Callable[[torch.Tensor], torch.Tensor]

_FAR = 25.0
"""From this number on PyTorch's functions are accurate."""
_EULER = 0.57721566490153286061


def _steps(count: int, terms: int) -> list[tuple[float, float]]:
    """Return the sine of each of ``count`` steps of a quarter turn, and its weight in ``terms`` of Neumann's series."""
    angles = [math.pi * (2 * j + 1) / (4 * count) for j in range(count)]
    weights = (
        math.fsum((-1) ** k * math.cos(2 * k * angle) / k for k in range(1, terms + 1)) for angle in angles
    )
    return [(math.sin(angle), weight / count) for angle, weight in zip(angles, weights, strict=True)]


_FIRST = _steps(16, 0)
_SECOND = _steps(32, 32)


def _first(
    x: torch.Tensor, order: int, steps: list[tuple[float, float]]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the function of the first kind of order 0 or 1, and the weighted sum of the same waves."""
    total, weighted = torch.zeros_like(x), torch.zeros_like(x)
    for sine, weight in steps:
        wave = torch.sin(x * sine).mul_(sine) if order else torch.cos(x * sine)
        total.add_(wave)
        if weight:
            weighted.add_(wave, alpha=weight)
    return total.div_(len(steps)), weighted


def first_kind(order: int, library: Function) -> Function:
    """Return the function of the first kind of ``order`` 0 or 1; ``library`` serves from ``_FAR`` on and in float32."""

    def bessel(x: torch.Tensor) -> torch.Tensor:
        if x.dtype is not torch.float64:
            return library(x)
        near, _ = _first(x, order, _FIRST)
        return torch.where(torch.abs(x) < _FAR, near, library(x))

    return bessel


def second_kind(order: int, library: Function) -> Function:
    """Make the function of the second kind of ``order`` 0 or 1.

    ``library`` is accurate from ``_FAR`` on and in float32, and has the special values at 0 and below.
    """

    def bessel(x: torch.Tensor) -> torch.Tensor:
        if x.dtype is not torch.float64:
            return library(x)
        regular, weighted = _first(x, 0, _SECOND)
        log = torch.log(x / 2) + _EULER
        if order:
            pole = regular / x
            regular, weighted = _first(x, 1, _SECOND)
            near = (log * regular - pole - 2 * weighted) * (2 / math.pi)
        else:
            near = (log * regular - 2 * weighted) * (2 / math.pi)
        return torch.where((x > 0) & (x < _FAR), near, library(x))

    return bessel
