"""Measure how much memory balanced checkpointing saves in six programs, and how much time it costs.

    python benchmarks/checkpointing.py [--device numpy torch:cpu] [--rounds N] [--plot PNG]

Bytes are counted by ``tracemalloc`` on NumPy, and by ``max_memory_allocated`` on CUDA. PyTorch does not report its
bytes on the host: there the storages of all tensors that the garbage collector finds after the forward pass are added
up, and the peak is left out. The unit is one activation of 256 x 512 float64.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import thread_time
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402
import plots  # noqa: E402

import burn_array as xp  # noqa: E402

OUT = Path(__file__).parent / "out" / "checkpointing.png"
ROWS, COLUMNS, LAYERS = 256, 512, 12
UNIT = ROWS * COLUMNS * 8
GOALS = {"gelu network": 0.5, "residual network": 0.5, "200 steps": 0.2, "tanh network": 1.05}
"""Goals: peak memory with checkpointing over peak memory without. The goal for the time is 1.4."""

Program = Callable[[Any, list[Any], list[Any]], Any]


def gelu(x: Any) -> Any:
    """Return the GELU of ``x`` in its tanh form (Hendrycks and Gimpel, 2016)."""
    return 0.5 * x * (1.0 + xp.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


def normalised(x: Any) -> Any:
    """Return ``x`` with each row scaled to mean 0 and variance 1."""
    centred = x - xp.mean(x, axis=-1, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


def tanh_network(x: Any, weights: list[Any], biases: list[Any]) -> Any:
    """Return the sum of a network whose layers save one array each."""
    for w, b in zip(weights, biases, strict=True):
        x = xp.tanh(x @ w + b)
    return xp.sum(x)


def gelu_network(x: Any, weights: list[Any], biases: list[Any]) -> Any:
    """Return the sum of a network with eight cheap calls in each layer."""
    for w, b in zip(weights, biases, strict=True):
        x = gelu(x @ w + b)
    return xp.sum(x)


def residual_network(x: Any, weights: list[Any], biases: list[Any]) -> Any:
    """Return the sum of a network that adds each layer to its input."""
    for w, b in zip(weights, biases, strict=True):
        x = x + gelu(normalised(x) @ w + b)
    return xp.sum(x)


def products(x: Any, weights: list[Any], biases: list[Any]) -> Any:
    """Return a sum of matrix products: checkpointing cannot save anything here."""
    total = x @ weights[0]
    for w in weights[1:]:
        total = total + x @ w
    return xp.sum(total)


def steps(x: Any, weights: list[Any], biases: list[Any]) -> Any:
    """Return 200 element-wise calls in a row."""
    for _ in range(100):
        x = xp.cos(xp.sin(x))
    return xp.sum(x)


def steps_with_constant(x: Any, weights: list[Any], biases: list[Any]) -> Any:
    """Return 200 element-wise calls, every other one with a constant array."""
    constant = xp.full((COLUMNS,), 1.01, device=x.device)
    for _ in range(100):
        x = xp.sin(x) * constant
    return xp.sum(x)


PROGRAMS: dict[str, Program] = {
    "tanh network": tanh_network,
    "gelu network": gelu_network,
    "residual network": residual_network,
    "12 products": products,
    "200 steps": steps,
    "200 steps, constant": steps_with_constant,
}


class HostBytes:
    """Counts the bytes that Python allocates, which include NumPy's arrays."""

    def start(self) -> None:
        """Begin to count."""
        tracemalloc.start()

    def now(self) -> float:
        """Return the bytes held since the start."""
        return float(tracemalloc.get_traced_memory()[0])

    def peak(self) -> float:
        """Return the most that was held, and stop."""
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return float(most)


class TorchBytes:
    """Counts the bytes of PyTorch's tensors: as the allocator reports on CUDA, by search on the host."""

    def __init__(self, cuda: bool) -> None:
        self.cuda = cuda
        self.before = 0.0

    def start(self) -> None:
        """Begin to count."""
        if self.cuda:
            sys.modules["torch"].cuda.reset_peak_memory_stats()
        self.before = self._held()

    def now(self) -> float:
        """Return the bytes held since the start."""
        return self._held() - self.before

    def peak(self) -> float:
        """Return the most that was held; NaN on the host."""
        if not self.cuda:
            return float("nan")
        return float(sys.modules["torch"].cuda.max_memory_allocated()) - self.before

    def _held(self) -> float:
        torch: Any = sys.modules["torch"]
        if self.cuda:
            return float(torch.cuda.memory_allocated())
        gc.collect()
        tensors = [found for found in gc.get_objects() if type(found) is torch.Tensor]
        storages = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in tensors}
        return float(sum(storages.values()))


