"""Checks of derivatives for the tests of the rules, which are tables of cases.

A module has a list ``CASES``. Each case is a tuple of a name, kinds (``"r"`` real, ``"c"`` complex), a function of the
namespace and of arrays, and for each array its shape, or a function that makes it from a random generator and a kind.
A module may also have a list ``CORNERS``: tuples of a name, a function, a point, and the gradient at this point of the
sum of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.autodiff import grad, vjp

Numbers = np.ndarray[Any, Any]
STEP = 1e-5


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        rows = [(row, kind) for row in metafunc.module.CASES for kind in row[1]]
        ids = [f"{row[0]}-{'complex' if kind == 'c' else 'real'}" for row, kind in rows]
        metafunc.parametrize("case", rows, ids=ids)
    if "corner" in metafunc.fixturenames:
        metafunc.parametrize(
            "corner", metafunc.module.CORNERS, ids=[row[0] for row in metafunc.module.CORNERS]
        )


def normal(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Numbers:
    """Return normally distributed numbers of a kind."""
    real = rng.standard_normal(shape)
    return np.asarray(real + 1j * rng.standard_normal(shape) if kind == "c" else real)


def arguments(case: tuple[Any, str]) -> list[Numbers]:
    """Return the arrays of a case; they are the same in every run."""
    (name, _, _, *makers), kind = case
    rng = np.random.default_rng([ord(letter) for letter in name])
    return [normal(rng, made, kind) if isinstance(made, tuple) else made(rng, kind) for made in makers]


def inner_product(a: Sequence[Numbers], b: Sequence[Numbers]) -> float:
    """Return the real part of the inner product of two sequences of arrays."""
    return float(sum(np.sum(np.conj(x) * y).real for x, y in zip(a, b, strict=True)))


def check(device: Any, f: Callable[..., Any], points: Sequence[Numbers], order: int) -> None:
    """Compare the derivatives of ``f`` up to ``order`` with central differences in random directions."""
    rng = np.random.default_rng(len(points))

    def run(values: Sequence[Numbers]) -> list[Any]:
        out = f(*(xp.asarray(value, device=device) for value in values))
        return list(out) if isinstance(out, list | tuple) else [out]

    weights = [normal(rng, np.shape(y), "c" if y.dtype.kind == "c" else "r") for y in map(host, run(points))]
    lifted = [xp.asarray(point, device=device) for point in points]
    _, pull = vjp(lambda *args: list(_listed(f(*args))), *lifted)
    gradients = [host(g) for g in pull([xp.asarray(weight, device=device) for weight in weights])]
    for gradient, point in zip(gradients, points, strict=True):
        assert gradient.shape == np.shape(point)
        assert gradient.dtype == np.asarray(point).dtype
    for _ in range(3):
        ways = [normal(rng, np.shape(point), "c" if np.iscomplexobj(point) else "r") for point in points]
        ahead, behind = (
            [host(y) for y in run([p + sign * STEP * w for p, w in zip(points, ways, strict=True)])]
            for sign in (1, -1)
        )
        slope = inner_product(weights, [(a - b) / (2 * STEP) for a, b in zip(ahead, behind, strict=True)])
        scale = 1 + sum(float(np.abs(g).sum()) for g in gradients)
        assert inner_product(gradients, ways) == pytest.approx(slope, rel=1e-6, abs=1e-7 * scale)
    if order > 1:
        count = len(points)
        check(device, lambda *args: _pulled(f, args[:count], args[count:]), [*points, *weights], order - 1)


def _listed(out: Any) -> Any:
    return out if isinstance(out, list | tuple) else [out]


def _pulled(f: Callable[..., Any], args: Sequence[Any], weights: Sequence[Any]) -> Any:
    _, pull = vjp(lambda *args: list(_listed(f(*args))), *args)
    return pull(list(weights))


def host(x: Any) -> Numbers:
    return np.array(x.to_device("numpy"))


@pytest.fixture
def derivatives(device: Any, case: tuple[Any, str]) -> Callable[[int], None]:
    """A function that checks the derivatives of the case up to an order."""
    function = case[0][2]
    return lambda order: check(device, lambda *args: function(xp, *args), arguments(case), order)


@pytest.fixture
def gradient_at(device: Any) -> Callable[[Callable[..., Any], Any], Numbers]:
    """A function that returns the gradient of the sum of ``f(xp, x)`` at a point."""

    def gradient(f: Callable[..., Any], point: Any) -> Numbers:
        x = xp.asarray(np.asarray(point), device=device)
        with np.errstate(all="ignore"):
            return host(grad(lambda x: xp.sum(xp.real(f(xp, x))))(x))

    return gradient


@pytest.fixture
def single_precision(device: Any, case: tuple[Any, str]) -> Callable[[], None]:
    """A function that checks the dtype and the values of the gradients of the case in single precision."""

    def checked() -> None:
        function, points = case[0][2], arguments(case)
        double = _gradients(xp.device("numpy") if device.adapter.narrow else device, function, points)
        singles = [point.astype(np.complex64 if np.iscomplexobj(point) else np.float32) for point in points]
        for one, other, point in zip(_gradients(device, function, singles), double, singles, strict=True):
            assert one.dtype == point.dtype
            np.testing.assert_allclose(one, other, rtol=2e-2, atol=2e-3 * (1 + np.abs(other).max(initial=0)))

    return checked


def _gradients(device: Any, function: Callable[..., Any], points: Sequence[Numbers]) -> list[Numbers]:
    out, pull = vjp(
        lambda *args: list(_listed(function(xp, *args))), *(xp.asarray(p, device=device) for p in points)
    )
    return [host(g) for g in pull([xp.ones_like(y) for y in out])]
