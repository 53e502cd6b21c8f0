"""The examples of derivatives give the right results, and the benchmarks of derivatives run and draw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import burn_array as xp


def test_every_device_trains_the_same_network(load_program: Callable[[str], ModuleType]) -> None:
    example = load_program("examples/train_digits.py")
    curves = [example.train(device, epochs=2)[0] for device in xp.devices()]
    assert curves[0][-1] < 0.5 * curves[0][0]
    for curve in curves[1:]:
        assert curve == pytest.approx(curves[0], rel=1e-6)


def test_newton_finds_the_oscillation(
    load_program: Callable[[str], ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load_program("examples/fit_model.py").main(["--plot", str(tmp_path / "fit.png")])
    lines = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines()}
    for name, true in (("amplitude", 2.0), ("damping", 0.35), ("frequency", 3.0), ("phase", 0.4)):
        value, error = float(lines[name][1]), float(lines[name][3])
        assert abs(value - true) < 4 * error
    assert (tmp_path / "fit.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["autodiff", "checkpointing"])
def test_benchmarks_run(
    name: str,
    load_program: Callable[[str], ModuleType],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    load_program(f"benchmarks/{name}.py").main(
        ["--device", "numpy", "--rounds", "1", "--plot", str(tmp_path / "plot.png")]
    )
    assert "numpy" in capsys.readouterr().out
    assert (tmp_path / "plot.png").stat().st_size > 1000
