"""Formulas of special functions, for libraries that do not have them.

Each formula is a function of a namespace ``xp`` and of arrays of one floating-point dtype, written in
functions of the standard as a derivative rule is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ._exponential_integrals import exp1, expi, expn, spence
from ._incomplete_beta import (
    bdtr,
    bdtrc,
    betainc,
    betainc_of,
    chdtrc,
    fdtr,
    fdtrc,
    gdtr,
    gdtrc,
    log_ndtr,
    nbdtr,
    nbdtrc,
    ndtr,
    pdtr,
    pdtrc,
    stdtr,
)

__all__ = ["CANCELLING", "FORMULAS"]


def _expit(xp: Any, x: Any) -> Any:
    """Return ``1 / (1 + exp(-x))``: the exponential is taken of negative numbers only, so it cannot overflow."""
    return xp.exp(xp.minimum(x, 0)) / (1 + xp.exp(-xp.abs(x)))


def _logit(xp: Any, x: Any) -> Any:
    """Return ``log(x / (1 - x))``; near one half ``log1p`` keeps the digits that the quotient loses."""
    near = xp.logical_and(x > 0.25, x < 0.65)
    return xp.where(near, xp.log1p((2 * x - 1) / (1 - x)), xp.log(x / (1 - x)))


def _log_expit(xp: Any, x: Any) -> Any:
    return xp.minimum(x, 0) - xp.log1p(xp.exp(-xp.abs(x)))


def _softplus(xp: Any, x: Any) -> Any:
    return xp.maximum(x, 0) + xp.log1p(xp.exp(-xp.abs(x)))


def _xlogy(xp: Any, x: Any, y: Any) -> Any:
    zero = xp.logical_and(x == 0, xp.logical_not(xp.isnan(y)))
    return xp.where(zero, 0, x * xp.log(xp.where(zero, 1, y)))


def _xlog1py(xp: Any, x: Any, y: Any) -> Any:
    zero = xp.logical_and(x == 0, xp.logical_not(xp.isnan(y)))
    return xp.where(zero, 0, x * xp.log1p(xp.where(zero, 0, y)))


def _entr(xp: Any, x: Any) -> Any:
    return xp.where(x < 0, -math.inf, -_xlogy(xp, x, x))


def _log_ratio(xp: Any, x: Any, y: Any) -> Any:
    """Return ``log(x / y)``; where the two are close, ``log1p`` keeps the digits of their difference."""
    near = xp.logical_and(x < 2 * y, y < 2 * x)
    return xp.where(near, xp.log1p((x - y) / y), xp.log(x) - xp.log(y))


def _divergence(xp: Any, x: Any, y: Any, inside: Any, at_zero: Any) -> Any:
    """Return ``inside(x, log(x / y), y)``: ``at_zero`` where ``x`` is 0, inf outside of the domain."""
    positive = xp.logical_and(x > 0, y > 0)
    a, b = xp.where(positive, x, 1), xp.where(positive, y, 1)
    edge = xp.where(xp.logical_and(x == 0, y >= 0), at_zero, math.inf)
    value = xp.where(positive, inside(a, _log_ratio(xp, a, b), b), edge)
    return xp.where(xp.logical_or(xp.isnan(x), xp.isnan(y)), math.nan, value)


def _rel_entr(xp: Any, x: Any, y: Any) -> Any:
    return _divergence(xp, x, y, lambda x, log, _y: x * log, xp.zeros_like(y))


def _kl_div(xp: Any, x: Any, y: Any) -> Any:
    return _divergence(xp, x, y, lambda x, log, y: x * log - x + y, y)


def _huber(xp: Any, delta: Any, r: Any) -> Any:
    size = xp.abs(r)
    loss = xp.where(size <= delta, 0.5 * r * r, delta * (size - 0.5 * delta))
    return xp.where(delta < 0, math.inf, loss)


def _pseudo_huber(xp: Any, delta: Any, r: Any) -> Any:
    """Return the loss with ``sqrt(1 + u*u) - 1`` written so that no digits cancel for small ``u``."""
    u = r / xp.where(delta == 0, 1, delta)
    loss = delta * delta * (xp.abs(u) * (xp.abs(u) / (1 + xp.hypot(xp.ones_like(u), u))))
    loss = xp.where(xp.isinf(u), math.inf, loss)
    return xp.where(delta < 0, math.inf, xp.where(xp.logical_or(delta == 0, r == 0), 0, loss))


def _boxcox(xp: Any, x: Any, lmbda: Any) -> Any:
    flat = xp.abs(lmbda) < 1e-19
    log = xp.log(x)
    return xp.where(flat, log, xp.expm1(lmbda * log) / xp.where(flat, 1, lmbda))


def _boxcox1p(xp: Any, x: Any, lmbda: Any) -> Any:
    flat = xp.abs(lmbda) < 1e-19
    log = xp.log1p(x)
    return xp.where(flat, log, xp.expm1(lmbda * log) / xp.where(flat, 1, lmbda))


def _inv_boxcox(xp: Any, y: Any, lmbda: Any) -> Any:
    flat = lmbda == 0
    return xp.exp(xp.where(flat, y, xp.log1p(lmbda * y) / xp.where(flat, 1, lmbda)))


def _inv_boxcox1p(xp: Any, y: Any, lmbda: Any) -> Any:
    flat = lmbda == 0
    return xp.expm1(xp.where(flat, y, xp.log1p(lmbda * y) / xp.where(flat, 1, lmbda)))


def _exprel(xp: Any, x: Any) -> Any:
    small = xp.abs(x) < 1e-16
    return xp.where(small, 1 + 0.5 * x, xp.where(x == math.inf, x, xp.expm1(x) / xp.where(small, 1, x)))


def _cbrt(xp: Any, x: Any) -> Any:
    """Return the cube root as a power, improved by one step of Newton's method in the last digits."""
    root = xp.pow(xp.abs(x), 1 / 3)
    divisor = xp.where(xp.logical_or(root == 0, xp.isinf(root)), 1, root)
    better = root - (root - xp.abs(x) / divisor / divisor) / 3
    return xp.sign(x) * xp.where(xp.logical_or(root == 0, xp.isinf(root)), root, better)


