"""Linear algebra on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from .promoting import promoted


def _cholesky(x: Any, *, upper: bool) -> Any:
    """Return the Cholesky factor.

    JAX averages the matrix with its transpose first. The standard reads one triangle of it.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.cholesky.html, last seen in 0.10.2.
    """
    return jnp.linalg.cholesky(x, upper=upper, symmetrize_input=False)


def _eigh(x: Any) -> Any:
    """Return the eigenvalues and eigenvectors of a symmetric matrix, of which the lower triangle is read.

    JAX averages the matrix with its transpose first.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.eigh.html, last seen in 0.10.2.
    """
    return jnp.linalg.eigh(x, "L", symmetrize_input=False)


def _eigvalsh(x: Any) -> Any:
    """Return the eigenvalues of a symmetric matrix, of which the lower triangle is read; see :func:`_eigh`."""
    return jnp.linalg.eigvalsh(x, "L", symmetrize_input=False)


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_cholesky = staticmethod(_cholesky)
    linalg_cross = promoted(jnp.linalg.cross)
    linalg_eigh = staticmethod(_eigh)
    linalg_eigvalsh = staticmethod(_eigvalsh)
    linalg_outer = promoted(jnp.linalg.outer)
    matmul = promoted(jnp.matmul)
    tensordot = promoted(jnp.tensordot)
    vecdot = promoted(jnp.vecdot)
