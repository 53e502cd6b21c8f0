"""The docstrings of the adapters of CuPy and dpnp name canaries that exist, and every canary is named."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("cupy", "dpnp")
NAMED = re.compile(r"Canar(?:y|ies):\s+((?:``[\w.]+``(?:,\s+|\s+and\s+)?)+)")


def named(folder: str) -> set[str]:
    """Return the names of canaries in the texts of a folder of adapters."""
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "adapters" / folder).glob("*.py"))
    lists = (found for text in texts for found in NAMED.findall(text))
    return {name for found in lists for name in re.findall(r"``([\w.]+)``", found)}


def canaries(library: str) -> set[str]:
    """Return the names of the canaries of a library: what stands before a colon in the keys of its tests."""
    path = ROOT / "tests" / "adapters" / library / f"test_{library}_quirks.py"
    keys = (
        key.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    )
    return {key.split(": ")[0] for key in keys if ": " in key}


@pytest.mark.parametrize("library", LIBRARIES)
def test_named_canaries_exist(library: str) -> None:
    assert named(library) - canaries(library) == set()


def test_canaries_named_in_common_exist() -> None:
    assert named("common") - canaries("cupy") - canaries("dpnp") == set()


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_canary_is_named(library: str) -> None:
    assert canaries(library) - named(library) - named("common") == set()
