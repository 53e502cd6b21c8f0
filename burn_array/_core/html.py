"""How notebooks show an array."""

from __future__ import annotations

from typing import Any

import numpy as np

_LARGEST_TABLE = 400


def as_html(values: np.ndarray[Any, Any] | str, about: str) -> str:
    """Return HTML: a table for a matrix, a vector or a number, and text for any other array or a text."""
    from html import escape  # for notebooks alone

    caption = f"<div><code>{escape(about)}</code></div>"
    if isinstance(values, str) or values.ndim > 2 or not 0 < values.size <= _LARGEST_TABLE:
        return f"{caption}<pre>{escape(str(values))}</pre>"
    flat = values.reshape(-1)
    texts = [np.array2string(one) for one in flat] if values.dtype.kind == "V" else _texts(flat)
    rows = np.array(texts, dtype=object).reshape(np.atleast_2d(values).shape)
    cells = ("".join(f"<td>{escape(text)}</td>" for text in row) for row in rows)
    return f"{caption}<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _texts(flat: np.ndarray[Any, Any]) -> list[str]:
    """Return the text of each element, aligned as if they were printed together."""
    text = np.array2string(flat, separator="|", threshold=flat.size + 1, max_line_width=10**9)
    return [one.strip() for one in text[1:-1].split("|")]
