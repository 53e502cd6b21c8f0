"""Record calls: check the operands, find shape and dtype of the results, and note a step."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextvars import ContextVar
from threading import RLock
from typing import Any

import numpy as np

from .._core.device import device
from ..errors import CaptureError, InvalidOutputError, UndeclaredInputError
from .shapes import DRAWS, rules
from .shapes.indexing import is_basic
from .shapes.probing import is_array
from .values import Constant, Ref, Spec, Step, Traced

VIEWS = frozenset(
    """broadcast_to conj expand_dims flip imag linalg.diagonal matrix_transpose moveaxis permute_dims positive real
    reshape squeeze unstack""".split()
)
"""Functions whose results may be views of their operand in some library; basic ``getitem`` is another."""
VIEWS_OF_EACH = frozenset(("broadcast_arrays", "meshgrid"))
"""Functions whose results may be views, each of its own operand."""
RECORDERS: ContextVar[tuple[Recorder, ...]] = ContextVar("burn_array_recorders", default=())
"""The recorders of the blocks that this context is in, the innermost last."""


class Recorder:
    """What is recorded of one program."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        """The function that made it, ``"trace"`` or ``"capture"``, which errors name."""
        self.specs: list[Spec] = []
        self.inputs: list[tuple[int, str]] = []
        self.constants: dict[int, Constant] = {}
        self.steps: list[Step] = []
        self.complete = False
        self.lock = RLock()
        self._refs: list[Ref] = []
        self._known: dict[int, list[tuple[Constant, Ref]]] = {}
        """The constants by the ``id`` of the array that was copied."""

    def value(self, shape: tuple[int, ...], dtype: Any) -> Traced:
        """Return a new value."""
        ref = Ref(len(self.specs))
        self.specs.append(Spec(shape, dtype))
        return Traced(self, ref, shape, dtype)

    def declare(self, shape: tuple[int, ...], dtype: Any, name: str) -> Traced:
        """Return a new value that is an input."""
        made = self.value(shape, dtype)
        self.inputs.append((made.ref.number, name))
        return made

    def adopt(self, x: Traced) -> Ref:
        """Return the number here of a value that holds a constant."""
        constant = x.constant
        assert constant is not None
        known = self._known.setdefault(id(constant.original), [])
        for have, ref in known:
            if have is constant or (have.original is constant.original and same_content(have, constant)):
                return ref
        ref = Ref(len(self.specs))
        self.specs.append(Spec(x.shape, x.dtype))
        self.constants[ref.number] = constant
        known.append((constant, ref))
        return ref


def same_content(a: Constant, b: Constant) -> bool:
    """Return whether two constants hold the same bytes on the same device."""
    if a.device is not b.device:
        return False
    x, y = (one.device.adapter.to_host(one.native) for one in (a, b))
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


def current() -> Recorder | None:
    """Return the recorder of the innermost block of this context."""
    found = RECORDERS.get()
    return found[-1] if found else None


def traced_in(value: Any) -> list[Traced]:
    """Return the captured values in an argument, at any level."""
    kind = type(value)
    if kind is Traced:
        return [value]
    if kind is tuple or kind is list:
        return [one for part in value for one in traced_in(part)]
    return []


def _recorder_of(name: str, operands: list[Traced]) -> Recorder:
    """Return the recorder of a call; raise unless all operands are of one capture, which is not complete."""
    found: Recorder | None = None
    for x in operands:
        if x.recorder is not None and x.recorder is not found:
            if found is not None:
                raise UndeclaredInputError(
                    f"{shown_name(name)}: an array of another capture ({x!r}) meets one of this; give it as an "
                    f"argument of the inner function, or declare it by graph.input"
                )
            found = x.recorder
    found = found or current()
    if found is None:
        raise CaptureError(
            f"{shown_name(name)}: nothing is being captured here, so the device 'capture' cannot make an array; "
            f"use trace, or with capture() as graph"
        )
    if found.complete:
        raise CaptureError(f"{shown_name(name)}: the capture is complete; go on with its graph: graph(x)")
    return found


def shown_name(name: str) -> str:
    """Return the name of a function as errors of the namespace begin with it."""
    return f"__{name}__" if name in ("getitem", "setitem") else name


def check_fresh(name: str, x: Traced) -> None:
    """Raise ``CaptureError`` for a value that may share memory with an array that was assigned to since."""
    if x.version != x.memory.version:
        raise CaptureError(
            f"{shown_name(name)}: {x!r} may share memory with an array that was assigned to since; libraries differ in "
            f"whether it sees the change: take a copy before the assignment, asarray(x, copy=True)"
        )


def as_refs(recorder: Recorder, value: Any) -> Any:
    """Return an argument with operands in place of captured values."""
    kind = type(value)
    if kind is Traced:
        return value.ref if value.recorder is recorder else recorder.adopt(value)
    if kind is tuple or kind is list:
        return tuple([as_refs(recorder, one) for one in value])
    if isinstance(value, np.generic):
        return value.item()
    return value


def recording(name: str) -> Callable[..., Any]:
    """Return the function ``name`` of the device ``capture``, which records its calls."""
    if name == "setitem":
        return _setitem
    infer = rules()[name]
    draws = name in DRAWS

    def recorded(*args: Any, **settings: Any) -> Any:
        if draws:
            args = args[1:]  # the first is the generator
        settings.pop("device", None)
        operands = []
        for x in args:
            kind = type(x)
            if kind is Traced:
                operands.append(x)
            elif kind is tuple or kind is list:
                operands += traced_in(x)
        for x in settings.values():
            if type(x) is Traced:
                operands.append(x)
        recorder = _recorder_of(name, operands)
        for x in operands:
            if x.version != x.memory.version:
                check_fresh(name, x)
        try:
            out = infer(*args, **settings)
        except CaptureError as error:
            raise type(error)(f"{shown_name(name)}: {error}") from None
        return _recorded(recorder, name, out, args, settings)

    return recorded


def _recorded(recorder: Recorder, name: str, out: Any, args: Any, settings: dict[str, Any]) -> Any:
    """Note a step, and return its results: captured values for the specs ``out``."""
    with recorder.lock:
        arguments = tuple([as_refs(recorder, x) for x in args])
        if settings:
            settings = {key: as_refs(recorder, x) for key, x in settings.items()}
        several = type(out) is tuple
        made = [recorder.value(one.shape, one.dtype) for one in (out if several else (out,))]
        outs = tuple([one.ref.number for one in made])
        recorder.steps.append(Step(name, arguments, settings, outs, several, caller()))
    _share_memory(name, args, made)
    return tuple(made) if several else made[0]


def _share_memory(name: str, args: Any, made: list[Traced]) -> None:
    """Let results that may be views share the memory of their operands."""
    if name in VIEWS_OF_EACH:
        sources = list(args)
    elif name in VIEWS or (name == "getitem" and is_basic(args[1])):
        sources = [args[0]] * len(made)
        if name == "getitem":
            made[0].taken = args[0], args[1]
    else:
        return
    for x, one in zip(sources, made, strict=True):
        one.memory, one.version = x.memory, x.version


def _setitem(x: Traced, key: Any, value: Any) -> Traced:
    """Record an assignment as a function that returns the array with its new elements."""
    operands = [x, *traced_in(key), *traced_in(value)]
    recorder = _recorder_of("setitem", operands)
    stored = type(value) is Traced and _is_stored_back(x, key, value)
    for one in operands:
        if not (stored and (one is x or one is value)):
            check_fresh("setitem", one)
    infer = rules()["setitem"]
    if _covers(key) and type(value) is Traced and (value.shape, value.dtype) == (x.shape, x.dtype):
        infer(x, key, value)
        with recorder.lock:
            made = Traced(recorder, as_refs(recorder, value), x.shape, x.dtype)
        made.written = x.taken
        return _assigned(x, made)
    made = _recorded(recorder, "setitem", infer(x, key, value), (x, key, value), {})
    made.written = x.taken if _covers(key) else None
    return _assigned(x, made)


def _assigned(x: Traced, made: Traced) -> Traced:
    """Return the new value of an array, after which all values that share its memory are stale."""
    x.memory.version += 1
    made.memory, made.version = x.memory, x.memory.version
    made.taken = x.taken
    return made


def _covers(key: Any) -> bool:
    """Return whether a key selects the whole array in its own shape."""
    return key is ... or (type(key) is tuple and len(key) == 1 and key[0] is ...)


def _is_stored_back(x: Traced, key: Any, value: Traced) -> bool:
    """Return whether ``value`` is ``x[key]`` after a change in place, which ``x[key] += v`` stores back."""
    if value.written is None or value.memory is not x.memory or value.version != x.memory.version:
        return False
    source, taken = value.written
    return source is x and _same_key(taken, key) and x.version == x.memory.version - 1


def _same_key(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(_same_key, a, b))
    return a is b or (not is_array(a) and bool(a == b))


# -- where in the program -----------------------------------------------------------------------

_HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_OURS: dict[str, bool] = {}


def _is_ours(file: str) -> bool:
    """Return whether a file belongs to burn_array, or to no file at all."""
    real = os.path.realpath(file)
    top = os.path.dirname(_HERE)
    folders = (_HERE, *(os.path.join(top, one) for one in ("adapters", "autodiff")))
    return file.startswith("<frozen") or any(real.startswith(one + os.sep) for one in folders)


def caller() -> tuple[str, int] | None:
    """Return file and line of the call that is being recorded: the innermost one outside of burn_array."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        ours = _OURS.get(file)
        if ours is None:
            ours = _OURS[file] = _is_ours(file)
        if not ours:
            return file, frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


# -- constants ----------------------------------------------------------------------------------


def constant(at: str, native: Any, original: Any, shape: tuple[int, ...], dtype: Any) -> Traced:
    """Return a value that holds a native value of the device ``at``, which is not changed any more."""
    made = Traced(None, Ref(-1), shape, dtype)
    made.constant = Constant(device(at), native, original)
    return made


def output_ref(recorder: Recorder, x: Traced) -> Ref:
    """Return the operand for a result of a capture.

    Raises
    ------
    UndeclaredInputError
        If it is of another capture.
    InvalidOutputError
        If it is stale.
    """
    if x.recorder is None:
        return recorder.adopt(x)
    if x.recorder is not recorder:
        raise UndeclaredInputError(
            f"{recorder.kind}: an array of another capture ({x!r}) is no result of this; "
            f"give it as an argument of the inner function, or declare it by graph.input"
        )
    if x.version != x.memory.version:
        raise InvalidOutputError(
            f"{recorder.kind}: {x!r} may share memory with an array that was assigned to since, and libraries differ "
            f"in whether it sees the change; take a copy before the assignment: asarray(x, copy=True)"
        )
    return x.ref
