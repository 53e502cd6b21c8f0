"""Run the tests, the public suite and the benchmarks on every GPU here, and write a Markdown summary.

For a machine that has the libraries but perhaps no network. burn_array is installed into a temporary folder, and
nothing into the Python that runs this script.

    python tests/gpu_report.py [--suite PATH] [--device DEVICE ...] [--step tests ...] [--output PATH]
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STEPS = ("tests", "conformance", "benchmarks")
NOT_ON_DEVICES = (
    "consumers",
    "packaging",
)
"""Folders of tests that need the project installed with its extras, or that use no device."""
AT_ONCE = 4
"""Processes that run the public suite: more would wait for the one GPU for longer than the deadline of a test."""
CORE = "from burn_array._command.cli import facts; print(facts()['core'])"
LIST_DEVICES = """
import json, burn_array as xp
print(json.dumps({str(d): d.adapter.versions() for d in xp.devices() if %s or str(d) in %r}))
"""
Counts = dict[str, int]


def run(command: Sequence[str], environment: Mapping[str, str], quiet: bool = False) -> str:
    """Run a command at the root of the project; its output is shown unless ``quiet``."""
    print("$", " ".join(command), flush=True)
    done = subprocess.run(command, cwd=ROOT, env=environment, text=True, capture_output=quiet, check=False)
    if quiet and done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
    return done.stdout or ""


def install(folder: Path) -> dict[str, str]:
    """Install burn_array into ``folder`` without a network, and return the environment that imports it from there."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--no-build-isolation", "--target", str(folder), "."]
    run(command, os.environ, quiet=True)
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}


