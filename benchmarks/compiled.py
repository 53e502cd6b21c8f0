"""Compare the interpreted and the compiled core: frequent calls, gradients, memory, instructions.

Each form of the package runs in processes of its own, in turn with the other form, and the shortest time of each call
counts. Without ``--compiled`` the package is compiled into a temporary folder first.

    python benchmarks/compiled.py [--device numpy torch:cpu] [--compiled DIR] [--callgrind] [--plot PNG]
"""

from __future__ import annotations

import argparse
import gc
import importlib
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import timeit
import tracemalloc
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import overhead
import plots
from cases import HOT
from overhead import NATIVE_NAME, OURS, Row

import burn_array as xp
from burn_array._command import cli as _cli
from burn_array._core.records import find_table

ROOT = Path(__file__).resolve().parent.parent
FORMS = INTERPRETED, COMPILED = "interpreted", "compiled"
ADAPTER = "adapter"
MIXED = "mixed a + u"
CALLS = HOT | {MIXED: "a + u"}
"""The hot calls, and a call with a committed array ``a`` and an uncommitted array ``u``."""
ADAPTER_CALLS = {
    "xp.add": "d['add'](a, b)",
    "a + b": "d['add'](a, b)",
    "a + 1.0": "f['add'](a, 1.0)",
    "xp.sin": "d['sin'](a)",
    "xp.sum(axis=0)": "f['sum'](a, axis=0, dtype=None, keepdims=False)",
    "x[2:5]": "f['getitem'](a, k)",
    "xp.reshape": "f['reshape'](a, (2, -1))",
    "xp.where": "d['where'](p, a, b)",
    "xp.concat": "d['concat']((a, b))",
    MIXED: "d['add'](a, u)",
}
"""The adapter's part of each call: ``d`` holds functions for operands of one dtype, ``f`` those for any dtypes."""
COUNTED = ("xp.add", "a + b", "a + 1.0", "xp.sin", "x[2:5]")
"""The calls whose instructions are counted."""
PROFILED = "a + b"
GOALS = {INTERPRETED: 400.0, COMPILED: 100.0}
GOAL_MIXED = 200.0
GOAL_TORCH = 60.0
"""Added to the goals on PyTorch, because its adapter repairs type promotion."""
MANY = 10_000

Times = dict[str, dict[str, float]]


# -- in a process of its own ------------------------------------------------------------------


def contenders(device: xp.Device) -> dict[str, dict[str, Any]]:
    """Return for each contender the variables that the source texts of the calls use."""
    found = {
        name: names for name, names in overhead.namespaces(device).items() if name in (NATIVE_NAME, OURS)
    }
    ours = found[OURS]
    ours["u"] = xp.asarray(overhead.operands()["b"])
    assert ours["a"].device == ours["u"].device
    assert ours["a"]._device is not ours["u"]._device
    find_table(ours["a"])
    asked = {
        name: device.function(name) for name in ("add", "sin", "sum", "getitem", "reshape", "where", "concat")
    }
    for name in (NATIVE_NAME, ADAPTER):
        found[name] = {
            **found[NATIVE_NAME],
            "u": found[NATIVE_NAME]["b"],
            "f": asked,
            "d": {**asked, **ours["a"]._direct},
            "k": slice(2, 5),
        }
    return found


def measure_calls(name: str, rounds: int) -> dict[str, Any]:
    """Return the shortest times of the hot calls on a device, and the floor, in nanoseconds."""
    device = xp.device(name)
    times: Times = {}
    with xp.default_device(device):
        everyone = contenders(device)
        adapter = everyone.pop(ADAPTER)
        for call, text in CALLS.items():
            row = overhead.measure(call, text, everyone, device.library, rounds)
            alone = overhead.timer(ADAPTER_CALLS[call], adapter)
            assert alone is not None
            times[call] = row.times | overhead.shortest({ADAPTER: alone}, rounds)
    return {"calls": times, "floor": overhead.measure_floor(rounds)}


def measure_gradients(devices: Sequence[str], rounds: int) -> dict[str, float]:
    """Return the shortest times of the two programs of ``autodiff.py``, in microseconds."""
    autodiff = importlib.import_module("autodiff")  # benchmarks/autodiff.py
    found = [one for device in devices for one in autodiff.ours(device)]
    found += autodiff.by_hand() + autodiff.torch_alone()
    gc.disable()
    for _ in range(rounds):
        for one in found:
            one.measure()
    gc.enable()
    return {f"{one.program}, {one.device}, {one.label}": one.seconds * 1e6 for one in found}


