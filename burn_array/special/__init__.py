"""Special functions, an extension in the style of the standard.

Each comes from the library of the device where that has it to full precision (``scipy.special``,
``torch.special``, ``cupyx.scipy.special``), on host devices otherwise from SciPy in the same memory, and
elsewhere from a formula in functions of the standard. The dtype of floating-point input is kept; integers
become float64. Names and arguments are SciPy's.
"""

from __future__ import annotations

from typing import Any

from .._core.array import Array
from ._formulas import FORMULAS as FORMULAS
from ._lookup import elementwise, with_settings
from ._lookup import find as find
from .distributions import (
    bdtr,
    bdtrc,
    bdtri,
    chdtr,
    chdtrc,
    chdtri,
    entr,
    fdtr,
    fdtrc,
    fdtri,
    gdtr,
    gdtrc,
    huber,
    kl_div,
    log_ndtr,
    nbdtr,
    nbdtrc,
    nbdtri,
    ndtr,
    ndtri,
    pdtr,
    pdtrc,
    pdtri,
    pseudo_huber,
    rel_entr,
    stdtr,
    stdtrit,
    xlog1py,
    xlogy,
)

__all__ = [
    "bdtr", "bdtrc", "bdtri", "betainc", "betaincc", "betaincinv", "betaln", "binom", "boxcox", "boxcox1p",
    "cbrt", "chdtr", "chdtrc", "chdtri", "cosdg", "cosm1", "cotdg", "digamma", "ellipe", "ellipk", "ellipkm1",
    "entr", "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp1", "exp10", "exp2", "expi", "expit", "expn",
    "exprel", "fdtr", "fdtrc", "fdtri", "gamma", "gammainc", "gammaincc", "gammainccinv", "gammaincinv",
    "gammaln", "gammasgn", "gdtr", "gdtrc", "huber", "hyp1f1", "i0", "i0e", "i1", "i1e", "inv_boxcox",
    "inv_boxcox1p", "j0", "j1", "k0", "k0e", "k1", "k1e", "kl_div", "log_expit", "log_ndtr", "log_softmax",
    "loggamma", "logit", "logsumexp", "lpmv", "multigammaln", "nbdtr", "nbdtrc", "nbdtri", "ndtr", "ndtri",
    "pdtr", "pdtrc", "pdtri", "poch", "polygamma", "pseudo_huber", "psi", "radian", "rel_entr", "rgamma",
    "sinc", "sindg", "softmax", "softplus", "spence", "stdtr", "stdtrit", "tandg", "xlog1py", "xlogy", "y0",
    "y1", "yn", "zeta", "zetac",
]  # fmt: skip


# -- the gamma function and its kin --------------------------------------------------------------


def gamma(x: Array, /) -> Array:
    """Return the gamma function."""
    return elementwise("special.gamma", x)


def gammaln(x: Array, /) -> Array:
    """Return the logarithm of the absolute value of the gamma function."""
    return elementwise("special.gammaln", x)


def loggamma(x: Array, /) -> Array:
    """Return the principal branch of the logarithm of the gamma function."""
    return elementwise("special.loggamma", x)


def gammasgn(x: Array, /) -> Array:
    """Return the sign of the gamma function."""
    return elementwise("special.gammasgn", x)


def rgamma(x: Array, /) -> Array:
    """Return the reciprocal of the gamma function."""
    return elementwise("special.rgamma", x)


def digamma(x: Array, /) -> Array:
    """Return the derivative of the logarithm of the gamma function."""
    return elementwise("special.digamma", x)


def psi(x: Array, /) -> Array:
    """Return the derivative of the logarithm of the gamma function, by its other name."""
    return elementwise("special.psi", x)


def polygamma(n: Any, x: Any, /) -> Array:
    """Return the ``n``-th derivative of ``digamma``."""
    return elementwise("special.polygamma", n, x)


def multigammaln(a: Any, d: int, /) -> Array:
    """Return the logarithm of the gamma function of ``d`` dimensions; ``d`` is a Python int."""
    return with_settings("special.multigammaln", a, d)


def poch(z: Any, m: Any, /) -> Array:
    """Return the rising factorial ``gamma(z + m) / gamma(z)``."""
    return elementwise("special.poch", z, m)


def binom(n: Any, k: Any, /) -> Array:
    """Return the binomial coefficient of real numbers."""
    return elementwise("special.binom", n, k)


def betaln(a: Any, b: Any, /) -> Array:
    """Return the logarithm of the absolute value of the beta function."""
    return elementwise("special.betaln", a, b)


