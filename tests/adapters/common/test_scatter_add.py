"""``scatter_add`` of every device and dtype, against ``numpy.add.at``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import burn_array as xp

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
).split()
KEYS: dict[str, Any] = {
    "one axis": ([0, 2, 0, -1], (4, 3)),
    "both axes": (([0, 2, 0], [1, 1, 1]), (3,)),
    "behind a slice": ((slice(None), [2, 2, 0]), (4, 3)),
    "nothing": ([], (0, 3)),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("key", KEYS)
def test_repeats_accumulate(device: xp.Device, key: str, dtype: str) -> None:
    places, shape = KEYS[key]
    places = places if type(places) is tuple else (places,)
    x = np.arange(12).reshape(4, 3).astype(dtype)
    value = (np.arange(np.prod(shape)).reshape(shape) + 1).astype(dtype)
    if dtype.startswith("complex"):
        x, value = x - 2j * x, value * (1 + 3j)
    x, value = x.astype(dtype), value.astype(dtype)
    expected = x.copy()
    np.add.at(expected, tuple(np.asarray(p, dtype=int) if type(p) is list else p for p in places), value)

    def native(values: Any) -> Any:
        return xp.asarray(values, device=device)._native

    index = tuple(
        native(np.asarray(p, dtype=device.adapter.index_dtype)) if type(p) is list else p for p in places
    )
    base = native(x)
    out = device.adapter.find("scatter_add")(base, index if len(index) > 1 else index[0], native(value))
    np.testing.assert_array_equal(device.adapter.to_host(out), expected)
    assert device.adapter.dtype_of(out) == dtype
    np.testing.assert_array_equal(device.adapter.to_host(base), x)
