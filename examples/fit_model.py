"""Fit a damped oscillation to noisy measurements by Newton's method, with exact second derivatives.

    python examples/fit_model.py [--device numpy] [--plot PNG]

The model ``a exp(-k t) cos(w t + p)`` has four parameters. Each step solves the Newton equations with the Hessian
of the sum of squares, made positive definite through its eigenvalues, and is halved as long as the sum of squares
grows. At the end the inverse of the Hessian gives the standard errors.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import burn_array as xp
from burn_array.autodiff import grad, hessian

OUT = Path(__file__).parent / "out" / "fit_model.png"
NAMES = ("amplitude", "damping", "frequency", "phase")
TRUE = (2.0, 0.35, 3.0, 0.4)
NOISE = 0.08


def model(p: Any, t: Any) -> Any:
    """Return the oscillation at the times ``t``."""
    return p[0] * xp.exp(-p[1] * t) * xp.cos(p[2] * t + p[3])


def measured(device: Any) -> tuple[Any, Any]:
    """Return times, and measured values with noise."""
    t = np.linspace(0.0, 6.0, 80)
    a, k, w, p = TRUE
    noise = np.random.default_rng(3).normal(scale=NOISE, size=t.size)
    return xp.asarray(t, device=device), xp.asarray(
        a * np.exp(-k * t) * np.cos(w * t + p) + noise, device=device
    )


def newton_step(gradient: Any, curvature: Any) -> Any:
    """Return the Newton step, with the absolute eigenvalues of the Hessian so that it goes downhill."""
    values, vectors = xp.linalg.eigh(curvature)
    floor = 1e-3 * xp.max(xp.abs(values))
    return -vectors @ ((vectors.T @ gradient) / xp.maximum(xp.abs(values), floor))


def fit(objective: Callable[[Any], Any], p: Any, tolerance: float = 1e-9) -> tuple[Any, list[float]]:
    """Return the parameters of the minimum, and the norm of the gradient before each step."""
    slope, curvature, lengths = grad(objective), hessian(objective), []
    for _ in range(50):
        gradient = slope(p)
        lengths.append(float(xp.linalg.vector_norm(gradient)))
        if lengths[-1] < tolerance:
            break
        step, before = newton_step(gradient, curvature(p)), float(objective(p))
        while float(objective(p + step)) > before and float(xp.linalg.vector_norm(step)) > tolerance:
            step = step / 2
        p = p + step
    return p, lengths


def draw(t: Any, y: Any, p: Any, lengths: list[float], path: Path) -> None:
    """Draw the fit, and the norm of the gradient at each step."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    times, values = np.asarray(t.to_device("numpy")), np.asarray(y.to_device("numpy"))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3), constrained_layout=True)
    left.plot(times, values, ".", color="tab:gray", label="measured")
    left.plot(times, np.asarray(model(p, t).to_device("numpy")), color="tab:blue", label="fitted")
    left.set_xlabel("time")
    left.legend(frameon=False)
    right.semilogy(lengths, "o-", color="tab:blue")
    right.set_xlabel("Newton step")
    right.set_title("length of the gradient", fontsize=9)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    print(f"plot: {path}")


def main(argv: Sequence[str] | None = None) -> None:
    """Fit the model, print the parameters, draw the fit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="numpy")
    parser.add_argument("--plot", type=Path, default=OUT)
    options = parser.parse_args(argv)
    t, y = measured(xp.device(options.device))

    def objective(p: Any) -> Any:
        return 0.5 * xp.sum((model(p, t) - y) ** 2) / NOISE**2

    p, lengths = fit(objective, xp.asarray([1.5, 0.6, 2.8, 0.0], device=options.device))
    errors = xp.sqrt(xp.linalg.diagonal(xp.linalg.inv(hessian(objective)(p))))
    print(f"{len(lengths) - 1} Newton steps on {options.device}; the gradient is {lengths[-1]:.1e} long")
    for i, (name, true) in enumerate(zip(NAMES, TRUE, strict=True)):
        print(f"{name:10} {float(p[i]):8.4f} +- {float(errors[i]):.4f}   (true {true})")
    draw(t, y, p, lengths, options.plot)


if __name__ == "__main__":
    main()