def zeta(x: Any, q: Any = None, /) -> Array:
    """Return the zeta function of Hurwitz, that of Riemann without ``q``."""
    return elementwise("special.zeta", x, q)


def zetac(x: Array, /) -> Array:
    """Return the zeta function of Riemann, less one."""
    return elementwise("special.zetac", x)


def gammainc(a: Any, x: Any, /) -> Array:
    """Return the lower incomplete gamma function, regularized."""
    return elementwise("special.gammainc", a, x)


def gammaincc(a: Any, x: Any, /) -> Array:
    """Return the upper incomplete gamma function, regularized."""
    return elementwise("special.gammaincc", a, x)


def gammaincinv(a: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``gammainc(a, x)`` is ``p``."""
    return elementwise("special.gammaincinv", a, p)


def gammainccinv(a: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``gammaincc(a, x)`` is ``p``."""
    return elementwise("special.gammainccinv", a, p)


def betainc(a: Any, b: Any, x: Any, /) -> Array:
    """Return the incomplete beta function, regularized."""
    return elementwise("special.betainc", a, b, x)


def betaincc(a: Any, b: Any, x: Any, /) -> Array:
    """Return the complement of ``betainc``."""
    return elementwise("special.betaincc", a, b, x)


def betaincinv(a: Any, b: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``betainc(a, b, x)`` is ``p``."""
    return elementwise("special.betaincinv", a, b, p)


# -- error functions -----------------------------------------------------------------------------


def erf(x: Array, /) -> Array:
    """Return the error function."""
    return elementwise("special.erf", x)


def erfc(x: Array, /) -> Array:
    """Return the complement of the error function."""
    return elementwise("special.erfc", x)


def erfcx(x: Array, /) -> Array:
    """Return ``exp(x**2) * erfc(x)``."""
    return elementwise("special.erfcx", x)


def erfinv(x: Array, /) -> Array:
    """Return the inverse of the error function."""
    return elementwise("special.erfinv", x)


def erfcinv(x: Array, /) -> Array:
    """Return the inverse of ``erfc``."""
    return elementwise("special.erfcinv", x)


# -- exponentials, logarithms and integrals of them ----------------------------------------------


def cbrt(x: Array, /) -> Array:
    """Return the real cube root."""
    return elementwise("special.cbrt", x)


def exp2(x: Array, /) -> Array:
    """Return two to the power of each element."""
    return elementwise("special.exp2", x)


def exp10(x: Array, /) -> Array:
    """Return ten to the power of each element."""
    return elementwise("special.exp10", x)


def exprel(x: Array, /) -> Array:
    """Return ``(exp(x) - 1) / x``, one at zero."""
    return elementwise("special.exprel", x)


def exp1(x: Array, /) -> Array:
    """Return the exponential integral ``E1``."""
    return elementwise("special.exp1", x)


def expi(x: Array, /) -> Array:
    """Return the exponential integral ``Ei``."""
    return elementwise("special.expi", x)


def expn(n: Any, x: Any, /) -> Array:
    """Return the generalized exponential integral of order ``n``."""
    return elementwise("special.expn", n, x)


def expit(x: Array, /) -> Array:
    """Return the logistic function ``1 / (1 + exp(-x))``."""
    return elementwise("special.expit", x)


def log_expit(x: Array, /) -> Array:
    """Return the logarithm of ``expit``."""
    return elementwise("special.log_expit", x)


def logit(x: Array, /) -> Array:
    """Return the inverse of ``expit``."""
    return elementwise("special.logit", x)


def softplus(x: Array, /) -> Array:
    """Return ``log(1 + exp(x))``."""
    return elementwise("special.softplus", x)


def spence(x: Array, /) -> Array:
    """Return the dilogarithm, by Spence's function."""
    return elementwise("special.spence", x)


def boxcox(x: Any, lmbda: Any, /) -> Array:
    """Return the transformation of Box and Cox."""
    return elementwise("special.boxcox", x, lmbda)


def boxcox1p(x: Any, lmbda: Any, /) -> Array:
    """Return the transformation of Box and Cox of ``1 + x``."""
    return elementwise("special.boxcox1p", x, lmbda)


def inv_boxcox(y: Any, lmbda: Any, /) -> Array:
    """Return the inverse of ``boxcox``."""
    return elementwise("special.inv_boxcox", y, lmbda)


def inv_boxcox1p(y: Any, lmbda: Any, /) -> Array:
    """Return the inverse of ``boxcox1p``."""
    return elementwise("special.inv_boxcox1p", y, lmbda)


# -- Bessel, elliptic, hypergeometric and Legendre functions -------------------------------------


def i0(x: Array, /) -> Array:
    """Return the modified Bessel function of the first kind and order 0."""
    return elementwise("special.i0", x)


def i0e(x: Array, /) -> Array:
    """Return ``exp(-abs(x)) * i0(x)``."""
    return elementwise("special.i0e", x)


def i1(x: Array, /) -> Array:
    """Return the modified Bessel function of the first kind and order 1."""
    return elementwise("special.i1", x)


def i1e(x: Array, /) -> Array:
    """Return ``exp(-abs(x)) * i1(x)``."""
    return elementwise("special.i1e", x)


def j0(x: Array, /) -> Array:
    """Return the Bessel function of the first kind and order 0."""
    return elementwise("special.j0", x)


def j1(x: Array, /) -> Array:
    """Return the Bessel function of the first kind and order 1."""
    return elementwise("special.j1", x)


def k0(x: Array, /) -> Array:
    """Return the modified Bessel function of the second kind and order 0."""
    return elementwise("special.k0", x)


def k0e(x: Array, /) -> Array:
    """Return ``exp(x) * k0(x)``."""
    return elementwise("special.k0e", x)


def k1(x: Array, /) -> Array:
    """Return the modified Bessel function of the second kind and order 1."""
    return elementwise("special.k1", x)


def k1e(x: Array, /) -> Array:
    """Return ``exp(x) * k1(x)``."""
    return elementwise("special.k1e", x)


def y0(x: Array, /) -> Array:
    """Return the Bessel function of the second kind and order 0."""
    return elementwise("special.y0", x)


def y1(x: Array, /) -> Array:
    """Return the Bessel function of the second kind and order 1."""
    return elementwise("special.y1", x)


def yn(n: Any, x: Any, /) -> Array:
    """Return the Bessel function of the second kind and integer order ``n``."""
    return elementwise("special.yn", n, x)


def ellipk(m: Array, /) -> Array:
    """Return the complete elliptic integral of the first kind."""
    return elementwise("special.ellipk", m)


def ellipkm1(p: Array, /) -> Array:
    """Return the complete elliptic integral of the first kind at ``m = 1 - p``."""
    return elementwise("special.ellipkm1", p)


def ellipe(m: Array, /) -> Array:
    """Return the complete elliptic integral of the second kind."""
    return elementwise("special.ellipe", m)


def hyp1f1(a: Any, b: Any, x: Any, /) -> Array:
    """Return the confluent hypergeometric function of Kummer."""
    return elementwise("special.hyp1f1", a, b, x)


def lpmv(m: Any, v: Any, x: Any, /) -> Array:
    """Return the associated Legendre function of integer order ``m`` and real degree ``v``."""
    return elementwise("special.lpmv", m, v, x)


# -- trigonometry --------------------------------------------------------------------------------


def sinc(x: Array, /) -> Array:
    """Return ``sin(pi x) / (pi x)``, one at zero."""
    return elementwise("special.sinc", x)


def cosm1(x: Array, /) -> Array:
    """Return ``cos(x) - 1``."""
    return elementwise("special.cosm1", x)


def sindg(x: Array, /) -> Array:
    """Return the sine of an angle in degrees."""
    return elementwise("special.sindg", x)


def cosdg(x: Array, /) -> Array:
    """Return the cosine of an angle in degrees."""
    return elementwise("special.cosdg", x)


def tandg(x: Array, /) -> Array:
    """Return the tangent of an angle in degrees."""
    return elementwise("special.tandg", x)


def cotdg(x: Array, /) -> Array:
    """Return the cotangent of an angle in degrees."""
    return elementwise("special.cotdg", x)


def radian(d: Any, m: Any, s: Any, /) -> Array:
    """Return an angle of degrees, minutes and seconds in radians."""
    return elementwise("special.radian", d, m, s)


# -- along an axis -------------------------------------------------------------------------------


def logsumexp(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the logarithm of the sum of the exponentials along ``axis``."""
    return with_settings("special.logsumexp", x, axis=axis, keepdims=keepdims)


def softmax(x: Array, /, *, axis: Any = None) -> Array:
    """Return the exponentials over their sum along ``axis``."""
    return with_settings("special.softmax", x, axis=axis)


def log_softmax(x: Array, /, *, axis: Any = None) -> Array:
    """Return the logarithm of ``softmax``."""
    return with_settings("special.log_softmax", x, axis=axis)
