"""``burn-array conformance``: run a checkout of the public suite, array-api-tests, on each device."""

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
"""The environment variable with the path of the file that the plugin in the suite's process writes."""
AS_PUBLISHED = "BURN_ARRAY_CONFORMANCE_AS_PUBLISHED"
"""The environment variable that keeps the plugin from correcting the suite."""
OUTCOMES = ("passed", "failed", "xfailed", "skipped")
FLAKY = "Skipped: flaky"
"""The reason of the tests that the suite itself skips on every library."""


class UsageError(Exception):
    """Something in the arguments or in the surroundings that keeps the suite from running."""


@dataclass(frozen=True)
class Settings:
    """How the suite runs on one device."""

    revision: str
    commit: str
    max_examples: int
    disable_deadline: bool
    xfails: Mapping[str, Mapping[str, str]]


@dataclass
class Result:
    """What the suite said about one device; the texts of the tests that did not pass by their id."""

    device: str
    settings: Settings
    versions: dict[str, str]
    outcomes: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def record(self, test: str, outcome: str, text: str) -> None:
        """Keep the outcome of one test; a failure stays a failure."""
        if self.outcomes.get(test) != "failed":
            self.outcomes[test] = outcome
            if outcome != "passed":
                self.texts[test] = text

    def of(self, outcome: str) -> list[str]:
        """Return the ids of the tests with that outcome."""
        return [test for test, one in self.outcomes.items() if one == outcome]

    @property
    def counts(self) -> dict[str, int]:
        """Number of tests by outcome, in the order of ``OUTCOMES``."""
        counted = Counter(self.outcomes.values())
        return {outcome: counted[outcome] for outcome in OUTCOMES}

    @property
    def flaky(self) -> int:
        """Number of skipped tests that the suite itself skips as flaky, whatever the library."""
        return sum(self.texts[test] == FLAKY for test in self.of("skipped"))


# -- arguments and configuration --------------------------------------------------------------


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("--suite", type=Path, required=True, help="a checkout of array-api-tests, with its submodule")
    add(
        "--device",
        action="append",
        metavar="DEVICE",
        help="may be repeated; default: all that are configured",
    )
    add(
        "--max-examples",
        type=int,
        metavar="N",
        help="examples for each test, instead of the configured number",
    )
    add("--disable-deadline", action="store_true", help="let an example take as long as it likes")
    add("--config", type=Path, help=f"default: {CONFIG} here, in a folder above, or beside the package")
    add("--any-commit", action="store_true", help="accept a suite of another commit than the configured one")
    add("--as-published", action="store_true", help="leave the suite's own mistakes in (see the summary)")
    add("--json", type=Path, metavar="PATH", help="write all outcomes as JSON")


