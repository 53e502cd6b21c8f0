"""Rules of the special functions: central differences to the second order, and exact values at special points."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.autodiff import grad
from burn_array.autodiff.rules import load
from burn_array.errors import GradientError
from burn_array.special import FORMULAS

Context = Callable[[str], AbstractContextManager[Any]]
Make = Callable[[np.random.Generator, str], Any]


def between(low: float, high: float, *shape: int) -> Make:
    return lambda rng, _kind: rng.uniform(low, high, shape or (4,))


def pair(name: str, first: Make, second: Make) -> tuple[Any, ...]:
    return (name, "r", lambda xp, x, y: getattr(xp.special, name)(x, y), first, second)


def one(name: str, low: float, high: float) -> tuple[Any, ...]:
    return (name, "r", lambda xp, x: getattr(xp.special, name)(x), between(low, high))


def last_of(name: str, fixed: tuple[Any, ...], low: float, high: float) -> tuple[Any, ...]:
    """Return the case of a function of its last operand; the others are constant arrays."""

    def function(xp: Any, x: Any) -> Any:
        return getattr(xp.special, name)(*(xp.asarray(f) for f in fixed), x)

    return (f"{name} last", "r", function, between(low, high, 2, 2))


A, B = [1.5, 3.0], [[2.5], [0.75]]
ANY, POSITIVE, SHARE = (-2.0, 2.0), (0.3, 3.0), (0.1, 0.9)

CASES: list[Any] = [
    *(one(name, *ANY) for name in "erf erfc erfcx exp2 exp10 expit exprel i0 i1 j0 j1 log_expit".split()),
    *(one(name, *ANY) for name in "log_ndtr ndtr sinc softplus cosm1 sindg cosdg tandg".split()),
    *(
        one(name, *POSITIVE)
        for name in "gamma gammaln loggamma rgamma digamma psi cbrt entr exp1 expi".split()
    ),
    *(one(name, *POSITIVE) for name in "i0e i1e k0 k0e k1 k1e spence y0 y1 cotdg".split()),
    *(one(name, *SHARE) for name in "ellipe ellipk ellipkm1 logit ndtri erfinv erfcinv".split()),
    *(
        pair(name, between(*POSITIVE, 3), between(*POSITIVE, 2, 1))
        for name in "betaln binom poch boxcox boxcox1p inv_boxcox inv_boxcox1p kl_div rel_entr xlogy xlog1py".split()
    ),
    pair("pseudo_huber", between(*POSITIVE, 3), between(*ANY, 2, 1)),
    pair("huber", between(0.9, 1.1, 3), between(-0.8, 0.8, 2, 1)),
    *(last_of(name, (A,), *POSITIVE) for name in "gammainc gammaincc chdtr chdtrc stdtr".split()),
    *(last_of(name, (A,), *SHARE) for name in "gammaincinv gammainccinv chdtri stdtrit".split()),
    *(last_of(name, (A, B), *SHARE) for name in "betainc betaincc betaincinv".split()),
    *(last_of(name, (A, B), *POSITIVE) for name in "fdtr fdtrc gdtr gdtrc hyp1f1".split()),
    last_of("pdtr", ([2.0, 3.0],), *POSITIVE),
    last_of("pdtrc", ([2.0, 3.0],), *POSITIVE),
    last_of("bdtr", ([1.0, 2.0], [[4], [6]]), *SHARE),
    last_of("bdtrc", ([1.0, 2.0], [[4], [6]]), *SHARE),
    last_of("nbdtr", ([1, 2], [[4], [6]]), *SHARE),
    last_of("nbdtrc", ([1, 2], [[4], [6]]), *SHARE),
    last_of("zeta", ([2.5, 3.0],), *POSITIVE),
    last_of("polygamma", ([0, 2],), *POSITIVE),
    last_of("yn", ([1, 2],), 1.0, 3.0),
    last_of("expn", ([1, 3],), *POSITIVE),
    ("multigammaln", "r", lambda xp, x: xp.special.multigammaln(x, 3), between(2.0, 4.0)),
    (
        "radian",
        "r",
        lambda xp, d, m, s: xp.special.radian(d, m, s) ** 2,
        between(*ANY),
        between(*ANY),
        between(*ANY),
    ),
    ("logsumexp", "r", lambda xp, x: xp.special.logsumexp(x, axis=1), (2, 3)),
    ("logsumexp of all", "r", lambda xp, x: xp.special.logsumexp(x, keepdims=True), (2, 3)),
    ("softmax", "r", lambda xp, x: xp.special.softmax(x, axis=-1) ** 2, (2, 3)),
    ("log_softmax", "r", lambda xp, x: xp.special.log_softmax(x) ** 2, (2, 3)),
    (
        "xlogy scalar",
        "r",
        lambda xp, x: xp.special.xlogy(x, 2.5) + xp.special.xlogy(0.5, x),
        between(*POSITIVE),
    ),
    ("gammainc scalar", "r", lambda xp, x: xp.special.gammainc(2.5, x), between(*POSITIVE)),
    ("polygamma scalar", "r", lambda xp, x: xp.special.polygamma(1, x), between(*POSITIVE)),
    ("betainc scalars", "r", lambda xp, x: xp.special.betainc(2, 1.5, x), between(*SHARE)),
    ("expn scalar", "r", lambda xp, x: xp.special.expn(0, x) + xp.special.expn(2, x), between(1.0, 3.0)),
    ("kl_div scalar", "r", lambda xp, x: xp.special.kl_div(x, 0.5), between(*POSITIVE)),
    ("betaln scalar", "r", lambda xp, x: xp.special.betaln(x, 2.0), between(*POSITIVE)),
]
SECOND_ORDER_IS_MISSING = frozenset(("gammaincinv", "gammainccinv", "chdtri", "stdtrit", "betaincinv"))

CORNERS = [
    (
        "xlogy at zero",
        lambda xp, x: xp.special.xlogy(x, xp.asarray([0.0, 2.0])),
        [0.0, 0.0],
        [0.0, math.log(2)],
    ),
    ("sinc at zero", lambda xp, x: xp.special.sinc(x), [0.0, 1.0], [0.0, -1.0]),
    ("exprel at zero", lambda xp, x: xp.special.exprel(x), [0.0], [0.5]),
    ("i1 at zero", lambda xp, x: xp.special.i1(x), [0.0], [0.5]),
    ("j1 at zero", lambda xp, x: xp.special.j1(x), [0.0], [0.5]),
    ("ellipk at zero", lambda xp, x: xp.special.ellipk(x), [0.0], [math.pi / 8]),
    ("spence at one", lambda xp, x: xp.special.spence(x), [1.0], [-1.0]),
    ("log_expit far", lambda xp, x: xp.special.log_expit(x), [-800.0, 800.0], [1.0, 0.0]),
    ("log_ndtr far", lambda xp, x: xp.special.log_ndtr(x), [-40.0], [40.024968847212364]),
    ("logsumexp far", lambda xp, x: xp.special.logsumexp(x), [1000.0, 1000.0, -1000.0], [0.5, 0.5, 0.0]),
    ("gammasgn", lambda xp, x: xp.special.gammasgn(x) * x, [-0.5], [-1.0]),
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None], if_there: Context, case: Any) -> None:
    with if_there(case[0][0].split()[0]):
        derivatives(2)


def test_single_precision(single_precision: Callable[[], None], if_there: Context, case: Any) -> None:
    with if_there(case[0][0].split()[0]):
        single_precision()


@pytest.mark.needs("64 bits")
def test_corner(gradient_at: Callable[..., Any], corner: Any) -> None:
    _, function, point, expected = corner
    np.testing.assert_allclose(gradient_at(function, point), expected, rtol=1e-10, atol=1e-15)


def test_complex_gamma(device: Any) -> None:
    z = burn_array.asarray([0.5 + 1j, 2.0 - 0.25j], device="numpy")
    slope = grad(lambda z: burn_array.sum(burn_array.real(burn_array.special.gamma(z))))(z)
    from scipy import special

    values = np.asarray(z)
    np.testing.assert_allclose(np.asarray(slope), np.conj(special.gamma(values) * special.digamma(values)))


MISSING = [
    ("gammainc", lambda xp, a: xp.special.gammainc(a, xp.asarray(1.0)), "a"),
    ("betainc", lambda xp, a: xp.special.betainc(a, xp.asarray(1.0), xp.asarray(0.5)), "a"),
    ("betainc", lambda xp, b: xp.special.betainc(xp.asarray(1.0), b, xp.asarray(0.5)), "b"),
    ("stdtr", lambda xp, df: xp.special.stdtr(df, xp.asarray(0.5)), "df"),
    ("zeta", lambda xp, x: xp.special.zeta(x, xp.asarray(0.5)), "x"),
    ("zeta", lambda xp, x: xp.special.zeta(x), "x"),
]


@pytest.mark.parametrize(("name", "function", "parameter"), MISSING)
def test_a_parameter_without_derivative_raises(
    device: Any, own_special: Callable[[str], bool], name: str, function: Any, parameter: str
) -> None:
    """A device that computes the function by a formula differentiates the formula instead."""
    x = burn_array.asarray(2.0, device=device)
    slope = grad(lambda x: function(burn_array, x))
    if name in FORMULAS and not own_special(name):
        step = 1e-5
        ahead, behind = (float(function(burn_array, x + by)) for by in (step, -step))
        assert float(slope(x)) == pytest.approx((ahead - behind) / (2 * step), rel=1e-6)
        return
    with pytest.raises(GradientError, match=rf"special\.{name}: .* with respect to {parameter}"):
        slope(x)


def test_a_function_without_rule_raises(device: Any, if_there: Context) -> None:
    x = burn_array.asarray(0.5, device=device)
    missing = r"special\.fdtri: there is no derivative rule"
    with if_there("fdtri"), pytest.raises(GradientError, match=missing):
        grad(lambda x: burn_array.special.fdtri(2.0, 3.0, x))(x)


def test_every_rule_is_of_a_function() -> None:
    rules = {name.removeprefix("special.") for name in load() if name.startswith("special.")}
    assert rules <= set(burn_array.special.__all__)
