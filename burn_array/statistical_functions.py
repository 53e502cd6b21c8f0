"""Statistical functions of the standard."""

from __future__ import annotations

from typing import Any

from ._core.array import Array
from ._core.dispatch import apply, extreme, reduction, reduction_in
from ._core.dtypes import as_dtype
from ._core.operands import not_an_array
from .errors import AxisError

__all__ = ["cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]


def max(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the greatest element along ``axis``, NaN if there is one."""
    return extreme("max", x, axis, keepdims)


def min(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the least element along ``axis``, NaN if there is one."""
    return extreme("min", x, axis, keepdims)


def mean(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the arithmetic mean along ``axis``."""
    return reduction("mean", x, axis, keepdims)


def sum(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the sum along ``axis``; small integers are summed in the default integer of their sign."""
    return reduction_in("sum", x, axis, dtype, keepdims)


def prod(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the product along ``axis``; small integers are multiplied in the default integer of their sign."""
    return reduction_in("prod", x, axis, dtype, keepdims)


def var(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """Return the variance along ``axis``, with ``N - correction`` degrees of freedom."""
    return apply("var", x, axis=axis, correction=correction, keepdims=keepdims)


def std(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """Return the standard deviation along ``axis``, with ``N - correction`` degrees of freedom."""
    return apply("std", x, axis=axis, correction=correction, keepdims=keepdims)


def cumulative_sum(
    x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Return the running sum along ``axis`` (optional for one axis), from 0 if ``include_initial``."""
    native = _native_dtype("cumulative_sum", x, dtype)
    return apply("cumulative_sum", x, axis=axis, dtype=native, include_initial=include_initial)


def cumulative_prod(
    x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Return the running product along ``axis`` (optional for one axis), from 1 if ``include_initial``."""
    native = _native_dtype("cumulative_prod", x, dtype)
    return apply("cumulative_prod", x, axis=axis, dtype=native, include_initial=include_initial)


def _native_dtype(name: str, x: Any, dtype: Any) -> Any:
    if type(x) is not Array:
        raise not_an_array(name, x)
    if not x.ndim:
        raise AxisError(f"{name}: a zero-dimensional array has no axis to go along; reshape it first")
    if dtype is None:
        return None
    return x._device.native_dtype(as_dtype(dtype, name), name)
