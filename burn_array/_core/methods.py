"""The methods of :class:`Array` that the standard does not have, but users of NumPy expect."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, DTypeError, ShapeError
from .gradients import Gradients
from .html import as_html
from .namespace import namespace
from .ufuncs import apply_ufunc

if TYPE_CHECKING:
    from .array import Array


def _no_out(function: str, out: Any) -> None:
    if out is not None:
        raise ArgumentError(f"{function}: out= is not supported; assign the result instead")


def _complex(xp: Any, real: Any, imag: Any) -> Array:
    """Return ``real + imag j`` with infinities, NaNs and the signs of zeros as they are.

    A minus zero changes no number that it is added to, so each part comes with one for the other; only the
    finite numbers are turned by a product.
    """
    double = xp.complex64 if imag.dtype == xp.float32 else xp.complex128
    finite = xp.isfinite(imag)
    turned = -(1j * xp.conj(xp.astype(-xp.where(finite, imag, 0.0), double)))
    endless = xp.where(imag > 0, complex(-0.0, math.inf), complex(-0.0, -math.inf))
    endless = xp.where(xp.isnan(imag), complex(-0.0, math.nan), xp.astype(endless, double))
    return xp.conj(xp.astype(real, double)) + xp.where(finite, turned, endless)


def _rounded(xp: Any, x: Any, decimals: int) -> Array:
    """Return ``x`` rounded to a number of decimals, which may be negative."""
    step = 10 ** abs(decimals)
    if decimals == 0:
        return xp.round(x)
    if xp.isdtype(x.dtype, "integral"):
        return x.copy() if decimals > 0 else _multiples(xp, x, step)
    return (
        xp.round(x * float(step)) / float(step) if decimals > 0 else xp.round(x / float(step)) * float(step)
    )


def _multiples(xp: Any, x: Any, step: int) -> Array:
    """Return integers rounded to multiples of ``step``, halves to even ones."""
    if step > xp.iinfo(x.dtype).max:
        return xp.zeros_like(x)
    whole = x // step
    rest = x - whole * step
    up = (rest > step - rest) | ((rest == step - rest) & (whole % 2 == 1))
    return (whole + xp.astype(up, x.dtype)) * step


class Methods(Gradients):
    """Methods of an array beyond the standard; most call the function of the namespace."""

    __slots__ = ()

    # -- reductions ---------------------------------------------------------------------------

    def sum(
        self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Array:
        """Return ``sum(x)``."""
        _no_out("sum", out)
        return namespace().sum(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(
        self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Array:
        """Return ``prod(x)``."""
        _no_out("prod", out)
        return namespace().prod(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(
        self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Array:
        """Return ``mean(x)``."""
        _no_out("mean", out)
        x = self if dtype is None else namespace().astype(self, dtype)
        return namespace().mean(x, axis=axis, keepdims=keepdims)

    def var(
        self: Any,
        /,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
    ) -> Array:
        """Return ``var(x, correction=ddof)``."""
        _no_out("var", out)
        x = self if dtype is None else namespace().astype(self, dtype)
        return namespace().var(x, axis=axis, correction=ddof, keepdims=keepdims)

    def std(
        self: Any,
        /,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
    ) -> Array:
        """Return ``std(x, correction=ddof)``."""
        _no_out("std", out)
        x = self if dtype is None else namespace().astype(self, dtype)
        return namespace().std(x, axis=axis, correction=ddof, keepdims=keepdims)

    def max(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return ``max(x)``."""
        _no_out("max", out)
        return namespace().max(self, axis=axis, keepdims=keepdims)

    def min(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return ``min(x)``."""
        _no_out("min", out)
        return namespace().min(self, axis=axis, keepdims=keepdims)

    def any(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return ``any(x)``."""
        _no_out("any", out)
        return namespace().any(self, axis=axis, keepdims=keepdims)

    def all(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return ``all(x)``."""
        _no_out("all", out)
        return namespace().all(self, axis=axis, keepdims=keepdims)

    def argmax(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return ``argmax(x)``."""
        _no_out("argmax", out)
        return namespace().argmax(self, axis=axis, keepdims=keepdims)

    def argmin(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return ``argmin(x)``."""
        _no_out("argmin", out)
        return namespace().argmin(self, axis=axis, keepdims=keepdims)

    def cumsum(self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
        """Return ``cumulative_sum(x)``, of the flattened array if ``axis`` is ``None``."""
        _no_out("cumsum", out)
        x = self.ravel() if axis is None else self
        return namespace().cumulative_sum(x, axis=axis or 0, dtype=dtype)

    def cumprod(self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
        """Return ``cumulative_prod(x)``, of the flattened array if ``axis`` is ``None``."""
        _no_out("cumprod", out)
        x = self.ravel() if axis is None else self
        return namespace().cumulative_prod(x, axis=axis or 0, dtype=dtype)

    # -- shape --------------------------------------------------------------------------------

    def reshape(self: Any, /, *shape: Any, copy: bool | None = None) -> Array:
        """Return ``reshape(x, shape)``; the shape is one tuple or several integers."""
        to = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return namespace().reshape(self, (to,) if isinstance(to, int) else to, copy=copy)

    def ravel(self: Any, /) -> Array:
        """Return the array with one axis, in row-major order."""
        return namespace().reshape(self, (-1,))

    def flatten(self: Any, /) -> Array:
        """Return a copy of the array with one axis, in row-major order."""
        return namespace().reshape(self, (-1,), copy=True)

    def transpose(self: Any, /, *axes: Any) -> Array:
        """Return ``permute_dims(x, axes)``, with the axes reversed if none are given."""
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = tuple(axes[0]) if axes[0] is not None else ()
        return namespace().permute_dims(self, axes or tuple(range(self.ndim))[::-1])

    def swapaxes(self: Any, /, axis1: int, axis2: int) -> Array:
        """Return the array with two axes exchanged."""
        axes = list(range(self.ndim))
        axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
        return namespace().permute_dims(self, tuple(axes))

    def squeeze(self: Any, /, axis: Any = None) -> Array:
        """Return ``squeeze(x, axis)``, of all axes of length one if ``axis`` is ``None``."""
        if axis is None:
            axis = tuple(i for i, n in enumerate(self.shape) if n == 1)
        return namespace().squeeze(self, axis)

    def repeat(self: Any, /, repeats: Any, axis: int | None = None) -> Array:
        """Return ``repeat(x, repeats)``."""
        return namespace().repeat(self, repeats, axis=axis)

    def take(self: Any, /, indices: Any, axis: int | None = None) -> Array:
        """Return ``take(x, indices)``, of the flattened array if ``axis`` is ``None``."""
        x = self.ravel() if axis is None else self
        return namespace().take(x, namespace().asarray(indices), axis=axis or 0)

    # -- values -------------------------------------------------------------------------------

    def astype(self: Any, /, dtype: Any, copy: bool = True, device: Any = None) -> Array:
        """Return ``astype(x, dtype)``."""
        return namespace().astype(self, dtype, copy=copy, device=device)

    def view(self: Any, /, dtype: Any) -> Array:
        """Return complex numbers as pairs of real ones in the last axis, pairs as complex ones; a copy."""
        xp = namespace()
        to, kinds = np.dtype(dtype), self.dtype.kind + np.dtype(dtype).kind
        if to == self.dtype:
            return self
        parts = to.itemsize / self.itemsize
        if kinds == "cf" and parts == 0.5:
            pairs = xp.stack([xp.real(self), xp.imag(self)], axis=-1)
            return xp.reshape(pairs, (*pairs.shape[:-2], -1))
        if kinds == "fc" and parts == 2:
            return _complex(xp, self[..., 0::2], self[..., 1::2])
        raise DTypeError(f"view: {self.dtype} cannot be read as {to}; use astype")

    def copy(self: Any, /) -> Array:
        """Return an independent copy."""
        return namespace().asarray(self, copy=True)

    def conj(self: Any, /) -> Array:
        """Return ``conj(x)``, a real array as it is."""
        if not namespace().isdtype(self.dtype, "complex floating"):
            return self
        return namespace().conj(self)

    @property
    def real(self: Any) -> Array:
        """``real(x)``, a real array as it is."""
        if not namespace().isdtype(self.dtype, "complex floating"):
            return self
        return namespace().real(self)

    @property
    def imag(self: Any) -> Array:
        """``imag(x)``, zeros for a real array."""
        if not namespace().isdtype(self.dtype, "complex floating"):
            return namespace().zeros_like(self)
        return namespace().imag(self)

    def clip(self: Any, /, min: Any = None, max: Any = None) -> Array:
        """Return ``clip(x, min, max)``."""
        return namespace().clip(self, min, max)

    def round(self: Any, /, decimals: int = 0) -> Array:
        """Return ``round(x)``, to a number of decimals; integers stay integers."""
        return _rounded(namespace(), self, decimals)

    def dot(self: Any, /, other: Any) -> Array:
        """Return the dot product as NumPy defines it."""
        if self.ndim == 0 or np.ndim(other) == 0:
            return self * other
        if other.ndim > 2:
            return namespace().tensordot(self, other, axes=((-1,), (-2,)))
        return namespace().matmul(self, other)

    def argsort(self: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
        """Return ``argsort(x)``."""
        return namespace().argsort(self, axis=axis, descending=descending, stable=stable)

    def nonzero(self: Any, /) -> tuple[Array, ...]:
        """Return ``nonzero(x)``."""
        return namespace().nonzero(self)

    def item(self: Any, /, *index: int) -> bool | int | float | complex:
        """Return the only element, or the one at ``index``, as a Python scalar."""
        one = self[index] if index else self
        if one.size != 1:
            raise ShapeError(f"item: the array has {one.size} elements; give the index of one")
        return one.reshape(())._scalar("item")

    def tolist(self: Any, /) -> Any:
        """Return the values as nested lists of Python scalars; from an accelerator they are copied."""
        return self._host_copy().tolist()

    def fill(self: Any, /, value: Any) -> None:
        """Set every element to ``value``."""
        self[...] = value

    @property
    def nbytes(self: Any) -> int:
        """The bytes that the elements take."""
        return self.size * self.dtype.itemsize

    @property
    def itemsize(self: Any) -> int:
        """The bytes that one element takes."""
        return self.dtype.itemsize

    def _repr_html_(self: Any, /) -> str:
        """Return a table for notebooks, of a large array the text in short."""
        values: np.ndarray[Any, Any] = self._host_copy()
        about = f"{self.dtype}{list(values.shape)} on {self.device}"
        return as_html(values, about)

    def __array_ufunc__(self: Any, /, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return apply_ufunc(ufunc, method, inputs, kwargs)
