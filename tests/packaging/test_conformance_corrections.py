"""The two corrections make the public suite test what the standard says, and change nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array._command.conformance_corrections import correct


class Table(Mapping[str, Any]):
    """A mapping like the one of dtypes in the suite."""

    def __getitem__(self, key: str) -> Any:
        return {"here": np.dtype("float64")}[key]

    def __iter__(self) -> Iterator[str]:
        return iter(["here"])

    def __len__(self) -> int:
        return 1


def test_a_missing_promotion_equals_no_dtype(monkeypatch: pytest.MonkeyPatch) -> None:
    class EqualityMapping(Table):
        pass

    module: Any = ModuleType("array_api_tests.dtype_helpers")
    module.EqualityMapping = EqualityMapping
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert EqualityMapping().get("missing") == np.dtype("float64")  # since None equals this dtype
    correct()
    assert EqualityMapping().get("missing") != np.dtype("float64")
    assert EqualityMapping().get("here") == np.dtype("float64")


class Exporter:
    """An array on an accelerator, which exports to the host or refuses it."""

    def __init__(self, refuses: bool) -> None:
        self.refuses = refuses

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)

    def __dlpack__(self, **_: Any) -> str:
        if self.refuses:
            raise BufferError
        return "capsule"


def test_an_export_to_another_device_without_a_copy_must_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    handle = SimpleNamespace(inner_test=lambda *arguments: calls.append(arguments[0]))
    module: Any = ModuleType("array_api_tests.test_dlpack")
    module.test_dunder_dlpack = SimpleNamespace(hypothesis=handle)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    correct()
    elsewhere: tuple[dict[str, Any], ...] = ({"copy": False}, {}, {"dl_device": (1, 0)})
    handle.inner_test(Exporter(refuses=True), *elsewhere, None)
    with pytest.raises(AssertionError, match="BufferError"):
        handle.inner_test(Exporter(refuses=False), *elsewhere, None)
    assert calls == []
    x = xp.zeros(2, device="numpy")
    handle.inner_test(x, *elsewhere, None)
    assert len(calls) == 1
    assert calls[0] is x
