"""The class ``Program``: a graph on one device, ready to run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.array import Array
from .._core.device import Device
from .._core.operands import lift_operand, native_on
from ..errors import (
    ArgumentError,
    ArgumentTypeError,
    DeviceMismatchError,
    DTypeError,
    GradientError,
    ShapeError,
    UnsupportedDTypeError,
)
from .plan import Plan
from .planning import Planner
from .shapes import DRAWS
from .size import Size
from .trees import LEAF, TUPLE, built
from .values import SCALARS, Spec

if TYPE_CHECKING:
    from .graph import Graph

_MOST_PLANS = 64
"""For how many tuples of lengths plans are kept."""


class Program:
    """A graph on one device, with all its functions found; ``graph.on(device)`` makes it.

    Called with arrays in the structure of the arguments of the graph, it returns the results.
    """

    def __init__(
        self,
        graph: Graph,
        device: Device,
        *,
        simplify: bool = True,
        in_place: bool = True,
        compiled: bool = False,
        hardware: bool = False,
    ) -> None:
        if hardware and device.is_autodiff:
            raise GradientError(
                f"on: {device} differentiates, but nothing is recorded while a graph of the hardware runs; trace the "
                f"gradient, as in trace(value_and_grad(f), ...), and run that graph on {device.inner}"
            )
        self.graph: Graph | None = graph
        """The graph that it runs."""
        self.device = device
        """The device on which it runs."""
        self.is_compiled = False
        """Whether the compiler of the library has made one function of it."""
        self.is_hardware = False
        """Whether it runs as a graph of the accelerator."""
        self._graph = graph
        self._run_graph = graph.simplified() if simplify else graph
        self._in_place = in_place and not compiled
        self._compiled = compiled
        self._hardware = hardware
        self._plans: OrderedDict[tuple[int, ...], Plan] = OrderedDict()
        self._runners: dict[int, Any] = {}
        self._names = tuple(graph.least)
        self._only: Plan | None = None
        self._special = compiled or hardware
        self._is_flat = all(part.kind == LEAF for part in graph.arguments.parts)
        self._is_single = graph.tree.kind == LEAF
        several = graph.tree.kind == TUPLE and len(graph.outputs) > 1
        self._is_plain = self._is_single or (several and all(part.kind == LEAF for part in graph.tree.parts))
        """Whether the results are one array, or a tuple of arrays."""
        self._fast: Plan | None = None
        """The only plan, where arguments and results need no other structure."""
        self._count = len(graph.inputs)
        if not self._names:
            self._only = self._plan({})
            self._prepare(self._only)
            if self._is_flat and not self._special and self._is_plain:
                self._fast = self._only
        else:
            self._check_dtypes()

    def _check_dtypes(self) -> None:
        for spec in self._run_graph.specs:
            self.device.native_dtype(spec.dtype, "on")

    def __repr__(self) -> str:
        return f"<Program {self._graph.name} on {self.device}: {len(self._run_graph.steps)} steps>"

    # -- plans --------------------------------------------------------------------------------

    def _plan(self, lengths: Mapping[str, int]) -> Plan:
        """Return the plan for given lengths."""
        key = tuple(lengths[name] for name in self._names)
        found = self._plans.get(key)
        if found is None:
            found = Planner(self._run_graph, self.device, lengths, self._in_place).made()
            found.checks = Checks(self, found)
            self._plans[key] = found
            if len(self._plans) > _MOST_PLANS:
                _, old = self._plans.popitem(last=False)
                self._runners.pop(id(old), None)
        return found

    def _prepare(self, plan: Plan) -> Any:
        """Return what runs a plan in place of its instructions, ``None`` if nothing does."""
        if not (self._compiled or self._hardware):
            return None
        if id(plan) not in self._runners:
            self._runners[id(plan)] = self._made_runner(plan)
        return self._runners[id(plan)]

    def _made_runner(self, plan: Plan) -> Any:
        from . import compilers, hardware

        if self._hardware:
            draws = any(
                step.name in DRAWS for step in self._run_graph.steps
            )  # a launch would draw the same numbers
            runner = hardware.FixedBuffers(plan, self.device, records=not draws)
            self.is_hardware = runner.launch is not None
            return runner
        compiled = compilers.compiled(plan, self.device, self._run_graph)
        self.is_compiled = compiled is not None
        return compiled

    # -- fixed memory -------------------------------------------------------------------------

    @property
    def inputs(self) -> tuple[Array, ...]:
        """The arrays that ``replay`` reads, of a program with ``hardware=True``; write new values into them."""
        found: tuple[Array, ...] = self._buffers("inputs").inputs
        return found

    @property
    def outputs(self) -> tuple[Array, ...]:
        """The arrays that ``replay`` writes, of a program with ``hardware=True``; each replay writes into them anew."""
        found: tuple[Array, ...] = self._buffers("outputs").outputs
        return found

    def replay(self) -> None:
        """Compute ``outputs`` from ``inputs`` without any check, the shortest way to run a program again.

        Raises
        ------
        ArgumentError
            If the program was made without ``hardware=True``, or its graph has named lengths.
        """
        self._buffers("replay").replay()

    def _buffers(self, name: str) -> Any:
        if not self._hardware or self._only is None:
            raise ArgumentError(
                f"{name}: only a program with fixed memory has it: graph.on('{self.device}', hardware=True), of a "
                f"graph without named lengths"
            )
        return self._prepare(self._only)

    # -- calls --------------------------------------------------------------------------------

    def __call__(self, *args: Any) -> Any:
        """Return the results for arguments as the graph takes them.

        Raises
        ------
        ArgumentTypeError, ShapeError, DTypeError, DeviceMismatchError
            If an argument does not fit its input, which the text names.
        """
        if self._fast is not None and len(args) == self._count:
            return self._fast.replay(args, self.device)
        return self.replay_leaves(self._graph.leaves(args), self.device)

    def replay_leaves(self, leaves: tuple[Any, ...], at: Device) -> Any:
        """Return the results for the arrays of the arguments, as arrays on ``at``: the device, perhaps uncommitted."""
        plan = self._only
        if plan is None:
            plan = self._plan(self._lengths(leaves))
        results = self._by_runner(plan, leaves, at) if self._special else plan.replay(leaves, at)
        if self._is_plain:
            return results
        return built(self._graph.tree, list(results)[::-1] if type(results) is tuple else [results])

    def _by_runner(self, plan: Plan, leaves: tuple[Any, ...], at: Device) -> Any:
        """Do what ``Plan.replay`` does, by what the library compiled or the hardware recorded."""
        slots = plan.take(leaves, at)
        (self._prepare(plan) or plan.run)(slots)
        results = plan.wrapped(slots, at)
        return results[0] if len(results) == 1 else results

    def _lengths(self, leaves: tuple[Any, ...]) -> dict[str, int]:
        """Return the named lengths of the arguments, after checking that each has one value."""
        found: dict[str, tuple[int, str]] = {}
        for one, x in zip(self._graph.inputs, leaves, strict=True):
            shape = tuple(np.shape(x)) if type(x) is not Array else x.shape
            for wanted, have in zip(one.shape, shape, strict=False):
                name = wanted.name if type(wanted) is Size else None
                if name is None:
                    continue
                known = found.setdefault(name, (have, one.name))
                if known[0] != have:
                    raise ShapeError(
                        f"{self._graph.name}: the length {name} is {known[0]} in {known[1]}, but {have} in {one.name}"
                    )
        return self._checked_lengths({name: length for name, (length, _) in found.items()}, leaves)

    def _checked_lengths(self, lengths: dict[str, int], leaves: tuple[Any, ...]) -> dict[str, int]:
        for name, least in self._graph.least.items():
            if name not in lengths:  # an argument has too few axes, which its own check tells
                for number, x in enumerate(leaves):
                    self.checked(number, x, self.device, {})
            if lengths[name] < least:
                raise ShapeError(
                    f"{self._graph.name}: the length {name} is {lengths[name]}, but the program does something else "
                    f"below {least}, so the graph does not hold there; trace it for that length alone"
                )
        return lengths

    def checked(self, number: int, x: Any, at: Device, lengths: Mapping[str, int]) -> Any:
        """Return the native value of an argument on the device, or raise an error that names its input."""
        one = self._graph.inputs[number]
        wanted = Spec(
            tuple(n.at(lengths) if type(n) is Size and lengths else n for n in one.shape), one.dtype
        )
        label = f"{self._graph.name}: the argument {one.name} must be {Spec(one.shape, one.dtype)}"
        array = self._as_array(x, wanted, at, label)
        if array.dtype != wanted.dtype:
            raise DTypeError(f"{label}, got {array.dtype}{list(array.shape)}; convert it with astype")
        fits = len(array.shape) == len(wanted.shape) and all(
            type(n) is Size or n == m for n, m in zip(wanted.shape, array.shape, strict=True)
        )
        if not fits:
            raise ShapeError(f"{label}, got {array.dtype}{list(array.shape)}")
        if not _may_follow(array._device, at):
            raise DeviceMismatchError(
                f"{label} on {at}, but it is committed to {array._device}; move it with x.to_device('{at}'), or call "
                f"graph(...), which runs where the arguments live"
            )
        try:
            return native_on(self._graph.name, array, at)
        except UnsupportedDTypeError:
            raise
        except (DTypeError, GradientError) as error:
            raise type(error)(f"{label}: {error}") from error

    def _as_array(self, x: Any, wanted: Spec, at: Device, label: str) -> Array:
        if type(x) is Array:
            return x
        if type(x) in SCALARS and not wanted.shape:
            held = np.asarray(x).dtype
            if np.can_cast(held, wanted.dtype, "same_kind") or (
                held.kind == "i" and wanted.dtype.kind in "ufV"
            ):
                x = np.asarray(x, dtype=wanted.dtype)
        try:
            lifted = lift_operand(self._graph.name, x, at)
        except ArgumentTypeError:
            lifted = None
        if type(lifted) is not Array:
            raise ArgumentTypeError(f"{label}, got {type(x).__name__} {x!r:.60}")
        return lifted


def _may_follow(source: Device, at: Device) -> bool:
    """Return whether an array of a device is brought to the device of a program without being asked."""
    if source.adapter is at.adapter or source is not source.committed or at.adapter.absorbs:
        return True
    return source.hardware == at.hardware and at.is_autodiff


class Checks:
    """The check of an argument that does not fit its input at first sight."""

    __slots__ = ("plan", "program")

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan

    def __call__(self, number: int, x: Any, at: Device) -> Any:
        lengths = dict(zip(self.program._names, self._key(), strict=True))
        return self.program.checked(number, x, at, lengths)

    def _key(self) -> tuple[int, ...]:
        plans = self.program._plans.items()
        return next((key for key, plan in plans if plan is self.plan), ())
