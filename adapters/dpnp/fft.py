"""The extension ``fft`` on dpnp."""

from __future__ import annotations

from typing import Any

from ..common import numpy_like
from ._imports import dpnp
from .indexing import copy


def _transform(name: str, overwrites: bool = False) -> Any:
    """dpnp takes an array that is broadcast along an axis for a whole one: wrong numbers, or an error.

    The real transforms back (``overwrites``) leave other numbers in the array that they were given, where fewer points
    are asked for. Of nothing dpnp makes arrays of other shapes and dtypes.

    No upstream issue known (https://intelpython.github.io/dpnp/reference/fft.html), last seen in 0.20.0.
    """
    own = getattr(dpnp.fft, name)

    def transform(x: Any, **settings: Any) -> Any:
        if not x.size:
            shape, dtype = numpy_like.transform_of_nothing(name, x, **settings)
            return dpnp.zeros(shape, dtype=dtype, sycl_queue=x.sycl_queue)
        return own(copy(x) if overwrites or 0 in x.strides else x, **settings)

    return staticmethod(transform)


class FourierExtension:
    """``fft`` by ``dpnp.fft``."""

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
