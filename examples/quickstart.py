"""Recognise handwritten digits with one program on every device of this machine.

``recognise`` uses only the Python Array API standard. It runs on each device that burn_array finds, and a table
compares results and times. Then one array moves from NumPy to PyTorch without a copy, and a picture of the
result is drawn.

    python examples/quickstart.py [--samples N] [--device DEVICE ...] [--out PNG]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

import burn_array as xp

OUT = Path(__file__).parent / "out" / "digits.png"


# -- the program: it runs on the device of its arguments ------------------------------------------


def recognise(train: Any, labels: Any, test: Any, components: int = 30, neighbours: int = 5) -> Any:
    """Return the digit of each row of ``test``, and both data sets projected on their principal axes.

    The digit is the most frequent label among the nearest neighbours on the first principal axes.
    """
    xp = train.__array_namespace__()
    mean = xp.mean(train, axis=0)
    _, _, axes = xp.linalg.svd(train - mean, full_matrices=False)
    axes = axes[:components, :] * xp.sign(xp.sum(axes[:components, :] ** 3, axis=1, keepdims=True))
    train, test = (train - mean) @ axes.T, (test - mean) @ axes.T
    squares = xp.sum(test**2, axis=1)[:, None] + xp.sum(train**2, axis=1)[None, :]
    nearest = xp.argsort(squares - 2 * (test @ train.T), axis=1, stable=True)[:, :neighbours]
    votes = xp.reshape(xp.take(labels, xp.reshape(nearest, (-1,))), nearest.shape)
    digits = xp.arange(10, dtype=labels.dtype, device=labels.device)
    return xp.argmax(xp.sum(votes[:, :, None] == digits, axis=1), axis=1), train, test


# -- running it on each device ----------------------------------------------------------------


@dataclass
class Data:
    """Training and test data, as ndarrays."""

    train: np.ndarray[Any, Any]
    train_labels: np.ndarray[Any, Any]
    test: np.ndarray[Any, Any]
    test_labels: np.ndarray[Any, Any]


@dataclass
class Run:
    """Results and time of one device."""

    name: str
    accuracy: float
    seconds: float
    predicted: np.ndarray[Any, Any]
    train: np.ndarray[Any, Any]
    test: np.ndarray[Any, Any]


def load(samples: int) -> Data:
    """Return digits of scikit-learn in random order, two thirds of them for training."""
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.data))[:samples]
    cut = 2 * len(order) // 3
    images, labels = digits.data[order], digits.target[order].astype(np.int64)
    return Data(images[:cut], labels[:cut], images[cut:], labels[cut:])


Call = Callable[[], Any]


def native_call(data: Data) -> Call:
    """Return a function that runs the program on NumPy arrays, without burn_array."""
    return lambda: recognise(data.train, data.train_labels, data.test)


def device_call(device: xp.Device, data: Data) -> Call:
    """Return a function that runs the program on one device and waits until the device is done."""
    arrays = [xp.asarray(a, device=device) for a in (data.train, data.train_labels, data.test)]

    def call() -> Any:
        result = recognise(*arrays)
        device.synchronize()
        return result

    return call


def run_in_turn(calls: dict[str, Call], data: Data, repeats: int) -> list[Run]:
    """Run each call ``repeats`` times, in turn, and keep the shortest time of each."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    results = {}
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.perf_counter()
            results[name] = call()
            times[name].append(time.perf_counter() - start)
    return [on_host(name, min(times[name]), results[name], data) for name in calls]


def on_host(name: str, seconds: float, result: Any, data: Data) -> Run:
    """Move a result to the host and compare the digits with the labels."""
    digits, train, test = (np.asarray(xp.asarray(array).to_device("numpy")) for array in result)
    return Run(name, float(np.mean(digits == data.test_labels)), seconds, digits, train, test)


def print_table(runs: Sequence[Run]) -> None:
    """Print a table that compares all runs with the first."""
    first = runs[0]
    print(f"{'device':<16}{'accuracy':>10}{'same digits':>13}{'max difference':>16}{'time':>12}")
    for run in runs:
        same = np.mean(run.predicted == first.predicted)
        difference = np.max(np.abs(run.test - first.test))
        print(
            f"{run.name:<16}{run.accuracy:>10.2%}{same:>13.0%}{difference:>16.1e}{run.seconds * 1e3:>9.2f} ms"
        )


# -- a move without a copy --------------------------------------------------------------------


def address(array: xp.Array) -> int:
    """Return the address of the first element in host memory."""
    return int(np.from_dlpack(array).ctypes.data)


def show_zero_copy() -> None:
    """Move an array from NumPy to PyTorch, write to the one and read from the other."""
    here = xp.asarray(np.arange(4.0), device="numpy")
    there = here.to_device("torch:cpu")
    there[0] = 42.0
    print("\nA move without a copy: here = xp.asarray(...); there = here.to_device('torch:cpu')")
    print(f"  same memory: {address(here) == address(there)} ({address(here):#x}, {address(there):#x})")
    print(f"  after there[0] = 42.0: here[0] is {float(here[0])}")


# -- the picture ------------------------------------------------------------------------------

