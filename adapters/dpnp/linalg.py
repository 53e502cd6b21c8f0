"""Linear algebra on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

from typing import Any

from burn_array.adapter import composed
from burn_array.errors import ShapeError

from ..common import norms, numpy_like
from ..common.formulas import linalg as formulas
from ._imports import dpnp
from .indexing import copy


def _eig(x: Any) -> tuple[Any, Any]:
    """Return eigenvalues and eigenvectors.

    dpnp calls NumPy, which returns real arrays if all eigenvalues are real; by the standard they are complex.

    https://github.com/numpy/numpy/issues/29000, last seen in 0.20.0. Canaries: ``linalg.eig`` and ``linalg.eigvals``.
    """
    values, vectors = dpnp.linalg.eig(x)
    return numpy_like.as_complex(values), numpy_like.as_complex(vectors)


def _product(function: Any) -> Any:
    """Return a product that takes every array.

    dpnp refuses a matrix that is broadcast along an axis; by the standard memory layout does not matter. A Python
    number is refused here, because dpnp's error does not say what to use instead.

    No upstream issue is known; last seen in 0.20.0. Canary: ``matmul``.
    """

    def product(x1: Any, x2: Any, **settings: Any) -> Any:
        for x in (x1, x2):
            if type(x) is not dpnp.ndarray:
                raise ShapeError("numbers are not multiplied as matrices; use multiply")
        whole = (dpnp.ascontiguousarray(x) if 0 in x.strides else x for x in (x1, x2))
        return function(*whole, **settings)

    return numpy_like.product_in_single(product)


def _pinv(x: Any, *, rtol: Any) -> Any:
    """Return the pseudo-inverse.

    dpnp's default tolerance is the same for every dtype: singular values of float32 that are rounding errors are
    inverted. By the standard it is ``max(M, N)`` times the epsilon of the dtype.

    No upstream issue is known; last seen in 0.20.0. Canary: ``linalg.pinv``.
    """
    return formulas.pinv(dpnp, dpnp.linalg.pinv, x, rtol=rtol)


def _copied(function: Any) -> Any:
    """Return a function that gets a row-major copy of its array.

    dpnp's ``eigvalsh`` writes into a column-major array and refuses negative strides; its ``matrix_power`` refuses a
    matrix that is broadcast. By the standard a function leaves its operands unchanged, and memory layout does not
    matter.

    No upstream issue is known; last seen in 0.20.0. Canaries: ``linalg.eigvalsh`` and ``linalg.matrix_power``.
    """
    return staticmethod(lambda x, *args: function(copy(x), *args))


def _norm(function: Any) -> Any:
    """Return a norm that is always real.

    dpnp returns a complex norm for some orders if a complex array has no elements; by the standard norms are real.

    No upstream issue is known; last seen in 0.20.0. Canaries: ``linalg.matrix_norm`` and ``linalg.vector_norm``.
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
    linalg_eigvals = staticmethod(lambda x: numpy_like.as_complex(dpnp.linalg.eigvals(x)))
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
