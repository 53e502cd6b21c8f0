"""Norms and standard deviations whose powers overflow or underflow although the result can be represented.

The libraries sum powers of unscaled elements: ``vector_norm([1e200])`` is infinite, and ``vector_norm([1e-200])`` is 0.
The standard asks for ``sum(abs(x)**p)**(1/p)``, which is finite. The result shows whether a power may have overflowed
or underflowed; only then it is computed again, from the elements divided by the largest of them.

https://github.com/numpy/numpy/issues/19097, last seen in NumPy 2.4.6, PyTorch 2.13.0, CuPy 14.2.0 and dpnp 0.20.0.
Canaries: ``linalg.vector_norm``, ``linalg.matrix_norm`` and ``std``.
"""

from __future__ import annotations

import math
from functools import lru_cache, partial
from typing import Any

import numpy as np

PLAIN = frozenset((0, 1, math.inf, -math.inf))
"""Orders of norms that need no powers."""
_ACCURATE = 24
"""The logarithm to base 2 up to which a root of a sum of powers is accurate to a few units in the last place."""
FEW = 16
"""Up to this number of results Python compares them faster than the library."""


@lru_cache
def bounds(order: float, is_single: bool) -> tuple[float, float]:
    """Return the bounds between which a norm of that order was computed without overflow or underflow."""
    reach = 100.0 if is_single else 960.0
    if order == 2:
        return 2.0 ** (-reach / 2), math.inf
    wide = min(_ACCURATE, reach / abs(order))
    return 2.0**-wide, 2.0**wide


def needs_scaling(lib: Any, out: Any, order: float) -> bool:
    """Return whether some result is not between the bounds, so that a power may have overflowed or underflowed."""
    low, high = bounds(order, out.dtype.itemsize == 4)
    if not out.ndim:
        return not low < float(out) < high
    if out.size <= FEW:
        few = out.ravel().tolist()
        return not (min(few) > low and max(few) < high)
    return not (bool(lib.min(out) > low) and bool(lib.max(out) < high))


def scaled(lib: Any, function: Any, x: Any, axis: Any, order: float, keepdims: bool) -> Any:
    """Return ``function`` of the magnitudes of ``x``, computed from them divided by the largest along ``axis``.

    For a negative order it is the smallest.
    """
    size = lib.abs(x)
    if size.dtype.kind != "f":
        size = size.astype(np.float64)
    scale = _finite_scale(lib, (lib.max if order > 0 else lib.min)(size, axis=axis, keepdims=True))
    out = function(size / scale, axis=axis, keepdims=True) * scale
    return out if keepdims else lib.squeeze(out, axis=axis)


def scaled_spread(lib: Any, function: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """Return ``function``, a standard deviation, of ``x`` divided by its largest element along ``axis``."""
    parts = (x,) if x.dtype.kind != "c" else (x.real, x.imag)
    tops = [lib.max(lib.abs(part), axis=axis, keepdims=True) for part in parts]
    scale = _finite_scale(lib, tops[0] if len(tops) == 1 else lib.maximum(*tops))
    scale = scale if scale.dtype.kind == "f" else scale.astype(np.float64)
    out = function(x / scale, axis=axis, keepdims=True) * scale
    return out if keepdims else lib.squeeze(out, axis=axis)


def _finite_scale(lib: Any, top: Any) -> Any:
    return lib.where(lib.isfinite(top) & (top != 0), top, lib.ones_like(top))


def vector_norm(lib: Any, function: Any) -> Any:
    """Return ``vector_norm`` of a library modelled on NumPy such that powers do not overflow or underflow."""

    def norm(x: Any, /, *, axis: Any, keepdims: bool, ord: Any) -> Any:
        if ord in PLAIN or axis == () or not x.size:
            return function(x, axis=axis, keepdims=keepdims, ord=ord)
        with np.errstate(all="ignore"):
            out = function(x, axis=axis, keepdims=keepdims, ord=ord)
            if not needs_scaling(lib, out, ord):
                return out
            return scaled(lib, lambda y, **settings: function(y, ord=ord, **settings), x, axis, ord, keepdims)

    return norm


def matrix_norm(lib: Any, function: Any, of_vectors: Any) -> Any:
    """Return ``matrix_norm`` such that the squares in the Frobenius norm do not overflow or underflow."""

    def norm(x: Any, /, *, keepdims: bool, ord: Any) -> Any:
        if ord != "fro" or not x.size:
            return function(x, keepdims=keepdims, ord=ord)
        with np.errstate(all="ignore"):
            out = function(x, keepdims=keepdims, ord=ord)
            if needs_scaling(lib, out, 2):
                return of_vectors(x, axis=(-2, -1), keepdims=keepdims, ord=2)
        return out

    return norm


def spread(lib: Any, function: Any, is_root: bool) -> Any:
    """Return ``var``, or ``std`` if ``is_root``, which keeps its digits beside a large mean.

    The libraries subtract a rounded mean, and the square of its error stays in the result: of ``[1e8, 1e8 + 16,
    1e8 + 32]`` in float32 they give a variance of 234.7 in place of 170.7. A large mean is therefore subtracted first.
    If squares in a standard deviation overflow or underflow, the elements are scaled.

    No upstream issue is known; last seen in NumPy 2.4.6 and dpnp 0.20.0. Canaries: ``var`` and ``std``.
    """

    def of_centred(x: Any, *, axis: Any, keepdims: bool, correction: Any) -> Any:
        centred = x - lib.mean(x, axis=axis, keepdims=True)
        return function(centred, axis=axis, keepdims=keepdims, correction=correction)

    def found(x: Any, *, axis: Any, keepdims: bool, correction: Any) -> Any:
        if axis == () or not x.size:
            return function(x, axis=axis, keepdims=keepdims, correction=correction)
        with np.errstate(over="ignore", under="ignore"):
            out = function(x, axis=axis, keepdims=keepdims, correction=correction)
        if is_root and needs_scaling(lib, out, 2):
            with np.errstate(all="ignore"):
                return scaled_spread(lib, partial(of_centred, correction=correction), x, axis, keepdims)
        if _is_offset(lib, x, out, axis, is_root):
            with np.errstate(all="ignore"):
                return of_centred(x, axis=axis, keepdims=keepdims, correction=correction)
        return out

    return found


LARGE_MEAN = 2.0**10
"""A mean is large if it is more than this number of standard deviations: then rounding it loses digits."""


def _is_offset(lib: Any, x: Any, out: Any, axis: Any, is_root: bool) -> bool:
    """Return whether some mean is large beside its standard deviation or variance ``out``.

    The first element stands for the mean: if the two differ much, so do the elements.
    """
    if axis is None or x.ndim <= 1:
        deviation, first = float(out.reshape(()) if out.ndim else out), abs(x.item(0))
        return first > LARGE_MEAN * (deviation if is_root else math.sqrt(max(deviation, 0.0)))
    axes = [one % x.ndim for one in (axis if type(axis) is tuple else (axis,))]
    first = x[tuple([0 if i in axes else slice(None) for i in range(x.ndim)])]
    if out.size <= FEW:
        pairs = zip(first.ravel().tolist(), out.ravel().tolist(), strict=True)
        return any(abs(one) > LARGE_MEAN * (other if is_root else other**0.5) for one, other in pairs)
    first = lib.abs(first).reshape(out.shape)
    return bool(lib.any(first > LARGE_MEAN * (out if is_root else lib.sqrt(out))))
