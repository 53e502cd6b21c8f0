"""Data type functions on JAX."""

from __future__ import annotations

from typing import Any


def _astype(x: Any, dtype: Any, *, copy: bool) -> Any:
    """Return ``x`` with another dtype; nothing is copied where it has it, since no array can change."""
    if x.dtype == dtype:
        return x
    return x != 0 if dtype.kind == "b" else x.astype(dtype)


class DataTypeFunctions:
    """The page *data type functions* of the standard."""

    astype = staticmethod(_astype)
