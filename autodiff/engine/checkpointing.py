"""Balanced checkpointing: what is cheap to compute again is not kept.

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
from .recomputation import Recipe, taken
from .record import (
    Function,
    adopted,
    constants,
    nodes_of,
    outcome,
    outline,
    plain,
    reads,
    refuse_tracked,
    twin_of,
)
from .tape import Handle, Leaf, Op, Pass

FRONTIER = 1.3
CHAIN = 16
MOVES = frozenset(
    """broadcast_to expand_dims flip matrix_transpose moveaxis permute_dims repeat reshape roll squeeze tile
    tril triu""".split()
)
"""Cheap functions beside the element-wise ones."""


class Recomputed(Call):
    """A call whose operands or result may be recipes."""

    __slots__ = ()

    def back(self, sweep: Pass, g: Any) -> Any:
        kept = self.args, self.out
        self.args, self.out = taken(self.args, sweep), taken(self.out, sweep)
        try:
            return super().back(sweep, g)
        finally:
            if not sweep.frees:
                self.args, self.out = kept


def balanced(op: Op, function: Function, inner: Adapter) -> Function:
    """Return the form of a function that records on a device with balanced checkpointing."""
    array_type, adopt = inner.array_type, inner.adopt
    cheap = op.elementwise or op.name in MOVES
    size = _sizes(inner)
    twin = twin_of(op, balanced, inner)

    def recomputing(*args: Any, **settings: Any) -> Any:
        out = function(*args, **settings)
        return out if type(out) is array_type else adopt(out)

    def recorded(*args: Any, **settings: Any) -> Any:
        if twin is not None and args[0] is args[1] and args[0].node is not None:
            return twin(args[0])
        values = [plain(one) for one in args]
        settings = {key: refuse_tracked(op.name, key, one) for key, one in settings.items()}
        out = adopted(function(*values, **settings), array_type, adopt)
        parents = [nodes_of(op.rule, i, one) for i, one in enumerate(args)]
        if not any(parents):
            return constants(out)
        kept = [
            _saved(args[i], value) if reads(op.rule, parents, i) else outline(value, array_type)
            for i, value in enumerate(values)
        ]
        node = Recomputed(op, parents, kept, settings, None)
        result = outcome(node, out, any(op.rule.needs_out))
        if cheap and type(result) is Handle:
            result.recipe = _recipe(op, recomputing, args, values, settings, size(out), size)
            if any(op.rule.needs_out):
                node.out = _saved(result, out)
        return result

    return recorded


def _sizes(inner: Adapter) -> Callable[[Any], int]:
    def size(native: Any) -> int:
        return prod(inner.shape_of(native)) * inner.dtype_of(native).itemsize

    return size


def _recipe(
    op: Op,
    function: Function,
    args: Any,
    values: list[Any],
    settings: dict[str, Any],
    own: int,
    size: Callable[[Any], int],
) -> Recipe | None:
    """Return the recipe of a result of ``own`` bytes, or ``None`` where the value is better kept."""
    depth, pins = 0, dict[int, int]()
    for one, value in zip(args, values, strict=True):
        if type(one) is not Handle or one.node is None or type(one.node) is Leaf:
            continue
        recipe = getattr(one, "recipe", None)
        if recipe is None:
            pins[id(value)] = size(value)
        else:
            depth = max(depth, recipe.depth)
            pins.update(recipe.pins)
    if depth + 1 >= CHAIN or sum(pins.values()) > FRONTIER * own:
        return None
    return Recipe(
        op,
        function,
        [_saved(one, value) for one, value in zip(args, values, strict=True)],
        settings,
        depth + 1,
        pins,
    )


def _saved(one: Any, value: Any) -> Any:
    """Return what to keep of an operand: its recipe if it has one."""
    recipe = getattr(one, "recipe", None) if type(one) is Handle else None
    if recipe is None:
        if type(value) in (list, tuple) and any(type(each) is Handle for each in one):
            return [_saved(each, native) for each, native in zip(one, value, strict=True)]
        return value
    recipe.uses += 1
    return recipe
