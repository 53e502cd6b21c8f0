"""What calls of xarray do with arrays: the result stays on the device, becomes an ndarray, or xarray raises errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import burn_array

pytestmark = pytest.mark.needs("64 bits")

N = np.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
GROUP = xr.DataArray([0, 1, 0], dims="b", name="g")


def labelled(data: Any) -> xr.DataArray:
    """Return data of shape (2, 3) with names of axes and coordinates."""
    return xr.DataArray(data, dims=("a", "b"), coords={"b": [10, 20, 30]})


def reduced(x: xr.DataArray, ours: Callable[..., Any], numpys: Callable[..., Any]) -> xr.DataArray:
    """Return ``x`` reduced along its first axis by the function that belongs to its data."""
    return x.reduce(ours if isinstance(x.data, burn_array.Array) else numpys, "a")


Call = Callable[[xr.DataArray], xr.DataArray]
CALLS: list[tuple[str, Call]] = [
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
    ("std", lambda x: reduced(x, burn_array.std, np.std)),
    ("idxmax", lambda x: x.idxmax("b")),
    ("idxmin", lambda x: x.idxmin("b", skipna=False)),
    ("xr.dot", lambda x: xr.dot(x, x, dim=["a", "b"])),
    ("matmul", lambda x: x @ x.T),
    ("count", lambda x: x.count("b")),
    ("cov", lambda x: xr.cov(x, x + 1, dim="b")),
    ("weighted mean", lambda x: x.weighted(xr.DataArray([1.0, 2.0, 3.0], dims="b")).mean("b")),
    ("integrate", lambda x: x.integrate("b")),
    ("dropna", lambda x: x.where(x > 1).dropna("b")),
    ("combine_first", lambda x: x.where(x > 2).combine_first(x)),
    ("isin", lambda x: x.isin(np.asarray([1.0, 2.0]))),
    ("round", lambda x: (x / 3).round()),
    ("argsort", lambda x: x.argsort(-1)),
    ("unstack", lambda x: x.stack(z=("a", "b")).unstack("z")),
    ("query", lambda x: x.to_dataset(name="v").query(b="b > 15").v),
    ("sel nearest", lambda x: x.sel(b=[12, 28], method="nearest")),
    ("full_like", lambda x: xr.full_like(x, 7.0)),
    ("merge", lambda x: xr.merge([x.rename("u"), (x + 1).rename("v")]).v),
    ("align", lambda x: xr.align(x, x.isel(b=slice(0, 2)))[0]),
    ("pad reflect", lambda x: x.pad(b=1, mode="reflect")),
    ("mean of integers", lambda x: x.astype("int64").mean("a")),
    ("dataset", lambda x: xr.Dataset({"v": x}).mean("a", skipna=False).v),
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
def test_equals_numpy_and_stays(device: burn_array.Device, name: str, call: Call) -> None:
    out = call(labelled(burn_array.asarray(N, device=device)))
    expected = call(labelled(N))
    assert type(out.data) is burn_array.Array
    assert out.data.device == device
    assert out.dims == expected.dims
    assert out.dtype == expected.dtype
    np.testing.assert_allclose(np.asarray(out.data), expected.data)


CONVERTED: list[tuple[str, Call]] = [
    ("mean", lambda x: x.mean("a")),
    ("max", lambda x: x.max("b")),
    ("prod", lambda x: x.prod()),
    ("argmax", lambda x: x.argmax("b")),
    ("median", lambda x: x.median("b")),
    ("std", lambda x: x.std("b")),
    ("cumsum", lambda x: x.cumsum("b")),
    ("interp", lambda x: x.interp(b=[15, 25])),
    ("interpolate_na", lambda x: x.where(x != 2).interpolate_na("b")),
    ("corr", lambda x: xr.corr(x, x * 2, dim="b")),
    ("groupby max", lambda x: x.groupby(GROUP).max()),
    ("coarsen mean", lambda x: x.coarsen(b=3).mean()),
    ("chunk", lambda x: x.chunk(b=2).sum("b").compute()),
]
"""Calls that xarray 2026.9 computes on an ndarray, by functions of NumPy that skip NaNs."""


@pytest.mark.host
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "call"), CONVERTED, ids=[name for name, _ in CONVERTED])
def test_equals_numpy_as_an_ndarray(device: burn_array.Device, name: str, call: Call) -> None:
    out = call(labelled(burn_array.asarray(N, device=device)))
    expected = call(labelled(N))
    assert type(out.data) is np.ndarray
    assert (out.dims, out.dtype) == (expected.dims, expected.dtype)
    np.testing.assert_allclose(out.data, expected.data)


AXIS = {"axis": 1}
REFUSED: dict[str, tuple[Call, str, Call]] = {
    "std": (
        lambda x: x.std("a", skipna=False, ddof=1),
        "unexpected keyword argument 'ddof'",
        lambda x: x.reduce(burn_array.std, "a", correction=1),
    ),
    "var": (
        lambda x: x.var("a", skipna=False),
        "unexpected keyword argument 'ddof'",
        lambda x: x.reduce(burn_array.var, "a"),
    ),
    "cumsum": (
        lambda x: x.cumsum("b", skipna=False),
        "no attribute 'cumsum'",
        lambda x: xr.apply_ufunc(burn_array.cumulative_sum, x, kwargs=AXIS),
    ),
    "cumprod": (
        lambda x: x.cumprod("b", skipna=False),
        "no attribute 'cumprod'",
        lambda x: xr.apply_ufunc(burn_array.cumulative_prod, x, kwargs=AXIS),
    ),
    "rolling mean": (
        lambda x: x.rolling(b=2).mean(),
        "no attribute 'lib'",
        lambda x: x.as_numpy().rolling(b=2).mean(),
    ),
    "quantile": (
        lambda x: x.quantile(0.5, "b"),
        "moveaxis: expected an Array",
        lambda x: x.as_numpy().quantile(0.5, "b"),
    ),
    "median": (
        lambda x: x.median("b", skipna=False),
        "no attribute 'median'",
        lambda x: x.as_numpy().median("b"),
    ),
    "polyfit": (
        lambda x: x.polyfit("b", 1).polyfit_coefficients,
        "unexpected keyword argument 'out'",
        lambda x: x.as_numpy().polyfit("b", 1).polyfit_coefficients,
    ),
    "differentiate": (
        lambda x: x.differentiate("b"),
        "no attribute 'gradient'",
        lambda x: x.as_numpy().differentiate("b"),
    ),
    "where drop": (
        lambda x: x.where(x.b > 15, drop=True),
        "astype: expected an Array",
        lambda x: x.sel(b=x.b > 15),
    ),
    "isin": (
        lambda x: x.isin([1.0, 2.0]),
        "isin: expected an Array",
        lambda x: x.isin(burn_array.asarray([1.0, 2.0])),
    ),
}
"""Calls for which xarray 2026.9 asks the namespace for what the standard lacks: the error, and what works instead."""


@pytest.mark.host
@pytest.mark.parametrize("name", REFUSED)
def test_what_xarray_refuses_has_another_way(device: burn_array.Device, name: str) -> None:
    call, text, instead = REFUSED[name]
    x = labelled(burn_array.asarray(N, device=device))
    with pytest.raises((AttributeError, TypeError), match=text):
        call(x)
    out, expected = instead(x), call(labelled(N))
    assert out.dims == expected.dims
    np.testing.assert_allclose(np.asarray(out.data), expected.data)


def test_points_cannot_be_picked_by_labelled_indices(device: burn_array.Device) -> None:
    x = labelled(burn_array.asarray(N, device=device))
    rows, columns = [0, 1], [1, 2]
    with pytest.raises(TypeError, match="Vectorized indexing is not supported"):
        x.isel(a=xr.DataArray(rows, dims="p"), b=xr.DataArray(columns, dims="p"))
    picked = x.data[burn_array.asarray(rows), burn_array.asarray(columns)]
    assert picked.device == device
    assert picked.tolist() == [2.0, 6.0]


def test_assignment(device: burn_array.Device) -> None:
    x = labelled(burn_array.asarray(N, device=device)).copy()
    x.loc[{"b": 10}] = 0.0
    x[{"b": 2}] = x[{"b": 1}]
    assert x.data.device == device
    np.testing.assert_array_equal(np.asarray(x.data), [[0, 2, 2], [0, 5, 5]])


def test_text_and_conversions(device: burn_array.Device) -> None:
    x = labelled(burn_array.asarray(N, device=device))
    assert "xarray.DataArray" in repr(x)
    assert "<svg" in x._repr_html_()
    np.testing.assert_array_equal(x.to_numpy(), N)
    assert x.to_series().tolist() == N.ravel().tolist()
    assert x.equals(labelled(burn_array.asarray(N, device=device)))
    xr.testing.assert_allclose(x, x + 1e-14)
