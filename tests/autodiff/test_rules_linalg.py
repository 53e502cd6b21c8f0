"""Rules of the linalg extension agree with central differences and with exact values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

INF, NAN = float("inf"), float("nan")


def stack(*shape: int, least: float = 0.5) -> Callable[[np.random.Generator, str], Any]:
    """Return a maker of matrices whose singular values are distinct and not near zero."""

    def made(rng: np.random.Generator, kind: str) -> Any:
        x = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if kind == "c" else 0)
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        apart = least + np.arange(s.shape[-1], 0, -1) * (1 + 0.1 * rng.random(s.shape))
        return (u * apart[..., None, :]) @ vh

    return made


def singular(n: int) -> Callable[[np.random.Generator, str], Any]:
    """Return a maker of square matrices of rank ``n - 1``."""

    def made(rng: np.random.Generator, kind: str) -> Any:
        x = stack(n, n)(rng, kind)
        x[-1] = 0
        return x

    return made


def hermitian(xp: Any, x: Any) -> Any:
    return (x + xp.conj(x.mT)) / 2


def positive(xp: Any, x: Any) -> Any:
    return xp.conj(x.mT) @ x


def _qr(xp: Any, x: Any, **settings: Any) -> Any:
    q, r = xp.linalg.qr(x, **settings)
    return [q, r]


def _complement(xp: Any, x: Any) -> Any:
    """Return the projector onto the orthogonal complement of the columns, and the squares of R."""
    q, r = xp.linalg.qr(x, mode="complete")
    rest = q[..., x.shape[-1] :]
    return [rest @ xp.conj(rest.mT), r * r]


def _slogdet(xp: Any, x: Any) -> Any:
    sign, logarithm = xp.linalg.slogdet(x)
    return [sign * logarithm, sign, logarithm]


def _eigh(xp: Any, x: Any) -> Any:
    values, vectors = xp.linalg.eigh(hermitian(xp, x))
    return [(vectors * xp.exp(values)[..., None, :]) @ xp.conj(vectors.mT), values, xp.abs(vectors) ** 2]


def _eig(xp: Any, x: Any) -> Any:
    values, vectors = xp.linalg.eig(x)
    function = xp.real((vectors * xp.exp(values)[..., None, :]) @ xp.linalg.inv(vectors))
    return [function, xp.sum(xp.abs(vectors) ** 4), xp.sum(values * xp.exp(values))]


def _svd(xp: Any, x: Any, **settings: Any) -> Any:
    u, s, vh = xp.linalg.svd(x, **settings)
    u, vh = u[..., : s.shape[-1]], vh[..., : s.shape[-1], :]
    return [(u * (s**3)[..., None, :]) @ vh, s, xp.abs(u) ** 2, xp.abs(vh) ** 2]


def _null_spaces(xp: Any, x: Any) -> Any:
    u, s, vh = xp.linalg.svd(x)
    u, vh = u[..., s.shape[-1] :], vh[..., s.shape[-1] :, :]
    return [u @ xp.conj(u.mT), xp.conj(vh.mT) @ vh]


def _norms(name: str, shape: tuple[int, ...], **settings: Any) -> Any:
    title = f"{name} {settings}"
    return title, "rc", lambda xp, x: getattr(xp.linalg, name)(x, **settings) ** 2, shape


def _matrix_norms(ord: Any, keepdims: bool, *shape: int) -> Any:
    title = f"matrix_norm {ord} {shape}"
    return title, "rc", lambda xp, x: xp.linalg.matrix_norm(x, ord=ord, keepdims=keepdims) ** 2, stack(*shape)


CASES = [
    ("cholesky", "rc", lambda xp, x: xp.linalg.cholesky(positive(xp, x)), stack(2, 3, 3)),
    ("cholesky upper", "rc", lambda xp, x: xp.linalg.cholesky(positive(xp, x), upper=True), stack(3, 3)),
    ("cross", "rc", lambda xp, x, y: xp.linalg.cross(x, y) ** 2, (3,), (2, 3)),
    ("cross axis", "rc", lambda xp, x, y: xp.linalg.cross(x, y, axis=-2) ** 2, (2, 3, 1), (3, 2)),
    ("det", "rc", lambda xp, x: xp.linalg.det(x) ** 2, stack(2, 3, 3)),
    ("det 1", "rc", lambda xp, x: xp.linalg.det(x) ** 2, (1, 1)),
    ("det singular", "rc", lambda xp, x: xp.linalg.det(x), singular(3)),
    ("det singular 2", "rc", lambda xp, x: xp.linalg.det(x), singular(2)),
    (
        "det zero",
        "rc",
        lambda xp, x: xp.linalg.det(x),
        lambda rng, kind: np.zeros((3, 3)) * (1 + 0j if kind == "c" else 1),
    ),
    ("det stack", "rc", lambda xp, x: xp.linalg.det(xp.stack([x, 0 * x, x + 1])), stack(2, 2)),
    ("diagonal", "rc", lambda xp, x: xp.linalg.diagonal(x) ** 2, (2, 3, 4)),
    ("diagonal above", "rc", lambda xp, x: xp.linalg.diagonal(x, offset=2) ** 2, (3, 4)),
    ("diagonal below", "rc", lambda xp, x: xp.linalg.diagonal(x, offset=-1) ** 2, (2, 3, 2)),
    ("diagonal none", "rc", lambda xp, x: xp.linalg.diagonal(x, offset=5), (3, 2)),
    ("eig", "rc", _eig, stack(3, 3)),
    ("eig stack", "rc", _eig, stack(2, 2, 2)),
    ("eigvals", "rc", lambda xp, x: xp.sum(xp.exp(xp.linalg.eigvals(x)), axis=-1), stack(2, 3, 3)),
    ("eigh", "rc", _eigh, stack(2, 3, 3)),
    ("eigvalsh", "rc", lambda xp, x: xp.linalg.eigvalsh(hermitian(xp, x)), stack(2, 3, 3)),
    ("inv", "rc", lambda xp, x: xp.linalg.inv(x), stack(2, 3, 3)),
    ("matrix_power 3", "rc", lambda xp, x: xp.linalg.matrix_power(x, 3), stack(2, 2, 2)),
    (
        "matrix_power 6",
        "rc",
        lambda xp, x: xp.linalg.matrix_power(x, 6),
        lambda rng, kind: stack(2, 2)(rng, kind) / 2,
    ),
    ("matrix_power -2", "rc", lambda xp, x: xp.linalg.matrix_power(x, -2), stack(3, 3)),
    ("matrix_power 1", "rc", lambda xp, x: xp.linalg.matrix_power(x, 1) ** 2, (2, 2)),
    ("matrix_power 0", "rc", lambda xp, x: xp.linalg.matrix_power(x, 0) * x, (2, 2)),
    ("outer", "rc", lambda xp, x, y: xp.linalg.outer(x, y) ** 2, (2,), (3,)),
    ("pinv", "rc", lambda xp, x: xp.linalg.pinv(x), stack(2, 3, 2)),
    ("pinv deficient", "rc", lambda xp, x, y: xp.linalg.pinv(x @ y), stack(4, 2), stack(2, 3)),
    ("pinv wide", "rc", lambda xp, x: xp.linalg.pinv(x), stack(2, 3)),
    ("qr", "rc", _qr, stack(2, 3, 3)),
    ("qr tall", "rc", _qr, stack(4, 2)),
    ("qr wide", "rc", _qr, stack(2, 2, 4)),
    ("qr complete", "rc", _complement, stack(4, 2)),
    ("qr complete wide", "rc", lambda xp, x: _qr(xp, x, mode="complete"), stack(2, 3)),
    ("qr only R", "rc", lambda xp, x: xp.linalg.qr(x).R, stack(3, 2)),
    ("slogdet", "rc", _slogdet, stack(2, 3, 3)),
    ("slogdet only sign", "c", lambda xp, x: xp.linalg.slogdet(x).sign, stack(2, 2)),
    ("slogdet only logarithm", "rc", lambda xp, x: xp.linalg.slogdet(x).logabsdet, stack(2, 2)),
    ("solve", "rc", lambda xp, x, y: xp.linalg.solve(x, y), stack(2, 3, 3), (2, 3, 2)),
    ("solve vector", "rc", lambda xp, x, y: xp.linalg.solve(x, y), stack(3, 3), (3,)),
    ("solve stack vector", "rc", lambda xp, x, y: xp.linalg.solve(x, y), stack(2, 3, 3), (3,)),
    ("solve broadcast", "rc", lambda xp, x, y: xp.linalg.solve(x, y), stack(2, 1, 2, 2), (3, 2, 1)),
    ("svd", "rc", lambda xp, x: _svd(xp, x, full_matrices=False), stack(2, 3, 3)),
    ("svd tall", "rc", lambda xp, x: _svd(xp, x, full_matrices=False), stack(4, 2)),
    ("svd wide", "rc", lambda xp, x: _svd(xp, x, full_matrices=False), stack(2, 3)),
    ("svd full tall", "rc", _svd, stack(3, 2)),
    ("svd full wide", "rc", _svd, stack(2, 3)),
    ("svd null spaces", "rc", _null_spaces, stack(4, 2)),
    ("svd null spaces wide", "rc", _null_spaces, stack(2, 2, 3)),
    ("svdvals", "rc", lambda xp, x: xp.linalg.svdvals(x), stack(2, 3, 2)),
    ("cholesky empty", "rc", lambda xp, x: xp.linalg.cholesky(x), (0, 2, 2)),
    ("det empty", "rc", lambda xp, x: xp.linalg.det(x), (0, 0)),
    ("det no matrices", "rc", lambda xp, x: xp.linalg.det(x), (0, 2, 2)),
    ("diagonal empty", "rc", lambda xp, x: xp.linalg.diagonal(x), (0, 3)),
    ("eigh empty", "rc", _eigh, (0, 2, 2)),
    ("inv empty", "rc", lambda xp, x: xp.linalg.inv(x), (0, 0)),
    ("nuc empty", "rc", lambda xp, x: xp.linalg.matrix_norm(x, ord="nuc"), (3, 0)),
    ("qr empty", "rc", _qr, (0, 3, 2)),
    ("solve empty", "rc", lambda xp, x, y: xp.linalg.solve(x, y), (0, 2, 2), (2,)),
    ("svd empty", "rc", lambda xp, x: _svd(xp, x, full_matrices=False), (0, 3)),
    ("trace", "rc", lambda xp, x: xp.linalg.trace(x) ** 2, (2, 3, 3)),
    ("trace offset", "rc", lambda xp, x: xp.linalg.trace(x, offset=-1) ** 2, (3, 2)),
    ("trace dtype", "r", lambda xp, x: xp.linalg.trace(x, dtype=xp.float64) ** 2, (2, 2)),
    _norms("vector_norm", (2, 3)),
    _norms("vector_norm", (), axis=None),
    _norms("vector_norm", (2, 3, 2), axis=(0, -1), keepdims=True),
    *(_norms("vector_norm", (3, 2), axis=0, ord=ord) for ord in (1, 2, 3, 1.5, 0.5, -2, INF, -INF)),
    _norms("vector_norm", (3, 2), axis=-1, ord=0),
    *(_matrix_norms(ord, False, 2, 3, 2) for ord in ("fro", "nuc", 1, -1, 2, -2, INF, -INF)),
    *(_matrix_norms(ord, True, 2, 3) for ord in ("fro", "nuc", 1, 2, -INF)),
]


EYE = np.eye(3)

CORNERS = [
    ("det singular", lambda xp, x: xp.linalg.det(x), [[1.0, 2.0], [2.0, 4.0]], [[4, -2], [-2, 1]]),
    ("det zero pivot", lambda xp, x: xp.linalg.det(x), [[1.0, 0.0], [0.0, 0.0]], [[0, 0], [0, 1]]),
    ("det zeros", lambda xp, x: xp.linalg.det(x), np.zeros((3, 3)), np.zeros((3, 3))),
    ("det zeros 2", lambda xp, x: xp.linalg.det(x), np.zeros((2, 2)), np.zeros((2, 2))),
    (
        "det large singular",
        lambda xp, x: xp.linalg.det(x),
        np.diag([0.0] + [1.0] * 40),
        np.diag([1.0] + [0.0] * 40),
    ),
    (
        "slogdet singular",
        lambda xp, x: xp.linalg.slogdet(x).logabsdet,
        np.zeros((2, 2)),
        np.full((2, 2), NAN),
    ),
    ("eigvalsh equal", lambda xp, x: xp.sum(xp.linalg.eigvalsh(x) ** 2), EYE, 2 * EYE),
    ("svdvals equal", lambda xp, x: xp.linalg.svdvals(x), EYE, EYE),
    ("norm of zero", lambda xp, x: xp.linalg.vector_norm(x), np.zeros(3), np.zeros(3)),
    ("norm 1 of zero", lambda xp, x: xp.linalg.vector_norm(x, ord=1), [0.0, -2.0], [0, -1]),
    ("norm 3 of zero", lambda xp, x: xp.linalg.vector_norm(x, ord=3), np.zeros(3), np.zeros(3)),
    ("norm inf of zero", lambda xp, x: xp.linalg.vector_norm(x, ord=INF), np.zeros(3), np.zeros(3)),
    ("norm inf ties", lambda xp, x: xp.linalg.vector_norm(x, ord=INF), [2.0, -2.0, 1.0], [0.5, -0.5, 0]),
    ("norm half with zero", lambda xp, x: xp.linalg.vector_norm(x, ord=0.5), [0.0, 1.0], [0, 1]),
    ("norm huge", lambda xp, x: xp.linalg.vector_norm(x), [3e150, 4e150], [0.6, 0.8]),
    ("norm 0", lambda xp, x: xp.linalg.vector_norm(x, ord=0), [2.0, 0.0], [0, 0]),
    ("fro of zero", lambda xp, x: xp.linalg.matrix_norm(x), np.zeros((2, 2)), np.zeros((2, 2))),
    ("nuc of zero", lambda xp, x: xp.linalg.matrix_norm(x, ord="nuc"), np.zeros((2, 2)), np.zeros((2, 2))),
    (
        "nuc rank 1",
        lambda xp, x: xp.linalg.matrix_norm(x, ord="nuc"),
        [[2.0, 0.0], [0.0, 0.0]],
        [[1, 0], [0, 0]],
    ),
    ("spectral tie", lambda xp, x: xp.linalg.matrix_norm(x, ord=2), EYE, EYE / 3),
    ("norm 1 tie", lambda xp, x: xp.linalg.matrix_norm(x, ord=1), np.ones((2, 2)), np.full((2, 2), 0.5)),
    (
        "trace not taken",
        lambda xp, x: xp.linalg.trace(xp.sqrt(x)),
        [[4.0, 0.0], [0.0, 1.0]],
        [[0.25, 0], [0, 0.5]],
    ),
    ("pinv of zero", lambda xp, x: xp.linalg.pinv(x), np.zeros((2, 3)), np.zeros((2, 3))),
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None], case: Any) -> None:
    """Near a singular matrix third differences have no correct digits, so the order is two."""
    derivatives(2 if "singular" in case[0][0] else 3)


@pytest.mark.needs("64 bits")
def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()


@pytest.mark.needs("64 bits")
def test_corner(gradient_at: Callable[..., Any], corner: Any) -> None:
    _, function, point, expected = corner
    np.testing.assert_allclose(gradient_at(function, point), expected, rtol=1e-14, atol=1e-14)


@pytest.mark.needs("64 bits")
def test_vectors_of_equal_eigenvalues_are_not_repaired(gradient_at: Callable[..., Any]) -> None:
    def exponential(xp: Any, x: Any) -> Any:
        values, vectors = xp.linalg.eigh(x)
        return (vectors * xp.exp(values)) @ vectors.mT * xp.asarray([[1.0, 2.0], [2.0, 3.0]])

    gradient = gradient_at(exponential, np.eye(2))
    right = np.e * np.asarray([[1.0, 2.0], [2.0, 3.0]])
    assert np.isnan(gradient).any() or np.allclose(gradient, right)


@pytest.mark.parametrize("name", ["cholesky", "eigvalsh"])
@pytest.mark.needs("64 bits")
def test_gradient_of_a_hermitian_matrix_is_hermitian(gradient_at: Callable[..., Any], name: str) -> None:
    gradient = gradient_at(lambda xp, x: getattr(xp.linalg, name)(x) ** 3, [[2.0, 0.5 - 1j], [0.5 + 1j, 3.0]])
    np.testing.assert_allclose(gradient, np.conj(gradient.T), rtol=1e-14)
    assert gradient[0, 1] != 0
