"""Graphs as models of ONNX: what onnxruntime computes with them, and what is refused by name."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.autodiff import value_and_grad
from burn_array.errors import NotSupportedError
from burn_array.graphs.shapes.elementwise import BINARY, UNARY

pytest.importorskip("ndonnx")
onnxruntime = pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.filterwarnings("ignore")


def _pages() -> ModuleType:
    path = Path(__file__).parents[1] / "core" / "test_pages.py"
    spec = importlib.util.spec_from_file_location("pages_for_onnx", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES = _pages()
NO_ARRAYS = (
    ".shape",
    "result_type",
    "can_cast",
    "isdtype",
    "info",
    "broadcast_shapes",
    "empty",
    "finfo",
    "iinfo",
)
UNTRACED = ("unique", "xp.nonzero", "repeat(f, k", "from_dlpack")
REFUSED = (
    "nextafter inv slogdet eigvalsh svdvals pinv cholesky matrix_rank solve qr svd eigh eigvals eig "
    "fft ifft fftn ifftn rfft ihfft irfft hfft rfftn irfftn"
).split()
"""Functions that ONNX cannot compute."""


def results_of(graph: Any, *leaves: Any) -> list[np.ndarray[Any, Any]]:
    """Return what onnxruntime computes for the leaves of the arguments."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    model = graph.to_onnx().SerializeToString()
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    wanted = {one.name for one in session.get_inputs()}
    feeds = {one.name: np.asarray(x) for one, x in zip(graph.inputs, leaves, strict=True)}
    return list(session.run(None, {name: x for name, x in feeds.items() if name in wanted}))


def compare(found: Any, wanted: Any) -> None:
    """Assert that two arrays are equal up to rounding; of the signs of zeros onnxruntime keeps not all."""
    wanted = np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_allclose(
        found, wanted, rtol={"float16": 2e-3, "float32": 1e-5}.get(wanted.dtype.name, 1e-9)
    )


def calls() -> list[str]:
    """Return the calls of the standard on real arrays."""
    kept = [code for code in PAGES.CALLS if not any(word in code for word in (*NO_ARRAYS, *UNTRACED))]
    return [code for code in kept if "(c" not in code and "1j" not in code]


@pytest.mark.parametrize("start", range(16))
def test_the_functions_of_the_standard(start: int) -> None:
    for code in calls()[start::16]:
        arrays = {
            name: bn.asarray(a.copy(), device="numpy") for name, a in PAGES.samples().items() if name != "c"
        }
        with np.errstate(all="ignore"), bn.default_device("numpy"):
            wanted = eval(code, {"xp": bn}, dict(arrays))
            graph = bn.trace(lambda a, code=code: eval(code, {"xp": bn}, dict(a)), arrays)
        last = code.split("(")[0].rpartition(".")[2]
        if last in REFUSED or any(f".{name}(" in code for name in REFUSED) or _needs_values(code):
            with pytest.raises(
                NotSupportedError, match=r"to_onnx: .* (cannot be exported|which ONNX cannot compute)"
            ):
                graph.to_onnx()
            continue
        found = results_of(graph, *arrays.values())
        for a, b in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            compare(a, b)


def _needs_values(code: str) -> bool:
    """Return whether a call needs singular values, or the inverse of a matrix."""
    norms = "matrix_norm" in code and any(one in code for one in ("'nuc'", "ord=2)", "ord=-2)"))
    return norms or "(h, -2)" in code or "(m, 0)" in code


def test_how_many_functions_of_the_standard_are_exported() -> None:
    names = {code.split("(")[0].removeprefix("xp.") for code in calls()}
    assert len({name for name in names if name.rpartition(".")[2] not in REFUSED}) >= 115


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, np.inf, -np.inf, np.nan, 1e-5, 1e20]
INTEGERS = [1, -1, 2, -3, 7, 100, -128, 127, 5, 3, -5, 13]


@pytest.mark.parametrize("name", UNARY.split())
def test_special_values_of_one_operand(name: str) -> None:
    for values, dtype in (
        (SPECIAL, "float64"),
        (SPECIAL, "float32"),
        (INTEGERS, "int64"),
        (INTEGERS, "int8"),
    ):
        check(getattr(bn, name), np.asarray(values).astype(dtype))


