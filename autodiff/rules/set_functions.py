"""Rules of the set functions: each unique value is taken from where it occurs first, all else is constant."""

from __future__ import annotations

from typing import Any

from . import composition, constant

constant("isin")


def _unique_all(xp: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    _, indices, inverse, counts = xp.unique_all(xp.stop_gradient(x))
    return xp.take(xp.reshape(x, (-1,)), indices, axis=0), indices, inverse, counts


def _unique_counts(xp: Any, x: Any) -> tuple[Any, Any]:
    values, _, _, counts = _unique_all(xp, x)
    return values, counts


composition("unique_all", _unique_all)
composition("unique_counts", _unique_counts)
composition("unique_inverse", lambda xp, x: _unique_all(xp, x)[:3:2])
composition("unique_values", lambda xp, x: _unique_all(xp, x)[0])
