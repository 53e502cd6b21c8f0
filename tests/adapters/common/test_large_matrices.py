"""Factorisations of matrices whose elements are too large or too small to be squared."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.adapters.torch import linalg as torch_linalg

Host = np.ndarray[Any, Any]
DTYPES = ("float32", "float64", "complex64", "complex128")
SIZES = {"moderate": (1.0, 0), "large": (2.0, 100), "largest": (2.0, 120), "small": (0.5, 100)}


def sized(dtype: str, size: str) -> tuple[Host, float]:
    """Return a stack of matrices, and the exact power of two that they were multiplied with."""
    base, exponent = SIZES[size]
    power = base ** (exponent * (8 if dtype in ("float64", "complex128") else 1))
    rng = np.random.default_rng(7)
    x: Host = rng.standard_normal((2, 4, 3))
    x = x + 1j * rng.standard_normal(x.shape) if dtype.startswith("complex") else x
    return x.astype(dtype), power


def check(place: Any, dtype: str, size: str) -> None:
    x, power = sized(dtype, size)
    real = np.empty(0, dtype=dtype).real.dtype
    rtol = 1e-3 if real == np.float32 else 1e-11
    near: dict[str, Any] = {"rtol": rtol, "atol": rtol / 10}
    hermitian = x[:, :3] + np.conj(np.swapaxes(x[:, :3], -1, -2))
    large, lower = (xp.asarray(v * real.type(power), device=place) for v in (x, hermitian))

    def host(v: xp.Array) -> Host:
        out: Host = np.array(v.to_device("numpy"))
        assert out.dtype in (dtype, real)
        out /= real.type(power)
        return out

    q, r = xp.linalg.qr(large)
    assert np.all(np.tril(host(r), -1) == 0)
    np.testing.assert_allclose(np.array(q.to_device("numpy")) @ host(r), x, **near)
    u, s, vh = xp.linalg.svd(large, full_matrices=False)
    back = np.array(u.to_device("numpy")) * host(s)[..., None, :] @ np.array(vh.to_device("numpy"))
    np.testing.assert_allclose(back, x, **near)
    values = np.linalg.svd(x, compute_uv=False)
    np.testing.assert_allclose(host(xp.linalg.svdvals(large)), values, **near)
    np.testing.assert_allclose(host(xp.linalg.matrix_norm(large, ord="nuc")), values.sum(axis=-1), **near)
    kept = xp.linalg.matrix_norm(large, ord=2, keepdims=True)
    np.testing.assert_allclose(host(kept), values[:, :1, None], **near)
    assert np.array(xp.linalg.matrix_rank(large).to_device("numpy")).tolist() == [3, 3]
    np.testing.assert_allclose(host(xp.linalg.eigvalsh(lower)), np.linalg.eigvalsh(hermitian), **near)
    w, v = xp.linalg.eigh(lower)
    vectors = np.array(v.to_device("numpy"))
    np.testing.assert_allclose(hermitian @ vectors, vectors * host(w)[..., None, :], **near)
    inverse = np.array(xp.linalg.pinv(large).to_device("numpy")) * real.type(power)
    # CuPy takes numbers below the least normal one for zero, here some elements of the inverse.
    near["atol"] += 8 * float(np.finfo(real).tiny) * power
    np.testing.assert_allclose(inverse @ x, np.broadcast_to(np.eye(3), (2, 3, 3)), **near)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_factors_are_right(device: xp.Device, dtype: str, size: str) -> None:
    check(device, dtype, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_factors_of_scaled_matrices_are_right(monkeypatch: Any, dtype: str, size: str) -> None:
    """What PyTorch does on CUDA, on the host."""
    monkeypatch.setattr(torch_linalg, "must_be_scaled", lambda x: True)
    check("torch:cpu", dtype, size)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_r_is_infinite_only_where_it_overflows(device: xp.Device, dtype: str) -> None:
    """One stack holds a matrix of zeros, one whose norm cannot be squared, and one whose norm overflows."""
    near_the_end = np.asarray([[1, 0.2, 0.2], [0.2, 0.2, 0.1], [1, 0.1, 0.3]]) * 1.7
    x = np.zeros((3, 3, 3), dtype=dtype)
    x[1], x[2] = np.eye(3) * 1e300 + 1e300, near_the_end * 1e308
    if dtype == "complex128":
        x[1] *= 1 + 1j
    factors = xp.linalg.qr(xp.asarray(x, device=device))
    q, r = (np.array(part.to_device("numpy")) for part in factors)
    assert not np.isnan(r).any()
    assert np.isfinite(q).all()
    assert np.all(r[0] == 0)
    np.testing.assert_allclose(q[1] @ (r[1] / 1e300), x[1] / 1e300, rtol=1e-13, atol=1e-13)
    expected = np.abs(np.linalg.qr(near_the_end).R)
    assert np.isinf(r[2, 0, 0])
    assert np.count_nonzero(np.isinf(r[2])) == 1
    ends = np.abs(r[2, :, 1:]) / 1e308
    np.testing.assert_allclose(ends, expected[:, 1:], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(np.abs(q[2]), np.abs(np.linalg.qr(near_the_end).Q), rtol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", ["row", "columns", "below", "stack"])
def test_columns_too_small_to_be_squared(device: xp.Device, dtype: str, shape: str) -> None:
    """Each column of Q @ R is as near as its own size asks, whatever the size of the others."""
    tiny = 1e-210 if dtype in ("float64", "complex128") else 1e-30
    unit = 1j if dtype.startswith("complex") else 1
    x = np.asarray(
        {
            "row": [[tiny * unit, 0, 3 * unit]],
            "columns": [[tiny, 2], [3 * tiny * unit, 1], [-tiny, 1]],
            "below": [[1, 1, 2 * unit], [tiny * unit, 2 * tiny, 1], [0, tiny, 3]],
            "stack": [[[0, 0, 0]], [[tiny * unit, 0, unit]], [[unit, tiny, 0]]],
        }[shape]
    ).astype(dtype)
    q, r = (np.array(part.to_device("numpy")) for part in xp.linalg.qr(xp.asarray(x, device=device)))
    rtol = 1e-5 if r.real.dtype == np.float32 else 1e-13
    assert np.all(np.tril(r, -1) == 0)
    largest = np.abs(x).max(axis=-2, keepdims=True)
    assert np.all(np.abs(q @ r - x) <= rtol * largest)
    eye = np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2], q.shape[-1], q.shape[-1]))
    np.testing.assert_allclose(np.conj(np.swapaxes(q, -1, -2)) @ q, eye, atol=rtol)


def test_no_factor_beside_an_infinity_is_made_up(device: xp.Device) -> None:
    q, r = xp.linalg.qr(xp.asarray([[np.inf, 1.0], [1.0, 1.0]], device=device))
    assert np.isnan(np.array(q.to_device("numpy"))).any()
    assert np.isnan(np.array(r.to_device("numpy"))).any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", ["row", "columns", "below", "stack"])
def test_small_columns_of_scaled_matrices(monkeypatch: Any, dtype: str, shape: str) -> None:
    """What PyTorch does on CUDA, on the host."""
    monkeypatch.setattr(torch_linalg, "must_be_scaled", lambda x: True)
    test_columns_too_small_to_be_squared(xp.device("torch:cpu"), dtype, shape)
