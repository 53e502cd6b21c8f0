"""A plan as a graph of the accelerator, which is launched at once: on ``torch:cuda:*`` and ``cupy:*``.

Written from the documentation of PyTorch and CuPy.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

from .._core.device import Device
from .shapes import DRAWS

if TYPE_CHECKING:
    from .graph import Graph
    from .plan import Plan

_WARM_UP = 3
"""How often a plan runs before it is recorded, so that libraries have made what they need."""
Recording = tuple[Callable[[], Any], list[Any]]


class HardwareRunner:
    """Fixed buffers for the inputs, the results, and the launch of what was recorded between them."""

    def __init__(self, plan: Plan, device: Device) -> None:
        self._plan = plan
        self._lock = Lock()
        self._copy = device.function("copy")
        self._fill = device.function("setitem")
        ones = device.function("ones")
        native_device = device.adapter.native_device
        self.inputs = [
            ones(shape, dtype=dtype, device=native_device)
            for shape, dtype in zip(plan.shapes, plan.dtypes, strict=True)
        ]
        """The native arrays that a launch reads."""
        self.outputs: list[Any] = []
        """The native arrays that a launch writes."""
        self.launch: Callable[[], Any] = self._run

    def _run(self) -> list[Any]:
        """Run the plan on the buffers, and return its results."""
        slots = self._plan.template.copy()
        for place, one in zip(self._plan.places, self.inputs, strict=True):
            slots[place] = one
        self._plan.run(slots)
        return [slots[place] for place in self._plan.outputs]

    def record(self, recorder: Callable[[Callable[[], Any], int], tuple[Callable[[], Any], Any]]) -> None:
        """Record the plan by a function of the library."""
        self.launch, self.outputs = recorder(self._run, _WARM_UP)

    def __call__(self, slots: list[Any]) -> None:
        """Copy the inputs into the buffers, launch, and put copies of the results into their places."""
        with self._lock:
            for buffer, place in zip(self.inputs, self._plan.places, strict=True):
                self._fill(buffer, ..., slots[place])
            self.launch()
            for place, one in zip(self._plan.outputs, self.outputs, strict=True):
                slots[place] = self._copy(one)


def recorded(plan: Plan, device: Device, graph: Graph) -> HardwareRunner | None:
    """Return what runs a plan as a graph of the accelerator; ``None`` where that cannot be.

    A plan with draws of random numbers is not recorded, since a launch would draw the same numbers each time. Nor is a
    plan that reads values on the host or waits for the device, which the library refuses while it records.
    """
    recorder = device.adapter.graph_recorder()
    if recorder is None or any(step.name in DRAWS for step in graph.steps):
        return None
    try:
        made = HardwareRunner(plan, device)
        made.record(recorder)
    except Exception:  # a function of the plan cannot be recorded
        device.synchronize()
        return None
    return made
