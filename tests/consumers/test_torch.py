"""PyTorch makes tensors of arrays, and tensors become arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import burn_array

Host = Callable[[Any], np.ndarray[Any, Any]]


@pytest.fixture
def x(device: burn_array.Device) -> Any:
    return burn_array.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)


@pytest.mark.parametrize("convert", [torch.utils.dlpack.from_dlpack, torch.asarray, torch.as_tensor])
@pytest.mark.needs("64 bits")
def test_tensors_share_memory(x: Any, convert: Callable[[Any], torch.Tensor]) -> None:
    tensor = convert(x)
    assert tensor.dtype == torch.float64
    assert tensor.shape == (2, 3)
    tensor[0, 0] = 50.0
    assert float(x[0, 0]) == 50.0


def test_from_dlpack_takes_every_argument(x: Any) -> None:
    convert = vars(torch)["from_dlpack"]
    for settings in ({}, {"copy": False}, {"device": "cpu"}, {"device": torch.device("cpu"), "copy": False}):
        assert convert(x, **settings).data_ptr() == np.asarray(x).ctypes.data
    assert convert(x, copy=True).data_ptr() != np.asarray(x).ctypes.data


def test_copied_tensor(x: Any) -> None:
    tensor = torch.tensor(x)
    tensor[0, 0] = 50.0
    assert float(x[0, 0]) == 1.0
    assert torch.asarray(x, dtype=torch.float32).dtype == torch.float32


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "float32", "complex64"])
def test_dtypes(device: burn_array.Device, dtype: str) -> None:
    tensor = torch.utils.dlpack.from_dlpack(burn_array.ones(3, dtype=dtype, device=device))
    assert tensor.dtype == getattr(torch, dtype)
    assert burn_array.asarray(tensor).dtype == dtype


def test_arrays_of_tensors_share_memory() -> None:
    tensor = torch.arange(3.0)
    for array in (burn_array.asarray(tensor), burn_array.from_dlpack(tensor)):
        assert str(array.device) == "torch:cpu"
        array[0] = 9.0
        assert tensor[0] == 9.0
        tensor[0] = 0.0


def test_array_and_tensor_in_one_expression(x: Any, host: Host) -> None:
    tensor = torch.full((2, 3), 2.0, dtype=torch.float64)
    out = x * tensor
    assert type(out) is burn_array.Array
    assert out.device == x.device
    np.testing.assert_array_equal(host(out), 2 * host(x))


def test_data_loader(x: Any) -> None:
    loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.asarray(x)), batch_size=1)
    np.testing.assert_array_equal(np.concatenate([np.asarray(rows) for (rows,) in loader]), np.asarray(x))


@pytest.mark.needs("64 bits")
def test_module(x: Any, host: Host) -> None:
    layer = torch.nn.Linear(3, 2, dtype=torch.float64)
    out = burn_array.asarray(layer(torch.asarray(x)).detach(), device=x.device)
    weight, bias = (burn_array.asarray(p.detach(), device=x.device) for p in (layer.weight, layer.bias))
    np.testing.assert_allclose(host(out), host(x @ weight.T + bias), rtol=1e-12)
