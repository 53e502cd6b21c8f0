"""Derivatives where a formula picks a branch: ties, zeros, infinities, exponents 0, 1 and 2, very large operands."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from burn_array.autodiff import grad

INF = math.inf
Function = Callable[..., Any]


def mixed(f: Function, x: Any, y: Any) -> tuple[float, float]:
    """Return the mixed second derivative of ``f`` at a point, by ``x`` first and by ``y`` first."""
    by_x = grad(lambda b: grad(lambda a: f(a, b))(x))(y)
    by_y = grad(lambda a: grad(lambda b: f(a, b))(y))(x)
    return float(by_x), float(by_y)


# Name, point, d/dx, d/dy. The values are limits of the closed form from inside the domain.
FIRST: list[tuple[str, float, float, float, float]] = [
    ("logaddexp", 1e50, 1e50, 0.5, 0.5),
    ("logaddexp", -1e50, -1e50, 0.5, 0.5),
    ("logaddexp", INF, INF, 0.5, 0.5),
    ("logaddexp", -INF, -INF, 0.5, 0.5),
    ("logaddexp", INF, 1.0, 1.0, 0.0),
    ("logaddexp", -INF, 1.0, 0.0, 1.0),
    ("logaddexp", 0.0, 40.0, 4.248354255291589e-18, 1.0),
    ("pow", 3.0, 0.0, 0.0, math.log(3.0)),
    ("pow", 3.0, 1.0, 1.0, 3 * math.log(3.0)),
    ("pow", 3.0, 2.0, 6.0, 9 * math.log(3.0)),
    ("pow", 0.0, 0.0, 0.0, 0.0),
    ("pow", 0.0, 1.0, 1.0, 0.0),
    ("pow", 0.0, 2.0, 0.0, 0.0),
    ("hypot", 3.0, 0.0, 1.0, 0.0),
    ("hypot", 0.0, 0.0, 0.0, 0.0),
    ("maximum", 2.0, 2.0, 0.5, 0.5),
    ("minimum", 2.0, 2.0, 0.5, 0.5),
    ("special.xlogy", 0.0, 0.0, 0.0, 0.0),
    ("special.xlogy", 0.0, 2.0, math.log(2.0), 0.0),
    ("special.xlogy", 2.0, 4.0, math.log(4.0), 0.5),
    ("special.xlog1py", 0.0, -1.0, 0.0, 0.0),
    ("special.xlog1py", 0.0, 1.0, math.log(2.0), 0.0),
    ("special.rel_entr", 0.0, 0.0, 0.0, 0.0),
    ("special.rel_entr", 0.0, 2.0, -INF, 0.0),
    ("special.rel_entr", 1e300, 1e-300, 1 + 600 * math.log(10.0), -INF),
    ("special.kl_div", 0.0, 0.0, 0.0, 1.0),
    ("special.kl_div", 0.0, 2.0, -INF, 1.0),
    ("special.kl_div", 2.0, 2.0, 0.0, 0.0),
]


@pytest.mark.parametrize(("name", "x", "y", "by_x", "by_y"), FIRST, ids=lambda v: str(v))
@pytest.mark.needs("64 bits")
def test_first_derivatives(xp: ModuleType, name: str, x: float, y: float, by_x: float, by_y: float) -> None:
    f = named(xp, name)
    a, b = xp.asarray(x), xp.asarray(y)
    found = float(grad(lambda a: f(a, b))(a)), float(grad(lambda b: f(a, b))(b))
    np.testing.assert_allclose(found, (by_x, by_y), rtol=1e-12)


SECOND: list[tuple[str, float, float, float]] = [
    ("logaddexp", 1e50, 1e50, -0.25),
    ("logaddexp", 2.0, 2.0, -0.25),
    ("logaddexp", 1.0, 3.0, -math.exp(-2.0) / (1 + math.exp(-2.0)) ** 2),
    ("pow", 3.0, 0.0, 1 / 3.0),
    ("pow", 3.0, 1.0, 1 + math.log(3.0)),
    ("pow", 3.0, 2.0, 3 + 6 * math.log(3.0)),
    ("pow", 0.0, 2.0, 0.0),
    ("hypot", 3.0, 4.0, -12 / 125.0),
    ("atan2", 1.0, 2.0, -3 / 25.0),
    ("multiply", 0.0, 0.0, 1.0),
    ("divide", 0.0, 2.0, -0.25),
    ("special.xlogy", 2.0, 4.0, 0.25),
    ("special.xlog1py", 0.0, 1.0, 0.5),
    ("special.rel_entr", 2.0, 4.0, -0.25),
    ("special.kl_div", 2.0, 2.0, -0.5),
]


@pytest.mark.parametrize(("name", "x", "y", "wanted"), SECOND, ids=lambda v: str(v))
@pytest.mark.needs("64 bits")
def test_mixed_second_derivatives_both_ways(
    xp: ModuleType, name: str, x: float, y: float, wanted: float
) -> None:
    found = mixed(named(xp, name), xp.asarray(x), xp.asarray(y))
    np.testing.assert_allclose(found, (wanted, wanted), rtol=1e-10, atol=1e-15)


PAIRS = (
    "add subtract multiply divide pow hypot atan2 logaddexp maximum minimum special.xlogy special.xlog1py "
    "special.rel_entr special.kl_div special.betaln special.binom special.poch special.pseudo_huber special.boxcox"
).split()


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.needs("64 bits")
def test_mixed_second_derivatives_are_those_of_differences(xp: ModuleType, name: str) -> None:
    f = named(xp, name)
    for x, y in ((0.7, 1.3), (1.6, 0.4), (2.5, 2.75)):
        h = 1e-4
        values = [float(f(xp.asarray(x + i * h), xp.asarray(y + j * h))) for i in (1, -1) for j in (1, -1)]
        difference = (values[0] - values[1] - values[2] + values[3]) / (4 * h * h)
        found = mixed(f, xp.asarray(x), xp.asarray(y))
        np.testing.assert_allclose(found, (difference, difference), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("values", [[-INF, -INF], [INF, INF], [INF, 1.0], [-INF, 1.0], [1e50, 1e50]])
def test_shares_of_logsumexp_add_to_one(xp: ModuleType, values: list[float]) -> None:
    shares = grad(lambda x: xp.special.logsumexp(x))(xp.asarray(values))
    x = np.asarray(values)
    wanted = (x == x.max()) / np.sum(x == x.max())
    np.testing.assert_allclose(np.asarray(shares.detach().to_device("numpy")), wanted, atol=1e-15)


@pytest.mark.parametrize("axis", [None, -1])
@pytest.mark.needs("64 bits")
def test_sums_of_exponentials_of_nothing(xp: ModuleType, axis: int | None) -> None:
    x = xp.zeros((2, 0))
    out = xp.special.logsumexp(x, axis=axis)
    assert out.shape == (() if axis is None else (2,))
    assert bool(xp.all(out == -INF))
    assert xp.special.logsumexp(x, axis=axis, keepdims=True).shape == ((1, 1) if axis is None else (2, 1))
    for function in (xp.special.softmax, xp.special.log_softmax):
        assert (function(x, axis=axis).shape, function(x, axis=axis).dtype) == ((2, 0), xp.float64)
    assert grad(lambda x: xp.sum(xp.special.softmax(x, axis=-1)))(x).shape == (2, 0)


def named(xp: ModuleType, name: str) -> Function:
    """Return a function of the namespace by its dotted name."""
    found: Any = xp
    for part in name.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]
