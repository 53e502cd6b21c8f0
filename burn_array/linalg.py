"""The ``linalg`` extension of the standard. Every function takes stacks of matrices in the last two axes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ._core.arguments import check_matrices
from ._core.array import Array
from ._core.dispatch import apply, call, wrap
from ._core.operands import not_an_array, unwrap, unwrap_arrays
from .errors import ArgumentError
from .linear_algebra_functions import matmul, matrix_transpose, tensordot, vecdot
from .statistical_functions import _native_dtype

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


class EigResult(NamedTuple):
    """What ``eig`` returns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """What ``eigh`` returns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """What ``qr`` returns."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """What ``slogdet`` returns."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """What ``svd`` returns."""

    U: Array
    S: Array
    Vh: Array


def _parts(name: str, x: Any, **settings: Any) -> list[Array]:
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    return [wrap(at, out) for out in call(name, at, x._native, **settings)]


def _check_matrices(name: str, x: Any) -> None:
    if type(x) is not Array:
        raise not_an_array(name, x)
    check_matrices(name, x.ndim)


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """Return the lower (or upper) triangular factor of each Hermitian positive-definite matrix."""
    return apply("linalg.cholesky", x, upper=upper)


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Return the cross product of three-element vectors along ``axis``."""
    at, (a, b) = unwrap_arrays("linalg.cross", (x1, x2))
    return wrap(at, call("linalg.cross", at, a, b, axis=axis))


def det(x: Array, /) -> Array:
    """Return the determinant of each square matrix."""
    return apply("linalg.det", x)


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """Return the ``offset``-th diagonal of each matrix as a vector in the last axis."""
    _check_matrices("linalg.diagonal", x)
    return apply("linalg.diagonal", x, offset=offset)


def eig(x: Array, /) -> EigResult:
    """Return eigenvalues and right eigenvectors (the columns) of each square matrix, both complex."""
    return EigResult(*_parts("linalg.eig", x))


def eigh(x: Array, /) -> EighResult:
    """Return eigenvalues, ascending, and eigenvectors (the columns) of each Hermitian matrix."""
    return EighResult(*_parts("linalg.eigh", x))


def eigvals(x: Array, /) -> Array:
    """Return the eigenvalues of each square matrix, complex."""
    return apply("linalg.eigvals", x)


def eigvalsh(x: Array, /) -> Array:
    """Return the eigenvalues of each Hermitian matrix, ascending."""
    return apply("linalg.eigvalsh", x)


def inv(x: Array, /) -> Array:
    """Return the inverse of each square matrix."""
    return apply("linalg.inv", x)


def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Return a norm of each matrix; ``ord`` is ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf."""
    _check_matrices("linalg.matrix_norm", x)
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise ArgumentError(
            f"linalg.matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {ord!r}"
        )
    return apply("linalg.matrix_norm", x, keepdims=keepdims, ord=ord)


def matrix_power(x: Array, n: int, /) -> Array:
    """Return each square matrix to the integer power ``n``, of its inverse for a negative one."""
    power = apply("linalg.matrix_power", x, n)
    return apply("copy", power) if n == 1 else power  # some libraries give the array itself


def matrix_rank(x: Array, /, *, rtol: Any = None) -> Array:
    """Return the number of singular values above ``rtol`` times the largest of each matrix.

    The default ``rtol`` is ``max(M, N)`` times the epsilon of the dtype.
    """
    at, (values, tolerance) = unwrap("linalg.matrix_rank", (x, rtol))
    return wrap(at, call("linalg.matrix_rank", at, values, rtol=tolerance))


def outer(x1: Array, x2: Array, /) -> Array:
    """Return the outer product of two vectors."""
    at, (a, b) = unwrap_arrays("linalg.outer", (x1, x2))
    return wrap(at, call("linalg.outer", at, a, b))


def pinv(x: Array, /, *, rtol: Any = None) -> Array:
    """Return the Moore-Penrose inverse, singular values up to ``rtol`` times the largest taken as zero.

    The default ``rtol`` is ``max(M, N)`` times the epsilon of the dtype.
    """
    at, (values, tolerance) = unwrap("linalg.pinv", (x, rtol))
    return wrap(at, call("linalg.pinv", at, values, rtol=tolerance))


def qr(x: Array, /, *, mode: str = "reduced") -> QRResult:
    """Return an orthonormal and an upper triangular factor; ``mode`` is ``"reduced"`` or ``"complete"``."""
    if mode not in ("reduced", "complete"):
        raise ArgumentError(f"linalg.qr: mode must be 'reduced' or 'complete', got {mode!r}")
    return QRResult(*_parts("linalg.qr", x, mode=mode))


def slogdet(x: Array, /) -> SlogdetResult:
    """Return sign and logarithm of the absolute value of the determinant of each square matrix."""
    return SlogdetResult(*_parts("linalg.slogdet", x))


def solve(x1: Array, x2: Array, /) -> Array:
    """Return the solution ``x`` of ``x1 @ x = x2``; ``x2`` is a vector only if it has one axis."""
    at, (a, b) = unwrap_arrays("linalg.solve", (x1, x2))
    return wrap(at, call("linalg.solve", at, a, b))


def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """Return the singular value decomposition ``U @ diag(S) @ Vh``, singular values descending."""
    return SVDResult(*_parts("linalg.svd", x, full_matrices=full_matrices))


def svdvals(x: Array, /) -> Array:
    """Return the singular values of each matrix, descending."""
    return apply("linalg.svdvals", x)


def trace(x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum of the ``offset``-th diagonal of each matrix; dtypes as for ``sum``."""
    _check_matrices("linalg.trace", x)
    return apply("linalg.trace", x, offset=offset, dtype=_native_dtype("linalg.trace", x, dtype))


def vector_norm(x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: float = 2) -> Array:
    """Return the ``ord``-norm along ``axis``, of the flattened array without; ``ord`` is any number."""
    return apply("linalg.vector_norm", x, axis=axis, keepdims=keepdims, ord=ord)
