"""Sums, products and norms of half precision are computed in single precision and rounded once at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp

INF = float("inf")
Call = Callable[[Any], xp.Array]

CASES: dict[str, tuple[Any, Call, Any]] = {
    # name: (values, call, right answer)
    "std of equal values": (np.full(4096, 1000), xp.std, 0),
    "var of equal values": (np.full((2, 4096), 1000), lambda x: xp.var(x, axis=1), [0, 0]),
    "var": ([0, 300, 600], xp.var, 60000),
    "std, correction": ([0, 200, 400], lambda x: xp.std(x, correction=1), 200),
    "var, keepdims": ([[0, 200]], lambda x: xp.var(x, axis=1, keepdims=True), [[10000]]),
    "mean": ([60000, 60000], xp.mean, 60000),
    "sum that comes back": ([60000, 60000, -60000], xp.sum, 60000),
    "sum along the first axis": (np.ones((4096, 2)), lambda x: xp.sum(x, axis=0), [4096, 4096]),
    "sum, dtype": (np.ones((4096, 1)), lambda x: xp.sum(x, axis=0, dtype=xp.float16), [4096]),
    "sum that is too large": ([60000, 60000], xp.sum, INF),
    "cumulative_sum": ([60000, 60000, -60000], xp.cumulative_sum, [60000, INF, 60000]),
    "cumulative_prod": ([300, 300, 0.25], xp.cumulative_prod, [300, INF, 22500]),
    "prod": ([300, 300, 0.25], xp.prod, 22500),
    "trace": (np.diag([60000, 60000, -60000]), xp.linalg.trace, 60000),
    "vector_norm": ([300] * 4, xp.linalg.vector_norm, 600),
    "vector_norm, axis": ([[300] * 4], lambda x: xp.linalg.vector_norm(x, axis=1, keepdims=True), [[600]]),
    "vector_norm, 3": ([300] * 8, lambda x: xp.linalg.vector_norm(x, ord=3), 600),
    "vector_norm, inf": ([300] * 4, lambda x: xp.linalg.vector_norm(x, ord=INF), 300),
    "vector_norm of small values": ([2.0**-14] * 4, xp.linalg.vector_norm, 2.0**-13),
    "matrix_norm": ([[300, 300], [300, 300]], xp.linalg.matrix_norm, 600),
    "matrix_norm, 1": ([[300, 300], [300, 300]], lambda x: xp.linalg.matrix_norm(x, ord=1), 600),
}

PRODUCTS: dict[str, tuple[Any, Any, Callable[[xp.Array, xp.Array], xp.Array], Any]] = {
    # name: (first operand, second operand, call, right answer)
    "vecdot": (np.ones(4096), np.ones(4096), xp.vecdot, 4096),
    "vecdot of rows": (np.ones((2, 300)), np.ones(300), xp.vecdot, [300, 300]),
    "vectors": (np.ones(4096), np.ones(4096), xp.matmul, 4096),
    "matrix and vector": (np.ones((2, 4096)), np.ones(4096), xp.matmul, [4096, 4096]),
    "matrices": ([[300, 300, -300]], [[200], [100], [300]], xp.matmul, [[0]]),
    "stacks": (np.ones((3, 2, 4)), np.ones((3, 4, 1)), xp.matmul, np.full((3, 2, 1), 4)),
    "tensordot": (
        np.ones((2, 64)),
        np.ones((64, 2)),
        lambda x, y: xp.tensordot(x, y, axes=1),
        np.full((2, 2), 64),
    ),
    "tensordot of all": (np.ones((2, 64)), np.ones((2, 64)), xp.tensordot, 128),
}


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("other", ["float16", "int8"])
@pytest.mark.needs("float16")
def test_products_are_rounded_once(device: xp.Device, name: str, other: str) -> None:
    a, b, call, right = PRODUCTS[name]
    if other == "int8" and np.max(np.abs(b)) > 127:
        b, right = np.sign(b), np.asarray(a) @ np.sign(b)
    found = call(xp.asarray(a, dtype=xp.float16, device=device), xp.asarray(b, dtype=other, device=device))
    assert found.dtype == xp.float16
    np.testing.assert_array_equal(np.asarray(found.to_device("numpy")), right)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.needs("float16")
def test_reductions_are_rounded_once(device: xp.Device, name: str) -> None:
    values, call, right = CASES[name]
    found = call(xp.asarray(values, dtype=xp.float16, device=device))
    assert found.dtype == xp.float16
    np.testing.assert_allclose(np.asarray(found.to_device("numpy")), right, rtol=1e-3)


@pytest.mark.needs("float16")
def test_a_wider_dtype_is_kept(device: xp.Device) -> None:
    x = xp.asarray([60000, 60000], dtype=xp.float16, device=device)
    for function in (xp.sum, xp.cumulative_sum, xp.cumulative_prod):
        found = function(x, dtype=xp.float64)
        assert found.dtype == xp.float64
        assert float(xp.max(found)) == (120000 if function is not xp.cumulative_prod else 3.6e9)
