"""Canaries: what the adapter repairs is still so in dpnp, and is right in burn_array.

A canary that fails says that dpnp has changed: the override in ``adapters/dpnp_*.py`` and the canary go.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.adapters.dpnp._imports import OPENCL, dpctl, dpnp
from burn_array.errors import CopyRequiredError, DeviceNotFoundError, IntegerOverflowError

pytestmark = pytest.mark.library("dpnp")
DEVICE = xp.device("dpnp")
INF, NAN = math.inf, math.nan
SQUARE = [[1.0, 2.0], [3.0, 4.0]]
DENSE = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
CUBE = np.arange(24.0).reshape(2, 3, 4)
INDEX = np.asarray([0, 1, 1])


def native(values: Any, dtype: Any = None) -> Any:
    return dpnp.asarray(values, dtype=dtype, sycl_queue=DEVICE.adapter.native_device)


def array(values: Any, dtype: Any = None) -> Any:
    return xp.asarray(values, dtype=dtype, device=DEVICE)


def raises(*errors: type[Exception]) -> Callable[[Callable[[], Any]], bool]:
    def check(function: Callable[[], Any]) -> bool:
        try:
            function()
        except errors:
            return True
        return False

    return check


def _negative_zero(x: Any) -> bool:
    return bool(np.signbit(dpnp.asnumpy(x)))


def _changes(x: Any, function: Callable[[Any], Any]) -> bool:
    before = dpnp.asnumpy(x).copy()
    function(x)
    return not np.array_equal(dpnp.asnumpy(x), before)


def _sets(key: Any, value: Any) -> Any:
    x = native([1, 2], np.int8)
    x[key] = value
    return x


def _refuses_overlap() -> bool:
    x = native([2, 0, 1], np.int64)
    try:
        x[x] = x
    except ValueError:
        return True
    return False


def _first_of_halves_is_nan() -> bool:
    with np.errstate(over="ignore"):
        x = dpnp.arange(0, 1e6, 5e5, dtype=np.float16, sycl_queue=DEVICE.adapter.native_device)
    return math.isnan(float(x[0]))


def _is_not_exported_as_host_memory(kind: str) -> bool:
    x = dpnp.ones(2, usm_type=kind, sycl_queue=DEVICE.adapter.native_device)
    view = raises(RuntimeError)(lambda: np.from_dlpack(x))
    return view and raises(BufferError)(
        lambda: x.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)
    )


CANARIES: dict[str, Callable[[], bool]] = {
    "memory of a CPU is not exported as memory of the host": lambda: all(
        map(_is_not_exported_as_host_memory, ("device", "shared", "host"))
    ),
    "isin takes integers for floats": lambda: bool(
        dpnp.isin(native([2**53 + 1], np.uint64), native([2**53], np.int64)).item()
    ),
    "arange multiplies within half precision": _first_of_halves_is_nan,
    "many bools are found at wrong places": lambda: (
        dpnp.asnumpy(
            dpnp.searchsorted(native([False, True]), native([True, False] * 16), side="right")
        ).tolist()
        != [2, 1] * 16
    ),
    "linspace rounds on the way": lambda: int(dpnp.linspace(10, 1, 10, dtype=np.int64)[3]) == 6,
    "the sign of 2 + infj is NaN": lambda: math.isnan(dpnp.sign(native(complex(2, INF))).item().imag),
    "concat promotes two at a time": lambda: (
        dpnp.concat([native([1], name) for name in ("int16", "uint16", "float32")]).dtype == np.float64
    ),
    "a Python integer outside of the dtype cannot be compared": lambda: raises(OverflowError)(
        lambda: dpnp.equal(native([1], np.int8), 300)
    ),
    "a Python integer outside of the dtype is no float": lambda: raises(OverflowError)(
        lambda: dpnp.divide(native([1], np.int8), 300)
    ),
    "acosh(0 + nanj) has a NaN for pi/2": lambda: bool(dpnp.isnan(dpnp.acosh(native(complex(0, NAN))).imag)),
    "expm1(-0 + 0j) is -0": lambda: _negative_zero(dpnp.expm1(native(complex(-0.0, 0))).real),
    "tanh(inf + yj) has the sign of sin(2y)": lambda: _negative_zero(dpnp.tanh(native(complex(INF, 2))).imag),
    "tanh(0 - 0j) loses its sign": lambda: not _negative_zero(dpnp.tanh(native(complex(0, -0.0))).imag),
    "1 // 0.001 is 1000": lambda: float(dpnp.floor_divide(native(1.0), 0.001)) == 1000,
    "0j ** 0j is NaN": lambda: bool(dpnp.isnan(dpnp.power(native(0j), native(0j)))),
    "reciprocals of integers are floats": lambda: dpnp.reciprocal(native([2], np.int32)).dtype.kind == "f",
    "clip does not promote": lambda: raises(ValueError)(lambda: dpnp.clip(native([1], np.int8), 1.5, None)),
    "qr gives NaN beside a column whose norm overflows": lambda: bool(
        dpnp.isnan(dpnp.linalg.qr(native([[1.0, 0.5], [1.0, 0.2]]) * 1.7e308)[1]).any()
    ),
    "real eigenvalues are not complex": lambda: dpnp.linalg.eigvals(native(np.eye(2))).dtype.kind == "f",
    "arrays apart in a key are refused": lambda: raises(IndexError)(
        lambda: native(CUBE)[native(INDEX), :, native(INDEX)]
    ),
    "an integer and an array apart are not put first": lambda: (
        native(CUBE)[0, :, native(INDEX)].tolist() != CUBE[0, :, INDEX].tolist()
    ),
    "a 0-d mask is no array index": lambda: (
        native(CUBE)[:, native(True), native(INDEX)].shape == (2, 1, 3, 4)
    ),
    "an assigned integer wraps": lambda: int(_sets(0, 300)[0]) == 44,
    "NaNs share an index in the inverse": lambda: (
        dpnp.unique_inverse(native([NAN, 0.0, 0.0, NAN]))[1].tolist() != [1, 0, 0, 2]
    ),
    "the last of several NaNs is the greatest": lambda: int(dpnp.argmax(native([1.0, NAN, NAN]))) == 2,
    "an assigned value that overlaps is refused": _refuses_overlap,
    "an index outside is moved inside": lambda: float(dpnp.take(native([1.0, 2.0]), native([5]))[0]) == 2,
    "an index of sorter outside is moved inside": lambda: (
        not raises(IndexError)(
            lambda: dpnp.searchsorted(native([3.0, 1.0]), native([1.5]), sorter=native([1, 5]))
        )
    ),
    "NaN goes into integers": lambda: not raises(ValueError)(lambda: _sets(0, NAN)),
    "the mean of half precision overflows": lambda: bool(
        dpnp.isinf(dpnp.mean(native([60000] * 4, np.float16)))
    ),
    "the sum of half precision overflows": lambda: bool(
        dpnp.isinf(dpnp.sum(native([60000, 60000, -60000], np.float16)))
    ),
    "cumulative_sum of half precision overflows": lambda: bool(
        dpnp.isinf(dpnp.cumulative_sum(native([60000, 60000, -60000], np.float16))[-1])
    ),
    "cumulative_prod of half precision overflows": lambda: bool(
        dpnp.isinf(dpnp.cumulative_prod(native([300, 300, 0.5, 0.5], np.float16))[-1])
    ),
    "asin(1e4j) is infinite in single precision, but in vectors": lambda: bool(
        dpnp.isinf(dpnp.asin(native(1e4j, np.complex64)).imag)
        and dpnp.isfinite(dpnp.asin(native([1e4j], np.complex64)).imag[0])
    ),
    "where reads outside of operands with negative strides": lambda: (
        not np.array_equal(
            dpnp.asnumpy(
                dpnp.where(
                    native([[True, False], [False, True]])[::-1, ::-1], native(SQUARE)[::-1, ::-1], 0.0
                )
            ),
            [[4.0, 0.0], [0.0, 1.0]],
        )
    ),
    "tanh(0 + infj) has no zero for its real part, in vectors": lambda: bool(
        dpnp.isnan(dpnp.tanh(native([complex(0, INF)])).real[0])
    ),
    "irfft writes into its operand": lambda: _changes(
        native([1 + 1j, 2, 3]), lambda x: dpnp.fft.irfft(x, n=2)
    ),
    "eigvalsh writes into its operand": lambda: _changes(native(DENSE).T, dpnp.linalg.eigvalsh),
    "rfft of nothing is real": lambda: dpnp.fft.rfft(native(np.zeros((0, 4)))).dtype.kind == "f",
    "4 ** -3 of integers is 0": lambda: int(dpnp.power(native([4]), native([-3]))[0]) == 0,
    "norms of no complex numbers are complex": lambda: (
        dpnp.linalg.matrix_norm(native(np.zeros((2, 0, 0), complex)), ord=2).dtype.kind == "c"
    ),
    "matrix_power refuses a broadcast matrix": lambda: raises(ValueError, RuntimeError, TypeError)(
        lambda: dpnp.linalg.matrix_power(dpnp.broadcast_to(native([1.0, 2.0]), (2, 2)), 3)
    ),
    "there is no product of vectors of half precision": lambda: raises(ValueError, TypeError, RuntimeError)(
        lambda: dpnp.matmul(native([1.0, 2.0], np.float16), native([1.0, 2.0], np.float16))
    ),
    "the norm of half precision overflows": lambda: bool(
        dpnp.isinf(dpnp.linalg.vector_norm(native([300] * 4, np.float16)))
    ),
    "var by a correction of all elements is NaN": lambda: bool(
        dpnp.isnan(dpnp.var(native([1.0, 2.0]), correction=2))
    ),
    "the product of half precision overflows": lambda: bool(
        dpnp.isinf(dpnp.prod(native([300, 300, 0.25], np.float16)))
    ),
    "rfft of an array that is broadcast is wrong": lambda: (
        not np.allclose(
            dpnp.asnumpy(dpnp.fft.rfft(dpnp.broadcast_to(native([1.0, 2.0, 3.0, 4.0]), (3, 4)))),
            np.fft.rfft([1.0, 2.0, 3.0, 4.0]),
        )
    ),
    "there is no add.at": lambda: not hasattr(dpnp.add, "at"),
}


@pytest.mark.parametrize("name", CANARIES)
def test_canary(name: str) -> None:
    assert CANARIES[name](), "dpnp has changed: remove the override and this row"


def test_repaired() -> None:
    small = array([1], xp.int8)
    assert [bool(f[0]) for f in (small == 300, small < 300, small > 300)] == [False, True, False]
    assert float((small / 300)[0]) == pytest.approx(1 / 300)
    assert complex(xp.tanh(array(complex(INF, 2)))) == 1
    assert math.copysign(1, complex(xp.tanh(array(complex(INF, 2)))).imag) == 1
    assert float(array(1.0) // 0.001) == 999
    assert xp.reciprocal(array([2, 1, -1], xp.int32)).tolist() == [0, 1, -1]
    assert xp.linalg.eigvals(array([[1.0, 0.0], [0.0, 1.0]])).dtype == xp.complex128
    cube = array(CUBE)
    assert cube[array(INDEX), :, array(INDEX)].tolist() == CUBE[INDEX, :, INDEX].tolist()
    with pytest.raises(IntegerOverflowError):
        small[0] = 300


PARTS = [0.0, -0.0, 1.0, -2.5, INF, -INF, NAN]
ZEROS = [0, 0.0, -0.0, 0j, -0j]


def _is_one(x: xp.Array) -> bool:
    """Return whether all elements are ``1 + 0j``, and no zero is negative."""
    host = np.asarray(x)
    return bool(np.all(host == 1)) and not np.signbit(host.imag).any()


@pytest.mark.parametrize("dtype", [xp.complex64, xp.complex128])
def test_every_complex_number_to_the_power_0_is_1(dtype: Any) -> None:
    bases = [complex(real, imag) for real in PARTS for imag in PARTS]
    x = array(bases, dtype)
    for zero in ZEROS:
        form = dtype if isinstance(zero, complex) else None
        for exponent in (zero, array(zero, form), array([zero], form), array([zero] * len(bases), form)):
            power = x**exponent
            assert power.shape == x.shape
            assert _is_one(power), exponent
        assert _is_one(xp.stack([xp.asarray(x[i] ** zero) for i in range(len(bases))])), zero
    assert (x**0).dtype == (x ** array([0j], dtype)).dtype == dtype


def test_real_numbers_to_a_complex_power_0_are_1() -> None:
    zeros = array([0j, complex(-0.0, -0.0)])
    for base in (0, 0.0, 2.0, INF, NAN, 1j):
        assert _is_one(base**zeros)
        if not isinstance(base, complex):
            assert _is_one(array([base, base]) ** zeros)
    assert _is_one(array([0, 3]) ** zeros)


def test_other_complex_powers_stay() -> None:
    x, exponents = array([0j, 0j, 2j, 2j]), array([0, 2, 0, 2])
    np.testing.assert_allclose(np.asarray(x**exponents), [1, 0, 1, -4], atol=1e-15)
    np.testing.assert_allclose(np.asarray(x**2), [0, 0, -4, -4], atol=1e-15)
    x **= 0
    assert x.tolist() == [1] * 4


def test_scatter_add() -> None:
    add = DEVICE.function("scatter_add")
    got = add(native(np.zeros((2, 3))), (slice(None), native([0, 2, 2])), native([[1.0, 2, 3], [4, 5, 6]]))
    assert got.tolist() == [[1, 0, 5], [4, 0, 11]]
    got = add(native([0j, 1j]), native([1, 1]), native([1 + 1j, 2]))
    assert got.tolist() == [0, 3 + 2j]


def test_scatter_add_keeps_infinities() -> None:
    add = DEVICE.function("scatter_add")
    got = dpnp.asnumpy(add(native([0j, 0j]), native([0, 1]), native([complex(1, INF), complex(INF, -1)])))
    assert got.tolist() == [complex(1, INF), complex(INF, -1)]


@pytest.mark.parametrize("wrong", [3, -4, 2**40])
@pytest.mark.parametrize("dtype", [xp.int64, xp.float32])
def test_an_index_outside_raises(wrong: int, dtype: Any) -> None:
    x, index = array([[1, 2, 3]], dtype), array([0, wrong])
    calls: list[Callable[[], Any]] = [
        lambda: xp.take(x, index, axis=1),
        lambda: xp.take_along_axis(x, index[None, :], axis=-1),
        lambda: x[:, index],
        lambda: x[0, index],
        lambda: x[..., index],
        lambda: x[index, array([True, False, True])],
        lambda: x.__setitem__((0, index), 9),
        lambda: x.__setitem__((0, index), array([7, 8], dtype)),
    ]
    for call in calls:
        with pytest.raises(IndexError, match="out of bounds"):
            call()
    assert x.tolist() == [[1, 2, 3]], "nothing was written"
    assert x[:, array([-3, 2])].tolist() == [[1, 3]]


def test_a_mask_needs_no_check_but_an_integer_beside_it_does() -> None:
    x = array([[1, 2, 3]])
    assert x[0, array([True, False, True])].tolist() == [1, 3]
    with pytest.raises(IndexError):
        x[5, array([True, False, True])]


@pytest.mark.parametrize(
    ("value", "error"), [(NAN, ValueError), (INF, IntegerOverflowError), (1e30, IntegerOverflowError)]
)
def test_integers_hold_no_other_numbers(value: float, error: type[Exception]) -> None:
    x = array([1, 2], xp.int32)
    for key in (0, ..., slice(1)):
        with pytest.raises(error):
            x[key] = value
    x[0] = 2.9
    assert x.tolist() == [2, 2]


def test_half_precision() -> None:
    x = array(np.full((2, 4096), 1000), xp.float16)
    assert xp.mean(x).dtype == xp.float16
    assert float(xp.mean(x)) == 1000
    assert float(xp.var(x)) == float(xp.std(x)) == 0
    assert xp.mean(x, axis=1, keepdims=True).tolist() == [[1000], [1000]]
    assert xp.std(array([0, 400, 800], xp.float16), correction=1).tolist() == 400


def test_a_correction_of_all_elements() -> None:
    x = array([[1.0, 2.0], [3.0, 3.0]])
    for function in (xp.var, xp.std):
        assert function(x, axis=1, correction=2).tolist()[0] == INF
        assert math.isnan(function(x, axis=1, correction=2).tolist()[1])
        assert function(x, axis=(0, 1), correction=4.5).tolist() == INF
        assert function(x, axis=-1, correction=1, keepdims=True).shape == (2, 1)
    assert xp.var(x, axis=1, correction=1).tolist() == [0.5, 0]


THREADS = """
import sys, threading
import burn_array as xp
x = xp.ones((4, 4), device="dpnp:cpu")
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(4)
calls = [
    lambda: xp.asarray([1.0], device="dpnp:cpu"), lambda: xp.sin(x), lambda: xp.sum(x), lambda: xp.cumulative_sum(x[0]),
    lambda: xp.sort(x), lambda: x @ x, lambda: xp.linalg.svd(x), lambda: xp.fft.fft(x), lambda: x[x > 0],
    lambda: xp.vecdot(x, x), lambda: xp.take(x, xp.asarray([0], device="dpnp:cpu"), axis=0), lambda: float(x[0, 0]),
]
def work():
    for call in calls:
        barrier.wait()
        call()
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sys.setswitchinterval(0.005), float(xp.sum(x)))
"""


def test_threads_may_call_a_function_for_the_first_time_together() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=100)
    assert done.stdout.split() == ["None", "16.0"], done.stderr


def test_memory_of_a_cpu_is_shared_with_numpy() -> None:
    x = xp.arange(6, dtype=xp.float64, device="dpnp:cpu")
    host = np.asarray(x)
    host[0] = 7
    assert x.tolist() == [7, 1, 2, 3, 4, 5]
    back = xp.asarray(host[::-2], device="dpnp:cpu", copy=False)
    back[0] = 55
    assert host[5] == 55
    assert np.from_dlpack(x).ctypes.data == host.ctypes.data
    del x, back
    assert host.tolist() == [7, 1, 2, 3, 4, 55], "the view keeps the memory alive"


def test_memory_of_numpy_is_copied() -> None:
    host = np.arange(3.0)
    host.flags.writeable = False
    x = xp.asarray(host, device="dpnp:cpu")
    x[0] = 9
    assert host[0] == 0
    with pytest.raises(CopyRequiredError, match="SYCL allocated"):
        xp.asarray(host, device="dpnp:cpu", copy=False)


def test_devices() -> None:
    assert str(xp.device("dpnp:opencl:cpu:0")) == "dpnp:cpu"
    assert all(str(xp.device(str(one))) == str(one) for one in xp.devices("dpnp"))
    assert xp.asarray(dpnp.ones(2, device="cpu")).device == xp.device("dpnp:cpu")
    queue = dpctl.SyclQueue("cpu")
    assert xp.asarray(dpnp.ones(2, sycl_queue=queue), device="dpnp:cpu")._native.sycl_queue != queue
    assert DEVICE.adapter.versions()["OpenCL runtime"] == OPENCL
    for absent in ("dpnp:gpu:99", "dpnp:cpu:99", "dpnp:nonsense"):
        with pytest.raises(DeviceNotFoundError, match="devices of dpnp"):
            xp.device(absent)


def test_dtypes_are_those_of_the_hardware() -> None:
    device = DEVICE.adapter.native_device.sycl_device
    assert (xp.float64 in DEVICE.adapter.dtypes) == device.has_aspect_fp64
    assert (DEVICE.adapter.float_dtype == xp.float64) == device.has_aspect_fp64
