"""Values that are computed again: what balanced checkpointing keeps in place of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .shared_memory import LATEST, check_values
from .tape import freed, tick

if TYPE_CHECKING:
    from .tape import Op, Pass


class Recipe:
    """A call that gives a value again. Operands are values, or recipes of their own."""

    __slots__ = ("args", "depth", "function", "op", "order", "pins", "settings", "uses", "value")

    def __init__(
        self,
        op: Op,
        function: Callable[..., Any],
        args: Any,
        settings: dict[str, Any],
        depth: int,
        pins: dict[int, int],
    ) -> None:
        self.op = op
        self.order = tick()
        self.function = function
        self.args = args
        """``None`` once the value was given for the last time."""
        self.settings = settings
        self.depth = depth
        self.pins = pins
        """The bytes of each value that is held back only for this recipe, by identity."""
        self.uses = 0
        """How many nodes and recipes will still ask for the value."""
        self.value: Any = None

    def take(self, sweep: Pass) -> Any:
        """Return the value, which is kept until it has been asked for as often as it will be.

        A pass that frees its nodes counts down for good; any other one counts for itself.
        """
        value = self.value
        if value is None:
            if self.args is None:
                raise freed()
            if self.order < LATEST[0]:
                check_values(self.op, (self.args, tuple(self.settings.values())), self.order)
            value = self.function(*[taken(one, sweep) for one in self.args], **self.settings)
        if sweep.frees:
            self.args = None
            self.uses -= 1
            left = self.uses
        else:
            left = sweep.taken.get(self, self.uses) - 1
            sweep.taken[self] = left
        self.value = value if left > 0 else None
        return value


def taken(one: Any, sweep: Pass) -> Any:
    """Return an operand, computed again if it is a recipe; a list of operands likewise."""
    if type(one) is Recipe:
        return one.take(sweep)
    if type(one) is list:
        return [taken(each, sweep) for each in one]
    return one
