"""Exchange through DLPack and NumPy's array protocol: arrays of other libraries come in, and arrays go out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import torch

import burn_array
from burn_array.adapter import shares_memory
from burn_array.adapters.numpy import NumpyAdapter
from burn_array.errors import ArgumentError, ArgumentTypeError, BurnArrayError, DeviceMismatchError

Host = Callable[[Any], np.ndarray[Any, Any]]
Values = Callable[..., np.ndarray[Any, Any]]
Pointer = Callable[[Any], int]
NUMPY, TORCH = burn_array.device("numpy"), burn_array.device("torch:cpu")
torch_from_dlpack: Callable[[Any], torch.Tensor] = vars(torch)["from_dlpack"]


# -- producers: foreign arrays that come in -----------------------------------------------------------------------


class Producer:
    """A foreign array that has the DLPack methods and nothing else; ``legacy`` ones take no keyword but ``stream``."""

    def __init__(self, a: Any, *, legacy: bool = False) -> None:
        self.a = a
        self.legacy = legacy
        self.asked: list[dict[str, Any]] = []

    def __dlpack__(self, **settings: Any) -> Any:
        if self.legacy and settings.keys() - {"stream"}:
            raise TypeError("__dlpack__() got an unexpected keyword argument")
        self.asked.append(settings)
        return self.a.__dlpack__(**settings)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.a.__dlpack_device__()  # type: ignore[no-any-return]


@pytest.mark.parametrize("legacy", [False, True], ids=["current", "legacy"])
def test_any_producer_becomes_an_array(
    device: burn_array.Device, host: Host, legacy: bool, kinds: Any, values: Values
) -> None:
    for dtype in kinds.on(device):
        for a in (values(dtype), torch.from_numpy(values(dtype))):
            for make in (burn_array.asarray, burn_array.from_dlpack):
                x = make(Producer(a, legacy=legacy), device=device)
                assert x.device == device
                np.testing.assert_array_equal(host(x), np.asarray(a))
    x = burn_array.ones(2, device=device) + Producer(np.ones(2), legacy=legacy)
    assert (x.tolist(), x.device) == ([2.0, 2.0], device)


def test_a_producer_shares_its_memory(values: Values, pointer: Pointer) -> None:
    a = values("float64")
    for target in (NUMPY, TORCH):
        x = burn_array.from_dlpack(Producer(a), device=target, copy=False)
        assert pointer(x) == pointer(a)
        y = burn_array.from_dlpack(Producer(a), device=target, copy=True)
        assert pointer(y) != pointer(a)


def test_a_read_only_producer_is_never_written_through(values: Values) -> None:
    a = values("float64")
    a.flags.writeable = False
    for target in (NUMPY, TORCH):
        for legacy in (False, True):
            with suppress(ValueError, BufferError):
                x = burn_array.from_dlpack(Producer(a, legacy=legacy), device=target)
                x[...] = 1
            assert a.tolist() == values("float64").tolist()


def test_a_producer_that_fails_gives_a_buffer_error(device: burn_array.Device, values: Values) -> None:
    class Failing(Producer):
        def __dlpack__(self, **settings: Any) -> Any:
            raise BufferError("busy")

    with pytest.raises(BufferError, match="busy") as caught:
        burn_array.from_dlpack(Failing(values("float64")), device=device)
    assert isinstance(caught.value, BurnArrayError)


def test_unreachable_memory_is_an_error_that_names_its_device(values: Values) -> None:
    class Elsewhere(Producer):
        def __dlpack_device__(self) -> tuple[int, int]:
            return (99, 3)

    with pytest.raises(BurnArrayError, match=r"\(99, 3\)"):
        burn_array.from_dlpack(Elsewhere(values("float64")))
    with pytest.raises(BurnArrayError, match=r"\(99, 3\)"):
        burn_array.asarray(Elsewhere(values("float64")))


# -- exports: arrays that go out --------------------------------------------------------------------------------------


VERSIONS = [
    (version, copy) for version in (None, (0, 8), (1, 0), (1, 3), (2, 0)) for copy in (None, False, True)
]


@pytest.mark.parametrize("place", [NUMPY, TORCH], ids=str)
@pytest.mark.parametrize(("version", "copy"), [one for one in VERSIONS if one != ((0, 8), True)])
def test_dlpack_takes_every_keyword(
    place: burn_array.Device, version: tuple[int, int] | None, copy: bool | None
) -> None:
    x = burn_array.asarray([1.0, 2.0], device=place)
    where = x.__dlpack_device__()
    assert (int(where[0]), int(where[1])) == (1, 0)

    class Export(Producer):
        def __dlpack__(self, **settings: Any) -> Any:
            return x.__dlpack__(stream=None, max_version=version, dl_device=where, copy=copy)

    y = np.from_dlpack(Export(x)) if version and version >= (1, 0) else torch_from_dlpack(Export(x)).numpy()
    assert y.tolist() == [1.0, 2.0]
    assert np.shares_memory(y, np.asarray(x)) is (not copy)


def test_a_device_that_cannot_be_reached_is_a_buffer_error(device: burn_array.Device) -> None:
    x = burn_array.asarray([1.0], device=device)
    here = tuple(map(int, x.__dlpack_device__()))
    for where in ((2, 0), (2, 63), (99, 0)):
        if where == here:
            continue
        with pytest.raises(BufferError):
            x.__dlpack__(dl_device=where, copy=False)


@pytest.mark.parametrize("source", [NUMPY, TORCH], ids=str)
def test_array_protocol(source: burn_array.Device) -> None:
    x = burn_array.asarray([[1.0, 2.0]], device=source)
    view = np.asarray(x)
    assert np.shares_memory(view, np.asarray(x))
    view[0, 0] = 5
    assert x.tolist() == [[5.0, 2.0]]
    assert np.asarray(x, dtype=np.float32).dtype == np.float32
    copied = np.array(x)
    copied[...] = 0
    assert x.tolist() == [[5.0, 2.0]]
    assert np.shares_memory(np.asarray(x, copy=False), view)
    assert not np.shares_memory(np.asarray(x, copy=True), view)
    with pytest.raises(ValueError, match="copy"):
        np.asarray(x, dtype=np.float32, copy=False)
    assert np.asarray(x, dtype=np.float64).tolist() == np.array(x, dtype=object).tolist()


def test_an_object_with_dlpack_but_no_dlpack_device_is_refused(device: burn_array.Device) -> None:
    class Half:
        def __dlpack__(self, **_: Any) -> Any:
            raise AssertionError("never asked")

    with pytest.raises(ArgumentTypeError):
        burn_array.from_dlpack(Half(), device=device)
    with pytest.raises(ArgumentTypeError):
        burn_array.asarray(Half(), device=device)


# -- streams --------------------------------------------------------------------------------------------------------


STREAMS: dict[tuple[int, int], tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    (1, 0): ((None,), (-1, 0, 1, 2, 3, "s", 1.5)),
    (3, 0): ((None,), (-1, 1)),
    (2, 0): ((None, -1, 1, 2, 3, 2**47), (0, -2, True, "s", 1.5)),
    (10, 0): ((None, -1, 0, 3, 2**47), (1, 2, -2, False, "s", 1.5)),
    (14, 0): ((None, "a queue"), ()),
}
"""DLPack device -> streams that the standard allows and streams that it rules out."""


@pytest.mark.parametrize("exported", STREAMS)
def test_streams_are_those_of_the_standard(
    monkeypatch: pytest.MonkeyPatch, exported: tuple[int, int]
) -> None:
    x = burn_array.ones(2, device="numpy")
    asked: list[Any] = []
    monkeypatch.setitem(vars(NUMPY.adapter), "export_device", exported)
    monkeypatch.setattr(NUMPY.adapter, "dlpack", lambda native, stream, *_: asked.append(stream))
    allowed, ruled_out = STREAMS[exported]
    for stream in allowed:
        x.__dlpack__(stream=stream)
    assert asked == list(allowed)
    for stream in ruled_out:
        with pytest.raises(ArgumentError, match="stream"):
            x.__dlpack__(stream=stream)


def test_a_capsule_of_host_memory_has_no_stream_whatever_holds_the_array(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = burn_array.ones(2, device="numpy")
    monkeypatch.setitem(vars(NUMPY.adapter), "export_device", (2, 0))
    with pytest.raises(ArgumentError, match="stream"):
        x.__dlpack__(stream=1, dl_device=(1, 0))


# -- devices --------------------------------------------------------------------------------------------------------


def test_only_equal_devices_share_memory() -> None:
    devices = [None, (1, 0), (2, 0), (2, 1)]
    assert [(a, b) for a in devices for b in devices if shares_memory(a, b)] == [(d, d) for d in devices if d]


def test_the_device_of_exports_is_that_of_the_memory_unless_an_adapter_says_otherwise() -> None:
    class Remote(NumpyAdapter):
        dlpack_device = None
        export_device = (1, 0)

    class Dark(NumpyAdapter):
        dlpack_device = None

    class Late(NumpyAdapter):
        def __init__(self, suffix: str) -> None:
            super().__init__(suffix)
            self.export_device = (3, 0)
            self.dlpack_device = (2, 5)

    assert [kind("").export_device for kind in (NumpyAdapter, Remote, Dark, Late)] == [
        (1, 0),
        (1, 0),
        None,
        (3, 0),
    ]
    own = NumpyAdapter("")
    own.dlpack_device = (2, 7)
    assert own.export_device == (2, 7)


def test_wrappers_forward_both_devices(device: burn_array.Device) -> None:
    inner, outer = device.adapter, device.autodiff().adapter
    assert (outer.dlpack_device, outer.export_device) == (inner.dlpack_device, inner.export_device)


def test_an_array_tells_the_device_of_its_exports(monkeypatch: pytest.MonkeyPatch) -> None:
    x = burn_array.ones(2, device="numpy")
    monkeypatch.setattr(NUMPY.adapter, "dlpack_device", None)
    with pytest.raises(BufferError, match=r"__dlpack_device__: .*numpy.*to_device"):
        x.__dlpack_device__()
    monkeypatch.setitem(vars(NUMPY.adapter), "export_device", (1, 0))
    assert x.__dlpack_device__() == (1, 0)


def test_memory_that_no_other_device_reaches_is_never_taken_for_shared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two devices whose memory is ``None`` do not share it: arrays go through the host."""

    def refuse(*_: Any) -> Any:
        raise AssertionError("asked for an exchange by DLPack")

    x = burn_array.asarray([1.0, 2.0], device=NUMPY)
    for place in (NUMPY, TORCH):
        monkeypatch.setattr(place.adapter, "dlpack_device", None)
        monkeypatch.setattr(place.adapter, "from_dlpack", refuse)
    assert x.to_device(TORCH).tolist() == [1.0, 2.0]
    with pytest.raises(DeviceMismatchError, match=r"to_device\('numpy'\) or make it without device=$"):
        x + burn_array.ones(2, device=TORCH)
    monkeypatch.setattr(TORCH.adapter, "is_host", False)
    monkeypatch.setattr(TORCH.adapter, "to_host", lambda native: native.numpy().copy())
    assert burn_array.ones(2, device=TORCH).to_device(NUMPY).tolist() == [1.0, 1.0]
