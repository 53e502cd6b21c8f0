"""Distribution functions of statistics, entropies and losses: a part of ``special``.

A distribution function gives the probability that a random number is not greater than its argument, its
complement the probability that it is greater.
"""

from __future__ import annotations

from typing import Any

from .._core.array import Array
from ._lookup import elementwise

__all__ = [
    "bdtr", "bdtrc", "bdtri", "chdtr", "chdtrc", "chdtri", "entr", "fdtr", "fdtrc", "fdtri", "gdtr", "gdtrc",
    "huber", "kl_div", "log_ndtr", "nbdtr", "nbdtrc", "nbdtri", "ndtr", "ndtri", "pdtr", "pdtrc", "pdtri",
    "pseudo_huber", "rel_entr", "stdtr", "stdtrit", "xlog1py", "xlogy",
]  # fmt: skip


def ndtr(x: Array, /) -> Array:
    """Return the distribution function of the standard normal distribution.

    ``erfc(-x / sqrt(2)) / 2`` (DLMF 7.20.1).

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.ndtr", x)


def log_ndtr(x: Array, /) -> Array:
    """Return the logarithm of ``ndtr``, also where that vanishes.

    Parameters
    ----------
    x : Array
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.log_ndtr", x)


def ndtri(p: Array, /) -> Array:
    """Return the ``x`` at which ``ndtr(x)`` is ``p``.

    Parameters
    ----------
    p : Array
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, with the shape of ``p``.
    """
    return elementwise("special.ndtri", p)


def stdtr(df: Any, t: Any, /) -> Array:
    """Return the distribution function of Student's t distribution.

    For ``t <= 0`` it is ``betainc(df / 2, 1 / 2, df / (df + t**2)) / 2``.

    Parameters
    ----------
    df : Array or number
        Degrees of freedom, positive.
    t : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.stdtr", df, t)


def stdtrit(df: Any, p: Any, /) -> Array:
    """Return the ``t`` at which ``stdtr(df, t)`` is ``p``.

    Parameters
    ----------
    df : Array or number
        Degrees of freedom, positive.
    p : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.stdtrit", df, p)


def chdtr(v: Any, x: Any, /) -> Array:
    """Return the distribution function of the chi-square distribution.

    ``gammainc(v / 2, x / 2)``.

    Parameters
    ----------
    v : Array or number
        Degrees of freedom, positive.
    x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.chdtr", v, x)


def chdtrc(v: Any, x: Any, /) -> Array:
    """Return the complement of ``chdtr``.

    ``gammaincc(v / 2, x / 2)``.

    Parameters
    ----------
    v : Array or number
        Degrees of freedom, positive.
    x : Array or number
        Real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.chdtrc", v, x)


