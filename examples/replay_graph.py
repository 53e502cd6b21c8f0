"""Record a small network once, then save it, replay it on several devices, train it, and run it in onnxruntime.

    python examples/replay_graph.py [--device numpy torch:cpu] [--path model.graph]

The network is traced for any number of rows. Its gradient is a graph too. The last step needs the packages ``ndonnx``
and ``onnxruntime``: pip install 'burn_array[onnx]' onnxruntime
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import burn_array as xp
from burn_array.autodiff import value_and_grad

STEPS = 200
RATE = 0.1


def network(params: Any, x: Any) -> Any:
    """Return the output of a network with one hidden layer, for each row of ``x``."""
    hidden = xp.tanh(x @ params["w1"] + params["b1"])
    return (hidden @ params["w2"] + params["b2"])[:, 0]


def loss(params: Any, x: Any, y: Any) -> Any:
    """Return the mean squared error of the network."""
    return xp.mean((network(params, x) - y) ** 2)


def data(rows: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return points in the plane, and the values of a function there."""
    x = np.random.default_rng(0).uniform(-1.0, 1.0, (rows, 2))
    return x, np.sin(3.0 * x[:, 0]) * x[:, 1]


def start() -> dict[str, np.ndarray[Any, Any]]:
    """Return the parameters before training."""
    numbers = np.random.default_rng(1)
    shapes = {"w1": (2, 16), "b1": (16,), "w2": (16, 1), "b2": (1,)}
    return {name: numbers.normal(scale=0.5, size=shape) for name, shape in shapes.items()}


def train(step: Any, device: str) -> tuple[Any, float]:
    """Return the trained parameters and the loss, computed by the graph ``step`` on a device."""
    x, y = (xp.asarray(one, device=device) for one in data(200))
    params = {name: xp.asarray(one, device=device) for name, one in start().items()}
    run = step.on(device)
    for _ in range(STEPS):
        value, gradients = run(params, x, y)
        params = {name: w - RATE * gradients[name] for name, w in params.items()}
    return params, float(value)


def by_onnxruntime(graph: Any, params: Any, x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any] | None:
    """Return what onnxruntime computes, ``None`` if a package is missing."""
    try:
        import onnxruntime

        model = graph.to_onnx()
    except (ImportError, xp.errors.NotSupportedError):
        return None
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    values = [*(np.asarray(one.to_device("numpy")) for one in params.values()), x]
    names = [one.name for one in graph.inputs]
    found: np.ndarray[Any, Any] = session.run(None, dict(zip(names, values, strict=True)))[0]
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Record, train on each device, save, load, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", nargs="+", default=["numpy", "torch:cpu"])
    parser.add_argument("--path", type=Path, default=Path(tempfile.gettempdir()) / "network.graph")
    options = parser.parse_args(arguments)

    x, y = xp.spec(("rows", 2)), xp.spec(("rows",))
    params = {name: xp.spec(one.shape) for name, one in start().items()}
    graph = xp.trace(network, params, x)
    print(graph)
    step = xp.trace(value_and_grad(loss), params, x, y, name="step")
    print(f"\nthe gradient: {len(step.steps)} steps, {len(step.simplified().steps)} of them needed\n")

    trained: Any = {}
    for device in options.device:
        trained, value = train(step, device)
        print(f"{device:<12} loss after {STEPS} steps: {value:.10f}")

    graph.save(options.path)
    again = xp.load_graph(options.path)
    points, _ = data(5)
    wanted = np.asarray(again(trained, xp.asarray(points)).to_device("numpy"))
    print(f"\nsaved to {options.path}, loaded, replayed on {options.device[-1]}: {np.round(wanted, 4)}")
    found = by_onnxruntime(again, trained, points)
    if found is None:
        print("onnxruntime: not installed")
    else:
        print(f"onnxruntime differs by {np.max(np.abs(found - wanted)):.1e}")


if __name__ == "__main__":
    main()
