"""Canaries of NumPy: each asserts that NumPy still has a quirk, and that burn_array returns the right value.

If a canary fails, NumPy has changed. Its override in ``adapters/numpy`` and the canary go as soon as the oldest
supported NumPy has the change too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp

VERSION = tuple(map(int, np.__version__.split(".")[:2]))
INF, NAN = float("inf"), float("nan")


def array(values: Any, dtype: Any = None) -> xp.Array:
    return xp.asarray(values, dtype=dtype, device="numpy")


def refused(call: Callable[[], Any]) -> bool:
    """Return whether a call raises an error of its arguments."""
    try:
        call()
    except (TypeError, ValueError, OverflowError, IndexError):
        return True
    return False


def reversed_through_a_mask(x: Any, mask: Any) -> list[float]:
    """Return ``x`` after its own reverse has been assigned through a mask of all its elements."""
    x[mask] = x[::-1]
    return x.tolist()  # type: ignore[no-any-return]


def of_complex(name: str) -> Any:
    """Return the row of a function that orders numbers."""
    return (
        lambda: refused(lambda: getattr(np, name)(np.asarray([1j, 2j]))),
        False,
        lambda: refused(lambda: getattr(xp, name)(array([1j, 2j]))),
        True,
    )


def of_0d(name: str, value: float) -> Any:
    """Return the row of a reduction of a 0-d array."""
    return (
        lambda: refused(lambda: find(np, name)(np.asarray(3.0), axis=0)),
        True,
        lambda: find(xp, name)(array(3.0), axis=0),
        value,
    )


def of_frequencies(name: str) -> Any:
    """Return the row of a function that gives frequencies."""
    return (
        lambda: refused(lambda: getattr(np.fft, name)(2, d=1.0, dtype=np.float32)),
        True,
        lambda: str(getattr(xp.fft, name)(2, dtype=xp.float32, device="numpy").dtype),
        "float32",
    )


CASES: dict[str, tuple[Callable[[], Any], Any, Callable[[], Any], Any]] = {
    # name: NumPy's call, its value, the call of burn_array, the right value
    "floor_divide": (
        lambda: np.floor_divide(5.0, -INF),
        -1.0,
        lambda: xp.floor_divide(array(5.0), -INF),
        -0.0,
    ),
    "pinv": (
        lambda: refused(lambda: np.linalg.pinv(np.eye(2, dtype=int), rtol=None)),  # type: ignore[call-overload]
        True,
        lambda: xp.linalg.pinv(array([[2, 0], [0, 4]])),
        [[0.5, 0.0], [0.0, 0.25]],
    ),
    "isin": (
        lambda: np.isin(np.asarray([2.0**53]), 2**53 + 1).tolist(),
        [True],
        lambda: xp.isin(array([2.0**53]), 2**53 + 1),
        [False],
    ),
    "irfft of nothing": (
        lambda: bool(np.fft.irfft(np.zeros((2, 0), complex), n=4).any()),
        True,
        lambda: xp.fft.irfft(array(np.zeros((2, 0)), xp.complex128), n=4),
        [[0.0] * 4] * 2,
    ),
    "floor_divide of infinity": (
        lambda: np.isnan(np.floor_divide(INF, 2.0)),
        True,
        lambda: xp.floor_divide(array(INF), 2.0),
        INF,
    ),
    "pow": (
        lambda: np.isnan(np.power(np.asarray([-INF, 4.0]), 0.5)).tolist(),
        [True, False],
        lambda: xp.asarray([-INF, -0.0, 4.0], device="numpy") ** 0.5,
        [INF, 0.0, 2.0],
    ),
    "expm1": (
        lambda: np.isnan(np.expm1(complex(INF, 0.0)).imag),
        True,
        lambda: xp.expm1(array(complex(INF, 0.0))),
        complex(INF, 0.0),
    ),
    "tanh": (
        lambda: np.signbit(np.tanh(complex(INF, 2.0)).imag),
        True,
        lambda: xp.signbit(xp.imag(xp.tanh(array(complex(INF, 2.0))))),
        False,
    ),
    "unique_values": (
        lambda: np.unique_values(np.asarray([3, 100, 2, 7])).tolist() == [2, 3, 7, 100],
        False,
        lambda: xp.unique_values(array([3, 100, 2, 7])),
        [2, 3, 7, 100],
    ),
    "qr": (
        lambda: bool(np.isnan(np.linalg.qr(np.asarray([[1.0, 0.5], [1.0, 0.2]]) * 1.7e308).R).any()),
        True,
        lambda: xp.any(xp.isnan(xp.linalg.qr(array([[1.0, 0.5], [1.0, 0.2]]) * 1.7e308).R)),
        False,
    ),
    "max of complex numbers": (
        lambda: np.max(np.asarray([1j, 2j])),
        2j,
        lambda: refused(lambda: xp.max(array([1j, 2j]))),
        True,
    ),
    "sum of half precision along the first axis": (
        lambda: np.add.reduce(np.ones((4096, 2), np.float16), axis=0).tolist(),
        [2048.0, 2048.0],
        lambda: xp.sum(array(np.ones((4096, 2)), xp.float16), axis=0),
        [4096.0, 4096.0],
    ),
    "cumulative_sum of half precision": (
        lambda: np.cumulative_sum(np.ones(4096, np.float16))[-1],
        2048.0,
        lambda: xp.cumulative_sum(array(np.ones(4096), xp.float16))[-1],
        4096.0,
    ),
    "cumulative_prod of half precision": (
        lambda: np.cumulative_prod(np.asarray([300, 300, 0.5, 0.5], np.float16))[-1],
        INF,
        lambda: xp.cumulative_prod(array([300, 300, 0.5, 0.5], xp.float16))[-1],
        22496.0,
    ),
    "std of half precision": (
        lambda: np.std(np.full(4096, 1000, np.float16)),
        INF,
        lambda: xp.std(array(np.full(4096, 1000), xp.float16)),
        0.0,
    ),
    "var of half precision": (
        lambda: np.var(np.asarray([0, 300, 600], np.float16)),
        INF,
        lambda: xp.var(array([0, 300, 600], xp.float16)),
        60000.0,
    ),
    "vector_norm of half precision": (
        lambda: np.linalg.vector_norm(np.full(4, 300, np.float16)),
        INF,
        lambda: xp.linalg.vector_norm(array([300] * 4, xp.float16)),
        600.0,
    ),
    "matrix_norm of half precision": (
        lambda: np.linalg.matrix_norm(np.full((2, 2), 300, np.float16)),
        INF,
        lambda: xp.linalg.matrix_norm(array([[300] * 2] * 2, xp.float16)),
        600.0,
    ),
    "assignment of an overlapping value through a mask": (
        lambda: reversed_through_a_mask(np.arange(4.0), np.ones(4, bool)) == [3.0, 2.0, 1.0, 0.0],
        False,
        lambda: reversed_through_a_mask(array([0.0, 1.0, 2.0, 3.0]), array([True] * 4)),
        [3.0, 2.0, 1.0, 0.0],
    ),
    **{
        f"{name} of complex numbers": of_complex(name)
        for name in ("min", "argmax", "argmin", "sort", "argsort")
    },
    "searchsorted of complex numbers": (
        lambda: np.searchsorted(np.asarray([1j, 2j]), 3j),
        2,
        lambda: refused(lambda: xp.searchsorted(array([1j, 2j]), array(3j))),
        True,
    ),
    **{
        f"{name} over axis 0 of a 0-d array": of_0d(name, value)
        for name, value in (("mean", 3.0), ("std", 0.0), ("var", 0.0), ("linalg.vector_norm", 3.0))
    },
    **{f"dtype of fft.{name}": of_frequencies(name) for name in ("fftfreq", "rfftfreq")},
    "diff with None to prepend": (
        lambda: refused(lambda: np.diff(np.asarray([1, 3]), prepend=None)),  # type: ignore[call-overload]
        True,
        lambda: xp.diff(array([1, 3]), prepend=None),
        [2],
    ),
    "searchsorted, an index of sorter outside of the array": (
        lambda: np.searchsorted(np.asarray([3.0, 1, 2]), 0.5, sorter=np.asarray([1, 2, 9])),
        0,
        lambda: refused(lambda: xp.searchsorted(array([3.0, 1, 2]), 0.5, sorter=array([1, 2, 9]))),
        True,
    ),
}

GONE_IN_2_5: dict[str, tuple[Callable[[], Any], Callable[[], Any], Any]] = {
    # name: whether NumPy has the quirk, the call of burn_array, the right value
    "eig": (
        lambda: np.linalg.eig(np.eye(2))[0].dtype.kind == "f",
        lambda: xp.linalg.eig(array([[1.0, 0.0], [0.0, 1.0]])).eigenvalues,
        [1 + 0j, 1 + 0j],
    ),
    "eigvals": (
        lambda: np.linalg.eigvals(np.eye(2)).dtype.kind == "f",
        lambda: xp.linalg.eigvals(array([[1.0, 0.0], [0.0, 1.0]])),
        [1 + 0j, 1 + 0j],
    ),
    "where": (
        lambda: not refused(lambda: np.where(np.asarray(False), np.asarray([1], np.uint8), 300)),
        lambda: refused(lambda: xp.where(array(False), array([1], xp.uint8), 300)),
        True,
    ),
}


def find(namespace: Any, name: str) -> Any:
    """Return the function with a dotted name."""
    for part in name.split("."):
        namespace = getattr(namespace, part)
    return namespace


def plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, xp.Array) else value


@pytest.mark.parametrize("name", CASES)
def test_canary(name: str) -> None:
    numpys, value, ours, right = CASES[name]
    with np.errstate(all="ignore"):
        assert numpys() == value, f"NumPy has changed: {name}"
        got = plain(ours())
    assert got == right
    assert repr(got) == repr(right)  # distinguishes -0.0 from 0.0


@pytest.mark.parametrize("name", GONE_IN_2_5)
def test_canary_of_older_versions(name: str) -> None:
    has_quirk, ours, right = GONE_IN_2_5[name]
    assert has_quirk() == (VERSION < (2, 5)), f"NumPy has changed: {name}"
    assert plain(ours()) == right


def test_assignment_between_overlapping_parts() -> None:
    x = array(np.arange(6.0))
    x[::-1][1:] = x[:-1]
    assert x.tolist() == [4.0, 3.0, 2.0, 1.0, 0.0, 5.0]
    y = array(np.arange(6.0))
    y[array([1, 2, 3, 4, 5])] = y[:-1]
    assert y.tolist() == [0.0, 0.0, 1.0, 2.0, 3.0, 4.0]


def test_functions_of_numpy_have_an_implementation_without_dispatch() -> None:
    """Without it the adapter still works, but is slower."""
    assert all(hasattr(function, "_implementation") for function in (np.where, np.concat, np.linalg.svd))
