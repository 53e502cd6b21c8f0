"""Rules of the ``fft`` extension.

The adjoint of a transform is the opposite one with ``norm`` exchanged, cut or filled up to the length of the operand
where the transform did the reverse. There are no cases of even and odd lengths.
"""

from __future__ import annotations

from typing import Any

from . import composition, constant, rule
from ._axes import along, axes_of, resized

constant("fft.fftfreq", "fft.rfftfreq")

_OPPOSITE = {"backward": "forward", "ortho": "ortho", "forward": "backward"}


def _fft(xp: Any, g: Any, _out: Any, _x: Any, *, n: Any, axis: int, norm: str) -> Any:
    return resized(xp, xp.fft.ifft(g, axis=axis, norm=_OPPOSITE[norm]), _x.shape[axis], axis)


def _ifft(xp: Any, g: Any, _out: Any, _x: Any, *, n: Any, axis: int, norm: str) -> Any:
    return resized(xp, xp.fft.fft(g, axis=axis, norm=_OPPOSITE[norm]), _x.shape[axis], axis)


def _rfft(xp: Any, g: Any, _out: Any, _x: Any, *, n: int | None, axis: int, norm: str) -> Any:
    n = _x.shape[axis] if n is None else n
    return resized(xp, xp.real(xp.fft.ifft(g, n=n, axis=axis, norm=_OPPOSITE[norm])), _x.shape[axis], axis)


def _irfft(xp: Any, g: Any, _out: Any, _x: Any, *, n: Any, axis: int, norm: str) -> Any:
    """Frequencies that stand for a conjugate pair count twice; the first does not, nor the middle one if there is."""
    n = g.shape[axis]
    single, pairs = xp.ones((1,), dtype=g.dtype), xp.full(((n - 1) // 2,), 2.0, dtype=g.dtype)
    weights = xp.concat([single, pairs] if n % 2 else [single, pairs, single], axis=0)
    h = along(xp, weights, axis, g.ndim) * xp.fft.rfft(g, axis=axis, norm=_OPPOSITE[norm])
    return resized(xp, h, _x.shape[axis], axis)


rule("fft.fft", _fft)
rule("fft.ifft", _ifft)
rule("fft.rfft", _rfft)
rule("fft.irfft", _irfft)
composition(
    "fft.hfft",
    lambda xp, x, *, n, axis, norm: xp.fft.irfft(xp.conj(x), n=n, axis=axis, norm=_OPPOSITE[norm]),
)
composition(
    "fft.ihfft",
    lambda xp, x, *, n, axis, norm: xp.conj(xp.fft.rfft(x, n=n, axis=axis, norm=_OPPOSITE[norm])),
)

# -- several axes ---------------------------------------------------------------------------------


def _axes(ndim: int, s: Any, axes: Any) -> tuple[int, ...]:
    """Return the axes of a transform: given, the last ones for ``s``, or all."""
    if axes is None and s is not None:
        return tuple(range(ndim - len(s), ndim))
    return axes_of(axes, ndim)


def _fftn(xp: Any, g: Any, _out: Any, _x: Any, *, s: Any, axes: Any, norm: str) -> Any:
    return _cut(xp, xp.fft.ifftn(g, axes=_axes(_x.ndim, s, axes), norm=_OPPOSITE[norm]), _x)


def _ifftn(xp: Any, g: Any, _out: Any, _x: Any, *, s: Any, axes: Any, norm: str) -> Any:
    return _cut(xp, xp.fft.fftn(g, axes=_axes(_x.ndim, s, axes), norm=_OPPOSITE[norm]), _x)


def _cut(xp: Any, g: Any, x: Any) -> Any:
    for axis, length in enumerate(x.shape):
        g = resized(xp, g, length, axis)
    return g


def _rfftn(xp: Any, x: Any, *, s: Any, axes: Any, norm: str) -> Any:
    *others, last = _axes(x.ndim, s, axes)
    out = xp.fft.rfft(x, n=None if s is None else s[-1], axis=last, norm=norm)
    if not others:
        return out
    return xp.fft.fftn(out, s=None if s is None else s[:-1], axes=tuple(others), norm=norm)


def _irfftn(xp: Any, x: Any, *, s: Any, axes: Any, norm: str) -> Any:
    *others, last = _axes(x.ndim, s, axes)
    if others:
        x = xp.fft.ifftn(x, s=None if s is None else s[:-1], axes=tuple(others), norm=norm)
    return xp.fft.irfft(x, n=None if s is None else s[-1], axis=last, norm=norm)


rule("fft.fftn", _fftn)
rule("fft.ifftn", _ifftn)
composition("fft.rfftn", _rfftn)
composition("fft.irfftn", _irfftn)
rule("fft.fftshift", lambda xp, g, _out, _x, *, axes: xp.fft.ifftshift(g, axes=axes), moves=True)
rule("fft.ifftshift", lambda xp, g, _out, _x, *, axes: xp.fft.fftshift(g, axes=axes), moves=True)