def measure_memory() -> dict[str, float]:
    """Return the bytes of one array, and of one recorded call, NumPy's own arrays included."""
    native = overhead.operands()["a"]
    plain = xp.asarray(native, device="numpy")
    x = xp.asarray(native, device="numpy+autodiff").require_grad()

    def recorded(step: Callable[[Any], Any]) -> Any:
        y = step(x)  # fills the caches before anything is counted
        return lambda: repeated(step, y)

    def repeated(step: Callable[[Any], Any], y: Any) -> Any:
        for _ in range(MANY):
            y = step(y)
        return y

    at = plain.device
    listed = kept(lambda: [None for _ in range(MANY)])
    return {
        "an array": kept(lambda: [xp.Array(native, at) for _ in range(MANY)]) - listed,
        "NumPy's array beneath": kept(lambda: [native.copy() for _ in range(MANY)]) - listed,
        "recorded y + 1.0": kept(recorded(lambda y: y + 1.0)),
        "recorded xp.sin(y), which keeps y": kept(recorded(xp.sin)),
        "recorded y * x, which keeps y": kept(recorded(lambda y: y * x)),
    }


def kept(make: Callable[[], Any]) -> float:
    """Return the bytes that each of ``MANY`` steps leaves in memory."""
    gc.collect()
    tracemalloc.start()
    made = make()
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del made
    return held / MANY


def loop(call: str, contender: str, times: int) -> None:
    """Make one call many times, while valgrind counts. It imports as little as possible: valgrind is slow."""
    names: dict[str, Any] = {"xp": np, **overhead.operands()}
    if contender == OURS:
        names = {"xp": xp} | {key: xp.asarray(names[key], device="numpy") for key in "ab"}
    timeit.Timer(CALLS[call], globals=names).timeit(times)


def core() -> str:
    """Return the form of the package that this process runs."""
    found: str = _cli.facts()["core"]
    return found


PARTS: dict[str, Callable[..., Any]] = {
    "core": core,
    "calls": measure_calls,
    "gradients": measure_gradients,
    "memory": measure_memory,
    "loop": loop,
}


def child(part: str, arguments: Sequence[Any]) -> None:
    """Measure one part in this process, and print the result as JSON."""
    warnings.simplefilter("ignore")
    overhead.pin()
    print(json.dumps(PARTS[part](*arguments)))


# -- the processes ----------------------------------------------------------------------------


def build(folder: Path) -> Path:
    """Compile the package into a folder."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--upgrade",
        "--target",
        str(folder),
    ]
    if importlib.util.find_spec("Cython") is not None:
        command.append("--no-build-isolation")
    subprocess.run([*command, str(ROOT)], check=True, env={**os.environ, "BURN_ARRAY_COMPILE": "1"})
    return folder


def run(
    folder: Path, part: str, *arguments: Any, before: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    """Start a process that measures one part with the package in ``folder``."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    command = [*before, sys.executable, __file__, "--part", part, json.dumps(arguments)]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True)


def measured(folder: Path, part: str, *arguments: Any) -> Any:
    """Return the result of one part, measured with the package in ``folder``."""
    return json.loads(run(folder, part, *arguments).stdout)


def least(found: Any, more: Any) -> Any:
    """Return the smaller number of each pair, for two results of the same form."""
    if isinstance(found, dict):
        return {key: least(found[key], more[key]) for key in found}
    return min(found, more)


def in_turn(folders: Mapping[str, Path], turns: int, part: str, *arguments: Any) -> dict[str, Any]:
    """Measure one part for both forms in turn, several times, and keep the smallest numbers."""
    found: dict[str, Any] = {}
    for _ in range(turns):
        for form, folder in folders.items():
            more = measured(folder, part, *arguments)
            found[form] = least(found[form], more) if form in found else more
    return found


def callgrind(folder: Path, call: str, contender: str, times: int, out: Path) -> Path:
    """Start a process that makes one call many times under valgrind, and return the file with the counts."""
    tool = ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={out / str(times)}"]
    run(folder, "loop", call, contender, times, before=tool)
    return out / str(times)


