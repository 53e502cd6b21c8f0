"""Data type functions on CuPy."""

from __future__ import annotations

from typing import Any


def _astype(x: Any, dtype: Any, *, copy: bool) -> Any:
    """Return ``x`` in another dtype; as a bool, every number but 0 is True."""
    return x != 0 if dtype.kind == "b" and x.dtype.kind != "b" else x.astype(dtype, copy=copy)


class DataTypeFunctions:
    """The page ``data type functions`` of the standard."""

    astype = staticmethod(_astype)
