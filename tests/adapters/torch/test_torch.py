"""What is PyTorch's own: tensors from outside, and products of integers on accelerators."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, cast

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array.adapters.common import pinned_copies as pinned
from burn_array.adapters.torch import (
    _complex as torch_complex,
)
from burn_array.adapters.torch import (
    linalg as torch_linalg,
)
from burn_array.adapters.torch import (
    moves as torch_moves,
)
from burn_array.adapters.torch._memory import share_memory
from burn_array.adapters.torch.adapter import TorchAdapter
from burn_array.errors import ArgumentError, CopyRequiredError, DeviceNotFoundError

INF, NAN = math.inf, math.nan


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


HALVES = [torch.float16, torch.bfloat16]
SPREADS = {
    "few": [0, 400, 800],
    "two": [0, 600],
    "as large as can be": [60000, -60000],
    "around 350": np.random.default_rng(1).uniform(300, 400, 4096),
    "small": np.random.default_rng(2).uniform(0, 1e-3, 512),
}
CORRECTIONS = [0, 0.5, 1, 1.5, -1, 2, 5000]


def nearest(values: Any, dtype: torch.dtype) -> Any:
    """Return the numbers of ``dtype`` nearest to ``values``."""
    return torch.as_tensor(values, dtype=torch.float64).to(dtype).double().numpy()


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", SPREADS)
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_the_spread_of_halves(dtype: torch.dtype, name: str, correction: float) -> None:
    """A variance that no half can hold has a root that one can."""
    values = nearest(SPREADS[name], dtype)
    x = xp.asarray(torch.as_tensor(values).to(dtype))
    free = max(len(values) - correction, 0)
    variance = np.var(values) * (len(values) / free if free else np.inf)
    for function, right in ((xp.var, variance), (xp.std, np.sqrt(variance))):
        got = function(x, correction=correction)._native
        assert got.dtype is dtype
        rounding = torch.finfo(dtype).eps
        np.testing.assert_allclose(got.double().numpy(), nearest(right, dtype), rtol=rounding)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("function", [xp.var, xp.std])
def test_the_spread_of_halves_has_the_shape_of_others(dtype: torch.dtype, function: Any) -> None:
    settings: list[dict[str, Any]] = [
        {}, {"correction": 1}, {"axis": ()}, {"axis": (), "correction": 1}, {"axis": (0, 1), "correction": 0.5},
        {"axis": 1, "keepdims": True, "correction": 1}, {"axis": -1}, {"correction": 9},
    ]  # fmt: skip
    cases: list[list[list[float]]] = [[[300, 400], [0, 1]], [[1, INF]], [[NAN, 1]], [[], []]]
    for values in cases:
        single = torch.tensor(values, dtype=torch.float32)
        for one in settings:
            want = function(xp.asarray(single), **one)._native
            got = function(xp.asarray(single.to(dtype)), **one)._native
            assert got.dtype is dtype
            np.testing.assert_allclose(got.float().numpy(), nearest(want, dtype), rtol=torch.finfo(dtype).eps)


REDUCED: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    # name: on an array, on its values in double precision
    "prod": (xp.prod, np.prod),
    "prod, axis": (lambda x: xp.prod(x, axis=0), np.prod),
    "prod, axes": (lambda x: xp.prod(xp.stack([x, x]), axis=(1,), keepdims=True)[1, 0], np.prod),
    "prod, dtype": (lambda x: xp.prod(x, dtype=x.dtype), np.prod),
    "sum": (xp.sum, np.sum),
    "sum, dtype": (lambda x: xp.sum(xp.stack([x, x]), axis=1, dtype=x.dtype)[1], np.sum),
    "sum, no axes": (lambda x: xp.sum(x, axis=()), np.asarray),
    "mean": (xp.mean, np.mean),
    "cumulative_sum": (xp.cumulative_sum, np.cumsum),
    "cumulative_prod": (lambda x: xp.cumulative_prod(x, include_initial=True)[1:], np.cumprod),
}
REDUCIBLE = {
    "comes back": [300, 300, 0.25, 0.5],
    "around 1": 1 + np.random.default_rng(3).uniform(-0.02, 0.02, 2000),
    "around 350": np.random.default_rng(4).uniform(300, 400, 100),
}


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("values", REDUCIBLE)
@pytest.mark.parametrize("name", REDUCED)
def test_sums_and_products_of_halves_are_rounded_once(name: str, values: str, dtype: torch.dtype) -> None:
    exact = nearest(REDUCIBLE[values], dtype)
    function, right = REDUCED[name]
    got = function(xp.asarray(torch.as_tensor(exact).to(dtype)))._native
    assert got.dtype is dtype
    want = nearest(right(exact), dtype)
    np.testing.assert_allclose(got.double().numpy(), want, rtol=torch.finfo(dtype).eps)


def test_a_product_of_halves_in_a_wider_dtype() -> None:
    wide = xp.prod(xp.asarray([300, 300], dtype=xp.float16, device="torch:cpu"), dtype=xp.float64)
    assert wide.dtype == xp.float64
    assert float(wide) == 90000


def test_the_spread_of_no_numbers_is_silent() -> None:
    x = xp.ones((2, 0), device="torch:cpu")
    for axis, shape in ((0, (0,)), ((), (2, 0)), (1, (2,))):
        for correction in (0, 1):
            assert xp.var(x, axis=axis, correction=correction).shape == shape
            assert xp.all(xp.isnan(xp.std(x, axis=axis, correction=correction)))


@pytest.mark.parametrize(
    "tensor", [torch.ones(3), torch.ones(3, dtype=torch.complex64)], ids=["real", "complex"]
)
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
    with pytest.raises(
        DeviceNotFoundError, match=r"torch:cpu \(PyTorch .* is built without CUDA.*pytorch\.org"
    ):
        xp.device("torch:cuda:0")
    monkeypatch.setattr(torch.version, "cuda", "13.0")

    def too_old() -> None:
        raise RuntimeError(
            "The NVIDIA driver on your system is too old (found version 11040).\nPlease update"
        )

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


def test_a_move_to_another_library_on_another_gpu_is_made_within_pytorch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_the_inverse_hyperbolic_tangent_of_small_numbers(dtype: str) -> None:
    """What stands for PyTorch's own on accelerators."""
    parts = [0.0, -0.0, 1e-30, -1e-8, 1e-8, 0.3, -0.2]
    numbers = np.asarray([complex(a, b) for a in parts for b in parts], dtype=dtype)
    found = torch_complex.small_atanh(torch.from_numpy(numbers)).numpy()
    wanted, eps = np.arctanh(numbers), float(np.finfo(dtype).eps)
    for a, b in ((found.real, wanted.real), (found.imag, wanted.imag)):
        np.testing.assert_allclose(a, b, rtol=8 * eps)
        np.testing.assert_array_equal(np.signbit(a), np.signbit(b))


