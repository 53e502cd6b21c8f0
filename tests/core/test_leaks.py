"""Memory does not grow, however often functions are called, arrays are moved or errors are raised."""

from __future__ import annotations

import gc
import resource
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import BurnArrayError

CALLS = 100_000
SLACK = 64 * 1024
"""Bytes by which memory may grow in a whole run: caches fill once, which is far less than one byte a call."""

HOT: dict[str, Callable[[ModuleType, Any], Any]] = {
    "add": lambda xp, x: xp.add(x, x),
    "operators": lambda xp, x: x + 1.0,
    "sin": lambda xp, x: xp.sin(x),
    "sum": lambda xp, x: xp.sum(x, axis=0),
    "getitem": lambda xp, x: x[1:],
}
WARM: dict[str, Callable[[ModuleType, Any], Any]] = {
    "in place": lambda xp, x: x.__imul__(1.0),
    "setitem": lambda xp, x: x.__setitem__(0, 1.0),
    "index array": lambda xp, x: x[[0, 1]],
    "creation": lambda xp, x: xp.zeros(4),
    "asarray": lambda xp, x: xp.asarray([1.0, 2.0]),
    "concat": lambda xp, x: xp.concat([x, x]),
    "where": lambda xp, x: xp.where(x > 0, x, 0.0),
    "mixed": lambda xp, x: np.ones(4) + x,
    "ufunc": lambda xp, x: np.cbrt(x),
    "attributes": lambda xp, x: (x.dtype, x.shape, x.device, x.size),
    "scalar": lambda xp, x: float(x[0]),
    "error": lambda xp, x: _fail(lambda: x + xp.zeros(3)),
    "index error": lambda xp, x: _fail(lambda: x[9]),
    "refusal": lambda xp, x: _fail(lambda: xp.add(x, "text")),
    "mismatch": lambda xp, x: _fail(lambda: xp.zeros(2, device="numpy") + xp.zeros(2, device="torch:cpu")),
    "device": lambda xp, x: xp.device("numpy"),
    "move": lambda xp, x: x.to_device("torch:cpu").to_device("numpy"),
    "pickle": lambda xp, x: x.__reduce__(),
}


def resident() -> int:
    """Return the kilobytes that the process holds now or, where the system has no /proc, the most it ever held.

    The maximum would hide whatever grows below the peak of an earlier test.
    """
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text().split()[1]) * resource.getpagesize() // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _fail(call: Callable[[], Any]) -> None:
    try:
        call()
    except BurnArrayError:
        return
    raise AssertionError("should have failed")


def growth(call: Callable[[], Any], times: int, device: burn_array.Device) -> int:
    """Return the bytes by which ``times`` calls let memory grow.

    The smaller of two measurements counts, since caches fill once. Now and then the calls wait for ``device``, so that
    its queue stays short.
    """

    def repeat(count: int) -> None:
        for number in range(count):
            call()
            if number % 50 == 49:
                device.synchronize()
        device.synchronize()
        gc.collect()

    repeat(200)
    tracemalloc.start()
    try:
        repeat(20)
        held = [tracemalloc.get_traced_memory()[0]]
        for _ in range(2):
            repeat(times)
            held.append(tracemalloc.get_traced_memory()[0])
        return min(held[1] - held[0], held[2] - held[1])
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", HOT)
def test_hot_paths(xp: ModuleType, name: str) -> None:
    x = xp.asarray([1.0, 2.0, 3.0, 4.0])

    def repeat(times: int) -> None:
        for number in range(times):
            HOT[name](xp, x)
            if number % 500 == 499:
                x.device.synchronize()

    repeat(5_000)  # fills the pools and caches of the library
    before = resident()
    repeat(CALLS)
    assert resident() - before < 8 * 1024  # kilobytes
    assert growth(lambda: HOT[name](xp, x), 3_000, x.device) < SLACK
    assert sys.getrefcount(x) < 10


@pytest.mark.parametrize(
    "name",
    # NumPy computes the cube root, which needs host memory.
    [pytest.param(name, marks=[pytest.mark.host] * (name == "ufunc")) for name in WARM],
)
def test_other_paths(xp: ModuleType, name: str) -> None:
    x = xp.asarray([1.0, 2.0, 3.0, 4.0])
    assert growth(lambda: WARM[name](xp, x), 500, x.device) < SLACK // 4


def test_default_device_contexts(device: burn_array.Device) -> None:
    chosen = burn_array.default_device(device)

    def enter() -> None:
        with chosen, burn_array.default_device("numpy"):
            burn_array.zeros(1)

    assert growth(enter, 5_000, device) < SLACK


def test_unconsumed_capsules_free_their_array(device: burn_array.Device) -> None:
    burn_array.ones(10**6, device=device).__dlpack__()
    before = resident()
    for _ in range(60):
        burn_array.ones(10**6, device=device).__dlpack__()
    assert resident() - before < 100 * 1024


def test_consumed_capsules_free_their_array(device: burn_array.Device) -> None:
    def cycle() -> None:
        x = burn_array.ones(10**6, device=device)
        taken = np.from_dlpack(x) if device.is_host else device.adapter.from_dlpack(x, None)
        burn_array.from_dlpack(taken, device=device)[0] = 2.0

    cycle()
    before = resident()
    for _ in range(60):
        cycle()
    assert resident() - before < 100 * 1024


def test_arrays_are_freed_without_the_garbage_collector(xp: ModuleType) -> None:
    gc.disable()
    try:
        before = resident()
        for _ in range(40):
            x = xp.ones(10**6)
            y = x + 1
            y[:10] = x[:10]
            if x.device.is_host:
                np.asarray(y)
            xp.asarray(y.to_device("numpy"))
        assert resident() - before < 100 * 1024
    finally:
        gc.enable()


def test_an_array_has_three_slots_and_weak_references(xp: ModuleType) -> None:
    x = xp.ones(2)
    # Python 3.12 and later keep one more pointer for an interpreted class with weak references.
    assert sys.getsizeof(x) <= (64 if sys.version_info < (3, 12) else 72)
    slots = [slot for base in xp.Array.__mro__ for slot in getattr(base, "__slots__", ())]
    assert sorted(slots) == ["__weakref__", "_device", "_direct", "_native"]
