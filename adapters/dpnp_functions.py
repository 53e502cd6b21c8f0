"""The other functions of dpnp that differ from the standard, or from NumPy where the standard is silent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from burn_array.adapter import composed
from burn_array.adapters import numpy_like
from burn_array.adapters import numpy_like_indexing as indexing
from burn_array.adapters import numpy_like_sets as sets
from burn_array.adapters.dpnp_runtime import dpnp


def _copy(x: Any) -> Any:
    return dpnp.array(x, copy=True, order="C")


def _as_complex(x: Any) -> Any:
    return x if x.dtype.kind == "c" else x.astype(np.result_type(x.dtype, np.complex64))


def _eig(x: Any) -> tuple[Any, Any]:
    """dpnp gives real eigenvalues where all are, as NumPy, which it calls for this; the standard has complex ones.

    https://github.com/numpy/numpy/issues/29000, last seen in 0.20.0.
    """
    values, vectors = dpnp.linalg.eig(x)
    return _as_complex(values), _as_complex(vectors)


def _matmul(x1: Any, x2: Any) -> Any:
    """dpnp refuses operands that are broadcast along an axis.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.matmul.html), last seen in
    0.20.0.
    """
    return dpnp.matmul(*(dpnp.ascontiguousarray(x) if 0 in x.strides else x for x in (x1, x2)))


def _pinv(x: Any, *, rtol: Any) -> Any:
    """dpnp takes ``max(M, N)`` times the epsilon of double precision by default, for single precision as well.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/generated/dpnp.linalg.pinv.html), last seen
    in 0.20.0.
    """
    return dpnp.linalg.pinv(x, rtol=max(x.shape[-2:]) * dpnp.finfo(x.dtype).eps if rtol is None else rtol)


def _scatter_add(x: Any, key: Any, values: Any) -> Any:
    """dpnp has no ``add.at``: sums per position are counted, in doubles, and complex numbers by parts."""
    positions = indexing.scatter_positions(dpnp, x, key)
    values = dpnp.broadcast_to(dpnp.asarray(values, sycl_queue=x.sycl_queue), positions.shape)
    if values.dtype.kind == "c":
        real, imag = (_sums(positions, part, x) for part in (values.real, values.imag))
        return x + (real + 1j * imag).astype(x.dtype)
    return x + _sums(positions, values, x).astype(x.dtype)


def _sums(positions: Any, values: Any, x: Any) -> Any:
    size = math.prod(x.shape)
    if not positions.size or not size:
        return dpnp.zeros_like(x, dtype=values.dtype)
    sums = dpnp.bincount(positions.reshape(-1), weights=values.reshape(-1), minlength=size)
    return sums.reshape(x.shape)


def _setitem(x: Any, key: Any, value: Any) -> None:
    """dpnp refuses a value or an index that overlaps the array; by the standard the value is read first.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/ndarray.html), last seen in 0.20.0.
    """
    try:
        indexing.setitem(dpnp, x, key, value)
    except ValueError as error:
        if "overlapping" not in str(error):
            raise
        keys = tuple(map(_apart, key)) if type(key) is tuple else _apart(key)
        indexing.setitem(dpnp, x, keys, _apart(value))


def _apart(operand: Any) -> Any:
    return _copy(operand) if type(operand) is dpnp.ndarray else operand


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
        return dpnp.where(dpnp.any(nans, axis=axis, keepdims=keepdims), first, found)

    return staticmethod(extreme)


class OtherFunctions:
    """All pages of the standard but the element-wise one."""

    argmax = _first_extreme(dpnp.argmax)
    argmin = _first_extreme(dpnp.argmin)
    copy = staticmethod(_copy)
    diff = composed(numpy_like.diff)
    getitem = composed(indexing.getitem)
    linalg_eig = staticmethod(_eig)
    linalg_eigvals = staticmethod(lambda x: _as_complex(dpnp.linalg.eigvals(x)))
    linalg_pinv = staticmethod(_pinv)
    matmul = staticmethod(_matmul)
    scatter_add = staticmethod(_scatter_add)
    setitem = staticmethod(_setitem)
    # dpnp gives all NaNs the index of the first in the inverse; by the standard they are distinct. No upstream
    # issue known (https://intelpython.github.io/dpnp), last seen in 0.20.0.
    unique_all = composed(sets.unique_all)
    unique_inverse = composed(sets.unique_inverse)
