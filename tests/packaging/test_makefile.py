"""``make test-devices`` runs every further device, with its share of the tests, and fails if one of them fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTEST = """#!/bin/sh
printf '%s\\n' "$*" >> "{log}"
case "$*" in *{failing}*) exit 1;; esac
"""

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")


def made(folder: Path, target: str, *variables: str, failing: str = "nothing") -> tuple[int, list[str], str]:
    """Return the status of a target, the arguments of each call of pytest, which a script replaces, and the output."""
    log, script = folder / "log", folder / "bin" / "pytest"
    script.parent.mkdir()
    script.write_text(PYTEST.format(log=log, failing=failing))
    script.chmod(0o755)
    for name in ("pyvenv.cfg", ".test"):
        (folder / name).touch()  # newer than what they are made of, so that nothing is installed
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "--no-print-directory", target, f"VENV={folder}", *variables]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment, timeout=60)
    return done.returncode, log.read_text().splitlines() if log.exists() else [], done.stdout + done.stderr


def test_jax_is_among_the_devices_and_has_a_share_of_its_own(tmp_path: Path) -> None:
    status, calls, _ = made(tmp_path, "test-devices")
    assert status == 0
    assert calls == ["-n auto --devices=jax:cpu --devices-only --share=0.025"]


def test_every_test_runs_with_the_whole_share(tmp_path: Path) -> None:
    status, calls, _ = made(tmp_path, "test-devices", "SHARE=1")
    assert status == 0
    assert calls == ["-n auto --devices=jax:cpu --devices-only --share=1"]


def test_a_device_that_fails_fails_the_target_after_the_others_ran(tmp_path: Path) -> None:
    status, calls, out = made(tmp_path, "test-devices", "EXTRA_DEVICES=cupy:0 jax:cpu", failing="cupy:0")
    assert status != 0
    assert [call.split()[2] for call in calls] == ["--devices=cupy:0", "--devices=jax:cpu"]
    assert calls[0].endswith("--share=0.1")
    assert "failed on: cupy:0" in out


def test_no_further_device_is_said(tmp_path: Path) -> None:
    status, calls, out = made(tmp_path, "test-devices", "EXTRA_DEVICES=")
    assert (status, calls) == (0, [])
    assert "EXTRA_DEVICES is empty" in out
