"""The ``linalg`` extension of the standard.

The last two axes of an array hold a matrix; earlier axes make a stack, and a function treats each matrix
of the stack on its own. Matrices are float32, float64, complex64 or complex128; integers are computed in
float64. The shapes below leave out the axes of the stack: ``(M, N)`` stands for ``(..., M, N)``.

Raises
------
ShapeError
    If an array has too few axes, or a matrix that must be square is not.
DTypeError
    If the library does not compute in the dtype, such as float16.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ._core.arguments import check_matrices, integer
from ._core.array import Array
from ._core.dispatch import apply, call, wrap
from ._core.operands import not_an_array, number, unwrap, unwrap_arrays
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
    """The eigenvalues and eigenvectors that ``eig`` returns."""

    eigenvalues: Array
    eigenvectors: Array


class EighResult(NamedTuple):
    """The eigenvalues and eigenvectors that ``eigh`` returns."""

    eigenvalues: Array
    eigenvectors: Array


class QRResult(NamedTuple):
    """The factors that ``qr`` returns."""

    Q: Array
    R: Array


class SlogdetResult(NamedTuple):
    """The sign and logarithm that ``slogdet`` returns."""

    sign: Array
    logabsdet: Array


class SVDResult(NamedTuple):
    """The factors that ``svd`` returns."""

    U: Array
    S: Array
    Vh: Array


def _parts(name: str, x: Any, **settings: Any) -> list[Array]:
    """Return the results of a function that gives several arrays for one."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    return [wrap(at, out) for out in call(name, at, x._native, **settings)]


def _check_matrices(name: str, x: Any) -> None:
    """Raise if ``x`` is not an array of at least two axes."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    check_matrices(name, x.ndim)


def cholesky(x: Array, /, *, upper: bool = False) -> Array:
    """Return the triangular Cholesky factor of each Hermitian positive-definite matrix.

    The matrix is ``L @ conj(L.mT)`` for the lower factor ``L``, and ``conj(U.mT) @ U`` for the upper factor
    ``U``. Only one triangle of the matrix is read.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.
    upper : bool
        Whether to return the upper factor instead of the lower one.

    Returns
    -------
    Array
        Shape ``(M, M)``, with zeros in the other triangle.

    Raises
    ------
    ArgumentError
        If a matrix is not positive-definite and the library checks it.
    """
    return apply("linalg.cholesky", x, upper=upper)


def cross(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Return the cross product of vectors with three elements.

    Parameters
    ----------
    x1, x2 : Array
        Of length 3 along ``axis``; the other axes are broadcast.
    axis : int
        The axis that holds the vectors.

    Returns
    -------
    Array
        The promoted dtype and the broadcast shape.

    Raises
    ------
    ShapeError
        If the axis is not of length 3.
    AxisError
        If an array does not have the axis.
    """
    at, (a, b) = unwrap_arrays("linalg.cross", (x1, x2))
    return wrap(at, call("linalg.cross", at, a, b, axis=axis))


def det(x: Array, /) -> Array:
    """Return the determinant of each square matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    Array
        One number for each matrix.
    """
    return apply("linalg.det", x)


def diagonal(x: Array, /, *, offset: int = 0) -> Array:
    """Return one diagonal of each matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``, of any dtype.
    offset : int
        The diagonal: 0 for the main one, positive above it, negative below it.

    Returns
    -------
    Array
        The dtype of ``x``; the diagonal is in the last axis.
    """
    _check_matrices("linalg.diagonal", x)
    return apply("linalg.diagonal", x, offset=offset)


def eig(x: Array, /) -> EigResult:
    """Return the eigenvalues and right eigenvectors of each square matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    EigResult
        ``eigenvalues`` of shape ``(M,)``, in no order, and ``eigenvectors`` of shape ``(M, M)``, one in
        each column; both complex.
    """
    return EigResult(*_parts("linalg.eig", x))


def eigh(x: Array, /) -> EighResult:
    """Return the eigenvalues and eigenvectors of each Hermitian matrix.

    Only one triangle of the matrix is read.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    EighResult
        ``eigenvalues`` of shape ``(M,)``, real and ascending, and orthonormal ``eigenvectors`` of shape
        ``(M, M)``, one in each column.
    """
    return EighResult(*_parts("linalg.eigh", x))


