"""Simplification and plans: what is left out, what is computed in advance, and where memory is used again."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.errors import ArgumentError, UnsupportedDTypeError
from burn_array.graphs.plan import ASSIGN, WRITE, WRITE_INTO

LARGE = 20_000


def names(graph: Any) -> list[str]:
    """Return the names of the steps."""
    return [one.name for one in graph.steps]


def forms(run: Any) -> list[int]:
    """Return how the instructions of a program run."""
    return [one.form for one in instructions(run)]


def instructions(run: Any) -> list[Any]:
    """Return the instructions of a program."""
    return list(run._only.instructions)


def test_equal_steps_are_made_once() -> None:
    graph = bn.trace(lambda x: bn.sin(x) + bn.sin(x) * bn.sin(x), bn.spec((3,)))
    assert names(graph).count("sin") == 3
    assert names(graph.simplified()) == ["sin", "multiply", "add"]


def test_numbers_of_other_types_are_not_equal(xp: ModuleType, replays: Callable[..., Any]) -> None:
    def f(x: Any) -> Any:
        return x + 1, x + 1.0, x + True, x * 0.0, x * -0.0, xp.pow(x, 2), xp.pow(x, 2.0)

    graph = replays(f, xp.asarray([1, -2, 3], dtype=xp.int8))
    assert len(graph.simplified().steps) == 7
    graph = replays(lambda x: (x * 0.0, x * -0.0, x + math.nan, x + math.nan), xp.asarray([1.0, -2.0]))
    assert len(graph.simplified().steps) == 3
    results = graph(xp.asarray([1.0, -2.0]))
    assert [np.signbit(np.asarray(one)).tolist() for one in results[:2]] == [[False, True], [True, False]]


def test_unread_steps_and_copies_are_left_out() -> None:
    def f(x: Any) -> Any:
        bn.exp(x)
        y = bn.asarray(bn.astype(bn.asarray(x, copy=True), bn.float64), copy=True)
        return y * 2

    graph = bn.trace(f, bn.spec((3,)))
    assert names(graph.simplified()) == ["multiply"]
    x = bn.ones(3)
    assert graph.on("numpy", simplify=False)(x).tolist() == graph(x).tolist() == [2.0] * 3


def test_draws_are_neither_merged_nor_left_out(xp: ModuleType) -> None:
    def f(x: Any) -> Any:
        xp.random.uniform((2,))
        return xp.random.uniform((2,)), xp.random.uniform((2,)), xp.random.permutation(4) + 0

    graph = xp.trace(f, xp.ones(3))
    assert names(graph.simplified()).count("random.uniform") == 3
    xp.random.seed(7)
    wanted = f(None)
    xp.random.seed(7)
    found = graph(xp.ones(3))
    assert [one.tolist() for one in found] == [one.tolist() for one in wanted]
    assert [one.tolist() for one in graph(xp.ones(3))] != [one.tolist() for one in wanted]


def test_draws_on_a_device_that_differentiates() -> None:
    graph = bn.trace(lambda x: x * bn.random.normal((2,)), bn.spec((2,)))
    x = bn.ones(2, device="numpy+autodiff").require_grad()
    bn.random.seed(3, device="numpy")
    found = graph(x)
    bn.random.seed(3, device="numpy")
    assert found.detach().tolist() == bn.random.normal((2,), device="numpy").tolist()
    assert found.is_tracked


def test_small_constants_are_computed_in_advance() -> None:
    graph = bn.trace(lambda x: x + bn.sum(bn.arange(10) * 2) + bn.zeros((1, 20_000))[0, 0], bn.spec((3,)))
    run = graph.on("numpy")
    left = [one.step.name for one in instructions(run)]
    assert left == ["zeros", "getitem", "add", "add"] or left == ["add", "zeros", "getitem", "add"]
    assert run(bn.ones(3)).tolist() == [91.0] * 3


def test_large_steps_work_in_place() -> None:
    def f(x: Any) -> Any:
        for _ in range(4):
            x = bn.sin(x) * 1.5 + 0.5
        return x

    graph = bn.trace(f, bn.spec((LARGE,)))
    found = forms(graph.on("numpy"))
    assert found.count(WRITE) == 8
    assert found.count(WRITE_INTO) == 3  # all but the first, whose operand is the input
    assert set(forms(bn.trace(f, bn.spec((10,))).on("numpy"))) == {0, 1}
    assert WRITE not in forms(graph.on("numpy", in_place=False))
    assert WRITE not in forms(graph.on("numpy+autodiff"))


def _assigned(y: Any) -> Any:
    z = bn.asarray(y, copy=True)
    z[0] = 5.0
    return y + z


VIEWS: dict[str, Callable[[Any], Any]] = {
    "a view of the operand": lambda x: (
        y := x * 2,
        z := bn.reshape(y, (-1,)),
        (y + 1) * 3 + bn.sum(z) * 0 + z,
    )[-1],
    "a view read later": lambda x: (y := x * 2, z := bn.flip(y), w := y + 1, w * z)[-1],
    "broadcast": lambda x: (y := x * 2, z := bn.broadcast_to(y[:1], (LARGE,)), y * 3 + z)[-1],
    "a view of a view": lambda x: (
        y := x * 2,
        z := bn.flip(bn.reshape(y, (2, -1))),
        (y + 1),
        bn.sum(z) + y * 2,
    )[-1],
    "assignment to a copy": lambda x: _assigned(x * 2),
    "the operand is a result": lambda x: (y := x * 2, y + 1, y),
    "positive": lambda x: (y := x * 2, z := bn.positive(y), bn.sin(y) + z)[-1],
    "used twice": lambda x: (y := x * 2, y * y + y)[-1],
    "same operand": lambda x: (y := x * 2, y + y)[-1],
    "input": lambda x: (x + 1, x * 2),
    "unstacked": lambda x: (y := bn.reshape(x * 2, (2, -1)), a := bn.unstack(y), bn.sin(y) + a[0])[-1],
    "real": lambda x: (y := x * 2, z := bn.real(y + 0j), bn.cos(y) * z)[-1],
}


@pytest.mark.parametrize("name", VIEWS)
def test_in_place_spares_what_is_read_elsewhere(
    xp: ModuleType, replays: Callable[..., Any], name: str
) -> None:
    x = xp.asarray(np.linspace(-1.0, 1.0, LARGE))
    replays(VIEWS[name], x)
    np.testing.assert_array_equal(np.asarray(x), np.linspace(-1.0, 1.0, LARGE))


def test_an_assignment_needs_no_copy_of_a_value_that_ends_there() -> None:
    def f(x: Any) -> Any:
        y = x * 2
        y[0] = 1.0
        y[1] += 3.0
        return y

    run = bn.trace(f, bn.spec((10,))).on("numpy")
    assert [one.second for one in instructions(run) if one.form == ASSIGN] == [None, None]
    assert run(bn.ones(10)).tolist() == [1.0, 5.0, *[2.0] * 8]


def test_the_peak_of_a_long_chain() -> None:
    def f(x: Any) -> Any:
        for _ in range(20):
            x = bn.tanh(x) * 1.01
        return x

    n = 100_000
    run = bn.trace(f, bn.spec((n,))).on("numpy")
    x = bn.asarray(np.linspace(0.0, 1.0, n), device="numpy")
    run(x)
    tracemalloc.start()
    run(x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak <= 3.2 * 8 * n


def test_a_device_without_a_dtype_is_told_when_the_plan_is_made(apart: bn.Device) -> None:
    graph = bn.trace(lambda x: bn.astype(x, bn.float16) * 2, bn.spec((3,)))
    with pytest.raises(UnsupportedDTypeError, match="float16"):
        graph.on(apart)


def test_a_graph_in_a_capture() -> None:
    inner = bn.trace(lambda x: bn.sum(x * bn.asarray([1.0, 2.0, 3.0])), bn.spec((3,)))
    outer = bn.trace(lambda x: inner(x) + inner.on("capture")(x * 2), bn.spec((3,)))
    assert float(outer(bn.ones(3))) == 18.0


def test_every_step_knows_its_line() -> None:
    graph = bn.trace(lambda x: bn.special.softmax(x @ x), bn.spec((3, 3)))
    assert {one.source[0] for one in graph.steps if one.source} == {__file__}
    assert "test_plans.py:" in str(graph)
    graph = bn.trace(lambda x: x[0], bn.spec((3, 3)))
    assert str(graph).splitlines()[1].startswith("  %1: float64[3] = %0[0]  # test_plans.py:")


def test_pictures() -> None:
    specs = {"w": bn.spec((4, 3))}, bn.spec(("batch", 4))
    graph = bn.trace(lambda p, x: bn.tanh(x @ p["w"] + np.ones(3)) * 2, *specs, name='a "b"')
    dot = graph.to_dot()
    assert dot.startswith('digraph "a \\"b\\"" {')
    assert dot.count(" -> ") == 7
    assert 'label="matmul\\nfloat64[batch, 3]"' in dot
    html = graph._repr_html_()
    assert html.count("<rect") == 8
    assert html.count("<path") == 7
    assert "float64[batch, 3]" in html
    import xml.etree.ElementTree as ElementTree

    ElementTree.fromstring(html[html.index("<svg") :])


@pytest.mark.library("jax")
def test_a_program_compiled_by_jax(xp: ModuleType) -> None:
    pytest.importorskip("jax")
    check_compiled("jax:cpu")


@pytest.mark.library("torch")
def test_a_program_compiled_by_torch() -> None:
    pytest.importorskip("torch")
    check_compiled("torch:cpu")


def check_compiled(device: str) -> None:
    """Assert that a program of ten steps is compiled, and gives what the plan gives."""

    def f(x: Any, w: Any) -> Any:
        y = x
        for _ in range(3):
            y = bn.sin(y) * 1.01 + 0.5
        return bn.sum(y * w), y

    graph = bn.trace(f, bn.spec((500,)), bn.spec((500,)))
    run = graph.on(device, compiled=True)
    assert run.is_compiled
    x = bn.asarray(np.linspace(-2.0, 2.0, 500), device=device)
    for scale in (1.0, 3.0):
        found, wanted = run(x * scale, x), f(x * scale, x)
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12)


def test_programs_that_are_not_compiled(device: bn.Device) -> None:
    x = bn.asarray([1.0, 2.0, 3.0], device=device)
    draws = bn.trace(lambda x: x + bn.random.uniform((3,)), x)
    for graph in (draws, bn.trace(lambda x: bn.special.erf(x), x)):
        run = graph.on(device, compiled=True)
        assert not run.is_compiled
        assert run(x).shape == (3,)


def test_fixed_memory_on_a_device_without_such_graphs(device: bn.Device) -> None:
    x = bn.asarray([1.0, 2.0, 3.0], device=device)
    run = bn.trace(lambda x: (x * 2, bn.sum(x)), x).on(device, hardware=True)
    assert not run.is_hardware
    found = run(x)
    assert found[0].tolist() == [2.0, 4.0, 6.0]
    run.inputs[0][...] = x + 1
    outputs = run.outputs
    run.replay()
    assert [one.tolist() for one in outputs] == [[4.0, 6.0, 8.0], 9.0]
    assert [one.tolist() for one in run.outputs] == [[4.0, 6.0, 8.0], 9.0]
    assert found[0].tolist() == [2.0, 4.0, 6.0]
    with pytest.raises(ArgumentError, match="only a program with fixed memory has it"):
        bn.trace(lambda x: x * 2, x).on(device).replay()


def test_a_program_that_the_hardware_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recorder that behaves as one of CUDA: a launch writes into the results that were recorded."""
    runs: list[str] = []

    def recorder(function: Callable[[], Any], warm_up: int) -> tuple[Callable[[], Any], Any]:
        for _ in range(warm_up):
            function()
            runs.append("warm up")
        results = function()

        def launch() -> None:
            runs.append("launch")
            for out, new in zip(results, function(), strict=True):
                out[...] = new

        return launch, results

    adapter = bn.device("numpy").adapter
    monkeypatch.setattr(type(adapter), "graph_recorder", lambda self: recorder)

    def f(x: Any, w: Any) -> Any:
        for _ in range(25):
            x = bn.sin(x) * w
        return x, bn.sum(x)

    specs = bn.spec((4,)), bn.spec((4,))
    run = bn.trace(f, *specs).on("numpy", hardware=True)
    assert run.is_hardware
    assert runs == ["warm up"] * 3
    x, w = bn.asarray([0.1, 0.2, 0.3, 0.4], device="numpy"), bn.asarray([1.0, 1.1, 1.2, 1.3], device="numpy")
    first = run(x, w)
    second = run(x * 2, w)
    assert [one.tolist() for one in first] == [one.tolist() for one in f(x, w)]
    assert [one.tolist() for one in second] == [one.tolist() for one in f(x * 2, w)]
    assert runs == [*["warm up"] * 3, "launch", "launch"]
    draws = bn.trace(lambda x: x + bn.random.uniform((4,)), bn.spec((4,))).on("numpy", hardware=True)
    assert not draws.is_hardware
    assert draws(x).tolist() != draws(x).tolist()
    named = bn.trace(lambda x: x * 2, bn.spec(("n",))).on("numpy", hardware=True)
    assert [named(bn.ones(n)).shape for n in (3, 4, 3)] == [(3,), (4,), (3,)]
    assert named.is_hardware

    def refuses(function: Callable[[], Any], warm_up: int) -> Any:
        raise RuntimeError("operation not permitted when stream is capturing")

    monkeypatch.setattr(type(adapter), "graph_recorder", lambda self: refuses)
    plain = bn.trace(f, *specs).on("numpy", hardware=True)
    assert not plain.is_hardware
    assert [one.tolist() for one in plain(x, w)] == [one.tolist() for one in f(x, w)]


