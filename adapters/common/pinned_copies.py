"""Moves between ordinary host memory and a GPU through page-locked buffers, for any library that has both.

A GPU copies ordinary memory at a fraction of the bandwidth of page-locked memory, and one core of the host does not
keep up with it. So several copy parts of the array into (or out of) page-locked buffers, *lanes*, while the GPU sends
(or fetches) others: threads of Python, or those of a library that copies with all cores in one call. All that
concerns streams and events happens in the calling thread; the threads only copy, since each time that one of them
comes back to Python it has to wait for the others.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Part = tuple[int, int]
"""Start and size of a part, in bytes."""

_THREADS = 10
"""More wait for each other."""
_LEAST = 1 << 19
"""Bytes of the smallest part that is worth a call."""


class Lane(NamedTuple):
    """One page-locked buffer, and the event after which the GPU is done with it."""

    memory: Any
    """The library's own object for the buffer."""
    bytes: Bytes
    event: Any
    """What has ``synchronize``, which returns at once if nothing was recorded; an event that lets the thread sleep
    wakes it later than the GPU needs the next part."""


class Crew(NamedTuple):
    """Who copies on the host."""

    threads: int
    """Threads of Python; with none the calling thread copies."""
    lanes: int
    """How many there are: those being copied, and some that the GPU is at; many would not stay in the cache."""
    largest: int
    """Bytes of the largest part."""
    unit: int = _LEAST
    """Of how many bytes all parts but the last are multiples; ``largest`` is one."""
    copy: Callable[[Bytes, Bytes], Any] = np.copyto


Make = Callable[[int], Lane]
Queue = Callable[[Lane, int, int], None]
"""Queues the copy between a lane and the part of the array on the GPU, and records the event of the lane."""
Finish = Callable[[], Any]
"""Waits until the GPU has done all that was queued."""


def usual_crew() -> Crew:
    """Return the crew of Python's threads on this machine."""
    threads = min(_THREADS, _cores())
    return Crew(threads, threads + 4, 5 << 20)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def upload(source: Bytes, crew: Crew, make: Make, send: Queue, finish: Finish) -> None:
    """Copy ``source`` to where ``send`` sends it, and return when it is there."""

    def fill(lane: Lane, start: int, size: int) -> None:
        crew.copy(lane.bytes[:size], source[start : start + size])

    parts = split(source.size, crew)
    with _copying(fill, crew, make, parts, finish) as (free, put, take):
        todo = iter(parts)
        sent: deque[Lane] = deque()
        for _ in range(min(max(crew.threads, 1), len(free))):
            put(free.popleft(), next(todo))
        for _ in parts:
            lane, filled = take()
            send(lane, *filled)
            sent.append(lane)
            if (next_part := next(todo, None)) is not None:
                put(free.popleft() if free else _waited_for(sent.popleft()), next_part)


def download(target: Bytes, crew: Crew, make: Make, fetch: Queue, finish: Finish) -> None:
    """Fill ``target`` with what ``fetch`` fetches, and return when it is there."""

    def land(lane: Lane, start: int, size: int) -> None:
        crew.copy(target[start : start + size], lane.bytes[:size])

    parts = split(target.size, crew)[
        ::-1
    ]  # the smallest last: with the copy of the last part nothing overlaps
    with _copying(land, crew, make, parts, finish) as (free, put, take):
        ahead = len(free) - max(crew.threads, 1)
        fetched: deque[tuple[Lane, Part]] = deque()
        for part in parts:
            if not free:
                free.append(take()[0])
            lane = free.popleft()
            fetch(lane, *part)
            fetched.append((lane, part))
            if len(fetched) > ahead:
                lane, part = fetched.popleft()
                put(_waited_for(lane), part)
        for lane, part in fetched:
            put(_waited_for(lane), part)


def _waited_for(lane: Lane) -> Lane:
    lane.event.synchronize()
    return lane


def split(size: int, crew: Crew) -> list[Part]:
    """Return the parts of ``size`` bytes: the first are smaller, so that the GPU soon has something to do."""
    largest = min(_whole(-(-size // crew.lanes), crew.unit), crew.largest)
    first = min(_whole(largest // 2, crew.unit), largest)
    parts: list[Part] = []
    start = 0
    while start < size:
        length = first if len(parts) < max(crew.threads, 1) else largest
        parts.append((start, min(length, size - start)))
        start += length
    return parts


def _whole(size: int, unit: int) -> int:
    """Return a multiple of ``unit``, at least as large as ``size`` and as a part is to be."""
    return -(-max(size, _LEAST) // unit) * unit


Put = Callable[[Lane, Part], None]
Take = Callable[[], tuple[Lane, Part]]


@contextmanager
def _copying(
    work: Callable[[Lane, int, int], None], crew: Crew, make: Make, parts: list[Part], finish: Finish
) -> Iterator[tuple[deque[Lane], Put, Take]]:
    """Give lanes, a way to ``put`` copies before the crew, and one to ``take`` those that are done.

    An error of a thread is raised by ``take``, or on leaving: then all is copied, and the GPU is done with the lanes.
    """
    length = max((size for _, size in parts), default=0)
    lanes = [make(length) for _ in parts[: crew.lanes]]
    todo: SimpleQueue[tuple[Lane, Part] | None] = SimpleQueue()
    done: SimpleQueue[tuple[Lane, Part] | BaseException] = SimpleQueue()
    asked = lanes[: crew.threads]
    running: list[Future[None]] = []

    def put(lane: Lane, part: Part) -> None:
        if running:
            todo.put((lane, part))
        else:
            work(lane, *part)
            done.put((lane, part))

    def take() -> tuple[Lane, Part]:
        found = done.get()
        if isinstance(found, BaseException):
            raise found
        return found

    def loop() -> None:
        while (found := todo.get()) is not None:
            lane, part = found
            try:
                work(lane, *part)
            except BaseException as error:  # whoever takes waits for an answer
                done.put(error)
            else:
                done.put(found)

    def leave() -> None:
        for _ in asked:
            todo.put(None)
        for one in running:
            one.result()
        finish()

    try:
        with suppress(RuntimeError):  # no thread is to be had, as when Python ends: fewer copy, or this one
            for _ in asked:
                running.append(_pool().submit(loop))
        yield deque(lanes), put, take
    except BaseException:
        with suppress(Exception):  # the first error is the one to be told
            leave()
        raise
    leave()
    while not done.empty():
        take()


_OWN = threading.local()


def _pool() -> ThreadPoolExecutor:
    """Return threads of the calling thread's own: those of another may be waiting for a GPU."""
    pool: ThreadPoolExecutor | None = getattr(_OWN, "pool", None)
    if pool is None:
        pool = _OWN.pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="burn_array_copy")
    return pool
