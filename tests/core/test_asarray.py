"""``asarray`` accepts buffers, scalars, Python data and lists of arrays, and refuses some tensors and dtypes."""

from __future__ import annotations

import array
import ctypes
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import burn_array
from burn_array.errors import GradientError, UnsupportedDTypeError

Host = Callable[[Any], np.ndarray[Any, Any]]
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
NUMPY, TORCH = burn_array.device("numpy"), burn_array.device("torch:cpu")

BUFFERS: dict[str, Callable[[], Any]] = {
    "array": lambda: array.array("d", [1, 2, 3]),
    "memoryview": lambda: np.arange(1, 4).data,
    "memoryview 2-d": lambda: np.array([[1, 2, 3]], dtype=np.int16).data,
    "memoryview strided": lambda: np.arange(1, 7).data[:3],
    "bytearray": lambda: bytearray([1, 2, 3]),
    "ctypes": lambda: (ctypes.c_double * 3)(1, 2, 3),
}


@pytest.mark.parametrize("kind", BUFFERS)
@pytest.mark.needs("64 bits")
def test_buffers_become_arrays(device: burn_array.Device, host: Host, kind: str) -> None:
    obj = BUFFERS[kind]()
    x = burn_array.asarray(obj, device=device)
    assert host(x).ravel().tolist() == [1, 2, 3]
    assert x.dtype == np.asarray(obj).dtype
    copied = burn_array.asarray(obj, device=device, copy=True)
    copied[...] = 0
    assert host(x).ravel().tolist() == [1, 2, 3]
    assert burn_array.asarray(obj, dtype="float32", device=device).dtype == np.dtype("float32")
    if device in (NUMPY, TORCH):
        shared = burn_array.asarray(obj, device=device, copy=False)
        shared[..., 0] = 9
        assert np.asarray(obj).ravel().tolist() == [9, 2, 3]


@pytest.mark.needs("64 bits")
def test_subclasses_of_ndarray_become_plain_arrays(device: burn_array.Device) -> None:
    class Sub(np.ndarray[Any, Any]):
        pass

    for a in (
        np.arange(3.0).view(Sub),
        np.ma.masked_array([0.0, 1.0, 2.0]),
        np.arange(3.0).view(np.recarray),
    ):
        x = burn_array.asarray(a, device=device)
        assert x.tolist() == [0.0, 1.0, 2.0]
        assert type(x._native) is device.array_type


@pytest.mark.parametrize("number", [np.float64(1.5), np.float32(1.5), np.int8(3), np.uint64(2**63), np.bool_(True),
                                    np.complex64(1j), np.float16(0.5)])  # fmt: skip
def test_numpy_scalars_keep_their_dtype(device: burn_array.Device, number: Any) -> None:
    if number.dtype not in device.adapter.dtypes:
        with pytest.raises(UnsupportedDTypeError):
            burn_array.asarray(number, device=device)
        return
    x = burn_array.asarray(number, device=device)
    assert (x.shape, x.dtype) == ((), number.dtype)
    assert x.item() == number.item()


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (True, "bool", ()), (3, "int64", ()), (1.5, "float64", ()), (1j, "complex128", ()), ([], "float64", (0,)),
        ([[]], "float64", (1, 0)), ([True, False], "bool", (2,)), ([True, 2], "int64", (2,)),
        ([1, 2.5], "float64", (2,)),
        ([1, 2j], "complex128", (2,)), ((1, (2)), "int64", (2,)), ([(1, 2), [3, 4]], "int64", (2, 2)),
        ([2**63], "uint64", (1,)), ([[[1.0]]], "float64", (1, 1, 1)), (range(3), "int64", (3,)),
    ],
)  # fmt: skip
def test_python_data(device: burn_array.Device, data: Any, dtype: str, shape: tuple[int, ...]) -> None:
    x = burn_array.asarray(data, device=device)
    wanted = np.dtype(dtype)
    assert (x.dtype, x.shape) == (device.adapter.narrow.get(wanted, wanted), shape)
    assert x.tolist() == np.asarray(data).tolist()


@pytest.mark.parametrize("dtype", NAMES)
def test_python_data_with_a_dtype(device: burn_array.Device, dtype: str) -> None:
    x = burn_array.asarray([[0, 1], [1, 0]], dtype=dtype, device=device)
    assert (x.dtype, x.tolist()) == (np.dtype(dtype), np.asarray([[0, 1], [1, 0]], dtype=dtype).tolist())
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    if info:
        ends = [int(info.min), int(info.max)]
        assert burn_array.asarray(ends, dtype=dtype, device=device).tolist() == ends


def test_lists_of_arrays_and_scalars(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    assert xp.asarray([x, x]).tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert xp.asarray([[x], [x * 2]]).tolist() == [[[1.0, 2.0]], [[2.0, 4.0]]]
    assert xp.asarray([x[0], 3.0, x[1]]).tolist() == [1.0, 3.0, 2.0]
    assert xp.asarray((x[0], x[1]), dtype=xp.int32).dtype == xp.int32
    assert xp.asarray([np.float32(1), np.float32(2)]).tolist() == [1.0, 2.0]
    assert xp.asarray([np.ones(2), np.zeros(2)]).tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert xp.asarray([torch.ones(2), torch.zeros(2)]).tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_sparse_tensors_become_dense(device: burn_array.Device) -> None:
    x = burn_array.asarray(torch.tensor([[0.0, 2.0], [0.0, 0.0]]).to_sparse(), device=device)
    assert x.tolist() == [[0.0, 2.0], [0.0, 0.0]]
    assert (x + 1).tolist() == [[1.0, 3.0], [1.0, 1.0]]


def test_a_tensor_that_requires_grad_is_refused(device: burn_array.Device) -> None:
    for t in (torch.ones(2, requires_grad=True), torch.nn.Parameter(torch.ones(2))):
        for make in (burn_array.asarray, burn_array.from_dlpack):
            with pytest.raises(GradientError, match="detach"):
                make(t, device=device)
            assert (make(t.detach(), device=device) * 2).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("code", "bhilqBHILQefdFD?p")
def test_c_types_of_equal_width_are_the_same_dtype(device: burn_array.Device, code: str) -> None:
    a = np.ones(3, dtype=code)
    if a.dtype not in device.adapter.dtypes:
        with pytest.raises(UnsupportedDTypeError):
            burn_array.asarray(a, device=device)
        return
    for x in (
        burn_array.asarray(a, device=device),
        burn_array.zeros(3, dtype=a.dtype, device=device),
        burn_array.asarray([1, 0, 1], dtype=code, device=device),
        burn_array.asarray(a[0], device=device),
    ):
        assert x.dtype is np.dtype(x.dtype.name)
        assert x.dtype == a.dtype
        assert (x + x).dtype is (x + x).to_device("numpy").dtype
    if device == NUMPY:
        assert np.shares_memory(np.asarray(burn_array.asarray(a)), a)


def test_unsupported_dtype_of_the_target_is_named() -> None:
    import ml_dtypes  # noqa: F401 - registers bfloat16

    a = np.ones(2, dtype="bfloat16")
    for device in (NUMPY, TORCH):
        if a.dtype not in device.adapter.dtypes:
            with pytest.raises(UnsupportedDTypeError, match=rf"{device} has no dtype bfloat16"):
                burn_array.asarray(a, device=device)
