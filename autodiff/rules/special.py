"""Rules of the special functions. The derivatives are those of the Digital Library of Mathematical Functions (DLMF).

Where a function has no derivative in closed form with respect to a parameter (the order of a Bessel function, the
shape of a distribution), ``backward`` to that parameter raises.
"""

from __future__ import annotations

import math
from typing import Any

import burn_array
from burn_array.errors import GradientError

from . import PARTIAL, composition, constant, elementwise, rule

_ROOT_PI = math.sqrt(math.pi)
_ROOT_TWO_PI = math.sqrt(2 * math.pi)


_SCALARS = frozenset((bool, int, float, complex))


def _missing(name: str, parameter: str) -> GradientError:
    return GradientError(
        f"special.{name}: there is no derivative in closed form with respect to {parameter}; "
        f"give {parameter}.detach()"
    )


def _no_vjp_of_two(name: str, parameter: str) -> Any:
    """Return, for a function of two operands, the rule of one without a derivative in closed form: it raises."""
    PARTIAL.add(f"special.{name}")

    def vjp(xp: Any, g: Any, _out: Any, _x: Any, _y: Any) -> Any:
        raise _missing(name, parameter)

    return vjp


def _no_vjp_of_three(name: str, parameter: str) -> Any:
    """Do what ``_no_vjp_of_two`` does for a function of three operands."""
    PARTIAL.add(f"special.{name}")

    def vjp(xp: Any, g: Any, _out: Any, _x: Any, _y: Any, _z: Any) -> Any:
        raise _missing(name, parameter)

    return vjp


def _arrays(xp: Any, *operands: Any) -> list[Any]:
    """Return the operands, Python numbers as arrays of the dtype of the first one that is an array."""
    dtype = next(x.dtype for x in operands if type(x) not in _SCALARS)
    return [xp.full((), x, dtype=dtype) if type(x) in _SCALARS else x for x in operands]


def _floats(xp: Any, g: Any, *operands: Any) -> list[Any]:
    """Return the operands as arrays of the dtype of the cotangent, also those that are integers."""
    dtype = g.dtype
    arrays = [xp.full((), x, dtype=dtype) if type(x) in _SCALARS else x for x in operands]
    return [x if x.dtype == dtype else xp.astype(x, dtype) for x in arrays]


def _next(xp: Any, n: Any, step: int) -> Any:
    """Return the order of the neighbour of a function of order ``n``."""
    if type(n) in _SCALARS:
        return n + step
    return xp.add(n, step) if step > 0 else xp.subtract(n, -step)


def _formula(name: str) -> Any:
    """Return a formula, looked up when it is first used."""

    def body(xp: Any, *operands: Any) -> Any:
        return burn_array.special.FORMULAS[name](xp, *operands)

    return body


constant("special.gammasgn")

# -- the gamma function and its kin: DLMF 5.2, 5.4, 8.8, 8.17, 25.11 ------------------------------


def _log_gamma(xp: Any, g: Any, _out: Any, x: Any) -> Any:
    return g * xp.conj(xp.special.digamma(x))


def _digamma(xp: Any, g: Any, _out: Any, x: Any) -> Any:
    return g * xp.special.polygamma(1, x)


elementwise("special.gamma", lambda xp, g, out, x: g * xp.conj(out * xp.special.digamma(x)))
elementwise("special.gammaln", _log_gamma)
elementwise("special.loggamma", _log_gamma)
elementwise("special.rgamma", lambda xp, g, out, x: -g * xp.conj(out * xp.special.digamma(x)))
elementwise("special.digamma", _digamma)
elementwise("special.psi", _digamma)
elementwise(
    "special.polygamma",
    _no_vjp_of_two("polygamma", "n"),
    lambda xp, g, _out, n, x: g * xp.special.polygamma(_next(xp, n, 1), x),
)


def _multigammaln(xp: Any, g: Any, _out: Any, a: Any, d: Any) -> Any:
    total = xp.zeros_like(a)
    for k in range(d):
        total = total + xp.special.digamma(a - 0.5 * k)
    return g * total


elementwise("special.multigammaln", _multigammaln, None)


def _betaln(xp: Any, g: Any, _out: Any, a: Any, b: Any) -> Any:
    a, b = _floats(xp, g, a, b)
    return g * (xp.special.digamma(a) - xp.special.digamma(a + b))


