"""Balanced checkpointing gives the same gradients with less memory, and recomputes only what it needs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Device
from burn_array.errors import GradientError

SHAPE = (64, 128)
BYTES = 64 * 128 * 8
Program = Callable[[Any, list[Any]], Any]


def gelu(x: Any) -> Any:
    return 0.5 * x * (1.0 + xp.tanh(0.797884 * (x + 0.044715 * x * x * x)))


def network(x: Any, weights: list[Any]) -> Any:
    for w in weights:
        x = gelu(x @ w)
    return xp.sum(x)


def residual(x: Any, weights: list[Any]) -> Any:
    for w in weights:
        centred = x - xp.mean(x, axis=1, keepdims=True)
        x = x + gelu(centred / xp.sqrt(1e-5 + xp.mean(centred**2, axis=1, keepdims=True)) @ w)
    return xp.sum(x)


def chain(x: Any, weights: list[Any]) -> Any:
    for _ in range(50):
        x = xp.tanh(xp.sin(x))
    return xp.sum(x)


def constant_chain(x: Any, weights: list[Any]) -> Any:
    c = xp.ones(SHAPE, device=x.device) * 1.01
    for _ in range(50):
        x = xp.sin(x) * c
    return xp.sum(x)


def products(x: Any, weights: list[Any]) -> Any:
    total = x @ weights[0]
    for w in weights:
        total = total + x @ w
    return xp.sum(total)


def moves(x: Any, weights: list[Any]) -> Any:
    y = xp.permute_dims(xp.exp(x * 0.1), (1, 0))
    y = xp.concat([y, xp.flip(y, axis=0)], axis=1)[:, ::2]
    return xp.sum(xp.sort(xp.reshape(y, SHAPE)) * xp.clip(y, 0.5, 1.5).T)


PROGRAMS: list[Program] = [network, residual, chain, constant_chain, products, moves]


def run(program: Program, device: Device) -> tuple[Any, list[Any]]:
    """Return the result of a program and its parameters."""
    random = np.random.default_rng(0)
    x = xp.asarray(random.normal(size=SHAPE), device=device).require_grad()
    weights = [
        xp.asarray(random.normal(size=(128, 128)) * 0.1, device=device).require_grad() for _ in range(6)
    ]
    return program(x, weights), [x, *weights]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("create", [False, True])
@pytest.mark.needs("64 bits")
def test_gradients_are_equal(device: Device, program: Program, create: bool) -> None:
    gradients = []
    for one in (device.autodiff(), device.autodiff().gradient_checkpointing()):
        y, parameters = run(program, one)
        grads = y.backward(create_graph=create)
        found = [grads.get(p) for p in parameters]
        gradients.append([None if g is None else np.asarray(g.detach().to_device("numpy")) for g in found])
    for plain, balanced in zip(*gradients, strict=True):
        assert (plain is None) == (balanced is None)
        if plain is not None:
            np.testing.assert_array_equal(plain, balanced)


def memory(program: Program, device: str) -> tuple[float, float]:
    """Return the memory kept after the forward pass and the peak of both passes, counted in arrays of a program."""
    run(program, xp.device(device))[0].backward()
    random = np.random.default_rng(0)
    x = xp.asarray(random.normal(size=SHAPE), device=device).require_grad()
    weights = [xp.asarray(random.normal(size=(128, 128)) * 0.1, device=device) for _ in range(6)]
    tracemalloc.start()
    y = program(x, weights)
    kept = tracemalloc.get_traced_memory()[0]
    y.backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return kept / BYTES, peak / BYTES


@pytest.mark.parametrize(
    ("program", "kept", "peak"),
    [
        (network, 0.25, 0.5),
        (residual, 0.4, 0.55),
        (chain, 0.15, 0.35),
        (constant_chain, 0.2, 0.45),
        (products, 1.1, 1.1),
    ],
)
def test_less_is_kept(program: Program, kept: float, peak: float) -> None:
    before, after = memory(program, "numpy+autodiff"), memory(program, "numpy+autodiff[balanced]")
    assert after[0] <= kept * before[0] + 1
    assert after[1] <= peak * before[1] + 1


@pytest.mark.needs("64 bits")
def test_a_graph_can_be_retained(device: Device) -> None:
    y, (x, *_) = run(chain, device.autodiff().gradient_checkpointing())
    first, second = y.backward(retain_graph=True)[x], y.backward()[x]
    np.testing.assert_array_equal(np.asarray(first.to_device("numpy")), np.asarray(second.to_device("numpy")))
    with pytest.raises(GradientError, match="freed"):
        y.backward()


def test_a_retained_graph_keeps_no_more_than_before() -> None:
    run(chain, xp.device("numpy+autodiff[balanced]"))[0].backward()
    tracemalloc.start()
    y = run(chain, xp.device("numpy+autodiff[balanced]"))[0]
    before = tracemalloc.get_traced_memory()[0]
    for create in (False, True):
        y.backward(retain_graph=True, create_graph=create)
        kept = tracemalloc.get_traced_memory()[0] - before
        assert kept < 2 * BYTES
    tracemalloc.reset_peak()
    y.backward()
    assert tracemalloc.get_traced_memory()[1] - before < 25 * BYTES, "a chain at a time, not all fifty"
    tracemalloc.stop()


@pytest.mark.needs("64 bits")
def test_what_was_freed_is_not_computed_again(device: Device) -> None:
    y, (x, *_) = run(chain, device.autodiff().gradient_checkpointing())
    hidden = xp.tanh(x)
    xp.sum(hidden).backward()
    with pytest.raises(GradientError, match="freed"):
        xp.sum(xp.sin(hidden)).backward()
    y.backward()


@pytest.mark.needs("64 bits")
def test_what_was_changed_in_place_is_computed_as_it_was(device: Device) -> None:
    at = device.autodiff().gradient_checkpointing()
    x = xp.asarray([1.0, 2.0], device=at).require_grad()
    c = xp.asarray([3.0, 4.0], device=at)
    y = xp.sin(xp.exp(x) * c)
    c *= 0.0
    gradient = np.asarray(y.backward()[x].to_device("numpy"))
    e = np.exp([1.0, 2.0]) * [3.0, 4.0]
    np.testing.assert_allclose(gradient, np.cos(e) * e)
