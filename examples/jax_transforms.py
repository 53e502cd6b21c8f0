"""Fit a curve with one program in three ways: eagerly with NumPy, compiled by JAX, and for many data sets at once.

The loss is written with burn_array. ``fit`` takes its gradient from burn_array, ``fit_compiled`` from JAX, inside of
``jax.lax.scan`` and ``jax.jit``; ``jax.vmap`` maps ``fit_compiled`` over data sets. All three give the same parameters.

    python examples/jax_transforms.py [--steps N] [--sets N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import burn_array as xp
from burn_array.autodiff import grad

RATE = 0.2


def loss(parameters: Any, x: Any, y: Any) -> Any:
    """Return the mean square of what the curve ``a * exp(-b * x) + c`` misses ``y`` by."""
    curve = parameters[0] * xp.exp(-parameters[1] * x) + parameters[2]
    return xp.mean((curve - y) ** 2)


def fit(x: Any, y: Any, steps: int) -> Any:
    """Return the parameters after ``steps`` steps of gradient descent, one call of the library after the other."""
    parameters = xp.ones_like(x[:3])
    for _ in range(steps):
        parameters = parameters - RATE * grad(loss)(parameters, x, y)
    return parameters


def fit_compiled(x: Any, y: Any, steps: int) -> Any:
    """Return the same as one loop of JAX, for use under ``jax.jit``."""
    import jax

    from burn_array.interop.jax import grad

    def step(parameters: Any, _: Any) -> tuple[Any, None]:
        return parameters - RATE * grad(loss)(parameters, x, y), None

    return jax.lax.scan(step, xp.ones_like(x[:3]), None, length=steps)[0]


def data(sets: int, points: int = 100) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the abscissae, and one row of noisy values of a curve for each data set."""
    rng = np.random.default_rng(5)
    x = np.linspace(0.0, 3.0, points)
    a, b, c = (rng.uniform(low, high, (sets, 1)) for low, high in ((1.0, 2.0), (0.8, 1.6), (-0.5, 0.5)))
    return x, a * np.exp(-b * x) + c + 0.01 * rng.standard_normal((sets, points))


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of a call as an ndarray, and the milliseconds that it took."""
    start = time.perf_counter()
    result = function().to_numpy()
    return result, 1e3 * (time.perf_counter() - start)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the three ways, compare the parameters, and print what each took."""
    parser = argparse.ArgumentParser(description="Fit a curve with NumPy, and compiled and mapped by JAX.")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--sets", type=int, default=200)
    options = parser.parse_args(argv)
    here = xp.device("jax")  # without JAX the error says how to install it
    import jax

    x, rows = data(options.sets)
    eager, eager_ms = timed(lambda: fit(xp.asarray(x), xp.asarray(rows[0]), options.steps))
    there, values = xp.asarray(x, device=here), xp.asarray(rows, device=here)
    compiled = jax.jit(lambda y: fit_compiled(there, y, options.steps))
    mapped = jax.jit(jax.vmap(lambda y: fit_compiled(there, y, options.steps)))
    for function, given in ((compiled, values[0]), (mapped, values)):
        function(given).device.synchronize()  # compiles
    one, one_ms = timed(lambda: compiled(values[0]))
    many, many_ms = timed(lambda: mapped(values))
    print(f"{'way':<34} {'parameters of the first set':<28} {'time':>10}")
    for way, found, spent in (
        ("NumPy, call by call", eager, eager_ms),
        ("jit of scan", one, one_ms),
        (f"jit of vmap of scan, {options.sets} sets", many[0], many_ms),
    ):
        print(f"{way:<34} {np.array2string(found, precision=6):<28} {spent:>7.2f} ms")
        np.testing.assert_allclose(found, eager, rtol=1e-9)
    print("all agree")


if __name__ == "__main__":
    main()
