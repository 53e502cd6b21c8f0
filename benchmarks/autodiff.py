"""Measure the time of a gradient, compared with the same program without gradients and with PyTorch's own gradient.

There are two programs: a chain of 999 element-wise calls on 10 elements (multiply, add, sin in turn), and a network
(32x64, two layers of 64, tanh, sum of squares) with the gradients of its four parameters. All contenders run in turn,
five runs each time, in one process on one thread. The shortest processor time of each counts, because other programs on
the machine disturb it least. The garbage collector is off, as in ``timeit``.

    python benchmarks/autodiff.py [--device numpy ...] [--rounds N] [--plot PNG]
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import thread_time
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402
import plots  # noqa: E402

import burn_array as xp  # noqa: E402
from burn_array.autodiff import value_and_grad  # noqa: E402

OUT = Path(__file__).parent / "out" / "autodiff.png"
STEPS = 333
BATCH = 5
LIMITS = {("chain", "numpy"): 3.0, ("network", "numpy"): 3.2}
"""Goals: time of forward and backward over time of forward alone."""


def chain(x: Any, factor: Any, shift: Any, sin: Callable[[Any], Any]) -> Any:
    """Return the result of 999 element-wise calls in a row."""
    for _ in range(STEPS):
        x = sin(x * factor + shift)
    return x


def network(x: Any, w1: Any, b1: Any, w2: Any, b2: Any, library: Any) -> Any:
    """Return the loss of a network with two layers."""
    y = library.tanh(x @ w1 + b1) @ w2 + b2
    return library.sum(y * y)


def inputs() -> dict[str, list[np.ndarray[Any, Any]]]:
    """Return the arrays of each program, as ndarrays."""
    random = np.random.default_rng(0)
    shapes = ((64, 64), (64,), (64, 64), (64,))
    return {
        "chain": [np.linspace(0.1, 1, 10), np.full(10, 1.01), np.full(10, 0.1)],
        "network": [random.normal(size=(32, 64)), *(random.normal(size=shape) * 0.1 for shape in shapes)],
    }


@dataclass
class Contender:
    """One way to run a program, and its shortest time so far. ``label`` names the way."""

    program: str
    device: str
    label: str
    run: Callable[[], Any]
    seconds: float = float("inf")

    def measure(self) -> None:
        """Run a few times in a row, so that the caches are warm, and keep the shortest time."""
        for _ in range(BATCH):
            start = thread_time()
            self.run()
            self.seconds = min(self.seconds, thread_time() - start)


def ours(device: str) -> list[Contender]:
    """Return the contenders that use burn_array on a device."""
    found = []
    for program, arrays in inputs().items():
        plain = [xp.asarray(a, device=device, copy=True) for a in arrays]
        tracked = [xp.asarray(a, device=f"{device}+autodiff", copy=True) for a in arrays]
        for x in tracked[:1] if program == "chain" else tracked[1:]:
            x.require_grad()
        f: Callable[..., Any] = (
            (lambda *a: chain(*a, xp.sin)) if program == "chain" else (lambda *a: network(*a, xp))
        )
        found += [
            Contender(program, device, "forward", lambda f=f, a=plain: f(*a)),
            Contender(program, device, "recorded", lambda f=f, a=tracked: f(*a)),
            Contender(program, device, "forward + backward", lambda f=f, a=tracked: f(*a).backward()),
        ]
        if program == "network":
            gradients = value_and_grad(f, argnums=(1, 2, 3, 4))
            found.append(Contender(program, device, "value_and_grad", lambda g=gradients, a=plain: g(*a)))
    return found


def chain_by_hand(x: Any, factor: Any, shift: Any) -> Any:
    """Return the gradient of the sum of the chain, written by hand in NumPy."""
    inner = []
    for _ in range(STEPS):
        inner.append(x * factor + shift)
        x = np.sin(inner[-1])
    g = np.ones_like(x)
    for z in reversed(inner):
        g = g * np.cos(z) * factor
    return g


def network_by_hand(x: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Return the gradients of the four parameters of the network, written by hand in NumPy."""
    h = np.tanh(x @ w1 + b1)
    y = h @ w2 + b2
    np.sum(y * y)
    g = y + y
    dw2, db2 = h.T @ g, np.sum(g, axis=0)
    g = (g @ w2.T) * (1 - h * h)
    return x.T @ g, np.sum(g, axis=0), dw2, db2


