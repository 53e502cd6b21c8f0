"""Measure the time that burn_array adds to a call, for every function of the namespace.

Each call is compared with the same call of the library itself, in one process: many short batches of each run in turn,
and the shortest batch of each counts. The floor is the minimum that any layer in Python adds: one Python function that
makes one object with two slots, timed in the same way in the same run.

    python benchmarks/overhead.py [--device torch:cpu] [--only NAME ...] [--json PATH] [--plot PNG]

The addresses of code and data differ between processes, which changes the time of a call on a GPU by 200 ns.
``--processes 5`` measures the hot calls, those that programs make most, in five processes and prints the medians.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import timeit
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import plots
from cases import CALLS, HOT, NATIVE, VIEWS, operands

import burn_array as xp

OUT = Path(__file__).parent / "out"
BATCH_SECONDS = 100e-6
LARGE, LARGE_ROUNDS = 10**7, 15
"""Elements of the large arrays, and the number of batches. Here the clock stops when the work is done, not queued."""
OURS, NATIVE_NAME, STRICT, COMPAT = "burn_array", "native", "array_api_strict", "array_api_compat"


class Slotted:
    """The smallest object that a layer can return: two slots."""

    __slots__ = ("device", "value")

    def __init__(self, value: Any, device: Any) -> None:
        self.value = value
        self.device = device


def floor_call(x1: Any, x2: Any) -> Slotted:
    """Do what every layer has to do: return an object that holds the result."""
    return Slotted(x1, x2)


@dataclass
class Row:
    """The shortest time of one call, in nanoseconds, by contender."""

    name: str
    times: dict[str, float]
    native_is: str = NATIVE_NAME

    @property
    def native(self) -> float:
        """Time of the library itself, in nanoseconds."""
        return self.times.get(NATIVE_NAME, float("nan"))

    def added(self, contender: str = OURS) -> float:
        """Return the nanoseconds that the contender adds to the library's own time."""
        return self.times.get(contender, float("nan")) - self.native

    @property
    def ratio(self) -> float:
        """Time of burn_array over time of the library."""
        return self.times.get(OURS, float("nan")) / self.native


# -- contenders -------------------------------------------------------------------------------


def namespaces(device: xp.Device, scale: int = 1) -> dict[str, dict[str, Any]]:
    """Return for each contender the variables that the source texts of the calls use."""
    host = operands(scale)
    ours = {name: xp.asarray(array, device=device) for name, array in host.items()}
    library = device.adapter.library
    native = {name: device.adapter.from_host(array, True) for name, array in host.items()}
    found = {NATIVE_NAME: {"xp": library, **native}, OURS: {"xp": xp, **ours}}
    if (compat := optional(f"array_api_compat.{device.library}")) is not None:
        found[COMPAT] = {"xp": compat, **native}
    if device.library == "numpy" and (strict := optional("array_api_strict")) is not None:
        found[STRICT] = {"xp": strict, **{name: strict.asarray(array) for name, array in host.items()}}
    for names in found.values():
        names["n"] = host["a"].tolist()[:10]
    return found


def optional(module: str) -> Any:
    """Return a module, or None if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


# -- timing -----------------------------------------------------------------------------------


def timer(source: str, names: Mapping[str, Any]) -> timeit.Timer | None:
    """Return a timer of the call, or None if the contender does not have the call."""
    made = timeit.Timer(source, globals=dict(names))
    try:
        made.timeit(2)
    except Exception:
        return None
    return made


def shortest(
    timers: Mapping[str, timeit.Timer], rounds: int, wait: Callable[[], None] | None = None
) -> dict[str, float]:
    """Run short batches of all timers in turn, and return the shortest time per call of each, in nanoseconds.

    With ``wait``, which waits for the device, the time ends when the work is done, otherwise when it is queued.
    """
    loops = {name: batch_loops(one) for name, one in timers.items()}
    best = dict.fromkeys(timers, float("inf"))
    for _ in range(rounds):
        for name, one in timers.items():
            seconds = one.timeit(loops[name])
            if wait is not None:
                start = time.perf_counter()
                wait()
                seconds += time.perf_counter() - start
            best[name] = min(best[name], seconds / loops[name])
    return {name: seconds * 1e9 for name, seconds in best.items()}


def batch_loops(one: timeit.Timer) -> int:
    """Return the number of calls in one short batch."""
    once = min(one.timeit(3) / 3 for _ in range(3))
    return max(1, min(1000, int(BATCH_SECONDS / once)))


def measure(
    name: str,
    source: str,
    contenders: dict[str, dict[str, Any]],
    library: str,
    rounds: int,
    wait: Callable[[], None] | None = None,
) -> Row:
    """Time one call for every contender that has it."""
    timers: dict[str, timeit.Timer] = {}
    for contender, names in contenders.items():
        text = NATIVE.get(library, {}).get(name, source) if contender == NATIVE_NAME else source
        if (made := timer(text, names)) is not None:
            timers[contender] = made
    native_is = NATIVE_NAME
    if NATIVE_NAME not in timers and COMPAT in timers:
        timers[NATIVE_NAME], native_is = timers[COMPAT], COMPAT
    return Row(name, shortest(timers, rounds, wait), native_is)


def measure_floor(rounds: int) -> float:
    """Return the minimum that a layer in Python adds, in nanoseconds."""
    names = {"floor_call": floor_call, "a": 1.5, "b": None}
    timers = {"call": timeit.Timer("floor_call(a, b)", globals=names), "nothing": timeit.Timer("pass")}
    times = shortest(timers, rounds)
    return times["call"] - times["nothing"]


def pin() -> str:
    """Bind this process to one core if the system can, and return a text that says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned"
    if (torch := sys.modules.get("torch")) is not None:
        torch.set_num_threads(1)
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


