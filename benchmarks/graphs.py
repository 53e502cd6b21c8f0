"""Compare replays of graphs with calls of burn_array and with handwritten programs of the library.

All contenders take turns in one process, and the shortest time of each counts. Times are of the processor, on one
thread. Run it on a build with compiled modules; ``burn-array info`` says which it is.

    python benchmarks/graphs.py [--device numpy torch:cpu] [--rounds N] [--anchors] [--check]
"""

from __future__ import annotations

import argparse
import json
import os
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import burn_array as xp
from burn_array._command.cli import facts

HANDWRITTEN, EAGER, REPLAY = "handwritten", "eager", "replay"
Program = Callable[..., Any]


# -- programs -----------------------------------------------------------------------------------


def chain(m: Any, x: Any) -> Any:
    """Return what a chain of 41 calls gives."""
    for _ in range(10):
        x = m.sin(x) * 1.01 + 0.5
        x = x * x
    return x - 1.0


def layers(m: Any, x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Return a model of seven calls and five inputs."""
    h = m.tanh(x @ w1 + b1)
    return m.tanh(h @ w2 + b2) * 0.5


PROGRAMS: dict[str, tuple[Program, list[tuple[int, ...]]]] = {
    "41 steps of (8, 4)": (chain, [(8, 4)]),
    "41 steps of (1000, 4)": (chain, [(1000, 4)]),
    "41 steps of (100000, 4)": (chain, [(100_000, 4)]),
    "7 steps, 5 inputs, 8 rows": (layers, [(8, 4), (4, 4), (4,), (4, 3), (3,)]),
    "1 step of (8, 4)": (lambda m, x: m.sin(x), [(8, 4)]),
}
GOALS: dict[tuple[str, str], tuple[float, float]] = {
    ("41 steps of (8, 4)", "numpy"): (1.00, 1.30),
    ("41 steps of (8, 4)", "torch:cpu"): (0.97, 1.30),
    ("41 steps of (1000, 4)", "numpy"): (1.02, 1.10),
    ("41 steps of (100000, 4)", "numpy"): (1.00, 1.00),
    ("41 steps of (100000, 4)", "torch:cpu"): (0.85, 0.85),
    ("7 steps, 5 inputs, 8 rows", "numpy"): (1.00, 9.0),
    ("7 steps, 5 inputs, 8 rows", "torch:cpu"): (1.00, 9.0),
}
"""The most that a replay may take, relative to eager calls and to the handwritten program."""


def contenders(
    program: Program, shapes: Sequence[tuple[int, ...]], device: str
) -> dict[str, Callable[[], Any]]:
    """Return the same program in three forms, ready to be called."""
    numbers = np.random.default_rng(0)
    hosts = [numbers.uniform(0.1, 0.9, shape) for shape in shapes]
    arrays = [xp.asarray(one, device=device) for one in hosts]
    natives = [one.native for one in arrays]
    run = xp.trace(lambda *xs: program(xp, *xs), *arrays).on(device)
    library = np if device == "numpy" else __import__("torch")
    return {
        HANDWRITTEN: lambda: program(library, *natives),
        EAGER: lambda: program(xp, *arrays),
        REPLAY: lambda: run(*arrays),
    }


def best_times(calls: dict[str, Callable[[], Any]], rounds: int, least: float = 2e-3) -> dict[str, float]:
    """Return the shortest processor time of each call in microseconds; the calls take turns."""
    counts = {}
    for name, call in calls.items():
        start = time.perf_counter()
        call()
        counts[name] = max(1, int(least / max(time.perf_counter() - start, 1e-7)))
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            count = counts[name]
            start = time.thread_time()
            for _ in range(count):
                call()
            best[name] = min(best[name], (time.thread_time() - start) / count)
    return {name: 1e6 * value for name, value in best.items()}


# -- other numbers ------------------------------------------------------------------------------


def recording_and_planning() -> dict[str, float]:
    """Return microseconds for each step that is recorded, and for each that is planned."""
    spec = xp.spec((8, 4))
    found = {"recording": float("inf"), "planning": float("inf")}
    for _ in range(30):
        start = time.thread_time()
        graph = xp.trace(lambda x: chain(xp, x), spec)
        found["recording"] = min(found["recording"], (time.thread_time() - start) / len(graph.steps))
        start = time.thread_time()
        graph.on("numpy")
        found["planning"] = min(found["planning"], (time.thread_time() - start) / len(graph.steps))
    return {name: 1e6 * value for name, value in found.items()}


def peak() -> float:
    """Return the peak memory of a chain of 40 large steps, in arrays of one input."""
    x = xp.asarray(np.linspace(0.1, 0.9, 400_000), device="numpy")
    run = xp.trace(lambda y: chain(xp, y), x).on("numpy")
    run(x)
    tracemalloc.start()
    run(x)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most / x.nbytes


def ten_times(m: Any, x: Any) -> Any:
    """Return ten times ``sin(x) * 1.01 + 0.5``."""
    for _ in range(10):
        x = m.sin(x) * 1.01 + 0.5
    return x


def anchors(rounds: int) -> dict[str, float]:
    """Return milliseconds of ten steps on 10^6 numbers: called, replayed, and compiled by the libraries."""
    import torch

    torch.set_num_threads(1)
    host = np.random.default_rng(0).normal(size=10**6)
    calls: dict[str, Callable[[], Any]] = {"NumPy": lambda: ten_times(np, host)}
    tensor = torch.from_numpy(host)
    calls["torch"] = lambda: ten_times(torch, tensor)
    for device in ("numpy", "torch:cpu"):
        calls |= _forms(xp.asarray(host, device=device), device)
    return {name: value / 1e3 for name, value in best_times(calls, rounds).items()}


def _forms(x: Any, device: str) -> dict[str, Callable[[], Any]]:
    """Return the calls of burn_array on a device, a replay, and a compiled program where there is one."""
    graph = xp.trace(lambda y: ten_times(xp, y), x)
    run = graph.on(device)
    found: dict[str, Callable[[], Any]] = {
        f"{device} called": lambda: ten_times(xp, x),
        f"{device} replayed": lambda: run(x),
    }
    compiled = graph.on(device, compiled=True)
    if compiled.is_compiled:
        found[f"{device} compiled"] = lambda: compiled(x)
    return found


# -- report -------------------------------------------------------------------------------------


def main() -> int:
    """Measure, print, and return 1 if ``--check`` finds a goal missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", nargs="+", default=["numpy", "torch:cpu"])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--anchors", action="store_true", help="also ten steps on 10^6 numbers")
    parser.add_argument("--check", action="store_true", help="fail if a goal is missed")
    options = parser.parse_args()
    if "torch:cpu" in options.device:
        __import__("torch").set_num_threads(1)
    print(f"core: {facts()['core']}")
    missed = []
    print(f"{'program':<28}{'device':<12}{'native':>9}{'eager':>9}{'replay':>9}{'/eager':>8}{'/native':>8}")
    for title, (program, shapes) in PROGRAMS.items():
        for device in options.device:
            found = best_times(contenders(program, shapes, device), options.rounds)
            native, eager, replay = (found[name] for name in (HANDWRITTEN, EAGER, REPLAY))
            ratios = replay / eager, replay / native
            times = f"{native:>9.1f}{eager:>9.1f}{replay:>9.1f}"
            print(f"{title:<28}{device:<12}{times}{ratios[0]:>8.2f}{ratios[1]:>8.2f}", flush=True)
            goals = GOALS.get((title, device))
            if goals is not None and any(a > b for a, b in zip(ratios, goals, strict=True)):
                missed.append((title, device, ratios, goals))
    print(json.dumps({**recording_and_planning(), "peak in arrays": peak()}))
    if options.anchors:
        for name, value in anchors(max(5, options.rounds // 4)).items():
            print(f"{name:<28}{value:>9.1f} ms")
    for one in missed:
        print("missed:", *one)
    return int(options.check and bool(missed))


if __name__ == "__main__":
    raise SystemExit(main())
