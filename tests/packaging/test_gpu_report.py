"""The summary of a GPU run counts and shows its results; this needs no GPU."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

JUNIT = """<?xml version="1.0"?>
<testsuites>
  <testsuite name="a" tests="7" failures="1" errors="1" skipped="2"/>
  <testsuite name="b" tests="3" failures="0" errors="0" skipped="0"/>
</testsuites>
"""


@pytest.fixture(scope="module")
def gpu_report(load_program: Callable[[str], ModuleType]) -> ModuleType:
    return load_program("tests/gpu_report.py")


def test_a_junit_file_is_counted(gpu_report: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "tests.xml").write_text(JUNIT, encoding="utf-8")
    assert gpu_report.read_junit(tmp_path / "tests.xml") == {"passed": 6, "failed": 2, "skipped": 2}


def test_a_run_without_a_junit_file_counts_as_failed(gpu_report: ModuleType, tmp_path: Path) -> None:
    assert gpu_report.read_junit(tmp_path / "none.xml") == {"failed": 1}


def test_the_summary_has_one_row_for_each_device(gpu_report: ModuleType) -> None:
    hot = {"xp.add": {"added": 250.4}, "xp.sin": {"added": 199.6}}
    functions = {"add": {"added": 250.4}, "sin": {"added": 199.6}, "isin": {"added": float("nan")}}
    results = {
        "torch:cuda:0": {
            "tests": {"passed": 5, "failed": 0},
            "benchmarks": {"hot": hot, "functions": functions},
        },
        "cupy:0": {"tests": {"passed": 4, "failed": 1}, "conformance": {"passed": 9, "failed": 2}},
    }
    versions = {"torch:cuda:0": {"torch": "2"}, "cupy:0": {"cupy": "14", "cuda": "13"}}
    text = gpu_report.markdown(results, versions, "interpreted")
    assert "The core is interpreted." in text
    assert "| torch:cuda:0 | torch 2 | 5 passed, 0 failed | not run | 225 ns over 2 functions |" in text
    assert "| cupy:0 | cupy 14, cuda 13 | 4 passed, 1 failed | 9 passed, 2 failed | not run |" in text
    assert "| xp.add | xp.sin |\n|---|---|\n| 250 | 200 |" in text
    assert gpu_report.failures(results) == 3


def test_an_absent_device_is_an_error(gpu_report: ModuleType) -> None:
    with pytest.raises(SystemExit, match="abacus"):
        gpu_report.find_devices(["abacus"], os.environ)
    assert list(gpu_report.find_devices(["numpy"], os.environ)) == ["numpy"]


def test_the_form_of_the_core_is_found(gpu_report: ModuleType) -> None:
    told = gpu_report.run([sys.executable, "-c", gpu_report.CORE], os.environ, quiet=True)
    assert told.strip() in ("compiled", "interpreted")
