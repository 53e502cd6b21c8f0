"""Compare the time of ``import burn_array`` with that of ``import numpy``.

Each import runs in a process of its own, both in turn, and the medians are compared.

    python benchmarks/import_time.py [--runs N] [--json PATH]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CODE = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"
MODULES = ("numpy", "burn_array")


def import_seconds(module: str) -> float:
    """Return the seconds of an import in a new process."""
    command = [sys.executable, "-c", CODE.format(module)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print; write JSON if asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--json", type=Path, metavar="PATH")
    options = parser.parse_args(argv)
    for module in MODULES:
        import_seconds(module)
    times: dict[str, list[float]] = {module: [] for module in MODULES}
    for _ in range(options.runs):
        for module, found in times.items():
            found.append(import_seconds(module))
    medians = {module: statistics.median(found) * 1e3 for module, found in times.items()}
    for module, value in medians.items():
        print(f"import {module:<12}{value:>8.1f} ms (median of {options.runs} processes)")
    difference = medians["burn_array"] - medians["numpy"]
    print(f"difference         {difference:>8.1f} ms")
    if options.json is not None:
        options.json.write_text(json.dumps({**medians, "difference": difference}) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
