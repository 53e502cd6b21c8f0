"""Simplify a graph: leave out copies and steps that nothing reads, and make equal steps once."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from .shapes import DRAWS
from .values import Ref, Step, mapped, refs_in

if TYPE_CHECKING:
    from .graph import Graph


def simplified(graph: Graph) -> Graph:
    """Return a graph with the same results and fewer steps; draws of random numbers all stay."""
    from .graph import Graph

    renamed: dict[int, int] = {}

    def rename(value: Any) -> Any:
        return Ref(renamed.get(value.number, value.number)) if type(value) is Ref else value

    steps: list[Step] = []
    known: dict[Any, tuple[int, ...]] = {}
    special: set[int] = set()
    for step in graph.steps:
        step = step._replace(args=mapped(step.args, rename), settings=mapped(step.settings, rename))
        same = _source_of_copy(graph, step, special)
        if same is not None:
            renamed[step.outs[0]] = same
            continue
        if step.name.startswith("special."):
            special.update(step.outs)
        if step.name not in DRAWS:
            key = (step.name, frozen(step.args), frozen(step.settings))
            outs = known.setdefault(key, step.outs)
            if outs is not step.outs:
                renamed.update(zip(step.outs, outs, strict=True))
                continue
        steps.append(step)
    outputs = [renamed.get(n, n) for n in graph.outputs]
    kept = _read(steps, outputs)
    constants = {n: one for n, one in graph.constant_values.items() if n in kept[1]}
    return Graph(
        graph.name,
        graph.specs,
        graph.inputs,
        constants,
        kept[0],
        outputs,
        graph.tree,
        graph.arguments,
        graph.least,
    )


def _source_of_copy(graph: Graph, step: Step, special: set[int]) -> int | None:
    """Return the number of the value that a step copies, ``None`` if it does anything else."""
    if step.name == "copy":
        return int(step.args[0].number)
    if step.name != "astype":
        return None
    # A special function may give another dtype on some device, which the cast after it makes good.
    source = int(step.args[0].number)
    same = graph.specs[source].dtype == graph.specs[step.outs[0]].dtype
    return source if same and source not in special else None


def _read(steps: list[Step], outputs: list[int]) -> tuple[list[Step], set[int]]:
    """Return the steps whose results are read, and the numbers of all values that are."""
    read = set(outputs)
    kept = []
    for step in reversed(steps):
        if step.name in DRAWS or not read.isdisjoint(step.outs):
            kept.append(step)
            read.update(ref.number for ref in refs_in((step.args, step.settings)))
    return kept[::-1], read


def frozen(value: Any) -> Any:
    """Return a key for an argument, in which numbers of different types, and zeros of different signs, differ."""
    kind = type(value)
    if kind is tuple or kind is list:
        return tuple(map(frozen, value))
    if kind is dict:
        return tuple((key, frozen(one)) for key, one in sorted(value.items()))
    if kind is slice:
        return "slice", frozen((value.start, value.stop, value.step))
    if kind is float:
        return float, struct.pack("d", value)
    if kind is complex:
        return complex, struct.pack("dd", value.real, value.imag)
    return kind, value