def eigvals(x: Array, /) -> Array:
    """Return the eigenvalues of each square matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    Array
        Complex, of shape ``(M,)``, in no order.
    """
    return apply("linalg.eigvals", x)


def eigvalsh(x: Array, /) -> Array:
    """Return the eigenvalues of each Hermitian matrix.

    Only one triangle of the matrix is read.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    Array
        Real and ascending, of shape ``(M,)``.
    """
    return apply("linalg.eigvalsh", x)


def inv(x: Array, /) -> Array:
    """Return the inverse of each square matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    Array
        Shape ``(M, M)``.

    Raises
    ------
    ArgumentError
        If a matrix is singular and the library checks it.
    """
    return apply("linalg.inv", x)


def matrix_norm(x: Array, /, *, keepdims: bool = False, ord: Any = "fro") -> Array:
    """Return a norm of each matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``.
    keepdims : bool
        Whether the last two axes stay, with length 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        The norm: ``"fro"`` is the root of the sum of squares, ``"nuc"`` the sum of the singular values,
        ±2 the greatest or least singular value, ±1 the greatest or least sum of magnitudes of a column,
        ±inf of a row.

    Returns
    -------
    Array
        Real, one number for each matrix.

    Raises
    ------
    ArgumentError
        If ``ord`` is anything else.
    """
    _check_matrices("linalg.matrix_norm", x)
    if ord not in ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise ArgumentError(
            f"linalg.matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {ord!r}"
        )
    return apply("linalg.matrix_norm", x, keepdims=keepdims, ord=ord)


def matrix_power(x: Array, n: int, /) -> Array:
    """Return each square matrix multiplied with itself ``n`` times.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.
    n : int
        The exponent; a negative one takes powers of the inverse, 0 gives the identity.

    Returns
    -------
    Array
        The dtype of ``x``, of shape ``(M, M)``.

    Raises
    ------
    ArgumentError
        If ``n`` is negative, a matrix is singular and the library checks it.
    ArgumentTypeError
        If ``n`` is not an integer.
    """
    power = apply("linalg.matrix_power", x, integer("linalg.matrix_power", "n", n))
    return apply("copy", power) if n == 1 else power  # some libraries return the array itself


def matrix_rank(x: Array, /, *, rtol: Any = None) -> Array:
    """Return the rank of each matrix: how many of its singular values count as not zero.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``.
    rtol : float or Array, optional
        Singular values up to ``rtol`` times the greatest count as zero. By default it is ``max(M, N)``
        times the ``eps`` of the dtype.

    Returns
    -------
    Array
        Of the default integer dtype, one number for each matrix.
    """
    at, (values, tolerance) = unwrap("linalg.matrix_rank", (x, rtol))
    check_matrices("linalg.matrix_rank", len(at.shape_of(values)))
    return wrap(at, call("linalg.matrix_rank", at, values, rtol=tolerance))


def outer(x1: Array, x2: Array, /) -> Array:
    """Return the product of each element of one vector with each element of another.

    Parameters
    ----------
    x1, x2 : Array
        Shapes ``(M,)`` and ``(N,)``, of any dtype but without a stack.

    Returns
    -------
    Array
        The promoted dtype, of shape ``(M, N)``.
    """
    at, (a, b) = unwrap_arrays("linalg.outer", (x1, x2))
    return wrap(at, call("linalg.outer", at, a, b))


def pinv(x: Array, /, *, rtol: Any = None) -> Array:
    """Return the Moore-Penrose pseudo-inverse of each matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``.
    rtol : float or Array, optional
        Singular values up to ``rtol`` times the greatest count as zero. By default it is ``max(M, N)``
        times the ``eps`` of the dtype.

    Returns
    -------
    Array
        Shape ``(N, M)``.
    """
    at, (values, tolerance) = unwrap("linalg.pinv", (x, rtol))
    check_matrices("linalg.pinv", len(at.shape_of(values)))
    return wrap(at, call("linalg.pinv", at, values, rtol=tolerance))


