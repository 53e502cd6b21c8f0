"""What a type checker says of a program that uses the namespace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import burn_array as xp

x: xp.Array = xp.zeros(3)
y: xp.Array = xp.special.erf(x)
z: xp.Array = xp.random.normal((3,))
gradient = xp.autodiff.grad
{line}
"""


def mypy(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """Check a program with ``line`` in it; the folder keeps what mypy has read."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(line=line), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", f"--cache-dir={folder / 'cache'}", str(program)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)


def test_a_misspelt_function_is_an_error_and_the_names_of_the_namespace_are_none(tmp_path: Path) -> None:
    right = mypy(tmp_path, "xp.zeros(3)")
    assert right.returncode == 0, right.stdout
    wrong = mypy(tmp_path, "xp.zero(3)")
    assert wrong.returncode == 1
    assert 'has no attribute "zero"' in wrong.stdout
    assert "Found 1 error" in wrong.stdout
