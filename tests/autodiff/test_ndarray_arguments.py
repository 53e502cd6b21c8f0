"""Functions of ``burn_array.autodiff`` with ndarrays, as SciPy passes them, and of results with axes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.optimize
import torch

import burn_array
from burn_array.autodiff import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from burn_array.errors import GradientError

X = np.asarray([0.5, -1.5])


def rosenbrock(x: Any) -> Any:
    return 100.0 * (x[1] - x[0] ** 2) ** 2 + (1.0 - x[0]) ** 2


def tolerance(xp: ModuleType) -> float:
    return 1e-12 if xp.asarray(0.5).dtype == xp.float64 else 1e-3


def test_the_gradient_by_an_ndarray_is_an_ndarray(xp: ModuleType) -> None:
    value, gradient = value_and_grad(rosenbrock)(X)
    assert isinstance(value, np.floating)
    assert type(gradient) is np.ndarray
    assert gradient.dtype == xp.asarray(X).dtype
    np.testing.assert_allclose(gradient, scipy.optimize.rosen_der(X), rtol=tolerance(xp))
    np.testing.assert_allclose(value, scipy.optimize.rosen(X), rtol=tolerance(xp))
    np.testing.assert_array_equal(grad(rosenbrock)(X), gradient)


def test_a_scalar_of_numpy_has_a_derivative(xp: ModuleType) -> None:
    found = grad(lambda x: x * x * x)(np.float64(2.0))
    assert isinstance(found, np.floating)
    assert found == 12.0


def test_scipy_minimizes_with_the_gradient_and_the_hessian(xp: ModuleType) -> None:
    if xp.asarray(0.5).dtype != xp.float64:
        pytest.skip("SciPy asks for double precision")
    found = scipy.optimize.minimize(
        value_and_grad(rosenbrock), X, jac=True, hess=hessian(rosenbrock), method="trust-exact"
    )
    assert found.success
    np.testing.assert_allclose(found.x, [1.0, 1.0], rtol=1e-6)
    by_bfgs = scipy.optimize.minimize(value_and_grad(rosenbrock), X, jac=True, method="L-BFGS-B")
    np.testing.assert_allclose(by_bfgs.x, [1.0, 1.0], rtol=1e-4)


def test_scipy_solves_with_the_jacobian(xp: ModuleType) -> None:
    if xp.asarray(0.5).dtype != xp.float64:
        pytest.skip("SciPy asks for double precision")

    def residuals(x: Any) -> Any:
        x = xp.asarray(x)
        return xp.stack([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]])

    found = scipy.optimize.least_squares(lambda x: residuals(x).to_numpy(), X, jac=jacobian(residuals))
    np.testing.assert_allclose(found.x, [1.0, 1.0], rtol=1e-6)


def test_all_transformations_take_ndarrays(xp: ModuleType) -> None:
    def f(x: Any) -> Any:
        return xp.sum(x**3)

    def close(a: Any, b: Any) -> None:
        np.testing.assert_allclose(a, b, rtol=max(tolerance(xp), 1e-6))

    close(hessian(f)(X), np.diag(6 * X))
    assert type(hessian(f)(X)) is np.ndarray
    close(hvp(f, X, np.ones(2)), 6 * X)
    value, pullback = vjp(lambda x: x * x, X)
    close(value, X * X)
    (found,) = pullback(np.ones(2, dtype=value.dtype))
    assert type(found) is np.ndarray
    close(found, 2 * X)
    value, tangent = jvp(lambda x: x * x, (X,), (np.ones(2),))
    assert type(tangent) is np.ndarray
    close(tangent, 2 * X)


def test_a_gradient_has_the_kind_of_its_argument(xp: ModuleType) -> None:
    w = xp.asarray([1.0, 2.0])
    value, (by_w, by_x) = value_and_grad(lambda w, x: xp.sum(w * x), argnums=(0, 1))(w, X)
    assert type(by_w) is burn_array.Array
    assert type(by_x) is np.ndarray
    assert type(value) is burn_array.Array  # not all arguments are ndarrays
    tree = grad(lambda p: xp.sum(p["a"] * p["b"]))({"a": w, "b": X})
    assert type(tree["a"]) is burn_array.Array
    assert type(tree["b"]) is np.ndarray


def test_an_outer_transformation_tracks_through_an_ndarray(xp: ModuleType) -> None:
    def outer(a: Any) -> Any:
        return xp.sum(grad(lambda x: xp.sum(a * x * x))(X))

    np.testing.assert_allclose(grad(outer)(xp.asarray(3.0)).tolist(), 2 * X.sum(), rtol=1e-6)


@pytest.mark.parametrize("value", [np.asarray([1, 2]), np.asarray([True])])
def test_an_ndarray_without_a_derivative(xp: ModuleType, value: Any) -> None:
    with pytest.raises(
        GradientError, match=rf"^grad: an argument of {xp.asarray(value).dtype} has no derivative"
    ):
        grad(lambda x: xp.sum(x))(value)


@pytest.mark.parametrize("value", [torch.ones(2), "x", None])
def test_the_error_about_any_other_type_names_asarray(xp: ModuleType, value: Any) -> None:
    with pytest.raises(
        GradientError, match=rf"grad: an argument of type {type(value).__name__} .* asarray\(x\)"
    ):
        value_and_grad(lambda x: xp.sum(x))(value)


# -- results with axes ----------------------------------------------------------------------------


def test_grad_and_backward_of_a_result_with_axes_are_alike(xp: ModuleType, device: burn_array.Device) -> None:
    w = xp.asarray([1.0, 2.0], device=device.inner.autodiff()).require_grad()
    by_backward = (w * w).backward()[w]
    value, gradient = value_and_grad(lambda x: x * x)(xp.asarray([1.0, 2.0], device=device.inner))
    assert value.tolist() == [1.0, 4.0]
    assert gradient.tolist() == by_backward.tolist() == [2.0, 4.0]


def test_second_derivatives_need_a_result_without_axes(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    with pytest.raises(GradientError, match=r"^hessian: the function returned shape \(2,\)"):
        hessian(lambda x: x * x)(x)
    with pytest.raises(GradientError, match=r"^hvp: the function returned shape \(2,\)"):
        hvp(lambda x: x * x, x, x)
