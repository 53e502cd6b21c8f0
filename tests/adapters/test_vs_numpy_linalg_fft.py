"""Linear algebra and Fourier transforms give on every device what they give on NumPy.

Factorisations are not unique, so their products are compared.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import numpy as np
import pytest

import burn_array as xp

Cases = Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]
PRODUCTS = (
    *(((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4))),
    *(((2, 1, 2, 3), (4, 3, 2)), ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (2, 3))),
)


def squares(grid: Any, dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    """Return well-conditioned square matrices."""
    return np.asarray(grid(dtype, *shape) + 15 * np.eye(shape[-1], dtype=dtype))


def hermitian(grid: Any, dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    """Return Hermitian positive-definite matrices."""
    values = grid(dtype, *shape)
    return np.asarray(values @ values.conj().swapaxes(-1, -2) + 5 * np.eye(shape[-1], dtype=dtype))


def _shapes(arrays: Any) -> list[Any]:
    """Return the shapes of arrays."""
    return [array.shape for array in arrays]


def linear_algebra(vary: Any, grid: Any, kinds: Any) -> Cases:
    for dtype in (*kinds.floats, *kinds.complexes):
        for shape in ((3, 3), (2, 3, 3), (2, 1, 4, 4), (0, 3, 3), (2, 0, 0), (1, 1)):
            a, h = squares(grid, dtype, *shape), hermitian(grid, dtype, *shape)
            for name in ("det", "inv", "slogdet", "svdvals", "matrix_rank", "pinv"):
                yield from vary(f"linalg.{name}", a)
            yield from vary("linalg.cholesky", h, upper=[False, True])
            yield from vary("linalg.eigvalsh", h)
            for n in (0, 1, 2, 3, -1, -2):
                yield f"matrix_power({dtype}{shape}, {n})", lambda x, n=n: xp.linalg.matrix_power(x, n), (a,)
            for ord_ in ("fro", "nuc", 1, -1, 2, -2, inf, -inf):
                if 0 not in shape[-2:] or ord_ in ("fro", "nuc"):
                    yield from vary("linalg.matrix_norm", a, ord=[ord_], keepdims=[False, True])
            yield from vary("linalg.solve", a, grid(dtype, *shape[:-1], 2))
            yield from vary("linalg.solve", a, grid(dtype, shape[-1]))
            yield from vary("linalg.solve", a, grid(dtype, *shape[-2:]))
            yield f"qr {dtype}{shape}", _from_qr, (a,)
            yield f"svd {dtype}{shape}", _from_svd, (a,)
            yield f"eigh {dtype}{shape}", _from_eigh, (h,)
            yield f"eig {dtype}{shape}", _from_eig, (a,)
            yield f"eigvals {dtype}{shape}", lambda x: xp.sort(xp.real(xp.linalg.eigvals(x))), (h,)
        for shape in ((2, 3), (4, 2), (2, 2, 3), (0, 3), (3, 0), (2, 0, 3), (2, 3, 0)):
            a = grid(dtype, *shape)
            for name in ("svdvals", "matrix_rank", "pinv"):
                yield from vary(f"linalg.{name}", a)
            for mode in ("reduced", "complete"):
                yield f"r {dtype}{shape}{mode}", lambda x, m=mode: xp.abs(xp.linalg.qr(x, mode=m).R), (a,)
                yield f"q {dtype}{shape}{mode}", lambda x, m=mode: xp.linalg.qr(x, mode=m).Q.shape, (a,)
                full = mode == "complete"
                yield (
                    f"svd {dtype}{shape}",
                    lambda x, f=full: _shapes(xp.linalg.svd(x, full_matrices=f)),
                    (a,),
                )
            if 0 not in shape:
                yield from vary("linalg.matrix_norm", a, ord=["fro", "nuc", 1, -1, 2, -2, inf, -inf])
        yield from vary("linalg.pinv", grid(dtype, 2, 3, 2), rtol=[0.1])
        stack, limits = grid(dtype, 2, 3, 2), np.asarray([0.1, 0.9])
        yield f"pinv rtol {dtype}", lambda x, r: xp.linalg.pinv(x, rtol=r), (stack, limits)
        yield f"rank rtol {dtype}", lambda x, r: xp.linalg.matrix_rank(x, rtol=r), (stack, limits)
        for ord_ in (0, 1, 2, 3, -1, -2, 0.5, inf, -inf):
            for x in (grid(dtype, 2, 3, 4), grid(dtype, 5)):
                yield from vary(
                    "linalg.vector_norm", x, axis=[None, 0, -1], keepdims=[False, True], ord=[ord_]
                )
        yield from vary("linalg.vector_norm", grid(dtype, 2, 3, 4), axis=[(0, 2)], ord=[2, 1, inf])
        yield from vary("linalg.vector_norm", grid(dtype, 0), ord=[1, 2])
    for one, other in itertools.product(("int8", "uint64", *kinds.floats, "complex64"), repeat=2):
        for shapes in PRODUCTS:
            yield from vary("matmul", grid(one, *shapes[0]), grid(other, *shapes[1]))
        yield from vary("matmul", grid(one, 3, 2).T, grid(other, 3, 4)[:, ::2])
        yield from vary("vecdot", grid(one, 2, 3), grid(other, 1, 3))
        yield from vary("vecdot", grid(one, 3, 2), grid(other, 3, 2), axis=[0, -1])
        yield from vary("vecdot", grid(one, 2, 0), grid(other, 0))
        yield from vary("tensordot", grid(one, 2, 3, 4), grid(other, 3, 4, 2), axes=[2, ((2, -2), (1, 0))])
        yield from vary("tensordot", grid(one, 3, 2), grid(other, 2, 3), axes=[1, 0])
        yield from vary("linalg.outer", grid(one, 3), grid(other, 2))
        if "uint64" not in (one, other):
            yield from vary("linalg.cross", grid(one, 2, 3), grid(other, 3))
            yield from vary("linalg.cross", grid(one, 3, 2), grid(other, 3, 1), axis=[0])
    for dtype in kinds.all:
        yield from vary("linalg.trace", grid(dtype, 2, 3, 4), offset=[0, 1, -1, 9])
        yield from vary("linalg.diagonal", grid(dtype, 2, 3, 4), offset=[0, 1, -1, 9])
        yield from vary("matrix_transpose", grid(dtype, 2, 3, 4))
    yield from vary("linalg.trace", grid("float32", 3, 3), dtype=[np.dtype("float64")])
    yield from vary("matmul", grid("float32", 2, 3), grid("float32", 2, 3))
    yield from vary("matmul", grid("float32", 2, 3), 2)


def _from_qr(x: Any) -> Any:
    parts = xp.linalg.qr(x)
    return parts.Q @ parts.R


def _from_svd(x: Any) -> Any:
    u, s, v = xp.linalg.svd(x, full_matrices=False)
    return (u * s[..., None, :]) @ v


def _from_eigh(x: Any) -> Any:
    values, vectors = xp.linalg.eigh(x)
    return (vectors * values[..., None, :]) @ xp.conj(xp.matrix_transpose(vectors))


def _from_eig(x: Any) -> Any:
    values, vectors = xp.linalg.eig(x)
    return (
        xp.round((x @ vectors - vectors * values[..., None, :]) * 100),
        values.dtype.name,
        vectors.dtype.name,
    )


def fourier(vary: Any, grid: Any, kinds: Any) -> Cases:
    norms = ["backward", "ortho", "forward"]
    for dtype in (*kinds.floats, *kinds.complexes):
        x = grid(dtype, 3, 4, 5)
        for name in ("fft", "ifft", "hfft", "irfft") if dtype in kinds.complexes else ("rfft", "ihfft"):
            yield from vary(f"fft.{name}", x, n=[None, 3, 8, 1], axis=[-1, 0], norm=norms)
        names = ("fftn", "ifftn", "irfftn") if dtype in kinds.complexes else ("rfftn",)
        for name in names:
            yield from vary(f"fft.{name}", x, norm=norms)
            yield from vary(f"fft.{name}", x, s=[(3, 6), (4, 2)], axes=[(0, 1), (2, 0)], norm=norms)
            yield from vary(f"fft.{name}", x, axes=[(0,), (1, 2), (-1, 0)])
        yield from vary("fft.fftshift", x, axes=[None, 0, (0, 2), -1])
        yield from vary("fft.ifftshift", x, axes=[None, 0, (0, 2), -1])


@pytest.mark.parametrize("page", [linear_algebra, fourier], ids=lambda page: page.__name__)
def test_page_equals_numpy(compare_page: Callable[..., None], page: Callable[..., Any]) -> None:
    compare_page(page)