# -- output -----------------------------------------------------------------------------------


def print_rows(title: str, rows: Sequence[Row], peers: Sequence[str]) -> None:
    """Print one line for each call."""
    head = f"{title:<28}{'native':>9}{OURS:>12}{'added':>8}{'ratio':>8}"
    print(f"\n{head}" + "".join(f"{'+' + p:>19}" for p in peers))
    for row in rows:
        mark = "" if row.native_is == NATIVE_NAME else f"  (native: {row.native_is})"
        numbers = f"{row.native:>9.0f}{row.times.get(OURS, float('nan')):>12.0f}{row.added():>8.0f}{row.ratio:>8.2f}"
        print(f"{row.name:<28}{numbers}" + "".join(f"{row.added(p):>19.0f}" for p in peers) + mark)


def print_large(rows: Sequence[Row]) -> None:
    """Print the ratio for large arrays."""
    print(f"\n{'on 10^7 elements':<28}{'native us':>12}{'ratio':>8}")
    for row in rows:
        print(f"{row.name:<28}{row.native / 1e3:>12.1f}{row.ratio:>8.3f}")


def as_json(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the rows in the form that ``--json`` writes."""
    return {row.name: {**row.times, "added": row.added(), "native_is": row.native_is} for row in rows}


def draw(
    device: str, hot: Sequence[Row], rows: Sequence[Row], peers: Sequence[str], floor: float, path: Path
) -> None:
    """Draw the hot calls as bars, with those of the peers, and the added time of every function as sorted dots."""
    plt = plots.pyplot()
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(13, 5.4), layout="constrained", width_ratios=[1.15, 1]
    )
    draw_hot(left, hot, peers)
    draw_all(right, rows)
    for axes in (left, right):
        finish(axes, floor)
    figure.suptitle(
        f"Time added to a call on ten elements, {device}", x=0.01, ha="left", weight="bold", size=13
    )
    plots.plain((left, right))
    plots.save(figure, path, dpi=130)


COLOURS = {OURS: "#e8743b", COMPAT: "#4c78d8", STRICT: "#9aa1ad"}
SMALLEST = 10.0


def draw_hot(axes: Any, hot: Sequence[Row], peers: Sequence[str]) -> None:
    """Draw one group of bars for each hot call."""
    contenders = [OURS, *peers]
    height = 0.8 / len(contenders)
    for number, contender in enumerate(contenders):
        places = [row + number * height for row in range(len(hot))]
        values = [max(row.added(contender), SMALLEST) for row in hot]
        axes.barh(places, values, height, label=contender, color=COLOURS[contender])
        for place, value in zip(places, values, strict=True):
            text = f"{value:.0f}" if value > SMALLEST else f"below {SMALLEST:.0f}"
            if np.isfinite(value):
                axes.text(value * 1.06, place, text, va="center", size=7.5, color="#444")
    middle = (len(contenders) - 1) * height / 2
    axes.set_yticks([row + middle for row in range(len(hot))], [row.name for row in hot])
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(contenders), fontsize=9)


def draw_all(axes: Any, rows: Sequence[Row]) -> None:
    """Draw the added time of every function, sorted, and name the largest."""
    measured = sorted((row for row in rows if np.isfinite(row.added())), key=Row.added)
    values = [max(row.added(), SMALLEST) for row in measured]
    axes.scatter(values, range(len(values)), s=9, color=COLOURS[OURS])
    largest = "\n".join(f"{row.name}  {row.added():.0f}" for row in reversed(measured[-8:]))
    axes.text(
        0.99, 0.03, f"most added:\n{largest}", transform=axes.transAxes, ha="right", size=8, color="#444"
    )
    middle = statistics.median(values)
    axes.axvline(middle, color="#888", lw=0.8, ls=":")
    axes.text(middle * 1.05, len(values) * 0.97, f"median {middle:.0f}", size=8, color="#666", ha="left")
    axes.set_yticks([])
    axes.set_ylabel(f"all {len(values)} functions, by added time")


def finish(axes: Any, floor: float) -> None:
    """Draw the floor, and label the axis."""
    axes.set_xscale("log")
    axes.set_xlim(left=SMALLEST * 0.8)
    axes.axvline(floor, color="#2fa36b", lw=1.2, zorder=0)
    where = axes.get_xaxis_transform()
    axes.text(
        floor * 0.95,
        0.985,
        f"floor {floor:.0f}",
        transform=where,
        color="#2fa36b",
        size=8,
        ha="right",
        va="top",
    )
    axes.set_xlabel("added nanoseconds per call, logarithmic")


# -- the program ------------------------------------------------------------------------------


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--device", default="numpy")
    parser.add_argument(
        "--rounds", type=int, default=60, help="batches of each call; five times as many for hot calls"
    )
    parser.add_argument("--only", action="append", metavar="NAME", help="functions to measure; default: all")
    parser.add_argument("--json", type=Path, metavar="PATH")
    parser.add_argument(
        "--plot", type=Path, metavar="PNG", help="default: benchmarks/out/overhead-DEVICE.png"
    )
    parser.add_argument("--no-plot", action="store_true")
    parser.add_argument(
        "--processes", type=int, default=1, help="number of processes that measure the hot calls"
    )
    return parser.parse_args(argv)


def in_processes(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run several processes, and return what each of them measured."""
    command = [sys.executable, __file__, "--no-plot", "--only", "add", "--device", options.device]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "found.json"
        for _ in range(options.processes):
            subprocess.run(
                [*command, "--rounds", str(options.rounds), "--json", str(path)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            found.append(json.loads(path.read_text(encoding="utf-8")))
    return found


def print_medians(found: Sequence[Mapping[str, Any]]) -> None:
    """Print the medians of several processes, with the smallest and the largest added time."""
    floors = [one["floor"] for one in found]
    print(
        f"{found[0]['device']} ({found[0]['versions']}), Python {platform.python_version()}, ns on ten elements:"
    )
    print(f"medians of {len(found)} processes, whose floors are {min(floors):.0f} to {max(floors):.0f}\n")
    print(f"{'hot calls':<18}{'native':>9}{'added':>8}{'least':>8}{'most':>8}{'ratio on 10^7':>16}")
    for name in found[0]["hot"]:
        added = [one["hot"][name]["added"] for one in found]
        native = statistics.median(one["hot"][name][NATIVE_NAME] for one in found)
        large = [one["large"][name] for one in found if name in one["large"]]
        ratio = f"{statistics.median(row[OURS] / row[NATIVE_NAME] for row in large):16.3f}" if large else ""
        print(
            f"{name:<18}{native:>9.0f}{statistics.median(added):>8.0f}{min(added):>8.0f}{max(added):>8.0f}{ratio}"
        )


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print; write JSON and the picture if asked for."""
    options = parse(argv)
    if options.processes > 1:
        return print_medians(in_processes(options))
    warnings.simplefilter("ignore")
    device = xp.device(options.device)
    versions = ", ".join(f"{name} {version}" for name, version in device.adapter.versions().items())
    print(
        f"burn_array {xp.__version__} on {device} ({versions}), Python {platform.python_version()}, {pin()}"
    )
    with xp.default_device(device):
        contenders, large = namespaces(device), namespaces(device, LARGE // 10)
        floor = measure_floor(5 * options.rounds)
        hot = [
            measure(name, text, contenders, device.library, 5 * options.rounds) for name, text in HOT.items()
        ]
        keep = {name: large[name] for name in (NATIVE_NAME, OURS)}
        big = [
            measure(name, text, keep, device.library, LARGE_ROUNDS, device.synchronize)
            for name, text in HOT.items()
            if name not in VIEWS
        ]
        names = options.only or CALLS
        rows = [measure(name, CALLS[name], contenders, device.library, options.rounds) for name in names]
    peers = [name for name in (COMPAT, STRICT) if name in contenders]
    print(
        f"The floor (one Python function, one object with two slots) is {floor:.0f} ns in this run. Times in ns."
    )
    print_rows("hot calls", hot, peers)
    print_large(big)
    print_rows("every function", rows, peers)
    added = [row.added() for row in rows if np.isfinite(row.added())]
    if failed := [row.name for row in rows if OURS not in row.times]:
        print(f"\nnot available on {device}: {', '.join(failed)}")
    print(f"\nmedian added over {len(added)} functions: {statistics.median(added):.0f} ns")
    if options.json is not None:
        found = {"device": str(device), "versions": versions, "floor": floor}
        found |= {"hot": as_json(hot), "large": as_json(big), "functions": as_json(rows)}
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    if not options.no_plot:
        path = options.plot or OUT / f"overhead-{str(device).replace(':', '-')}.png"
        draw(str(device), hot, rows, peers, floor, path)


if __name__ == "__main__":
    sys.exit(main())
