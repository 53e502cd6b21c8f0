"""Linear algebra on dask.

A matrix of which all elements are needed at once is one block; stacks of matrices stay cut. Products are sums of products
of blocks. Tall matrices in blocks of rows are factorised in a tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np

from burn_array.errors import ShapeError

from .apply import Apply, outcome
from .blocks import (
    aligned,
    block_at,
    block_by_block,
    by_place,
    filled,
    kind_of_blocks,
    nothing,
    places,
    whole,
    without_empty,
)
from .elementwise_functions import astype, elementwise, kind_of
from .manipulation_functions import checked_axes, checked_axis, expand_dims
from .statistical_functions import HALF, SINGLE, sum_, vector_norm

Shape = tuple[int, ...]


# -- products ---------------------------------------------------------------------------------


def _matmul(a: Any, b: Any) -> Any:
    """Return products of matrices: products of blocks, which are summed if the contracted axis is cut."""
    if not all(isinstance(x, da.Array) and x.ndim for x in (a, b)):
        raise ShapeError("matmul needs arrays of at least one dimension")
    left = expand_dims(a, 0) if a.ndim == 1 else a
    right = expand_dims(b, 1) if b.ndim == 1 else b
    if left.shape[-1] != right.shape[-2]:
        raise ShapeError(f"matmul: shapes {a.shape} and {b.shape} do not fit: {left.shape[-1]} != {right.shape[-2]}")
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    shape = (*batch, left.shape[-2], right.shape[-1])
    kind = kind_of_blocks(a)
    (dtype,) = outcome(Apply(kind, "matmul"), left, right, ndim=2, length=1)
    if 0 in shape or not left.shape[-1]:
        out = nothing(kind, shape, dtype) if 0 in shape else _zeros(kind, shape, dtype)
    else:
        out = _product(kind, left, right, len(batch), dtype)
    if a.ndim == 1:
        out = out[(..., 0, slice(None))]
    return out[(..., 0)] if b.ndim == 1 else out


def _zeros(kind: str, shape: Shape, dtype: Any) -> Any:
    return filled(kind, "zeros", shape, dtype)


def _product(kind: str, a: Any, b: Any, batch: int, dtype: Any) -> Any:
    row, inner, column = batch, batch + 1, batch + 2
    own_a = (*range(batch - a.ndim + 2, batch), row, inner)
    own_b = (*range(batch - b.ndim + 2, batch), inner, column)
    ready, cuts = aligned([(a, own_a), (b, own_b)])
    heads = tuple(cuts[i] for i in range(batch))
    if len(cuts[inner]) == 1:
        (x, _), (y, _) = ready
        chunks = (*heads, cuts[row], cuts[column])
        layer = {}
        for place, _ in places(chunks):
            *head, i, j = place
            layer[place] = [
                (0, (*block_at(head, x.numblocks[:-2]), i, 0)),
                (1, (*block_at(head, y.numblocks[:-2]), 0, j)),
            ]
        return by_place(Apply(kind, "matmul"), [x, y], layer, chunks, dtype)
    wide = SINGLE if dtype == HALF else dtype
    apply = Apply(kind, "blocks.product", ("matmul", wide, dtype))
    chunks = (*heads, cuts[row], (1,) * len(cuts[inner]), cuts[column])
    parts = block_by_block(apply, (*range(batch), row, inner, column), ready, chunks, wide)
    return astype(sum_(parts, axis=inner, dtype=wide), dtype, copy=False)


def _tensordot(a: Any, b: Any, *, axes: Any) -> Any:
    """Return the sum of products over pairs of axes."""
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ShapeError(f"cannot contract {axes} axes of arrays of {a.ndim} and {b.ndim} dimensions")
        first, second = tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    else:
        first, second = (checked_axes(tuple(own), x.ndim) for own, x in zip(axes, (a, b), strict=True))
    if len(first) != len(second) or any(a.shape[i] != b.shape[j] for i, j in zip(first, second, strict=True)):
        raise ShapeError(f"tensordot: the axes {axes} of shapes {a.shape} and {b.shape} do not fit")
    kind = kind_of_blocks(a)
    (dtype,) = outcome(Apply(kind, "tensordot", (), axes=0), a, b, ndim=0, length=1)
    free_a = [i for i in range(a.ndim) if i not in first]
    free_b = [j for j in range(b.ndim) if j not in second]
    shape = (*(a.shape[i] for i in free_a), *(b.shape[j] for j in free_b))
    if 0 in shape or not all(a.shape[i] for i in first):
        return nothing(kind, shape, dtype) if 0 in shape else _zeros(kind, shape, dtype)
    number: dict[int, int] = {j: a.ndim + k for k, j in enumerate(free_b)}
    number.update({j: i for i, j in zip(first, second, strict=True)})
    ready, cuts = aligned([(a, tuple(range(a.ndim))), (b, tuple(number[j] for j in range(b.ndim)))])
    out = (*free_a, *first, *(number[j] for j in free_b))
    chunks = tuple((1,) * len(cuts[i]) if i in first else cuts[i] for i in out)
    wide = SINGLE if dtype == HALF else dtype
    apply = Apply(kind, "blocks.contracted", ((first, second), len(free_a), wide))
    parts = block_by_block(apply, out, ready, chunks, wide)
    summed = tuple(range(len(free_a), len(free_a) + len(first)))
    return astype(sum_(parts, axis=summed, dtype=wide) if summed else parts, dtype, copy=False)


def _vecdot(a: Any, b: Any, *, axis: int) -> Any:
    """Return sums of products along an axis, of which the first factor is conjugated."""
    low = min(a.ndim, b.ndim)
    if not low or not -low <= axis < 0 and not (axis >= 0 and a.ndim == b.ndim and axis < low):
        checked_axis(axis, low)
    place = axis if axis < 0 else axis - a.ndim
    if a.shape[place] != b.shape[place]:
        raise ShapeError(f"vecdot: lengths {a.shape[place]} and {b.shape[place]} along axis {axis} differ")
    kind = kind_of_blocks(a)
    (dtype,) = outcome(Apply(kind, "vecdot", (), axis=-1), a, b, ndim=1, length=1)
    wide = SINGLE if dtype == HALF else dtype
    a, b = astype(a, wide, copy=False), astype(b, wide, copy=False)
    products = elementwise("multiply" if dtype.kind != "b" else "logical_and", _conj(a), b)
    if dtype.kind == "b":
        from .statistical_functions import StatisticalFunctions

        found: Any = StatisticalFunctions.any
        return found(products, axis=place, keepdims=False)
    return astype(sum_(products, axis=place, dtype=wide), dtype, copy=False)


def _conj(x: Any) -> Any:
    return elementwise("conj", x) if x.dtype.kind == "c" else x


def _outer(a: Any, b: Any) -> Any:
    if a.ndim != 1 or b.ndim != 1:
        raise ShapeError(f"outer needs two vectors, got arrays of {a.ndim} and {b.ndim} dimensions")
    return elementwise("multiply", expand_dims(a, 1), expand_dims(b, 0))


def _cross(a: Any, b: Any, *, axis: int) -> Any:
    """Return cross products of vectors of length 3 along an axis, which becomes one block."""
    for x in (a, b):
        checked_axis(axis, x.ndim)
        if x.shape[axis] != 3:
            raise ShapeError(f"cross needs vectors of length 3, not {x.shape[axis]}")
    shape = np.broadcast_shapes(a.shape, b.shape)
    kind = kind_of_blocks(a)
    (dtype,) = outcome(Apply(kind, "multiply"), a, b)
    if 0 in shape:
        return nothing(kind, shape, dtype)
    place = checked_axis(axis, len(shape)) if axis < 0 else axis
    ready = []
    for x in (a, b):
        x = whole("linalg.cross", x, (checked_axis(axis, x.ndim),))
        ready.append((x, tuple(range(len(shape) - x.ndim, len(shape)))))
    ready, cuts = aligned(ready)
    axes = tuple(range(len(shape)))
    apply = Apply(kind, "linalg.cross", (), axis=place - len(shape))
    return block_by_block(apply, axes, ready, tuple(cuts[i] for i in axes), dtype)


# -- matrices ---------------------------------------------------------------------------------


def matrices(name: str, x: Any, shapes: list[Shape], *others: Any, **settings: Any) -> Any:
    """Return the results of a function of matrices, of which each is one block.

    ``shapes`` are the last axes of the results. Several results are made in one task and taken out of it.
    """
    if x.ndim < 2:
        raise ShapeError(f"{name} needs matrices, got an array of {x.ndim} dimensions")
    kind = kind_of_blocks(x)
    apply = Apply(kind, name, (), **settings)
    dtypes = outcome(apply, x, *(), ndim=2, length=1)
    batch = x.shape[:-2]
    if 0 in batch or (0 in x.shape and all(0 in own for own in shapes)):
        out = [nothing(kind, (*batch, *own), dtype) for own, dtype in zip(shapes, dtypes, strict=True)]
        return tuple(out) if len(out) > 1 else out[0]
    x = whole(name, without_empty(x), (x.ndim - 2, x.ndim - 1), times=3)
    heads = x.chunks[:-2]
    if len(shapes) == 1:
        return _by_head(apply, x, heads, shapes[0], dtypes[0])
    several = block_by_block(apply, tuple(range(x.ndim)), [(x, tuple(range(x.ndim)))], x.chunks, dtypes[0])
    return tuple(_part(several, i, heads, own, dtypes[i]) for i, own in enumerate(shapes))


def _by_head(apply: Apply, x: Any, heads: Any, own: Shape, dtype: Any) -> Any:
    chunks = (*heads, *((n,) for n in own))
    layer = {}
    for place, _ in places(heads):
        layer[(*place, *(0,) * len(own))] = [(0, (*place, *(0,) * (x.ndim - len(heads))))]
    return by_place(apply, [x], layer, chunks, dtype)


def _part(several: Any, index: int, heads: Any, own: Shape, dtype: Any) -> Any:
    return _by_head(Apply(kind_of_blocks(several), "blocks.item", (index,)), several, heads, own, dtype)


def _square(name: str, shapes: Callable[[int], list[Shape]]) -> Any:
    def function(x: Any, **settings: Any) -> Any:
        _check_square(name, x)
        return matrices(name, x, shapes(x.shape[-1]), **settings)

    return staticmethod(function)


def _check_square(name: str, x: Any) -> None:
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ShapeError(f"{name}: Last 2 dimensions of the array must be square, got shape {x.shape}")


def is_tall(x: Any) -> bool:
    """Return whether a matrix is cut into several blocks of rows, each at least as high as wide."""
    return (
        x.ndim == 2
        and x.dtype.kind in "fc"
        and x.numblocks[0] > 1
        and x.numblocks[1] == 1
        and min(x.chunks[0]) >= x.shape[1] > 0
    )


def _qr(x: Any, *, mode: str) -> Any:
    if mode == "reduced" and is_tall(x):
        return tuple(da.linalg.tsqr(x))
    rows, columns = _sides("linalg.qr", x)
    inner = rows if mode == "complete" else min(rows, columns)
    return matrices("linalg.qr", x, [(rows, inner), (inner, columns)], mode=mode)


def _svd(x: Any, *, full_matrices: bool) -> Any:
    if not full_matrices and is_tall(x):
        return tuple(da.linalg.tsqr(x, compute_svd=True))
    rows, columns = _sides("linalg.svd", x)
    least = min(rows, columns)
    left, right = (rows, columns) if full_matrices else (least, least)
    return matrices("linalg.svd", x, [(rows, left), (least,), (right, columns)], full_matrices=full_matrices)


def _svdvals(x: Any) -> Any:
    if is_tall(x):
        return da.linalg.tsqr(x, compute_svd=True)[1]
    return matrices("linalg.svdvals", x, [(min(_sides("linalg.svdvals", x)),)])


def _sides(name: str, x: Any) -> tuple[int, int]:
    if x.ndim < 2:
        raise ShapeError(f"{name} needs matrices, got an array of {x.ndim} dimensions")
    return x.shape[-2], x.shape[-1]


def _with_second(name: str, x: Any, rtol: Any, shape: Shape) -> Any:
    """Return a function of matrices with a tolerance: a number, or an array with one for each matrix."""
    if not isinstance(rtol, da.Array):
        return matrices(name, x, [shape], rtol=rtol)
    batch = np.broadcast_shapes(x.shape[:-2], rtol.shape)
    (dtype,) = outcome(Apply(kind_of_blocks(x), name, (), rtol=None), x, ndim=2, length=1)
    if 0 in batch:
        return nothing(kind_of_blocks(x), (*batch, *shape), dtype)
    x = whole(name, without_empty(x), (x.ndim - 2, x.ndim - 1), times=3)
    head = len(batch)
    own = (*range(head - x.ndim + 2, head), head, head + 1)
    ready, cuts = aligned([(x, own), (rtol, tuple(range(head - rtol.ndim, head)))])
    (x, _), (rtol, _) = ready
    chunks = (*(cuts[i] for i in range(head)), *((n,) for n in shape))
    layer = {}
    for place, _ in places(chunks):
        at = place[:head]
        layer[place] = [(0, (*block_at(at, x.numblocks[:-2]), 0, 0)), (1, block_at(at, rtol.numblocks))]
    apply = Apply(kind_of_blocks(x), "blocks.with_tolerance", (name,))
    return by_place(apply, [x, rtol], layer, chunks, dtype)


def _pinv(x: Any, *, rtol: Any) -> Any:
    rows, columns = _sides("linalg.pinv", x)
    return _with_second("linalg.pinv", x, rtol, (columns, rows))


def _matrix_rank(x: Any, *, rtol: Any) -> Any:
    _sides("linalg.matrix_rank", x)
    return _with_second("linalg.matrix_rank", x, rtol, ())


def _matrix_power(x: Any, n: int) -> Any:
    _check_square("linalg.matrix_power", x)
    kind = kind_of_blocks(x)
    apply = Apply(kind, "linalg.matrix_power", (n,))
    (dtype,) = outcome(apply, x, ndim=2, length=1)
    if 0 in x.shape:
        return nothing(kind, x.shape, dtype)
    x = whole("linalg.matrix_power", without_empty(x), (x.ndim - 2, x.ndim - 1), times=3)
    axes = tuple(range(x.ndim))
    return block_by_block(apply, axes, [(x, axes)], x.chunks, dtype)


def _solve(a: Any, b: Any, *, name: str = "linalg.solve", **settings: Any) -> Any:
    """Return the solutions of systems of equations; ``b`` is one vector, or matrices of right-hand sides."""
    _check_square(name, a)
    is_vector = b.ndim == 1
    right = expand_dims(b, 1) if is_vector else b
    if right.ndim < 2 or right.shape[-2] != a.shape[-1]:
        raise ShapeError(f"{name}: shapes {a.shape} and {b.shape} do not fit")
    kind = kind_of((a, b))
    batch = np.broadcast_shapes(a.shape[:-2], right.shape[:-2])
    shape = (*batch, *right.shape[-2:])
    (dtype,) = outcome(Apply(kind, "linalg.solve"), a, right, ndim=2, length=1)
    if 0 in shape:
        out = nothing(kind, shape, dtype)
    else:
        head = len(batch)
        a = whole(name, without_empty(a), (a.ndim - 2, a.ndim - 1), times=3)
        right = whole(name, without_empty(right), (right.ndim - 2,))
        own = (*range(head - a.ndim + 2, head), head, head + 1)
        own_b = (*range(head - right.ndim + 2, head), head, head + 2)
        ((a, _), (right, _)), cuts = aligned([(a, own), (right, own_b)])
        chunks = (*(cuts[i] for i in range(head)), cuts[head], cuts[head + 2])
        layer = {}
        for place, _ in places(chunks):
            at = place[:head]
            layer[place] = [
                (0, (*block_at(at, a.numblocks[:-2]), 0, 0)),
                (1, (*block_at(at, right.numblocks[:-2]), 0, place[-1])),
            ]
        out = by_place(Apply(kind, name, (), **settings), [a, right], layer, chunks, dtype)
    return out[(..., 0)] if is_vector else out


def _solve_triangular(a: Any, b: Any, *, lower: bool, unit_diagonal: bool) -> Any:
    return _solve(a, b, name="solve_triangular", lower=lower, unit_diagonal=unit_diagonal)


def _matrix_norm(x: Any, *, keepdims: bool, ord: Any) -> Any:
    _sides("linalg.matrix_norm", x)
    if ord == "fro":
        kind = kind_of_blocks(x)
        outcome(Apply(kind, "linalg.matrix_norm", (), keepdims=keepdims, ord=ord), x, ndim=2, length=1)
        return vector_norm(x, axis=(x.ndim - 2, x.ndim - 1), keepdims=keepdims, ord=2)
    shape: Shape = (1, 1) if keepdims else ()
    if 0 in x.shape[-2:] and 0 not in x.shape[:-2]:
        small = np.linalg.matrix_norm(np.zeros((1, *x.shape[-2:])), ord=ord)
        return _zeros(kind_of_blocks(x), (*x.shape[:-2], *shape), small.dtype)
    return matrices("linalg.matrix_norm", x, [shape], keepdims=keepdims, ord=ord)


def _diagonal(x: Any, *, offset: int) -> Any:
    rows, columns = _sides("linalg.diagonal", x)
    length = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    shape = (*x.shape[:-2], length)
    if 0 in shape:
        return nothing(kind_of_blocks(x), shape, x.dtype)
    return da.diagonal(without_empty(x), offset, axis1=x.ndim - 2, axis2=x.ndim - 1)


def _trace(x: Any, *, offset: int, dtype: Any) -> Any:
    apply = Apply(kind_of_blocks(x), "linalg.trace", (), offset=0, dtype=dtype)
    outcome(apply, x, ndim=max(2, x.ndim), length=1)
    return sum_(_diagonal(x, offset=offset), axis=-1, dtype=dtype)


class LinearAlgebraFunctions:
    """The extension ``linalg`` and the page *linear algebra functions* of the standard."""

    matmul = staticmethod(_matmul)
    tensordot = staticmethod(_tensordot)
    vecdot = staticmethod(_vecdot)
    solve_triangular = staticmethod(_solve_triangular)
    linalg_cholesky = _square("linalg.cholesky", lambda n: [(n, n)])
    linalg_cross = staticmethod(_cross)
    linalg_det = _square("linalg.det", lambda n: [()])
    linalg_diagonal = staticmethod(_diagonal)
    linalg_eig = _square("linalg.eig", lambda n: [(n,), (n, n)])
    linalg_eigh = _square("linalg.eigh", lambda n: [(n,), (n, n)])
    linalg_eigvals = _square("linalg.eigvals", lambda n: [(n,)])
    linalg_eigvalsh = _square("linalg.eigvalsh", lambda n: [(n,)])
    linalg_inv = _square("linalg.inv", lambda n: [(n, n)])
    linalg_matrix_norm = staticmethod(_matrix_norm)
    linalg_matrix_power = staticmethod(_matrix_power)
    linalg_matrix_rank = staticmethod(_matrix_rank)
    linalg_outer = staticmethod(_outer)
    linalg_pinv = staticmethod(_pinv)
    linalg_qr = staticmethod(_qr)
    linalg_slogdet = _square("linalg.slogdet", lambda n: [(), ()])
    linalg_solve = staticmethod(_solve)
    linalg_svd = staticmethod(_svd)
    linalg_svdvals = staticmethod(_svdvals)
    linalg_trace = staticmethod(_trace)

