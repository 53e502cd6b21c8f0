"""Set functions from sorting alone: NaNs are distinct, and the inverse has the shape of the array.

Each takes the library as its first argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from burn_array.adapter import promote, promote_scalar

from .elementwise_functions import SCALARS


def _runs(lib: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Return the sorted elements of ``x``, their order, whether each starts a run of equal ones, and the starts."""
    flat = x.reshape(-1)
    order = lib.argsort(flat, kind="stable") if flat.size else lib.empty_like(flat, dtype="int64")
    values = flat[order]
    starts = lib.ones_like(flat, dtype=bool)
    starts[1:] = values[1:] != values[:-1]
    return values, order, starts, lib.nonzero(starts)[0]


def unique_all(lib: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """Values, where each first occurs, the index of the value of each element, and counts."""
    values, order, starts, first = _runs(lib, x)
    if not x.size:
        return values, order, order.reshape(x.shape), order
    inverse = lib.empty_like(order)
    inverse[order] = lib.cumsum(starts.astype("int64")) - 1
    ends = lib.concatenate((first[1:], lib.full_like(first, values.size, shape=(1,))))
    return values[first], order[first], inverse.reshape(x.shape), ends - first


def unique_counts(lib: Any, x: Any) -> tuple[Any, Any]:
    """Values and how often each occurs."""
    values, _, _, counts = unique_all(lib, x)
    return values, counts


def unique_inverse(lib: Any, x: Any) -> tuple[Any, Any]:
    """Values and the index of the value of each element."""
    values, _, inverse, _ = unique_all(lib, x)
    return values, inverse


def unique_values(lib: Any, x: Any) -> Any:
    """Values, each once."""
    values, _, _, first = _runs(lib, x)
    return values[first]


def isin(lib: Any, function: Any) -> Any:
    """Return the form of ``isin`` that compares exactly.

    The libraries make int64 or float64 of Python numbers, and CuPy and dpnp compare signed integers with uint64 as
    floats, in which large integers are alike; NumPy finds those of ``x1`` that are alike as floats, whatever is in
    ``x2``. By the standard a Python number of the array's kind has its dtype; one that this does not hold is no
    element.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.isin.html), last seen in NumPy
    2.4.6, CuPy 14.2.0 and dpnp 0.20.0.
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
        """Compare modulo 2**64; what is equal then, but of a negative number, is not."""
        found = function(x1.astype(np.uint64), x2.astype(np.uint64), invert=False) & (
            x1.astype(np.int64) >= 0
        )
        return ~found if invert else found

    return staticmethod(exact)


def _rounds(a: Any, b: Any) -> bool:
    """Return whether integers of two dtypes are floats together."""
    return a.kind in "iu" and b.kind in "iu" and promote(a, b).kind == "f"


def _exactly(lib: Any, scalar: Any, array: Any) -> Any:
    """Return a Python number as a 0-d array in its dtype beside ``array``, ``None`` where that does not hold it."""
    dtype = promote_scalar(array.dtype, type(scalar))
    try:
        with np.errstate(over="ignore"):
            number = np.asarray(scalar, dtype=dtype)[()]
    except OverflowError:
        return None
    if number.item() != scalar:
        return None
    return lib.full_like(array, number, dtype=dtype, shape=(1,)).reshape(
        ()
    )  # CuPy takes no shape for () there
