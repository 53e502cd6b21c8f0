"""Functions whose usual case needs no copy give the right values in the unusual cases too, as NumPy does."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Array, Device

INF, NAN = float("inf"), float("nan")
EDGES = [0.0, -0.0, 1.0, -1.0, 3.5, -2.25, INF, -INF, NAN]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]

pytestmark = pytest.mark.needs("64 bits")


def host(x: Array) -> Any:
    return np.asarray(x.to_device("numpy"))


def same(found: Array, wanted: Any, signs: bool = True) -> None:
    """Assert equal dtypes and values, and the signs of zeros if wished; NaN equals NaN."""
    wanted = np.asarray(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(host(found), wanted, strict=True)
    if wanted.dtype.kind == "f" and signs:
        np.testing.assert_array_equal(np.signbit(host(found))[wanted == 0], np.signbit(wanted)[wanted == 0])


def numbers(dtype: str, count: int = 97) -> np.ndarray[Any, Any]:
    """Return integers from the whole range of the dtype, with zeros and both ends."""
    limits = np.iinfo(dtype)
    rng = np.random.default_rng(7)
    x = rng.integers(limits.min, limits.max, size=count, dtype=dtype, endpoint=True)
    x[:4] = 0, limits.min, limits.max, 1
    return x


def floor_quotient(a: float, b: float) -> float:
    """Return ``a // b`` by the standard: the floor of the quotient."""
    with np.errstate(all="ignore"):
        return float(np.floor(np.divide(a, b)))


def remainder(a: float, b: float) -> float:
    """Return ``a % b`` as NumPy does, which follows the standard here."""
    with np.errstate(all="ignore"):
        return float(np.remainder(a, b))


