"""Set functions."""

from __future__ import annotations

from typing import Any


def order_of_complex(lib: Any, x: Any) -> Any:
    """Return the indices that sort a complex vector as NumPy does.

    Numbers come first, by their real parts, then by their imaginary parts. Those with a NaN as imaginary part follow,
    then those with one as real part.
    """
    return lib.lexsort((x.imag, x.real, 2 * lib.isnan(x.real) + lib.isnan(x.imag)))


def unique_all(lib: Any, x: Any, order: Any) -> tuple[Any, Any, Any, Any]:
    """Return distinct values, first indices, inverse and counts of ``x``, from the indices that sort it.

    All NaNs are distinct. Nothing is written in place; that costs a second sort.
    """
    values = x.reshape(-1)[order]
    starts = lib.concatenate([lib.ones_like(order[:1], dtype=bool), values[1:] != values[:-1]])
    first = lib.nonzero(starts)[0]
    inverse = (lib.cumsum(starts) - 1)[lib.argsort(order)]
    return values[first], order[first], inverse.reshape(x.shape), lib.diff(first, append=x.size)