def all_of(counted: Path) -> dict[str, int]:
    """Return the number of instructions of a whole process, under the name ``""``."""
    return {"": int(re.findall(r"^(?:summary|totals): (\d+)", counted.read_text(), flags=re.MULTILINE)[-1])}


def by_function(counted: Path) -> dict[str, int]:
    """Return the number of instructions of a process, by function."""
    command = ["callgrind_annotate", "--threshold=100", str(counted)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, int] = {}
    for number, function in re.findall(r"^ *([\d,]+) \([ \d.]+%\) +\S*?:(\S+)", text, flags=re.MULTILINE):
        name = function.removesuffix("'2")
        found[name] = found.get(name, 0) + int(number.replace(",", ""))
    return found


def instructions(
    folder: Path, call: str, contender: str, read: Callable[[Path], dict[str, int]], times: int = 20_000
) -> dict[str, float]:
    """Return the instructions of one call: those of twice as many calls minus those of ``times`` calls, divided."""
    with tempfile.TemporaryDirectory() as out:
        files = [callgrind(folder, call, contender, n, Path(out)) for n in (times, 2 * times)]
        once, twice = map(read, files)
    return {name: (number - once.get(name, 0)) / times for name, number in twice.items()}


# -- output -----------------------------------------------------------------------------------


def as_rows(found: Mapping[str, Any]) -> list[Row]:
    """Return one row for each call, in which each form is a contender."""
    rows = []
    for call in CALLS:
        times = {form: found[form]["calls"][call][OURS] for form in FORMS}
        for name in (NATIVE_NAME, ADAPTER):
            times[name] = min(found[form]["calls"][call][name] for form in FORMS)
        # Each form is compared with the library in its own processes: their pages and caches differ.
        for form in FORMS:
            times[form] += times[NATIVE_NAME] - found[form]["calls"][call][NATIVE_NAME]
        rows.append(Row(call, times))
    return rows


def goal(device: str, call: str) -> float:
    """Return the goal of the compiled form: the nanoseconds that it may add."""
    return (GOAL_MIXED if call == MIXED else GOALS[COMPILED]) + (
        GOAL_TORCH if device.startswith("torch") else 0
    )


def floor_of(found: Mapping[str, Any]) -> float:
    """Return the floor of both forms, in nanoseconds."""
    return min(float(found[form]["floor"]) for form in FORMS)


def print_calls(device: str, found: Mapping[str, Any]) -> None:
    """Print one line for each call."""
    print(f"\n{device}: added ns, beside a floor of {floor_of(found):.0f}")
    print(f"{'call':<18}{'native':>8}{'adapter':>9}{INTERPRETED:>13}{COMPILED:>10}{'goal':>6}")
    for row in as_rows(found):
        limit = goal(device, row.name)
        mark = "" if row.added(COMPILED) <= limit else "  missed"
        print(
            f"{row.name:<18}{row.native:>8.0f}{row.added(ADAPTER):>9.0f}{row.added(INTERPRETED):>13.0f}"
            f"{row.added(COMPILED):>10.0f}{limit:>6.0f}{mark}"
        )


def print_pairs(title: str, found: Mapping[str, Mapping[str, float]], form: str) -> None:
    """Print one line for each name, with a column for each form."""
    print(f"\n{title:<38}" + "".join(f"{one:>13}" for one in found))
    for name in next(iter(found.values())):
        print(f"{name:<38}" + "".join(f"{values[name]:>13{form}}" for values in found.values()))


