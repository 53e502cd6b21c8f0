"""Dtypes and devices in the words of a library or of Python: all functions with ``dtype=`` or ``device=``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import burn_array
from burn_array.errors import ArgumentTypeError, UnsupportedDTypeError

xp = burn_array
CALLS: dict[str, Callable[..., Any]] = {
    "arange": lambda x, **k: xp.arange(3.0, **k),
    "asarray": lambda x, **k: xp.asarray([1.0, 2.0], **k),
    "astype": lambda x, **k: xp.astype(x, k.pop("dtype", x.dtype), **k),
    "cumulative_prod": lambda x, **k: xp.cumulative_prod(x, **k),
    "cumulative_sum": lambda x, **k: xp.cumulative_sum(x, **k),
    "empty": lambda x, **k: xp.empty(2, **k),
    "empty_like": lambda x, **k: xp.empty_like(x, **k),
    "eye": lambda x, **k: xp.eye(2, **k),
    "fft.fftfreq": lambda x, **k: xp.fft.fftfreq(4, **k),
    "fft.rfftfreq": lambda x, **k: xp.fft.rfftfreq(4, **k),
    "from_dlpack": lambda x, **k: xp.from_dlpack(x, **k),
    "full": lambda x, **k: xp.full(2, 1.5, **k),
    "full_like": lambda x, **k: xp.full_like(x, 1.5, **k),
    "linalg.trace": lambda x, **k: xp.linalg.trace(xp.stack([x, x]), **k),
    "linspace": lambda x, **k: xp.linspace(0.0, 1.0, 3, **k),
    "ones": lambda x, **k: xp.ones(2, **k),
    "ones_like": lambda x, **k: xp.ones_like(x, **k),
    "prod": lambda x, **k: xp.prod(x, **k),
    "random.bernoulli": lambda x, **k: xp.random.bernoulli(0.5, shape=(2,), **k),
    "random.choice": lambda x, **k: xp.random.choice(3, **k),
    "random.integers": lambda x, **k: xp.random.integers((2,), high=5, **k),
    "random.normal": lambda x, **k: xp.random.normal((2,), **k),
    "random.permutation": lambda x, **k: xp.random.permutation(3, **k),
    "random.uniform": lambda x, **k: xp.random.uniform((2,), **k),
    "spec": lambda x, **k: xp.spec(2, **k),
    "sum": lambda x, **k: xp.sum(x, **k),
    "zeros": lambda x, **k: xp.zeros(2, **k),
    "zeros_like": lambda x, **k: xp.zeros_like(x, **k),
}


def functions_with(parameter: str) -> set[str]:
    """Return the names of all public functions that have a parameter of that name."""
    found = set()
    for prefix, module in (("", xp), ("linalg.", xp.linalg), ("fft.", xp.fft), ("random.", xp.random)):
        for name in getattr(module, "__all__", dir(module)):
            function = getattr(module, name)
            if inspect.isfunction(function) and parameter in inspect.signature(function).parameters:
                found.add(prefix + name)
    return found


TAKE_DTYPE = sorted((functions_with("dtype") | {"astype"}) - {"finfo", "iinfo", "isdtype"})
OF_GENERATORS = {"random.get_state", "random.seed", "random.set_state"}
TAKE_DEVICE = sorted(functions_with("device") - {"default_device"} - OF_GENERATORS)


@pytest.mark.parametrize("name", TAKE_DTYPE)
def test_every_function_takes_the_dtypes_of_python_numpy_and_the_library(
    device: burn_array.Device, name: str
) -> None:
    x = xp.asarray([1.0, 2.0], dtype=xp.float32, device=device)
    dtype = xp.int32 if name == "random.integers" else xp.float32
    native = device.adapter.dtypes[dtype]
    with xp.default_device(device):
        for form in (native, dtype, dtype.name, dtype.type, dtype.str):
            assert CALLS[name](x, dtype=form).dtype == dtype
        if xp.float64 in device.adapter.dtypes and name != "random.integers":
            assert CALLS[name](x, dtype=float).dtype == xp.float64
        with pytest.raises(ArgumentTypeError, match="expected a dtype"):
            CALLS[name](x, dtype=object())


@pytest.mark.parametrize("name", TAKE_DEVICE)
def test_every_function_takes_the_device_of_a_library(name: str) -> None:
    x = xp.asarray([1.0, 2.0], dtype=xp.float32, device="torch:cpu")
    for form in (torch.device("cpu"), "TORCH:cpu", "torch"):
        assert str(CALLS[name](x, device=form).device) == "torch:cpu"
    with pytest.raises(ArgumentTypeError, match=f"{name}: expected a device"):
        CALLS[name](x, device=object())


def test_generators_take_the_device_of_a_library() -> None:
    xp.random.seed(3, device=torch.device("cpu"))
    state = xp.random.get_state(device=torch.device("cpu"))
    x = xp.random.uniform((2,), device=torch.device("cpu"))
    xp.random.set_state(state, device=torch.device("cpu"))
    assert xp.all(xp.random.uniform((2,), device="torch:cpu") == x)


def test_the_dtypes_of_python(device: burn_array.Device) -> None:
    for form, dtype in {bool: xp.bool, int: xp.int64, float: xp.float64, complex: xp.complex128}.items():
        if dtype in device.adapter.dtypes:
            assert xp.zeros(2, dtype=form, device=device).dtype == dtype
        else:
            with pytest.raises(UnsupportedDTypeError, match=str(device.adapter.narrow[dtype])):
                xp.zeros(2, dtype=form, device=device)


def test_the_dtypes_of_another_library(device: burn_array.Device) -> None:
    x = xp.zeros(2, dtype=torch.float32, device=device)
    assert x.dtype == xp.float32
    assert xp.astype(x, torch.int32).dtype == xp.int32
    assert x.astype(torch.int32).dtype == xp.int32
    assert xp.isdtype(torch.float32, "real floating")
    assert xp.can_cast(torch.float32, xp.float64)
    assert xp.result_type(torch.float32, xp.float64) == xp.float64
    assert xp.finfo(torch.float32).dtype == xp.float32
    with pytest.raises(ArgumentTypeError, match="zeros: expected a dtype"):
        xp.zeros(2, dtype=torch.qint8, device=device)


def test_the_dtype_of_a_native_array(device: burn_array.Device) -> None:
    x = xp.zeros(2, device=device)
    native = x._native.value if device.is_autodiff else x._native
    assert xp.ones(2, dtype=native.dtype, device=device).dtype == x.dtype
    assert np.dtype(x.dtype) == x.dtype
