"""Linear algebra functions of the standard that stand in the main namespace."""

from __future__ import annotations

from typing import Any

from ._core.array import Array
from ._core.dispatch import apply, binary, call, wrap
from ._core.operands import unwrap_arrays

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(x1: Array, x2: Array, /) -> Array:
    """Return the matrix product; stacks of matrices broadcast, a one-dimensional array is a vector."""
    return binary("matmul", x1, x2)


def matrix_transpose(x: Array, /) -> Array:
    """Return each matrix of a stack transposed."""
    return apply("matrix_transpose", x)


def tensordot(x1: Array, x2: Array, /, *, axes: Any = 2) -> Array:
    """Return the contraction of ``x1`` and ``x2`` over ``axes``.

    ``axes`` is the number of axes (last of ``x1``, first of ``x2``), or the axes of each as two sequences.
    """
    at, (a, b) = unwrap_arrays("tensordot", (x1, x2))
    return wrap(at, call("tensordot", at, a, b, axes=axes))


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Return the dot product along ``axis``, of the conjugate of ``x1`` with ``x2``."""
    at, (a, b) = unwrap_arrays("vecdot", (x1, x2))
    return wrap(at, call("vecdot", at, a, b, axis=axis))
