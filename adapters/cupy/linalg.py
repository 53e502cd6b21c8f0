"""Linear algebra on CuPy: the functions of the main namespace and the extension ``linalg``.

CuPy computes products and factorisations. Functions that CuPy lacks, or has with other parameters, are composed of
these. Canaries of the repairs are in ``tests/adapters/cupy/test_cupy_quirks.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from burn_array.adapter import not_supported, promote, solve_triangular
from burn_array.errors import ShapeError

from ..common import numpy_like
from . import _kernels as kernels

Function = Callable[..., Any]
_NO_EIG = not_supported(
    "CuPy before 14 does not compute eigenvalues of general matrices",
    "https://docs.cupy.dev/en/stable/reference/linalg.html",
)


def _real(dtype: Any) -> Any:
    """Return the dtype of the magnitude of numbers of ``dtype``."""
    return np.empty(0, dtype=dtype).real.dtype


def _complex(dtype: Any) -> Any:
    """Return the complex dtype of the same precision."""
    return np.result_type(dtype, np.complex64)


def _square(x: Any) -> Any:
    """Return ``x``; raise an error if it is not a square matrix or a stack of square matrices."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError(f"expected square matrices, got the shape {x.shape}")
    return x


def _matrices(x: Any) -> Any:
    """Return ``x``; raise an error if it has fewer than two axes."""
    if x.ndim < 2:
        raise ShapeError(f"expected a matrix or a stack of matrices, got the shape {x.shape}")
    return x


def _transposed(x: Any) -> Any:
    """Return matrices with their rows and columns exchanged."""
    return cupy.swapaxes(_matrices(x), -1, -2)


def _adjoint(x: Any) -> Any:
    """Return the conjugates of transposed matrices."""
    return cupy.conjugate(_transposed(x))


def _one_by_one(function: Function, x: Any) -> tuple[Any, ...]:
    """Return the stacked results of a function that is called for each matrix of a stack."""
    matrices = x.reshape(-1, *x.shape[-2:])
    results = [function(matrices[i]) for i in range(matrices.shape[0])]
    stacks = (cupy.stack(parts) for parts in zip(*results, strict=True))
    return tuple(part.reshape((*x.shape[:-2], *part.shape[1:])) for part in stacks)


# -- products -------------------------------------------------------------------------------------


def _matmul(a: Any, b: Any) -> Any:
    """Return the matrix product, with clear errors.

    CuPy takes Python numbers and some shapes that do not fit, or raises an error without the shapes; by the standard
    both operands are arrays of at least one axis that fit. Products of float16 are computed in float32, see
    ``numpy_like.product_in_single``.

    No upstream issue is known; last seen in 14.2.0. Canary: ``matmul``.
    """
    if type(a) is not cupy.ndarray or type(b) is not cupy.ndarray:
        raise ShapeError("matmul: numbers are not multiplied as matrices; use multiply")
    one, other = a.shape, b.shape
    if not one or not other:
        raise ShapeError("matmul: zero-dimensional arrays are not multiplied as matrices; use multiply")
    if one[-1] != other[-2 if len(other) > 1 else 0]:
        raise ValueError(f"matmul: shapes {one} and {other} do not match")
    return cupy.matmul(a, b)


def _vecdot(a: Any, b: Any, *, axis: int) -> Any:
    """Return the dot product along an axis; the first operand is conjugated.

    ``cupy`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``vecdot``.
    """
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(f"vecdot: shapes {a.shape} and {b.shape} do not match along axis {axis}")
    dtype = promote(a.dtype, b.dtype)
    a, b = (cupy.moveaxis(x.astype(dtype, copy=False), axis, -1) for x in (a, b))
    a = cupy.conjugate(a) if dtype.kind == "c" else a
    return cupy.sum(a * b, axis=-1, dtype=dtype)


