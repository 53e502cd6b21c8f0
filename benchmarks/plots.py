"""What the pictures of all benchmarks share: a backend without a window, plain axes, and saving."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def pyplot() -> Any:
    """Return ``matplotlib.pyplot`` with a backend that draws into files only."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def plain(panels: Iterable[Any]) -> None:
    """Remove the upper and right border of each panel."""
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)


def save(figure: Any, path: Path, dpi: int) -> None:
    """Write the picture as PNG, and make its folder if there is none."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=dpi)
    pyplot().close(figure)
    print(f"plot: {path}")
