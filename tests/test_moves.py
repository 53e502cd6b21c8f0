"""Moves: memory is shared wherever it can be, read-only stays so, and every layout, dtype and source arrives right."""

from __future__ import annotations

import array
import ctypes
import gc
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch

import burn_array
from burn_array.errors import (
    ArgumentTypeError,
    BurnArrayError,
    CopyRequiredError,
    GradientError,
    UnsupportedDTypeError,
)

Host = Callable[[Any], np.ndarray[Any, Any]]
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
NUMPY, TORCH = burn_array.device("numpy"), burn_array.device("torch:cpu")
torch_from_dlpack: Callable[[Any], torch.Tensor] = vars(torch)["from_dlpack"]
BOTH = [(NUMPY, TORCH), (TORCH, NUMPY), (NUMPY, NUMPY), (TORCH, TORCH)]


def pointer(x: Any) -> int:
    """Return the address of the first element of an array of the host."""
    if isinstance(x, np.ndarray):
        return int(x.__array_interface__["data"][0])
    return int(x.data_ptr()) if isinstance(x, torch.Tensor) else pointer(np.asarray(x))


def values(dtype: str, shape: tuple[int, ...] = (2, 3)) -> np.ndarray[Any, Any]:
    numbers = (np.arange(np.prod(shape)) * 37 % 101).reshape(shape)
    if dtype == "bool":
        return np.asarray(numbers % 2 == 0)
    scale = 1 - 2j if dtype.startswith("complex") else 1
    made: np.ndarray[Any, Any] = (numbers * scale).astype(dtype)
    return made


LAYOUTS: dict[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    "rows first": lambda a: a,
    "columns first": lambda a: np.asfortranarray(a),
    "transposed": lambda a: a.T,
    "every second": lambda a: a[:, ::2],
    "reversed": lambda a: a[::-1],
    "reversed both": lambda a: a[::-1, ::-1],
    "repeated": lambda a: np.broadcast_to(a[:1], (4, 3)),
    "with an offset": lambda a: a[1:, 1:],
    "one element": lambda a: a[:1, :1],
    "0-d": lambda a: a[0, 0, ...],
    "size 0": lambda a: a[:0],
    "size 0 inside": lambda a: a[:, :0],
    "size 0 strided": lambda a: a[:0, ::-2],
    "6-d": lambda a: a[None, :, None, :, None, None],
    "read-only": lambda a: _read_only(a),
}


def _buffer(a: Any) -> memoryview:
    return memoryview(a)


def _read_only(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    b = a.copy()
    b.flags.writeable = False
    return b


# -- every dtype and layout -----------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_arrives_from_numpy_and_goes_back(
    device: burn_array.Device, host: Host, layout: str
) -> None:
    for dtype in NAMES:
        a = LAYOUTS[layout](values(dtype))
        for copy in (None, True):
            x = burn_array.asarray(a, device=device, copy=copy)
            assert (x.shape, x.dtype, x.device) == (a.shape, a.dtype, device)
            np.testing.assert_array_equal(host(x), a)
            y = burn_array.from_dlpack(a, device=device, copy=copy)
            np.testing.assert_array_equal(host(y), a)
            assert (y.dtype, y.device) == (a.dtype, device)
        np.testing.assert_array_equal(host(x.to_device("numpy").to_device(device)), a)


