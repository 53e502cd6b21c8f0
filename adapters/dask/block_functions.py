"""What runs inside a block beyond the functions of the standard.

The first parameter of each function, ``lib``, has the functions of the adapter of the blocks as attributes.
"""

from __future__ import annotations

import math
from functools import reduce
from typing import Any

import numpy as np

Axes = tuple[int, ...]


# -- new blocks -------------------------------------------------------------------------------


def filled(lib: Any, shape: tuple[int, ...], name: str, dtype: Any, *value: Any) -> Any:
    """Return a block made by ``zeros``, ``ones``, ``empty`` or ``full``."""
    return getattr(lib, name)(shape, *value, dtype=dtype, device=lib.adapter.native_device)


def arange(lib: Any, shape: tuple[int, ...], first: int, start: Any, step: Any, dtype: Any) -> Any:
    """Return the elements of ``arange`` from the index ``first``."""
    (count,) = shape
    device = lib.adapter.native_device
    if dtype.kind in "iu":
        begin = start + first * step
        return lib.arange(begin, begin + count * step, step, dtype=dtype, device=device)
    delta = (start + step) - start
    index = lib.arange(first, first + count, 1, dtype=np.dtype("float64"), device=device)
    return lib.astype(index * delta + start, dtype, copy=False)


def linspace(
    lib: Any, shape: tuple[int, ...], at: int, start: Any, stop: Any, num: int, endpoint: bool, dtype: Any
) -> Any:
    """Return the elements of ``linspace`` from the index ``at``."""
    (count,) = shape
    parts = num - 1 if endpoint else num
    wide = np.dtype("complex128" if isinstance(start, complex) or isinstance(stop, complex) else "float64")
    index = lib.arange(at, at + count, 1, dtype=np.dtype("float64"), device=lib.adapter.native_device)
    values = lib.astype(index, wide, copy=True) * ((stop - start) / parts) + start
    if endpoint and at + count == num:
        values[-1] = stop
    return lib.astype(values, dtype, copy=False)


def arange_whole(lib: Any, shape: tuple[int, ...], start: Any, stop: Any, step: Any, dtype: Any) -> Any:
    """Return a range in one block."""
    return lib.arange(start, stop, step, dtype=dtype, device=lib.adapter.native_device)


def linspace_whole(
    lib: Any, shape: tuple[int, ...], start: Any, stop: Any, num: int, endpoint: bool, dtype: Any
) -> Any:
    """Return evenly spaced numbers in one block."""
    settings = {"dtype": dtype, "device": lib.adapter.native_device, "endpoint": endpoint}
    return lib.linspace(start, stop, num, **settings)


def eye(lib: Any, shape: tuple[int, int], row: int, column: int, k: int, dtype: Any) -> Any:
    """Return the block of ``eye`` that begins at ``row`` and ``column``."""
    k = min(max(k + row - column, -shape[0]), shape[1])
    return lib.eye(*shape, k=k, dtype=dtype, device=lib.adapter.native_device)


def triangle(lib: Any, x: Any, row: int, column: int, name: str, k: int) -> Any:
    """Return the part of a block that ``tril`` or ``triu`` leaves."""
    k = min(max(k + row - column, -x.shape[-2] - 1), x.shape[-1] + 1)
    return getattr(lib, name)(x, k=k)


def random(
    lib: Any, shape: tuple[int, ...], place: Any, seed: int, draw: int, name: str, *args: Any
) -> Any:
    """Return random numbers that depend on the seed, the number of the call, and the place of the block."""
    words = np.random.SeedSequence(seed, spawn_key=(draw, *place)).generate_state(2, np.uint32)
    own = int(words[0]) << 32 | int(words[1])
    generator = lib.random.generator(own, lib.adapter.native_device)
    return getattr(lib.random, name)(generator, shape, *args)


def permutation(lib: Any, shape: tuple[int], seed: int, draw: int) -> Any:
    """Return the numbers below ``shape[0]`` in random order."""
    words = np.random.SeedSequence(seed, spawn_key=(draw,)).generate_state(2, np.uint32)
    generator = lib.random.generator(int(words[0]) << 32 | int(words[1]), lib.adapter.native_device)
    return lib.astype(lib.random.permutation(generator, shape[0]), np.dtype("int64"), copy=False)


# -- parts ------------------------------------------------------------------------------------


