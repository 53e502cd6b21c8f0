"""Canaries of CuPy: each asserts what CuPy still does differently from the standard, or from NumPy.

They run on every version. One that fails means that CuPy has changed: the override whose docstring names the canary is
then needed only for older versions, and goes with the last of them, together with the canary. The name of a canary is
the part before the colon. The last test checks values that the overrides repair.

This file is collected if CuPy finds a GPU.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
import pytest
from cupyx.scipy import special as cupy_special
from scipy import special as scipy_special

import burn_array as xp
from burn_array.errors import (
    IntegerOverflowError,
)

pytestmark = pytest.mark.library("cupy")
GPU = xp.device("cupy:0")
INF, NAN = math.inf, math.nan


def array(values: Any, dtype: Any = None) -> Any:
    return xp.asarray(values, dtype=dtype, device=GPU)


def raises(call: Callable[[], Any], error: type[Exception] = Exception) -> bool:
    """Return whether a call raises an error; a kernel that does not compile counts."""
    try:
        call()
    except error:
        return True
    return False


def number(x: Any) -> Any:
    """Return a 0-d array as a Python number."""
    return x.item()


def is_nan(x: Any) -> bool:
    return bool(cupy.isnan(x).any())


def is_infinite(x: Any) -> bool:
    return bool(cupy.isinf(x).any())


def refuses(function: Callable[..., Any]) -> bool:
    """Return whether a function of int8 refuses a Python integer of more than 64 bits."""
    return raises(lambda: function(cupy.ones(1, "int8"), 2**70))


def takes_complex(function: Callable[..., Any]) -> bool:
    return not raises(lambda: function(cupy.asarray(1j), cupy.asarray(2j)))


def lacks(function: Callable[..., Any], parameter: str) -> bool:
    return parameter not in inspect.signature(function).parameters


def reduces_no_axes_wrongly(name: str) -> bool:
    """Return whether a reduction with ``axis=()`` is refused or does not keep the shape."""
    x = cupy.ones((2, 3))
    return raises(lambda: getattr(x, name)(axis=())) or getattr(x, name)(axis=()).shape != (2, 3)


def transform_ignores_lengths(name: str) -> bool:
    """Return whether a Fourier transform takes lengths that equal the shape for those of the axes in order."""
    transform, x = getattr(cupy.fft, name), cupy.ones((3, 2), "float32" if name == "rfftn" else "complex64")
    return bool(transform(x, (3, 2), (1, 0)).shape != transform(x, [3, 2], (1, 0)).shape)


def transform_refuses_no_elements(name: str) -> bool:
    return raises(lambda: getattr(cupy.fft, name)(cupy.zeros((4, 4, 0)), axes=(0, 1)))


def overlapped() -> bool:
    x = cupy.arange(1 << 20)
    x[1:] = x[:-1]
    return not bool((x[1:] == cupy.arange((1 << 20) - 1)).all())


def diff_is_itself() -> bool:
    x = cupy.asarray([1, 2])
    cupy.diff(x, n=0)[0] = 9
    return int(x[0]) == 9


def integer_of(value: float) -> bool:
    """Return whether an integer array stores this number."""
    x = cupy.zeros(1, "int8")
    return not raises(lambda: x.__setitem__(0, value))


def shifted_wrongly(function: Callable[..., Any], start: int, end: int) -> bool:
    """Return whether a shift by a count that is out of range does not give ``end``."""
    counts = cupy.asarray([64, 65, 200, 2**32, 2**32 + 1, -1, -64])
    return not bool((function(cupy.full(7, start), counts) == end).all())


FISHER = (53.416461120287536, 0.001, 0.9350724237877682)
LARGE = [[1.0, 0.2], [1.0, 0.1]]
IDENTITY = cupy.eye(2)
VERSION = tuple(map(int, cupy.__version__.split(".")[:2]))

DIFFERENCES: dict[str, Callable[[], bool]] = {
    # name: what CuPy does: whether it still does
    # creation: parameters and dtypes
    "arange: half precision is computed in half precision": lambda: is_nan(
        cupy.arange(0, 1e6, 5e5, dtype="float16")[:1]
    ),
    "empty: has no parameter device": lambda: lacks(cupy.empty, "device"),
    "eye: has no parameter device": lambda: lacks(cupy.eye, "device"),
    "full: has no parameter device": lambda: lacks(cupy.full, "device"),
    "linspace: refuses complex numbers": lambda: raises(lambda: cupy.linspace(0, 1j, 3)),
    "ones: has no parameter device": lambda: lacks(cupy.ones, "device"),
    "zeros: has no parameter device": lambda: lacks(cupy.zeros, "device"),
    # quotients, powers and shifts
    "bitwise_left_shift: wrong for a count out of range": lambda: shifted_wrongly(cupy.left_shift, 1, 0),
    "bitwise_right_shift: wrong for a count out of range": lambda: shifted_wrongly(cupy.right_shift, -2, -1),
    "floor_divide: 1 // 0.001 is 1000": lambda: number(cupy.floor_divide(cupy.asarray(1.0), 0.001)) == 1000,
    "pow: wrong for 0j ** 1, or inexact for (1 + 2j) ** 2": lambda: (
        number(cupy.power(cupy.asarray(0j), cupy.asarray(1 + 0j))) != 0
        or number(cupy.power(cupy.asarray(1 + 2j), cupy.asarray(2 + 0j))) != -3 + 4j
    ),
    "remainder: NaN for an infinite divisor": lambda: is_nan(
        cupy.remainder(cupy.asarray(-1.0), cupy.asarray(INF))
    ),
    # numbers
    "clip: the upper one of limits that cross for NaN": lambda: (
        number(cupy.clip(cupy.asarray(NAN), 3.0, -3.0)) == -3
    ),
    "clip: ignores a limit that is NaN": lambda: number(cupy.clip(cupy.asarray(1.0), NAN, NAN)) == 1,
    "nextafter: skips subnormal numbers": lambda: (
        number(cupy.nextafter(cupy.zeros((), "float32"), cupy.ones((), "float32"))) > 1e-40
    ),
    "round: rint returns floats for integers": lambda: cupy.rint(cupy.ones(1, "int32")).dtype.kind == "f",
    "sign: takes bools": lambda: not raises(lambda: cupy.sign(cupy.ones(1, bool))),
    "sign: NaN for an infinite imaginary part": lambda: is_nan(cupy.sign(cupy.asarray(complex(2, INF))).imag),
    # complex numbers
    "acosh: NaN for the imaginary part of acosh(0 + nanj)": lambda: is_nan(
        cupy.arccosh(cupy.asarray(complex(0, NAN))).imag
    ),
    "expm1: a small number cancels": lambda: number(cupy.expm1(cupy.asarray(1e-20 + 0j))).real != 1e-20,
    "log: NaN for log(inf + nanj)": lambda: is_nan(cupy.log(cupy.asarray(complex(INF, NAN))).real),
    "log10: NaN for log10(inf + nanj)": lambda: is_nan(cupy.log10(cupy.asarray(complex(INF, NAN))).real),
    "log1p: a small number cancels": lambda: (
        abs(number(cupy.log1p(cupy.asarray(1e-17 + 0j))).real - 1e-17) > 1e-20
    ),
    "log2: divides by a complex number": lambda: (
        raises(lambda: cupy.log2(cupy.asarray(1j))) or is_nan(cupy.log2(cupy.asarray(0j)).imag)
    ),
    "tan: NaN for the imaginary part of tan(inf + 0j)": lambda: is_nan(
        cupy.tan(cupy.asarray(complex(INF, 0))).imag
    ),
    "tanh: NaN for the real part of tanh(0 + infj)": lambda: is_nan(
        cupy.tanh(cupy.asarray(complex(0, INF))).real
    ),
    "tanh: the zero of tanh(inf + 2j) is -0": lambda: bool(
        cupy.signbit(cupy.tanh(cupy.asarray(complex(INF, 2))).imag)
    ),
    "logical_and: refuses complex numbers": lambda: not takes_complex(cupy.logical_and),
    "logical_not: refuses complex numbers": lambda: raises(
        lambda: cupy.logical_not(cupy.ones(1, "complex64"))
    ),
    "logical_or: refuses complex numbers": lambda: not takes_complex(cupy.logical_or),
    "logical_xor: refuses complex numbers": lambda: not takes_complex(cupy.logical_xor),
    # complex numbers have no order
    "greater: takes complex numbers": lambda: takes_complex(cupy.greater),
    "greater_equal: takes complex numbers": lambda: takes_complex(cupy.greater_equal),
    "less: takes complex numbers": lambda: takes_complex(cupy.less),
    "less_equal: takes complex numbers": lambda: takes_complex(cupy.less_equal),
    "maximum: takes complex numbers": lambda: takes_complex(cupy.maximum),
    "minimum: takes complex numbers": lambda: takes_complex(cupy.minimum),
    # Python integers of more than 64 bits
    "atan2: refuses a large integer": lambda: refuses(cupy.arctan2),
    "copysign: refuses a large integer": lambda: refuses(cupy.copysign),
    "divide: refuses a large integer": lambda: refuses(cupy.divide),
    "equal: refuses a large integer": lambda: refuses(cupy.equal),
    "greater: refuses a large integer": lambda: refuses(cupy.greater),
    "greater_equal: refuses a large integer": lambda: refuses(cupy.greater_equal),
    "hypot: refuses a large integer": lambda: refuses(cupy.hypot),
    "less: refuses a large integer": lambda: refuses(cupy.less),
    "less_equal: refuses a large integer": lambda: refuses(cupy.less_equal),
    "logaddexp: refuses a large integer": lambda: refuses(cupy.logaddexp),
    "not_equal: refuses a large integer": lambda: refuses(cupy.not_equal),
    # indexing
    "getitem: takes an index for an axis of length 0": lambda: (
        not raises(lambda: cupy.ones((0, 0))[cupy.asarray([1])])
    ),
    "scatter_add: add.at refuses complex numbers": lambda: raises(
        lambda: cupy.add.at(cupy.ones(2, "complex64"), cupy.asarray([0]), cupy.ones(1, "complex64"))
    ),
    "scatter_add: add.at refuses int8": lambda: raises(
        lambda: cupy.add.at(cupy.ones(2, "int8"), cupy.asarray([0]), cupy.ones(1, "int8"))
    ),
    "setitem: a value that shares memory is overwritten while it is read": overlapped,
    # searching and sets
    "diff: returns the array itself for n=0": diff_is_itself,
    "count_nonzero: has no parameter keepdims": lambda: lacks(cupy.count_nonzero, "keepdims"),
    "isin: compares large integers as floats, or -1 as uint64": lambda: bool(
        cupy.isin(cupy.asarray([2**53 + 1], "uint64"), cupy.asarray([2**53]))[0]
        or cupy.isin(cupy.asarray([2**64 - 1], "uint64"), cupy.asarray([-1]))[0]
    ),
    "searchsorted: -1 is greater than every uint64": lambda: (
        int(cupy.searchsorted(cupy.asarray([1], "uint64"), cupy.asarray([-1]))[0]) == 1
    ),
    # reductions
    "std: has no parameter correction": lambda: lacks(cupy.std, "correction"),
    "var: has no parameter correction": lambda: lacks(cupy.var, "correction"),
    "cumulative_prod: cumprod overflows in half precision": lambda: is_infinite(
        cupy.cumprod(cupy.asarray([300, 300, 0.25], "float16"))[-1:]
    ),
    "cumulative_sum: cumsum overflows in half precision": lambda: is_infinite(
        cupy.cumsum(cupy.asarray([60000, 60000, -60000], "float16"))[-1:]
    ),
    # linear algebra
    "linalg.cholesky: has no parameter upper": lambda: lacks(cupy.linalg.cholesky, "upper"),
    "linalg.diagonal: is missing": lambda: not hasattr(cupy.linalg, "diagonal"),
    "linalg.matrix_norm: is missing": lambda: not hasattr(cupy.linalg, "matrix_norm"),
    "linalg.matrix_power: the power 1 is the array itself": lambda: (
        cupy.linalg.matrix_power(IDENTITY, 1).data.ptr == IDENTITY.data.ptr
    ),
    "linalg.outer: is missing": lambda: not hasattr(cupy.linalg, "outer"),
    "linalg.svdvals: is missing": lambda: not hasattr(cupy.linalg, "svdvals"),
    "linalg.trace: is missing": lambda: not hasattr(cupy.linalg, "trace"),
    "linalg.vector_norm: is missing": lambda: not hasattr(cupy.linalg, "vector_norm"),
    "unstack: is missing": lambda: not hasattr(cupy, "unstack"),
    "vecdot: is missing": lambda: not hasattr(cupy, "vecdot"),
    "linalg.matrix_rank: has no parameter rtol": lambda: lacks(cupy.linalg.matrix_rank, "rtol"),
    "linalg.pinv: has no parameter rtol": lambda: lacks(cupy.linalg.pinv, "rtol"),
    "linalg.qr: NaN beside a column whose norm overflows": lambda: is_nan(
        cupy.linalg.qr(cupy.asarray(LARGE) * 1.7e308 + 0j)[1]
    ),
    "linalg.solve: stacks are not broadcast": lambda: raises(
        lambda: cupy.linalg.solve(cupy.ones((2, 2, 2)) + cupy.eye(2), cupy.ones((2, 1)))
    ),
    "matmul: products overflow in half precision": lambda: is_nan(
        cupy.matmul(*(cupy.asarray(x, "float16") for x in ([[300, 300, -300]], [[200], [100], [300]])))
    ),
    # Fourier transforms
    "fft.fft: takes any axis": lambda: not raises(lambda: cupy.fft.fft(cupy.ones(2), axis=3)),
    "fft.fftfreq: has no parameter dtype": lambda: lacks(cupy.fft.fftfreq, "dtype"),
    "fft.fftn: refuses an array without elements": lambda: transform_refuses_no_elements("fftn"),
    "fft.ifft: takes any axis": lambda: not raises(lambda: cupy.fft.ifft(cupy.ones(2), axis=3)),
    "fft.ifftn: refuses an array without elements": lambda: transform_refuses_no_elements("ifftn"),
    "fft.ihfft: takes any axis": lambda: not raises(lambda: cupy.fft.ihfft(cupy.ones(2), axis=3)),
    "fft.rfft: takes complex numbers": lambda: not raises(lambda: cupy.fft.rfft(cupy.ones(2, "complex128"))),
    "fft.rfftfreq: has no parameter dtype": lambda: lacks(cupy.fft.rfftfreq, "dtype"),
    # special functions
    "special.chdtr: a number for NaN": lambda: (
        not is_nan(cupy_special.chdtr(cupy.asarray(INF), cupy.asarray(NAN)))
    ),
    "special.expi: NaN at inf": lambda: is_nan(cupy_special.expi(cupy.asarray(INF))),
    "special.fdtr: inexact near 1": lambda: (
        abs(number(cupy_special.fdtr(*map(cupy.asarray, FISHER))) / scipy_special.fdtr(*FISHER) - 1) > 1e-9
    ),
    "special.fdtri: NaN at 0": lambda: is_nan(cupy_special.fdtri(*map(cupy.asarray, (1.0, 1.0, 0.0)))),
    "special.gammainc: a number for NaN": lambda: (
        not is_nan(cupy_special.gammainc(cupy.asarray(INF), cupy.asarray(NAN)))
    ),
    "special.i0e: NaN for a large number": lambda: is_nan(cupy_special.i0e(cupy.asarray(1e5))),
    "special.i1e: NaN for a large number": lambda: is_nan(cupy_special.i1e(cupy.asarray(1e5))),
    "special.k0e: NaN for a large number": lambda: is_nan(cupy_special.k0e(cupy.asarray(1e5))),
    "special.k1e: NaN for a large number": lambda: is_nan(cupy_special.k1e(cupy.asarray(1e5))),
    "special.stdtrit: is missing": lambda: not hasattr(cupy_special, "stdtrit"),
    "special.xlog1py: a number for NaN": lambda: (
        not is_nan(cupy_special.xlog1py(cupy.asarray(0.0), cupy.asarray(NAN)))
    ),
    "special.yn: NaN for a negative order": lambda: is_nan(
        cupy_special.yn(cupy.asarray(-1), cupy.asarray(2.0))
    ),
    "special.zeta: needs q": lambda: raises(lambda: cupy_special.zeta(cupy.asarray(2.0))),
}

RIGHT_SINCE: dict[str, tuple[tuple[int, int], Callable[[], bool]]] = {
    # name: what CuPy does: the version since which it does, and whether it does. Overrides stay for older versions.
    "full: refuses an integer that does not fit": (
        (14, 1),
        lambda: raises(lambda: cupy.full(1, 300, dtype="int8")),
    ),
    "repeat: takes an array of repeats": (
        (14, 1),
        lambda: cupy.repeat(cupy.asarray([1, 2]), cupy.asarray([2, 1])).tolist() == [1, 1, 2],
    ),
    "reshape: has the parameter copy": ((14, 2), lambda: not lacks(cupy.reshape, "copy")),
    "scatter_add: add.at takes int64": (
        (14, 1),
        lambda: (
            not raises(lambda: cupy.add.at(cupy.ones(2, "int64"), cupy.asarray([0]), cupy.ones(1, "int64")))
        ),
    ),
    "sort: takes an axis of length 0": ((14, 1), lambda: cupy.sort(cupy.ones((2, 0))).shape == (2, 0)),
    "unique_all: NaNs are distinct, and the inverse has the shape of the array": (
        (14, 0),
        lambda: (
            cupy.unique_all(cupy.asarray([[NAN, 0.0], [0.0, NAN]])).inverse_indices.tolist()
            == [[1, 0], [0, 2]]
        ),
    ),
    "unique_counts: NaNs are distinct": (
        (14, 0),
        lambda: cupy.unique_counts(cupy.asarray([NAN, 0.0, NAN])).counts.tolist() == [1, 1, 1],
    ),
    "unique_inverse: NaNs are distinct, and the inverse has the shape of the array": (
        (14, 0),
        lambda: (
            cupy.unique_inverse(cupy.asarray([[NAN, 0.0], [0.0, NAN]])).inverse_indices.tolist()
            == [[1, 0], [0, 2]]
        ),
    ),
    "unique_values: NaNs are distinct": (
        (14, 0),
        lambda: cupy.unique_values(cupy.asarray([NAN, 0.0, NAN])).size == 3,
    ),
    # Right in 14.2.0, where these were tried first.
    "all: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("all")),
    "any: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("any")),
    "max: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("max")),
    "mean: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("mean")),
    "min: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("min")),
    "prod: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("prod")),
    "sum: takes no axes, ()": ((14, 2), lambda: not reduces_no_axes_wrongly("sum")),
    "setitem: refuses NaN for an integer": ((14, 2), lambda: not integer_of(NAN)),
    "linalg.eigh: right where squares overflow": (
        (14, 2),
        lambda: bool(
            np.allclose(
                cupy.linalg.eigh(cupy.asarray([[1.0, 0.5], [0.5, 1.0]]) * 1e308)[0].get() / 1e308, [0.5, 1.5]
            )
        ),
    ),
    "linalg.svd: finite where squares overflow": (
        (14, 2),
        lambda: bool(
            cupy.isfinite(cupy.linalg.svd(cupy.asarray(LARGE) * 5e307, full_matrices=False)[1]).all()
        ),
    ),
    "fft.hfft: refuses an axis that is not there": (
        (14, 2),
        lambda: raises(lambda: cupy.fft.hfft(cupy.ones(2), axis=3)),
    ),
    "fft.irfft: refuses an axis that is not there": (
        (14, 2),
        lambda: raises(lambda: cupy.fft.irfft(cupy.ones(2), axis=3)),
    ),
    "fft.irfftn: takes an array without elements": (
        (14, 2),
        lambda: not transform_refuses_no_elements("irfftn"),
    ),
    "fft.rfftn: takes an array without elements": (
        (14, 2),
        lambda: not transform_refuses_no_elements("rfftn"),
    ),
}

WRONG_SINCE: dict[str, tuple[tuple[int, int], Callable[[], bool]]] = {
    # name: what CuPy does: the version since which it does, and whether it still does
    "logical_and: a negative int64 beside uint64 is false": (
        (14, 1),
        lambda: not bool(cupy.logical_and(cupy.asarray([-1]), cupy.asarray([5], "uint64"))[0]),
    ),
}

LENGTHS_IGNORED = ("fftn", "ifftn", "rfftn", "irfftn")
REDUCTIONS = "all any argmax argmin count_nonzero max mean min prod std sum var".split()


@pytest.mark.parametrize("name", DIFFERENCES)
def test_canary(name: str) -> None:
    assert DIFFERENCES[name](), f"CuPy has changed: {name}"


@pytest.mark.parametrize("name", WRONG_SINCE)
def test_canary_of_newer_versions(name: str) -> None:
    version, check = WRONG_SINCE[name]
    if version > VERSION:
        pytest.skip(f"CuPy does this since {version[0]}.{version[1]}")
    assert check(), f"CuPy has changed: {name}"


@pytest.mark.parametrize("name", RIGHT_SINCE)
def test_canary_of_older_versions(name: str) -> None:
    version, check = RIGHT_SINCE[name]
    if version > VERSION:
        pytest.skip(f"CuPy does this since {version[0]}.{version[1]}")
    assert check(), f"CuPy has changed: {name} no longer holds"


@pytest.mark.parametrize("name", LENGTHS_IGNORED)
def test_canary_of_lengths_that_equal_the_shape(name: str) -> None:
    """https://github.com/cupy/cupy/issues/8248"""
    assert transform_ignores_lengths(name), f"CuPy has changed: {name} matches lengths with axes"


@pytest.mark.parametrize("name", REDUCTIONS)
def test_canary_of_an_axis_of_a_0d_array(name: str) -> None:
    """https://github.com/cupy/cupy/issues/8748"""
    function = getattr(cupy, name)
    assert raises(lambda: function(cupy.ones(()), axis=0), IndexError), (
        f"CuPy has changed: {name} takes axis 0"
    )


def test_repaired() -> None:
    assert float(xp.special.yn(-1, array(2.0))) == pytest.approx(float(scipy_special.yn(-1, 2.0)), rel=1e-12)
    for function in (xp.special.gammainc, xp.special.chdtr, xp.special.gammaincc, xp.special.chdtrc):
        assert math.isnan(float(function(array(INF), array(NAN))))
    assert math.isnan(float(xp.special.xlog1py(array(0.0), NAN)))
    assert float(xp.special.expi(array(INF))) == INF
    assert float(xp.special.fdtri(1.0, 1.0, array(0.0))) == 0
    near = pytest.approx(float(scipy_special.fdtr(*FISHER)), rel=1e-11)
    assert float(xp.special.fdtr(*map(array, FISHER))) == near
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
