"""What adapters of libraries modelled on NumPy share, on NumPy itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from burn_array.adapters.common import indexing as indexing
from burn_array.errors import IntegerOverflowError


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [
        (float("nan"), "int32", ValueError),
        (float("inf"), "int64", OverflowError),
        (-float("inf"), "uint8", OverflowError),
        (1e30, "int64", IntegerOverflowError),
        (-1.0, "uint8", IntegerOverflowError),
        (300, "uint8", IntegerOverflowError),
    ],
)
def test_integers_hold_no_other_numbers(value: float, dtype: str, error: type[Exception]) -> None:
    x = np.zeros(3, dtype)
    for key in (0, slice(2), ..., np.asarray([0, 1])):
        with pytest.raises(error):
            indexing.setitem(np, x, key, value)
    assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("value", "dtype", "stored"),
    [
        (2.9, "int32", 2),
        (-2.9, "int8", -2),
        (True, "int8", 1),
        (float("inf"), "float32", float("inf")),
        (7, "bool", 1),
    ],
)
def test_other_numbers_are_stored(value: Any, dtype: str, stored: Any) -> None:
    x = np.zeros(2, dtype)
    indexing.setitem(np, x, 0, value)
    assert x.tolist() == [stored, 0]
