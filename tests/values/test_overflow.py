"""Results that can be represented although a power or sum on the way to them cannot; values computed with mpmath."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Array, Device
from burn_array.autodiff import grad

ORDERS = [1, 2, 3, 7.5, 0.5, -1, -2, -0.5, math.inf, -math.inf]
UNIT = [3.0, -4.0, 12.0, 1.5]
DTYPES = ["float32", "float64", "complex64", "complex128"]


def host(x: Array) -> Any:
    return np.asarray(x.to_device("numpy"))


def tolerance(dtype: str) -> float:
    return 16 * float(np.finfo(dtype).eps)


def unit(dtype: str) -> np.ndarray[Any, Any]:
    """Return four numbers with the magnitudes of ``UNIT``."""
    return np.array(UNIT) * (0.6 + 0.8j) if dtype.startswith("c") else np.array(UNIT)


def scales(dtype: str) -> tuple[float, ...]:
    """Return powers of two that are large, small and subnormal."""
    exponents = (100, -100, -143) if dtype in ("float32", "complex64") else (900, -900, -1070)
    return tuple(2.0**one for one in exponents)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.host
def test_norms_scale_with_their_vector(device: Device, dtype: str, order: float) -> None:
    wanted = np.linalg.norm(np.array(UNIT), ord=order)
    for scale in scales(dtype)[:2]:
        x = xp.asarray((unit(dtype) * scale).astype(dtype), device=device)
        pair = xp.stack([x, x * 0.0 + 1.0])
        found = float(xp.linalg.vector_norm(x, ord=order))
        assert found / scale == pytest.approx(wanted, rel=tolerance(dtype))
        rows = xp.linalg.vector_norm(pair, axis=1, ord=order, keepdims=True)
        assert rows.shape == (2, 1)
        np.testing.assert_allclose(
            host(rows)[:, 0] / [scale, 1.0], [wanted, 4.0 ** (1 / order)], rtol=tolerance(dtype)
        )
        whole = xp.linalg.vector_norm(xp.reshape(x, (2, 2)), axis=(0, 1), ord=order)
        assert float(whole) == pytest.approx(found, rel=tolerance(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.host
def test_norms_of_numbers_at_the_edge(device: Device, dtype: str) -> None:
    real = np.empty(0, dtype).real.dtype
    tiny, huge = float(np.finfo(real).smallest_subnormal), float(np.finfo(real).max) / 4
    for one in (tiny * 4096, huge):
        x = xp.asarray(np.array([one], dtype=dtype), device=device)
        for order in (2, 3, 0.5, -1, -3):
            assert float(xp.linalg.vector_norm(x, ord=order)) == pytest.approx(one, rel=tolerance(dtype))
        assert float(xp.linalg.matrix_norm(x[None])) == pytest.approx(one, rel=tolerance(dtype))


def test_norms_that_are_zero_or_infinite(device: Device) -> None:
    for order in (2, 3, 0.5):
        assert float(xp.linalg.vector_norm(xp.zeros(3, device=device), ord=order)) == 0.0
        x = xp.asarray([1.0, math.inf, 1e200], device=device)
        assert float(xp.linalg.vector_norm(x, ord=order)) == math.inf
    assert float(xp.linalg.vector_norm(xp.asarray([0.0, 1e200], device=device), ord=-2)) == 0.0
    assert math.isnan(float(xp.linalg.vector_norm(xp.asarray([1e200, math.nan], device=device), ord=3)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.host
def test_frobenius_norms(device: Device, dtype: str) -> None:
    for scale in scales(dtype)[:2]:
        x = xp.asarray((unit(dtype) * scale).astype(dtype).reshape(1, 2, 2), device=device)
        found = xp.linalg.matrix_norm(xp.concat([x, x / 2]), keepdims=True)
        assert found.shape == (2, 1, 1)
        wanted = math.sqrt(9 + 16 + 144 + 2.25) * np.array([1.0, 0.5])
        np.testing.assert_allclose(host(found).ravel() / scale, wanted, rtol=tolerance(dtype))


@pytest.mark.parametrize("scale", [2.0**900, 2.0**-900])
@pytest.mark.parametrize("order", [2, 3, 0.5, -2])
@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_the_gradient_of_a_norm_does_not_depend_on_the_scale(
    device: Device, order: float, scale: float
) -> None:
    slope = grad(lambda x: xp.linalg.vector_norm(x, ord=order))
    wanted = host(slope(xp.asarray(UNIT, device=device)))
    found = host(slope(xp.asarray(np.array(UNIT) * scale, device=device)))
    np.testing.assert_allclose(found, wanted, rtol=1e-13)
    fro = host(grad(xp.linalg.matrix_norm)(xp.asarray(np.array(UNIT).reshape(2, 2) * scale, device=device)))
    np.testing.assert_allclose(fro.ravel(), np.array(UNIT) / np.linalg.norm(UNIT), rtol=1e-13)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.host
def test_deviations_scale_with_the_numbers(device: Device, dtype: str) -> None:
    for scale in scales(dtype)[:2]:
        x = xp.asarray((np.array(UNIT) * scale).astype(dtype), device=device)
        for correction in (0, 1):
            found = float(xp.std(x, correction=correction)) / scale
            assert found == pytest.approx(np.std(UNIT, ddof=correction), rel=tolerance(dtype))
        rows = host(xp.std(xp.stack([x, x]), axis=1, keepdims=True)) / scale
        np.testing.assert_allclose(rows, np.full((2, 1), np.std(UNIT)), rtol=tolerance(dtype))


@pytest.mark.parametrize(
    ("dtype", "offset", "step"), [("float32", 1e8, 16.0), ("float64", 1e8, 1 / 16), ("float64", 1e15, 1.0)]
)
@pytest.mark.host
def test_variances_beside_a_large_mean(device: Device, dtype: str, offset: float, step: float) -> None:
    small = np.array([0.0, 1.0, 2.0, 7.0, 3.0]) * step
    x = xp.asarray((offset + small).astype(dtype), device=device)
    for axis, array in ((None, x), (1, xp.stack([x, x]))):
        np.testing.assert_allclose(host(xp.var(array, axis=axis)), np.var(small), rtol=tolerance(dtype))
        np.testing.assert_allclose(
            host(xp.std(array, axis=axis, correction=1)), np.std(small, ddof=1), rtol=tolerance(dtype)
        )


@pytest.mark.needs("64 bits")
def test_the_gradient_of_a_variance_beside_a_large_mean(device: Device) -> None:
    small = np.array([0.0, 1.0, 2.0, 7.0])
    found = host(grad(xp.var)(xp.asarray(1e8 + small, device=device)))
    np.testing.assert_allclose(found, (small - 2.5) / 2, rtol=1e-7)


COMPLEX: list[tuple[str, complex, complex]] = [
    ("log1p", 1e-20 + 1e-5j, complex(5.000000000750001e-11, 9.999999999666668e-06)),
    ("log1p", -5e-9 + 1e-4j, complex(1.2500000374604557e-17, 0.00010000000016666667)),
    ("log1p", 1e-8 + 0.5j, complex(0.11157178365710485, 0.46364760500080615)),
    ("log1p", -0.4 + 0.8j, complex(2.2204460492503132e-17, 0.9272952180016123)),
    ("log1p", 1e300 + 1e300j, complex(691.1221014884936, 0.7853981633974483)),
    ("log1p", -1 + 1e-300j, complex(-690.7755278982137, 1.5707963267948966)),
    ("acos", 1 - 1e-20j, complex(1e-10, 1e-10)),
    ("acos", 3 + 1e-20j, complex(3.5355339059327375e-21, -1.762747174039086)),
    ("expm1", 1e-200 + 1e-300j, complex(1e-200, 1e-300)),
    ("sqrt", 1e300 + 1e300j, complex(1.09868411346781e150, 4.550898605622274e149)),
    ("asin", 1e-200 + 1e-300j, complex(1e-200, 1e-300)),
    ("asinh", 1e300 + 1e300j, complex(691.8152486690536, 0.7853981633974483)),
    ("atanh", 1e-200 + 1e-300j, complex(1e-200, 1e-300)),
    ("atan", 1e-200 + 1e-300j, complex(1e-200, 1e-300)),
    ("acosh", 1e300 + 1e300j, complex(691.8152486690536, 0.7853981633974483)),
]

SUBNORMAL = [
    ("log1p", 1e-160j, complex(5e-321, 1e-160)),
    ("acos", 1 + 1e-310j, complex(9.999999999999986e-156, -9.999999999999986e-156)),
    ("log2", 1e-160 + 1j, complex(7.213e-321, 2.266180070913597)),
    ("sqrt", 1e-310 + 0j, complex(9.999999999999986e-156, 0.0)),
    ("log", 1 + 1e-160j, complex(5e-321, 1e-160)),
]
"""Numbers below the least normal one, before or after the call."""


@pytest.mark.parametrize(
    ("name", "x", "wanted"),
    [*COMPLEX, *(pytest.param(*one, marks=pytest.mark.needs("subnormal numbers")) for one in SUBNORMAL)],
)
@pytest.mark.needs("64 bits")
def test_both_parts_of_complex_functions(device: Device, name: str, x: complex, wanted: complex) -> None:
    found = complex(host(getattr(xp, name)(xp.asarray([x, x], device=device)))[0])
    for part, right in ((found.real, wanted.real), (found.imag, wanted.imag)):
        assert abs(part - right) <= 4 * np.spacing(abs(right))
