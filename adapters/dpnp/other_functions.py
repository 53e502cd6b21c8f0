"""The other functions of dpnp that differ from the standard, or from NumPy where the standard is silent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from burn_array.adapter import composed
from burn_array.errors import ArrayIndexError, ShapeError

from ..common import indexing as indexing
from ..common import numpy_like
from ..common import set_functions as sets
from . import moves as moves
from ._imports import dpnp
from .elementwise_functions import where


def _copy(x: Any) -> Any:
    return dpnp.array(x, copy=True, order="C")


def _arange(start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """dpnp multiplies within half precision, in which a step may be infinite: the first number is then NaN.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.arange.html), last seen in
    0.20.0.
    """
    if dtype != numpy_like.HALF:
        return dpnp.arange(start, stop, step, dtype=dtype, device=device)
    return dpnp.arange(start, stop, step, dtype=np.float32, device=device).astype(numpy_like.HALF)


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: Any, endpoint: bool) -> Any:
    """dpnp rounds on the way, so that floors of whole numbers are one less; NumPy's integers come from the host.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.linspace.html), last seen in
    0.20.0.
    """
    if dtype.kind not in "iu":
        return dpnp.linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
    return dpnp.asarray(np.linspace(start, stop, num, dtype=dtype, endpoint=endpoint), device=device)


def _concat(arrays: Any, *, axis: int | None = 0) -> Any:
    if axis is not None and any(x.ndim == 0 for x in arrays):  # dpnp says only that it lacks the axis
        raise ShapeError("zero-dimensional arrays cannot be joined; use stack")
    return dpnp.concat(arrays, axis=axis)


def _as_complex(x: Any) -> Any:
    return x if x.dtype.kind == "c" else x.astype(np.result_type(x.dtype, np.complex64))


def _eig(x: Any) -> tuple[Any, Any]:
    """dpnp gives real eigenvalues where all are, as NumPy, which it calls for this; the standard has complex ones.

    https://github.com/numpy/numpy/issues/29000, last seen in 0.20.0.
    """
    values, vectors = dpnp.linalg.eig(x)
    return _as_complex(values), _as_complex(vectors)


def _product(function: Any) -> Any:
    """dpnp refuses operands that are broadcast along an axis.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.matmul.html), last seen in
    0.20.0.
    """

    def product(x1: Any, x2: Any, **settings: Any) -> Any:
        for x in (x1, x2):
            if type(x) is not dpnp.ndarray:
                raise ShapeError("numbers are not multiplied as matrices; use multiply")
        whole = (dpnp.ascontiguousarray(x) if 0 in x.strides else x for x in (x1, x2))
        return function(*whole, **settings)

    return numpy_like.product_in_single(product)


def _pinv(x: Any, *, rtol: Any) -> Any:
    """dpnp takes ``max(M, N)`` times the epsilon of double precision by default, for single precision as well.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.linalg.pinv.html), last seen
    in 0.20.0.
    """
    x = x.astype(np.float64) if x.dtype.kind in "biu" else x
    return dpnp.linalg.pinv(x, rtol=max(x.shape[-2:]) * dpnp.finfo(x.dtype).eps if rtol is None else rtol)


def _scatter_add(x: Any, key: Any, values: Any) -> Any:
    """dpnp has no ``add.at``: sums per position are counted, in doubles, and complex numbers by parts."""
    positions = indexing.scatter_positions(dpnp, x, key)
    values = dpnp.broadcast_to(dpnp.asarray(values, sycl_queue=x.sycl_queue), positions.shape)
    if values.dtype.kind == "c":
        sums = dpnp.empty_like(x)
        sums.real, sums.imag = (_sums(positions, part, x) for part in (values.real, values.imag))
        return x + sums
    return x + _sums(positions, values, x).astype(x.dtype)


def _sums(positions: Any, values: Any, x: Any) -> Any:
    size = math.prod(x.shape)
    if not positions.size or not size:
        return dpnp.zeros_like(x, dtype=values.dtype)
    sums = dpnp.bincount(positions.reshape(-1), weights=values.reshape(-1), minlength=size)
    return sums.reshape(x.shape)


# -- indexing --------------------------------------------------------------------------------------


def _check_range(indices: Any, length: int) -> None:
    """dpnp takes the nearest element for an index outside of the array; NumPy and the other libraries raise.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.take.html), last seen in
    0.20.0.
    """
    if not indices.size:
        return
    host = moves.host_view(indices) if indices.sycl_device.is_cpu else indices
    least, greatest = int(host.min()), int(host.max())
    if least < -length or greatest >= length:
        wrong = greatest if greatest >= length else least
        raise ArrayIndexError(f"index {wrong} is out of bounds for an axis of length {length}")


def _take(x: Any, indices: Any, *, axis: int) -> Any:
    _check_range(indices, x.shape[axis])
    return dpnp.take(x, indices, axis=axis)


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    _check_range(indices, x.shape[axis])
    return dpnp.take_along_axis(x, indices, axis=axis)


def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Any:
    """As ``_take``: an index of ``sorter`` outside of the array counts as the nearest; many bools get wrong places.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.searchsorted.html), last seen
    in 0.20.0.
    """
    x1 = x1 if sorter is None else _take(x1, sorter, axis=0)
    if x1.dtype.kind == x2.dtype.kind == "b":
        x1, x2 = x1.astype(np.uint8), x2.astype(np.uint8)
    return dpnp.searchsorted(x1, x2, side=side)


def _getitem(x: Any, key: Any) -> Any:
    if type(key) is int or type(key) is slice:
        return x[key]
    view, arrays = _split(x, key)
    return view[arrays] if arrays else view


def _split(x: Any, key: Any) -> tuple[Any, tuple[Any, ...]]:
    view, arrays = indexing.split(dpnp, x, key)
    if arrays and not all(_is_safe(one) for one in (key if type(key) is tuple else (key,))):
        placed = [one for one in zip(arrays, view.shape, strict=False) if type(one[0]) is not slice]
        if all(index.size for index, _ in placed):  # an empty one leaves nothing to pick to the others
            for index, length in placed:
                _check_range(index, length)
    return view, arrays


def _is_safe(key: Any) -> bool:
    """Return whether a part of a key cannot name an element that is not there."""
    return type(key) is not int and (type(key) is not dpnp.ndarray or key.dtype.kind == "b")


def _setitem(x: Any, key: Any, value: Any) -> None:
    """dpnp refuses a value or an index that overlaps the array; by the standard the value is read first.

    It also stores numbers that are none, or too large, in integers; NumPy and the other libraries raise.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/ndarray.html), last seen in 0.20.0.
    """
    value = indexing.stored(value, x.dtype)
    try:
        _put(x, key, value)
    except ValueError as error:
        if "overlapping" not in str(error):
            raise
        keys = tuple(map(_apart, key)) if type(key) is tuple else _apart(key)
        _put(x, keys, _apart(value))


def _put(x: Any, key: Any, value: Any) -> None:
    view, arrays = _split(x, key)
    view[arrays or ...] = indexing.fitted(value, view, arrays)


def _apart(operand: Any) -> Any:
    return _copy(operand) if type(operand) is dpnp.ndarray else operand


# -- statistics ------------------------------------------------------------------------------------


def _spread(function: Any) -> Any:
    """dpnp gives NaN where the correction is not less than the number of elements; NumPy and PyTorch divide by zero.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.var.html), last seen in
    0.20.0.
    """

    def spread(x: Any, *, axis: Any, correction: Any, keepdims: Any) -> Any:
        axes = range(x.ndim) if axis is None else axis if type(axis) is tuple else (axis,)
        if correction < math.prod(x.shape[one] for one in axes):
            return function(x, axis=axis, correction=correction, keepdims=keepdims)
        return function(x, axis=axis, correction=0, keepdims=keepdims) / 0.0

    return numpy_like.in_single(spread)


def _first_extreme(function: Any) -> Any:
    """dpnp gives the last of several NaNs; the standard wants the first.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.argmax.html), last seen
    in 0.20.0.
    """

    def extreme(x: Any, *, axis: Any, keepdims: Any) -> Any:
        found = function(x, axis=axis, keepdims=keepdims)
        if x.dtype.kind != "f":
            return found
        nans = dpnp.isnan(x)
        first = dpnp.argmax(nans.astype("uint8"), axis=axis, keepdims=keepdims)
        return where(dpnp.any(nans, axis=axis, keepdims=keepdims), first, found)

    return staticmethod(extreme)


def _transform(name: str, overwrites: bool = False) -> Any:
    """dpnp takes an array that is broadcast along an axis for a whole one: wrong numbers, or an error.

    The real transforms back (``overwrites``) leave other numbers in the array that they were given, where fewer points
    are asked for. Of nothing dpnp makes arrays of other shapes and dtypes.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/fft.html), last seen in 0.20.0.
    """
    own = getattr(dpnp.fft, name)

    def transform(x: Any, **settings: Any) -> Any:
        if not x.size:
            shape, dtype = numpy_like.transform_of_nothing(name, x, **settings)
            return dpnp.zeros(shape, dtype=dtype, sycl_queue=x.sycl_queue)
        return own(_copy(x) if overwrites or 0 in x.strides else x, **settings)

    return staticmethod(transform)


def _copied(function: Any) -> Any:
    """Let a function have a row-major copy of its array: dpnp writes into some, and refuses other strides.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/linalg.html), last seen in 0.20.0.
    """
    return staticmethod(lambda x, *args: function(_copy(x), *args))


def _norm(function: Any) -> Any:
    """dpnp gives complex norms of complex arrays that are empty.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/linalg.html), last seen in 0.20.0.
    """

    def norm(x: Any, **settings: Any) -> Any:
        found = function(x, **settings)
        return found.real if found.dtype.kind == "c" else found

    return norm


class OtherFunctions:
    """All pages of the standard but the element-wise one."""

    all = numpy_like.of_numbers(dpnp.all)
    any = numpy_like.of_numbers(dpnp.any)
    arange = staticmethod(_arange)
    argmax = numpy_like.of_numbers(_first_extreme(dpnp.argmax))
    argmin = numpy_like.of_numbers(_first_extreme(dpnp.argmin))
    concat = numpy_like.joining(_concat)
    copy = staticmethod(_copy)
    count_nonzero = numpy_like.of_numbers(dpnp.count_nonzero)
    cumulative_prod = numpy_like.in_single(dpnp.cumulative_prod)
    cumulative_sum = numpy_like.in_single(dpnp.cumulative_sum)
    diff = composed(numpy_like.diff)
    fft_fft = _transform("fft")
    fft_fftn = _transform("fftn")
    fft_hfft = _transform("hfft")
    fft_ifft = _transform("ifft")
    fft_ifftn = _transform("ifftn")
    fft_ihfft = _transform("ihfft")
    fft_irfft = _transform("irfft", overwrites=True)
    fft_irfftn = _transform("irfftn", overwrites=True)
    fft_rfft = _transform("rfft")
    fft_rfftn = _transform("rfftn")
    getitem = staticmethod(_getitem)
    isin = sets.isin(dpnp, dpnp.isin)
    linalg_eig = staticmethod(_eig)
    linalg_eigvalsh = _copied(dpnp.linalg.eigvalsh)
    linalg_eigvals = staticmethod(lambda x: _as_complex(dpnp.linalg.eigvals(x)))
    linalg_matrix_norm = numpy_like.norm_in_single(_norm(dpnp.linalg.matrix_norm))
    linalg_matrix_power = _copied(dpnp.linalg.matrix_power)
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = composed(numpy_like.qr)
    linalg_trace = numpy_like.in_single(dpnp.linalg.trace)
    linalg_vector_norm = numpy_like.of_numbers(numpy_like.in_single(_norm(dpnp.linalg.vector_norm)))
    linspace = staticmethod(_linspace)
    matmul = _product(dpnp.matmul)
    max = numpy_like.of_numbers(dpnp.max)
    mean = numpy_like.of_numbers(numpy_like.in_single(dpnp.mean))
    min = numpy_like.of_numbers(dpnp.min)
    prod = numpy_like.of_numbers(numpy_like.in_single(dpnp.prod))
    scatter_add = staticmethod(_scatter_add)
    searchsorted = staticmethod(_searchsorted)
    setitem = staticmethod(_setitem)
    stack = numpy_like.joining(dpnp.stack)
    std = numpy_like.of_numbers(_spread(dpnp.std))
    sum = numpy_like.of_numbers(numpy_like.in_single(dpnp.sum))
    take = staticmethod(_take)
    take_along_axis = staticmethod(_take_along_axis)
    tensordot = _product(dpnp.tensordot)
    # dpnp gives all NaNs the index of the first in the inverse; by the standard they are distinct. No upstream
    # issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    unique_all = composed(sets.unique_all)
    unique_inverse = composed(sets.unique_inverse)
    var = numpy_like.of_numbers(_spread(dpnp.var))
    vecdot = _product(dpnp.vecdot)
    where = staticmethod(where)
