"""Transforms of large arrays on NumPy, with SciPy and without it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.adapters.numpy import fft as numpy_fft

REAL, COMPLEX = ("rfft", "rfftn", "ihfft"), ("irfft", "irfftn", "hfft")
BOTH = ("fft", "ifft", "fftn", "ifftn")
OF_REALS = [(name, dtype) for name in (*BOTH, *REAL) for dtype in ("float32", "float64")]
OF_COMPLEX = [(name, dtype) for name in (*BOTH, *COMPLEX) for dtype in ("complex64", "complex128")]


@pytest.mark.parametrize("installed", [True, False], ids=["scipy", "without"])
@pytest.mark.parametrize(("name", "dtype"), [*OF_REALS, *OF_COMPLEX])
def test_large_arrays(name: str, dtype: str, installed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not installed:
        monkeypatch.setattr(numpy_fft, "scipy_fft", lambda: None)
    values = np.random.default_rng(0).standard_normal((256, 66)).astype(dtype)
    many = name.endswith("n")
    settings: list[dict[str, Any]] = [
        {},
        {"norm": "ortho", **({"axes": (0,)} if many else {"axis": 0})},
        {"norm": "forward", **({"s": (100, 70), "axes": (1, 0)} if many else {"n": 300, "axis": 0})},
    ]
    for options in settings:
        made = getattr(xp.fft, name)(xp.asarray(values), **options)
        wanted = getattr(np.fft, name)(values, **options)
        assert (made.dtype, made.shape) == (wanted.dtype, wanted.shape)
        scale = float(np.max(abs(wanted)))
        np.testing.assert_allclose(np.asarray(made), wanted, rtol=0, atol=scale * 1e-6)


def test_integers_and_small_arrays_are_not_given_to_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    def never() -> ModuleType:
        raise AssertionError("SciPy was called")

    monkeypatch.setattr(numpy_fft, "scipy_fft", never)
    assert xp.fft.fft(xp.ones(2**15, dtype=xp.int8)).dtype == xp.complex128
    assert xp.fft.fft(xp.ones(8)).shape == (8,)
