"""Devices whose arrays cannot be changed: assignment, slices as values of their own, and the memory of the host."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import ArgumentError

pytestmark = pytest.mark.needs("immutable arrays")


def test_the_device_says_that_it_has_no_views(device: burn_array.Device) -> None:
    assert not device.has_views
    assert not device.autodiff().has_views
    assert burn_array.device("numpy").has_views
    assert burn_array.device("numpy+autodiff").has_views


def test_a_slice_is_a_value_of_its_own(xp: ModuleType) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    row, all_of_it = x[0], x[...]
    row[0] = 9.0
    all_of_it[...] = 0.0
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    x[0, 1] = 7.0
    assert row.tolist() == [9.0, 2.0]
    x[:, 0] += 1
    assert x.tolist() == [[2.0, 7.0], [4.0, 4.0]]


def test_assignment_changes_the_array_object(xp: ModuleType) -> None:
    x = xp.zeros(3)
    same, native = x, x._native
    x[1] = 5.0
    x += 1
    x *= xp.asarray([1.0, 2.0, 3.0])
    assert same.tolist() == [1.0, 12.0, 3.0]
    assert x._native is not native
    assert np.asarray(burn_array.Array(native, x._device).to_device("numpy")).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("copy", [None, False])
def test_asarray_returns_the_array_itself(xp: ModuleType, copy: bool | None) -> None:
    x = xp.zeros(2)
    out = xp.asarray(x, copy=copy)
    x[0] = 5.0
    assert out.tolist() == [5.0, 0.0]
    independent = xp.asarray(x, copy=True)
    x[0] = 6.0
    assert independent.tolist() == [5.0, 0.0]


@pytest.mark.parametrize("make", [np.asarray, memoryview])
def test_memory_of_the_host_is_copied(device: burn_array.Device, make: Any) -> None:
    a = np.zeros(3)
    x = burn_array.asarray(make(a), device=device)
    a[0] = 1.0
    assert x.tolist() == [0.0, 0.0, 0.0]
    x[1] = 2.0
    assert a.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.host
def test_the_host_cannot_write_to_the_array(device: burn_array.Device) -> None:
    x = burn_array.zeros(3, device=device)
    assert not np.asarray(x).flags.writeable
    assert not np.asarray(x[1:]).flags.writeable


def test_other_devices_cannot_write_to_the_array(device: burn_array.Device) -> None:
    x = burn_array.zeros(3, device=device)
    y = x.to_device("torch:cpu")
    y[0] = 1.0
    assert x.tolist() == [0.0, 0.0, 0.0]


def test_gradients_of_assignments(device: burn_array.Device) -> None:
    w = burn_array.asarray([1.0, 2.0, 3.0], device=device.autodiff()).require_grad()
    y = w * w
    y[1] = w[0]
    y += w
    assert burn_array.sum(y).backward()[w].tolist() == [4.0, 1.0, 7.0]


def test_ufuncs_of_numpy_do_not_write_into_an_immutable_array(xp: ModuleType) -> None:
    """The result of writing to a slice would be lost, and nothing tells a slice from another array."""
    x = xp.zeros(3)
    for write in (
        lambda: np.add(np.ones(2), 1.0, out=x[:2]),
        lambda: np.add(x, 1.0, where=np.asarray([True, False, True]), out=x),
        lambda: np.modf(np.ones(3), out=(x, np.zeros(3))),
        lambda: np.add.at(x, [0], 1.0),
    ):
        with pytest.raises(
            ArgumentError, match=rf"^(add|modf): .* array on {x.device}.*; assign the result, as in x"
        ):
            write()
    assert x.tolist() == [0.0, 0.0, 0.0]
    x[:2] = np.add(np.ones(2), 1.0)
    assert x.tolist() == [2.0, 2.0, 0.0]
    ours = np.zeros(3)
    assert np.add(x, 1.0, out=ours) is ours
