"""Axes that do not exist, and numbers that do not fit, raise the same class of error on every device."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from burn_array.errors import ArgumentError, AxisError, DTypeError, IntegerOverflowError, OutOfMemoryError

# One bad call a line; the fixture ``operands`` in tests/conftest.py has the arrays.
CALLS: dict[str, type[Exception]] = {
    "xp.squeeze(f[0], 0)": AxisError,
    "xp.squeeze(f[0], axis=(-1,))": AxisError,
    "xp.repeat(f[0], 2, axis=0)": AxisError,
    "xp.repeat(f, 2, axis=1)": AxisError,
    "xp.moveaxis(f[0], 0, 0)": AxisError,
    "xp.moveaxis(f, 0, 1)": AxisError,
    "xp.permute_dims(f[0], (0,))": ArgumentError,
    "xp.permute_dims(m23, (1,))": ArgumentError,
    "xp.linalg.inv(xp.astype(m33, xp.float16))": DTypeError,
    "xp.linalg.svdvals(xp.astype(m33, xp.float16))": DTypeError,
    "xp.fft.fft(c[0])": AxisError,
    "xp.fft.fftshift(f[0], axes=0)": AxisError,
    "xp.fft.ifftshift(f[0], axes=(-1,))": AxisError,
    "xp.linalg.pinv(xp.astype(m33, xp.float16))": DTypeError,
    "xp.linalg.eigvalsh(xp.astype(m33, xp.float16))": DTypeError,
    "xp.linalg.solve(xp.astype(m33, xp.float16), xp.astype(m33, xp.float16))": DTypeError,
    "xp.fft.irfft(c[0], axis=0)": AxisError,
    "xp.atan2(f, 1j)": DTypeError,
    "xp.hypot(1j, i)": DTypeError,
    "xp.clip(u8, None, -1)": IntegerOverflowError,
    "xp.clip(u8, -1, -1)": IntegerOverflowError,
    "xp.linalg.matrix_norm(xp.ones((0, 3)), ord=-2)": ArgumentError,
    "xp.linalg.matrix_norm(xp.ones((0, 3)), ord=-float('inf'))": ArgumentError,
    "xp.linalg.matrix_norm(xp.ones((3, 0)), ord=-1)": ArgumentError,
    "xp.arange(0, float('inf'))": ArgumentError,
    "xp.arange(float('nan'))": ArgumentError,
    "xp.arange(0, 3, float('inf'))": ArgumentError,
    "xp.arange(0.5, 10**400)": ArgumentError,
    "xp.arange(0.5, 300.0, 100.0, dtype=xp.int8)": IntegerOverflowError,
    "xp.arange(0.0, 1e30, dtype=xp.int64)": IntegerOverflowError,
    "xp.arange(0.5, 1e300, 1e-20, dtype=xp.int64)": OutOfMemoryError,
}


@pytest.mark.parametrize("code", CALLS)
def test_bad_call(bad_call: Callable[[str, type[Exception]], None], code: str) -> None:
    bad_call(code, CALLS[code])
