"""Canaries of dpnp: each asserts what dpnp still does differently from the standard, or from NumPy.

They run on every version. One that fails means that dpnp has changed: the override whose docstring names the canary is
then needed only for older versions, and goes with the last of them, together with the canary. The name of a canary is
the part before the colon. The other tests check the values of burn_array.
"""

from __future__ import annotations

import math
import operator
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


def raises(call: Callable[[], Any], error: type[Exception] = Exception) -> bool:
    try:
        call()
    except error:
        return True
    return False


def is_nan(x: Any) -> bool:
    return bool(np.isnan(dpnp.asnumpy(x)).any())


def is_infinite(x: Any) -> bool:
    return bool(np.isinf(dpnp.asnumpy(x)).any())


def inexact(x: Any, right: float) -> bool:
    """Return whether a number has a relative error of more than 1e-10."""
    return abs(float(x) / right - 1) > 1e-10


def negative_zero(x: Any) -> bool:
    return bool(np.signbit(dpnp.asnumpy(x)).any())


def refuses(function: Callable[..., Any]) -> bool:
    """Return whether a function of int8 refuses a Python integer that is too large for int8."""
    return raises(lambda: function(native([1], np.int8), 300), OverflowError)


def changes(x: Any, function: Callable[[Any], Any]) -> bool:
    """Return whether a function changes its operand."""
    before = dpnp.asnumpy(x).copy()
    function(x)
    return not np.array_equal(dpnp.asnumpy(x), before)


def repeated(values: list[Any]) -> Any:
    """Return an array of three equal rows that share memory."""
    return dpnp.broadcast_to(native(values), (3, len(values)))


def transforms_wrongly(name: str, values: list[Any]) -> bool:
    """Return whether a Fourier transform of rows that share memory is wrong."""
    try:
        found = dpnp.asnumpy(getattr(dpnp.fft, name)(repeated(values)))
    except ValueError:
        return True
    return not np.allclose(found, getattr(np.fft, name)(np.broadcast_to(values, (3, len(values)))))


def assigned(value: Any) -> Any:
    """Return a vector of int8 after an assignment to its first element."""
    x = native([1, 2], np.int8)
    x[0] = value
    return x


def refuses_overlap() -> bool:
    x = native([2, 0, 1], np.int64)
    return raises(lambda: x.__setitem__(x, x), ValueError)


def first_of_halves_is_nan() -> bool:
    with np.errstate(over="ignore"):
        x = dpnp.arange(0, 1e6, 5e5, dtype=np.float16, sycl_queue=DEVICE.adapter.native_device)
    return math.isnan(float(x[0]))


def is_not_exported_as_host_memory(kind: str) -> bool:
    x = dpnp.ones(2, usm_type=kind, sycl_queue=DEVICE.adapter.native_device)
    return raises(lambda: np.from_dlpack(x), RuntimeError) and raises(
        lambda: x.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False), BufferError
    )


def is_itself() -> bool:
    x = native([1, 2])
    difference = dpnp.diff(x, n=0)
    difference[0] = 9
    return int(x[0]) == 9


SINGLE = np.complex64
HALF = np.float16
LARGE = [60000, 60000, -60000]
"""Numbers of float16 whose sum is in its range, but not the sum of the first two."""

