"""Rules of the ``linalg`` extension, but for the decompositions.

Conjugate transposes are written ``H``. The rules of ``inv``, ``solve``, ``det`` and norms follow M. Giles, *An extended
collection of matrix derivative results for forward and reverse mode algorithmic differentiation* (2008), made complex.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

from burn_array.errors import ValueNeededError

from . import composition, constant, joint, rule
from ._axes import unreduced
from .linear_algebra_functions import adjoint
from .statistical_functions import products_of_others

constant("linalg.matrix_rank")

# -- products -------------------------------------------------------------------------------------

rule(
    "linalg.cross",
    lambda xp, g, _out, _x, y, *, axis: xp.linalg.cross(xp.conj(y), g, axis=axis),
    lambda xp, g, _out, x, _y, *, axis: xp.linalg.cross(g, xp.conj(x), axis=axis),
)
rule(
    "linalg.outer",
    lambda xp, g, _out, _x, y: xp.matmul(g, xp.conj(y)),
    lambda xp, g, _out, x, _y: xp.matmul(xp.conj(x), g),
)


def _matrix_power(xp: Any, x: Any, n: int) -> Any:
    """By squaring, of the inverse for a negative ``n``."""
    if n == 0:
        return xp.linalg.matrix_power(xp.stop_gradient(x), 0)
    square, n, out = (x, n, None) if n > 0 else (xp.linalg.inv(x), -n, None)
    while n:
        if n % 2:
            out = square if out is None else xp.matmul(out, square)
        n //= 2
        if n:
            square = xp.matmul(square, square)
    return out


composition("linalg.matrix_power", _matrix_power)

# -- diagonals ------------------------------------------------------------------------------------


def _diagonal(xp: Any, g: Any, _out: Any, _x: Any, *, offset: int) -> Any:
    length = g.shape[-1]
    square = xp.where(xp.eye(length, length, dtype=g.dtype) != 0, xp.expand_dims(g, -1), 0)
    row, column = max(-offset, 0), max(offset, 0)
    key = (..., slice(row, row + length), slice(column, column + length))
    return xp.put(xp.zeros(_x.shape, dtype=g.dtype), key, square)


def _trace(xp: Any, g: Any, _out: Any, _x: Any, *, offset: int, **_: Any) -> Any:
    on = xp.eye(_x.shape[-2], _x.shape[-1], k=offset, dtype=g.dtype) != 0
    return xp.where(on, xp.expand_dims(xp.expand_dims(g, -1), -1), 0)


rule("linalg.diagonal", _diagonal, masks=True)
rule("linalg.trace", _trace, masks=True)

# -- inverses -------------------------------------------------------------------------------------


def _inv(xp: Any, g: Any, out: Any, _x: Any) -> Any:
    inverse = adjoint(xp, out)
    return -xp.matmul(xp.matmul(inverse, g), inverse)


def _solve(xp: Any, g: Any, out: Any, x: Any, _y: Any) -> tuple[Any, Any]:
    if _y.ndim > 1:
        h = xp.linalg.solve(adjoint(xp, x), g)
        return -xp.matmul(h, adjoint(xp, out)), h
    h = xp.linalg.solve(adjoint(xp, x), xp.expand_dims(g, -1))
    return -h * xp.conj(xp.expand_dims(out, -2)), xp.squeeze(h, -1)


def _pinv(xp: Any, g: Any, out: Any, x: Any, **_: Any) -> Any:
    """Exact wherever the rank is constant (Golub and Pereyra, SIAM J. Numer. Anal. 10, 1973, eq. 4.12)."""
    back, h = adjoint(xp, out), adjoint(xp, g)
    left = xp.matmul(xp.matmul(h, out), back)
    right = xp.matmul(back, xp.matmul(out, h))
    left = left - xp.matmul(x, xp.matmul(out, left))
    right = right - xp.matmul(xp.matmul(right, out), x)
    return left + right - xp.matmul(xp.matmul(back, g), back)


def _solve_triangular(
    xp: Any, g: Any, out: Any, a: Any, _b: Any, *, lower: bool, unit_diagonal: bool
) -> tuple[Any, Any]:
    h = xp.solve_triangular(adjoint(xp, a), g, lower=not lower, unit_diagonal=unit_diagonal)
    full, offset = -xp.matmul(h, adjoint(xp, out)), int(unit_diagonal)
    return xp.tril(full, k=-offset) if lower else xp.triu(full, k=offset), h


rule("linalg.inv", _inv)
joint("linalg.solve", _solve)
joint("solve_triangular", _solve_triangular)
rule("linalg.pinv", _pinv)

# -- determinants ---------------------------------------------------------------------------------


def _matrix(xp: Any, number: Any) -> Any:
    """Return numbers, one for each matrix, in a shape that broadcasts with the matrices."""
    return xp.expand_dims(xp.expand_dims(number, -1), -1)


def _identity(xp: Any, x: Any) -> Any:
    return xp.eye(x.shape[-1], x.shape[-1], dtype=x.dtype)


def _det(xp: Any, g: Any, out: Any, x: Any) -> Any:
    """``g conj(out) inv(x)H``, and where ``x`` is singular the cofactors themselves."""
    singular = _matrix(xp, out == 0)
    identity = _identity(xp, x)
    inverse = xp.linalg.inv(xp.where(singular, identity, x))
    cofactors = _matrix(xp, xp.conj(out)) * adjoint(xp, inverse)
    if _may_be_any(xp, singular):
        cofactors = xp.where(singular, _cofactors(xp, xp.where(singular, x, identity)), cofactors)
    return _matrix(xp, g) * cofactors


def _may_be_any(xp: Any, x: Any) -> bool:
    """Return whether any element is true; in a capture, which has no values, that may always be."""
    try:
        return bool(xp.any(x))
    except ValueNeededError:
        return True


def _cofactors(xp: Any, x: Any) -> Any:
    """The conjugate cofactors of singular matrices, from ``adj(U S VH) = adj(VH) adj(S) adj(U)``."""
    constant_x = xp.stop_gradient(x)
    u, s, vh = xp.linalg.svd(constant_x, full_matrices=False)
    others = xp.moveaxis(products_of_others(xp, xp.moveaxis(s, -1, 0)), 0, -1)
    turn = xp.conj(xp.linalg.det(u) * xp.linalg.det(vh))
    exact = _matrix(xp, turn) * xp.matmul(u * xp.expand_dims(others, -2), vh)
    if constant_x is x:  # a plain pass: the result will not be differentiated
        return exact
    smooth = _mean_cofactors(xp, x, s, xp.matmul(u, vh))
    return smooth + xp.stop_gradient(exact - smooth)


def _mean_cofactors(xp: Any, x: Any, s: Any, polar: Any) -> Any:
    """The conjugate cofactors of ``x`` as their mean on a circle around it, for the derivatives.

    They are polynomials of degree ``n - 1`` in ``t`` on a line ``x + t d``, so their mean over the ``n``-th roots of
    unity is their value at the centre (Cauchy). With the unitary polar factor of ``x`` as ``d`` and a radius below
    the least singular value that is not zero, no point of the circle is singular.
    """
    n = x.shape[-1]
    largest = xp.max(s, axis=-1, keepdims=True)
    kept = s > n * _epsilon(xp, x) * largest
    least = xp.min(xp.where(kept, s, xp.where(largest > 0, largest, 1)), axis=-1)
    direction = _matrix(xp, least / n) * polar
    total = None
    for k in range(n):
        point = x + cmath.exp(2j * math.pi * k / n) * direction
        here = _matrix(xp, xp.conj(xp.linalg.det(point))) * adjoint(xp, xp.linalg.inv(point))
        total = here if total is None else total + here
    return total / n if xp.is_complex(x) else xp.real(total / n)


def _epsilon(xp: Any, x: Any) -> float:
    return float(xp.finfo(x.dtype).eps)


def _slogdet(xp: Any, g: Any, out: Any, x: Any) -> Any:
    """``(g_log + i Im(g_sign conj(sign))) inv(x)H``; NaN for a singular matrix."""
    sign = out[0]
    singular = _matrix(xp, sign == 0)
    inverse = xp.linalg.inv(xp.where(singular, _identity(xp, x), x))
    weight = 0 if g[1] is None else g[1]
    if g[0] is not None and xp.is_complex(x):
        weight = weight + 1j * xp.imag(g[0] * xp.conj(sign))
    elif g[1] is None:
        return None
    return xp.where(singular, math.nan, _matrix(xp, weight) * adjoint(xp, inverse))


rule("linalg.det", _det)
rule("linalg.slogdet", _slogdet)

# -- norms ----------------------------------------------------------------------------------------


def _vector_norm(xp: Any, g: Any, out: Any, x: Any, *, axis: Any, keepdims: bool, ord: float) -> Any:
    """The subgradient of least norm; zero for an element that is 0, also for ``ord < 1``."""
    if ord == 0:
        return None
    g, norm = (unreduced(xp, one, x, axis, keepdims) for one in (g, out))
    if ord == 1:
        return g * xp.sign(x)
    if math.isinf(ord):
        chosen = xp.astype(xp.abs(x) == norm, norm.dtype)
        return g * xp.sign(x) * (chosen / xp.sum(chosen, axis=axis, keepdims=True))
    flat = norm == 0
    norm = xp.where(flat, 1, norm)
    if ord == 2:
        return g * xp.where(flat, 0, x / norm)
    flat = xp.logical_or(flat, x == 0)
    ratio = xp.where(flat, 1, xp.abs(x)) / norm
    return g * xp.where(flat, 0, xp.sign(x) * xp.pow(ratio, ord - 1))


rule("linalg.vector_norm", _vector_norm)


def _matrix_norm(xp: Any, x: Any, *, keepdims: bool, ord: Any) -> Any:
    if ord == "fro":
        return xp.linalg.vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord == "nuc":
        out = xp.sum(_nonzero_singular_values(xp, x), axis=-1)
    else:
        values = (
            xp.linalg.svdvals(x) if abs(ord) == 2 else xp.sum(xp.abs(x), axis=-2 if abs(ord) == 1 else -1)
        )
        out = (xp.max if ord > 0 else xp.min)(values, axis=-1)
    return _matrix(xp, out) if keepdims else out


def _nonzero_singular_values(xp: Any, x: Any) -> Any:
    """Without those that are zero the subgradient of their sum is the one of least norm."""
    s = xp.linalg.svdvals(x)
    if 0 in s.shape:
        return s
    least = max(x.shape[-2:]) * _epsilon(xp, x) * xp.max(s, axis=-1, keepdims=True)
    return xp.where(s > xp.stop_gradient(least), s, 0)


composition("linalg.matrix_norm", _matrix_norm)
