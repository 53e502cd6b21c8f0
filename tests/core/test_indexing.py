"""Indexing: the elements that a key reads and writes, which results are views, and how assigned values are cast."""

from __future__ import annotations

from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import ArrayIndexError

ROWS, COLUMNS = np.array([True, False, True]), np.array([True, False, True, False])
KEYS: list[Any] = [
    0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(-1, None, -2), slice(3, 0, -1), slice(5, 1),
    None, ..., (), True, False, (0, 1), (0, ...), (..., 0), (None, 0), (slice(None), None, 1),
    (slice(None, None, 2), slice(None, None, -1)), [0, 1], [[0, 1], [1, 0]], [], ROWS, np.array([0, 2]), np.array(1),
    np.int64(1), np.bool_(True), (np.array([0, 1]), np.array([1, 2])), (slice(None), np.array([0, 1])),
    (np.array([[0], [1]]), np.array([1, 2])), (..., np.array([[0, 1], [1, 0]])), (0, np.array([1, 2])),
    (np.array([0, 1]), None, np.array([1, 2])), (ROWS, 1), (slice(None), COLUMNS), (np.array([0, 1]), slice(1, 3)),
    np.ones((3, 4), dtype=bool), np.zeros((3, 4), dtype=bool), (np.array([-1]), -1), [True, False, True],
    ([], [7]), ([7], []), (np.zeros(0, dtype=int), [9]), ([True, False, True], [0, 3]), ([9], [False] * 4),
]  # fmt: skip


