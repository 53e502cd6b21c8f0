"""What balanced checkpointing saves in place of a value: how to compute it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .shared_memory import LAST_CHANGE, check_values
from .tape import freed_error, next_order

if TYPE_CHECKING:
    from .tape import Op, PassState


class Recomputation:
    """A call that computes a value again; its operands are values or recomputations themselves."""

    __slots__ = ("args", "depth", "function", "held_bytes", "op", "order", "settings", "uses", "value")

    def __init__(
        self,
        op: Op,
        function: Callable[..., Any],
        args: Any,
        settings: dict[str, Any],
        depth: int,
        held_bytes: dict[int, int],
    ) -> None:
        self.op = op
        self.order = next_order()
        self.function = function
        self.args = args
        """``None`` after the value has been requested for the last time."""
        self.settings = settings
        self.depth = depth
        self.held_bytes = held_bytes
        """The bytes of each value that is kept alive only for this recomputation, by identity."""
        self.uses = 0
        """How many nodes and recomputations will still request the value."""
        self.value: Any = None

    def compute(self, state: PassState) -> Any:
        """Return the value. It is kept until all those that need it have requested it.

        A backward pass that frees its nodes counts for good; any other pass counts for itself.
        """
        value = self.value
        if value is None:
            if self.args is None:
                raise freed_error()
            if self.order < LAST_CHANGE[0]:
                check_values(self.op, (self.args, tuple(self.settings.values())), self.order)
            value = self.function(*[recomputed(one, state) for one in self.args], **self.settings)
        if state.frees:
            self.args = None
            self.uses -= 1
            left = self.uses
        else:
            left = state.remaining_uses.get(self, self.uses) - 1
            state.remaining_uses[self] = left
        self.value = value if left > 0 else None
        return value


def recomputed(one: Any, state: PassState) -> Any:
    """Return an operand, or a list of operands, computed again where need be."""
    if type(one) is Recomputation:
        return one.compute(state)
    if type(one) is list:
        return [recomputed(each, state) for each in one]
    return one
