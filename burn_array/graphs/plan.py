"""Run the steps of a graph: a flat list of instructions on a list of values.

``plan.pxd`` declares the types for the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.array import Array

UNARY, BINARY, MANY, PACK, ASSIGN, WRITE, WRITE_INTO = range(7)
"""How an instruction gets its operands: see :func:`compute`."""


class Instruction:
    """One call: a function, the places of its operands and of its result, and the values that are read last here."""

    __slots__ = (
        "a",
        "b",
        "dropped",
        "form",
        "function",
        "operands",
        "out",
        "outs",
        "second",
        "settings",
        "step",
    )

    def __init__(self, form: int, function: Callable[..., Any], operands: tuple[int, ...], out: int) -> None:
        self.form = form
        self.function = function
        self.operands = operands
        self.a = operands[0] if operands else 0
        self.b = operands[1] if len(operands) > 1 else 0
        self.out = out
        self.outs: tuple[int, ...] | None = None
        """The places of several results."""
        self.settings: dict[str, int] | None = None
        """The places of arrays that are given by keyword."""
        self.dropped: tuple[int, ...] | None = None
        self.second: Any = None
        """A second function: the one in place, or the copy before an assignment."""
        self.step: Any = None


def compute(one: Instruction, slots: list[Any]) -> Any:
    """Return the result of an instruction that has more than two operands, or does more than a call."""
    form = one.form
    if form == PACK:
        return tuple([slots[i] for i in one.operands])
    if form == WRITE:  # an operator in place, which may decline
        done = one.second(slots[one.a], slots[one.b])
        if done is False:
            return one.function(slots[one.a], slots[one.b])
        return slots[one.a] if done is True else done
    if form == WRITE_INTO:
        x = slots[one.a]
        return one.second(x, x)
    if form == ASSIGN:
        x = slots[one.a]
        if one.second is not None:
            x = one.second(x)
        out = one.function(x, slots[one.b], slots[one.operands[2]])
        return x if out is None else out
    operands = [slots[i] for i in one.operands]
    if one.settings is None:
        return one.function(*operands)
    return one.function(*operands, **{key: slots[i] for key, i in one.settings.items()})


class Plan:
    """The instructions of a graph on one device, for given lengths."""

    __slots__ = (
        "adopt",
        "array_type",
        "checks",
        "dtypes",
        "explain",
        "instructions",
        "outputs",
        "places",
        "quick",
        "shapes",
        "tables",
        "template",
    )

    def __init__(self, array_type: Any, adopt: Callable[[Any], Any]) -> None:
        self.array_type = array_type
        self.adopt = adopt
        self.instructions: list[Instruction] = []
        self.template: list[Any] = []
        """The values before the first instruction: constants, and ``None`` for what is computed."""
        self.places: tuple[int, ...] = ()
        """Where the inputs go."""
        self.outputs: tuple[int, ...] = ()
        self.shapes: tuple[Any, ...] = ()
        self.dtypes: tuple[Any, ...] = ()
        """The shapes and native dtypes of the inputs."""
        self.tables: tuple[Any, ...] = ()
        """The table of each dtype, which an array of that dtype may hold; ``None`` if there is none."""
        self.quick = True
        """Whether native values have ``dtype`` and ``shape``."""
        self.checks: Callable[..., Any] = _no_checks
        """Called for an argument that does not fit at first sight: returns its native value, or raises."""
        self.explain: Callable[..., Exception] = _as_it_is
        """Returns the error for an exception of an instruction."""

    def replay(self, arguments: tuple[Any, ...], at: Any) -> Any:
        """Return the results for the arrays of the arguments, on the device ``at``: one array, or a tuple of them."""
        slots = self.take(arguments, at)
        self.run(slots)
        if len(self.outputs) != 1:
            return self.wrapped(slots, at)
        result = Array.__new__(Array)
        result._native = slots[self.outputs[0]]
        result._device = at
        result._direct = at.no_table
        return result

    def take(self, arguments: tuple[Any, ...], at: Any) -> list[Any]:
        """Return the values with the native values of the arguments in their places."""
        slots = self.template.copy()
        places, shapes, dtypes, tables = self.places, self.shapes, self.dtypes, self.tables
        adapter, array_type, quick = at.adapter, self.array_type, self.quick
        for i in range(len(places)):
            x = arguments[i]
            if quick and type(x) is Array:
                array = x
                native = array._native
                if (
                    array._device.adapter is adapter
                    and type(native) is array_type
                    and (array._direct is tables[i] or native.dtype is dtypes[i])
                    and native.shape == shapes[i]
                ):
                    slots[places[i]] = native
                    continue
            slots[places[i]] = self.checks(i, x, at)
        return slots

    def run(self, slots: list[Any]) -> None:
        """Compute all instructions in order; ``slots`` holds the inputs before and the results after."""
        array_type, adopt, one = self.array_type, self.adopt, None
        unary, binary = UNARY, BINARY
        try:
            for one in self.instructions:
                form = one.form
                if form == unary:
                    out = one.function(slots[one.a])
                elif form == binary:
                    out = one.function(slots[one.a], slots[one.b])
                else:
                    out = compute(one, slots)
                if type(out) is array_type:
                    slots[one.out] = out
                elif one.outs is not None:
                    places = one.outs
                    for i, each in enumerate(out):
                        slots[places[i]] = each if type(each) is array_type else adopt(each)
                else:
                    slots[one.out] = out if form == PACK else adopt(out)
                if one.dropped is not None:
                    for place in one.dropped:
                        slots[place] = None
        except Exception as error:
            raise self.explain(one, error) from error

    def wrapped(self, slots: list[Any], at: Any) -> tuple[Any, ...]:
        """Return the results as arrays on the device ``at``."""
        found = []
        for place in self.outputs:
            result = Array.__new__(Array)
            result._native = slots[place]
            result._device = at
            result._direct = at.no_table
            found.append(result)
        return tuple(found)


def _no_checks(*_: Any) -> Any:
    return None


def _as_it_is(one: Any, error: Exception) -> Exception:
    return error
