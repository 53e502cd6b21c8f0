"""Set functions made of sorting, in which all NaNs are distinct and the inverse has the shape of the array.

The parameter ``lib`` is the library.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burn_array.adapter import promote, promote_scalar

from .elementwise_functions import SCALARS


def _runs(lib: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Return four vectors about the sorted elements of ``x``.

    These are the elements, their positions in ``x``, whether each differs from the one before, and the indices of
    those that do.
    """
    flat = x.reshape(-1)
    order = lib.argsort(flat, kind="stable") if flat.size else lib.empty_like(flat, dtype="int64")
    values = flat[order]
    starts = lib.ones_like(flat, dtype=bool)
    starts[1:] = values[1:] != values[:-1]
    return values, order, starts, lib.nonzero(starts)[0]


def unique_all(lib: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Return the distinct values, where each occurs first, for each element the index of its value, and the counts."""
    values, order, starts, first = _runs(lib, x)
    if not x.size:
        return values, order, order.reshape(x.shape), order
    inverse = lib.empty_like(order)
    inverse[order] = lib.cumsum(starts.astype("int64")) - 1
    ends = lib.concatenate((first[1:], lib.full_like(first, values.size, shape=(1,))))
    return values[first], order[first], inverse.reshape(x.shape), ends - first


def unique_counts(lib: Any, x: Any) -> tuple[Any, Any]:
    """Return the distinct values, and how often each occurs."""
    values, _, _, counts = unique_all(lib, x)
    return values, counts


def unique_inverse(lib: Any, x: Any) -> tuple[Any, Any]:
    """Return the distinct values, and for each element the index of its value."""
    values, _, inverse, _ = unique_all(lib, x)
    return values, inverse


def unique_values(lib: Any, x: Any) -> Any:
    """Return the distinct values."""
    values, _, _, first = _runs(lib, x)
    return values[first]


def isin(lib: Any, function: Any) -> Any:
    """Return ``function``, which is ``isin``, such that it compares exactly.

    NumPy, CuPy and dpnp convert a Python number to int64 or float64, and compare int64 with uint64 as floats, so that
    large integers that differ are found to be equal. By the standard a Python number takes the dtype of the array; a
    number that this dtype cannot hold is not found.

    No upstream issue is known; last seen in NumPy 2.4.6, CuPy 14.2.0 and dpnp 0.20.0. Canary: ``isin``.
    """

    def exact(x1: Any, x2: Any, *, invert: bool) -> Any:
        if type(x1) in SCALARS:
            x1 = _exactly(lib, x1, x2)
        elif type(x2) in SCALARS:
            x2 = _exactly(lib, x2, x1)
        elif x1.dtype != x2.dtype and _rounds(x1.dtype, x2.dtype):
            return _modular(x1, x2, invert)
        if x1 is None:
            return np.asarray(invert)
        if x2 is None:
            return lib.full_like(x1, invert, dtype=bool)
        if x1.dtype != x2.dtype:
            dtype = promote(x1.dtype, x2.dtype)
            x1, x2 = x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)
        return function(x1, x2, invert=invert)

    def _modular(x1: Any, x2: Any, invert: bool) -> Any:
        """Compare as uint64, in which two numbers from 2**63 on are equal only if a negative one wrapped around."""
        found = function(x1.astype(np.uint64), x2.astype(np.uint64), invert=False)
        found = found & (x1.astype(np.int64) >= 0)
        return ~found if invert else found

    return staticmethod(exact)


def _rounds(a: Any, b: Any) -> bool:
    """Return whether two integer dtypes promote to a float, which rounds large integers."""
    return a.kind in "iu" and b.kind in "iu" and promote(a, b).kind == "f"


def _exactly(lib: Any, scalar: Any, array: Any) -> Any:
    """Return a Python number as a 0-d array of the dtype it takes beside ``array``, ``None`` if it does not fit."""
    dtype = promote_scalar(array.dtype, type(scalar))
    try:
        with np.errstate(over="ignore"):
            number = np.asarray(scalar, dtype=dtype)[()]
    except OverflowError:
        return None
    if number.item() != scalar:
        return None
    one_element = lib.full_like(array, number, dtype=dtype, shape=(1,))
    return one_element.reshape(())  # CuPy reads shape=() as the shape of ``array``
