"""Indexing on dpnp. Each override has a canary in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

import math
from typing import Any

from burn_array.errors import ArrayIndexError

from ..common import indexing
from . import moves
from ._imports import dpnp


def copy(x: Any) -> Any:
    """Return an independent copy of ``x`` in row-major order."""
    return dpnp.array(x, copy=True, order="C")


def _check_range(indices: Any, length: int) -> None:
    """Raise an error if an index is out of range for an axis of this length.

    dpnp takes the nearest element instead, on purpose. The standard leaves this open; NumPy and PyTorch raise an error.

    https://github.com/IntelPython/dpctl/pull/1132, last seen in 0.20.0. Canaries: ``take`` and ``take_along_axis``.
    """
    if not indices.size:
        return
    host = moves.host_view(indices) if indices.sycl_device.is_cpu else indices
    least, greatest = int(host.min()), int(host.max())
    if least < -length or greatest >= length:
        wrong = greatest if greatest >= length else least
        raise ArrayIndexError(f"index {wrong} is out of bounds for an axis of length {length}")


def take(x: Any, indices: Any, *, axis: int) -> Any:
    _check_range(indices, x.shape[axis])
    return dpnp.take(x, indices, axis=axis)


def _take_along_axis(x: Any, indices: Any, *, axis: int) -> Any:
    _check_range(indices, x.shape[axis])
    return dpnp.take_along_axis(x, indices, axis=axis)


def _getitem(x: Any, key: Any) -> Any:
    """Return ``x[key]``.

    dpnp refuses index arrays that a slice separates, leaves their axes in place if an integer is among them, and reads
    a 0-d mask as an axis to index. The standard leaves these keys open; NumPy takes them, puts the axes of separated
    index arrays first, and adds an axis for a 0-d mask.

    No upstream issue is known; last seen in 0.20.0. Canary: ``getitem``.
    """
    if type(key) is int or type(key) is slice:
        return x[key]
    view, arrays = _split(x, key)
    return view[arrays] if arrays else view


def _split(x: Any, key: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the view and the arrays of ``indexing.split``, after a check that each index is in range."""
    view, arrays = indexing.split(dpnp, x, key)
    if arrays and not all(_is_safe(one) for one in (key if type(key) is tuple else (key,))):
        placed = [one for one in zip(arrays, view.shape, strict=False) if type(one[0]) is not slice]
        if all(index.size for index, _ in placed):  # with an empty index array nothing is read
            for index, length in placed:
                _check_range(index, length)
    return view, arrays


def _is_safe(key: Any) -> bool:
    """Return whether a part of a key cannot name an element that is not there."""
    return type(key) is not int and (type(key) is not dpnp.ndarray or key.dtype.kind == "b")


def _setitem(x: Any, key: Any, value: Any) -> None:
    """Set ``x[key]`` to ``value``.

    dpnp refuses a value or an index that shares memory with ``x``; the standard asks for the same result as with a
    copy. dpnp stores a Python number that an integer dtype cannot hold as some other integer; the standard leaves this
    open, and NumPy and PyTorch raise an error.

    No upstream issue is known; last seen in 0.20.0. Canary: ``setitem``.
    """
    value = indexing.stored(value, x.dtype)
    try:
        _put(x, key, value)
    except ValueError as error:
        if "overlapping" not in str(error):
            raise
        keys = tuple(map(_apart, key)) if type(key) is tuple else _apart(key)
        _put(x, keys, _apart(value))


def _put(x: Any, key: Any, value: Any) -> None:
    view, arrays = _split(x, key)
    view[arrays or ...] = indexing.fitted(value, view, arrays)


def _apart(operand: Any) -> Any:
    """Return a copy of an array, which shares no memory with it; everything else is returned unchanged."""
    return copy(operand) if type(operand) is dpnp.ndarray else operand


def _scatter_add(x: Any, key: Any, values: Any) -> Any:
    """Return a copy of ``x`` with ``values`` added at ``x[key]``.

    dpnp has no ``add.at``, which NumPy has; the standard does not name this function. ``bincount`` adds the values for
    each position in float64, and the parts of complex numbers separately.

    No upstream issue is known; last seen in 0.20.0. Canary: ``scatter_add``.
    """
    positions = indexing.scatter_positions(dpnp, x, key)
    values = dpnp.broadcast_to(dpnp.asarray(values, sycl_queue=x.sycl_queue), positions.shape)
    if values.dtype.kind == "c":
        sums = dpnp.empty_like(x)
        sums.real, sums.imag = (_sums(positions, part, x) for part in (values.real, values.imag))
        return x + sums
    return x + _sums(positions, values, x).astype(x.dtype)


def _sums(positions: Any, values: Any, x: Any) -> Any:
    """Return an array of the shape of ``x`` with the sum of the values for each position."""
    size = math.prod(x.shape)
    if not positions.size or not size:
        return dpnp.zeros_like(x, dtype=values.dtype)
    sums = dpnp.bincount(positions.reshape(-1), weights=values.reshape(-1), minlength=size)
    return sums.reshape(x.shape)


class IndexingFunctions:
    """The page ``indexing functions`` of the standard, and the functions that index and copy for the core."""

    copy = staticmethod(copy)
    getitem = staticmethod(_getitem)
    scatter_add = staticmethod(_scatter_add)
    setitem = staticmethod(_setitem)
    take = staticmethod(take)
    take_along_axis = staticmethod(_take_along_axis)
