"""Pickles refer only to public names of ``burn_array``, and pickles of version 0.1 can still be read."""

from __future__ import annotations

import pickle
import pickletools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import burn_array as xp

STORED = Path(__file__).parents[1] / "data" / "pickles_0_1.pickle"


@pytest.fixture
def stored() -> dict[str, Any]:
    """The objects that version 0.1 pickled, when its classes were in other files."""
    found: dict[str, Any] = pickle.loads(STORED.read_bytes())
    return found


def test_arrays_of_version_0_1_can_be_read(stored: dict[str, Any]) -> None:
    x, y, w = (stored[name] for name in ("committed", "uncommitted", "tracked"))
    assert type(x) is type(y) is type(w) is xp.Array
    np.testing.assert_array_equal(np.asarray(x), [[1.0, 2.0], [3.0, -0.0]])
    assert bool(xp.signbit(x[1, 1]))
    assert (x.dtype, str(x.device), x._device is x.device) == (xp.float64, "numpy", True)
    assert (y.tolist(), y.dtype, y._device is y.device) == ([1, 2, 3], xp.int16, False)
    assert (w.tolist(), str(w.device)) == ([1.5], "numpy+autodiff[balanced]")


def test_other_objects_of_version_0_1_can_be_read(stored: dict[str, Any]) -> None:
    assert stored["device"] is xp.device("numpy+autodiff")
    assert stored["class"] is xp.Array
    assert type(stored["errors"]) is xp.errors.ShapeError
    assert str(stored["errors"]) == "reshape: no"


def test_the_stored_pickle_names_the_old_files() -> None:
    assert {"burn_array._array", "burn_array._device", "burn_array._interchange"} <= names_in(
        STORED.read_bytes()
    )


@pytest.mark.parametrize("make", [lambda: xp.ones(2), lambda: xp.device("numpy"), lambda: xp.default_device])
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_name_no_private_file(make: Any, protocol: int) -> None:
    made = pickle.dumps(make(), protocol)
    assert {name for name in names_in(made) if name.startswith("burn_array")} == {"burn_array"}


def names_in(data: bytes) -> set[str]:
    """Return every string of a pickle; of ``module name`` in one string, the module."""
    return {
        str(argument).split(" ")[0]
        for _, argument, _ in pickletools.genops(data)
        if isinstance(argument, str)
    }