def by_hand() -> list[Contender]:
    """Return the contenders whose gradient is written by hand."""
    arrays = inputs()
    return [
        Contender("chain", "by hand", "forward", lambda: chain(*arrays["chain"], np.sin)),
        Contender("chain", "by hand", "forward + backward", lambda: chain_by_hand(*arrays["chain"])),
        Contender("network", "by hand", "forward", lambda: network(*arrays["network"], np)),
        Contender("network", "by hand", "forward + backward", lambda: network_by_hand(*arrays["network"])),
    ]


def torch_alone() -> list[Contender]:
    """Return the contenders that use PyTorch alone; none if it is not installed."""
    if find_spec("torch") is None:
        return []
    import torch

    torch.set_num_threads(1)
    arrays = {name: [torch.tensor(a) for a in each] for name, each in inputs().items()}
    x, factor, shift = arrays["chain"]
    leaf, weights = x.clone().requires_grad_(), [w.clone().requires_grad_() for w in arrays["network"][1:]]
    ones, data = torch.ones_like(x), arrays["network"][0]
    return [
        Contender("chain", "PyTorch", "forward", lambda: chain(x, factor, shift, torch.sin)),
        Contender(
            "chain",
            "PyTorch",
            "forward + backward",
            lambda: torch.autograd.grad(chain(leaf, factor, shift, torch.sin), leaf, ones),
        ),
        Contender("network", "PyTorch", "forward", lambda: network(*arrays["network"], torch)),
        Contender(
            "network",
            "PyTorch",
            "forward + backward",
            lambda: torch.autograd.grad(network(data, *weights, torch), weights),
        ),
    ]


def seconds(contenders: Sequence[Contender], program: str, device: str, label: str) -> float:
    """Return the time of one contender in seconds, NaN if it was not measured."""
    key = (program, device, label)
    return next((c.seconds for c in contenders if (c.program, c.device, c.label) == key), float("nan"))


def report(contenders: Sequence[Contender], devices: Sequence[str]) -> None:
    """Print a table of times and ratios."""
    print(
        f"{'program':9}{'device':11}{'forward':>11}{'fwd + bwd':>12}{'ratio':>7}{'goal':>6}"
        f"{'/ by hand':>11}{'/ PyTorch':>11}"
    )
    for program in ("chain", "network"):
        peer = seconds(contenders, program, "PyTorch", "forward + backward")
        hand = seconds(contenders, program, "by hand", "forward + backward")
        for device in (*devices, "by hand", "PyTorch"):
            alone = seconds(contenders, program, device, "forward")
            both = seconds(contenders, program, device, "forward + backward")
            goal = LIMITS.get((program, device), "")
            numbers = f"{alone * 1e6:8.1f} us{both * 1e6:9.1f} us{both / alone:7.2f}{goal:>6}"
            print(f"{program:9}{device:11}{numbers}{both / hand:11.2f}{both / peer:11.2f}")


def draw(contenders: Sequence[Contender], devices: Sequence[str], path: Path) -> None:
    """Draw the times of all contenders as multiples of the plain program on the first device."""
    plt = plots.pyplot()
    figure, panels = plt.subplots(1, 2, figsize=(9, 3), constrained_layout=True)
    for axes, program in zip(panels, ("chain", "network"), strict=True):
        unit = seconds(contenders, program, devices[0], "forward")
        bars = [c for c in contenders if c.program == program and c.label != "recorded"]
        names = [f"{c.device}, {c.label}" for c in bars]
        colours = ["tab:gray" if c.device == "PyTorch" else "tab:blue" for c in bars]
        drawn = axes.barh(names, [c.seconds / unit for c in bars], color=colours)
        axes.bar_label(drawn, fmt="%.1f", padding=2)
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.set_title(f"{program}: time over the plain program on {devices[0]}", fontsize=9)
        axes.tick_params(labelsize=8)
    plots.plain(panels)
    plots.save(figure, path, dpi=90)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", nargs="+", default=["numpy", "torch:cpu"])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--plot", type=Path, default=OUT)
    options = parser.parse_args(argv)
    contenders = [c for device in options.device for c in ours(device)] + by_hand() + torch_alone()
    gc.collect()
    gc.disable()
    for _ in range(options.rounds):
        for contender in contenders:
            contender.measure()
    gc.enable()
    report(contenders, options.device)
    draw(contenders, options.device, options.plot)


if __name__ == "__main__":
    main()
