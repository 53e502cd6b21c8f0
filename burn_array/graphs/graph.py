"""The class ``Graph``: a recorded program as plain data, and how it is printed and replayed."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .._core.array import Array
from .._core.device import Device
from .._core.device import device as lookup
from .._core.operands import meet_all
from ..errors import ArgumentTypeError
from . import printing
from .trees import Tree, leaves_of
from .values import Constant, Spec, Step

if TYPE_CHECKING:
    from .program import Program

_MOST_PROGRAMS = 16
"""On how many devices the programs of calls are kept."""


class Input(NamedTuple):
    """An input of a graph: its name, such as ``"params.w"``, its shape and its dtype.

    A length of the shape is an int, or prints as ``batch`` if it has a name.
    """

    name: str
    shape: tuple[Any, ...]
    dtype: Any
    number: int


class Graph:
    """A program as a graph, which replays on any device; ``trace``, ``capture`` and ``load_graph`` make it.

    Called with arrays in the structure of its arguments, it replays where they live, and returns arrays in the
    structure of the results of the program.
    """

    def __init__(
        self,
        name: str,
        specs: Sequence[Spec],
        inputs: Sequence[Input],
        constants: Mapping[int, Constant],
        steps: Sequence[Step],
        outputs: Sequence[int],
        tree: Tree,
        arguments: Tree,
        least: Mapping[str, int],
    ) -> None:
        self.name = name
        """The name of the function or of the block."""
        self.specs = tuple(specs)
        """The shape and dtype of each value, by its number."""
        self.inputs = tuple(inputs)
        self.constant_values = dict(constants)
        """Constants by their numbers, as they were copied."""
        self.steps = tuple(steps)
        self.outputs = tuple(outputs)
        """The numbers of the results."""
        self.tree = tree
        """The structure of the results."""
        self.arguments = arguments
        """The structure of the arguments."""
        self.least = dict(least)
        """The named lengths, each with the least that the graph holds for."""
        self._programs: OrderedDict[Any, Program] = OrderedDict()

    # -- what it is made of -------------------------------------------------------------------

    @property
    def constants(self) -> dict[int, Array]:
        """The arrays from outside that the program used, by the numbers of their values; each is a copy."""
        return {
            number: Array(one.device.function("copy")(one.native), one.device)
            for number, one in self.constant_values.items()
        }

    def step_text(self, step: Step) -> str:
        """Return a step as it is printed, with the line of the program that made it."""
        return printing.step_line(self, step)

    def __str__(self) -> str:
        return printing.text(self)

    def __repr__(self) -> str:
        return f"<Graph {self.name}: {len(self.inputs)} inputs, {len(self.steps)} steps, {len(self.outputs)} results>"

    def to_dot(self) -> str:
        """Return the graph in the language of Graphviz, for ``dot -Tsvg``."""
        return printing.dot(self)

    def _repr_html_(self) -> str:
        """Return a picture of the graph for notebooks, as SVG."""
        return printing.html(self)

    # -- how it runs --------------------------------------------------------------------------

    def __call__(self, *args: Any) -> Any:
        """Replay the program where the arguments live.

        Parameters
        ----------
        *args : Array, or tuple, list or dict of Array
            The arguments, in the structure in which the program was traced. Arrays of other devices are placed as by
            the functions of the namespace. ndarrays, and numbers for 0-d inputs, are taken as well.

        Returns
        -------
        Array, or tuple, list or dict of Array
            The results, in memory of their own.

        Raises
        ------
        ArgumentTypeError, ShapeError, DTypeError, DeviceMismatchError
            If an argument does not fit its input, which the text names.
        """
        leaves = self.leaves(args)
        at = self._placement(leaves)
        program = self._programs.get(at.adapter)
        if program is None:
            program = self._programs[at.adapter] = self.on(at)
            if len(self._programs) > _MOST_PROGRAMS:
                self._programs.popitem(last=False)
        return program.replay_leaves(leaves, at)

    def leaves(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arrays of the arguments in the order of the inputs."""
        found: list[Any] = []
        try:
            leaves_of(self.arguments, args, found)
        except ArgumentTypeError as error:
            raise ArgumentTypeError(
                f"{self.name}: the arguments must be as they were traced: {error}"
            ) from None
        return tuple(found)

    def _placement(self, leaves: tuple[Any, ...]) -> Device:
        """Return the device of a replay: that of the arguments, or the default device if none is an array."""
        at = None
        for x in leaves:
            if type(x) is Array and x._device is not at:
                if at is not None:
                    return meet_all(self.name, [(x._device, x.ndim) for x in leaves if type(x) is Array])
                at = x._device
        return at if at is not None else _default_device()

    def on(
        self,
        device: Any,
        *,
        simplify: bool = True,
        in_place: bool = True,
        compiled: bool = False,
        hardware: bool = False,
    ) -> Program:
        """Return the graph made ready to run on one device.

        Parameters
        ----------
        device : Device or str
            Any device of any library, one that differentiates included.
        simplify : bool
            Leave out copies and steps that nothing reads, make equal steps once, and compute small constants now.
        in_place : bool
            Let large element-wise steps write into operands that are not read again.
        compiled : bool
            Hand the whole program to the compiler of the library: ``jax.jit`` on ``jax:*``, ``torch.compile`` on
            ``torch:*``. On other devices, and where the compiler refuses, the plan runs as usual; ``is_compiled``
            tells.
        hardware : bool
            Record the calls as a graph of the accelerator, on ``torch:cuda:*`` and ``cupy:*``. On other devices, and
            where that fails, the plan runs as usual; ``is_hardware`` tells.

        Returns
        -------
        Program
            A callable with the parameters of the graph.

        Raises
        ------
        DeviceNotFoundError
            If this machine has no such device.
        UnsupportedDTypeError
            If the device lacks a dtype of the graph; only a graph without named lengths is checked at once.
        GradientError
            For ``hardware=True`` on a device that differentiates: what a graph of the hardware does is not recorded.
        """
        from .program import Program

        return Program(
            self, lookup(device), simplify=simplify, in_place=in_place, compiled=compiled, hardware=hardware
        )

    def simplified(self) -> Graph:
        """Return the graph without copies, unread steps and repeated steps; its results are the same."""
        from .passes import simplified

        return simplified(self)

    # -- how it is kept -----------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to a file, which ``load_graph`` reads; it holds no Python objects.

        Parameters
        ----------
        path : str or path
            The file; it is replaced if it exists.
        """
        from .files import save

        save(self, Path(path))

    def to_onnx(self) -> Any:
        """Return the graph as a model of ONNX, an ``onnx.ModelProto``; named lengths are dynamic axes.

        Returns
        -------
        onnx.ModelProto
            With the inputs by their names, and the results ``output0``, ``output1``, ...

        Raises
        ------
        NotSupportedError
            If ONNX, or the package ``ndonnx`` that writes it, lacks a function; the text names the step. Also if
            ``ndonnx`` is not installed.
        """
        from .onnx import to_onnx

        return to_onnx(self)


def _default_device() -> Device:
    from .._core.placement import current_device

    return current_device().uncommitted
