"""A whole plan as one function of the compiler of its library: ``jax.jit`` and ``torch.compile``."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.device import Device
from .shapes import DRAWS

if TYPE_CHECKING:
    from .graph import Graph
    from .plan import Plan

Runner = Callable[[list[Any]], None]


_OPAQUE = ("special.", "linalg.")
"""Functions that a library may compute outside of what its compiler sees."""


def compiled(plan: Plan, device: Device, graph: Graph) -> Runner | None:
    """Return a function that fills the results of a plan by the compiler of the library; ``None`` if it cannot.

    A plan with draws of random numbers is not compiled, since its generator is outside of it. What was compiled for one
    example is compared with the plan on another one, so that nothing that depends on values can be fixed in it.
    """
    compiler = device.adapter.compiler()
    if compiler is None or device.is_autodiff or any(step.name in DRAWS for step in graph.steps):
        return None
    if any(step.name.startswith(_OPAQUE) for step in graph.steps):
        return None
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            runner = _runner(plan, compiler)
            runner(_example(plan, device, 0))
            return runner if _agree(plan, runner, device) else None
    except Exception:  # the compiler refuses a function, or does not work on this machine
        return None


def _agree(plan: Plan, runner: Runner, device: Device) -> bool:
    """Return whether the compiled function gives what the plan gives, on an example that it was not compiled for."""
    found, wanted = _example(plan, device, 1), _example(plan, device, 1)
    runner(found)
    plan.run(wanted)
    to_host = device.adapter.to_host
    for place in plan.outputs:
        a, b = to_host(found[place]), to_host(wanted[place])
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        if a.dtype.kind in "fc" and not np.allclose(
            a, b, rtol=1e-2 if a.dtype.itemsize < 4 else 1e-4, equal_nan=True
        ):
            return False
        if a.dtype.kind in "biu" and not np.array_equal(a, b):
            return False
    return True


def _runner(plan: Plan, compiler: Callable[[Any], Any]) -> Runner:
    places, outputs = plan.places, plan.outputs

    def program(*inputs: Any) -> tuple[Any, ...]:
        slots = plan.template.copy()
        for place, one in zip(places, inputs, strict=True):
            slots[place] = one
        plan.run(slots)
        return tuple([slots[place] for place in outputs])

    function = compiler(program)

    def run(slots: list[Any]) -> None:
        results = function(*[slots[place] for place in places])
        for place, one in zip(outputs, results, strict=True):
            slots[place] = one

    return run


def _example(plan: Plan, device: Device, seed: int) -> list[Any]:
    """Return the values of a plan with numbers between 0 and 4 as inputs."""
    slots = plan.template.copy()
    numbers = np.random.default_rng(seed)
    names = {native: dtype for dtype, native in device.adapter.dtypes.items()}
    for place, shape, native in zip(plan.places, plan.shapes, plan.dtypes, strict=True):
        values = (
            numbers.integers(0, 5, shape) if names[native].kind in "iu" else numbers.uniform(0.0, 4.0, shape)
        )
        values = values > 2 if names[native].kind == "b" else values
        slots[place] = device.adapter.from_host(np.asarray(values).astype(names[native]), True)
    return slots
