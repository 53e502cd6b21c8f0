"""NumPy's ufuncs, functions and ``numpy.testing`` accept arrays, and operators mix arrays with ndarrays."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import BurnArrayError

Host = Callable[[Any], np.ndarray[Any, Any]]
N = np.arange(6.0).reshape(2, 3) + 1


@pytest.fixture
def x(device: burn_array.Device) -> Any:
    return burn_array.asarray(N, device=device, copy=True)


UNARY = "sqrt exp sin arctan abs negative floor rint isnan signbit square conjugate positive log1p reciprocal".split()
BINARY = "add subtract multiply divide power arctan2 maximum hypot less equal logical_and copysign nextafter".split()


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.needs("64 bits")
def test_unary_ufunc(x: Any, host: Host, name: str) -> None:
    out = getattr(np, name)(x)
    assert out.device == x.device
    np.testing.assert_allclose(host(out), getattr(np, name)(N), rtol=1e-14)


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.needs("64 bits")
def test_binary_ufunc(x: Any, host: Host, name: str) -> None:
    ufunc = getattr(np, name)
    for args, natives in (((x, x), (N, N)), ((x, N), (N, N)), ((N, x), (N, N)), ((2.0, x), (2.0, N))):
        out = ufunc(*args)
        assert out.device == x.device
        np.testing.assert_allclose(host(out), ufunc(*natives), rtol=1e-14)


OPERATORS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: a**b,
    lambda a, b: a // b,
    lambda a, b: a % b,
    lambda a, b: a @ b.T,
    lambda a, b: a < b,
    lambda a, b: a == b,
]


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.needs("64 bits")
def test_operator_with_an_ndarray(x: Any, host: Host, operator: Callable[[Any, Any], Any]) -> None:
    for out in (operator(N, x), operator(x, N)):
        assert type(out) is burn_array.Array
        assert out.device == x.device
        np.testing.assert_allclose(host(out), operator(N, N), rtol=1e-14)


@pytest.mark.needs("64 bits")
def test_in_place_operator_of_an_ndarray_writes_into_it(x: Any) -> None:
    target = alias = N.copy()
    target += x
    assert target is alias
    np.testing.assert_array_equal(alias, 2 * N)


@pytest.mark.needs("64 bits")
def test_in_place_operator_of_an_array_takes_an_ndarray(x: Any, host: Host) -> None:
    alias = x
    x *= N
    assert x is alias
    np.testing.assert_array_equal(host(x), N * N)


@pytest.mark.needs("64 bits")
def test_numpy_scalars(x: Any) -> None:
    assert (np.float64(2) * x).device == x.device
    single = burn_array.asarray([1.0], dtype="float32", device=x.device)
    assert (np.float32(2) * single).dtype == np.float32
    assert (single * np.float64(2)).dtype == np.float32  # np.float64 is a Python float, hence weak
    assert (np.int64(2) + x).dtype == np.float64


@pytest.mark.needs("64 bits")
def test_ufunc_settings(x: Any, host: Host) -> None:
    out = np.zeros((2, 3))
    assert np.add(x, 1.0, out=out) is out
    np.testing.assert_array_equal(out, N + 1)
    np.testing.assert_array_equal(host(np.add.reduce(x, axis=1)), N.sum(1))
    np.testing.assert_array_equal(host(np.multiply.outer(x[0, :], x[1, :])), np.multiply.outer(N[0], N[1]))
    fraction, whole = np.modf(x + 0.25)
    np.testing.assert_array_equal(host(fraction), np.full((2, 3), 0.25))
    np.testing.assert_array_equal(host(whole), N)


@pytest.mark.needs("views")
def test_ufuncs_write_into_an_array(x: Any, host: Host) -> None:
    mine = burn_array.zeros((2, 3), device=x.device)
    root: Any = np.sqrt
    assert root(N, out=(mine,)) is mine
    np.testing.assert_array_equal(host(mine), np.sqrt(N))


REDUCTIONS: list[tuple[str, dict[str, Any]]] = [
    ("sum", {}),
    ("sum", {"axis": 0}),
    ("prod", {"axis": 1}),
    ("mean", {}),
    ("max", {"axis": 1}),
    ("min", {}),
    ("std", {}),
    ("argmax", {"axis": 0}),
    ("all", {}),
]


@pytest.mark.parametrize(("name", "settings"), REDUCTIONS)
@pytest.mark.needs("64 bits")
def test_reductions(x: Any, name: str, settings: dict[str, Any]) -> None:
    np.testing.assert_allclose(
        np.asarray(getattr(np, name)(x, **settings)), getattr(np, name)(N, **settings), rtol=1e-14
    )


FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda x: np.concatenate([x, x]),
    lambda x: np.where(x > 2, x, 0),
    lambda x: np.dot(x, x.T),
    lambda x: np.linalg.norm(x),
    lambda x: np.percentile(x, 30),
    lambda x: np.histogram(x, bins=3)[0],
    lambda x: np.interp(1.5, x[0, :], x[1, :]),
    lambda x: np.array2string(x),
    lambda x: np.einsum("ij->j", x),
    lambda x: np.allclose(x, x),
    lambda x: N[x > 2],
]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.needs("64 bits")
def test_functions_read_the_array(x: Any, function: Callable[[Any], Any]) -> None:
    out, expected = function(x), function(N)
    if isinstance(expected, str):
        assert out.replace(",", "") == expected.replace(",", "")
    else:
        np.testing.assert_allclose(np.asarray(out), np.asarray(expected))


@pytest.mark.needs("64 bits")
def test_an_array_is_an_index(x: Any) -> None:
    order = burn_array.asarray([1, 0], device=x.device)
    np.testing.assert_array_equal(N[np.asarray(order)], N[[1, 0]])
    assert ["a", "b", "c"][order[0]] == "b"
    assert list(range(burn_array.asarray(2, device=x.device))) == [0, 1]


@pytest.mark.needs("views")
@pytest.mark.needs("64 bits")
def test_conversion_shares_memory(x: Any) -> None:
    shared = np.asarray(x)
    assert shared.dtype == np.float64
    shared[0, 0] = 99.0
    assert float(x[0, 0]) == 99.0
    copied = np.array(x)
    copied[0, 0] = 0.0
    assert float(x[0, 0]) == 99.0
    assert np.asarray(x, dtype=np.float32).dtype == np.float32


def test_conversion_of_a_tracked_array_raises(device: burn_array.Device) -> None:
    x = burn_array.ones(3, device=device.autodiff()).require_grad()
    with pytest.raises(BurnArrayError, match="detach"):
        np.asarray(x)
    np.testing.assert_array_equal(np.asarray(x.detach()), np.ones(3))


@pytest.mark.needs("64 bits")
def test_numpy_testing_compares_arrays(x: Any) -> None:
    np.testing.assert_allclose(x, N)
    np.testing.assert_array_equal(x, x)
    np.testing.assert_equal(float(x[0, 0]), 1.0)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        np.testing.assert_allclose(x, N + 1e-3)
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(x, x + 1)


@pytest.mark.needs("64 bits")
def test_saved_and_loaded(x: Any) -> None:
    file = io.BytesIO()
    np.save(file, x)
    file.seek(0)
    np.testing.assert_array_equal(np.load(file), N)


@pytest.mark.needs("64 bits")
def test_built_in_functions(x: Any) -> None:
    assert math.sqrt(x[1, 0]) == 2.0
    assert float(sum(x[0, :])) == 6.0
    assert [float(one) for one in sorted(x[0, :], reverse=True)] == [3.0, 2.0, 1.0]
    assert f"{x[0, 1]:.2f}" == "2.00"
    assert bool(x[0:1, 0])


@pytest.mark.needs("64 bits")
def test_sequences_of_numpy_scalars_keep_their_dtype(xp: ModuleType) -> None:
    assert xp.asarray([np.int32(1), np.int32(2)]).dtype == xp.int32
    assert xp.asarray([np.float32(1)]).dtype == xp.float32
    assert xp.asarray([1, 2]).dtype == xp.int64
    assert xp.asarray([np.float32(1), 2.5]).dtype == xp.float64


@pytest.mark.needs("64 bits")
def test_views_of_complex_numbers(device: burn_array.Device, host: Host) -> None:
    z = burn_array.asarray([[1 + 2j, 3 - 4j]], device=device)
    np.testing.assert_array_equal(host(z.view(float)), host(z).view(float))
    np.testing.assert_array_equal(host(z.view(float).view(complex)), host(z))
    assert z.view(complex) is z
