"""Methods beyond the standard where they do more than call a function of the namespace."""

from __future__ import annotations

from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

INF, NAN = float("inf"), float("nan")
PARTS = [1.5, -2.0, 0.0, -0.0, INF, -INF, NAN]
Host = Any


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_pairs_as_complex_numbers_keep_every_part(xp: ModuleType, host: Host, dtype: str) -> None:
    pairs = np.asarray(list(product(PARTS, PARTS)), dtype=dtype)
    made = xp.asarray(pairs).view("complex64" if dtype == "float32" else "complex128")
    assert made.shape == (49, 1)
    assert made.dtype.itemsize == 2 * pairs.itemsize
    back = host(made.view(dtype))
    np.testing.assert_array_equal(back, pairs)
    np.testing.assert_array_equal(np.signbit(back), np.signbit(pairs))


def test_gradient_of_pairs_as_complex_numbers(xp: ModuleType, host: Host) -> None:
    from burn_array.autodiff import grad

    weights = xp.asarray([1.0, 2.0, 3.0, 4.0])
    slope = grad(lambda x: xp.sum(x.view("complex128").view("float64") * weights))(xp.asarray([1.0, 0.0, -2.0, -0.5]))
    np.testing.assert_array_equal(host(slope), [1.0, 2.0, 3.0, 4.0])


INTEGERS = [0, 1, 4, 5, 6, 14, 15, 16, 25, 35, 44, 45, 46, 55, 95, 99, 100, 105, 120]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("decimals", [3, 1, 0, -1, -2, -3, -30])
def test_integers_round_to_integers(xp: ModuleType, host: Host, dtype: str, decimals: int) -> None:
    values = np.asarray(INTEGERS + ([-x for x in INTEGERS] if dtype != "uint8" else []), dtype=dtype)
    rounded = xp.asarray(values).round(decimals)
    assert rounded.dtype == values.dtype
    exact = [round(int(value), min(decimals, 0)) for value in values]
    assert host(rounded).tolist() == exact


def test_floats_round_as_in_numpy(xp: ModuleType, host: Host) -> None:
    values = np.asarray([15.0, 25.0, 35.0, 1.005, -2.675, 1234.5])
    for decimals in (2, 1, -1, -2):
        np.testing.assert_array_equal(host(xp.asarray(values).round(decimals)), values.round(decimals))


def test_the_first_power_of_a_matrix_is_a_copy(xp: ModuleType) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    power = xp.linalg.matrix_power(x, 1)
    power[0, 0] = 9.0
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
