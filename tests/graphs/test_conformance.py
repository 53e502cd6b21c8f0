"""``burn-array conformance --traced``: functions that trace and replay themselves."""

from __future__ import annotations

import subprocess
import sys

import pytest

from burn_array._command import conformance_plugin
from burn_array._command.conformance import TRACED
from burn_array._command.conformance_tracing import traced

PROGRAM = """
import burn_array as xp
from burn_array._command.conformance_tracing import trace_functions
from burn_array.graphs import tracing

calls = []
trace = tracing.trace
tracing.trace = lambda *args: calls.append(args) or trace(*args)
names = trace_functions()
assert {"sin", "matmul", "svd", "fft", "concat", "zeros"} <= set(names) and "asarray" not in names
x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
assert float(xp.sum(xp.concat([x, x], axis=1))) == 20.0
assert xp.linalg.svd(x)._fields == ("U", "S", "Vh")
assert len(calls) == 3
assert xp.nonzero(x)[0].shape == (4,) and xp.zeros(2, device="numpy").shape == (2,)
assert len(calls) == 3
print("traced", len(names))
"""


def test_functions_trace_themselves() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[1]) > 150


def test_the_option_sets_what_the_plugin_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    name = "burn_array._command.conformance_tracing.trace_functions"
    monkeypatch.setattr(name, lambda: found.append("traced"))
    monkeypatch.delenv(TRACED, raising=False)
    conformance_plugin.pytest_configure()
    assert found == []
    monkeypatch.setenv(TRACED, "1")
    conformance_plugin.pytest_configure()
    assert found == ["traced"]


def test_the_signature_stays() -> None:
    import inspect

    import burn_array as xp

    assert inspect.signature(traced(xp.sum)) == inspect.signature(xp.sum)