def _tensordot(a: Any, b: Any, *, axes: Any) -> Any:
    """Return the tensor contraction over ``axes``, as one matrix product."""
    if isinstance(axes, int):
        axes = range(a.ndim - axes, a.ndim), range(axes)
    first, second = ([one] if isinstance(one, int) else one for one in axes)
    left, right = [one % a.ndim for one in first], [one % b.ndim for one in second]
    if [a.shape[one] for one in left] != [b.shape[one] for one in right]:
        raise ValueError(f"tensordot: shapes {a.shape} and {b.shape} do not match over axes {axes}")
    rows = [one for one in range(a.ndim) if one not in left]
    columns = [one for one in range(b.ndim) if one not in right]
    inner = math.prod(a.shape[one] for one in left)
    shape = [a.shape[one] for one in rows], [b.shape[one] for one in columns]
    dtype = promote(a.dtype, b.dtype)
    a = cupy.transpose(a, (*rows, *left)).reshape((math.prod(shape[0]), inner)).astype(dtype, copy=False)
    b = cupy.transpose(b, (*right, *columns)).reshape((inner, math.prod(shape[1]))).astype(dtype, copy=False)
    product = cupy.matmul(a, b)
    return product.reshape((*shape[0], *shape[1]))


def _cross(a: Any, b: Any, *, axis: int) -> Any:
    """Return the cross product of vectors of three elements along an axis."""
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ShapeError(f"cross: axis {axis} of {a.shape} and {b.shape} must have three elements")
    dtype = promote(a.dtype, b.dtype)
    a, b = (cupy.moveaxis(x.astype(dtype, copy=False), axis, -1) for x in (a, b))
    turned = [a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1))]
    return cupy.moveaxis(cupy.stack(turned, axis=-1), -1, axis)


def _outer(a: Any, b: Any) -> Any:
    """Return the products of all pairs of elements of two vectors.

    ``cupy.linalg`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.outer``.
    """
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"outer takes vectors, got the shapes {a.shape} and {b.shape}")
    return a[:, None] * b[None, :]


def _matrix_power(x: Any, n: int) -> Any:
    """Return the power ``n`` of matrices; a negative power is a power of the inverse.

    CuPy returns ``x`` itself for ``n=1``; by the standard the result is a new array.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.matrix_power``.
    """
    x = _square(x)
    if n < 0:
        x, n = _inv(x), -n
    result = cupy.broadcast_to(cupy.eye(x.shape[-1], dtype=x.dtype), x.shape).copy()
    while n:
        if n & 1:
            result = cupy.matmul(result, x)
        x, n = (cupy.matmul(x, x), n >> 1) if n > 1 else (x, 0)
    return result


# -- diagonals ------------------------------------------------------------------------------------


def _diagonal(x: Any, *, offset: int) -> Any:
    """Return the diagonals of matrices, as copies.

    ``cupy.linalg`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.diagonal``.
    """
    rows, columns = x.shape[-2:]
    length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    steps = cupy.arange(length)
    return x[..., steps + max(0, -offset), steps + max(0, offset)]


def _trace(x: Any, *, offset: int, dtype: Any) -> Any:
    """Return the sums of the diagonals of matrices.

    ``cupy.linalg`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.trace``.
    """
    to = numpy_like.total_dtype(x.dtype) if dtype is None else dtype
    return cupy.sum(_diagonal(x, offset=offset).astype(to, copy=False), axis=-1, dtype=to)


# -- equations ------------------------------------------------------------------------------------


def _slogdet(x: Any) -> tuple[Any, Any]:
    """Return the signs of determinants and the logarithms of their magnitudes; an empty matrix has determinant 1."""
    x = _square(x)
    if x.size:
        sign, log = cupy.linalg.slogdet(x)
        return sign.reshape(x.shape[:-2]), log.reshape(x.shape[:-2])
    return cupy.ones(x.shape[:-2], dtype=x.dtype), cupy.zeros(x.shape[:-2], dtype=_real(x.dtype))


def _det(x: Any) -> Any:
    """Return the determinants of matrices."""
    sign, log = _slogdet(x)
    return sign * cupy.exp(log).astype(x.dtype)


def _inv(x: Any) -> Any:
    """Return the inverses of matrices, also of empty ones."""
    x = _square(x)
    return cupy.linalg.inv(x) if x.size else x.copy()


