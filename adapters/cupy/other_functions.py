"""Creation, manipulation, searching, sorting, set and statistical functions on CuPy.

Where CuPy has gaps or follows other rules the function is written here from the standard's own words.

Unless a line names an issue, none is known upstream
(https://docs.cupy.dev/en/stable/user_guide/difference.html); all were last seen in CuPy 14.2.0.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import cupy
import numpy as np

from burn_array.adapter import composed, promote
from burn_array.errors import CopyRequiredError

from ..common import indexing as indexing
from ..common import numpy_like
from ..common import set_functions as sets

# What cupy.where calls in the end, a private name seen in 14.2.0; the way to it takes as long as a call of burn_array.
try:
    from cupy._sorting.search import _where_ufunc as _chosen
except ImportError:
    _chosen = cupy.where

# -- creation -------------------------------------------------------------------------------------


def _filled(make: Any) -> Any:
    return staticmethod(lambda shape, *, dtype, device: make(shape, dtype=dtype))


def _full(shape: Any, value: Any, *, dtype: Any, device: Any) -> Any:
    if type(value) is int:
        indexing.check_fits(value, dtype)
    return cupy.full(shape, value, dtype=dtype)


def _arange(start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """The length is reckoned in doubles (exactly for integers), whatever the dtype."""
    start, stop = (0, start) if stop is None else (start, stop)
    whole = all(isinstance(value, int) for value in (start, stop, step))
    dtype = np.dtype("int64" if whole else "float64") if dtype is None else dtype
    if whole:
        length = len(range(start, stop, step))
        counter = cupy.arange(length, dtype=np.int64)
        if np.dtype(dtype).kind in "iu":  # modulo 2**64
            start, step = ((value + 2**63) % 2**64 - 2**63 for value in (start, step))
        return (counter * step + start).astype(dtype) if length else cupy.empty(0, dtype=dtype)
    length = max(0, math.ceil((stop - start) / step))
    return (cupy.arange(length, dtype=np.float64) * step + start).astype(dtype)


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: Any, endpoint: bool) -> Any:
    parts = num - 1 if endpoint else num
    work = np.complex128 if dtype.kind == "c" else np.float64
    counter = cupy.arange(num, dtype=np.float64)
    delta = stop - start
    step = delta / parts if parts > 0 else delta
    values = (counter / parts * delta if step == 0 and parts > 0 else counter * step) + start
    values = values.astype(work)
    if endpoint and num > 1:
        values[-1] = stop
    return cupy.floor(values).astype(dtype) if dtype.kind in "iu" else values.astype(dtype)


def _eye(rows: int, columns: int, *, k: int, dtype: Any, device: Any) -> Any:
    return cupy.eye(rows, columns, k=k, dtype=dtype)


def _triangle(keep: Any) -> Any:
    def function(x: Any, *, k: int) -> Any:
        rows, columns = x.shape[-2:]
        kept = keep(cupy.arange(columns) - cupy.arange(rows)[:, None], k)
        return cupy.where(kept, x, cupy.zeros((), dtype=x.dtype))

    return staticmethod(function)


def _frequencies(n: int, d: float, counts: Any, dtype: Any) -> Any:
    return (counts / (n * d)).astype(dtype)


def _fftfreq(n: int, *, d: float, dtype: Any, device: Any) -> Any:
    counts = cupy.arange(n, dtype=np.float64)
    return _frequencies(n, d, cupy.where(counts >= (n + 1) // 2, counts - n, counts), dtype)


def _rfftfreq(n: int, *, d: float, dtype: Any, device: Any) -> Any:
    return _frequencies(n, d, cupy.arange(n // 2 + 1, dtype=np.float64), dtype)


# -- dtypes and shapes ------------------------------------------------------------------------------


def _astype(x: Any, dtype: Any, *, copy: bool) -> Any:
    return x != 0 if dtype.kind == "b" and x.dtype.kind != "b" else x.astype(dtype, copy=copy)


def _reshape(x: Any, shape: Any, *, copy: bool | None = None) -> Any:
    out = x.reshape(shape)
    if copy:
        return out.copy() if out.base is not None or out is x else out
    if copy is False and x.size and not cupy.may_share_memory(x, out):
        raise CopyRequiredError(f"reshape from {x.shape} to {shape} needs a copy here")
    return out


def _roll(x: Any, shift: Any, *, axis: Any) -> Any:
    if axis is None:
        total = sum(shift) if isinstance(shift, tuple) else shift
        return _rolled(x.reshape(-1), total, 0).reshape(x.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    axes = axes * len(shifts) if len(axes) == 1 else axes
    for by, one in zip(shifts, axes, strict=True):
        x = _rolled(x, by, one)
    return x.copy() if not axes else x


def _rolled(x: Any, shift: int, axis: int) -> Any:
    axis = _axis(axis, x.ndim)
    shift %= max(1, x.shape[axis])
    cut, place = (slice(None),) * axis, x.shape[axis] - shift
    return cupy.concatenate((x[(*cut, slice(place, None))], x[(*cut, slice(place))]), axis)


def _axis(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise cupy.exceptions.AxisError(axis, ndim)
    return axis % ndim


_BOOL = np.dtype("bool")


def _concat(arrays: Any, axis: int | None = 0) -> Any:
    """Join arrays; the dtypes of more than two are promoted at once, see ``numpy_like.joining``."""
    if len(arrays) == 2:
        a, b = arrays
        if axis == 0 and a.dtype is b.dtype and a.flags.c_contiguous and b.flags.c_contiguous:
            shape, other = a.shape, b.shape
            if shape and other and shape[1:] == other[1:]:
                return _one_after_the_other(a, b, (shape[0] + other[0], *shape[1:]))
    else:
        arrays = numpy_like.in_one_dtype(arrays)
    return cupy.concatenate(arrays, axis=axis)


def _one_after_the_other(a: Any, b: Any, shape: tuple[int, ...]) -> Any:
    """Copy the memory of two arrays; CuPy runs a kernel for each of them, which takes twice as long to start."""
    out = cupy.ndarray(shape, a.dtype)
    size = a.nbytes
    out.data.copy_from_device_async(a.data, size)
    (out.data + size).copy_from_device_async(b.data, b.nbytes)
    return out


def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Any:
    """Here an array of numbers of repeats stays on the device."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    if type(repeats) is int or not hasattr(repeats, "ndim"):
        return cupy.repeat(x, repeats, axis=axis)
    length = x.shape[_axis(axis, x.ndim)]
    ends = cupy.cumsum(cupy.broadcast_to(repeats.astype(np.int64), (length,)))
    total = int(ends[-1]) if length else 0
    return cupy.take(x, cupy.searchsorted(ends, cupy.arange(total), side="right"), axis=axis)


