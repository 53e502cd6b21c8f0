"""The benchmarks have a call of every function of the standard, run each of them, and report the times."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as xp

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
STANDARD = Path(__file__).parents[1] / "array_api_2025_12.json"


@pytest.fixture(scope="module")
def overhead() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("overhead")
    sys.path.remove(str(BENCHMARKS))


def test_every_function_has_a_call_of_its_own(overhead: ModuleType) -> None:
    standard = json.loads(STANDARD.read_text(encoding="utf-8"))["functions"]
    assert set(overhead.CALLS) == set(standard)
    assert [name for name, call in overhead.CALLS.items() if f"xp.{name}(" not in call] == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.needs("64 bits")
def test_every_call_runs(overhead: ModuleType, device: Any) -> None:
    with xp.default_device(device):
        names = overhead.namespaces(xp.device(device))[overhead.OURS]
        for call in (*overhead.HOT.values(), *overhead.CALLS.values()):
            eval(call, dict(names))


def test_a_row_gives_the_added_time_and_the_ratio(overhead: ModuleType) -> None:
    row = overhead.Row("add", {"native": 200.0, "burn_array": 500.0, "array_api_strict": 900.0})
    assert (row.added(), row.added("array_api_strict"), row.ratio) == (300.0, 700.0, 2.5)


def test_medians_of_several_processes_are_printed(
    overhead: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    added = (100.0, 500.0, 300.0)
    rows = [{"native": 900.0 + one, "burn_array": 900.0 + 2 * one, "added": one} for one in added]
    found = [
        {
            "device": "numpy",
            "versions": "1",
            "floor": 100.0 + i,
            "hot": {"xp.add": row},
            "large": {"xp.add": row},
        }
        for i, row in enumerate(rows)
    ]
    overhead.print_medians(found)
    out = capsys.readouterr().out
    assert "floors are 100 to 102" in out
    assert out.splitlines()[-1].split() == ["xp.add", "1200", "300", "100", "500", "1.250"]


def test_the_program_writes_numbers_and_a_plot(
    overhead: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overhead, "pin", lambda: "not pinned")
    plot, numbers = tmp_path / "plot.png", tmp_path / "numbers.json"
    overhead.main(
        [
            "--rounds",
            "1",
            "--only",
            "add",
            "--only",
            "linalg.svd",
            "--plot",
            str(plot),
            "--json",
            str(numbers),
        ]
    )
    found = json.loads(numbers.read_text(encoding="utf-8"))
    assert list(found["functions"]) == ["add", "linalg.svd"]
    assert list(found["hot"]) == list(overhead.HOT)
    assert found["hot"]["xp.add"]["native"] > 0
    assert "median added over 2 functions" in capsys.readouterr().out
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.fixture(scope="module")
def compiled(overhead: ModuleType) -> ModuleType:
    return importlib.import_module("compiled")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.needs("64 bits")
def test_times_of_both_forms_are_printed_and_drawn(
    compiled: ModuleType, device: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The measurements of one form stand in for those of both forms."""
    once = compiled.measure_calls(str(device), 1)
    assert list(once["calls"]) == [*compiled.HOT, compiled.MIXED]
    found = {form: compiled.least(once, once) for form in compiled.FORMS}
    compiled.print_calls(str(device), found)
    compiled.draw({str(device): found}, tmp_path / "plot.png")
    lines = capsys.readouterr().out.strip().split("\n")
    assert len(lines) == 4 + len(once["calls"])
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_memory_of_an_array_and_of_a_recorded_call(compiled: ModuleType) -> None:
    found = compiled.measure_memory()
    assert 30 < found["an array"] < 80
    assert found["recorded y + 1.0"] < 200


def test_a_goal_allows_for_the_promotion_of_pytorch(compiled: ModuleType) -> None:
    assert [compiled.goal("numpy", name) for name in ("xp.add", compiled.MIXED)] == [100, 200]
    assert compiled.goal("torch:cpu", "xp.add") == 160


@pytest.fixture(scope="module")
def functions(overhead: ModuleType) -> ModuleType:
    return importlib.import_module("functions")


def test_every_function_has_a_call_at_any_size(overhead: ModuleType, functions: ModuleType) -> None:
    calls = functions.calls
    assert list(calls.CALLS) == list(overhead.CALLS)
    assert [name for name, call in calls.CALLS.items() if f"xp.{name}(" not in call] == []
    assert {name for names in calls.CALLS_BY_DTYPE.values() for name in names} <= set(calls.CALLS)
    known = {*calls.CALLS, *calls.STATEMENTS}
    assert {name for names in calls.NATIVE.values() for name in names} <= known


