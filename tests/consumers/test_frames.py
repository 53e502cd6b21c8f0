"""pandas and polars make columns of arrays, and columns become arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import burn_array

Host = Callable[[Any], np.ndarray[Any, Any]]


@pytest.fixture
def x(device: burn_array.Device) -> Any:
    return burn_array.asarray([1.0, 2.0, 3.0], device=device)


@pytest.mark.needs("64 bits")
def test_series(x: Any) -> None:
    series = pd.Series(x, index=list("abc"), name="v")
    assert series.dtype == np.float64
    assert series.tolist() == [1.0, 2.0, 3.0]
    assert pd.Index(burn_array.asarray([3, 1], device=x.device)).tolist() == [3, 1]


@pytest.mark.needs("64 bits")
def test_frame(x: Any) -> None:
    frame = pd.DataFrame({"a": x, "b": burn_array.asarray([1, 2, 3], device=x.device)})
    assert frame.dtypes.astype(str).tolist() == ["float64", "int64"]
    square = burn_array.reshape(burn_array.arange(6, device=x.device), (2, 3))
    assert pd.DataFrame(square, columns=list("abc")).to_numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert frame.assign(c=x * 2)["c"].tolist() == [2.0, 4.0, 6.0]


def test_series_and_array_in_one_expression(x: Any) -> None:
    series = pd.Series([10.0, 20.0, 30.0])
    assert (series + x).tolist() == [11.0, 22.0, 33.0]
    assert series.isin((x * 10).tolist()).tolist() == [True, True, True]
    assert series.iloc[burn_array.asarray([2, 0], device=x.device)].tolist() == [30.0, 10.0]


@pytest.mark.needs("64 bits")
def test_arrays_of_columns(device: burn_array.Device, host: Host) -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    array = burn_array.asarray(frame, device=device)
    assert array.device == device
    np.testing.assert_array_equal(host(array), frame.to_numpy())
    np.testing.assert_array_equal(host(burn_array.asarray(frame["a"], device=device)), [1.0, 2.0])


def test_columns_of_strings_are_refused(device: burn_array.Device) -> None:
    with pytest.raises(TypeError, match="asarray: cannot make an array of numbers"):
        burn_array.asarray(pd.Series(["a", "b"]), device=device)


@pytest.mark.needs("64 bits")
def test_polars(x: Any, host: Host) -> None:
    frame = pl.DataFrame({"a": np.asarray(x)})
    assert frame.schema == {"a": pl.Float64}
    column = burn_array.asarray(frame["a"], device=x.device)
    assert column.device == x.device
    np.testing.assert_array_equal(host(column), [1.0, 2.0, 3.0])
    total = burn_array.asarray(frame.select(pl.col("a") * 2)["a"], device=x.device) + x
    np.testing.assert_array_equal(host(total), [3.0, 6.0, 9.0])


@pytest.mark.needs("64 bits")
def test_polars_frame_to_array(device: burn_array.Device, host: Host) -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    np.testing.assert_array_equal(host(burn_array.asarray(frame.to_numpy(), device=device)), [[1, 3], [2, 4]])
