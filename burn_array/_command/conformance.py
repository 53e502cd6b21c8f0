"""The command ``burn-array conformance``: run the public test suite, array-api-tests, on each device."""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .._core import device as _device
from .._version import __version__
from .conformance_corrections import CORRECTIONS
from .progress import Progress, output

CONFIG = "array-api-tests.toml"
EVENTS = "BURN_ARRAY_CONFORMANCE_EVENTS"
"""Environment variable: the path of the file to which the plugin writes the results of the suite."""
TRACED = "BURN_ARRAY_CONFORMANCE_TRACED"
"""Environment variable: if it is set, the plugin lets each function be traced and replayed."""
AS_PUBLISHED = "BURN_ARRAY_CONFORMANCE_AS_PUBLISHED"
"""Environment variable: if it is set, the plugin does not correct the suite."""
OUTCOMES = ("passed", "failed", "xfailed", "skipped")
FLAKY = "Skipped: flaky"
"""The reason given for tests that the suite itself skips, whatever the library."""


NEEDED = "pytest pytest-json-report hypothesis ndindex rich"
"""The packages that the suite and its settings need: those of the extra ``conformance``."""


class UsageError(Exception):
    """The suite cannot be run: an argument, the configuration or the checkout is wrong."""


@dataclass(frozen=True)
class Settings:
    """How the suite is run on one device: a table of the configuration, changed by the options."""

    revision: str
    commit: str
    max_examples: int
    disable_deadline: bool
    xfails: Mapping[str, Mapping[str, str]]


@dataclass
class Result:
    """Outcomes of the suite on one device, and the texts of the tests that did not pass, by the id of the test."""

    device: str
    settings: Settings
    versions: dict[str, str]
    outcomes: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def record(self, test: str, outcome: str, text: str) -> None:
        """Record the outcome of a test. A failed test stays failed, whatever is reported of it later."""
        if self.outcomes.get(test) != "failed":
            self.outcomes[test] = outcome
            if outcome != "passed":
                self.texts[test] = text

    def of(self, outcome: str) -> list[str]:
        """Return the ids of the tests with that outcome."""
        return [test for test, found in self.outcomes.items() if found == outcome]

    @property
    def counts(self) -> dict[str, int]:
        """The number of tests with each outcome, in the order of ``OUTCOMES``."""
        counted = Counter(self.outcomes.values())
        return {outcome: counted[outcome] for outcome in OUTCOMES}

    @property
    def flaky(self) -> int:
        """The number of tests that the suite itself skips as flaky, whatever the library."""
        return sum(self.texts[test] == FLAKY for test in self.of("skipped"))


# -- arguments and configuration --------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    add = parser.add_argument
    add(
        "--suite",
        type=Path,
        required=True,
        metavar="PATH",
        help="path of a checkout of array-api-tests with its submodule",
    )
    add(
        "--device",
        action="append",
        metavar="DEVICE",
        help="device to test, may be repeated (default: all devices with a table in the configuration)",
    )
    add(
        "--max-examples",
        type=int,
        metavar="N",
        help="number of examples for each test, instead of the configured number",
    )
    add("--disable-deadline", action="store_true", help="set no time limit for an example")
    places = f"{CONFIG} in this folder or a folder above it, else the settings that come with burn_array"
    add("--config", type=Path, metavar="PATH", help=f"configuration file (default: {places})")
    add(
        "--any-commit", action="store_true", help="run the suite even if its commit is not the configured one"
    )
    add(
        "--as-published",
        action="store_true",
        help="do not correct the mistakes of the suite that the summary lists",
    )
    add(
        "--traced",
        action="store_true",
        help="trace each function when it is called, and give what the graph gives; without a time limit",
    )
    add("--json", type=Path, metavar="PATH", help="write all outcomes to this file as JSON")


