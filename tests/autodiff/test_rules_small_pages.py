"""Rules of creation, indexing, searching, set, sorting and utility functions: central differences and exact values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.autodiff import grad

INF, NAN = float("inf"), float("nan")


def _ascending(xp: Any, x: Any) -> Any:
    return xp.take_along_axis(x, xp.argsort(x, axis=1), axis=1) ** 2


def _assigned(xp: Any, x: Any, y: Any) -> Any:
    z = x * x
    z[0, :] = y
    z[:, -1] = 2.0
    return z * z


CASES = [
    ("tril", "rc", lambda xp, x: xp.tril(x, k=1) ** 2, (2, 3, 4)),
    ("triu", "rc", lambda xp, x: xp.triu(x, k=-1) ** 2, (3, 2)),
    ("meshgrid", "rc", lambda xp, x, y: [z * z for z in xp.meshgrid(x, y)], (2,), (3,)),
    ("meshgrid ij", "rc", lambda xp, x, y, z: xp.meshgrid(x, y, z, indexing="ij")[1] ** 2, (2,), (3,), (2,)),
    ("meshgrid three", "rc", lambda xp, x, y, z: [a * a for a in xp.meshgrid(x, y, z)], (2,), (3,), (2,)),
    ("meshgrid one", "rc", lambda xp, x: xp.meshgrid(x)[0] ** 2, (3,)),
    ("asarray", "rc", lambda xp, x: xp.asarray(x, copy=True) ** 2, (2, 3)),
    ("asarray of lists", "rc", lambda xp, x: xp.asarray([[x[0], x[1]], [x[1], x[2]]]) ** 2, (3,)),
    ("astype", "r", lambda xp, x: xp.astype(x, xp.complex128) * (1 + 2j), (2, 3)),
    ("take", "rc", lambda xp, x: xp.take(x, xp.asarray([2, 0, 2]), axis=1) ** 2, (2, 3)),
    ("take vector", "rc", lambda xp, x: xp.take(x, xp.asarray([1, 1])) ** 2, (3,)),
    ("take negative", "rc", lambda xp, x: xp.take(x, xp.asarray([-1, 1]), axis=-2) ** 2, (3, 2)),
    ("take none", "rc", lambda xp, x: xp.take(x, xp.asarray([], dtype=xp.int64), axis=0), (3, 2)),
    ("take_along_axis", "rc", lambda xp, x: xp.take_along_axis(x, xp.asarray([[2, 2], [0, 1]])) ** 2, (2, 3)),
    (
        "take_along_axis 0",
        "rc",
        lambda xp, x: xp.take_along_axis(x, xp.asarray([[0, 1, 1]]), axis=0) ** 2,
        (2, 3),
    ),
    (
        "take_along_axis broadcast",
        "rc",
        lambda xp, x: xp.take_along_axis(x, xp.asarray([[2, -3]]), axis=1),
        (2, 3),
    ),
    ("getitem", "rc", lambda xp, x: x[1, ..., ::-2] ** 2, (2, 3, 4)),
    ("getitem integers", "rc", lambda xp, x: x[xp.asarray([1, 1, 0]), :] ** 2, (2, 3)),
    ("setitem", "rc", _assigned, (2, 3), (3,)),
    ("where", "rc", lambda xp, x, y: xp.where(xp.asarray([True, False, True]), x, y) ** 2, (2, 3), (2, 1)),
    ("where scalar", "rc", lambda xp, x: xp.where(xp.asarray([[True], [False]]), x, 2.0) ** 2, (3,)),
    ("sort", "r", lambda xp, x: xp.sort(x) ** 2, (2, 4)),
    ("sort descending", "r", lambda xp, x: xp.sort(x, axis=0, descending=True) ** 2, (4, 2)),
    ("sort unstable", "r", lambda xp, x: xp.sort(x, stable=False) ** 2, (5,)),
    ("argsort", "r", _ascending, (2, 3)),
    ("unique_values", "r", lambda xp, x: xp.unique_values(x) ** 2, (2, 3)),
    ("unique_all", "r", lambda xp, x: xp.unique_all(x).values ** 2, (4,)),
    ("unique_counts", "r", lambda xp, x: xp.unique_counts(x).values ** 2, (4,)),
    ("unique_inverse", "r", lambda xp, x: xp.unique_inverse(x).values ** 2, (4,)),
    ("diff", "rc", lambda xp, x: xp.diff(x) ** 2, (2, 4)),
    ("diff twice", "rc", lambda xp, x: xp.diff(x, axis=0, n=2) ** 2, (4, 2)),
    ("diff joined", "rc", lambda xp, x, y, z: xp.diff(x, prepend=y, append=z) ** 2, (2, 3), (2, 1), (2, 2)),
    ("diff zero times", "rc", lambda xp, x: xp.diff(x, n=0) ** 2, (3,)),
    ("diff too often", "rc", lambda xp, x: xp.diff(x, n=4), (3,)),
]

CORNERS = [
    ("take repeats", lambda xp, x: xp.take(x, xp.asarray([0, 0, 1])), [5.0, 6.0], [2, 1]),
    ("take not taken", lambda xp, x: xp.take(xp.sqrt(x), xp.asarray([1])), [0.0, 4.0], [0, 0.25]),
    (
        "take_along_axis not taken",
        lambda xp, x: xp.take_along_axis(xp.log(x), xp.asarray([1])),
        [0.0, 4.0],
        [0, 0.25],
    ),
    ("tril not taken", lambda xp, x: xp.tril(xp.sqrt(x)), [[4.0, 0.0], [1.0, 4.0]], [[0.25, 0], [0.5, 0.25]]),
    ("where not taken", lambda xp, x: xp.where(x > 0, xp.sqrt(x), 0.0), [-1.0, 0.0, 4.0], [0, 0, 0.25]),
    ("sort ties", lambda xp, x: xp.sort(x) * xp.asarray([1.0, 2.0, 4.0]), [1.0, 0.0, 1.0], [2, 1, 4]),
    (
        "sort descending ties",
        lambda xp, x: xp.sort(x, descending=True) * xp.asarray([1.0, 2.0, 4.0]),
        [1.0, 0.0, 1.0],
        [1, 4, 2],
    ),
    ("unique first", lambda xp, x: xp.unique_values(x) * xp.asarray([1.0, 2.0]), [3.0, 2.0, 3.0], [2, 1, 0]),
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None]) -> None:
    derivatives(3)


@pytest.mark.needs("64 bits")
def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()


@pytest.mark.needs("64 bits")
def test_corner(gradient_at: Callable[..., Any], corner: Any) -> None:
    _, function, point, expected = corner
    np.testing.assert_allclose(gradient_at(function, point), expected, rtol=1e-14, atol=0)


POSITIONS = [
    lambda xp, x: xp.all(x, axis=0),
    lambda xp, x: xp.any(x),
    lambda xp, x: xp.argmax(x, axis=1),
    lambda xp, x: xp.argmin(x, keepdims=True),
    lambda xp, x: xp.argsort(x, descending=True),
    lambda xp, x: xp.count_nonzero(x, axis=(0, 1)),
    lambda xp, x: xp.isin(x, x),
    lambda xp, x: xp.linalg.matrix_rank(x),
    lambda xp, x: xp.nonzero(x)[1],
    lambda xp, x: xp.searchsorted(xp.sort(xp.reshape(x, (-1,))), x, side="right"),
    lambda xp, x: xp.unique_all(x).indices,
    lambda xp, x: xp.unique_counts(x).counts,
    lambda xp, x: xp.unique_inverse(x).inverse_indices,
    lambda xp, x: xp.zeros_like(x),
    lambda xp, x: xp.astype(x, xp.int64),
]


LENGTH = 300
NARROW = {
    "repeat": lambda x, ones: xp.repeat(x, ones),
    "take_along_axis": lambda x, ones: xp.take_along_axis(
        xp.reshape(x, (LENGTH, 1)), xp.reshape(ones - 1, (LENGTH, 1)), axis=1
    ),
}


@pytest.mark.parametrize("name", NARROW)
@pytest.mark.needs("64 bits")
def test_indices_may_be_narrower_than_the_axis(device: Any, name: str) -> None:
    weights = xp.arange(LENGTH, dtype=xp.float64, device=device)
    ones = xp.ones(LENGTH, dtype=xp.int8, device=device)
    slope = grad(lambda x: xp.sum(xp.reshape(NARROW[name](x, ones), (-1,)) * weights))(weights)
    assert slope.tolist() == weights.tolist()


@pytest.mark.parametrize("function", POSITIONS)
@pytest.mark.needs("64 bits")
def test_positions_and_counts_of_tracked_arrays_are_constant(
    device: Any, function: Callable[..., Any]
) -> None:
    x = xp.asarray([[3.0, 1.0], [2.0, 0.0]], device=device.autodiff()).require_grad()
    out = function(xp, x)
    assert out.device == x.device
    assert not out.is_tracked
