"""Moves of arrays of every dtype and layout share memory where they can, and keep read-only memory read-only."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch

import burn_array
from burn_array.errors import BurnArrayError, CopyRequiredError, DeviceNotFoundError

Host = Callable[[Any], np.ndarray[Any, Any]]
Values = Callable[..., np.ndarray[Any, Any]]
Pointer = Callable[[Any], int]
NUMPY, TORCH = burn_array.device("numpy"), burn_array.device("torch:cpu")
torch_from_dlpack: Callable[[Any], torch.Tensor] = vars(torch)["from_dlpack"]
BOTH = [(NUMPY, TORCH), (TORCH, NUMPY), (NUMPY, NUMPY), (TORCH, TORCH)]

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
    """Return the array as a plain buffer, which is no ndarray."""
    return memoryview(a)


def _read_only(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a read-only copy."""
    b = a.copy()
    b.flags.writeable = False
    return b


# -- every dtype and layout -----------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_moves_from_numpy_and_back(
    device: burn_array.Device, host: Host, layout: str, kinds: Any, values: Values
) -> None:
    for dtype in kinds.on(device):
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
def test_every_dtype_is_exported(device: burn_array.Device, layout: str, kinds: Any, values: Values) -> None:
    for dtype in kinds.on(device):
        a = LAYOUTS[layout](values(dtype))
        x = burn_array.asarray(a, device=device)
        np.testing.assert_array_equal(np.from_dlpack(x), a)
        # PyTorch ends the process on negative strides.
        if "reversed" not in layout and layout != "size 0 strided":
            np.testing.assert_array_equal(torch_from_dlpack(x).numpy(), a)
        np.testing.assert_array_equal(np.asarray(x), a)
        strict = array_api_strict.from_dlpack(x)
        assert str(strict.dtype).endswith(dtype)
        np.testing.assert_array_equal(np.asarray(strict), a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_is_exported_to_its_own_library(
    device: burn_array.Device, host: Host, layout: str, kinds: Any, values: Values
) -> None:
    for dtype in kinds.on(device):
        a = LAYOUTS[layout](values(dtype))
        native = device.adapter.from_dlpack(burn_array.asarray(a, device=device), None)
        x = burn_array.asarray(native)
        assert (x.device, x.dtype) == (device, np.dtype(dtype))
        np.testing.assert_array_equal(host(x), a)


@pytest.mark.parametrize(
    "layout", ["rows first", "transposed", "every second", "with an offset", "0-d", "6-d", "size 0"]
)
def test_torch_tensors_become_arrays(
    device: burn_array.Device, host: Host, layout: str, kinds: Any, values: Values
) -> None:
    for dtype in kinds.on(device):
        a = LAYOUTS[layout](values(dtype))
        t = torch.from_numpy(a) if a.shape else torch.tensor(a[()].item(), dtype=getattr(torch, dtype))
        x = burn_array.asarray(t, device=device)
        assert (x.shape, x.dtype, x.device) == (a.shape, a.dtype, device)
        np.testing.assert_array_equal(host(x), a)
        np.testing.assert_array_equal(host(burn_array.from_dlpack(t, device=device)), a)


def test_expanded_tensors_become_arrays(device: burn_array.Device, host: Host) -> None:
    t = torch.arange(3.0).expand(4, 3)
    x = burn_array.asarray(t, device=device)
    np.testing.assert_array_equal(host(x), [[0, 1, 2]] * 4)
    assert (x + x).shape == (4, 3)


def test_conjugated_and_negated_tensors_become_arrays(device: burn_array.Device, host: Host) -> None:
    t = torch.tensor([1 + 2j, 3 - 4j])
    for view in (t.conj(), t.conj().imag, t.conj()[::2], t.conj().imag[1:]):
        a = view.resolve_conj().resolve_neg().numpy()
        for made in (burn_array.asarray(view, device=device), burn_array.from_dlpack(view, device=device)):
            np.testing.assert_array_equal(host(made), a)
            if device.is_host:
                np.testing.assert_array_equal(np.asarray(made), a)
                np.testing.assert_array_equal(np.from_dlpack(made), a)


def test_lazily_conjugated_results_are_exported() -> None:
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
@pytest.mark.needs("64 bits")
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


def home_of_strict_arrays() -> burn_array.Device:
    """Return the device that adopts arrays of array-api-strict: its own if the run has one, else the default."""
    try:
        return burn_array.device("array_api_strict:immutable")
    except DeviceNotFoundError:
        return burn_array.default_device()


def test_arrays_of_array_api_strict_become_arrays(
    device: burn_array.Device, host: Host, kinds: Any, values: Values
) -> None:
    for dtype in kinds.on(device):
        strict = array_api_strict.asarray(values(dtype))
        for make in (burn_array.asarray, burn_array.from_dlpack):
            x = make(strict, device=device)
            assert (x.device, x.dtype) == (device, np.dtype(dtype))
            np.testing.assert_array_equal(host(x), values(dtype))
        assert burn_array.asarray(strict).device == home_of_strict_arrays()


# -- zero copies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), BOTH, ids=lambda device: str(device))
@pytest.mark.parametrize("copy", [None, False])
def test_memory_is_shared_and_written_through(
    source: burn_array.Device,
    target: burn_array.Device,
    copy: bool | None,
    kinds: Any,
    values: Values,
    pointer: Pointer,
) -> None:
    for dtype in kinds.all:
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
def test_numpy_memory_is_shared_with_torch(layout: str, values: Values, pointer: Pointer) -> None:
    a = LAYOUTS[layout](values("float64"))
    x = burn_array.asarray(a, device=TORCH, copy=False)
    assert pointer(x) == pointer(a)
    x[...] = 7
    assert np.all(a == 7)
    back = burn_array.asarray(x, device=NUMPY, copy=False)
    assert pointer(back) == pointer(a)
    assert np.asarray(back).strides == a.strides


def test_torch_memory_is_shared_with_numpy(pointer: Pointer) -> None:
    t = torch.arange(6.0).reshape(2, 3)
    for view in (t, t.T, t[:, ::2], t[1:]):
        x = burn_array.asarray(view, device=NUMPY, copy=False)
        assert pointer(x) == view.data_ptr()
        x[...] = 5
        assert bool((view == 5).all())


def test_a_foreign_array_stays_in_its_memory(pointer: Pointer) -> None:
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
        assert strict.device == home_of_strict_arrays()


@pytest.mark.parametrize(("source", "target"), BOTH, ids=lambda device: str(device))
def test_copy_true_is_independent(
    source: burn_array.Device, target: burn_array.Device, values: Values
) -> None:
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


@pytest.mark.needs("64 bits")
def test_copies_of_a_transposed_array_are_independent(device: burn_array.Device, values: Values) -> None:
    x = burn_array.asarray(values("float64").T, device=device)
    copies = (burn_array.asarray(x, copy=True), x.copy(), burn_array.astype(x, x.dtype))
    before = x.tolist()
    x += 1
    for y in copies:
        assert y.tolist() == before
        if device.is_host:
            assert not np.shares_memory(np.asarray(x), np.asarray(y))


@pytest.mark.parametrize("make", [burn_array.asarray, burn_array.from_dlpack], ids=lambda f: f.__name__)
def test_copy_false_is_refused_where_a_copy_is_needed(make: Any, values: Values) -> None:
    a = values("float64")
    for view in (a[::-1], a[:, ::-1], _read_only(a), np.broadcast_to(a, (2, 2, 3))):
        with pytest.raises(CopyRequiredError) as caught:
            make(view, device=TORCH, copy=False)
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, BufferError)
        assert make(view, device=TORCH).tolist() == view.tolist()


