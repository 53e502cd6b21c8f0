"""The example gives the same answer on every device, and draws a picture."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import burn_array as xp

SAMPLES = 300


@pytest.fixture(scope="module")
def quickstart(load_program: Callable[[str], ModuleType]) -> ModuleType:
    return load_program("examples/quickstart.py")


def test_every_device_recognises_the_same_digits(
    quickstart: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "out" / "digits.png"
    quickstart.main(["--samples", str(SAMPLES), "--repeats", "1", "--out", str(picture)])
    out = capsys.readouterr().out
    rows = re.findall(r"^(\S+(?: alone)?) +([\d.]+)% +(\d+)% +(\S+) +[\d.]+ ms$", out, flags=re.MULTILINE)
    assert [row[0] for row in rows] == ["NumPy alone", *map(str, xp.devices())]
    assert {row[1] for row in rows} == {rows[0][1]}
    assert float(rows[0][1]) > 85
    assert {row[2] for row in rows} == {"100"}
    assert max(float(row[3]) for row in rows) < 1e-9
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert picture.stat().st_size > 20_000


def test_the_move_shares_memory(quickstart: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    quickstart.show_zero_copy()
    out = capsys.readouterr().out
    assert "same memory: True" in out
    assert "here[0] is 42.0" in out


def test_one_device_can_be_chosen(
    quickstart: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "digits.png"
    arguments = ["--samples", str(SAMPLES), "--repeats", "1", "--device", "numpy"]
    quickstart.main([*arguments, "--out", str(picture)])
    out = capsys.readouterr().out
    assert "torch" not in out
    assert picture.exists()


def test_the_fused_operation_agrees_with_the_standard(
    load_program: Callable[[str], ModuleType], capsys: pytest.CaptureFixture[str]
) -> None:
    example = load_program("examples/fused_operation.py")
    devices = [str(device) for device in xp.devices()]
    example.main(["--device", *devices, "--size", "1000"])
    out = capsys.readouterr().out
    rows = re.findall(r"^(\S+) +([\d.e+-]+) +[\d.]+ ms +[\d.]+ ms$", out, flags=re.MULTILINE)
    assert [row[0] for row in rows] == devices
    assert max(float(row[1]) for row in rows) < 2e-6
    assert out.endswith("the derivative agrees with central differences\n")


def test_a_network_replays_alike_on_every_device(
    load_program: Callable[[str], ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example = load_program("examples/replay_graph.py")
    devices = [str(device) for device in xp.devices()]
    example.main(["--device", *devices, "--path", str(tmp_path / "network.graph")])
    out = capsys.readouterr().out
    rows = re.findall(r"^(\S+) +loss after 200 steps: ([\d.]+)$", out, flags=re.MULTILINE)
    assert [row[0] for row in rows] == devices
    losses = [float(row[1]) for row in rows]
    assert max(losses) < 0.1
    assert max(losses) - min(losses) < 1e-8
    assert "float64[rows, 16] = tanh(" in out
    assert re.search(r"onnxruntime(: not installed| differs by \d\.\de-1[4-7])|differs by 0", out)


def test_training_data_are_recognised_without_error(quickstart: ModuleType) -> None:
    data = quickstart.load(SAMPLES)
    train, labels = (xp.asarray(a, device="numpy") for a in (data.train, data.train_labels))
    predicted, _, _ = quickstart.recognise(train, labels, train, neighbours=1)
    np.testing.assert_array_equal(np.asarray(predicted), data.train_labels)


@pytest.mark.library("jax")
def test_three_ways_to_fit_a_curve_agree(
    load_program: Callable[[str], ModuleType], capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jax")
    load_program("examples/jax_transforms.py").main(["--steps", "40", "--sets", "3"])
    out = capsys.readouterr().out
    assert re.findall(r"^(NumPy|jit of scan|jit of vmap).* ms$", out, flags=re.MULTILINE) == [
        "NumPy",
        "jit of scan",
        "jit of vmap",
    ]
    assert out.endswith("all agree\n")
