"""The extension ``fft`` on CuPy, which takes any axis modulo the rank, and the real part of complex numbers.

Lengths are given as a list: CuPy takes a tuple that equals the shape of the array for the shape itself, whatever the
order of ``axes``.

No upstream issue known (https://docs.cupy.dev/en/stable/reference/fft.html), last seen in CuPy 14.2.0.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..common import numpy_like
from ._axes import normalize_axis


def _check(x: Any, axes: Any, real: bool) -> None:
    for axis in axes:
        normalize_axis(axis, x.ndim)
    if real and x.dtype.kind == "c":
        raise TypeError("expected real numbers, got complex ones; take xp.real first")


def _of_nothing(name: str, x: Any, **settings: Any) -> Any:
    """CuPy refuses axes without elements, also where there is no line along another axis to transform."""
    shape, dtype = numpy_like.transform_of_nothing(name, x, **settings)
    return cupy.zeros(shape, dtype=dtype)


def _along_axis(name: str, real: bool = False) -> Any:
    own = getattr(cupy.fft, name)

    def transform(x: Any, *, n: Any, axis: int, norm: str) -> Any:
        _check(x, (axis,), real)
        if not x.size:
            return _of_nothing(name, x, n=n, axis=axis, norm=norm)
        return own(x, n, axis, norm)

    return staticmethod(transform)


def _along_axes(name: str, real: bool = False) -> Any:
    own = getattr(cupy.fft, name)

    def transform(x: Any, *, s: Any, axes: Any, norm: str) -> Any:
        _check(x, axes or (), real)
        if not x.size:
            return _of_nothing(name, x, s=s, axes=axes, norm=norm)
        return own(x, None if s is None else list(s), axes, norm)

    return staticmethod(transform)


def _frequencies(n: int, d: float, counts: Any, dtype: Any) -> Any:
    return (counts / (n * d)).astype(dtype)


def _fftfreq(n: int, *, d: float, dtype: Any, device: Any) -> Any:
    counts = cupy.arange(n, dtype=np.float64)
    return _frequencies(n, d, cupy.where(counts >= (n + 1) // 2, counts - n, counts), dtype)


def _rfftfreq(n: int, *, d: float, dtype: Any, device: Any) -> Any:
    return _frequencies(n, d, cupy.arange(n // 2 + 1, dtype=np.float64), dtype)


class FourierExtension:
    """``fft`` by ``cupy.fft``."""

    fft_fft = _along_axis("fft")
    fft_ifft = _along_axis("ifft")
    fft_fftn = _along_axes("fftn")
    fft_ifftn = _along_axes("ifftn")
    fft_rfft = _along_axis("rfft", real=True)
    fft_irfft = _along_axis("irfft")
    fft_rfftn = _along_axes("rfftn", real=True)
    fft_irfftn = _along_axes("irfftn")
    fft_hfft = _along_axis("hfft")
    fft_ihfft = _along_axis("ihfft", real=True)
    fft_fftfreq = staticmethod(_fftfreq)
    fft_rfftfreq = staticmethod(_rfftfreq)
