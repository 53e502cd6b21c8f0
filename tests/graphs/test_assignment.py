"""Assignment in a capture: values, aliases that are out of date, and the operators in place."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import burn_array as bn
from burn_array.errors import CaptureError, DTypeError, InvalidOutputError, ShapeError

PROGRAMS: dict[str, str] = {
    "element": "x[0, 1] = 5.0",
    "row": "x[1] = v",
    "slice": "x[:, 1:] = 2",
    "mask": "x[x > 2] = 0.0",
    "mask of rows": "x[xp.asarray([True, False, True])] = v",
    "indices": "x[xp.asarray([0, 2])] = v",
    "two indices": "x[xp.asarray([0, 2]), xp.asarray([1, 1])] = 7.0",
    "all": "x[...] = v",
    "same": "x[...] = x * 2",
    "plus": "x += v",
    "times": "x *= 2",
    "element plus": "x[0] += v",
    "element twice": "x[0] += v; x[0] *= 3",
    "slice plus": "x[1:, 0] -= 1.5",
    "through a view": "y = x[0]; y[1] = 4.0; x = xp.asarray(y, copy=True)",
    "after a copy": "y = xp.asarray(x, copy=True); x[0] = 0.0; x = x + y",
    "of a part of itself": "x[0] = xp.asarray(x[1], copy=True)",
    "fill": "x.fill(3.0)",
    "transposed": "y = xp.asarray(x.mT, copy=True); y[0] = 1.0; x = y",
    "cast": "x[0] = xp.asarray([1, 2, 3])",
    "twice": "x[0] = 1.0; x[1] = x[0] + 1",
    "empty": "x[0:0] = 1.0",
    "new axis": "x[None, 0] = v",
}


def run(code: str, xp: ModuleType, x: Any, v: Any) -> Any:
    """Return ``x`` after statements."""
    names = {"xp": xp, "x": xp.asarray(x, copy=True), "v": v}
    exec(code, names)
    return names["x"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_replay_equals_the_program(xp: ModuleType, replays: Callable[..., Any], name: str) -> None:
    x = xp.reshape(xp.astype(xp.arange(9), xp.float64), (3, 3))
    v = xp.asarray([0.5, 1.5, 2.5])
    replays(lambda x, v: run(PROGRAMS[name], xp, x, v), x, v)
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]


STALE: dict[str, str] = {
    "a view": "y = x[0]; x[1] = 0.0; x = y + 1",
    "the array of a view": "y = x[0]; y[0] = 1.0; x = x + 1",
    "reshaped": "y = xp.reshape(x, (-1,)); x[0] = 0.0; x = y * 2",
    "a view of a view": "y = x[0][1:]; x += 1.0; x = y * 2",
    "transposed": "y = x.mT; y[0] = 1.0; x = x @ x",
    "as a value": "y = x[0]; x[1] = 2.0; x[2] = y",
    "another key": "y = x[0]; y += 1.0; x[1] = y",
}


@pytest.mark.parametrize("name", STALE)
def test_stale_arrays_are_refused(name: str) -> None:
    with pytest.raises(CaptureError, match="may share memory with an array that was assigned to since"):
        bn.trace(lambda x, v: run(STALE[name], bn, x, v), bn.ones((3, 3)), bn.ones(3))


def test_a_stale_result_is_refused() -> None:
    def f(x: Any) -> Any:
        y = x[0]
        x[0] = 1.0
        return y

    with pytest.raises(InvalidOutputError, match="take a copy before the assignment"):
        bn.trace(f, bn.ones((3, 3)))


def test_inputs_are_never_written(xp: ModuleType) -> None:
    def f(x: Any) -> Any:
        x[0] = 9.0
        return x

    x = xp.ones(20_000)
    graph = xp.trace(f, x)
    assert float(graph(x)[0]) == 9.0
    assert float(x[0]) == 1.0


def test_results_share_no_memory(xp: ModuleType) -> None:
    big = xp.asarray([1.0, 2.0, 3.0])
    graph = xp.trace(
        lambda x: (x, x[1:], xp.reshape(x, (3, 1)), x * 0 + big, xp.asarray(big, device="capture")[:2], x),
        xp.ones(3),
    )
    x = xp.ones(3)
    results = graph(x)
    if not x.device.has_views:
        return
    for one in results:
        one[0] = 50.0
    assert x.tolist() == [1.0] * 3
    assert [float(one.reshape((-1,))[-1]) for one in results] == [1.0, 1.0, 1.0, 3.0, 2.0, 1.0]
    again = graph(x)
    assert again[4].tolist() == [1.0, 2.0]
    assert again[1].tolist() == [1.0, 1.0]


def test_errors_are_those_of_the_call() -> None:
    for code, kind in (
        ("x[0] = xp.ones(4)", ShapeError),
        ("x[5] = 1.0", IndexError),
        ("x[0] = 1j", DTypeError),
        ("x += xp.ones((2, 3, 3))", ShapeError),
    ):
        with pytest.raises(kind):
            run(code, bn, bn.ones((3, 3)), None)
        with pytest.raises(kind):
            bn.trace(lambda x, code=code: run(code, bn, x, None), bn.ones((3, 3)))


def test_views_on_a_device_that_differentiates() -> None:
    """A write through a view reaches the array there, as on ``numpy+autodiff``."""

    def f(x: Any) -> Any:
        x = x.to_device(x.device.autodiff()) if not x.device.is_autodiff else x
        y = xp_copy(x)
        part = y[:2]
        part += 1.0
        return y.detach() * 1

    def xp_copy(x: Any) -> Any:
        return bn.asarray(x, copy=True)

    x = bn.asarray([1.0, 2.0, 3.0])
    assert bn.trace(f, x)(x).tolist() == f(x).tolist() == [2.0, 3.0, 3.0]
