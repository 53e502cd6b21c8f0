"""Linear algebra on NumPy."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from burn_array.adapter import composed

from ..common import numpy_like
from ._undispatched import undispatched


def _eig(x: Any) -> tuple[Any, Any]:
    """NumPy gives real eigenvalues where all are; the standard wants them complex, always.

    https://github.com/numpy/numpy/issues/29000, last seen in 2.4.6.
    """
    values, vectors = np.linalg.eig(x)
    to = np.result_type(values, np.complex64)
    return values.astype(to, copy=False), vectors.astype(to, copy=False)


def _eigvals(x: Any) -> Any:
    """As ``_eig``."""
    values = np.linalg.eigvals(x)
    return values.astype(np.result_type(values, np.complex64), copy=False)


def _pinv(x: Any, *, rtol: Any) -> Any:
    """NumPy asks integers for the precision of their dtype, which they have not; its other functions make doubles.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.linalg.pinv.html), last seen in
    2.4.6.
    """
    return np.linalg.pinv(x.astype(np.float64) if x.dtype.kind in "biu" else x, rtol=rtol)


class LinearAlgebraFunctions:
    """Linear algebra, in the main namespace and in the extension."""

    linalg_eig = staticmethod(_eig)
    linalg_eigvals = staticmethod(_eigvals)
    linalg_matrix_norm = numpy_like.norm_in_single(undispatched(np.linalg.matrix_norm))
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = composed(numpy_like.qr)
    linalg_vector_norm = numpy_like.allow_axis_of_0d(
        numpy_like.in_single(undispatched(np.linalg.vector_norm))
    )
    matrix_transpose = operator.attrgetter("mT")
