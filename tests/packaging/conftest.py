"""Programs of the project as modules."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def load_program() -> Callable[[str], ModuleType]:
    """A function that returns a program outside the package as a module, as in ``docs/support_table.py``."""

    def loaded(path: str) -> ModuleType:
        file = ROOT / path
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module  # dataclasses look their module up there
        spec.loader.exec_module(module)
        return module

    return loaded
