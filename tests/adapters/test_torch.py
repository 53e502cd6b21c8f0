"""What is PyTorch's own: tensors from outside, and products of integers on accelerators."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array.adapters import torch_linalg
from burn_array.errors import DeviceNotFoundError


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_integer_matrices_through_float64(dtype: str) -> None:
    """Accelerators multiply so; the result is exact modulo the width."""
    limits = np.iinfo(dtype)
    random = np.random.default_rng(2025)
    x = random.integers(limits.min, limits.max, (2, 5, 600), dtype=dtype, endpoint=True)
    y = random.integers(limits.min, limits.max, (600, 7), dtype=dtype, endpoint=True)
    product = torch_linalg.split_product(torch.as_tensor(x), torch.as_tensor(y))
    assert np.array_equal(product.numpy(), np.matmul(x, y))
    with pytest.raises(ValueError, match="multiplied"):
        torch_linalg.split_product(torch.as_tensor(x), torch.as_tensor(y[:3]))


@pytest.mark.parametrize("tensor", [torch.ones(3), torch.ones(3, dtype=torch.complex64)], ids=["real", "complex"])
def test_lazy_tensors_become_plain(tensor: torch.Tensor) -> None:
    for one in (tensor, tensor.conj(), tensor.conj().imag if tensor.is_complex() else tensor, tensor.neg()):
        native = xp.asarray(one)._native
        assert type(native) is torch.Tensor
        assert not native.is_conj()
        assert not native.is_neg()
        assert np.array_equal(native.numpy(), one.resolve_conj().resolve_neg().numpy())


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_an_absent_gpu_says_why_and_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.version, "cuda", None)
    with pytest.raises(DeviceNotFoundError, match=r"torch:cpu \(PyTorch .* is built without CUDA.*pytorch\.org"):
        xp.device("torch:cuda:0")
    monkeypatch.setattr(torch.version, "cuda", "13.0")

    def too_old() -> None:
        raise RuntimeError("The NVIDIA driver on your system is too old (found version 11040).\nPlease update")

    monkeypatch.setattr(torch.cuda, "init", too_old)
    with pytest.raises(DeviceNotFoundError, match=r"driver on your system is too old .* Please update"):
        xp.zeros(2, device="torch:cuda:0")
    assert xp.device("torch:cpu").library == "torch"


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, -2, 7, -9, 2.0, 99])
def test_whole_powers_of_complex_numbers_are_products(exponent: float) -> None:
    """Logarithms would leave a real part beside an imaginary number to the third, of the size of rounding."""
    values = np.array([2j, -0.5j, 3.0, 1 + 2j, -0.25 + 0.5j, 0])
    power = np.asarray(xp.asarray(values, device="torch:cpu") ** exponent)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(power, values**exponent, rtol=1e-14)
    whole = power[:3].real if exponent % 2 == 0 else power[:2].imag
    assert np.all(whole != 0)
    assert np.all((power[:3].imag if exponent % 2 == 0 else power[:2].real) == 0)


def test_one_index_array_among_slices_gives_rows_in_order() -> None:
    """So that sums along the last axis are taken in one order, whatever is indexed at once; scipy.stats compares."""
    x = xp.ones((10, 12, 11), device="torch:cpu")
    native = x[..., xp.zeros((7, 11), dtype=xp.int64)]._native
    assert native.is_contiguous()
