"""Fast copies between ordinary host memory and a GPU, through page-locked staging buffers.

A GPU copies page-locked memory several times faster than ordinary memory, but one core of the host cannot fill such
buffers as fast as the GPU empties them. So the array is copied in parts: while the GPU sends (or fetches) some
buffers, several threads fill (or empty) others. These are threads of Python, or those of a library that copies with all
cores in one call. Streams and events are used by the calling thread alone. The other threads only copy, because each
time one of them runs Python code it waits for the interpreter lock.

The functions here know no library: a caller passes functions that make a buffer, queue a copy on the GPU, and wait.
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
"""The start and size of a part of the array, in bytes."""

_MOST_THREADS = 10
"""With more threads, waiting for the interpreter lock costs more than they gain."""
_LEAST = 1 << 19
"""Size in bytes of the smallest part that is worth a call."""


class StagingBuffer(NamedTuple):
    """A page-locked buffer, and the event that tells when the GPU has finished with it."""

    memory: Any
    """The library's own object for the buffer."""
    bytes: Bytes
    event: Any
    """An object whose ``synchronize`` waits for the GPU, and returns at once if nothing was recorded. It should not be
    an event that puts the thread to sleep: the thread would wake too late to keep the GPU busy."""


class Workers(NamedTuple):
    """How the host copies: the number of threads and the size of each part."""

    threads: int
    """Number of threads of Python; with 0 the calling thread copies."""
    buffers: int
    """Number of buffers: one for each thread, and some for the GPU meanwhile. Too many would not fit in the cache."""
    largest: int
    """Size in bytes of the largest part."""
    unit: int = _LEAST
    """All parts but the last are a multiple of this number of bytes, and so is ``largest``."""
    copy: Callable[[Bytes, Bytes], Any] = np.copyto
    """Copies the second array into the first."""


Make = Callable[[int], StagingBuffer]
"""Makes a buffer of a given size in bytes."""
Enqueue = Callable[[StagingBuffer, int, int], None]
"""Queues the copy between a buffer and the part of the array on the GPU given by its start and size, then records the
event of the buffer."""
Finish = Callable[[], Any]
"""Waits until the GPU has done everything that was queued."""


def python_workers() -> Workers:
    """Return the workers that suit this machine, as threads of Python."""
    threads = min(_MOST_THREADS, _cores())
    return Workers(threads, threads + 4, 5 << 20)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def upload(source: Bytes, workers: Workers, make: Make, send: Enqueue, finish: Finish) -> None:
    """Copy ``source`` to the GPU, and return when it has arrived."""

    def fill(buffer: StagingBuffer, start: int, size: int) -> None:
        workers.copy(buffer.bytes[:size], source[start : start + size])

    parts = split(source.size, workers)
    with _copying(fill, workers, make, parts, finish) as (free, put, take):
        todo = iter(parts)
        sent: deque[StagingBuffer] = deque()
        for _ in range(min(max(workers.threads, 1), len(free))):
            put(free.popleft(), next(todo))
        for _ in parts:
            buffer, filled = take()
            send(buffer, *filled)
            sent.append(buffer)
            if (next_part := next(todo, None)) is not None:
                put(free.popleft() if free else _wait_for(sent.popleft()), next_part)


def download(target: Bytes, workers: Workers, make: Make, fetch: Enqueue, finish: Finish) -> None:
    """Copy an array on the GPU to ``target``, and return when it has arrived."""

    def empty(buffer: StagingBuffer, start: int, size: int) -> None:
        workers.copy(target[start : start + size], buffer.bytes[:size])

    # The smallest parts come last, because nothing overlaps with the copy of the last one.
    parts = split(target.size, workers)[::-1]
    with _copying(empty, workers, make, parts, finish) as (free, put, take):
        ahead = len(free) - max(workers.threads, 1)
        fetched: deque[tuple[StagingBuffer, Part]] = deque()
        for part in parts:
            if not free:
                free.append(take()[0])
            buffer = free.popleft()
            fetch(buffer, *part)
            fetched.append((buffer, part))
            if len(fetched) > ahead:
                buffer, part = fetched.popleft()
                put(_wait_for(buffer), part)
        for buffer, part in fetched:
            put(_wait_for(buffer), part)


def _wait_for(buffer: StagingBuffer) -> StagingBuffer:
    """Return ``buffer`` when the GPU has finished with it."""
    buffer.event.synchronize()
    return buffer


def split(size: int, workers: Workers) -> list[Part]:
    """Return the parts of an array of ``size`` bytes; the first ones are smaller, so that the GPU can start early."""
    largest = min(_round_up(-(-size // workers.buffers), workers.unit), workers.largest)
    first = min(_round_up(largest // 2, workers.unit), largest)
    parts: list[Part] = []
    start = 0
    while start < size:
        length = first if len(parts) < max(workers.threads, 1) else largest
        parts.append((start, min(length, size - start)))
        start += length
    return parts


def _round_up(size: int, unit: int) -> int:
    """Return ``size``, or the size of the smallest part if that is larger, rounded up to a multiple of ``unit``."""
    return -(-max(size, _LEAST) // unit) * unit


Put = Callable[[StagingBuffer, Part], None]
"""Gives a buffer and a part of the array to the workers, which copy between them."""
Take = Callable[[], tuple[StagingBuffer, Part]]
"""Waits for the next copy that the workers have finished."""


@contextmanager
def _copying(
    work: Callable[[StagingBuffer, int, int], None],
    workers: Workers,
    make: Make,
    parts: list[Part],
    finish: Finish,
) -> Iterator[tuple[deque[StagingBuffer], Put, Take]]:
    """Give the free buffers, a function ``put`` that orders a copy, and a function ``take`` that waits for one.

    An error in a worker is raised by ``take``, or on leaving the context. On leaving, all copies are done, and the GPU
    has finished with the buffers.
    """
    length = max((size for _, size in parts), default=0)
    buffers = [make(length) for _ in parts[: workers.buffers]]
    todo: SimpleQueue[tuple[StagingBuffer, Part] | None] = SimpleQueue()
    done: SimpleQueue[tuple[StagingBuffer, Part] | BaseException] = SimpleQueue()
    wanted = buffers[: workers.threads]  # no more threads than buffers
    running: list[Future[None]] = []

    def put(buffer: StagingBuffer, part: Part) -> None:
        if running:
            todo.put((buffer, part))
        else:
            work(buffer, *part)
            done.put((buffer, part))

    def take() -> tuple[StagingBuffer, Part]:
        found = done.get()
        if isinstance(found, BaseException):
            raise found
        return found

    def loop() -> None:
        while (found := todo.get()) is not None:
            buffer, part = found
            try:
                work(buffer, *part)
            except BaseException as error:  # ``take`` waits for an answer, so it gets the error
                done.put(error)
            else:
                done.put(found)

    def leave() -> None:
        for _ in wanted:
            todo.put(None)
        for future in running:
            future.result()
        finish()

    try:
        # While Python shuts down no thread can start: then fewer threads copy, or only the calling one.
        with suppress(RuntimeError):
            for _ in wanted:
                running.append(_pool().submit(loop))
        yield deque(buffers), put, take
    except BaseException:
        with suppress(Exception):  # the first error is the one to raise
            leave()
        raise
    leave()
    while not done.empty():
        take()


_OWN = threading.local()


def _pool() -> ThreadPoolExecutor:
    """Return the worker threads of the calling thread. Workers of another thread might be waiting for a GPU."""
    pool: ThreadPoolExecutor | None = getattr(_OWN, "pool", None)
    if pool is None:
        pool = _OWN.pool = ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="burn_array_copy")
    return pool
