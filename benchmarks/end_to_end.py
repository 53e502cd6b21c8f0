"""Time whole calls of scikit-learn and SciPy on arrays of burn_array and on the library's own arrays.

scikit-learn and SciPy use the array API standard with both kinds of arrays; for the library's own arrays they go
through array-api-compat. Each call runs on both kinds in turn, in one process. The results are checked to agree, and
the medians of the rounds are compared. ``--cpu`` measures processor time instead of clock time, for a shared machine.

    python benchmarks/end_to_end.py [--device torch:cpu] [--cpu] [--rounds 15] [--rows 100000] [--only NAME ...]
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"  # SciPy reads it when it is imported

import numpy as np
import sklearn
from scipy import signal
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import burn_array as xp

OURS, NATIVE = "burn_array", "native"
COLUMNS = 50

Arrays = dict[str, Any]
CALLS: dict[str, Callable[[Arrays], Any]] = {
    "PCA": lambda a: PCA(10, svd_solver="covariance_eigh").fit_transform(a["X"]),
    "PCA, full SVD": lambda a: PCA(10, svd_solver="full").fit_transform(a["X"]),
    "Ridge": lambda a: Ridge(solver="svd").fit(a["X"], a["y"]).predict(a["X"]),
    "StandardScaler": lambda a: StandardScaler().fit_transform(a["X"]),
    "StandardScaler + LogisticRegression": lambda a: (
        make_pipeline(StandardScaler(), LogisticRegression()).fit(a["X"], a["c"]).predict_proba(a["X"])
    ),
    "fftconvolve": lambda a: signal.fftconvolve(a["X"], a["k"], mode="same", axes=0),
}


@dataclass
class Row:
    """The seconds of every round of one call, in the order of the rounds, by contender."""

    name: str
    times: dict[str, list[float]]

    def median(self, contender: str) -> float:
        """Return the median of the rounds, in seconds."""
        return statistics.median(self.times[contender])

    @property
    def ratio(self) -> float:
        """Median time of burn_array over median time of the library."""
        return self.median(OURS) / self.median(NATIVE)

    @property
    def ratio_of_shortest(self) -> float:
        """The same with the shortest rounds, which other programs on the machine disturb least."""
        return min(self.times[OURS]) / min(self.times[NATIVE])


def host_arrays(rows: int) -> dict[str, np.ndarray[Any, Any]]:
    """Return a matrix of ``rows`` by 50, a target, classes that overlap, and a kernel for each column."""
    rng = np.random.default_rng(7)
    mixing = rng.standard_normal((COLUMNS, COLUMNS))
    X = rng.standard_normal((rows, COLUMNS)) @ mixing + rng.standard_normal(COLUMNS)
    y = X @ rng.standard_normal(COLUMNS) + rng.standard_normal(rows)
    noise = np.std(y) * rng.standard_normal(rows)
    window = np.hanning(min(1001, rows))
    kernels = window[:, None] * rng.random(COLUMNS)
    return {"X": X, "y": y, "c": (y + noise > np.mean(y)).astype(np.int64), "k": kernels}


def contenders(device: xp.Device, rows: int) -> dict[str, Arrays]:
    """Return the same arrays, as the library's own and as burn_array's."""
    host = host_arrays(rows)
    return {
        NATIVE: {name: device.adapter.from_host(array, True) for name, array in host.items()},
        OURS: {name: xp.asarray(array, device=device, copy=True) for name, array in host.items()},
    }


def check_same(name: str, device: xp.Device, results: dict[str, Any]) -> None:
    """Raise unless both results have the same values, up to the sign of each column of a decomposition."""
    ours, native = results[OURS], results[NATIVE]
    if type(ours) is not xp.Array or ours.device != device:
        raise SystemExit(f"{name}: the result left {device}")
    made, expected = np.asarray(ours.to_device("numpy")), device.adapter.to_host(native)
    if name.startswith("PCA"):
        made, expected = abs(made), abs(expected)
    scale = float(np.max(abs(expected)))
    np.testing.assert_allclose(made, expected, rtol=1e-6, atol=1e-9 * scale, err_msg=name)


def measure(
    name: str, given: dict[str, Arrays], device: xp.Device, rounds: int, clock: Callable[[], float]
) -> Row:
    """Time one call on both kinds of arrays in each round; the order alternates."""
    call = CALLS[name]
    check_same(name, device, {contender: call(arrays) for contender, arrays in given.items()})
    row = Row(name, {contender: [] for contender in given})
    order = list(given)
    for _ in range(rounds):
        for contender in order:
            device.synchronize()
            start = clock()
            call(given[contender])
            device.synchronize()
            row.times[contender].append(clock() - start)
        order.reverse()
    return row


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print; write JSON if asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--device", default="numpy")
    parser.add_argument("--cpu", action="store_true", help="measure processor time")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--only", action="append", choices=list(CALLS), help="measure this call; repeatable")
    parser.add_argument("--json", type=Path, help="write all times here")
    options = parser.parse_args(arguments)
    device = xp.device(options.device)
    clock = time.process_time if options.cpu else time.perf_counter
    given = contenders(device, options.rows)
    threads = os.environ.get("OMP_NUM_THREADS", "not set")
    print(
        f"{device}, {options.rows} x {COLUMNS}, {options.rounds} rounds, OMP_NUM_THREADS {threads}, {clock.__name__}"
    )
    print(f"{'median of a call, in ms':<38}{NATIVE:>10}{OURS:>12}{'ratio':>8}{'shortest':>10}")
    rows = []
    with sklearn.config_context(array_api_dispatch=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in options.only or CALLS:
            rows.append(row := measure(name, given, device, options.rounds, clock))
            native, ours = row.median(NATIVE) * 1e3, row.median(OURS) * 1e3
            print(f"{name:<38}{native:>10.1f}{ours:>12.1f}{row.ratio:>8.3f}{row.ratio_of_shortest:>10.3f}")
            sys.stdout.flush()
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({row.name: row.times for row in rows}, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