def main(options: argparse.Namespace, pytest_args: Sequence[str]) -> int:
    """Run the suite on each device, print the outcomes, and return 1 if a test failed, else 0."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = load_config(options.config or find_config())
    names = options.device or configured_devices(config)
    plan = [(str(_device.device(name)), _with_options(settings_for(config, name), options)) for name in names]
    check_suite(options.suite, {settings.commit for _, settings in plan}, options.any_commit)
    if options.as_published:
        os.environ[AS_PUBLISHED] = "1"
    if options.traced:
        os.environ[TRACED] = "1"
    try:
        results = [run(options.suite, device, settings, pytest_args) for device, settings in plan]
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"the suite could not be run: {error}") from error
    if options.json is not None:
        try:
            options.json.write_text(
                json.dumps(report(results, options.suite), indent=2) + "\n", encoding="utf-8"
            )
        except OSError as error:
            raise UsageError(f"--json {options.json}: {error}") from error
    with output():
        print_failures(results)
        print_summary(results)
    return int(any(result.of("failed") for result in results))


def find_config() -> Path:
    """Return the path of the configuration: in the working directory or a folder above, else that of the package."""
    here = Path.cwd()
    paths = [folder / CONFIG for folder in (here, *here.parents)]
    return next((path for path in paths if path.is_file()), Path(__file__).with_name(CONFIG))


def load_config(path: Path) -> dict[str, Any]:
    """Return the contents of the configuration file, after checking them."""
    try:
        with path.open("rb") as file:
            config = tomllib.load(file)
        settings_for(config, "")
    except OSError as error:
        raise UsageError(f"cannot read the configuration: {error}") from error
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} is not a configuration of the suite: {error}") from error
    return config


def settings_for(config: Mapping[str, Any], device: str) -> Settings:
    """Return the settings of a device: the defaults, changed by the table with the longest matching name."""
    devices = config.get("devices", {})
    own = max((name for name in devices if _covers(name, device)), key=len, default="")
    values = {**config["defaults"], **devices.get(own, {})}
    return Settings(**{key.replace("-", "_"): value for key, value in values.items()})


def _covers(name: str, device: str) -> bool:
    """Return whether the table ``name`` is meant for a device: ``torch`` covers ``torch:cpu``, not ``torchlike``."""
    return device == name or (device.startswith(name) and device[len(name)] in ":+")


def configured_devices(config: Mapping[str, Any]) -> list[str]:
    """Return the devices that are present and have a table in the configuration."""
    tables = config.get("devices", {})
    return [str(d) for d in _device.devices() if any(_covers(name, str(d)) for name in tables)]


def _with_options(settings: Settings, options: argparse.Namespace) -> Settings:
    """Return the settings, changed by the options of the command."""
    if options.max_examples is not None and options.max_examples < 1:
        raise UsageError(f"--max-examples must be at least 1, got {options.max_examples}")
    return replace(
        settings,
        max_examples=options.max_examples or settings.max_examples,
        disable_deadline=options.disable_deadline or options.traced or settings.disable_deadline,
    )


# -- the checkout -----------------------------------------------------------------------------


def check_suite(suite: Path, commits: set[str], any_commit: bool) -> None:
    """Raise if the path holds no suite, or a suite of another commit than the configured one."""
    if not (suite / "array_api_tests" / "__init__.py").is_file():
        raise UsageError(
            f"{suite} is not a checkout of array-api-tests; make one with: "
            f"git clone --recurse-submodules https://github.com/data-apis/array-api-tests"
        )
    if not any((suite / "array-api").glob("*")):
        raise UsageError(
            f"the submodule of the suite is missing; run: git -C {suite} submodule update --init"
        )
    if any_commit:
        return
    have = suite_commit(suite)
    for commit in commits:
        if have != commit:
            raise UsageError(
                f"{suite} is at {have or 'an unknown commit'}, but {CONFIG} asks for {commit}; run: "
                f"git -C {suite} checkout --recurse-submodules {commit} (or pass --any-commit)"
            )


def suite_commit(suite: Path) -> str | None:
    """Return the commit of the checkout, followed by ``+changes`` if files were changed; ``None`` without git."""
    head = _git(suite, "rev-parse", "--show-prefix", "HEAD")
    if head is None or head[0]:
        return None
    changes = _git(suite, "status", "--porcelain", "--untracked-files=no")
    return head[1] + ("+changes" if changes and changes[0] else "")


def _git(folder: Path, *arguments: str) -> list[str] | None:
    """Return the lines that a git command prints, or ``None`` if it fails."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.split("\n")


# -- running ----------------------------------------------------------------------------------


def run(suite: Path, device: str, settings: Settings, pytest_args: Sequence[str] = ()) -> Result:
    """Run the suite on one device in a separate process, showing progress, and return the outcomes."""
    result = Result(device, settings, _device.device(device).adapter.versions())
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name, Progress(device) as progress:
        folder = Path(name)
        command = [*_command(folder, settings), *pytest_args]
        with (folder / "log").open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, cwd=suite, env=_environment(device, settings, folder), stdout=log, stderr=log
            )
        try:
            for event in _follow(process, folder / "events"):
                _take(event, result, progress)
        finally:
            process.kill()
        _check_ended(process.wait(), result, (folder / "log").read_text(encoding="utf-8", errors="replace"))
    result.seconds = time.monotonic() - start
    return result


