"""Functions for NumPy and the libraries modelled on it, made of the library's own functions.

A function whose first parameter is ``lib`` takes the library there; ``composed`` in the class body of an adapter
passes it. A function whose parameter is ``function`` returns a corrected form of that function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

_NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
DTYPES: Mapping[np.dtype[Any], np.dtype[Any]] = {np.dtype(name): np.dtype(name) for name in _NAMES.split()}
"""The dtypes of these libraries. Their native dtypes are NumPy's."""

HALF = np.dtype("float16")


def as_complex(x: Any) -> Any:
    """Return ``x`` with a complex dtype of the same precision; complex arrays are returned unchanged."""
    return x if x.dtype.kind == "c" else x.astype(np.result_type(x.dtype, np.complex64))


def total_dtype(dtype: Any) -> Any:
    """Return the dtype in which NumPy sums an array of ``dtype``."""
    return {"b": np.dtype("int64"), "i": np.dtype("int64"), "u": np.dtype("uint64")}.get(dtype.kind, dtype)


def in_single(function: Any) -> Any:
    """Return ``function`` of one array such that float16 is computed in float32 and rounded at the end.

    NumPy and dpnp accumulate in float16, whose largest number is 65504 and which holds whole numbers up to 2048; CuPy
    does so in ``cumsum`` and ``cumprod``. The standard leaves the precision open; NumPy's own ``mean`` and the sums of
    PyTorch use float32.

    No upstream issue is known; last seen in NumPy 2.4.6, CuPy 14.2.0 and dpnp 0.20.0. Canaries: ``sum``, ``prod``,
    ``mean``, ``std``, ``var``, ``cumulative_sum``, ``cumulative_prod``, ``linalg.trace`` and ``linalg.vector_norm``.
    """

    def precise(x: Any, /, **settings: Any) -> Any:
        if x.dtype is not HALF:
            return function(x, **settings)
        if settings.get("dtype") is HALF:
            settings["dtype"] = None
        elif settings.get("dtype") is not None:
            return function(x, **settings)
        with np.errstate(over="ignore"):
            return function(x.astype(np.float32), **settings).astype(HALF)

    return staticmethod(precise)


def allow_axis_of_0d(function: Any) -> Any:
    """Return the reduction ``function`` such that a 0-d array may be reduced over the axes 0 and -1.

    NumPy's means and norms, and all reductions of CuPy and dpnp, refuse these axes. The standard leaves this open;
    NumPy's sums and extremes, and PyTorch, accept them and return the element itself.

    https://github.com/cupy/cupy/issues/8748, last seen in NumPy 2.4.6, CuPy 14.2.0 and dpnp 0.20.0. The test of these
    canaries is ``test_canary_of_an_axis_of_a_0d_array``.
    """
    function = getattr(function, "__func__", function)

    def reduce(x: Any, /, *, axis: Any = None, **settings: Any) -> Any:
        try:
            return function(x, axis=axis, **settings)
        except IndexError:
            if x.ndim or axis not in (0, -1):
                raise
            return function(x, axis=None, **settings)

    return staticmethod(reduce)


def product_in_single(function: Any) -> Any:
    """Return ``function`` of two arrays, a product, such that float16 is computed in float32 and rounded at the end.

    CuPy accumulates products in float16, and dpnp refuses vectors of float16. The standard takes every numeric dtype
    and leaves the precision open; NumPy accumulates in float32.

    No upstream issue is known; last seen in CuPy 14.2.0 and dpnp 0.20.0. Canaries: ``matmul``, ``tensordot`` and
    ``vecdot``.
    """

    def product(x1: Any, x2: Any, **settings: Any) -> Any:
        # A Python number has no dtype; ``function`` refuses it.
        dtypes = [getattr(x, "dtype", None) for x in (x1, x2)]
        if HALF not in dtypes or None in dtypes or np.result_type(*dtypes) != HALF:
            return function(x1, x2, **settings)
        return function(x1.astype(np.float32), x2.astype(np.float32), **settings).astype(HALF)

    return staticmethod(product)


