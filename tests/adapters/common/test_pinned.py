"""Moves through page-locked buffers, with a stand-in for the GPU that is late with everything."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from burn_array.adapters.common import pinned_copies as pinned
from burn_array.adapters.common.pinned_copies import Crew, Lane

SHAPES = ((0, 1), (0, 3), (1, 1), (4, 3), (4, 4), (4, 7), (10, 14))
CREWS = [Crew(threads, lanes, 100) for threads, lanes in SHAPES]


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
        self.caller = 0
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

    def finish(self) -> None:
        for lane in self.lanes:
            lane.event.synchronize()

    def queue(self, lane: Lane, target: Any, source: Any) -> None:
        assert threading.get_ident() == self.caller, "not the calling thread"
        assert lane.event.done.is_set(), "the lane is still in use"
        lane.event.done = threading.Event()
        self.stream.put((lane, target, source, lane.event.done))

    def send(self, lane: Lane, start: int, size: int) -> None:
        self.queue(lane, self.memory[start : start + size], lane.bytes[:size])

    def fetch(self, lane: Lane, start: int, size: int) -> None:
        self.queue(lane, lane.bytes[:size], self.memory[start : start + size])

    def copy(self, target: Any, source: Any) -> None:
        for lane in self.lanes:
            if np.shares_memory(lane.bytes, target) or np.shares_memory(lane.bytes, source):
                assert lane.event.done.is_set(), "the lane is still in use"
        np.copyto(target, source)

    def upload(self, crew: Crew) -> None:
        self.caller = threading.get_ident()
        pinned.upload(self.host, crew._replace(copy=self.copy), self.make, self.send, self.finish)

    def download(self, crew: Crew) -> None:
        self.caller = threading.get_ident()
        pinned.download(self.host, crew._replace(copy=self.copy), self.make, self.fetch, self.finish)


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
    assert len(gpu.lanes) == min(crew.lanes, -(-size // 100))


@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("size", SIZES)
def test_download(gpus: list[Gpu], size: int, crew: Crew) -> None:
    gpus.append(gpu := Gpu(some_bytes(size), nothing(size)))
    gpu.download(crew)
    np.testing.assert_array_equal(gpu.host, gpu.memory)


@pytest.mark.parametrize("way", ["upload", "download"])
def test_several_at_once(gpus: list[Gpu], way: str) -> None:
    """More moves than threads: none waits for another for ever."""
    crew = Crew(8, 11, 100)
    gpus += [Gpu(some_bytes(1500), some_bytes(1501)[1:]) for _ in range(6)]
    moves = [threading.Thread(target=getattr(gpu, way), args=(crew,)) for gpu in gpus]
    for one in moves:
        one.start()
    for one in moves:
        one.join(20)
    assert not any(one.is_alive() for one in moves)
    for gpu in gpus:
        np.testing.assert_array_equal(gpu.memory, gpu.host)


def test_a_move_that_waits_for_its_gpu_does_not_hold_up_another(gpus: list[Gpu]) -> None:
    crew = Crew(10, 14, 100)
    gpus += [slow := Gpu(some_bytes(1500), nothing(1500)), quick := Gpu(nothing(1500), some_bytes(1500))]
    busy = threading.Event()
    slow.stream.put((Lane(None, nothing(1), Event()), nothing(1), nothing(1), SimpleNamespace(set=busy.wait)))
    first = threading.Thread(target=slow.download, args=(crew,))
    first.start()
    try:
        time.sleep(0.05)
        second = threading.Thread(target=quick.upload, args=(crew,))
        second.start()
        second.join(10)
        assert not second.is_alive()
    finally:
        busy.set()
        first.join(10)
    np.testing.assert_array_equal(quick.memory, quick.host)
    np.testing.assert_array_equal(slow.host, slow.memory)


@pytest.mark.parametrize("started", [0, 1, 3])
@pytest.mark.parametrize("way", ["upload", "download"])
def test_as_many_threads_as_there_are_to_be_had_copy(
    gpus: list[Gpu], way: str, started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = ThreadPoolExecutor(4)
    loops: list[Any] = []

    def submit(loop: Any) -> Any:
        if len(loops) == started:
            raise RuntimeError("can't start new thread")
        loops.append(pool.submit(loop))
        return loops[-1]

    monkeypatch.setattr(pinned, "_pool", lambda: SimpleNamespace(submit=submit))
    gpus.append(gpu := Gpu(some_bytes(1500), some_bytes(1501)[1:]))
    getattr(gpu, way)(Crew(4, 7, 100))
    np.testing.assert_array_equal(gpu.memory, gpu.host)
    assert all(loop.done() for loop in loops)
    pool.shutdown()


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
@pytest.mark.parametrize("at", [1, 4, 15])
def test_an_error_of_the_gpu_on_the_way_back_is_raised(
    gpus: list[Gpu], crew: Crew, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(some_bytes(1500), nothing(1500)))
    fetched: list[int] = []

    def fetch(lane: Lane, start: int, size: int) -> None:
        fetched.append(start)
        if len(fetched) >= at:
            raise RuntimeError("an illegal memory access was encountered")
        Gpu.fetch(gpu, lane, start, size)

    monkeypatch.setattr(gpu, "fetch", fetch)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        gpu.download(crew)
    assert gpu.copied == at - 1


@pytest.mark.parametrize("way", ["upload", "download"])
def test_an_error_of_the_last_copy_is_raised(
    gpus: list[Gpu], way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(some_bytes(1500), some_bytes(1500)))

    def finish() -> None:
        Gpu.finish(gpu)
        raise RuntimeError("an illegal memory access was encountered")

    monkeypatch.setattr(gpu, "finish", finish)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        getattr(gpu, way)(Crew(4, 7, 100))


def test_an_interruption_leaves_no_thread_behind(gpus: list[Gpu], monkeypatch: pytest.MonkeyPatch) -> None:
    gpus.append(gpu := Gpu(nothing(1500), some_bytes(1500)))

    def send(lane: Lane, start: int, size: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(gpu, "send", send)
        for _ in range(20):
            with pytest.raises(KeyboardInterrupt):
                gpu.upload(Crew(10, 14, 100))
    gpu.upload(Crew(10, 14, 100))  # by the same threads
    np.testing.assert_array_equal(gpu.memory, gpu.host)


@pytest.mark.parametrize("way", ["upload", "download"])
@pytest.mark.parametrize("crew", CREWS)
@pytest.mark.parametrize("at", [1, 15])
def test_an_error_on_the_host_is_raised(
    gpus: list[Gpu], crew: Crew, way: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(some_bytes(1500), some_bytes(1500)))
    copied: list[int] = []

    def copy(target: Any, source: Any) -> None:
        copied.append(target.size)
        if len(copied) >= at:
            raise RuntimeError("an illegal memory access was encountered")

    monkeypatch.setattr(gpu, "copy", copy)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        getattr(gpu, way)(crew)
    assert all(lane.event.done.is_set() for lane in gpu.lanes)


PARTS = (
    Crew(0, 4, 16 << 20),
    pinned.usual_crew(),
    Crew(10, 14, 5 << 20),
    Crew(0, 4, 13 * 315 << 12, 13 << 12),
)


@pytest.mark.parametrize("crew", PARTS)
@pytest.mark.parametrize("size", [0, 1, 1 << 19, 8 << 20, (8 << 20) + 1, 100 << 20, 1 << 30])
def test_parts_cover_all_and_are_of_moderate_size(
    size: int, crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    parts = pinned.split(size, crew)
    ends = np.cumsum([0, *(length for _, length in parts)])
    assert [start for start, _ in parts] == list(ends[:-1])
    assert ends[-1] == size
    assert max((length for _, length in parts), default=0) <= crew.largest
    assert all(length % crew.unit == 0 for _, length in parts[:-1])
    if size >= 8 << 20:
        assert len(parts) >= min(crew.lanes, size >> 20) // 2  # nearly all have something to do


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (4, 4), (128, 10)])
def test_as_many_threads_copy_as_there_are_cores_to_be_used(
    cores: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert pinned.usual_crew().threads == threads
    assert pinned.usual_crew().lanes > threads