elementwise("special.betaln", _betaln, lambda xp, g, _out, a, b: _betaln(xp, g, None, b, a))


def _poch_base(xp: Any, g: Any, out: Any, z: Any, m: Any) -> Any:
    z, m = _floats(xp, g, z, m)
    return g * out * (xp.special.digamma(z + m) - xp.special.digamma(z))


def _poch_exponent(xp: Any, g: Any, out: Any, z: Any, m: Any) -> Any:
    z, m = _floats(xp, g, z, m)
    return g * out * xp.special.digamma(z + m)


def _binom_of(xp: Any, g: Any, out: Any, n: Any, k: Any) -> Any:
    n, k = _floats(xp, g, n, k)
    return g * out * (xp.special.digamma(n + 1) - xp.special.digamma(n - k + 1))


def _binom_choose(xp: Any, g: Any, out: Any, n: Any, k: Any) -> Any:
    n, k = _floats(xp, g, n, k)
    return g * out * (xp.special.digamma(n - k + 1) - xp.special.digamma(k + 1))


elementwise("special.poch", _poch_base, _poch_exponent)
elementwise("special.binom", _binom_of, _binom_choose)


def _zeta_shift(xp: Any, g: Any, _out: Any, x: Any, q: Any) -> Any:
    x, q = _floats(xp, g, x, q)
    return -g * x * xp.special.zeta(x + 1, q)


def _zeta_order(xp: Any, g: Any, _out: Any, _x: Any, _q: Any = None) -> Any:
    raise _missing("zeta", "x")


rule("special.zeta", _zeta_order, _zeta_shift)  # not elementwise: it takes one operand or two


def _gamma_density(xp: Any, g: Any, a: Any, x: Any) -> Any:
    a, x = _floats(xp, g, a, x)
    return xp.exp(xp.special.xlogy(a - 1, x) - x - xp.special.gammaln(a))


def _beta_density(xp: Any, g: Any, a: Any, b: Any, x: Any) -> Any:
    a, b, x = _floats(xp, g, a, b, x)
    powers = xp.special.xlogy(a - 1, x) + xp.special.xlog1py(b - 1, -x)
    return xp.exp(powers - xp.special.betaln(a, b))


elementwise(
    "special.gammainc",
    _no_vjp_of_two("gammainc", "a"),
    lambda xp, g, _out, a, x: g * _gamma_density(xp, g, a, x),
)
elementwise(
    "special.gammaincc",
    _no_vjp_of_two("gammaincc", "a"),
    lambda xp, g, _out, a, x: -g * _gamma_density(xp, g, a, x),
)
elementwise(
    "special.gammaincinv",
    _no_vjp_of_two("gammaincinv", "a"),
    lambda xp, g, out, a, _p: g / _gamma_density(xp, g, a, out),
)
elementwise(
    "special.gammainccinv",
    _no_vjp_of_two("gammainccinv", "a"),
    lambda xp, g, out, a, _p: -g / _gamma_density(xp, g, a, out),
)
elementwise(
    "special.betainc",
    _no_vjp_of_three("betainc", "a"),
    _no_vjp_of_three("betainc", "b"),
    lambda xp, g, _out, a, b, x: g * _beta_density(xp, g, a, b, x),
)
elementwise(
    "special.betaincc",
    _no_vjp_of_three("betaincc", "a"),
    _no_vjp_of_three("betaincc", "b"),
    lambda xp, g, _out, a, b, x: -g * _beta_density(xp, g, a, b, x),
)
elementwise(
    "special.betaincinv",
    _no_vjp_of_three("betaincinv", "a"),
    _no_vjp_of_three("betaincinv", "b"),
    lambda xp, g, out, a, b, _p: g / _beta_density(xp, g, a, b, out),
)

# -- error functions and the normal distribution: DLMF 7.2, 7.17 --------------------------------


def _bell(xp: Any, x: Any) -> Any:
    return xp.exp(-x * x)


