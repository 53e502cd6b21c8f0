"""Linear algebra on PyTorch: the functions of the main namespace and the extension ``linalg``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from burn_array.errors import ArgumentError, AxisError, ShapeError

from ._factorisation_scaling import has_overflowed, multiply_by, must_be_scaled, scaled, with_scaled_columns
from ._scaled_norms import finite_scale, needs_scaling, squeezed
from .direct import register_direct
from .dtypes import (
    COMPLEX,
    FLOATS,
    INTS,
    NATIVE_INTS,
    REAL_OF,
    WIDE_UNSIGNED,
    as_signed,
    cast,
    double,
    from_int64,
    from_signed,
    promote_all,
    to_int64,
)
from .manipulation_functions import normalized_axes
from .statistical_functions import StatisticalFunctions

Axes = int | tuple[Sequence[int], Sequence[int]]

_MULTIPLIED = FLOATS | COMPLEX
"""Dtypes whose matrices PyTorch multiplies on every device."""
_LIMBS: dict[torch.dtype, tuple[int, int, int]] = {
    torch.int8: (8, 1, 2**30),
    torch.uint8: (8, 1, 2**30),
    torch.int16: (16, 1, 2**20),
    torch.int32: (16, 2, 2**20),
    torch.int64: (22, 3, 2**8),
}
"""For ``split_product``: bits of a limb, number of limbs, and how many products of limbs float64 can sum exactly."""


# -- products ---------------------------------------------------------------------------------


def _product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the matrix product of arrays of one dtype with at least two axes.

    PyTorch multiplies no matrices of bools, and on CUDA none of integers; the standard multiplies every numeric dtype,
    and NumPy bools too.

    https://github.com/pytorch/pytorch/issues/44428, last seen in 2.13.0.
    """
    dtype = a.dtype
    if dtype in _MULTIPLIED:
        return torch.matmul(a, b)
    if a.shape[-2] == 1 and b.shape[-1] == 1 and a.shape[-1] == b.shape[-2]:
        return _dot(a[..., 0, :], b[..., 0])[..., None, None]
    if dtype in NATIVE_INTS and a.is_cpu:
        return _product_of_integers(a, b)
    if dtype is torch.bool:
        return _product(a.to(torch.float32), b.to(torch.float32)) != 0
    if dtype in WIDE_UNSIGNED:
        return from_int64(_product(to_int64(a), to_int64(b)), dtype)
    return split_product(a, b)