def _solve(a: Any, b: Any) -> Any:
    """Return the solutions of ``a @ x = b``.

    CuPy does not broadcast stacks of matrices with each other; by the standard they are broadcast.

    https://github.com/cupy/cupy/issues/8173, last seen in 14.2.0. Canary: ``linalg.solve``.
    """
    a = _square(a)
    dtype = promote(a.dtype, b.dtype)
    columns = b[:, None] if b.ndim == 1 else b
    if columns.shape[-2] != a.shape[-1]:
        raise ValueError(f"solve: shapes {a.shape} and {b.shape} do not match")
    stack = np.broadcast_shapes(a.shape[:-2], columns.shape[:-2])
    shape = (*stack, *columns.shape[-2:])
    if math.prod(shape):
        left = cupy.broadcast_to(a, (*stack, *a.shape[-2:])).astype(dtype, order="C")
        out = cupy.linalg.solve(left, cupy.broadcast_to(columns, shape).astype(dtype, order="C"))
    else:
        out = cupy.zeros(shape, dtype=dtype)
    return out[..., 0] if b.ndim == 1 else out


def _cholesky(x: Any, *, upper: bool) -> Any:
    """Return the Cholesky factors of matrices.

    CuPy's function has no parameter ``upper``; by the standard it has.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.cholesky``.
    """
    x = _square(x)
    lower = cupy.linalg.cholesky(x) if x.size else x.copy()
    return _adjoint(lower) if upper else lower


# -- factorisations -------------------------------------------------------------------------------


def _moderate(x: Any) -> tuple[Any, Any]:
    """Return matrices divided by powers of two, and the exponents, of shape (..., 1, 1).

    Older cuSOLVER squares the elements of a matrix, which overflows for very large numbers: its results are then NaN.
    LAPACK scales a matrix first; the standard leaves this open.

    No upstream issue is known; CuPy 14.2.0 with CUDA 13 is right. Canaries: ``linalg.svd`` and ``linalg.eigh``.
    """
    x = _floats(x)
    exponent = kernels.excess(x)
    return kernels.over_power(x, exponent), exponent


def _moderate_columns(x: Any) -> tuple[Any, Any]:
    """Return matrices whose columns are divided by powers of two, and the exponents, of shape (..., 1, n).

    cuSOLVER squares the elements of a column, see ``_moderate``. Elements that are too small to be squared beside the
    largest of their column become 0.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.qr``.
    """
    x = _floats(x)
    exponent = kernels.excess_of_columns(x)
    return kernels.large_enough(kernels.over_power(x, exponent)), exponent


def _floats(x: Any) -> Any:
    """Return ``x``, with integers as float64; refuse float16."""
    if x.dtype == np.float16:
        raise TypeError("cuSOLVER takes no float16; convert the array to float32")
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _eye_stack(x: Any, rows: int, columns: int) -> Any:
    """Return a stack of identity matrices, of the length and dtype of the stack ``x``."""
    return cupy.broadcast_to(cupy.eye(rows, columns, dtype=x.dtype), (*x.shape[:-2], rows, columns)).copy()


def _qr(x: Any, *, mode: str) -> tuple[Any, Any]:
    """Return the QR factors of matrices, see ``_moderate_columns``."""
    rows, columns = _matrices(x).shape[-2:]
    inner = rows if mode == "complete" else min(rows, columns)
    if not x.size:
        return _eye_stack(x, rows, inner), cupy.zeros((*x.shape[:-2], inner, columns), dtype=x.dtype)
    x, exponent = _moderate_columns(x)
    if x.ndim == 2:
        q, r = cupy.linalg.qr(x, mode=mode)
    else:
        q, r = _one_by_one(lambda one: cupy.linalg.qr(one, mode=mode), x)
    return q, kernels.times_power(r, exponent)


def _svd(x: Any, *, full_matrices: bool) -> tuple[Any, Any, Any]:
    """Return the singular value decompositions of matrices, see ``_moderate``."""
    rows, columns = _matrices(x).shape[-2:]
    inner = min(rows, columns)
    if x.size:
        x, exponent = _moderate(x)
        u, values, vh = cupy.linalg.svd(x, full_matrices=full_matrices)
        return u, kernels.times_power(values, exponent[..., 0]), vh
    left, right = (rows, columns) if full_matrices else (inner, inner)
    values = cupy.zeros((*x.shape[:-2], inner), dtype=_real(x.dtype))
    return _eye_stack(x, rows, left), values, _eye_stack(x, right, columns)


