"""``burn_array.interop.jax``: derivatives by JAX, alone and inside of its other transforms, and what they refuse."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.errors import GradientError

jax = pytest.importorskip("jax")
pytestmark = pytest.mark.library("jax")


def vector(*numbers: float, device: str = "jax") -> Any:
    return xp.asarray(numbers, device=device)


def energy(x: Any) -> Any:
    y = xp.sin(x) * x
    y[0] = 2.0 * y[1]
    return xp.sum(y * y)


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12)


def test_the_value_and_the_gradient_are_arrays() -> None:
    x = vector(0.5, 1.0, 2.0)
    value, slope = xp.interop.jax.value_and_grad(energy)(x)
    assert (type(value), type(slope), str(slope.device)) == (xp.Array, xp.Array, "jax:cpu")
    close(value, energy(x))
    close(slope, xp.autodiff.grad(energy)(x))
    close(xp.interop.jax.grad(energy)(x), slope)


def test_several_arguments_trees_and_auxiliary_values() -> None:
    def loss(parameters: Any, x: Any, scale: Any) -> Any:
        predicted = x @ parameters["w"] + parameters["b"]
        return xp.sum(predicted * predicted) * scale, {"predicted": predicted}

    x = xp.reshape(xp.arange(6.0, device="jax"), (3, 2))
    parameters = {"w": vector(1.0, -2.0), "b": xp.asarray(0.5, device="jax")}
    scale = xp.asarray(2.0, device="jax")
    g = xp.interop.jax.value_and_grad(loss, argnums=(0, 2), has_aux=True)
    (value, aux), (slopes, by_scale) = g(parameters, x, scale)
    predicted = np.asarray(x) @ [1.0, -2.0] + 0.5
    close(value, 2.0 * np.sum(predicted**2))
    close(aux["predicted"], predicted)
    close(slopes["w"], 4.0 * predicted @ np.asarray(x))
    close(slopes["b"], 4.0 * np.sum(predicted))
    close(by_scale, np.sum(predicted**2))
    slope, aux = xp.interop.jax.grad(loss, has_aux=True)(parameters, x, scale)
    close(slope["b"], slopes["b"])
    close(aux["predicted"], predicted)


def test_inside_and_outside_of_other_transforms() -> None:
    x = vector(0.5, 1.0, 2.0)
    grad = xp.interop.jax.grad
    wanted = xp.autodiff.grad(energy)(x)
    close(jax.jit(grad(energy))(x), wanted)
    close(grad(jax.jit(energy))(x), wanted)
    close(jax.vmap(grad(xp.sin))(x), xp.cos(x))
    close(grad(lambda x: xp.sum(jax.vmap(xp.sin)(x)))(x), xp.cos(x))
    close(grad(lambda x: xp.sum(grad(energy)(x)))(x), xp.autodiff.hessian(energy)(x) @ xp.ones(3))


def test_through_a_loop_of_jax() -> None:
    def last(x: Any) -> Any:
        return jax.lax.scan(lambda carry, _: (xp.sin(carry) + x, None), x, None, length=3)[0]

    x = xp.asarray(0.3, device="jax")
    by_loop = xp.interop.jax.grad(last)(x)
    close(by_loop, xp.autodiff.grad(lambda x: xp.sin(xp.sin(xp.sin(x) + x) + x) + x)(x))


def test_a_descent_by_jit_and_scan() -> None:
    target = vector(1.0, -2.0, 0.5)

    def step(x: Any, _: Any) -> Any:
        value, slope = xp.interop.jax.value_and_grad(lambda x: xp.sum((x - target) ** 2))(x)
        x = x - 0.25 * slope
        return x, value

    x, values = jax.jit(lambda x: jax.lax.scan(step, x, None, length=60))(xp.zeros(3, device="jax"))
    close(x, target)
    assert values.shape == (60,)
    assert bool(xp.all(values[1:] <= values[:-1]))


def test_arrays_of_other_host_devices_are_copied() -> None:
    for x in (xp.asarray([1.0, 2.0]), vector(1.0, 2.0, device="torch:cpu")):
        slope = xp.interop.jax.grad(lambda x: xp.sum(x**3))(x)
        assert str(slope.device) == "jax:cpu"
        assert slope.tolist() == [3.0, 12.0]


def test_the_gradient_by_complex_numbers_is_the_conjugate() -> None:
    z = xp.asarray([1 + 2j, -0.5j], device="jax")
    by_jax, by_us = (
        grad(lambda z: xp.sum(xp.real(z**3)))(z) for grad in (xp.interop.jax.grad, xp.autodiff.grad)
    )
    close(by_jax, xp.conj(by_us))


BAD: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a number": (lambda x: 1.0, "returned float; it must return a real 0-d array"),
    "axes": (lambda x: x, r"returned float64\[2\]; it must return a real 0-d array \(take sum"),
    "integers": (lambda x: xp.sum(xp.astype(x, xp.int64)), r"returned int64\[\]"),
    "complex": (lambda x: xp.sum(x * 1j), r"returned complex128\[\]"),
    "elsewhere": (lambda x: xp.zeros((), device="numpy"), "returned an array on numpy"),
}


@pytest.mark.parametrize("name", BAD)
def test_results_without_a_derivative(name: str) -> None:
    f, text = BAD[name]
    with pytest.raises(GradientError, match=rf"^interop\.jax\.grad: the function {text}"):
        xp.interop.jax.grad(f)(vector(1.0, 2.0))


def test_arguments_without_a_derivative(monkeypatch: pytest.MonkeyPatch) -> None:
    tracked = vector(1.0, device="jax+autodiff").require_grad()
    elsewhere = vector(1.0, device="torch:cpu")
    for x, text in (
        (xp.arange(3, device="jax"), "an argument of int64 has no derivative; convert"),
        (tracked, r"is tracked by burn_array\.autodiff.*x\.detach\(\)"),
    ):
        with pytest.raises(GradientError, match=rf"^interop\.jax\.value_and_grad: .*{text}"):
            xp.interop.jax.value_and_grad(xp.sum)(x)
    monkeypatch.setattr(elsewhere.device.adapter, "is_host", False)
    with pytest.raises(GradientError, match=r"JAX does not reach an array on torch:cpu.*to_device\('jax'\)"):
        xp.interop.jax.grad(xp.sum)(elsewhere)


def test_a_constant_on_an_autodiff_device_is_differentiated() -> None:
    assert xp.interop.jax.grad(lambda x: xp.sum(x * x))(vector(3.0, device="jax+autodiff")).tolist() == [6.0]


def test_the_module_is_imported_on_demand(run_python: Callable[..., str]) -> None:
    code = (
        "import sys, burn_array as xp; names = dir(xp.interop); "
        "print('jax' in names, 'burn_array.interop.jax' in sys.modules, 'jax' in sys.modules, "
        "xp.interop.jax.__all__, 'jax' in sys.modules)"
    )
    assert run_python(code) == "True False False ['grad', 'value_and_grad'] False"
    with pytest.raises(AttributeError, match="no attribute 'torch'"):
        _ = xp.interop.torch  # type: ignore[attr-defined]
    from burn_array.interop.jax import grad

    assert grad is sys.modules["burn_array.interop.jax"].grad
