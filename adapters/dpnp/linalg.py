"""Linear algebra on dpnp."""

from __future__ import annotations

from typing import Any

import numpy as np

from burn_array.adapter import composed
from burn_array.errors import ShapeError

from ..common import norms, numpy_like
from ._imports import dpnp
from .indexing import copy


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


def _copied(function: Any) -> Any:
    """Let a function have a row-major copy of its array: dpnp writes into some, and refuses other strides.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/linalg.html), last seen in 0.20.0.
    """
    return staticmethod(lambda x, *args: function(copy(x), *args))


def _norm(function: Any) -> Any:
    """dpnp gives complex norms of complex arrays that are empty.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/linalg.html), last seen in 0.20.0.
    """

    def norm(x: Any, **settings: Any) -> Any:
        found = function(x, **settings)
        return found.real if found.dtype.kind == "c" else found

    return norm


_vector_norm = norms.vector_norm(dpnp, _norm(dpnp.linalg.vector_norm))


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_eig = staticmethod(_eig)
    linalg_eigvalsh = _copied(dpnp.linalg.eigvalsh)
    linalg_eigvals = staticmethod(lambda x: _as_complex(dpnp.linalg.eigvals(x)))
    linalg_matrix_norm = numpy_like.norm_in_single(
        norms.matrix_norm(dpnp, _norm(dpnp.linalg.matrix_norm), _vector_norm)
    )
    linalg_matrix_power = _copied(dpnp.linalg.matrix_power)
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = composed(numpy_like.qr)
    linalg_trace = numpy_like.in_single(dpnp.linalg.trace)
    linalg_vector_norm = numpy_like.allow_axis_of_0d(numpy_like.in_single(_vector_norm))
    matmul = _product(dpnp.matmul)
    tensordot = _product(dpnp.tensordot)
    vecdot = _product(dpnp.vecdot)
