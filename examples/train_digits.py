"""Train a small network on handwritten digits, with one program on every device, and compare the losses.

    python examples/train_digits.py [--device numpy torch:cpu ...] [--epochs N] [--plot PNG]

Every device starts from the same parameters and gets the same batches, so the loss curves coincide.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

import burn_array as xp
from burn_array.autodiff import value_and_grad

OUT = Path(__file__).parent / "out" / "train_digits.png"
Parameters = dict[str, Any]


def start(device: Any, hidden: int = 32) -> Parameters:
    """Return the initial parameters, the same numbers on every device."""
    random = np.random.default_rng(0)
    host = {
        "w1": random.normal(size=(64, hidden)) / 8,
        "b1": np.zeros(hidden),
        "w2": random.normal(size=(hidden, 10)) / hidden**0.5,
        "b2": np.zeros(10),
    }
    return {name: xp.asarray(values, device=device) for name, values in host.items()}


def scores(p: Parameters, images: Any) -> Any:
    """Return the score of each digit for each image."""
    return xp.maximum(images @ p["w1"] + p["b1"], 0.0) @ p["w2"] + p["b2"]


def loss(p: Parameters, images: Any, digits: Any) -> Any:
    """Return the mean negative log-likelihood of the correct digits."""
    out = scores(p, images)
    out = out - xp.max(out, axis=1, keepdims=True)
    normaliser = xp.log(xp.sum(xp.exp(out), axis=1))
    right = xp.take_along_axis(out, digits[:, None], axis=1)[:, 0]
    return xp.mean(normaliser - right)


def train(device: Any, epochs: int, batch: int = 64, rate: float = 0.5) -> tuple[list[float], float]:
    """Return the loss of each step, and the share of the test digits that is recognised."""
    images, digits = load_digits(return_X_y=True)
    images, digits = xp.asarray(images / 16, device=device), xp.asarray(digits, device=device)
    known = 1500
    p, losses, step = start(device), [], value_and_grad(loss)
    for _ in range(epochs):
        for first in range(0, known - batch + 1, batch):
            value, gradient = step(p, images[first : first + batch, :], digits[first : first + batch])
            p = {name: p[name] - rate * gradient[name] for name in p}
            losses.append(float(value))
    hits = xp.argmax(scores(p, images[known:, :]), axis=1) == digits[known:]
    return losses, float(xp.mean(xp.astype(hits, p["w1"].dtype)))


def draw(curves: dict[str, list[float]], path: Path) -> None:
    """Draw the loss of each step, one line for each device."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 3), constrained_layout=True)
    for number, (name, losses) in enumerate(curves.items()):
        axes.plot(losses, label=name, linewidth=4 - 1.2 * number, alpha=0.8)
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    axes.set_yscale("log")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    print(f"plot: {path}")


def main(argv: Sequence[str] | None = None) -> None:
    """Train on each device, print a table, draw the losses."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", nargs="+", default=[str(device) for device in xp.devices()])
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--plot", type=Path, default=OUT)
    options = parser.parse_args(argv)
    curves = {}
    print(f"{'device':15}{'first loss':>12}{'last loss':>12}{'recognised':>12}{'seconds':>9}")
    for name in options.device:
        began = perf_counter()
        losses, share = train(xp.device(name), options.epochs)
        curves[name] = losses
        print(f"{name:15}{losses[0]:12.6f}{losses[-1]:12.6f}{share:12.1%}{perf_counter() - began:9.1f}")
    draw(curves, options.plot)


if __name__ == "__main__":
    main()
