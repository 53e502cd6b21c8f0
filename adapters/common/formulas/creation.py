"""Creation functions."""

from __future__ import annotations

from typing import Any


def linspace_of_integers(
    lib: Any, start: Any, stop: Any, num: int, *, dtype: Any, endpoint: bool, **where: Any
) -> Any:
    """Return ``num`` evenly spaced numbers, rounded down to an integer ``dtype`` as NumPy does.

    Multiples of the step are added to ``start``, in double precision; ``where`` are further arguments of ``arange``.
    """
    counter = lib.arange(num, **where)
    step = (stop - start) / max(num - 1 if endpoint else num, 1)
    values = lib.floor(counter * step + start)
    if endpoint and num > 1:
        values = lib.where(counter == num - 1, float(stop), values)
    return values.astype(dtype)
