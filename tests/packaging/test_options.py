"""The options of tests/conftest.py, in a small project of its own that a pytest in another process runs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import burn_array as xp

TESTS = Path(__file__).resolve().parents[1]
MANY = """
import pytest

@pytest.mark.parametrize("i", range(200))
def test_many(device, i):
    pass

def test_of_no_device():
    pass

def test_skipped(device):
    pytest.skip("says nothing about the device")
"""
OWN = """
def test_own():
    pass

def test_own_device(device):
    pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with 202 tests, and two in the folder of the adapter of NumPy."""
    tests = tmp_path / "tests"
    (tests / "adapters" / "numpy").mkdir(parents=True)
    for name in ("conftest.py", "array_api_2025_12.json"):
        shutil.copy(TESTS / name, tests / name)
    (tests / "test_many.py").write_text(MANY, encoding="utf-8")
    (tests / "adapters" / "numpy" / "test_own.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = library(name)\n    host\n", encoding="utf-8")
    return tmp_path


def run(project: Path, *arguments: str, folders: tuple[str, ...] = ("tests",)) -> tuple[int, list[str]]:
    """Return the exit status of pytest and the lines that it prints."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *folders, *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip().split("\n")


def passed(lines: list[str]) -> set[str]:
    """Return the ids of the tests that passed."""
    return {line.split(" ", 1)[0] for line in lines if re.search(r"::.* PASSED", line)}


def test_a_share_is_a_fixed_part_and_the_whole_folder_of_the_adapter(project: Path) -> None:
    status, lines = run(project, "--devices=numpy", "--share=0.1")
    chosen = passed(lines)
    assert status == 0
    assert {name.partition("::")[2] for name in chosen if "adapters" in name} == {
        "test_own",
        "test_own_device[numpy]",
    }
    assert 5 <= len([name for name in chosen if "test_many[" in name]) <= 40
    assert passed(run(project, "--devices=numpy", "--share=0.1")[1]) == chosen
    assert chosen < passed(run(project, "--devices=numpy", "--share=0.5")[1])
    assert len(passed(run(project, "--devices=numpy", "--share=1")[1])) == 203


@pytest.mark.parametrize("share", ["0", "some"])
def test_a_share_is_a_fraction(project: Path, share: str) -> None:
    assert run(project, f"--share={share}")[0] == pytest.ExitCode.USAGE_ERROR


def test_devices_only_keeps_the_folder_of_the_adapter(project: Path) -> None:
    _, lines = run(project, "--devices=numpy", "--devices-only")
    names = {name.partition("::")[2] for name in passed(lines)}
    assert "test_own" in names
    assert "test_of_no_device" not in names


def keep(project: Path, test: str) -> None:
    """Leave one test in the project, which needs pytest and nothing else."""
    shutil.rmtree(project / "tests" / "adapters")
    text = f"import pytest\n\ndef {test}:\n    pytest.skip('says nothing')\n"
    (project / "tests" / "test_many.py").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("test", ["test_of_no_device()", "test_skipped(device)"])
def test_a_run_without_a_test_on_a_named_device_fails(project: Path, test: str) -> None:
    keep(project, test)
    status, lines = run(project, "--devices=numpy")
    assert (status, lines[-1]) == (pytest.ExitCode.TESTS_FAILED, "no test ran on: numpy")


@pytest.mark.parametrize(
    "chosen",
    [["tests/test_many.py::test_of_no_device"], ["tests/test_other.py"], ["tests", "-k", "no_device"]],
)
def test_a_run_of_chosen_tests_prints_a_note(project: Path, chosen: list[str]) -> None:
    (project / "tests" / "test_other.py").write_text("def test_other():\n    pass\n", encoding="utf-8")
    status, lines = run(project, "--devices=numpy", *chosen, folders=())
    assert (status, lines[-1]) == (0, "note: no test ran on: numpy")


def test_devices_are_counted_in_the_processes_of_xdist(project: Path) -> None:
    pytest.importorskip("xdist")
    status, lines = run(project, "--devices=numpy", "-n", "1", "-k", "test_many and 17")
    assert (status, "no test ran" in lines[-1]) == (0, False)
    keep(project, "test_skipped(device)")
    status, lines = run(project, "--devices=numpy", "-n", "1")
    assert (status, lines[-1]) == (pytest.ExitCode.TESTS_FAILED, "no test ran on: numpy")


def test_every_device_without_a_test_is_named(project: Path) -> None:
    others = [str(device) for device in xp.devices() if device.library != "numpy"]
    if not others:
        pytest.skip("there is no device but numpy here")
    status, lines = run(project, f"--devices=numpy,{others[0]}", "-k", "numpy and test_many")
    assert (status, lines[-1]) == (0, f"note: no test ran on: {others[0]}")


def test_a_run_that_names_no_device_may_use_none(project: Path) -> None:
    assert run(project, "-k", "test_of_no_device")[0] == 0
