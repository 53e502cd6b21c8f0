"""Creation functions of the standard.

An array made with ``device=`` is committed to that device. An array made without is uncommitted: it is on
the default device, and in an operation with a committed array the result is on the device of the
committed one.

These functions share their parameters:

* ``shape`` is an integer or a tuple of integers that are not negative.
* ``dtype`` is a dtype, the name of one, a dtype of a library or of Python, such as ``torch.float32`` or ``float``, or
  ``None`` for a default dtype of the device: bool, int64,
  float64 or complex128 on most.
* ``device`` is a ``Device``, the name of one such as ``"torch:cpu"``, a device object of a library, such as
  ``torch.device("cpu")``, or ``None``.

Raises
------
ArgumentTypeError
    If a shape or count is not made of integers, or ``dtype`` is no dtype.
ArgumentError
    If a length is negative.
DeviceNotFoundError
    If ``device`` is not present.
UnsupportedDTypeError
    If the device does not have the dtype.
OutOfMemoryError
    If the device has no room for the array.
"""

from __future__ import annotations

import builtins
import cmath
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._core.arguments import check_matrices, check_range, count, integer, integers
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import apply, call, wrap
from ._core.dtypes import SCALAR_KIND, DType, as_dtype, float32, kind_of
from ._core.dtypes import bool as bool_
from ._core.foreign import lift_native
from ._core.host_data import cast, requested_dtype
from ._core.moves import move
from ._core.operands import is_tracked, lift, not_an_array, number, unwrap, unwrap_arrays
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


