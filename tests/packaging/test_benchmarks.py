"""The benchmarks have a call of every function of the standard, run each of them, and report the times."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

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
