"""Moves through page-locked buffers, with a stand-in for the GPU that is late with everything."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from burn_array.adapters import pinned
from burn_array.adapters.pinned import Lane


class Event:
    """As the events of CUDA: nothing to wait for before it is recorded."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.done.set()

    def synchronize(self) -> None:
        if not self.done.wait(10):
            raise TimeoutError


class Gpu:
    """Memory of its own, and a stream: a thread that copies one thing after another, later."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory
        self.lanes: list[Lane] = []
        self.copied = 0
        self.stream: SimpleQueue[Any] = SimpleQueue()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while (work := self.stream.get()) is not None:
            lane, target, source, done = work
            time.sleep(0.001)
            np.copyto(target, source)
            self.copied += 1
            if np.shares_memory(source, lane.bytes):
                lane.bytes[:] = 255  # nobody may count on what was sent
            done.set()

    def make(self, size: int) -> Lane:
        lane = Lane(None, np.zeros(size, dtype=np.uint8), Event())
        self.lanes.append(lane)
        return lane

    def queue(self, lane: Lane, target: Any, source: Any) -> None:
        assert lane.event.done.is_set(), "the lane is still in use"
        lane.event.done = threading.Event()
        self.stream.put((lane, target, source, lane.event.done))

    def send(self, lane: Lane, start: int, size: int) -> None:
        self.queue(lane, self.memory[start : start + size], lane.bytes[:size])

    def fetch(self, lane: Lane, start: int, size: int) -> None:
        self.queue(lane, lane.bytes[:size], self.memory[start : start + size])


@pytest.fixture
def gpus() -> Iterator[list[Gpu]]:
    made: list[Gpu] = []
    yield made
    for gpu in made:
        gpu.stream.put(None)
        gpu.thread.join()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned, "LANES", 3)
    monkeypatch.setattr(pinned, "split", split_small)
    monkeypatch.setattr(pinned, "THREADS", 4)
    monkeypatch.setattr(pinned, "threads", lambda: 4)


def split_small(size: int) -> list[tuple[int, int]]:
    return [(start, min(100, size - start)) for start in range(0, size, 100)]


def some_bytes(size: int) -> Any:
    return np.random.default_rng(size).integers(0, 255, size, dtype=np.uint8)


SIZES = (0, 1, 99, 100, 101, 300, 301, 2345)


@pytest.mark.parametrize("size", SIZES)
def test_upload(gpus: list[Gpu], size: int) -> None:
    source = some_bytes(size)
    gpus.append(gpu := Gpu(np.zeros(size, dtype=np.uint8)))
    pinned.upload(source, gpu.make, gpu.send)
    assert gpu.copied == -(-size // 100)  # all is there when it returns
    np.testing.assert_array_equal(gpu.memory, source)
    assert len(gpu.lanes) == min(3, -(-size // 100))


@pytest.mark.parametrize("size", SIZES)
def test_download(gpus: list[Gpu], size: int) -> None:
    gpus.append(gpu := Gpu(some_bytes(size)))
    target = np.zeros(size, dtype=np.uint8)
    pinned.download(target, gpu.make, gpu.fetch)
    np.testing.assert_array_equal(target, gpu.memory)


def test_several_at_once(gpus: list[Gpu]) -> None:
    """More moves than threads: none waits for another for ever."""
    gpus += [Gpu(np.zeros(1500, dtype=np.uint8)) for _ in range(6)]
    source = some_bytes(1500)
    moves = [threading.Thread(target=pinned.upload, args=(source, gpu.make, gpu.send)) for gpu in gpus]
    for one in moves:
        one.start()
    for one in moves:
        one.join(20)
    assert not any(one.is_alive() for one in moves)
    for gpu in gpus:
        np.testing.assert_array_equal(gpu.memory, source)


def test_an_error_of_the_gpu_is_raised_once_the_lanes_are_free(gpus: list[Gpu]) -> None:
    gpus.append(gpu := Gpu(np.zeros(1500, dtype=np.uint8)))
    sent = []

    def send(lane: Lane, start: int, size: int) -> None:
        sent.append(start)
        if len(sent) == 4:
            raise RuntimeError("out of memory")
        gpu.send(lane, start, size)

    with pytest.raises(RuntimeError, match="out of memory"):
        pinned.upload(some_bytes(1500), gpu.make, send)
    assert gpu.copied == 3
    assert all(lane.event.done.is_set() for lane in gpu.lanes)


def test_an_error_of_a_thread_is_raised(gpus: list[Gpu]) -> None:
    gpus.append(gpu := Gpu(some_bytes(1500)))

    class Broken(Event):
        def synchronize(self) -> None:
            raise RuntimeError("an illegal memory access was encountered")

    def make(size: int) -> Lane:
        return gpu.make(size)._replace(event=Broken())

    with pytest.raises(RuntimeError, match="illegal"):
        pinned.download(np.zeros(1500, dtype=np.uint8), make, gpu.fetch)


@pytest.mark.parametrize("size", [1, 1 << 20, (1 << 23) + 1, 1 << 26, (1 << 30) + 12345])
def test_parts(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    parts = pinned.split(size)
    ends = [start + length for start, length in parts]
    assert [start for start, _ in parts] == [0, *ends[:-1]]
    assert ends[-1] == size
    assert max(length for _, length in parts) <= pinned.LARGEST
    assert parts[0][1] <= parts[len(parts) // 2][1]
    assert len(parts) >= min(pinned.LANES, -(-size // (1 << 20))) // 2
