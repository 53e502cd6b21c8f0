"""Record programs: ``trace`` calls a function with arrays that record, ``capture`` records a block."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .._core.array import Array
from .._core.device import device
from .._core.dtypes import as_dtype, float64
from .._core.placement import default_device
from ..errors import (
    ArgumentError,
    ArgumentTypeError,
    CaptureError,
    DuplicateBoundaryError,
    InvalidInputError,
    InvalidOutputError,
    UndeclaredInputError,
    UnknownBoundaryError,
)
from .graph import Graph, Input
from .record import RECORDERS, Recorder, output_ref
from .trees import LEAF, TUPLE, Tree, built, leaves_of, paths, tree_of
from .values import SCALARS, Constant, Traced


class Declared(NamedTuple):
    """The shape and dtype of an input: what ``spec`` returns. A length is an int or a name."""

    shape: tuple[int | str, ...]
    dtype: Any


def declared(shape: Any, dtype: Any, function: str = "spec") -> Declared:
    """Return a checked spec."""
    lengths = (shape,) if isinstance(shape, int | str) else tuple(shape)
    checked: list[int | str] = []
    for n in lengths:
        if isinstance(n, str):
            if not n.isidentifier():
                raise ArgumentError(
                    f"{function}: the name of a length must be a word such as 'batch', got {n!r}"
                )
            checked.append(n)
            continue
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise ArgumentTypeError(f"{function}: a length must be an integer or a name, got {n!r:.40}")
        if n.__index__() < 0:
            raise ArgumentError(f"{function}: a length must not be negative, got {n}")
        checked.append(n.__index__())
    return Declared(tuple(checked), float64 if dtype is None else as_dtype(dtype, function))


def as_declared(value: Any, function: str) -> Declared:
    """Return the spec that a value stands for: itself, or the shape and dtype of an array or a number."""
    if type(value) is Declared:
        return value
    if type(value) is Array:
        if value._device.adapter.is_tracked(value._native):
            value = value.detach()
        return Declared(value.shape, value.dtype)
    if type(value) in SCALARS:
        return Declared((), np.asarray(value).dtype)
    return declared(value.shape, value.dtype, function)


def _is_spec(value: Any) -> bool:
    return (
        type(value) in (Declared, Array)
        or type(value) in SCALARS
        or isinstance(value, np.ndarray | np.generic)
    )


def _no_spec(value: Any) -> ArgumentTypeError:
    return ArgumentTypeError(
        f"trace: an argument must be a spec, an array or a number, or a tuple, list or dict of these, "
        f"got {type(value).__name__} {value!r:.60}"
    )


def trace(f: Callable[..., Any], specs: tuple[Any, ...], name: str | None, sizes: Iterable[Any]) -> Graph:
    """Return the graph of a function; see ``burn_array.trace``."""
    if isinstance(f, Array) or not callable(f):
        raise ArgumentTypeError(
            f"trace: the first argument must be a function, got {type(f).__name__}; "
            f"the sum of the diagonal of a matrix is xp.linalg.trace(x)"
        )
    tree = tree_of(tuple(specs), _is_spec, _no_spec)
    leaves: list[Any] = []
    leaves_of(tree, tuple(specs), leaves)
    found = [as_declared(one, "trace") for one in leaves]
    program = Traceable(f, name or str(getattr(f, "__name__", type(f).__name__)), tree, found)
    if not any(isinstance(n, str) for one in found for n in one.shape):
        return program.at({})
    from .lengths import unified

    return unified(program, sizes)


class Traceable:
    """A function with the specs of its arguments, which can be traced at any lengths."""

    def __init__(self, f: Callable[..., Any], name: str, tree: Tree, leaves: Sequence[Declared]) -> None:
        self.f = f
        self.name = name
        self.tree = tree
        self.leaves = leaves
        self.names = [_dotted(path, _parameters(f)) for path in paths(tree)]

    def lengths(self) -> list[str]:
        """Return the names of lengths, in the order in which they appear."""
        return list(dict.fromkeys(n for one in self.leaves for n in one.shape if isinstance(n, str)))

    def at(self, lengths: Mapping[str, int]) -> Graph:
        """Return the graph for given lengths."""
        recorder = Recorder("trace")
        arrays = []
        for label, one in zip(self.names, self.leaves, strict=True):
            shape = tuple(lengths[n] if isinstance(n, str) else n for n in one.shape)
            arrays.append(Array(recorder.declare(shape, one.dtype, label), device("capture")))
        with recording_into(recorder):
            results = self.f(*built(self.tree, arrays[::-1]))
        return finished(recorder, self.name, results, self.tree)


def _parameters(f: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in kinds]


def _dotted(path: tuple[Any, ...], parameters: list[str]) -> str:
    first, *rest = path
    head = parameters[first] if first < len(parameters) else f"arg{first}"
    return ".".join([head, *map(str, rest)])


@contextmanager
def recording_into(recorder: Recorder) -> Any:
    """Make the device ``capture`` the default in a block, whose calls without arrays go to this recorder."""
    before = RECORDERS.get()
    RECORDERS.set((*before, recorder))
    try:
        with default_device("capture"):
            yield
    finally:
        RECORDERS.set(before)
        recorder.complete = True


def finished(recorder: Recorder, name: str, results: Any, arguments: Tree) -> Graph:
    """Return the graph of what was recorded, with these results."""
    tree = tree_of(results, _is_result, lambda value: _no_result(recorder.kind, value))
    leaves: list[Any] = []
    leaves_of(tree, results, leaves)
    outputs = [output_ref(recorder, _native(recorder, x)).number for x in leaves]
    inputs = [
        Input(label, recorder.specs[n].shape, recorder.specs[n].dtype, n) for n, label in recorder.inputs
    ]
    recorder.complete = True
    constants = {n: Constant(one.device, one.native, None) for n, one in recorder.constants.items()}
    return Graph(name, recorder.specs, inputs, constants, recorder.steps, outputs, tree, arguments, {})


def _is_result(value: Any) -> bool:
    return type(value) is Array


def _no_result(kind: str, value: Any) -> UnknownBoundaryError:
    return UnknownBoundaryError(f"{kind}: a result must be an array, got {type(value).__name__}")


def _native(recorder: Recorder, x: Array) -> Traced:
    """Return the captured value of a result."""
    native = x._native
    if x._device.is_autodiff and x._device.adapter.absorbs:
        if x.is_tracked:
            raise InvalidOutputError(
                f"{recorder.kind}: a result is tracked, but a graph keeps no gradients; take x.detach(), or make the "
                f"gradient a result"
            )
        native = x._device.adapter.unwrapped(native)
    if type(native) is not Traced:
        raise UnknownBoundaryError(
            f"{recorder.kind}: a result is an array of {x._device}, which the capture did not compute; "
            f"bring it in with asarray(x, copy=True, device='capture'), or return it beside the graph"
        )
    return native


# -- blocks -------------------------------------------------------------------------------------


class CaptureScope:
    """What ``with capture() as graph:`` gives: it declares inputs and results, and is a graph after the block."""

    def __init__(self, name: str | None) -> None:
        self._recorder = Recorder("capture")
        self._name = name or "capture"
        self._results: Any = None
        self._told = False
        self._graph: Graph | None = None
        self._block: Any = None

    def __enter__(self) -> CaptureScope:
        if RECORDERS.get():
            raise CaptureError(
                "capture: this thread is in a capture already, whose inputs the inner one could not tell from its own; "
                "use trace for the inner program"
            )
        if self._recorder.complete:
            raise CaptureError("capture: this capture is complete; make another one: with capture() as graph")
        self._block = recording_into(self._recorder)
        self._block.__enter__()
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        self._block.__exit__(kind, error, traceback)
        if kind is not None:
            return
        if not self._told:
            raise CaptureError(
                "capture: the block ended without its results; call graph.output(x, ...) in it, or graph.output() "
                "if there are none"
            )
        inputs = Tree(TUPLE, (Tree(LEAF),) * len(self._recorder.inputs))
        results = self._results[0] if len(self._results) == 1 else self._results
        self._graph = finished(self._recorder, self._name, results, inputs)

    def _open(self, function: str) -> Recorder:
        if self._recorder.complete or self._block is None:
            raise CaptureError(
                f"{function}: only inside of the block; with capture() as graph: graph.{function}(...)"
            )
        return self._recorder

    def input(self, shape: Any, dtype: Any = None, *, name: str | None = None) -> Array:
        """Return an array that is an input of the graph.

        Parameters
        ----------
        shape : int, tuple of int or Array
            The shape; an array stands for its shape and dtype.
        dtype : dtype, optional
            By default float64.
        name : str, optional
            By default ``x0``, ``x1``, ...

        Returns
        -------
        Array
            On the device ``capture``.

        Raises
        ------
        InvalidInputError
            If ``shape`` is an array of this capture, or a length has a name.
        DuplicateBoundaryError
            If there is an input of that name.
        """
        recorder = self._open("input")
        one = self._declared(shape, dtype)
        label = name if name is not None else f"x{len(recorder.inputs)}"
        if label in [known for _, known in recorder.inputs]:
            raise DuplicateBoundaryError(
                f"capture: there is an input named {label!r} already; give each its own name"
            )
        return Array(recorder.declare(one.shape, one.dtype, label), device("capture"))  # type: ignore[arg-type]

    def _declared(self, shape: Any, dtype: Any) -> Declared:
        if type(shape) is Array:
            native = shape._native
            if type(native) is Traced:
                kind = (
                    UndeclaredInputError
                    if native.recorder not in (self._recorder, None)
                    else InvalidInputError
                )
                if any(native.ref.number == n for n, _ in self._recorder.inputs):
                    raise DuplicateBoundaryError(f"capture: {native!r} is an input already")
                raise kind(
                    f"capture: {native!r} is computed in the graph and cannot be its input; declare inputs first, by "
                    f"shape and dtype"
                )
            return Declared(shape.shape, shape.dtype if dtype is None else as_dtype(dtype, "capture"))
        one = (
            as_declared(shape, "capture")
            if _is_spec(shape) and type(shape) is Declared
            else declared(shape, dtype, "capture")
        )
        if any(isinstance(n, str) for n in one.shape):
            raise InvalidInputError(
                f"capture: a block runs once, so its lengths are ints, got {one.shape}; trace takes named lengths"
            )
        return one

    def output(self, *results: Any) -> None:
        """Declare the results of the graph: arrays, or tuples, lists or dicts of arrays.

        Parameters
        ----------
        *results : Array, or tuple, list or dict of Array
            One result is what the graph returns; of several it returns a tuple. None at all is allowed.

        Raises
        ------
        UnknownBoundaryError
            If a result is no array of this capture.
        DuplicateBoundaryError
            If the results were declared before.
        """
        recorder = self._open("output")
        if self._told:
            raise DuplicateBoundaryError(
                "capture: the results were declared already; give all of them in one call"
            )
        tree = tree_of(results, _is_result, lambda value: _no_result(recorder.kind, value))
        leaves: list[Any] = []
        leaves_of(tree, results, leaves)
        for x in leaves:
            output_ref(recorder, _native(recorder, x))
        self._results, self._told = results, True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        graph = self.__dict__.get("_graph")
        if graph is None:
            raise CaptureError(f"capture: there is no graph before the end of the block, so no {name}")
        return getattr(graph, name)

    def __call__(self, *args: Any) -> Any:
        """Replay the graph, as ``Graph`` does."""
        return self._complete()(*args)

    def _complete(self) -> Graph:
        if self._graph is None:
            raise CaptureError("capture: there is no graph before the end of the block")
        return self._graph

    def __str__(self) -> str:
        return str(self._graph) if self._graph is not None else "capture (recording)"

    def __repr__(self) -> str:
        return repr(self._graph) if self._graph is not None else "<CaptureScope, recording>"

    def _repr_html_(self) -> str:
        return self._complete()._repr_html_()
