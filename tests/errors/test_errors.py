"""The tree of error classes, the texts of errors, and how errors of the libraries are translated."""

from __future__ import annotations

import inspect
import pickle
import re
from types import ModuleType

import pytest

import burn_array
from burn_array import errors
from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    AxisError,
    BurnArrayError,
    CaptureError,
    CopyRequiredError,
    DeviceError,
    DeviceMismatchError,
    DeviceNotFoundError,
    DTypeError,
    DuplicateBoundaryError,
    ExportError,
    GradientError,
    HostAccessError,
    IntegerOverflowError,
    InvalidInputError,
    InvalidOutputError,
    LibraryError,
    NoDTypeError,
    NotSupportedError,
    OutOfMemoryError,
    ShapeError,
    UndeclaredInputError,
    UnknownBoundaryError,
    UnsupportedDTypeError,
    ValueNeededError,
    explain,
)

BUILTINS: dict[type[BurnArrayError], tuple[type[Exception], ...]] = {
    DeviceError: (ValueError,),
    DeviceNotFoundError: (DeviceError,),
    DeviceMismatchError: (DeviceError, ValueError),
    DTypeError: (TypeError,),
    UnsupportedDTypeError: (DTypeError,),
    ArgumentTypeError: (TypeError,),
    NoDTypeError: (ArgumentTypeError, ArgumentError),
    ArgumentError: (ValueError,),
    ShapeError: (ArgumentError,),
    AxisError: (ArgumentError, IndexError),
    ArrayIndexError: (IndexError,),
    IntegerOverflowError: (OverflowError,),
    CopyRequiredError: (ValueError, BufferError),
    ExportError: (BufferError,),
    HostAccessError: (TypeError,),
    OutOfMemoryError: (MemoryError,),
    NotSupportedError: (NotImplementedError,),
    LibraryError: (RuntimeError,),
    GradientError: (RuntimeError,),
    CaptureError: (RuntimeError,),
    ValueNeededError: (CaptureError, TypeError),
    UnknownBoundaryError: (CaptureError, TypeError),
    DuplicateBoundaryError: (CaptureError, ValueError),
    InvalidInputError: (CaptureError, ValueError),
    UndeclaredInputError: (CaptureError, ValueError),
    InvalidOutputError: (CaptureError, ValueError),
}


def test_the_docstring_shows_the_whole_tree() -> None:
    classes = {
        one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, BurnArrayError)
    }
    assert classes == set(BUILTINS) | {BurnArrayError}
    for one in classes:
        assert one.__name__ in (errors.__doc__ or "")
        assert one.__name__ in errors.__all__
        assert one.__doc__


@pytest.mark.parametrize("kind", BUILTINS, ids=lambda kind: kind.__name__)
def test_classes_have_their_bases_and_can_be_pickled(kind: type[BurnArrayError]) -> None:
    assert issubclass(kind, BURN := BurnArrayError)
    assert all(issubclass(kind, base) for base in BUILTINS[kind])
    again = pickle.loads(pickle.dumps(kind("text")))
    assert type(again) is kind
    assert str(again) == "text"
    assert isinstance(again, BURN)


@pytest.mark.needs("64 bits")
def test_text_of_a_library_error_names_call_dtypes_device_and_reason(
    xp: ModuleType, device: burn_array.Device
) -> None:
    with pytest.raises(ShapeError) as caught:
        xp.ones((2, 3)) + xp.ones((4,))
    assert str(caught.value).startswith(f"add(float64[2, 3], float64[4]) on {device}: ")
    assert caught.value.__cause__ is not None


def test_text_of_a_device_mismatch_names_both_and_the_next_step() -> None:
    a, b = burn_array.ones(2, device="numpy"), burn_array.ones(2, device="torch:cpu")
    with pytest.raises(
        DeviceMismatchError, match=r"^add: .*numpy.*torch:cpu.*to_device\('numpy'\)"
    ) as caught:
        burn_array.add(a, b)
    assert "which copies nothing (both use the same memory)" in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.library("dpnp")
@pytest.mark.parametrize("other", ["numpy", "torch:cpu"])
def test_text_of_a_device_mismatch_names_the_direction_that_copies_nothing(other: str) -> None:
    """dpnp copies memory of the others, and they read its memory in place."""
    pytest.importorskip("dpnp")
    a, b = burn_array.ones(2, device="dpnp:cpu"), burn_array.ones(2, device=other)
    for x, y in ((a, b), (b, a), (a, b.to_device(b.device.autodiff()))):
        with pytest.raises(
            DeviceMismatchError, match=rf"x\.to_device\('{other}[^']*'\), which copies nothing"
        ):
            burn_array.add(x, y)
    with pytest.raises(CopyRequiredError):
        burn_array.asarray(b, device=a.device, copy=False)
    assert burn_array.asarray(a, device=other, copy=False).tolist() == [1.0, 1.0]


