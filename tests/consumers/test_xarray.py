"""xarray computes on arrays, and the results stay on their device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import burn_array

N = np.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
GROUP = xr.DataArray([0, 1, 0], dims="b", name="g")


def labelled(data: Any) -> xr.DataArray:
    """Return data of shape (2, 3) with names of axes and coordinates."""
    return xr.DataArray(data, dims=("a", "b"), coords={"b": [10, 20, 30]})


CALLS: list[tuple[str, Callable[[xr.DataArray], xr.DataArray]]] = [
    ("arithmetic", lambda x: (x + 1) * x - x.mean("a", skipna=False)),
    ("ufunc", lambda x: np.sin(x) + np.hypot(x, 2.0)),
    ("comparison", lambda x: (x > 2) & (x != 4)),
    ("sum", lambda x: x.sum()),
    ("mean", lambda x: x.mean("a", skipna=False)),
    ("max", lambda x: x.max("a", skipna=False)),
    ("argmax", lambda x: x.argmax("b", skipna=False)),
    ("any", lambda x: (x > 5).any("a")),
    ("groupby sum", lambda x: x.groupby(GROUP).sum()),
    ("groupby mean", lambda x: x.groupby(GROUP).mean(skipna=False)),
    ("groupby arithmetic", lambda x: x.groupby(GROUP) - x.groupby(GROUP).mean(skipna=False)),
    ("where", lambda x: x.where(x > 2)),
    ("where else", lambda x: x.where(x > 2, -1.0)),
    ("where of three", lambda x: xr.where(x > 2, x, 0.0)),
    ("fillna", lambda x: x.where(x > 2).fillna(0.0)),
    ("isnull", lambda x: x.where(x > 2).isnull()),
    ("pad", lambda x: x.pad(b=(1, 2))),
    ("pad edge", lambda x: x.pad(b=1, mode="edge")),
    ("pad wrap", lambda x: x.pad(a=1, b=1, mode="wrap")),
    ("pad constant", lambda x: x.pad(b=(1, 0), constant_values=7.0)),
    ("shift", lambda x: x.shift(b=1)),
    ("roll", lambda x: x.roll(b=1)),
    ("reindex", lambda x: x.reindex(b=[10, 15, 30])),
    ("isel", lambda x: x.isel(a=1, b=[0, 2])),
    ("sel", lambda x: x.sel(b=[30, 10])),
    ("concat", lambda x: xr.concat([x, x], "a")),
    ("stack", lambda x: x.stack(z=("a", "b"))),
    ("transpose", lambda x: x.T),
    ("dot", lambda x: x.dot(x)),
    ("diff", lambda x: x.diff("b")),
    ("clip", lambda x: x.clip(2, 4)),
    ("astype", lambda x: x.astype("float32")),
    ("broadcast", lambda x: xr.broadcast(x, x.isel(a=0).rename(b="c"))[0]),
    ("expand_dims", lambda x: x.expand_dims("q")),
    ("sortby", lambda x: x.sortby("b", ascending=False)),
    ("coarsen", lambda x: x.isel(b=slice(0, 2)).coarsen(b=2).sum()),
    ("copy", lambda x: x.copy(deep=True)),
    ("apply_ufunc", lambda x: xr.apply_ufunc(lambda v: v * 2, x)),
    ("dataset", lambda x: xr.Dataset({"v": x}).mean("a", skipna=False).v),
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
@pytest.mark.needs("64 bits")
def test_equals_numpy_and_stays(
    device: burn_array.Device, name: str, call: Callable[[xr.DataArray], xr.DataArray]
) -> None:
    out = call(labelled(burn_array.asarray(N, device=device)))
    expected = call(labelled(N))
    assert type(out.data) is burn_array.Array
    assert out.data.device == device
    assert out.dims == expected.dims
    assert out.dtype == expected.dtype
    np.testing.assert_allclose(np.asarray(out.data), expected.data)


@pytest.mark.needs("64 bits")
def test_assignment(device: burn_array.Device) -> None:
    x = labelled(burn_array.asarray(N, device=device)).copy()
    x.loc[{"b": 10}] = 0.0
    x[{"b": 2}] = x[{"b": 1}]
    assert x.data.device == device
    np.testing.assert_array_equal(np.asarray(x.data), [[0, 2, 2], [0, 5, 5]])


@pytest.mark.needs("64 bits")
def test_text_and_conversions(device: burn_array.Device) -> None:
    x = labelled(burn_array.asarray(N, device=device))
    assert "xarray.DataArray" in repr(x)
    assert "<svg" in x._repr_html_()
    np.testing.assert_array_equal(x.to_numpy(), N)
    assert x.to_series().tolist() == N.ravel().tolist()
    assert x.equals(labelled(burn_array.asarray(N, device=device)))
    xr.testing.assert_allclose(x, x + 1e-14)
