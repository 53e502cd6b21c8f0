"""Sorting functions of the standard."""

from __future__ import annotations

from ._array import Array, apply

__all__ = ["argsort", "sort"]


def argsort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return the indices that sort ``x`` along ``axis``; equal elements keep their order if ``stable``."""
    return apply("argsort", x, axis=axis, descending=descending, stable=stable)


def sort(x: Array, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
    """Return ``x`` sorted along ``axis``."""
    return apply("sort", x, axis=axis, descending=descending, stable=stable)
