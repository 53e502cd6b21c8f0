"""The command line: ``info`` on the devices of this host, and ``conformance`` on a small suite made here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import burn_array as xp
from burn_array._command import conformance as _conformance
from burn_array._command.cli import main
from burn_array._command.progress import Progress

CONFTEST = """
import os

import pytest

def pytest_addoption(parser):
    parser.addoption("--hypothesis-max-examples", type=int)
    parser.addoption("--hypothesis-disable-deadline", action="store_true")
    parser.addoption("--xfails-file")
    parser.addoption("--skips-file")

def pytest_collection_modifyitems(config, items):
    with open(config.getoption("--xfails-file")) as file:
        excused = file.read().split()
    for item in items:
        if item.nodeid in excused:
            item.add_marker(pytest.mark.xfail(reason="listed"))
"""
PASSING = """
import os

import pytest

import burn_array as xp

def test_device(pytestconfig):
    assert os.environ["ARRAY_API_TESTS_MODULE"] == "burn_array"
    assert os.environ["ARRAY_API_TESTS_VERSION"] == "2025.12"
    assert str(xp.zeros(1).device) == os.environ["BURN_DEVICE"]

@pytest.mark.parametrize("x", [1, 2])
def test_one(x):
    assert x

@pytest.mark.skip(reason="flaky")
def test_flaky():
    pass
"""
FAILING = """
def test_wrong():
    assert 1 + 1 == 3
"""
LONG = """
import os
import pathlib
import time

def test_long():
    pathlib.Path("PATH").write_text(str(os.getpid()))
    time.sleep(600)
"""
OPTIONS = """
def test_options(pytestconfig):
    assert pytestconfig.getoption("--hypothesis-max-examples") == 7
    assert pytestconfig.getoption("--hypothesis-disable-deadline")
"""


def git(folder: Path, *arguments: str) -> str:
    """Return what git prints in a folder."""
    name = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
    done = subprocess.run(["git", *name, *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A git checkout with the layout of the public suite and a few tests."""
    folder = tmp_path / "suite"
    (folder / "array_api_tests").mkdir(parents=True)
    (folder / "array-api").mkdir()
    (folder / "array-api" / "README").touch()
    (folder / "array_api_tests" / "__init__.py").touch()
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (folder / "array_api_tests" / "test_passing.py").write_text(PASSING, encoding="utf-8")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "suite")
    return folder


def config_for(suite: Path, **changes: Any) -> Path:
    """Return a new configuration file that asks for the commit of ``suite``."""
    defaults = {"revision": "2025.12", "commit": git(suite, "rev-parse", "HEAD"), "max-examples": 5}
    defaults |= {"disable-deadline": False, **changes}
    lines = [f"{key} = {json.dumps(value)}" for key, value in defaults.items()]
    path = suite.parent / "config.toml"
    path.write_text("\n".join(["[defaults]", *lines, "xfails = {}", "[devices.numpy]", ""]), encoding="utf-8")
    return path


def add(suite: Path, name: str, text: str) -> None:
    """Commit a file of tests to the suite."""
    (suite / "array_api_tests" / name).write_text(text, encoding="utf-8")
    git(suite, "add", ".")
    git(suite, "commit", "--quiet", "--message", name)


def conformance(suite: Path, config: Path, *arguments: str) -> int:
    """Return the exit status of ``burn-array conformance``."""
    return main(["conformance", "--suite", str(suite), "--config", str(config), *arguments])


# -- info -------------------------------------------------------------------------------------