@pytest.mark.host
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_is_exported(device: burn_array.Device, layout: str) -> None:
    for dtype in NAMES:
        a = LAYOUTS[layout](values(dtype))
        x = burn_array.asarray(a, device=device)
        np.testing.assert_array_equal(np.from_dlpack(x), a)
        if (
            "reversed" not in layout and layout != "size 0 strided"
        ):  # PyTorch aborts the process at negative strides
            np.testing.assert_array_equal(torch_from_dlpack(x).numpy(), a)
        np.testing.assert_array_equal(np.asarray(x), a)
        strict = array_api_strict.from_dlpack(x)
        assert str(strict.dtype).endswith(dtype)
        np.testing.assert_array_equal(np.asarray(strict), a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_is_exported_to_its_own_library(
    device: burn_array.Device, host: Host, layout: str
) -> None:
    for dtype in NAMES:
        a = LAYOUTS[layout](values(dtype))
        native = device.adapter.from_dlpack(burn_array.asarray(a, device=device), None)
        x = burn_array.asarray(native)
        assert (x.device, x.dtype) == (device, np.dtype(dtype))
        np.testing.assert_array_equal(host(x), a)


@pytest.mark.parametrize(
    "layout", ["rows first", "transposed", "every second", "with an offset", "0-d", "6-d", "size 0"]
)
def test_torch_tensors_arrive(device: burn_array.Device, host: Host, layout: str) -> None:
    for dtype in NAMES:
        a = LAYOUTS[layout](values(dtype))
        t = torch.from_numpy(a) if a.shape else torch.tensor(a[()].item(), dtype=getattr(torch, dtype))
        x = burn_array.asarray(t, device=device)
        assert (x.shape, x.dtype, x.device) == (a.shape, a.dtype, device)
        np.testing.assert_array_equal(host(x), a)
        np.testing.assert_array_equal(host(burn_array.from_dlpack(t, device=device)), a)


def test_repeated_memory_arrives_from_torch(device: burn_array.Device, host: Host) -> None:
    t = torch.arange(3.0).expand(4, 3)
    x = burn_array.asarray(t, device=device)
    np.testing.assert_array_equal(host(x), [[0, 1, 2]] * 4)
    assert (x + x).shape == (4, 3)


def test_conjugated_and_negated_views_arrive(device: burn_array.Device, host: Host) -> None:
    t = torch.tensor([1 + 2j, 3 - 4j])
    for view in (t.conj(), t.conj().imag, t.conj()[::2], t.conj().imag[1:]):
        a = view.resolve_conj().resolve_neg().numpy()
        for made in (burn_array.asarray(view, device=device), burn_array.from_dlpack(view, device=device)):
            np.testing.assert_array_equal(host(made), a)
            if device.is_host:
                np.testing.assert_array_equal(np.asarray(made), a)
                np.testing.assert_array_equal(np.from_dlpack(made), a)


def test_results_with_lazy_bits_are_exported() -> None:
    x = burn_array.asarray([1 + 2j, 3 - 4j], device=TORCH)
    for y, wanted in (
        (burn_array.conj(x), [1 - 2j, 3 + 4j]),
        (burn_array.imag(burn_array.conj(x)), [-2.0, 4.0]),
    ):
        assert np.from_dlpack(y).tolist() == wanted
        assert np.asarray(y).tolist() == wanted
        assert y.to_device("numpy").tolist() == wanted
        assert torch_from_dlpack(y).tolist() == wanted


@pytest.mark.parametrize("dtype", [">i2", ">i4", ">u8", ">f4", ">f8", ">c8", ">c16"])
def test_foreign_byte_order_gives_the_right_numbers(
    device: burn_array.Device, host: Host, dtype: str
) -> None:
    a = np.arange(3).astype(dtype)
    x = burn_array.asarray(a, device=device)
    assert x.dtype == a.dtype.newbyteorder("=")
    assert x.dtype.isnative
    assert host(x).tolist() == [0, 1, 2]
    assert (x + a).tolist() == (a + x).tolist() == [0, 2, 4]
    assert burn_array.from_dlpack(a, device=device).tolist() == [0, 1, 2]
    assert burn_array.zeros(2, dtype=dtype, device=device).dtype.isnative
    assert burn_array.zeros(2, dtype=a.dtype, device=device).dtype.isnative
    with pytest.raises(CopyRequiredError):
        burn_array.asarray(a, device=device, copy=False)


# -- zero copies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), BOTH, ids=lambda device: str(device))
@pytest.mark.parametrize("copy", [None, False])
def test_memory_is_shared_and_written_through(
    source: burn_array.Device, target: burn_array.Device, copy: bool | None
) -> None:
    for dtype in NAMES:
        for make in (lambda y, d: y.to_device(d), lambda y, d: burn_array.asarray(y, device=d, copy=copy),
                     lambda y, d: burn_array.from_dlpack(y, device=d, copy=copy)):  # fmt: skip
            x = burn_array.asarray(values(dtype), device=source)
            y = make(x[:, 1:], target)
            assert pointer(np.asarray(y)) == pointer(np.asarray(x)) + x.dtype.itemsize
            x[1, 2] = 1
            assert complex(y[1, 1]) == 1
            y[0, 0] = 0
            assert complex(x[0, 1]) == 0


@pytest.mark.parametrize(
    "layout", ["rows first", "transposed", "every second", "with an offset", "0-d", "6-d"]
)
def test_numpy_memory_is_shared_with_torch(layout: str) -> None:
    a = LAYOUTS[layout](values("float64"))
    x = burn_array.asarray(a, device=TORCH, copy=False)
    assert pointer(x) == pointer(a)
    x[...] = 7
    assert np.all(a == 7)
    back = burn_array.asarray(x, device=NUMPY, copy=False)
    assert pointer(back) == pointer(a)
    assert np.asarray(back).strides == a.strides


def test_torch_memory_is_shared_with_numpy() -> None:
    t = torch.arange(6.0).reshape(2, 3)
    for view in (t, t.T, t[:, ::2], t[1:]):
        x = burn_array.asarray(view, device=NUMPY, copy=False)
        assert pointer(x) == view.data_ptr()
        x[...] = 5
        assert bool((view == 5).all())


def test_foreign_array_stays_where_it_is() -> None:
    t = torch.arange(3.0)
    x = burn_array.asarray(t)
    assert (x.device, pointer(x)) == (TORCH, t.data_ptr())
    a = np.arange(3.0)
    y = burn_array.asarray(a)
    assert (y.device, pointer(y)) == (NUMPY, pointer(a))
    with burn_array.default_device(TORCH):
        z = burn_array.asarray(a)
        assert (z.device, pointer(z)) == (TORCH, pointer(a))
        strict = burn_array.asarray(array_api_strict.arange(3))
        assert strict.device == TORCH


@pytest.mark.parametrize(("source", "target"), BOTH, ids=lambda device: str(device))
def test_copy_true_is_independent(source: burn_array.Device, target: burn_array.Device) -> None:
    for layout in LAYOUTS.values():
        a = layout(values("float64"))
        x = burn_array.asarray(a, device=source)
        for make in (burn_array.asarray, burn_array.from_dlpack):
            for original in (x, a):
                y = make(original, device=target, copy=True)
                assert not np.shares_memory(np.asarray(y), np.asarray(x))
                assert not np.shares_memory(np.asarray(y), a)
                if y.size:
                    y[...] = -1
                    assert np.all(np.asarray(y) == -1)
                    assert not np.any(np.asarray(x) == -1)


def test_copies_are_in_row_major_order(device: burn_array.Device) -> None:
    x = burn_array.asarray(values("float64").T, device=device)
    copies = (burn_array.asarray(x, copy=True), x.copy(), burn_array.astype(x, x.dtype))
    before = x.tolist()
    x += 1
    for y in copies:
        assert y.tolist() == before
        if device.is_host:
            assert not np.shares_memory(np.asarray(x), np.asarray(y))


@pytest.mark.parametrize("make", [burn_array.asarray, burn_array.from_dlpack], ids=lambda f: f.__name__)
def test_copy_false_where_only_a_copy_would_do(make: Any) -> None:
    a = values("float64")
    for view in (a[::-1], a[:, ::-1], _read_only(a), np.broadcast_to(a, (2, 2, 3))):
        with pytest.raises(CopyRequiredError) as caught:
            make(view, device=TORCH, copy=False)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, BufferError)
        assert make(view, device=TORCH).tolist() == view.tolist()