@pytest.mark.parametrize("name", [name for name in BINARY.split() if name != "nextafter"])
def test_special_values_of_two_operands(name: str) -> None:
    for values, dtype in ((SPECIAL, "float64"), (SPECIAL, "float32"), (INTEGERS, "int32")):
        x = np.asarray(values).astype(dtype)
        check(getattr(bn, name), x[:, None], np.abs(x) if "shift" in name else x)
    check(getattr(bn, name), np.asarray(SPECIAL), (np.asarray(INTEGERS) % 256).astype("uint8"))


def check(f: Callable[..., Any], *hosts: Any) -> None:
    """Assert that the model of a function gives what NumPy gives, if both exist."""
    args = [bn.asarray(one, device="numpy") for one in hosts]
    with np.errstate(all="ignore"):
        try:
            wanted = f(*args)
        except bn.errors.BurnArrayError:
            return
        graph = bn.trace(f, *args)
    try:
        graph.to_onnx()
    except NotSupportedError:
        assert hosts[0].dtype.kind in "iu" or wanted.dtype.kind in "iu"
        return
    compare(results_of(graph, *args)[0], wanted)


def test_a_model_with_named_lengths() -> None:
    def model(params: dict[str, Any], x: Any) -> Any:
        h = bn.tanh(x @ params["w"] + params["b"])
        h = bn.concat([h, bn.zeros((x.shape[0], 1))], axis=1)
        flat = bn.reshape(h, (4 * x.shape[0],))
        return (
            bn.mean(h, axis=0),
            flat / x.shape[0],
            bn.arange(x.shape[0]) * 2,
            h[: x.shape[0]],
            bn.special.expit(h),
        )

    graph = bn.trace(model, {"w": bn.spec((2, 3)), "b": bn.spec((3,))}, bn.spec(("batch", 2)))
    for n in (1, 4, 9):
        numbers = np.random.default_rng(n)
        w, b, x = numbers.normal(size=(2, 3)), numbers.normal(size=3), numbers.normal(size=(n, 2))
        wanted = graph({"w": bn.asarray(w), "b": bn.asarray(b)}, bn.asarray(x))
        for a, one in zip(results_of(graph, w, b, x), wanted, strict=True):
            compare(a, one)


def test_determinants_and_positions() -> None:
    numbers = np.random.default_rng(2)
    for n in (1, 2, 3):
        check(bn.linalg.det, numbers.normal(size=(4, n, n)))
    with pytest.raises(NotSupportedError, match="at most three rows"):
        bn.trace(bn.linalg.det, bn.spec((4, 4))).to_onnx()
    known = np.asarray([-1.0, 0.0, 0.0, 2.0, np.inf, np.nan])
    sought = np.asarray([[-2.0, 0.0, 1.0], [2.0, np.inf, np.nan]])
    for side in ("left", "right"):
        check(lambda x, y, side=side: bn.searchsorted(x, y, side=side), known, sought)
    check(
        lambda x, y: bn.searchsorted(x, y, sorter=bn.argsort(x)), np.asarray([3, 1, 2]), np.asarray([2, 9, 0])
    )


def test_a_gradient_as_a_model() -> None:
    def loss(w: Any, x: Any) -> Any:
        return bn.mean((bn.exp(x @ w) - 1.0) ** 2)

    w, x = bn.asarray([0.5, -0.25, 0.125]), bn.asarray(np.linspace(-1.0, 1.0, 12).reshape(4, 3))
    graph = bn.trace(value_and_grad(loss), w, x)
    for found, wanted in zip(results_of(graph, w, x), graph(w, x), strict=True):
        compare(found, wanted)


def test_an_input_as_a_result_and_constants() -> None:
    graph = bn.trace(lambda x, m: (x, m, x * np.asarray([1.0, 2.0])), bn.spec((2,)), bn.spec((2,), bn.bool))
    x, m = bn.asarray([1.0, 2.0]), bn.asarray([True, False])
    for found, wanted in zip(results_of(graph, x, m), graph(x, m), strict=True):
        compare(found, wanted)


@pytest.mark.parametrize(
    ("f", "why"),
    [
        (lambda x: bn.fft.fft(x), "complex"),
        (lambda x: bn.random.uniform((2,)) + x, r"random\.uniform"),
        (lambda x: bn.linalg.inv(x @ x), r"linalg\.inv cannot be exported"),
        (lambda x: bn.special.erfinv(x), "no formula"),
    ],
)
def test_what_is_refused_is_named(f: Callable[..., Any], why: str) -> None:
    with pytest.raises(NotSupportedError, match=rf"to_onnx: .*{why}"):
        bn.trace(f, bn.spec((2, 2))).to_onnx()
