"""Formulas of integrals of exponentials and logarithms, for libraries that do not have them.

They have the form that ``_formulas`` describes.
"""

from __future__ import annotations

import math
from typing import Any

__all__ = ["exp1", "expi", "expn", "spence"]

_EULER = 0.57721566490153286061
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_SPENCE = [number / math.factorial(2 * k + 3) for k, number in enumerate(_BERNOULLI)]


def spence(xp: Any, z: Any) -> Any:
    """Return the dilogarithm of ``1 - z`` by a series for ``z`` from 0.5 to 2.

    Other numbers are reflected into this interval (DLMF 25.12.4 and 25.12.6).
    """
    low, high = z < 0.5, z > 2
    u = -xp.where(low, xp.log1p(-z), xp.where(high, xp.log(z / (z - 1)), xp.log(z)))
    square, total = u * u, xp.zeros_like(u)
    for coefficient in reversed(_SPENCE):
        total = total * square + coefficient
    near = u - square / 4 + total * square * u
    reflected = math.pi**2 / 6 - xp.where(z == 0, 0, xp.log(z) * xp.log1p(-z)) - near
    inverted = -(math.pi**2) / 6 - xp.log(z - 1) ** 2 / 2 - near
    return xp.where(low, reflected, xp.where(high, inverted, near))


def _exponential_sum(xp: Any, x: Any, terms: int) -> Any:
    """Return the sum over ``k`` from 1 to ``terms - 1`` of ``x**k / (k * k!)``."""
    term, total = xp.ones_like(x), xp.zeros_like(x)
    for k in range(1, terms):
        term = term * (x / k)
        total = total + term / k
    return total


def _exponential_fraction(xp: Any, n: Any, x: Any) -> Any:
    """Return ``exp(x) * expn(n, x)`` for ``x >= 1``, as a continued fraction (DLMF 8.19.17)."""
    fraction = xp.zeros_like(x)
    for k in range(100, 0, -1):
        fraction = k * (n + (k - 1)) / (x + n + 2 * k - fraction)
    return 1 / (x + n - fraction)


def exp1(xp: Any, x: Any) -> Any:
    """Return the integral: a series for ``x`` below 1 (DLMF 6.6.2), a continued fraction from there on."""
    small = xp.logical_and(x > 0, x < 1)
    near, far = xp.where(small, x, 1), xp.where(xp.logical_and(x >= 1, x < 800), x, 800)
    series = -_EULER - xp.log(near) - _exponential_sum(xp, -near, 22)
    value = xp.where(small, series, xp.exp(-far) * _exponential_fraction(xp, 1, far))
    return xp.where(x == 0, math.inf, xp.where(x >= 0, value, math.nan))


def expi(xp: Any, x: Any) -> Any:
    """Return the integral: a series up to 40 (DLMF 6.6.1), the asymptotic one beyond (DLMF 6.12.2)."""
    near, far = xp.where(xp.logical_and(x > 0, x < 40), x, 1), xp.maximum(x, 40)
    series = _EULER + xp.log(near) + _exponential_sum(xp, near, 160)
    total = xp.ones_like(far)
    for k in range(40, 0, -1):
        total = 1 + total * (k / far)
    value = xp.where(x < 40, series, xp.exp(far) / far * total)
    value = xp.where(x == math.inf, x, value)
    value = xp.where(x == 0, -math.inf, value)
    return xp.where(x < 0, -exp1(xp, -xp.minimum(x, 0)), xp.where(xp.isnan(x), x, value))


def expn(xp: Any, n: Any, x: Any) -> Any:
    """Return the integral: a series for ``x`` below 1 (DLMF 8.19.8), a continued fraction from there on."""
    order = xp.maximum(n, 1)
    near, far = (
        xp.where(xp.logical_and(x > 0, x < 1), x, 0.5),
        xp.where(xp.logical_and(x >= 1, x < 800), x, 800),
    )
    power = xp.exp((order - 1) * xp.log(near) - xp.special.gammaln(order))
    sign = 1 - 2 * xp.remainder(order - 1, 2)
    total = sign * power * (xp.special.digamma(order) - xp.log(near))
    term = xp.ones_like(near)
    for k in range(22):
        last = order - 1 == k
        total = total - xp.where(last, 0, term / xp.where(last, 1, k + 1 - order))
        term = term * (-near / (k + 1))
    value = xp.where(x < 1, total, xp.exp(-far) * _exponential_fraction(xp, order, far))
    value = xp.where(n == 0, xp.exp(-x) / x, value)
    at_zero = xp.where(n > 1, 1 / xp.where(n > 1, n - 1, 1), math.inf)
    value = xp.where(x == 0, at_zero, value)
    fine = xp.logical_and(xp.logical_and(n >= 0, x >= 0), n == xp.floor(n))
    return xp.where(fine, value, math.nan)
