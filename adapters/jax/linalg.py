"""Linear algebra on JAX."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp

from .promoting import promoted
from .statistical_functions import in_single, of_0d, scale_of


def _cholesky(x: Any, *, upper: bool) -> Any:
    """Return the Cholesky factor.

    JAX averages the matrix with its transpose first. The standard reads one triangle of it.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.cholesky.html, last seen in 0.10.2.
    """
    return jnp.linalg.cholesky(x, upper=upper, symmetrize_input=False)


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
    least = jnp.min(size, axis=axis, keepdims=True)
    return jnp.where(jnp.isfinite(least) & (least > 0), least, jnp.ones((), least.dtype))


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
    linalg_matrix_norm = staticmethod(in_single(_matrix_norm))
    linalg_outer = promoted(jnp.linalg.outer)
    linalg_vector_norm = of_0d(in_single(_vector_norm))
    matmul = promoted(jnp.matmul)
    tensordot = promoted(jnp.tensordot)
    vecdot = promoted(jnp.vecdot)