def qr(x: Array, /, *, mode: str = "reduced") -> QRResult:
    """Return the QR factorisation of each matrix: ``Q @ R`` is the matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``, with ``K = min(M, N)``.
    mode : {"reduced", "complete"}
        Whether ``Q`` has ``K`` or ``M`` columns.

    Returns
    -------
    QRResult
        ``Q`` with orthonormal columns, of shape ``(M, K)`` or ``(M, M)``, and the upper triangular ``R``
        of shape ``(K, N)`` or ``(M, N)``.

    Raises
    ------
    ArgumentError
        If ``mode`` is anything else.
    """
    if mode not in ("reduced", "complete"):
        raise ArgumentError(f"linalg.qr: mode must be 'reduced' or 'complete', got {mode!r}")
    return QRResult(*_parts("linalg.qr", x, mode=mode))


def slogdet(x: Array, /) -> SlogdetResult:
    """Return the sign of the determinant of each square matrix, and the logarithm of its magnitude.

    The determinant is ``sign * exp(logabsdet)``, which itself may overflow or vanish.

    Parameters
    ----------
    x : Array
        Shape ``(M, M)``.

    Returns
    -------
    SlogdetResult
        ``sign``, a number of magnitude 1 or 0 in the dtype of ``x``, and the real ``logabsdet``, -inf for
        a singular matrix; one of each for each matrix.
    """
    return SlogdetResult(*_parts("linalg.slogdet", x))


def solve(x1: Array, x2: Array, /) -> Array:
    """Return the solution ``x`` of the linear system ``x1 @ x = x2``.

    Parameters
    ----------
    x1 : Array
        The square matrices, of shape ``(M, M)``.
    x2 : Array
        The right-hand side: a vector of shape ``(M,)`` if it has one axis, else of shape ``(M, K)``.

    Returns
    -------
    Array
        The shape of ``x2``, with the axes of the stacks broadcast.

    Raises
    ------
    ArgumentError
        If a matrix is singular and the library checks it.
    """
    at, (a, b) = unwrap_arrays("linalg.solve", (x1, x2))
    return wrap(at, call("linalg.solve", at, a, b))


def svd(x: Array, /, *, full_matrices: bool = True) -> SVDResult:
    """Return the singular value decomposition of each matrix: ``U @ diag(S) @ Vh`` is the matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``, with ``K = min(M, N)``.
    full_matrices : bool
        Whether ``U`` and ``Vh`` are square; if not, they have ``K`` columns and rows.

    Returns
    -------
    SVDResult
        ``U`` of shape ``(M, M)`` or ``(M, K)``, the real and descending ``S`` of shape ``(K,)``, and
        ``Vh`` of shape ``(N, N)`` or ``(K, N)``.
    """
    return SVDResult(*_parts("linalg.svd", x, full_matrices=full_matrices))


def svdvals(x: Array, /) -> Array:
    """Return the singular values of each matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``.

    Returns
    -------
    Array
        Real and descending, of shape ``(min(M, N),)``.
    """
    return apply("linalg.svdvals", x)


def trace(x: Array, /, *, offset: int = 0, dtype: Any = None) -> Array:
    """Return the sum of one diagonal of each matrix.

    Parameters
    ----------
    x : Array
        Shape ``(M, N)``, of any numeric dtype.
    offset : int
        The diagonal: 0 for the main one, positive above it, negative below it.
    dtype : dtype, optional
        The dtype of the sum; by default the one that ``sum`` chooses.

    Returns
    -------
    Array
        One number for each matrix.
    """
    _check_matrices("linalg.trace", x)
    return apply("linalg.trace", x, offset=offset, dtype=_native_dtype("linalg.trace", x, dtype))


def vector_norm(x: Array, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Array:
    """Return the norm of the vectors along one or more axes.

    For ``ord = p`` it is ``sum(abs(x)**p)**(1/p)``; inf and -inf give the greatest and least magnitude, 0
    counts the elements that are not zero.

    Parameters
    ----------
    x : Array
        Of any numeric dtype.
    axis : int, tuple of int or None
        The axes over which a vector extends; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.
    ord : int or float
        The order of the norm.

    Returns
    -------
    Array
        Real, one number for each vector.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    if isinstance(ord, str):
        raise ArgumentError(f"linalg.vector_norm: ord must be a number, got {ord!r}")
    ord = number("linalg.vector_norm", "ord", ord)
    return apply("linalg.vector_norm", x, axis=axis, keepdims=keepdims, ord=ord)
