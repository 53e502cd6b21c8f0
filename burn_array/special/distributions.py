"""Distribution functions of statistics, entropies and losses: a part of ``special``."""

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
    """Return the distribution function of the standard normal distribution."""
    return elementwise("special.ndtr", x)


def log_ndtr(x: Array, /) -> Array:
    """Return the logarithm of ``ndtr``."""
    return elementwise("special.log_ndtr", x)


def ndtri(p: Array, /) -> Array:
    """Return the inverse of ``ndtr``."""
    return elementwise("special.ndtri", p)


def stdtr(df: Any, t: Any, /) -> Array:
    """Return the distribution function of Student's t."""
    return elementwise("special.stdtr", df, t)


def stdtrit(df: Any, p: Any, /) -> Array:
    """Return the inverse of ``stdtr`` in ``t``."""
    return elementwise("special.stdtrit", df, p)


def chdtr(v: Any, x: Any, /) -> Array:
    """Return the distribution function of chi-square."""
    return elementwise("special.chdtr", v, x)


def chdtrc(v: Any, x: Any, /) -> Array:
    """Return the complement of ``chdtr``."""
    return elementwise("special.chdtrc", v, x)


def chdtri(v: Any, p: Any, /) -> Array:
    """Return the inverse of ``chdtrc`` in ``x``."""
    return elementwise("special.chdtri", v, p)


def fdtr(dfn: Any, dfd: Any, x: Any, /) -> Array:
    """Return the distribution function of F."""
    return elementwise("special.fdtr", dfn, dfd, x)


def fdtrc(dfn: Any, dfd: Any, x: Any, /) -> Array:
    """Return the complement of ``fdtr``."""
    return elementwise("special.fdtrc", dfn, dfd, x)


def fdtri(dfn: Any, dfd: Any, p: Any, /) -> Array:
    """Return the inverse of ``fdtr`` in ``x``."""
    return elementwise("special.fdtri", dfn, dfd, p)


def gdtr(a: Any, b: Any, x: Any, /) -> Array:
    """Return the distribution function of gamma, of rate ``a`` and shape ``b``."""
    return elementwise("special.gdtr", a, b, x)


def gdtrc(a: Any, b: Any, x: Any, /) -> Array:
    """Return the complement of ``gdtr``."""
    return elementwise("special.gdtrc", a, b, x)


def bdtr(k: Any, n: Any, p: Any, /) -> Array:
    """Return the distribution function of the binomial distribution."""
    return elementwise("special.bdtr", k, n, p)


def bdtrc(k: Any, n: Any, p: Any, /) -> Array:
    """Return the complement of ``bdtr``."""
    return elementwise("special.bdtrc", k, n, p)


def bdtri(k: Any, n: Any, y: Any, /) -> Array:
    """Return the inverse of ``bdtr`` in ``p``."""
    return elementwise("special.bdtri", k, n, y)


def nbdtr(k: Any, n: Any, p: Any, /) -> Array:
    """Return the distribution function of the negative binomial distribution."""
    return elementwise("special.nbdtr", k, n, p)


def nbdtrc(k: Any, n: Any, p: Any, /) -> Array:
    """Return the complement of ``nbdtr``."""
    return elementwise("special.nbdtrc", k, n, p)


def nbdtri(k: Any, n: Any, y: Any, /) -> Array:
    """Return the inverse of ``nbdtr`` in ``p``."""
    return elementwise("special.nbdtri", k, n, y)


def pdtr(k: Any, m: Any, /) -> Array:
    """Return the distribution function of the Poisson distribution of mean ``m``."""
    return elementwise("special.pdtr", k, m)


def pdtrc(k: Any, m: Any, /) -> Array:
    """Return the complement of ``pdtr``."""
    return elementwise("special.pdtrc", k, m)


def pdtri(k: Any, y: Any, /) -> Array:
    """Return the inverse of ``pdtr`` in ``m``."""
    return elementwise("special.pdtri", k, y)


# -- entropies and losses ------------------------------------------------------------------------


def xlogy(x: Any, y: Any, /) -> Array:
    """Return ``x * log(y)``, zero where ``x`` is."""
    return elementwise("special.xlogy", x, y)


def xlog1py(x: Any, y: Any, /) -> Array:
    """Return ``x * log1p(y)``, zero where ``x`` is."""
    return elementwise("special.xlog1py", x, y)


def entr(x: Array, /) -> Array:
    """Return ``-x * log(x)``, the terms of an entropy."""
    return elementwise("special.entr", x)


def rel_entr(x: Any, y: Any, /) -> Array:
    """Return ``x * log(x / y)``, the terms of a relative entropy."""
    return elementwise("special.rel_entr", x, y)


def kl_div(x: Any, y: Any, /) -> Array:
    """Return ``x * log(x / y) - x + y``, the terms of a divergence of Kullback and Leibler."""
    return elementwise("special.kl_div", x, y)


def huber(delta: Any, r: Any, /) -> Array:
    """Return the loss of Huber."""
    return elementwise("special.huber", delta, r)


def pseudo_huber(delta: Any, r: Any, /) -> Array:
    """Return the smooth loss of Huber."""
    return elementwise("special.pseudo_huber", delta, r)
