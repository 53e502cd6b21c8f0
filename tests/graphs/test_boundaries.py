"""What enters and leaves a capture: inputs, results, constants, values that are asked for, and the errors."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    CaptureError,
    DeviceMismatchError,
    DTypeError,
    DuplicateBoundaryError,
    GradientError,
    InvalidInputError,
    InvalidOutputError,
    ShapeError,
    UndeclaredInputError,
    UnknownBoundaryError,
    ValueNeededError,
)

VALUES: dict[str, Callable[[Any], Any]] = {
    r"bool\(\)": lambda x: bool(x[0]),
    r"float\(\)": lambda x: float(x[0]),
    r"int\(\)": lambda x: int(x[0]),
    r"complex\(\)": lambda x: complex(x[0]),
    r"index\(\)": lambda x: range(bn.astype(x, bn.int64)[0]),
    "item": lambda x: x[0].item(),
    "tolist": lambda x: x.tolist(),
    "__array__": lambda x: np.asarray(x),
    "__dlpack__": lambda x: np.from_dlpack(x),
    "pickle": lambda x: pickle.dumps(x),
    "full": lambda x: bn.full((2,), x[0]),
    "bool": lambda x: min(x[0], x[1]),
    r"bool\(": lambda x: 1 if x[0] > 0 else 2,
    "format": lambda x: f"{x[0]:.2f}",
    r"round\(\)": lambda x: round(x[0]),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_that_is_asked_for(name: str) -> None:
    with pytest.raises(ValueNeededError, match=rf"^{name}.*has no value; choose with where"):
        bn.trace(VALUES[name], bn.spec((2,)))


def test_native_values_have_no_value_either() -> None:
    seen = []

    def f(x: Any) -> Any:
        native = x._native
        for read in (bool, int, float, complex, np.asarray):
            with pytest.raises(ValueNeededError):
                read(native)
            seen.append(read)
        return bn.Array(2 - native * native + (native > 0.5), x.device)

    assert bn.trace(f, bn.spec(()))(1.0).tolist() == 2.0
    assert len(seen) == 5


def test_what_is_printed_are_shape_and_dtype() -> None:
    seen = []

    def f(x: Any) -> Any:
        y = x + 1
        seen.extend([str(y), repr(y), y._repr_html_()])
        return y

    bn.trace(f, bn.spec((2, 3)))
    assert seen[0] == "%1: float64[2, 3]"
    assert seen[1] == "Array(%1: float64[2, 3], device='capture')"
    assert "float64[2, 3]" in seen[2]


def test_inputs_of_a_block() -> None:
    with bn.capture(name="block") as graph:
        x = graph.input((2, 3), bn.float32, name="x")
        y = graph.input(bn.zeros((3,), dtype=bn.float32, device="numpy"))
        with pytest.raises(DuplicateBoundaryError, match="there is an input named 'x' already"):
            graph.input((2,), name="x")
        z = x + y
        with pytest.raises(InvalidInputError, match=r"%2: float32\[2, 3\] is computed in the graph"):
            graph.input(z)
        with pytest.raises(InvalidInputError, match="a block runs once"):
            graph.input(("batch", 2))
        graph.output(z, {"sum": bn.sum(z)})
        with pytest.raises(DuplicateBoundaryError, match="already"):
            graph.output(z)
    assert [(one.name, one.shape, str(one.dtype)) for one in graph.inputs] == [
        ("x", (2, 3), "float32"),
        ("x1", (3,), "float32"),
    ]
    found, more = graph(bn.ones((2, 3), dtype=bn.float32), bn.ones((3,), dtype=bn.float32))
    assert found.tolist() == [[2.0] * 3] * 2
    assert float(more["sum"]) == 12.0


def test_a_block_needs_results() -> None:
    with pytest.raises(CaptureError, match=r"ended without its results; call graph.output"), bn.capture():
        bn.ones(3)
    with bn.capture() as first:
        first.output()
    with bn.capture() as second:
        second.output()
    assert first() == second() == ()


def test_a_block_that_raises_gives_back_the_default_device() -> None:
    before = bn.default_device()
    seen: list[Any] = []
    with pytest.raises(ZeroDivisionError), bn.capture() as graph:
        seen.append(1 / len(seen) if str(bn.default_device()) == "capture" else 0)
    assert bn.default_device() is before
    with pytest.raises(CaptureError, match="no graph before the end"):
        graph(1)
    with pytest.raises(CaptureError, match="only inside of the block"):
        graph.input((2,))


def test_blocks_do_not_nest_but_traces_do() -> None:
    with bn.capture() as outer:
        x = outer.input((3,))
        with pytest.raises(CaptureError, match="in a capture already"), bn.capture():
            pass
        inner = bn.trace(lambda y: bn.sin(y) * 2, bn.spec((3,)))
        deep = bn.trace(lambda y: bn.trace(lambda z: z + 1, y)(y), bn.spec((3,)))
        outer.output(inner(x) + deep(x))
    values = bn.asarray([0.5, 1.0, 2.0])
    assert outer(values).tolist() == (bn.sin(values) * 2 + (values + 1)).tolist()
    assert [one.name for one in outer.steps].count("sin") == 1


def test_arrays_of_two_captures() -> None:
    with bn.capture() as outer:
        x = outer.input((3,))
        with pytest.raises(
            UndeclaredInputError, match=r"add: an array of another capture \(%0: float64\[3\]\)"
        ):
            bn.trace(lambda y: y + x, bn.spec((3,)))
        with pytest.raises(UndeclaredInputError, match="is no result of this"):
            bn.trace(lambda y: x, bn.spec((3,)))
        outer.output(x)


def test_a_capture_that_is_complete() -> None:
    kept: list[Any] = []

    def f(x: Any) -> Any:
        kept.append(x)
        return x + 1

    bn.trace(f, bn.spec((3,)))
    with pytest.raises(CaptureError, match=r"add: the capture is complete; go on with its graph"):
        kept[0] + 1
    with pytest.raises(CaptureError, match=r"zeros: nothing is being captured here"):
        bn.zeros(3, device="capture")


@pytest.mark.parametrize("result", ["text", 3, 2.5, [np.ones(2)]])
def test_results_that_are_no_arrays(result: Any) -> None:
    with pytest.raises(UnknownBoundaryError, match="trace: a result must be an array, got"):
        bn.trace(lambda x: result, bn.spec((3,)))


def test_a_result_of_another_device() -> None:
    with pytest.raises(UnknownBoundaryError, match="an array of numpy, which the capture did not compute"):
        bn.trace(lambda x: bn.ones(3, device="numpy"), bn.spec((3,)))


def test_tracked_arrays() -> None:
    w = bn.ones(3, device="numpy+autodiff").require_grad()
    with pytest.raises(GradientError, match="would lose its gradient"):
        bn.trace(lambda x: x + w, bn.spec((3,)))
    graph = bn.trace(lambda x: x + w.detach(), bn.spec((3,)))
    assert graph(bn.ones(3)).tolist() == [2.0] * 3

    def tracked(x: Any) -> Any:
        return x.to_device(x.device.autodiff()).require_grad() * 2

    with pytest.raises(InvalidOutputError, match="a result is tracked"):
        bn.trace(tracked, bn.spec((3,)))
    with pytest.raises(GradientError, match="does not differentiate"):
        bn.trace(lambda x: x.require_grad(), bn.spec((3,)))
    assert bn.trace(lambda x: x * (2 if x.requires_grad else 3), bn.spec(()))(1.0).tolist() == 3.0


def test_moves_are_refused() -> None:
    with pytest.raises(
        CaptureError, match=r"to_device: .* cannot be moved to torch:cpu; .*graph.on\('torch:cpu'\)"
    ):
        bn.trace(lambda x: x.to_device("torch:cpu"), bn.spec((3,)))
    assert bn.trace(lambda x: x.to_device(x.device) * 1, bn.spec((3,)))(bn.ones(3)).tolist() == [1.0] * 3


def test_what_trace_refuses() -> None:
    with pytest.raises(ArgumentTypeError, match=r"xp\.linalg\.trace"):
        bn.trace(bn.ones((3, 3)))  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="an argument must be a spec"):
        bn.trace(lambda x: x, "text")
    with pytest.raises(ArgumentError, match="must not be negative"):
        bn.spec((-1,))
    with pytest.raises(ArgumentError, match="must be a word"):
        bn.spec(("a b",))
    with pytest.raises(ArgumentTypeError, match="an integer or a name"):
        bn.spec((2.5,))
    with pytest.raises(ShapeError, match="matmul"):
        bn.trace(lambda x: x @ x, bn.spec((2, 3)))


def test_seeds_and_states_are_refused() -> None:
    calls: list[Callable[[], Any]] = [lambda: bn.random.seed(1), lambda: bn.random.get_state()]
    for call in calls:
        with pytest.raises(CaptureError, match="belongs to a device, which the replay chooses"):
            bn.trace(lambda x, call=call: (call(), x)[1], bn.spec((3,)))


# -- constants ----------------------------------------------------------------------------------


def test_an_array_that_is_used_often_is_one_constant() -> None:
    w = bn.asarray([1.0, 2.0, 3.0])

    def f(x: Any) -> Any:
        for _ in range(100):
            x = x + w
        return x

    graph = bn.trace(f, bn.spec((3,)))
    assert len(graph.constants) == 1
    assert graph(bn.zeros(3)).tolist() == [100.0, 200.0, 300.0]


def test_a_constant_is_known_by_its_content_too() -> None:
    w = bn.asarray([1.0, 2.0])

    def f(x: Any) -> Any:
        first = x + w
        w[0] = 10.0
        return first + w

    graph = bn.trace(f, bn.spec((2,)))
    assert len(graph.constants) == 2
    assert graph(bn.zeros(2)).tolist() == [11.0, 4.0]


def test_a_constant_is_a_copy(xp: ModuleType) -> None:
    w = xp.asarray([1.0, 2.0])
    host = np.asarray([1.0, 1.0])
    graph = xp.trace(lambda x: x * w + host + xp.asarray([0.0, 1.0]), xp.zeros(2))
    w[0] = 5.0
    host[:] = 9.0
    assert graph(xp.ones(2)).tolist() == [2.0, 4.0]
    assert all(len(one.tolist()) == 2 for one in graph.constants.values())


def test_a_graph_keeps_no_array_of_the_user() -> None:
    users = [bn.asarray([1.0, 2.0])]
    graph = bn.trace(lambda x: x + users[0], bn.spec((2,)))
    kept = weakref.ref(users[0]._native)
    users.clear()
    gc.collect()
    assert kept() is None
    assert graph(bn.zeros(2)).tolist() == [1.0, 2.0]


def test_constants_of_other_devices_are_moved(device: bn.Device) -> None:
    w = bn.asarray([1.0, 2.0], device="numpy")
    graph = bn.trace(lambda x: x * w, bn.spec((2,)))
    found = graph(bn.ones(2, device=device))
    assert str(found.device) == str(device)
    assert found.tolist() == [1.0, 2.0]


# -- arguments of a replay ----------------------------------------------------------------------


def test_arguments_that_do_not_fit(xp: ModuleType) -> None:
    graph = xp.trace(lambda p, x: p["w"] * x, {"w": xp.spec((3,))}, xp.spec((2, 3)))
    w, x = xp.ones(3), xp.ones((2, 3))
    assert graph({"w": w}, x).shape == (2, 3)
    with pytest.raises(ShapeError, match=r"the argument x must be float64\[2, 3\], got float64\[2, 2\]"):
        graph({"w": w}, xp.ones((2, 2)))
    with pytest.raises(DTypeError, match=r"the argument p\.w must be float64\[3\], got float32\[3\]"):
        graph({"w": xp.ones(3, dtype=xp.float32)}, x)
    with pytest.raises(ArgumentTypeError, match=r"the argument x must be .*, got str 'a'"):
        graph({"w": w}, "a")
    with pytest.raises(ArgumentTypeError, match=r"the keys \['w'\], got dict with the keys \['v'\]"):
        graph({"v": w}, x)
    with pytest.raises(ArgumentTypeError, match="expected tuple of 2, got tuple of 1"):
        graph({"w": w})


def test_arguments_of_other_devices() -> None:
    graph = bn.trace(lambda x, y: x * y, bn.spec((3,)), bn.spec((3,)))
    here, there = bn.ones(3, device="numpy"), bn.ones(3, device="numpy+autodiff")
    assert str(graph(here, there).device) == "numpy+autodiff"
    run = graph.on("numpy")
    with pytest.raises(
        DeviceMismatchError, match=r"the argument y must be .* on numpy, but it is committed to"
    ):
        run(here, there)
    assert run(here, np.asarray([1.0, 2.0, 3.0])).tolist() == [1.0, 2.0, 3.0]
    assert run(here, bn.ones(3)).device is bn.device("numpy")


def test_results_are_committed_as_those_of_functions() -> None:
    graph = bn.trace(lambda x: x * 2, bn.spec((3,)))
    assert graph(bn.ones(3))._device is bn.device("numpy").uncommitted
    assert graph(bn.ones(3, device="numpy"))._device is bn.device("numpy")


def test_numbers_for_inputs_without_axes() -> None:
    graph = bn.trace(lambda x, k: x * k, bn.spec((2,)), 1.5)
    assert graph(bn.ones(2), 3).tolist() == [3.0, 3.0]
    assert graph(bn.ones(2), 2.5).tolist() == [2.5, 2.5]
    with pytest.raises((DTypeError, ArgumentTypeError), match="the argument k"):
        graph(bn.ones(2), 2j)


def test_an_error_of_a_replay_names_the_step_and_the_line() -> None:
    graph = bn.trace(lambda x: bn.linalg.cholesky(x) + 1, bn.spec((2, 2)))
    with pytest.raises(
        ArgumentError, match=r"linalg\.cholesky.*\[in <lambda>: %1: .*test_boundaries\.py:\d+\]"
    ):
        graph(bn.asarray([[1.0, 2.0], [2.0, 1.0]]))


# -- threads ------------------------------------------------------------------------------------


def test_other_threads_are_not_captured_but_may_record() -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        def elsewhere() -> None:
            seen.append(str(bn.default_device()))
            seen.append(bn.ones(2).tolist())
            seen.append(x * 2 + np.ones(3))

        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return seen[-1] + 1

    graph = bn.trace(f, bn.spec((3,)))
    assert seen[:2] == ["numpy", [1.0, 1.0]]
    assert graph(bn.ones(3)).tolist() == [4.0] * 3


def test_a_program_runs_in_several_threads() -> None:
    graph = bn.trace(lambda x: bn.sum(bn.sin(x) * x), bn.spec((1000,)))
    run = graph.on("numpy")
    inputs = [bn.asarray(np.full(1000, float(i)), device="numpy") for i in range(8)]
    wanted = [float(bn.sum(bn.sin(x) * x)) for x in inputs]
    found: dict[int, list[float]] = {}

    def work(i: int) -> None:
        found[i] = [float(run(inputs[i])) for _ in range(50)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert found == {i: [wanted[i]] * 50 for i in range(8)}


def test_the_device_is_found_by_name_alone() -> None:
    assert "capture" not in [str(one) for one in bn.devices()]
    assert str(bn.device("capture")) == "capture"
    with bn.capture() as graph:
        assert not bn.__array_namespace_info__().capabilities()["data-dependent shapes"]
        graph.output()
