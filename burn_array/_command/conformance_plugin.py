"""A pytest plugin of the process that runs the suite: it reports each result to ``burn-array conformance``.

A result is one line of JSON in a file, which the command reads while the suite runs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import burn_array as xp

from .conformance import AS_PUBLISHED, EVENTS, TRACED
from .conformance_corrections import correct

TEXT_LIMIT = 4000
_DTYPES = (xp.bool, xp.int64, xp.float32, xp.float64, xp.complex64, xp.complex128)
_WARM_UP: tuple[Callable[[xp.Array], Any], ...] = (
    *(xp.linalg.det, xp.linalg.slogdet, xp.linalg.inv, xp.linalg.cholesky, xp.linalg.qr, xp.linalg.svd),
    *(xp.linalg.eigh, xp.linalg.eig, xp.fft.fft, xp.sort, xp.sum, xp.prod),
    *(lambda x: x @ x, lambda x: xp.linalg.solve(x, x)),
    # On a GPU, PyTorch compiles these for complex numbers, once for each layout, and keeps them on disk.
    *(xp.abs, xp.atan, xp.atanh, xp.log, xp.log2, xp.log10),
    *(lambda x: xp.prod(x, axis=0), lambda x: xp.prod(x, axis=-1)),
)


def _write(**event: Any) -> None:
    """Append an event to the file that the command reads; with pytest-xdist only the main process does so."""
    path = os.environ.get(EVENTS)
    if path and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(event) + "\n")


def pytest_configure() -> None:
    if TRACED in os.environ:
        from .conformance_tracing import trace_functions

        trace_functions()


def pytest_sessionstart(session: Any) -> None:
    if getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput"):
        return  # this process of pytest-xdist only distributes the tests
    device = xp.default_device()
    if not device.is_host:
        warm_up(device)


def warm_up(device: xp.Device) -> None:
    """Let an accelerator start up, load its libraries and compile, so that no example has to wait for it."""
    one = xp.eye(2, device=device)
    many = xp.stack([one, one])
    for call in _WARM_UP:
        for x in (one, many, xp.permute_dims(many, (2, 1, 0))):
            for dtype in _DTYPES:
                with suppress(xp.errors.BurnArrayError):  # a missing function is for the suite to report
                    call(xp.astype(x, dtype))
    device.synchronize()


def pytest_collection_modifyitems() -> None:
    if AS_PUBLISHED not in os.environ:
        correct()


def pytest_collection_finish(session: Any) -> None:
    _write(kind="total", total=len(session.items))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    _write(kind="total", total=len(ids))


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _write(kind="result", test=report.nodeid, outcome="failed", text=_tail(report.longreprtext))


def pytest_runtest_logstart(nodeid: str) -> None:
    _write(kind="start", test=nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    outcome = _outcome(report)
    if outcome is not None:
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        _write(kind="result", test=report.nodeid, outcome=outcome, text=_tail(text))


def _outcome(report: Any) -> str | None:
    """Return the outcome of a test, or ``None`` for a phase that does not decide it.

    The call decides, unless the set-up or the tear-down fails or skips the test.
    """
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "failed" if report.when == "call" else None
    if report.failed:
        return "failed"
    if report.skipped:
        return "skipped"
    return "passed" if report.when == "call" else None


def _tail(text: str) -> str:
    """Return the end of a long text."""
    return text[-TEXT_LIMIT:]
