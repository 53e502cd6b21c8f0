"""PyTorch on a GPU: collected where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array.adapters.torch._factorisation_scaling import scaled
from burn_array.errors import DeviceMismatchError, DeviceNotFoundError, HostAccessError

pytestmark = pytest.mark.library("torch")
GPU = xp.device("torch:cuda:0")


@pytest.fixture
def no_waiting() -> Iterator[None]:
    """Make PyTorch raise where the host would wait for the GPU."""
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    yield
    torch.cuda.set_sync_debug_mode("default")


def test_running_sums_of_halves_are_rounded_at_every_step() -> None:
    """While this holds, ``cumulative_sum`` adds them up in single precision."""
    x = torch.tensor([60000, 60000, -60000], dtype=torch.float16, device="cuda")
    assert torch.isinf(torch.cumsum(x, 0)[-1])
    assert xp.cumulative_sum(xp.asarray(x)).tolist() == [60000, float("inf"), 60000]


X = xp.reshape(xp.arange(1.0, 25.0, device=GPU), (4, 6))
M = X @ xp.matrix_transpose(X) + 100.0 * xp.eye(4, device=GPU)
INTS = xp.astype(X, xp.int32)
UNSIGNED = xp.astype(X, xp.uint64)
COMPLEX = xp.astype(X, xp.complex64)
INDICES = xp.asarray([2, 0, 1], device=GPU)

UNARY = (
    "abs acosh asinh atan bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log log1p "
    "log2 log10 logical_not negative positive real reciprocal round sign signbit sin sinh square sqrt tan tanh trunc"
).split()
BINARY = (
    "add atan2 bitwise_and copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp "
    "logical_and maximum minimum multiply nextafter not_equal pow remainder subtract"
).split()
REDUCTIONS = "all any argmax argmin count_nonzero max mean min prod std sum var".split()


def operand(name: str) -> xp.Array:
    if name.startswith("bitwise"):
        return INTS
    return COMPLEX if name in ("conj", "imag", "real") else X


def unary(name: str) -> Any:
    return getattr(xp, name)(operand(name))


def binary(name: str) -> Any:
    return getattr(xp, name)(operand(name), operand(name))


def reduction(name: str, axis: int | None) -> Any:
    return getattr(xp, name)(X, axis=axis)


CALLS: dict[str, Callable[[], Any]] = {
    **{name: partial(unary, name) for name in UNARY},
    **{name: partial(binary, name) for name in BINARY},
    **{f"{name} by axis": partial(reduction, name, 0) for name in REDUCTIONS},
    **{f"{name} of all": partial(reduction, name, None) for name in REDUCTIONS},
    "a + 1.0": lambda: X + 1.0,
    "2 * a": lambda: 2 * X,
    "integers + float": lambda: INTS + 0.5,
    "uint64 + uint64": lambda: UNSIGNED + UNSIGNED,
    "uint64 < int": lambda: UNSIGNED < 3,
    "astype": lambda: xp.astype(X, xp.float32),
    "clip": lambda: xp.clip(X, 2.0, 9.0),
    "where": lambda: xp.where(X > 3.0, X, 0.0),
    "x[1]": lambda: X[1],
    "x[::-1, 2:]": lambda: X[::-1, 2:],
    "take": lambda: xp.take(X, INDICES, axis=0),
    "cumulative_sum": lambda: xp.cumulative_sum(X, axis=1),
    "cumulative_prod": lambda: xp.cumulative_prod(X, axis=1),
    "diff": lambda: xp.diff(X),
    "sort": lambda: xp.sort(X, axis=0),
    "argsort": lambda: xp.argsort(X, descending=True),
    "searchsorted": lambda: xp.searchsorted(X[0], X[1]),
    "reshape": lambda: xp.reshape(X, (3, 8)),
    "concat": lambda: xp.concat([X, X], axis=1),
    "stack": lambda: xp.stack([X, X]),
    "flip": lambda: xp.flip(X),
    "roll": lambda: xp.roll(X, 2, axis=1),
    "tile": lambda: xp.tile(X, (2, 2)),
    "repeat": lambda: xp.repeat(X, 2, axis=0),
    "permute_dims": lambda: xp.permute_dims(X, (1, 0)),
    "broadcast_to": lambda: xp.broadcast_to(X, (3, 4, 6)),
    "unstack": lambda: xp.unstack(X),
    "tril": lambda: xp.tril(X),
    "matmul": lambda: X @ xp.matrix_transpose(X),
    "integer matmul": lambda: INTS @ xp.matrix_transpose(INTS),
    "tensordot": lambda: xp.tensordot(X, X, axes=2),
    "vecdot": lambda: xp.vecdot(X, X),
    "cross": lambda: xp.linalg.cross(X[:, :3], X[:, 3:]),
    "outer": lambda: xp.linalg.outer(X[0], X[1]),
    "trace": lambda: xp.linalg.trace(M),
    "diagonal": lambda: xp.linalg.diagonal(M),
    "vector_norm": lambda: xp.linalg.vector_norm(X, axis=1),
    "matrix_norm": lambda: xp.linalg.matrix_norm(X),
    "fft": lambda: xp.fft.fft(X),
    "irfft": lambda: xp.fft.irfft(X),
    "divide by a number": lambda: X / 3,
    "floor_divide by a number": lambda: X // 3,
    "zeros": lambda: xp.zeros((3, 4), device=GPU),
    "full": lambda: xp.full((3, 4), 2.5, device=GPU),
    "arange": lambda: xp.arange(10, device=GPU),
    "linspace": lambda: xp.linspace(0.0, 1.0, 7, device=GPU),
    "eye": lambda: xp.eye(4, device=GPU),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_host_does_not_wait(name: str, no_waiting: None) -> None:
    result = CALLS[name]()
    first = result[0] if isinstance(result, tuple) else result
    assert first.device == GPU


def test_the_host_does_not_wait_for_the_largest_element(no_waiting: None) -> None:
    small, up = scaled(torch.full((3, 2, 2), 2.0**-1000, dtype=torch.complex128, device="cuda:0"))
    assert small.shape == (3, 2, 2)
    assert up.shape == (3, 1, 1)


# Canaries of overrides that only a GPU needs. One that fails means that PyTorch has changed, and the override can go.


def test_pytorch_multiplies_no_matrices_of_integers() -> None:
    x = torch.ones(2, 2, dtype=torch.int64, device="cuda:0")
    with pytest.raises(RuntimeError, match="not implemented"):
        torch.matmul(x, x)


def test_pytorch_multiplies_by_the_reciprocal_of_a_number() -> None:
    x = torch.arange(1, 1000, dtype=torch.float64, device="cuda:0")
    assert not torch.equal(x / 3, x / torch.full((), 3.0, dtype=torch.float64, device="cuda:0"))
    x *= 1e18
    small = torch.full((), 1e-30, dtype=torch.float64, device="cuda:0")
    assert not torch.equal(torch.floor_divide(x, 1e-30), torch.floor_divide(x, small))


def test_the_arc_tangent_loses_small_parts() -> None:
    assert torch.atan(torch.tensor([1e-8j], dtype=torch.complex64, device="cuda:0")).item() == 0


def test_a_factorisation_gives_nan_beside_a_norm_that_overflows() -> None:
    x = torch.tensor([[1.0, 0.2], [1.0, 0.1]], dtype=torch.complex128, device="cuda:0") * 1.7e308
    assert torch.isnan(torch.view_as_real(torch.linalg.qr(x).R)).any()


def test_waiting_is_noticed(no_waiting: None) -> None:
    with pytest.raises(RuntimeError, match="synchroniz"):
        float(X[0, 0])


def test_bad_devices_say_what_is_there() -> None:
    with pytest.raises(DeviceNotFoundError, match="torch:cuda:0"):
        xp.device("torch:cuda:99")
    with pytest.raises(DeviceMismatchError, match="to_device"):
        X + xp.ones((4, 6), device="torch:cpu")
    with pytest.raises(HostAccessError, match="to_device"):
        np.asarray(X)


def test_a_round_trip_keeps_values() -> None:
    values = np.arange(10**6, dtype=np.float32)
    there = xp.asarray(values, device=GPU)
    assert np.array_equal(np.asarray(there.to_device("numpy")), values)


@pytest.fixture(params=[1, 12, 32])
def threads_of_torch(request: pytest.FixtureRequest) -> Iterator[None]:
    """Threads of Python, or PyTorch's own, copy on the host."""
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("inference", [False, True])
@pytest.mark.parametrize("size", [(8 << 20) - 1, 8 << 20, (97 << 20) + 5])
def test_large_moves_keep_values(threads_of_torch: None, size: int, inference: bool) -> None:
    values = np.random.default_rng(size).integers(0, 255, size, dtype=np.uint8)
    with torch.inference_mode(inference):
        there = xp.asarray(values, device=GPU)
        back = there.to_device("numpy")
    values_before, values[:] = values.copy(), 0
    assert np.array_equal(np.asarray(back), values_before)
    assert np.array_equal(np.asarray((there + 0).to_device("numpy")), values_before)


