"""The ``fft`` extension of the standard. The precision of the input is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._core.arguments import check_axis, count, integers
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import apply, call, wrap
from ._core.dtypes import as_dtype
from ._core.placement import placement
from .errors import ArgumentError, ArgumentTypeError, AxisError

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
    if type(x) is not Array:
        return axes
    if not x.ndim:
        raise AxisError(f"fft.{name}: a zero-dimensional array has no axis to transform")
    if axes is None:
        return axes
    axes = integers(f"fft.{name}", "axes", axes)
    if not axes and "rfft" in name:
        raise ArgumentError(f"fft.{name}: needs at least one axis, which is halved")
    for axis in axes:
        check_axis(f"fft.{name}", axis, x.ndim)
    if len({axis % x.ndim for axis in axes}) < len(axes):
        raise ArgumentError(f"fft.{name}: the axes {axes} of {x.ndim} name one twice")
    return axes


def _along_axis(name: str, x: Any, n: int | None, axis: int, norm: str) -> Array:
    if type(x) is Array and not x.ndim:
        raise AxisError(f"fft.{name}: a zero-dimensional array has no axis to transform")
    return apply(f"fft.{name}", x, n=n, axis=axis, norm=_norm(name, norm))


def _over_axes(name: str, x: Any, s: Any, axes: Any, norm: str) -> Array:
    if s is None or type(x) is not Array:
        return apply(f"fft.{name}", x, s=s, axes=_axes(name, x, axes), norm=_norm(name, norm))
    s = _lengths(name, s)
    if axes is None and len(s) <= x.ndim:
        axes = tuple(range(x.ndim - len(s), x.ndim))
    axes = _axes(name, x, axes)
    if axes is None or len(s) != len(axes):
        raise ArgumentError(
            f"fft.{name}: s names {len(s)} lengths of {x.ndim if axes is None else len(axes)} axes"
        )
    return apply(f"fft.{name}", x, s=s, axes=axes, norm=_norm(name, norm))


def _lengths(name: str, s: Any) -> tuple[int, ...]:
    if isinstance(s, int):
        raise ArgumentTypeError(f"fft.{name}: s must be a sequence of lengths, got {s}")
    lengths = integers(f"fft.{name}", "s", s)
    if any(length < 1 for length in lengths):
        raise ArgumentError(f"fft.{name}: the lengths s must be positive, got {lengths}")
    return lengths


def _shifted(name: str, x: Any, axes: Any) -> Array:
    if type(x) is Array and not x.ndim and axes in (None, (), []):  # there is nothing to shift
        return apply("copy", x)
    if type(x) is Array and not x.ndim:
        raise AxisError(f"{name}: a zero-dimensional array has no axis to shift")
    return apply(name, x, axes=axes)


def _frequencies(name: str, n: int, d: float, dtype: Any, device: str | Device | None) -> Array:
    at = placement(name, device)
    native = at.native_dtype(at.adapter.float_dtype if dtype is None else as_dtype(dtype, name), name)
    if count(name, "n", n) == 0:
        raise ArgumentError(f"{name}: n must be positive")
    return wrap(at, call(name, at, n, d=d, dtype=native, device=at.adapter.native_device))


def fft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the discrete Fourier transform along ``axis``."""
    return _along_axis("fft", x, n, axis, norm)


def ifft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the inverse discrete Fourier transform along ``axis``."""
    return _along_axis("ifft", x, n, axis, norm)


def fftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the Fourier transform over ``axes``."""
    return _over_axes("fftn", x, s, axes, norm)


def ifftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the inverse Fourier transform over ``axes``."""
    return _over_axes("ifftn", x, s, axes, norm)


def rfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the non-negative frequencies of the Fourier transform of real input."""
    return _along_axis("rfft", x, n, axis, norm)


def irfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the real signal whose ``rfft`` is ``x``; ``n`` is its length, ``2 * (N - 1)`` by default."""
    return _along_axis("irfft", x, n, axis, norm)


def rfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the Fourier transform of real input over ``axes``, the last one halved."""
    return _over_axes("rfftn", x, s, axes, norm)


def irfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the real array whose ``rfftn`` is ``x``."""
    return _over_axes("irfftn", x, s, axes, norm)


def hfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the real transform of a signal with Hermitian symmetry."""
    return _along_axis("hfft", x, n, axis, norm)


def ihfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the inverse of ``hfft``."""
    return _along_axis("ihfft", x, n, axis, norm)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return the frequencies of ``fft`` for ``n`` samples at spacing ``d``, in cycles per unit of ``d``."""
    return _frequencies("fft.fftfreq", n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: str | Device | None = None) -> Array:
    """Return the frequencies of ``rfft`` for ``n`` samples at spacing ``d``, in cycles per unit of ``d``."""
    return _frequencies("fft.rfftfreq", n, d, dtype, device)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return the array with the zero frequency moved to the middle."""
    return _shifted("fft.fftshift", x, axes)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return the array with the zero frequency moved back to the front."""
    return _shifted("fft.ifftshift", x, axes)