def _product_of_integers(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """PyTorch multiplies a matrix of integers with a column 20 times as slowly as with a vector; this takes the vector.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.matmul.html), last seen in 2.13.0.
    """
    if b.shape[-1] == 1 and b.ndim == 2:
        return torch.matmul(a, b[:, 0])[..., None]
    if a.shape[-2] == 1 and a.ndim == 2:
        return torch.matmul(b.mT, a[0])[..., None, :]
    return torch.matmul(a, b)


def _dot(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the sums of the products of integers or bools along the last axis.

    PyTorch's own product of a row and a column of integers is a hundred times as slow, and missing on CUDA.

    https://github.com/pytorch/pytorch/issues/44428, last seen in 2.13.0.
    """
    if a.dtype is torch.bool:
        return torch.any(torch.logical_and(a, b), -1)
    if a.dtype in WIDE_UNSIGNED:
        return from_signed(_dot(as_signed(a), as_signed(b)), a.dtype)
    if a.ndim == 1 and b.ndim == 1 and a.is_cpu:
        return torch.dot(a, b)
    return torch.sum(a * b, -1, dtype=a.dtype)


def split_product(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the product of integer matrices, computed in float64 but exact modulo 2**width.

    For accelerators, which multiply matrices of floats only. Integers are split into limbs so small that sums of their
    products stay below 2**53. Products of limbs that would be shifted beyond the width are left out.

    Raises
    ------
    ShapeError
        if the inner sizes differ
    """
    width, limbs, depth = _LIMBS[a.dtype]
    inner = a.shape[-1]
    if b.shape[-2] != inner:
        raise ShapeError(f"matrices of shapes {tuple(a.shape)} and {tuple(b.shape)} cannot be multiplied")
    shape = (*torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
    total = torch.zeros(shape, dtype=torch.int64, device=a.device)
    for start in range(0, inner, depth):
        stop = min(start + depth, inner)
        left = _limbs(a[..., start:stop], width, limbs)
        right = _limbs(b[..., start:stop, :], width, limbs)
        for i in range(limbs):
            for j in range(limbs - i):
                total += torch.matmul(left[i], right[j]).to(torch.int64) << (width * (i + j))
    return total.to(a.dtype)


def _limbs(x: torch.Tensor, width: int, count: int) -> list[torch.Tensor]:
    """Return ``count`` limbs of ``width`` bits as float64, the lowest first."""
    if count == 1:
        return [x.to(torch.float64)]
    whole, mask = x.to(torch.int64), (1 << width) - 1
    return [((whole >> (width * i)) & mask).to(torch.float64) for i in range(count)]


def _multiply(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the element-wise product of arrays of one dtype."""
    return from_signed(as_signed(a) * as_signed(b), a.dtype)


def _subtract(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return from_signed(as_signed(a) - as_signed(b), a.dtype)


def _matmul(x1: Any, x2: Any) -> torch.Tensor:
    if type(x1) is type(x2) and (dtype := x1.dtype) is x2.dtype and dtype in _MULTIPLIED:
        try:
            return torch.matmul(x1, x2)
        except RuntimeError:
            if x1.ndim and x2.ndim:
                raise
    elif not (isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor)):
        raise ShapeError("matmul: numbers are not multiplied as matrices; use multiply")
    if not x1.ndim or not x2.ndim:
        raise ShapeError("matmul: zero-dimensional arrays are not multiplied as matrices; use multiply")
    a, b = promote_all((x1, x2))
    result = _product(a.unsqueeze(0) if a.ndim == 1 else a, b.unsqueeze(1) if b.ndim == 1 else b)
    result = result.squeeze(-2) if a.ndim == 1 else result
    return result.squeeze(-1) if b.ndim == 1 else result


register_direct(_matmul, _matmul, FLOATS | COMPLEX | INTS)


def _matrix_transpose(x: torch.Tensor) -> torch.Tensor:
    """Return ``x`` with its last two axes exchanged; array_api_compat's function is slower."""
    if x.ndim < 2:
        raise ShapeError(f"matrix_transpose: expected at least two axes, got {x.ndim}")
    return x.transpose(-2, -1)


def _tensordot(x1: torch.Tensor, x2: torch.Tensor, *, axes: Axes = 2) -> torch.Tensor:
    a, b = promote_all((x1, x2))
    if type(axes) is int and 0 <= axes <= a.ndim and a.shape[a.ndim - axes :] == b.shape[:axes]:
        rest_a, rest_b, inner = a.shape[: a.ndim - axes], b.shape[axes:], math.prod(b.shape[:axes])
        if not rest_a and not rest_b and a.dtype in _MULTIPLIED:
            return torch.dot(a.reshape(-1), b.reshape(-1))  # several times as fast as a product of matrices
        product = _product(a.reshape(math.prod(rest_a), inner), b.reshape(inner, math.prod(rest_b)))
        return product.reshape(rest_a + rest_b)
    left, right = _contracted(a, b, axes)
    if any(a.shape[i] != b.shape[j] for i, j in zip(left, right, strict=True)):
        raise ShapeError(
            f"tensordot: contracted axes of {tuple(a.shape)} and {tuple(b.shape)} differ in size"
        )
    free_a = [axis for axis in range(a.ndim) if axis not in left]
    free_b = [axis for axis in range(b.ndim) if axis not in right]
    inner = math.prod(a.shape[axis] for axis in left)
    shape_a, shape_b = [a.shape[axis] for axis in free_a], [b.shape[axis] for axis in free_b]
    rows = a.permute(free_a + list(left)).reshape(math.prod(shape_a), inner)
    columns = b.permute(list(right) + free_b).reshape(inner, math.prod(shape_b))
    return _product(rows, columns).reshape(shape_a + shape_b)


def _contracted(a: torch.Tensor, b: torch.Tensor, axes: Axes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if isinstance(axes, int):
        if not 0 <= axes <= min(a.ndim, b.ndim):
            raise ArgumentError(f"tensordot: {axes} axes cannot be contracted")
        return tuple(range(a.ndim - axes, a.ndim)), tuple(range(axes))
    left, right = normalized_axes(axes[0], a.ndim), normalized_axes(axes[1], b.ndim)
    if len(left) != len(right):
        raise ShapeError("tensordot: axes must name the same number of axes of both arrays")
    return left, right


def _vecdot(x1: torch.Tensor, x2: torch.Tensor, *, axis: int = -1) -> torch.Tensor:
    """Return the sum of products along ``axis``, with the first operand conjugated.

    PyTorch's ``vecdot`` refuses integers, and broadcasts along the contracted axis; the standard takes integers, and
    asks for equal sizes.

    No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.linalg.vecdot.html), last seen in
    2.13.0.
    """
    alike = x1.dtype is x2.dtype and x1.dtype in _MULTIPLIED and x1.shape == x2.shape
    if alike and -x1.ndim <= axis < x1.ndim:
        return torch.linalg.vecdot(x1, x2, dim=axis)
    a, b = promote_all((x1, x2))
    a, b = _last_axes(a, b, axis)
    if a.dtype not in _MULTIPLIED:
        return _dot(a, b)
    if a.dtype in COMPLEX:
        a = a.conj()
    return _product(a.unsqueeze(-2), b.unsqueeze(-1))[..., 0, 0]


def _last_axes(a: torch.Tensor, b: torch.Tensor, axis: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return both arrays with ``axis`` as the last one, and broadcast along all others."""
    if not a.ndim or not b.ndim:
        raise AxisError(f"axis {axis} is out of range for 0 axes")
    a, b = a.movedim(axis, -1), b.movedim(axis, -1)
    if a.shape[-1] != b.shape[-1]:
        raise ShapeError(f"axis {axis} has size {a.shape[-1]} in one array and {b.shape[-1]} in the other")
    if a.shape == b.shape:
        return a, b
    shape = torch.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    return a.expand(*shape, a.shape[-1]), b.expand(*shape, b.shape[-1])


class LinearAlgebraFunctions:
    """The page ``linear algebra functions`` of the standard."""

    matmul = linalg_matmul = staticmethod(_matmul)
    matrix_transpose = linalg_matrix_transpose = staticmethod(_matrix_transpose)
    tensordot = linalg_tensordot = staticmethod(_tensordot)
    vecdot = linalg_vecdot = staticmethod(_vecdot)


# -- the extension ----------------------------------------------------------------------------


def _on_floats(function: Any) -> Any:
    """Make a function of matrices that converts integers to float64, as NumPy does."""

    def linalg(x: torch.Tensor) -> Any:
        return function(double(x))

    return staticmethod(linalg)


def _pair(function: Any) -> Any:
    """Make a function of matrices that returns a plain tuple, and converts integers to float64."""

    def linalg(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return tuple(function(double(x)))

    return staticmethod(linalg)


def _spectrum(function: Any) -> Any:
    """Make a function whose result grows in proportion to the matrix, scaled where the device would overflow."""

    def linalg(x: torch.Tensor) -> torch.Tensor:
        x = double(x)
        if not must_be_scaled(x):
            return function(x)
        x, factor = scaled(x)
        return function(x) * factor[..., 0]

    return staticmethod(linalg)


def _relative_tolerance(x: torch.Tensor, rtol: Any, sizes: torch.Tensor) -> Any:
    """Return the factor by which the largest singular value is multiplied to give the tolerance.

    ``sizes`` are the singular values of ``x``.
    """
    if rtol is None:
        return max(x.shape[-2:]) * torch.finfo(sizes.dtype).eps
    return cast(rtol, sizes.dtype).unsqueeze(-1) if isinstance(rtol, torch.Tensor) else rtol


def _largest(sizes: torch.Tensor) -> torch.Tensor:
    """Return the largest singular value of each matrix, of shape (..., 1); 0 for an empty matrix."""
    return sizes.amax(dim=-1, keepdim=True) if sizes.shape[-1] else sizes.sum(dim=-1, keepdim=True)


def _scaled_norm(x: torch.Tensor, axis: Any, keepdims: bool, ord: float) -> torch.Tensor:
    """Return a norm computed from the magnitudes divided by the largest, or the smallest for a negative order."""
    size = torch.abs(x)
    scale = finite_scale(
        (torch.amax if ord > 0 else torch.amin)(size, () if axis is None else axis, keepdim=True)
    )
    out = torch.linalg.vector_norm(size / scale, ord=ord, dim=axis, keepdim=True) * scale
    return out if keepdims else squeezed(out, axis)


class LinearAlgebraExtension:
    """The extension ``linalg`` of the standard."""

    linalg_det = _on_floats(torch.linalg.det)
    linalg_eig = _pair(torch.linalg.eig)
    linalg_eigvals = _on_floats(torch.linalg.eigvals)
    linalg_eigvalsh = _spectrum(torch.linalg.eigvalsh)
    linalg_inv = _on_floats(torch.linalg.inv)
    linalg_slogdet = _pair(torch.linalg.slogdet)
    linalg_svdvals = _spectrum(torch.linalg.svdvals)

    @staticmethod
    def linalg_cholesky(x: torch.Tensor, *, upper: bool = False) -> torch.Tensor:
        return torch.linalg.cholesky(double(x), upper=upper)

    @staticmethod
    def linalg_eigh(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        x = double(x)
        if not must_be_scaled(x):
            return tuple(torch.linalg.eigh(x))
        x, factor = scaled(x)
        values, vectors = torch.linalg.eigh(x)
        return values * factor[..., 0], vectors

    @staticmethod
    def linalg_cross(x1: torch.Tensor, x2: torch.Tensor, *, axis: int = -1) -> torch.Tensor:
        """PyTorch refuses arrays with different numbers of axes, and wide unsigned integers; the standard takes them.

        https://github.com/pytorch/pytorch/issues/39656, last seen in 2.13.0.
        """
        if x1.dtype is x2.dtype and x1.dtype in FLOATS and x1.shape == x2.shape and x1.shape[axis] == 3:
            return torch.linalg.cross(x1, x2, dim=axis)
        a, b = promote_all((x1, x2))
        a, b = _last_axes(a, b, axis)
        if a.shape[-1] != 3:
            raise ShapeError(f"cross: axis {axis} has size {a.shape[-1]}, not 3")
        parts = [
            _subtract(_multiply(a[..., i], b[..., j]), _multiply(a[..., j], b[..., i]))
            for i, j in ((1, 2), (2, 0), (0, 1))
        ]
        result = torch.stack([as_signed(part) for part in parts], dim=-1)
        return from_signed(result, a.dtype).movedim(-1, axis)

    @staticmethod
    def linalg_matrix_norm(x: torch.Tensor, *, keepdims: bool = False, ord: Any = "fro") -> torch.Tensor:
        """PyTorch refuses most norms of empty matrices; NumPy gives 0, unless a smallest of no numbers is asked for.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.linalg.matrix_norm.html), last
        seen in 2.13.0.
        """
        x = double(x)
        if not x.numel() and ord != "nuc" and ord != "fro" and 0 in x.shape[-2:]:
            if not {-1: x.shape[-1], -math.inf: x.shape[-2], -2: 0}.get(ord, 1):
                raise ArgumentError("matrix_norm: an empty matrix has no smallest sum or singular value")
            shape = x.shape[:-2] + ((1, 1) if keepdims else ())
            return torch.zeros(shape, dtype=REAL_OF.get(x.dtype, x.dtype), device=x.device)
        if ord in ("nuc", 2, -2) and must_be_scaled(x):
            x, factor = scaled(x)
            return torch.linalg.matrix_norm(x, ord=ord, keepdim=keepdims) * (
                factor if keepdims else factor[..., 0, 0]
            )
        out = torch.linalg.matrix_norm(x, ord=ord, keepdim=keepdims)
        return (
            _scaled_norm(x, (-2, -1), keepdims, 2)
            if ord == "fro" and x.numel() and needs_scaling(out, 2)
            else out
        )

    @staticmethod
    def linalg_matrix_power(x: torch.Tensor, n: int) -> torch.Tensor:
        """Return the ``n``-th power; PyTorch multiplies no matrices of integers on CUDA (see ``_product``)."""
        if n < 0:
            x, n = torch.linalg.inv(double(x)), -n
        if x.dtype in _MULTIPLIED:
            return torch.linalg.matrix_power(x, n)
        result = torch.eye(x.shape[-1], dtype=torch.int64, device=x.device).expand(x.shape)
        result = cast(result, x.dtype)
        while n:
            result = _product(result, x) if n & 1 else result
            x, n = _product(x, x) if n > 1 else x, n >> 1
        return result

    @staticmethod
    def linalg_matrix_rank(x: torch.Tensor, *, rtol: Any = None) -> torch.Tensor:
        """Return the number of singular values above the tolerance, which may differ between matrices."""
        x = double(x)
        sizes = LinearAlgebraExtension.linalg_svdvals(x)
        return torch.sum(sizes > _relative_tolerance(x, rtol, sizes) * _largest(sizes), dim=-1)

    @staticmethod
    def linalg_outer(x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
        if x1.ndim != 1 or x2.ndim != 1:
            raise ShapeError(f"outer: expected vectors, got arrays of {x1.ndim} and {x2.ndim} axes")
        if x1.dtype is x2.dtype and x1.dtype in _MULTIPLIED:
            return torch.outer(x1, x2)
        a, b = promote_all((x1, x2))
        return _multiply(a.unsqueeze(1), b.unsqueeze(0))

    @staticmethod
    def linalg_pinv(x: torch.Tensor, *, rtol: Any = None) -> torch.Tensor:
        x = double(x)
        rtol = cast(rtol, REAL_OF.get(x.dtype, x.dtype)) if isinstance(rtol, torch.Tensor) else rtol
        if not must_be_scaled(x):
            return torch.linalg.pinv(x, rtol=rtol)
        x, factor = scaled(x)
        return multiply_by(torch.linalg.pinv(x, rtol=rtol), 1 / factor)

    @staticmethod
    def linalg_qr(x: torch.Tensor, *, mode: str = "reduced") -> tuple[torch.Tensor, ...]:
        """PyTorch gives NaN beside a column whose norm overflows; only what is too large should be infinite.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.linalg.qr.html), last seen in
        2.13.0.
        """
        if mode not in ("reduced", "complete"):
            raise ArgumentError(f"qr: mode is 'reduced' or 'complete', not {mode!r}")
        x = double(x)
        if not must_be_scaled(x):
            q, r = torch.linalg.qr(x, mode=mode)
            if not has_overflowed(r):
                return q, r
        x, factor = with_scaled_columns(x)
        q, r = torch.linalg.qr(x, mode=mode)
        return q, multiply_by(r, factor)

    @staticmethod
    def linalg_solve(x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
        """PyTorch takes an ``x2`` with several axes for a stack of vectors if its shape fits; the standard never does.

        array_api_compat's function is slower, and refuses integers.

        https://github.com/pytorch/pytorch/issues/120402, last seen in 2.13.0.
        """
        a, b = promote_all((double(x1), double(x2)))
        if b.ndim == 1:
            return torch.linalg.solve(a, b.unsqueeze(-1).expand(*a.shape[:-2], -1, 1)).squeeze(-1)
        b = b.reshape((1,) * (a.ndim - b.ndim) + b.shape)
        return torch.linalg.solve(a, b)

    @staticmethod
    def solve_triangular(
        a: torch.Tensor, b: torch.Tensor, *, lower: bool, unit_diagonal: bool
    ) -> torch.Tensor:
        """Return the solutions of triangular systems; ``b`` holds them as columns."""
        return torch.linalg.solve_triangular(a, b, upper=not lower, unitriangular=unit_diagonal)

    @staticmethod
    def linalg_svd(x: torch.Tensor, *, full_matrices: bool = True) -> tuple[torch.Tensor, ...]:
        x = double(x)
        if not must_be_scaled(x):
            return tuple(torch.linalg.svd(x, full_matrices=full_matrices))
        x, factor = scaled(x)
        u, values, vh = torch.linalg.svd(x, full_matrices=full_matrices)
        return u, values * factor[..., 0], vh

    @staticmethod
    def linalg_trace(x: torch.Tensor, *, offset: int = 0, dtype: torch.dtype | None = None) -> torch.Tensor:
        diagonal = torch.diagonal(x, offset=offset, dim1=-2, dim2=-1)
        return StatisticalFunctions.sum(diagonal, axis=-1, dtype=dtype)

    @staticmethod
    def linalg_vector_norm(
        x: torch.Tensor, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, ord: Any = 2
    ) -> torch.Tensor:
        """PyTorch takes ``()`` for all axes, and refuses some norms of no numbers; in the standard ``()`` reduces none.

        NumPy gives 0 for the norms of no numbers, inf if ``ord`` is negative.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.linalg.vector_norm.html), last
        seen in 2.13.0.
        """
        x = double(x)
        if axis == ():
            return torch.abs(x) if ord != 0 else cast(x != 0, REAL_OF.get(x.dtype, x.dtype))
        if not x.numel() and (ord == math.inf or -math.inf < ord < 0):
            zero = torch.sum(torch.abs(x), dim=axis, keepdim=keepdims)
            return zero if ord > 0 else zero + math.inf
        out = torch.linalg.vector_norm(x, ord=ord, dim=axis, keepdim=keepdims)
        return _scaled_norm(x, axis, keepdims, ord) if x.numel() and needs_scaling(out, ord) else out
