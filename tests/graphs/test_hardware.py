"""Graphs of the accelerator, on the GPUs of PyTorch and CuPy; collected where there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import burn_array as xp

GPUS = [
    pytest.param(one, marks=pytest.mark.library(one.library), id=str(one))
    for one in xp.devices()
    if one.library in ("cupy", "torch") and one.adapter.graph_recorder() is not None
]


def fifty(x: Any, w: Any) -> Any:
    """Return the results of fifty calls."""
    for _ in range(25):
        x = xp.sin(x) * w
    return x, xp.sum(x)


@pytest.mark.parametrize("gpu", GPUS)
def test_a_program_of_fifty_steps_is_recorded(gpu: xp.Device) -> None:
    graph = xp.trace(fifty, xp.spec((1000,)), xp.spec((1000,)))
    run = graph.on(gpu, hardware=True)
    assert run.is_hardware
    numbers = np.random.default_rng(0)
    w = xp.asarray(numbers.uniform(0.5, 1.5, 1000), device=gpu)
    kept = []
    for _ in range(5):
        x = xp.asarray(numbers.normal(size=1000), device=gpu)
        kept.append((run(x, w), fifty(x, w)))
    for found, wanted in kept:
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a.tolist(), b.tolist(), rtol=1e-12)


@pytest.mark.parametrize("gpu", GPUS)
def test_a_bare_replay(gpu: xp.Device) -> None:
    run = xp.trace(lambda x: xp.exp(x) + 1.0, xp.spec((8,))).on(gpu, hardware=True)
    for value in (0.0, 1.0):
        run.inputs[0][...] = value
        run.replay()
        np.testing.assert_allclose(run.outputs[0].tolist(), [np.exp(value) + 1.0] * 8, rtol=1e-12)


@pytest.mark.parametrize("gpu", GPUS)
def test_a_program_that_reads_values_runs_as_usual(gpu: xp.Device) -> None:
    graph = xp.trace(lambda x: xp.linalg.eigh(x + xp.matrix_transpose(x)).eigenvalues, xp.spec((3, 3)))
    x = xp.asarray(np.arange(9.0).reshape(3, 3), device=gpu)
    np.testing.assert_allclose(graph.on(gpu, hardware=True)(x).tolist(), graph(x).tolist(), rtol=1e-12)
