"""Balanced checkpointing: results that are cheap to compute again are not saved.

On a device with ``+autodiff[balanced]`` the result of a cheap call carries a :class:`Recipe`, which names the
call and holds its operands. A node that would save such a result saves the recipe; the value goes when the
last array of the user does, and comes back when the pass back asks for it. The recipe hangs on the value, not
on the node: it lives only as long as somebody may need it. Two rules bound what that costs:

* a recipe that would hold back more than ``FRONTIER`` times the bytes of its value is not made (a sum of two
  long-lived arrays is better kept itself; parameters and constants count nothing, they live anyway);
* after ``CHAIN`` calls in a row the value is kept, so that at most that many are computed again at once.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from burn_array.adapter import Adapter

from .nodes import Call
from .recomputation import Recomputation, recomputed
from .record import (
    Function,
    adopt_all,
    drop_values,
    is_saved,
    natives_of,
    nodes_of,
    recorded_results,
    refuse_tracked,
    square_recording,
    untracked,
)
from .tape import GraphValue, Leaf, Op, PassState

MAX_HELD = 1.3
MAX_DEPTH = 16
CHEAP_MOVES = frozenset(
    """broadcast_to expand_dims flip matrix_transpose moveaxis permute_dims repeat reshape roll squeeze tile
    tril triu""".split()
)
"""Cheap functions other than the element-wise ones."""


class CheckpointedCall(Call):
    """A call whose operands or result may be recipes."""

    __slots__ = ()

    def back(self, state: PassState, g: Any) -> Any:
        saved = self.args, self.out
        self.args, self.out = recomputed(self.args, state), recomputed(self.out, state)
        try:
            return super().back(state, g)
        finally:
            if not state.frees:
                self.args, self.out = saved


def balanced(op: Op, function: Function, inner: Adapter) -> Function:
    """Return a function that records its calls, on a device with balanced checkpointing."""
    array_type, adopt = inner.array_type, inner.adopt
    cheap = op.elementwise or op.name in CHEAP_MOVES
    size = _sizes(inner)
    square = square_recording(op, balanced, inner)

    def call_again(*args: Any, **settings: Any) -> Any:
        out = function(*args, **settings)
        return out if type(out) is array_type else adopt(out)

    def recorded(*args: Any, **settings: Any) -> Any:
        if square is not None and args[0] is args[1] and args[0].node is not None:
            return square(args[0])
        values = [natives_of(one) for one in args]
        settings = {key: refuse_tracked(op.name, key, one) for key, one in settings.items()}
        out = adopt_all(function(*values, **settings), array_type, adopt)
        parents = [nodes_of(op.rule, i, one) for i, one in enumerate(args)]
        if not any(parents):
            return untracked(out)
        saved = [
            _value_or_recomputation(args[i], value)
            if is_saved(op.rule, parents, i)
            else drop_values(value, array_type)
            for i, value in enumerate(values)
        ]
        node = CheckpointedCall(op, parents, saved, settings, None)
        result = recorded_results(node, out, any(op.rule.saves_out))
        if cheap and type(result) is GraphValue:
            result.recomputation = _recomputation_of(op, call_again, args, values, settings, size(out), size)
            if any(op.rule.saves_out):
                node.out = _value_or_recomputation(result, out)
        return result

    return recorded


def _sizes(inner: Adapter) -> Callable[[Any], int]:
    def size(native: Any) -> int:
        return prod(inner.shape_of(native)) * inner.dtype_of(native).itemsize

    return size


def _recomputation_of(
    op: Op,
    function: Function,
    args: Any,
    values: list[Any],
    settings: dict[str, Any],
    out_bytes: int,
    size: Callable[[Any], int],
) -> Recomputation | None:
    """Return the recipe of a result of ``own`` bytes, or ``None`` where the value is better kept."""
    depth, held_bytes = 0, dict[int, int]()
    for one, value in zip(args, values, strict=True):
        if type(one) is not GraphValue or one.node is None or type(one.node) is Leaf:
            continue
        recomputation = getattr(one, "recomputation", None)
        if recomputation is None:
            held_bytes[id(value)] = size(value)
        else:
            depth = max(depth, recomputation.depth)
            held_bytes.update(recomputation.held_bytes)
    if depth + 1 >= MAX_DEPTH or sum(held_bytes.values()) > MAX_HELD * out_bytes:
        return None
    return Recomputation(
        op,
        function,
        [_value_or_recomputation(one, value) for one, value in zip(args, values, strict=True)],
        settings,
        depth + 1,
        held_bytes,
    )


def _value_or_recomputation(one: Any, value: Any) -> Any:
    """Return what to keep of an operand: its recipe if it has one."""
    recomputation = getattr(one, "recomputation", None) if type(one) is GraphValue else None
    if recomputation is None:
        if type(value) in (list, tuple) and any(type(each) is GraphValue for each in one):
            return [_value_or_recomputation(each, native) for each, native in zip(one, value, strict=True)]
        return value
    recomputation.uses += 1
    return recomputation
