"""The ``fft`` extension of the standard: discrete Fourier transforms.

The transform of ``n`` numbers ``x[m]`` is ``X[k] = sum over m of x[m] * exp(-2j * pi * k * m / n)``; the
inverse has ``+2j`` and a factor ``1/n``. With ``norm="backward"`` this factor stands in the inverse, with
``"forward"`` in the transform, with ``"ortho"`` each of the two has its square root.

The precision of the input is kept; integers are computed in double precision, float16 in single
precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._core.arguments import check_axis, count, integer, integers
from ._core.array import Array
from ._core.dispatch import apply, call, wrap
from ._core.dtypes import as_dtype, kind_of
from ._core.operands import number
from ._core.placement import placement
from .errors import ArgumentError, ArgumentTypeError, AxisError, DTypeError

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
    """Return ``norm``; raise if it is unknown."""
    if norm not in ("backward", "ortho", "forward"):
        raise ArgumentError(f"fft.{name}: norm must be 'backward', 'ortho' or 'forward', got {norm!r}")
    return norm


def _axes(name: str, x: Any, axes: Any) -> Any:
    """Return the checked axes of a transform as a tuple; ``None`` stays ``None``."""
    if type(x) is not Array:
        return axes
    if not x.ndim:
        raise AxisError(f"fft.{name}: a zero-dimensional array has no axis to transform")
    if axes is None:
        return axes
    axes = integers(f"fft.{name}", "axes", axes)
    if not axes and "rfft" in name:
        raise ArgumentError(f"fft.{name}: needs at least one axis to transform")
    for axis in axes:
        check_axis(f"fft.{name}", axis, x.ndim)
    if len({axis % x.ndim for axis in axes}) < len(axes):
        raise ArgumentError(f"fft.{name}: the axes {axes} of an array of {x.ndim} dimensions repeat an axis")
    return axes


def _along_axis(name: str, x: Any, n: int | None, axis: int, norm: str) -> Array:
    """Return the transform ``name`` along one axis."""
    if type(x) is Array and not x.ndim:
        raise AxisError(f"fft.{name}: a zero-dimensional array has no axis to transform")
    if n is not None and integer(f"fft.{name}", "n", n) < 1:
        raise ArgumentError(f"fft.{name}: n must be positive, got {n}")
    return apply(f"fft.{name}", x, n=n, axis=axis, norm=_norm(name, norm))


def _over_axes(name: str, x: Any, s: Any, axes: Any, norm: str) -> Array:
    """Return the transform ``name`` over several axes."""
    if s is None or type(x) is not Array:
        return apply(f"fft.{name}", x, s=s, axes=_axes(name, x, axes), norm=_norm(name, norm))
    s = _lengths(name, s)
    if axes is None and len(s) <= x.ndim:
        axes = tuple(range(x.ndim - len(s), x.ndim))
    axes = _axes(name, x, axes)
    if axes is None or len(s) != len(axes):
        raise ArgumentError(
            f"fft.{name}: s has {len(s)} lengths for {x.ndim if axes is None else len(axes)} axes"
        )
    return apply(f"fft.{name}", x, s=s, axes=axes, norm=_norm(name, norm))


def _lengths(name: str, s: Any) -> tuple[int, ...]:
    """Return the lengths ``s`` as a tuple; raise if one is not positive."""
    if isinstance(s, int):
        raise ArgumentTypeError(f"fft.{name}: s must be a sequence of lengths, got {s}")
    lengths = integers(f"fft.{name}", "s", s)
    if any(length < 1 for length in lengths):
        raise ArgumentError(f"fft.{name}: the lengths s must be positive, got {lengths}")
    return lengths


def _shifted(name: str, x: Any, axes: Any) -> Array:
    """Return ``x`` shifted by the function ``name``."""
    if type(x) is Array and not x.ndim and axes in (None, (), []):  # there is nothing to shift
        return apply("copy", x)
    if type(x) is Array and not x.ndim:
        raise AxisError(f"{name}: a zero-dimensional array has no axis to shift")
    return apply(name, x, axes=axes)


def _frequencies(name: str, n: int, d: float, dtype: Any, device: Any) -> Array:
    """Return the frequencies that the function ``name`` gives for ``n`` samples."""
    at = placement(name, device)
    to = at.adapter.float_dtype if dtype is None else as_dtype(dtype, name)
    if kind_of(to) != "f":
        raise DTypeError(f"{name}: dtype must be a real floating one, got {to}")
    native = at.native_dtype(to, name)
    if count(name, "n", n) == 0:
        raise ArgumentError(f"{name}: n must be positive")
    spacing = number(name, "d", d)
    return wrap(at, call(name, at, n, d=spacing, dtype=native, device=at.adapter.native_device))


def fft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the discrete Fourier transform along one axis.

    Parameters
    ----------
    x : Array
        Real or complex.
    n : int, optional
        The number of points; the axis is cut or padded with zeros at its end to this length.
    axis : int
        The axis to transform.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; the shape of ``x``, with length ``n`` along the axis.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown or there are no points to transform.
    AxisError
        If ``x`` does not have the axis.
    """
    return _along_axis("fft", x, n, axis, norm)


