"""Graphs in files: what is written is read, and nothing else."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.autodiff import value_and_grad
from burn_array.errors import CaptureError


def model(params: dict[str, Any], x: Any) -> Any:
    """Return what uses every kind of argument of a step."""
    h = bn.tanh(x @ params["w"] + np.asarray([0.5, -0.0, np.inf])) * (1 / 3)
    h = bn.where(bn.isfinite(h), h, -0.0)
    h[:, 0] = h[:, 1] * 2
    h[h > 0.5] = 0.25
    z = bn.astype(h, bn.complex64) * (1 + 2j)
    both = bn.concat([h, bn.real(z)], axis=1)
    return {
        "sum": bn.sum(both, axis=0),
        "norm": bn.linalg.vector_norm(h, ord=float("inf")),
        "svd": bn.linalg.svd(both),
    }


@pytest.fixture
def graph() -> Any:
    return bn.trace(model, {"w": bn.spec((4, 3))}, bn.spec((5, 4)))


@pytest.fixture
def saved(graph: Any, tmp_path: Path) -> Path:
    path = tmp_path / "model.graph"
    graph.save(path)
    return path


def test_a_graph_is_read_as_it_was_written(
    xp: ModuleType, equal: Callable[[Any, Any], None], graph: Any, saved: Path
) -> None:
    again = xp.load_graph(saved)
    assert str(again) == str(graph).replace(str(Path(__file__).parent) + "/", "")
    args = (
        {"w": xp.asarray(np.linspace(-1, 1, 12).reshape(4, 3))},
        xp.asarray(np.linspace(0, 1, 20).reshape(5, 4)),
    )
    found, wanted = again(*args), graph(*args)
    equal(found, wanted)
    assert list(found) == ["sum", "norm", "svd"]
    assert found["svd"]._fields == ("U", "S", "Vh")


def test_named_lengths_gradients_and_half_precision(
    tmp_path: Path, equal: Callable[[Any, Any], None]
) -> None:
    def loss(w: Any, x: Any) -> Any:
        return bn.mean((x @ w) ** 2) / x.shape[0]

    graph = bn.trace(value_and_grad(loss), bn.spec((3,)), bn.spec(("n", 3)))
    graph.save(tmp_path / "a")
    again = bn.load_graph(tmp_path / "a")
    args = bn.asarray([1.0, 2.0, 3.0]), bn.asarray(np.arange(21.0).reshape(7, 3))
    equal(again(*args), graph(*args))
    assert again.least == graph.least
    half = bn.trace(lambda x: x * np.asarray([1.5, 2.0], dtype="float16"), bn.spec((2,), bn.float16))
    half.save(tmp_path / "b")
    assert bn.load_graph(tmp_path / "b")(bn.ones(2, dtype=bn.float16)).tolist() == [1.5, 2.0]


@pytest.mark.library("torch")
def test_brain_floats_in_a_file(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    w = bn.astype(bn.asarray([1.5, -2.0], device="torch:cpu"), ml_dtypes.bfloat16)
    graph = bn.trace(lambda x: x * w, bn.spec((2,), ml_dtypes.bfloat16))
    graph.save(tmp_path / "a")
    found = bn.load_graph(tmp_path / "a")(w)
    assert found.native.float().tolist() == [2.25, 4.0]


def test_draws_in_a_file(tmp_path: Path) -> None:
    bn.trace(lambda x: x + bn.random.normal((3,)), bn.spec((3,))).save(tmp_path / "a")
    graph = bn.load_graph(tmp_path / "a")
    bn.random.seed(1)
    first = graph(bn.zeros(3)).tolist()
    bn.random.seed(1)
    assert bn.random.normal((3,)).tolist() == first


# -- what is refused ----------------------------------------------------------------------------


def rewritten(
    path: Path, change: Callable[[dict[str, Any]], Any], files: dict[str, bytes] | None = None
) -> None:
    """Write the file again with another text, and perhaps other constants."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    data = json.loads(contents["graph.json"])
    change(data)
    contents["graph.json"] = json.dumps(data).encode()
    contents.update(files or {})
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            if content is not None:
                archive.writestr(name, content)


