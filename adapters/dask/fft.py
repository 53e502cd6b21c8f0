"""The extension ``fft`` on dask: the transformed axes become one block each."""

from __future__ import annotations

from typing import Any

import numpy as np

from .apply import Apply, outcome
from .blocks import block_by_block, created, cut_again, kind_of_blocks, nothing, whole, without_empty
from .manipulation_functions import checked_axes, roll

_TO_HALF = ("rfft", "ihfft", "rfftn")
_FROM_HALF = ("irfft", "hfft", "irfftn")


def _length(name: str, own: int, n: int | None) -> int:
    """Return the length of the last transformed axis of the result."""
    if name in _FROM_HALF:
        return 2 * (own - 1) if n is None else n
    length = own if n is None else n
    return length // 2 + 1 if name in _TO_HALF else length


def _transform(name: str) -> Any:
    is_single = not name.endswith("n")

    def function(x: Any, **settings: Any) -> Any:
        if is_single:
            axes, lengths = checked_axes(settings["axis"], x.ndim), [settings["n"]]
        else:
            given, sizes = settings["axes"], settings["s"]
            axes = tuple(range(x.ndim)) if given is None else checked_axes(given, x.ndim)
            lengths = list(sizes) if sizes is not None else [None] * len(axes)
        kind = kind_of_blocks(x)
        apply = Apply(kind, f"fft.{name}", (), **settings)
        shape = list(x.shape)
        for i, (axis, n) in enumerate(zip(axes, lengths, strict=True)):
            last = i == len(axes) - 1
            shape[axis] = _length(name if last else "fft", x.shape[axis], n)
            if shape[axis] < 1 or (n is None and not x.shape[axis]):
                raise ValueError(f"fft.{name}: Invalid number of FFT data points ({shape[axis]}) specified")
        (dtype,) = outcome(_of_length_two(kind, name, axes, settings), x, ndim=max(1, x.ndim), length=2)
        if 0 in shape:
            return nothing(kind, tuple(shape), dtype)
        if not axes:
            return block_by_block(apply, tuple(range(x.ndim)), [(x, tuple(range(x.ndim)))], x.chunks, dtype)
        x = whole(f"fft.{name}", without_empty(x), axes)
        every = tuple(range(x.ndim))
        chunks = tuple((shape[i],) if i in axes else x.chunks[i] for i in every)
        return block_by_block(apply, every, [(x, every)], chunks, dtype)

    return staticmethod(function)


def _of_length_two(kind: str, name: str, axes: Any, settings: Any) -> Apply:
    """Return the same transform of small arrays, for its dtype."""
    own = dict(settings)
    own["n" if "n" in own else "s"] = None
    return Apply(kind, f"fft.{name}", (), **own)


def _shift(x: Any, axes: Any, sign: int) -> Any:
    places = tuple(range(x.ndim)) if axes is None else checked_axes(axes, x.ndim)
    by = tuple(x.shape[i] // 2 if sign > 0 else -(x.shape[i] // 2) for i in places)
    return roll(x, by, axis=places) if places else x


def _frequencies(name: str) -> Any:
    def function(n: int, *, d: float, dtype: Any, device: str) -> Any:
        length = n // 2 + 1 if name == "rfftfreq" else n
        apply = Apply(device, "blocks.frequencies", (name, n, d, dtype))
        return cut_again(created(apply, ((length,),), np.dtype(dtype)))

    return staticmethod(function)


class FourierExtension:
    """The extension ``fft``."""

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
    fft_fftfreq = _frequencies("fftfreq")
    fft_rfftfreq = _frequencies("rfftfreq")
    fft_fftshift = staticmethod(lambda x, *, axes: _shift(x, axes, 1))
    fft_ifftshift = staticmethod(lambda x, *, axes: _shift(x, axes, -1))
