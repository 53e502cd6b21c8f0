"""Rules of the matrix decompositions.

Gradients with respect to vectors that the matrix does not determine (equal eigenvalues or singular values) are not
repaired: the division by the gap gives infinity or NaN. Where only values are seen no gap is divided by.

The formulas: S. Walter and L. Lehmann, *Algorithmic differentiation of linear algebra functions with application
in optimum experimental design* (2010), for ``qr`` and ``eigh``; M. Giles (2008) for ``eig``; I. Murray,
*Differentiation of the Cholesky decomposition* (2016); C. Ionescu, O. Vantzos and C. Sminchisescu, *Training deep
networks with structured layers by matrix backpropagation* (2015), for ``svd``; M. Seeger et al.,
*Auto-differentiating linear algebra* (2017). Complex forms and the parts beyond the thin factors follow from
``d(QH Q) = 0``.
"""

from __future__ import annotations

import math
from typing import Any

from . import composition, rule
from .linear_algebra_functions import adjoint


def _column(xp: Any, vector: Any) -> Any:
    return xp.expand_dims(vector, -1)


def _row(xp: Any, vector: Any) -> Any:
    return xp.expand_dims(vector, -2)


def _times(xp: Any, *matrices: Any) -> Any:
    out = matrices[0]
    for one in matrices[1:]:
        out = xp.matmul(out, one)
    return out


def _hermitian(xp: Any, x: Any) -> Any:
    return (x + adjoint(xp, x)) / 2


def _reciprocal_gaps(xp: Any, values: Any) -> Any:
    """Return ``1 / (v[j] - v[i])``, zero on the diagonal."""
    identity = xp.eye(values.shape[-1], values.shape[-1], dtype=values.dtype)
    return 1 / (_row(xp, values) - _column(xp, values) + identity) - identity


# -- cholesky -------------------------------------------------------------------------------------


def _cholesky(xp: Any, g: Any, out: Any, _x: Any, *, upper: bool) -> Any:
    """Hermitian, as the operand is."""
    if upper:
        g, out = adjoint(xp, g), adjoint(xp, out)
    back = adjoint(xp, out)
    product = xp.matmul(back, xp.tril(g))
    half = xp.tril(product, k=-1) + _diagonal_of(xp, product) / 2
    half = xp.solve_triangular(back, half, lower=False, unit_diagonal=False)
    return _hermitian(
        xp, adjoint(xp, xp.solve_triangular(back, adjoint(xp, half), lower=False, unit_diagonal=False))
    )


def _diagonal_of(xp: Any, x: Any) -> Any:
    """Return the matrix with the real part of the diagonal of ``x``, else zero."""
    real = xp.real_part(x)
    return real * xp.eye(x.shape[-1], x.shape[-1], dtype=real.dtype)


rule("linalg.cholesky", _cholesky)

# -- qr -------------------------------------------------------------------------------------------


def _qr(xp: Any, g: Any, out: Any, _x: Any, **_: Any) -> Any:
    q, r = out
    gq, gr = (xp.zeros_like(one) if h is None else h for h, one in zip(g, out, strict=True))
    rows, columns = r.shape[-2:]
    if q.shape[-1] > columns:
        q, r, gq, gr = _thin_qr(xp, q, r, gq, gr)
    if rows >= columns:
        return _tall_qr(xp, q, r, gq, gr)
    ahead, rest = slice(None, rows), slice(rows, None)
    beyond = _columns(xp, gr, rest)
    gq = gq + _times(xp, q, _columns(xp, r, rest), adjoint(xp, beyond))
    first = _tall_qr(xp, q, _columns(xp, r, ahead), gq, _columns(xp, gr, ahead))
    return xp.concat([first, xp.matmul(q, beyond)], axis=-1)


def _tall_qr(xp: Any, q: Any, r: Any, gq: Any, gr: Any) -> Any:
    """NaN for linearly dependent columns."""
    m = xp.matmul(r, adjoint(xp, gr)) - xp.matmul(adjoint(xp, gq), q)
    low = xp.tril(m, k=-1)
    symmetric = low + adjoint(xp, low) + _diagonal_of(xp, m)
    deficient = xp.any(xp.linalg.diagonal(r) == 0, axis=-1)
    deficient = _column(xp, _column(xp, deficient))
    safe = xp.where(deficient, xp.eye(r.shape[-1], r.shape[-1], dtype=r.dtype), r)
    h = xp.linalg.solve(safe, adjoint(xp, gq + xp.matmul(q, symmetric)))
    return xp.where(deficient, math.nan, adjoint(xp, h))


def _thin_qr(xp: Any, q: Any, r: Any, gq: Any, gr: Any) -> tuple[Any, Any, Any, Any]:
    """Return the factors without the columns beyond the rank, whose span moves against that of the others."""
    columns = r.shape[-1]
    inside, outside = (_columns(xp, q, key) for key in (slice(None, columns), slice(columns, None)))
    normal = _columns(xp, gq, slice(columns, None))
    gq = _columns(xp, gq, slice(None, columns)) - _times(xp, outside, adjoint(xp, normal), inside)
    return inside, _rows(xp, r, columns), gq, _rows(xp, gr, columns)