def test_copy_false_with_another_dtype(device: burn_array.Device) -> None:
    x = burn_array.asarray([1.0, 2.0], device=device)
    for source in (x, np.ones(2), torch.ones(2, dtype=torch.float64), _buffer(np.ones(2))):
        with pytest.raises(CopyRequiredError):
            burn_array.asarray(source, dtype="float32", device=device, copy=False)
        assert burn_array.asarray(source, dtype="float32", device=device).dtype == np.dtype("float32")
        if device in (NUMPY, TORCH):
            same = burn_array.asarray(source, dtype="float64", device=device, copy=False)
            assert same.dtype == np.dtype("float64")


def test_asarray_of_an_array_is_free(device: burn_array.Device) -> None:
    x = burn_array.asarray([1.0, 2.0], device=device)
    for y in (burn_array.asarray(x), burn_array.asarray(x, copy=False), burn_array.asarray(x, dtype=x.dtype),
              burn_array.from_dlpack(x), burn_array.astype(x, x.dtype, copy=False), x.to_device(device)):  # fmt: skip
        assert y._native is x._native
    assert burn_array.astype(x, x.dtype)._native is not x._native


# -- read-only memory -----------------------------------------------------------------------------


@pytest.mark.parametrize("target", [NUMPY, TORCH], ids=str)
def test_read_only_memory_never_becomes_writable(target: burn_array.Device) -> None:
    a = _read_only(values("float64"))
    wanted = a.tolist()
    for x in (
        burn_array.asarray(a, device=target),
        burn_array.from_dlpack(a, device=target),
        burn_array.asarray(burn_array.asarray(a, device=NUMPY), device=target),
        burn_array.asarray(a, device=NUMPY).to_device(target),
        burn_array.asarray(a.data, device=target),
        burn_array.asarray(_buffer(a), device=target),
    ):
        for attack in (
            lambda x: x.__setitem__(0, 99.0),
            lambda x: x.__iadd__(1),
            lambda x: np.asarray(x).__setitem__(0, 99.0),
            lambda x: np.from_dlpack(x).__setitem__(0, 99.0),
            lambda x: x.to_device("torch:cpu").__setitem__(0, 99.0),
            lambda x: x.to_device("torch:cpu").to_device("numpy").__setitem__(0, 99.0),
            lambda x: x[:1].__setitem__(..., 99.0),
        ):
            with suppress(ValueError, BufferError):  # refused: as good as a copy
                attack(x)
            assert a.tolist() == wanted