def ifft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the inverse discrete Fourier transform along one axis.

    Parameters
    ----------
    x : Array
        Real or complex.
    n : int, optional
        The number of points; the axis is cut or padded with zeros at its end to this length.
    axis : int
        The axis to transform.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; the shape of ``x``, with length ``n`` along the axis.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown or there are no points to transform.
    AxisError
        If ``x`` does not have the axis.
    """
    return _along_axis("ifft", x, n, axis, norm)


def fftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the discrete Fourier transform over several axes.

    Parameters
    ----------
    x : Array
        Real or complex.
    s : sequence of int, optional
        The number of points of each transformed axis, which is cut or padded with zeros.
    axes : sequence of int, optional
        The axes to transform; by default all, or the last ``len(s)`` if ``s`` is given.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; the shape of ``x``, with the lengths ``s`` along the axes.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown, an axis is repeated, or ``s`` and ``axes`` do not fit together.
    AxisError
        If ``x`` does not have one of the axes.
    """
    return _over_axes("fftn", x, s, axes, norm)


def ifftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the inverse discrete Fourier transform over several axes.

    Parameters
    ----------
    x : Array
        Real or complex.
    s : sequence of int, optional
        The number of points of each transformed axis, which is cut or padded with zeros.
    axes : sequence of int, optional
        The axes to transform; by default all, or the last ``len(s)`` if ``s`` is given.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; the shape of ``x``, with the lengths ``s`` along the axes.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown, an axis is repeated, or ``s`` and ``axes`` do not fit together.
    AxisError
        If ``x`` does not have one of the axes.
    """
    return _over_axes("ifftn", x, s, axes, norm)


def rfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the discrete Fourier transform of real numbers, for the frequencies that are not negative.

    The negative frequencies are left out, being the complex conjugates of the positive ones.

    Parameters
    ----------
    x : Array
        Real.
    n : int, optional
        The number of points; the axis is cut or padded with zeros at its end to this length.
    axis : int
        The axis to transform.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; of length ``n // 2 + 1`` along the axis.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown or there are no points to transform.
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``x`` is complex.
    """
    return _along_axis("rfft", x, n, axis, norm)


def irfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the real numbers whose ``rfft`` is ``x``.

    Parameters
    ----------
    x : Array
        The frequencies that are not negative, real or complex.
    n : int, optional
        The length of the result; by default ``2 * (N - 1)`` for ``N`` frequencies. Give it if it is odd.
    axis : int
        The axis to transform.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Real; of length ``n`` along the axis.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown or there are no points to transform.
    AxisError
        If ``x`` does not have the axis.
    """
    return _along_axis("irfft", x, n, axis, norm)


def rfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the discrete Fourier transform of real numbers over several axes.

    Along the last of the axes the negative frequencies are left out.

    Parameters
    ----------
    x : Array
        Real.
    s : sequence of int, optional
        The number of points of each transformed axis, which is cut or padded with zeros.
    axes : sequence of int, optional
        The axes to transform; by default all, or the last ``len(s)`` if ``s`` is given.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; of length ``s[-1] // 2 + 1`` along the last axis, ``s`` along the others.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown, an axis is repeated, or ``s`` and ``axes`` do not fit together.
    AxisError
        If ``x`` does not have one of the axes.
    DTypeError
        If ``x`` is complex.
    """
    return _over_axes("rfftn", x, s, axes, norm)


