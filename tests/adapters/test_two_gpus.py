"""Arrays on two GPUs of one host; collected where a library sees two (see ``conftest.py``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.autodiff import grad
from burn_array.errors import CopyRequiredError, DeviceMismatchError, DeviceNotFoundError

GPUS = [one for one in xp.devices() if one.library in ("cupy", "torch") and not one.is_host]


def pairs(*, apart: bool) -> list[Any]:
    """Return the pairs of devices with different hardware; for ``apart``, only pairs of two different GPUs."""
    return [
        pytest.param(a, b, id=f"{a}-{b}", marks=pytest.mark.library(a.library))
        for a in GPUS
        for b in GPUS
        if a.hardware != b.hardware and not (apart and a.adapter.dlpack_device == b.adapter.dlpack_device)
    ]


PAIRS = pairs(apart=True)
SECOND = [
    pytest.param(one, marks=pytest.mark.library(one.library)) for one in GPUS if not str(one).endswith(":0")
]


def values(x: xp.Array) -> Any:
    """Return the array as an ndarray."""
    return np.asarray(x.to_device("numpy"))


def index_of(native: Any) -> int:
    """Return the number of the GPU that holds a native array."""
    return int(native.device.index if hasattr(native.device, "index") else native.device.id)


def current(library: str) -> int:
    """Return the number of the GPU that a library uses by default."""
    if library == "torch":
        import torch

        return torch.cuda.current_device()
    import cupy

    return int(cupy.cuda.runtime.getDevice())


# -- moves --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("shape", [(), (0, 3), (5,), (300, 700)])
@pytest.mark.parametrize("dtype", ["bool", "uint16", "float16", "float64", "complex128"])
def test_moves_keep_values(source: xp.Device, target: xp.Device, shape: tuple[int, ...], dtype: str) -> None:
    array = np.random.default_rng(1).integers(0, 9, shape).astype(dtype)
    x = xp.asarray(array, device=source)
    moved = x.to_device(target)
    assert moved.device == target
    assert moved.dtype == x.dtype
    np.testing.assert_array_equal(values(moved), array)
    np.testing.assert_array_equal(values(moved.to_device(source)), array)


@pytest.mark.parametrize(("source", "target"), pairs(apart=False))
def test_views_move_with_their_values(source: xp.Device, target: xp.Device) -> None:
    array = np.arange(24.0).reshape(4, 6)
    x = xp.asarray(array, device=source)
    np.testing.assert_array_equal(values(x[::-1, 1::2].to_device(target)), array[::-1, 1::2])
    np.testing.assert_array_equal(values(x.T.to_device(target)), array.T)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_move_waits_for_queued_work(source: xp.Device, target: xp.Device) -> None:
    """A move waits for earlier work, and later work does not change its result."""
    m = xp.ones((4096, 4096), dtype=xp.float32, device=source)
    x = xp.zeros((4096, 4096), dtype=xp.float32, device=source)
    for _ in range(20):
        x = m @ m
    moved = x.to_device(target)
    x += 1.0
    assert bool(xp.all(moved == 4096.0))
    assert bool(xp.all(x == 4097.0))


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_moved_array_is_a_copy(source: xp.Device, target: xp.Device) -> None:
    x = xp.ones(1000, device=source)
    moved = x.to_device(target)
    moved += 1.0
    assert bool(xp.all(x == 1.0))
    with pytest.raises(CopyRequiredError, match="copy=False"):
        xp.asarray(x, device=target, copy=False)


# -- work on the second GPU -------------------------------------------------------------------------

WORK: dict[str, Callable[[xp.Array], xp.Array]] = {
    "elementwise": lambda x: xp.sin(x) + x * 2.0 - x**2,
    "comparison": lambda x: xp.where(x > 3.0, x, -x),
    "reduction": lambda x: xp.sum(x, axis=0) + xp.std(x),
    "running": lambda x: xp.cumulative_sum(x, axis=1),
    "indexing": lambda x: x[x > 5.0] + xp.take(x, xp.asarray([0, 0], device=x.device), axis=0)[0, 0],
    "sorting": lambda x: xp.sort(-x, axis=1) + xp.astype(xp.argsort(x), xp.float64),
    "sets": lambda x: xp.unique_values(xp.round(x / 3)),
    "manipulation": lambda x: xp.concat([x, xp.flip(x)], axis=1),
    "matmul": lambda x: x @ xp.matrix_transpose(x),
    "solve": lambda x: xp.linalg.solve(x @ xp.matrix_transpose(x) + xp.eye(4, device=x.device), x),
    "eigh": lambda x: xp.linalg.eigvalsh(x @ xp.matrix_transpose(x)),
    "svd": lambda x: xp.linalg.svdvals(x),
    "fft": lambda x: xp.real(xp.fft.fft(x)),
    "special": lambda x: xp.special.erf(x / 20) + xp.special.logsumexp(x),
}


@pytest.mark.parametrize("gpu", SECOND, ids=str)
@pytest.mark.parametrize("name", WORK)
def test_work_runs_where_the_array_is(gpu: xp.Device, name: str) -> None:
    array = np.arange(24.0).reshape(4, 6) + np.eye(4, 6)
    before = current(gpu.library)
    result = WORK[name](xp.asarray(array, device=gpu))
    assert result.device == gpu
    assert index_of(result._native) == int(str(gpu).rpartition(":")[2])
    assert current(gpu.library) == before == 0
    np.testing.assert_allclose(
        values(result), values(WORK[name](xp.asarray(array, device="numpy"))), rtol=1e-10
    )


@pytest.mark.parametrize("gpu", SECOND, ids=str)
def test_arrays_are_made_where_they_are_asked_for(gpu: xp.Device) -> None:
    assert bool(xp.all(xp.full((3, 4), 2.5, device=gpu) == 2.5))
    assert xp.arange(10, device=gpu)[-1].item() == 9
    with xp.default_device(gpu):
        assert xp.linspace(0.0, 1.0, 5).device == gpu
        xp.random.seed(3, device=gpu)
        drawn = xp.random.normal((100,))
    assert drawn.device == gpu
    assert current(gpu.library) == 0
    xp.random.seed(3, device=gpu)
    assert bool(xp.all(xp.random.normal((100,), device=gpu) == drawn))


@pytest.mark.parametrize("gpu", SECOND, ids=str)
def test_arrays_of_the_library_keep_their_gpu(gpu: xp.Device) -> None:
    native = xp.ones(3, device=gpu)._native
    taken = xp.asarray(native)
    assert taken.device == gpu
    assert index_of((taken + 1.0)._native) == index_of(native)


def test_an_absent_gpu_is_an_error() -> None:
    for library, name in {(one.library, str(one)) for one in GPUS}:
        with pytest.raises(DeviceNotFoundError, match=name):
            xp.device(f"{name.rpartition(':')[0]}:{90 + len(library)}")


# -- both GPUs in one call ---------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_two_gpus_in_one_call_are_a_mismatch(a: xp.Device, b: xp.Device) -> None:
    x, y = xp.ones(3, device=a), xp.ones(3, device=b)
    calls: list[Callable[[], Any]] = [
        lambda: x + y,
        lambda: xp.concat([x, y]),
        lambda: xp.where(x > 0, x, y),
        lambda: xp.linalg.outer(x, y),
    ]
    for call in calls:
        with pytest.raises(DeviceMismatchError, match=rf"{a} and {b}.*to_device"):
            call()
    free = xp.asarray(y._native)
    assert (x + xp.asarray(2.0)).device == a
    assert free.device == b


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_gradients_pass_between_gpus(a: xp.Device, b: xp.Device) -> None:
    def loss(x: xp.Array) -> xp.Array:
        return xp.sum(xp.exp((x * 2.0).to_device(b.autodiff())).to_device(a.autodiff()) * x)

    x = xp.asarray([0.0, 0.5, 1.0], dtype=xp.float64, device=a)
    found = grad(loss)(x)
    assert found.device.hardware == a.hardware
    v = np.asarray([0.0, 0.5, 1.0])
    np.testing.assert_allclose(values(found), np.exp(2 * v) * (1 + 2 * v), rtol=1e-13)