def test_large_moves_do_not_ask_for_the_default_device_of_torch(threads_of_torch: None) -> None:
    values = np.arange(3 << 20, dtype=np.float32)
    with torch.device("cuda"):
        back = xp.asarray(values, device=GPU).to_device("numpy")
    assert np.array_equal(np.asarray(back), values)


def test_large_moves_come_after_what_is_queued(threads_of_torch: None) -> None:
    ones = np.ones(16 << 20, dtype=np.float32)
    xp.asarray(ones, device=GPU).to_device("numpy")
    with torch.cuda.stream(torch.cuda.Stream()):
        x = xp.full(16 << 20, 2.0, dtype=xp.float32, device=GPU)
        torch.cuda._sleep(100_000_000)
        x += 1.0
        back = x.to_device("numpy")
        assert float(np.min(np.asarray(back))) == 3.0
        torch.cuda._sleep(100_000_000)
        x += 1.0
        del x  # its memory is the next array's, while the sum is still queued
        there = xp.asarray(ones, device=GPU)
        assert bool(xp.all(there == 1.0))


def test_moves_between_all_gpus() -> None:
    """Of every library here, with work on the source still queued."""
    gpus = [one for one in xp.devices() if one.library in ("torch", "cupy") and not one.is_host]
    for source in gpus:
        for target in gpus:
            x = xp.arange(2**20, dtype=xp.float32, device=source)
            moved = (x @ x * 0 + x + 1).to_device(target)
            assert moved.device == target
            assert np.array_equal(
                np.asarray(moved.to_device("numpy")), np.arange(1, 2**20 + 1, dtype=np.float32)
            )
