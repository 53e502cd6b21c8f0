"""What the tests of graphs share: comparing a replay with the program itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp

_GPUS = [one for one in xp.devices() if one.library in ("cupy", "torch") and not one.is_host]
collect_ignore = [] if _GPUS else ["test_hardware.py"]


def arrays_in(value: Any) -> list[xp.Array]:
    """Return the arrays in a result."""
    if type(value) is xp.Array:
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [x for one in value for x in arrays_in(one)] if isinstance(value, tuple | list) else []


def host_values(x: xp.Array) -> np.ndarray[Any, Any]:
    """Return a copy of the values of an array of any device."""
    values = np.array(x.detach().to_device(x.device.inner).to_device("numpy"))
    return values


_EXACT = ("numpy", "torch")
"""Libraries that compute a product of matrices in the same way each time; dpnp divides it among threads anew."""


def same(found: Any, wanted: Any) -> None:
    """Assert that two results have the same arrays: shapes, dtypes, devices and values, NaN being equal to NaN."""
    a, b = arrays_in(found), arrays_in(wanted)
    assert len(a) == len(b) > 0
    for x, y in zip(a, b, strict=True):
        assert (x.dtype, x.shape, str(x.device)) == (y.dtype, y.shape, str(y.device))
        if x.dtype.name == "bfloat16":
            assert (
                x.to_device("torch:cpu").native.float().tolist()
                == y.to_device("torch:cpu").native.float().tolist()
            )
        else:
            rtol = 0.0 if x.device.library in _EXACT else 1e-6 if x.dtype.itemsize <= 4 else 1e-11
            np.testing.assert_allclose(host_values(x), host_values(y), rtol=rtol, atol=rtol)


@pytest.fixture(scope="session")
def replays() -> Callable[..., xp.errors.BurnArrayError | Any]:
    """Return a function that checks that the graph of a program gives what the program gives, and returns the graph."""

    def checked(f: Callable[..., Any], *args: Any, **settings: Any) -> Any:
        with np.errstate(all="ignore"):
            graph = xp.trace(f, *args, **settings)
            found = graph(*args)
            same(found, f(*args))
        for x, number in zip(arrays_in(found), graph.outputs, strict=True):
            assert x.dtype == graph.specs[number].dtype
        return graph

    return checked


@pytest.fixture(scope="session")
def equal() -> Callable[[Any, Any], None]:
    """Return the function that compares two results."""
    return same