def with_arrays(xp: ModuleType, key: Any) -> Any:
    """Return the key with an array in place of each ndarray."""
    if isinstance(key, tuple):
        return tuple(with_arrays(xp, one) for one in key)
    return xp.asarray(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_keys_read_and_write_as_in_numpy(xp: ModuleType, key: Any) -> None:
    a = np.arange(12).reshape(3, 4)
    wanted = a[tuple(key)] if isinstance(key, tuple) else a[key]
    for k in (key, with_arrays(xp, key)):
        found = xp.asarray(a)[k]
        assert type(found) is xp.Array
        assert found.shape == np.shape(wanted)
        assert found.tolist() == wanted.tolist()
        for value in (7, xp.asarray(7), np.asarray(7), -found - 1, np.float64(3.0)):
            b, x = a.copy(), xp.asarray(a.copy())
            x[k] = value
            b[key] = np.asarray(value.to_device("numpy")) if isinstance(value, xp.Array) else value
            assert x.tolist() == b.tolist()


@pytest.mark.parametrize("start", [None, *range(-6, 6)])
def test_slices_select_as_in_lists(xp: ModuleType, start: int | None) -> None:
    numbers = list(range(5))
    x = xp.asarray(numbers)
    for stop in (None, *range(-6, 6)):
        for step in (None, 1, 2, 7, -1, -2, -7):
            key = slice(start, stop, step)
            assert x[key].tolist() == numbers[key]
            y, other = xp.asarray(numbers), np.array(numbers)
            y[key] = -1
            other[key] = -1
            assert y.tolist() == other.tolist()


def test_masks_of_every_shape(xp: ModuleType) -> None:
    """A mask of another shape is an error as in NumPy, even if both the mask and the array are empty."""
    lengths = range(4)
    for shape in product(lengths, repeat=2):
        a, x = np.zeros(shape), xp.zeros(shape)
        for mask_shape in [*product(lengths), *product(lengths, repeat=2)]:
            mask = xp.zeros(mask_shape, dtype=xp.bool)
            try:
                wanted = a[np.zeros(mask_shape, dtype=bool)].shape
            except IndexError:
                with pytest.raises(IndexError):
                    x[mask]
                with pytest.raises(IndexError):
                    x[mask] = 1.0
            else:
                assert x[mask].shape == wanted
                x[mask] = 1.0
        assert not xp.any(x)


def test_a_mask_of_another_library_beside_a_list(xp: ModuleType) -> None:
    x = xp.reshape(xp.arange(40), (2, 2, 10))
    mask = pytest.importorskip("torch").ones(2, 2, dtype=pytest.importorskip("torch").bool)
    assert x[mask, [9, 9, 9, 9]].tolist() == [9, 19, 29, 39]
    x[mask, [9, 9, 9, 9]] = 0
    assert x[..., 9].tolist() == [[0, 0], [0, 0]]


@pytest.mark.needs("views")
def test_views_of_basic_indices_write_through(xp: ModuleType) -> None:
    x = xp.zeros((2, 3))
    x[0][1] = 1
    x[:, 2][...] = 2
    y = x[1, None, ::2]
    y += 5
    assert x.tolist() == [[0, 1, 2], [5, 0, 7]]
    z = x[xp.asarray([0])]
    z[...] = -1
    assert x.tolist() == [[0, 1, 2], [5, 0, 7]]


def test_0d_arrays_stay_arrays_and_are_writable(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    for zero in (
        x[0],
        xp.sum(x),
        x.max(),
        xp.asarray(3.0),
        x @ x,
        xp.linalg.vector_norm(x),
        xp.mean(x),
        abs(x[0]),
        x[0] + 1,
    ):
        assert (type(zero), zero.shape, zero.ndim, zero.size) == (xp.Array, (), 0, 1)
        zero[...] = 9.0
        assert zero.item() == 9.0
        zero[()] = 8.0
        assert zero[()].item() == 8.0
        zero += 1
        assert float(zero) == 9.0


def test_assignment_casts_as_numpy_does(xp: ModuleType) -> None:
    x = xp.asarray([1, 2, 3])
    x[0] = 2.9
    x[1] = True
    x[2] = xp.asarray(-1.5)
    assert x.tolist() == [2, 1, -1]
    y = xp.asarray([True, False])
    y[...] = xp.asarray([0.0, 0.5])
    assert y.tolist() == [False, True]
    z = xp.asarray([1, 2], dtype=xp.uint8)
    z[...] = xp.asarray([257, -1])
    assert z.tolist() == [1, 255]
    w = xp.asarray([0.0], dtype=xp.float32)
    w[0] = 0.1
    assert w.tolist() == [float(np.float32(0.1))]
    c = xp.asarray([0j])
    c[0] = 1
    assert c.tolist() == [1 + 0j]
    n = xp.zeros((2, 2))
    n[0] = [1, 2]
    n[1] = (3, np.float32(4))
    assert n.tolist() == [[1, 2], [3, 4]]


def test_overlapping_memory_is_noticed_across_libraries() -> None:
    for start in (0, 1):
        a = np.arange(100_000)
        wanted = a.copy()
        wanted[1:] = wanted[:-1].copy()
        x = burn_array.asarray(a[start:], device="torch:cpu")
        x[1 - start :] = a[:-1]
        assert a.tolist() == wanted.tolist()


def test_deleting_is_refused(xp: ModuleType) -> None:
    x = xp.zeros(3)
    with pytest.raises(TypeError, match="cannot be deleted"):
        del x[0]


def test_an_array_in_its_own_index_and_value(xp: ModuleType) -> None:
    x = xp.asarray([2, 0, 1])
    assert x[x].tolist() == [1, 2, 0]
    x[x] = x
    assert sorted(x.tolist()) == [0, 1, 2]
    y = xp.asarray([True, False])
    y[y] = y[y]
    assert y.tolist() == [True, False]


BEYOND: list[Any] = [[0, 1, 4], [0, -5], (slice(None), [0, 4]), ([0, 3], [0, 4]), ([4, 0], slice(1, 3))]


@pytest.mark.host
@pytest.mark.parametrize("key", BEYOND, ids=str)
def test_an_index_out_of_bounds_writes_nothing(xp: ModuleType, key: Any) -> None:
    parts = [xp.asarray(one) if type(one) is list else one for one in (key if type(key) is tuple else (key,))]
    for value in (7.0, xp.asarray(7.0)):
        x = xp.zeros((4, 4))
        with pytest.raises(ArrayIndexError, match="out of bounds"):
            x[parts[0] if len(parts) == 1 else tuple(parts)] = value
        assert not xp.any(x)


STORED_AT: list[Any] = [0, slice(1, 3), np.asarray([2, 0]), np.asarray([True, False, True]), (0, slice(2))]


@pytest.mark.parametrize("key", STORED_AT, ids=str)
def test_leading_axes_of_length_one_are_dropped_from_a_stored_value(xp: ModuleType, key: Any) -> None:
    wanted = np.zeros((3, 4))
    values = np.arange(1.0, wanted[key].size + 1).reshape((1, *wanted[key].shape))
    wanted[key] = values if not isinstance(key, np.ndarray) or key.dtype.kind != "b" else values[0]
    x = xp.zeros((3, 4))
    x[xp.asarray(key) if isinstance(key, np.ndarray) else key] = xp.asarray(values)
    np.testing.assert_array_equal(np.asarray(x.to_device("numpy")), wanted)


def test_an_uncommitted_index_does_not_decide_the_device(xp: ModuleType, device: burn_array.Device) -> None:
    x = burn_array.zeros(4, device=device)
    index = xp.asarray([1, 2])
    assert repr(x[index].device) == repr(x.device)
    x[index] = xp.ones(2)
    assert x.tolist() == [0.0, 1.0, 1.0, 0.0]
    assert repr(xp.zeros(4)[burn_array.asarray([1], device=device)].device) == repr(device)