def irfftn(
    x: Array,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Array:
    """Return the real numbers whose ``rfftn`` is ``x``.

    Parameters
    ----------
    x : Array
        Real or complex; only frequencies that are not negative along the last of the axes.
    s : sequence of int, optional
        The lengths of the result along the axes; by default the last one is ``2 * (N - 1)`` for ``N``
        frequencies.
    axes : sequence of int, optional
        The axes to transform; by default all, or the last ``len(s)`` if ``s`` is given.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Real; of the lengths ``s`` along the axes.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown, an axis is repeated, or ``s`` and ``axes`` do not fit together.
    AxisError
        If ``x`` does not have one of the axes.
    """
    return _over_axes("irfftn", x, s, axes, norm)


def hfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the real transform of numbers with Hermitian symmetry, given their first half.

    The other half is known: ``x[-m]`` is the complex conjugate of ``x[m]``.

    Parameters
    ----------
    x : Array
        The numbers at times that are not negative, real or complex.
    n : int, optional
        The length of the result; by default ``2 * (N - 1)`` for ``N`` numbers. Give it if it is odd.
    axis : int
        The axis to transform.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Real; of length ``n`` along the axis.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown or there are no points to transform.
    AxisError
        If ``x`` does not have the axis.
    """
    return _along_axis("hfft", x, n, axis, norm)


def ihfft(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Array:
    """Return the first half of the inverse transform of real numbers: the inverse of ``hfft``.

    Parameters
    ----------
    x : Array
        Real.
    n : int, optional
        The number of points; the axis is cut or padded with zeros at its end to this length.
    axis : int
        The axis to transform.
    norm : {"backward", "ortho", "forward"}
        The factor ``1/n`` stands in the inverse transform, as its root in both, or in the transform
        itself.

    Returns
    -------
    Array
        Complex; of length ``n // 2 + 1`` along the axis.

    Raises
    ------
    ArgumentError
        If ``norm`` is unknown or there are no points to transform.
    AxisError
        If ``x`` does not have the axis.
    DTypeError
        If ``x`` is complex.
    """
    return _along_axis("ihfft", x, n, axis, norm)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Return the frequencies that belong to the results of ``fft``, in cycles per unit of ``d``.

    Parameters
    ----------
    n : int
        The number of samples that were transformed, at least 1.
    d : float
        The distance between samples.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        ``n`` frequencies: 0 and the positive ones, then the negative ones.

    Raises
    ------
    ArgumentError
        If ``n`` or ``d`` is zero.
    """
    return _frequencies("fft.fftfreq", n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Return the frequencies that belong to the results of ``rfft``, in cycles per unit of ``d``.

    Parameters
    ----------
    n : int
        The number of samples that were transformed, at least 1.
    d : float
        The distance between samples.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where the array shall be.

    Returns
    -------
    Array
        ``n // 2 + 1`` frequencies, from 0 upwards.

    Raises
    ------
    ArgumentError
        If ``n`` or ``d`` is zero.
    """
    return _frequencies("fft.rfftfreq", n, d, dtype, device)


def fftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return ``x`` with frequency zero in the middle of each axis instead of at its start.

    Parameters
    ----------
    x : Array
        In the order of the results of ``fft``.
    axes : int or sequence of int, optional
        The axes to shift; by default all.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return _shifted("fft.fftshift", x, axes)


def ifftshift(x: Array, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Return ``x`` with frequency zero at the start of each axis instead of in its middle: undo ``fftshift``.

    Parameters
    ----------
    x : Array
        In the order of the results of ``fftshift``.
    axes : int or sequence of int, optional
        The axes to shift; by default all.

    Returns
    -------
    Array
        The dtype and shape of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return _shifted("fft.ifftshift", x, axes)