def test_info_lists_versions_devices_and_dtypes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["versions"]["burn_array"] == xp.__version__
    assert found["versions"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert list(found["devices"]) == [str(device) for device in xp.devices()]
    assert {"bool", "uint16", "float64", "complex128"} <= set(found["devices"]["numpy"])
    assert found["default_device"] == str(xp.default_device())


def test_info_is_readable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[0].split() == ["burn_array", xp.__version__]
    assert any(line.split()[:2] == ["numpy", "bool"] for line in lines)


def test_info_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = xp.errors.DeviceNotFoundError("install it with: pip install cupy-cuda13x")
    monkeypatch.setattr("burn_array._core.device.adapters", lambda: {"cupy": missing})
    assert main(["info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["not_available"] == {"cupy": str(missing)}


def test_a_closed_pipe_gives_no_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "burn_array", "info", "--json"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


INFO = [sys.executable, "-m", "burn_array", "info"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_an_error_of_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(INFO, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert run.returncode == 1
    assert run.stderr.startswith("burn-array: the output cannot be written: ")
    assert run.stderr.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_a_closed_output_is_no_error() -> None:
    run = subprocess.run(
        ["sh", "-c", '"$0" "$@" >&-', *INFO], stderr=subprocess.PIPE, text=True, timeout=120, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_the_module_is_a_command_too() -> None:
    command = [sys.executable, "-m", "burn_array", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"burn_array {xp.__version__}\n"


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 2
    assert "info" in capsys.readouterr().err


# -- conformance: runs ------------------------------------------------------------------------


def test_a_passing_suite_gives_0(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    assert conformance(suite, config_for(suite), "--device", "numpy", "--json", str(report)) == 0
    out = capsys.readouterr().out
    assert ["numpy", "3", "0", "0", "1", "5"] in [line.split()[:6] for line in out.split("\n")]
    assert "the suite itself skips 1 as flaky" in out
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["commit"] == git(suite, "rev-parse", "HEAD")
    assert [found["devices"]["numpy"][key] for key in ("passed", "skipped", "skipped_by_the_suite")] == [
        3,
        1,
        1,
    ]


def test_a_failure_gives_1_and_its_text(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(suite, "test_failing.py", FAILING)
    assert conformance(suite, config_for(suite), "--device", "numpy") == 1
    out = capsys.readouterr().out
    assert "FAILED on numpy: array_api_tests/test_failing.py::test_wrong" in out
    assert "assert (1 + 1) == 3" in out
    assert ["numpy", "3", "1", "0", "1"] in [line.split()[:5] for line in out.split("\n")]


def test_a_file_that_cannot_be_collected_gives_1(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(suite, "test_broken.py", "import no_such_module\n")
    assert conformance(suite, config_for(suite), "--device", "numpy") == 1
    assert "no_such_module" in capsys.readouterr().out


def test_other_errors_of_the_system_are_not_about_the_output(
    suite: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*args: object, **settings: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("burn_array._command.conformance._command", refuse)
    assert conformance(suite, config_for(suite), "--device", "numpy") == 2
    assert "the suite could not be run: [Errno 24] Too many open files" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_results_that_cannot_be_written_are_an_error(suite: Path) -> None:
    command = [sys.executable, "-m", "burn_array", "conformance", "--suite", str(suite)]
    command += ["--config", str(config_for(suite)), "--device", "numpy"]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert run.returncode == 1
    assert run.stderr.startswith("burn-array: the output cannot be written: ")


def test_an_expected_failure_is_counted_and_listed(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(suite, "test_failing.py", FAILING)
    config = config_for(suite)
    text = config.read_text(encoding="utf-8")
    excuse = '{ "array_api_tests/test_failing.py::test_wrong" = { why = "arithmetic", link = "L" } }'
    config.write_text(text.replace("xfails = {}", f"xfails = {excuse}"), encoding="utf-8")
    assert conformance(suite, config, "--device", "numpy") == 0
    out = capsys.readouterr().out
    assert "xfailed on numpy: array_api_tests/test_failing.py::test_wrong: arithmetic L" in out
    assert ["numpy", "3", "0", "1", "1"] in [line.split()[:5] for line in out.split("\n")]


def test_expected_failures_in_the_checkout_do_not_count(suite: Path) -> None:
    add(suite, "test_failing.py", FAILING)
    (suite / "xfails.txt").write_text("array_api_tests/test_failing.py::test_wrong\n", encoding="utf-8")
    assert conformance(suite, config_for(suite), "--device", "numpy") == 1


def test_options_and_pytest_arguments_reach_the_suite(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(suite, "test_options.py", OPTIONS)
    options = ["--device", "numpy", "--max-examples", "7", "--disable-deadline", "--", "-k", "test_options"]
    assert conformance(suite, config_for(suite), *options) == 0
    assert ["numpy", "1", "0", "0", "0", "7"] in [
        line.split()[:6] for line in capsys.readouterr().out.split("\n")
    ]


def test_the_configured_devices_that_are_present_run_by_default(suite: Path) -> None:
    config = _conformance.load_config(config_for(suite))
    assert _conformance.configured_devices(config) == ["numpy"]


def test_the_settings_come_with_the_package_unless_a_folder_has_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    of_package = _conformance.find_config()
    assert of_package.parent == Path(str(_conformance.__file__)).parent
    assert _conformance.load_config(of_package)["defaults"]["revision"] == xp.__array_api_version__
    (tmp_path / of_package.name).touch()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert _conformance.find_config() == tmp_path / of_package.name


def test_progress_names_counts_and_failed_tests(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(suite, "test_failing.py", FAILING)
    assert conformance(suite, config_for(suite), "--device", "numpy") == 1
    lines = [line for line in capsys.readouterr().out.split("\n") if line.startswith("numpy: ")]
    failing = "array_api_tests/test_failing.py::test_wrong"
    assert lines[0] == "numpy: 0 of 5 tests, 0 failed"
    assert lines[1:3] == [f"numpy: FAILED {failing}", f"numpy: 1 of 5 tests, 1 failed, at {failing}"]
    assert lines[-1] == "numpy: 5 of 5 tests, 1 failed"


def test_a_terminal_shows_a_bar_with_the_test_that_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    with Progress("numpy") as shown:
        shown.total, shown.current = 40, "array_api_tests/test_pages.py::test_sum[x]"
        shown.show(7, ["array_api_tests/test_pages.py::test_add[y]"])
    out = capsys.readouterr().out
    assert "numpy: FAILED array_api_tests/test_pages.py::test_add[y]" in out
    for part in ("7/40", "1 failed", "test_pages.py::test_sum[x]"):
        assert part in out


def test_every_device_present_is_configured_in_this_project() -> None:
    config = _conformance.load_config(_conformance.find_config())
    here = [
        str(device) for device in xp.devices() if device.library != "array_api_strict"
    ]  # of the tests alone
    assert _conformance.configured_devices(config) == here


def test_the_longest_matching_table_decides() -> None:
    defaults = {"revision": "r", "commit": "c", "max-examples": 1, "disable-deadline": False, "xfails": {}}
    devices = {"torch": {"max-examples": 2}, "torch:cuda": {"max-examples": 3}}
    config = {"defaults": defaults, "devices": devices}
    names = ["numpy", "torch", "torch:cpu", "torch:cuda:0", "torch+autodiff", "torchlike"]
    assert [_conformance.settings_for(config, name).max_examples for name in names] == [1, 2, 2, 3, 2, 1]


def test_ending_the_command_ends_the_suite(suite: Path) -> None:
    started = suite.parent / "pid"
    add(suite, "test_long.py", LONG.replace("PATH", str(started)))
    command = [sys.executable, "-m", "burn_array", "conformance", "--suite", str(suite), "--device", "numpy"]
    options = ["--config", str(config_for(suite)), "--", "array_api_tests/test_long.py"]
    process = subprocess.Popen(
        [*command, *options], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    wait_for(lambda: started.exists() and started.read_text(encoding="utf-8") != "")
    process.terminate()
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error == "burn-array: interrupted\n"
    wait_for(lambda: not alive(int(started.read_text(encoding="utf-8"))))


def wait_for(condition: Callable[[], bool]) -> None:
    """Return when the condition holds; fail after a minute."""
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    pytest.fail("the condition did not hold within a minute")


def alive(pid: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# -- conformance: errors before the suite runs -------------------------------------------------------------


def refused(capsys: pytest.CaptureFixture[str], suite: Path, config: Path, *arguments: str) -> str:
    """Return the message of a run that must end with status 2."""
    assert conformance(suite, config, *arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith("burn-array: ")
    return error


def test_a_path_without_a_suite_is_an_error(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "git clone --recurse-submodules" in refused(capsys, tmp_path / "nowhere", config_for(suite))


def test_a_suite_without_its_submodule_is_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_for(suite)
    (suite / "array-api" / "README").unlink()
    assert "submodule update --init" in refused(capsys, suite, config)


def test_a_suite_of_another_commit_is_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_for(suite, commit="0" * 40)
    error = refused(capsys, suite, config, "--device", "numpy")
    assert git(suite, "rev-parse", "HEAD") in error
    assert "0" * 40 in error
    assert conformance(suite, config, "--device", "numpy", "--any-commit") == 0


def test_a_changed_suite_is_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = config_for(suite)
    (suite / "conftest.py").write_text(CONFTEST + "# changed\n", encoding="utf-8")
    assert "+changes" in refused(capsys, suite, config, "--device", "numpy")


def test_an_unknown_device_is_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "abacus" in refused(capsys, suite, config_for(suite), "--device", "abacus")


def test_zero_examples_are_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "at least 1" in refused(
        capsys, suite, config_for(suite), "--device", "numpy", "--max-examples", "0"
    )


def test_a_suite_that_does_not_start_is_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = refused(capsys, suite, config_for(suite), "--device", "numpy", "--", "--no-such-option")
    assert "did not run on numpy" in error
    assert "--no-such-option" in error


@pytest.mark.parametrize("text", ["[defaults]\nrevision = 1\n", "not toml", "[devices.numpy]\n"])
def test_a_broken_configuration_is_an_error(
    suite: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    config = config_for(suite)
    config.write_text(text, encoding="utf-8")
    assert "is not a configuration" in refused(capsys, suite, config)


def test_a_missing_configuration_is_an_error(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot read" in refused(capsys, suite, suite / "none.toml")


def test_arguments_for_pytest_belong_to_conformance(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["info", "--", "-k", "x"])
    assert stop.value.code == 2
    assert "takes no arguments after --" in capsys.readouterr().err
