"""Memory that graphs share with plain arrays, and when it was last changed.

Arrays of an autodiff device have value semantics, plain arrays are changed where they lie. Where one becomes
the other without a copy, the memory is *lent*: noted in ``SHARED`` for as long as an array there is alive. An
assignment to a plain array leaves the time in the note, counted as the orders of nodes are, and a pass back refuses
to read a value that was changed after its node was made. Nothing is noted on nodes and values themselves, so
that computing with them costs what it did.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np

from burn_array.adapter import SHARED, Adapter
from burn_array.errors import GradientError

from .tape import Node, next_order

LAST_CHANGE = [0]
"""When any lent memory was last changed: whatever is newer need not be looked at."""


class SharedMemory:
    """Memory that was lent, as one library sees it. ``holders`` are weak references to the arrays that keep it."""

    __slots__ = ("changed", "holders")

    def __init__(self, changed: list[int]) -> None:
        self.changed = changed
        """When it was last changed: one list for all libraries."""
        self.holders: dict[int, Holder] = {}

    def change(self) -> None:
        """Note that the values are others from now on."""
        self.changed[0] = LAST_CHANGE[0] = next_order()


class Holder(ref[Any]):
    """A weak reference to an array that keeps the memory noted under ``key``."""

    __slots__ = ("key", "memory", "number")

    key: int
    number: int
    memory: SharedMemory


def _forget(keeper: Holder) -> None:
    """Remove the note of a memory whose last holder went."""
    holders = keeper.memory.holders
    if holders.get(keeper.number) is keeper:
        del holders[keeper.number]
    if not holders and SHARED.get(keeper.key) is keeper.memory:
        del SHARED[keeper.key]


def register_shared(adapter: Adapter, value: Any, changed: list[int] | None = None) -> list[int]:
    """Note that a graph and plain arrays share the memory of ``value``, and return when it was ``changed``."""
    owner, keeper = adapter.memory(value)
    key, number = id(owner), id(keeper)
    memory: SharedMemory | None = SHARED.get(key)
    if memory is None:
        memory = SharedMemory([0] if changed is None else changed)
    elif number in memory.holders:
        return memory.changed
    holder = Holder(keeper, _forget)
    holder.key, holder.number, holder.memory = key, number, memory
    memory.holders[number] = holder
    SHARED[key] = memory  # last: a holder that goes meanwhile may have removed it
    return memory.changed


def register_moved(a: Adapter, value: Any, b: Adapter, moved: Any) -> None:
    """Note what ``lend`` does for a value of ``a`` that is ``moved`` to ``b``, if the move made no copy."""
    if a is b or _shares_memory(a, value, b, moved):
        changed = register_shared(a, value)
        if moved is not value:
            register_shared(b, moved, changed)


def _shares_memory(a: Adapter, value: Any, b: Adapter, moved: Any) -> bool:
    if a.is_host and b.is_host:
        return np.may_share_memory(a.to_host(value), b.to_host(moved))
    return a.dlpack_device == b.dlpack_device


def check(node: Node) -> None:
    """Refuse to go back through a call if what it saved was changed since.

    Raises
    ------
    GradientError
        if it was
    """
    if node.op is not None and node.op.xp is not None:
        _, args, settings, out = node.call()
        check_values(node.op, (args, tuple(settings.values()), out), node.order)


def check_values(op: Any, values: Any, order: int) -> None:
    """Refuse to read values, nested in tuples and lists, that were changed since ``order``; recipes see to theirs."""
    adapter: Adapter = op.xp.adapter
    stack = [values]
    while stack:
        one = stack.pop()
        if type(one) in (tuple, list):
            stack += one
        elif type(one) is adapter.array_type:
            memory = SHARED.get(id(adapter.memory(one)[0]))
            if memory is not None and memory.changed[0] > order:
                raise GradientError(
                    f"backward: an array that {op.name} saved was changed in place after the call; "
                    f"give {op.name} a copy, asarray(x, copy=True), or change the array after backward"
                )
