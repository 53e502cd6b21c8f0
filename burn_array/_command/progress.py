"""Writing to the output, and a progress bar: that of rich where it is installed and the output is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OutputError(Exception):
    """The output takes no more."""


@contextmanager
def output() -> Iterator[None]:
    """Print within this: what the output refuses is an ``OutputError``, unless its reader has gone."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"the output cannot be written: {error}") from error


class Progress:
    """``with Progress("numpy") as progress:`` shows how many of ``progress.total`` steps are done."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.total = 0
        self._bar: Any = _rich_bar() if sys.stdout is not None and sys.stdout.isatty() else None
        self._task: Any = None
        self._told = -1

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=None, failed=0)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, failed: int) -> None:
        """Show that ``done`` steps are done, of which ``failed`` failed."""
        if self._bar is not None:
            with output():
                self._bar.update(self._task, completed=done, total=self.total or None, failed=failed)
            return
        tenth = 10 * done // self.total if self.total else 0
        if tenth > self._told:
            self._told = tenth
            with output():
                print(f"{self.title}: {done} of {self.total or '?'} tests, {failed} failed")


def _rich_bar() -> Any:
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
