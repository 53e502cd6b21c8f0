"""Element-wise functions of NumPy's kind: Python scalars as NumPy 2 takes them, and limits.

Each ``body`` takes the library as its first argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.errors import IntegerOverflowError

from .indexing import check_fits

Function = Callable[..., Any]
SCALARS = frozenset((bool, int, float, complex))
_HALF = {1: np.dtype("float16"), 2: np.dtype("float32")}


def otherwise(function: Function, instead: Function) -> Function:
    """Call ``instead`` where the library refuses a Python integer that does not fit the dtype of the array.

    The libraries convert the integer to the dtype of the array first; NumPy does so only where the result
    has that dtype.
    """

    def wrapped(a: Any, b: Any) -> Any:
        try:
            return function(a, b)
        except OverflowError:
            return instead(function, a, b)

    return wrapped


def compared(lib: Any, function: Function, compare: Function) -> Any:
    """Compare; an integer outside of a dtype is less, or greater, than every element."""

    def constant(_: Function, a: Any, b: Any) -> Any:
        array, answer = (b, compare(a, 0)) if type(a) in SCALARS else (a, compare(0, b))
        return lib.full_like(array, answer, dtype=bool)

    return staticmethod(otherwise(function, constant))


def as_floats(lib: Any, function: Function) -> Any:
    """Apply a function of real numbers; a large Python integer counts as a float."""

    def converted(_: Function, a: Any, b: Any) -> Any:
        array = b if type(a) in SCALARS else a
        small = None if function is lib.divide or array.dtype.kind == "b" else _HALF.get(array.dtype.itemsize)
        to = small or np.result_type(float)
        return function(*(float(x) if type(x) in SCALARS else x.astype(to) for x in (a, b)))

    return staticmethod(otherwise(function, converted))


def logical(function: Function) -> Any:
    """Apply a function of truths; of a Python scalar only its truth matters, whatever its size."""
    return staticmethod(lambda a, b: function(*(bool(x) if type(x) in SCALARS else x for x in (a, b))))


def sign_of_infinite(lib: Any, x: Any, sign: Any) -> Any:
    """Return the sign of complex numbers, of one whose one part is infinite the direction of that part."""
    real, imag = lib.isinf(x.real), lib.isinf(x.imag)
    out = lib.empty_like(sign)
    out.real = lib.where(real ^ imag, lib.where(real, lib.sign(x.real), 0), sign.real)
    out.imag = lib.where(real ^ imag, lib.where(imag, lib.sign(x.imag), 0), sign.imag)
    return out


def clip(lib: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    """Limit ``x``; limits of a wider dtype raise that of the result."""
    out = x if low is None or _is_idle(low, x, low=True) else lib.maximum(x, low)
    out = out if high is None or _is_idle(high, out, low=False) else lib.minimum(out, high)
    return x.copy() if out is x else out


def _is_idle(limit: Any, x: Any, low: bool) -> bool:
    """Return whether ``limit`` is a Python integer that every element of an integer dtype keeps to."""
    if type(limit) is not int or x.dtype.kind not in "iu":
        return False
    try:
        check_fits(limit, x.dtype)
    except IntegerOverflowError:
        return (limit < 0) == low
    return False


def power(lib: Any, a: Any, b: Any) -> Any:
    """Raise to a power; a negative Python integer raises for integers, as in NumPy (an array would need a wait)."""
    if type(b) is int and b < 0 and a.dtype.kind in "bi":
        raise ValueError("integers to negative integer powers are not allowed; convert the array to floats")
    return lib.power(a, b)
