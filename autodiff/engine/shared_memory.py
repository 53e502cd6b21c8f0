"""Memory that graphs share with plain arrays, and when it was last changed in place.

Arrays of an autodiff device have value semantics; plain arrays are changed in place. If one becomes the other without a
copy, they share memory, which is registered in ``SHARED`` while an array uses it. An in-place change of a plain array
stores a time there, counted like the numbers of nodes, and a backward pass refuses to read a value that was changed
after its node was made. Nodes and values store nothing for this, so computing with them costs no more.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np

from burn_array.adapter import SHARED, Adapter, shares_memory
from burn_array.errors import GradientError

from .tape import Node, next_order

LAST_CHANGE = [0]
"""The time of the last change of any shared memory; nodes made later need no check."""


class SharedMemory:
    """Shared memory, as one library sees it; ``holders`` are weak references to the arrays that use it."""

    __slots__ = ("changed", "holders")

    def __init__(self, changed: list[int]) -> None:
        self.changed = changed
        """A list with the time of the last change, shared by all libraries."""
        self.holders: dict[int, Holder] = {}

    def change(self) -> None:
        """Record a change in place, now."""
        self.changed[0] = LAST_CHANGE[0] = next_order()


class Holder(ref[Any]):
    """A weak reference to an array that uses the memory registered under ``key``."""

    __slots__ = ("key", "memory", "number")

    key: int
    number: int
    memory: SharedMemory


def _forget(keeper: Holder) -> None:
    """Remove the entry of memory that no array uses any more."""
    holders = keeper.memory.holders
    if holders.get(keeper.number) is keeper:
        del holders[keeper.number]
    if not holders and SHARED.get(keeper.key) is keeper.memory:
        del SHARED[keeper.key]


def register_shared(adapter: Adapter, value: Any, changed: list[int] | None = None) -> list[int]:
    """Register that a graph and plain arrays share the memory of ``value``, and return the time of its last change."""
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
    """Register the memory of a value of ``a`` that was moved to ``b``, if the move made no copy."""
    if a is b or _shares_memory(a, value, b, moved):
        changed = register_shared(a, value)
        if moved is not value:
            register_shared(b, moved, changed)


def _shares_memory(a: Adapter, value: Any, b: Adapter, moved: Any) -> bool:
    if a.dlpack_device is None or b.dlpack_device is None:
        return False
    if a.is_host and b.is_host:
        return np.may_share_memory(a.to_host(value), b.to_host(moved))
    return shares_memory(a.dlpack_device, b.dlpack_device)


def check(node: Node) -> None:
    """Raise if a value that a call saved was changed in place after the call.

    Raises
    ------
    GradientError
        If a saved value was changed.
    """
    if node.op is not None and node.op.xp is not None:
        _, args, settings, out = node.call()
        check_values(node.op, (args, tuple(settings.values()), out), node.order)


def check_values(op: Any, values: Any, order: int) -> None:
    """Raise if a value, perhaps in a tuple or list, was changed after ``order``; recomputations check their own."""
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