DIFFERENCES: dict[str, Callable[[], bool]] = {
    # name: what dpnp does: whether it still does
    # exchange and creation
    "__dlpack__: memory of a CPU is not exported as host memory": lambda: all(
        map(is_not_exported_as_host_memory, ("device", "shared", "host"))
    ),
    "arange: half precision is computed in half precision": first_of_halves_is_nan,
    "linspace: integers are rounded down too far": lambda: (
        int(dpnp.linspace(10, 1, 10, dtype=np.int64)[3]) == 6
    ),
    # complex numbers that are no vector
    "acos: inexact for a 0-d number": lambda: inexact(
        dpnp.acos(native(complex(-0.0, 1e4))).real, math.pi / 2
    ),
    "acosh: inexact for a 0-d number": lambda: inexact(
        dpnp.acosh(native(complex(-0.0, 1e4))).imag, math.pi / 2
    ),
    "asin: infinite for a large 0-d number": lambda: is_infinite(dpnp.asin(native(1e10j))),
    "asinh: infinite for a large 0-d number": lambda: is_infinite(dpnp.asinh(native(-1e10 + 0j))),
    "atan: inexact for a small 0-d number": lambda: inexact(dpnp.atan(native(1e-12 + 1e-12j)).imag, 1e-12),
    "atanh: inexact for a small 0-d number": lambda: inexact(dpnp.atanh(native(1e-12 + 1e-12j)).real, 1e-12),
    "cos: NaN where a 0-d number overflows": lambda: is_nan(dpnp.cos(native(1e4j)).imag),
    "cosh: NaN where a 0-d number overflows": lambda: is_nan(dpnp.cosh(native(1e4 + 0j)).imag),
    "log: 0 for the small part of a 0-d number": lambda: float(dpnp.log(native(1 + 1e-9j)).real) == 0,
    "log10: 0 for the small part of a 0-d number": lambda: float(dpnp.log10(native(1 + 1e-9j)).real) == 0,
    "sinh: NaN where a 0-d number overflows": lambda: is_nan(dpnp.sinh(native(1e4 + 0j)).imag),
    "sqrt: -0 for a 0-d -0": lambda: negative_zero(dpnp.sqrt(native(complex(-0.0, 0), SINGLE)).real),
    "tan: infinite for a 0-d number": lambda: is_infinite(dpnp.tan(native(-2.5 + 710j))),
    # special values of complex functions
    "acosh: NaN for the imaginary part of acosh(0 + nanj)": lambda: is_nan(
        dpnp.acosh(native([complex(0, NAN)])).imag
    ),
    "expm1: -0 for the real part of expm1(-0 + 0j)": lambda: negative_zero(
        dpnp.expm1(native([complex(-0.0, 0)])).real
    ),
    "log1p: inexact for a real part that is small beside 1": lambda: inexact(
        dpnp.log1p(native([-0.5 + 0.8660254037844386j])).real[0], -4.345318932600586e-17
    ),
    "log2: 0 for the real part near 1": lambda: float(dpnp.log2(native([1 + 1e-9j])).real[0]) == 0,
    "sign: NaN for an infinite imaginary part": lambda: is_nan(dpnp.sign(native(complex(2, INF))).imag),
    "tan: NaN for the imaginary part of tan(inf + 0j)": lambda: is_nan(
        dpnp.tan(native([complex(INF, 0)])).imag
    ),
    "tanh: the zero of tanh(inf + 2j) is -0": lambda: negative_zero(
        dpnp.tanh(native([complex(INF, 2)])).imag
    ),
    "tanh: the zero of tanh(0 - 0j) is +0": lambda: (
        not negative_zero(dpnp.tanh(native(complex(0, -0.0))).imag)
    ),
    "tanh: NaN for the real part of tanh(0 + infj)": lambda: is_nan(
        dpnp.tanh(native([complex(0, INF)])).real
    ),
    # quotients and powers
    "floor_divide: 1 // 0.001 is 1000": lambda: float(dpnp.floor_divide(native(1.0), 0.001)) == 1000,
    "pow: NaN for 0j ** 0j": lambda: is_nan(dpnp.power(native(0j), native(0j))),
    "pow: 0 for an integer to a negative power": lambda: (
        not raises(lambda: dpnp.power(native([4]), native([-3])))
    ),
    "reciprocal: integers become floats": lambda: dpnp.reciprocal(native([2], np.int32)).dtype.kind == "f",
    # Python integers out of the range of the dtype, and mixed dtypes
    "atan2: refuses a large integer": lambda: refuses(dpnp.atan2),
    "clip: refuses a limit of a higher dtype": lambda: raises(
        lambda: dpnp.clip(native([1], np.int8), 1.5, None)
    ),
    "copysign: refuses a large integer": lambda: refuses(dpnp.copysign),
    "divide: refuses a large integer": lambda: refuses(dpnp.divide),
    "equal: refuses a large integer": lambda: refuses(dpnp.equal),
    "greater: refuses a large integer": lambda: refuses(dpnp.greater),
    "greater_equal: refuses a large integer": lambda: refuses(dpnp.greater_equal),
    "hypot: refuses a large integer": lambda: refuses(dpnp.hypot),
    "less: refuses a large integer": lambda: refuses(dpnp.less),
    "less_equal: refuses a large integer": lambda: refuses(dpnp.less_equal),
    "logaddexp: refuses a large integer": lambda: refuses(dpnp.logaddexp),
    "logical_and: refuses a large integer": lambda: refuses(dpnp.logical_and),
    "logical_or: refuses a large integer": lambda: refuses(dpnp.logical_or),
    "logical_xor: refuses a large integer": lambda: refuses(dpnp.logical_xor),
    "nextafter: refuses a large integer": lambda: refuses(dpnp.nextafter),
    "not_equal: refuses a large integer": lambda: refuses(dpnp.not_equal),
    # complex numbers have no order
    "greater: takes complex numbers": lambda: not raises(lambda: dpnp.greater(native(1j), native(2j))),
    "greater_equal: takes complex numbers": lambda: (
        not raises(lambda: dpnp.greater_equal(native(1j), native(2j)))
    ),
    "less: takes complex numbers": lambda: not raises(lambda: dpnp.less(native(1j), native(2j))),
    "less_equal: takes complex numbers": lambda: not raises(lambda: dpnp.less_equal(native(1j), native(2j))),
    "maximum: takes complex numbers": lambda: not raises(lambda: dpnp.maximum(native(1j), native(2j))),
    "minimum: takes complex numbers": lambda: not raises(lambda: dpnp.minimum(native(1j), native(2j))),
    # indexing
    "getitem: refuses index arrays that a slice separates": lambda: raises(
        lambda: native(CUBE)[native(INDEX), :, native(INDEX)], IndexError
    ),
    "getitem: the axes of separated indices stay in place": lambda: (
        native(CUBE)[0, :, native(INDEX)].tolist() != CUBE[0, :, INDEX].tolist()
    ),
    "getitem: a 0-d mask adds no axis in front": lambda: (
        native(CUBE)[:, native(True), native(INDEX)].shape == (2, 1, 3, 4)
    ),
    "scatter_add: has no add.at": lambda: not hasattr(dpnp.add, "at"),
    "setitem: an integer wraps around": lambda: not raises(lambda: assigned(300)),
    "setitem: NaN becomes an integer": lambda: not raises(lambda: assigned(NAN)),
    "setitem: refuses a value that shares memory": refuses_overlap,
    "take: an index out of range is moved into it": lambda: (
        not raises(lambda: dpnp.take(native([1.0, 2.0]), native([5])))
    ),
    "take_along_axis: an index out of range is moved into it": lambda: (
        not raises(lambda: dpnp.take_along_axis(native([1.0, 2.0]), native([5]), axis=0))
    ),
    # searching, sets and manipulation
    "argmax: returns the last of several NaNs": lambda: int(dpnp.argmax(native([1.0, NAN, NAN]))) == 2,
    "argmin: returns the last of several NaNs": lambda: int(dpnp.argmin(native([1.0, NAN, NAN]))) == 2,
    "concat: promotes two dtypes at a time": lambda: (
        dpnp.concat([native([1], name) for name in ("int16", "uint16", "float32")]).dtype == np.float64
    ),
    "diff: promotes two dtypes at a time": lambda: (
        dpnp.diff(native([1], "int16"), prepend=native([1], "uint16"), append=native([1], "float32")).dtype
        == np.float64
    ),
    "diff: returns the array itself for n=0": is_itself,
    "isin: compares integers as floats": lambda: bool(
        dpnp.isin(native([2**53 + 1], np.uint64), native([2**53], np.int64)).item()
    ),
    "searchsorted: wrong for many bools": lambda: (
        dpnp.asnumpy(
            dpnp.searchsorted(native([False, True]), native([True, False] * 16), side="right")
        ).tolist()
        != [2, 1] * 16
    ),
    "searchsorted: an index of sorter out of range is moved into it": lambda: (
        not raises(lambda: dpnp.searchsorted(native([3.0, 1.0]), native([1.5]), sorter=native([1, 5])))
    ),
    "stack: promotes two dtypes at a time": lambda: (
        dpnp.stack([native([1], name) for name in ("int16", "uint16", "float32")]).dtype == np.float64
    ),
    "unique_all: NaNs share an index in the inverse": lambda: (
        dpnp.unique_all(native([NAN, 0.0, 0.0, NAN])).inverse_indices.tolist() != [1, 0, 0, 2]
    ),
    "unique_inverse: NaNs share an index in the inverse": lambda: (
        dpnp.unique_inverse(native([NAN, 0.0, 0.0, NAN])).inverse_indices.tolist() != [1, 0, 0, 2]
    ),
    "where: reads beyond operands with negative strides": lambda: (
        dpnp.where(
            native([[True, False], [False, True]])[::-1, ::-1], native(SQUARE)[::-1, ::-1], 0.0
        ).tolist()
        != [[4.0, 0.0], [0.0, 1.0]]
    ),
    # reductions in half precision
    "cumulative_prod: overflows in half precision": lambda: is_infinite(
        dpnp.cumulative_prod(native([300, 300, 0.5, 0.5], HALF))[-1]
    ),
    "cumulative_sum: overflows in half precision": lambda: is_infinite(
        dpnp.cumulative_sum(native(LARGE, HALF))[-1]
    ),
    "linalg.matrix_norm: squares overflow": lambda: is_infinite(dpnp.linalg.matrix_norm(native([[1e200]]))),
    "linalg.vector_norm: squares overflow": lambda: is_infinite(dpnp.linalg.vector_norm(native([1e200]))),
    "std: squares overflow": lambda: not np.isfinite(float(dpnp.std(native([1e200, -1e200])))),
    "var: inexact beside a large mean": lambda: (
        abs(float(dpnp.var(native([1e8, 1e8 + 16, 1e8 + 32], np.float32))) - 512 / 3) > 1
    ),
    "linalg.matrix_norm: overflows in half precision": lambda: is_infinite(
        dpnp.linalg.matrix_norm(native(np.full((2, 2), 300), HALF))
    ),
    "linalg.trace: overflows in half precision": lambda: is_infinite(
        dpnp.linalg.trace(native(np.diag(LARGE), HALF))
    ),
    "linalg.vector_norm: overflows in half precision": lambda: is_infinite(
        dpnp.linalg.vector_norm(native([300] * 4, HALF))
    ),
    "matmul: refuses vectors of half precision": lambda: raises(
        lambda: dpnp.matmul(native([1.0, 2.0], HALF), native([1.0, 2.0], HALF))
    ),
    "mean: overflows in half precision": lambda: is_infinite(dpnp.mean(native([60000] * 4, HALF))),
    "prod: overflows in half precision": lambda: is_infinite(dpnp.prod(native([300, 300, 0.25], HALF))),
    "std: overflows in half precision": lambda: float(dpnp.std(native([1000.0] * 4096, HALF))) != 0,
    "sum: overflows in half precision": lambda: is_infinite(dpnp.sum(native(LARGE, HALF))),
    "tensordot: refuses vectors of half precision": lambda: raises(
        lambda: dpnp.tensordot(native([1.0, 2.0], HALF), native([1.0, 2.0], HALF), axes=1)
    ),
    "var: overflows in half precision": lambda: float(dpnp.var(native([1000.0] * 4096, HALF))) != 0,
    "vecdot: refuses vectors of half precision": lambda: raises(
        lambda: dpnp.vecdot(native([1.0, 2.0], HALF), native([1.0, 2.0], HALF))
    ),
    # other reductions
    "std: NaN for a correction of all elements": lambda: is_nan(dpnp.std(native([1.0, 2.0]), correction=2)),
    "var: NaN for a correction of all elements": lambda: is_nan(dpnp.var(native([1.0, 2.0]), correction=2)),
    # linear algebra
    "linalg.eig: real eigenvalues have a real dtype": lambda: (
        dpnp.linalg.eig(native(np.eye(2)))[0].dtype.kind == "f"
    ),
    "linalg.eigvals: real eigenvalues have a real dtype": lambda: (
        dpnp.linalg.eigvals(native(np.eye(2))).dtype.kind == "f"
    ),
    "linalg.eigvalsh: writes into a column-major array": lambda: changes(
        native(DENSE).T, dpnp.linalg.eigvalsh
    ),
    "linalg.matrix_norm: complex for a complex array without elements": lambda: (
        dpnp.linalg.matrix_norm(native(np.zeros((2, 0, 0), complex)), ord=2).dtype.kind == "c"
    ),
    "linalg.matrix_power: refuses a matrix that is broadcast": lambda: raises(
        lambda: dpnp.linalg.matrix_power(dpnp.broadcast_to(native([1.0, 2.0]), (2, 2)), 3)
    ),
    "linalg.pinv: inverts rounding errors of float32": lambda: (
        float(dpnp.linalg.pinv(native(np.diag([1, 1e-7]), np.float32))[1, 1]) > 1
    ),
    "linalg.qr: NaN beside a column whose norm overflows": lambda: is_nan(
        dpnp.linalg.qr(native([[1.0, 0.5], [1.0, 0.2]]) * 1.7e308)[1]
    ),
    "linalg.vector_norm: complex for a complex array without elements": lambda: (
        dpnp.linalg.vector_norm(native(np.zeros((0, 2), complex)), axis=0, ord=INF).dtype.kind == "c"
    ),
    "matmul: refuses a matrix that is broadcast": lambda: raises(
        lambda: dpnp.matmul(dpnp.broadcast_to(native(1.0), (2, 2)), native(SQUARE)), ValueError
    ),
    # Fourier transforms
    "fft.fft: wrong for complex rows that share memory": lambda: transforms_wrongly("fft", [1j, 2, 3, 4]),
    "fft.ifft: wrong for complex rows that share memory": lambda: transforms_wrongly("ifft", [1j, 2, 3, 4]),
    "fft.fftn: wrong for complex rows that share memory": lambda: transforms_wrongly("fftn", [1j, 2, 3, 4]),
    "fft.ifftn: wrong for complex rows that share memory": lambda: transforms_wrongly("ifftn", [1j, 2, 3, 4]),
    "fft.rfft: wrong for rows that share memory": lambda: transforms_wrongly("rfft", [1.0, 2, 3, 4]),
    "fft.rfftn: wrong for rows that share memory": lambda: transforms_wrongly("rfftn", [1.0, 2, 3, 4]),
    "fft.ihfft: wrong for rows that share memory": lambda: transforms_wrongly("ihfft", [1.0, 2, 3, 4]),
    "fft.irfft: writes into its operand": lambda: changes(
        native([1 + 1j, 2, 3]), lambda x: dpnp.fft.irfft(x, n=2)
    ),
    "fft.irfftn: writes into its operand": lambda: changes(
        native([[1 + 1j, 2, 3], [4, 5, 6j]]), lambda x: dpnp.fft.irfftn(x, s=(2,), axes=(1,))
    ),
    "fft.hfft: complex for an array without elements": lambda: (
        dpnp.fft.hfft(native(np.zeros((0, 4)))).dtype.kind == "c"
    ),
    "fft.rfft: real for an array without elements": lambda: (
        dpnp.fft.rfft(native(np.zeros((0, 4)))).dtype.kind == "f"
    ),
    "fft.fftn: refuses an array without elements": lambda: raises(
        lambda: dpnp.fft.fftn(native(np.zeros((0, 4))), axes=(1,))
    ),
}

