"""What is PyTorch's own: tensors from outside, and products of integers on accelerators."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array.adapters import torch_linalg


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
