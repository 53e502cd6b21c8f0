"""Compute large element-wise results in memory that earlier results have left.

An operating system hands out fresh memory page by page, and fills each page with zeros. For a megabyte that takes longer
than to add as many numbers. NumPy therefore writes ``a * b + c`` over the temporary ``a * b``, which it recognises by
reference counts of its own arrays; an ``Array`` around them hides that. So a few pieces of memory are kept here. A piece
is used again only if nothing refers to it but this list: each result is a view of its piece, and whoever can still read
the memory (an array, a view, a buffer, a DLPack capsule) holds a reference to it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

LIMIT = 1 << 26
"""How many bytes are kept at most, in use or not."""

_FLOATS = frozenset(map(np.dtype, ("float32", "float64")))
_BOOL = np.dtype(bool)
_PIECES: list[np.ndarray[Any, Any]] = []
"""The pieces of memory, the one used last at the end. Each step on this list is atomic, so it needs no lock."""


def compute(function: Callable[..., Any], predicate: bool, *operands: Any) -> Any:
    """Return ``function(*operands)`` for an element-wise function, in kept memory where the result fits there.

    Parameters
    ----------
    function : callable
        A function on ndarrays. Only a ufunc can write into given memory; any other is called as it is.
    predicate : bool
        Whether the function returns bools.
    *operands : ndarray, or Python number
        At least one ndarray. Kept memory is used for arrays of one shape and one floating-point dtype in the order
        of C, and for numbers that do not change the dtype.
    """
    if type(function) is not np.ufunc:
        return function(*operands)
    first = operands[0] if type(operands[0]) is np.ndarray else operands[-1]
    shape, dtype = first.shape, first.dtype
    for one in operands:
        if type(one) is np.ndarray:
            if one.dtype is not dtype or one.shape != shape or not one.flags.c_contiguous:
                return function(*operands)
        elif type(one) is not float and type(one) is not int:
            return function(*operands)
    if dtype not in _FLOATS:
        return function(*operands)
    if predicate:
        dtype = _BOOL
    piece = _take(first.size * dtype.itemsize)
    out = function(*operands, out=np.ndarray(shape, dtype, piece))
    _keep(piece)
    return out


def clear() -> None:
    """Give back all memory that is kept for later results."""
    _PIECES.clear()


def _take(size: int) -> np.ndarray[Any, Any]:
    """Return at least ``size`` bytes of memory that nothing else refers to, less than twice as many."""
    for i in range(len(_PIECES) - 1, -1, -1):  # the piece used last may still be in the caches of the processor
        try:
            piece = _PIECES.pop(i)
        except IndexError:  # another thread took it
            continue
        if size <= piece.size < 2 * size and _references(piece) == _UNUSED:
            return piece
        _PIECES.insert(i, piece)
    return np.empty(size, np.uint8)


def _keep(piece: np.ndarray[Any, Any]) -> None:
    if piece.size > LIMIT:
        return
    _PIECES.append(piece)
    while sum(one.size for one in tuple(_PIECES)) > LIMIT:
        try:
            del _PIECES[0]
        except IndexError:
            return


def _references(piece: np.ndarray[Any, Any]) -> int:
    return sys.getrefcount(piece)


def _unused() -> int:
    """Return the count of references to a piece that only a local variable of the caller holds."""
    pieces = [np.empty(0, np.uint8)]
    piece = pieces.pop(0)
    return _references(piece)


_UNUSED = _unused()