def _svdvals(x: Any) -> Any:
    """Return the singular values of matrices, see ``_moderate``.

    ``cupy.linalg`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.svdvals``.
    """
    if not _matrices(x).size:
        return _svd(x, full_matrices=False)[1]
    x, exponent = _moderate(x)
    return kernels.times_power(cupy.linalg.svd(x, full_matrices=False, compute_uv=False), exponent[..., 0])


def _eigh(x: Any) -> tuple[Any, Any]:
    """Return the eigenvalues and eigenvectors of Hermitian matrices, see ``_moderate``."""
    x = _square(x)
    if x.size:
        x, exponent = _moderate(x)
        values, vectors = cupy.linalg.eigh(x)
        return kernels.times_power(values, exponent[..., 0]), vectors
    return cupy.empty(x.shape[:-1], dtype=_real(x.dtype)), x.copy()


def _eigvalsh(x: Any) -> Any:
    """Return the eigenvalues of Hermitian matrices, see ``_moderate``."""
    x = _square(x)
    if not x.size:
        return cupy.empty(x.shape[:-1], dtype=_real(x.dtype))
    x, exponent = _moderate(x)
    return kernels.times_power(cupy.linalg.eigvalsh(x), exponent[..., 0])


def _eig(x: Any) -> tuple[Any, Any]:
    """Return the eigenvalues and eigenvectors of general matrices, always complex as in the standard."""
    x = _square(x)
    to = _complex(x.dtype)
    if not x.size:
        return cupy.empty(x.shape[:-1], dtype=to), x.astype(to)
    values, vectors = cupy.linalg.eig(x)
    return numpy_like.as_complex(values), numpy_like.as_complex(vectors)


def _eigvals(x: Any) -> Any:
    """Return the eigenvalues of general matrices, always complex as in the standard."""
    x = _square(x)
    to = _complex(x.dtype)
    return numpy_like.as_complex(cupy.linalg.eigvals(x)) if x.size else cupy.empty(x.shape[:-1], dtype=to)


# -- norms, rank, pseudo-inverse --------------------------------------------------------------------


def _threshold(x: Any, values: Any, rtol: Any) -> Any:
    """Return for each matrix the largest singular value that counts as zero."""
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(np.finfo(values.dtype).eps)
    largest = (
        cupy.max(values, axis=-1, keepdims=True) if values.shape[-1] else cupy.zeros((*values.shape[:-1], 1))
    )
    return (largest if np.isscalar(rtol) else largest[..., 0]) * rtol


def _small(x: Any, values: Any, rtol: Any) -> Any:
    """Return which singular values count as zero."""
    limit = _threshold(x, values, rtol)
    return values <= (limit if np.isscalar(rtol) or rtol is None else limit[..., None])


def _matrix_rank(x: Any, *, rtol: Any) -> Any:
    """Return the ranks of matrices.

    CuPy's parameter is the absolute tolerance ``tol``; by the standard it is the relative tolerance ``rtol``.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.matrix_rank``.
    """
    values = _svdvals(x)
    rtol = rtol if rtol is None or np.isscalar(rtol) else cupy.asarray(rtol)
    return cupy.sum(~_small(x, values, rtol), axis=-1, dtype=np.int64)


def _pinv(x: Any, *, rtol: Any) -> Any:
    """Return the pseudo-inverses of matrices.

    CuPy's parameter is ``rcond``, 1e-15 by default for every dtype; by the standard it is ``rtol``, by default
    ``max(M, N)`` times the epsilon of the dtype.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.pinv``.
    """
    x = x if x.dtype.kind in "fc" else x.astype(np.float64)
    if not _matrices(x).size:
        return cupy.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), dtype=x.dtype)
    u, values, vh = _svd(x, full_matrices=False)
    small = _small(x, values, rtol)
    inverse = cupy.where(small, 0, 1 / cupy.where(small, 1, values)).astype(values.dtype)
    return cupy.matmul(_adjoint(vh) * inverse[..., None, :], _adjoint(u)).astype(x.dtype, copy=False)