def draw(found: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    """Draw a pair of bars for each call, in one panel for each device."""
    plt = plots.pyplot()
    colours = {INTERPRETED: "#9aa1ad", COMPILED: "#e8743b"}
    figure, panels = plt.subplots(
        1, len(found), figsize=(6.2 * len(found), 4.4), layout="constrained", sharey=True, squeeze=False
    )
    for axes, (device, one) in zip(panels[0], found.items(), strict=True):
        rows = as_rows(one)
        for number, form in enumerate(FORMS):
            places = [place + 0.4 * number for place in range(len(rows))]
            values = [row.added(form) for row in rows]
            bars = axes.barh(
                places, [max(value, 0) for value in values], 0.4, label=form, color=colours[form]
            )
            texts = [f"{value:.0f}" for value in values]
            for text in axes.bar_label(bars, texts, padding=2, size=7.5, color="#444", zorder=4):
                text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})
        ticks = [place + 0.2 for place in range(len(rows))]
        axes.set_yticks(ticks, [row.name for row in rows])
        limits = [goal(device, row.name) for row in rows]
        axes.scatter(limits, ticks, marker="|", s=180, color="#333", lw=1, label="goal, compiled", zorder=3)
        axes.axvline(floor_of(one), color="#2fa36b", lw=1.2, label="floor: one call of a Python function")
        axes.set_title(f"{device}: ns added to a call on ten elements", loc="left", size=10, weight="bold")
        axes.tick_params(axis="y", length=0)
    panels[0][0].invert_yaxis()
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, fontsize=8, loc="outside lower center", ncols=len(labels))
    plots.plain(panels[0])
    print()
    plots.save(figure, path, dpi=110)


# -- the program ------------------------------------------------------------------------------


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--device", nargs="+", default=["numpy", "torch:cpu"])
    parser.add_argument("--compiled", type=Path, metavar="DIR", help="folder with the compiled package")
    parser.add_argument("--rounds", type=int, default=1000, help="batches of each call in each process")
    parser.add_argument("--turns", type=int, default=3, help="number of processes of each form")
    parser.add_argument(
        "--callgrind", action="store_true", help="count instructions; needs valgrind, and minutes"
    )
    parser.add_argument("--calls-only", action="store_true", help="leave out gradients and memory")
    parser.add_argument("--json", type=Path, metavar="PATH")
    parser.add_argument("--plot", type=Path, metavar="PNG", default=overhead.OUT / "compiled.png")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print; write the files that were asked for."""
    options = parse(argv)
    with tempfile.TemporaryDirectory() as temporary:
        measure_all(options, options.compiled or build(Path(temporary)))


def measure_all(options: argparse.Namespace, compiled: Path) -> None:
    """Measure the package of this checkout, interpreted, and the package in ``compiled``."""
    folders = {INTERPRETED: ROOT, COMPILED: compiled.resolve()}
    for form, folder in folders.items():
        if (core := measured(folder, "core")) != form:
            raise SystemExit(f"the package in {folder} is {core}, not {form}")
    print(f"burn_array {xp.__version__}, Python {platform.python_version()}, each process on one core")
    found: dict[str, Any] = {"calls": {}}
    for device in options.device:
        found["calls"][device] = in_turn(folders, options.turns, "calls", device, options.rounds)
        print_calls(device, found["calls"][device])
    if not options.calls_only:
        found["gradients"] = in_turn(folders, options.turns, "gradients", options.device, options.rounds // 5)
        print_pairs("gradients, us", found["gradients"], ".1f")
        found["memory"] = in_turn(folders, 1, "memory")
        print_pairs("bytes, of 10 elements", found["memory"], ".0f")
    if options.callgrind:
        found["instructions"] = count(folders)
        print_pairs("instructions of one call", found["instructions"], ".0f")
        found["profile"] = {COMPILED: profile(folders[COMPILED])}
        print_pairs(f"of those added to {PROFILED}", found["profile"], ".0f")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    draw(found["calls"], options.plot)


def count(folders: Mapping[str, Path]) -> dict[str, dict[str, float]]:
    """Return the instructions of some calls on NumPy arrays, for NumPy itself and both forms."""
    everyone = {NATIVE_NAME: (folders[INTERPRETED], NATIVE_NAME)}
    everyone |= {form: (folder, OURS) for form, folder in folders.items()}
    return {
        name: {call: instructions(folder, call, contender, all_of)[""] for call in COUNTED}
        for name, (folder, contender) in everyone.items()
    }


def profile(compiled: Path) -> dict[str, float]:
    """Return the instructions that burn_array adds to one call, by function."""
    native = instructions(compiled, PROFILED, NATIVE_NAME, by_function)
    ours = instructions(compiled, PROFILED, OURS, by_function)
    added = {name: number - native.get(name, 0.0) for name, number in ours.items()}
    return dict(sorted(added.items(), key=lambda one: one[1], reverse=True)[:25])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--part"]:
        child(sys.argv[2], json.loads(sys.argv[3]))
    else:
        main()