def find_devices(wanted: Sequence[str], environment: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return for each wanted device its libraries and their versions; by default for every device but the host's."""
    condition = "False" if wanted else "not d.is_host"
    text = run([sys.executable, "-c", LIST_DEVICES % (condition, list(wanted))], environment, quiet=True)
    found: dict[str, dict[str, str]] = json.loads(text)
    if missing := set(wanted) - set(found):
        sys.exit(f"not here: {', '.join(sorted(missing))}")
    if not found:
        sys.exit("there is no GPU device here; see: burn-array info")
    return found


# -- the steps, each on one device ------------------------------------------------------------


def run_tests(device: str, folder: Path, environment: Mapping[str, str]) -> Counts:
    """Run the project's tests on the device."""
    path = folder / "tests.xml"
    command = [sys.executable, "-m", "pytest", "tests", "-q", f"--devices={device}", "--devices-only"]
    # Warnings of other packages on that machine are no faults of this project.
    command += [f"--junitxml={path}", "-W", "default", *workers()]
    run(command + [f"--ignore=tests/{name}" for name in NOT_ON_DEVICES], environment)
    return read_junit(path)


def workers(most: int | None = None) -> list[str]:
    """Return the arguments that let pytest-xdist, if it is installed, use all cores but one, and at most ``most``."""
    cores = max(1, (os.cpu_count() or 2) - 1)
    return ["-n", str(min(cores, most or cores))] if find_spec("xdist") else []


def read_junit(path: Path) -> Counts:
    """Return the counts in a JUnit file, or one failure if the run wrote no file."""
    if not path.exists():
        return {"failed": 1}
    suites = ElementTree.parse(path).getroot().iter("testsuite")
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in suites:
        for key in totals:
            totals[key] += int(suite.get(key, 0))
    failed = totals["failures"] + totals["errors"]
    return {
        "passed": totals["tests"] - failed - totals["skipped"],
        "failed": failed,
        "skipped": totals["skipped"],
    }


def run_conformance(device: str, folder: Path, environment: Mapping[str, str], suite: Path) -> Counts:
    """Run the public suite on the device."""
    path = folder / "conformance.json"
    command = [sys.executable, "-m", "burn_array", "conformance", "--suite", str(suite)]
    run(
        [*command, "--device", device, "--any-commit", "--json", str(path), "--", *workers(AT_ONCE)],
        environment,
    )
    if not path.exists():
        return {"failed": 1}
    (found,) = json.loads(path.read_text(encoding="utf-8"))["devices"].values()
    return {key: found[key] for key in ("passed", "failed", "xfailed", "skipped")}


def run_benchmarks(device: str, folder: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Measure the added time per call on the device."""
    path = folder / "overhead.json"
    command = [sys.executable, "benchmarks/overhead.py", "--no-plot", "--device", device, "--json", str(path)]
    run(command, environment)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


# -- the summary ------------------------------------------------------------------------------


def markdown(
    results: Mapping[str, Mapping[str, Any]], versions: Mapping[str, Mapping[str, str]], core: str
) -> str:
    """Return the summary of all devices."""
    lines = [f"## {datetime.date.today().isoformat()}", "", f"{machine()} The core is {core}.", ""]
    lines += ["| device | libraries | tests | conformance | median added per call |", "|---|---|---|---|---|"]
    for device, result in results.items():
        libraries = ", ".join(f"{name} {version}" for name, version in versions[device].items())
        cells = [device, libraries, counted(result.get("tests")), counted(result.get("conformance"))]
        lines.append(f"| {' | '.join([*cells, median(result.get('benchmarks'))])} |")
    for device, result in results.items():
        if hot := result.get("benchmarks", {}).get("hot"):
            lines += ["", f"Added nanoseconds per call on {device}, ten elements:", ""]
            lines += [f"| {' | '.join(hot)} |", "|---" * len(hot) + "|"]
            lines.append(f"| {' | '.join(format(row['added'], '.0f') for row in hot.values())} |")
    return "\n".join(lines) + "\n"


def machine() -> str:
    """Return a line with the GPUs, their driver, the system and the version of Python."""
    try:
        query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        gpu = (
            subprocess.run(query, capture_output=True, text=True, check=True)
            .stdout.strip()
            .replace("\n", "; ")
        )
    except (OSError, subprocess.CalledProcessError):
        gpu = "no NVIDIA GPU"
    return f"{gpu}; {platform.system()} {platform.machine()}, Python {platform.python_version()}."


def counted(counts: Counts | None) -> str:
    """Return counts as text."""
    return "not run" if counts is None else ", ".join(f"{n} {name}" for name, n in counts.items())


def median(benchmarks: Mapping[str, Any] | None) -> str:
    """Return the median of the added time over all functions, as text."""
    if not benchmarks:
        return "not run"
    added = [row["added"] for row in benchmarks["functions"].values() if row["added"] == row["added"]]
    return f"{statistics.median(added):.0f} ns over {len(added)} functions"


def failures(results: Mapping[str, Mapping[str, Any]]) -> int:
    """Return how many tests failed in all."""
    return sum(result.get(step, {}).get("failed", 0) for result in results.values() for step in STEPS[:2])


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--suite", type=Path, help="a checkout of array-api-tests")
    parser.add_argument("--device", action="append", help="may be repeated; default: every GPU device")
    parser.add_argument("--step", action="append", choices=STEPS, help="may be repeated; default: all")
    parser.add_argument("--output", type=Path, default=ROOT / "gpu-report.md")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run all steps on all devices and write the summary."""
    options = parse(argv)
    steps = options.step or [step for step in STEPS if step != "conformance" or options.suite]
    results: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        environment = install(Path(name) / "site")
        versions = find_devices(options.device or (), environment)
        core = run([sys.executable, "-c", CORE], environment, quiet=True).strip()
        for device in versions:
            folder = Path(name) / device.replace(":", "-")
            folder.mkdir()
            result = results[device] = {}
            if "tests" in steps:
                result["tests"] = run_tests(device, folder, environment)
            if "conformance" in steps:
                result["conformance"] = run_conformance(device, folder, environment, options.suite.resolve())
            if "benchmarks" in steps:
                result["benchmarks"] = run_benchmarks(device, folder, environment)
            options.output.write_text(markdown(results, versions, core), encoding="utf-8")
    print(options.output.read_text(encoding="utf-8"))
    return int(failures(results) > 0)


if __name__ == "__main__":
    sys.exit(main())
