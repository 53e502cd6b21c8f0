"""The methods of :class:`Array` that the standard does not have: those of NumPy, and those that differentiate."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError, ValueNeededError, explain
from .host_data import from_host
from .html import as_html
from .interchange import Interchange
from .namespace import namespace
from .ufuncs import apply_ufunc

if TYPE_CHECKING:
    from .array import Array


def _no_out(function: str, out: Any) -> None:
    if out is not None:
        raise ArgumentError(f"{function}: out= is not supported; assign the result instead")


def _complex(xp: Any, real: Any, imag: Any) -> Array:
    """Return ``real + imag * 1j`` that keeps infinities, NaNs and the signs of zeros.

    Adding -0.0 never changes a number, so each part is built with -0.0 in the other. Only finite numbers are multiplied
    by 1j, because ``inf * 1j`` has a NaN.
    """
    double = xp.complex64 if imag.dtype == xp.float32 else xp.complex128
    finite = xp.isfinite(imag)
    turned = -(1j * xp.conj(xp.astype(-xp.where(finite, imag, 0.0), double)))
    endless = xp.where(imag > 0, complex(-0.0, math.inf), complex(-0.0, -math.inf))
    endless = xp.where(xp.isnan(imag), complex(-0.0, math.nan), xp.astype(endless, double))
    return xp.conj(xp.astype(real, double)) + xp.where(finite, turned, endless)


def _rounded(xp: Any, x: Any, decimals: Any) -> Array:
    """Return ``x`` rounded to a number of decimals; a negative number rounds to tens, hundreds and so on."""
    try:
        decimals = operator.index(decimals)
    except TypeError:
        raise ArgumentTypeError(
            f"round: the number of decimals must be an integer, got {decimals!r:.60}"
        ) from None
    step = 10 ** abs(decimals)
    if decimals == 0:
        return xp.round(x)
    if xp.isdtype(x.dtype, "integral"):
        return x.copy() if decimals > 0 else _multiples(xp, x, step)
    return (
        xp.round(x * float(step)) / float(step) if decimals > 0 else xp.round(x / float(step)) * float(step)
    )


def _multiples(xp: Any, x: Any, step: int) -> Array:
    """Return integers rounded to multiples of ``step``; halves go to the even multiple."""
    if step > xp.iinfo(x.dtype).max:
        return xp.zeros_like(x)
    whole = x // step
    rest = x - whole * step
    up = (rest > step - rest) | ((rest == step - rest) & (whole % 2 == 1))
    return (whole + xp.astype(up, x.dtype)) * step


class Methods(Interchange):
    """The methods that NumPy has and the standard does not, and those that differentiate.

    Most call the function of the namespace; the adapter of the device does the work of those that differentiate.
    """

    __slots__ = ()

    # -- reductions ---------------------------------------------------------------------------

    def sum(
        self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Array:
        """Return the sum along ``axis``; see ``sum``."""
        _no_out("sum", out)
        return namespace().sum(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(
        self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Array:
        """Return the product along ``axis``; see ``prod``."""
        _no_out("prod", out)
        return namespace().prod(self, axis=axis, dtype=dtype, keepdims=keepdims)

    def mean(
        self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Array:
        """Return the mean along ``axis``; see ``mean``."""
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
        """Return the variance along ``axis``; see ``var``, whose ``correction`` is ``ddof`` here."""
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
        """Return the standard deviation along ``axis``; see ``std``, whose ``correction`` is ``ddof`` here."""
        _no_out("std", out)
        x = self if dtype is None else namespace().astype(self, dtype)
        return namespace().std(x, axis=axis, correction=ddof, keepdims=keepdims)

    def max(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return the largest element along ``axis``; see ``max``."""
        _no_out("max", out)
        return namespace().max(self, axis=axis, keepdims=keepdims)

    def min(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return the smallest element along ``axis``; see ``min``."""
        _no_out("min", out)
        return namespace().min(self, axis=axis, keepdims=keepdims)

    def any(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return whether any element along ``axis`` is true; see ``any``."""
        _no_out("any", out)
        return namespace().any(self, axis=axis, keepdims=keepdims)

    def all(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return whether all elements along ``axis`` are true; see ``all``."""
        _no_out("all", out)
        return namespace().all(self, axis=axis, keepdims=keepdims)

    def argmax(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return the index of the largest element along ``axis``; see ``argmax``."""
        _no_out("argmax", out)
        return namespace().argmax(self, axis=axis, keepdims=keepdims)

    def argmin(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Array:
        """Return the index of the smallest element along ``axis``; see ``argmin``."""
        _no_out("argmin", out)
        return namespace().argmin(self, axis=axis, keepdims=keepdims)

    def cumsum(self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
        """Return the running sums along ``axis``; of the flattened array if it is ``None``."""
        _no_out("cumsum", out)
        x = self.ravel() if axis is None else self
        return namespace().cumulative_sum(x, axis=axis or 0, dtype=dtype)

    def cumprod(self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None) -> Array:
        """Return the running products along ``axis``; of the flattened array if it is ``None``."""
        _no_out("cumprod", out)
        x = self.ravel() if axis is None else self
        return namespace().cumulative_prod(x, axis=axis or 0, dtype=dtype)

    # -- shape --------------------------------------------------------------------------------

    def reshape(self: Any, /, *shape: Any, copy: bool | None = None) -> Array:
        """Return the array with another shape, given as one tuple or as several integers."""
        to = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return namespace().reshape(self, (to,) if isinstance(to, int) else to, copy=copy)

    def ravel(self: Any, /) -> Array:
        """Return the array with one axis, in row-major order."""
        return namespace().reshape(self, (-1,))

    def flatten(self: Any, /) -> Array:
        """Return a copy of the array with one axis, in row-major order."""
        return namespace().reshape(self, (-1,), copy=True)

    def transpose(self: Any, /, *axes: Any) -> Array:
        """Return the array with its axes in the order ``axes``, or reversed if none are given."""
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = tuple(axes[0]) if axes[0] is not None else ()
        return namespace().permute_dims(self, axes or tuple(range(self.ndim))[::-1])

    def swapaxes(self: Any, /, axis1: int, axis2: int) -> Array:
        """Return the array with two axes exchanged."""
        axes = list(range(self.ndim))
        axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
        return namespace().permute_dims(self, tuple(axes))

    def squeeze(self: Any, /, axis: Any = None) -> Array:
        """Return the array without the axes ``axis``, or without all axes of length 1 if it is ``None``."""
        if axis is None:
            axis = tuple([i for i, n in enumerate(self.shape) if n == 1])
        return namespace().squeeze(self, axis)

    def repeat(self: Any, /, repeats: Any, axis: int | None = None) -> Array:
        """Return each element repeated, as ``repeat(x, repeats)``."""
        return namespace().repeat(self, repeats, axis=axis)

    def take(self: Any, /, indices: Any, axis: int | None = None) -> Array:
        """Return the elements at ``indices`` along ``axis``; of the flattened array if it is ``None``."""
        x = self.ravel() if axis is None else self
        return namespace().take(x, namespace().asarray(indices), axis=axis or 0)

    # -- values -------------------------------------------------------------------------------

    def astype(self: Any, /, dtype: Any, copy: bool = True, device: Any = None) -> Array:
        """Return the array in another dtype, as ``astype(x, dtype)``."""
        return namespace().astype(self, dtype, copy=copy, device=device)

    def view(self: Any, /, dtype: Any) -> Array:
        """Return a copy whose memory is read as another dtype, as ``numpy.ndarray.view`` reads it.

        The length of the last axis changes with the size of an element. Complex numbers are read as pairs of real
        ones and back on every device, and can be differentiated; other dtypes are read on host devices.

        Raises
        ------
        HostAccessError
            If the dtypes are others and the host cannot read the memory.
        DTypeError
            If the last axis cannot be divided into elements of the new dtype.
        """
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
        memory = np.array(self._host_memory("view"), order="C")
        try:
            read = memory.view(to)
        except (TypeError, ValueError) as error:
            raise DTypeError(
                f"view: {self.dtype}{list(self.shape)} cannot be read as {to}: {error}; use astype"
            ) from error
        return xp.Array(from_host("view", read, self._device, None, None), self._device)

    def copy(self: Any, /, order: str | None = "C") -> Array:
        """Return an independent copy.

        ``order`` is accepted as NumPy has it; the library decides how the copy lies in memory.

        Raises
        ------
        ArgumentError
            If ``order`` is not ``"C"``, ``"F"``, ``"A"``, ``"K"`` or ``None``.
        """
        if order not in ("C", "F", "A", "K", None):
            raise ArgumentError(f"copy: order must be 'C', 'F', 'A', 'K' or None, got {order!r:.60}")
        return namespace().asarray(self, copy=True)

    def conj(self: Any, /) -> Array:
        """Return the complex conjugate; a real array is returned as it is."""
        if not namespace().isdtype(self.dtype, "complex floating"):
            return self
        return namespace().conj(self)

    @property
    def real(self: Any) -> Array:
        """The real part; of a real array the array itself."""
        if not namespace().isdtype(self.dtype, "complex floating"):
            return self
        return namespace().real(self)

    @property
    def imag(self: Any) -> Array:
        """The imaginary part; zeros for a real array."""
        if not namespace().isdtype(self.dtype, "complex floating"):
            return namespace().zeros_like(self)
        return namespace().imag(self)

    def clip(self: Any, /, min: Any = None, max: Any = None) -> Array:
        """Return the array with its elements limited to the range from ``min`` to ``max``."""
        return namespace().clip(self, min, max)

    def round(self: Any, /, decimals: int = 0) -> Array:
        """Return the array rounded to a number of decimals; integers stay integers."""
        return _rounded(namespace(), self, decimals)

    def dot(self: Any, /, other: Any) -> Array:
        """Return the dot product, by NumPy's rules for ``dot``."""
        if self.ndim == 0 or np.ndim(other) == 0:
            return self * other
        if other.ndim > 2:
            return namespace().tensordot(self, other, axes=((-1,), (-2,)))
        return namespace().matmul(self, other)

    def argsort(self: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Array:
        """Return the indices that sort the array along ``axis``."""
        return namespace().argsort(self, axis=axis, descending=descending, stable=stable)

    def nonzero(self: Any, /) -> tuple[Array, ...]:
        """Return the indices of the elements that are not zero, one array for each axis."""
        return namespace().nonzero(self)

    def item(self: Any, /, *index: int) -> bool | int | float | complex:
        """Return the only element, or the one at ``index``, as a Python scalar."""
        one = self[index] if index else self
        if one.size != 1:
            raise ShapeError(f"item: the array has {one.size} elements; give the index of one")
        return one.reshape(())._scalar("item")

    def tolist(self: Any, /) -> Any:
        """Return nested lists of Python scalars; from an accelerator the values are copied to the host."""
        try:
            return self._host_copy().tolist()
        except ValueNeededError as error:
            raise ValueNeededError(f"tolist: {error}") from None

    def to_numpy(self: Any, /) -> np.ndarray[Any, Any]:
        """Return the values as an ndarray: a view on host devices, a copy from an accelerator.

        Raises
        ------
        GradientError
            If the array is tracked, because the ndarray would lose its gradient; take ``x.detach().to_numpy()``.
        """
        adapter = self._device.adapter
        try:
            return adapter.to_host(self._native)
        except Exception as error:
            raise explain("to_numpy", error, [f"{self.dtype}{list(self.shape)}"], adapter) from error

    def fill(self: Any, /, value: Any) -> None:
        """Set every element to ``value``."""
        self[...] = value

    @property
    def nbytes(self: Any) -> int:
        """The number of bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def itemsize(self: Any) -> int:
        """The number of bytes of one element."""
        return self.dtype.itemsize

    def _repr_html_(self: Any, /) -> str:
        """Return HTML for notebooks: a table, or a short text for a large array."""
        shown = self._shown()
        return as_html(
            self._host_copy() if shown is None else shown,
            f"{self.dtype}{list(self.shape)} on {self.device}{self._tracking()}",
        )

    def __array_ufunc__(self: Any, /, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return apply_ufunc(ufunc, method, inputs, kwargs)

    # -- gradients ----------------------------------------------------------------------------

    @property
    def requires_grad(self: Any) -> bool:
        """Whether the array is a parameter: ``backward`` gives a gradient for it."""
        return self._device.adapter.requires_grad(self._native)

    @property
    def is_tracked(self: Any) -> bool:
        """Whether the array is a parameter or was computed from one."""
        return self._device.adapter.is_tracked(self._native)

    def require_grad(self: Any, /) -> Array:
        """Make the array a parameter, and return the array itself.

        Raises
        ------
        GradientError
            If the device does not differentiate, the dtype is not floating-point, or the array was computed.
        """
        made: Array = self._device.adapter.require_grad(self)
        return made

    def detach(self: Any, /) -> Array:
        """Return an array with the same values that is not tracked."""
        return type(self)(self._device.adapter.detach(self._native), self._device)

    def backward(
        self: Any, /, grad: Array | None = None, *, retain_graph: bool = False, create_graph: bool = False
    ) -> Any:
        """Return the gradients of the array with respect to all parameters it was computed from.

        Parameters
        ----------
        grad : Array, optional
            The cotangent: a weight for each element, with shape, dtype and device of the array. Ones by default, so
            that the gradients of an array with axes are those of the sum of its elements, as ``autodiff.grad``
            gives them.
        retain_graph : bool
            Keep what was recorded, so that ``backward`` can be called again.
        create_graph : bool
            Record this pass too, so that the gradients can be differentiated.

        Returns
        -------
        Gradients
            A mapping: ``gradients[w]`` is the gradient with respect to the parameter ``w``, of its shape and dtype.

        Raises
        ------
        GradientError
            If nothing was recorded, what was recorded has been used up, or ``grad`` does not match the array.
        """
        return self._device.adapter.backward(self, grad, retain_graph or create_graph, create_graph)