def _sinc(xp: Any, x: Any) -> Any:
    """Return ``sin(pi * x) / (pi * x)``, by the sine of the distance to the nearest integer.

    So it is exactly zero at integers, and large angles lose no digits.
    """
    whole = xp.round(x)
    sine = xp.sin(math.pi * (x - whole)) * (1 - 2 * xp.remainder(whole, 2))
    return xp.where(x == 0, 1, sine / (math.pi * xp.where(x == 0, 1, x)))


def _quarters(xp: Any, x: Any) -> tuple[Any, Any]:
    """Return the angle from the nearest multiple of 90 degrees, in radians, and that multiple modulo 4."""
    turn = x - 360 * xp.round(x / 360)
    quarter = xp.round(turn / 90)
    return (turn - 90 * quarter) * (math.pi / 180), xp.remainder(quarter, 4)


def _sindg(xp: Any, x: Any) -> Any:
    angle, quarter = _quarters(xp, x)
    value = xp.where(xp.remainder(quarter, 2) == 0, xp.sin(angle), xp.cos(angle))
    return xp.where(quarter >= 2, -value, value)


def _cosdg(xp: Any, x: Any) -> Any:
    angle, quarter = _quarters(xp, x)
    value = xp.where(xp.remainder(quarter, 2) == 0, xp.cos(angle), xp.sin(angle))
    return xp.where(xp.logical_or(quarter == 1, quarter == 2), -value, value)


def _tandg(xp: Any, x: Any) -> Any:
    """Return the tangent; infinite at odd multiples of 90, as in SciPy."""
    sine, cosine = _sindg(xp, x), _cosdg(xp, x)
    return xp.where(cosine == 0, math.inf, sine / xp.where(cosine == 0, 1, cosine))


