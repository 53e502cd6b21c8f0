"""A branch that was not taken adds nothing to a derivative of any order; a factor of zero is ordinary arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Device
from burn_array.autodiff import grad, hessian, jacobian

CASES: list[tuple[str, Callable[[Any], Any], list[float], list[float]]] = [
    ("where", lambda x: xp.where(x > 0, xp.sqrt(x), x), [-1.0, -4.0, 4.0], [1.0, 1.0, 0.25]),
    ("where at infinity", lambda x: xp.where(x > 0, xp.log(x), 0.0), [0.0, 2.0], [0.0, 0.5]),
    ("clip", lambda x: xp.clip(xp.exp(x), None, 1.0), [-1.0, 5.0, 1000.0], [np.exp(-1), 0.0, 0.0]),
    ("maximum", lambda x: xp.maximum(xp.sqrt(x), 1.0), [0.0, 4.0], [0.0, 0.25]),
    ("minimum", lambda x: xp.minimum(1 / x, 1.0), [0.0, 2.0], [0.0, -0.25]),
    ("max", lambda x: xp.max(xp.sqrt(x)), [0.0, 4.0], [0.0, 0.25]),
    ("mask", lambda x: xp.sqrt(x)[x > 0], [0.0, 4.0], [0.0, 0.25]),
    ("take", lambda x: xp.take(xp.sqrt(x), xp.asarray([1], device=x.device)), [0.0, 4.0], [0.0, 0.25]),
    ("through a chain", lambda x: xp.where(x > 0, xp.exp(1 / xp.sqrt(x)) * 2, 0.0), [0.0, 1.0], [0.0, -np.e]),
    ("through a move", lambda x: xp.where(x > 0, xp.flip(xp.sqrt(xp.flip(x))), 0.0), [0.0, 4.0], [0.0, 0.25]),
    ("through a sum", lambda x: xp.where(xp.sum(x) > 9, xp.sum(xp.sqrt(x)), 0.0), [0.0, 4.0], [0.0, 0.0]),
    ("through broadcasting", lambda x: xp.where(x > 0, xp.sqrt(x[:1] * 0 + x), 0.0), [0.0, 4.0], [0.0, 0.25]),
    ("integers", lambda x: xp.sqrt(x)[xp.asarray([1], device=x.device)], [0.0, 4.0], [0.0, 0.25]),
    (
        "through unstack",
        lambda x: xp.where(x > 0, xp.stack(xp.unstack(xp.sqrt(x))), 0.0),
        [0.0, 4.0],
        [0.0, 0.25],
    ),
    (
        "through broadcast_arrays",
        lambda x: xp.where(x > 0, xp.broadcast_arrays(xp.sqrt(x), x)[0], 0.0),
        [0.0, 4.0],
        [0.0, 0.25],
    ),
    (
        "through meshgrid",
        lambda x: xp.where(x > 0, xp.meshgrid(xp.sqrt(x), x)[0], 0.0),
        [0.0, 4.0],
        [0.0, 0.5],
    ),
    (
        "double where",
        lambda x: xp.where(x > 0, xp.sqrt(xp.where(x > 0, x, 1.0)), 0.0),
        [-1.0, 4.0],
        [0.0, 0.25],
    ),
]


@pytest.mark.parametrize(
    ("f", "point", "gradient"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
@pytest.mark.needs("64 bits")
def test_what_was_not_chosen_counts_nothing(
    device: Device, f: Callable[[Any], Any], point: list[float], gradient: list[float]
) -> None:
    with np.errstate(all="ignore"):
        got = grad(lambda x: xp.sum(f(x)))(xp.asarray(point, device=device))
    np.testing.assert_allclose(np.asarray(got.to_device("numpy")), gradient, rtol=1e-14)


@pytest.mark.parametrize("order", [2, 3])
def test_to_any_order(device: Device, order: int) -> None:
    f: Callable[[Any], Any] = lambda x: xp.sum(xp.where(x > 0, xp.sqrt(x), x))  # noqa: E731
    for _ in range(order):
        f = grad(lambda x, f=f: xp.sum(f(x)))
    with np.errstate(all="ignore"):
        got = f(xp.asarray([-1.0, 0.0, 4.0], device=device))
    exact = {2: -0.25 * 4.0**-1.5, 3: 0.375 * 4.0**-2.5}[order]
    np.testing.assert_allclose(np.asarray(got.to_device("numpy")), [0.0, 0.0, exact])


def test_of_several_results_one_alone_is_marked(device: Device) -> None:
    """Only ``where`` cuts off a branch: ``0.0 * second`` is ordinary arithmetic, in second derivatives too."""

    def f(x: Any) -> Any:
        first, second = xp.unstack(xp.sqrt(x))
        return xp.where(first > 0, first, 0.0) + 0.0 * second

    with np.errstate(all="ignore"):
        got = grad(f)(xp.asarray([4.0, 0.0], device=device))
        second = hessian(f)(xp.asarray([4.0, 1.0], device=device))
    np.testing.assert_array_equal(np.asarray(got.to_device("numpy")), [0.25, np.nan])
    np.testing.assert_array_equal(np.asarray(second.to_device("numpy")), [[-0.03125, 0.0], [0.0, 0.0]])


def test_second_derivatives_of_parts(device: Device) -> None:
    f: Callable[[Any], Any] = lambda x: xp.sum(  # noqa: E731
        xp.where(x > 0, xp.stack(xp.unstack(xp.sqrt(x))), 0.0)
    )
    with np.errstate(all="ignore"):
        got = hessian(f)(xp.asarray([0.0, 4.0], device=device))
    np.testing.assert_array_equal(np.asarray(got.to_device("numpy")), [[0.0, 0.0], [0.0, -0.03125]])


def test_across_devices() -> None:
    """A branch stays cut off when its cotangent moves to another device."""
    if "torch:cpu" not in map(str, xp.devices()):
        pytest.skip("two libraries are needed")

    def f(x: Any) -> Any:
        y = xp.sqrt(x).to_device("torch:cpu+autodiff")
        return xp.sum(xp.where(y > 0, y, 0.0).to_device("numpy+autodiff"))

    with np.errstate(all="ignore"):
        got = hessian(f)(xp.asarray([0.0, 4.0], device="numpy"))
    np.testing.assert_array_equal(np.asarray(got), [[0.0, 0.0], [0.0, -0.03125]])


def test_a_zero_by_arithmetic_is_no_structural_zero(device: Device) -> None:
    with np.errstate(all="ignore"):
        got = grad(lambda x: xp.sum(0.0 * xp.sqrt(x)))(xp.asarray([0.0, 4.0], device=device))
    np.testing.assert_array_equal(np.asarray(got.to_device("numpy")), [np.nan, 0.0])


def test_derivatives_by_a_factor_that_is_zero(device: Device) -> None:
    """Mixed second derivatives need not be zero where a factor is: output weights of a network often start at zero."""
    inputs = xp.asarray([1.0, 0.5], device=device)
    hidden = xp.asarray([[1.0, -1.0], [0.5, 2.0]], device=device)

    def gradient(out: Any) -> Any:
        return grad(lambda w: xp.sum(xp.maximum(w @ inputs, 0.0) * out))(hidden)

    mixed = jacobian(gradient)(xp.zeros(2, device=device))
    exact = np.zeros((2, 2, 2))
    exact[0, :, 0] = exact[1, :, 1] = [1.0, 0.5]
    np.testing.assert_array_equal(np.asarray(mixed.to_device("numpy")), exact)


def test_hessian_of_a_choice(device: Device) -> None:
    full = hessian(lambda x: xp.sum(xp.clip(x[0] * x[1], 0.0, 10.0)))(xp.asarray([0.0, 2.0], device=device))
    np.testing.assert_array_equal(np.asarray(full.to_device("numpy")), [[0.0, 1.0], [1.0, 0.0]])
