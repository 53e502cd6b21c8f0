"""Moves between ordinary host memory and a GPU through page-locked buffers, for any library that has both.

A GPU copies ordinary memory at a fraction of the bandwidth of page-locked memory, and one thread of the host does
not keep up with it. So several threads copy parts of the array into (or out of) page-locked buffers, *lanes*, while
the GPU sends (or fetches) others. A library that copies host memory with all cores in one call does so itself;
otherwise each thread of Python has lanes of its own and hands them to the GPU itself, since to hand them to another
thread takes longer than a part does. All lanes together are to stay in the cache, from which the GPU reads them.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from itertools import cycle
from typing import Any, NamedTuple

Part = tuple[int, int]
"""Start and size of a part, in bytes."""

_MOST_THREADS = 15
_LEAST = 1 << 19
"""Bytes of the smallest part that is worth a call."""


class Crew(NamedTuple):
    """Who copies on the host."""

    threads: int
    """Threads of Python; one is the calling thread."""
    lanes: int
    """Page-locked buffers of each: one that is copied, and others that the GPU is at."""
    largest: int
    """Bytes of the largest part."""


class Lane(NamedTuple):
    """One page-locked buffer, and the event after which the GPU is done with it."""

    memory: Any
    """The library's own object for the buffer."""
    event: Any
    """What has ``synchronize``, which returns at once if nothing was recorded; an event that lets the thread sleep
    wakes it later than the GPU needs the next part."""


Make = Callable[[int], Lane]
Work = Callable[[Lane, int, int], None]
"""Does something with a lane and the part of so many bytes from a start."""
Here = Callable[[], AbstractContextManager[Any]]
"""Makes the context in which a thread may use the GPU."""

ALONE = Crew(threads=1, lanes=4, largest=16 << 20)
"""The calling thread, for a library that copies host memory with all cores."""


def crew() -> Crew:
    """Return the crew of Python's threads on this machine."""
    return Crew(threads(), lanes=2, largest=4 << 20)


def threads() -> int:
    """Return how many threads copy: all cores but one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(_MOST_THREADS, cores - 1))


def upload(size: int, crew: Crew, make: Make, fill: Work, send: Work, here: Here = nullcontext) -> None:
    """Move ``size`` bytes to the GPU, and return when they are there.

    ``fill`` copies a part of the array into a lane; ``send`` queues its copy to the GPU and records the event.
    """

    def work(lanes: list[Lane], parts: Iterator[Part]) -> None:
        for lane, part in zip(cycle(lanes), parts, strict=False):
            lane.event.synchronize()
            fill(lane, *part)
            send(lane, *part)

    _run(work, split(size, crew), crew, make, here)


def download(size: int, crew: Crew, make: Make, fetch: Work, land: Work, here: Here = nullcontext) -> None:
    """Move ``size`` bytes from the GPU, and return when they are there.

    ``fetch`` queues the copy of a part into a lane and records the event; ``land`` copies it from there.
    """

    def work(lanes: list[Lane], parts: Iterator[Part]) -> None:
        fetched: deque[tuple[Lane, Part]] = deque()
        for lane, part in zip(cycle(lanes), parts, strict=False):
            if len(fetched) == len(lanes):
                settle(*fetched.popleft())
            fetch(lane, *part)
            fetched.append((lane, part))
        for lane, part in fetched:
            settle(lane, part)

    def settle(lane: Lane, part: Part) -> None:
        lane.event.synchronize()
        land(lane, *part)

    parts = split(size, crew)[::-1]  # the smallest last: with the copy of the last part nothing overlaps
    _run(work, parts, crew, make, here)


def split(size: int, crew: Crew) -> list[Part]:
    """Return the parts of ``size`` bytes: the first are smaller, so that the GPU soon has something to do."""
    megabytes = -(-size // ((crew.threads * crew.lanes) << 20))
    largest = min(megabytes << 20, crew.largest)
    parts: list[Part] = []
    start = 0
    while start < size:
        length = max(largest >> max(1 - len(parts) // crew.threads, 0), _LEAST)
        parts.append((start, min(length, size - start)))
        start += length
    return parts


def _run(
    work: Callable[[list[Lane], Iterator[Part]], None], parts: list[Part], crew: Crew, make: Make, here: Here
) -> None:
    """Let each thread of the crew take from ``parts`` until none is left; an error of one ends all.

    On leaving, the GPU is done with the lanes.
    """
    length = max((size for _, size in parts), default=0)
    owned = [[make(length) for _ in range(crew.lanes)] for _ in range(min(crew.threads, len(parts)))]
    todo = deque(parts)

    def loop(lanes: list[Lane]) -> None:
        try:
            with here():
                work(lanes, _drain(todo))
        finally:
            todo.clear()

    running: list[Future[None]] = []
    try:
        running += [_pool().submit(loop, lanes) for lanes in owned[1:]]
        if owned:
            loop(owned[0])
        for one in running:
            one.result()
    finally:
        for one in running:
            with suppress(Exception):  # the first error is on its way
                one.result()
        for lane in (lane for lanes in owned for lane in lanes):
            with suppress(Exception):  # one that says more is on its way, or the next call meets it
                lane.event.synchronize()


def _drain(todo: deque[Part]) -> Iterator[Part]:
    with suppress(IndexError):
        while True:
            yield todo.popleft()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="burn_array_copy")
