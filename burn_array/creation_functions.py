"""Creation functions of the standard.

An array made with ``device=`` is committed to that device; one made without is uncommitted: it is on the
default device and follows a committed array that it meets.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._core.arguments import check_matrices, check_range, count, integer, integers
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import apply, call, wrap
from ._core.dtypes import SCALAR_KIND, DType, as_dtype, kind_of, promote
from ._core.dtypes import bool as bool_
from ._core.foreign import lift_native
from ._core.host_data import cast, requested_dtype
from ._core.moves import move
from ._core.operands import SCALARS, lift, lift_operand, not_an_array, unwrap, unwrap_arrays
from ._core.placement import placement
from .errors import (
    ArgumentError,
    ArgumentTypeError,
    CopyRequiredError,
    DTypeError,
    ExportError,
    IntegerOverflowError,
    OutOfMemoryError,
    explain,
)

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

Shape = int | tuple[int, ...]


def asarray(
    obj: Any, /, *, dtype: Any = None, device: str | Device | None = None, copy: bool | None = None
) -> Array:
    """Return numbers, nested sequences of them, a buffer, or an array of any library as an array.

    Memory is shared where the device reaches it (``copy=None``); read-only memory never becomes writable.
    An array of another library stays on its device unless ``device`` is given; an ndarray is host data and
    goes to the default device, as Python numbers do.

    Raises
    ------
    ArgumentTypeError
        for an object that is not made of numbers
    ArgumentError
        for ragged sequences
    IntegerOverflowError
        for a Python int that the dtype cannot hold
    CopyRequiredError
        for ``copy=False`` where only a copy would do
    """
    to = requested_dtype("asarray", dtype)
    if type(obj) is not Array:
        if isinstance(obj, list | tuple) and _holds_arrays(obj):
            if copy is False:
                raise CopyRequiredError("asarray: copy=False, but arrays in a list must be copied into one")
            return _stacked(obj, to, device)
        native, at = lift_native("asarray", obj, device, to, copy)
        return wrap(at, native)
    at = obj._device if device is None else placement("asarray", device)
    native = cast("asarray", obj._native, obj._device, to, copy)
    if native is not obj._native and copy:
        copy = None
    return wrap(at, move("asarray", native, obj._device, at, copy))


def _holds_arrays(obj: Sequence[Any]) -> builtins.bool:
    return any(type(one) is Array or (isinstance(one, list | tuple) and _holds_arrays(one)) for one in obj)


def _stacked(obj: Sequence[Any], dtype: DType | None, device: str | Device | None) -> Array:
    rows = [
        _stacked(one, None, None) if isinstance(one, list | tuple) else lift("asarray", one) for one in obj
    ]
    shapes = {row.shape for row in rows}
    if len(shapes) > 1:
        raise ArgumentError(f"asarray: the nested sequences are ragged, with shapes {sorted(shapes)}")
    at, natives = unwrap("asarray", rows)
    return asarray(wrap(at, call("stack", at, natives, axis=0)), dtype=dtype, device=device)


def from_dlpack(x: Any, /, *, device: str | Device | None = None, copy: bool | None = None) -> Array:
    """Return the array of any object with ``__dlpack__``, on its own device or on ``device``.

    Raises
    ------
    ArgumentTypeError
        for an object without ``__dlpack__``
    BufferError
        if the data cannot be exported, or ``copy=False`` cannot be met
    """
    if type(x) is Array:
        at = x._device if device is None else placement("from_dlpack", device)
        return wrap(at, move("from_dlpack", x._native, x._device, at, copy))
    if not hasattr(x, "__dlpack__"):
        raise ArgumentTypeError(
            f"from_dlpack: {type(x).__name__} has no __dlpack__; use asarray for lists, numbers and buffers"
        )
    try:
        native, at = lift_native("from_dlpack", x, device, None, copy)
    except DTypeError as error:
        raise ExportError(str(error)) from error
    return wrap(at, native)


# -- filled arrays ----------------------------------------------------------------------------


def _filled(name: str, shape: Shape, dtype: Any, device: str | Device | None) -> Array:
    at = placement(name, device)
    adapter = at.adapter
    native = at.native_dtype(adapter.float_dtype if dtype is None else as_dtype(dtype, name), name)
    shape = _shape(name, shape)
    try:
        out = at.function(name)(shape, dtype=native, device=adapter.native_device)
    except Exception as error:
        raise explain(name, error, [str(shape), str(dtype)], at.adapter) from error
    return wrap(at, out)


_MOST = 2**59
"""Elements of which no integer of a library counts the bytes: some take the rest of a division for their number."""


def _shape(name: str, shape: Any) -> tuple[int, ...]:
    if type(shape) is int and 0 <= shape < _MOST:
        return (shape,)
    lengths = shape if isinstance(shape, tuple | list) else (shape,)
    elements = 1
    for length in lengths:
        if type(length) is not int or length < 0:
            return _checked_shape(name, lengths)
        elements *= length
    return tuple(lengths) if elements < _MOST else _checked_shape(name, lengths)


def _checked_shape(name: str, lengths: Sequence[Any]) -> tuple[int, ...]:
    result = integers(name, "a shape", lengths)
    if any(length < 0 for length in result):
        raise ArgumentError(f"{name}: a shape has no negative lengths, got {lengths!r}")
    if math.prod(result) >= _MOST:
        raise OutOfMemoryError(f"{name}: an array of shape {result} is larger than any memory")
    return result


def _like(
    name: str, x: Any, dtype: Any, device: str | Device | None
) -> tuple[tuple[int, ...], DType, Device]:
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device if device is None else placement(name, device)
    return x.shape, x.dtype if dtype is None else as_dtype(dtype, name), at


def _filled_like(name: str, x: Any, dtype: Any, device: str | Device | None) -> Array:
    shape, to, at = _like(f"{name}_like", x, dtype, device)
    native = at.native_dtype(to, f"{name}_like")
    return wrap(at, call(name, at, shape, dtype=native, device=at.adapter.native_device))


def empty(shape: Shape, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an uninitialised array."""
    return _filled("empty", shape, dtype, device)