def test_writing_into_read_only_memory_is_an_error_of_the_tree() -> None:
    x = burn_array.asarray(_read_only(values("float64")), device=NUMPY)
    with pytest.raises(BurnArrayError, match="read-only"):
        x[0] = 1.0


# -- lifetimes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [NUMPY, TORCH], ids=str)
def test_the_producer_may_die_first(target: burn_array.Device) -> None:
    class Tracked(np.ndarray[Any, Any]):
        pass

    for make in (burn_array.asarray, burn_array.from_dlpack):
        a = np.full(50_000, 3.0)
        x = make(a, device=target)
        del a
        gc.collect()
        trash = [np.full(50_000, 9.0) for _ in range(10)]
        assert float(burn_array.sum(x)) == 150_000.0
        t = torch.full((50_000,), 3.0)
        y = make(t, device=target)
        del t
        gc.collect()
        trash += [np.full(25_000, 9.0) for _ in range(10)]
        assert float(burn_array.sum(y)) == 150_000.0
        a = np.full(50_000, 3.0)
        owner = weakref.ref(a)
        z = make(a, device=target)
        del a
        assert owner() is not None
        del z
        gc.collect()
        assert owner() is None


@pytest.mark.parametrize("source", [NUMPY, TORCH], ids=str)
def test_the_array_may_die_first(source: burn_array.Device) -> None:
    for export in (np.from_dlpack, torch_from_dlpack, np.asarray, array_api_strict.from_dlpack):
        x = burn_array.full(50_000, 3.0, device=source)
        y = export(x)
        del x
        gc.collect()
        trash = [np.full(50_000, 9.0) for _ in range(10)]
        assert float(y.sum() if not hasattr(y, "__array_namespace__") else np.asarray(y).sum()) == 150_000.0
        del trash
    moved = burn_array.full(50_000, 3.0, device=source).to_device("torch:cpu").to_device("numpy")
    gc.collect()
    assert float(burn_array.sum(moved)) == 150_000.0


# -- other sources --------------------------------------------------------------------------------


def test_array_api_strict_arrives(device: burn_array.Device, host: Host) -> None:
    for dtype in NAMES:
        strict = array_api_strict.asarray(values(dtype))
        for make in (burn_array.asarray, burn_array.from_dlpack):
            x = make(strict, device=device)
            assert (x.device, x.dtype) == (device, np.dtype(dtype))
            np.testing.assert_array_equal(host(x), values(dtype))
        assert burn_array.asarray(strict).device == burn_array.default_device()


BUFFERS: dict[str, Callable[[], Any]] = {
    "array": lambda: array.array("d", [1, 2, 3]),
    "memoryview": lambda: _buffer(np.arange(1, 4)),
    "memoryview 2-d": lambda: _buffer(np.array([[1, 2, 3]], dtype=np.int16)),
    "memoryview strided": lambda: _buffer(np.arange(1, 7))[:3],
    "bytearray": lambda: bytearray([1, 2, 3]),
    "ctypes": lambda: (ctypes.c_double * 3)(1, 2, 3),
}


@pytest.mark.parametrize("kind", BUFFERS)
def test_buffers_arrive(device: burn_array.Device, host: Host, kind: str) -> None:
    obj = BUFFERS[kind]()
    x = burn_array.asarray(obj, device=device)
    assert host(x).ravel().tolist() == [1, 2, 3]
    assert x.dtype == np.asarray(obj).dtype
    copied = burn_array.asarray(obj, device=device, copy=True)
    copied[...] = 0
    assert host(x).ravel().tolist() == [1, 2, 3]
    assert burn_array.asarray(obj, dtype="float32", device=device).dtype == np.dtype("float32")
    if device in (NUMPY, TORCH):
        shared = burn_array.asarray(obj, device=device, copy=False)
        shared[..., 0] = 9
        assert np.asarray(obj).ravel().tolist() == [9, 2, 3]