class Backwards:
    """Memory of an accelerator that is read from its end."""

    strides = (-8,)

    def copy(self) -> torch.Tensor:
        return torch.asarray([3.0, 2.0])


def test_memory_of_negative_strides_is_copied_before_pytorch_sees_it() -> None:
    assert torch_moves.import_device(Backwards(), None, None).tolist() == [3.0, 2.0]
    with pytest.raises(CopyRequiredError, match="negative strides"):
        torch_moves.import_device(Backwards(), False, None)


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
    inexact = (
        () if dtype == "float16" else (0.1, 1e-30)
    )  # PyTorch does not round these to half precision first
    for number in (0.5, -0.5, -2, 3, 1000, *inexact, 0.0, -0.0, True, math.inf, -math.inf, math.nan):
        same(function(x, number), function(y, number), name)
    for number in (2.0, -3, 0.5):
        same(function(number, x), function(number, y), name)
    same(function(x[:, None], x), function(y[:, None], y), name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", xp.devices("torch"), ids=str)
@pytest.mark.parametrize(
    "limits", [(0.5, 2.0), (3, -3), (math.nan, 1.0), (None, 2), (-1, math.inf), (0, 70000)]
)
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


@pytest.mark.parametrize("own", [1, 11, 13, 96, 5000])
def test_its_own_threads_copy_on_the_way_to_a_gpu_where_it_has_more(
    own: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch, "get_num_threads", lambda: own)
    monkeypatch.setattr(pinned, "_cores", lambda: 16)
    workers = torch_moves._upload_workers()
    assert workers.threads == (0 if own > 10 else 10)
    if own > 10:
        assert workers.unit == own * 4096
        assert workers.largest % workers.unit == 0
    source = np.random.default_rng(own).integers(0, 255, (40 << 20) + 3, dtype=np.uint8)
    target = np.zeros_like(source)

    class Done:
        def synchronize(self) -> None:
            pass

    def send(buffer: pinned.StagingBuffer, start: int, size: int) -> None:
        target[start : start + size] = buffer.bytes[:size]

    pinned.upload(
        source,
        workers,
        lambda size: pinned.StagingBuffer(None, np.zeros(size, dtype=np.uint8), Done()),
        send,
        lambda: None,
    )
    np.testing.assert_array_equal(target, source)


def test_the_variance_of_nothing_is_that_of_numpy() -> None:
    x = xp.zeros((0, 3), device="torch:cpu")
    for correction in (-2, -0.5, 0, 1):
        for function, numpys in ((xp.var, np.var), (xp.std, np.std)):
            with (
                np.errstate(all="ignore"),
                pytest.warns(RuntimeWarning) if correction >= 0 else nullcontext(),
            ):
                wanted = numpys(np.zeros((0, 3)), axis=0, ddof=correction)
            np.testing.assert_array_equal(function(x, axis=0, correction=correction), wanted)


def test_a_negative_number_of_repeats_is_an_argument_error() -> None:
    x = xp.asarray([1, 2], device="torch:cpu")
    with pytest.raises(ArgumentError, match="repeat"):
        xp.repeat(x, xp.asarray([1, -1], device="torch:cpu"))


def test_a_lazy_conjugate_is_stored_in_the_array_whose_memory_it_has() -> None:
    tensor = torch.tensor([1 + 2j, 3 - 4j])
    x = xp.asarray(tensor, copy=False)
    TorchAdapter.setitem(tensor, slice(None), tensor.conj())
    assert x.tolist() == [1 - 2j, 3 + 4j]
    TorchAdapter.setitem(tensor, slice(None), tensor)
    assert x.tolist() == [1 - 2j, 3 + 4j]


def test_which_parts_of_an_array_share_memory() -> None:
    x = torch.arange(24.0).reshape(4, 6)
    apart = [
        (x[:2], x[2:]),
        (x[:, :3], x[:, 3:]),
        (x[::2], x[1::2]),
        (x[:, 0], x[:, 1]),
        (x[0, ::2], x[0, 1::2]),
    ]
    for a, b in [*apart, (x[:0], x), (torch.view_as_complex(x.reshape(12, 2)).real, x[0, 1::2])]:
        assert not share_memory(a, b)
        assert not share_memory(b, a)
    for a, b in ((x, x), (x[:3], x[1:]), (x.T, x), (x[::2], x[1]), (x[:, 1], x[1]), (x[:, :4], x[:, 3:])):
        shares = bool(set(_addresses(a)) & set(_addresses(b)))
        assert share_memory(a, b) >= shares
        assert share_memory(b, a) >= shares


def _addresses(x: torch.Tensor) -> list[int]:
    return [x[place].data_ptr() for place in np.ndindex(*x.shape)]