def zeros(shape: Shape, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an array of zeros."""
    return _filled("zeros", shape, dtype, device)


def ones(shape: Shape, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an array of ones."""
    return _filled("ones", shape, dtype, device)


def empty_like(x: Array, /, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an uninitialised array with the shape, dtype and device of ``x``."""
    return _filled_like("empty", x, dtype, device)


def zeros_like(x: Array, /, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an array of zeros with the shape, dtype and device of ``x``."""
    return _filled_like("zeros", x, dtype, device)


def ones_like(x: Array, /, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an array of ones with the shape, dtype and device of ``x``."""
    return _filled_like("ones", x, dtype, device)


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return an array filled with a number; without ``dtype`` of the default dtype of its kind."""
    at = placement("full", device)
    value = _number("full", fill_value)
    to = _default_of("full", value, at) if dtype is None else as_dtype(dtype, "full")
    return full_on("full", at, _shape("full", shape), value, to)


def full_like(
    x: Array, /, fill_value: Any, *, dtype: Any = None, device: str | Device | None = None
) -> Array:
    """Return an array filled with a number, with the shape, dtype and device of ``x``."""
    shape, to, at = _like("full_like", x, dtype, device)
    return full_on("full_like", at, shape, _number("full_like", fill_value), to)


def full_on(name: str, at: Device, shape: tuple[int, ...], value: Any, to: DType) -> Array:
    """Return an array of one Python number with the tag ``at``."""
    if isinstance(value, complex) and to.kind != "c":
        raise DTypeError(
            f"{name}: the complex number {value} cannot be stored in {to}; ask for a complex dtype"
        )
    if to.kind == "b":
        value = bool(value)
    elif type(value) is float and to.kind in "iu":
        value = _whole(name, value, to)
    elif type(value) is int and to.kind in "fc":
        value = float(value)
    native = at.native_dtype(to, name)
    return wrap(at, call("full", at, shape, value, dtype=native, device=at.adapter.native_device))


def _whole(name: str, value: float, to: DType) -> int:
    """Return the integer that a number is stored as, which NumPy makes of any number, NaN included."""
    if math.isfinite(value):
        return int(value)
    kind = ArgumentError if math.isnan(value) else IntegerOverflowError
    raise kind(f"{name}: {value} cannot be stored in {to}")


def full_of_both(name: str, at: Device, value: Any, other: Any) -> Array:
    """Return ``value`` as a 0-d array of the default dtype that holds both numbers."""
    kinds = tuple(SCALAR_KIND)
    widest = max(type(value), type(other), key=kinds.index)
    for number in (value, other):
        _default_of(name, number, at)
    return full_on(name, at, (), value, _default_of(name, widest(0), at))


def _number(name: str, value: Any) -> Any:
    if type(value) is Array:
        return value._scalar(name)
    number = value if type(value) in SCALARS else lift_operand(name, value)
    return number._scalar(name) if type(number) is Array else number


def _default_of(name: str, value: Any, at: Device) -> DType:
    kind = SCALAR_KIND[type(value)]
    if kind == "i" and not -(2**63) <= value < 2**63:
        raise IntegerOverflowError(f"{name}: {value} does not fit {at.adapter.int_dtype}; give dtype=")
    adapter = at.adapter
    return {"b": bool_, "i": adapter.int_dtype, "f": adapter.float_dtype, "c": adapter.complex_dtype}[kind]


# -- ranges -----------------------------------------------------------------------------------


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: str | Device | None = None,
) -> Array:
    """Return ``start``, ``start + step``, ... below ``stop``: ``ceil((stop - start) / step)`` elements.

    Integers give the default integer dtype, anything else the default floating one. In an integer dtype every
    element is exact where ``start`` and ``step`` are whole; otherwise one counts from ``int(start)`` in steps of
    ``int(start + step) - int(start)``, as NumPy does.
    """
    if stop is None:
        start, stop = 0, start
    numbers = [_number("arange", value) for value in (start, stop, step)]
    if numbers[2] == 0:
        raise ArgumentError("arange: step must not be zero")
    if any(isinstance(value, complex) for value in numbers):
        raise ArgumentTypeError(f"arange: the limits must be real numbers, got {numbers}")
    whole = all(isinstance(value, int) for value in numbers)
    if not whole and not all(map(_is_finite, numbers)):
        raise ArgumentError(f"arange: start, stop and step must be finite, got {numbers}")
    at = placement("arange", device)
    default = at.adapter.int_dtype if whole else at.adapter.float_dtype
    to = default if dtype is None else as_dtype(dtype, "arange")
    if kind_of(to) == "b":
        raise DTypeError("arange: a range is of numbers, not of bools; compare one, as in arange(5) != 0")
    if kind_of(to) in "iu":
        numbers, constant = (numbers, None) if whole else _whole_range(*numbers)
        if constant is not None:
            return full_on("arange", at, _shape("arange", constant), numbers[0], to)
        _check_whole(to, range(*numbers))
    native = at.native_dtype(to, "arange")
    return wrap(at, call("arange", at, *numbers, dtype=native, device=at.adapter.native_device))


def _is_finite(value: float) -> builtins.bool:
    """Return whether a number is a finite float, or an integer that can be one."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _whole_range(start: float, stop: float, step: float) -> tuple[list[int], int | None]:
    """Return limits and step of integers that are asked for in floats, and how many there are if all are the same."""
    if start == int(start) and step == int(step):
        return [int(start), math.ceil(stop) if step > 0 else math.floor(stop), int(step)], None
    count = max(0, math.ceil(min((stop - start) / step, 2.0**64)))
    first = int(start)
    by = int(start + step) - first
    return [first, first + count * by, by or 1], None if by else count


def _check_whole(dtype: DType, numbers: range) -> None:
    if numbers:
        limits = np.iinfo(dtype)
        check_range("arange", (numbers[0], numbers[-1]), dtype, int(limits.min), int(limits.max))


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: str | Device | None = None,
    endpoint: bool = True,
) -> Array:
    """Return ``num`` evenly spaced numbers from ``start`` to ``stop``, which is the last if ``endpoint``."""
    first, last = _number("linspace", start), _number("linspace", stop)
    (num,) = _shape("linspace", count("linspace", "num", num))
    at = placement("linspace", device)
    is_complex = isinstance(first, complex) or isinstance(last, complex)
    default = at.adapter.complex_dtype if is_complex else at.adapter.float_dtype
    to = default if dtype is None else as_dtype(dtype, "linspace")
    if is_complex and to.kind != "c":
        raise DTypeError(f"linspace: complex limits need a complex dtype, not {to}")
    native = at.native_dtype(to, "linspace")
    settings = {"dtype": native, "device": at.adapter.native_device, "endpoint": endpoint}
    return wrap(at, call("linspace", at, first, last, num, **settings))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: str | Device | None = None,
) -> Array:
    """Return a matrix with ones on its ``k``-th diagonal and zeros elsewhere."""
    at = placement("eye", device)
    native = at.native_dtype(at.adapter.float_dtype if dtype is None else as_dtype(dtype, "eye"), "eye")
    rows = count("eye", "n_rows", n_rows)
    columns = rows if n_cols is None else count("eye", "n_cols", n_cols)
    _shape("eye", (rows, columns))
    k = integer("eye", "k", k)
    return wrap(at, call("eye", at, rows, columns, k=k, dtype=native, device=at.adapter.native_device))


def meshgrid(*arrays: Array, indexing: str = "xy") -> tuple[Array, ...]:
    """Return coordinate arrays of a grid, one for each one-dimensional array.

    With ``indexing="xy"`` the first two axes are exchanged, as for a picture; with ``"ij"`` they are not.
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}")
    if not arrays:
        return ()
    at, natives = unwrap_arrays("meshgrid", arrays)
    to = at.dtype_of(natives[0])
    for native in natives[1:]:
        to = promote(to, at.dtype_of(native))
    natives = [cast("meshgrid", native, at, to, None) for native in natives]
    return tuple(wrap(at, out) for out in call("meshgrid", at, *natives, indexing=indexing))


def tril(x: Array, /, *, k: int = 0) -> Array:
    """Return each matrix with zeros above its ``k``-th diagonal."""
    return _triangle("tril", x, k)


def triu(x: Array, /, *, k: int = 0) -> Array:
    """Return each matrix with zeros below its ``k``-th diagonal."""
    return _triangle("triu", x, k)


def _triangle(name: str, x: Any, k: int) -> Array:
    if type(x) is not Array:
        raise not_an_array(name, x)
    check_matrices(name, x.ndim)
    return apply(name, x, k=integer(name, "k", k))
