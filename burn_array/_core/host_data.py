"""Turn Python numbers, nested sequences and buffers into native values, and check casts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import (
    ArgumentError,
    ArgumentTypeError,
    BurnArrayError,
    CopyRequiredError,
    DTypeError,
    IntegerOverflowError,
    explain,
)
from .device import Device
from .dtypes import DType, as_dtype, canonical, complex128, float64, int64, kind_of


def parse(function: str, obj: object, dtype: DType | None, target: Device) -> np.ndarray[Any, Any]:
    """Return an ndarray with the numbers of nested sequences or of a buffer, in ``dtype`` or a default dtype.

    Raises
    ------
    ArgumentError
        If the rows have different lengths.
    ArgumentTypeError
        If there is anything but numbers.
    IntegerOverflowError
        If the dtype cannot hold a Python int.
    """
    given = hasattr(obj, "dtype") or is_buffer(obj)
    try:
        array = np.asarray(obj)
        if dtype is not None and not given and array.dtype.kind not in "SUMm":
            check_cast(function, array.dtype, dtype)
            array = np.asarray(obj, dtype=dtype if dtype.name != "bfloat16" else None)
    except OverflowError as error:
        raise IntegerOverflowError(f"{function}: {error} (dtype {dtype})") from error
    except BurnArrayError:
        raise
    except TypeError as error:
        raise _unreadable(function, obj, error) from error
    except ValueError as error:
        raise _ragged(function, obj, error) from error
    array = _checked(function, obj, array)
    return array if given or dtype is not None else _with_default_dtype(function, array, target)


def _checked(function: str, obj: object, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if array.dtype.kind in "OSUMmV" and array.dtype.name != "bfloat16":
        if array.dtype.kind == "O" and _has_huge_int(array):
            raise IntegerOverflowError(f"{function}: a Python int is too large for every integer dtype")
        raise _unreadable(function, obj, None)
    if array.dtype.kind in "fc" and array.dtype.itemsize > (8 if array.dtype.kind == "f" else 16):
        raise DTypeError(
            f"{function}: {array.dtype} is not a dtype of the standard; convert it to float64 first"
        )
    return as_native_order(array)


def as_native_order(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return ``array`` in the byte order of this machine; it is copied only if it has the other one."""
    dtype = canonical(array.dtype)
    if dtype is array.dtype:
        return array
    return array.view(dtype) if array.dtype.isnative else array.astype(dtype)


def _has_huge_int(array: np.ndarray[Any, Any]) -> bool:
    return array.size > 0 and all(isinstance(item, int) for item in array.flat)


_NOT_BUFFERS = (bool, int, float, complex, list, tuple, str, bytes)


def is_buffer(obj: Any) -> bool:
    """Return whether ``obj`` exposes its memory by the buffer protocol, as ``array.array`` does."""
    if isinstance(obj, _NOT_BUFFERS):
        return False
    try:
        memoryview(obj).release()
    except (TypeError, BufferError, ValueError):
        return False
    return True


def _unreadable(function: str, obj: object, error: Exception | None) -> ArgumentTypeError:
    reason = f" ({error})" if error else ""
    return ArgumentTypeError(
        f"{function}: cannot make an array of numbers from {type(obj).__name__} {obj!r:.60}{reason}; "
        f"give numbers, nested sequences of numbers, or an array"
    )


def _ragged(function: str, obj: object, error: Exception) -> BurnArrayError:
    if "inhomogeneous" in str(error):
        return ArgumentError(
            f"{function}: the nested sequences are ragged: {str(error).split('.')[1].strip()}; "
            f"give all rows the same length"
        )
    kind = ArgumentTypeError if "string" in str(error) else ArgumentError
    return kind(f"{function}: cannot make an array of numbers from {obj!r:.60}: {error}")


def _with_default_dtype(function: str, array: np.ndarray[Any, Any], target: Device) -> np.ndarray[Any, Any]:
    """Return Python numbers in the default dtype of their kind; NumPy's scalars keep their dtype."""
    dtype = array.dtype
    if dtype is float64:
        dtype = target.adapter.float_dtype
    elif dtype is int64:
        dtype = target.adapter.int_dtype
    elif dtype is complex128:
        dtype = target.adapter.complex_dtype
    else:
        dtype = target.adapter.narrow.get(dtype, dtype)
    return array if array.dtype is dtype else _narrowed_to(function, array, dtype, target)


def narrowed(function: str, array: np.ndarray[Any, Any], target: Device) -> np.ndarray[Any, Any]:
    """Return an ndarray in the dtype that takes the place of its own on a device without 64-bit dtypes.

    Raises
    ------
    IntegerOverflowError
        If an integer does not fit.
    """
    dtype = target.adapter.narrow.get(array.dtype)
    return array if dtype is None else _narrowed_to(function, array, dtype, target)


def _narrowed_to(
    function: str, array: np.ndarray[Any, Any], dtype: DType, target: Device
) -> np.ndarray[Any, Any]:
    if kind_of(dtype) in "iu" and array.size:
        check_narrow(function, (int(array.min()), int(array.max())), dtype, target)
    with np.errstate(over="ignore"):
        return array.astype(dtype)


def check_narrow(function: str, ends: tuple[int, int], dtype: DType, target: Device) -> None:
    """Raise ``IntegerOverflowError`` if the dtype that an array is narrowed to does not hold both ``ends``."""
    limits = np.iinfo(dtype)
    for end in ends:
        if not limits.min <= end <= limits.max:
            raise IntegerOverflowError(
                f"{function}: {end} does not fit {dtype}, which takes the place of 64-bit integers on {target}"
            )


def from_host(
    function: str, array: np.ndarray[Any, Any], target: Device, dtype: DType | None, copy: bool | None
) -> Any:
    """Return a native value of ``target`` for an ndarray, cast to ``dtype`` if one is given."""
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise CopyRequiredError(
                f"{function}: copy=False, but the data are {array.dtype} and {dtype} was asked for"
            )
        check_cast(function, array.dtype, dtype)
        array = array.astype(dtype)
        copy = None
    target.native_dtype(array.dtype, function)
    try:
        return target.adapter.from_host(array, copy)
    except Exception as error:
        raise explain(function, error, [f"{array.dtype}{list(array.shape)}"], target.adapter) from error


def check_cast(function: str, source: DType, target: DType) -> None:
    """Raise ``DTypeError`` if a cast would drop imaginary parts."""
    if kind_of(source) == "c" and kind_of(target) != "c":
        raise DTypeError(
            f"{function}: {source} cannot be cast to {target}, which would drop the imaginary part; "
            f"take real(x) first"
        )


def cast(function: str, native: Any, at: Device, dtype: DType | None, copy: bool | None) -> Any:
    """Return ``native`` cast to ``dtype``; the same object if it has that dtype already."""
    have = at.dtype_of(native)
    if dtype is None or have == dtype:
        return native
    if copy is False:
        raise CopyRequiredError(f"{function}: copy=False, but the array is {have} and {dtype} was asked for")
    check_cast(function, have, dtype)
    return at.function("astype")(native, at.native_dtype(dtype, function), copy=True)


def requested_dtype(function: str, dtype: object) -> DType | None:
    """Return the dtype that an optional argument names, or ``None``."""
    return None if dtype is None else as_dtype(dtype, function)
