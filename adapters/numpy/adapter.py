"""The adapter of NumPy."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.adapter import composed
from burn_array.errors import CopyRequiredError, DTypeError

from ..common import numpy_like
from ..common import set_functions as sets
from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import HALF
from ..common.random import RandomExtension
from ..common.special import SpecialFunctions
from .fft import FourierExtension

_DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
)


def _undispatched(function: Any) -> Any:
    """Return what a function of NumPy does once it has found no ``__array_function__`` among its operands.

    Native values are NumPy's own arrays, so that there is none; the search takes as long as a short call.
    """
    return getattr(function, "_implementation", function)


def _copy(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.array(x, copy=True)


def _held(x: Any, dtype: Any) -> Any:
    """Return a Python number as it is in a floating dtype, in which it may be infinite."""
    if type(x) is np.ndarray or abs(x) <= 65504:
        return x
    with np.errstate(over="ignore"):
        return np.asarray(x, dtype=dtype)


def _floor_divide(x1: Any, x2: Any) -> Any:
    """NumPy follows Python's ``//`` at infinities; the standard takes the floor of the quotient.

    https://github.com/numpy/numpy/issues/23860, last seen in 2.4.6.
    """
    out = np.floor_divide(x1, x2)
    if out.dtype.kind != "f":
        return out
    if out.dtype.itemsize < 8 or type(x1) is int or type(x2) is int:
        x1, x2 = _held(x1, out.dtype), _held(x2, out.dtype)
    if (np.isfinite(x1) & np.isfinite(x2)).all():
        return out
    with np.errstate(all="ignore"):
        return np.where(np.isinf(x1) | np.isinf(x2), np.divide(x1, x2), out).astype(out.dtype, copy=False)


def _pow(x1: Any, x2: Any) -> Any:
    """NumPy takes the square root for one exponent of 0.5, which differs at -infinity and at -0.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.power.html), last seen in
    2.4.6.
    """
    if type(x2) is int and x2 == 2 and x1.dtype.kind == "f":
        return np.square(x1)  # the same, sooner
    out = np.power(x1, x2)
    if type(x2) is int or (type(x2) is float and x2 != 0.5) or out.dtype.kind != "f":
        return out
    if type(x2) is np.ndarray and x2.shape == out.shape and 0 not in x2.strides and x2.ndim:
        return out
    half = np.equal(x2, 0.5)
    out = np.where(half & (x1 == -np.inf), np.inf, np.where(half & (out == 0), 0.0, out))
    return out.astype(np.result_type(x1, x2), copy=False)


def _expm1(x: Any) -> Any:
    """NumPy subtracts parts of complex infinities and keeps the sign of a real zero.

    The standard gives ``exp(x) - 1`` for the first and +0 for the second.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.expm1.html), last seen
    in 2.4.6.
    """
    out = np.expm1(x)
    if out.dtype.kind != "c":
        return out
    with np.errstate(all="ignore"):
        out = np.where(np.isfinite(x), out, np.exp(x) - 1)
    out.real[...] += 0.0
    return out


def _tanh(x: Any) -> Any:
    """NumPy signs the zero of ``tanh(inf + yj)`` as C99 does; the standard by the sign of ``y``.

    https://github.com/data-apis/array-api/issues/1006, last seen in 2.4.6.
    """
    out = np.tanh(x)
    if out.dtype.kind != "c":
        return out
    zero = np.copysign(np.zeros_like(out.imag), np.imag(x))
    imag = np.where(np.isinf(np.real(x)) & np.isfinite(np.imag(x)), zero, out.imag)
    out = np.asarray(out)
    out.imag = imag
    return out


def _unique_values(x: Any) -> Any:
    """NumPy gives the values in the order of a hash table; here they are ascending on every device.

    https://github.com/numpy/numpy/pull/26018, last seen in 2.4.6.
    """
    return np.unique(x, equal_nan=False)


def _eig(x: Any) -> tuple[Any, Any]:
    """NumPy gives real eigenvalues where all are; the standard wants them complex, always.

    https://github.com/numpy/numpy/issues/29000, last seen in 2.4.6.
    """
    values, vectors = np.linalg.eig(x)
    to = np.result_type(values, np.complex64)
    return values.astype(to, copy=False), vectors.astype(to, copy=False)


def _eigvals(x: Any) -> Any:
    """As ``_eig``."""
    values = np.linalg.eigvals(x)
    return values.astype(np.result_type(values, np.complex64), copy=False)


def _pinv(x: Any, *, rtol: Any) -> Any:
    """NumPy asks integers for the precision of their dtype, which they have not; its other functions make doubles.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.linalg.pinv.html), last seen in
    2.4.6.
    """
    return np.linalg.pinv(x.astype(np.float64) if x.dtype.kind in "biu" else x, rtol=rtol)


def _real(x: Any) -> Any:
    """NumPy orders complex numbers by their parts; by the standard they have no order, as in other libraries.

    https://numpy.org/doc/stable/reference/generated/numpy.sort.html, last seen in 2.4.6.
    """
    if x.dtype.kind == "c":
        raise DTypeError("complex numbers have no order; sort or compare abs(x), real(x) or imag(x)")
    return x


def _max(x: Any, *, axis: Any, keepdims: Any) -> Any:
    """Also faster than the namesake."""
    return np.maximum.reduce(_real(x), axis=axis, keepdims=keepdims)


def _broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """A single number, the cotangent of every sum, needs none of the checks of the namesake."""
    if x.ndim:
        return np.broadcast_to(x, shape)
    out = np.ndarray(shape, x.dtype, x, strides=(0,) * len(shape))
    out.flags.writeable = False
    return out


def _ones(shape: tuple[int, ...], *, dtype: Any, device: Any) -> Any:
    """As NumPy does it, whose own function asks itself for overrides twice."""
    out = np.empty(shape, dtype)
    out.fill(1)
    return out


_add = np.add.reduce


def _sum(x: Any, *, axis: Any, dtype: Any, keepdims: Any) -> Any:
    """Also faster than the namesake. Half precision as in ``in_single``, without a copy."""
    if x.dtype is HALF and (dtype is None or dtype is HALF):
        with np.errstate(over="ignore"):
            return _add(x, axis=axis, dtype=np.float32, keepdims=keepdims).astype(HALF)
    return _add(x, axis=axis, dtype=dtype, keepdims=keepdims)


def _min(x: Any, *, axis: Any, keepdims: Any) -> Any:
    return np.minimum.reduce(_real(x), axis=axis, keepdims=keepdims)


def _argmax(x: Any, *, axis: Any, keepdims: Any) -> Any:
    return np.argmax(_real(x), axis=axis, keepdims=keepdims)


def _argmin(x: Any, *, axis: Any, keepdims: Any) -> Any:
    return np.argmin(_real(x), axis=axis, keepdims=keepdims)


def _sort(x: Any, **settings: Any) -> Any:
    return numpy_like.sort(np, _real(x), **settings)


def _argsort(x: Any, **settings: Any) -> Any:
    return numpy_like.argsort(np, _real(x), **settings)


def _searchsorted(x1: Any, x2: Any, *, side: Any, sorter: Any) -> Any:
    """NumPy sees an index of ``sorter`` outside of the array only where the search comes by; PyTorch sees all.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.searchsorted.html), last seen in
    2.4.6.
    """
    return np.searchsorted(_real(x1) if sorter is None else np.take(_real(x1), sorter), _real(x2), side=side)


_choose = _undispatched(np.where)


def _where(condition: Any, x1: Any, x2: Any) -> Any:
    """NumPy wraps a Python int that does not fit the other operand; everywhere else it raises.

    https://github.com/numpy/numpy/issues/27006, last seen in 2.4.6.
    """
    if type(x1) is int and isinstance(x2, np.ndarray):
        x1 = np.asarray(x1, dtype=np.result_type(x1, x2))
    elif type(x2) is int and isinstance(x1, np.ndarray):
        x2 = np.asarray(x2, dtype=np.result_type(x1, x2))
    return _choose(condition, x1, x2)


def _setitem(x: Any, key: Any, value: Any) -> None:
    """NumPy copies between overlapping parts of a vector element by element, and so reads what it has written.

    https://github.com/numpy/numpy/issues/6272, last seen in 2.4.6.
    """
    if (
        type(value) is np.ndarray
        and (value.base is not None or x.base is value)
        and np.may_share_memory(x, value)
    ):
        value = value.copy()
    x[key] = value


_IN_PLACE = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "pow": np.power,
}
"""What is computed within the memory of floats; the ufuncs themselves mind operands that overlap."""


class NumpyAdapter(FourierExtension, RandomExtension, SpecialFunctions):
    """NumPy, in the memory of the host."""

    name = "numpy"
    library = np
    array_type = np.ndarray
    native_device = "cpu"
    special_library = "scipy.special"
    errors = NUMPY_ERRORS
    dtypes = {np.dtype(name): np.dtype(name) for name in _DTYPES.split()}
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]

    def __init__(self, suffix: str) -> None:
        if suffix not in ("", "cpu"):
            raise self.absent(suffix)
        super().__init__("")

    def adopt(self, value: Any) -> np.ndarray[Any, Any]:
        return np.asarray(value)

    def in_place(self, name: str, native: Any, other: Any) -> bool:
        ufunc = _IN_PLACE.get(name)
        if ufunc is None or native.dtype.kind != "f":
            return False
        if type(other) is np.ndarray and (other.dtype != native.dtype or name == "pow"):
            return False
        if name == "pow" and other == 0.5:
            return False
        try:
            if name == "pow" and other == 2:
                np.square(native, native)
            else:
                ufunc(native, other, native)
        except (OverflowError, ValueError):
            return False
        return True

    def memory(self, native: Any) -> tuple[Any, Any]:
        base = native.base
        owner = base if type(base) is np.ndarray else native
        return owner, owner

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        return native

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        return _copy(array) if copy else np.asarray(array)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        try:
            return np.from_dlpack(exporter, copy=copy)
        except ValueError as error:
            raise CopyRequiredError(str(error)) from error

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        return _undispatched(super().find(name))

    # -- indexing -----------------------------------------------------------------------------

    getitem = operator.getitem
    setitem = staticmethod(_setitem)
    copy = staticmethod(_copy)
    scatter_add = composed(numpy_like.scatter_add)

    # -- faster than the namesake --------------------------------------------------------------

    sum = staticmethod(_sum)
    prod = np.multiply.reduce
    matrix_transpose = operator.attrgetter("mT")
    broadcast_to = staticmethod(_broadcast_to)
    ones = staticmethod(_ones)
    reshape = staticmethod(lambda x, shape, **copy: x.reshape(shape, **copy))

    # -- what NumPy names or does otherwise -----------------------------------------------------

    cumulative_prod = numpy_like.in_single(_undispatched(np.cumulative_prod))
    cumulative_sum = numpy_like.in_single(_undispatched(np.cumulative_sum))
    linalg_matrix_norm = numpy_like.norm_in_single(_undispatched(np.linalg.matrix_norm))
    linalg_vector_norm = numpy_like.of_numbers(numpy_like.in_single(_undispatched(np.linalg.vector_norm)))
    mean = numpy_like.of_numbers(_undispatched(np.mean))
    std = numpy_like.of_numbers(numpy_like.in_single(_undispatched(np.std)))
    var = numpy_like.of_numbers(numpy_like.in_single(_undispatched(np.var)))
    astype = staticmethod(lambda x, dtype, *, copy: x.astype(dtype, copy=copy))
    floor_divide = staticmethod(_floor_divide)
    pow = staticmethod(_pow)
    expm1 = staticmethod(_expm1)
    tanh = staticmethod(_tanh)
    unique_values = staticmethod(_unique_values)
    linalg_eig = staticmethod(_eig)
    linalg_eigvals = staticmethod(_eigvals)
    argsort = staticmethod(_argsort)
    sort = staticmethod(_sort)
    argmax = staticmethod(_argmax)
    argmin = staticmethod(_argmin)
    max = staticmethod(_max)
    min = staticmethod(_min)
    isin = sets.isin(np, _undispatched(np.isin))
    searchsorted = staticmethod(_searchsorted)
    where = staticmethod(_where)
    diff = composed(numpy_like.diff)
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = composed(numpy_like.qr)
    fft_fftfreq = composed(numpy_like.fftfreq)
    fft_rfftfreq = composed(numpy_like.rfftfreq)
