"""Moves between ordinary host memory and a GPU through page-locked buffers, for any library that has both.

A GPU copies ordinary memory at a fraction of the bandwidth of page-locked memory, and one thread of the host does
not keep up with it. So several threads copy parts of the array into (or out of) page-locked buffers, *lanes*, while
the GPU sends (or fetches) others. All that concerns streams happens in the calling thread; the threads only wait for
events and copy.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Part = tuple[int, int]
"""Start and size of a part, in bytes."""

THREADS = 8
"""Threads that copy on the host."""
LANES = 16
"""Page-locked buffers: those being filled, and as many that the GPU reads meanwhile."""
LARGEST, _LEAST = 8 << 20, 1 << 19
"""Bytes of the largest part and of the smallest, which is worth a call still."""


class Lane(NamedTuple):
    """One page-locked buffer, and the event after which the GPU is done with it."""

    memory: Any
    """The library's own object for the buffer."""
    bytes: Bytes
    event: Any
    """What has ``synchronize``, which returns at once if nothing was recorded; an event that lets the thread sleep
    wakes it later than the GPU needs the next part."""


Make = Callable[[int], Lane]
Queue = Callable[[Lane, int, int], None]
"""Queues the copy between a lane and the part of the array on the GPU, and records the event of the lane."""


def upload(source: Bytes, make: Make, send: Queue) -> None:
    """Copy ``source`` to where ``send`` sends it, and return when it is there."""

    def fill(lane: Lane, start: int, size: int) -> None:
        lane.event.synchronize()
        np.copyto(lane.bytes[:size], source[start : start + size])

    parts = split(source.size)
    lanes = _lanes(make, parts)
    with _copying(fill, lanes) as (put, take):
        for lane, part in zip(lanes, parts, strict=False):
            put(lane, part)
        for number in range(len(lanes), len(parts) + len(lanes)):
            lane, filled = take()
            send(lane, *filled)
            if number < len(parts):
                put(lane, parts[number])


def download(target: Bytes, make: Make, fetch: Queue) -> None:
    """Fill ``target`` with what ``fetch`` fetches, and return when it is there."""

    def land(lane: Lane, start: int, size: int) -> None:
        lane.event.synchronize()
        np.copyto(target[start : start + size], lane.bytes[:size])

    parts = split(target.size)[::-1]  # the smallest last: with the copy of the last part nothing overlaps
    lanes = _lanes(make, parts)
    with _copying(land, lanes) as (put, take):
        for number, part in enumerate(parts):
            lane = lanes[number] if number < len(lanes) else take()[0]
            fetch(lane, *part)
            put(lane, part)
        for _ in lanes:
            take()


def split(size: int) -> list[Part]:
    """Return the parts of ``size`` bytes: the first are smaller, so that the GPU soon has something to do."""
    megabytes = -(-size // (LANES << 20))
    largest = min(megabytes << 20, LARGEST)
    parts: list[Part] = []
    start = 0
    while start < size:
        length = max(largest >> max(3 - len(parts) // THREADS, 0), _LEAST)
        parts.append((start, min(length, size - start)))
        start += length
    return parts


def _lanes(make: Make, parts: list[Part]) -> list[Lane]:
    length = max((size for _, size in parts), default=0)
    return [make(length) for _ in parts[:LANES]]


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(THREADS, thread_name_prefix="burn_array_copy")


@contextmanager
def _copying(
    work: Callable[[Lane, int, int], None], lanes: list[Lane]
) -> Iterator[tuple[Callable[[Lane, Part], None], Callable[[], tuple[Lane, Part]]]]:
    """Give a way to ``put`` copies before the threads, and one to ``take`` those that are done.

    An error of a thread is raised by ``take``. On leaving, the GPU is done with the lanes.
    """
    todo: SimpleQueue[tuple[Lane, Part] | None] = SimpleQueue()
    done: SimpleQueue[tuple[Lane, Part] | Exception] = SimpleQueue()

    def take() -> tuple[Lane, Part]:
        found = done.get()
        if isinstance(found, Exception):
            raise found
        return found

    def loop() -> None:
        while (found := todo.get()) is not None:
            lane, part = found
            try:
                work(lane, *part)
            except Exception as error:
                done.put(error)
            else:
                done.put(found)

    running: list[Future[None]] = [_pool().submit(loop) for _ in range(min(threads(), len(lanes)))]
    try:
        yield (lambda lane, part: todo.put((lane, part))), take
    finally:
        for _ in running:
            todo.put(None)
        for one in running:
            one.result()
        for lane in lanes:
            with suppress(Exception):  # one that says more is on its way, or the next call meets it
                lane.event.synchronize()


def threads() -> int:
    """Return how many threads copy: one on a single core, at most ``THREADS``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(THREADS, cores)
