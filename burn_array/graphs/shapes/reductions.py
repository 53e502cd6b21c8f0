"""Functions that reduce axes or run along them, and Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values import Spec
from . import Rule, rule, rule_for_each
from .probing import axis_of, is_empty, probe, replaced, tried

REDUCTIONS = "all any argmax argmin count_nonzero max mean min prod std sum var linalg.vector_norm"
_MORE: dict[str, frozenset[str]] = {
    **dict.fromkeys(("prod", "sum"), frozenset(("dtype",))),
    **dict.fromkeys(("std", "var"), frozenset(("correction",))),
    "linalg.vector_norm": frozenset(("ord",)),
}
"""What a reduction takes beside ``axis`` and ``keepdims``."""
_WITHOUT_IDENTITY = frozenset(("argmax", "argmin", "max", "min", "linalg.vector_norm"))


def reduced(shape: tuple[int, ...], axis: Any, keepdims: bool) -> tuple[int, ...]:
    """Return the shape of a reduction over ``axis``: an int, a tuple of ints, or ``None`` for all axes."""
    if axis is None:
        gone: Any = range(len(shape))
    elif isinstance(axis, tuple | list):
        gone = [axis_of(one, len(shape)) for one in axis]
    else:
        gone = () if not shape and axis in (0, -1) else (axis_of(axis, len(shape)),)
    if keepdims:
        return tuple(1 if i in gone else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in gone)


@rule_for_each(REDUCTIONS)
def _reduction(name: str) -> Rule:
    more = _MORE.get(name, frozenset())

    def reduction(x: Any, *, axis: Any, keepdims: bool, **settings: Any) -> Any:
        if settings.keys() != more:
            raise TypeError(f"{name} takes {sorted(more)}, got {sorted(settings)}")
        settings = {"axis": axis, "keepdims": keepdims, **settings}
        if name in _WITHOUT_IDENTITY and is_empty(x.shape):
            return tried(name, (x,), settings)
        if "correction" in settings:
            settings["correction"] = 0  # so that one element has a variance
        dtype = probe(name, (x,), settings)
        return Spec(reduced(x.shape, axis, keepdims), dtype)

    return reduction


@rule_for_each("cumulative_sum cumulative_prod")
def _running(name: str) -> Rule:
    def running(x: Any, *, axis: Any, dtype: Any, include_initial: bool) -> Spec:
        settings = {"axis": axis, "dtype": dtype, "include_initial": include_initial}
        to = probe(name, (x,), settings)
        at = axis_of(0 if axis is None else axis, x.ndim)
        return Spec(replaced(x.shape, at, x.shape[at] + include_initial), to)

    return running


@rule("diff")
def _diff(x: Any, *, axis: int, n: int, prepend: Any, append: Any) -> Spec:
    at = axis_of(axis, x.ndim)
    length = x.shape[at]
    for part in (prepend, append):
        if part is not None:
            if part.ndim != x.ndim or replaced(part.shape, at) != replaced(x.shape, at):
                raise ValueError(f"the shapes {x.shape} and {part.shape} do not match except along axis {at}")
            length += part.shape[at]
    settings = {"axis": axis, "n": n, "prepend": prepend, "append": append}
    return Spec(replaced(x.shape, at, max(length - n, 0)), probe("diff", (x,), settings, 2))


_HALVED = frozenset(("rfft", "ihfft", "rfftn"))
_DOUBLED = frozenset(("irfft", "hfft", "irfftn"))


def _transformed(name: str, length: int, n: int | None) -> int:
    """Return the length of the last transformed axis of a result."""
    if name in _DOUBLED:
        return 2 * (length - 1) if n is None else n
    length = length if n is None else n
    return length // 2 + 1 if name in _HALVED else length


@rule_for_each("fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft")
def _transform(name: str) -> Rule:
    def transform(x: Any, *, n: int | None, axis: int, norm: str) -> Any:
        at = axis_of(axis, x.ndim)
        if is_empty(x.shape):
            return tried(name, (x,), {"n": n, "axis": axis, "norm": norm})
        dtype = probe(name, (x,), {"n": None, "axis": axis, "norm": norm}, 2)
        length = _transformed(name.removeprefix("fft."), x.shape[at], n)
        if length < 1:
            raise ValueError(f"Invalid number of FFT data points ({length}) specified.")
        return Spec(replaced(x.shape, at, length), dtype)

    return transform


@rule_for_each("fft.fftn fft.ifftn fft.rfftn fft.irfftn")
def _transform_over_axes(name: str) -> Rule:
    def transform(x: Any, *, s: Any, axes: Any, norm: str) -> Any:
        over = tuple(range(x.ndim)) if axes is None else tuple(axis_of(one, x.ndim) for one in axes)
        if is_empty(x.shape):
            return tried(name, (x,), {"s": s, "axes": axes, "norm": norm})
        dtype = probe(name, (x,), {"s": None, "axes": axes, "norm": norm}, 2)
        shape = list(x.shape)
        for axis, n in zip(over, (None,) * len(over) if s is None else s, strict=True):
            shape[axis] = shape[axis] if n is None or n == -1 else n
        if over:
            n = None if s is None else s[-1]
            shape[over[-1]] = _transformed(name.removeprefix("fft."), x.shape[over[-1]], n)
            if shape[over[-1]] < 1:
                raise ValueError(f"Invalid number of FFT data points ({shape[over[-1]]}) specified.")
        return Spec(tuple(shape), dtype)

    return transform


@rule("linalg.trace")
def _trace(x: Any, *, offset: int, dtype: Any) -> Spec:
    to = probe("linalg.trace", (x,), {"offset": 0, "dtype": dtype})
    return Spec(x.shape[:-2], to)


@rule("linalg.matrix_norm")
def _matrix_norm(x: Any, *, keepdims: bool, ord: Any) -> Any:
    settings = {"keepdims": keepdims, "ord": ord}
    if is_empty(x.shape):
        return tried("linalg.matrix_norm", (x,), settings)
    dtype = probe("linalg.matrix_norm", (x,), settings)
    return Spec((*x.shape[:-2], *((1, 1) if keepdims else ())), dtype)


@rule("linalg.diagonal")
def _diagonal(x: Any, *, offset: int) -> Spec:
    rows, columns = x.shape[-2:]
    length = min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns)
    return Spec((*x.shape[:-2], max(length, 0)), x.dtype)


@rule("linalg.cross")
def _cross(x1: Any, x2: Any, *, axis: int) -> Spec:
    for x in (x1, x2):
        if x.shape[axis_of(axis, x.ndim)] != 3:
            raise ValueError("both input arrays must be (arrays of) 3-dimensional vectors, with a shape of 3")
    vectors = [Spec((3,), x.dtype) for x in (x1, x2)]
    dtype = probe("linalg.cross", tuple(vectors), {"axis": -1}, 3)
    return Spec(np.broadcast_shapes(x1.shape, x2.shape), dtype)