def test_subclasses_of_ndarray_arrive_as_plain_arrays(device: burn_array.Device) -> None:
    class Sub(np.ndarray[Any, Any]):
        pass

    for a in (
        np.arange(3.0).view(Sub),
        np.ma.masked_array([0.0, 1.0, 2.0]),
        np.arange(3.0).view(np.recarray),
    ):
        x = burn_array.asarray(a, device=device)
        assert x.tolist() == [0.0, 1.0, 2.0]
        assert type(x._native) is device.array_type


@pytest.mark.parametrize("number", [np.float64(1.5), np.float32(1.5), np.int8(3), np.uint64(2**63), np.bool_(True),
                                    np.complex64(1j), np.float16(0.5)])  # fmt: skip
def test_numpy_scalars_arrive_with_their_dtype(device: burn_array.Device, number: Any) -> None:
    x = burn_array.asarray(number, device=device)
    assert (x.shape, x.dtype) == ((), number.dtype)
    assert x.item() == number.item()


@pytest.mark.parametrize(
    ("data", "dtype", "shape"),
    [
        (True, "bool", ()), (3, "int64", ()), (1.5, "float64", ()), (1j, "complex128", ()), ([], "float64", (0,)),
        ([[]], "float64", (1, 0)), ([True, False], "bool", (2,)), ([True, 2], "int64", (2,)),
        ([1, 2.5], "float64", (2,)),
        ([1, 2j], "complex128", (2,)), ((1, (2)), "int64", (2,)), ([(1, 2), [3, 4]], "int64", (2, 2)),
        ([2**63], "uint64", (1,)), ([[[1.0]]], "float64", (1, 1, 1)), (range(3), "int64", (3,)),
    ],
)  # fmt: skip
def test_python_data(device: burn_array.Device, data: Any, dtype: str, shape: tuple[int, ...]) -> None:
    x = burn_array.asarray(data, device=device)
    assert (x.dtype, x.shape) == (np.dtype(dtype), shape)
    assert x.tolist() == np.asarray(data).tolist()


@pytest.mark.parametrize("dtype", NAMES)
def test_python_data_with_a_dtype(device: burn_array.Device, dtype: str) -> None:
    x = burn_array.asarray([[0, 1], [1, 0]], dtype=dtype, device=device)
    assert (x.dtype, x.tolist()) == (np.dtype(dtype), np.asarray([[0, 1], [1, 0]], dtype=dtype).tolist())
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    if info:
        ends = [int(info.min), int(info.max)]
        assert burn_array.asarray(ends, dtype=dtype, device=device).tolist() == ends