def _tile(x: Any, times: Any) -> Any:
    return cupy.tile(x, times) if times else x.copy()


def _unstack(x: Any, *, axis: int) -> tuple[Any, ...]:
    moved = cupy.moveaxis(x, axis, 0)
    return tuple(moved[i] for i in range(moved.shape[0]))


# -- indexing ---------------------------------------------------------------------------------------


def _getitem(x: Any, key: Any) -> Any:
    """CuPy takes 0-d masks for integers, or not at all, and an index into an axis of no elements.

    https://github.com/cupy/cupy/issues/645
    """
    return indexing.getitem(cupy, x, key)


def _setitem(x: Any, key: Any, value: Any) -> None:
    """CuPy copies element by element, so that a value which overlaps the target is read after it was written."""
    if type(value) is cupy.ndarray:
        value = value.copy() if cupy.may_share_memory(x, value) else value
    indexing.setitem(cupy, x, key, value)


_ADDED_AS: dict[str, np.dtype[Any]] = {
    "int64": np.dtype("uint64"),
    **dict.fromkeys(("bool", "int8", "int16", "uint8", "uint16"), np.dtype("int32")),
}


def _scatter_add(x: Any, key: Any, values: Any) -> Any:
    """CuPy adds at indices in some dtypes only: narrow integers go by int32, int64 by the bits of uint64.

    Complex numbers are added by parts.
    """
    positions = indexing.scatter_positions(cupy, x, key)
    values = cupy.broadcast_to(cupy.asarray(values).astype(x.dtype), positions.shape).reshape(-1)
    positions = positions.reshape(-1)
    if x.dtype.kind != "c":
        return _added(x, positions, values)
    out = cupy.empty(x.shape, dtype=x.dtype)
    out.real, out.imag = _added(x.real, positions, values.real), _added(x.imag, positions, values.imag)
    return out


