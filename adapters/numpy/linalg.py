"""Linear algebra on NumPy."""

from __future__ import annotations

import operator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from burn_array.adapter import composed
from burn_array.adapter import solve_triangular as general_solve_triangular

from ..common import norms, numpy_like
from ._undispatched import undispatched


def _eig(x: Any) -> tuple[Any, Any]:
    """Return the eigenvalues and eigenvectors of a matrix, always complex.

    NumPy before 2.5 returns real arrays if all eigenvalues are real; by the standard they are complex.
    https://github.com/numpy/numpy/issues/29000, last seen in NumPy 2.4.6.
    """
    values, vectors = np.linalg.eig(x)
    return numpy_like.as_complex(values), numpy_like.as_complex(vectors)


def _eigvals(x: Any) -> Any:
    """Return the eigenvalues of a matrix, always complex.

    NumPy before 2.5 returns a real array if all eigenvalues are real; by the standard it is complex.
    https://github.com/numpy/numpy/issues/29000, last seen in NumPy 2.4.6.
    """
    return numpy_like.as_complex(np.linalg.eigvals(x))


def _pinv(x: Any, *, rtol: Any) -> Any:
    """Return the pseudo-inverse.

    NumPy raises for integers, because it asks for the precision of their dtype. The standard leaves integers open;
    NumPy's other functions convert them to float64.
    No report known; last seen in NumPy 2.4.6.
    """
    return np.linalg.pinv(x.astype(np.float64) if x.dtype.kind in "biu" else x, rtol=rtol)


_SMALL = 32
"""Below this size NumPy's general solver is faster than SciPy's triangular one."""


def _solve_triangular(a: Any, b: Any, *, lower: bool, unit_diagonal: bool) -> Any:
    """Return the solutions of triangular systems: by SciPy, if it is installed, for one large matrix."""
    library = scipy_linalg() if a.ndim == 2 and b.ndim == 2 and len(a) >= _SMALL else None
    if library is None:
        return general_solve_triangular(np, a, b, lower=lower, unit_diagonal=unit_diagonal)
    return library.solve_triangular(a, b, lower=lower, unit_diagonal=unit_diagonal, check_finite=False)


@cache
def scipy_linalg() -> ModuleType | None:
    """Return the module ``scipy.linalg``, or ``None`` if SciPy is not installed."""
    try:
        return import_module("scipy.linalg")
    except ImportError:
        return None


_vector_norm = norms.vector_norm(np, undispatched(np.linalg.vector_norm))


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_eig = staticmethod(_eig)
    linalg_eigvals = staticmethod(_eigvals)
    linalg_matrix_norm = numpy_like.norm_in_single(
        norms.matrix_norm(np, undispatched(np.linalg.matrix_norm), _vector_norm)
    )
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = composed(numpy_like.qr)
    linalg_vector_norm = numpy_like.allow_axis_of_0d(numpy_like.in_single(_vector_norm))
    solve_triangular = staticmethod(_solve_triangular)
    matrix_transpose = operator.attrgetter("mT")