def chdtri(v: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``chdtrc(v, x)`` is ``p``.

    Parameters
    ----------
    v : Array or number
        Degrees of freedom, positive.
    p : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.chdtri", v, p)


def fdtr(dfn: Any, dfd: Any, x: Any, /) -> Array:
    """Return the distribution function of the F distribution.

    ``betainc(dfn / 2, dfd / 2, dfn * x / (dfd + dfn * x))``.

    Parameters
    ----------
    dfn, dfd : Array or number
        Degrees of freedom of the numerator and of the denominator, positive.
    x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.fdtr", dfn, dfd, x)


def fdtrc(dfn: Any, dfd: Any, x: Any, /) -> Array:
    """Return the complement of ``fdtr``.

    ``betainc(dfd / 2, dfn / 2, dfd / (dfd + dfn * x))``.

    Parameters
    ----------
    dfn, dfd : Array or number
        Degrees of freedom of the numerator and of the denominator, positive.
    x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.fdtrc", dfn, dfd, x)


def fdtri(dfn: Any, dfd: Any, p: Any, /) -> Array:
    """Return the ``x`` at which ``fdtr(dfn, dfd, x)`` is ``p``.

    Parameters
    ----------
    dfn, dfd : Array or number
        Degrees of freedom of the numerator and of the denominator, positive.
    p : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.fdtri", dfn, dfd, p)


def gdtr(a: Any, b: Any, x: Any, /) -> Array:
    """Return the distribution function of the gamma distribution.

    ``gammainc(b, a * x)``.

    Parameters
    ----------
    a : Array or number
        The rate.
    b : Array or number
        The shape parameter.
    x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.gdtr", a, b, x)


def gdtrc(a: Any, b: Any, x: Any, /) -> Array:
    """Return the complement of ``gdtr``.

    ``gammaincc(b, a * x)``.

    Parameters
    ----------
    a : Array or number
        The rate.
    b : Array or number
        The shape parameter.
    x : Array or number
        Real, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.gdtrc", a, b, x)


def bdtr(k: Any, n: Any, p: Any, /) -> Array:
    """Return the distribution function of the binomial distribution.

    ``sum over j from 0 to k of binom(n, j) * p**j * (1 - p)**(n - j)``.

    Parameters
    ----------
    k : Array or number
        The greatest number of successes, rounded down; from 0 to ``n``.
    n : Array or number
        The number of trials.
    p : Array or number
        The probability of success.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.bdtr", k, n, p)


def bdtrc(k: Any, n: Any, p: Any, /) -> Array:
    """Return the complement of ``bdtr``.

    The sum over ``j`` from ``k + 1`` to ``n``.

    Parameters
    ----------
    k : Array or number
        The greatest number of successes, rounded down; from 0 to ``n``.
    n : Array or number
        The number of trials.
    p : Array or number
        The probability of success.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.bdtrc", k, n, p)


def bdtri(k: Any, n: Any, y: Any, /) -> Array:
    """Return the ``p`` at which ``bdtr(k, n, p)`` is ``y``.

    Parameters
    ----------
    k : Array or number
        The greatest number of successes, rounded down; from 0 to ``n``.
    n : Array or number
        The number of trials.
    y : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.bdtri", k, n, y)


def nbdtr(k: Any, n: Any, p: Any, /) -> Array:
    """Return the distribution function of the negative binomial distribution.

    The probability of at most ``k`` failures before the ``n``-th success, ``betainc(n, k + 1, p)``.

    Parameters
    ----------
    k : Array or number
        The greatest number of failures.
    n : Array or number
        The number of successes.
    p : Array or number
        The probability of success.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.nbdtr", k, n, p)


def nbdtrc(k: Any, n: Any, p: Any, /) -> Array:
    """Return the complement of ``nbdtr``.

    ``betainc(k + 1, n, 1 - p)``.

    Parameters
    ----------
    k : Array or number
        The greatest number of failures.
    n : Array or number
        The number of successes.
    p : Array or number
        The probability of success.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.nbdtrc", k, n, p)


def nbdtri(k: Any, n: Any, y: Any, /) -> Array:
    """Return the ``p`` at which ``nbdtr(k, n, p)`` is ``y``.

    Parameters
    ----------
    k : Array or number
        The greatest number of failures.
    n : Array or number
        The number of successes.
    y : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.nbdtri", k, n, y)


def pdtr(k: Any, m: Any, /) -> Array:
    """Return the distribution function of the Poisson distribution.

    ``sum over j from 0 to k of exp(-m) * m**j / j!``.

    Parameters
    ----------
    k : Array or number
        The greatest number of events, rounded down.
    m : Array or number
        The mean, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.pdtr", k, m)


def pdtrc(k: Any, m: Any, /) -> Array:
    """Return the complement of ``pdtr``.

    The sum over ``j`` from ``k + 1`` upwards.

    Parameters
    ----------
    k : Array or number
        The greatest number of events, rounded down.
    m : Array or number
        The mean, not negative.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.pdtrc", k, m)


def pdtri(k: Any, y: Any, /) -> Array:
    """Return the ``m`` at which ``pdtr(k, m)`` is ``y``.

    Parameters
    ----------
    k : Array or number
        The greatest number of events, rounded down.
    y : Array or number
        Real, from 0 to 1.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.pdtri", k, y)


# -- entropies and losses ------------------------------------------------------------------------


def xlogy(x: Any, y: Any, /) -> Array:
    """Return ``x * log(y)``, and 0 where ``x`` is 0 and ``y`` is not NaN.

    Parameters
    ----------
    x, y : Array or number
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.xlogy", x, y)


def xlog1py(x: Any, y: Any, /) -> Array:
    """Return ``x * log1p(y)``, and 0 where ``x`` is 0 and ``y`` is not NaN.

    Parameters
    ----------
    x, y : Array or number
        Real, or complex where the library takes it.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.xlog1py", x, y)


def entr(x: Array, /) -> Array:
    """Return ``-x * log(x)``, the terms of an entropy.

    Parameters
    ----------
    x : Array
        Real; 0 gives 0, a negative number gives -inf.

    Returns
    -------
    Array
        Floating-point, with the shape of ``x``.
    """
    return elementwise("special.entr", x)


def rel_entr(x: Any, y: Any, /) -> Array:
    """Return ``x * log(x / y)``, the terms of a relative entropy.

    Parameters
    ----------
    x, y : Array or number
        Real; ``x = 0`` gives 0 if ``y`` is not negative. Anything else outside of ``x > 0`` and ``y > 0``
        gives inf.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.rel_entr", x, y)


def kl_div(x: Any, y: Any, /) -> Array:
    """Return ``x * log(x / y) - x + y``, the terms of a Kullback-Leibler divergence.

    Parameters
    ----------
    x, y : Array or number
        Real; ``x = 0`` gives ``y`` if ``y`` is not negative. Anything else outside of ``x > 0`` and ``y >
        0`` gives inf.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.kl_div", x, y)


def huber(delta: Any, r: Any, /) -> Array:
    """Return Huber's loss.

    ``r**2 / 2`` if ``abs(r) <= delta``, else ``delta * (abs(r) - delta / 2)`` (Huber, Robust estimation
    of a location parameter, Ann. Math. Stat. 35, 1964).

    Parameters
    ----------
    delta : Array or number
        Where the loss turns from quadratic to linear; a negative number gives inf.
    r : Array or number
        The residual, real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.huber", delta, r)


def pseudo_huber(delta: Any, r: Any, /) -> Array:
    """Return a smooth approximation of Huber's loss.

    ``delta**2 * (sqrt(1 + (r / delta)**2) - 1)``.

    Parameters
    ----------
    delta : Array or number
        Where the loss turns from quadratic to linear; a negative number gives inf.
    r : Array or number
        The residual, real.

    Returns
    -------
    Array
        Floating-point, of the broadcast shape.
    """
    return elementwise("special.pseudo_huber", delta, r)