def _added(x: Any, positions: Any, values: Any) -> Any:
    """Return ``x`` with values added at positions of its flattened form."""
    work = _ADDED_AS.get(x.dtype.name, x.dtype)
    out = x.reshape(-1).astype(work)
    if positions.size:
        cupy.add.at(out, positions, values.astype(work))
    return out.astype(x.dtype, copy=False).reshape(x.shape)


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    return x.take(indices if indices.dtype.char == "l" else indices.astype(np.int64), axis)


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    axis = _axis(axis, x.ndim)
    keys = []
    for other, length in enumerate(x.shape):
        if other == axis:
            keys.append(indices.astype(np.int64, copy=False))
        else:
            keys.append(cupy.arange(length).reshape((length,) + (1,) * (x.ndim - other - 1)))
    return x[tuple(keys)]


# -- searching, sorting, sets -----------------------------------------------------------------------


def _where(condition: Any, x1: Any, x2: Any) -> Any:
    if type(condition) is cupy.ndarray and condition.dtype is _BOOL:
        return _chosen(condition, x1, x2)
    return cupy.where(condition, x1, x2)


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """CuPy compares different dtypes by the rules of C; here in their common dtype."""
    dtype = promote(x1.dtype, x2.dtype)
    x1 = x1 if sorter is None else cupy.take(x1, sorter.astype(np.int64, copy=False))
    return cupy.searchsorted(x1.astype(dtype, copy=False), x2.astype(dtype, copy=False), side=side)