def test_text_of_a_device_mismatch_promises_no_free_move_between_different_memories(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = burn_array.ones(2, device="numpy"), burn_array.ones(2, device="torch:cpu")
    monkeypatch.setattr(b.device.adapter, "dlpack_device", (2, 0))
    with pytest.raises(DeviceMismatchError, match=r"to_device\('numpy'\) or make it without device=$"):
        burn_array.add(a, b)


@pytest.mark.parametrize("size", [2**46, 2**60])
def test_running_out_of_memory_is_the_same_error_on_every_device(
    xp: ModuleType, device: burn_array.Device, size: int
) -> None:
    """The device can be used after the error."""
    for call in (xp.ones, xp.arange):
        with pytest.raises(OutOfMemoryError, match=f"^{call.__name__}.*"):
            call(size, dtype=xp.float32)
    for make in (xp.zeros, xp.ones, xp.empty, xp.random.uniform):
        with pytest.raises(OutOfMemoryError):
            make((size, 2**20))
    with pytest.raises(OutOfMemoryError):
        xp.full((2**30, 2**30), 7.0)
    with pytest.raises(OutOfMemoryError):
        xp.eye(2**32)
    many = xp.arange(10.0)
    with pytest.raises(OutOfMemoryError, match=f"repeat.* on {device}: "):
        xp.repeat(many, size // 4)
    if device.is_host:  # CuPy makes views of any size
        with pytest.raises(OutOfMemoryError, match=f"broadcast_to.* on {device}: "):
            xp.broadcast_to(many[:1], (size, size))
    assert float(xp.sum(many)) == 45.0


def test_explain_keeps_errors_of_the_tree_and_translates_others() -> None:
    class AxisErrorOfALibrary(Exception):
        pass

    torch = burn_array.device("torch:cpu").adapter
    known = ShapeError("add: no")
    assert explain("add", known, [], torch) is known
    told = explain("add", ShapeError("no"), ["int8[2]", "3"], torch)
    assert (type(told), str(told)) == (ShapeError, "add(int8[2], 3) on torch:cpu: no")
    cases = {
        RuntimeError("CUDA out of memory. Tried to allocate"): OutOfMemoryError,
        RuntimeError("numel: integer multiplication overflow"): OutOfMemoryError,
        RuntimeError("CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"): OutOfMemoryError,
        RuntimeError("Name 'rows' not found in Tensor[None]."): ArgumentTypeError,
        MemoryError("Unable to allocate 1 TiB for an array of this shape"): OutOfMemoryError,
        NotImplementedError("\"lt_cpu\" not implemented for 'ComplexDouble'"): DTypeError,
        NotImplementedError("never"): NotSupportedError,
        TypeError("'str' object cannot be interpreted as an integer"): ArgumentTypeError,
        AttributeError("'list' object has no attribute 'shape'"): ArgumentTypeError,
        AxisErrorOfALibrary("strange"): LibraryError,
        KeyError("x"): LibraryError,
        BufferError("no"): ExportError,
        OverflowError("big"): IntegerOverflowError,
    }
    for error, kind in cases.items():
        assert type(explain("f", error, [], torch)) is kind
    assert str(explain("f", ValueError(), [], torch)) == "f() on torch:cpu: ValueError"


def test_each_adapter_says_what_the_texts_of_its_own_library_mean() -> None:
    """A move asks the adapters of both devices; a device with autodiff knows what the plain one knows."""
    numpy, torch = (burn_array.device(name).adapter for name in ("numpy", "torch:cpu"))
    error = RuntimeError("linalg.inv: Low precision dtypes not supported. Got Half")
    assert type(explain("f", error, [], torch)) is DTypeError
    assert type(explain("f", error, [], numpy)) is LibraryError
    moved = explain("to_device", error, ["float16[2]"], numpy, torch)
    assert (type(moved), str(moved).partition(": ")[0]) == (
        DTypeError,
        "to_device(float16[2]) on numpy -> torch:cpu",
    )
    for adapter in (numpy, torch):
        assert burn_array.device(f"{adapter}+autodiff").adapter.errors == adapter.errors


def test_patterns_of_adapters_are_valid(device: burn_array.Device) -> None:
    for pattern, kind in device.adapter.errors:
        assert re.compile(pattern)
        assert issubclass(kind, BurnArrayError)
