"""Write to the standard output, and show progress: as a bar if rich is installed and the output is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
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
    """Show how many of ``total`` tests are done, and which runs, from the start to the end of a ``with`` block.

    The name of each failed test is printed at once. Without a bar, a line for each tenth of the tests is printed.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.total = 0
        self.current = ""
        """The id of the test that runs now."""
        self._bar: Any = _rich_bar() if sys.stdout is not None and sys.stdout.isatty() else None
        self._task: Any = None
        self._shown = -1
        self._failed = 0

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=None, failed=0, current="the suite starts")
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, failed: Sequence[str]) -> None:
        """Show that ``done`` tests are done, and that those with the ids ``failed`` failed."""
        with output():
            for test in failed[self._failed :]:
                self._print(f"{self.title}: FAILED {test}")
            self._failed = len(failed)
            if self._bar is None:
                self._show_tenths(done, len(failed))
                return
            _, _, current = self.current.rpartition("/")
            counts = {"completed": done, "total": self.total or None, "failed": len(failed)}
            self._bar.update(self._task, **counts, current=current)

    def _show_tenths(self, done: int, failed: int) -> None:
        """Print a line if a further tenth of the tests is done."""
        tenth = 10 * done // self.total if self.total else -1
        if tenth > self._shown:
            self._shown = tenth
            at = f", at {self.current}" if self.current and done < self.total else ""
            print(f"{self.title}: {done} of {self.total} tests, {failed} failed{at}", flush=True)

    def _print(self, line: str) -> None:
        """Print a line, above the bar if there is one."""
        if self._bar is None:
            print(line, flush=True)
        else:
            self._bar.console.print(line, markup=False, highlight=False)


def _rich_bar() -> Any:
    """Return a progress bar of rich, or ``None`` if rich is not installed."""
    try:
        from rich import progress, table
    except ImportError:
        return None
    return progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(20),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[failed]} failed"),
        progress.TimeElapsedColumn(),
        progress.TextColumn(
            "{task.fields[current]}",
            markup=False,
            table_column=table.Column(no_wrap=True, overflow="ellipsis", ratio=1),
        ),
        expand=True,
    )
