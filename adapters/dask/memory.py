"""How arrays are cut into blocks, and whether what must be in one place fits there."""

from __future__ import annotations

import math
import sys
from typing import Any

import dask
from dask.utils import parse_bytes

from burn_array.errors import OutOfMemoryError

Chunks = tuple[tuple[int, ...], ...]

LIMIT = "burn-array.block-limit"
"""The setting of dask for the most bytes in one place."""
_SHARE = 0.25
"""The part of the free memory that one block may have, where the setting is missing."""
_MOST_BLOCKS = 2**20
_SMALL = 2**20
"""Bytes that fit everywhere; they are compared with the setting alone."""


def chunk_bytes() -> int:
    """Return how many bytes a new block may have: dask's setting ``array.chunk-size``."""
    return max(1, int(parse_bytes(dask.config.get("array.chunk-size", "128MiB"))))


def cut(length: int, part: int) -> tuple[int, ...]:
    """Return the lengths of blocks of at most ``part`` elements, all but the last of the same length."""
    whole, rest = divmod(length, max(1, part))
    return (part,) * whole + ((rest,) if rest or not length else ())


def chunks_for(shape: tuple[int, ...], itemsize: int, whole: tuple[int, ...] = ()) -> Chunks:
    """Return how a new array is cut; the axes in ``whole`` are not cut.

    The longest axis is halved until a block has at most as many bytes as ``array.chunk-size`` says.
    """
    lengths = list(shape)
    limit = chunk_bytes()
    free = [axis for axis in range(len(shape)) if axis not in whole]
    while free and math.prod(lengths) * itemsize > limit:
        axis = max(free, key=lengths.__getitem__)
        if lengths[axis] <= 1:
            break
        lengths[axis] = -(-lengths[axis] // 2)
    count = math.prod(-(-n // part) for n, part in zip(shape, lengths, strict=True) if n)
    if count > _MOST_BLOCKS:
        raise OutOfMemoryError(
            f"an array of shape {shape} would have {count:,} blocks, more than a graph can hold; set dask.config "
            f"'array.chunk-size' higher, or make a smaller array"
        )
    return tuple(cut(n, part) if n else (0,) for n, part in zip(shape, lengths, strict=True))


def smaller(chunks: Chunks, itemsize: int, whole: tuple[int, ...]) -> Chunks:
    """Return chunks with the axes in ``whole`` uncut, and the others cut further if the blocks would be too large."""
    lengths = [sum(c) if axis in whole else max(c, default=0) for axis, c in enumerate(chunks)]
    limit = max(chunk_bytes(), math.prod(max(c, default=0) for c in chunks) * itemsize)
    free = [axis for axis in range(len(chunks)) if axis not in whole]
    while free and math.prod(lengths) * itemsize > limit:
        axis = max(free, key=lengths.__getitem__)
        if lengths[axis] <= 1:
            break
        lengths[axis] = -(-lengths[axis] // 2)
    return tuple(
        (sum(c),) if axis in whole else tuple(n for one in c for n in cut(one, lengths[axis]))
        for axis, c in enumerate(chunks)
    )


def fits(function: str, size: int, place: str = "in one worker") -> None:
    """Raise if ``size`` bytes must not be in one place; called before any task exists.

    Raises
    ------
    OutOfMemoryError
        If they are more than the limit.
    """
    setting = dask.config.get(LIMIT, None)
    if setting is None and size <= _SMALL:
        return
    allowed = int(parse_bytes(setting)) if setting is not None else _quarter()
    if size > allowed:
        why = "as the setting says" if setting is not None else "a quarter of its memory"
        raise OutOfMemoryError(
            f"{function} needs {_mib(size)} {place}, of which {_mib(allowed)} are allowed ({why}); nothing was "
            f"started. Reduce the array first, or set dask.config {LIMIT!r}"
        )


def _mib(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB" if size >= 2**20 else f"{size:,} bytes"


def _quarter() -> int:
    """Return a quarter of the memory of the smallest worker, or of the free memory of this process."""
    from .computing import current_client

    client = current_client()
    if client is not None:
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        limits = [one["memory_limit"] for one in workers if one.get("memory_limit")]
        if limits:
            return int(min(limits) * _SHARE)
    return int(_free_memory() * _SHARE)


def _free_memory() -> int:
    """Return how many bytes this process may still take, as far as the system tells."""
    found = [_available()]
    if sys.platform != "win32":
        import resource

        for name in ("RLIMIT_DATA", "RLIMIT_AS"):
            soft = resource.getrlimit(getattr(resource, name))[0] if hasattr(resource, name) else -1
            if soft not in (-1, resource.RLIM_INFINITY):
                found.append(soft)
    return min(found)


def _available() -> int:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        import psutil
    except ImportError:
        return 2**34
    free: Any = psutil.virtual_memory().available
    return int(free)
