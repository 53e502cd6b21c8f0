"""When norms and standard deviations must be computed from scaled elements; see ``adapters/common/norms.py``.

Only results in host memory are looked at: on CUDA the host would have to wait for them.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from ..common.norms import FEW, LARGE_MEAN, PLAIN, bounds
from ._host_values import readable


def needs_scaling(out: torch.Tensor, order: Any) -> bool:
    """Return whether some result is in host memory and may come from powers that overflowed or underflowed."""
    if order in PLAIN or not readable(out) or not out.numel():
        return False
    low, high = bounds(order, out.dtype is torch.float32)
    if not out.ndim:
        return not low < out.item() < high
    if out.numel() <= FEW:
        few = out.flatten().tolist()
        return not (min(few) > low and max(few) < high)
    least, most = torch.aminmax(out)
    return not (least.item() > low and most.item() < high)


def finite_scale(top: torch.Tensor) -> torch.Tensor:
    """Return what to divide by: the largest magnitudes, and 1 where they are 0, infinite or NaN."""
    return torch.where(torch.isfinite(top) & (top != 0), top, 1)


def squeezed(out: torch.Tensor, axis: Any) -> torch.Tensor:
    """Return a reduction without the axes of length 1 that it kept."""
    return out.reshape(()) if axis is None else out.squeeze(axis)


def is_offset(x: torch.Tensor, spread: torch.Tensor, axis: Any, squared: bool = False) -> bool:
    """Return whether some mean in host memory is large beside its standard deviation, or variance if ``squared``.

    The first element stands for the mean: if the two differ much, so do the elements.
    """
    if not readable(x):
        return False
    first = x
    if axis is None or x.ndim <= 1:
        while first.ndim:
            first = first.select(0, 0)
        deviation: float = spread.item()
        size: float = abs(first.item())
        return size > LARGE_MEAN * (math.sqrt(deviation) if squared else deviation)
    for one in sorted((i % x.ndim for i in (axis if type(axis) is tuple else (axis,))), reverse=True):
        first = first.select(one, 0)
    if spread.numel() <= FEW:
        pairs = zip(first.flatten().tolist(), spread.flatten().tolist(), strict=True)
        return any(abs(one) > LARGE_MEAN * (math.sqrt(other) if squared else other) for one, other in pairs)
    sizes = torch.abs(first).reshape(spread.shape)
    deviations = torch.sqrt(spread) if squared else spread
    return bool((sizes > LARGE_MEAN * deviations).any().item())
