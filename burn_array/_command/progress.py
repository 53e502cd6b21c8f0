"""Write to the standard output, and show progress: as a bar if rich is installed and the output is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OutputError(Exception):
    """The standard output cannot be written."""


@contextmanager
def output() -> Iterator[None]:
    """Turn errors of printing inside the ``with`` block into ``OutputError``, but for ``BrokenPipeError``."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"the output cannot be written: {error}") from error


class Progress:
    """Show how many of ``total`` tests are done, from the start to the end of a ``with`` block."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.total = 0
        self._bar: Any = _rich_bar() if sys.stdout is not None and sys.stdout.isatty() else None
        self._task: Any = None
        self._shown = -1

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=None, failed=0)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, failed: int) -> None:
        """Show that ``done`` tests are done and ``failed`` of them failed."""
        if self._bar is not None:
            with output():
                self._bar.update(self._task, completed=done, total=self.total or None, failed=failed)
            return
        tenth = 10 * done // self.total if self.total else 0
        if tenth > self._shown:
            self._shown = tenth
            with output():
                print(f"{self.title}: {done} of {self.total or '?'} tests, {failed} failed")


def _rich_bar() -> Any:
    """Return a progress bar of rich, or ``None`` if rich is not installed."""
    try:
        from rich import progress
    except ImportError:
        return None
    return progress.Progress(
        progress.TextColumn("{task.description:<16}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[failed]} failed"),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
    )
