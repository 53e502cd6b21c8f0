"""What an adapter may declare: each member is read by the core, and every wrapper forwards it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array._core import device as _device
from burn_array.adapter import Adapter, narrowing
from burn_array.adapters.numpy import NumpyAdapter
from burn_array.errors import ArrayIndexError, DeviceNotFoundError

NUMPY = burn_array.device("numpy")
MEMBERS: dict[str, Any] = {
    "narrow": {np.dtype("float64"): np.dtype("float32")},
    "index_dtype": np.dtype("int32"),
    "int_dtype": np.dtype("int16"),
    "float_dtype": np.dtype("float32"),
    "complex_dtype": np.dtype("complex64"),
    "absorbs": True,
    "any_bounds": False,
    "data_dependent_shapes": False,
    "is_host": False,
    "has_views": False,
    "dlpack_device": (13, 7),
    "export_device": (13, 8),
    "errors": (("a text", ValueError),),
}
"""A value of each data member that differs from the default, and which a wrapper has to forward."""
OF_WRAPPERS = {
    *("direct", "array_type", "foreign_types", "is_autodiff", "checkpointing", "inner"),
    *("name", "extra", "library", "suffix", "native_device", "dtypes", "solve_triangular", "any_case"),
}
"""Data members that a wrapper has of its own, and those that say which device it wraps."""


class Base(NumpyAdapter):
    """NumPy under another name, whose arrays have a type of their own."""

    def __init__(self, suffix: str) -> None:
        Adapter.__init__(self, suffix)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., burn_array.Device]]:
    """A function that makes a device of an adapter class with these members."""
    entries = dict(_device._entries(_device.ADAPTERS))
    before = {*_device._DEVICES, *_device._INTERNED}
    monkeypatch.setitem(_device._ENTRY_POINTS, _device.ADAPTERS, entries)
    monkeypatch.setattr(_device, "_WARNED_OF", set())

    def register(name: str, suffix: str = "", **members: Any) -> burn_array.Device:
        kind = type("Made", (Base,), {"name": name, **members})
        monkeypatch.setitem(_device._ADAPTER_CLASSES, name, kind)
        entries[name] = EntryPoint(name, "nowhere", _device.ADAPTERS)
        return burn_array.device(f"{name}:{suffix}" if suffix else name)

    yield register
    for made in (_device._DEVICES, _device._INTERNED):
        for name in set(made) - before:
            del made[name]


def test_every_data_member_is_forwarded_or_belongs_to_wrappers() -> None:
    declared = {name for kind in Adapter.__mro__[:-1] for name in kind.__annotations__}
    assert declared | {"export_device"} == set(MEMBERS) | OF_WRAPPERS


@pytest.mark.parametrize("wrapper", ["autodiff", "autodiff[balanced]"])
@pytest.mark.parametrize("member", MEMBERS)
def test_wrappers_forward_data_members(registered: Any, wrapper: str, member: str) -> None:
    value = MEMBERS[member]
    plain = registered("plain", **{member: value}).adapter
    assert getattr(Adapter(""), member, None) != value or member == "any_bounds"
    wrapped = burn_array.device(f"plain+{wrapper}").adapter
    assert getattr(wrapped, member) == getattr(plain, member) == value


@pytest.mark.parametrize("wrapper", ["autodiff", "autodiff[balanced]"])
def test_wrappers_forward_methods(registered: Any, wrapper: str) -> None:
    registered(
        "plain",
        narrow={np.dtype("float64"): np.dtype("float32")},
        layout=lambda self, native: native.strides,
        laid=lambda self, native, layout: np.asfortranarray(native),
        spelled=classmethod(lambda cls, suffix: f"plain{suffix}"),
    )
    adapter = burn_array.device(f"plain+{wrapper}").adapter
    x = adapter.from_host(np.ones((2, 3)), True)
    assert adapter.layout(x) == (24, 8)
    assert type(adapter.laid(x, (8, 16))) is adapter.array_type
    assert adapter.layout(adapter.laid(x, (8, 16))) == (8, 16)
    assert adapter.promote(burn_array.float32, burn_array.float64) == burn_array.float32
    assert adapter.promote_scalar(burn_array.int32, float) == burn_array.float32
    assert adapter.spelled("7") == "plain7"


# -- members and what reads them --------------------------------------------------------------


def test_narrowing_names_what_is_missing() -> None:
    names = ("bool", "int8", "int32", "float32", "float64")
    assert narrowing(map(np.dtype, names)) == {np.dtype("int64"): np.dtype("int32")}
    assert narrowing(NUMPY.adapter.dtypes) == {}


def test_capabilities_are_those_of_the_default_device(registered: Any) -> None:
    info = burn_array.__array_namespace_info__()
    assert info.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": 64,
    }
    with burn_array.default_device(registered("fixed", data_dependent_shapes=False)):
        assert info.capabilities() == {
            "boolean indexing": False,
            "data-dependent shapes": False,
            "max dimensions": 64,
        }


def test_a_device_that_absorbs_takes_over_committed_arrays(registered: Any) -> None:
    absorbing = registered("absorbing", absorbs=True)
    x = burn_array.ones(3, device="torch:cpu")
    for y in (burn_array.ones((), device=absorbing), burn_array.ones(3, device=absorbing)):
        for out in (
            x + y,
            y + x,
            burn_array.where(x > 0, x, y),
            burn_array.concat([x, y[None] if not y.ndim else y]),
        ):
            assert out.device is absorbing
    assert (np.ones(3) + burn_array.ones(3, device=absorbing)).device is absorbing


def test_arrays_like_another_one_lie_as_it_does(registered: Any) -> None:
    fortran = registered(
        "fortran",
        layout=lambda self, native: True if native.flags.f_contiguous and native.ndim == 2 else None,
        laid=lambda self, native, layout: np.asfortranarray(native),
    )
    x = burn_array.asarray(np.asfortranarray(np.ones((2, 3))), device=fortran)
    made = (
        burn_array.zeros_like(x),
        burn_array.ones_like(x),
        burn_array.full_like(x, 2.0),
        burn_array.empty_like(x, dtype="int8"),
    )
    for like in made:
        assert like._native.flags.f_contiguous
    assert burn_array.zeros_like(x, device="numpy")._native.flags.c_contiguous
    assert burn_array.zeros_like(
        burn_array.asarray(np.ones((2, 3)), device=fortran)
    )._native.flags.c_contiguous


def test_devices_are_spelled_by_their_adapter(registered: Any) -> None:
    spelled = registered("spelled", "a", spelled=classmethod(lambda cls, suffix: f"spelled:{suffix or 'a'}"))
    assert str(spelled) == "spelled:a"
    assert burn_array.device("spelled:a") is spelled
    assert spelled in burn_array.devices()


@pytest.mark.parametrize("suffix", ["", "+autodiff"])
def test_slices_have_plain_bounds(registered: Any, suffix: str) -> None:
    keys: list[Any] = []

    def getitem(x: Any, key: Any) -> Any:
        keys.append(key)
        return x[key]

    def setitem(x: Any, key: Any, value: Any) -> None:
        keys.append(key)
        x[key] = value

    registered("seen", any_bounds=False, getitem=staticmethod(getitem), setitem=staticmethod(setitem))
    two = burn_array.asarray(2)
    for key in (
        slice(0, two),
        slice(np.int64(1), None, two),
        (slice(two), slice(None, np.uint8(2))),
        (..., slice(two)),
    ):
        x = burn_array.asarray(np.arange(12.0).reshape(3, 4), device=f"seen{suffix}")
        keys.clear()
        assert x[key].tolist() == np.arange(12.0).reshape(3, 4)[_with_ints(key)].tolist()
        x[key] = 1.0
        assert len(keys) == 2
        for seen in keys:
            slices = [one for one in (seen if type(seen) is tuple else (seen,)) if type(one) is slice]
            assert {type(b) for one in slices for b in (one.start, one.stop, one.step)} <= {int, type(None)}
    with pytest.raises(ArrayIndexError):
        x[0.5:]


def _with_ints(key: Any) -> Any:
    if type(key) is tuple:
        return tuple(map(_with_ints, key))
    if type(key) is slice:
        return slice(*(None if b is None else int(b) for b in (key.start, key.stop, key.step)))
    return key


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize(("given", "wanted"), [(None, 0), (1.0, 1), (1, 1), (np.float64(1), 1), (0.5, 0.5)])
def test_a_whole_correction_is_an_int(registered: Any, name: str, given: Any, wanted: float) -> None:
    seen: list[Any] = []

    def function(x: Any, *, axis: Any, correction: Any, keepdims: Any) -> Any:
        seen.append(correction)
        return x.sum()

    device = registered("seen", **{name: staticmethod(function)})
    getattr(burn_array, name)(
        burn_array.ones(3, device=device), **({} if given is None else {"correction": given})
    )
    assert (seen, type(seen[0])) == ([wanted], type(wanted))


# -- a library that is broken -----------------------------------------------------------------


def test_a_device_that_does_not_start_is_left_out_with_one_warning(registered: Any) -> None:
    class Failure(Exception):
        pass

    def init(self: Any, suffix: str) -> None:
        if suffix == "bad":
            raise Failure("no memory of this kind")
        Adapter.__init__(self, suffix or "good")

    good = registered("half", present=classmethod(lambda cls: ["good", "bad", "good"]), __init__=init)
    with pytest.warns(
        RuntimeWarning, match="half:bad does not start: Failure: no memory of this kind"
    ) as caught:
        found = burn_array.devices()
    assert len(caught) == 1
    assert found.count(good) == 1
    assert NUMPY in found
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert burn_array.devices() == found
        assert burn_array.devices("half") == [good]
    with pytest.raises(DeviceNotFoundError, match="no memory of this kind") as told:
        burn_array.device("half:bad")
    assert type(told.value.__cause__) is Failure


def test_a_library_that_cannot_list_its_devices_is_left_out_with_one_warning(registered: Any) -> None:
    def fails(cls: Any) -> Any:
        raise OSError("no driver")

    registered("mute", present=classmethod(fails))
    with pytest.warns(
        RuntimeWarning, match="the devices of mute cannot be listed: OSError: no driver"
    ) as caught:
        assert NUMPY in burn_array.devices()
    assert len(caught) == 1
    assert NUMPY in burn_array.devices()
    with pytest.raises(DeviceNotFoundError, match="no driver"):
        burn_array.devices("mute")


# -- asarray ----------------------------------------------------------------------------------


@pytest.mark.parametrize("copy", [None, False])
def test_asarray_returns_the_array_itself(
    xp: ModuleType, device: burn_array.Device, copy: bool | None
) -> None:
    for x in (xp.ones(2), xp.ones(2, device=device)):
        assert xp.asarray(x, copy=copy) is x
        assert xp.asarray(x, dtype=x.dtype, copy=copy) is x
        assert xp.asarray(x, copy=True) is not x
    committed = xp.ones(2, device=device)
    assert xp.asarray(committed, device=device) is committed
    loose = xp.ones(2)
    assert xp.asarray(loose, device=device)._device is device
    assert loose._device is device.uncommitted


def test_asarray_on_a_device_that_differentiates_gives_an_array_that_changes_too(
    device: burn_array.Device,
) -> None:
    x = burn_array.ones(2, device=device.autodiff()) * 1.0
    same = burn_array.asarray(x)
    x[0] = 5.0
    assert (x.tolist(), same.tolist()) == ([5.0, 1.0], [5.0, 1.0])