@dataclass
class Run:
    """Memory (in units), time and gradient of one program with one strategy."""

    kept: float
    peak: float
    seconds: float
    gradient: np.ndarray[Any, Any]


def run(program: Program, device: xp.Device, rounds: int) -> Run:
    """Run a program and its gradients, and return memory, the shortest time and a gradient."""
    random = np.random.default_rng(0)
    x = xp.asarray(random.normal(size=(ROWS, COLUMNS)), device=device).require_grad()
    weights = [
        xp.asarray(random.normal(size=(COLUMNS, COLUMNS)) * 0.05, device=device) for _ in range(LAYERS)
    ]
    biases = [xp.asarray(random.normal(size=COLUMNS) * 0.1, device=device) for _ in range(LAYERS)]
    if program not in (steps, steps_with_constant):
        for parameter in (*weights, *biases):
            parameter.require_grad()
    meter: Any = TorchBytes("cuda" in str(device)) if device.library == "torch" else HostBytes()
    meter.start()
    y = program(x, weights, biases)
    kept = meter.now()
    gradient = np.array(y.backward()[x].to_device("numpy"))
    del y
    peak = meter.peak()
    times = []
    for _ in range(rounds):
        start = thread_time()
        program(x, weights, biases).backward()
        times.append(thread_time() - start)
    return Run(kept / UNIT, peak / UNIT, min(times), gradient)


def compare(device: str, rounds: int) -> dict[str, tuple[Run, Run]]:
    """Run each program without and with checkpointing, and check that the gradients are equal."""
    found = {}
    for name, program in PROGRAMS.items():
        plain = run(program, xp.device(f"{device}+autodiff"), rounds)
        balanced = run(program, xp.device(f"{device}+autodiff[balanced]"), rounds)
        assert np.array_equal(plain.gradient, balanced.gradient), name
        found[name] = (plain, balanced)
    return found


def report(device: str, found: dict[str, tuple[Run, Run]]) -> None:
    """Print memory in units, and ratios."""
    print(f"{device:22}{'kept':>15}{'peak':>16}{'ratio':>8}{'goal':>6}{'time':>7}")
    for name, (a, b) in found.items():
        numbers = f"{a.kept:7.1f} ->{b.kept:5.1f} {a.peak:7.1f} ->{b.peak:5.1f}{b.peak / a.peak:8.2f}"
        print(f"  {name:20}{numbers}{GOALS.get(name, ''):>6}{b.seconds / a.seconds:7.2f}")


def draw(results: dict[str, dict[str, tuple[Run, Run]]], path: Path) -> None:
    """Draw the memory of each program as bars."""
    plt = plots.pyplot()
    device, found = next(iter(results.items()))
    figure, axes = plt.subplots(figsize=(8, 3.2), constrained_layout=True)
    places = np.arange(len(found))
    for shift, which, label in ((-0.2, 0, "without"), (0.2, 1, "balanced")):
        runs = [pair[which] for pair in found.values()]
        bars = axes.bar(places + shift, [run.peak for run in runs], 0.38, label=f"{label}: peak", alpha=0.5)
        axes.bar(
            places + shift,
            [run.kept for run in runs],
            0.38,
            color=bars[0].get_facecolor()[:3],
            label=f"{label}: kept after forward",
        )
    axes.set_xticks(places, list(found), fontsize=8)
    axes.set_ylabel(f"activations of {UNIT / 2**20:.0f} MiB")
    axes.set_title(f"memory of a gradient on {device}", fontsize=10)
    axes.legend(fontsize=8, frameon=False)
    plots.plain([axes])
    plots.save(figure, path, dpi=90)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", nargs="+", default=["numpy", "torch:cpu"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--plot", type=Path, default=OUT)
    options = parser.parse_args(argv)
    results = {device: compare(device, options.rounds) for device in options.device}
    for device, found in results.items():
        report(device, found)
    draw(results, options.plot)


if __name__ == "__main__":
    main()
