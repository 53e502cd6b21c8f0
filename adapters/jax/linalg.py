"""Linear algebra on JAX."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from burn_array.errors import ArgumentError

from ..common.formulas import linalg as formulas
from .indexing import readable
from .promoting import promoted
from .statistical_functions import in_single, of_0d, power_below, scale_of


def _cholesky(x: Any, *, upper: bool) -> Any:
    """Return the Cholesky factor.

    JAX averages the matrix with its transpose first, and returns NaN where there is no factor. The standard reads one
    triangle of it; NumPy raises an error, as this function does on the CPU.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.cholesky.html, last seen in 0.10.2.
    """
    out = jnp.linalg.cholesky(x, upper=upper, symmetrize_input=False)
    if readable(out) and np.isnan(np.asarray(out)).any():
        raise ArgumentError("a matrix is not positive definite")
    return out


def _inv(x: Any) -> Any:
    """Return inverses; a singular matrix is an error on the CPU, see :func:`_check_regular`."""
    return _check_regular(x, jnp.linalg.inv(x))


def _solve(a: Any, b: Any) -> Any:
    """Return the solutions of linear systems; a singular matrix is an error on the CPU."""
    return _check_regular(a, jnp.linalg.solve(a, b))


def _check_regular(x: Any, out: Any) -> Any:
    """Return ``out``, computed from the inverse of ``x``.

    JAX returns infinities and NaNs for a singular matrix. NumPy raises an error. This raises one where the values can
    be read, if the factorisation, which is repeated only when ``out`` is not finite, has a zero on its diagonal.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.inv.html, last seen in 0.10.2.
    """
    if not readable(out) or np.isfinite(np.asarray(out)).all():
        return out
    factors = lax.linalg.lu(x if x.dtype.kind in "fc" else x.astype(float))[0]
    if not np.asarray(jnp.diagonal(factors, axis1=-2, axis2=-1)).all():
        raise ArgumentError("a matrix is singular")
    return out


def _matrix_power(x: Any, n: int) -> Any:
    return jnp.linalg.matrix_power(_inv(x) if n < 0 else x, abs(n))


def _matrix_rank(x: Any, *, rtol: Any) -> Any:
    """Return the ranks of matrices.

    JAX compares singular values with ``rtol`` itself. The standard compares them with ``rtol`` times the largest.
    No report known; last seen in 0.10.2.
    """
    x = formulas.as_floats(x)
    return formulas.matrix_rank(jnp, jnp.linalg.svdvals, x, rtol=rtol, dtype=int)


def _pinv(x: Any, *, rtol: Any) -> Any:
    """Return pseudo-inverses; JAX's default of ``rtol`` is ten times that of the standard."""
    return formulas.pinv(jnp, jnp.linalg.pinv, x, rtol=rtol)


def _qr(x: Any, *, mode: str) -> tuple[Any, Any]:
    """Return the QR factors, also of matrices with very large elements.

    LAPACK returns NaN if the norm of a column overflows. Such a matrix is divided by a power of two first; then only
    those elements of R are infinite that are too large for the dtype.
    No report known; last seen in 0.10.2.
    """
    x = x.astype(float) if x.dtype.kind in "biu" else x
    if x.ndim < 2 or not x.size:
        return tuple(jnp.linalg.qr(x, mode=mode))
    real = x.real.dtype
    large = np.asarray(2.0 ** (40 if real.itemsize == 4 else 400), real)
    scale = jnp.where(jnp.max(jnp.abs(x), axis=(-2, -1), keepdims=True) > large, large, np.ones((), real))
    q, r = jnp.linalg.qr(_times(x, 1 / scale), mode=mode)
    return q, _times(r, scale)


def _times(x: Any, real: Any) -> Any:
    """Return ``x`` times real numbers; each part of a complex number is multiplied, so that infinities give no NaN."""
    return x * real if x.dtype.kind != "c" else lax.complex(x.real * real, x.imag * real)


def _solve_triangular(a: Any, b: Any, *, lower: bool, unit_diagonal: bool) -> Any:
    batch = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (jnp.broadcast_to(x, batch + x.shape[-2:]) for x in (a, b))
    return lax.linalg.triangular_solve(a, b, left_side=True, lower=lower, unit_diagonal=unit_diagonal)


def _eigh(x: Any) -> Any:
    """Return the eigenvalues and eigenvectors of a symmetric matrix; its lower triangle is read.

    JAX averages the matrix with its transpose first.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.eigh.html, last seen in 0.10.2.
    """
    return jnp.linalg.eigh(x, "L", symmetrize_input=False)


def _eigvalsh(x: Any) -> Any:
    """Return the eigenvalues of a symmetric matrix; its lower triangle is read, see :func:`_eigh`."""
    return jnp.linalg.eigvalsh(x, "L", symmetrize_input=False)


def _vector_norm(x: Any, *, axis: Any, keepdims: bool, ord: Any) -> Any:
    """Return norms; the elements are divided by the largest first, so that their powers do not overflow."""
    x = x.astype(float) if x.dtype.kind in "biu" else x
    if ord in (0, 1, math.inf, -math.inf) or not x.size or axis == ():
        return jnp.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    size = jnp.abs(x)
    scale = scale_of(size, axis) if ord > 0 else _smallest(size, axis)
    out = jnp.linalg.vector_norm(size / scale, axis=axis, keepdims=True, ord=ord) * scale
    return out if keepdims else jnp.squeeze(out, axis)


def _smallest(size: Any, axis: Any) -> Any:
    return power_below(jnp.min(size, axis=axis, keepdims=True))


def _matrix_norm(x: Any, *, keepdims: bool, ord: Any) -> Any:
    """Return norms of matrices; the Frobenius norm is that of a vector."""
    if ord == "fro":
        return _vector_norm(x, axis=(-2, -1), keepdims=keepdims, ord=2)
    return jnp.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_cholesky = staticmethod(_cholesky)
    linalg_cross = promoted(jnp.linalg.cross)
    linalg_eigh = staticmethod(_eigh)
    linalg_eigvalsh = staticmethod(_eigvalsh)
    linalg_inv = staticmethod(_inv)
    linalg_matrix_norm = staticmethod(in_single(_matrix_norm))
    linalg_matrix_power = staticmethod(_matrix_power)
    linalg_matrix_rank = staticmethod(_matrix_rank)
    linalg_outer = promoted(jnp.linalg.outer)
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = staticmethod(_qr)
    linalg_solve = promoted(_solve)
    linalg_vector_norm = of_0d(in_single(_vector_norm))
    matmul = promoted(jnp.matmul)
    solve_triangular = staticmethod(_solve_triangular)
    tensordot = promoted(jnp.tensordot)
    vecdot = promoted(jnp.vecdot)