def transform_of_nothing(name: str, x: Any, **settings: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and dtype of the Fourier transform ``name`` of an array without elements.

    The values of such a transform are all zero.
    """
    like = getattr(np.fft, name)(np.empty(x.shape, x.dtype), **settings)
    single = x.dtype.kind in "fc" and x.dtype.itemsize <= (8 if x.dtype.kind == "c" else 4)
    precision = np.dtype("float32" if single else "float64")
    return like.shape, np.result_type(precision, np.complex64) if like.dtype.kind == "c" else precision


def norm_in_single(function: Any) -> Any:
    """Return ``matrix_norm`` such that float16 is computed in float32, see :func:`in_single`.

    Norms made of singular values get float16 unchanged, so that the library refuses it as in ``svd``. Canary:
    ``linalg.matrix_norm``.
    """
    precise = in_single(function).__func__

    def norm(x: Any, /, *, keepdims: bool, ord: Any) -> Any:
        return (function if ord in (2, -2, "nuc") else precise)(x, keepdims=keepdims, ord=ord)

    return staticmethod(norm)


def argsort(lib: Any, x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Return the indices that sort ``x``; equal elements keep their order, also when descending."""
    if not descending:
        return lib.argsort(x, axis=axis, kind="stable" if stable else None)
    reversed_ = lib.flip(lib.argsort(lib.flip(x, axis=axis), axis=axis, kind="stable"), axis=axis)
    return x.shape[axis] - 1 - reversed_


def sort(lib: Any, x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Return ``x`` sorted along an axis."""
    values = lib.sort(x, axis=axis, kind="stable" if stable else None)
    return lib.flip(values, axis=axis) if descending else values


def joining(function: Any) -> Any:
    """Return ``function``, which is ``concat`` or ``stack``, such that all dtypes are promoted at once.

    dpnp promotes two dtypes at a time, in the order of the arrays, so int16, uint16 and float32 become float64. CuPy
    promotes them in the order of a set, which can change from one process to the next, so CuPy has no canary. By the
    standard the result has the dtype to which all of them promote, float32 here.

    No upstream issue is known; last seen in dpnp 0.20.0 and CuPy 14.2.0. Canaries: ``concat`` and ``stack``.
    """

    def join(arrays: Any, *, axis: int | None = 0) -> Any:
        return function(in_one_dtype(arrays) if len(arrays) > 2 else arrays, axis=axis)

    return staticmethod(join)


def in_one_dtype(arrays: Any) -> Any:
    """Return the arrays cast to the dtype to which all of them promote; one or two dtypes are left to the library."""
    dtypes = {x.dtype for x in arrays}
    if len(dtypes) < 3:
        return arrays
    dtype = np.result_type(*dtypes)
    return [x.astype(dtype, copy=False) for x in arrays]


def diff(lib: Any, x: Any, *, axis: int, n: int, prepend: Any, append: Any) -> Any:
    """Return the ``n``-th differences along an axis.

    NumPy refuses ``None`` for ``prepend`` and ``append``; by the standard it means that nothing is added. CuPy and dpnp
    promote their dtypes as in ``concat``, see :func:`joining`, and return ``x`` itself for ``n=0``; the standard asks
    for a new array.

    No upstream issue is known; last seen in NumPy 2.4.6, CuPy 14.2.0 and dpnp 0.20.0. Canary: ``diff``.
    """
    parts = [part for part in (prepend, x, append) if part is not None]
    joined = lib.concatenate(in_one_dtype(parts), axis=axis) if len(parts) > 1 else x
    return lib.diff(joined, n=n, axis=axis) if n else joined.copy()


def fftfreq(lib: Any, n: int, *, d: float, dtype: Any, device: Any) -> Any:
    """Return the sample frequencies of ``fft``; NumPy's function lacks the standard's ``dtype``."""
    return lib.fft.fftfreq(n, d=d).astype(dtype)


def rfftfreq(lib: Any, n: int, *, d: float, dtype: Any, device: Any) -> Any:
    """Return the sample frequencies of ``rfft``; NumPy's function lacks the standard's ``dtype``."""
    return lib.fft.rfftfreq(n, d=d).astype(dtype)


def scatter_add(lib: Any, x: Any, indices: Any, values: Any) -> Any:
    """Return a copy of ``x`` with ``values`` added at ``indices``; values at a repeated index are all added."""
    out = x.copy()
    lib.add.at(out, indices, values)
    return out


def copy(lib: Any, x: Any) -> Any:
    """Return an independent copy of ``x`` in row-major order."""
    return lib.array(x, copy=True, order="C")


def qr(lib: Any, x: Any, *, mode: str) -> tuple[Any, Any]:
    """Return the QR factors of ``x``, also of matrices with very large elements.

    LAPACK returns NaN if the norm of a column overflows. The standard leaves this open. Such a matrix is scaled down
    and factorised again; then only those elements of R are infinite that are too large for the dtype.

    No upstream issue is known; last seen in NumPy 2.4.6 and dpnp 0.20.0. Canary: ``linalg.qr``.
    """
    q, r = lib.linalg.qr(x, mode=mode)
    if lib.isfinite(r).all():
        return q, r
    dtype, real = r.dtype, np.empty(0, dtype=r.dtype).real.dtype
    large = real.type(2.0 ** (40 if real.itemsize == 4 else 400))
    parts = lib.ascontiguousarray(x.astype(dtype)).view(real)
    with np.errstate(all="ignore"):
        size = lib.max(lib.abs(parts), axis=(-2, -1), keepdims=True)
        scale = lib.where(size > large, large, real.type(1)).astype(real)
        q, r = lib.linalg.qr((parts / scale).view(dtype), mode=mode)
        return q, (lib.ascontiguousarray(r).view(real) * scale).view(dtype)
