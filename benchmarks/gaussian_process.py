"""Print the time of one gradient of a Gaussian process's likelihood, as a ratio to PyTorch's own autograd.

    python benchmarks/gaussian_process.py --sizes 50 200 500

The program is a kernel matrix, its Cholesky factor, two triangular solves and a log determinant, in float64 on one
thread; both sides run in this process, alternately, and the best of several runs counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter
from typing import Any

import torch

import burn_array as xp
from burn_array.autodiff import value_and_grad
from burn_array.interop import solve_triangular


def likelihood(distances: Any, targets: Any) -> Callable[[Any], Any]:
    """Return the negative log likelihood as a function of the logarithms of length, amplitude and noise."""
    n = targets.shape[0]
    identity = xp.eye(n, device=targets.device)

    def f(p: Any) -> Any:
        length, amplitude, noise = xp.exp(p[0]), xp.exp(p[1]), xp.exp(p[2])
        kernel = amplitude * xp.exp(-0.5 * distances / length**2) + noise * identity
        factor = xp.linalg.cholesky(kernel)
        white = solve_triangular(factor, targets, lower=True)
        return 0.5 * xp.sum(white * white) + xp.sum(xp.log(xp.linalg.diagonal(factor)))

    return f


def torch_likelihood(
    distances: torch.Tensor, targets: torch.Tensor
) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return the same function in PyTorch."""
    identity = torch.eye(len(targets), dtype=torch.float64)

    def f(p: torch.Tensor) -> torch.Tensor:
        length, amplitude, noise = torch.exp(p[0]), torch.exp(p[1]), torch.exp(p[2])
        kernel = amplitude * torch.exp(-0.5 * distances / length**2) + noise * identity
        factor = torch.linalg.cholesky(kernel)
        white = torch.linalg.solve_triangular(factor, targets.unsqueeze(-1), upper=False)
        return 0.5 * torch.sum(white * white) + torch.sum(torch.log(torch.diagonal(factor)))

    return f


def once(function: Callable[[], Any]) -> float:
    """Return the seconds that one call takes."""
    start = perf_counter()
    function()
    return perf_counter() - start


def measured(n: int, device: str, repeats: int) -> tuple[float, float]:
    """Return the seconds of one value and gradient: in burn_array on a device, and in PyTorch."""
    torch.manual_seed(0)
    points = torch.rand(n, 3, dtype=torch.float64)
    distances, targets = torch.cdist(points, points) ** 2, torch.sin(points.sum(-1) * 3)
    start = torch.tensor([-1.0, 0.0, -3.0], dtype=torch.float64)
    there, y, p = (xp.asarray(one.numpy(), device=device, copy=True) for one in (distances, targets, start))
    own, theirs = value_and_grad(likelihood(there, y)), torch_likelihood(distances, targets)

    def by_torch() -> Any:
        w = start.clone().requires_grad_()
        theirs(w).backward()
        return w.grad

    found = own(p)[1].to_device("numpy")
    assert max(abs(a - b) for a, b in zip(found.tolist(), by_torch().tolist(), strict=True)) < 1e-6 * n
    times = [(once(lambda: own(p)), once(by_torch)) for _ in range(repeats)]
    return min(one for one, _ in times), min(other for _, other in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[50, 200, 500])
    parser.add_argument("--device", nargs="+", default=["torch:cpu", "numpy"])
    parser.add_argument("--repeats", type=int, default=20)
    options = parser.parse_args()
    torch.set_num_threads(1)
    for device in options.device:
        for n in options.sizes:
            own, theirs = measured(n, device, options.repeats)
            print(
                f"{device:10} n = {n:4}: {own * 1e3:8.2f} ms, PyTorch {theirs * 1e3:8.2f} ms, ratio {own / theirs:.2f}"
            )


if __name__ == "__main__":
    main()
