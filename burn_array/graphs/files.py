"""Graphs in files: a zip archive of one JSON text and one ``.npy`` file for each constant.

Reading trusts nothing: the shape and dtype of every value are found anew by the rules and compared, and no name but
that of a function with a rule is ever called.
"""

from __future__ import annotations

import io
import json
import zipfile
from math import prod
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from .._core.device import device
from .._core.dtypes import canonical, kind_of
from ..errors import BurnArrayError, CaptureError
from .graph import Graph, Input
from .lengths import probes, with_refs_as
from .shapes import rules
from .size import Scaled, Size, at_lengths
from .trees import DICT, LEAF, LIST, NAMED, NONE, TUPLE, Tree, paths
from .values import Constant, Ref, Spec, Step, mapped, refs_in

FORMAT = "burn_array graph"
VERSION = 1
_TEXT = "graph.json"
_MOST_TEXT = 2**28
"""Bytes that the text of a graph may have."""
_MOST_VALUES = 2**20
_DEEPEST = 24
_BRAIN = "bfloat16"


# -- writing ------------------------------------------------------------------------------------


def save(graph: Graph, path: Path) -> None:
    """Write a graph to a file."""
    text = json.dumps(_as_json(graph), separators=(",", ":"), allow_nan=False)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(_TEXT, text, zipfile.ZIP_DEFLATED)
        for number, one in graph.constant_values.items():
            values = np.ascontiguousarray(one.device.adapter.to_host(one.native))
            values = values.reshape(one.device.adapter.shape_of(one.native))
            if values.dtype.name == _BRAIN:
                values = values.view(np.uint16)
            memory = io.BytesIO()
            np.lib.format.write_array(memory, values, allow_pickle=False)
            archive.writestr(f"{number}.npy", memory.getvalue(), zipfile.ZIP_STORED)


def _as_json(graph: Graph) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": graph.name,
        "specs": [[_encoded(one.shape), one.dtype.name] for one in graph.specs],
        "inputs": [[one.name, one.number] for one in graph.inputs],
        "constants": list(graph.constant_values),
        "steps": [_step_as_json(one) for one in graph.steps],
        "outputs": list(graph.outputs),
        "results": _tree_as_json(graph.tree),
        "arguments": _tree_as_json(graph.arguments),
        "least": graph.least,
    }


def _step_as_json(step: Step) -> list[Any]:
    settings = {key: _encoded(one) for key, one in step.settings.items()}
    source = [Path(step.source[0]).name, step.source[1]] if step.source else None
    return [step.name, _encoded(step.args), settings, list(step.outs), step.several, source]


def _encoded(value: Any) -> Any:
    """Return an argument as JSON, in which all but ints, bools and ``None`` is tagged."""
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return value
    if kind is float:
        return {"float": value.hex()}
    if kind is complex:
        return {"complex": [value.real.hex(), value.imag.hex()]}
    if kind is str:
        return {"text": value}
    if kind is Ref:
        return {"value": value.number}
    if kind is Size:
        return {"size": [[list(names), n] for names, n in value.terms]}
    if kind is Scaled:
        return {"scaled": [value.factor.hex(), _encoded(value.size), value.divides]}
    if kind is tuple or kind is list:
        return {"tuple": [_encoded(one) for one in value]}
    if kind is slice:
        return {"slice": [_encoded(one) for one in (value.start, value.stop, value.step)]}
    if value is ...:
        return {"all": None}
    if isinstance(value, np.dtype):
        return {"dtype": value.name}
    raise CaptureError(f"save: {value!r:.60} of a step cannot be written to a file")


def _tree_as_json(tree: Tree) -> list[Any]:
    return [tree.kind, [_tree_as_json(one) for one in tree.parts], list(tree.keys), tree.title]


# -- reading ------------------------------------------------------------------------------------


