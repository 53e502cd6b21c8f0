"""The old place of ``restored``, kept so that arrays pickled by version 0.1 can be loaded."""

from __future__ import annotations

from typing import Any

from ._core.array import Array
from ._core.interchange import restored as _restored


def restored(array_type: object, values: Any, name: str, committed: bool) -> Array:
    """Return an array from the arguments that version 0.1 pickled; ``array_type`` is no longer needed."""
    return _restored(values, name, committed)
