"""xgboost makes a DMatrix of arrays.

The test runs in its own process, since xgboost loads another threading runtime.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from burn_array import Device

CODE = """
import sys
import numpy as np
import xgboost
import burn_array as xp

rng = np.random.default_rng(0)
features, labels = rng.normal(size=(60, 3)), np.arange(60.0) % 2
x, y = xp.asarray(features, device=sys.argv[1]), xp.asarray(labels, device=sys.argv[1])
settings = {"max_depth": 2, "nthread": 1}
found = []
for data, label in ((x, y), (features, labels)):
    matrix = xgboost.DMatrix(data, label=label)
    assert (matrix.num_row(), matrix.num_col()) == (60, 3)
    assert np.array_equal(matrix.get_label(), labels)
    found.append(xgboost.train(settings, matrix, 3).predict(matrix))
assert np.array_equal(*found)
print("right")
"""


@pytest.mark.needs("64 bits")
def test_xgboost_learns_from_arrays_as_from_ndarrays(device: Device, run_python: Callable[..., str]) -> None:
    assert run_python(CODE, str(device)) == "right"
