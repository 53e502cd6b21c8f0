"""Arrays of CuPy: devices and errors, streams, moves and memory, random numbers, on a GPU.

This file is collected if CuPy finds a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cupy
import numpy as np
import pytest
from scipy import special as scipy_special

import burn_array as xp
from burn_array.adapters.cupy import random as cupy_random
from burn_array.errors import (
    CopyRequiredError,
    DeviceMismatchError,
    DeviceNotFoundError,
    HostAccessError,
)

pytestmark = pytest.mark.library("cupy")
GPU = xp.device("cupy:0")


def array(values: Any, dtype: Any = None) -> Any:
    return xp.asarray(values, dtype=dtype, device=GPU)


# -- devices and errors -----------------------------------------------------------------------------


def test_devices() -> None:
    assert str(xp.device("cupy")) == "cupy:0"
    assert xp.asarray(cupy.ones(2)).device == GPU
    with pytest.raises(DeviceNotFoundError, match="devices of cupy: cupy:0"):
        xp.device("cupy:99")
    assert GPU.adapter.versions()["cupy"] == cupy.__version__


def test_host_access_and_mixing_raise() -> None:
    x = array([1.0])
    with pytest.raises(HostAccessError, match="to_device"):
        np.asarray(x)
    with pytest.raises(CopyRequiredError):
        xp.asarray(np.ones(2), device=GPU, copy=False)
    with pytest.raises(DeviceMismatchError, match="to_device"):
        x + xp.asarray([1.0], device="numpy")


def test_results_stay_on_the_device() -> None:
    x = array([[1.0, 2], [3, 4]])
    for result in (xp.sum(x), xp.max(x), x[0, 0], xp.linalg.det(x), xp.vecdot(x[0], x[1]), xp.argmax(x)):
        assert type(result._native) is cupy.ndarray
        assert result.shape == ()
    assert float(xp.sum(x)) == 10


# -- streams ----------------------------------------------------------------------------------------


def _long_work(stream: Any, out: Any) -> None:
    """Queue work of a good part of a second on ``stream``, then set ``out`` to 1."""
    with stream:
        matrix = cupy.ones((8192, 8192), dtype=cupy.float32)
        for _ in range(20):
            matrix = cupy.matmul(matrix, matrix) * 0 + 1
        out[...] = matrix[0, 0]


def test_work_goes_to_the_users_stream() -> None:
    stream = cupy.cuda.Stream(non_blocking=True)
    out = cupy.zeros(4)
    _long_work(stream, out)
    with stream:
        doubled = xp.asarray(out) * 2
        assert doubled.tolist() == [2, 2, 2, 2]


def test_a_consumer_sees_the_pending_work_of_a_producer() -> None:
    import torch.utils.dlpack

    stream = cupy.cuda.Stream(non_blocking=True)
    out = cupy.zeros(4)
    _long_work(stream, out)
    with stream:
        tensor = torch.utils.dlpack.from_dlpack(xp.asarray(out))
    assert (tensor * 2).tolist() == [2, 2, 2, 2]


def test_a_consumer_on_another_stream_waits_for_torch() -> None:
    import torch.utils.dlpack

    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        tensor = torch.ones(8192, 8192, device="cuda")
        for _ in range(20):
            tensor = (tensor @ tensor) * 0 + 1
        x = xp.asarray(tensor[0, :4], device="cupy:0")
    assert (x * 2).tolist() == [2, 2, 2, 2]


# -- moves ------------------------------------------------------------------------------------------


def test_moves_to_and_from_torch_share_memory() -> None:
    import torch.utils.dlpack

    x = array([1.0, 2, 3])
    moved = x.to_device("torch:cuda:0")
    assert moved._native.data_ptr() == x._native.data.ptr
    back = moved.to_device("cupy:0")
    assert back._native.data.ptr == x._native.data.ptr
    assert torch.utils.dlpack.from_dlpack(x).data_ptr() == x._native.data.ptr
    assert xp.asarray(x, device="torch:cuda:0", copy=True)._native.data_ptr() != x._native.data.ptr
    back = x[::-1].to_device("torch:cuda:0")  # PyTorch has no negative strides
    assert back.tolist() == x.tolist()[::-1]
    with pytest.raises(CopyRequiredError, match="negative strides"):
        xp.asarray(x[::-1], device="torch:cuda:0", copy=False)


@pytest.mark.parametrize("size", [0, 1, 1000, (1 << 20) + 3, (2 << 20) - 1, 2 << 20, (9 << 20) + 1])
def test_round_trip_of_host_memory(size: int) -> None:
    values = np.arange(size, dtype=np.float64)
    x = xp.asarray(values, device=GPU)
    values_before = values.copy()
    values[:] = -1
    np.testing.assert_array_equal(np.asarray(x.to_device("numpy")), values_before)
    turned = xp.asarray(values_before.reshape(-1, 1).T[:, ::-1], device=GPU)
    np.testing.assert_array_equal(
        np.asarray(turned.to_device("numpy")), values_before.reshape(-1, 1).T[:, ::-1]
    )


@pytest.fixture(scope="module")
def wait() -> Callable[[], None]:
    """Keep the current stream busy for some 50 ms."""
    text = (
        'extern "C" __global__ void wait() { long long t = clock64(); while (clock64() - t < 100000000) {} }'
    )
    kernel = cupy.RawKernel(text, "wait")
    kernel((1,), (1,), ())
    cupy.cuda.get_current_stream().synchronize()
    return lambda: kernel((1,), (1,), ())


@pytest.mark.parametrize("stream", ["null", "own", "of the thread"])
def test_large_moves_come_after_what_is_queued(stream: str, wait: Callable[[], None]) -> None:
    streams = {"null": cupy.cuda.Stream.null, "own": cupy.cuda.Stream(non_blocking=True)}
    ones = np.ones(16 << 20, dtype=np.float32)
    xp.asarray(ones, device=GPU).to_device("numpy")
    with streams.get(stream, cupy.cuda.Stream.ptds):
        x = xp.full(16 << 20, 2.0, dtype=xp.float32, device=GPU)
        wait()
        x += 1.0
        back = x.to_device("numpy")
        assert float(np.min(np.asarray(back))) == 3.0
        wait()
        x += 1.0
        del x  # its memory is the next array's, while the sum is still queued
        there = xp.asarray(ones, device=GPU)
        assert bool(xp.all(there == 1.0))


def test_large_moves_of_several_threads_at_once() -> None:
    values = [np.full(5 << 20, k, dtype=np.float64) for k in range(4)]
    with ThreadPoolExecutor(4) as pool:
        there = list(pool.map(lambda a: xp.asarray(a, device=GPU), values))
        back = list(pool.map(lambda x: np.asarray(x.to_device("numpy")), there))
    for a, b in zip(values, back, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("size", [1, 1000, 2 << 20, 8 << 20])
def test_page_locked_memory_may_be_changed_after_a_move(size: int, wait: Callable[[], None]) -> None:
    values = np.frombuffer(cupy.cuda.alloc_pinned_memory(4 * size), dtype=np.float32, count=size)
    values[:] = np.arange(size)
    xp.asarray(values, device=GPU)
    with cupy.cuda.Stream(non_blocking=True):
        wait()
        x = xp.asarray(values, device=GPU)
        values[:] = -1
        np.testing.assert_array_equal(np.asarray(x.to_device("numpy")), np.arange(size, dtype=np.float32))


def test_export_to_the_host_copies() -> None:
    x = array([1.0, 2])
    assert np.from_dlpack(x._native, device="cpu").tolist() == [1, 2]
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(1, 0), copy=False)


# -- random numbers and special functions -----------------------------------------------------------


@pytest.mark.parametrize("counter", [[0, 0, 0, 0], [2**64 - 2, 5, 0, 0]], ids=["start", "carry"])
def test_words_are_those_of_philox(counter: list[int]) -> None:
    ours, numpys = (np.random.Philox(key=[1, 2**63 + 5], counter=counter) for _ in range(2))
    for count in (16, 4, 1000):
        np.testing.assert_array_equal(cupy_random.words(ours, count).get(), numpys.random_raw(count))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_uniform_numbers_are_those_of_numpy(dtype: Any) -> None:
    xp.random.seed(7, device=GPU)
    drawn = xp.random.uniform((3, 1000), dtype=dtype, device=GPU)
    numpys = np.random.Generator(np.random.Philox(7)).random((3, 1000), dtype=dtype)
    np.testing.assert_array_equal(np.asarray(drawn.to_device("numpy")), numpys)


@pytest.mark.parametrize("name", ["i0e", "i1e", "k0e", "k1e"])
def test_scaled_bessel_functions_far_out(name: str) -> None:
    values = [1e-3, 2.0, 49.0, 51.0, 800.0, 1e5, float("inf")]
    ours = getattr(xp.special, name)(array(values))
    np.testing.assert_allclose(ours.to_device("numpy"), getattr(scipy_special, name)(values), rtol=2e-14)


def test_special_functions_are_of_cupy() -> None:
    x = array([0.25, 2.5], "float32")
    assert xp.special.gammaincinv(x, x / 3).dtype == xp.float32
    assert xp.special.zeta(x + 1).device == GPU
    np.testing.assert_allclose(
        xp.special.bdtr(1, 3, 0.25 * x).to_device("numpy"),
        scipy_special.bdtr(1, 3, [0.0625, 0.625]),
        rtol=1e-6,
    )
