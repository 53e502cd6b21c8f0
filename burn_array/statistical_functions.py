"""Statistical functions of the standard. A result has the shape of ``x`` without the reduced axes."""

from __future__ import annotations

from typing import Any

from ._core.arguments import check_numeric
from ._core.array import Array
from ._core.dispatch import apply, extreme, reduction, reduction_in
from ._core.dtypes import as_dtype
from ._core.host_data import check_cast
from ._core.operands import not_an_array, number
from .errors import AxisError

__all__ = ["cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum", "var"]


def max(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the greatest element along axes, NaN if one is NaN.

    Parameters
    ----------
    x : Array
        Real or bools.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        The dtype of ``x``.

    Raises
    ------
    ArgumentError
        If there are no elements to choose from.
    DTypeError
        If ``x`` is complex.
    AxisError
        If ``x`` does not have one of the axes.
    """
    return extreme("max", x, axis, keepdims)


def min(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the least element along axes, NaN if one is NaN.

    Parameters
    ----------
    x : Array
        Real or bools.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        The dtype of ``x``.

    Raises
    ------
    ArgumentError
        If there are no elements to choose from.
    DTypeError
        If ``x`` is complex.
    AxisError
        If ``x`` does not have one of the axes.
    """
    return extreme("min", x, axis, keepdims)


def mean(x: Array, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the arithmetic mean along axes.

    Parameters
    ----------
    x : Array
        Real or complex; without elements the mean is NaN.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        The dtype of ``x`` if it is floating-point, else float64.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return reduction("mean", x, axis, keepdims)


def sum(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the sum along axes, 0 without elements.

    Parameters
    ----------
    x : Array
        Numbers or bools.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    dtype : dtype, optional
        The dtype of the sum; by default that of ``x``, for bools and small integers the default integer
        dtype (unsigned for unsigned integers).
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Of that dtype.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return reduction_in("sum", x, axis, dtype, keepdims)


def prod(x: Array, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    """Return the product along axes, 1 without elements.

    Parameters
    ----------
    x : Array
        Numbers or bools.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    dtype : dtype, optional
        The dtype of the product; by default that of ``x``, for bools and small integers the default
        integer dtype (unsigned for unsigned integers).
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Of that dtype.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return reduction_in("prod", x, axis, dtype, keepdims)


def var(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """Return the variance along axes: the mean square of the distances to the mean.

    Parameters
    ----------
    x : Array
        Real or complex; integers are computed in float64.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    correction : int or float
        The sum of squares is divided by ``N - correction``; 1 gives the unbiased estimate.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Real and floating-point, in the precision of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return apply("var", x, axis=axis, correction=_correction("var", correction), keepdims=keepdims)


def std(x: Array, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Array:
    """Return the standard deviation along axes: the square root of the variance.

    Parameters
    ----------
    x : Array
        Real or complex; integers are computed in float64.
    axis : int, tuple of int or None
        The axes to reduce; ``None`` for all.
    correction : int or float
        The sum of squares is divided by ``N - correction``; 1 gives the unbiased estimate.
    keepdims : bool
        Whether these axes stay, with length 1.

    Returns
    -------
    Array
        Real and floating-point, in the precision of ``x``.

    Raises
    ------
    AxisError
        If ``x`` does not have one of the axes.
    """
    return apply("std", x, axis=axis, correction=_correction("std", correction), keepdims=keepdims)


def _correction(name: str, value: Any) -> Any:
    """Return the correction as a Python number, an int if it is whole."""
    correction = number(name, "correction", value)
    return int(correction) if type(correction) is float and correction.is_integer() else correction


def cumulative_sum(
    x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Return the running sum along an axis: element ``k`` is the sum of all up to ``k``.

    Parameters
    ----------
    x : Array
        Numbers or bools, with at least one axis.
    axis : int, optional
        The axis to go along; may be left out if ``x`` has one axis.
    dtype : dtype, optional
        The dtype of the result; by default that of ``x``, for bools and small integers the default
        integer dtype (unsigned for unsigned integers).
    include_initial : bool
        Whether the result starts with 0 and is one element longer.

    Returns
    -------
    Array
        The shape of ``x``, but for that element.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis, or is 0-d.
    ArgumentError
        If ``axis`` is left out and ``x`` has several axes.
    """
    native = _native_dtype("cumulative_sum", x, dtype)
    return apply("cumulative_sum", x, axis=axis, dtype=native, include_initial=include_initial)


def cumulative_prod(
    x: Array, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Array:
    """Return the running product along an axis: element ``k`` is the product of all up to ``k``.

    Parameters
    ----------
    x : Array
        Numbers or bools, with at least one axis.
    axis : int, optional
        The axis to go along; may be left out if ``x`` has one axis.
    dtype : dtype, optional
        The dtype of the result; by default that of ``x``, for bools and small integers the default
        integer dtype (unsigned for unsigned integers).
    include_initial : bool
        Whether the result starts with 1 and is one element longer.

    Returns
    -------
    Array
        The shape of ``x``, but for that element.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis, or is 0-d.
    ArgumentError
        If ``axis`` is left out and ``x`` has several axes.
    """
    native = _native_dtype("cumulative_prod", x, dtype)
    return apply("cumulative_prod", x, axis=axis, dtype=native, include_initial=include_initial)


def _native_dtype(name: str, x: Any, dtype: Any) -> Any:
    """Return an optional dtype as that of the library, after a check that ``x`` is an array with an axis."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    if not x.ndim:
        raise AxisError(f"{name}: a zero-dimensional array has no axis; reshape it first")
    if dtype is None:
        return None
    to = as_dtype(dtype, name)
    check_numeric(name, to)
    check_cast(name, x.dtype, to)
    return x._device.native_dtype(to, name)
