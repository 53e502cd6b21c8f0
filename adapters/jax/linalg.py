"""Linear algebra on JAX."""

from __future__ import annotations

import jax.numpy as jnp

from .promoting import promoted


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_cross = promoted(jnp.linalg.cross)
    linalg_outer = promoted(jnp.linalg.outer)
    matmul = promoted(jnp.matmul)
    tensordot = promoted(jnp.tensordot)
    vecdot = promoted(jnp.vecdot)