def step(data: dict[str, Any], name: str) -> list[Any]:
    """Return the first step with that function."""
    found: list[Any] = next(one for one in data["steps"] if one[0] == name)
    return found


TAMPERED: dict[str, Callable[[dict[str, Any]], Any]] = {
    "an unknown function": lambda d: step(d, "tanh").__setitem__(0, "no_such_function"),
    "a dunder": lambda d: step(d, "tanh").__setitem__(0, "__class__"),
    "a module": lambda d: step(d, "tanh").__setitem__(0, "os.system"),
    "another function": lambda d: step(d, "tanh").__setitem__(0, "isfinite"),
    "a forward reference": lambda d: step(d, "tanh").__setitem__(
        1, {"tuple": [{"value": len(d["specs"]) - 1}]}
    ),
    "no such value": lambda d: step(d, "tanh").__setitem__(1, {"tuple": [{"value": 10_000}]}),
    "a negative value": lambda d: step(d, "tanh").__setitem__(1, {"tuple": [{"value": -1}]}),
    "another shape": lambda d: d["specs"][step(d, "tanh")[3][0]].__setitem__(0, {"tuple": [5, 4]}),
    "another dtype": lambda d: d["specs"][step(d, "tanh")[3][0]].__setitem__(1, "float32"),
    "another shape of an input": lambda d: d["specs"][d["inputs"][0][1]].__setitem__(0, {"tuple": [4, 9]}),
    "a negative length": lambda d: d["specs"][0].__setitem__(0, {"tuple": [-4, 3]}),
    "an object dtype": lambda d: d["specs"][0].__setitem__(1, "object"),
    "a text dtype": lambda d: d["specs"][0].__setitem__(1, "<U8"),
    "a setting more": lambda d: step(d, "sum")[2].__setitem__("out", None),
    "a setting less": lambda d: step(d, "sum")[2].pop("axis"),
    "an axis": lambda d: step(d, "sum")[2].__setitem__("axis", 7),
    "an argument more": lambda d: step(d, "tanh")[1]["tuple"].append(1),
    "a key": lambda d: step(d, "setitem")[1]["tuple"].__setitem__(1, {"text": "x"}),
    "a tag": lambda d: step(d, "multiply")[1]["tuple"].__setitem__(1, {"object": "x"}),
    "bare text": lambda d: step(d, "multiply")[1]["tuple"].__setitem__(1, "x"),
    "made twice": lambda d: d["steps"].append(list(d["steps"][-1])),
    "a result that is missing": lambda d: d["outputs"].__setitem__(0, 10_000),
    "too few results": lambda d: d["outputs"].pop(),
    "too few inputs": lambda d: d["inputs"].pop(),
    "a structure": lambda d: d["results"].__setitem__(0, 99),
    "a deep structure": lambda d: d.__setitem__("results", _nested(100)),
    "a deep argument": lambda d: step(d, "tanh").__setitem__(1, {"tuple": [_deep(100)]}),
    "a private field": lambda d: d.__setitem__("results", [4, [[0, [], [], ""]], ["__class__"], "T"]),
    "a version": lambda d: d.__setitem__("version", 2),
    "a format": lambda d: d.__setitem__("format", "something"),
    "a length": lambda d: d["least"].__setitem__("n", 0),
    "no constants": lambda d: d.__setitem__("constants", []),
    "no steps": lambda d: d.pop("steps"),
    "a number for a list": lambda d: d.__setitem__("steps", 3),
    "several": lambda d: step(d, "tanh").__setitem__(4, True),
    "a negative line": lambda d: step(d, "tanh").__setitem__(5, ["a", -1]),
}


def _nested(depth: int) -> Any:
    return [0, [], [], ""] if depth == 0 else [1, [_nested(depth - 1)], [], ""]


