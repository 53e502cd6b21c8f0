"""Functions that rearrange, join and repeat arrays, sort them and search in them."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ..._core.device import device
from ...errors import CaptureError
from ..values import Spec
from . import Rule, rule, rule_for_each
from .elementwise import broadcast
from .probing import axis_of, is_array, probe, replaced

DATA_DEPENDENT = "nonzero unique_all unique_counts unique_inverse unique_values"


def stand_in(x: Any) -> Any:
    """Return an ndarray of the shape of ``x``, of one byte."""
    return np.broadcast_to(np.zeros((), "int8"), x.shape)


@rule_for_each("broadcast_to expand_dims matrix_transpose moveaxis permute_dims squeeze")
def _reshaping(name: str) -> Rule:
    def shaped(x: Any, *args: Any, **settings: Any) -> Spec:
        return Spec(device("numpy").function(name)(stand_in(x), *args, **settings).shape, x.dtype)

    return shaped


@rule("reshape")
def _reshape(x: Any, shape: tuple[int, ...], *, copy: bool | None = None) -> Spec:
    size = prod(x.shape)
    known = prod(n for n in shape if n != -1)
    negative = [n for n in shape if n < 0]
    if len(negative) > 1 or any(n != -1 for n in negative):
        raise ValueError("can only specify one unknown dimension")
    if negative and (known == 0 or size % known):
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    out = tuple(size // known if n == -1 else n for n in shape)
    if prod(out) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {shape}")
    return Spec(out, x.dtype)


@rule("flip")
def _flip(x: Any, *, axis: Any) -> Spec:
    for one in () if axis is None else axis if isinstance(axis, tuple) else (axis,):
        axis_of(one, x.ndim)
    return Spec(x.shape, x.dtype)


@rule("roll")
def _roll(x: Any, shift: Any, *, axis: Any) -> Spec:
    return Spec(x.shape, x.dtype)


@rule("broadcast_arrays")
def _broadcast_arrays(*arrays: Any) -> tuple[Spec, ...]:
    shape = broadcast(*arrays)
    return tuple(Spec(shape, x.dtype) for x in arrays)


@rule("meshgrid")
def _meshgrid(*arrays: Any, indexing: str) -> tuple[Spec, ...]:
    if len({x.dtype for x in arrays}) > 1:
        raise TypeError("meshgrid: the arrays must have one dtype")
    lengths = [prod(x.shape) for x in arrays]
    if indexing == "xy" and len(lengths) > 1:
        lengths[:2] = lengths[1::-1]
    return tuple(Spec(tuple(lengths), x.dtype) for x in arrays)


@rule("concat")
def _concat(arrays: Any, *, axis: int | None = 0) -> Spec:
    flat = axis is None
    shapes = [(prod(x.shape),) if flat else x.shape for x in arrays]
    at = axis_of(0 if axis is None else axis, len(shapes[0]))
    for shape in shapes:
        if len(shape) != len(shapes[0]) or replaced(shape, at) != replaced(shapes[0], at):
            raise ValueError(f"the shapes {', '.join(map(str, shapes))} do not match except along axis {at}")
    dtype = probe("concat", (list(arrays),), {"axis": axis})
    return Spec(replaced(shapes[0], at, sum(shape[at] for shape in shapes)), dtype)


@rule("stack")
def _stack(arrays: Any, *, axis: int = 0) -> Spec:
    shape = arrays[0].shape
    if any(x.shape != shape for x in arrays):
        raise ValueError("all input arrays must have the same shape")
    at = axis_of(axis, len(shape) + 1)
    return Spec((*shape[:at], len(arrays), *shape[at:]), probe("stack", (list(arrays),), {"axis": axis}))


@rule("unstack")
def _unstack(x: Any, *, axis: int) -> tuple[Spec, ...]:
    at = axis_of(axis, x.ndim)
    one = Spec(replaced(x.shape, at), x.dtype)
    return tuple([one] * x.shape[at])


@rule("repeat")
def _repeat(x: Any, repeats: Any, *, axis: int | None) -> Spec:
    if is_array(repeats):
        raise CaptureError(
            "how long the result is depends on values, which a capture does not have; give an int, or call it outside "
            "of the capture"
        )
    if axis is None:
        return Spec((prod(x.shape) * repeats,), x.dtype)
    at = axis_of(axis, x.ndim)
    return Spec(replaced(x.shape, at, x.shape[at] * repeats), x.dtype)


@rule("tile")
def _tile(x: Any, repetitions: tuple[int, ...]) -> Spec:
    ndim = max(x.ndim, len(repetitions))
    shape = (1,) * (ndim - x.ndim) + x.shape
    times = (1,) * (ndim - len(repetitions)) + tuple(repetitions)
    return Spec(tuple(n * k for n, k in zip(shape, times, strict=True)), x.dtype)


@rule("take")
def _take(x: Any, indices: Any, *, axis: int = 0) -> Spec:
    probe("take", (x, indices), {"axis": axis}, 2)
    return Spec(replaced(x.shape, axis_of(axis, x.ndim), *indices.shape), x.dtype)


@rule("take_along_axis")
def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Spec:
    probe("take_along_axis", (x, indices), {"axis": axis}, 2)
    at = axis_of(axis, x.ndim)
    shape = np.broadcast_shapes(replaced(x.shape, at, 1), replaced(indices.shape, at, 1))
    return Spec(replaced(shape, at, indices.shape[at]), x.dtype)


@rule_for_each("sort argsort")
def _sorting(name: str) -> Rule:
    def sorted_(x: Any, *, axis: int, descending: bool, stable: bool) -> Spec:
        settings = {"axis": axis, "descending": descending, "stable": stable}
        return Spec(x.shape, probe(name, (x,), settings))

    return sorted_


@rule("searchsorted")
def _searchsorted(x1: Any, x2: Any, *, side: str, sorter: Any) -> Spec:
    dtype = probe("searchsorted", (x1, x2), {"side": side, "sorter": None})
    return Spec(x2.shape if is_array(x2) else (), dtype)


@rule_for_each("fft.fftshift fft.ifftshift")
def _shifting(name: str) -> Rule:
    def shifted(x: Any, *, axes: Any) -> Spec:
        return Spec(x.shape, probe(name, (x,), {"axes": axes}))

    return shifted


@rule_for_each("tril triu")
def _triangle(name: str) -> Rule:
    return lambda x, *, k=0: Spec(x.shape, probe(name, (x,), {"k": k}))


@rule(*DATA_DEPENDENT.split())
def _data_dependent(*_: Any) -> Any:
    raise CaptureError(
        "how many elements there are depends on values, which a capture does not have; use where(condition, x, y), or "
        "call it outside of the capture"
    )
