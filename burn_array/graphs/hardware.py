"""A plan with fixed memory for its inputs and results, recorded by the accelerator where there are such graphs.

Adapters record on ``torch:cuda:*`` and ``cupy:*``. On any other device the plan runs, and writes into the same memory.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any

from .._core.array import Array
from .._core.device import Device
from .plan import Plan

_WARM_UP = 3
"""How often a plan runs before it is recorded, so that libraries have made what they need."""


class FixedBuffers:
    """Arrays that a plan reads, arrays that it writes, and what runs between them."""

    def __init__(self, plan: Plan, device: Device, *, records: bool) -> None:
        self.plan = plan
        self.device = device
        self.inputs: tuple[Array, ...] = tuple(self._made(i) for i in range(len(plan.places)))
        """The arrays that a replay reads; write new values into them."""
        self.outputs: tuple[Array, ...] = ()
        """The arrays that a replay writes."""
        self.launch: Callable[[], Any] | None = None
        """Launches what the accelerator recorded, ``None`` if it recorded nothing."""
        self._lock = RLock()
        self._copy = device.function("copy")
        self._fill = device.function("setitem")
        if records:
            self._record()
        if self.launch is None:
            self.outputs = tuple(Array(self._copy(one), device) for one in self._run())

    def _made(self, place: int) -> Array:
        """Return an array of ones for an input."""
        native_device = self.device.adapter.native_device
        shape, dtype = self.plan.shapes[place], self.plan.dtypes[place]
        return Array(self.device.function("ones")(shape, dtype=dtype, device=native_device), self.device)

    def _record(self) -> None:
        """Let the accelerator record the plan; leave it if a function of the plan cannot be recorded."""
        recorder = self.device.adapter.graph_recorder()
        if recorder is None:
            return
        try:
            launch, results = recorder(self._run, _WARM_UP)
        except Exception:  # whatever the library says of a function that reads values or waits for the device
            self.device.synchronize()
            return
        self.launch = launch
        self.outputs = tuple(Array(one, self.device) for one in results)

    def _run(self) -> list[Any]:
        """Run the plan on the inputs, and return its native results."""
        slots = self.plan.template.copy()
        for place, one in zip(self.plan.places, self.inputs, strict=True):
            slots[place] = one._native
        self.plan.run(slots)
        return [slots[place] for place in self.plan.outputs]

    def replay(self) -> None:
        """Compute ``outputs`` from ``inputs``, as they are now."""
        with self._lock:
            if self.launch is not None:
                self.launch()
                return
            for array, one in zip(self.outputs, self._run(), strict=True):
                self._write(array, one)

    def _write(self, array: Array, value: Any) -> None:
        made = self._fill(array._native, ..., value)
        if made is not None:
            array._native = made

    def __call__(self, slots: list[Any]) -> None:
        """Copy the inputs, replay, and put copies of the results into their places."""
        with self._lock:
            for array, place in zip(self.inputs, self.plan.places, strict=True):
                self._write(array, slots[place])
            self.replay()
            for place, array in zip(self.plan.outputs, self.outputs, strict=True):
                slots[place] = self._copy(array._native)
