"""Rules of the linear algebra functions of the main namespace."""

from __future__ import annotations

from typing import Any

from . import rule
from ._axes import axes_of


def adjoint(xp: Any, x: Any) -> Any:
    """Return the conjugate transpose of each matrix."""
    return xp.conj(xp.matrix_transpose(x))


# -- matmul ---------------------------------------------------------------------------------------


def _matmul_left(xp: Any, g: Any, _out: Any, _x: Any, y: Any) -> Any:
    rows, columns = _x.ndim, y.ndim
    if rows == columns == 2:
        return xp.matmul(g, xp.conj(y.T))
    if columns == 1:
        return xp.multiply(xp.expand_dims(g, -1), xp.conj(y))
    if rows == 1:
        return _times_vector(xp, xp.conj(y), g)
    if columns > rows == 2:
        rest = (*range(y.ndim - 2), -1)
        return xp.tensordot(g, xp.conj(y), axes=(rest, rest))
    return xp.matmul(g, adjoint(xp, y))


def _matmul_right(xp: Any, g: Any, _out: Any, x: Any, _y: Any) -> Any:
    rows, columns = x.ndim, _y.ndim
    if rows == columns == 2:
        return xp.matmul(xp.conj(x.T), g)
    if rows == 1:
        x = xp.conj(x)
        return xp.multiply(xp.expand_dims(x, -1), xp.expand_dims(g, -2)) if g.ndim else xp.multiply(g, x)
    if columns == 1:
        return _times_vector(xp, adjoint(xp, x), g)
    if rows > columns == 2:  # one product, instead of one for each matrix and their sum
        rest = tuple(range(x.ndim - 1))
        return xp.tensordot(xp.conj(x), g, axes=(rest, rest))
    return xp.matmul(adjoint(xp, x), g)


def _times_vector(xp: Any, matrix: Any, vector: Any) -> Any:
    return xp.squeeze(xp.matmul(matrix, xp.expand_dims(vector, -1)), -1)


rule("matmul", _matmul_left, _matmul_right)

# -- vecdot ---------------------------------------------------------------------------------------

rule(
    "vecdot",
    lambda xp, g, _out, _x, y, *, axis: xp.multiply(xp.expand_dims(xp.conj(g), axis), y),
    lambda xp, g, _out, x, _y, *, axis: xp.multiply(xp.expand_dims(g, axis), x),
)

# -- tensordot ------------------------------------------------------------------------------------


def _contracted(x: Any, y: Any, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes of ``x`` and those of ``y`` that are summed over, pair by pair."""
    if isinstance(axes, int):
        return tuple(range(x.ndim - axes, x.ndim)), tuple(range(axes))
    return axes_of(axes[0], x.ndim), axes_of(axes[1], y.ndim)


def _free(x: Any, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(i for i in range(x.ndim) if i not in axes)


def _placed(xp: Any, h: Any, axes: tuple[int, ...]) -> Any:
    """Return ``h`` with each of its axes at the position that ``axes`` says."""
    return xp.permute_dims(h, tuple(axes.index(i) for i in range(h.ndim)))


def _tensordot_left(xp: Any, g: Any, _out: Any, _x: Any, y: Any, *, axes: Any) -> Any:
    at_x, at_y = _contracted(_x, y, axes)
    free = _free(_x, at_x)
    h = xp.tensordot(g, xp.conj(y), axes=(tuple(range(len(free), g.ndim)), _free(y, at_y)))
    return _placed(xp, h, (*free, *(at_x[at_y.index(i)] for i in sorted(at_y))))


def _tensordot_right(xp: Any, g: Any, _out: Any, x: Any, _y: Any, *, axes: Any) -> Any:
    at_x, at_y = _contracted(x, _y, axes)
    free = _free(x, at_x)
    h = xp.tensordot(xp.conj(x), g, axes=(free, tuple(range(len(free)))))
    return _placed(xp, h, (*(at_y[at_x.index(i)] for i in sorted(at_x)), *_free(_y, at_y)))


rule("tensordot", _tensordot_left, _tensordot_right)