def asarray(obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Array:
    """Return an array of numbers, of nested sequences of numbers, of a buffer, or of any library's array.

    An ``Array`` of a plain device is returned itself where device and dtype stay and ``copy`` is not true.
    An array of another library stays on its device unless ``device`` is given. An ndarray is host data
    like a Python list: it goes to the default device, and if that has no 64-bit dtypes, it is narrowed.
    Read-only memory is never written to: a library that cannot keep it read-only gets a copy.

    Parameters
    ----------
    obj : Array, number, sequence, buffer or array of another library
        The values; a list may also hold arrays of one shape, which are stacked.
    dtype : dtype, optional
        By default that of ``obj``, or the default dtype for the kind of its Python numbers.
    device : Device or str, optional
        Where the array shall be.
    copy : bool, optional
        Whether to copy the memory; by default only if it cannot be shared.

    Returns
    -------
    Array
        Its shape is that of ``obj``; a nested sequence has one axis for each level.

    Raises
    ------
    ArgumentTypeError
        If ``obj`` is not made of numbers.
    ArgumentError
        If nested sequences are ragged.
    DTypeError
        If complex numbers are to be stored in a real dtype.
    IntegerOverflowError
        If the dtype cannot hold a Python int.
    CopyRequiredError
        If ``copy=False`` and the memory cannot be shared.
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
    if not copy and at is obj._device and not at.adapter.is_autodiff and (to is None or to == obj.dtype):
        return (
            obj  # on a device that differentiates, require_grad() of the result must not make obj a parameter
        )
    native = cast("asarray", obj._native, obj._device, to, copy)
    if native is not obj._native and copy:
        copy = None
    return wrap(at, move("asarray", native, obj._device, at, copy))


def _holds_arrays(obj: Sequence[Any]) -> builtins.bool:
    """Return whether an array is in the sequence, at any level."""
    return any(type(one) is Array or (isinstance(one, list | tuple) and _holds_arrays(one)) for one in obj)


def _stacked(obj: Sequence[Any], dtype: DType | None, device: Any) -> Array:
    """Return nested lists of arrays as one array."""
    rows = [
        _stacked(one, None, None) if isinstance(one, list | tuple) else lift("asarray", one) for one in obj
    ]
    shapes = {row.shape for row in rows}
    if len(shapes) > 1:
        raise ArgumentError(f"asarray: the nested sequences are ragged, with shapes {sorted(shapes)}")
    at, natives = unwrap("asarray", rows)
    return asarray(wrap(at, call("stack", at, natives, axis=0)), dtype=dtype, device=device)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """Return the array that any object with ``__dlpack__`` holds, sharing its memory where possible.

    Parameters
    ----------
    x : object with ``__dlpack__`` and ``__dlpack_device__``
        For example an array of another library.
    device : Device or str, optional
        Where the array shall be; by default where ``x`` is.
    copy : bool, optional
        Whether to copy the memory; by default only if it cannot be shared.

    Returns
    -------
    Array
        The shape and dtype of ``x``.

    Raises
    ------
    ArgumentTypeError
        If ``x`` has no ``__dlpack__``.
    ExportError
        If ``x`` cannot be exported.
    CopyRequiredError
        If ``copy=False`` and the memory cannot be shared.
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


def _filled(name: str, shape: Shape, dtype: Any, device: Any) -> Array:
    at = placement(name, device)
    adapter = at.adapter
    native = at.native_dtype(adapter.float_dtype if dtype is None else as_dtype(dtype, name), name)
    shape = _shape(name, shape)
    try:
        out = at.function(name)(shape, dtype=native, device=adapter.native_device)
    except Exception as error:
        raise explain(name, error, [str(shape), str(dtype)], at.adapter) from error
    return wrap(at, out)


_TOO_MANY = 2**59
"""Elements of an array that no memory holds. Their bytes overflow an int64, which some libraries do not notice."""


def _shape(name: str, shape: Any) -> tuple[int, ...]:
    """Return a checked shape as a tuple of ints."""
    if type(shape) is int and 0 <= shape < _TOO_MANY:
        return (shape,)
    lengths = shape if isinstance(shape, tuple | list) else (shape,)
    elements = 1
    for length in lengths:
        if type(length) is not int or length < 0:
            return _checked_shape(name, lengths)
        elements *= length
    return tuple(lengths) if elements < _TOO_MANY else _checked_shape(name, lengths)


def _checked_shape(name: str, lengths: Sequence[Any]) -> tuple[int, ...]:
    result = integers(name, "a shape", lengths)
    if any(length < 0 for length in result):
        raise ArgumentError(f"{name}: a shape must not have negative lengths, got {lengths!r}")
    if math.prod(result) >= _TOO_MANY:
        raise OutOfMemoryError(f"{name}: an array of shape {result} is larger than any memory")
    return result


def _like(name: str, x: Any, dtype: Any, device: Any) -> tuple[tuple[int, ...], DType, Device]:
    """Return the shape, dtype and device of an array that is made like ``x``."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device if device is None else placement(name, device)
    return x.shape, x.dtype if dtype is None else as_dtype(dtype, name), at


def _filled_like(name: str, x: Any, dtype: Any, device: Any) -> Array:
    shape, to, at = _like(f"{name}_like", x, dtype, device)
    native = at.native_dtype(to, f"{name}_like")
    return _laid_like(x, wrap(at, call(name, at, shape, dtype=native, device=at.adapter.native_device)))


def _laid_like(x: Array, made: Array) -> Array:
    """Return a new array, laid out on the hardware as ``x`` is if both are on one device."""
    at = made._device
    if at.adapter is x._device.adapter:
        layout = at.adapter.layout(x._native)
        if layout is not None:
            made._native = at.adapter.laid(made._native, layout)
    return made


def empty(shape: Shape, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array whose elements are whatever was in its memory.

    Parameters
    ----------
    shape : int or tuple of int
        The length of each axis.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        Uninitialised, with that shape.
    """
    return _filled("empty", shape, dtype, device)


def zeros(shape: Shape, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The length of each axis.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        Zeros, with that shape.
    """
    return _filled("zeros", shape, dtype, device)


def ones(shape: Shape, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The length of each axis.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        Ones, with that shape.
    """
    return _filled("ones", shape, dtype, device)


def empty_like(x: Array, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array like ``x`` whose elements are whatever was in its memory.

    Parameters
    ----------
    x : Array
        The array whose shape, dtype and device are taken.
    dtype : dtype, optional
        Instead of the dtype of ``x``.
    device : Device or str, optional
        Instead of the device of ``x``.

    Returns
    -------
    Array
        Uninitialised, with the shape of ``x``.
    """
    return _filled_like("empty", x, dtype, device)


def zeros_like(x: Array, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of zeros like ``x``.

    Parameters
    ----------
    x : Array
        The array whose shape, dtype and device are taken.
    dtype : dtype, optional
        Instead of the dtype of ``x``.
    device : Device or str, optional
        Instead of the device of ``x``.

    Returns
    -------
    Array
        Zeros, with the shape of ``x``.
    """
    return _filled_like("zeros", x, dtype, device)


def ones_like(x: Array, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of ones like ``x``.

    Parameters
    ----------
    x : Array
        The array whose shape, dtype and device are taken.
    dtype : dtype, optional
        Instead of the dtype of ``x``.
    device : Device or str, optional
        Instead of the device of ``x``.

    Returns
    -------
    Array
        Ones, with the shape of ``x``.
    """
    return _filled_like("ones", x, dtype, device)


def full(shape: Shape, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array in which every element is the same number.

    Parameters
    ----------
    shape : int or tuple of int
        The length of each axis.
    fill_value : bool, int, float, complex or 0-d Array
        The number. A float is truncated for an integer dtype.
    dtype : dtype, optional
        By default the default dtype for the kind of ``fill_value``.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        Filled with the number, with that shape.

    Raises
    ------
    DTypeError
        If ``fill_value`` is complex and ``dtype`` is not.
    IntegerOverflowError
        If the integer dtype cannot hold the number.
    ArgumentError
        If NaN is to be stored in an integer dtype.
    """
    if is_tracked(fill_value):
        return _repeated("full", fill_value, _shape("full", shape), dtype, device)
    at = placement("full", device)
    value = number("full", "fill_value", fill_value)
    to = _default_of("full", value, at) if dtype is None else as_dtype(dtype, "full")
    return full_on("full", at, _shape("full", shape), value, to)


def full_like(x: Array, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array like ``x`` in which every element is the same number.

    Parameters
    ----------
    x : Array
        The array whose shape, dtype and device are taken.
    fill_value : bool, int, float, complex or 0-d Array
        The number. A float is truncated for an integer dtype.
    dtype : dtype, optional
        Instead of the dtype of ``x``.
    device : Device or str, optional
        Instead of the device of ``x``.

    Returns
    -------
    Array
        Filled with the number, with the shape of ``x``.

    Raises
    ------
    DTypeError
        If ``fill_value`` is complex and the dtype is not.
    IntegerOverflowError
        If the integer dtype cannot hold the number.
    ArgumentError
        If NaN is to be stored in an integer dtype.
    """
    shape, to, at = _like("full_like", x, dtype, device)
    if is_tracked(fill_value):
        return _repeated("full_like", fill_value, shape, to, device)
    return _laid_like(x, full_on("full_like", at, shape, number("full_like", "fill_value", fill_value), to))


def _repeated(name: str, value: Array, shape: tuple[int, ...], dtype: Any, device: Any) -> Array:
    """Return a tracked 0-d array repeated to a shape, on its own device unless another is asked for."""
    if value.shape:
        value._scalar(name)  # raises
    out = value if device is None else value.to_device(device)
    to = out.dtype if dtype is None else as_dtype(dtype, name)
    if out.dtype != to:
        native = out._device.native_dtype(to, name)
        out = apply("astype", out, native, copy=True)
    return apply("copy", apply("broadcast_to", out, shape))


def full_on(name: str, at: Device, shape: tuple[int, ...], value: Any, to: DType) -> Array:
    """Return an array on the device ``at`` that is filled with one Python number."""
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
    """Return a float truncated to an int; NaN and infinities are refused."""
    if math.isfinite(value):
        return int(value)
    kind = ArgumentError if math.isnan(value) else IntegerOverflowError
    raise kind(f"{name}: {value} cannot be stored in {to}")


def full_of_both(name: str, at: Device, value: Any, other: Any) -> Array:
    """Return ``value`` as a 0-d array, of the default dtype that holds both numbers."""
    kinds = tuple(SCALAR_KIND)
    widest = max(type(value), type(other), key=kinds.index)
    for given in (value, other):
        _default_of(name, given, at)
    return full_on(name, at, (), value, _default_of(name, widest(0), at))


def _default_of(name: str, value: Any, at: Device) -> DType:
    """Return the default dtype for the kind of a Python number."""
    kind = SCALAR_KIND[type(value)]
    adapter = at.adapter
    if kind == "i":
        limits = np.iinfo(adapter.int_dtype)
        check_range(name, (value,), adapter.int_dtype, int(limits.min), int(limits.max))
    return {"b": bool_, "i": adapter.int_dtype, "f": adapter.float_dtype, "c": adapter.complex_dtype}[kind]


# -- ranges -----------------------------------------------------------------------------------


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return the numbers ``start``, ``start + step``, ... that lie before ``stop``.

    There are ``ceil((stop - start) / step)`` of them. If floats are given for an integer dtype and
    ``start`` or ``step`` is not whole, the elements count from ``int(start)`` in steps of ``int(start +
    step) - int(start)``, as in NumPy.

    Parameters
    ----------
    start, stop, step : int or float
        Real and finite; with one argument alone it is ``stop``, and ``start`` is 0.
    dtype : dtype, optional
        By default the default integer dtype if all numbers are integers, else the floating one.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        One-dimensional; empty if ``stop`` lies in the other direction.

    Raises
    ------
    ArgumentError
        If ``step`` is zero or a number is not finite.
    ArgumentTypeError
        If a number is complex.
    DTypeError
        If ``dtype`` is bool.
    IntegerOverflowError
        If the integer dtype cannot hold the ends of the range.
    """
    if stop is None:
        start, stop = 0, start
    names = ("start", "stop", "step")
    numbers = [number("arange", *given) for given in zip(names, (start, stop, step), strict=True)]
    if numbers[2] == 0:
        raise ArgumentError("arange: step must not be zero")
    if any(isinstance(value, complex) for value in numbers):
        raise ArgumentTypeError(f"arange: start, stop and step must be real, got {numbers}")
    whole = all(isinstance(value, int) for value in numbers)
    if not whole and not all(map(_is_finite, numbers)):
        raise ArgumentError(f"arange: start, stop and step must be finite, got {numbers}")
    at = placement("arange", device)
    default = at.adapter.int_dtype if whole else at.adapter.float_dtype
    to = default if dtype is None else as_dtype(dtype, "arange")
    if kind_of(to) == "b":
        raise DTypeError("arange: dtype must not be bool; compare a range instead, as in arange(5) != 0")
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
    """Return start, stop and step as integers, of a range that is given by floats.

    The second value is ``None``, or the number of elements if they are all the same (the step is zero).
    """
    if start == int(start) and step == int(step):
        return [int(start), math.ceil(stop) if step > 0 else math.floor(stop), int(step)], None
    count = max(0, math.ceil(min((stop - start) / step, 2.0**64)))
    first = int(start)
    by = int(start + step) - first
    return [first, first + count * by, by or 1], None if by else count


def _check_whole(dtype: DType, numbers: range) -> None:
    """Raise if the integer dtype cannot hold the ends of a range."""
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
    device: Any = None,
    endpoint: bool = True,
) -> Array:
    """Return ``num`` evenly spaced numbers from ``start`` to ``stop``.

    Parameters
    ----------
    start, stop : number
        The ends, real or complex.
    num : int
        How many numbers, at least 0.
    dtype : dtype, optional
        By default the default floating-point dtype, complex if an end is complex.
    device : Device or str, optional
        Where the array shall be.
    endpoint : bool
        Whether ``stop`` is the last number; if not, the spacing is ``(stop - start) / num``.

    Returns
    -------
    Array
        One-dimensional, of length ``num``.

    Raises
    ------
    DTypeError
        If an end is complex and ``dtype`` is not.
    """
    if is_tracked(start) or is_tracked(stop):
        return _between(start, stop, num, dtype, device, endpoint)
    first, last = number("linspace", "start", start), number("linspace", "stop", stop)
    (num,) = _shape("linspace", count("linspace", "num", num))
    at = placement("linspace", device)
    is_complex = isinstance(first, complex) or isinstance(last, complex)
    default = at.adapter.complex_dtype if is_complex else at.adapter.float_dtype
    to = default if dtype is None else as_dtype(dtype, "linspace")
    if is_complex and to.kind != "c":
        raise DTypeError(f"linspace: complex ends need a complex dtype, not {to}")
    native = at.native_dtype(to, "linspace")
    settings = {"dtype": native, "device": at.adapter.native_device, "endpoint": endpoint}
    if _overflows(first, last):  # every library subtracts the limits
        half = wrap(at, call("linspace", at, first / 2, last / 2, num, **settings))
        return half + half
    return wrap(at, call("linspace", at, first, last, num, **settings))


def _between(start: Any, stop: Any, num: int, dtype: Any, device: Any, endpoint: builtins.bool) -> Array:
    """Return ``linspace`` where at least one end is tracked, on its device unless another is asked for."""
    ends = [x if device is None or type(x) is not Array else x.to_device(device) for x in (start, stop)]
    near = next(x for x in ends if type(x) is Array)
    for x in ends:
        if type(x) is Array and x.shape:
            x._scalar("linspace")  # raises
    real = near._device.adapter.float_dtype if near.dtype.itemsize > 4 else float32
    share = wrap(
        near._device, linspace(0.0, 1.0, num, dtype=real, device=near.device, endpoint=endpoint)._native
    )
    out: Array = ends[0] * (1 - share) + ends[1] * share
    if dtype is not None and out.dtype != as_dtype(dtype, "linspace"):
        out = apply(
            "astype", out, out._device.native_dtype(as_dtype(dtype, "linspace"), "linspace"), copy=True
        )
    return out


def _overflows(first: complex, last: complex) -> bool:
    """Return whether two finite numbers differ by more than the greatest float."""
    return cmath.isfinite(first) and cmath.isfinite(last) and not cmath.isfinite(last - first)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return a matrix with ones on one diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
        The number of rows.
    n_cols : int, optional
        The number of columns, by default ``n_rows``.
    k : int
        The diagonal: 0 for the main one, positive above it, negative below it.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        Of shape ``(n_rows, n_cols)``.
    """
    at = placement("eye", device)
    native = at.native_dtype(at.adapter.float_dtype if dtype is None else as_dtype(dtype, "eye"), "eye")
    rows = count("eye", "n_rows", n_rows)
    columns = rows if n_cols is None else count("eye", "n_cols", n_cols)
    _shape("eye", (rows, columns))
    k = integer("eye", "k", k)
    return wrap(at, call("eye", at, rows, columns, k=k, dtype=native, device=at.adapter.native_device))


def meshgrid(*arrays: Array, indexing: str = "xy") -> tuple[Array, ...]:
    """Return the coordinates of the points of a grid: one array for each axis of the grid.

    Parameters
    ----------
    *arrays : Array
        The coordinates along each axis; arrays of more dimensions are flattened.
    indexing : {"xy", "ij"}
        ``"ij"`` keeps the order of the axes; ``"xy"`` exchanges the first two, as for pictures.

    Returns
    -------
    tuple of Array
        All of the promoted dtype and of one shape, whose lengths are those of the inputs.

    Raises
    ------
    ArgumentError
        If ``indexing`` is anything else.
    """
    if indexing not in ("xy", "ij"):
        raise ArgumentError(f"meshgrid: indexing must be 'xy' or 'ij', got {indexing!r}")
    if not arrays:
        return ()
    at, natives = unwrap_arrays("meshgrid", arrays)
    to = at.adapter.promote(*map(at.dtype_of, natives))
    natives = [cast("meshgrid", native, at, to, None) for native in natives]
    return tuple(wrap(at, out) for out in call("meshgrid", at, *natives, indexing=indexing))


def tril(x: Array, /, *, k: int = 0) -> Array:
    """Return each matrix with zeros above one diagonal: its lower triangle.

    Parameters
    ----------
    x : Array
        A matrix or a stack of matrices in the last two axes, shape ``(..., M, N)``.
    k : int
        The diagonal up to which elements are kept: 0 for the main one, positive above it.

    Returns
    -------
    Array
        The shape and dtype of ``x``.

    Raises
    ------
    ShapeError
        If ``x`` has fewer than two axes.
    """
    return _triangle("tril", x, k)


def triu(x: Array, /, *, k: int = 0) -> Array:
    """Return each matrix with zeros below one diagonal: its upper triangle.

    Parameters
    ----------
    x : Array
        A matrix or a stack of matrices in the last two axes, shape ``(..., M, N)``.
    k : int
        The diagonal from which elements are kept: 0 for the main one, positive above it.

    Returns
    -------
    Array
        The shape and dtype of ``x``.

    Raises
    ------
    ShapeError
        If ``x`` has fewer than two axes.
    """
    return _triangle("triu", x, k)


def _triangle(name: str, x: Any, k: int) -> Array:
    if type(x) is not Array:
        raise not_an_array(name, x)
    check_matrices(name, x.ndim)
    return apply(name, x, k=integer(name, "k", k))
