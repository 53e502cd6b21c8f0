"""Division by Python numbers on CUDA, and remainders of quotients that overflow."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

_DIVISORS: dict[tuple[float, torch.dtype, int, int], torch.Tensor] = {}
_MANY = 256
_stream: Callable[[int], int] = getattr(
    torch._C, "_cuda_getCurrentRawStream", lambda index: torch.cuda.current_stream(index).cuda_stream
)


def divisor(x: torch.Tensor, number: Any) -> Any:
    """Return a Python number such that PyTorch divides floats by it.

    On CUDA it multiplies by the reciprocal, which is another number than the quotient, unless the divisor is a power
    of two. So others are kept there as arrays, each for the stream that it was made on.
    https://docs.pytorch.org/docs/stable/generated/torch.div.html (no issue known), last seen in 2.11.0.
    """
    if not x.is_cuda:
        return number
    mantissa, exponent = math.frexp(number)
    if not 0.5 < abs(mantissa) < 1 and abs(exponent) < 100:  # neither are 0, infinity and NaN
        return number
    key = (number, x.dtype, index := x.get_device(), _stream(index))
    kept = _DIVISORS.get(key)
    if kept is None:
        kept = torch.full((), number, dtype=torch.float64, device=x.device).to(x.dtype)
        if not torch.cuda.is_current_stream_capturing():
            if len(_DIVISORS) >= _MANY:
                _DIVISORS.clear()
            _DIVISORS[key] = kept
    return kept


def distant_remainder(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the remainder also where the quotient overflows: there PyTorch's vectorised fmod is NaN on the CPU.

    The remainder by ``b`` times a power of two has the same remainder by ``b``, and a smaller quotient.
    """
    rest, divisor = a.to(torch.float64), b.to(torch.float64)
    for exponent in (1000.0, 500.0, 0.0):
        step = divisor * 2.0**exponent
        rest = torch.where(torch.isfinite(step), torch.fmod(rest, step), rest)
    rest = torch.where((rest != 0) & (torch.signbit(rest) != torch.signbit(divisor)), rest + divisor, rest)
    return torch.where(torch.isfinite(divisor), rest, float("nan")).to(a.dtype)