elementwise("special.erf", lambda xp, g, _out, x: g * xp.conj(2 / _ROOT_PI * _bell(xp, x)))
elementwise("special.erfc", lambda xp, g, _out, x: g * xp.conj(-2 / _ROOT_PI * _bell(xp, x)))
elementwise("special.erfcx", lambda xp, g, out, x: g * xp.conj(2 * x * out - 2 / _ROOT_PI))
elementwise("special.erfinv", lambda xp, g, out, _x: g * (_ROOT_PI / 2 * xp.exp(out * out)))
elementwise("special.erfcinv", lambda xp, g, out, _x: g * (-_ROOT_PI / 2 * xp.exp(out * out)))
elementwise("special.ndtr", lambda xp, g, _out, x: g * (xp.exp(-0.5 * x * x) / _ROOT_TWO_PI))
elementwise("special.log_ndtr", lambda xp, g, out, x: g * (xp.exp(-0.5 * x * x - out) / _ROOT_TWO_PI))
elementwise("special.ndtri", lambda xp, g, out, _p: g * (_ROOT_TWO_PI * xp.exp(0.5 * out * out)))

# -- other distributions ------------------------------------------------------------------------


def _student_density(xp: Any, g: Any, df: Any, t: Any) -> Any:
    df, t = _floats(xp, g, df, t)
    half = 0.5 * xp.ones_like(df)
    power = -0.5 * (df + 1) * xp.log1p(t * t / df)
    return xp.exp(power - xp.special.betaln(0.5 * df, half)) / xp.sqrt(df)


elementwise(
    "special.stdtr",
    _no_vjp_of_two("stdtr", "df"),
    lambda xp, g, _out, df, t: g * _student_density(xp, g, df, t),
)
elementwise(
    "special.stdtrit",
    _no_vjp_of_two("stdtrit", "df"),
    lambda xp, g, out, df, _p: g / _student_density(xp, g, df, out),
)
elementwise(
    "special.chdtr",
    _no_vjp_of_two("chdtr", "v"),
    lambda xp, g, _out, v, x: 0.5 * g * _gamma_density(xp, g, 0.5 * v, 0.5 * x),
)
elementwise(
    "special.chdtrc",
    _no_vjp_of_two("chdtrc", "v"),
    lambda xp, g, _out, v, x: -0.5 * g * _gamma_density(xp, g, 0.5 * v, 0.5 * x),
)
elementwise(
    "special.chdtri",
    _no_vjp_of_two("chdtri", "v"),
    lambda xp, g, out, v, _p: -2 * g / _gamma_density(xp, g, 0.5 * v, 0.5 * out),
)