def item(lib: Any, several: tuple[Any, ...], index: int) -> Any:
    """Return one of the results of a function that gives several."""
    return several[index]


def same(lib: Any, x: Any, sources: Any) -> Any:
    """Return a block at another place; ``sources`` tells the places of all blocks, for the name of the task."""
    return x


def reshaped(lib: Any, x: Any, shape: tuple[int, ...]) -> Any:
    """Return the only block in another shape."""
    return lib.reshape(x, shape)


def index(lib: Any, key: Any) -> Any:
    """Return part of a key, with an array of indices in the memory of the blocks."""
    return lib.adapter.from_host(key, None) if isinstance(key, np.ndarray) else key


def _is_empty(key: Any) -> bool:
    return key.size == 0 if isinstance(key, np.ndarray) else key.stop <= key.start


def assigned(lib: Any, x: Any, value: Any, *args: Any) -> Any:
    """Return a block with the part of ``value`` that belongs into it; the last argument is the function that puts it."""
    *keys, name = args
    if any(map(_is_empty, keys)):
        return x
    key = tuple(index(lib, one) for one in keys)
    if name == "scatter_add":
        return lib.scatter_add(x, key if len(key) != 1 else key[0], value)
    out = lib.copy(x)
    changed = lib.setitem(out, key, value)
    return out if changed is None else changed


def assigned_whole(lib: Any, x: Any, value: Any, *args: Any) -> Any:
    """Return a whole array with ``x[key]`` set, or added to; blocks of masks stand in the key as arguments."""
    *masks, keys, name = args
    waiting = iter(masks)
    key = tuple(next(waiting) if isinstance(one, str) else index(lib, one) for one in keys)
    if name == "scatter_add":
        return lib.scatter_add(x, key, value)
    out = lib.copy(x)
    changed = lib.setitem(out, key, value)
    return out if changed is None else changed


def masked(lib: Any, x: Any, mask: Any) -> Any:
    """Return the elements of a block where its mask is true."""
    return lib.getitem(x, mask)


def positions(lib: Any, mask: Any, start: int) -> Any:
    """Return the places where a block is not zero, as indices of the whole array."""
    first, *others = lib.nonzero(mask)
    return (first + start, *others)


def count(lib: Any, mask: Any) -> Any:
    """Return how many elements of a block are true."""
    return lib.count_nonzero(mask, axis=None, keepdims=False)


# -- reductions -------------------------------------------------------------------------------


def _dropped(lib: Any, x: Any, axes: Axes | None) -> Any:
    return x if axes is None else lib.squeeze(x, axes)


def first_of(lib: Any, x: Any, name: str, axes: Axes, wide: Any, settings: Any) -> Any:
    """Return the reduction of a block, computed in the dtype ``wide`` unless that is ``None``."""
    if wide is not None and x.dtype != wide:
        x = lib.astype(x, wide, copy=True)
    function = lib
    for part in name.split("."):
        function = getattr(function, part)
    return function(x, axis=axes, keepdims=True, **dict(settings))


def folded(lib: Any, parts: list[Any], name: str) -> Any:
    """Return partial results combined by a function of two arrays."""
    return reduce(getattr(lib, name), parts)


def finished(
    lib: Any, parts: list[Any], name: str, dropped: Axes | None, dtype: Any, divisor: Any = None
) -> Any:
    """Return the result of a reduction from partial results."""
    out = folded(lib, parts, name)
    if divisor is not None:
        out = out / divisor
    return _dropped(lib, lib.astype(out, dtype, copy=False), dropped)


def norm_of_norms(lib: Any, parts: list[Any], order: float) -> Any:
    """Return the norm of vectors from the norms of their parts."""
    if order == 0:
        return folded(lib, parts, "add")
    return lib.linalg.vector_norm(lib.stack(parts), axis=0, keepdims=False, ord=order)


def last_norm(lib: Any, parts: list[Any], order: float, dropped: Axes | None, dtype: Any) -> Any:
    """Return a norm from the norms of the parts, in its dtype."""
    return _dropped(lib, lib.astype(norm_of_norms(lib, parts, order), dtype, copy=False), dropped)


Spread = tuple[int, Any, Any]
"""How many elements, their mean, and the root of the sum of the squared distances from it."""


