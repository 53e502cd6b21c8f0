"""Gradients: replays on devices that differentiate, and gradients that are captured."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.autodiff import grad, hessian, jacobian, value_and_grad
from burn_array.errors import GradientError

ONE = """
abs acos acosh asin asinh atan atanh conj cos cosh exp expm1 log log10 log1p log2 negative positive
reciprocal sin sinh sqrt square tan tanh mean sum prod max min std var sort
""".split()
TWO = """
add atan2 copysign divide hypot logaddexp maximum minimum multiply pow remainder subtract matmul tensordot
vecdot
""".split()
FUNCTIONS = [
    *(f"xp.{name}(x)" for name in ONE),
    *(f"xp.{name}(x, y)" for name in TWO),
    "xp.cumulative_sum(x, axis=0)",
    "xp.cumulative_prod(x, axis=1)",
    "xp.where(x > 0.5, x, y)",
    "xp.clip(x, 0.3, 0.6)",
    "xp.concat([x, y])",
    "xp.stack([x, y])",
    "xp.unstack(x)[1]",
    "xp.reshape(x, (-1,))",
    "xp.matrix_transpose(x)",
    "xp.permute_dims(x, (1, 0))",
    "xp.flip(x)",
    "xp.roll(x, 1)",
    "xp.tile(x, (2, 1))",
    "xp.repeat(x, 2)",
    "xp.broadcast_to(x[0], (4, 3))",
    "xp.expand_dims(x, 0)",
    "xp.diff(x)",
    "xp.squeeze(x[:1], 0)",
    "xp.moveaxis(x, 0, 1)",
    "xp.take(x, xp.asarray([1, 0]), axis=0)",
    "x[0]",
    "x[:, 1:]",
    "x[xp.asarray([0, 2])]",
    "xp.take_along_axis(x, xp.argsort(x), axis=1)",
    "xp.tril(x)",
    "xp.triu(x)",
    "xp.linalg.det(m)",
    "xp.linalg.inv(m)",
    "xp.linalg.cholesky(m @ m.mT)",
    "xp.linalg.solve(m, y)",
    "xp.linalg.slogdet(m).logabsdet",
    "xp.linalg.eigh(m + m.mT).eigenvalues",
    "xp.linalg.svdvals(m)",
    "xp.linalg.qr(m).R",
    "xp.linalg.pinv(m)",
    "xp.linalg.matrix_power(m, 3)",
    "xp.linalg.trace(m)",
    "xp.linalg.diagonal(m)",
    "xp.linalg.vector_norm(x, axis=0)",
    "xp.linalg.matrix_norm(m)",
    "xp.linalg.outer(x[0], y[0])",
    "xp.linalg.cross(x, y)",
    "xp.abs(xp.fft.fft(x))",
    "xp.abs(xp.fft.rfft(x))",
    "xp.fft.irfft(x + 0j, n=4)",
    "xp.abs(xp.fft.fftn(x))",
    "xp.real(xp.astype(x, xp.complex128) * (1 + 2j))",
    "xp.astype(x, xp.float32)",
    "xp.special.expit(x)",
    "xp.special.erf(x)",
    "xp.special.gammaln(x + 1)",
    "xp.special.logsumexp(x, axis=0)",
    "xp.special.softmax(x, axis=1)",
    "xp.interop.einsum('ij,kj->ik', x, y)",
    "xp.interop.pad(x, 1)",
]
"""Calls with a derivative; x and y are in (0, 1), m is regular. ``acosh`` and ``atanh`` give NaN or numbers."""


def loss(xp: ModuleType, code: str) -> Callable[..., Any]:
    """Return the sum of the results of a call, weighted so that no two elements count alike."""

    def f(x: Any, y: Any) -> Any:
        m = x @ xp.matrix_transpose(x) + 2.0 * xp.eye(3, device=x.device)
        out = eval(code, {"xp": xp}, {"x": x, "y": y, "m": m})
        return xp.sum(xp.astype(out, xp.float64) * 1.5) + xp.sum(xp.astype(out, xp.float64) ** 2)

    return f


def values(xp: ModuleType) -> tuple[Any, Any]:
    numbers = np.random.default_rng(5)
    return xp.asarray(numbers.uniform(0.1, 0.9, (3, 3))), xp.asarray(numbers.uniform(0.1, 0.9, (3, 3)))


@pytest.mark.parametrize("code", FUNCTIONS)
def test_a_gradient_that_is_captured(xp: ModuleType, code: str) -> None:
    x, y = values(xp)
    f = value_and_grad(loss(xp, code))
    with np.errstate(all="ignore"):
        graph = xp.trace(f, x, y)
        found, wanted = graph(x, y), f(x, y)
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-6)


@pytest.mark.parametrize("code", FUNCTIONS)
def test_a_replay_that_is_recorded(xp: ModuleType, code: str) -> None:
    x, y = values(xp)
    with np.errstate(all="ignore"):
        graph = xp.trace(loss(xp, code), x, y)
        np.testing.assert_allclose(
            np.asarray(grad(graph)(x, y)), np.asarray(grad(loss(xp, code))(x, y)), rtol=1e-6
        )


@pytest.mark.parametrize("wrapper", ["+autodiff", "+autodiff[balanced]"])
def test_backward_of_a_replay(device: bn.Device, wrapper: str) -> None:
    graph = bn.trace(lambda w, x: bn.sum(bn.tanh(x @ w) ** 2), bn.spec((3,)), bn.spec((4, 3)))
    w = bn.asarray([0.1, 0.2, 0.3], device=f"{device}{wrapper}").require_grad()
    x = bn.asarray(np.linspace(0.0, 1.0, 12).reshape(4, 3), device=str(device))
    for run in (graph, graph.on(w.device)):
        result = run(w, x)
        assert result.is_tracked
        c = w.detach().require_grad()
        wanted = bn.sum(bn.tanh(x @ c) ** 2).backward()[c]
        np.testing.assert_allclose(np.asarray(result.backward()[w]), np.asarray(wanted), rtol=1e-12)


def test_the_gradient_of_a_determinant_at_a_singular_matrix(xp: ModuleType) -> None:
    """The rule looks at the values on other devices; its graph holds for both kinds of matrices."""
    regular, singular = xp.asarray([[2.0, 1.0], [1.0, 3.0]]), xp.asarray([[1.0, 2.0], [2.0, 4.0]])
    graph = xp.trace(grad(xp.linalg.det), regular)
    for x in (regular, singular):
        np.testing.assert_allclose(np.asarray(graph(x)), np.asarray(grad(xp.linalg.det)(x)), atol=1e-12)


def test_higher_derivatives_are_captured(xp: ModuleType) -> None:
    x = xp.asarray([0.5, 1.0, 2.0])
    for made in (hessian(lambda x: xp.sum(x**4)), jacobian(lambda x: xp.sin(x) * x)):
        graph = xp.trace(made, x)
        np.testing.assert_allclose(np.asarray(graph(x)), np.asarray(made(x)), rtol=1e-12)
    third = grad(grad(grad(lambda x: xp.sum(x**4))))
    np.testing.assert_allclose(np.asarray(xp.trace(third, x)(x)), np.asarray(24 * x), rtol=1e-12)


def test_assignments_are_differentiated(xp: ModuleType) -> None:
    def f(x: Any) -> Any:
        y = x * 2
        y[0] = y[1] * 3
        y[1:] += x[:2]
        return xp.sum(y**2)

    x = xp.asarray([1.0, 2.0, 3.0])
    wanted = np.asarray(grad(f)(x))
    np.testing.assert_allclose(np.asarray(xp.trace(grad(f), x)(x)), wanted, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(grad(xp.trace(f, x))(x)), wanted, rtol=1e-12)


def test_constants_in_a_gradient(xp: ModuleType) -> None:
    w = xp.asarray([1.0, 2.0, 3.0])
    x = xp.asarray([0.5, 1.0, 1.5])
    for constant in (w, w.to_device(w.device.autodiff()), np.asarray([1.0, 2.0, 3.0])):
        graph = xp.trace(grad(lambda y, c=constant: xp.sum(y**2 * c)), x)
        np.testing.assert_allclose(np.asarray(graph(x)), [1.0, 4.0, 9.0], rtol=1e-12)
    tracked = w.to_device(w.device.autodiff()).require_grad()
    with pytest.raises(GradientError, match="would lose its gradient"):
        xp.trace(grad(lambda y: xp.sum(y * tracked)), x)


def test_an_outer_gradient_of_a_replay(xp: ModuleType) -> None:
    x = xp.asarray([0.5, 1.0, 1.5])
    found = grad(lambda v: xp.sum(xp.trace(lambda y: y * y, v.detach())(v)))(x)
    np.testing.assert_allclose(np.asarray(found), [1.0, 2.0, 3.0], rtol=1e-12)


def test_hardware_graphs_record_no_gradient() -> None:
    graph = bn.trace(lambda x: bn.sum(x), bn.spec((3,)))
    with pytest.raises(GradientError, match="nothing is recorded while a graph of the hardware runs"):
        graph.on("numpy+autodiff", hardware=True)
