"""The pytest plugin of ``burn-array conformance`` warms up an accelerator before the suite runs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import burn_array
from burn_array._command import conformance_plugin as plugin


@pytest.fixture
def found(device: burn_array.Device, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of the adapter that are looked up during the test, by name."""
    table: dict[str, Any] = {}
    for name, value in (("functions", table), ("no_table", table), ("direct", {})):
        monkeypatch.setattr(device, name, value)
    return table


def test_the_warm_up_calls_functions_of_every_device(
    device: burn_array.Device, found: dict[str, Any]
) -> None:
    plugin.warm_up(device)
    called = {
        "linalg.slogdet",
        "linalg.solve",
        "linalg.svd",
        "fft.fft",
        "matmul",
        "sort",
        "prod",
        "atan",
        "log",
    }
    assert called <= set(found)


def test_the_warm_up_skips_dtypes_that_a_device_lacks(
    device: burn_array.Device, found: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = device.adapter
    monkeypatch.setattr(
        adapter, "dtypes", {k: v for k, v in adapter.dtypes.items() if k.kind != "c"}, raising=False
    )
    plugin.warm_up(device)
    assert {"linalg.svd", "fft.fft", "log"} <= set(found)


@pytest.mark.parametrize(
    ("is_host", "processes", "worker", "warms"),
    [
        (True, None, False, False),
        (False, None, False, True),
        (False, 2, False, False),
        (False, 2, True, True),
    ],
)
def test_only_processes_that_run_tests_on_an_accelerator_warm_it_up(
    monkeypatch: pytest.MonkeyPatch, is_host: bool, processes: int | None, worker: bool, warms: bool
) -> None:
    device = SimpleNamespace(is_host=is_host)
    warmed: list[Any] = []
    monkeypatch.setattr(plugin, "warm_up", warmed.append)
    monkeypatch.setattr(burn_array, "default_device", lambda: device)
    config = SimpleNamespace(option=SimpleNamespace(numprocesses=processes))
    if worker:
        config.workerinput = {}
    plugin.pytest_sessionstart(SimpleNamespace(config=config))
    assert warmed == [device] * warms
