"""array-api-extra: every function gives what it gives for ndarrays, on the device of its operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import array_api_extra as xpx
import numpy as np
import pytest

import burn_array

X = np.asarray([[3.0, 1.0, 2.0], [1.0, 5.0, np.nan]])
V = np.asarray([4.0, 2.0, 2.0, 9.0, 7.0])
K = np.asarray([2, 0, 1])

CALLS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("angle", lambda xp, a: xpx.angle(a(np.asarray([1 + 1j, -1j])))),
    ("apply_where", lambda xp, a: xpx.apply_where(a(V) > 3, a(V), lambda v: v * 2, lambda v: -v)),
    (
        "apply_where fill",
        lambda xp, a: xpx.apply_where(a(V) > 3, (a(V), a(V)), lambda v, w: v * w, fill_value=0.0),
    ),
    ("argpartition", lambda xp, a: xp.sort(xpx.argpartition(a(V), 2)[:3])),
    ("at set", lambda xp, a: xpx.at(a(V))[1:3].set(0.0)),
    ("at set mask", lambda xp, a: xpx.at(a(V), a(V) > 3).set(1.0)),
    ("at add", lambda xp, a: xpx.at(a(V))[0].add(10.0)),
    ("at multiply", lambda xp, a: xpx.at(a(V))[::2].multiply(3.0)),
    ("at min", lambda xp, a: xpx.at(a(V))[:2].min(3.0)),
    ("at max", lambda xp, a: xpx.at(a(V))[:2].max(3.0)),
    ("atleast_nd", lambda xp, a: xpx.atleast_nd(a(V), ndim=3)),
    ("cov", lambda xp, a: xpx.cov(a(np.stack([V, V**2])))),
    ("create_diagonal", lambda xp, a: xpx.create_diagonal(a(V), offset=1)),
    ("deg2rad", lambda xp, a: xpx.deg2rad(a(V))),
    ("rad2deg", lambda xp, a: xpx.rad2deg(a(V))),
    ("expand_dims", lambda xp, a: xpx.expand_dims(a(V), axis=(0, 2))),
    ("isclose", lambda xp, a: xpx.isclose(a(V), a(V) + 1e-9)),
    ("isclose nan", lambda xp, a: xpx.isclose(a(X), a(X), equal_nan=True)),
    ("isin", lambda xp, a: xpx.isin(a(K), a(np.asarray([0, 2])))),
    ("kron", lambda xp, a: xpx.kron(a(V[:2]), a(X))),
    ("lazy_apply", lambda xp, a: xpx.lazy_apply(lambda v: v + 1, a(V), xp=xp)),
    ("nan_to_num", lambda xp, a: xpx.nan_to_num(a(X), fill_value=7.0)),
    ("nanmax", lambda xp, a: xpx.nanmax(a(X), axis=1)),
    ("nanmin", lambda xp, a: xpx.nanmin(a(X), axis=0)),
    ("nansum", lambda xp, a: xpx.nansum(a(X), axis=1)),
    ("nanmean", lambda xp, a: xpx.nanmean(a(X), axis=1)),
    ("nunique", lambda xp, a: xpx.nunique(a(V))),
    ("one_hot", lambda xp, a: xpx.one_hot(a(K), 3)),
    ("pad", lambda xp, a: xpx.pad(a(V), (1, 2), constant_values=5.0)),
    ("partition", lambda xp, a: xp.sort(xpx.partition(a(V), 2)[:3])),
    ("searchsorted", lambda xp, a: xpx.searchsorted(a(np.sort(V)), a(V), side="right")),
    ("setdiff1d", lambda xp, a: xpx.setdiff1d(a(K), a(np.asarray([0, 5])))),
    ("sinc", lambda xp, a: xpx.sinc(a(V))),
    ("union1d", lambda xp, a: xpx.union1d(a(K), a(np.asarray([5, 0])))),
]


@pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning")
@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
@pytest.mark.needs("64 bits")
def test_equals_numpy(device: burn_array.Device, name: str, call: Callable[[Any, Any], Any]) -> None:
    out = call(burn_array, lambda v: burn_array.asarray(v, device=device, copy=True))
    expected = call(np, np.array)
    assert type(out) is burn_array.Array
    assert out.device == device
    assert out.dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(np.asarray(out), expected, rtol=1e-13)


@pytest.mark.needs("64 bits")
def test_lazy_apply_through_numpy(xp: Any, device: burn_array.Device) -> None:
    out = xpx.lazy_apply(np.cbrt, xp.asarray(V), as_numpy=True, xp=xp)
    assert out.device == device
    np.testing.assert_allclose(np.asarray(out), np.cbrt(V))


@pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning")
@pytest.mark.needs("64 bits")
def test_default_dtype_and_shapes(xp: Any, device: burn_array.Device) -> None:
    assert xpx.default_dtype(xp) == xp.float64
    assert xpx.default_dtype(xp, "integral", device=device) == xp.int64
    assert xpx.broadcast_shapes((2, 1), (3,)) == (2, 3)


@pytest.mark.parametrize("name", ["diag_indices", "tril_indices", "triu_indices"])
def test_indices_are_on_the_device(xp: Any, device: burn_array.Device, name: str) -> None:
    function = getattr(xpx, name)
    settings: dict[str, Any] = {"ndim": 2} if name == "diag_indices" else {}
    for out, expected in zip(
        function(3, **settings, xp=xp, device=device), getattr(np, name)(3), strict=True
    ):
        assert out.device == device
        np.testing.assert_array_equal(np.asarray(out), expected)


def test_unravel_index(xp: Any) -> None:
    for out, expected in zip(
        xpx.unravel_index(xp.asarray([5, 1]), (2, 3)), np.unravel_index([5, 1], (2, 3)), strict=True
    ):
        np.testing.assert_array_equal(np.asarray(out), expected)


def test_every_function_is_called_here() -> None:
    called = {name.split(" ")[0] for name, _ in CALLS}
    called |= {
        "default_dtype",
        "broadcast_shapes",
        "diag_indices",
        "tril_indices",
        "triu_indices",
        "unravel_index",
    }
    assert called == set(xpx.__all__) - {"__version__", "testing"}
