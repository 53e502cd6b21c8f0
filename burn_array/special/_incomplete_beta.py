"""Formulas of the incomplete beta function and of distributions, for libraries that do not have them.

They have the form that ``_formulas`` describes.
"""

from __future__ import annotations

import math
from typing import Any

__all__ = [
    "bdtr",
    "bdtrc",
    "betainc",
    "betainc_of",
    "chdtrc",
    "fdtr",
    "fdtrc",
    "gdtr",
    "gdtrc",
    "log_ndtr",
    "nbdtr",
    "nbdtrc",
    "ndtr",
    "pdtr",
    "pdtrc",
    "stdtr",
]


def betainc(xp: Any, a: Any, b: Any, x: Any) -> Any:
    return betainc_of(xp, a, b, x, 1 - x)


def betainc_of(xp: Any, a: Any, b: Any, x: Any, y: Any) -> Any:
    """Return ``betainc(a, b, x)``, given ``y = 1 - x`` too so that no digits are lost for ``x`` near 1.

    A continued fraction (DLMF 8.17.22) is taken of the function or of its complement, whichever converges
    faster.
    """
    swap = x > (a + 1) / (a + b + 2)
    inside = xp.logical_and(xp.logical_and(x > 0, y > 0), xp.logical_and(a > 0, b > 0))
    p, q = xp.where(swap, b, a), xp.where(swap, a, b)
    u, v = (xp.where(inside, xp.where(swap, s, t), 0.5) for s, t in ((y, x), (x, y)))
    front = p * _log_beside_one(xp, u, v) + q * _log_beside_one(xp, v, u) - xp.special.betaln(p, q)
    value = xp.exp(front) / p * _betainc_fraction(xp, p, q, u)
    value = xp.where(swap, 1 - value, value)
    within = xp.logical_and(xp.logical_and(x >= 0, y >= 0), xp.logical_and(a >= 0, b >= 0))
    within = xp.logical_and(within, a + b > 0)
    edge = xp.where(a == 0, 1, xp.zeros_like(value))
    edge = xp.where(x == 0, 0, xp.where(y == 0, 1, edge))
    return xp.where(inside, value, xp.where(within, edge, math.nan))


def _log_beside_one(xp: Any, x: Any, y: Any) -> Any:
    """Return ``log(x)``, given ``y = 1 - x``; near ``x = 1`` the digits are in ``y``."""
    small = x < 0.5
    return xp.where(small, xp.log(x), xp.log1p(-xp.where(small, 0, y)))


def _betainc_fraction(xp: Any, a: Any, b: Any, x: Any) -> Any:
    """Return the continued fraction, by Lentz's method.

    The number of steps that it needs grows as the square root of the parameters.
    """
    c = xp.ones_like(a + b + x)
    d = 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + even * d), 1 + even / c
        fraction = fraction * c * d
        d, c = 1 / (1 + odd * d), 1 + odd / c
        fraction = fraction * c * d
    return fraction


# -- distributions ----------------------------------------------------------------------------


def ndtr(xp: Any, x: Any) -> Any:
    return 0.5 * xp.special.erfc(-math.sqrt(0.5) * x)


def log_ndtr(xp: Any, x: Any) -> Any:
    """Return the logarithm; below -1 by the scaled function ``erfcx``, because ``ndtr`` underflows."""
    left = xp.minimum(x, -1)
    scaled = xp.log(xp.special.erfcx(-math.sqrt(0.5) * left) / 2) - left * left / 2
    return xp.where(x < -1, scaled, xp.log1p(-0.5 * xp.special.erfc(math.sqrt(0.5) * xp.maximum(x, -1))))