def spread_of(lib: Any, x: Any, axes: Axes) -> Spread:
    """Return count, mean and deviation of a block, in double precision; the mean is corrected for its rounding."""
    wide = np.dtype("complex128" if x.dtype.kind == "c" else "float64")
    x = lib.astype(x, wide, copy=False)
    settings = {"axis": axes, "keepdims": True}
    mean = lib.mean(x, **settings)
    distance = x - mean
    rest = lib.mean(distance, **settings)
    deviation = lib.linalg.vector_norm(distance - rest, ord=2, **settings)
    return math.prod(x.shape[axis] for axis in axes), mean + rest, deviation


def spread_together(lib: Any, parts: list[Spread]) -> Spread:
    """Return count, mean and deviation of several parts together.

    The formula is that of T. F. Chan, G. H. Golub and R. J. LeVeque, Updating formulae and a pairwise algorithm for
    computing sample variances, 1979, in roots, which do not overflow.
    """
    return reduce(lambda a, b: _pair(lib, a, b), parts)


def _pair(lib: Any, a: Spread, b: Spread) -> Spread:
    total = a[0] + b[0]
    step = b[1] - a[1]
    between = lib.abs(step) * math.sqrt(a[0] / total * b[0])
    return total, a[1] + step * (b[0] / total), lib.hypot(lib.hypot(a[2], b[2]), between)


def last_spread(
    lib: Any, parts: list[Spread], is_root: bool, correction: float, dropped: Axes | None, dtype: Any
) -> Any:
    """Return the variance, or the standard deviation, of the parts together."""
    total, _, deviation = spread_together(lib, parts)
    rest = max(total - correction, 0.0)
    out = deviation / np.sqrt(rest)
    out = out if is_root else out * out
    if rest == 0:
        out = lib.astype(deviation, out.dtype, copy=True) / 0.0
    return _dropped(lib, lib.astype(out, dtype, copy=False), dropped)


def extreme_of(lib: Any, x: Any, *args: Any) -> tuple[Any, Any]:
    """Return the extreme element of a block, and its index in the whole array, flattened if there is no axis.

    The arguments are the first indices of the block, the name of the function, the axis, and the shape of the array.
    """
    *begin, name, axis, shape = args
    if axis is not None:
        own = getattr(lib, name)(x, axis=axis, keepdims=True)
        return lib.take_along_axis(x, own, axis=axis), own + begin[0]
    own = int(getattr(lib, name)(x, axis=None, keepdims=False))
    place = np.unravel_index(own, x.shape)
    flat = np.ravel_multi_index(tuple(i + b for i, b in zip(place, begin, strict=True)), shape)
    ones = (1,) * x.ndim
    position = lib.full(ones, int(flat), dtype=np.dtype("int64"), device=lib.adapter.native_device)
    return lib.reshape(lib.getitem(x, tuple(map(int, place))), ones), position


def extreme_together(lib: Any, parts: list[tuple[Any, Any]], name: str, axis: int | None) -> tuple[Any, Any]:
    """Return the extreme of several parts, and its index: the first one among equals, and among NaNs."""
    if axis is None:
        parts = sorted(parts, key=lambda part: int(part[1].reshape(-1)[0]))
    values, places = (lib.stack([part[i] for part in parts]) for i in (0, 1))
    best = getattr(lib, name)(values, axis=0, keepdims=True)
    return tuple(lib.squeeze(lib.take_along_axis(one, best, axis=0), 0) for one in (values, places))  # type: ignore


def last_extreme(
    lib: Any, parts: list[tuple[Any, Any]], name: str, axis: int | None, dropped: Axes | None
) -> Any:
    """Return the index of the extreme element of several parts."""
    return _dropped(lib, extreme_together(lib, parts, name, axis)[1], dropped)


def carried(lib: Any, before: Any, x: Any, name: str, axis: int) -> Any:
    """Return the running totals of a block, continued from the last one of the block before."""
    end = before[(*(slice(None),) * axis, slice(-1, None))]
    return getattr(lib, name)(x, end)


# -- products ---------------------------------------------------------------------------------


def product(lib: Any, a: Any, b: Any, name: str, wide: Any, dtype: Any) -> Any:
    """Return the product of two blocks of matrices, with an axis of length 1 in front of the last for the sum."""
    if wide is not None:
        a, b = lib.astype(a, wide, copy=False), lib.astype(b, wide, copy=False)
    out = lib.matmul(a, b)
    return lib.expand_dims(out, -2)