INK, FAINT = "#22262e", "#8a909c"
DIGIT_COLOURS = [
    "#4c78d8", "#e8743b", "#2fa36b", "#d6466f", "#8a63d2",
    "#a0724a", "#e07fc0", "#6b7280", "#b5a51f", "#1fa5b8",
]  # fmt: skip


def draw(runs: Sequence[Run], data: Data, path: Path) -> None:
    """Draw the digits on their first two principal axes, the times, and the mistakes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update({"font.size": 10, "text.color": INK, "axes.edgecolor": FAINT})
    figure = plt.figure(figsize=(13, 7.2), layout="constrained", facecolor="white")
    left, right = figure.subfigures(1, 2, width_ratios=[1.4, 1], wspace=0.04)
    above, below = right.subfigures(2, 1, height_ratios=[1.7, 1])
    draw_projection(left, runs[-1], data)
    draw_times(above, runs)
    draw_mistakes(below, runs[-1], data)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def draw_projection(figure: Any, run: Run, data: Data) -> None:
    """Draw training digits pale, test digits in full colour, with a ring around mistakes."""
    axes = figure.subplots()
    for digit, colour in enumerate(DIGIT_COLOURS):
        old, new = data.train_labels == digit, data.test_labels == digit
        axes.scatter(run.train[old, 0], run.train[old, 1], s=9, color=colour, alpha=0.18, linewidths=0)
        axes.scatter(run.test[new, 0], run.test[new, 1], s=22, color=colour, linewidths=0, alpha=0.9)
        middle = np.median(run.train[old, :2], axis=0) if old.any() else (0.0, 0.0)
        box = {"boxstyle": "circle,pad=0.25", "facecolor": "white", "edgecolor": colour, "linewidth": 1.6}
        axes.text(*middle, str(digit), color=colour, weight="bold", ha="center", va="center", bbox=box)
    wrong = run.predicted != data.test_labels
    axes.scatter(
        run.test[wrong, 0], run.test[wrong, 1], s=95, facecolors="none", edgecolors=INK, linewidths=1.3
    )
    axes.set_title("Handwritten digits on their first two principal axes", loc="left", weight="bold", size=12)
    axes.set_xlabel("first principal axis    (pale: training; full: test; ringed: mistakes)", color=FAINT)
    axes.set_ylabel("second principal axis", color=FAINT)
    clean(axes, ticks=False)


def draw_times(figure: Any, runs: Sequence[Run]) -> None:
    """Draw one bar for each device, with its accuracy."""
    axes = figure.subplots()
    names = [run.name for run in runs]
    times = [run.seconds * 1e3 for run in runs]
    colours = [FAINT, *DIGIT_COLOURS[: len(runs) - 1]]
    axes.barh(names, times, color=colours, height=0.5)
    for row, run in enumerate(runs):
        axes.text(times[row], row, f"  {times[row]:.1f} ms,  {run.accuracy:.2%} right", va="center")
    axes.set_xlim(0, max(times) * 1.75)
    axes.set_ylim(max(2.6, len(runs) - 0.5), -0.5)
    axes.set_title("One program, every device", loc="left", weight="bold", size=10.5)
    clean(axes)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)


def draw_mistakes(figure: Any, run: Run, data: Data) -> None:
    """Draw at most twelve wrongly recognised digits, with the label and the answer."""
    wrong = np.flatnonzero(run.predicted != data.test_labels)
    grid = figure.subplots(1 if len(wrong) <= 6 else 2, 6).ravel()
    title = f"{len(wrong)} mistakes among {len(data.test)} (label → answer)"
    figure.suptitle(title, x=0.02, ha="left", weight="bold", size=10.5)
    for axes in grid:
        axes.set_axis_off()
    for axes, row in zip(grid, wrong, strict=False):
        axes.imshow(data.test[row].reshape(8, 8), cmap="Greys", interpolation="nearest")
        axes.set_title(f"{data.test_labels[row]} → {run.predicted[row]}", size=10)


def clean(axes: Any, ticks: bool = True) -> None:
    """Remove the frame, and the ticks if asked for."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0, labelcolor=INK)
    if not ticks:
        axes.set_xticks([])
        axes.set_yticks([])


# -- running it all -----------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> None:
    """Run the program on each device, print the table, show a move, draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--samples", type=int, default=1797, help="use fewer of the 1797 digits")
    parser.add_argument(
        "--repeats", type=int, default=7, help="runs on each device; the shortest time counts"
    )
    parser.add_argument("--device", action="append", help="may be repeated; default: every device here")
    parser.add_argument("--out", type=Path, default=OUT, help="file of the picture")
    options = parser.parse_args(argv)
    data = load(options.samples)
    devices = [xp.device(d) for d in options.device] if options.device else xp.devices()
    print(
        f"burn_array {xp.__version__}: {len(data.train)} digits to learn from, {len(data.test)} to recognise\n"
    )
    calls = {"NumPy alone": native_call(data)} | {str(d): device_call(d, data) for d in devices}
    runs = run_in_turn(calls, data, options.repeats)
    print_table(runs)
    if any(str(device) == "torch:cpu" for device in devices):
        show_zero_copy()
    try:
        draw(runs, data, options.out)
    except ImportError as error:
        print(f"\nNo picture ({error}); pip install '.[demo]' installs what it needs")
    else:
        print(f"\nPicture: {options.out}")


if __name__ == "__main__":
    main()
