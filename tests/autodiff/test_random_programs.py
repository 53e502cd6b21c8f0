"""Gradients of random programs equal central differences on every device, and PyTorch's own gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import burn_array as xp
from burn_array import Device
from burn_array.autodiff import check_grads, grad, value_and_grad

Step = Callable[[Any, Any, Any], Any]

# Each step gets the namespace and two earlier arrays. All arrays have shape (3, 3), and their values stay bounded.
STEPS: dict[str, Step] = {
    "add": lambda xp, x, y: x + y,
    "subtract": lambda xp, x, y: x - y,
    "multiply": lambda xp, x, y: xp.tanh(x) * y,
    "divide": lambda xp, x, y: x / (2.0 + xp.cos(y)),
    "pow": lambda xp, x, y: xp.pow(1.5 + xp.sin(x), xp.cos(y)),
    "sqrt": lambda xp, x, y: xp.sqrt(1.0 + x * x),
    "exp": lambda xp, x, y: xp.exp(-(y * y)),
    "log1p": lambda xp, x, y: xp.log1p(xp.exp(xp.tanh(x))),
    "hypot": lambda xp, x, y: xp.hypot(x, 1.0 + y * y),
    "matmul": lambda xp, x, y: xp.matmul(xp.tanh(x), xp.tanh(y)),
    "row": lambda xp, x, y: x[1, :] * xp.sin(y),
    "column": lambda xp, x, y: xp.sin(x[:, ::2][:, :1]) + y,
    "centre": lambda xp, x, y: x - xp.mean(x, axis=0, keepdims=True),
    "softmax": lambda xp, x, y: xp.exp(xp.tanh(x)) / xp.sum(xp.exp(xp.tanh(x)), axis=1, keepdims=True),
    "turn": lambda xp, x, y: xp.flip(xp.permute_dims(x, (1, 0)), axis=1),
    "roll": lambda xp, x, y: xp.roll(x, 1, axis=0) * xp.cos(y),
    "join": lambda xp, x, y: xp.concat([x[:1, :], y[1:, :]], axis=0),
    "choose": lambda xp, x, y: xp.where(xp.asarray([True, False, True]), x, y),
}
PROGRAMS = st.lists(
    st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9), st.integers(0, 9)), min_size=10, max_size=10
)
FEW = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def run(namespace: Any, program: list[tuple[str, int, int]], x: Any, y: Any) -> Any:
    """Return the sum of the product of the last two arrays, after each step has made an array of two earlier ones."""
    made = [x, y]
    for name, first, second in program:
        made.append(STEPS[name](namespace, made[-1 - first % len(made)], made[-1 - second % len(made)]))
    return namespace.sum(made[-1] * made[-2])


def points(device: Device) -> tuple[Any, Any]:
    random = np.random.default_rng(7)
    return tuple(xp.asarray(random.normal(size=(3, 3)), device=device) for _ in range(2))  # type: ignore[return-value]


@FEW
@given(program=PROGRAMS)
@pytest.mark.parametrize("strategy", ["", "[balanced]"])
@pytest.mark.needs("64 bits")
def test_gradients_are_those_of_differences(device: Device, strategy: str, program: Any) -> None:
    at = xp.device(f"{device}+autodiff{strategy}")
    check_grads(lambda x, y: run(xp, program, x, y), points(at), rtol=1e-5, atol=1e-6)


@FEW
@given(program=PROGRAMS)
@pytest.mark.needs("64 bits")
def test_second_derivatives_are_those_of_differences(device: Device, program: Any) -> None:
    check_grads(lambda x, y: run(xp, program, x, y), points(device), order=2, rtol=1e-4, atol=1e-4)


@FEW
@given(program=PROGRAMS)
@pytest.mark.needs("64 bits")
def test_devices_agree(device: Device, program: Any) -> None:
    here = value_and_grad(lambda x, y: run(xp, program, x, y), argnums=(0, 1))(*points(device))
    there = value_and_grad(lambda x, y: run(xp, program, x, y), argnums=(0, 1))(*points(xp.device("numpy")))
    np.testing.assert_allclose(float(here[0]), float(there[0]), rtol=1e-10, atol=1e-10)
    for one, other in zip(here[1], there[1], strict=True):
        np.testing.assert_allclose(
            np.asarray(one.to_device("numpy")), np.asarray(other), rtol=1e-8, atol=1e-9
        )


class Torch:
    """PyTorch under the names that the steps use."""

    def __init__(self) -> None:
        import torch

        self.torch = torch

    def __getattr__(self, name: str) -> Any:
        renamed = {"permute_dims": "permute", "concat": "cat", "asarray": "tensor"}
        return getattr(self.torch, renamed.get(name, name))

    def flip(self, x: Any, axis: int) -> Any:
        return self.torch.flip(x, (axis,))

    def mean(self, x: Any, axis: int, keepdims: bool) -> Any:
        return self.torch.mean(x, axis, keepdim=keepdims)

    def sum(self, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return self.torch.sum(x) if axis is None else self.torch.sum(x, axis, keepdim=keepdims)

    def concat(self, arrays: list[Any], axis: int) -> Any:
        return self.torch.cat(arrays, axis)

    def roll(self, x: Any, shift: int, axis: int) -> Any:
        return self.torch.roll(x, shift, axis)


@FEW
@given(program=PROGRAMS)
def test_gradients_are_those_of_torch(program: Any) -> None:
    library = Torch()
    ours = grad(lambda x, y: run(xp, program, x, y), argnums=(0, 1))(*points(xp.device("numpy")))
    theirs = [library.torch.tensor(np.array(p), requires_grad=True) for p in points(xp.device("numpy"))]
    result = run(library, program, *theirs)
    if not result.requires_grad:
        assert not any(np.any(np.asarray(one)) for one in ours)
        return
    expected = library.torch.autograd.grad(result, theirs, allow_unused=True)
    for one, other in zip(ours, expected, strict=True):
        exact = np.zeros((3, 3)) if other is None else other.numpy()
        np.testing.assert_allclose(np.asarray(one), exact, rtol=1e-8, atol=1e-10)
