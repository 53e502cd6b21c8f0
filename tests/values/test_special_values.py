"""Infinities, NaN, signed zeros, empty arrays and other special cases of the standard: one call a line."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import ArgumentError, AxisError

INF, NAN = math.inf, math.nan
SPECIAL: dict[str, Any] = {
    "xp.floor_divide(A([INF, -INF, 1., -1., 7., -7., 1.]), A([2., 2., INF, INF, -2., 2., 0.]))": [
        INF,
        -INF,
        0.0,
        -0.0,
        -4.0,
        -4.0,
        INF,
    ],
    "xp.remainder(A([-1., 2., -0., 0., 5., 1.]), A([1., -1., 1., -1., INF, 0.]))": [
        0.0,
        -0.0,
        0.0,
        -0.0,
        5.0,
        NAN,
    ],
    "xp.sign(A([NAN, -2., -0., 3.]))": [NAN, -1.0, 0.0, 1.0],
    "xp.sign(A([3 + 4j, 0j]))": [0.6 + 0.8j, 0j],
    "xp.sign(A([complex(2, INF), complex(-INF, 3)]))": [1j, -1 + 0j],
    "A(7.) // 10**30": 0.0,
    "xp.linspace(10, 1, 10, dtype=xp.uint32)": list(range(10, 0, -1)),
    "xp.real(xp.unique_values(A([complex(3, NAN), 10 + 0j, complex(NAN, 0), 2 + 0j])))": [
        2.0,
        10.0,
        3.0,
        NAN,
    ],
    "xp.imag(xp.diff(A([complex(1, 1), complex(1, INF), complex(1, 2)])))": [INF, -INF],
    "xp.real(xp.diff(A([complex(1, 1), complex(1, INF), complex(3, 2)])))": [0.0, 2.0],
    "xp.linalg.pinv(A([[2, 0], [0, 4]]))": [[0.5, 0.0], [0.0, 0.25]],
    "xp.logaddexp(A([-INF, -INF, INF]), A([-INF, 1., INF]))": [-INF, 1.0, INF],
    "xp.exp(A([INF + 0j, -INF + 0j]))": [INF + 0j, 0j],
    "xp.sqrt(A([-0., INF, -1.]))": [-0.0, INF, NAN],
    "xp.atan2(A([0., -0., 0., -0., 1., INF]), A([-0., -0., 0., 0., 0., INF]))": [
        math.pi,
        -math.pi,
        0.0,
        -0.0,
        math.pi / 2,
        math.pi / 4,
    ],
    "xp.pow(A([NAN, 1., 0., -0., 2., -1.]), A([0., NAN, -1., -3., -INF, INF]))": [
        1.0,
        1.0,
        INF,
        -INF,
        0.0,
        1.0,
    ],
    "xp.round(A([0.5, 1.5, -0.5, -2.5, 2.5]))": [0.0, 2.0, -0.0, -2.0, 2.0],
    "xp.trunc(A([-0.5, 0.5, -INF]))": [-0.0, 0.0, -INF],
    "xp.ceil(A([-0.5]))": [-0.0],
    "xp.maximum(A([NAN, 1.]), A([1., NAN]))": [NAN, NAN],
    "xp.minimum(A([0., NAN]), A([1., 2.]))": [0.0, NAN],
    "xp.copysign(A([1., -1., 0.]), A([-0., 0., -1.]))": [-1.0, 1.0, -0.0],
    "xp.signbit(A([-0., 0., -INF, 1.]))": [True, False, True, False],
    "xp.hypot(A([INF, 3.]), A([NAN, 4.]))": [INF, 5.0],
    "xp.expm1(A([-0., INF, -INF]))": [-0.0, INF, -1.0],
    "xp.log1p(A([-1., -0., INF, -2.]))": [-INF, -0.0, INF, NAN],
    "xp.acosh(A([1., 0.5, INF]))": [0.0, NAN, INF],
    "xp.atanh(A([1., -1., -0., 2.]))": [INF, -INF, -0.0, NAN],
    "xp.tanh(A([INF, -INF, -0.]))": [1.0, -1.0, -0.0],
    "xp.nextafter(A([0., 1.]), A([1., 1.]))": [5e-324, 1.0],
    "xp.divide(A([1., -1., 0.]), A([0., 0., 0.]))": [INF, -INF, NAN],
    "xp.max(A([1., NAN, 3.]))": NAN,
    "xp.min(A([1., NAN]), axis=0)": NAN,
    "xp.argmax(A([0, 1, 1, 1]))": 1,
    "xp.argmax(A([1., NAN, NAN]))": 1,
    "xp.argmin(A([1., NAN, 0.]))": 1,
    "xp.sort(A([NAN, 1., -INF, 0.]))": [-INF, 0.0, 1.0, NAN],
    "xp.argsort(A([10] * 40))": list(range(40)),
    "xp.argsort(A([1, 2, 1, 2]), descending=True)": [1, 3, 0, 2],
    "xp.unique_counts(A([1., 1., NAN, NAN])).counts": [2, 1, 1],
    "xp.unique_values(A([2, 1, 2]))": [1, 2],
    "xp.unique_all(A([[3, 1], [3, 2]])).indices": [1, 3, 0],
    "xp.unique_inverse(A([[3, 1], [3, 2]])).inverse_indices": [[2, 0], [2, 1]],
    "xp.sum(A([200, 200], dtype=xp.uint8))": 400,
    "xp.prod(A([]))": 1.0,
    "xp.sum(xp.zeros((0, 3)), axis=0)": [0.0, 0.0, 0.0],
    "xp.all(A([]))": True,
    "xp.any(A([]))": False,
    "xp.mean(A([1, 2]))": 1.5,
    "xp.any(A([[3, 0], [242, 0]], dtype=xp.uint8), axis=0)": [True, False],
    "A([1], dtype=xp.uint16) + A([70000], dtype=xp.uint32)": [70001],
    "A([1], dtype=xp.int8) + A(127, dtype=xp.int32)": [128],
    "A([-1], dtype=xp.int8) + A([65535], dtype=xp.uint16)": [65534],
    "xp.less(A([-1]), A([2**63], dtype=xp.uint64))": [True],
    "xp.take_along_axis(A([10, 20, 30]), A([-1, 0]))": [30, 10],
    "xp.count_nonzero(A([[1, 0], [1, 1]]), axis=(0, 1), keepdims=True)": [[3]],
    "xp.cumulative_sum(A([[1, 2], [3, 4]]), axis=1, include_initial=True)": [[0, 1, 3], [0, 3, 7]],
    "xp.cumulative_prod(A([[1, 2], [3, 4]]), axis=1, include_initial=True)": [[1, 1, 2], [1, 3, 12]],
    "xp.linspace(-0.031608279794, 0.031531572342, 257, dtype=xp.float32)[-1]": float(
        np.float32(0.031531572342)
    ),
    "A(xp.arange(0.1, 0.5, 0.05, dtype=xp.float32).shape)": [8],
    "xp.vecdot(A([1j, 2]), A([1j, 3]))": 7 + 0j,
    "xp.linalg.matrix_rank(xp.zeros((2, 0, 3)))": [0, 0],
    "xp.linalg.matrix_rank(xp.zeros((0, 3)))": 0,
    "xp.linalg.matrix_rank(A([[[1., 0.], [0., 1e-3]]] * 2), rtol=A([1e-6, 0.1]))": [2, 1],
    "xp.linalg.pinv(A([[1., 0.], [0., 1e-3]]), rtol=0.1)": [[1.0, 0.0], [0.0, 0.0]],
    "xp.linalg.det(xp.zeros((0, 0)))": 1.0,
    "xp.linalg.solve(A([[[2., 0.], [0., 4.]]] * 2), A([[2., 4.], [8., 12.]]))": [[[1.0, 2.0], [2.0, 3.0]]]
    * 2,
    "xp.searchsorted(A([1., 2., NAN]), A([NAN, 3.]))": [2, 2],
    "xp.searchsorted(A([False, True]), A([True, False] * 16), side='right')": [2, 1] * 16,
    "xp.searchsorted(A([False, True]), True)": 1,
    "xp.searchsorted(A([2**62 + i for i in range(100)], dtype=xp.uint64), 2**62 + 25)": 25,
    "xp.searchsorted(xp.flip(A([3., 2., 1.])), A(2.))": 1,
    "xp.searchsorted(A([3, 1, 2]), A([2, 3]), sorter=A([1, 2, 0]))": [1, 2],
    "xp.abs(A([-(2**63)]))": [-(2**63)],
    "xp.bitwise_right_shift(A([-8], dtype=xp.int8), A([1], dtype=xp.int8))": [-4],
    "xp.isin(A([NAN, 1.]), A([NAN, 1.]))": [False, True],
    "xp.clip(A([NAN, 5.]), 0., 1.)": [NAN, 1.0],
    "xp.where(A([True, False]), A([NAN, 1.]), 2)": [NAN, 2.0],
    "xp.var(A([1., 2., 3., 4.]), correction=1)": 5 / 3,
    "xp.diff(A([1]), n=2)": [],
    "xp.trunc(A([3], dtype=xp.int32))": [3],
    "xp.tanh(A([1000 + 1j]))": [1 + 0j],
    "xp.real(xp.tanh(A([complex(0, INF), complex(-0.0, NAN)])))": [0.0, -0.0],
    "xp.imag(xp.tan(A([complex(INF, 0), complex(NAN, -0.0)])))": [0.0, -0.0],
    "xp.isin(A([1, 2, 9]), xp.permute_dims(xp.reshape(xp.arange(6), (2, 3)), (1, 0)))": [True, True, False],
    "xp.isin(A([1., 2, 9]), xp.permute_dims(xp.reshape(xp.arange(6), (2, 3)), (1, 0)))": [True, True, False],
    "xp.isin(A([1, 9]), xp.broadcast_to(A([1]), (2, 3)), invert=True)": [False, True],
    "xp.reciprocal(A([2**64 - 1, 1, 2], dtype=xp.uint64))": [0, 1, 0],
    "xp.reciprocal(A([2**32 - 1, 1, 2], dtype=xp.uint32))": [0, 1, 0],
    "xp.reciprocal(A([-1, 1, 2, -(2**63)]))": [-1, 1, 0, 0],
    "xp.diff(A([1, 2]), n=0, append=A([5]))": [1, 2, 5],
    "xp.diff(A([1, 2]), n=0, prepend=A([5]))": [5, 1, 2],
    "xp.diff(A([1, 2]), n=0)": [1, 2],
    "xp.flip(A(3))": 3,
    "xp.linalg.vector_norm(xp.zeros((3, 0)), ord=-2)": INF,
    "xp.linalg.vector_norm(xp.zeros((3, 0)), ord=-1, axis=1, keepdims=True)": [[INF]] * 3,
    "xp.linalg.vector_norm(xp.zeros((3, 0)), ord=-2, axis=0)": [],
    "xp.hypot(A([True]), 3)": [math.sqrt(10)],
    "xp.hypot(3, A([True]))": [math.sqrt(10)],
    "xp.hypot(A([True]), 10**30)": [1e30],
    "xp.atan2(A([True]), 3)": [math.atan(1 / 3)],
    "xp.copysign(A([True]), -3)": [-1.0],
    "xp.logaddexp(A([True]), 3)": [math.log(math.exp(1) + math.exp(3))],
    "xp.nextafter(A([True]), 3)": [1 + 2**-52],
    "xp.concat([A([]), A([])], axis=-1)": [],
    "xp.zeros((3, 0))[A([2, -3])]": [[], []],
    "xp.take(xp.zeros((3, 0)), A([2, -3]), axis=0)": [[], []],
    "xp.fft.fftshift(A([1, 2, 3]), axes=())": [1, 2, 3],
    "xp.fft.ifftshift(A([1, 2, 3]), axes=())": [1, 2, 3],
    "xp.fft.fftshift(A(1))": 1,
}


WIDE = (
    "xp.nextafter(A([0., 1.]), A([1., 1.]))",
    "xp.abs(A([-(2**63)]))",
    "xp.reciprocal(A([-1, 1, 2, -(2**63)]))",
)


@pytest.mark.parametrize(
    "code",
    [pytest.param(code, marks=[pytest.mark.needs("64 bits")] if code in WIDE else []) for code in SPECIAL],
)
def test_special_values_of_the_standard(xp: ModuleType, device: burn_array.Device, code: str) -> None:
    with np.errstate(all="ignore"):
        found = np.asarray(eval(code, {"xp": xp, "A": xp.asarray, "INF": INF, "NAN": NAN}).to_device("numpy"))
    wanted = np.asarray(SPECIAL[code])
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-6 if device.adapter.narrow else 1e-14)
    if found.dtype.kind == "f":
        same_sign = (np.signbit(found) == np.signbit(wanted)) | np.isnan(wanted)
        assert np.all(same_sign), found


PARTS = [0.0, 1e-8, 0.3, 1.5, 100.0, 1e4, 5e7]
CURVES = "acos acosh asin asinh atan atanh cos cosh exp log log10 sin sinh sqrt tan tanh".split()


@pytest.mark.filterwarnings("ignore")  # NumPy warns at poles and where a function overflows
@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_functions_of_vectors_views_and_single_numbers(xp: ModuleType, name: str, dtype: str) -> None:
    parts = [*PARTS, *(-part for part in PARTS[1:])]
    numbers = np.asarray([complex(a, b) for a in parts for b in parts], dtype=dtype)
    function, wanted = (
        getattr(xp, name),
        np.asarray(getattr(xp, name)(burn_array.asarray(numbers, device="numpy"))),
    )
    numbers, wanted = numbers[np.isfinite(wanted)], wanted[np.isfinite(wanted)]
    views = function(xp.asarray(np.repeat(numbers, 2))[::2])
    vectors = function(xp.asarray(numbers))
    single = [complex(function(xp.asarray(one))) for one in numbers[::5]]
    rtol, least = 1e-9 if dtype == "complex128" else 1e-4, float(np.finfo(dtype).tiny)
    np.testing.assert_allclose(np.asarray(vectors.to_device("numpy")), wanted, rtol, least)
    np.testing.assert_allclose(np.asarray(views.to_device("numpy")), wanted, rtol, least)
    np.testing.assert_allclose(single, wanted[::5], rtol, least)


@pytest.mark.host  # on an accelerator the check would wait for the device
def test_integers_to_negative_powers_raise(xp: ModuleType, computed: Callable[[Any], Any]) -> None:
    for call in (xp.pow, operator.pow):
        with pytest.raises(ArgumentError, match="negative integer powers"):
            computed(call(xp.asarray([4, 3]), xp.asarray([-3, 2])))


@pytest.mark.needs("64 bits")
def test_norms_of_empty_complex_arrays_are_real(xp: ModuleType) -> None:
    assert xp.linalg.vector_norm(xp.zeros((2, 0), dtype=xp.complex64), ord=INF, axis=1).dtype == xp.float32
    assert xp.linalg.matrix_norm(xp.zeros((2, 0, 0), dtype=xp.complex128)).dtype == xp.float64


REDUCTIONS = "all any argmax argmin count_nonzero linalg.vector_norm max mean min prod std sum var".split()


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_0d_arrays_accept_axes_0_and_minus_1(xp: ModuleType, name: str) -> None:
    """NumPy's ``sum`` and ``max`` accept these axes."""
    function = operator.attrgetter(name)(xp)
    for values in (3.0, [[3.0, 4.0]]):
        x = xp.asarray(values)[0, 1] if isinstance(values, list) else xp.asarray(values)
        wanted = function(x)
        for axis in (0, -1):
            for keepdims in (False, True):
                found = function(x, axis=axis, keepdims=keepdims)
                assert (found.shape, found.dtype, found.item()) == ((), wanted.dtype, wanted.item())
                if name in ("std", "var"):
                    assert function(x, axis=axis, keepdims=keepdims, correction=0.5).item() == 0
                if name in ("prod", "sum"):
                    narrow = function(x, axis=axis, keepdims=keepdims, dtype=xp.float32)
                    assert (narrow.shape, narrow.dtype, narrow.item()) == ((), xp.float32, wanted.item())
        for axis in (1, -2):
            with pytest.raises(AxisError):
                function(x, axis=axis)
