"""The extension ``fft`` on NumPy: large arrays by SciPy where it is installed.

Both are of one origin and give the same to rounding; SciPy's takes several lines at once, and half the work for the
``fft`` of real numbers. That is what ``scipy.signal`` and ``scipy.fft`` use for ndarrays, so an array is as fast there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from burn_array.adapter import composed

from ..common import numpy_like

LARGE = 2**14
"""Smaller arrays are not worth the import of SciPy."""
_DTYPES = frozenset(map(np.dtype, ("float32", "float64", "complex64", "complex128")))


@cache
def scipy_fft() -> ModuleType | None:
    """Return ``scipy.fft``, or None where SciPy is not installed."""
    try:
        return import_module("scipy.fft")
    except ImportError:
        return None


def _transform(name: str) -> Callable[..., Any]:
    own = getattr(np.fft, name)

    def transform(x: Any, **settings: Any) -> Any:
        if not x.size and name in _TO_REAL:
            x = _with_one_zero(x, settings)
        if x.size < LARGE or x.dtype not in _DTYPES:
            return own(x, **settings)
        library = scipy_fft()
        return own(x, **settings) if library is None else getattr(library, name)(x, **settings)

    return staticmethod(transform)


_TO_REAL = ("irfft", "hfft", "irfftn")


def _with_one_zero(x: Any, settings: dict[str, Any]) -> Any:
    """NumPy fills up an axis of no elements with what stands in memory; here one zero is there to begin with.

    No upstream issue known (https://numpy.org/doc/stable/reference/generated/numpy.fft.irfft.html), last seen in 2.4.6.
    """
    lengths, axes = settings.get("s"), settings.get("axes")
    axis = axes[-1] if axes else settings.get("axis", -1)
    if (lengths is None and settings.get("n") is None) or not x.ndim or x.shape[axis]:
        return x
    shape = list(x.shape)
    shape[axis] = 1
    return np.zeros(shape, dtype=x.dtype)


class FourierExtension:
    """``fft`` by ``numpy.fft`` and ``scipy.fft``."""

    fft_fft = _transform("fft")
    fft_ifft = _transform("ifft")
    fft_fftn = _transform("fftn")
    fft_ifftn = _transform("ifftn")
    fft_rfft = _transform("rfft")
    fft_irfft = _transform("irfft")
    fft_rfftn = _transform("rfftn")
    fft_irfftn = _transform("irfftn")
    fft_hfft = _transform("hfft")
    fft_ihfft = _transform("ihfft")
    fft_fftfreq = composed(numpy_like.fftfreq)
    fft_rfftfreq = composed(numpy_like.rfftfreq)
