"""Linear algebra: what depends on the tolerance of singular values, and powers of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_floats(x: Any) -> Any:
    """Return integers and bools as floats of the default width."""
    return x.astype(np.result_type(float)) if x.dtype.kind in "biu" else x


def default_rtol(lib: Any, x: Any) -> float:
    """Return the relative size up to which a singular value counts as zero by default.

    It is ``max(M, N)`` times the epsilon of the dtype.
    """
    return max(x.shape[-2:]) * float(lib.finfo(x.dtype).eps)


def matrix_rank(lib: Any, svdvals: Any, x: Any, *, rtol: Any, dtype: Any) -> Any:
    """Return how many singular values are above ``rtol`` times the largest, for each matrix."""
    if not x.shape[-1] or not x.shape[-2]:
        return lib.zeros(x.shape[:-2], dtype=dtype)
    sizes = svdvals(x)
    limit = lib.expand_dims(lib.asarray(default_rtol(lib, x) if rtol is None else rtol), -1) * sizes[..., :1]
    return lib.count_nonzero(sizes > limit, axis=-1).astype(dtype)


def pinv(lib: Any, function: Any, x: Any, *, rtol: Any) -> Any:
    """Return ``function(x, rtol=rtol)``, a pseudo-inverse, with the standard's default of ``rtol``."""
    x = as_floats(x)
    return function(x, rtol=default_rtol(lib, x) if rtol is None else rtol)
