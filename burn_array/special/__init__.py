"""Special functions, an extension in the style of the standard: the functions of ``scipy.special``.

A function comes from the library of the device if that has it in full precision, else on host devices
from SciPy, which reads the same memory, and elsewhere from a formula in functions of the standard.

At least one argument is an array; the others may be numbers, and all are broadcast. Floating-point dtypes
are kept, bools and integers become float64. An element outside of the domain gives NaN. DLMF stands for
the NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov.

Raises
------
ArgumentTypeError
    If no argument is an array.
ShapeError
    If the shapes cannot be broadcast together.
DTypeError
    If an array is complex and the function takes real numbers only.
NotSupportedError
    If neither the library nor a formula has the function.
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
    """Return the gamma function.

    ``integral from 0 to inf of t**(x - 1) * exp(-t) dt``, continued to negative numbers that are not
    whole (DLMF 5.2.1).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.gamma", x)


def gammaln(x: Array, /) -> Array:
    """Return the logarithm of the magnitude of the gamma function.

    ``log(abs(gamma(x)))``, without overflow in the gamma function (DLMF 5.2.1).

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.gammaln", x)


def loggamma(x: Array, /) -> Array:
    """Return the principal branch of the logarithm of the gamma function.

    For complex numbers it is continuous except along the negative real axis.

    Parameters
    ----------
    x : Array
        Real, not negative; or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.loggamma", x)


def gammasgn(x: Array, /) -> Array:
    """Return the sign of the gamma function: 1, or -1 between -1 and 0, between -3 and -2, and so on.

    Parameters
    ----------
    x : Array
        Real; a negative integer gives NaN.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.gammasgn", x)


def rgamma(x: Array, /) -> Array:
    """Return the reciprocal of the gamma function, ``1 / gamma(x)``.

    It is 0 at 0 and at the negative integers.

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.rgamma", x)


def digamma(x: Array, /) -> Array:
    """Return the derivative of the logarithm of the gamma function.

    ``gamma'(x) / gamma(x)`` (DLMF 5.2.2).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.digamma", x)


def psi(x: Array, /) -> Array:
    """Return the derivative of the logarithm of the gamma function; another name of ``digamma``.

    ``gamma'(x) / gamma(x)`` (DLMF 5.2.2).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.psi", x)


def polygamma(n: Any, x: Any, /) -> Array:
    """Return the ``n``-th derivative of ``digamma``.

    ``(-1)**(n + 1) * n! * zeta(n + 1, x)`` for ``n > 0`` (DLMF 25.11.12).

    Parameters
    ----------
    n : Array or number
        The order of the derivative: whole numbers, not negative.
    x : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.polygamma", n, x)


def multigammaln(a: Any, d: int, /) -> Array:
    """Return the logarithm of the multivariate gamma function of dimension ``d``.

    ``d * (d - 1) / 4 * log(pi)`` plus the sum of ``gammaln(a - j / 2)`` for ``j`` from 0 to ``d - 1``
    (DLMF 35.3.4).

    Parameters
    ----------
    a : Array
        Real, greater than ``(d - 1) / 2``.
    d : int
        The dimension, at least 1.

    Returns
    -------
    Array
        Floating-point, with the shape of ``a``.

    Raises
    ------
    ArgumentError
        If an argument is out of range and the library checks it.
    """
    return with_settings("special.multigammaln", a, d)


def poch(z: Any, m: Any, /) -> Array:
    """Return the rising factorial ``gamma(z + m) / gamma(z)``, the Pochhammer symbol.

    Parameters
    ----------
    z, m : Array or number
        Real (DLMF 5.2.5).

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.poch", z, m)


