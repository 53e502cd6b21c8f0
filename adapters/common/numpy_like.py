"""What NumPy and the libraries modelled on it share: functions composed of the library's own.

Each takes the library as its first argument (``composed`` in the class body of an adapter binds it).
"""

from __future__ import annotations

from typing import Any

import numpy as np

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
).split()
"""The dtypes that these libraries have in common, by name."""


HALF = np.dtype("float16")


def as_complex(x: Any) -> Any:
    """Return real numbers as complex ones of the same precision, complex ones as they are."""
    return x if x.dtype.kind == "c" else x.astype(np.result_type(x.dtype, np.complex64))


def total_dtype(dtype: Any) -> Any:
    """Return the dtype in which NumPy sums an array of ``dtype``."""
    return {"b": np.dtype("int64"), "i": np.dtype("int64"), "u": np.dtype("uint64")}.get(dtype.kind, dtype)


def in_single(function: Any) -> Any:
    """Return the form of a function of one array that computes half precision in single, and rounds at the end.

    NumPy, CuPy and dpnp compute within half precision, which ends at 65504 and counts to 2048. Sums of PyTorch on the
    CPU, and ``mean`` of NumPy itself, take single precision.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.var.html), last seen in NumPy
    2.4.6, CuPy 14.2.0 and dpnp 0.20.0.
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


def of_numbers(function: Any) -> Any:
    """Return the form of a reduction that takes the axes 0 and -1 of a 0-d array for none.

    So do sums and extremes of NumPy, and PyTorch; NumPy's means and norms, CuPy and dpnp raise.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.mean.html), last seen in NumPy
    2.4.6, CuPy 14.2.0 and dpnp 0.20.0.
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
    """Return the form of a product of arrays that multiplies and adds half precision in single, rounded at the end.

    CuPy adds products up within half precision, and dpnp has none of most shapes; NumPy takes single precision.

    No upstream issue known (https://docs.cupy.dev/en/stable/reference/generated/cupy.matmul.html), last seen in CuPy
    14.2.0 and dpnp 0.20.0.
    """

    def product(x1: Any, x2: Any, **settings: Any) -> Any:
        one, other = (
            getattr(x, "dtype", None) for x in (x1, x2)
        )  # a number has none, and is refused in there
        half = HALF in (one, other) and None not in (one, other) and np.result_type(one, other) == HALF
        if not half:
            return function(x1, x2, **settings)
        return function(x1.astype(np.float32), x2.astype(np.float32), **settings).astype(HALF)

    return staticmethod(product)


def transform_of_nothing(name: str, x: Any, **settings: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and dtype of a transform of an array without elements, which is all zeros."""
    like = getattr(np.fft, name)(np.empty(x.shape, x.dtype), **settings)
    single = x.dtype.kind in "fc" and x.dtype.itemsize <= (8 if x.dtype.kind == "c" else 4)
    precision = np.dtype("float32" if single else "float64")
    return like.shape, np.result_type(precision, np.complex64) if like.dtype.kind == "c" else precision


def norm_in_single(function: Any) -> Any:
    """Return the form of ``matrix_norm`` that ``in_single`` gives; singular values of half precision are refused."""
    precise = in_single(function).__func__

    def norm(x: Any, /, *, keepdims: bool, ord: Any) -> Any:
        return (function if ord in (2, -2, "nuc") else precise)(x, keepdims=keepdims, ord=ord)

    return staticmethod(norm)


def argsort(lib: Any, x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Indices that sort, equal elements in their order also when descending."""
    if not descending:
        return lib.argsort(x, axis=axis, kind="stable" if stable else None)
    reversed_ = lib.flip(lib.argsort(lib.flip(x, axis=axis), axis=axis, kind="stable"), axis=axis)
    return x.shape[axis] - 1 - reversed_


def sort(lib: Any, x: Any, *, axis: int, descending: bool, stable: bool) -> Any:
    """Sorted values."""
    values = lib.sort(x, axis=axis, kind="stable" if stable else None)
    return lib.flip(values, axis=axis) if descending else values


def joining(function: Any) -> Any:
    """Return the form of ``concat`` or ``stack`` that promotes the dtypes of all arrays at once, as NumPy does.

    dpnp promotes two at a time in their order, CuPy in the order of a set, which may be another in each process (hence
    no canary), so that the dtype of three and more depends on it.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.concatenate.html), last seen
    in dpnp 0.20.0 and CuPy 14.2.0.
    """

    def join(arrays: Any, *, axis: int | None = 0) -> Any:
        return function(in_one_dtype(arrays) if len(arrays) > 2 else arrays, axis=axis)

    return staticmethod(join)


def in_one_dtype(arrays: Any) -> Any:
    """Return arrays in the dtype of all of them together."""
    dtypes = {x.dtype for x in arrays}
    if len(dtypes) < 3:
        return arrays
    dtype = np.result_type(*dtypes)
    return [x.astype(dtype, copy=False) for x in arrays]


def diff(lib: Any, x: Any, *, axis: int, n: int, prepend: Any, append: Any) -> Any:
    """Differences; the library does not take ``None`` for nothing to join on."""
    parts = [part for part in (prepend, x, append) if part is not None]
    joined = lib.concatenate(in_one_dtype(parts), axis=axis) if len(parts) > 1 else x
    return lib.diff(joined, n=n, axis=axis) if n else joined.copy()


def fftfreq(lib: Any, n: int, *, d: float, dtype: Any, device: Any) -> Any:
    """Frequencies of ``fft``; the library takes no ``dtype``."""
    return lib.fft.fftfreq(n, d=d).astype(dtype)


def rfftfreq(lib: Any, n: int, *, d: float, dtype: Any, device: Any) -> Any:
    """Frequencies of ``rfft``; the library takes no ``dtype``."""
    return lib.fft.rfftfreq(n, d=d).astype(dtype)


def scatter_add(lib: Any, x: Any, indices: Any, values: Any) -> Any:
    """A copy of ``x`` with ``values`` added at ``indices``, repeats accumulating."""
    out = x.copy()
    lib.add.at(out, indices, values)
    return out


def copy(lib: Any, x: Any) -> Any:
    """An independent array in row-major order."""
    return lib.array(x, copy=True, order="C")


def qr(lib: Any, x: Any, *, mode: str) -> tuple[Any, Any]:
    """LAPACK gives NaN beside a column whose norm overflows; such matrices are factorised again, made smaller.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.linalg.qr.html), last seen in NumPy
    2.4.6 and dpnp 0.20.0.
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