def _matrix_norm(x: Any, *, keepdims: bool, ord: Any) -> Any:
    """Return the norms of matrices.

    ``cupy.linalg`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.matrix_norm``.
    """
    size = cupy.absolute(x)
    if ord == "fro":
        out = cupy.sqrt(cupy.sum(size * size, axis=(-2, -1)))
    elif ord == "nuc":
        out = cupy.sum(_svdvals(x), axis=-1)
    elif ord in (2, -2):
        out = (cupy.max if ord == 2 else cupy.min)(_svdvals(x), axis=-1)
    elif ord in (1, -1, math.inf, -math.inf):
        sums = cupy.sum(size, axis=-2 if abs(ord) == 1 else -1)
        out = (cupy.max if ord > 0 else cupy.min)(sums, axis=-1)
    else:
        raise ValueError(f"matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, got {ord!r}")
    return out[..., None, None] if keepdims else out


def _vector_norm(x: Any, *, axis: Any, keepdims: bool, ord: Any) -> Any:
    """Return the norms of vectors along axes, or of the flattened array.

    ``cupy.linalg`` lacks this function, which is in the standard.

    No upstream issue is known; last seen in 14.2.0. Canary: ``linalg.vector_norm``.
    """
    size = cupy.absolute(x)
    size = size if size.dtype.kind == "f" else size.astype(np.float64)
    if axis == ():
        axis, size = -1, size[..., None]
        keepdims = False
    settings = {"axis": axis, "keepdims": keepdims}
    if ord == math.inf:  # the norm of no numbers is 0
        return cupy.max(size, **settings) if size.size else cupy.sum(size, **settings)
    if ord == -math.inf:
        return cupy.min(size, **settings)
    if ord == 0:
        return cupy.sum((size != 0).astype(size.dtype), **settings)
    if ord == 1:
        return cupy.sum(size, **settings)
    if ord == 2:
        return cupy.sqrt(cupy.sum(size * size, **settings))
    return cupy.sum(size**ord, **settings) ** (1 / ord)


def _solve_triangular(a: Any, b: Any, *, lower: bool, unit_diagonal: bool) -> Any:
    """Return the solutions of triangular systems.

    ``cupy.linalg.solve`` does not broadcast stacks, see :func:`_solve`.
    """
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (cupy.broadcast_to(x, (*stack, *x.shape[-2:])) for x in (a, b))
    return solve_triangular(cupy, a, b, lower=lower, unit_diagonal=unit_diagonal)


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_cholesky = staticmethod(_cholesky)
    linalg_cross = staticmethod(_cross)
    linalg_det = staticmethod(_det)
    linalg_diagonal = staticmethod(_diagonal)
    linalg_eigh = staticmethod(_eigh)
    linalg_eigvalsh = staticmethod(_eigvalsh)
    linalg_inv = staticmethod(_inv)
    linalg_matmul = numpy_like.product_in_single(_matmul)
    linalg_matrix_norm = numpy_like.norm_in_single(_matrix_norm)
    linalg_matrix_power = staticmethod(_matrix_power)
    linalg_matrix_rank = staticmethod(_matrix_rank)
    linalg_outer = staticmethod(_outer)
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = staticmethod(_qr)
    linalg_slogdet = staticmethod(_slogdet)
    linalg_solve = staticmethod(_solve)
    linalg_svd = staticmethod(_svd)
    linalg_svdvals = staticmethod(_svdvals)
    linalg_trace = numpy_like.in_single(_trace)
    linalg_vector_norm = numpy_like.allow_axis_of_0d(numpy_like.in_single(_vector_norm))
    matmul = numpy_like.product_in_single(_matmul)
    matrix_transpose = staticmethod(_transposed)
    solve_triangular = staticmethod(_solve_triangular)
    tensordot = numpy_like.product_in_single(_tensordot)
    vecdot = numpy_like.product_in_single(_vecdot)
    linalg_eig: Any = staticmethod(_eig) if hasattr(cupy.linalg, "eig") else _NO_EIG
    linalg_eigvals: Any = staticmethod(_eigvals) if hasattr(cupy.linalg, "eig") else _NO_EIG