def _fdtr(xp: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    """By ``betainc``, which has a rule, so that its continued fraction is not recorded."""
    dfn, dfd, x = _arrays(xp, dfn, dfd, x)
    return xp.special.betainc(0.5 * dfn, 0.5 * dfd, dfn * x / (dfd + dfn * x))


def _fdtrc(xp: Any, dfn: Any, dfd: Any, x: Any) -> Any:
    dfn, dfd, x = _arrays(xp, dfn, dfd, x)
    return xp.special.betainc(0.5 * dfd, 0.5 * dfn, dfd / (dfd + dfn * x))


composition("special.fdtr", _fdtr)
composition("special.fdtrc", _fdtrc)
for _name in ("bdtr", "bdtrc", "gdtr", "gdtrc", "nbdtr", "nbdtrc", "pdtr", "pdtrc"):
    composition(f"special.{_name}", _formula(_name))

# -- exponentials, logarithms and integrals of them: DLMF 6.2, 8.19, 25.12 ----------------------

elementwise("special.cbrt", lambda xp, g, out, _x: g / (3 * out * out))
elementwise("special.exp2", lambda xp, g, out, _x: g * (math.log(2) * out))
elementwise("special.exp10", lambda xp, g, out, _x: g * (math.log(10) * out))
elementwise("special.exp1", lambda xp, g, _out, x: -g * xp.conj(xp.exp(-x) / x))
elementwise("special.expi", lambda xp, g, _out, x: g * xp.conj(xp.exp(x) / x))
elementwise("special.expit", lambda xp, g, out, _x: g * (out * (1 - out)))
elementwise("special.log_expit", lambda xp, g, _out, x: g * xp.special.expit(-x))
elementwise("special.logit", lambda xp, g, _out, x: g / (x * (1 - x)))
elementwise("special.softplus", lambda xp, g, _out, x: g * xp.special.expit(x))


def _exprel(xp: Any, g: Any, out: Any, x: Any) -> Any:
    """Near zero by the series, where the quotient cancels."""
    near = xp.abs(x) < 1e-3
    series = 0.5 + x * (1 / 3 + x * (1 / 8 + x / 30))
    return g * xp.where(near, series, (xp.exp(x) - out) / xp.where(near, 1, x))


def _spence(xp: Any, g: Any, _out: Any, x: Any) -> Any:
    one = x == 1
    return g * xp.conj(xp.where(one, -1, xp.log(x) / xp.where(one, 1, 1 - x)))


elementwise("special.exprel", _exprel)
elementwise("special.spence", _spence)


def _expn(xp: Any, g: Any, _out: Any, n: Any, x: Any) -> Any:
    if type(n) in _SCALARS and n == 0:
        return -g * xp.exp(-x) * (1 + 1 / x) / x
    if type(n) in _SCALARS:
        return -g * xp.special.expn(n - 1, x)
    positive = xp.greater(n, 0)
    lower = xp.special.expn(xp.where(positive, _next(xp, n, -1), 0), x)
    return -g * xp.where(positive, lower, xp.exp(-x) * (1 + 1 / x) / x)


elementwise("special.expn", _no_vjp_of_two("expn", "n"), _expn)

for _name in ("boxcox", "boxcox1p", "inv_boxcox", "inv_boxcox1p"):
    composition(f"special.{_name}", _formula(_name))

# -- entropies and losses -----------------------------------------------------------------------


def _of_log(xp: Any, x: Any, log: Any) -> Any:
    """A logarithm, zero where ``x`` is zero and the logarithm infinite."""
    return xp.where(xp.logical_and(xp.equal(x, 0), xp.isinf(log)), 0, log)


def _quotient(xp: Any, g: Any, x: Any, y: Any) -> Any:
    """Return ``x / y``, and 0 for 0 / 0: the functions below do not depend on ``y`` where ``x`` is zero."""
    x, y = _floats(xp, g, x, y)
    both = xp.logical_and(xp.equal(x, 0), xp.equal(y, 0))
    return xp.divide(x, xp.where(both, 1, y))


elementwise(
    "special.xlogy",
    lambda xp, g, _out, x, y: g * _of_log(xp, x, xp.log(_floats(xp, g, y)[0])),
    lambda xp, g, _out, x, y: g * _quotient(xp, g, x, y),
)
elementwise(
    "special.xlog1py",
    lambda xp, g, _out, x, y: g * _of_log(xp, x, xp.log1p(_floats(xp, g, y)[0])),
    lambda xp, g, _out, x, y: g * _quotient(xp, g, x, _floats(xp, g, y)[0] + 1),
)
elementwise("special.entr", lambda xp, g, _out, x: -g * (xp.log(x) + 1))


def _log_quotient(xp: Any, g: Any, x: Any, y: Any, added: int = 0) -> Any:
    """Return ``added + log(x / y)``, and 0 for two zeros. Far apart, the quotient itself could overflow."""
    x, y = _floats(xp, g, x, y)
    both = xp.logical_and(x == 0, y == 0)
    x, y = xp.where(both, 1, x), xp.where(both, 1, y)
    near = xp.logical_and(x < 2 * y, y < 2 * x)
    log = xp.where(near, xp.log1p((x - y) / y), xp.log(x) - xp.log(y))
    return xp.where(both, 0, log + added)


elementwise(
    "special.rel_entr",
    lambda xp, g, _out, x, y: g * _log_quotient(xp, g, x, y, 1),
    lambda xp, g, _out, x, y: -g * _quotient(xp, g, x, y),
)
elementwise(
    "special.kl_div",
    lambda xp, g, _out, x, y: g * _log_quotient(xp, g, x, y),
    lambda xp, g, _out, x, y: g * (1 - _quotient(xp, g, x, y)),
)
for _name in ("huber", "pseudo_huber"):
    composition(f"special.{_name}", _formula(_name))

# -- Bessel functions: DLMF 10.6, 10.29 ---------------------------------------------------------


def _over(xp: Any, y: Any, x: Any, at_zero: float) -> Any:
    """Return ``y / x``, and ``at_zero`` where ``x`` is zero."""
    zero = x == 0
    return xp.where(zero, at_zero, y / xp.where(zero, 1, x))


elementwise("special.i0", lambda xp, g, _out, x: g * xp.special.i1(x))
elementwise("special.i0e", lambda xp, g, out, x: g * (xp.special.i1e(x) - xp.sign(x) * out))
elementwise("special.i1", lambda xp, g, out, x: g * (xp.special.i0(x) - _over(xp, out, x, 0.5)))
elementwise(
    "special.i1e",
    lambda xp, g, out, x: g * (xp.special.i0e(x) - xp.sign(x) * out - _over(xp, out, x, 0.5)),
)
elementwise("special.j0", lambda xp, g, _out, x: -g * xp.special.j1(x))
elementwise("special.j1", lambda xp, g, out, x: g * (xp.special.j0(x) - _over(xp, out, x, 0.5)))
elementwise("special.y0", lambda xp, g, _out, x: -g * xp.special.y1(x))
elementwise("special.y1", lambda xp, g, out, x: g * (xp.special.y0(x) - out / x))
elementwise("special.k0", lambda xp, g, _out, x: -g * xp.special.k1(x))
elementwise("special.k0e", lambda xp, g, out, x: g * (out - xp.special.k1e(x)))
elementwise("special.k1", lambda xp, g, out, x: -g * (xp.special.k0(x) + out / x))
elementwise("special.k1e", lambda xp, g, out, x: g * (out - xp.special.k0e(x) - out / x))
elementwise(
    "special.yn",
    _no_vjp_of_two("yn", "n"),
    lambda xp, g, out, n, x: g * (xp.multiply(n, out) / x - xp.special.yn(_next(xp, n, 1), x)),  # DLMF 10.6.2
)

# -- elliptic and hypergeometric functions: DLMF 13.3, 19.4 -------------------------------------


def _ellipk(xp: Any, g: Any, out: Any, m: Any) -> Any:
    slope = (xp.special.ellipe(m) / (1 - m) - out) / xp.where(m == 0, 1, 2 * m)
    return g * xp.where(m == 0, math.pi / 8, slope)


def _ellipkm1(xp: Any, g: Any, out: Any, p: Any) -> Any:
    slope = (xp.special.ellipe(1 - p) / p - out) / xp.where(p == 1, 1, 2 * (1 - p))
    return -g * xp.where(p == 1, math.pi / 8, slope)


def _ellipe(xp: Any, g: Any, out: Any, m: Any) -> Any:
    slope = (out - xp.special.ellipk(m)) / xp.where(m == 0, 1, 2 * m)
    return g * xp.where(m == 0, -math.pi / 8, slope)


elementwise("special.ellipk", _ellipk)
elementwise("special.ellipkm1", _ellipkm1)
elementwise("special.ellipe", _ellipe)


def _hyp1f1(xp: Any, g: Any, _out: Any, a: Any, b: Any, x: Any) -> Any:
    a, b, x = _floats(xp, g, a, b, x)
    return g * (a / b) * xp.special.hyp1f1(a + 1, b + 1, x)


elementwise("special.hyp1f1", _no_vjp_of_three("hyp1f1", "a"), _no_vjp_of_three("hyp1f1", "b"), _hyp1f1)

# -- trigonometry -------------------------------------------------------------------------------


def _sinc(xp: Any, g: Any, out: Any, x: Any) -> Any:
    """Near zero by the series, where the difference cancels."""
    near = xp.abs(x) < 1e-2
    u = (math.pi * x) ** 2
    series = -(math.pi**2) * x * (1 / 3 - u * (1 / 30 - u / 840))
    return g * xp.where(near, series, (xp.cos(math.pi * x) - out) / xp.where(near, 1, x))


_DEGREE = math.pi / 180

elementwise("special.sinc", _sinc)
elementwise("special.cosm1", lambda xp, g, _out, x: -g * xp.sin(x))
elementwise("special.sindg", lambda xp, g, _out, x: g * _DEGREE * xp.special.cosdg(x))
elementwise("special.cosdg", lambda xp, g, _out, x: -g * _DEGREE * xp.special.sindg(x))
elementwise("special.tandg", lambda xp, g, out, _x: g * _DEGREE * (1 + out * out))
elementwise("special.cotdg", lambda xp, g, out, _x: -g * _DEGREE * (1 + out * out))
composition("special.radian", _formula("radian"))