def binom(n: Any, k: Any, /) -> Array:
    """Return the binomial coefficient of real numbers.

    ``gamma(n + 1) / (gamma(k + 1) * gamma(n - k + 1))``.

    Parameters
    ----------
    n, k : Array or number
        Real; ``n`` is not a negative integer.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.binom", n, k)


def betaln(a: Any, b: Any, /) -> Array:
    """Return the logarithm of the magnitude of the beta function.

    ``log(abs(gamma(a) * gamma(b) / gamma(a + b)))`` (DLMF 5.12.1).

    Parameters
    ----------
    a, b : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.betaln", a, b)


def zeta(x: Any, q: Any = None, /) -> Array:
    """Return the zeta function of Hurwitz, or that of Riemann if ``q`` is left out.

    ``sum over k >= 0 of 1 / (k + q)**x`` (DLMF 25.11.1 and 25.2.1).

    Parameters
    ----------
    x : Array or number
        Real; greater than 1 if ``q`` is given.
    q : Array or number, optional
        Where the sum starts; 1 gives the function of Riemann.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.zeta", x, q)


def zetac(x: Array, /) -> Array:
    """Return the zeta function of Riemann minus 1.

    ``sum over k >= 2 of 1 / k**x`` (DLMF 25.2.1), accurate where the zeta function is close to 1.

    Parameters
    ----------
    x : Array
        Real; below 1 not every library has it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.zetac", x)


def gammainc(a: Any, x: Any, /) -> Array:
    """Return the regularized lower incomplete gamma function.

    ``integral from 0 to x of t**(a - 1) * exp(-t) dt / gamma(a)``, which grows from 0 to 1 (DLMF 8.2.4).

    Parameters
    ----------
    a, x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.gammainc", a, x)


def gammaincc(a: Any, x: Any, /) -> Array:
    """Return the regularized upper incomplete gamma function.

    ``1 - gammainc(a, x)``, without loss of digits where this is small (DLMF 8.2.4).

    Parameters
    ----------
    a, x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.gammaincc", a, x)


