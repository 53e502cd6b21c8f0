"""Pickles made by version 0.1 name ``restored`` here."""

from __future__ import annotations

from typing import Any

from ._core.array import Array
from ._core.interchange import restored as _restored


def restored(array_type: object, values: Any, name: str, committed: bool) -> Array:
    """Return the array that version 0.1 took apart."""
    return _restored(values, name, committed)
