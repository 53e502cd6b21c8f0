"""Rules of element-wise functions: central differences to the third order, and exact values at special points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

INF, NAN = float("inf"), float("nan")
Maker = Callable[[np.random.Generator, str], Any]


def between(low: float, high: float, shape: tuple[int, ...] = (5,)) -> Maker:
    """Return a maker of numbers in an interval; imaginary parts of complex numbers are in it too."""

    def make(rng: np.random.Generator, kind: str) -> Any:
        real = rng.uniform(low, high, shape)
        return real + 1j * rng.uniform(low, high, shape) if kind == "c" else real

    return make


SMALL, POSITIVE, ABOVE = between(-0.8, 0.8), between(0.4, 2.0), between(1.3, 3.0)
ROW = between(0.4, 2.0, (1, 5))


def same(name: str, kinds: str, *makers: Maker) -> tuple[Any, ...]:
    """Return the case of a function, named after it."""
    return (name, kinds, lambda xp, *args: getattr(xp, name)(*args), *makers)


CASES = [
    same("abs", "rc", POSITIVE),
    *[same(name, "rc", SMALL) for name in "acos asin asinh atan atanh cos cosh exp expm1".split()],
    *[same(name, "rc", SMALL) for name in "log1p negative positive sin sinh square tan tanh".split()],
    *[same(name, "rc", POSITIVE) for name in "log log2 log10 reciprocal sqrt".split()],
    *[same(name, "c", POSITIVE) for name in "conj imag real sign".split()],
    same("acosh", "rc", ABOVE),
    ("acosh of the left half plane", "c", lambda xp, x: xp.acosh(-x), POSITIVE),
    *[same(name, "rc", POSITIVE, ROW) for name in "add divide multiply pow subtract".split()],
    *[same(name, "r", SMALL, ROW) for name in "atan2 hypot logaddexp".split()],
    *[same(name, "r", SMALL, SMALL) for name in "copysign maximum minimum nextafter remainder".split()],
    ("remainder of the greater", "r", lambda xp, x, y: xp.remainder(7.3 * x, y), POSITIVE, POSITIVE),
    ("clip", "r", lambda xp, x, low: xp.clip(x, low, 0.3) ** 2, SMALL, between(-0.2, 0.1)),
    ("clip above", "r", lambda xp, x, high: xp.clip(x, max=high) ** 2, SMALL, between(-0.1, 0.1, (1,))),
    *[(f"power {n}", "rc", lambda xp, x, n=n: x**n, POSITIVE) for n in (0, 1, 2, 3, -2, 0.5)],
    ("power of a scalar", "rc", lambda xp, x: 2.5**x, SMALL),
    ("scalars", "rc", lambda xp, x: (2.0 - 3.0 * x) / (1.5 + x) + 1 / x - x / 4, POSITIVE),
    ("complex scalar", "rc", lambda xp, x: x * (1 + 2j) + (2 - 1j) / x, POSITIVE),
    ("real with complex", "c", lambda xp, x: xp.real(x) * x + xp.abs(x), POSITIVE),
    ("same operand", "rc", lambda xp, x: x * x + x / x - x, POSITIVE),
]  # fmt: skip

CORNERS = [
    ("abs", lambda xp, x: xp.abs(x), [0.0, -2.0], [0.0, -1.0]),
    ("abs complex", lambda xp, x: xp.abs(x), [0j, 3 + 4j], [0.0, 0.6 + 0.8j]),
    ("square of abs complex", lambda xp, x: xp.abs(x) ** 2, [0j], [0.0]),
    ("sign", lambda xp, x: xp.sign(x), [0.0, 2.0], [0.0, 0.0]),
    ("sign complex", lambda xp, x: xp.sign(x), [0j], [0.0]),
    ("maximum tie", lambda xp, x: xp.maximum(x, xp.ones_like(x)), [1.0, 2.0, 0.0], [0.5, 1.0, 0.0]),
    ("minimum tie", lambda xp, x: xp.minimum(x, xp.ones_like(x)), [1.0, 2.0, 0.0], [0.5, 0.0, 1.0]),
    ("maximum of itself", lambda xp, x: xp.maximum(x, x), [1.0], [1.0]),
    ("clip at its bounds", lambda xp, x: xp.clip(x, 0.0, 1.0), [0.0, 0.5, 1.0, 2.0], [1.0, 1.0, 1.0, 0.0]),
    ("bound of clip", lambda xp, x: xp.clip(xp.zeros_like(x), x, None), [0.0, 1.0], [0.0, 1.0]),
    ("clip crossed", lambda xp, x: xp.clip(x, 1.0, -1.0), [-2.0, 0.0, 2.0], [0.0, 0.0, 0.0]),
    ("lower bound of clip crossed", lambda xp, x: xp.clip(x - x, x, 0.5), [-1.0, 0.25, 1.0], [0.0, 1.0, 0.0]),
    (
        "upper bound of clip crossed",
        lambda xp, x: xp.clip(0.5 + 0 * x, 1, x),
        [-1.0, 0.75, 2.0],
        [1.0, 1.0, 0.0],
    ),
    ("atan2 of small sides", lambda xp, x: xp.atan2(x, x + 0.0), [3e-200, 2.0], [0.0, 0.0]),
    ("sqrt", lambda xp, x: xp.sqrt(x), [0.0], [INF]),
    ("log", lambda xp, x: xp.log(x), [0.0], [INF]),
    ("asin", lambda xp, x: xp.asin(x), [1.0], [INF]),
    ("acosh", lambda xp, x: xp.acosh(x), [1.0], [INF]),
    ("reciprocal", lambda xp, x: xp.reciprocal(x), [0.0], [-INF]),
    ("zero to zero", lambda xp, x: xp.pow(x, xp.zeros_like(x)), [0.0], [0.0]),
    ("exponent zero of zero", lambda xp, x: xp.pow(xp.zeros_like(x), x), [0.0, 1.0], [0.0, 0.0]),
    ("exponent minus one of zero", lambda xp, x: xp.pow(xp.zeros_like(x), x), [-1.0], [-INF]),
    ("exponent of a negative", lambda xp, x: xp.pow(xp.zeros_like(x) - 2, x), [3.0], [NAN]),
    ("negative to a number", lambda xp, x: x**3.0, [-2.0], [12.0]),
    ("logaddexp of nothing", lambda xp, x: xp.logaddexp(x, xp.zeros_like(x) - INF), [-INF, 0.0], [0.5, 1.0]),
    (
        "logaddexp of infinities",
        lambda xp, x: xp.logaddexp(x, xp.zeros_like(x) + INF),
        [INF, 0.0],
        [0.5, 0.0],
    ),
    ("hypot", lambda xp, x: xp.hypot(x, xp.zeros_like(x)), [0.0, 3e200], [0.0, 1.0]),
    ("atan2", lambda xp, x: xp.atan2(x, xp.zeros_like(x)), [0.0, 1.0], [0.0, 0.0]),
    ("atan2 of great numbers", lambda xp, x: 1e200 * xp.atan2(x, xp.zeros_like(x) + 1e200), [0.0], [1.0]),
    ("copysign", lambda xp, x: xp.copysign(x, xp.zeros_like(x) - 1), [0.0, 2.0], [0.0, -1.0]),
    ("remainder at a multiple", lambda xp, x: xp.remainder(xp.zeros_like(x) + 4.0, x), [2.0], [-2.0]),
    ("floor_divide", lambda xp, x: xp.floor_divide(x, 2.0), [4.0, 3.0], [0.0, 0.0]),
    *[
        (name, lambda xp, x, name=name: getattr(xp, name)(x), [0.0, 1.3], [0.0, 0.0])
        for name in "ceil floor round trunc".split()
    ],
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None]) -> None:
    derivatives(3)


def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()


@pytest.mark.needs("64 bits")
def test_corners(gradient_at: Callable[..., Any], corner: tuple[Any, ...]) -> None:
    _, function, point, gradient = corner
    np.testing.assert_allclose(gradient_at(function, point), gradient, rtol=1e-14)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("exponent", [0, 1, 2, 3])
@pytest.mark.needs("64 bits")
def test_whole_powers_at_zero_are_exact_to_any_order(
    gradient_at: Callable[..., Any], exponent: int, order: int
) -> None:
    from burn_array.autodiff import grad

    def derivative(xp: Any, x: Any) -> Any:
        f: Callable[[Any], Any] = lambda x: xp.sum(x**exponent)  # noqa: E731
        for _ in range(order - 1):
            f = grad(lambda x, f=f: xp.sum(f(x)))
        return f(x)

    exact = np.prod(np.arange(exponent, exponent - order, -1)) if exponent == order else 0.0
    np.testing.assert_array_equal(gradient_at(derivative, [0.0]), [exact])
