"""Devices without 64-bit dtypes: default dtypes, indices, what follows an array there, and promotion."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import (
    ArrayIndexError,
    CopyRequiredError,
    IntegerOverflowError,
    UnsupportedDTypeError,
)

pytestmark = pytest.mark.needs("narrow dtypes")
NUMPY = burn_array.device("numpy")
WIDE_INDICES: list[Any] = [
    [0, 2],
    [[0, 1], [2, 0]],
    np.asarray([0, 2]),
    np.asarray([0, 2], dtype=np.uint64),
    np.int64(1),
    np.asarray(1),
    (np.asarray([0, 2]), [1, -1]),
    (slice(None), [0, -1]),
    [],
]


@pytest.mark.parametrize("key", WIDE_INDICES, ids=str)
def test_lists_and_ndarrays_index(device: burn_array.Device, key: Any) -> None:
    a = np.arange(9, dtype=np.float32).reshape(3, 3)
    wanted = a[np.asarray(key, dtype=int)] if isinstance(key, list) else a[key]
    for at in (device, device.autodiff()):
        x = burn_array.asarray(a.copy(), device=at)
        assert x[key].tolist() == wanted.tolist()
        x[key] = 5
        b = a.copy()
        b[np.asarray(key, dtype=int) if isinstance(key, list) else key] = 5
        assert x.tolist() == b.tolist()


def test_uncommitted_index_arrays_of_64_bits_index(device: burn_array.Device) -> None:
    x = burn_array.asarray([1.0, 2.0, 3.0], device=device)
    for dtype in ("int64", "uint64"):
        index = burn_array.asarray([2, 0], dtype=dtype)
        assert index.dtype == dtype
        assert x[index].tolist() == [3.0, 1.0]
        assert burn_array.take(x, index).tolist() == [3.0, 1.0]
    x[burn_array.asarray([2, 0])] = burn_array.asarray([7.0, 8.0])
    assert x.tolist() == [8.0, 2.0, 7.0]


@pytest.mark.parametrize("index", [2**31, -(2**31) - 1, 2**40])
def test_an_index_beyond_32_bits_is_out_of_bounds(device: burn_array.Device, index: int) -> None:
    x = burn_array.zeros(3, device=device)
    for key in ([0, index], np.asarray([index]), burn_array.asarray([index]), ([0], [index])):
        with pytest.raises(ArrayIndexError):
            x[key]


def test_arrays_that_follow_are_narrowed(device: burn_array.Device) -> None:
    z = burn_array.zeros(3, device=device)
    for other in (burn_array.ones(3), np.ones(3), burn_array.asarray(1.0, device=NUMPY)):
        for out in (z + other, other + z, burn_array.where(z == 0, other, z)):
            assert (out.dtype, out.device) == (burn_array.float32, device)
            assert out.tolist() == [1.0, 1.0, 1.0]
    assert burn_array.concat([z, burn_array.ones(1)]).dtype == burn_array.float32
    assert (z + burn_array.asarray([1j, 2j, 3j])).dtype == burn_array.complex64
    whole = burn_array.ones(3, dtype=burn_array.int8, device=device) + burn_array.asarray([1, 2, 3])
    assert (whole.dtype, whole.tolist()) == (burn_array.int32, [2, 3, 4])


def test_a_gradient_flows_through_an_array_that_follows(device: burn_array.Device) -> None:
    with burn_array.default_device(NUMPY.autodiff()):
        w = burn_array.asarray([1.0, 2.0]).require_grad()
    x = burn_array.asarray([3.0, 4.0], device=device.autodiff())
    gradients = burn_array.sum(w * x).backward()
    assert gradients[w].tolist() == [3.0, 4.0]
    assert gradients[w].dtype == w.dtype == burn_array.float64


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1, 2**62])
def test_an_integer_that_does_not_fit_is_never_cut(device: burn_array.Device, number: int) -> None:
    z = burn_array.zeros(2, dtype=burn_array.int32, device=device)
    for other in (burn_array.asarray([number, 0]), np.asarray([number, 0])):
        with pytest.raises(IntegerOverflowError, match=f"{number} does not fit int32"):
            z + other
    for make in (burn_array.asarray, lambda x, device: burn_array.full((2,), x, device=device)):
        with pytest.raises(IntegerOverflowError, match=f"{number} does not fit int32"):
            make(number, device=device)
    with burn_array.default_device(device), pytest.raises(IntegerOverflowError):
        burn_array.asarray(np.asarray([number]))


def test_stored_values_are_cast_to_the_dtype_of_the_array(device: burn_array.Device) -> None:
    z = burn_array.zeros(3, device=device)
    z[0] = np.float64(1.5)
    z[1:3] = [2.0, 3.0]
    assert z.tolist() == [1.5, 2.0, 3.0]
    z[...] = np.asarray([1, 2, 2**40])
    assert z.tolist() == [1.0, 2.0, 2.0**40]
    z[0] = burn_array.asarray(2**41, device=NUMPY)
    assert float(z[0]) == 2.0**41
    z += burn_array.ones(3)
    assert z.dtype == burn_array.float32


@pytest.mark.parametrize(
    ("wide", "half"), [("float64", "float32"), ("int64", "int32"), ("complex128", "complex64")]
)
def test_what_is_asked_for_is_refused_with_the_next_step(
    device: burn_array.Device, wide: str, half: str
) -> None:
    text = rf"no dtype {wide}; .*astype\(x, xp.{half}\)$"
    x = burn_array.ones(2, dtype=wide, device=NUMPY)
    with pytest.raises(UnsupportedDTypeError, match=text):
        x.to_device(device)
    with pytest.raises(UnsupportedDTypeError, match=text):
        burn_array.asarray(np.ones(2, dtype=wide), device=device)
    with pytest.raises(UnsupportedDTypeError, match=text):
        burn_array.zeros(2, dtype=wide, device=device)
    assert burn_array.astype(x, half).to_device(device).dtype == half


def test_an_ndarray_takes_the_dtype_of_the_default_device(xp: ModuleType, device: burn_array.Device) -> None:
    for wide, half in device.adapter.narrow.items():
        assert xp.asarray(np.ones(2, dtype=wide)).dtype == half
        with pytest.raises(UnsupportedDTypeError):
            xp.asarray(np.ones(2, dtype=wide), dtype=wide)
    with pytest.raises((CopyRequiredError, UnsupportedDTypeError)):
        xp.asarray(np.ones(2), copy=False)


def test_promotion_stays_within_the_dtypes_of_the_device(xp: ModuleType, device: burn_array.Device) -> None:
    whole, real = xp.asarray([1, 2]), xp.asarray([1.0, 2.0])
    assert xp.result_type(whole, 1.5) == (whole + 1.5).dtype == xp.float32
    assert xp.result_type(whole, real) == (whole + real).dtype == xp.float32
    assert xp.result_type(whole, 1j) == (whole + 1j).dtype == xp.complex64
    assert xp.result_type(xp.asarray([1], dtype=xp.uint32), whole) == xp.int32
    assert xp.result_type(xp.int32, xp.float32) == xp.float64  # no array, hence no device
    assert {x.dtype for x in xp.meshgrid(whole, real)} == {xp.float32}
    loose = burn_array.ones(2, device=NUMPY)
    assert (
        xp.result_type(burn_array.Array(loose._native, NUMPY.uncommitted), xp.zeros(2, device=device))
        == xp.float32
    )


def test_every_pair_of_dtypes_promotes_to_one_of_the_device(device: burn_array.Device) -> None:
    adapter = device.adapter
    for one in adapter.dtypes:
        for kind in (bool, int, float, complex):
            assert adapter.promote_scalar(one, kind) in adapter.dtypes
        for other in adapter.dtypes:
            assert adapter.promote(one, other) in adapter.dtypes


def test_defaults_are_among_the_dtypes(device: burn_array.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    info = burn_array.__array_namespace_info__()
    defaults = info.default_dtypes(device=device)
    assert defaults["indexing"] == device.adapter.index_dtype == burn_array.int32
    assert set(defaults.values()) <= set(info.dtypes(device=device).values())
    real = {dtype: native for dtype, native in device.adapter.dtypes.items() if dtype.kind != "c"}
    monkeypatch.setattr(device.adapter, "dtypes", real)
    assert set(info.default_dtypes(device=device)) == {"real floating", "integral", "indexing"}
    assert info.dtypes(device=device, kind="complex floating") == {}


def test_special_functions_of_integers_are_narrow(xp: ModuleType) -> None:
    assert burn_array.special.expit(xp.asarray([0, 1])).dtype == xp.float32
    assert burn_array.special.expit(xp.asarray([0.0, 1.0])).dtype == xp.float32


def test_weights_of_a_choice_may_be_a_list(xp: ModuleType) -> None:
    assert burn_array.random.choice(xp.asarray([3.0, 4.0]), (5,), p=[0.0, 1.0]).tolist() == [4.0] * 5