@pytest.mark.filterwarnings("ignore:.*(divide by zero|invalid value):RuntimeWarning")
@pytest.mark.parametrize("dtype", FLOATS)
def test_floor_division_and_remainder_beside_ordinary_numbers(device: Device, dtype: str) -> None:
    """One special pair among ordinary ones decides how the whole array is computed."""
    for a, b in itertools.product(EDGES, EDGES):
        left, right = np.asarray([7.0, a, -7.0], dtype), np.asarray([2.0, b, 2.0], dtype)
        x, y = xp.asarray(left, device=device), xp.asarray(right, device=device)
        quotients = np.asarray([3.0, floor_quotient(a, b), -4.0], dtype)
        same(x // y, quotients)
        same(x[1:2] // b, quotients[1:2])
        same(x % y, np.asarray([1.0, remainder(a, b), 1.0], dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("zeros", [False, True])
def test_division_of_integers(device: Device, dtype: str, zeros: bool) -> None:
    a, b = numbers(dtype), numbers(dtype)[::-1].copy()
    if not zeros:
        b[b == 0] = 3
    x, y = xp.asarray(a, device=device), xp.asarray(b, device=device)
    with np.errstate(all="ignore"):
        same(x // y, a // b)
        same(x % y, a % b)
        same(x // 7, a // np.asarray(7, dtype))
        same(x % 7, a % np.asarray(7, dtype))
        same(x // 0, np.zeros_like(a))
        same(x % 0, np.zeros_like(a))
        same(100 // y, np.asarray(100, dtype) // b)
        same(100 % y, np.asarray(100, dtype) % b)
        same(x[:, None] // y[:5], a[:, None] // b[:5])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_arithmetic_of_integers_is_modular(device: Device, dtype: str) -> None:
    a, b = numbers(dtype), numbers(dtype)[::-1].copy()
    x, y = xp.asarray(a, device=device), xp.asarray(b, device=device)
    for name in ("add", "subtract", "multiply", "bitwise_and", "bitwise_or", "bitwise_xor"):
        same(getattr(xp, name)(x, y), getattr(np, name)(a, b))
        same(getattr(xp, name)(x, 3), getattr(np, name)(a, np.asarray(3, dtype)))
        same(getattr(xp, name)(3, x), getattr(np, name)(np.asarray(3, dtype), a))
    same(xp.negative(x), -a)
    same(xp.bitwise_invert(x), ~a)
    same(xp.square(x), np.square(a))
    same(xp.diff(x), np.diff(a))
    same(xp.diff(x, n=2), np.diff(a, n=2))
    same(xp.diff(x, append=y[:3]), np.diff(a, append=b[:3]))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_products_of_integers_are_modular(device: Device, dtype: str) -> None:
    a, b = numbers(dtype, 96), numbers(dtype, 96)[::-1].copy()
    x, y = xp.asarray(a, device=device), xp.asarray(b, device=device)
    dot = np.sum(a * b, dtype=dtype)
    same(xp.vecdot(x, y), dot)
    same(xp.matmul(x, y), dot)
    same(xp.tensordot(x, y, axes=1), dot)
    m, n = a.reshape(8, 12), b.reshape(8, 12)
    p, q = xp.asarray(m, device=device), xp.asarray(n, device=device)
    same(xp.vecdot(p, q), np.sum(m * n, axis=-1, dtype=dtype))
    same(xp.vecdot(p, q, axis=0), np.sum(m * n, axis=0, dtype=dtype))
    same(xp.vecdot(p, q[0, :]), np.sum(m * n[0], axis=-1, dtype=dtype))
    same(p @ q[0, :], m @ n[0])
    same(p[:, 0] @ q, m[:, 0] @ n)
    same(p[None] @ q[0, :, None], m[None] @ n[0, :, None])
    same(p[0:1, :] @ q[0, :, None], m[0:1] @ n[0, :, None])
    same(p[0:1, :] @ xp.reshape(y, (4, 12, 2)), m[0:1] @ b.reshape(4, 12, 2))
    same(xp.linalg.outer(x[:5], y[:5]), np.outer(a[:5], b[:5]))


def test_products_of_bools(device: Device) -> None:
    m = np.asarray([[True, False, True], [False, False, True]])
    x = xp.asarray(m, device=device)
    same(xp.matmul(x[0, :], x[1, :]), np.asarray(True))
    same(xp.vecdot(x, ~x), np.asarray([False, False]))
    same(x @ x[1, :], m @ m[1])
    same(xp.vecdot(x[:, :0], x[:, :0]), np.asarray([False, False]))


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, "complex64"])
@pytest.mark.parametrize("axis", [None, (), 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_truth_and_counts(device: Device, dtype: str, axis: Any, keepdims: bool) -> None:
    host_array = np.asarray([[0, 2, 4], [3, 6, 0]]).astype(dtype)
    if host_array.dtype.kind in "fc":
        host_array[0, 1], host_array[1, 2] = NAN, -0.0
    for a in (host_array, host_array[:, 1:2], host_array[:, :0], np.zeros_like(host_array)):
        x = xp.asarray(a.copy(), device=device)
        wanted = np.sum(a != 0, axis=axis, keepdims=keepdims, dtype=np.int64)
        same(xp.count_nonzero(x, axis=axis, keepdims=keepdims), wanted)
        same(xp.all(x, axis=axis, keepdims=keepdims), np.all(a != 0, axis=axis, keepdims=keepdims))
        same(xp.any(x, axis=axis, keepdims=keepdims), np.any(a != 0, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("special", EDGES)
def test_signs_beside_ordinary_numbers(device: Device, dtype: str, special: float) -> None:
    a = np.asarray([2.0, special, -5.0], dtype)
    found = host(xp.sign(xp.asarray(a, device=device)))
    np.testing.assert_array_equal(found, np.sign(a), strict=True)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS])
@pytest.mark.parametrize("descending", [False, True])
def test_sorting(device: Device, dtype: str, descending: bool) -> None:
    a = numbers("int8", 60).reshape(5, 12).T.astype(dtype)
    x = xp.asarray(a, device=device)
    for axis in (0, 1):
        wanted = np.sort(a, axis=axis)
        wanted = np.flip(wanted, axis=axis) if descending else wanted
        same(xp.sort(x, axis=axis, descending=descending), wanted)
        order = xp.argsort(x, axis=axis, descending=descending)
        same(xp.take_along_axis(x, order, axis=axis), wanted)
    if not descending:
        same(xp.argmax(x, axis=0), np.argmax(a, axis=0))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    ("low", "high"), [(2, 100), (None, 100), (2, None), (100, 2), (-200, 2**40), (0, 2**64)]
)
def test_clip_of_integers(device: Device, dtype: str, low: Any, high: Any) -> None:
    a = numbers(dtype)
    limits = np.iinfo(dtype)
    x = xp.asarray(a, device=device)
    wanted = a if low is None else np.maximum(a, np.asarray(max(low, limits.min), dtype))
    wanted = wanted if high is None else np.minimum(wanted, np.asarray(min(high, limits.max), dtype))
    found = xp.clip(x, low, high)
    same(found, wanted)
    found[0] = 5
    same(x, a)


@pytest.mark.parametrize("dtype", FLOATS)
def test_clip_by_arrays_and_large_integers(device: Device, dtype: str) -> None:
    values = np.asarray([NAN, 1.0, 1.0, 5.0, -0.0, INF], dtype)
    low = np.asarray([0.0, NAN, 0.0, 3.0, 0.5, 0.0], dtype)
    high = np.asarray([1.0, 1.0, NAN, 2.0, 9.0, 1.0], dtype)
    x, y, z = (xp.asarray(a, device=device) for a in (values, low, high))
    same(xp.clip(x, y, z), np.minimum(np.maximum(values, low), high), signs=False)
    same(xp.clip(x[:, None], y, z), np.minimum(np.maximum(values[:, None], low), high), signs=False)
    for bound in (300, 2**24, 2**24 + 1, 2**53 + 1):
        same(
            xp.clip(x, 0, bound),
            np.minimum(np.maximum(values, np.asarray(0, dtype)), np.asarray(bound, dtype)),
            signs=False,
        )
        same(xp.minimum(x, bound), np.minimum(values, np.asarray(bound, dtype)), signs=False)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS, *FLOATS, "complex64"])
def test_logical_functions_of_any_dtype(device: Device, dtype: str) -> None:
    a, b = np.asarray([0, 2, 4, 0]).astype(dtype), np.asarray([2, 0, 6, 0]).astype(dtype)
    if a.dtype.kind in "fc":
        a[2], b[3] = NAN, -0.0
    x, y = xp.asarray(a, device=device), xp.asarray(b, device=device)
    for name in ("logical_and", "logical_or", "logical_xor"):
        same(getattr(xp, name)(x, y), getattr(np, name)(a, b))
        same(getattr(xp, name)(x, y[1]), getattr(np, name)(a, b[1]))
        same(getattr(xp, name)(x, True), getattr(np, name)(a, True))


def test_tiny_numbers_of_another_dtype_are_true(device: Device) -> None:
    x = xp.asarray([1.0, 0.0], dtype=xp.float32, device=device)
    tiny = xp.asarray(1e-300, dtype=xp.float64, device=device)
    assert xp.logical_and(x, tiny).tolist() == [True, False]


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_negative_indices_among_others(device: Device, dtype: str) -> None:
    a = np.arange(12.0).reshape(3, 4)
    for indices in ([[0, 3, 1], [2, 2, 0], [1, 0, 3]], [[0, -1, 1], [-4, 2, 0], [1, 0, -3]]):
        i = np.asarray(indices, dtype)
        found = xp.take_along_axis(xp.asarray(a, device=device), xp.asarray(i, device=device), axis=1)
        same(found, np.take_along_axis(a, i, axis=1))


@pytest.mark.parametrize("dtype", ["bool", "uint16", "int32", "float64", "complex64"])
def test_taking_elements_of_any_axis(device: Device, dtype: str) -> None:
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    x = xp.asarray(a, device=device)
    for indices in ([0, 1, 1, 0], [0, -1, 1], []):
        i = xp.asarray(np.asarray(indices, "int32"), device=device)
        for axis in (0, 1, 2, -1):
            same(xp.take(x, i, axis=axis), np.take(a, np.asarray(indices, int), axis=axis))
    for wrong in ([0, 2], [-3]) if device.is_host else ():  # a GPU is not waited for
        with pytest.raises(IndexError):
            xp.take(x, xp.asarray(wrong, device=device), axis=0)


@pytest.mark.parametrize("values", [[True, False, True], [True], [False, False], []])
def test_distinct_bools(device: Device, values: list[bool]) -> None:
    same(
        xp.unique_values(xp.asarray(np.asarray([values], bool), device=device)),
        np.unique(np.asarray(values, bool)),
    )


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_contraction_of_all_axes(device: Device, dtype: str) -> None:
    a = np.arange(6).reshape(2, 3).astype(dtype) * np.asarray(1 + 2j if dtype == "complex128" else 1, dtype)
    x = xp.asarray(a, device=device)
    same(xp.tensordot(x, x, axes=2), np.tensordot(a, a, axes=2))
    same(xp.tensordot(x[:, :0], x[:, :0], axes=2), np.zeros((), dtype))


@pytest.mark.parametrize("axis", [None, (), 0, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_sums_of_uint8(device: Device, axis: Any, keepdims: bool) -> None:
    a = np.full((300, 3), 255, np.uint8)
    wanted = np.sum(a, axis=axis, keepdims=keepdims, dtype=np.uint64)
    same(xp.sum(xp.asarray(a, device=device), axis=axis, keepdims=keepdims), wanted)
