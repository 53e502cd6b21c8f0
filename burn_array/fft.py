"""The ``fft`` extension of the standard. The precision of the input is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._arguments import check_axis, count, integers
from ._array import Array
from ._device import Device
from ._dispatch import apply, call, tag
from ._dtypes import as_dtype
from ._placement import placement
from .errors import ArgumentError

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _norm(name: str, norm: str) -> str:
    if norm not in ("backward", "ortho", "forward"):
        raise ArgumentError(f"fft.{name}: norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    return norm


def _axes(name: str, x: Any, axes: Any) -> Any:
    if axes is None or type(x) is not Array:
        return axes
    axes = integers(f"fft.{name}", "axes", axes)
    if not axes and "rfft" in name:
        raise ArgumentError(f"fft.{name}: needs at least one axis, which is halved")
    for axis in axes:
        check_axis(f"fft.{name}", axis, x.ndim)
    return axes


def _frequencies(name: str, n: int, d: float, dtype: Any, device: str | Device | None) -> Array:
    at = placement(name, device)
    native = at.native_dtype(at.adapter.float_dtype if dtype is None else as_dtype(dtype, name), name)
    if count(name, "n", n) == 0:
        raise ArgumentError(f"{name}: n must be positive")
    return tag(at, call(name, at, n, d=d, dtype=native, device=at.adapter.native_device))


def fft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the discrete Fourier transform along ``axis``."""
    return apply("fft.fft", x, n=n, axis=axis, norm=_norm("fft", norm))


def ifft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the inverse discrete Fourier transform along ``axis``."""
    return apply("fft.ifft", x, n=n, axis=axis, norm=_norm("ifft", norm))


def fftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the Fourier transform over ``axes``."""
    return apply("fft.fftn", x, s=s, axes=_axes("fftn", x, axes), norm=_norm("fftn", norm))


def ifftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the inverse Fourier transform over ``axes``."""
    return apply("fft.ifftn", x, s=s, axes=_axes("ifftn", x, axes), norm=_norm("ifftn", norm))


def rfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the non-negative frequencies of the Fourier transform of real input."""
    return apply("fft.rfft", x, n=n, axis=axis, norm=_norm("rfft", norm))


def irfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the real signal whose ``rfft`` is ``x``; ``n`` is its length, ``2 * (N - 1)`` by default."""
    return apply("fft.irfft", x, n=n, axis=axis, norm=_norm("irfft", norm))


def rfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the Fourier transform of real input over ``axes``, the last one halved."""
    return apply("fft.rfftn", x, s=s, axes=_axes("rfftn", x, axes), norm=_norm("rfftn", norm))


def irfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the real array whose ``rfftn`` is ``x``."""
    return apply("fft.irfftn", x, s=s, axes=_axes("irfftn", x, axes), norm=_norm("irfftn", norm))


def hfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the real transform of a signal with Hermitian symmetry."""
    return apply("fft.hfft", x, n=n, axis=axis, norm=_norm("hfft", norm))


def ihfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the inverse of ``hfft``."""
    return apply("fft.ihfft", x, n=n, axis=axis, norm=_norm("ihfft", norm))


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return the frequencies of ``fft`` for ``n`` samples at spacing ``d``, in cycles per unit of ``d``."""
    return _frequencies("fft.fftfreq", n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return the frequencies of ``rfft`` for ``n`` samples at spacing ``d``, in cycles per unit of ``d``."""
    return _frequencies("fft.rfftfreq", n, d, dtype, device)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return the array with the zero frequency moved to the middle."""
    return apply("fft.fftshift", x, axes=axes)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return the array with the zero frequency moved back to the front."""
    return apply("fft.ifftshift", x, axes=axes)
