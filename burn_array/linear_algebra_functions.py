"""Linear algebra functions that the standard has in the main namespace; ``linalg`` has them too."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_contraction
from ._core.array import Array
from ._core.dispatch import apply, binary, call, wrap
from ._core.operands import unwrap_arrays

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]


def matmul(x1: Array, x2: Array, /) -> Array:
    """Return the matrix product of two arrays.

    The last two axes hold matrices, earlier axes are broadcast as stacks. A one-dimensional array is a
    vector: a row on the left, a column on the right, and its axis is not in the result.

    Parameters
    ----------
    x1, x2 : Array
        Numeric, of shapes ``(..., M, K)`` or ``(K,)`` and ``(..., K, N)`` or ``(K,)``.

    Returns
    -------
    Array
        The promoted dtype, of shape ``(..., M, N)`` without the axes of vectors.

    Raises
    ------
    ShapeError
        If the shapes do not fit, or an operand is 0-d.
    """
    return binary("matmul", x1, x2)


def matrix_transpose(x: Array, /) -> Array:
    """Return each matrix with its rows and columns exchanged.

    Parameters
    ----------
    x : Array
        Of any dtype, of shape ``(..., M, N)``.

    Returns
    -------
    Array
        The dtype of ``x``, of shape ``(..., N, M)``.

    Raises
    ------
    ShapeError
        If ``x`` has fewer than two axes.
    """
    return apply("matrix_transpose", x)


def tensordot(x1: Array, x2: Array, /, *, axes: Any = 2) -> Array:
    """Return the products of two arrays, summed over pairs of axes.

    Parameters
    ----------
    x1, x2 : Array
        Numeric; the axes of a pair have the same length.
    axes : int or pair of sequences of int
        ``n`` pairs the last ``n`` axes of ``x1`` with the first ``n`` of ``x2``, in order; two sequences
        name the axes of each array.

    Returns
    -------
    Array
        The promoted dtype; first the other axes of ``x1``, then those of ``x2``.

    Raises
    ------
    ShapeError
        If the lengths of paired axes differ.
    ArgumentError
        If an axis is repeated.
    AxisError
        If an array does not have one of the axes.
    """
    at, (a, b) = unwrap_arrays("tensordot", (x1, x2))
    check_contraction(axes, (len(at.shape_of(a)), len(at.shape_of(b))))
    return wrap(at, call("tensordot", at, a, b, axes=axes))


def vecdot(x1: Array, x2: Array, /, *, axis: int = -1) -> Array:
    """Return the scalar product of the vectors along one axis; complex numbers of ``x1`` are conjugated.

    Parameters
    ----------
    x1, x2 : Array
        Numeric, of the same length along ``axis``; the other axes are broadcast.
    axis : int
        The axis that holds the vectors.

    Returns
    -------
    Array
        The promoted dtype, of the broadcast shape without the axis.

    Raises
    ------
    ShapeError
        If the lengths along ``axis`` differ.
    AxisError
        If an array does not have the axis.
    """
    at, (a, b) = unwrap_arrays("vecdot", (x1, x2))
    return wrap(at, call("vecdot", at, a, b, axis=axis))
