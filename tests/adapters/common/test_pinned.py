"""Copies through page-locked buffers, with a stand-in for the GPU that finishes everything late."""

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
from burn_array.adapters.common.pinned_copies import StagingBuffer, Workers

SHAPES = ((0, 1), (0, 3), (1, 1), (4, 3), (4, 4), (4, 7), (10, 14))
WORKERS = [Workers(threads, buffers, 100) for threads, buffers in SHAPES]


class Event:
    """Like an event of CUDA, for which there is nothing to wait before it is recorded."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.done.set()

    def synchronize(self) -> None:
        if not self.done.wait(10):
            raise TimeoutError


class Gpu:
    """A GPU with its own memory, and a stream: a thread that makes the queued copies one after another, with delay."""

    def __init__(self, memory: Any, host: Any) -> None:
        self.memory, self.host = memory, host
        self.buffers: list[StagingBuffer] = []
        self.copied = 0
        self.caller = 0
        self.stream: SimpleQueue[Any] = SimpleQueue()
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while (work := self.stream.get()) is not None:
            buffer, target, source, done = work
            time.sleep(0.001)
            np.copyto(target, source)
            self.copied += 1
            if np.shares_memory(source, buffer.bytes):
                buffer.bytes[:] = 255  # so that a second use of the same values fails
            done.set()

    def make(self, size: int) -> StagingBuffer:
        buffer = StagingBuffer(None, np.zeros(size, dtype=np.uint8), Event())
        self.buffers.append(buffer)
        return buffer

    def finish(self) -> None:
        for buffer in self.buffers:
            buffer.event.synchronize()

    def queue(self, buffer: StagingBuffer, target: Any, source: Any) -> None:
        assert threading.get_ident() == self.caller, "not the calling thread"
        assert buffer.event.done.is_set(), "the buffer is still in use"
        buffer.event.done = threading.Event()
        self.stream.put((buffer, target, source, buffer.event.done))

    def send(self, buffer: StagingBuffer, start: int, size: int) -> None:
        self.queue(buffer, self.memory[start : start + size], buffer.bytes[:size])

    def fetch(self, buffer: StagingBuffer, start: int, size: int) -> None:
        self.queue(buffer, buffer.bytes[:size], self.memory[start : start + size])

    def copy(self, target: Any, source: Any) -> None:
        for buffer in self.buffers:
            if np.shares_memory(buffer.bytes, target) or np.shares_memory(buffer.bytes, source):
                assert buffer.event.done.is_set(), "the buffer is still in use"
        np.copyto(target, source)

    def upload(self, workers: Workers) -> None:
        self.caller = threading.get_ident()
        pinned.upload(self.host, workers._replace(copy=self.copy), self.make, self.send, self.finish)

    def download(self, workers: Workers) -> None:
        self.caller = threading.get_ident()
        pinned.download(self.host, workers._replace(copy=self.copy), self.make, self.fetch, self.finish)


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


def split_small(size: int, workers: Workers) -> list[tuple[int, int]]:
    return [(start, min(workers.largest, size - start)) for start in range(0, size, workers.largest)]


def some_bytes(size: int) -> Any:
    return np.random.default_rng(size).integers(0, 255, size, dtype=np.uint8)


def nothing(size: int) -> Any:
    return np.zeros(size, dtype=np.uint8)


SIZES = (0, 1, 99, 100, 101, 300, 301, 2345)


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("size", SIZES)
def test_upload(gpus: list[Gpu], size: int, workers: Workers) -> None:
    gpus.append(gpu := Gpu(nothing(size), some_bytes(size)))
    gpu.upload(workers)
    assert gpu.copied == -(-size // 100)  # everything has arrived when it returns
    np.testing.assert_array_equal(gpu.memory, gpu.host)
    assert len(gpu.buffers) == min(workers.buffers, -(-size // 100))


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("size", SIZES)
def test_download(gpus: list[Gpu], size: int, workers: Workers) -> None:
    gpus.append(gpu := Gpu(some_bytes(size), nothing(size)))
    gpu.download(workers)
    np.testing.assert_array_equal(gpu.host, gpu.memory)


@pytest.mark.parametrize("way", ["upload", "download"])
def test_several_at_once(gpus: list[Gpu], way: str) -> None:
    """Even with more copies than threads, no copy waits for another for ever."""
    workers = Workers(8, 11, 100)
    gpus += [Gpu(some_bytes(1500), some_bytes(1501)[1:]) for _ in range(6)]
    moves = [threading.Thread(target=getattr(gpu, way), args=(workers,)) for gpu in gpus]
    for move in moves:
        move.start()
    for move in moves:
        move.join(20)
    assert not any(move.is_alive() for move in moves)
    for gpu in gpus:
        np.testing.assert_array_equal(gpu.memory, gpu.host)


def test_a_copy_that_waits_for_its_gpu_does_not_delay_another(gpus: list[Gpu]) -> None:
    workers = Workers(10, 14, 100)
    gpus += [slow := Gpu(some_bytes(1500), nothing(1500)), quick := Gpu(nothing(1500), some_bytes(1500))]
    busy = threading.Event()
    slow.stream.put(
        (StagingBuffer(None, nothing(1), Event()), nothing(1), nothing(1), SimpleNamespace(set=busy.wait))
    )
    first = threading.Thread(target=slow.download, args=(workers,))
    first.start()
    try:
        time.sleep(0.05)
        second = threading.Thread(target=quick.upload, args=(workers,))
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
def test_as_many_threads_copy_as_can_be_started(
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
    getattr(gpu, way)(Workers(4, 7, 100))
    np.testing.assert_array_equal(gpu.memory, gpu.host)
    assert all(loop.done() for loop in loops)
    pool.shutdown()


@pytest.mark.parametrize("workers", WORKERS)
def test_an_error_of_the_gpu_is_raised_once_the_buffers_are_free(
    gpus: list[Gpu], workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(nothing(1500), some_bytes(1500)))
    sent: list[int] = []

    def send(buffer: StagingBuffer, start: int, size: int) -> None:
        sent.append(start)
        if len(sent) >= 4:
            raise RuntimeError("out of memory")
        Gpu.send(gpu, buffer, start, size)

    monkeypatch.setattr(gpu, "send", send)
    with pytest.raises(RuntimeError, match="out of memory"):
        gpu.upload(workers)
    assert gpu.copied == 3
    assert all(buffer.event.done.is_set() for buffer in gpu.buffers)


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("at", [1, 4, 15])
def test_an_error_of_the_gpu_on_the_way_back_is_raised(
    gpus: list[Gpu], workers: Workers, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(some_bytes(1500), nothing(1500)))
    fetched: list[int] = []

    def fetch(buffer: StagingBuffer, start: int, size: int) -> None:
        fetched.append(start)
        if len(fetched) >= at:
            raise RuntimeError("an illegal memory access was encountered")
        Gpu.fetch(gpu, buffer, start, size)

    monkeypatch.setattr(gpu, "fetch", fetch)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        gpu.download(workers)
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
        getattr(gpu, way)(Workers(4, 7, 100))


def test_an_interruption_leaves_no_thread_behind(gpus: list[Gpu], monkeypatch: pytest.MonkeyPatch) -> None:
    gpus.append(gpu := Gpu(nothing(1500), some_bytes(1500)))

    def send(buffer: StagingBuffer, start: int, size: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(gpu, "send", send)
        for _ in range(20):
            with pytest.raises(KeyboardInterrupt):
                gpu.upload(Workers(10, 14, 100))
    gpu.upload(Workers(10, 14, 100))  # with the same threads
    np.testing.assert_array_equal(gpu.memory, gpu.host)


@pytest.mark.parametrize("way", ["upload", "download"])
@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("at", [1, 15])
def test_an_error_on_the_host_is_raised(
    gpus: list[Gpu], workers: Workers, way: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpus.append(gpu := Gpu(some_bytes(1500), some_bytes(1500)))
    copied: list[int] = []

    def copy(target: Any, source: Any) -> None:
        copied.append(target.size)
        if len(copied) >= at:
            raise RuntimeError("an illegal memory access was encountered")

    monkeypatch.setattr(gpu, "copy", copy)
    with pytest.raises(RuntimeError, match="illegal memory access"):
        getattr(gpu, way)(workers)
    assert all(buffer.event.done.is_set() for buffer in gpu.buffers)


PARTS = (
    Workers(0, 4, 16 << 20),
    pinned.python_workers(),
    Workers(10, 14, 5 << 20),
    Workers(0, 4, 13 * 315 << 12, 13 << 12),
)


@pytest.mark.parametrize("workers", PARTS)
@pytest.mark.parametrize("size", [0, 1, 1 << 19, 8 << 20, (8 << 20) + 1, 100 << 20, 1 << 30])
def test_parts_cover_everything_and_have_a_moderate_size(
    size: int, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    parts = pinned.split(size, workers)
    ends = np.cumsum([0, *(length for _, length in parts)])
    assert [start for start, _ in parts] == list(ends[:-1])
    assert ends[-1] == size
    assert max((length for _, length in parts), default=0) <= workers.largest
    assert all(length % workers.unit == 0 for _, length in parts[:-1])
    if size >= 8 << 20:
        assert len(parts) >= min(workers.buffers, size >> 20) // 2  # at least half of the buffers are used


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (4, 4), (128, 10)])
def test_as_many_threads_copy_as_there_are_cores_up_to_ten(
    cores: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert pinned.python_workers().threads == threads
    assert pinned.python_workers().buffers > threads
