"""Docstrings, comments and documents keep to plain English: a short list of phrases that need a second reading."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BANNED = re.compile(
    r"\bof which\b|\bthat which\b|\bby which one\b|\bthose that such\b|\bwhom it concerns\b|\bnobody\b"
    r"|\bsooner\b|\btakes as long again\b|\bsuch of\b|\bis to be had\b|\bthat of those\b",
    flags=re.IGNORECASE,
)
FOLDERS = ("burn_array", "adapters", "autodiff", "tests", "benchmarks", "examples", "docs")
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".md")
    and "history" not in path.parts
    and path.relative_to(ROOT).parts[:2] not in (("burn_array", "adapters"), ("burn_array", "autodiff"))
    and path != Path(__file__).resolve()
) + [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "setup.py")]


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a document, or the docstrings and comments of a program, with their numbers."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from enumerate(text.splitlines(), start=1)
        return
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield from enumerate(node.value.value.splitlines(), start=node.lineno)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_prose_needs_no_second_reading(path: Path) -> None:
    found = [f"{path.name}:{number}: {line.strip()}" for number, line in prose(path) if BANNED.search(line)]
    if path.name == "CONTRIBUTING.md":  # it names what is banned
        found = [line for line in found if '"of which"' not in line and "*sooner*" not in line]
    assert found == []