def load(path: Path) -> Graph:
    """Return the graph in a file; whatever is wrong with it is a ``CaptureError``."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _Reader(archive).graph()
    except FileNotFoundError:
        raise
    except CaptureError as error:
        raise CaptureError(f"load_graph: {path} is no graph that can be trusted: {error}") from error
    except (BurnArrayError, ArithmeticError, LookupError, TypeError, ValueError, OSError, RecursionError,
            AttributeError, MemoryError, EOFError, NotImplementedError, zipfile.BadZipFile) as error:  # fmt: skip
        raise CaptureError(
            f"load_graph: {path} is no graph that can be trusted: {type(error).__name__}: {error}"
        ) from error


def _refuse(why: str) -> NoReturn:
    raise CaptureError(why)


class _Reader:
    """Reads one file."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.members = {one.filename: one for one in archive.infolist()}
        text = self.members.get(_TEXT)
        if text is None or text.file_size > _MOST_TEXT:
            _refuse(f"it has no {_TEXT}, or a very large one")
        with archive.open(text) as file:
            read = file.read(_MOST_TEXT + 1)
        self.data = json.loads(read.decode("utf-8"))
        if self.data["format"] != FORMAT or self.data["version"] != VERSION:
            _refuse(
                f"its format is {self.data['format']!r:.40} {self.data['version']!r:.20}, not {FORMAT} {VERSION}"
            )

    def graph(self) -> Graph:
        data = self.data
        least = {_word(name): _count(n) for name, n in data["least"].items()}
        if len(data["specs"]) > _MOST_VALUES or len(data["steps"]) > _MOST_VALUES:
            _refuse("it has too many values")
        specs = [Spec(_shape(shape, least), _dtype(name)) for shape, name in data["specs"]]
        inputs = [
            Input(_text(name), specs[_number(n, specs)].shape, specs[n].dtype, n)
            for name, n in data["inputs"]
        ]
        constants = {_number(n, specs): self._constant(n, specs[n]) for n in data["constants"]}
        if set(self.members) != {_TEXT, *(f"{n}.npy" for n in constants)}:
            _refuse("it holds other files than its constants")
        steps = [_step(one, least) for one in data["steps"]]
        outputs = [_number(n, specs) for n in data["outputs"]]
        tree, arguments = _tree(data["results"]), _tree(data["arguments"])
        if (
            len(paths(tree)) != len(outputs)
            or len(paths(arguments)) != len(inputs)
            or arguments.kind != TUPLE
        ):
            _refuse("the structure of its arguments or results does not fit their number")
        graph = Graph(_text(data["name"]), specs, inputs, constants, steps, outputs, tree, arguments, least)
        _check_lengths(graph)
        _check_order(graph)
        for lengths in probes(list(least)) if least else [{}]:
            _check_steps(graph, lengths)
        return graph

    def _constant(self, number: int, spec: Spec) -> Constant:
        """Return a constant, after checking what its header tells before its elements are read."""
        member = self.members.get(f"{number}.npy")
        if member is None or member.compress_type != zipfile.ZIP_STORED:
            _refuse(f"the constant %{number} is missing or compressed")
        with self.archive.open(member) as file:
            version = np.lib.format.read_magic(file)
            if version != (1, 0):
                _refuse(f"the constant %{number} has another format")
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
            stored = np.dtype("uint16") if spec.dtype.name == _BRAIN else spec.dtype
            size = prod(spec.shape) * stored.itemsize
            if (shape, dtype) != (spec.shape, stored) or fortran or size > member.file_size:
                _refuse(f"the constant %{number} is {dtype}{list(shape)}, not {spec!r}")
            read = file.read(size + 1)
        if len(read) != size:
            _refuse(f"the constant %{number} has another length than its header tells")
        values = np.frombuffer(bytearray(read), stored).reshape(spec.shape)
        values = values.view(spec.dtype) if stored != spec.dtype else values
        return Constant(device("numpy"), values, values)


def _word(name: Any) -> str:
    return name if isinstance(name, str) and name.isidentifier() else _refuse(f"{name!r:.40} is no name")


def _text(name: Any) -> str:
    return name if isinstance(name, str) and len(name) < 1000 else _refuse(f"{name!r:.40} is no name")


def _count(n: Any) -> int:
    return n if type(n) is int and n >= 0 else _refuse(f"{n!r:.40} is no number")


def _number(n: Any, specs: list[Spec]) -> int:
    return n if type(n) is int and 0 <= n < len(specs) else _refuse(f"there is no value {n!r:.20}")


def _dtype(name: Any) -> Any:
    if name == _BRAIN:
        from ml_dtypes import bfloat16

        return np.dtype(bfloat16)
    found = canonical(np.dtype(_text(name)))
    return (
        found
        if kind_of(found) in "biufc" and found.itemsize <= 16 and found.name == name
        else _refuse(f"{name!r:.40} is no dtype")
    )


def _shape(value: Any, least: dict[str, int]) -> tuple[Any, ...]:
    found = _decoded(value, least)
    if type(found) is not tuple or not all(type(n) is Size or (type(n) is int and n >= 0) for n in found):
        _refuse(f"{value!r:.40} is no shape")
    return found