def _cotdg(xp: Any, x: Any) -> Any:
    sine, cosine = _sindg(xp, x), _cosdg(xp, x)
    return xp.where(sine == 0, math.inf, cosine / xp.where(sine == 0, 1, sine))


def _means(xp: Any, p: Any) -> tuple[Any, Any]:
    """Return the arithmetic-geometric mean of 1 and ``sqrt(p)``, and the sum that ``ellipe`` needs.

    Eight steps reach full precision, because each doubles the number of correct digits (DLMF 19.8.1 and
    19.8.6).
    """
    a, b = xp.ones_like(p), xp.sqrt(p)
    total, power = (1 - p) / 2, 0.5
    for _ in range(8):
        a, b, c = (a + b) / 2, xp.sqrt(a * b), (a - b) / 2
        power *= 2
        total = total + power * c * c
    return a, total


def _ellipkm1(xp: Any, p: Any) -> Any:
    """Return ``pi / 2`` over the arithmetic-geometric mean (DLMF 19.8.5), or the limit for tiny ``p``."""
    mean, _ = _means(xp, p)
    value = math.pi / (2 * mean)
    tiny = -0.5 * xp.log(xp.where(p > 0, p, 1)) + math.log(4)
    return xp.where(p == 0, math.inf, xp.where(xp.logical_and(p > 0, p < 1e-20), tiny, value))


def _ellipe(xp: Any, m: Any) -> Any:
    mean, total = _means(xp, 1 - m)
    return xp.where(m == 1, 1, math.pi / (2 * mean) * (1 - total))


def _zetac(xp: Any, x: Any) -> Any:
    """Return Hurwitz's zeta function starting at 2, which leaves the term 1 out; NaN below one."""
    return xp.where(x == math.inf, 0, xp.special.zeta(x, 2 * xp.ones_like(x)))


def _multigammaln(xp: Any, a: Any, d: Any) -> Any:
    count = int(d)
    total = sum(xp.special.gammaln(a - 0.5 * k) for k in range(count))
    return total + count * (count - 1) / 4 * math.log(math.pi)


def _gamma(xp: Any, x: Any) -> Any:
    return xp.special.gammasgn(x) * xp.exp(xp.special.gammaln(x))


def _gammasgn(xp: Any, x: Any) -> Any:
    """Return the sign: negative between -1 and 0, -3 and -2, and so on; NaN at the negative integers."""
    sign = xp.where(xp.remainder(xp.floor(x), 2) == 0, 1.0, -1.0)
    pole = xp.logical_and(x < 0, x == xp.floor(x))
    undefined = xp.logical_or(xp.isnan(x), xp.logical_or(pole, x == -math.inf))
    sign = xp.where(x > 0, 1.0, xp.where(x == 0, xp.copysign(xp.ones_like(x), x), sign))
    return xp.where(undefined, math.nan, xp.astype(sign, x.dtype, copy=False))


def _rgamma(xp: Any, x: Any) -> Any:
    pole = xp.logical_and(x <= 0, x == xp.floor(x))
    return xp.where(pole, 0, xp.special.gammasgn(x) * xp.exp(-xp.special.gammaln(x)))


def _loggamma(xp: Any, x: Any) -> Any:
    """Return the logarithm for real numbers; NaN below zero, where it is complex."""
    return xp.where(x < 0, math.nan, xp.special.gammaln(x))


def _pole(xp: Any, x: Any) -> Any:
    """Return where the gamma function is infinite: at 0 and the negative integers."""
    return xp.logical_and(x <= 0, x == xp.floor(x))


def _poch(xp: Any, z: Any, m: Any) -> Any:
    top, bottom = _pole(xp, z + m), _pole(xp, z)
    sign = xp.special.gammasgn(xp.where(top, 1, z + m)) * xp.special.gammasgn(xp.where(bottom, 1, z))
    value = sign * xp.exp(xp.special.gammaln(z + m) - xp.special.gammaln(z))
    value = xp.where(xp.logical_and(bottom, xp.logical_not(top)), 0, value)
    value = xp.where(xp.logical_and(top, xp.logical_not(bottom)), math.inf, value)
    both = xp.logical_and(top, bottom)
    mirrored = xp.special.gammaln(xp.where(both, 1 - z, 1)) - xp.special.gammaln(xp.where(both, 1 - z - m, 1))
    value = xp.where(both, (1 - 2 * xp.remainder(m, 2)) * xp.exp(mirrored), value)
    value = xp.where(z == math.inf, xp.where(m > 0, math.inf, xp.where(m < 0, 0, m)), value)
    return xp.where(m == 0, 1, value)