@pytest.mark.needs("64 bits")
def test_copy_false_with_another_dtype(device: burn_array.Device) -> None:
    x = burn_array.asarray([1.0, 2.0], device=device)
    for source in (x, np.ones(2), torch.ones(2, dtype=torch.float64), _buffer(np.ones(2))):
        with pytest.raises(CopyRequiredError):
            burn_array.asarray(source, dtype="float32", device=device, copy=False)
        assert burn_array.asarray(source, dtype="float32", device=device).dtype == np.dtype("float32")
        if device in (NUMPY, TORCH):
            same = burn_array.asarray(source, dtype="float64", device=device, copy=False)
            assert same.dtype == np.dtype("float64")


def test_asarray_of_an_array_keeps_the_native_array(device: burn_array.Device) -> None:
    x = burn_array.asarray([1.0, 2.0], device=device)
    for y in (burn_array.asarray(x), burn_array.asarray(x, copy=False), burn_array.asarray(x, dtype=x.dtype),
              burn_array.from_dlpack(x), burn_array.astype(x, x.dtype, copy=False), x.to_device(device)):  # fmt: skip
        assert y._native is x._native
    if device.has_views:  # a copy of an immutable array may be that array
        assert burn_array.astype(x, x.dtype)._native is not x._native


# -- read-only memory -----------------------------------------------------------------------------


@pytest.mark.parametrize("target", [NUMPY, TORCH], ids=str)
def test_read_only_memory_never_becomes_writable(target: burn_array.Device, values: Values) -> None:
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
            with suppress(ValueError, BufferError):  # an error is as safe as a copy
                attack(x)
            assert a.tolist() == wanted


def test_writing_into_read_only_memory_is_a_burn_array_error(values: Values) -> None:
    x = burn_array.asarray(_read_only(values("float64")), device=NUMPY)
    with pytest.raises(BurnArrayError, match="read-only"):
        x[0] = 1.0


# -- lifetimes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", [NUMPY, TORCH], ids=str)
def test_an_array_outlives_the_array_it_was_made_of(target: burn_array.Device) -> None:
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
def test_an_export_outlives_its_array(source: burn_array.Device) -> None:
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


# -- the ways between libraries on the host ---------------------------------------------------------


