"""The extension ``fft`` on NumPy; large arrays are transformed by SciPy if it is installed.

The two libraries share their origin and give the same values up to rounding. SciPy is faster: it computes several lines
at once, and does half the work for the ``fft`` of real numbers. ``scipy.signal`` uses ``scipy.fft`` for ndarrays, so
arrays of burn_array are transformed as fast as those there.
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
"""Number of elements from which on SciPy is imported and used."""
_DTYPES = frozenset(map(np.dtype, ("float32", "float64", "complex64", "complex128")))
_TO_REAL = ("irfft", "hfft", "irfftn")


@cache
def scipy_fft() -> ModuleType | None:
    """Return the module ``scipy.fft``, or ``None`` if SciPy is not installed."""
    try:
        return import_module("scipy.fft")
    except ImportError:
        return None


def _transform(name: str) -> Callable[..., Any]:
    """Return the transform ``name``, which calls NumPy or SciPy."""
    own = getattr(np.fft, name)

    def transform(x: Any, **settings: Any) -> Any:
        if not x.size and name in _TO_REAL:
            x = _with_one_zero(x, settings)
        if x.size < LARGE or x.dtype not in _DTYPES:
            return own(x, **settings)
        library = scipy_fft()
        return own(x, **settings) if library is None else getattr(library, name)(x, **settings)

    return staticmethod(transform)


def _with_one_zero(x: Any, settings: dict[str, Any]) -> Any:
    """Return ``x`` with one zero along an axis of length 0 that a transform back to real numbers is to extend.

    NumPy fills such an axis with whatever is in memory; by the standard it is padded with zeros.
    No report known; last seen in NumPy 2.4.6.
    """
    lengths, axes = settings.get("s"), settings.get("axes")
    axis = axes[-1] if axes else settings.get("axis", -1)
    if (lengths is None and settings.get("n") is None) or not x.ndim or x.shape[axis]:
        return x
    shape = list(x.shape)
    shape[axis] = 1
    return np.zeros(shape, dtype=x.dtype)


class FourierExtension:
    """The extension ``fft``, by ``numpy.fft`` and ``scipy.fft``."""

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
