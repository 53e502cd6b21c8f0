"""What is PyTorch's own: tensors from outside, and products of integers on accelerators."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array.adapters import torch_linalg, torch_moves
from burn_array.adapters.torch import TorchAdapter
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


class Elsewhere:
    """Another library on the second GPU."""

    dlpack_device = (2, 1)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        return exporter, copy


def test_a_move_to_another_library_on_another_gpu_is_made_within_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = TorchAdapter("cpu")
    x, target = torch.ones(2), cast(Any, Elsewhere())
    assert gpu.deliver(x, target, None) is None
    gpu.native_device, gpu.dlpack_device = torch.device("cuda", 0), (2, 0)
    monkeypatch.setattr(torch_moves, "to_device", lambda native, device: (native, str(device)))
    assert gpu.deliver(x, target, None) == ((x, "cuda:1"), None)
    assert gpu.deliver(x, target, True) == ((x, "cuda:1"), None)
    assert gpu.deliver(x, target, False) is None
    gpu.dlpack_device = (2, 1)
    assert gpu.deliver(x, target, None) is None


SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.5, -7.5, math.inf, -math.inf, math.nan]
OF_NUMBERS = "divide equal floor_divide greater less maximum minimum multiply pow remainder subtract".split()


def same(ours: xp.Array, numpys: xp.Array, name: str = "") -> None:
    assert ours.dtype == numpys.dtype
    a, b = np.asarray(ours.to_device("numpy")), np.asarray(numpys)
    np.testing.assert_allclose(a, b, rtol=4 * float(np.finfo(a.dtype).eps) if name == "pow" else 0)
    if a.dtype.kind == "f" and name not in ("maximum", "minimum", "clip"):  # of equal zeros any one is right
        np.testing.assert_array_equal(np.signbit(a[~np.isnan(a)]), np.signbit(b[~np.isnan(b)]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", xp.devices("torch"), ids=str)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_python_numbers_beside_floats_are_as_on_numpy(name: str, dtype: str, place: xp.Device) -> None:
    """Those that PyTorch takes as they are, and those that need an array."""
    values = np.asarray(SPECIAL, dtype=dtype)
    x, y = xp.asarray(values, device=place), xp.asarray(values)
    function = getattr(xp, name)
    inexact = () if dtype == "float16" else (0.1, 1e-30)  # PyTorch does not round these to half precision first
    for number in (0.5, -0.5, -2, 3, 1000, *inexact, 0.0, -0.0, True, math.inf, -math.inf, math.nan):
        same(function(x, number), function(y, number), name)
    for number in (2.0, -3, 0.5):
        same(function(number, x), function(number, y), name)
    same(function(x[:, None], x), function(y[:, None], y), name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", xp.devices("torch"), ids=str)
@pytest.mark.parametrize("limits", [(0.5, 2.0), (3, -3), (math.nan, 1.0), (None, 2), (-1, math.inf), (0, 70000)])
def test_limits_are_as_on_numpy(limits: tuple[float | None, float], place: xp.Device) -> None:
    for dtype in ("float32", "float64", "int32"):
        if dtype == "int32" and math.nan in limits:
            continue
        values = np.asarray(SPECIAL[:6] if dtype == "int32" else SPECIAL).astype(dtype)
        ours, numpys = (xp.clip(xp.asarray(values, device=at), *limits) for at in (place, "numpy"))
        same(ours, numpys, "clip")


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse", "unique_values"])
def test_distinct_nans_and_first_occurrences(name: str) -> None:
    values = np.asarray([[math.nan, 2.0, -0.0], [1.0, math.nan, 2.0], [0.0, 1.0, math.inf]])
    ours, numpys = (getattr(xp, name)(xp.asarray(values, device=at)) for at in ("torch:cpu", "numpy"))
    pairs = zip(ours, numpys, strict=True) if isinstance(ours, tuple) else [(ours, numpys)]
    for one, other in pairs:
        np.testing.assert_array_equal(np.asarray(one.to_device("numpy")), np.asarray(other))
