"""The extension ``special`` on CuPy: functions of ``cupyx.scipy.special``, computed in float64 as in SciPy.

A function of CuPy that is less exact than burn_array's formula is left out. The standard has no special functions;
SciPy is the reference. Each repair has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from cupyx.scipy import special as library

from burn_array.adapter import promote, promote_scalar

from ..common.special import SpecialFunctions

Function = Callable[..., Any]

_OF_CUPY = frozenset(
    (
        "bdtr bdtrc bdtri betainc betaincinv betaln binom boxcox boxcox1p cbrt chdtr chdtrc chdtri cosm1 digamma "
        "ellipk ellipkm1 entr erf erfc erfcinv erfcx erfinv exp1 exp10 exp2 expi expit expn fdtr fdtrc fdtri gamma "
        "gammainc gammaincc gammainccinv gammaincinv gammaln gdtr gdtrc huber i0 i0e i1 i1e inv_boxcox "
        "inv_boxcox1p j0 j1 k0 k0e k1 k1e log_expit log_ndtr loggamma logit lpmv nbdtr nbdtrc nbdtri ndtr ndtri "
        "pdtr pdtrc pdtri poch psi rgamma xlog1py xlogy y0 y1 yn zeta zetac"
    ).split()
)
_SINGLE = frozenset("cbrt erf erfc erfcx erfinv exp10 exp2 expit ndtr".split())
"""Functions that CUDA computes in float32 as exactly as float32 can hold."""
_COMPLEX = frozenset("digamma gamma loggamma psi rgamma".split())
"""Functions that take complex numbers."""


def _on_floats(function: Function, name: str) -> Function:
    """Return a function that takes all dtypes, computes in float64 and keeps the dtype of floats."""

    def wrapped(*operands: Any) -> Any:
        dtype = _dtype(operands)
        work = (
            dtype if dtype.kind == "c" or (name in _SINGLE and dtype.itemsize == 4) else np.dtype("float64")
        )
        if dtype.kind == "c" and name not in _COMPLEX:
            raise TypeError(f"expected real numbers, not {dtype}")
        numbers = [x.astype(work, copy=False) if type(x) is cupy.ndarray else work.type(x) for x in operands]
        return function(*numbers).astype(dtype, copy=False)

    return wrapped


def _dtype(operands: tuple[Any, ...]) -> np.dtype[Any]:
    """Return the common dtype; integers and bools become float64."""
    dtypes = [x.dtype for x in operands if type(x) is cupy.ndarray]
    dtype = dtypes[0]
    for one in dtypes[1:]:
        dtype = promote(dtype, one)
    for x in operands:
        if type(x) is not cupy.ndarray:
            dtype = promote_scalar(dtype, type(x))
    return dtype if dtype.kind in "fc" else np.dtype("float64")


# -- repairs, and functions that CuPy lacks ------------------------------------------------------------


def _or_nan(function: Function) -> Function:
    """Return a function that returns NaN if an operand is NaN.

    CuPy returns a number for NaN beside an infinity or 0 in ``gammainc``, ``gammaincc``, ``chdtr``, ``chdtrc`` and
    ``xlog1py``; SciPy returns NaN.

    https://github.com/cupy/cupy/issues/8451, last seen in 14.2.0. Canaries: ``special.gammainc``, ``special.chdtr`` and
    ``special.xlog1py``.
    """
    return lambda a, x: cupy.where(cupy.isnan(a) | cupy.isnan(x), math.nan, function(a, x))


def _exp1(x: Any) -> Any:
    """Return the exponential integral E1.

    CuPy computes a number of steps from the operand and never returns for NaN; SciPy returns NaN. A canary would never
    return either.

    No upstream issue is known; last seen in 14.2.0.
    """
    missing = cupy.isnan(x)
    return cupy.where(missing, math.nan, library.exp1(cupy.where(missing, 1.0, x)))


def _expi(x: Any) -> Any:
    """Return the exponential integral Ei.

    CuPy returns NaN at infinity, as SciPy does; the limit is inf.

    https://github.com/scipy/scipy/issues/23738, last seen in 14.2.0. Canary: ``special.expi``.
    """
    return cupy.where(x == math.inf, x, library.expi(x))


def _fdtr(dfn: Any, dfd: Any, x: Any) -> Any:
    """Return the distribution function of the F distribution.

    CuPy's incomplete beta function loses digits if its argument is near 1; SciPy's does not. The complement is exact
    there.

    No upstream issue is known; last seen in 14.2.0. Canary: ``special.fdtr``.
    """
    far = dfd < 1e-3 * dfn * x
    return cupy.where(far, 1 - library.fdtrc(dfn, dfd, x), library.fdtr(dfn, dfd, x))


def _fdtrc(dfn: Any, dfd: Any, x: Any) -> Any:
    """Return the complement of the distribution function of the F distribution.

    CuPy loses digits if the result is near 1, see ``_fdtr``; SciPy does not.

    No upstream issue is known; last seen in 14.2.0. Canary: ``special.fdtr``.
    """
    near = dfn * x < 1e-3 * dfd
    return cupy.where(near, 1 - library.fdtr(dfn, dfd, x), library.fdtrc(dfn, dfd, x))


def _fdtri(dfn: Any, dfd: Any, p: Any) -> Any:
    """Return the quantile of the F distribution.

    CuPy returns NaN at 0; the quantile is 0.

    No upstream issue is known; last seen in 14.2.0. Canary: ``special.fdtri``.
    """
    return cupy.where((p == 0) & (dfn > 0) & (dfd > 0), 0.0, library.fdtri(dfn, dfd, p))


def _yn(n: Any, x: Any) -> Any:
    """Return the Bessel function of the second kind, of integer order.

    CuPy returns NaN for a negative order; SciPy returns ``(-1)**n`` times the function of order ``n``.

    No upstream issue is known; last seen in 14.2.0. Canary: ``special.yn``.
    """
    n = cupy.asarray(n)
    value = library.yn(cupy.absolute(n), x)
    return cupy.where((n < 0) & (n % 2 == 1), -value, value)


def _stdtrit(df: Any, p: Any) -> Any:
    """Return the quantile of Student's distribution, which CuPy lacks.

    It is computed by the inverse of the incomplete beta function, in whichever of its two forms has no argument near 1.

    No upstream issue is known; last seen in 14.2.0. Canary: ``special.stdtrit``.
    """
    tail = cupy.minimum(p, 1 - p)
    far = library.betaincinv(df / 2, 0.5, 2 * tail)
    near = library.betaincinv(0.5, df / 2, 1 - 2 * tail)
    size = cupy.sqrt(df * cupy.where(tail < 0.25, (1 - far) / far, near / (1 - near)))
    finite = cupy.where((p < 0.5) & (p > 0), -size, size)  # SciPy returns inf at 0
    return cupy.where(cupy.isinf(df), library.ndtri(p), cupy.where(p == 0.5, 0.0, finite))


_COMPOSED: dict[str, Function] = {"stdtrit": _stdtrit, "yn": _yn}
_MENDED: dict[str, Function] = {
    "exp1": _exp1,
    "expi": _expi,
    "fdtr": _fdtr,
    "fdtrc": _fdtrc,
    "fdtri": _fdtri,
    **{
        name: _or_nan(getattr(library, name))
        for name in ("chdtr", "chdtrc", "gammainc", "gammaincc", "xlog1py")
        if hasattr(library, name)
    },
}


# -- scaled Bessel functions --------------------------------------------------------------------------

_FAR = 50.0
_TERMS = 16


def _series(x: Any, order: int, sign: int) -> Any:
    """Return the asymptotic series of a Bessel function without its leading factor, exact for ``x`` above ``_FAR``."""
    coefficients = [1.0]
    for k in range(1, _TERMS):
        coefficients.append(sign * coefficients[-1] * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k))
    total = cupy.zeros_like(x)
    for one in reversed(coefficients):
        total = total / x + one
    return total


def _scaled(near: Function, order: int, sign: int, weight: float) -> Function:
    """Return an exponentially scaled Bessel function.

    CuPy multiplies the exponential by the Bessel function, which is NaN for large numbers, as one factor overflows and
    the other is 0; SciPy returns the product. It is computed by the asymptotic series there.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``special.i0e``, ``special.i1e``, ``special.k0e`` and
    ``special.k1e``.
    """

    def scaled(x: Any) -> Any:
        size = cupy.absolute(x)
        far = cupy.maximum(size, _FAR)
        value = _series(far, order, sign) * cupy.sqrt(weight / far)
        if sign < 0 and order == 1:
            value = cupy.copysign(value, x)
        return cupy.where((x if sign > 0 else size) > _FAR, value, near(x))

    return scaled


_SCALED = {
    "i0e": (0, -1, 0.5 / math.pi),
    "i1e": (1, -1, 0.5 / math.pi),
    "k0e": (0, 1, math.pi / 2),
    "k1e": (1, 1, math.pi / 2),
}


def _zeta(zeta: Function) -> Function:
    """Return the zeta function, in which ``q`` is 1 by default.

    CuPy has no default for ``q``; SciPy has.

    No upstream issue is known; last seen in 14.2.0. Canary: ``special.zeta``.
    """
    return lambda x, q=1.0: zeta(x, q)


def _function(name: str) -> Function:
    """Return the function of this name, repaired if necessary, for all dtypes."""
    function: Function = (_COMPOSED | _MENDED).get(name) or getattr(library, name)
    if name in _SCALED:
        function = _scaled(function, *_SCALED[name])
    return _on_floats(_zeta(function) if name == "zeta" else function, name)


class SpecialExtension(SpecialFunctions):
    """The special functions of CuPy; older versions lack some of them."""

    special_own = {name: _function(name) for name in sorted(_OF_CUPY) if hasattr(library, name)}
    special_own |= {name: _function(name) for name in _COMPOSED}