def _table_of_moves() -> dict[tuple[str, str], tuple[str, str]]:
    """Return the table of ``docs/devices.md``: from, to -> through, memory."""
    text = (Path(__file__).parents[2] / "docs" / "devices.md").read_text()
    rows = text.partition("| from | to | through | memory |")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows]
    return {(a, b): (through, memory) for a, b, through, memory in cells}


MOVES = _table_of_moves()


def test_the_table_of_moves_has_every_pair(device: burn_array.Device) -> None:
    libraries = {"numpy", "torch:cpu", "dpnp:cpu"}
    assert set(MOVES) == {(a, b) for a in libraries for b in libraries if a != b}


@pytest.mark.parametrize("target", ["numpy", "torch:cpu", "dpnp:cpu"])
@pytest.mark.host
def test_a_move_goes_the_way_that_the_table_says(device: burn_array.Device, target: str) -> None:
    if str(device) == target or (str(device), target) not in MOVES:
        pytest.skip("no move between libraries")
    if target == "dpnp:cpu":
        pytest.importorskip("dpnp")
    through, memory = MOVES[str(device), target]
    x = burn_array.asarray([1.0, 2.0], device=device)
    x.to_device(target)  # what is made once is made
    called: set[str] = set()

    def note(frame: Any, event: str, function: Any) -> None:
        called.add(function.__name__ if event == "c_call" else frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        y = x.to_device(target)
    finally:
        sys.setprofile(before)
    assert ("__dlpack__" in called) == ("DLPack" in through)
    y[0] = 9.0
    assert (float(x[0]) == 9.0) == (memory == "shared")
    if memory == "shared":
        burn_array.asarray(x, device=target, copy=False)
    else:
        with pytest.raises(CopyRequiredError):
            burn_array.asarray(x, device=target, copy=False)


@pytest.mark.parametrize("error", [BufferError, NotImplementedError, RuntimeError, TypeError, AttributeError])
@pytest.mark.parametrize(("source", "target"), [(NUMPY, TORCH), (TORCH, NUMPY)], ids=str)
def test_what_dlpack_cannot_carry_goes_through_a_view(
    monkeypatch: pytest.MonkeyPatch,
    source: burn_array.Device,
    target: burn_array.Device,
    error: type[Exception],
    pointer: Pointer,
) -> None:
    def fail(*_: Any) -> Any:
        raise error("no DLPack")

    x = burn_array.asarray([1.0, 2.0], device=source)
    monkeypatch.setattr(target.adapter, "from_dlpack", fail)
    assert pointer(x.to_device(target)) == pointer(x)


def test_bfloat16_is_shared_with_ndarrays() -> None:
    """NumPy neither exports nor imports it."""
    t = torch.tensor([1.0, 2.0], dtype=torch.bfloat16)
    a = np.asarray(burn_array.asarray(t))
    assert (a.dtype.name, a.ctypes.data) == ("bfloat16", t.data_ptr())
    back = burn_array.asarray(a, device=TORCH, copy=False)
    assert (back.dtype.name, back._native.data_ptr()) == ("bfloat16", t.data_ptr())


@pytest.mark.needs("64 bits")
def test_lazily_negated_tensors_are_copied_with_their_sign(device: burn_array.Device, host: Host) -> None:
    """PyTorch's own ``__dlpack__`` leaves out the sign."""
    x = burn_array.asarray([1 + 2j, 3 - 4j], device=TORCH)
    x._native = x._native.conj()
    y = burn_array.imag(x)
    for lazy, values in ((x, [1 - 2j, 3 + 4j]), (y, [-2.0, 4.0])):
        assert host(lazy.to_device(device)).tolist() == values
        assert host(lazy.to_device(device.autodiff())).tolist() == values
        if device == TORCH:
            continue
        with pytest.raises(CopyRequiredError):
            burn_array.asarray(lazy, device=device, copy=False)
        with pytest.raises(BufferError):
            lazy.__dlpack__(copy=False)


@pytest.mark.parametrize("make", [lambda t: burn_array.asarray(t).to_device("numpy"),
                                  lambda t: burn_array.from_dlpack(t, device="numpy")])  # fmt: skip
def test_what_expand_made_is_read_only_on_numpy(make: Callable[[torch.Tensor], Any]) -> None:
    t = torch.arange(3.0)
    with pytest.raises(BurnArrayError, match="read-only"):
        make(t.expand(4, 3))[0, 0] = 1.0
    for writable in (t.expand(1, 3), t[:1].expand(1, 1), t[None], t[:0].expand(4, 0)):
        make(writable)[...] = 5.0
    assert t.tolist() == [5.0] * 3


@pytest.mark.library("dpnp")
def test_memory_of_dpnp_goes_to_numpy_and_back_without_a_copy() -> None:
    if "dpnp:cpu" not in map(str, burn_array.devices()):  # importing dpnp first would hide its runtime
        pytest.skip("dpnp is not here")
    x = burn_array.asarray([1.0, 2.0, 3.0], device="dpnp:cpu")
    y = x.to_device("numpy")[1:]
    z = burn_array.asarray(y, device="dpnp:cpu", copy=False)
    z[0] = 9.0
    assert x.tolist() == [1.0, 9.0, 3.0]
