"""Measure time and memory of every function of the namespace, as ratios to the library's own call.

    python benchmarks/functions.py --device numpy --device torch:cpu [--size 10 --size 10000000] [--only NAME ...]

The library's own call is what its users write for the same thing (``function_calls.py``). Both are called in turn, and
the shortest time of each counts. On a GPU the clock stops when the work is done. The extra memory is the largest amount
that a call holds beyond its operands, its result included. It is counted by ``tracemalloc`` on NumPy, by PyTorch's
profiler on its CPU, by ``max_memory_allocated`` on CUDA, and by a hook of the memory pool on CuPy.

For small arrays, what burn_array adds is given in floors as well; the floor is the time of one Python function that
makes one object with slots, in the same run.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import time
import timeit
import tracemalloc
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import function_calls as calls
import numpy as np
import overhead

import burn_array as xp

SMALL = 1000
"""Up to this size calls are timed in batches, and their memory is not measured."""
ENOUGH_SECONDS = 0.5
"""After this time a call of a large array is not repeated more often than was asked for."""
NEGLIGIBLE = 2**16
"""Fewer bytes than this count as none."""


@dataclass
class Row:
    """What was measured for one call: seconds, and bytes beyond the operands (``None`` if not measured)."""

    device: str
    name: str
    dtype: str
    size: int
    native: float
    ours: float
    native_bytes: int | None
    our_bytes: int | None
    floors: float | None
    """The time that burn_array adds, in floors; for small sizes only."""
    native_is: str

    @property
    def ratio(self) -> float:
        """Time of burn_array over time of the library."""
        return self.ours / self.native

    @property
    def memory_ratio(self) -> float:
        """Extra memory of burn_array over that of the library: NaN if not measured."""
        if self.native_bytes is None or self.our_bytes is None:
            return math.nan
        return max(self.our_bytes, NEGLIGIBLE) / max(self.native_bytes, NEGLIGIBLE)


# -- memory -----------------------------------------------------------------------------------


def memory_meter(device: xp.Device) -> Callable[[Callable[[], Any]], int] | None:
    """Return a function that calls its argument and returns the peak of the memory that this took, or ``None``."""
    if device.library == "torch":
        return _peak_on_cuda(device) if "cuda" in str(device) else _peak_in_torch
    return {"numpy": _peak_in_numpy, "cupy": _peak_in_cupy}.get(device.library)


def _peak_in_numpy(run: Callable[[], Any]) -> int:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    run()
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return peak


def _peak_in_torch(run: Callable[[], Any]) -> int:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as found:
        run()
    events = [event for event in found.profiler.kineto_results.events() if event.name() == "[memory]"]
    now = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        now += event.nbytes()
        peak = max(peak, now)
    return peak


def _peak_on_cuda(device: xp.Device) -> Callable[[Callable[[], Any]], int]:
    import torch

    at = device.adapter.native_device

    def peak(run: Callable[[], Any]) -> int:
        torch.cuda.synchronize(at)
        torch.cuda.reset_peak_memory_stats(at)
        before = torch.cuda.memory_allocated(at)
        run()
        torch.cuda.synchronize(at)
        return int(torch.cuda.max_memory_allocated(at)) - int(before)

    return peak


def _peak_in_cupy(run: Callable[[], Any]) -> int:
    import cupy

    class Count(cupy.cuda.MemoryHook):  # type: ignore[misc]
        name = "count"
        now = peak = 0

        def malloc_postprocess(self, **about: Any) -> None:
            self.now += about["mem_size"]
            self.peak = max(self.peak, self.now)

        def free_postprocess(self, **about: Any) -> None:
            self.now -= about["mem_size"]

    with Count() as count:
        run()
    return int(count.peak)


# -- time -------------------------------------------------------------------------------------


def alternately(
    timers: Mapping[str, timeit.Timer], rounds: int, wait: Callable[[], None]
) -> dict[str, float]:
    """Time single calls in turn, until the device has done the work; return the shortest time of each, in seconds.

    Calls that take little time are repeated ten times as often, because a disturbance changes them most.
    """
    best = dict.fromkeys(timers, math.inf)
    began = time.perf_counter()
    for number in range(10 * rounds):  # the first round warms up
        if number > rounds and time.perf_counter() - began > ENOUGH_SECONDS:
            break
        for name, one in timers.items():
            wait()
            start = time.perf_counter()
            one.timeit(1)
            wait()
            if number:
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def timer(text: str, names: dict[str, Any]) -> timeit.Timer | None:
    """Return a timer of a call or statement, or ``None`` if the library does not have it."""
    setup = f"global {', '.join(name for name in names if name != 'xp')}"
    made = timeit.Timer(text, setup, globals=names)
    try:
        made.timeit(1)
    except Exception:
        return None
    return made


def measure(
    device: xp.Device, name: str, dtype: str, size: int, sides: Mapping[str, dict[str, Any]], options: Any
) -> Row | None:
    """Measure one call; ``None`` if the library or burn_array does not have it in this dtype."""
    ours = timer(calls.call(name, dtype), sides[overhead.OURS])
    native_is = overhead.NATIVE_NAME
    native = timer(calls.native_call(name, dtype, device.library), sides[native_is])
    if native is None and overhead.COMPAT in sides:
        native_is = overhead.COMPAT
        native = timer(calls.call(name, dtype), sides[native_is])
    if ours is None or native is None:
        return None
    timers = {"native": native, "ours": ours}
    floors = None
    if size <= SMALL:
        times = {key: ns / 1e9 for key, ns in overhead.shortest(timers, 10 * options.rounds).items()}
        floors = (times["ours"] - times["native"]) / options.floor
    else:
        times = alternately(timers, options.rounds, device.synchronize)
    meter = memory_meter(device) if size > SMALL and options.memory else None
    native_bytes, our_bytes = (
        (meter(lambda one=one: one.timeit(1)) if meter else None) for one in (native, ours)
    )
    return Row(
        str(device),
        name,
        dtype,
        size,
        times["native"],
        times["ours"],
        native_bytes,
        our_bytes,
        floors,
        native_is,
    )


# -- what is measured -------------------------------------------------------------------------


def sides_of(device: xp.Device, dtype: str, size: int, matrix: int) -> dict[str, dict[str, Any]]:
    """Return the variables of the calls for the library, for burn_array and for array_api_compat."""
    host = calls.operands(dtype, size, matrix)
    numbers = {"n": size, "r": max(math.isqrt(size), 3), "h": host.pop("h")}
    natives = {name: device.adapter.from_host(array, True) for name, array in host.items()}
    found = {
        overhead.NATIVE_NAME: {"xp": device.adapter.library, **natives, **numbers},
        overhead.OURS: {
            "xp": xp,
            **{name: xp.asarray(native) for name, native in natives.items()},
            **numbers,
        },
    }
    if device.library == "torch":
        import torch

        found[overhead.NATIVE_NAME]["xp"] = torch
    if (compat := overhead.optional(f"array_api_compat.{device.library}")) is not None:
        found[overhead.COMPAT] = {"xp": compat, **natives, **numbers}
    for names in found.values():
        for name in ("a", "i", "w"):  # statements change them
            names[name] = names[name] + 0 if dtype != "bool" or name != "a" else names[name] & names[name]
    return found


def all_rows(device: xp.Device, options: Any) -> Iterator[Row]:
    """Yield the rows of a device, one after the other."""
    wanted = options.only or [*calls.CALLS, *calls.STATEMENTS]
    for size in options.size:
        for dtype in options.dtype:
            known = wanted if dtype == "float64" else calls.CALLS_BY_DTYPE[dtype]
            names = [name for name in known if name in wanted and name not in calls.MATRIX]
            if size > SMALL:
                names = [name for name in names if name not in calls.WITHOUT_ARRAYS]
            yield from rows_of(device, names, dtype, size, 3, options)
    for matrix in options.matrix:
        names = [name for name in calls.MATRIX if name in wanted]
        yield from rows_of(device, names, "float64", matrix, matrix, options)


def rows_of(
    device: xp.Device, names: Sequence[str], dtype: str, size: int, matrix: int, options: Any
) -> Iterator[Row]:
    """Yield the rows of functions of one dtype and size."""
    if not names:
        return
    sides = sides_of(device, dtype, size, matrix)
    for name in names:
        row = measure(device, name, dtype, size, sides, options)
        gc.collect()
        if row is None:
            print(f"not measured: {name} of {dtype} on {device}", file=sys.stderr)
        else:
            yield row


# -- output -----------------------------------------------------------------------------------


def print_rows(rows: Sequence[Row]) -> None:
    """Print one line for each call, the largest ratio first."""
    print(
        f"{'call':<26}{'dtype':>11}{'size':>10}{'native us':>13}{'ratio':>8}{'memory':>9}{'floors':>8}  device"
    )
    for row in rows:
        memory = "" if math.isnan(row.memory_ratio) else f"{row.memory_ratio:.2f}"
        floors = "" if row.floors is None else f"{row.floors:.1f}"
        compared = "" if row.native_is == overhead.NATIVE_NAME else f" (compared with {row.native_is})"
        print(
            f"{row.name:<26}{row.dtype:>11}{row.size:>10}{1e6 * row.native:>13.1f}{row.ratio:>8.2f}"
            f"{memory:>9}{floors:>8}  {row.device}{compared}"
        )


def markdown(rows: Sequence[Row]) -> str:
    """Return a table of the calls, the largest ratio first."""
    lines = ["| call | dtype | size | device | time | memory |", "|---|---|---|---|---|---|"]
    for row in rows:
        memory = "" if math.isnan(row.memory_ratio) else f"{row.memory_ratio:.2f}"
        cells = (f"`{row.name}`", row.dtype, row.size, f"`{row.device}`", f"{row.ratio:.2f}", memory)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--device", action="append", metavar="DEVICE", help="default: numpy")
    parser.add_argument("--size", action="append", type=int, help="numbers of elements; default: 10 and 10^7")
    parser.add_argument("--matrix", action="append", type=int, help="sizes of matrices; default: 16 and 512")
    parser.add_argument(
        "--dtype",
        action="append",
        choices=("float64", *calls.OTHER_DTYPES),
        help="default: all, small arrays too",
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="calls to measure; default: all")
    parser.add_argument(
        "--rounds", type=int, default=7, help="calls of each side; ten times as many if small"
    )
    parser.add_argument("--over", type=float, default=0.0, help="show only what takes more than this ratio")
    parser.add_argument("--no-memory", dest="memory", action="store_false")
    parser.add_argument("--json", type=Path, metavar="PATH")
    parser.add_argument("--markdown", type=Path, metavar="PATH")
    options = parser.parse_args(argv)
    options.device = options.device or ["numpy"]
    options.size = options.size or [10, 10**7]
    options.matrix = options.matrix or [16, 512]
    options.dtype = options.dtype or ["float64", *calls.OTHER_DTYPES]
    return options


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print; write JSON and a table if asked for."""
    options = parse(argv)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    options.floor = overhead.measure_floor(100) / 1e9
    print(
        f"burn_array {xp.__version__}, {overhead.pin()}; the floor is {1e9 * options.floor:.0f} ns in this run"
    )
    rows: list[Row] = []
    for name in options.device:
        device = xp.device(name)
        with xp.default_device(device):
            rows += all_rows(device, options)
    rows.sort(key=lambda row: -row.ratio)
    shown = [row for row in rows if not max(row.ratio, row.memory_ratio) <= options.over]
    print_rows(shown)
    if options.json is not None:
        found = [asdict(row) | {"ratio": row.ratio, "memory_ratio": row.memory_ratio} for row in rows]
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if options.markdown is not None:
        options.markdown.write_text(markdown(shown), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
