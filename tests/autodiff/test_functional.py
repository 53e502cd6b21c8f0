"""``grad``, ``vjp``, ``jvp`` and other functional derivatives of functions of arrays and trees, to any order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import burn_array as xp
from burn_array import Device
from burn_array.autodiff import (
    check_grads,
    checkpoint,
    custom_vjp,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)
from burn_array.errors import GradientError


class Point(NamedTuple):
    """A tree with named parts."""

    a: Any
    b: Any


def values(x: Any) -> Any:
    return np.asarray(x.detach().to_device("numpy"))


@pytest.fixture
def x(device: Device) -> Any:
    return xp.asarray([1.0, 2.0, 3.0], device=device)


def test_grad_stays_on_the_device_of_the_argument(device: Device, x: Any) -> None:
    gradient = grad(lambda x: xp.sum(x * x))(x)
    assert not gradient.device.is_autodiff
    assert str(gradient.device) == str(device)
    tracked = grad(lambda x: xp.sum(x * x))(x.to_device(device.autodiff()))
    assert str(tracked.device) == f"{device}+autodiff"
    assert not tracked.is_tracked


def test_value_and_aux(x: Any) -> None:
    (value, aux), gradient = value_and_grad(lambda x: (xp.sum(x**2), {"doubled": 2 * x}), has_aux=True)(x)
    assert float(value) == 14.0
    assert not value.device.is_autodiff
    np.testing.assert_array_equal(values(aux["doubled"]), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(values(gradient), [2.0, 4.0, 6.0])
    assert not grad(lambda x: (xp.sum(x), x * 2), has_aux=True)(x)[1].device.is_autodiff


def test_argnums_and_keywords(x: Any) -> None:
    def f(a: Any, b: Any, *, scale: float) -> Any:
        return xp.sum(a * b) * scale

    np.testing.assert_array_equal(values(grad(f, argnums=1)(x, x * 2, scale=3.0)), [3.0, 6.0, 9.0])
    first, second = grad(f, argnums=(0, 1))(x, x * 2, scale=1.0)
    np.testing.assert_array_equal(values(first), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(values(second), [1.0, 2.0, 3.0])


def test_trees(x: Any) -> None:
    tree = {"list": [x, x * 2], "named": Point(x, (x,)), "number": 2.0}
    gradient = grad(lambda t: xp.sum(t["list"][0] * t["list"][1] * t["named"].b[0]) * t["number"])(tree)
    assert isinstance(gradient["named"], Point)
    np.testing.assert_array_equal(values(gradient["list"][1]), [2.0, 8.0, 18.0])
    np.testing.assert_array_equal(values(gradient["named"].a), [0.0, 0.0, 0.0])
    assert float(gradient["number"]) == 72.0


def test_any_order_by_nesting(device: Device) -> None:
    f: Any = lambda x: xp.exp(-(x**2))  # noqa: E731
    for derivative in (0.0, -2.0, 0.0, 12.0):
        f = grad(f)
        assert float(f(xp.asarray(0.0, device=device))) == pytest.approx(derivative, abs=1e-14)


def test_levels_are_not_confused(device: Device) -> None:
    one = xp.asarray(1.0, device=device)
    inner = grad(lambda x: x * grad(lambda y: x + y)(one))
    assert float(inner(one)) == 1.0
    outer = grad(lambda w: grad(lambda x: w * x * x)(xp.asarray(2.0, device=device)))
    assert float(outer(xp.asarray(3.0, device=device))) == 4.0


def test_gradient_penalty_of_parameters(device: Device) -> None:
    w = xp.asarray([1.0, 2.0], device=device.autodiff()).require_grad()
    gradient = grad(lambda x: xp.sum(w * x**2))(xp.asarray([3.0, 4.0], device=device))
    assert gradient.is_tracked
    np.testing.assert_array_equal(values(xp.sum(gradient**2).backward()[w]), [72.0, 256.0])


def test_vjp_may_be_called_again(x: Any) -> None:
    y, pull = vjp(lambda a, b: a * b, x, x + 1)
    np.testing.assert_array_equal(values(y), [2.0, 6.0, 12.0])
    for factor in (1.0, 2.0):
        first, second = pull(xp.ones_like(x) * factor)
        np.testing.assert_array_equal(values(first), factor * np.asarray([2.0, 3.0, 4.0]))
        np.testing.assert_array_equal(values(second), factor * np.asarray([1.0, 2.0, 3.0]))


def test_jvp(x: Any) -> None:
    y, tangent = jvp(lambda x: xp.sin(x) * x, (x,), (xp.ones_like(x),))
    at = values(x)
    np.testing.assert_allclose(values(y), np.sin(at) * at)
    np.testing.assert_allclose(values(tangent), np.cos(at) * at + np.sin(at))


@pytest.mark.parametrize("name", ["exp", "sort", "cumulative_prod"])
@pytest.mark.needs("64 bits")
def test_jvp_is_the_derivative_in_a_direction(x: Any, name: str) -> None:
    f = getattr(xp, name)
    direction = xp.asarray([0.3, -1.0, 0.5], device=x.device)
    _, tangent = jvp(f, (x,), (direction,))
    difference = (f(x + 1e-6 * direction) - f(x - 1e-6 * direction)) / 2e-6
    np.testing.assert_allclose(values(tangent), values(difference), rtol=1e-8)


def test_jvp_passes_choices(x: Any) -> None:
    _, tangent = jvp(lambda x: xp.maximum(x - 2.5, 0.0), (x,), (xp.ones_like(x),))
    np.testing.assert_array_equal(values(tangent), [0.0, 0.0, 1.0])


def test_jacobian_of_trees(x: Any) -> None:
    out = jacobian(lambda x: {"a": x * x, "b": xp.sum(x)})(x)
    np.testing.assert_array_equal(values(out["a"]), np.diag([2.0, 4.0, 6.0]))
    np.testing.assert_array_equal(values(out["b"]), [1.0, 1.0, 1.0])
    both = jacobian(lambda x, y: xp.reshape(x, (3, 1)) * y, argnums=(0, 1))(x, x)
    assert both[0].shape == both[1].shape == (3, 3, 3)
    assert jacobian(lambda x: x[:0])(x).shape == (0, 3)


def test_hessian_and_its_products(x: Any) -> None:
    def f(x: Any) -> Any:
        return xp.sum(x**3) + xp.prod(x)

    full = values(hessian(f)(x))
    np.testing.assert_allclose(full, [[6.0, 3.0, 2.0], [3.0, 12.0, 1.0], [2.0, 1.0, 18.0]])
    np.testing.assert_allclose(values(hvp(f, x, x)), full @ values(x))


def test_a_function_that_ignores_its_argument_has_zero_gradient(x: Any) -> None:
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(xp.ones_like(x)))(x)), [0.0, 0.0, 0.0])
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(xp.floor(x)))(x)), [0.0, 0.0, 0.0])


def test_stop_gradient(x: Any) -> None:
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(stop_gradient(x) * x))(x)), values(x))


def test_custom_vjp_is_used_and_differentiated(x: Any) -> None:
    cubed = custom_vjp(lambda x, n: x**3, lambda g, y, x, n: (g * 3 * x**2, None))
    np.testing.assert_array_equal(values(cubed(x, 1)), [1.0, 8.0, 27.0])
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(cubed(x, 1)))(x)), [3.0, 12.0, 27.0])
    np.testing.assert_array_equal(
        values(hessian(lambda x: xp.sum(cubed(x, 1)))(x)), np.diag([6.0, 12.0, 18.0])
    )


def test_custom_vjp_of_several_results(x: Any) -> None:
    both = custom_vjp(lambda x: (x, 2 * x), lambda g, y, x: 10 * (g[0] + g[1]))
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(both(x)[0] * both(x)[1]))(x)), 30 * values(x))


def test_custom_vjp_of_a_tree(x: Any) -> None:
    """Parts that are not floating arrays pass through unchanged and have no cotangent."""

    def forward(x: Any) -> Any:
        return {"y": 2 * x, "rest": [xp.argmax(x), 5, None], "z": x}

    def backward(g: Any, result: Any, x: Any) -> Any:
        assert g["rest"] == [None, None, None]
        assert result["rest"][1:] == [5, None]
        return [10 * g["y"] + g["z"]]

    f = custom_vjp(forward, backward)
    out = f(x.to_device(x.device.autodiff()).require_grad())
    assert int(out["rest"][0]) == int(xp.argmax(x))
    assert out["rest"][1:] == [5, None]
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(f(x)["y"]))(x)), np.full(x.shape, 10.0))
    np.testing.assert_array_equal(
        values(grad(lambda x: xp.sum(f(x)["y"] + f(x)["z"]))(x)), np.full(x.shape, 11.0)
    )


def test_custom_vjp_without_a_floating_result(x: Any) -> None:
    assert (
        custom_vjp(lambda x: 5.0, lambda g, y, x: g)(x.to_device(x.device.autodiff()).require_grad()) == 5.0
    )


@pytest.mark.parametrize("wrong", [1.0, np.ones(3)])
def test_custom_vjp_wants_arrays(x: Any, wrong: Any) -> None:
    f = custom_vjp(lambda x: 2 * x, lambda g, y, x: wrong)
    with pytest.raises(GradientError, match=f"returned a {type(wrong).__name__} for argument 0"):
        grad(lambda x: xp.sum(f(x)))(x)
    with pytest.raises(GradientError, match="which no gradient reaches"):
        grad(lambda x: xp.sum(custom_vjp(lambda x: np.ones(3), lambda g, y, x: g)(x)))(x)


def test_checkpoint_of_a_tree(x: Any) -> None:
    f = checkpoint(lambda x: {"y": x * x, "n": 3})
    assert f(x)["n"] == 3
    np.testing.assert_array_equal(values(grad(lambda x: xp.sum(f(x)["y"]))(x)), 2 * values(x))


def test_checkpoint_of_a_function(x: Any) -> None:
    def f(tree: Any) -> Any:
        return xp.sum(xp.tanh(tree["a"]) * tree["b"][0])

    tree = {"a": x, "b": [x + 1]}
    plain, again = grad(f)(tree), grad(checkpoint(f))(tree)
    np.testing.assert_array_equal(values(plain["a"]), values(again["a"]))
    np.testing.assert_array_equal(values(plain["b"][0]), values(again["b"][0]))
    np.testing.assert_allclose(
        values(hessian(lambda x: checkpoint(lambda x: xp.sum(xp.exp(x)))(x))(x)), np.diag(np.exp(values(x)))
    )


@pytest.mark.needs("64 bits")
def test_complex_arguments(device: Device) -> None:
    z = xp.asarray([1.0 + 2.0j, 3.0j], device=device)
    np.testing.assert_allclose(values(grad(lambda z: xp.sum(xp.abs(z) ** 2))(z)), 2 * values(z))
    real = xp.asarray([0.3, 2.0], device=device)
    gradient = grad(lambda x: xp.sum(xp.real(xp.exp(1j * x))))(real)
    assert gradient.dtype == xp.float64
    np.testing.assert_allclose(values(gradient), -np.sin([0.3, 2.0]))


@pytest.mark.needs("64 bits")
def test_check_grads(x: Any) -> None:
    check_grads(lambda a, b: xp.tanh(a * b) / (1 + a * a), (x, x + 1), order=3)
    wrong = custom_vjp(lambda x: x * x, lambda g, y, x: g * x)
    with pytest.raises(AssertionError, match="difference"):
        check_grads(wrong, (x,))


# -- bad input ------------------------------------------------------------------------------------


def test_results_that_are_not_real_arrays(x: Any) -> None:
    with pytest.raises(GradientError, match="must be real"):
        grad(lambda x: xp.sum(x) * 1j)(x)
    with pytest.raises(GradientError, match="returned float"):
        grad(lambda x: 1.0)(x)
    with pytest.raises(GradientError, match="jacobian"):
        jacobian(lambda x: x * 1j)(x)


def test_arguments_without_derivative(x: Any) -> None:
    with pytest.raises(GradientError, match="argnums"):
        grad(lambda x: xp.sum(x))(xp.asarray([1, 2], device=x.device))
    with pytest.raises(GradientError, match="str"):
        grad(lambda x: x)("text")


@pytest.mark.needs("64 bits")
def test_cotangents_unlike_the_result(x: Any) -> None:
    _, pull = vjp(lambda x: x * 2, x)
    with pytest.raises(GradientError, match="float64"):
        pull(xp.ones(2, device=x.device))
    with pytest.raises(GradientError, match="float"):
        pull(1.0)


def test_custom_vjp_refuses_what_would_be_lost(x: Any) -> None:
    f = custom_vjp(lambda y: y * 2, lambda g, out, y: g)
    outer = lambda x: xp.sum(custom_vjp(lambda y: x * y, lambda g, out, y: g)(x))  # noqa: E731
    with pytest.raises(GradientError, match="arguments"):
        grad(outer)(x)
    short = custom_vjp(lambda a, b: a * b, lambda g, out, a, b: g)
    with pytest.raises(GradientError, match="2 arguments"):
        grad(lambda x: xp.sum(short(x, f(x))))(x)


def test_custom_vjp_refuses_a_cotangent_of_another_shape(x: Any) -> None:
    summed = custom_vjp(lambda y: y * 2, lambda g, out, y: xp.sum(g))
    with pytest.raises(GradientError, match="cotangent of shape"):
        grad(lambda x: xp.sum(summed(x)))(x)


def test_no_file_of_the_package_hides_a_function() -> None:
    xp.device("numpy").autodiff()
    assert [name for name in xp.autodiff.__all__ if not callable(getattr(xp.autodiff, name))] == []
