"""The benchmark of whole calls runs, and compares the results on arrays with those on native arrays."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import burn_array

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "end_to_end.py"


@pytest.mark.needs("64 bits", "views")  # scikit-learn assigns to the native arrays that it compares with
def test_every_call_runs_and_is_compared(device: burn_array.Device, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.json"
    # In its own process, since SciPy reads SCIPY_ARRAY_API when it is imported.
    command = [sys.executable, str(BENCHMARK), "--device", str(device), "--rows", "300", "--rounds", "2"]
    done = subprocess.run([*command, "--json", str(numbers)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(numbers.read_text(encoding="utf-8"))
    assert len(found) == 6
    assert all(len(times) == 2 for row in found.values() for times in row.values())
    assert all(name in done.stdout for name in found)
