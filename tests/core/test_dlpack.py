"""Exchange through DLPack and NumPy's array protocol: arrays of other libraries come in, and arrays go out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import torch

import burn_array
from burn_array.errors import ArgumentTypeError, BurnArrayError

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
    for dtype in kinds.all:
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