def _deep(depth: int) -> Any:
    return 1 if depth == 0 else {"tuple": [_deep(depth - 1)]}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_file_that_was_changed_is_refused(saved: Path, name: str) -> None:
    rewritten(saved, TAMPERED[name])
    with pytest.raises(CaptureError, match=r"^load_graph: .* is no graph that can be trusted: "):
        bn.load_graph(saved)


def test_shapes_that_would_need_much_memory_are_refused(tmp_path: Path) -> None:
    """Reading a file allocates nothing that its shapes ask for."""
    bn.trace(lambda x: bn.fft.fft(x), bn.spec((2,))).save(tmp_path / "a")
    bn.trace(lambda x: bn.linalg.det(x), bn.spec((2, 0, 0))).save(tmp_path / "b")
    for name, shape in (("a", [2] * 40), ("b", [10**12, 0, 0])):
        assert bn.load_graph(tmp_path / name).name == "<lambda>"
        rewritten(tmp_path / name, lambda d, shape=shape: d["specs"][0].__setitem__(0, {"tuple": shape}))  # type: ignore[misc]
        with pytest.raises(CaptureError, match="more than a capture can follow"):
            bn.load_graph(tmp_path / name)


def _npy(values: Any, *, allow_pickle: bool = False) -> bytes:
    memory = io.BytesIO()
    np.save(memory, values, allow_pickle=allow_pickle)
    return memory.getvalue()


class Harmful:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_constants_that_were_changed_are_refused(saved: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(saved) as archive:
        name = next(one for one in archive.namelist() if one.endswith(".npy"))
        good = archive.read(name)
    mark = tmp_path / "mark"
    wrong: dict[str, bytes | None] = {
        "pickled": _npy(np.asarray([Harmful(mark)] * 3, dtype=object), allow_pickle=True),
        "a pickle": pickle.dumps(Harmful(mark)),
        "another shape": _npy(np.zeros(4)),
        "another dtype": _npy(np.zeros(3, dtype="float32")),
        "cut off": good[:-8],
        "longer": good + b"12345678",
        "a huge header": good.replace(b"(3,)", b"(3000000000000,)"),
        "missing": None,
    }
    for about, content in wrong.items():
        rewritten(saved, lambda data: None, {name: content})  # type: ignore[dict-item]
        with pytest.raises(CaptureError, match="no graph that can be trusted"):
            bn.load_graph(saved)
        rewritten(saved, lambda data: None, {name: good})
        assert bn.load_graph(saved).name == "model", about
    assert not mark.exists()
    rewritten(saved, lambda data: None, {"more.txt": b"x"})
    with pytest.raises(CaptureError, match="other files"):
        bn.load_graph(saved)


def test_files_that_are_no_archives(saved: Path, tmp_path: Path) -> None:
    content = saved.read_bytes()
    for wrong in (b"", b"text", content[: len(content) // 2], content[:-30], pickle.dumps({"a": 1})):
        path = tmp_path / "wrong"
        path.write_bytes(wrong)
        with pytest.raises(CaptureError, match="no graph that can be trusted"):
            bn.load_graph(path)
    with pytest.raises(FileNotFoundError):
        bn.load_graph(tmp_path / "absent")


def test_no_byte_of_a_file_can_be_changed_unnoticed_into_another_program(saved: Path, graph: Any) -> None:
    """Each changed number of the text gives an error, or a graph with the shapes that follow from it."""
    with zipfile.ZipFile(saved) as archive:
        data = json.loads(archive.read("graph.json"))
    for place in range(len(data["steps"])):
        for number in (0, 1, 2):

            def change(d: dict[str, Any], place: int = place, number: int = number) -> None:
                d["steps"][place][1] = {"tuple": [{"value": number}]}

            before = saved.read_bytes()
            rewritten(saved, change)
            try:
                found = bn.load_graph(saved)
            except CaptureError:
                saved.write_bytes(before)
                continue
            args = ({"w": bn.ones((4, 3))}, bn.ones((5, 4)))
            with np.errstate(all="ignore"):
                results = found(*args)
            assert results["sum"].shape == (6,)
            saved.write_bytes(before)