IN_PLACE = (
    "add subtract multiply divide floor_divide remainder pow bitwise_and bitwise_or bitwise_xor".split()
)
ONE = "abs exp sin cos tanh sqrt square negative floor ceil round trunc sign log1p reciprocal expm1 atan".split()


def on_fresh(name: str, *others: Any) -> Callable[[Any], Any]:
    """Return a function of a new array, so that its first operand may be written into."""

    def program(x: Any) -> Any:
        fresh = bn.logical_xor(x, x[:1]) if x.dtype == bn.bool else x + x[:1]
        return getattr(bn, name)(fresh, *others)

    return program


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64", "int16", "uint8", "bool"])
def test_what_works_in_place_gives_the_same(
    xp: ModuleType, device: bn.Device, equal: Callable[[Any, Any], None], dtype: str
) -> None:
    host = np.concatenate([[0.0, 1.0, 2.0, 3.0, -0.0, 0.5, 7.0], np.linspace(0.0, 11.0, LARGE - 7)]).astype(
        dtype
    )
    x = xp.asarray(host)
    row = xp.asarray(host[1:2])
    operands: list[Any] = [2, True, 0.5, 3, row, x]
    programs = [on_fresh(name) for name in ONE]
    programs += [on_fresh(name, other) for name in IN_PLACE for other in operands]
    tried = 0
    for f in programs:
        with np.errstate(all="ignore"):
            try:
                wanted = f(x)
            except bn.errors.BurnArrayError:
                continue
            equal(xp.trace(f, x).on(device)(x), wanted)
        tried += 1
    assert tried >= 20
    np.testing.assert_array_equal(np.asarray(x.to_device("numpy")), host)
