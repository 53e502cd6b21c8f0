"""Rules of the statistical functions agree with central differences and with exact values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

INF, NAN = float("inf"), float("nan")


def with_zeros(rng: np.random.Generator, kind: str) -> Any:
    x = rng.standard_normal((3, 5)) * (1 if kind == "r" else 1 + 0.5j)
    x[0, 1] = x[1, 0] = x[1, 4] = 0
    return x


CASES = [
    ("sum", "rc", lambda xp, x: xp.sum(x), (2, 3)),
    ("sum 0-d", "rc", lambda xp, x: xp.sum(x), ()),
    ("sum axis", "rc", lambda xp, x: xp.sum(x, axis=-2) ** 2, (2, 3, 2)),
    ("sum axes keepdims", "rc", lambda xp, x: xp.sum(x, axis=(0, -1), keepdims=True) ** 2, (2, 3, 2)),
    ("sum no axes", "rc", lambda xp, x: xp.sum(x, axis=()) ** 2, (2, 3)),
    ("sum empty", "rc", lambda xp, x: xp.sum(x, axis=0), (0, 3)),
    ("sum dtype", "r", lambda xp, x: xp.sum(x * x, axis=1, dtype=xp.float64), (2, 3)),
    ("mean", "rc", lambda xp, x: xp.mean(x) ** 3, (2, 3)),
    ("mean axes", "rc", lambda xp, x: xp.mean(x, axis=(-1, 0)) ** 3, (2, 3, 2)),
    ("mean keepdims", "rc", lambda xp, x: x * xp.mean(x, axis=1, keepdims=True), (2, 3)),
    ("prod", "rc", lambda xp, x: xp.prod(x), (2, 3)),
    ("prod 0-d", "rc", lambda xp, x: xp.prod(x) ** 2, ()),
    ("prod axis", "rc", lambda xp, x: xp.prod(x, axis=-1), (2, 4)),
    ("prod axes keepdims", "rc", lambda xp, x: xp.prod(x, axis=(2, 0), keepdims=True), (2, 2, 3)),
    ("prod zeros", "rc", lambda xp, x: xp.prod(x, axis=1), with_zeros),
    ("prod empty", "rc", lambda xp, x: xp.prod(x, axis=1), (2, 0)),
    ("prod dtype", "r", lambda xp, x: xp.prod(x, axis=0, dtype=xp.float64), (3, 2)),
    ("max", "r", lambda xp, x: xp.max(x) ** 2, (2, 3)),
    ("max axis", "r", lambda xp, x: xp.max(x, axis=-1) ** 2, (4, 3)),
    ("max axes keepdims", "r", lambda xp, x: x * xp.max(x, axis=(0, 2), keepdims=True), (2, 3, 2)),
    ("min", "r", lambda xp, x: xp.min(x) ** 2, (2, 3)),
    ("min axis", "r", lambda xp, x: xp.min(x, axis=0, keepdims=True) ** 2, (4, 3)),
    ("var", "r", lambda xp, x: xp.var(x), (2, 3)),
    ("var axis", "r", lambda xp, x: xp.var(x, axis=-1, correction=1), (2, 4)),
    ("var axes keepdims", "r", lambda xp, x: x * xp.var(x, axis=(0, 1), keepdims=True), (2, 3, 2)),
    ("std", "r", lambda xp, x: xp.std(x), (2, 3)),
    ("std axis", "r", lambda xp, x: xp.std(x, axis=0, correction=1.5), (4, 2)),
    ("std axes keepdims", "r", lambda xp, x: x * xp.std(x, axis=(-1, 0), keepdims=True), (2, 3, 2)),
    ("cumulative_sum", "rc", lambda xp, x: xp.cumulative_sum(x) ** 2, (4,)),
    ("cumulative_sum axis", "rc", lambda xp, x: xp.cumulative_sum(x, axis=-2) ** 2, (3, 2)),
    (
        "cumulative_sum initial",
        "rc",
        lambda xp, x: xp.cumulative_sum(x, axis=1, include_initial=True) ** 2,
        (2, 3),
    ),
    ("cumulative_sum dtype", "r", lambda xp, x: xp.cumulative_sum(x, axis=0, dtype=xp.float64) ** 2, (2, 3)),
    ("cumulative_prod", "rc", lambda xp, x: xp.cumulative_prod(x), (5,)),
    ("cumulative_prod axis", "rc", lambda xp, x: xp.cumulative_prod(x, axis=-2), (3, 2)),
    ("cumulative_prod zeros", "rc", lambda xp, x: xp.cumulative_prod(x, axis=1), with_zeros),
    (
        "cumulative_prod initial",
        "rc",
        lambda xp, x: xp.cumulative_prod(x, axis=1, include_initial=True),
        (2, 3),
    ),
    ("cumulative_prod dtype", "r", lambda xp, x: xp.cumulative_prod(x, axis=0, dtype=xp.float64), (3, 2)),
    ("cumulative_prod empty", "rc", lambda xp, x: xp.cumulative_prod(x, axis=1), (2, 0)),
    ("cumulative_prod one", "rc", lambda xp, x: xp.cumulative_prod(x, axis=0), (1, 2)),
]

CORNERS = [
    ("max ties", lambda xp, x: xp.max(x), [1.0, 3.0, 3.0], [0, 0.5, 0.5]),
    ("min ties", lambda xp, x: xp.min(x, axis=0), [[1.0, 3.0], [1.0, 2.0]], [[0.5, 0], [0.5, 1]]),
    ("max NaN", lambda xp, x: xp.max(x, axis=1), [[1.0, NAN], [1.0, 2.0]], [[NAN, NAN], [0, 1]]),
    ("max infinite", lambda xp, x: xp.max(x), [1.0, INF], [0, 1]),
    ("max not taken", lambda xp, x: xp.max(xp.sqrt(x)), [0.0, 4.0], [0, 0.25]),
    ("std equal", lambda xp, x: xp.std(x), [0.1] * 7, [0] * 7),
    ("std one", lambda xp, x: xp.std(x), [3.0], [0]),
    ("std huge", lambda xp, x: xp.std(x), [1e150, 3e150], [-0.5, 0.5]),
    ("prod two zeros", lambda xp, x: xp.prod(x), [2.0, 0.0, 0.0], [0, 0, 0]),
    ("prod one zero", lambda xp, x: xp.prod(x), [2.0, 0.0, 3.0], [0, 6, 0]),
    ("cumulative_prod zeros", lambda xp, x: xp.cumulative_prod(x), [2.0, 0.0, 3.0], [1, 2 + 6, 0]),
    ("prod of zero", lambda xp, x: xp.prod(x), 0.0, 1),
    ("mean empty", lambda xp, x: xp.mean(x, axis=1), np.zeros((0, 3)), np.zeros((0, 3))),
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None]) -> None:
    derivatives(3)


@pytest.mark.needs("64 bits")
def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()


@pytest.mark.needs("64 bits")
def test_corner(gradient_at: Callable[..., Any], corner: Any) -> None:
    _, function, point, expected = corner
    np.testing.assert_allclose(gradient_at(function, point), expected, rtol=1e-14, atol=0)


@pytest.mark.needs("64 bits")
def test_product_of_zeros_has_an_exact_hessian(gradient_at: Callable[..., Any]) -> None:
    from burn_array.autodiff import grad

    row = gradient_at(lambda xp, x: grad(xp.prod)(x)[2], [2.0, 3.0, 0.0, 0.0])
    np.testing.assert_array_equal(row, [0, 0, 0, 6])