REDUCTIONS = "all any argmax argmin count_nonzero max mean min prod std sum var linalg.vector_norm".split()


@pytest.mark.parametrize("name", DIFFERENCES)
def test_canary(name: str) -> None:
    assert DIFFERENCES[name](), f"dpnp has changed: {name}"


@pytest.mark.parametrize("name", REDUCTIONS)
def test_canary_of_an_axis_of_a_0d_array(name: str) -> None:
    function = operator.attrgetter(name)(dpnp)
    assert raises(lambda: function(native(1.0), axis=0), IndexError), f"dpnp has changed: {name} takes axis 0"


def test_repaired() -> None:
    small = array([1], xp.int8)
    assert [bool(f[0]) for f in (small == 300, small < 300, small > 300)] == [False, True, False]
    assert float((small / 300)[0]) == pytest.approx(1 / 300)
    assert complex(xp.tanh(array(complex(INF, 2)))) == 1
    assert math.copysign(1, complex(xp.tanh(array(complex(INF, 2)))).imag) == 1
    assert float(array(1.0) // 0.001) == 999
    for x in (array(1 + 1e-9j), array([1 + 1e-9j, 0])[::2], array([[1 + 1e-9j], [0]]).mT[0]):
        assert np.asarray(xp.log2(x)).flat[0].real == pytest.approx(5e-19 / math.log(2))
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
