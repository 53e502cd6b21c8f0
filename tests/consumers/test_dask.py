"""dask computes on chunks that are arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
import pytest

import burn_array

N = np.arange(24.0).reshape(4, 6)

CALLS: list[tuple[str, Callable[[Any], Any]]] = [
    ("itself", lambda x: x),
    ("arithmetic", lambda x: (x + 1) * x - 2.0),
    ("ufunc", lambda x: da.sin(x)),
    ("slices", lambda x: x[1:, ::2]),
    ("map_blocks", lambda x: x.map_blocks(lambda block: block + 1)),
    ("sum", lambda x: x.sum(axis=0)),
    ("mean", lambda x: x.mean(axis=1)),
    ("matmul", lambda x: x @ x.T),
    ("rechunk", lambda x: x.rechunk((4, 2)) + 1),
    ("where", lambda x: da.where(x > 3, x, 0.0)),
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
@pytest.mark.needs("64 bits")
def test_equals_numpy(device: burn_array.Device, name: str, call: Callable[[Any], Any]) -> None:
    chunked = da.from_array(burn_array.asarray(N, device=device), chunks=(2, 3), asarray=False)
    # Several threads that use dpnp at once can block each other, so its chunks are computed one after another.
    out = call(chunked).compute(scheduler="sync" if device.library == "dpnp" else "threads")
    np.testing.assert_allclose(
        np.asarray(out), call(da.from_array(N, chunks=(2, 3))).compute(scheduler="sync")
    )


@pytest.mark.needs("64 bits")
def test_chunks_stay_on_the_device(device: burn_array.Device) -> None:
    chunked = da.from_array(burn_array.asarray(N, device=device), chunks=(4, 6), asarray=False)
    out = chunked.map_blocks(lambda block: burn_array.exp(block) + 1, dtype=float).compute(scheduler="sync")
    assert type(out) is burn_array.Array
    assert out.device == device


@pytest.mark.needs("64 bits")
def test_chunks_may_become_ndarrays(device: burn_array.Device) -> None:
    total = da.from_array(burn_array.asarray(N, device=device), chunks=(2, 3)).sum().compute(scheduler="sync")
    assert float(total) == N.sum()