def with_tolerance(lib: Any, x: Any, rtol: Any, name: str) -> Any:
    """Return a function of matrices with a tolerance for each of them."""
    return getattr(lib.linalg, name.removeprefix("linalg."))(x, rtol=rtol)


def contracted(lib: Any, a: Any, b: Any, axes: Any, free: int, wide: Any) -> Any:
    """Return ``tensordot`` of two blocks, with axes of length 1 for the sums behind the first ``free`` axes."""
    if wide is not None:
        a, b = lib.astype(a, wide, copy=False), lib.astype(b, wide, copy=False)
    out = lib.tensordot(a, b, axes=axes)
    return lib.reshape(out, (*out.shape[:free], *(1,) * len(axes[0]), *out.shape[free:]))


# -- sets -------------------------------------------------------------------------------------

Distinct = tuple[Any, Any, Any]
"""Distinct values, the index at which each occurs first, and how often each occurs."""


def distinct_of(lib: Any, x: Any, *args: Any) -> Distinct:
    """Return the distinct values of a block; the arguments are its first indices and the shape of the array."""
    *begin, shape = args
    values, first, _, counts = lib.unique_all(x)
    return values, _flat(lib, first, x.shape, begin, shape), counts


def _flat(lib: Any, indices: Any, block: Any, begin: Any, shape: tuple[int, ...]) -> Any:
    """Return indices into a flattened block as indices into the flattened array."""
    if not shape:
        return indices
    out = None
    rest = indices
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    for axis in reversed(range(len(shape))):
        own = rest % block[axis] if block[axis] else rest
        rest = rest // block[axis] if block[axis] else rest
        part = (own + begin[axis]) * strides[axis]
        out = part if out is None else out + part
    return out


def distinct_together(lib: Any, parts: list[Distinct]) -> Distinct:
    """Return the distinct values of several parts."""
    values, first, counts = (lib.concat([part[i] for part in parts]) for i in range(3))
    order = lib.argsort(first, axis=-1, descending=False, stable=True)
    values, first, counts = values[order], first[order], counts[order]
    found, where, inverse, _ = lib.unique_all(values)
    zeros = lib.zeros(found.shape, dtype=np.dtype("int64"), device=lib.adapter.native_device)
    return found, first[where], lib.scatter_add(zeros, inverse, counts)


def inverse_of(lib: Any, x: Any, values: Any, first: Any, *args: Any) -> Any:
    """Return for each element of a block the index of its value among the distinct ones; NaNs are all distinct."""
    *begin, shape = args
    if x.dtype.kind != "f":
        return lib.searchsorted(values, x, side="left", sorter=None)
    numbers = int(lib.count_nonzero(values == values, axis=None, keepdims=False))
    out = lib.searchsorted(values[:numbers], x, side="left", sorter=None)
    flat = lib.arange(0, x.size, 1, dtype=np.dtype("int64"), device=lib.adapter.native_device)
    own = lib.reshape(_flat(lib, flat, x.shape, begin, shape), x.shape)
    place = numbers + lib.searchsorted(first[numbers:], own, side="left", sorter=None)
    return lib.where(x != x, place, out)


def frequencies(lib: Any, shape: tuple[int], name: str, n: int, d: float, dtype: Any) -> Any:
    """Return the sample frequencies of a transform."""
    return getattr(lib.fft, name)(n, d=d, dtype=dtype, device=lib.adapter.native_device)


# -- searching --------------------------------------------------------------------------------


def searched(lib: Any, x: Any, values: Any, side: str) -> Any:
    """Return where the elements of a block belong among sorted values."""
    return lib.searchsorted(values, x, side=side, sorter=None)


def is_in_block(lib: Any, x: Any, number: Any, invert: bool) -> Any:
    """Return whether a Python number is among the elements of a block."""
    return lib.isin(number, x, invert=invert)


def length(lib: Any, found: Distinct) -> Any:
    """Return the number of distinct values, as a 0-d array."""
    return lib.full((), len(found[0]), dtype=np.dtype("int64"), device=lib.adapter.native_device)


def inverse_beside(lib: Any, x: Any, values: Any, first: Any, *args: Any) -> Any:
    """Return :func:`inverse_of` for values that come as lists of one block."""
    return inverse_of(lib, x, values[0], first[0], *args)


def inverse_of_all(lib: Any, x: Any) -> Any:
    """Return for each element of a whole array the index of its value."""
    return lib.unique_inverse(x)[1]
