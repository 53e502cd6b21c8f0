"""Gradients own their memory. Also: gradients of squares near overflow, and errors of wrong arguments."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Device
from burn_array.autodiff import custom_vjp, grad, value_and_grad, vjp
from burn_array.errors import ArgumentTypeError


@pytest.mark.parametrize("over", [1, 2])
def test_gradients_over_two_libraries_share_no_memory(device: Device, over: int) -> None:
    here, host = device.autodiff(), xp.device("numpy+autodiff")
    x = xp.asarray([1.0, 2.0], device=here).require_grad()
    moved = x.to_device(host)
    if over == 2:
        moved = moved.to_device(here)
    w = xp.asarray([1.0, 2.0], device=moved.device).require_grad()
    seed = xp.asarray([1.0, 1.0], device=moved.device.inner)
    grads = (moved + w).backward(seed.to_device(moved.device))
    grads[w][...] = 100.0
    assert np.asarray(grads[x].to_device("numpy")).tolist() == [1.0, 1.0]
    grads[x][...] = 50.0
    assert np.asarray(grads[w].to_device("numpy")).tolist() == [100.0, 100.0]
    assert np.asarray(seed.to_device("numpy")).tolist() == [1.0, 1.0]


def test_gradients_of_numbers_stay_as_they_were(device: Device) -> None:
    one = xp.asarray(2.0, device=device.autodiff()).require_grad()
    for _ in range(2):
        gradient = one.to_device("numpy+autodiff").backward()[one]
        gradient *= 5.0
        assert float((one * 1.0).backward()[one]) == 1.0


NUMBERS: dict[str, Callable[[Any], Any]] = {
    "sum": xp.sum,
    "reshape": lambda x: xp.reshape(x, ()),
    "index": lambda x: x[0],
    "squeeze": lambda x: xp.squeeze(x, 0),
    "unstack": lambda x: xp.unstack(x)[0],
}


@pytest.mark.parametrize("inference", [False, True])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_gradient_that_is_changed_changes_no_later_one(device: Device, name: str, inference: bool) -> None:
    """In its inference mode PyTorch does not record the base of a view."""
    mode: Any = nullcontext()
    if inference and device.library == "torch":
        mode = pytest.importorskip("torch").inference_mode()
    f, w = NUMBERS[name], xp.asarray([2.0], device=device.autodiff()).require_grad()
    with mode:
        gradient = f(w).backward()[w]
        gradient += 1.0
    assert f(w).backward()[w].tolist() == [1.0]
    assert f(w * w).backward()[w].tolist() == [4.0]


def test_what_a_recorded_pass_gives_belongs_to_the_caller(device: Device) -> None:
    x, w = xp.asarray(2.0, device=device), xp.asarray(2.0, device=device.autodiff()).require_grad()
    value, _ = vjp(grad(lambda z: z + 0.0), x)
    value += 10.0
    value, _ = value_and_grad(grad(lambda z: z + 0.0))(x)
    value += 10.0
    gradient = (w + 0.0).backward(create_graph=True)[w].detach().to_device("numpy")
    if device.has_views:  # otherwise the array on numpy may be read-only
        gradient += 10.0
    assert float(grad(lambda z: z * 3.0)(x)) == 3.0
    assert float((w * 3.0).backward()[w]) == 3.0


def test_a_backward_of_the_user_may_change_and_return_what_it_gets(device: Device) -> None:
    def tripled(g: Any, _result: Any, _x: Any) -> Any:
        g *= 3.0
        return (g,)

    f = custom_vjp(lambda x: x * 3.0, tripled)
    w = xp.asarray([3.0], device=device.autodiff()).require_grad()
    for _ in range(2):
        grads = xp.sum(f(w) + f(w)).backward()
        assert np.asarray(grads[w].to_device("numpy")).tolist() == [6.0]
    same = custom_vjp(lambda x: x * x * 0.5, lambda _g, _result, x: (x,))
    gradient = xp.sum(same(w)).backward()[w]
    gradient *= 50.0
    assert np.asarray(w.detach().to_device("numpy")).tolist() == [3.0]


@pytest.mark.parametrize(
    "square", [lambda x: x * x, lambda x: x**2, xp.square], ids=["product", "power", "square"]
)
def test_a_square_overflows_only_where_its_gradient_does(
    device: Device, square: Callable[[Any], Any]
) -> None:
    w = xp.asarray([0.25], dtype=xp.float32, device=device.autodiff()).require_grad()
    seed = xp.asarray([2e38], dtype=xp.float32, device=device.autodiff())
    gradient = np.asarray(square(w).backward(seed)[w].to_device("numpy"))
    np.testing.assert_allclose(gradient, [1e38], rtol=1e-6)


def test_numbers_have_no_matrix_product(device: Device) -> None:
    x = xp.ones((2, 2), device=device.autodiff()).require_grad()
    plain = xp.ones((2, 2), device=device)
    for call in (lambda x: x @ 3, lambda x: 3 @ x, lambda x: xp.matmul(x, 3)):  # type: ignore[arg-type]
        with pytest.raises(Exception) as expected:
            call(plain)
        with pytest.raises(type(expected.value), match="matmul"):
            call(x)


def test_weights_must_be_an_array(device: Device) -> None:
    x = xp.ones(2, device=device.autodiff()).require_grad()
    for weights in (3, [1.0, 2.0], "ones"):
        with pytest.raises(ArgumentTypeError, match="backward: grad must be an Array"):
            x.backward(weights)  # type: ignore[arg-type]
