"""NumPy's ufuncs, functions, operators and ``numpy.testing`` accept arrays of every device."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import burn_array
from burn_array.errors import BurnArrayError

Host = Callable[[Any], np.ndarray[Any, Any]]
UNARY = (
    "absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conjugate cos cosh deg2rad exp exp2 expm1 fabs "
    "floor "
    "isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg reciprocal rint sign signbit sin "
    "sinh spacing sqrt square tan tanh trunc"
).split()
BINARY = (
    "add arctan2 copysign divide equal float_power floor_divide fmax fmin fmod greater greater_equal heaviside hypot "
    "less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum multiply nextafter "
    "not_equal power remainder subtract"
).split()
BITS = "bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm".split()
BY_NUMPY = frozenset(
    "cbrt deg2rad exp2 fabs fmax fmin float_power fmod gcd heaviside lcm logaddexp2 rad2deg spacing".split()
)
"""Ufuncs without a counterpart in the namespace; NumPy computes them."""
VALUES = np.array([0.25, 0.5, 0.75])


def marked(names: list[str]) -> list[Any]:
    """Return the names as parameters; ufuncs that NumPy computes are marked, since they need host memory."""
    return [pytest.param(name, marks=[pytest.mark.host] * (name in BY_NUMPY)) for name in names]


def same(found: Any, wanted: Any, device: burn_array.Device) -> None:
    """Assert that ``found`` is an array of the device with the shape, dtype and values of ``wanted``."""
    assert type(found) is burn_array.Array
    assert found.device is device
    assert (found.shape, found.dtype) == (np.shape(wanted), np.asarray(wanted).dtype)
    values = np.asarray(found if device.is_host else found.to_device("numpy"))
    np.testing.assert_allclose(values, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", marked(UNARY))
@pytest.mark.needs("64 bits")
def test_unary_ufunc(xp: ModuleType, device: burn_array.Device, name: str) -> None:
    ufunc, a = getattr(np, name), VALUES + (1 if name == "arccosh" else 0)
    same(ufunc(xp.asarray(a)), ufunc(a), device)
    same(ufunc(xp.asarray(a[0])), ufunc(a[0]), device)


@pytest.mark.parametrize("name", marked([*BINARY, *BITS]))
@pytest.mark.needs("64 bits")
def test_binary_ufunc(xp: ModuleType, device: burn_array.Device, name: str) -> None:
    ufunc = getattr(np, name)
    a, b = (np.array([4, 6, 9]), np.array([1, 2, 3])) if name in BITS else (VALUES, VALUES[::-1])
    x, y = xp.asarray(a), xp.asarray(b)
    number = a[1].item()
    same(ufunc(x, y), ufunc(a, b), device)
    same(ufunc(x, b), ufunc(a, b), device)
    same(ufunc(a, y), ufunc(a, b), device)
    same(ufunc(x, number), ufunc(a, number), device)
    same(ufunc(number, y), ufunc(number, b), device)


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_ufuncs_of_several_results(xp: ModuleType, device: burn_array.Device) -> None:
    a = np.array([1.5, -2.25])
    for ufunc in (np.modf, np.frexp):
        for found, wanted in zip(ufunc(xp.asarray(a)), ufunc(a), strict=True):
            same(found, wanted, device)
    for found, wanted in zip(np.divmod(xp.asarray(a), 2), np.divmod(a, 2), strict=True):
        same(found, wanted, device)


@pytest.mark.needs("64 bits")
def test_commitment_is_kept(device: burn_array.Device) -> None:
    committed = burn_array.asarray(VALUES, device=device)
    with burn_array.default_device(device):
        uncommitted = burn_array.asarray(VALUES)
    for x in (committed, uncommitted):
        results: list[Any] = [np.sqrt(x), np.add(x, VALUES), VALUES + x, np.add.reduce(x)]
        if device.is_host:
            results += [np.cbrt(x), np.modf(x)[0]]
        for result in results:
            assert result._device is x._device


@pytest.mark.needs("64 bits")
def test_ndarray_operators_give_arrays(xp: ModuleType, device: burn_array.Device) -> None:
    a, x = VALUES.copy(), xp.asarray(VALUES)
    for found, wanted in (
        (a + x, a + a), (a - x, a - a), (a * x, a * a), (a / x, a / a), (a**x, a**a), (a // x, a // a), (a % x, a % a),
        (a < x, a < a), (a == x, a == a), (a != x, a != a), (a @ x, a @ a), (np.float64(2) * x, 2 * a),
        (np.float32(2) + x, 2 + a), (np.int64(2) - x, 2 - a), (np.array(2.0) / x, 2 / a),
    ):  # fmt: skip
        same(found, wanted, device)


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_in_place_operators_write_into_the_ndarray(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    for symbol, wanted in (
        ("+=", [4.0, 6.0]),
        ("-=", [2.0, 2.0]),
        ("*=", [3.0, 8.0]),
        ("/=", [3.0, 2.0]),
        ("**=", [3.0, 16.0]),
    ):
        a = np.array([3.0, 4.0])
        view, names = a, {"a": a, "x": x}
        exec(f"a {symbol} x", {}, names)
        assert names["a"] is view
        assert type(names["a"]) is np.ndarray
        assert view.tolist() == wanted
    whole = np.array([1, 2])
    with pytest.raises(TypeError, match="same_kind"):
        whole += xp.asarray([0.5, 0.5])
    assert whole.tolist() == [1, 2]
    narrow = np.ones(2, dtype=np.float32)
    narrow += x
    assert (narrow.dtype.name, narrow.tolist()) == ("float32", [2.0, 3.0])
    square = np.ones((2, 2))
    square @= xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    assert square.tolist() == [[4.0, 6.0], [4.0, 6.0]]


@pytest.mark.needs("64 bits")
def test_out(xp: ModuleType, device: burn_array.Device) -> None:
    x, a, y = xp.asarray([4.0, 9.0]), np.array([4.0, 9.0]), xp.zeros(2)
    assert np.sqrt(x, out=y) is y
    assert y.tolist() == [2.0, 3.0]
    assert np.sqrt(a, out=y) is y
    assert np.add(a, a, out=(y,)) is y
    assert (y.device, y.dtype) == (device, xp.float64)
    with pytest.raises((BurnArrayError, ValueError)):
        np.sqrt(x, out=xp.zeros(3))


@pytest.mark.host
def test_out_is_an_ndarray(xp: ModuleType) -> None:
    x, a = xp.asarray([4.0, 9.0]), np.zeros(2)
    assert np.sqrt(x, out=a) is a
    assert a.tolist() == [2.0, 3.0]
    modf: Any = np.modf
    whole, part = modf(xp.asarray([1.5]), out=(None, a[:1]))
    assert (whole.tolist(), part.tolist(), a[0]) == ([0.5], [1.0], 1.0)
    with pytest.raises((TypeError, ValueError)):
        modf(x, out="text")
    with pytest.raises((BurnArrayError, ValueError)):
        np.sqrt(x, out=np.zeros(3))
    whole_numbers = np.zeros(2, dtype=np.int64)
    with pytest.raises(TypeError):
        np.sqrt(x, out=whole_numbers)


@pytest.mark.host
def test_settings_of_ufuncs(xp: ModuleType, device: burn_array.Device) -> None:
    x, a = xp.asarray(VALUES), VALUES
    same(np.add(x, 1, dtype=np.float32), np.add(a, 1, dtype=np.float32), device)
    out = np.zeros(3)
    mask = np.array([True, False, True])
    np.add(x, 1, out=out, where=mask)
    assert out.tolist() == [1.25, 0.0, 1.75]
    out = np.zeros(3)
    np.add(x, 1, out=out, where=xp.asarray(mask))
    assert out.tolist() == [1.25, 0.0, 1.75]


@pytest.mark.parametrize(
    "name",
    [
        *"add multiply maximum minimum logical_and logical_or".split(),
        pytest.param("subtract", marks=pytest.mark.host),
    ],
)
@pytest.mark.needs("64 bits")
def test_reduce(xp: ModuleType, device: burn_array.Device, name: str) -> None:
    a = np.array([[1.0, 2.0, 3.0], [4.0, 0.0, 6.0]])
    ufunc, x = getattr(np, name), xp.asarray(a)
    for settings in ({}, {"axis": 1}, {"axis": -1, "keepdims": True}, {"axis": 0}):
        same(ufunc.reduce(x, **settings), ufunc.reduce(a, **settings), device)
    if name != "subtract":
        same(ufunc.reduce(x, axis=None), ufunc.reduce(a, axis=None), device)
    if name in ("add", "multiply") and device.is_host:
        same(ufunc.reduce(x, axis=1, initial=2.0), ufunc.reduce(a, axis=1, initial=2.0), device)
        same(ufunc.reduce(x, dtype=np.float32), ufunc.reduce(a, dtype=np.float32), device)
        same(ufunc.reduce(x, axis=1, where=a > 1), ufunc.reduce(a, axis=1, where=a > 1), device)


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_other_methods_of_ufuncs(xp: ModuleType, device: burn_array.Device) -> None:
    a = np.array([1.0, 2.0, 3.0])
    x = xp.asarray(a)
    same(np.add.accumulate(x), np.add.accumulate(a), device)
    same(np.add.outer(x, a), np.add.outer(a, a), device)
    same(np.add.reduceat(x, [0, 2]), np.add.reduceat(a, [0, 2]), device)
    target = np.zeros(3)
    np.add.at(target, [0, 0, 1], x)
    assert target.tolist() == [3.0, 3.0, 0.0]
    own = xp.zeros(3)
    np.add.at(own, [0, 0, 1], a)
    assert own.tolist() == [3.0, 3.0, 0.0]


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_unknown_ufuncs_run_in_numpy(xp: ModuleType, device: burn_array.Device) -> None:
    from scipy import special

    x = xp.asarray([0.5, 1.5])
    same(special.expit(x), special.expit(np.array([0.5, 1.5])), device)
    twice = np.frompyfunc(lambda v: v * 2, 1, 1)
    with pytest.raises(BurnArrayError):
        twice(x)  # its results are Python objects, which no array can hold


def test_functions_of_numpy_that_call_methods_give_arrays(xp: ModuleType, host: Host) -> None:
    a = np.array([[1.0, 2.0], [3.0, 4.5]])
    x = xp.asarray(a)
    for function in (
        np.sum,
        np.prod,
        np.mean,
        np.std,
        np.var,
        np.max,
        np.min,
        np.any,
        np.all,
        np.argmax,
        np.argmin,
    ):
        found = function(x)
        assert float(found) == pytest.approx(float(function(a)))
        assert host(function(x, axis=0)).tolist() == pytest.approx(function(a, axis=0).tolist())
    others: list[Any] = [np.transpose, np.squeeze, np.cumsum]
    for function in others:
        assert host(function(x)).tolist() == function(a).tolist()
    assert (np.shape(x), np.ndim(x), np.size(x)) == ((2, 2), 2, 4)


@pytest.mark.host
def test_functions_of_numpy_without_a_method_give_ndarrays(xp: ModuleType) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.5]])
    a = np.asarray(x)
    functions: list[Any] = [np.linalg.inv, np.linalg.svd, np.median, np.unique, np.fft.fft, np.array2string]
    for function in (*functions, np.ravel, np.copy, np.round):
        found, wanted = function(x), function(a)
        for one, other in zip(*((r if isinstance(r, tuple) else (r,)) for r in (found, wanted)), strict=True):
            assert np.array_equal(one, other)
    assert np.reshape(x, (4,)).tolist() == [1.0, 2.0, 3.0, 4.5]
    assert np.clip(x, 2, 3).tolist() == np.clip(a, 2, 3).tolist()
    assert np.concatenate([x, a]).shape == (4, 2)
    assert np.stack([x, x]).shape == (2, 2, 2)
    assert np.where(x > 2, x, 0).tolist() == [[0.0, 0.0], [3.0, 4.5]]
    assert np.array([x, x]).shape == (2, 2, 2)
    assert np.array([x[0, 0], x[1, 1]]).tolist() == [1.0, 4.5]
    assert np.dot(x, x).tolist() == (a @ a).tolist()
    assert np.float64(x[0, 0]) == 1.0
    assert np.arange(3)[xp.asarray(1)] == 1
    assert np.arange(3)[xp.asarray([0, 2])].tolist() == [0, 2]


@pytest.mark.host
def test_testing(xp: ModuleType) -> None:
    x = xp.asarray([1.0, math.nan])
    np.testing.assert_allclose(x, [1.0, math.nan])
    np.testing.assert_array_equal(x, np.asarray([1.0, math.nan]))
    np.testing.assert_array_less(xp.asarray([0.0]), xp.asarray([1.0]))
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(x, [2.0, math.nan])
    assert np.allclose(xp.asarray([1.0]), [1.0])
    assert np.isclose(xp.asarray([1.0]), 1.0).tolist() == [True]
    assert xp.asarray([1.0]).tolist() == pytest.approx([1.0])


@pytest.mark.needs("64 bits")
def test_tensors_of_torch_and_arrays_mix(xp: ModuleType, device: burn_array.Device, host: Host) -> None:
    x, t = xp.asarray([1.0, 2.0]), torch.tensor([3.0, 4.0], dtype=torch.float64)
    same(x + t, np.array([4.0, 6.0]), device)
    committed = burn_array.asarray([1.0, 2.0], device=device)
    same(committed * t, np.array([3.0, 8.0]), device)
    same(xp.add(committed, t), np.array([4.0, 6.0]), device)
    assert torch.as_tensor(host(x)).tolist() == [1.0, 2.0]
    committed[0] = t[1]
    assert committed.tolist() == [4.0, 2.0]
    assert committed[torch.tensor([1, 0])].tolist() == [2.0, 4.0]


def test_errors_of_the_namespace_pass_through_numpy(xp: ModuleType) -> None:
    with pytest.raises(BurnArrayError):
        np.add(xp.ones(2), xp.ones(3))
    with pytest.raises(BurnArrayError):
        np.ones(2) + xp.ones(3)
    with pytest.raises(TypeError):
        np.bitwise_and(xp.ones(2), xp.ones(2))


@pytest.mark.host
def test_objects_stay_objects_and_lists_stay_lists(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    assert np.array([x, None], dtype=object)[0] is x
    with pytest.raises(TypeError, match="unsupported operand"):
        operator.add(x, [1.0, 2.0])
    holder = np.empty(1, dtype=object)
    holder[0] = x
    assert holder[0] is x
