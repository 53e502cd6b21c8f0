"""Graphs as text, as a program of Graphviz, and as a picture for notebooks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from .values import Ref, Step

if TYPE_CHECKING:
    from .graph import Graph


def shown(value: Any) -> str:
    """Return an argument of a step as it is printed."""
    if isinstance(value, Ref):
        return repr(value)
    if value is ...:
        return "..."
    if type(value) is tuple:
        return f"({', '.join(map(shown, value))}{',' * (len(value) == 1)})"
    if type(value) is list:
        return f"[{', '.join(map(shown, value))}]"
    if type(value) is slice:
        parts = ["" if one is None else shown(one) for one in (value.start, value.stop, value.step)]
        return ":".join(parts if parts[2] else parts[:2])
    if isinstance(value, np.dtype):
        return str(value)
    return str(value) if type(value).__name__ in ("Size", "Scaled") else repr(value)


def source_text(step: Step) -> str:
    """Return the file and line of a step, as in ``model.py:12``; empty if it has none."""
    return f"{os.path.basename(step.source[0])}:{step.source[1]}" if step.source else ""


def call_text(step: Step) -> str:
    """Return the call of a step, as in ``sum(%2, axis=0)``."""
    args = [shown(one) for one in step.args]
    if step.name == "getitem":
        return f"{args[0]}[{args[1].strip('()') if type(step.args[1]) is tuple else args[1]}]"
    settings = [f"{key}={shown(one)}" for key, one in step.settings.items() if one is not None]
    return f"{step.name}({', '.join([*args, *settings])})"


def step_line(graph: Graph, step: Step) -> str:
    """Return the line of a step: its results, the call, and where the program made it."""
    outs = ", ".join(f"%{n}: {graph.specs[n]!r}" for n in step.outs)
    where = source_text(step)
    return f"{outs} = {call_text(step)}" + (f"  # {where}" if where else "")


def text(graph: Graph) -> str:
    """Return the graph as lines, like a program."""
    inputs = ", ".join(f"%{one.number} {one.name}: {graph.specs[one.number]!r}" for one in graph.inputs)
    lines = [f"{graph.name}({inputs})"]
    lines += [
        f"  %{number}: {graph.specs[number]!r} = constant from {one.device}"
        for number, one in graph.constant_values.items()
    ]
    lines += [f"  {step_line(graph, step)}" for step in graph.steps]
    least = [f"{name} >= {n}" for name, n in graph.least.items() if n > 0]
    lines.append(
        f"  return {', '.join(f'%{n}' for n in graph.outputs)}" + (f"  # {', '.join(least)}" if least else "")
    )
    return "\n".join(lines)


# -- pictures -----------------------------------------------------------------------------------


class Node:
    """A box of a picture: an input, a constant, a step or a result."""

    def __init__(self, key: str, kind: str, title: str, about: str, where: str, reads: list[int]) -> None:
        self.key = key
        self.kind = kind
        self.title = title
        self.about = about
        self.where = where
        self.reads = reads
        """The numbers of the values that it reads."""
        self.row = 0
        self.x = 0.0


def nodes_of(graph: Graph) -> tuple[list[Node], dict[int, Node]]:
    """Return the boxes of a picture, and for each value the box that makes it."""
    from .values import refs_in

    nodes: list[Node] = []
    makers: dict[int, Node] = {}
    for one in graph.inputs:
        nodes.append(Node(f"v{one.number}", "input", one.name, repr(graph.specs[one.number]), "", []))
        makers[one.number] = nodes[-1]
    for number in graph.constant_values:
        nodes.append(Node(f"v{number}", "constant", "constant", repr(graph.specs[number]), "", []))
        makers[number] = nodes[-1]
    for index, step in enumerate(graph.steps):
        about = ", ".join(repr(graph.specs[n]) for n in step.outs[:3]) + (
            ", ..." if len(step.outs) > 3 else ""
        )
        reads = list(dict.fromkeys(ref.number for ref in refs_in((step.args, step.settings))))
        nodes.append(Node(f"s{index}", "step", _title(step), about, source_text(step), reads))
        makers.update(dict.fromkeys(step.outs, nodes[-1]))
    for place, number in enumerate(graph.outputs):
        nodes.append(Node(f"o{place}", "result", "result" + f" {place}" * (len(graph.outputs) > 1),
                          repr(graph.specs[number]), "", [number]))  # fmt: skip
    return nodes, makers


def _title(step: Step) -> str:
    """Return the name of a function with its arguments that are no arrays."""
    from .values import refs_in

    if step.name == "getitem" and not refs_in(step.args[1]):
        key = shown(step.args[1])
        return f"[{key.strip('()') if type(step.args[1]) is tuple else key}]"
    more = [shown(one) for one in step.args if not refs_in(one)]
    more += [
        f"{key}={shown(one)}" for key, one in step.settings.items() if one is not None and one is not False
    ]
    title = f"{step.name}  {', '.join(more)}" if more else step.name
    return title if len(title) <= 40 else f"{title[:38]}..."


_COLOURS = {"input": "#dbeafe", "constant": "#e5e7eb", "step": "#ffffff", "result": "#dcfce7"}
_EDGES = {"input": "#3b82f6", "constant": "#9ca3af", "step": "#6b7280", "result": "#16a34a"}


def dot(graph: Graph) -> str:
    """Return the graph in the language of Graphviz."""
    nodes, makers = nodes_of(graph)
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        '  graph [rankdir=TB, nodesep=0.25, ranksep=0.35, fontname="Helvetica"];',
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, margin="0.12,0.06"];',
        '  edge [color="#6b7280", arrowsize=0.6, fontname="Helvetica", fontsize=9];',
    ]
    for one in nodes:
        label = "\\n".join(filter(None, [_escaped(one.title), _escaped(one.about)]))
        tip = f", tooltip={_quoted(one.where)}" if one.where else ""
        lines.append(
            f'  {one.key} [label="{label}", fillcolor="{_COLOURS[one.kind]}", color="{_EDGES[one.kind]}"{tip}];'
        )
    lines += [f"  {makers[number].key} -> {one.key};" for one in nodes for number in one.reads]
    return "\n".join([*lines, "}"])


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


_WIDTH, _HEIGHT, _GAP, _RISE = 170, 40, 16, 26
_LARGEST = 200
"""The number of steps up to which a notebook shows a picture; a longer graph is shown as text."""


def html(graph: Graph) -> str:
    """Return a picture in SVG, or the text of a long graph."""
    from html import escape

    title = f"<div><code>{escape(repr(graph)[1:-1])}</code></div>"
    if len(graph.steps) > _LARGEST:
        return f"{title}<pre>{escape(text(graph))}</pre>"
    return title + svg(graph)


def svg(graph: Graph) -> str:
    """Return a picture of the graph: one row for each distance from the inputs."""
    from html import escape

    nodes, makers = nodes_of(graph)
    rows = _placed(nodes, makers)
    widest = max((len(row) for row in rows), default=1)
    width, height = widest * (_WIDTH + _GAP) + _GAP, len(rows) * (_HEIGHT + _RISE) + _GAP
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    style = 'style="max-width:100%;height:auto;font-family:Helvetica,Arial,sans-serif"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>']
    for one in nodes:
        lines += [_edge(makers[number], one) for number in one.reads]
    for one in nodes:
        x, y = one.x - _WIDTH / 2, _top(one)
        lines.append(
            f"<g><title>{escape(f'{one.title}: {one.about} {one.where}'.strip())}</title>"
            f'<rect x="{x:.1f}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="{_COLOURS[one.kind]}" '
            f'stroke="{_EDGES[one.kind]}"/>'
            f'<text x="{one.x:.1f}" y="{y + 16}" text-anchor="middle" font-size="12" fill="#111827">'
            f"{escape(_cut(one.title, 27))}</text>"
            f'<text x="{one.x:.1f}" y="{y + 31}" text-anchor="middle" font-size="10" fill="#4b5563">'
            f"{escape(_cut(one.about, 32))}</text></g>"
        )
    return "".join([*lines, "</svg>"])


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}\u2026"


def _top(one: Node) -> int:
    return _GAP // 2 + one.row * (_HEIGHT + _RISE)


def _edge(source: Node, target: Node) -> str:
    """Return a curve from the bottom of a box to the top of another one."""
    y1, y2 = _top(source) + _HEIGHT, _top(target)
    bend = max((y2 - y1) / 2, 10)
    return (
        f'<path d="M{source.x:.1f},{y1} C{source.x:.1f},{y1 + bend:.1f} {target.x:.1f},{y2 - bend:.1f} '
        f'{target.x:.1f},{y2}" fill="none" stroke="#9ca3af" stroke-width="1.2"/>'
    )


def _placed(nodes: list[Node], makers: dict[int, Node]) -> list[list[Node]]:
    """Give each box a row below all that it reads, and a place in the row below the middle of what it reads."""
    for one in nodes:
        one.row = max((makers[number].row + 1 for number in one.reads), default=0)
    deepest = max((one.row for one in nodes), default=0)
    for one in nodes:
        if one.kind == "result":
            one.row = deepest
        elif not one.reads:
            readers = [other.row for other in nodes if any(makers[n] is one for n in other.reads)]
            one.row = max(min(readers, default=1) - 1, 0)
    rows = [[one for one in nodes if one.row == row] for row in range(deepest + 1)]
    widest = max((len(row) for row in rows), default=1)
    step = _WIDTH + _GAP
    middle = (widest * step + _GAP) / 2
    for row in rows:
        for place, one in enumerate(row):
            above = [makers[n].x for n in one.reads]
            one.x = sum(above) / len(above) if above else middle + (place - (len(row) - 1) / 2) * step
        row.sort(key=lambda one: one.x)
        _spread(row, step, _GAP + _WIDTH / 2, widest * step - _WIDTH / 2)
    return rows


def _spread(row: list[Node], step: float, left: float, right: float) -> None:
    """Move the boxes of a row apart, inside of the picture."""
    for i, one in enumerate(row):
        one.x = max(one.x, left if i == 0 else row[i - 1].x + step)
    limit = right
    for one in reversed(row):
        one.x = min(one.x, limit)
        limit = one.x - step
