"""Pillow, pyarrow and zarr read the memory of arrays as they read that of ndarrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array

pytestmark = pytest.mark.host
N = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize("shape", [(4, 5), (4, 5, 3), (4, 5, 4)])
def test_pillow(xp: ModuleType, shape: tuple[int, ...]) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)
    x = xp.asarray(pixels)
    np.testing.assert_array_equal(np.asarray(image.fromarray(x)), pixels)
    np.testing.assert_array_equal(np.asarray(image.fromarray(x[::2, 1:])), pixels[::2, 1:])


@pytest.mark.needs("64 bits")
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64"])
def test_pyarrow(device: burn_array.Device, values: Any, dtype: str) -> None:
    pa = pytest.importorskip("pyarrow")
    n = values(dtype, (4,))
    x = burn_array.asarray(n, device=device)
    assert pa.array(x).equals(pa.array(n))
    assert pa.array(x[::2]).equals(pa.array(n[::2]))
    assert pa.table({"x": x})["x"].to_pylist() == n.tolist()
    if dtype != "bool":
        assert pa.array(x, type=pa.float64()).type == pa.float64()
    with pytest.raises(pa.ArrowInvalid, match="1-dimensional"):
        pa.array(burn_array.asarray(N, device=device))


@pytest.mark.needs("64 bits")
@pytest.mark.filterwarnings("ignore")
def test_zarr(device: burn_array.Device) -> None:
    zarr = pytest.importorskip("zarr")
    x = burn_array.asarray(N, device=device)
    stored = zarr.create_array({}, shape=N.shape, chunks=(2, 3), dtype=N.dtype)
    stored[:] = x
    np.testing.assert_array_equal(stored[:], N)
    stored[1] = x[0]
    np.testing.assert_array_equal(stored[1], N[0])
    np.testing.assert_array_equal(zarr.array(x, chunks=(2, 2))[:], N)
    assert burn_array.asarray(stored[:], device=device).device == device
