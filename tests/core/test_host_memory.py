"""What an ndarray does with its memory works on host devices; on others the error names the next step."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array._core import interchange
from burn_array.errors import GradientError, HostAccessError

Host = Callable[[Any], np.ndarray[Any, Any]]
COMPILED = not str(interchange.__file__).endswith(".py")
N = np.arange(6.0).reshape(2, 3) + 0.5


@pytest.mark.needs("64 bits")
def test_round(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.asarray(N)
    assert (round(x[0, 1]), type(round(x[0, 1]))) == (2, int)
    assert round(xp.asarray(7)) == 7
    made = round(xp.asarray(2.345), 1)
    assert (made.item(), made.shape, made.device) == (2.3, (), device)
    assert round(xp.asarray([1234, 1250]), -2).tolist() == [1200, 1200]
    with pytest.raises(TypeError, match=r"round\(\) of an array of shape \(2, 3\)"):
        round(x)
    bad: list[Any] = ["a", 0.5]
    for decimals in bad:
        with pytest.raises(TypeError, match="round: the number of decimals must be an integer"):
            round(x[0, 1], decimals)
    with pytest.raises(ValueError, match="NaN"):
        round(xp.asarray(float("nan")))


def test_scalars_and_lists_are_those_of_json(xp: ModuleType) -> None:
    x = xp.asarray([[1, 2], [3, 4]], dtype=xp.int8)
    assert json.loads(json.dumps({"all": x.tolist(), "one": x[1, 0].item()})) == {
        "all": [[1, 2], [3, 4]],
        "one": 3,
    }


@pytest.mark.host
@pytest.mark.parametrize("order", ["C", "F", "A", None])
@pytest.mark.needs("64 bits")
def test_tobytes(xp: ModuleType, order: Any) -> None:
    for x, expected in ((xp.asarray(N), N), (xp.asarray(N).T, N.T), (xp.asarray(N)[:, ::2], N[:, ::2])):
        assert x.tobytes(order) == np.asarray(x).tobytes(order)
        assert x.tobytes() == expected.tobytes()
    with pytest.raises(ValueError, match="tobytes: order must be"):
        xp.asarray(N).tobytes("K")


@pytest.mark.host
@pytest.mark.needs("64 bits", "eager values")
def test_the_array_interface(xp: ModuleType, device: burn_array.Device, pointer: Any) -> None:
    x = xp.asarray(N).T
    found = x.__array_interface__
    strides = (8, 24) if device.has_views else np.asarray(x).strides
    assert (found["shape"], found["typestr"], found["strides"]) == ((3, 2), N.dtype.str, strides)
    assert found["data"][0] == pointer(x)


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_numpy_keeps_the_memory_that_an_array_no_longer_has(device: burn_array.Device) -> None:
    ways: list[Callable[[Any], Any]] = [np.asarray, lambda x: np.asarray(x)[1:], lambda x: np.asarray(x.T)]
    for make in ways:
        x = burn_array.asarray(N, device=device, copy=True)
        seen = make(x)
        expected = seen.copy()
        del x
        _ = [burn_array.zeros((2, 3), device=device) for _ in range(100)]
        np.testing.assert_array_equal(seen, expected)


@pytest.mark.host
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32", "bool"])
@pytest.mark.needs("64 bits")
def test_view_of_another_dtype(xp: ModuleType, device: burn_array.Device, host: Host, dtype: str) -> None:
    bits = np.asarray([[1, 0, 256], [65537, 1 << 40, 3]])
    for data in (bits, bits.T, bits[:, ::2]):
        if dtype == "bool":
            data = (data % 2).astype(np.uint8)
        x = xp.asarray(data, copy=True)
        made = x.view(dtype=dtype)
        assert made.device == device
        np.testing.assert_array_equal(host(made), np.ascontiguousarray(data).view(dtype))
        if made is not x:
            made[...] = False
        np.testing.assert_array_equal(host(x), data if made is not x else host(made))


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_a_view_that_does_not_fit_is_refused(xp: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"view: float64\[\] cannot be read as uint8: .*; use astype"):
        xp.asarray(1.0).view("uint8")
    with pytest.raises(TypeError, match=r"view: uint8\[3\] cannot be read as int64: .*; use astype"):
        xp.zeros(3, dtype=xp.uint8).view(xp.int64)
    with pytest.raises(TypeError, match=r"view: .* has no dtype"):
        xp.zeros(3).view("S4")


WAYS: dict[str, Callable[[Any], Any]] = {
    "tobytes": lambda x: x.tobytes(),
    "__array__": np.asarray,
    "__array_interface__": lambda x: x.__array_interface__,
    "__array_struct__": lambda x: x.__array_struct__,
    "__arrow_array__": lambda x: x.__arrow_array__(),
    "view": lambda x: x.view("uint8"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.needs("64 bits")
def test_memory_that_the_host_cannot_read(
    device: burn_array.Device, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = burn_array.asarray(N, device=device)
    monkeypatch.setattr(device.adapter, "is_host", False)
    with pytest.raises(HostAccessError, match=rf"{way}: the array is on {device}, .*x\.to_device\('numpy'\)"):
        WAYS[way](x)
    assert not hasattr(x, "__array_interface__")


@pytest.mark.host
@pytest.mark.needs("64 bits")
def test_memory_of_a_tracked_array_is_not_handed_out(device: burn_array.Device) -> None:
    x = burn_array.asarray(N, device=device.autodiff()).require_grad() * 2
    for way in ("tobytes", "__array__", "view"):
        with pytest.raises(GradientError, match=r"x\.detach\(\)"):
            WAYS[way](x)
    assert not hasattr(x, "__array_interface__")