def _argsort(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    if not x.size:
        return cupy.empty(x.shape, dtype=np.int64)
    return numpy_like.argsort(cupy, x, axis=axis, descending=descending, stable=True)


def _sort(x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    return numpy_like.sort(cupy, x, axis=axis, descending=descending, stable=True) if x.size else x.copy()


def _isin(x1: Any, x2: Any, *, invert: bool) -> Any:
    dtype = promote(x1.dtype, x2.dtype)
    wanted, known = x1.astype(dtype), cupy.sort(x2.reshape(-1).astype(dtype))
    if not known.size:
        return cupy.full(x1.shape, invert)
    places = cupy.minimum(cupy.searchsorted(known, wanted), known.size - 1)
    found = known[places] == wanted
    return ~found if invert else found


# -- statistics -------------------------------------------------------------------------------------


def _sums(reduce: Any) -> Any:
    """Reduce by the method of the array: the function adds nothing but time, as does each call between on one axis."""

    def function(x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
        if axis == ():
            return x.astype(numpy_like.total_dtype(x.dtype) if dtype is None else dtype)
        x = x if dtype is None else x.astype(dtype, copy=False)
        return reduce(x, axis, dtype, None, keepdims)

    def total(x: Any, *, axis: Any, dtype: Any, keepdims: bool) -> Any:
        if dtype is None and type(axis) is int and x.dtype is not numpy_like.HALF:
            try:
                return reduce(x, axis, None, None, keepdims)
            except IndexError:  # no such axis, which ``general`` knows more of
                pass
        return general(x, axis=axis, dtype=dtype, keepdims=keepdims)

    general = numpy_like.of_numbers(numpy_like.in_single(function)).__func__
    return staticmethod(total)


def _reduced(function: Any, bools: bool = False) -> Any:
    """Reduce; CuPy takes an empty tuple of axes for all axes."""

    def reduce(x: Any, *, axis: Any, keepdims: bool) -> Any:
        if axis == ():
            return x != 0 if bools else x.copy()
        return function(x, axis, None, keepdims)

    return numpy_like.of_numbers(reduce)


def _index(function: Any) -> Any:
    def index(x: Any, *, axis: Any, keepdims: bool) -> Any:
        found = function(x, axis=axis)
        if not keepdims:
            return found
        return cupy.expand_dims(found, axis) if axis is not None else found.reshape((1,) * x.ndim)

    return numpy_like.of_numbers(index)


def _count_nonzero(x: Any, *, axis: Any, keepdims: bool) -> Any:
    hits = (x != 0).astype(np.int64)
    return hits if axis == () else cupy.sum(hits, axis=axis, keepdims=keepdims)


def _mean(x: Any, *, axis: Any, keepdims: bool) -> Any:
    """CuPy's mean of nothing raises; here it is NaN."""
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    if axis == ():
        return x.copy()
    work = np.dtype("float32") if x.dtype.itemsize == 2 else x.dtype
    total = cupy.sum(x.astype(work, copy=False), axis=axis, keepdims=keepdims)
    return (total / float(_count(x, axis))).astype(x.dtype, copy=False)


def _count(x: Any, axis: Any) -> int:
    """Return how many elements go into one of a reduction over ``axis``."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(x.shape[one] for one in axes)


def _var(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    """CuPy takes a whole number for the correction."""
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    apart = cupy.absolute(x - _mean(x, axis=axis, keepdims=True))
    squares = apart * apart
    total = squares if axis == () else cupy.sum(squares, axis=axis, keepdims=keepdims)
    return total / float(max(_count(x, axis) - correction, 0))


def _std(x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    return cupy.sqrt(_var(x, axis=axis, correction=correction, keepdims=keepdims))


def _cumulative(scan: Any, first: int) -> Any:
    def function(x: Any, *, axis: int | None, dtype: Any, include_initial: bool) -> Any:
        if axis is None and x.ndim > 1:
            raise ValueError(f"axis is required for {x.ndim} dimensions")
        axis = _axis(0 if axis is None else axis, x.ndim)
        to = numpy_like.total_dtype(x.dtype) if dtype is None else dtype
        x = x.astype(to, copy=False)
        out = scan(x, axis=axis, dtype=to) if x.size else x.copy()
        if not include_initial:
            return out
        edge = cupy.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), first, dtype=to)
        return cupy.concatenate((edge, out), axis=axis)

    return numpy_like.in_single(function)


class OtherFunctions:
    """All pages of the standard but the element-wise one and the extensions."""

    all = _reduced(cupy.ndarray.all, bools=True)
    any = _reduced(cupy.ndarray.any, bools=True)
    arange = staticmethod(_arange)
    argmax = _index(cupy.argmax)
    argmin = _index(cupy.argmin)
    argsort = staticmethod(_argsort)
    astype = staticmethod(_astype)
    broadcast_arrays = staticmethod(cupy.broadcast_arrays)
    broadcast_to = staticmethod(cupy.broadcast_to)
    concat = staticmethod(_concat)
    copy = composed(numpy_like.copy)
    count_nonzero = numpy_like.of_numbers(_count_nonzero)
    cumulative_prod = _cumulative(cupy.cumprod, 1)
    cumulative_sum = _cumulative(cupy.cumsum, 0)
    diff = composed(numpy_like.diff)
    empty = _filled(cupy.empty)
    expand_dims = staticmethod(cupy.expand_dims)
    eye = staticmethod(_eye)
    fft_fftfreq = staticmethod(_fftfreq)
    fft_rfftfreq = staticmethod(_rfftfreq)
    flip = staticmethod(cupy.flip)
    full = staticmethod(_full)
    getitem = staticmethod(_getitem)
    isin = sets.isin(cupy, _isin)
    linspace = staticmethod(_linspace)
    max = _reduced(cupy.ndarray.max)
    mean = numpy_like.of_numbers(_mean)
    meshgrid = staticmethod(cupy.meshgrid)
    min = _reduced(cupy.ndarray.min)
    moveaxis = staticmethod(cupy.moveaxis)
    nonzero = staticmethod(cupy.nonzero)
    ones = _filled(cupy.ones)
    permute_dims = staticmethod(cupy.transpose)
    prod = _sums(cupy.ndarray.prod)
    repeat = staticmethod(_repeat)
    reshape = staticmethod(_reshape)
    roll = staticmethod(_roll)
    scatter_add = staticmethod(_scatter_add)
    searchsorted = staticmethod(_searchsorted)
    setitem = staticmethod(_setitem)
    sort = staticmethod(_sort)
    squeeze = staticmethod(cupy.squeeze)
    stack = numpy_like.joining(cupy.stack)
    std = numpy_like.of_numbers(numpy_like.in_single(_std))
    sum = _sums(cupy.ndarray.sum)
    take = staticmethod(_take)
    take_along_axis = staticmethod(_take_along_axis)
    tile = staticmethod(_tile)
    tril = _triangle(operator.le)
    triu = _triangle(operator.ge)
    # CuPy merges NaNs and flattens the inverse.
    unique_all = composed(sets.unique_all)
    unique_counts = composed(sets.unique_counts)
    unique_inverse = composed(sets.unique_inverse)
    unique_values = composed(sets.unique_values)
    unstack = staticmethod(_unstack)
    var = numpy_like.of_numbers(numpy_like.in_single(_var))
    where = staticmethod(_where)
    zeros = _filled(cupy.zeros)
