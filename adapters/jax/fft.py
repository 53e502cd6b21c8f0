"""The extension ``fft`` on JAX."""

from __future__ import annotations

from burn_array.adapter import composed

from ..common import numpy_like


class FourierExtension:
    """The extension ``fft``, by ``jax.numpy.fft``."""

    fft_fftfreq = composed(numpy_like.fftfreq)
    fft_rfftfreq = composed(numpy_like.rfftfreq)
