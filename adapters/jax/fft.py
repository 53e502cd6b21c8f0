"""The extension ``fft`` on JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp

from burn_array.adapter import composed

from ..common import numpy_like


def _transform(name: str) -> Any:
    """Return a transform that takes integers, and arrays without elements.

    JAX transforms integers in single precision, refuses bools, and arrays with axes of length 0. NumPy transforms
    integers and bools in double precision, and pads an axis of length 0 with zeros.
    https://docs.jax.dev/en/latest/_autosummary/jax.numpy.fft.fft.html, last seen in 0.10.2.
    """
    own = getattr(jnp.fft, name)

    def transform(x: Any, **settings: Any) -> Any:
        x = x.astype(float) if x.dtype.kind in "biu" else x
        if not x.size:
            shape, dtype = numpy_like.transform_of_nothing(name, x, **settings)
            return jnp.zeros(shape, dtype)
        return own(x, **settings)

    return staticmethod(transform)


class FourierExtension:
    """The extension ``fft``, by ``jax.numpy.fft``."""

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