def _command(folder: Path, settings: Settings) -> list[str]:
    """Return the command that runs the suite.

    The lists of expected failures and of skipped tests are written here, so that those in the checkout do not count.
    """
    (folder / "xfails").write_text("".join(f"{test}\n" for test in settings.xfails), encoding="utf-8")
    (folder / "skips").touch()
    (folder / "events").touch()
    command = [sys.executable, "-m", "pytest", "array_api_tests", "-q", "--tb=short"]
    command += ["-p", "burn_array._command.conformance_plugin", "-p", "no:cacheprovider"]
    command += [f"--hypothesis-max-examples={settings.max_examples}"]
    command += [f"--xfails-file={folder / 'xfails'}", f"--skips-file={folder / 'skips'}"]
    return command + ["--hypothesis-disable-deadline"] * settings.disable_deadline


def _environment(device: str, settings: Settings, folder: Path) -> dict[str, str]:
    """Return the environment of the suite's process: this one, without what would change how the suite runs."""
    left_out = ("ARRAY_API_TESTS_", "PYTEST_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    return environment | {
        "ARRAY_API_TESTS_MODULE": "burn_array",
        "ARRAY_API_TESTS_VERSION": settings.revision,
        "BURN_DEVICE": device,
        EVENTS: str(folder / "events"),
    }


def _follow(process: subprocess.Popen[bytes], path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events as the process writes them, until it has ended."""
    rest = ""
    with path.open(encoding="utf-8") as file:
        while True:
            ended = process.poll() is not None
            *lines, rest = (rest + file.read()).split("\n")
            yield from map(json.loads, lines)
            if ended:
                return
            time.sleep(0.1)


def _take(event: dict[str, Any], result: Result, progress: Progress) -> None:
    """Add an event to the result and show the progress."""
    if event["kind"] == "total":
        progress.total = event["total"]
    elif event["kind"] == "start":
        progress.current = event["test"]
    else:
        result.record(event["test"], event["outcome"], event["text"])
    progress.show(len(result.outcomes), result.of("failed"))


def _check_ended(status: int, result: Result, log: str) -> None:
    """Raise if the run broke off; pytest returns 0 or 1 after a complete run."""
    broken = status not in (0, 1) and not result.of("failed")
    if broken or not result.outcomes:
        tail = "\n".join(log.strip().split("\n")[-25:])
        missing = "No module named" in tail
        hint = f"\ninstall what the suite needs with: pip install {NEEDED}" * missing
        raise UsageError(
            f"the suite did not run on {result.device} (pytest ended with {status}):\n{tail}{hint}"
        )
    if status not in (0, 1):
        result.record("the run as a whole", "failed", f"pytest ended with {status}")


# -- reporting --------------------------------------------------------------------------------


def print_failures(results: Sequence[Result]) -> None:
    """Print each failed test with the end of its text, and each expected failure or skipped test with its reason."""
    for result in results:
        for test in result.of("failed"):
            print(f"\nFAILED on {result.device}: {test}\n{result.texts[test].rstrip()}")
        for test in result.of("xfailed"):
            why = result.settings.xfails.get(test, {})
            print(f"\nxfailed on {result.device}: {test}: {why.get('why', '')} {why.get('link', '')}")
        for test in result.of("skipped"):
            if result.texts[test] != FLAKY:
                print(f"\nskipped on {result.device}: {test}: {result.texts[test]}")


def print_summary(results: Sequence[Result]) -> None:
    """Print a table with a line for each device, and which tests of the suite were skipped or corrected."""
    print(f"\n{'device':<20}" + "".join(f"{outcome:>9}" for outcome in OUTCOMES) + "  examples   seconds")
    for result in results:
        counts = "".join(f"{n:>9}" for n in result.counts.values())
        print(f"{result.device:<20}{counts}{result.settings.max_examples:>10}{result.seconds:>10.0f}")
    flaky = " or ".join(sorted({str(result.flaky) for result in results}))
    if TRACED in os.environ:
        print("\nEach function was traced when it was called, and its graph replayed.")
    print(f"\nOf the skipped tests, the suite itself skips {flaky} as flaky, whatever the library.")
    if AS_PUBLISHED not in os.environ:
        print("These tests contradict the standard and were corrected (--as-published runs them unchanged):")
        for test, why in CORRECTIONS.items():
            print(f"  {test}: {why}")


def report(results: Sequence[Result], suite: Path) -> dict[str, Any]:
    """Return the outcomes as ``--json`` writes them."""
    return {
        "burn_array": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "commit": suite_commit(suite),
        "devices": {result.device: _one_report(result) for result in results},
    }


def _one_report(result: Result) -> dict[str, Any]:
    """Return the outcomes on one device."""
    settings = result.settings
    return {
        "versions": result.versions,
        "revision": settings.revision,
        "max_examples": settings.max_examples,
        "deadline_disabled": settings.disable_deadline,
        **result.counts,
        "skipped_by_the_suite": result.flaky,
        "seconds": round(result.seconds, 1),
        **{f"{outcome}_tests": {t: result.texts[t] for t in result.of(outcome)} for outcome in OUTCOMES[1:]},
    }
