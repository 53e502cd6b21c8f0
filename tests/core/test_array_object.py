"""The array object: its text, conversion to Python numbers, iteration, equality, copies, pickles and threads."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import ArgumentTypeError

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


# -- repr, str and format ----------------------------------------------------------------------------------------


@pytest.mark.needs("eager values")
@pytest.mark.parametrize(
    ("data", "dtype", "text"),
    [
        ([1.0, 2.5], "float64", "Array([1. , 2.5], dtype=float64, device='{}')"),
        ([1, 2], "int8", "Array([1, 2], dtype=int8, device='{}')"),
        (True, "bool", "Array(True, dtype=bool, device='{}')"),
        (3, "uint64", "Array(3, dtype=uint64, device='{}')"),
        ([1j], "complex64", "Array([0.+1.j], dtype=complex64, device='{}')"),
        ([], "float64", "Array([], dtype=float64, device='{}')"),
        ([[1, 2], [3, 4]], "int64", "Array([[1, 2],\n       [3, 4]], dtype=int64, device='{}')"),
        ([math.nan, -math.inf], "float32", "Array([ nan, -inf], dtype=float32, device='{}')"),
    ],
)
def test_repr(xp: ModuleType, device: burn_array.Device, data: Any, dtype: str, text: str) -> None:
    assert repr(xp.asarray(data, dtype=dtype)) == text.format(device)


@pytest.mark.needs("64 bits", "eager values")
def test_str_and_format(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.asarray([[1.5, 2.0]])
    assert str(x) == "[[1.5 2. ]]"
    assert f"{x}" == str(x)
    assert f"{x[0, 0]:.3f}" == "1.500"
    assert f"{xp.asarray(7):>4d}|" == "   7|"
    with pytest.raises(TypeError):
        f"{x:.3f}"
    large = repr(xp.zeros((1000, 1000)))
    assert len(large) < 1000
    assert large.endswith(f"dtype=float64, device='{device}')")


def test_attributes(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.zeros((2, 0, 3), dtype=xp.int16)
    assert (x.shape, x.ndim, x.size, x.nbytes, x.itemsize) == ((2, 0, 3), 3, 0, 0, 2)
    assert type(x.shape) is tuple
    assert all(type(n) is int for n in x.shape)
    assert type(xp.ones((2, 3)).size) is int
    assert x.dtype is xp.int16
    assert x.device is device
    assert x.mT.shape == (2, 3, 0)
    for name in ("shape", "dtype", "device", "ndim", "size", "T"):
        with pytest.raises(AttributeError):
            setattr(x, name, None)
    with pytest.raises(AttributeError):
        x.anything = 1


# -- length, iteration, membership ----------------------------------------------------------------


def test_length_and_iteration(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.reshape(xp.arange(6), (3, 2))
    assert len(x) == 3
    assert [row.tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    assert [row.tolist() for row in reversed(x)] == [[4, 5], [2, 3], [0, 1]]
    a, _, c = x
    assert (a.shape, c.tolist()) == ((2,), [4, 5])
    assert [*xp.zeros((0, 2))] == []
    assert all(type(item) is xp.Array for item in xp.arange(3))
    for row in x:
        row[0] = -1
    assert x[:, 0].tolist() == ([-1, -1, -1] if device.has_views else [0, 2, 4])
    for function in (len, iter, list):
        with pytest.raises(ArgumentTypeError, match="0-d"):
            function(xp.asarray(1))
    assert dict(zip(xp.arange(2).tolist(), xp.ones(2).tolist(), strict=True)) == {0: 1.0, 1: 1.0}


def test_membership(xp: ModuleType) -> None:
    x = xp.asarray([1.0, math.nan])
    assert 1 in x
    assert 1.0 in x
    assert 2 not in x
    assert math.nan not in x
    assert 0 not in xp.zeros(0)
    assert 3 in xp.asarray(3)
    assert "text" not in x
    assert None not in x


# -- Python scalars -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", NAMES)
def test_conversion_to_python(xp: ModuleType, dtype: str) -> None:
    kind = np.dtype(dtype).kind
    conversions: list[Callable[[Any], Any]] = [bool, int, float, complex, operator.index]
    x = xp.asarray(1, dtype=dtype)
    assert type(bool(x)) is bool
    assert bool(x) is True
    assert complex(x) == 1
    assert type(x.item()) is {"b": bool, "i": int, "u": int, "f": float, "c": complex}[kind]
    if kind != "c":
        assert (type(int(x)), int(x)) == (int, 1)
        assert (type(float(x)), float(x)) == (float, 1.0)
    else:
        for convert in conversions[1:3]:
            with pytest.raises(TypeError):
                convert(x)
    if kind in "iu":
        assert operator.index(x) == 1
        assert [10, 20, 30][x] == 20
        assert list(range(x)) == [0]
        assert "ab"[x:] == "b"
    else:
        with pytest.raises(TypeError):
            operator.index(x)
    assert bool(xp.asarray([[1]], dtype=dtype)) is True  # one element is enough, as in NumPy
    for convert in conversions[1:]:
        with pytest.raises(TypeError):
            convert(xp.asarray([1], dtype=dtype))
    for convert in conversions:
        with pytest.raises(TypeError):
            convert(xp.asarray([1, 1], dtype=dtype))


@pytest.mark.needs("64 bits")
def test_extreme_scalars(xp: ModuleType) -> None:
    assert int(xp.asarray(2**64 - 1, dtype=xp.uint64)) == 2**64 - 1
    assert int(xp.asarray(-(2**63))) == -(2**63)
    assert math.isnan(float(xp.asarray(math.nan)))
    assert math.copysign(1, float(xp.asarray(-0.0))) == -1
    assert bool(xp.asarray(math.nan))
    assert bool(xp.asarray(1j))
    assert not bool(xp.asarray(-0.0))
    assert xp.asarray([5]).item() == 5
    assert xp.asarray([[5, 6]]).item(0, 1) == 6
    with pytest.raises(ValueError, match="NaN"):
        int(xp.asarray(math.nan))
    with pytest.raises(OverflowError):
        int(xp.asarray(-math.inf))
    assert math.floor(float(xp.asarray(2.5))) == 2
    assert round(float(xp.asarray(2.5))) == 2


def test_tolist_gives_python_scalars(xp: ModuleType) -> None:
    for dtype in (name for name in NAMES if np.dtype(name) in xp.default_device().adapter.dtypes):
        listed = xp.asarray([[1, 0]], dtype=dtype).tolist()
        assert listed == [[1, 0]]
        assert type(listed[0][0]).__module__ == "builtins"
        assert xp.asarray(1, dtype=dtype).tolist() == 1


# -- hash, equality -------------------------------------------------------------------------------


def test_arrays_have_no_hash(xp: ModuleType) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(xp.asarray(1))
    with pytest.raises(TypeError):
        {xp.asarray(1): 1}


def test_equality_with_objects_that_are_not_arrays(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    assert (x == 1).tolist() == [True, False]
    assert (x != np.asarray([1.0, 3.0])).tolist() == [False, True]
    assert (x == "text") is False
    assert (x == None) is False  # noqa: E711
    assert (x != object()) is True
    assert (x == [1.0, 2.0]) is False


# -- copies and pickles ---------------------------------------------------------------------------


def test_copies_are_independent(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    for y in (copy.copy(x), copy.deepcopy(x), x.copy(), copy.deepcopy({"x": [x]})["x"][0]):
        assert (type(y), y.tolist(), y._device) == (xp.Array, [1.0, 2.0], x._device)
        y[0] = 9
        assert x.tolist() == [1.0, 2.0]
    shared = [x, x]
    one, two = copy.deepcopy(shared)
    assert one is two


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_values_dtype_device_and_commitment(device: burn_array.Device, protocol: int) -> None:
    for dtype in (name for name in NAMES if np.dtype(name) in device.adapter.dtypes):
        for shape in ((2, 3), (), (0, 2)):
            values = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
            committed = burn_array.asarray(values, device=device)
            with burn_array.default_device(device):
                uncommitted = burn_array.asarray(values)
            for x in (
                committed,
                uncommitted,
                burn_array.permute_dims(committed, tuple(range(len(shape)))[::-1]),
            ):
                y = pickle.loads(pickle.dumps(x, protocol))
                assert (y.dtype, y.shape, y._device) == (x.dtype, x.shape, x._device)
                assert y._device is x._device
                assert y.tolist() == x.tolist()
                y[...] = 1
                assert not np.shares_memory(
                    np.asarray(y.to_device("numpy")), np.asarray(x.to_device("numpy"))
                )


def test_pickle_does_not_depend_on_the_default_device(device: burn_array.Device) -> None:
    data = pickle.dumps(burn_array.asarray([1.0], device=device))
    with burn_array.default_device("torch:cpu"):
        assert pickle.loads(data).device is device
    with burn_array.default_device(device):
        plain = pickle.dumps(burn_array.asarray([1.0]))
    y = pickle.loads(plain)
    assert y._device is device.uncommitted
    out_of_band: list[pickle.PickleBuffer] = []
    large = burn_array.ones(1000, device=device)
    data = pickle.dumps(large, 5, buffer_callback=out_of_band.append)
    again = pickle.loads(data, buffers=out_of_band)
    assert again.tolist() == large.tolist()
    again[0] = 5
    assert again[0].item() == 5


def test_functions_and_results_pickle_by_name(xp: ModuleType) -> None:
    for function in (xp.add, xp.linalg.svd, xp.fft.fft, xp.asarray, xp.Array, xp.Device, xp.default_device):
        assert pickle.loads(pickle.dumps(function)) is function
    result = xp.unique_all(xp.asarray([1, 1]))
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert again.counts.tolist() == [2]
    assert pickle.loads(pickle.dumps(xp.finfo(xp.float32))) == xp.finfo(xp.float32)


# -- threads and unusual values ----------------------------------------------------------------------------------------


def test_arrays_work_in_many_threads(xp: ModuleType, device: burn_array.Device) -> None:
    failures: list[Any] = []

    def work(seed: int) -> None:
        try:
            x = xp.asarray([float(seed)] * 8, device=device)
            for _ in range(100):
                y = (x * 2 + x)[::2]
                y[0] = seed
                y += 1
                assert y.tolist() == [seed + 1.0] + [seed * 3 + 1.0] * 3
                assert xp.sum(xp.concat([x, x])).item() == seed * 16
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_an_array_is_made_of_a_native_array_and_a_device_record(xp: ModuleType) -> None:
    x = xp.ones(2)
    assert type(xp.Array(x._native, x._device)) is xp.Array
    assert not hasattr(x, "__dict__")


@pytest.mark.parametrize("value", [[1.0, 2.0], 1.0, None, np.float64(1.0), np.ma.masked_array([1.0])])
def test_a_call_of_the_class_says_how_arrays_are_made(device: burn_array.Device, value: Any) -> None:
    for on in (device, device.autodiff()):
        with pytest.raises(
            ArgumentTypeError, match=rf"Array: .*{type(value).__name__} .*use asarray\(value, "
        ):
            burn_array.Array(value, on)


def test_a_native_array_belongs_to_its_device(device: burn_array.Device) -> None:
    x = burn_array.ones(2, device=device)
    for value, on in (
        (x._native, device.autodiff()),
        (x.to_device(device.autodiff())._native, device),
        (x, device),
        (x._native, str(device)),
        (x._native, None),
    ):
        with pytest.raises(ArgumentTypeError, match=r"use asarray\(value, device=device\)"):
            burn_array.Array(value, on)


@pytest.mark.needs("64 bits")
def test_nan_payloads_and_signed_zeros_survive(device: burn_array.Device) -> None:
    bits = np.array([0x7FF8000000000123, 0xFFF8000000000001, 0x8000000000000000, 1], dtype=np.uint64)
    x = burn_array.asarray(bits.view(np.float64), device=device)
    for y in (x, x[::-1][::-1], burn_array.asarray(x, copy=True), burn_array.concat([x[:2], x[2:]]),
              pickle.loads(pickle.dumps(x)), x.to_device("numpy"), burn_array.reshape(x, (2, 2)).ravel()):  # fmt: skip
        assert np.asarray(y.to_device("numpy")).view(np.uint64).tolist() == bits.tolist()