@pytest.mark.filterwarnings("ignore")
@pytest.mark.needs("64 bits")
def test_every_call_at_any_size_runs(functions: ModuleType, device: Any) -> None:
    calls = functions.calls
    with xp.default_device(device):
        for dtype, names in {"float64": [*calls.CALLS, *calls.STATEMENTS], **calls.CALLS_BY_DTYPE}.items():
            sides = functions.sides_of(xp.device(device), dtype, 12, 3)
            for name in names:
                exec(calls.call(name, dtype), dict(sides["burn_array"]))


@pytest.mark.filterwarnings("ignore")
def test_what_a_user_of_the_library_writes_gives_the_same(functions: ModuleType, device: Any) -> None:
    """Of calls that return several arrays, the first are compared."""
    calls = functions.calls
    if device.library not in ("numpy", "torch"):
        pytest.skip("array_api_compat stands in for what the library lacks")
    for dtype in ("float64", "uint8"):
        names = [*calls.CALLS, *calls.STATEMENTS] if dtype == "float64" else calls.CALLS_BY_DTYPE[dtype]
        sides = functions.sides_of(xp.device(device), dtype, 12, 3)
        for name in names:
            ours, native = calls.call(name, dtype), calls.native_call(name, dtype, device.library)
            if name in calls.STATEMENTS or name in (
                *calls.WITHOUT_ARRAYS,
                "empty",
                "empty_like",
                "unique_all",
            ):
                continue
            try:
                wanted = eval(native, dict(sides["native"]))
            except (AttributeError, RuntimeError, TypeError):  # the library lacks it
                continue
            with xp.default_device(device):
                found = eval(ours, dict(sides["burn_array"]))
            if isinstance(found, tuple):
                found, wanted = found[0], wanted[0] if isinstance(wanted, tuple | list) else wanted
            assert found.shape == tuple(wanted.shape), name
            if name not in ("linalg.eig", "linalg.eigh", "linalg.svd", "unique_values"):
                np.testing.assert_allclose(
                    np.asarray(found.to_device("numpy")).astype(complex),
                    np.asarray(xp.asarray(wanted).to_device("numpy")).astype(complex),
                    rtol=1e-9,
                    atol=1e-9,
                    err_msg=name,
                )


def test_time_and_memory_are_given_as_ratios(functions: ModuleType) -> None:
    row = functions.Row("numpy", "add", "bool", 100, 2.0, 3.0, 10**6, 3 * 10**6, None, "native")
    assert (row.ratio, row.memory_ratio) == (1.5, 3.0)
    row.native_bytes = 10
    row.our_bytes = 20
    assert row.memory_ratio == 1.0  # both are negligible
    row.our_bytes = None
    assert row.memory_ratio != row.memory_ratio


def test_peaks_of_memory_are_counted(functions: ModuleType, device: Any) -> None:
    meter = functions.memory_meter(xp.device(device))
    if meter is None:
        pytest.skip("this library does not tell")
    x = xp.ones(10**5, device=device, dtype=xp.float32)
    found = meter(lambda: x + x)
    assert 4 * 10**5 <= found < 5 * 10**5
    assert 8 * 10**5 <= meter(lambda: (x + x) * x) < 9 * 10**5


@pytest.mark.filterwarnings("ignore")
def test_the_slowest_calls_come_first(
    functions: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(functions.overhead, "pin", lambda: "not pinned")
    numbers, table = tmp_path / "numbers.json", tmp_path / "table.md"
    options = "--size 10 --size 2000 --matrix 4 --dtype float64 --dtype bool --only add --only all --only linalg.inv"
    with np.errstate():
        functions.main([*options.split(), "--rounds", "1", "--json", str(numbers), "--markdown", str(table)])
    rows = json.loads(numbers.read_text(encoding="utf-8"))
    assert sorted((row["name"], row["dtype"], row["size"]) for row in rows) == [
        ("add", "float64", 10),
        ("add", "float64", 2000),
        ("all", "bool", 10),
        ("all", "bool", 2000),
        ("all", "float64", 10),
        ("all", "float64", 2000),
        ("linalg.inv", "float64", 4),
    ]
    ratios = [row["ratio"] for row in rows]
    assert ratios == sorted(ratios, reverse=True)
    assert all((row["floors"] is None) == (row["size"] == 2000) for row in rows)
    lines = table.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 + len(rows)
    assert lines[2].startswith(f"| `{rows[0]['name']}` | {rows[0]['dtype']} |")
    assert len(capsys.readouterr().out.splitlines()) == 2 + len(rows)