def _binom(xp: Any, n: Any, k: Any) -> Any:
    """Return the coefficient as a product if ``k`` or ``n - k`` is whole and below 20, else by ``gammaln``.

    It is NaN where ``n`` is a negative integer.
    """
    whole = n == xp.floor(n)
    near = xp.where(xp.logical_and(whole, xp.logical_and(n > 0, k > n / 2)), n - k, k)
    product = xp.ones_like(n + near)
    for j in range(1, 20):
        product = product * xp.where(j <= near, (n - (near - j)) / j, 1)
    short = xp.logical_and(near == xp.floor(near), xp.logical_and(near >= 0, near < 20))
    rest = n - k
    none = xp.logical_or(_pole(xp, k + 1), _pole(xp, rest + 1))
    u, v = xp.where(none, 1, k + 1), xp.where(none, 1, rest + 1)
    sign = xp.special.gammasgn(n + 1) * xp.special.gammasgn(u) * xp.special.gammasgn(v)
    value = sign * xp.exp(xp.special.gammaln(n + 1) - xp.special.gammaln(u) - xp.special.gammaln(v))
    value = xp.where(xp.logical_and(none, xp.isfinite(k)), 0, value)
    value = xp.where(k == math.inf, math.nan, value)
    undefined = xp.logical_or(_pole(xp, n + 1), xp.isnan(n))
    return xp.where(undefined, math.nan, xp.where(short, product, value))


def _polygamma(xp: Any, n: Any, x: Any) -> Any:
    sign = xp.where(xp.remainder(n, 2) == 0, -1.0, 1.0)
    order = xp.maximum(n, 1)
    value = sign * xp.exp(xp.special.gammaln(order + 1)) * xp.special.zeta(order + 1, x)
    return xp.where(n == 0, xp.special.digamma(x), xp.astype(value, x.dtype, copy=False))


def _betaln(xp: Any, a: Any, b: Any) -> Any:
    value = xp.special.gammaln(a) + xp.special.gammaln(b) - xp.special.gammaln(a + b)
    huge = xp.logical_or(xp.logical_and(a > 0, b == math.inf), xp.logical_and(b > 0, a == math.inf))
    return xp.where(xp.logical_or(a == 0, b == 0), math.inf, xp.where(huge, -math.inf, value))


# -- along an axis ----------------------------------------------------------------------------


def _top(xp: Any, x: Any, axis: Any) -> Any:
    """Return what to subtract so that exponentials do not overflow: the greatest element, or 0 if infinite."""
    if 0 in x.shape:
        return 0  # the maximum of nothing is an error
    top = xp.max(x, axis=axis, keepdims=True)
    return xp.where(xp.isfinite(top), top, 0)