def _decoded(value: Any, least: dict[str, int], depth: int = 0) -> Any:
    """Return the argument that JSON stands for."""
    if depth > _DEEPEST:
        _refuse("an argument is nested too deeply")
    if value is None or type(value) in (bool, int):
        return value
    if type(value) is not dict or len(value) != 1:
        _refuse(f"cannot read {value!r:.40}")
    ((tag, inner),) = value.items()
    if tag == "float":
        return float.fromhex(inner)
    if tag == "complex":
        return complex(float.fromhex(inner[0]), float.fromhex(inner[1]))
    if tag == "text":
        return _text(inner)
    if tag == "value":
        return Ref(_count(inner))
    if tag == "size":
        return _size(inner, least)
    if tag == "scaled":
        return Scaled(float.fromhex(inner[0]), _size(inner[1]["size"], least), bool(inner[2]))
    if tag == "tuple":
        return tuple(_decoded(one, least, depth + 1) for one in inner)
    if tag == "slice":
        return slice(*(_decoded(one, least, depth + 1) for one in inner))
    if tag == "all":
        return ...
    return _dtype(inner) if tag == "dtype" else _refuse(f"cannot read {value!r:.40}")


def _size(terms: Any, least: dict[str, int]) -> Size:
    found = {tuple(map(_word, names)): n for names, n in terms}
    if (
        not all(type(n) is int for n in found.values())
        or not {n for key in found for n in key} <= least.keys()
    ):
        _refuse(f"{terms!r:.40} is no length")
    if any(len(key) > 2 for key in found):
        _refuse(f"{terms!r:.40} is no length")
    return Size(found)


def _step(one: Any, least: dict[str, int]) -> Step:
    name, args, settings, outs, several, source = one
    if name not in rules():
        _refuse(f"{name!r:.40} is no function of a graph")
    if not isinstance(settings, dict) or not isinstance(several, bool):
        _refuse(f"a call of {name} cannot be read")
    where = None if source is None else (_text(source[0]), _count(source[1]))
    decoded = {_word(key): _decoded(each, least) for key, each in settings.items()}
    arguments = _decoded(args, least)
    if type(arguments) is not tuple:
        _refuse(f"a call of {name} cannot be read")
    return Step(name, arguments, decoded, tuple(map(_count, outs)), several, where)


def _tree(data: Any, depth: int = 0) -> Tree:
    kind, parts, keys, title = data
    if depth > _DEEPEST or kind not in (LEAF, TUPLE, LIST, DICT, NAMED, NONE):
        _refuse("a structure cannot be read")
    made = tuple(_tree(one, depth + 1) for one in parts)
    if kind in (LEAF, NONE) and made:
        _refuse("a structure cannot be read")
    if kind in (DICT, NAMED) and len(set(keys)) != len(made):
        _refuse("the keys of a structure do not fit")
    if not all(type(key) in (str, int) for key in keys):
        _refuse("a key of a structure is neither a text nor a number")
    if kind == NAMED and not all(isinstance(k, str) and _word(k)[0] != "_" for k in (*keys, title)):
        _refuse("a field of a structure has no name")
    return Tree(kind, made, tuple(keys), _text(title))


# -- checks -------------------------------------------------------------------------------------


def _check_lengths(graph: Graph) -> None:
    """Raise unless every length of an input is an int or a name, and each name is a length of an input."""
    named = [n for one in graph.inputs for n in one.shape if type(n) is Size]
    if any(n.name is None for n in named) or {n.name for n in named} != graph.least.keys():
        _refuse("its named lengths are not those of its inputs")


def _check_order(graph: Graph) -> None:
    """Raise unless every value is made once, before it is read."""
    made = [one.number for one in graph.inputs] + list(graph.constant_values)
    known = set(made)
    if len(known) < len(made):
        _refuse("a value is made twice")
    for step in graph.steps:
        for ref in refs_in((step.args, step.settings)):
            if ref.number not in known:
                _refuse(f"{step.name} reads %{ref.number} before it is made")
        for out in step.outs:
            if out in known or out >= len(graph.specs):
                _refuse(f"%{out} is made twice, or has no shape")
            known.add(out)
    if not known.issuperset(graph.outputs):
        _refuse("a result is never made")


def _check_steps(graph: Graph, lengths: dict[str, int]) -> None:
    """Raise unless the shape and dtype of every result follow from those of the operands."""
    specs = [Spec(tuple(at_lengths(n, lengths) for n in one.shape), one.dtype) for one in graph.specs]
    for step in graph.steps:
        args, settings = mapped((step.args, step.settings), lambda one: at_lengths(one, lengths))
        found = rules()[step.name](*with_refs_as(args, specs), **with_refs_as(settings, specs))
        several = type(found) is tuple
        results = found if several else (found,)
        wanted = [specs[out] for out in step.outs]
        if several is not step.several or list(results) != wanted:
            _refuse(f"{step.name} gives {results!r:.80}, not {wanted!r:.80}")