def gammaincinv(a: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``gammainc(a, x)`` is ``p``.

    Parameters
    ----------
    a : Array or number
        Real, not negative.
    p : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.gammaincinv", a, p)


def gammainccinv(a: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``gammaincc(a, x)`` is ``p``.

    Parameters
    ----------
    a : Array or number
        Real, not negative.
    p : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.gammainccinv", a, p)


def betainc(a: Any, b: Any, x: Any, /) -> Array:
    """Return the regularized incomplete beta function.

    ``integral from 0 to x of t**(a - 1) * (1 - t)**(b - 1) dt`` over the integral from 0 to 1 (DLMF
    8.17.2).

    Parameters
    ----------
    a, b : Array or number
        Real, not negative.
    x : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.betainc", a, b, x)


def betaincc(a: Any, b: Any, x: Any, /) -> Array:
    """Return the complement of the regularized incomplete beta function.

    ``1 - betainc(a, b, x)``, without loss of digits where this is small.

    Parameters
    ----------
    a, b : Array or number
        Real, not negative.
    x : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.betaincc", a, b, x)


def betaincinv(a: Any, b: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``betainc(a, b, x)`` is ``p``.

    Parameters
    ----------
    a, b : Array or number
        Real, not negative.
    p : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.betaincinv", a, b, p)


# -- error functions -----------------------------------------------------------------------------


def erf(x: Array, /) -> Array:
    """Return the error function.

    ``2 / sqrt(pi) * integral from 0 to x of exp(-t**2) dt`` (DLMF 7.2.1).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.erf", x)


def erfc(x: Array, /) -> Array:
    """Return the complementary error function.

    ``1 - erf(x)``, without loss of digits for large ``x`` (DLMF 7.2.2).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.erfc", x)


def erfcx(x: Array, /) -> Array:
    """Return the scaled complementary error function ``exp(x**2) * erfc(x)``.

    It does not vanish for large ``x`` as ``erfc`` does.

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.erfcx", x)


def erfinv(x: Array, /) -> Array:
    """Return the inverse of the error function (DLMF 7.17.1).

    Parameters
    ----------
    x : Array
        Real, from -1 to 1.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.erfinv", x)


def erfcinv(x: Array, /) -> Array:
    """Return the inverse of the complementary error function (DLMF 7.17).

    Parameters
    ----------
    x : Array
        Real, from 0 to 2.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.erfcinv", x)


# -- exponentials, logarithms and integrals of them ----------------------------------------------


def cbrt(x: Array, /) -> Array:
    """Return the real cube root.

    Parameters
    ----------
    x : Array
        Real; the root of a negative number is negative.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.cbrt", x)


def exp2(x: Array, /) -> Array:
    """Return 2 to the power of each element.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.exp2", x)


def exp10(x: Array, /) -> Array:
    """Return 10 to the power of each element.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.exp10", x)


def exprel(x: Array, /) -> Array:
    """Return ``(exp(x) - 1) / x``, and 1 at zero.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.exprel", x)


def exp1(x: Array, /) -> Array:
    """Return the exponential integral E1.

    ``integral from x to inf of exp(-t) / t dt`` (DLMF 6.2.1).

    Parameters
    ----------
    x : Array
        Real, not negative; or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.exp1", x)


def expi(x: Array, /) -> Array:
    """Return the exponential integral Ei.

    The principal value of ``integral from -inf to x of exp(t) / t dt`` (DLMF 6.2.5).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.expi", x)


def expn(n: Any, x: Any, /) -> Array:
    """Return the generalized exponential integral of order ``n``.

    ``integral from 1 to inf of exp(-x * t) / t**n dt`` (DLMF 8.19.3).

    Parameters
    ----------
    n : Array or number
        The order: whole numbers, not negative.
    x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.expn", n, x)


def expit(x: Array, /) -> Array:
    """Return the logistic function ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.expit", x)


def log_expit(x: Array, /) -> Array:
    """Return the logarithm of the logistic function, without overflow.

    ``-log(1 + exp(-x))``.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.log_expit", x)


def logit(x: Array, /) -> Array:
    """Return the inverse of the logistic function.

    ``log(x / (1 - x))``.

    Parameters
    ----------
    x : Array
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.logit", x)


def softplus(x: Array, /) -> Array:
    """Return ``log(1 + exp(x))``, without overflow.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.softplus", x)


def spence(x: Array, /) -> Array:
    """Return Spence's function.

    ``integral from 1 to x of log(t) / (1 - t) dt``: the dilogarithm of ``1 - x`` (DLMF 25.12.2).

    Parameters
    ----------
    x : Array
        Real, not negative; or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.spence", x)


def boxcox(x: Any, lmbda: Any, /) -> Array:
    """Return the Box-Cox transform ``(x**lmbda - 1) / lmbda``, and ``log(x)`` for ``lmbda = 0``.

    See Box and Cox, An analysis of transformations, J. R. Stat. Soc. B 26, 1964.

    Parameters
    ----------
    x : Array or number
        Real, not negative.
    lmbda : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.boxcox", x, lmbda)


def boxcox1p(x: Any, lmbda: Any, /) -> Array:
    """Return the Box-Cox transform of ``1 + x``, without loss of digits near zero.

    Parameters
    ----------
    x : Array or number
        Real, not below -1.
    lmbda : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.boxcox1p", x, lmbda)


def inv_boxcox(y: Any, lmbda: Any, /) -> Array:
    """Return the ``x`` at which ``boxcox(x, lmbda)`` is ``y``.

    ``(lmbda * y + 1)**(1 / lmbda)``, and ``exp(y)`` for ``lmbda = 0``.

    Parameters
    ----------
    y, lmbda : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.inv_boxcox", y, lmbda)


def inv_boxcox1p(y: Any, lmbda: Any, /) -> Array:
    """Return the ``x`` at which ``boxcox1p(x, lmbda)`` is ``y``.

    ``(lmbda * y + 1)**(1 / lmbda) - 1``, and ``expm1(y)`` for ``lmbda = 0``.

    Parameters
    ----------
    y, lmbda : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.inv_boxcox1p", y, lmbda)


# -- Bessel, elliptic, hypergeometric and Legendre functions -------------------------------------


def i0(x: Array, /) -> Array:
    """Return the modified Bessel function of the first kind of order 0 (DLMF 10.25.2).

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.i0", x)


def i0e(x: Array, /) -> Array:
    """Return ``exp(-abs(x)) * i0(x)``, which does not overflow.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.i0e", x)


def i1(x: Array, /) -> Array:
    """Return the modified Bessel function of the first kind of order 1 (DLMF 10.25.2).

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.i1", x)


def i1e(x: Array, /) -> Array:
    """Return ``exp(-abs(x)) * i1(x)``, which does not overflow.

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.i1e", x)


def j0(x: Array, /) -> Array:
    """Return the Bessel function of the first kind of order 0 (DLMF 10.2.2).

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.j0", x)


def j1(x: Array, /) -> Array:
    """Return the Bessel function of the first kind of order 1 (DLMF 10.2.2).

    Parameters
    ----------
    x : Array
        Real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.j1", x)


def k0(x: Array, /) -> Array:
    """Return the modified Bessel function of the second kind of order 0 (DLMF 10.27.4).

    Parameters
    ----------
    x : Array
        Real, not negative; infinite at 0.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.k0", x)


def k0e(x: Array, /) -> Array:
    """Return ``exp(x) * k0(x)``, which does not vanish for large ``x``.

    Parameters
    ----------
    x : Array
        Real, not negative; infinite at 0.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.k0e", x)


def k1(x: Array, /) -> Array:
    """Return the modified Bessel function of the second kind of order 1 (DLMF 10.27.4).

    Parameters
    ----------
    x : Array
        Real, not negative; infinite at 0.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.k1", x)


def k1e(x: Array, /) -> Array:
    """Return ``exp(x) * k1(x)``, which does not vanish for large ``x``.

    Parameters
    ----------
    x : Array
        Real, not negative; infinite at 0.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.k1e", x)


def y0(x: Array, /) -> Array:
    """Return the Bessel function of the second kind of order 0 (DLMF 10.2.3).

    Parameters
    ----------
    x : Array
        Real, not negative; -inf at 0.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.y0", x)


def y1(x: Array, /) -> Array:
    """Return the Bessel function of the second kind of order 1 (DLMF 10.2.3).

    Parameters
    ----------
    x : Array
        Real, not negative; -inf at 0.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.y1", x)


def yn(n: Any, x: Any, /) -> Array:
    """Return the Bessel function of the second kind of integer order ``n`` (DLMF 10.2.3).

    Parameters
    ----------
    n : Array or number
        The order: whole numbers.
    x : Array or number
        Real, not negative; infinite at 0.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.yn", n, x)


def ellipk(m: Array, /) -> Array:
    """Return the complete elliptic integral of the first kind.

    ``integral from 0 to pi/2 of (1 - m * sin(t)**2)**(-1/2) dt``, with ``m = k**2`` (DLMF 19.2.8).

    Parameters
    ----------
    m : Array
        The parameter: real, at most 1, where the result is infinite.

    Returns
    -------
    Array
        Floating-point, with the shape of ``m``.
    """
    return elementwise("special.ellipk", m)


def ellipkm1(p: Array, /) -> Array:
    """Return the complete elliptic integral of the first kind at ``m = 1 - p``.

    ``ellipk(1 - p)``, without loss of digits for small ``p``.

    Parameters
    ----------
    p : Array
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, with the shape of ``p``.
    """
    return elementwise("special.ellipkm1", p)


def ellipe(m: Array, /) -> Array:
    """Return the complete elliptic integral of the second kind.

    ``integral from 0 to pi/2 of (1 - m * sin(t)**2)**(1/2) dt``, with ``m = k**2`` (DLMF 19.2.8).

    Parameters
    ----------
    m : Array
        The parameter: real, at most 1.

    Returns
    -------
    Array
        Floating-point, with the shape of ``m``.
    """
    return elementwise("special.ellipe", m)


def hyp1f1(a: Any, b: Any, x: Any, /) -> Array:
    """Return the confluent hypergeometric function of Kummer.

    ``sum over k >= 0 of poch(a, k) / poch(b, k) * x**k / k!`` (DLMF 13.2.2).

    Parameters
    ----------
    a, b, x : Array or number
        Real; ``b`` is not 0 or a negative integer.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.hyp1f1", a, b, x)


def lpmv(m: Any, v: Any, x: Any, /) -> Array:
    """Return the associated Legendre function of integer order and real degree.

    For ``m >= 0`` it is ``(-1)**m * (1 - x**2)**(m/2)`` times the ``m``-th derivative of the Legendre
    function of degree ``v`` (DLMF 14.6.1).

    Parameters
    ----------
    m : Array or number
        The order: whole numbers.
    v : Array or number
        The degree: real.
    x : Array or number
        Real, from -1 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.lpmv", m, v, x)


# -- trigonometry --------------------------------------------------------------------------------


def sinc(x: Array, /) -> Array:
    """Return ``sin(pi * x) / (pi * x)``, and 1 at zero.

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.sinc", x)


def cosm1(x: Array, /) -> Array:
    """Return ``cos(x) - 1``, without loss of digits near zero.

    Parameters
    ----------
    x : Array
        Angles in radians, real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.cosm1", x)


def sindg(x: Array, /) -> Array:
    """Return the sine of angles in degrees.

    Parameters
    ----------
    x : Array
        Angles in degrees, real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.sindg", x)


def cosdg(x: Array, /) -> Array:
    """Return the cosine of angles in degrees.

    Parameters
    ----------
    x : Array
        Angles in degrees, real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.cosdg", x)


def tandg(x: Array, /) -> Array:
    """Return the tangent of angles in degrees; infinite at odd multiples of 90.

    Parameters
    ----------
    x : Array
        Angles in degrees, real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.tandg", x)


def cotdg(x: Array, /) -> Array:
    """Return the cotangent of angles in degrees; infinite at multiples of 180.

    Parameters
    ----------
    x : Array
        Angles in degrees, real.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.cotdg", x)


def radian(d: Any, m: Any, s: Any, /) -> Array:
    """Return angles in radians that are given in degrees, minutes and seconds.

    Parameters
    ----------
    d, m, s : Array or number
        Degrees, minutes and seconds, real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.radian", d, m, s)


# -- along an axis -------------------------------------------------------------------------------


def logsumexp(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the logarithm of the sum of the exponentials along axes, ``log(sum(exp(x)))``, without overflow.

    Parameters
    ----------
    x : Array
        Real or complex.
    axis : int, tuple of int or None
        The axes to go along; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x`` without the axes.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    ArgumentError
        If there are no elements along the axes.
    """
    return with_settings("special.logsumexp", x, axis=axis, keepdims=keepdims)


def softmax(x: Array, /, *, axis: Any = None) -> Array:
    """Return the exponentials divided by their sum along axes, ``exp(x) / sum(exp(x))``, without overflow.

    Parameters
    ----------
    x : Array
        Real.
    axis : int, tuple of int or None
        The axes to go along; ``None`` for all.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``; adds up to 1 along the axes.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    ArgumentError
        If there are no elements along the axes.
    """
    return with_settings("special.softmax", x, axis=axis)


def log_softmax(x: Array, /, *, axis: Any = None) -> Array:
    """Return the logarithm of ``softmax``, without overflow or loss of digits.

    Parameters
    ----------
    x : Array
        Real.
    axis : int, tuple of int or None
        The axes to go along; ``None`` for all.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    ArgumentError
        If there are no elements along the axes.
    """
    return with_settings("special.log_softmax", x, axis=axis)