def _columns(xp: Any, x: Any, key: slice) -> Any:
    return xp.getitem(x, (..., key))


def _rows(xp: Any, x: Any, count: int) -> Any:
    return xp.getitem(x, (..., slice(None, count), slice(None)))


rule("linalg.qr", _qr)

# -- eigenvalues ----------------------------------------------------------------------------------


def _eigh(xp: Any, g: Any, out: Any, _x: Any) -> Any:
    """Hermitian, as the operand is."""
    gw, gv = g
    w, v = out
    back = adjoint(xp, v)
    if gv is None:
        return xp.matmul(v * _row(xp, gw), back)
    inner = _reciprocal_gaps(xp, w) * xp.matmul(back, gv)
    if gw is not None:
        inner = inner + _row(xp, gw) * xp.eye(w.shape[-1], w.shape[-1], dtype=w.dtype)
    return _hermitian(xp, _times(xp, v, inner, back))


def _eig(xp: Any, g: Any, out: Any, _x: Any) -> Any:
    """For eigenvectors of unit length, whatever their phase."""
    gw, gv = g
    w, v = out
    back = adjoint(xp, v)
    if gv is None:
        return xp.linalg.solve(back, _column(xp, gw) * back)
    product = xp.matmul(back, gv)
    lengths = xp.real(xp.linalg.diagonal(product))
    inner = xp.conj(_reciprocal_gaps(xp, w)) * (product - xp.matmul(back, v) * _row(xp, lengths))
    if gw is not None:
        inner = inner + _row(xp, gw) * xp.eye(w.shape[-1], w.shape[-1], dtype=w.dtype)
    return xp.linalg.solve(back, xp.matmul(inner, back))


rule("linalg.eigh", _eigh)
rule("linalg.eig", _eig)
composition("linalg.eigvalsh", lambda xp, x: xp.linalg.eigh(x)[0])
composition("linalg.eigvals", lambda xp, x: xp.linalg.eig(x)[0])

# -- singular values ------------------------------------------------------------------------------


def _svd(xp: Any, g: Any, out: Any, _x: Any, **_: Any) -> Any:
    s, count = out[1], out[1].shape[-1]
    u, gu, beyond_u = _factor(xp, out[0], g[0], count)
    v, gv, beyond_v = _factor(xp, adjoint(xp, out[2]), None if g[2] is None else adjoint(xp, g[2]), count)
    back = adjoint(xp, v)
    if gu is None and gv is None:
        return xp.matmul(u * _row(xp, g[1]), back)
    inner = _svd_inner(xp, s, u, gu, v, gv, g[1])
    total = _times(xp, u, inner, back)
    if gu is not None and u.shape[-2] > count:
        total = total + xp.matmul((_normal(xp, u, gu) - beyond_u) / _row(xp, s), back)
    if gv is not None and v.shape[-2] > count:
        total = total + xp.matmul(u, adjoint(xp, (_normal(xp, v, gv) - beyond_v) / _row(xp, s)))
    return total


def _factor(xp: Any, q: Any, g: Any, count: int) -> tuple[Any, Any, Any]:
    """Return the first columns, their cotangent, and what the cotangent of the others takes from it.

    The others span the complement of the first, so ``dQ2 = -Q1 dQ1H Q2`` but for a rotation among themselves.
    """
    if g is None or q.shape[-1] == count:
        return _columns(xp, q, slice(None, count)), g, 0
    inside, outside = _columns(xp, q, slice(None, count)), _columns(xp, q, slice(count, None))
    moved = _times(xp, outside, adjoint(xp, _columns(xp, g, slice(count, None))), inside)
    return inside, _columns(xp, g, slice(None, count)), moved


def _normal(xp: Any, q: Any, g: Any) -> Any:
    """Return the part of ``g`` outside the span of the columns of ``q``."""
    return g - xp.matmul(q, xp.matmul(adjoint(xp, q), g))


def _svd_inner(xp: Any, s: Any, u: Any, gu: Any, v: Any, gv: Any, gs: Any) -> Any:
    """The cotangent of ``UH A V``, up to the part outside the span of ``U`` and ``V``."""
    identity = xp.eye(s.shape[-1], s.shape[-1], dtype=s.dtype)
    gaps = _reciprocal_gaps(xp, s) / (_row(xp, s) + _column(xp, s) + identity)
    inner = 0 if gs is None else _row(xp, gs) * identity
    phases = 0
    for q, g, sign in ((u, gu, 1), (v, gv, -1)):
        if g is None:
            continue
        product = xp.matmul(adjoint(xp, q), g)
        turned = gaps * (product - adjoint(xp, product))
        inner = inner + (turned * _row(xp, s) if sign == 1 else _column(xp, s) * turned)
        phases = phases + sign * product
    if xp.is_complex(u):
        inner = inner + 1j * xp.imag(phases) * identity / (2 * _column(xp, s))
    return inner


rule("linalg.svd", _svd)
composition("linalg.svdvals", lambda xp, x: xp.linalg.svd(x, full_matrices=False)[1])
