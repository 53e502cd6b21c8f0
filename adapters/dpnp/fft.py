"""The extension ``fft`` on dpnp. Each repair has canaries in ``tests/adapters/dpnp/test_dpnp_quirks.py``."""

from __future__ import annotations

from typing import Any

from ..common import numpy_like
from ._imports import dpnp
from .indexing import copy


def _transform(name: str, overwrites: bool = False) -> Any:
    """Return the transform ``name`` with three repairs.

    * An array that is broadcast along an axis is copied first: for such an array dpnp returns wrong numbers or raises
      an error. https://github.com/IntelPython/dpnp/pull/2939. Canaries: ``fft.fft``, ``fft.ifft``, ``fft.fftn``,
      ``fft.ifftn``, ``fft.rfft``, ``fft.rfftn``, ``fft.ihfft``.
    * If ``overwrites`` is set, the array is copied, because dpnp uses it as workspace if fewer points are asked for:
      its elements change. No upstream issue is known. Canaries: ``fft.irfft``, ``fft.irfftn``.
    * For an array without elements dpnp returns a wrong shape or dtype, raises an error, or returns numbers other than
      the transform of zeros. No upstream issue is known. Canaries: ``fft.hfft``, ``fft.fftn``.

    By the standard a transform depends on the elements alone, leaves its operand unchanged, and pads with zeros. All
    were last seen in 0.20.0.
    """
    own = getattr(dpnp.fft, name)

    def transform(x: Any, **settings: Any) -> Any:
        if not x.size:
            shape, dtype = numpy_like.transform_of_nothing(name, x, **settings)
            return dpnp.zeros(shape, dtype=dtype, sycl_queue=x.sycl_queue)
        return own(copy(x) if overwrites or 0 in x.strides else x, **settings)

    return staticmethod(transform)


class FourierExtension:
    """The extension ``fft``, by ``dpnp.fft``."""

    fft_fft = _transform("fft")
    fft_fftn = _transform("fftn")
    fft_hfft = _transform("hfft")
    fft_ifft = _transform("ifft")
    fft_ifftn = _transform("ifftn")
    fft_ihfft = _transform("ihfft")
    fft_irfft = _transform("irfft", overwrites=True)
    fft_irfftn = _transform("irfftn", overwrites=True)
    fft_rfft = _transform("rfft")
    fft_rfftn = _transform("rfftn")