def stdtr(xp: Any, df: Any, t: Any) -> Any:
    """Return the distribution function by ``betainc``, and the normal one at infinite ``df``.

    For ``t*t`` below 3 the complement is computed, because it keeps the digits there.
    """
    square = t * t
    finite = xp.where(xp.isinf(df), 1, df)
    half, total = 0.5 * xp.ones_like(finite), finite + square
    near = 0.5 - 0.5 * betainc_of(xp, half, finite / 2, square / total, finite / total)
    far = 0.5 * betainc_of(xp, finite / 2, half, finite / total, square / total)
    lower = xp.where(square < 3, near, far)
    value = xp.where(t > 0, 1 - lower, lower)
    value = xp.where(xp.isinf(df), xp.special.ndtr(t), value)
    value = xp.where(xp.isinf(t), xp.astype(t > 0, value.dtype), value)
    return xp.where(xp.logical_and(df > 0, xp.logical_not(xp.isnan(t))), value, math.nan)


def fdtr(xp: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    total = dfd + dfn * x
    value = betainc_of(xp, dfn / 2, dfd / 2, dfn * x / total, dfd / total)
    return xp.where(_fisher(xp, dfn, dfd, x), value, math.nan)


def fdtrc(xp: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    total = dfd + dfn * x
    value = betainc_of(xp, dfd / 2, dfn / 2, dfd / total, dfn * x / total)
    return xp.where(_fisher(xp, dfn, dfd, x), value, math.nan)


def _fisher(xp: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    """Return where the arguments are in the domain of the F distribution."""
    return xp.logical_and(x >= 0, xp.logical_and(dfn > 0, dfd > 0))


def bdtr(xp: Any, k: Any, n: Any, p: Any) -> Any:
    k = xp.floor(k)
    value = xp.special.betainc(xp.maximum(n - k, 0.5), xp.maximum(k + 1, 0.5), 1 - p)
    value = xp.where(k == n, 1, xp.where(k == 0, xp.pow(1 - p, n), value))
    return xp.where(_binomial(xp, k, n, p), value, math.nan)


def bdtrc(xp: Any, k: Any, n: Any, p: Any) -> Any:
    k = xp.floor(k)
    value = xp.special.betainc(xp.maximum(k + 1, 0.5), xp.maximum(n - k, 0.5), p)
    value = xp.where(k == n, 0, xp.where(k == 0, -xp.expm1(n * xp.log1p(-p)), value))
    return xp.where(k < 0, 1, xp.where(_binomial(xp, xp.maximum(k, 0), n, p), value, math.nan))


def _binomial(xp: Any, k: Any, n: Any, p: Any) -> Any:
    """Return where the arguments are in the domain of the binomial distribution."""
    return xp.logical_and(xp.logical_and(k >= 0, k <= n), xp.logical_and(p >= 0, p <= 1))


def nbdtr(xp: Any, k: Any, n: Any, p: Any) -> Any:
    return xp.special.betainc(n, k + 1, p)


def nbdtrc(xp: Any, k: Any, n: Any, p: Any) -> Any:
    return xp.special.betainc(k + 1, n, 1 - p)


def pdtr(xp: Any, k: Any, m: Any) -> Any:
    value = xp.special.gammaincc(xp.floor(xp.maximum(k, 0)) + 1, m)
    return xp.where(xp.logical_or(k < 0, m < 0), math.nan, value)


def pdtrc(xp: Any, k: Any, m: Any) -> Any:
    value = xp.special.gammainc(xp.floor(xp.maximum(k, 0)) + 1, m)
    return xp.where(xp.logical_or(k < 0, m < 0), math.nan, value)


def gdtr(xp: Any, a: Any, b: Any, x: Any) -> Any:
    return xp.where(x < 0, math.nan, xp.special.gammainc(b, a * xp.maximum(x, 0)))


def gdtrc(xp: Any, a: Any, b: Any, x: Any) -> Any:
    return xp.where(x < 0, math.nan, xp.special.gammaincc(b, a * xp.maximum(x, 0)))


def chdtrc(xp: Any, v: Any, x: Any) -> Any:
    return xp.where(x < 0, 1, xp.special.gammaincc(v / 2, xp.maximum(x, 0) / 2))
