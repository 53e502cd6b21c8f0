"""Moves through page-locked buffers, with a stand-in for the GPU that is late with everything."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import numpy as np
import pytest

from burn_array.adapters import pinned
from burn_array.adapters.pinned import Crew, Lane

CREWS = (Crew(1, 1, 100), Crew(1, 3, 100), Crew(4, 1, 100), Crew(4, 2, 100))


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

    def __init__(self, memory: Any, host: Any) -> None:
        self.memory, self.host = memory, host
        self.lanes: list[Lane] = []
        self.copied = 0
        self.inside: set[int] = set()
        self.stream: SimpleQueue[Any] = SimpleQueue()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while (work := self.stream.get()) is not None:
            lane, target, source, done = work
            time.sleep(0.001)
            np.copyto(target, source)
            self.copied += 1
            if np.shares_memory(source, lane.memory):
                lane.memory[:] = 255  # nobody may count on what was sent
            done.set()

    def make(self, size: int) -> Lane:
        lane = Lane(np.zeros(size, dtype=np.uint8), Event())
        self.lanes.append(lane)
        return lane

    @contextmanager
    def here(self) -> Iterator[None]:
        me = threading.get_ident()
        self.inside.add(me)
        yield
        self.inside.remove(me)

    def queue(self, lane: Lane, target: Any, source: Any) -> None:
        assert threading.get_ident() in self.inside, "not in the context of the GPU"
        assert lane.event.done.is_set(), "the lane is still in use"
        lane.event.done = threading.Event()
        self.stream.put((lane, target, source, lane.event.done))

    def fill(self, lane: Lane, start: int, size: int) -> None:
        assert lane.event.done.is_set(), "the lane is still in use"
        lane.memory[:size] = self.host[start : start + size]

    def send(self, lane: Lane, start: int, size: int) -> None:
        self.queue(lane, self.memory[start : start + size], lane.memory[:size])

    def fetch(self, lane: Lane, start: int, size: int) -> None:
        self.queue(lane, lane.memory[:size], self.memory[start : start + size])

    def land(self, lane: Lane, start: int, size: int) -> None:
        assert lane.event.done.is_set(), "the lane has not been filled yet"
        self.host[start : start + size] = lane.memory[:size]

    def upload(self, crew: Crew) -> None:
        pinned.upload(self.host.size, crew, self.make, self.fill, self.send, self.here)

    def download(self, crew: Crew) -> None:
        pinned.download(self.host.size, crew, self.make, self.fetch, self.land, self.here)


@pytest.fixture
def gpus() -> Iterator[list[Gpu]]:
    made: list[Gpu] = []
    yield made
    for gpu in made:
        gpu.stream.put(None)
        gpu.thread.join()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned, "split", split_small)


def split_small(size: int, crew: Crew) -> list[tuple[int, int]]:
    return [(start, min(crew.largest, size - start)) for start in range(0, size, crew.largest)]


def some_bytes(size: int) -> Any:
    return np.random.default_rng(size).integers(0, 255, size, dtype=np.uint8)


def nothing(size: int) -> Any:
    return np.zeros(size, dtype=np.uint8)


SIZES = (0, 1, 99, 100, 101, 300, 301, 2345)


@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("size", SIZES)
def test_upload(gpus: list[Gpu], size: int, crew: Crew) -> None:
    gpus.append(gpu := Gpu(nothing(size), some_bytes(size)))
    gpu.upload(crew)
    assert gpu.copied == -(-size // 100)  # all is there when it returns
    np.testing.assert_array_equal(gpu.memory, gpu.host)
    assert len(gpu.lanes) <= crew.threads * crew.lanes


@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("size", SIZES)
def test_download(gpus: list[Gpu], size: int, crew: Crew) -> None:
    gpus.append(gpu := Gpu(some_bytes(size), nothing(size)))
    gpu.download(crew)
    np.testing.assert_array_equal(gpu.host, gpu.memory)


def test_several_at_once(gpus: list[Gpu]) -> None:
    """More moves than threads: none waits for another for ever."""
    crew = Crew(8, 2, 100)
    gpus += [Gpu(nothing(1500), some_bytes(1500)) for _ in range(6)]
    moves = [threading.Thread(target=gpu.upload, args=(crew,)) for gpu in gpus]
    for one in moves:
        one.start()
    for one in moves:
        one.join(20)
    assert not any(one.is_alive() for one in moves)
    for gpu in gpus:
        np.testing.assert_array_equal(gpu.memory, gpu.host)


@pytest.mark.parametrize("crew", CREWS)
def test_an_error_of_the_gpu_is_raised_once_the_lanes_are_free(
    gpus: list[Gpu], crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(nothing(1500), some_bytes(1500)))
    sent: list[int] = []

    def send(lane: Lane, start: int, size: int) -> None:
        sent.append(start)
        if len(sent) >= 4:
            raise RuntimeError("out of memory")
        Gpu.send(gpu, lane, start, size)

    monkeypatch.setattr(gpu, "send", send)
    with pytest.raises(RuntimeError, match="out of memory"):
        gpu.upload(crew)
    assert gpu.copied == 3
    assert all(lane.event.done.is_set() for lane in gpu.lanes)


@pytest.mark.parametrize("crew", CREWS)
def test_an_error_on_the_host_ends_all_threads(
    gpus: list[Gpu], crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(some_bytes(5000), nothing(5000)))
    landed: list[int] = []

    def land(lane: Lane, start: int, size: int) -> None:
        landed.append(start)
        raise RuntimeError("an illegal memory access was encountered")

    monkeypatch.setattr(gpu, "land", land)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        gpu.download(crew)
    assert len(landed) <= crew.threads
    assert all(lane.event.done.is_set() for lane in gpu.lanes)


@pytest.mark.parametrize("crew", [pinned.ALONE, pinned.crew(), Crew(15, 2, 4 << 20)])
@pytest.mark.parametrize("size", [0, 1, 1 << 19, 8 << 20, (8 << 20) + 1, 100 << 20, 1 << 30])
def test_parts_cover_all_and_are_of_moderate_size(
    size: int, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    parts = pinned.split(size, crew)
    assert [start for start, _ in parts] == [0, *np.cumsum([length for _, length in parts])][: len(parts)]
    assert sum(length for _, length in parts) == size
    assert max((length for _, length in parts), default=0) <= crew.largest
    if size >= crew.threads * crew.lanes << 21:
        assert len(parts) >= crew.threads * crew.lanes  # every thread has something to do


def test_one_core_copies_in_the_calling_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    assert pinned.crew().threads == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(128)), raising=False)
    assert pinned.crew().threads == 15
