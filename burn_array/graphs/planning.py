"""Make the plan of a graph on a device: which functions are called, in place where that is safe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from .. import random
from .._core.device import Device
from .._core.moves import move
from .._core.namespace import namespace
from ..errors import BurnArrayError, explain
from .plan import ASSIGN, BINARY, MANY, PACK, UNARY, WRITE, WRITE_INTO, Instruction, Plan
from .shapes import DRAWS
from .shapes.elementwise import BINARY as BINARY_NAMES
from .shapes.elementwise import UNARY as UNARY_NAMES
from .shapes.linear import _OBLONG, _SQUARE
from .size import Scaled, Size, at_lengths
from .values import SCALARS, Ref, Spec, Step, mapped, refs_in

if TYPE_CHECKING:
    from .graph import Graph

LARGE = 2**14
"""Number of elements from which on a function writes into an operand that is not read again."""
FOLDED = 2**16
"""Bytes that the results of a step of constants may have to be computed when the plan is made."""
DROPPED = 2**12
"""Bytes from which on a value is dropped at its last use; smaller ones stay until the end of the run."""
_ELEMENTWISE = frozenset((*UNARY_NAMES.split(), *BINARY_NAMES.split()))
_MAY_RETURN_OPERAND = frozenset("abs ceil conj floor imag positive real round trunc".split())
_NEW = frozenset(
    (
        *"""where clip copy matmul tensordot vecdot linalg.outer linalg.solve linalg.cross zeros ones empty full arange
        linspace eye argsort sort cumulative_sum cumulative_prod searchsorted isin stack take take_along_axis
        scatter_add setitem argmax argmin tril triu""".split(),
        *DRAWS,
        *_SQUARE,
        *_OBLONG,
    )
)
"""Functions whose results always have memory of their own, beside those that work element by element."""
_OPERATORS = frozenset(
    """add subtract multiply divide floor_divide remainder pow bitwise_and bitwise_or bitwise_xor bitwise_left_shift
    bitwise_right_shift""".split()
)
"""Functions of :meth:`Adapter.in_place`."""


def is_new(step: Step, specs: Sequence[Spec]) -> bool:
    """Return whether the results of a step surely have memory of their own, in every library."""
    name = step.name
    if name in _MAY_RETURN_OPERAND:
        return name not in ("conj", "imag", "positive", "real") and specs[step.outs[0]].dtype.kind == "f"
    if name == "astype":
        return bool(specs[step.args[0].number].dtype != specs[step.outs[0]].dtype)
    if name == "getitem":
        return bool(refs_in(step.args[1]))
    return name in _ELEMENTWISE or name in _NEW


class Memories:
    """Which values of a graph may share memory: values of one group do."""

    def __init__(self, graph: Graph) -> None:
        self._group = list(range(len(graph.specs)))
        self._members = [[number] for number in range(len(graph.specs))]
        self.made: set[int] = set()
        """The values that a step made in memory of their own."""
        for step in graph.steps:
            if is_new(step, graph.specs):
                self.made.update(step.outs)
                continue
            for out in step.outs:
                for ref in refs_in((step.args, step.settings)):
                    self._join(out, ref.number)

    def group(self, number: int) -> int:
        """Return the number that stands for the group of a value."""
        while self._group[number] != number:
            number = self._group[number]
        return number

    def _join(self, a: int, b: int) -> None:
        a, b = self.group(a), self.group(b)
        if a != b:
            self._group[a] = b
            self._members[b] += self._members[a]

    def beside(self, number: int) -> list[int]:
        """Return the other values that may share the memory of a value."""
        return [one for one in self._members[self.group(number)] if one != number]


class Planner:
    """Makes one plan."""

    def __init__(self, graph: Graph, device: Device, lengths: Mapping[str, int], in_place: bool) -> None:
        adapter = device.adapter
        self.graph = graph
        self.device = device
        self.lengths = lengths
        plain = not adapter.is_autodiff and not adapter.absorbs
        self.writes = in_place and plain and adapter.has_views
        self.folds = plain
        self.specs = [
            Spec(tuple(at_lengths(n, lengths) for n in one.shape), one.dtype) for one in graph.specs
        ]
        self.memories = Memories(graph)
        self.plan = Plan(adapter.array_type, adapter.adopt)
        self.plan.quick = not adapter.is_autodiff
        self.plan.template = [None] * len(graph.specs)
        self.plan.explain = self._explain
        self.known: set[int] = set()
        """The places of values that are known now: constants, and results of steps that were folded."""
        self._packed: dict[int, tuple[int, ...]] = {}
        """The values in each tuple that an instruction makes."""
        self.last = self._last_uses()
        self.kept = {*graph.outputs, *(one.number for one in graph.inputs)}

    def made(self) -> Plan:
        """Return the plan."""
        for number, constant in self.graph.constant_values.items():
            self.plan.template[number] = self._constant(constant)
            self.known.add(number)
        for index, step in enumerate(self.graph.steps):
            self._add(index, step)
        self._copy_outputs()
        self.plan.places = tuple(one.number for one in self.graph.inputs)
        self.plan.shapes = tuple(self.specs[i].shape for i in self.plan.places)
        self.plan.dtypes = tuple(self._native_dtype(self.specs[i].dtype) for i in self.plan.places)
        self.plan.tables = tuple(self.device.direct.get(native) for native in self.plan.dtypes)
        return self.plan

    # -- values -------------------------------------------------------------------------------

    def _constant(self, constant: Any) -> Any:
        moved = move("on", constant.native, constant.device, self.device, None)
        return (
            self.device.function("copy")(moved) if constant.device.adapter is self.device.adapter else moved
        )

    def _native_dtype(self, dtype: Any) -> Any:
        return self.device.native_dtype(dtype, "on")

    def _place(self, value: Any) -> int:
        """Return the place of an argument: that of a value, or a new one with something that is no array."""
        if type(value) is Ref:
            return value.number
        if type(value) in (tuple, list) and refs_in(value):
            return self._pack(value)
        self.plan.template.append(self._native(value))
        self.known.add(len(self.plan.template) - 1)
        return len(self.plan.template) - 1

    def _native(self, value: Any) -> Any:
        """Return an argument without arrays as a library gets it."""

        def changed(one: Any) -> Any:
            if type(one) in (Size, Scaled):
                return one.at(self.lengths)
            return self._native_dtype(one) if hasattr(one, "itemsize") else one

        return mapped(value, changed)

    def _pack(self, value: Any) -> int:
        """Add an instruction that makes a tuple of values, as for ``concat`` or the key of ``x[i, j]``."""
        places = tuple(self._place(one) for one in value)
        self.plan.template.append(None)
        out = len(self.plan.template) - 1
        self._append(Instruction(PACK, tuple, places, out), None)
        self._packed[out] = tuple(ref.number for ref in refs_in(value))
        return out

    def _last_uses(self) -> dict[int, int]:
        """Return the number of the last step that reads each value."""
        found: dict[int, int] = {}
        for index, step in enumerate(self.graph.steps):
            for ref in refs_in((step.args, step.settings)):
                found[ref.number] = index
        return found

    # -- instructions -------------------------------------------------------------------------

    def _add(self, index: int, step: Step) -> None:
        before = len(self.plan.instructions)
        try:
            self._instruct(index, step)
        except BurnArrayError as error:
            raise self._explain(_of(step), error) from error
        added = self.plan.instructions[before:]
        if self.folds and self._is_foldable(step):
            self._fold(step, before)
            return
        packed = [one.out for one in added if one.form == PACK]
        dead = [ref.number for ref in refs_in((step.args, step.settings)) if self._dies(ref.number, index)]
        dead += [out for out in step.outs if out not in self.last and out not in self.kept]
        dropped = [number for number in dict.fromkeys([*dead, *packed]) if self._is_worth_dropping(number)]
        if dropped:
            added[-1].dropped = tuple(dropped)

    def _is_worth_dropping(self, number: int) -> bool:
        """Return whether a value, or what it holds, is so large that its memory is given back before the end."""
        if number >= len(self.specs):
            return any(self._is_worth_dropping(ref) for ref in self._packed[number])
        return bool(prod(self.specs[number].shape) * self.specs[number].dtype.itemsize >= DROPPED)

    def _dies(self, number: int, index: int) -> bool:
        """Return whether a value is computed and not read after a step."""
        return self.last.get(number) == index and number not in self.kept and number not in self.known

    def _may_write(self, number: int, index: int) -> bool:
        """Return whether a step may write into a value: a step made it, and nothing that shares its memory is read."""
        if not self.writes or number not in self.memories.made or not self._dies(number, index):
            return False
        beside = self.memories.beside(number)
        return all(self.last.get(one, -1) < index and one not in self.kept for one in beside)

    def _instruct(self, index: int, step: Step) -> None:
        if step.name == "setitem":
            self._append(self._assignment(index, step), step)
            return
        settings, arrays = self._settings(step)
        function = self._function(step, settings)
        places = tuple(self._place(one) for one in step.args)
        form = {1: UNARY, 2: BINARY}.get(len(places), MANY) if not arrays else MANY
        one = Instruction(form, function, places, step.outs[0] if step.outs else -1)
        if arrays:
            one.settings = arrays
        if step.several:
            one.outs = step.outs
        self._write_in_place(index, step, one)
        self._append(one, step)

    def _append(self, one: Instruction, step: Step | None) -> None:
        one.step = step
        self.plan.instructions.append(one)

    def _settings(self, step: Step) -> tuple[dict[str, Any], dict[str, int]]:
        """Return the settings without arrays, and the places of the arrays among them."""
        arrays = {key: one.number for key, one in step.settings.items() if type(one) is Ref}
        plain = {key: self._native(one) for key, one in step.settings.items() if key not in arrays}
        if step.name in CREATION:
            plain["device"] = self.device.adapter.native_device
        return plain, arrays

    def _function(self, step: Step, settings: dict[str, Any]) -> Any:
        if step.name in DRAWS:
            return partial(_drawn, step.name, self.device)
        if step.name.startswith("special."):
            function = namespace().special.find(step.name, self.device)
        else:
            function = self._direct(step) or self.device.function(step.name)
        return partial(function, **settings) if settings else function

    def _direct(self, step: Step) -> Any:
        """Return the function of the library that checks no dtypes, if all operands have one dtype."""
        operands = refs_in(step.args)
        scalars = any(type(one) in SCALARS or type(one) in (Size, Scaled) for one in step.args)
        if not operands or scalars or not self.device.direct:
            return None
        dtypes = [self.specs[ref.number].dtype for ref in operands]
        if step.name == "where" and len(operands) == 3 and dtypes.pop(0).kind != "b":
            return None
        if len(set(dtypes)) > 1:
            return None
        return self.device.adapter.direct.get(self._native_dtype(dtypes[0]), {}).get(step.name)

    def _assignment(self, index: int, step: Step) -> Instruction:
        x = step.args[0].number
        places = tuple(self._place(one) for one in step.args)
        one = Instruction(ASSIGN, self.device.function("setitem"), places, step.outs[0])
        others = [ref.number for ref in refs_in(step.args[1:])]
        if self.device.has_views and (x in others or not self._may_write(x, index)):
            one.second = self.device.function("copy")
        return one

    def _write_in_place(self, index: int, step: Step, one: Instruction) -> None:
        """Let an elementwise step write into an operand that dies there, if nothing else can see its memory."""
        if not self.writes or step.name not in _ELEMENTWISE or one.form not in (UNARY, BINARY):
            return
        out = self.specs[step.outs[0]]
        first = step.args[0]
        if prod(out.shape) < LARGE or type(first) is not Ref or self.specs[first.number] != out:
            return
        if not self._may_write(first.number, index):
            return
        adapter = self.device.adapter
        if one.form == BINARY and step.name in _OPERATORS:
            one.form, one.second = WRITE, partial(adapter.in_place, step.name)
        elif one.form == UNARY:
            into = adapter.into(step.name, self._native_dtype(out.dtype))
            if into is not None:
                one.form, one.second = WRITE_INTO, into

    # -- folding ------------------------------------------------------------------------------

    def _is_foldable(self, step: Step) -> bool:
        if step.name in DRAWS or any(out in self.kept for out in step.outs):
            return False
        if any(ref.number not in self.known for ref in refs_in((step.args, step.settings))):
            return False
        return self._bytes(step) <= FOLDED

    def _bytes(self, step: Step) -> int:
        """Return how many bytes the results of a step have."""
        return sum(
            int(prod(self.specs[out].shape)) * int(self.specs[out].dtype.itemsize) for out in step.outs
        )

    def _fold(self, step: Step, before: int) -> None:
        """Compute a step of constants now; its instructions are not needed then."""
        plan = self.plan
        last = Plan(plan.array_type, plan.adopt)
        last.explain = plan.explain
        last.instructions = plan.instructions[before:]
        del plan.instructions[before:]
        last.run(plan.template)
        self.known.update(step.outs)

    # -- results ------------------------------------------------------------------------------

    def _copy_outputs(self) -> None:
        """Copy each result that may share memory with an input, a constant or another result."""
        if not self.device.has_views:
            self.plan.outputs = self.graph.outputs
            return
        seen = {self.memories.group(one.number) for one in self.graph.inputs}
        seen |= {self.memories.group(number) for number in self.known if number < len(self.specs)}
        outputs = []
        for number in self.graph.outputs:
            group = self.memories.group(number)
            if group in seen:
                self.plan.template.append(None)
                place = len(self.plan.template) - 1
                self._append(Instruction(UNARY, self.device.function("copy"), (number,), place), None)
                outputs.append(place)
            else:
                seen.add(group)
                outputs.append(number)
        self.plan.outputs = tuple(outputs)

    # -- errors -------------------------------------------------------------------------------

    def _explain(self, one: Instruction | None, error: Exception) -> Exception:
        """Return the error of an instruction, whose text names the step and the line of the program."""
        if one is None or one.step is None:
            return error
        step = one.step
        operands = [repr(self.specs[ref.number]) for ref in refs_in(step.args)]
        found = explain(step.name, error, operands, self.device.adapter)
        where = self.graph.step_text(step)
        if not isinstance(found, BurnArrayError):
            return found
        return type(found)(f"{found} [in {self.graph.name}: {where}]")


CREATION = frozenset("arange empty eye full linspace ones zeros fft.fftfreq fft.rfftfreq".split())


def _of(step: Step) -> Instruction:
    one = Instruction(MANY, tuple, (), -1)
    one.step = step
    return one


def _drawn(name: str, device: Device, *args: Any) -> Any:
    """Return what the generator of a device draws."""
    return random._draw(name, device, *args)._native
