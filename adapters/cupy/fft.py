"""The extension ``fft`` on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..common import numpy_like
from ._axes import normalize_axis


def _check(x: Any, axes: Any, real: bool) -> None:
    """Raise an error for an axis that ``x`` does not have, and for complex numbers if ``real`` is set.

    CuPy takes the axis modulo the number of axes, and drops the imaginary part in ``rfft``, ``rfftn`` and ``ihfft``. By
    the standard an axis must be one of the array, and these functions take real numbers only.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``fft.fft``, ``fft.ifft``, ``fft.rfft``, ``fft.irfft``,
    ``fft.hfft`` and ``fft.ihfft``.
    """
    for axis in axes:
        normalize_axis(axis, x.ndim)
    if real and x.dtype.kind == "c":
        raise TypeError("expected real numbers, got complex ones; take xp.real first")


def _of_nothing(name: str, x: Any, **settings: Any) -> Any:
    """Return the transform of an array without elements.

    CuPy refuses such an array even if the transformed axes have elements; by the standard the result has no elements,
    or is the transform of padded zeros.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``fft.fftn``, ``fft.ifftn``, ``fft.rfftn`` and
    ``fft.irfftn``.
    """
    shape, dtype = numpy_like.transform_of_nothing(name, x, **settings)
    return cupy.zeros(shape, dtype=dtype)


def _along_axis(name: str, real: bool = False) -> Any:
    """Return the transform ``name`` along one axis, see ``_check`` and ``_of_nothing``."""
    own = getattr(cupy.fft, name)

    def transform(x: Any, *, n: Any, axis: int, norm: str) -> Any:
        _check(x, (axis,), real)
        if not x.size:
            return _of_nothing(name, x, n=n, axis=axis, norm=norm)
        return own(x, n, axis, norm)

    return staticmethod(transform)


def _along_axes(name: str, real: bool = False) -> Any:
    """Return the transform ``name`` along several axes, see ``_check`` and ``_of_nothing``.

    If the lengths are a tuple that equals the shape of the array, CuPy ignores them, also if ``axes`` are in another
    order; by the standard each length belongs to one of ``axes``. A list is never equal to the shape.

    https://github.com/cupy/cupy/issues/8248, last seen in 14.2.0. Canaries: ``fft.fftn``, ``fft.ifftn``, ``fft.rfftn``
    and ``fft.irfftn``.
    """
    own = getattr(cupy.fft, name)

    def transform(x: Any, *, s: Any, axes: Any, norm: str) -> Any:
        _check(x, axes or (), real)
        if not x.size:
            return _of_nothing(name, x, s=s, axes=axes, norm=norm)
        return own(x, None if s is None else list(s), axes, norm)

    return staticmethod(transform)


def _frequencies(n: int, d: float, counts: Any, dtype: Any) -> Any:
    """Return the frequencies of ``n`` samples at distance ``d``, from their numbers of periods."""
    return (counts / (n * d)).astype(dtype)


def _fftfreq(n: int, *, d: float, dtype: Any, device: Any) -> Any:
    """Return the sample frequencies of ``fft``.

    CuPy's function has no parameters ``dtype`` and ``device``; by the standard it has.

    No upstream issue is known; last seen in 14.2.0. Canary: ``fft.fftfreq``.
    """
    counts = cupy.arange(n, dtype=np.float64)
    return _frequencies(n, d, cupy.where(counts >= (n + 1) // 2, counts - n, counts), dtype)


def _rfftfreq(n: int, *, d: float, dtype: Any, device: Any) -> Any:
    """Return the sample frequencies of ``rfft``.

    CuPy's function has no parameters ``dtype`` and ``device``; by the standard it has.

    No upstream issue is known; last seen in 14.2.0. Canary: ``fft.rfftfreq``.
    """
    return _frequencies(n, d, cupy.arange(n // 2 + 1, dtype=np.float64), dtype)


class FourierExtension:
    """The extension ``fft``, by ``cupy.fft``."""

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
