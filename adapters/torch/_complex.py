"""Complex functions for which PyTorch gives wrong special values, loses digits, or has none."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from ..common.complex_functions import SMALL_LOGARITHM, log1p_real
from ._host_values import readable

Function = Callable[..., Any]


def by_parts(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Make a complex function that applies a real one to the real and to the imaginary parts."""

    def wrapped(*xs: torch.Tensor) -> torch.Tensor:
        return torch.view_as_complex(
            function(*(torch.view_as_real(x.resolve_conj()) for x in xs)).contiguous()
        )

    return wrapped


negative = by_parts(torch.neg)


def add(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """PyTorch computes ``a + (1+0j) * b``, which is NaN for a complex infinity; the standard adds the parts.

    https://github.com/pytorch/pytorch/issues/82510, last seen in 2.13.0.
    """
    return _by_broadcast_parts(torch.add, a, b)


def subtract(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """PyTorch computes ``a - (1+0j) * b``, which is NaN for a complex infinity; the standard subtracts the parts.

    https://github.com/pytorch/pytorch/issues/82510, last seen in 2.13.0.
    """
    return _by_broadcast_parts(torch.sub, a, b)


def _by_broadcast_parts(function: Callable[..., Any], a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return ``function`` of the parts of both operands, which are broadcast."""
    left, right = torch.view_as_real(a.resolve_conj()), torch.view_as_real(b.resolve_conj())
    missing = left.ndim - right.ndim
    left = left.reshape((1,) * -missing + left.shape) if missing < 0 else left
    right = right.reshape((1,) * missing + right.shape) if missing > 0 else right
    return torch.view_as_complex(function(left, right))


def sign(x: torch.Tensor) -> torch.Tensor:
    """Return ``x / abs(x)``: 0 for 0, and one of 1, -1, 1j and -1j where one part is infinite."""
    size = torch.abs(x)
    x = torch.where(torch.isinf(size), torch.where(torch.isfinite(x), x * 0.25, _direction(x)), x)
    size = torch.abs(x)
    return torch.where(size == 0, 0, by_parts(torch.div)(x, torch.complex(size, size)))


def _direction(x: torch.Tensor) -> torch.Tensor:
    """Return the sign of the infinite part of ``x``, NaN if both parts are infinite."""
    real, imag = (torch.where(torch.isinf(part), torch.sign(part), 0) for part in (x.real, x.imag))
    return torch.where((real != 0) & (imag != 0), math.nan, torch.complex(real, imag))


def reciprocal(x: torch.Tensor) -> torch.Tensor:
    """Return ``1 / x`` by a division, which gives zeros the right sign."""
    return torch.div(torch.ones((), dtype=x.dtype, device=x.device), x)


def power(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """PyTorch gives NaN for ``0j ** 0j``; the standard gives 1, and NumPy 0 for ``0j ** b`` if ``b.real > 0``.

    https://github.com/pytorch/pytorch/issues/54622, last seen in 2.13.0.
    """
    result = torch.where(a == 0, torch.where(b.real > 0, 0, complex(math.nan, math.nan)), torch.pow(a, b))
    return torch.where(b == 0, 1, result)


MAX_WHOLE_EXPONENT = 100
"""Below this exponent NumPy multiplies; from it on, logarithms are as exact."""


def whole_power(a: torch.Tensor, exponent: int) -> torch.Tensor:
    """Return ``a ** exponent`` by multiplications, as NumPy does: so the square of an imaginary number is real."""
    result = torch.ones_like(a) if exponent == 0 else None
    square, rest = a, abs(exponent)
    while rest:
        if rest & 1:
            result = square if result is None else result * square
        rest >>= 1
        square = square * square if rest else square
    assert result is not None
    if exponent < 0:
        return torch.where(a == 0, complex(math.nan, math.nan), reciprocal(result))
    return result.clone() if result is a else result


def acos(x: torch.Tensor) -> torch.Tensor:
    """PyTorch gives ``acos(1+0j)`` an imaginary part of +0; in the standard its sign is opposite to that of ``x.imag``.

    It loses a small real part beside a real number from 1 on, as of ``acos(1+1e-310j)``, which square roots keep.
    Source: W. Kahan, Branch cuts for complex elementary functions, in The State of the Art in Numerical Analysis
    (1987).

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.acos.html), last seen in 2.13.0.
    """
    result = torch.acos(x)
    if readable(x) and not (torch.abs(result.real) < 0.3).any().item():
        return torch.complex(result.real, torch.copysign(result.imag, -x.imag))
    below, above = sqrt(torch.complex(1 - x.real, -x.imag)), sqrt(torch.complex(1 + x.real, x.imag))
    real = 2 * torch.atan2(below.real, above.real)
    real = torch.where(torch.isfinite(x), real, result.real)
    return torch.complex(real, torch.copysign(result.imag, -x.imag))


def atan(x: torch.Tensor) -> torch.Tensor:
    """Return the arc tangent as ``-1j * atanh(1j * x)``, for the reason that ``atanh`` tells."""
    if x.is_cpu:
        return torch.atan(x)
    rotated = small_atanh(torch.complex(-x.imag, x.real))
    return torch.where(torch.abs(x) < 0.5, torch.complex(rotated.imag, -rotated.real), torch.atan(x))


def atanh(x: torch.Tensor) -> torch.Tensor:
    """PyTorch's ``atanh`` on CUDA loses the digits of small parts; the result should be accurate everywhere.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.atanh.html), last seen in 2.11.0.
    """
    return torch.atanh(x) if x.is_cpu else torch.where(torch.abs(x) < 0.5, small_atanh(x), torch.atanh(x))


def small_atanh(x: torch.Tensor) -> torch.Tensor:
    """Return the inverse hyperbolic tangent of small numbers, ``log((1 + x) / (1 - x)) / 2``.

    The real part comes from the modulus by ``log1p``, the imaginary part from the argument by ``atan2``.
    """
    real, imag = x.real, x.imag
    modulus = torch.log1p(4 * real / ((1 - real) ** 2 + imag * imag))
    return torch.complex(modulus * 0.25, torch.atan2(2 * imag, (1 - real) * (1 + real) - imag * imag) * 0.5)


def log1p(x: torch.Tensor) -> torch.Tensor:
    """PyTorch gives NaN where the square of the imaginary part underflows or overflows; the logarithm is finite there.

    https://github.com/pytorch/pytorch/issues/107022, last seen in 2.13.0.
    """
    real, imag = x.real, x.imag
    angle = torch.atan2(imag, real + 1)
    logarithm = torch.log(torch.hypot(real + 1, imag))
    if readable(x) and not (torch.abs(logarithm) < SMALL_LOGARITHM).any().item():
        return torch.complex(logarithm, angle)
    return torch.complex(log1p_real(torch, real, imag), angle)


def expm1(x: torch.Tensor) -> torch.Tensor:
    """PyTorch gives NaN parts at complex infinities; the standard gives ``exp(x) - 1``, and +0 as real part for a zero.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.expm1.html), last seen in 2.13.0.
    """
    power, near = exp(x), torch.expm1(x)
    return torch.where(
        torch.isfinite(x),
        torch.complex(near.real + 0.0, near.imag),
        torch.complex(power.real - 1, power.imag),
    )


def tanh(x: torch.Tensor) -> torch.Tensor:
    """PyTorch signs the zero of ``tanh(inf + yj)`` as C99 does; the standard gives it the sign of ``y``.

    https://github.com/data-apis/array-api/issues/1006, last seen in 2.13.0.
    """
    result = torch.tanh(x) if x.device.type == "cpu" else careful_tanh(x)
    imag = torch.where(
        torch.isinf(x.real) & torch.isfinite(x.imag), torch.copysign(x.imag * 0, x.imag), result.imag
    )
    return torch.complex(result.real, imag)


# -- for accelerators, where PyTorch's formulas have no special values -------------------------


def _on_cpu(native: Function, careful: Function) -> Function:
    """Make a function that is PyTorch's on the CPU, where it has every special value, and ``careful`` elsewhere."""

    def chosen(x: torch.Tensor) -> torch.Tensor:
        return native(x) if x.device.type == "cpu" else careful(x)

    return chosen


def _scaled(size: torch.Tensor, factor: torch.Tensor, weight: float = 1.0) -> torch.Tensor:
    """Return ``exp(size) * factor * weight``, finite also where only ``exp(size)`` overflows."""
    half = torch.exp(size * 0.5)
    near = torch.exp(size) * weight * factor
    return torch.where(size > _LARGE[size.dtype], half * weight * factor * half, near)


_LARGE = {torch.float32: 80.0, torch.float64: 700.0}
"""Above this number ``exp`` is close to overflow."""


def careful_exp(x: torch.Tensor) -> torch.Tensor:
    """Return ``exp(a + bj)``, which is ``exp(a) * (cos(b) + 1j * sin(b))``, with the special values of the standard."""
    a, b = x.real, x.imag
    real, imag = _scaled(a, torch.cos(b)), _scaled(a, torch.sin(b))
    undefined = ~torch.isfinite(b)
    real = torch.where(undefined & (a == math.inf), a, torch.where(undefined & (a == -math.inf), 0, real))
    imag = torch.where(b == 0, b, torch.where(undefined & (a == -math.inf), 0, imag))
    return torch.complex(torch.where(b == 0, torch.exp(a), real), imag)


def _hyperbolic(a: torch.Tensor, factor: torch.Tensor, function: Function, sign: Any) -> torch.Tensor:
    """Return ``function(a) * factor`` for sinh or cosh, finite also where only ``function(a)`` overflows."""
    size = torch.abs(a)
    return torch.where(size > _LARGE[a.dtype], _scaled(size, factor, 0.5) * sign, function(a) * factor)


def careful_sinh(x: torch.Tensor) -> torch.Tensor:
    """Return ``sinh(a + bj)``, which is ``sinh(a) * cos(b) + 1j * cosh(a) * sin(b)``."""
    a, b = x.real, x.imag
    real = _hyperbolic(a, torch.cos(b), torch.sinh, torch.sign(a))
    imag = torch.where(b == 0, b, _hyperbolic(a, torch.sin(b), torch.cosh, 1.0))
    keeps = ~torch.isfinite(b) & ((a == 0) | torch.isinf(a))
    return torch.complex(torch.where(keeps, a, torch.where(b == 0, torch.sinh(a), real)), imag)


def careful_cosh(x: torch.Tensor) -> torch.Tensor:
    """Return ``cosh(a + bj)``, which is ``cosh(a) * cos(b) + 1j * sinh(a) * sin(b)``."""
    a, b = x.real, x.imag
    real = _hyperbolic(a, torch.cos(b), torch.cosh, 1.0)
    imag = _hyperbolic(a, torch.sin(b), torch.sinh, torch.sign(a))
    undefined = ~torch.isfinite(b)
    zero = torch.copysign(
        torch.zeros_like(a), torch.copysign(torch.ones_like(a), a) * torch.where(undefined, 1, b)
    )
    real = torch.where(undefined & torch.isinf(a), math.inf, torch.where(b == 0, torch.cosh(a), real))
    return torch.complex(real, torch.where((b == 0) | (undefined & (a == 0)), zero, imag))


def careful_tanh(x: torch.Tensor) -> torch.Tensor:
    """Return ``tanh(x)``, with the special values of the standard at ``0 + infj`` and ``nan + 0j``."""
    result = torch.tanh(x)
    keeps = (x.real == 0) & ~torch.isfinite(x.imag)
    imag = torch.where(x.imag == 0, x.imag, result.imag)
    return torch.complex(torch.where(keeps, x.real, result.real), torch.where(keeps, math.nan, imag))


def careful_sqrt(x: torch.Tensor) -> torch.Tensor:
    """Return the square root with a real part that is not negative, computed without polar coordinates."""
    a, b = x.real, x.imag
    size = 2 * torch.sqrt(torch.abs(a) * 0.125 + torch.hypot(a * 0.125, b * 0.125))
    rest = torch.where(size == 0, torch.abs(b), torch.abs(b) / (2 * size))
    real, imag = torch.where(a < 0, rest, size), torch.where(a < 0, size, rest)
    infinite = torch.isinf(b)
    return torch.complex(
        torch.where(infinite, math.inf, real), torch.copysign(torch.where(infinite, math.inf, imag), b)
    )


def careful_acosh(x: torch.Tensor) -> torch.Tensor:
    """Return the inverse hyperbolic cosine, with the special value of the standard at ``0 + nanj``."""
    result = torch.acosh(x)
    return torch.complex(
        result.real, torch.where((x.real == 0) & torch.isnan(x.imag), math.pi / 2, result.imag)
    )


def _rotated(function: Function) -> Function:
    """Make ``-1j * function(1j * x)``, which is ``sin`` if ``function`` is ``sinh``."""

    def rotated(x: torch.Tensor) -> torch.Tensor:
        result = function(torch.complex(-x.imag, x.real))
        return torch.complex(result.imag, -result.real)

    return rotated


careful_sin = _rotated(careful_sinh)
careful_tan = _rotated(careful_tanh)


def careful_cos(x: torch.Tensor) -> torch.Tensor:
    """Return the cosine as ``cosh(1j * x)``."""
    return careful_cosh(torch.complex(-x.imag, x.real))


exp = _on_cpu(torch.exp, careful_exp)
sinh = _on_cpu(torch.sinh, careful_sinh)
cosh = _on_cpu(torch.cosh, careful_cosh)
sqrt = _on_cpu(torch.sqrt, careful_sqrt)
acosh = _on_cpu(torch.acosh, careful_acosh)
sin = _on_cpu(torch.sin, careful_sin)
cos = _on_cpu(torch.cos, careful_cos)
tan = _on_cpu(torch.tan, careful_tan)
