"""``solve_triangular`` on every device: values, batches, transposes, gradients and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Array, Device
from burn_array.autodiff import check_grads
from burn_array.errors import ArgumentError, ShapeError
from burn_array.interop import solve_triangular


def host(x: Array) -> Any:
    return np.asarray(x.to_device("numpy"))


def matrix(n: int, dtype: str, *lead: int) -> np.ndarray[Any, Any]:
    """Return full matrices whose triangles are well conditioned."""
    rng = np.random.default_rng(n)
    a = rng.standard_normal((*lead, n, n)) + 0j
    if dtype.startswith("c"):
        a += 1j * rng.standard_normal((*lead, n, n))
    return (
        (a / n + 2 * np.eye(n)).astype(dtype)
        if dtype.startswith("c")
        else (a.real / n + 2 * np.eye(n)).astype(dtype)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("n", [3, 40])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
def test_it_solves_the_system_of_the_triangle(
    device: Device, dtype: str, n: int, lower: bool, trans: Any
) -> None:
    for unit in (False, True):
        a = matrix(n, dtype)
        triangle = np.tril(a) if lower else np.triu(a)
        if unit:
            np.fill_diagonal(triangle, 1)
        system = {0: triangle, 1: triangle.T, 2: triangle.conj().T}[
            "NTC".index(trans) if type(trans) is str else trans
        ]
        for shape in ((n,), (n, 1), (n, 2)):
            b = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
            x = solve_triangular(
                xp.asarray(a, device=device),
                xp.asarray(b, device=device),
                trans=trans,
                lower=lower,
                unit_diagonal=unit,
            )
            assert (x.shape, x.dtype) == (shape, b.dtype)
            np.testing.assert_allclose(
                system @ host(x),
                b,
                rtol=1e-4 if dtype == "float32" else 1e-11,
                atol=1e-4 if dtype == "float32" else 1e-11,
            )


@pytest.mark.needs("64 bits")
def test_leading_axes_are_broadcast(device: Device) -> None:
    a, b = matrix(3, "float64", 2, 1), np.arange(24.0).reshape(4, 3, 2)
    x = solve_triangular(xp.asarray(a, device=device), xp.asarray(b, device=device), lower=True)
    assert x.shape == (2, 4, 3, 2)
    np.testing.assert_allclose(np.tril(a) @ host(x), np.broadcast_to(b, x.shape), atol=1e-12)
    one = solve_triangular(xp.asarray(a[:, 0], device=device), xp.ones(3, device=device))
    np.testing.assert_allclose(np.triu(a[:, 0]) @ host(one)[..., None], np.ones((2, 3, 1)), atol=1e-12)


def test_integers_become_floats(device: Device) -> None:
    x = solve_triangular(xp.asarray([[2, 1], [9, 4]], device=device), xp.asarray([4, 4], device=device))
    assert x.dtype == device.adapter.float_dtype
    assert x.tolist() == [1.5, 1.0]


@pytest.mark.parametrize(
    "settings", [{}, {"lower": True}, {"trans": "C"}, {"unit_diagonal": True, "lower": True}]
)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_gradients(device: Device, dtype: str, settings: Any) -> None:
    a, b = xp.asarray(matrix(3, dtype, 2), device=device), xp.asarray(matrix(3, dtype)[:, :2], device=device)

    def f(a: Array, b: Array) -> Array:
        x = solve_triangular(a, b, **settings)
        return xp.sum(xp.real(x * xp.conj(x)))

    check_grads(f, (a, b), order=2)


def test_bad_arguments(device: Device) -> None:
    a, b = xp.eye(3, device=device), xp.ones(3, device=device)
    with pytest.raises(ArgumentError, match="trans must be"):
        solve_triangular(a, b, trans="H")
    for left, right in ((a[:2], b), (a, b[:2]), (b, b), (a, b[0])):
        with pytest.raises(ShapeError, match="solve_triangular"):
            solve_triangular(left, right)