def main(options: argparse.Namespace, pytest_args: Sequence[str]) -> int:
    """Run the suite on each device, print a table, and return 1 if anything failed."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config = load_config(options.config or find_config())
    names = options.device or configured_devices(config)
    plan = [(str(_device.device(name)), _with_options(settings_for(config, name), options)) for name in names]
    check_suite(options.suite, {settings.commit for _, settings in plan}, options.any_commit)
    if options.as_published:
        os.environ[AS_PUBLISHED] = "1"
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
    """Return the path of the configuration: in the working directory or above, or beside the package."""
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).resolve().parent.parent):
        if (folder / CONFIG).is_file():
            return folder / CONFIG
    raise UsageError(f"there is no {CONFIG} in {here} or above it; say where it is with --config PATH")


def load_config(path: Path) -> dict[str, Any]:
    """Read the configuration."""
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
    """Return the settings of ``device``: its table (or that of its library) over the defaults."""
    devices = config.get("devices", {})
    own = max((name for name in devices if _covers(name, device)), key=len, default="")
    values = {**config["defaults"], **devices.get(own, {})}
    return Settings(**{key.replace("-", "_"): value for key, value in values.items()})


def _covers(name: str, device: str) -> bool:
    return device == name or (device.startswith(name) and device[len(name)] in ":+")


def configured_devices(config: Mapping[str, Any]) -> list[str]:
    """Return the devices present that the configuration has a table for."""
    tables = config.get("devices", {})
    return [str(d) for d in _device.devices() if any(_covers(name, str(d)) for name in tables)]


def _with_options(settings: Settings, options: argparse.Namespace) -> Settings:
    if options.max_examples is not None and options.max_examples < 1:
        raise UsageError(f"--max-examples must be at least 1, got {options.max_examples}")
    return replace(
        settings,
        max_examples=options.max_examples or settings.max_examples,
        disable_deadline=options.disable_deadline or settings.disable_deadline,
    )


# -- the checkout -----------------------------------------------------------------------------


def check_suite(suite: Path, commits: set[str], any_commit: bool) -> None:
    """Refuse a path that holds no suite, and a suite of another commit than the configured one."""
    if not (suite / "array_api_tests" / "__init__.py").is_file():
        raise UsageError(
            f"{suite} is no checkout of array-api-tests; make one with: "
            f"git clone --recurse-submodules https://github.com/data-apis/array-api-tests"
        )
    if not any((suite / "array-api").glob("*")):
        raise UsageError(f"the submodule is missing; run: git -C {suite} submodule update --init")
    if any_commit:
        return
    have = suite_commit(suite)
    for commit in commits:
        if have != commit:
            raise UsageError(
                f"{suite} stands at {have or 'no known commit'}, {CONFIG} asks for {commit}; run: "
                f"git -C {suite} checkout --recurse-submodules {commit} (or pass --any-commit)"
            )


def suite_commit(suite: Path) -> str | None:
    """Return the commit that the checkout stands at, with ``+changes`` if it was changed."""
    head = _git(suite, "rev-parse", "--show-prefix", "HEAD")
    if head is None or head[0]:
        return None
    changes = _git(suite, "status", "--porcelain", "--untracked-files=no")
    return head[1] + ("+changes" if changes and changes[0] else "")


def _git(folder: Path, *arguments: str) -> list[str] | None:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.split("\n")


# -- running ----------------------------------------------------------------------------------


def run(suite: Path, device: str, settings: Settings, pytest_args: Sequence[str] = ()) -> Result:
    """Run the suite on one device, in a process of its own, with a progress bar."""
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
    """Return the command; both lists of excuses are written here, so that none in the checkout counts."""
    (folder / "xfails").write_text("".join(f"{test}\n" for test in settings.xfails), encoding="utf-8")
    (folder / "skips").touch()
    (folder / "events").touch()
    command = [sys.executable, "-m", "pytest", "array_api_tests", "-q", "--tb=short"]
    command += ["-p", "burn_array._command.conformance_plugin", "-p", "no:cacheprovider"]
    command += [f"--hypothesis-max-examples={settings.max_examples}"]
    command += [f"--xfails-file={folder / 'xfails'}", f"--skips-file={folder / 'skips'}"]
    return command + ["--hypothesis-disable-deadline"] * settings.disable_deadline


def _environment(device: str, settings: Settings, folder: Path) -> dict[str, str]:
    ours = ("ARRAY_API_TESTS_", "PYTEST_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    return environment | {
        "ARRAY_API_TESTS_MODULE": "burn_array",
        "ARRAY_API_TESTS_VERSION": settings.revision,
        "BURN_DEVICE": device,
        EVENTS: str(folder / "events"),
    }


def _follow(process: subprocess.Popen[bytes], path: Path) -> Iterator[dict[str, Any]]:
    """Give the events as they are written, until the process has ended."""
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
    if event["kind"] == "total":
        progress.total = event["total"]
        return
    result.record(event["test"], event["outcome"], event["text"])
    progress.show(len(result.outcomes), len(result.of("failed")))


def _check_ended(status: int, result: Result, log: str) -> None:
    """Refuse a run that broke off: pytest ends with 0 or 1 after a whole run."""
    broken = status not in (0, 1) and not result.of("failed")
    if broken or not result.outcomes:
        tail = "\n".join(log.strip().split("\n")[-25:])
        missing = "No module named" in tail
        hint = "\nwhat the suite needs comes with: pip install 'burn_array[conformance]'" * missing
        raise UsageError(
            f"the suite did not run on {result.device} (pytest ended with {status}):\n{tail}{hint}"
        )
    if status not in (0, 1):
        result.record("the run as a whole", "failed", f"pytest ended with {status}")


# -- telling ----------------------------------------------------------------------------------


def print_failures(results: Sequence[Result]) -> None:
    """Print the end of the text of each failure, and each excused or skipped test."""
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
    """Print one line for each device."""
    print(f"\n{'device':<20}" + "".join(f"{outcome:>9}" for outcome in OUTCOMES) + "  examples   seconds")
    for result in results:
        counts = "".join(f"{n:>9}" for n in result.counts.values())
        print(f"{result.device:<20}{counts}{result.settings.max_examples:>10}{result.seconds:>10.0f}")
    flaky = " or ".join(sorted({str(result.flaky) for result in results}))
    print(f"\nOf the skipped, the suite itself skips {flaky} as flaky, whatever the library.")
    if AS_PUBLISHED not in os.environ:
        print("Run against the standard where the suite contradicts it (--as-published leaves that in):")
        for test, why in CORRECTIONS.items():
            print(f"  {test} {why}")


def report(results: Sequence[Result], suite: Path) -> dict[str, Any]:
    """Return what ``--json`` writes."""
    return {
        "burn_array": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "commit": suite_commit(suite),
        "devices": {result.device: _one_report(result) for result in results},
    }


def _one_report(result: Result) -> dict[str, Any]:
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
