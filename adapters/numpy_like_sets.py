"""Set functions from sorting alone: NaNs are distinct, and the inverse has the shape of the array.

Each takes the library as its first argument.
"""

from __future__ import annotations

from typing import Any


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
