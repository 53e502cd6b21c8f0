"""Products, decompositions and solvers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..values import Spec
from . import Rule, rule, rule_for_each
from .probing import axis_of, is_empty, probe, replaced, tried


def _mismatch(x1: Any, x2: Any) -> ValueError:
    return ValueError(f"the shapes {x1.shape} and {x2.shape} do not match")


@rule("matmul")
def _matmul(x1: Any, x2: Any) -> Spec:
    dtype = probe("matmul", (x1, x2), {})
    a = (1, *x1.shape) if x1.ndim == 1 else x1.shape
    b = (*x2.shape, 1) if x2.ndim == 1 else x2.shape
    if a[-1] != b[-2]:
        raise _mismatch(x1, x2)
    last = (a[-2],) * (x1.ndim > 1) + (b[-1],) * (x2.ndim > 1)
    return Spec((*np.broadcast_shapes(a[:-2], b[:-2]), *last), dtype)


@rule("vecdot")
def _vecdot(x1: Any, x2: Any, *, axis: int) -> Spec:
    dtype = probe("vecdot", (x1, x2), {"axis": axis})
    shapes = []
    for x in (x1, x2):
        at = axis_of(axis, x.ndim)
        shapes.append((*replaced(x.shape, at), x.shape[at]))
    if shapes[0][-1] != shapes[1][-1]:
        raise _mismatch(x1, x2)
    return Spec(np.broadcast_shapes(*shapes)[:-1], dtype)


@rule("tensordot")
def _tensordot(x1: Any, x2: Any, *, axes: Any) -> Spec:
    dtype = probe("tensordot", (x1, x2), {"axes": axes})
    if isinstance(axes, int):
        axes = (tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes)))
    pairs = [[axis_of(one, x.ndim) for one in some] for x, some in ((x1, axes[0]), (x2, axes[1]))]
    if any(x1.shape[i] != x2.shape[j] for i, j in zip(*pairs, strict=True)):
        raise _mismatch(x1, x2)
    free = [n for x, some in ((x1, pairs[0]), (x2, pairs[1])) for i, n in enumerate(x.shape) if i not in some]
    return Spec(tuple(free), dtype)


@rule("linalg.outer")
def _outer(x1: Any, x2: Any) -> Spec:
    return Spec((*x1.shape, *x2.shape), probe("linalg.outer", (x1, x2), {}))


@rule("linalg.solve", "solve_triangular")
def _solve(a: Any, b: Any, **settings: Any) -> Any:
    if settings and settings.keys() != {"lower", "unit_diagonal"}:
        raise TypeError(f"unknown settings {sorted(settings)}")
    name = "solve_triangular" if settings else "linalg.solve"
    if is_empty(a.shape, b.shape):
        return tried(name, (a, b), settings)
    dtype = probe(name, (a, b), settings)
    _check_square(a)
    right = (*b.shape, 1) if b.ndim == 1 else b.shape
    if a.shape[-1] != right[-2]:
        raise _mismatch(a, b)
    shape = (*np.broadcast_shapes(a.shape[:-2], right[:-2]), *right[-2:])
    return Spec(shape[:-1] if b.ndim == 1 else shape, dtype)


def _check_square(x: Any) -> None:
    if x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError(f"the last two dimensions must be square, got the shape {x.shape}")


Shapes = Callable[[tuple[int, ...], int, int], tuple[tuple[int, ...], ...]]

_SQUARE: dict[str, Shapes] = {
    "linalg.cholesky": lambda s, m, n: ((*s, n, n),),
    "linalg.det": lambda s, m, n: (s,),
    "linalg.eig": lambda s, m, n: ((*s, n), (*s, n, n)),
    "linalg.eigh": lambda s, m, n: ((*s, n), (*s, n, n)),
    "linalg.eigvals": lambda s, m, n: ((*s, n),),
    "linalg.eigvalsh": lambda s, m, n: ((*s, n),),
    "linalg.inv": lambda s, m, n: ((*s, n, n),),
    "linalg.matrix_power": lambda s, m, n: ((*s, n, n),),
    "linalg.slogdet": lambda s, m, n: (s, s),
}
"""The shapes of the results for square matrices of ``n`` rows, in a stack of shape ``s``."""
_OBLONG: dict[str, Shapes] = {
    "linalg.matrix_rank": lambda s, m, n: (s,),
    "linalg.pinv": lambda s, m, n: ((*s, n, m),),
    "linalg.qr": lambda s, m, n: ((*s, m, min(m, n)), (*s, min(m, n), n)),
    "linalg.svd": lambda s, m, n: ((*s, m, min(m, n)), (*s, min(m, n)), (*s, min(m, n), n)),
    "linalg.svdvals": lambda s, m, n: ((*s, min(m, n)),),
}
_COMPLETE: dict[str, Shapes] = {
    "linalg.qr": lambda s, m, n: ((*s, m, m), (*s, m, n)),
    "linalg.svd": lambda s, m, n: ((*s, m, m), (*s, min(m, n)), (*s, n, n)),
}


_SETTINGS: dict[str, str] = {
    "linalg.cholesky": "upper",
    "linalg.matrix_rank": "rtol",
    "linalg.pinv": "rtol",
    "linalg.qr": "mode",
    "linalg.svd": "full_matrices",
}
"""What these functions take by keyword."""


@rule_for_each(" ".join([*_SQUARE, *_OBLONG]))
def _of_matrices(name: str) -> Rule:
    more = set(filter(None, [_SETTINGS.get(name)]))

    def of_matrices(x: Any, *args: Any, **settings: Any) -> Any:
        if settings.keys() != more or len(args) != (name == "linalg.matrix_power"):
            raise TypeError(f"{name} takes {sorted(more)}, got {sorted(settings)}")
        args = tuple(map(operator.index, args))
        if x.ndim < 2:
            raise ValueError(f"at least 2-dimensional: expected matrices, got {x.ndim} dimensions")
        if name in _SQUARE:
            _check_square(x)
        if is_empty(x.shape):
            return tried(name, (x, *args), settings)
        dtypes = probe(name, (x, *args), settings)
        complete = settings.get("mode") == "complete" or settings.get("full_matrices")
        shapes = (_COMPLETE if complete else _SQUARE | _OBLONG)[name](x.shape[:-2], *x.shape[-2:])
        if type(dtypes) is not tuple:
            return Spec(shapes[0], dtypes)
        return tuple(Spec(shape, dtype) for shape, dtype in zip(shapes, dtypes, strict=True))

    return of_matrices
