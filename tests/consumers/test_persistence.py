"""Arrays survive pickle, cloudpickle, joblib, safetensors and copies, and work in threads."""

from __future__ import annotations

import copy
import io
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cloudpickle
import joblib
import numpy as np
import pytest
import safetensors.numpy
import safetensors.torch
import torch

import burn_array

N = np.asarray([[1.0, 2.0], [3.0, 4.0]])


@pytest.fixture
def x(device: burn_array.Device) -> Any:
    return burn_array.asarray(N, device=device, copy=True)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.needs("64 bits")
def test_pickle(x: Any, protocol: int) -> None:
    loaded = pickle.loads(pickle.dumps({"x": x, "device": x.device, "f": burn_array.sum}, protocol))
    assert loaded["x"].device == x.device
    assert loaded["device"] is x.device
    assert loaded["f"] is burn_array.sum
    np.testing.assert_array_equal(np.asarray(loaded["x"]), N)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float16", "float32", "complex128"])
def test_pickle_of_dtypes(device: burn_array.Device, dtype: str) -> None:
    x = burn_array.ones((2, 0, 3), dtype=dtype, device=device)
    loaded = pickle.loads(pickle.dumps(x))
    assert (loaded.dtype, loaded.shape, loaded.device) == (dtype, (2, 0, 3), device)


CHILD = """
import pickle, sys, json
made = pickle.load(sys.stdin.buffer)
out = made["function"](made["x"])
print(json.dumps([str(out.device), out.tolist()]))
"""


@pytest.mark.needs("64 bits")
def test_another_process(x: Any) -> None:
    def double(x: Any) -> Any:
        return burn_array.multiply(x, 2.0)

    sent = cloudpickle.dumps({"x": x, "function": double})
    done = subprocess.run([sys.executable, "-c", CHILD], input=sent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout) == [str(x.device), (2 * N).tolist()]


@pytest.mark.needs("64 bits")
def test_joblib(x: Any, tmp_path: Path) -> None:
    joblib.dump(x, tmp_path / "x.joblib", compress=1)
    loaded = joblib.load(tmp_path / "x.joblib")
    assert loaded.device == x.device
    np.testing.assert_array_equal(np.asarray(loaded), N)
    assert joblib.hash(x) == joblib.hash(burn_array.asarray(N, device=x.device))
    assert joblib.hash(x) != joblib.hash(x + 1)


@pytest.mark.needs("64 bits")
def test_joblib_memory(x: Any, tmp_path: Path) -> None:
    calls: list[int] = []

    def total(x: Any) -> Any:
        calls.append(1)
        return burn_array.sum(x)

    cached = joblib.Memory(tmp_path, verbose=0).cache(total)
    assert [float(cached(x)) for _ in range(2)] == [10.0, 10.0]
    assert len(calls) == 1


@pytest.mark.needs("64 bits")
def test_safetensors(x: Any) -> None:
    stored = safetensors.numpy.save({"x": np.asarray(x)})
    loaded = burn_array.asarray(safetensors.numpy.load(stored)["x"], device=x.device)
    np.testing.assert_array_equal(np.asarray(loaded), N)
    stored = safetensors.torch.save({"x": torch.asarray(x)})
    back = burn_array.asarray(safetensors.torch.load(stored)["x"], device=x.device)
    assert back.device == x.device
    np.testing.assert_array_equal(np.asarray(back), N)


@pytest.mark.needs("64 bits")
def test_saved_by_numpy(x: Any) -> None:
    file = io.BytesIO()
    np.savez(file, x=x)
    file.seek(0)
    np.testing.assert_array_equal(np.load(file)["x"], N)


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda x: x.copy()])
@pytest.mark.needs("64 bits")
def test_copies_are_independent(x: Any, make: Any) -> None:
    made = make(x)
    made[0, 0] = 50.0
    assert made.device == x.device
    assert float(x[0, 0]) == 1.0


@pytest.mark.needs("64 bits")
def test_deep_copy_of_a_structure(x: Any) -> None:
    made = copy.deepcopy({"x": [x], "device": x.device})
    made["x"][0][0, 0] = 50.0
    assert float(x[0, 0]) == 1.0
    assert made["device"] is x.device


@pytest.mark.parametrize("name", ["numpy", "torch:cpu"])
def test_threads(name: str) -> None:
    def work(k: int) -> float:
        total = 0.0
        with burn_array.default_device(name):
            for _ in range(20):
                x = burn_array.full((50, 50), float(k))
                assert str(x.device) == name
                total += float(burn_array.mean(x @ x / 50.0))
        return total

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(8))) == pytest.approx([20.0 * k * k for k in range(8)])