def _logsumexp(xp: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    axes = tuple(range(x.ndim)) if axis is None else axis
    if 0 in x.shape:
        return xp.sum(x, axis=axes, keepdims=keepdims) - math.inf  # the logarithm of an empty sum
    if x.dtype.kind == "c":
        top = _top(xp, xp.real(x), axis)
        shifted = x - top
    else:
        top = xp.max(x, axis=axis, keepdims=True)
        # An infinite maximum less itself is NaN, and so would be the derivative.
        shifted = xp.where(top == math.inf, -math.inf, x - xp.where(xp.isinf(top), 0, top))
        shifted = xp.where(xp.logical_and(xp.isinf(x), x == top), 0, shifted)
    out = xp.log(xp.sum(xp.exp(shifted), axis=axis, keepdims=True)) + top
    return out if keepdims else xp.squeeze(out, axis=axes)


def _softmax(xp: Any, x: Any, *, axis: Any) -> Any:
    if 0 in x.shape:
        return xp.exp(x)
    power = xp.exp(x - xp.max(x, axis=axis, keepdims=True))
    return power / xp.sum(power, axis=axis, keepdims=True)


def _log_softmax(xp: Any, x: Any, *, axis: Any) -> Any:
    if 0 in x.shape:
        return xp.log(xp.exp(x))
    shifted = x - _top(xp, x, axis)
    return shifted - xp.log(xp.sum(xp.exp(shifted), axis=axis, keepdims=True))


FORMULAS: dict[str, Callable[..., Any]] = {
    "bdtr": bdtr,
    "bdtrc": bdtrc,
    "betainc": betainc,
    "betaincc": lambda xp, a, b, x: betainc_of(xp, b, a, 1 - x, x),
    "betaln": _betaln,
    "binom": _binom,
    "boxcox": _boxcox,
    "boxcox1p": _boxcox1p,
    "cbrt": _cbrt,
    "chdtr": lambda xp, v, x: gdtr(xp, 0.5, v / 2, x),
    "chdtrc": chdtrc,
    "cosdg": _cosdg,
    "cosm1": lambda xp, x: -2 * xp.square(xp.sin(0.5 * x)),
    "cotdg": _cotdg,
    "ellipe": _ellipe,
    "ellipk": lambda xp, m: _ellipkm1(xp, 1 - m),
    "ellipkm1": _ellipkm1,
    "entr": _entr,
    "erfcinv": lambda xp, x: -math.sqrt(0.5) * xp.special.ndtri(0.5 * x),
    "exp1": exp1,
    "exp10": lambda xp, x: xp.pow(10.0, x),
    "exp2": lambda xp, x: xp.pow(2.0, x),
    "expi": expi,
    "expit": _expit,
    "expn": expn,
    "exprel": _exprel,
    "fdtr": fdtr,
    "fdtrc": fdtrc,
    "gamma": _gamma,
    "gammasgn": _gammasgn,
    "gdtr": gdtr,
    "gdtrc": gdtrc,
    "huber": _huber,
    "inv_boxcox": _inv_boxcox,
    "inv_boxcox1p": _inv_boxcox1p,
    "kl_div": _kl_div,
    "log_expit": _log_expit,
    "log_ndtr": log_ndtr,
    "log_softmax": _log_softmax,
    "loggamma": _loggamma,
    "logit": _logit,
    "logsumexp": _logsumexp,
    "multigammaln": _multigammaln,
    "nbdtr": nbdtr,
    "nbdtrc": nbdtrc,
    "ndtr": ndtr,
    "pdtr": pdtr,
    "pdtrc": pdtrc,
    "poch": _poch,
    "polygamma": _polygamma,
    "pseudo_huber": _pseudo_huber,
    "psi": lambda xp, x: xp.special.digamma(x),
    "radian": lambda xp, d, m, s: (d + m / 60 + s / 3600) * (math.pi / 180),
    "rel_entr": _rel_entr,
    "rgamma": _rgamma,
    "sinc": _sinc,
    "sindg": _sindg,
    "softmax": _softmax,
    "softplus": _softplus,
    "spence": spence,
    "stdtr": stdtr,
    "tandg": _tandg,
    "xlog1py": _xlog1py,
    "xlogy": _xlogy,
    "zetac": _zetac,
}
"""Formula of each function, by its name."""

CANCELLING = frozenset(
    FORMULAS[name]
    for name in (
        "bdtr bdtrc betainc betaincc betaln binom boxcox boxcox1p chdtr chdtrc exp1 expi expn fdtr fdtrc gamma gdtr "
        "gdtrc inv_boxcox inv_boxcox1p kl_div loggamma multigammaln nbdtr nbdtrc pdtr pdtrc poch polygamma "
        "pseudo_huber rel_entr rgamma spence stdtr"
    ).split()
)
"""Formulas in which digits cancel, so they are computed in double precision."""
