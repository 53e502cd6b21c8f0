"""Slices share the memory of their array; results of functions and operators never do."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

COMPUTED: dict[str, Callable[[Any, Any], Any]] = {
    "positive": lambda xp, x: +x,
    "conj": lambda xp, x: xp.conj(x),
    "abs": lambda xp, x: abs(x),
    "round": lambda xp, x: xp.round(x),
    "floor": lambda xp, x: xp.floor(x),
    "ceil": lambda xp, x: xp.ceil(x),
    "trunc": lambda xp, x: xp.trunc(x),
    "clip": lambda xp, x: xp.clip(x),
    "where": lambda xp, x: xp.where(xp.asarray(True), x, x),
    "astype": lambda xp, x: xp.astype(x, x.dtype),
    "sum of no axis": lambda xp, x: xp.sum(x, axis=()),
    "prod of no axis": lambda xp, x: xp.prod(x, axis=()),
    "max of no axis": lambda xp, x: xp.max(x, axis=()),
    "cumulative_sum": lambda xp, x: xp.cumulative_sum(x, axis=0)[:1],
    "matrix_power": lambda xp, x: xp.linalg.matrix_power(xp.astype(x, xp.float64, copy=False), 1),
    "roll": lambda xp, x: xp.roll(x, 0),
    "concat": lambda xp, x: xp.concat([x]),
    "stack": lambda xp, x: xp.stack([x]),
    "repeat": lambda xp, x: xp.repeat(x, 1, axis=0),
    "tile": lambda xp, x: xp.tile(x, (1, 1)),
    "tril": lambda xp, x: xp.tril(x, k=9),
    "triu": lambda xp, x: xp.triu(x, k=-9),
    "diff": lambda xp, x: xp.diff(x, n=0),
    "sort": lambda xp, x: xp.sort(x),
    "take": lambda xp, x: xp.take(x, xp.asarray([0, 1]), axis=0),
    "meshgrid": lambda xp, x: xp.meshgrid(x[0], x[1])[0],
    "reshape": lambda xp, x: xp.reshape(x, (4,), copy=True),
    "an index array": lambda xp, x: x[xp.asarray([0, 1])],
    "a mask": lambda xp, x: x[x > 0],
    "x.round(1)": lambda xp, x: x.round(1),
    "x.flatten()": lambda xp, x: x.flatten(),
}
VIEWS: dict[str, Callable[[Any], Any]] = {
    "an integer": lambda x: x[0],
    "a slice": lambda x: x[:, ::2],
    "None": lambda x: x[None],
    "...": lambda x: x[..., 0],
}


@pytest.mark.parametrize("name", COMPUTED)
@pytest.mark.parametrize("dtype", ["float64", "int64"])
def test_results_share_no_memory_with_the_operand(xp: ModuleType, name: str, dtype: str) -> None:
    x = xp.asarray([[1, 2], [3, 4]], dtype=dtype)
    COMPUTED[name](xp, x)[...] = 7
    assert x.tolist() == [[1, 2], [3, 4]]


@pytest.mark.needs("views")
@pytest.mark.parametrize("name", VIEWS)
def test_slices_are_views(xp: ModuleType, name: str) -> None:
    x = xp.asarray([[1, 2], [3, 4]])
    VIEWS[name](x)[...] = 7
    assert 7 in x.reshape(4).tolist()


@pytest.mark.parametrize("name", VIEWS)
def test_slices_on_an_autodiff_device_are_views_as_on_its_plain_device(
    xp: ModuleType, device: Any, name: str
) -> None:
    x = xp.asarray([[1, 2], [3, 4]], device=device.autodiff())
    VIEWS[name](x)[...] = 7
    assert (7 in x.reshape(4).tolist()) is device.has_views
