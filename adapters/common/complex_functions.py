"""Complex logarithms that keep the digits of both parts, for several libraries."""

from __future__ import annotations

from typing import Any

SMALL_LOGARITHM = 0.3
"""From this absolute value on, the logarithm of a rounded absolute value is accurate."""


def log1p_real(lib: Any, real: Any, imag: Any) -> Any:
    """Return ``log(abs(1 + x))`` of a complex ``x`` from its parts.

    Near the unit circle it is ``log1p(t) / 2`` with ``t = 2 * x.real + x.real**2 + x.imag**2``. Where these cancel,
    their rounding errors count, so they are added too; the algorithms are those of T. J. Dekker, A floating-point
    technique for extending the available precision, Numerische Mathematik 18 (1971).
    """
    size = lib.hypot(real + 1, imag)
    close = (size > 0.5) & (size < 3)
    x, y = lib.where(close, real, 0 * close), lib.where(close, imag, 0 * close)
    squares = (_square(x), _square(y))
    large = 2 * x
    total, rest = _sum(large, squares[0][0])
    total, more = _sum(total, squares[1][0])
    near = 0.5 * lib.log1p(total + (rest + more + squares[0][1] + squares[1][1]))
    return lib.where(close, near, lib.log(lib.where(close, 1 + 0 * size, size)))


def _sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the rounded sum and its rounding error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _square(a: Any) -> tuple[Any, Any]:
    """Return the rounded square and its rounding error; for numbers far from overflow."""
    shifted = a * (2**27 + 1 if a.dtype.itemsize == 8 else 2**12 + 1)
    high = shifted - (shifted - a)
    low = a - high
    square = a * a
    return square, ((high * high - square) + 2 * high * low) + low * low