def test_lists_of_arrays_and_scalars(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    assert xp.asarray([x, x]).tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert xp.asarray([[x], [x * 2]]).tolist() == [[[1.0, 2.0]], [[2.0, 4.0]]]
    assert xp.asarray([x[0], 3.0, x[1]]).tolist() == [1.0, 3.0, 2.0]
    assert xp.asarray((x[0], x[1]), dtype=xp.int32).dtype == xp.int32
    assert xp.asarray([np.float32(1), np.float32(2)]).tolist() == [1.0, 2.0]
    assert xp.asarray([np.ones(2), np.zeros(2)]).tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert xp.asarray([torch.ones(2), torch.zeros(2)]).tolist() == [[1.0, 1.0], [0.0, 0.0]]


# -- producers of all kinds -----------------------------------------------------------------------


class Producer:
    """An array of another library, of which only the exchange protocol is known."""

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
def test_any_producer_arrives(device: burn_array.Device, host: Host, legacy: bool) -> None:
    for dtype in NAMES:
        for a in (values(dtype), torch.from_numpy(values(dtype))):
            for make in (burn_array.asarray, burn_array.from_dlpack):
                x = make(Producer(a, legacy=legacy), device=device)
                assert x.device == device
                np.testing.assert_array_equal(host(x), np.asarray(a))
    x = burn_array.ones(2, device=device) + Producer(np.ones(2), legacy=legacy)
    assert (x.tolist(), x.device) == ([2.0, 2.0], device)


def test_a_producer_shares_its_memory() -> None:
    a = values("float64")
    for target in (NUMPY, TORCH):
        x = burn_array.from_dlpack(Producer(a), device=target, copy=False)
        assert pointer(x) == pointer(a)
        y = burn_array.from_dlpack(Producer(a), device=target, copy=True)
        assert pointer(y) != pointer(a)


def test_a_read_only_producer_is_never_written_through() -> None:
    a = _read_only(values("float64"))
    for target in (NUMPY, TORCH):
        for legacy in (False, True):
            with suppress(ValueError, BufferError):
                x = burn_array.from_dlpack(Producer(a, legacy=legacy), device=target)
                x[...] = 1
            assert a.tolist() == values("float64").tolist()


def test_a_producer_that_fails_gives_a_buffer_error(device: burn_array.Device) -> None:
    class Failing(Producer):
        def __dlpack__(self, **settings: Any) -> Any:
            raise BufferError("busy")

    with pytest.raises(BufferError, match="busy") as caught:
        burn_array.from_dlpack(Failing(values("float64")), device=device)
    assert isinstance(caught.value, BurnArrayError)


def test_unreachable_memory_is_an_error_that_says_so() -> None:
    class Elsewhere(Producer):
        def __dlpack_device__(self) -> tuple[int, int]:
            return (99, 3)

    with pytest.raises(BurnArrayError, match=r"\(99, 3\)"):
        burn_array.from_dlpack(Elsewhere(values("float64")))
    with pytest.raises(BurnArrayError, match=r"\(99, 3\)"):
        burn_array.asarray(Elsewhere(values("float64")))


def test_sparse_tensors_arrive_dense(device: burn_array.Device) -> None:
    x = burn_array.asarray(torch.tensor([[0.0, 2.0], [0.0, 0.0]]).to_sparse(), device=device)
    assert x.tolist() == [[0.0, 2.0], [0.0, 0.0]]
    assert (x + 1).tolist() == [[1.0, 3.0], [1.0, 1.0]]


def test_a_tensor_that_requires_grad_is_not_cut_off_silently(device: burn_array.Device) -> None:
    for t in (torch.ones(2, requires_grad=True), torch.nn.Parameter(torch.ones(2))):
        for make in (burn_array.asarray, burn_array.from_dlpack):
            with pytest.raises(GradientError, match="detach"):
                make(t, device=device)
            assert (make(t.detach(), device=device) * 2).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("code", "bhilqBHILQefdFD?p")
def test_c_types_of_one_width_are_one_dtype(device: burn_array.Device, code: str) -> None:
    a = np.ones(3, dtype=code)
    for x in (
        burn_array.asarray(a, device=device),
        burn_array.zeros(3, dtype=a.dtype, device=device),
        burn_array.asarray([1, 0, 1], dtype=code, device=device),
        burn_array.asarray(a[0], device=device),
    ):
        assert x.dtype is np.dtype(x.dtype.name)
        assert x.dtype == a.dtype
        assert (x + x).dtype is (x + x).to_device("numpy").dtype
    if device == NUMPY:
        assert np.shares_memory(np.asarray(burn_array.asarray(a)), a)


# -- exports --------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (1, 3), (2, 0)])
@pytest.mark.parametrize("copy", [None, False, True])
def test_dlpack_takes_every_keyword(
    device: burn_array.Device, version: tuple[int, int] | None, copy: bool | None
) -> None:
    if device not in (NUMPY, TORCH):
        return
    x = burn_array.asarray([1.0, 2.0], device=device)
    where = x.__dlpack_device__()
    assert (int(where[0]), int(where[1])) == (1, 0)

    class Export(Producer):
        def __dlpack__(self, **settings: Any) -> Any:
            return x.__dlpack__(stream=None, max_version=version, dl_device=where, copy=copy)

    if version is not None and version < (1, 0) and copy:
        return
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


def test_unsupported_dtype_of_the_target_is_named() -> None:
    import ml_dtypes  # noqa: F401 - registers bfloat16
    a = np.ones(2, dtype="bfloat16")
    for device in (NUMPY, TORCH):
        if a.dtype not in device.adapter.dtypes:
            with pytest.raises(UnsupportedDTypeError, match=rf"{device} has no dtype bfloat16"):
                burn_array.asarray(a, device=device)


def test_an_object_with_half_of_the_protocol_is_refused(device: burn_array.Device) -> None:
    class Half:
        def __dlpack__(self, **_: Any) -> Any:
            raise AssertionError("never asked")

    with pytest.raises(ArgumentTypeError):
        burn_array.from_dlpack(Half(), device=device)
    with pytest.raises(ArgumentTypeError):
        burn_array.asarray(Half(), device=device)
