"""Canaries: what the adapter repairs is still so in CuPy; and streams, moves and memory on a GPU.

A canary that fails says that CuPy has changed: the override in ``adapters/cupy_*.py`` and the canary go.
This file is collected where CuPy has a GPU (see ``conftest.py``).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import cupy
import numpy as np
import pytest
from cupyx.scipy import special as cupy_special
from scipy import special as scipy_special

import burn_array as xp
from burn_array.adapters.cupy import random as cupy_random
from burn_array.errors import (
    CopyRequiredError,
    DeviceMismatchError,
    DeviceNotFoundError,
    HostAccessError,
    IntegerOverflowError,
)

pytestmark = pytest.mark.library("cupy")
GPU = xp.device("cupy:0")
INF, NAN = math.inf, math.nan


def array(values: Any, dtype: Any = None) -> Any:
    return xp.asarray(values, dtype=dtype, device=GPU)


def refused(function: Callable[[], Any]) -> bool:
    """Return whether CuPy raises; a kernel that does not compile counts."""
    try:
        function()
    except Exception:
        return True
    return False


def _value(x: Any) -> Any:
    return x.item()


def _overlapped() -> bool:
    x = cupy.arange(1 << 20)
    x[1:] = x[:-1]
    return not bool((x[1:] == cupy.arange((1 << 20) - 1)).all())


_FISHER = (53.416461120287536, 0.001, 0.9350724237877682)

# The names stand as in the docstrings of the overrides. No upstream issue known unless one is named
# (https://docs.cupy.dev/en/stable/user_guide/difference.html); last seen in 14.2.0.
CANARIES: dict[str, Callable[[], bool]] = {
    "a Python integer outside of the dtype is no quotient": lambda: refused(
        lambda: cupy.divide(cupy.ones(1, "int8"), 2**63)
    ),
    "remainder(-1, inf) is NaN": lambda: math.isnan(
        _value(cupy.remainder(cupy.asarray(-1.0), cupy.asarray(INF)))
    ),
    "sums of half precision overflow on the way": lambda: math.isinf(
        _value(cupy.cumsum(cupy.asarray([60000, 60000, -60000], "float16"))[-1])
    ),
    "products of half precision overflow on the way": lambda: math.isinf(
        _value(cupy.cumprod(cupy.asarray([300, 300, 0.25], "float16"))[-1])
    ),
    "1 // 0.001 is 1000": lambda: _value(cupy.floor_divide(cupy.asarray(1.0), 0.001)) == 1000,
    "log(inf + nanj) is NaN": lambda: math.isnan(_value(cupy.log(cupy.asarray(complex(INF, NAN)))).real),
    "log1p(1e-10j + 1e-10) cancels": lambda: (
        abs(_value(cupy.log1p(cupy.asarray(1e-17 + 0j))).real - 1e-17) > 1e-20
    ),
    "log2 of a complex number divides by a complex one": lambda: (
        not np.isfinite(_value(cupy.log2(cupy.asarray(0j))).imag)
        or refused(lambda: cupy.log2(cupy.asarray(1j)))
    ),
    "expm1 of a small complex number cancels": lambda: (
        _value(cupy.expm1(cupy.asarray(1e-20 + 0j))).real != 1e-20
    ),
    "acosh(0 + nanj) has a NaN for pi/2": lambda: math.isnan(
        _value(cupy.arccosh(cupy.asarray(complex(0, NAN)))).imag
    ),
    "tanh(0 + infj) has a NaN for 0": lambda: math.isnan(
        _value(cupy.tanh(cupy.asarray(complex(0, INF)))).real
    ),
    "the upper one of limits that cross is taken for NaN": lambda: (
        _value(cupy.clip(cupy.asarray(NAN), 3.0, -3.0)) == -3
    ),
    "fft takes any axis": lambda: not refused(lambda: cupy.fft.fft(cupy.ones(2), axis=3)),
    "lengths that equal the shape are taken for it, whatever the axes": lambda: (
        cupy.fft.fftn(cupy.ones((3, 2), "complex64"), (3, 2), (1, 0)).shape == (3, 2)
    ),
    "lines of no elements are refused": lambda: refused(
        lambda: cupy.fft.fftn(cupy.zeros((4, 4, 0)), axes=(0, 1))
    ),
    "matrix products of half precision overflow on the way": lambda: math.isnan(
        _value(
            cupy.matmul(*(cupy.asarray(x, "float16") for x in ([[300, 300, -300]], [[200], [100], [300]])))[
                0, 0
            ]
        )
    ),
    "rfft takes complex numbers": lambda: not refused(lambda: cupy.fft.rfft(cupy.ones(2, "complex128"))),
    "logical functions take no complex numbers": lambda: refused(
        lambda: cupy.logical_not(cupy.ones(1, "complex64"))
    ),
    "an assigned value that overlaps is overwritten while it is read": _overlapped,
    "an index outside of the array wraps": lambda: (
        not refused(lambda: cupy.take(cupy.ones(2), cupy.asarray([7])))
    ),
    "add.at takes no complex numbers": lambda: refused(
        lambda: cupy.add.at(cupy.ones(2, "complex64"), cupy.asarray([0]), cupy.ones(1, "complex64"))
    ),
    "a factorisation gives NaN beside a norm that overflows": lambda: bool(
        cupy.isnan(cupy.linalg.qr(cupy.asarray([[1.0, 0.2], [1.0, 0.1]]) * 1.7e308 + 0j)[1]).any()
    ),
    "yn of negative order is NaN": lambda: math.isnan(
        _value(cupy_special.yn(cupy.asarray(-1), cupy.asarray(2.0)))
    ),
    "gammainc, chdtr and xlog1py have a number for some NaN": lambda: (
        not math.isnan(
            _value(cupy_special.gammainc(cupy.asarray(INF), cupy.asarray(NAN)))
            * _value(cupy_special.chdtr(cupy.asarray(INF), cupy.asarray(NAN)))
            * _value(cupy_special.xlog1py(cupy.asarray(0.0), cupy.asarray(NAN)))
        )
    ),
    "expi(inf) is NaN": lambda: math.isnan(_value(cupy_special.expi(cupy.asarray(INF)))),
    "fdtr loses digits near one": lambda: (
        abs(_value(cupy_special.fdtr(*map(cupy.asarray, _FISHER))) / scipy_special.fdtr(*_FISHER) - 1) > 1e-9
    ),
    "fdtri of 0 is NaN": lambda: math.isnan(_value(cupy_special.fdtri(*map(cupy.asarray, (1.0, 1.0, 0.0))))),
    "solve does not broadcast stacks": lambda: refused(
        lambda: cupy.linalg.solve(cupy.ones((2, 2, 2)) + cupy.eye(2), cupy.ones((2, 1)))
    ),
}


@pytest.mark.parametrize("name", CANARIES)
def test_canary(name: str) -> None:
    assert CANARIES[name](), "CuPy has changed: remove the override and this row"


def test_repaired() -> None:
    assert float(xp.special.yn(-1, array(2.0))) == pytest.approx(float(scipy_special.yn(-1, 2.0)), rel=1e-12)
    for function in (xp.special.gammainc, xp.special.chdtr, xp.special.gammaincc, xp.special.chdtrc):
        assert math.isnan(float(function(array(INF), array(NAN))))
    assert math.isnan(float(xp.special.xlog1py(array(0.0), NAN)))
    assert float(xp.special.expi(array(INF))) == INF
    assert float(xp.special.fdtri(1.0, 1.0, array(0.0))) == 0
    near = pytest.approx(float(scipy_special.fdtr(*_FISHER)), rel=1e-11)
    assert float(xp.special.fdtr(*map(array, _FISHER))) == near
    assert GPU.adapter.find("arange")(3).tolist() == [0, 1, 2]
    assert float(xp.remainder(array(-1.0), INF)) == INF
    assert float(array(1.0) // 0.001) == 999
    assert complex(xp.log2(array(2 + 0j))) == 1
    assert complex(xp.expm1(array(1e-20 + 0j))) == 1e-20
    assert complex(xp.log1p(array(1e-17 + 0j))).real == 1e-17
    x = array(np.arange(1 << 20))
    x[1:] = x[:-1]
    assert bool(xp.all(x[1:] == xp.arange((1 << 20) - 1, device=GPU)))
    assert math.isnan(float(xp.clip(array(NAN), 3.0, -3.0)))
    assert xp.repeat(array([1, 2]), array([2, 1])).tolist() == [1, 1, 2]
    least = float(xp.nextafter(array(0.0, xp.float32), array(1.0, xp.float32)))
    assert least == float(np.nextafter(np.float32(0), np.float32(1)))
    with pytest.raises(IntegerOverflowError):
        xp.full(1, 300, dtype=xp.int8, device=GPU)


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
    values = [1e-3, 2.0, 49.0, 51.0, 800.0, 1e5, INF]
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
