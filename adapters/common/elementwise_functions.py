"""Element-wise functions for libraries modelled on NumPy, with Python scalars treated as in NumPy 2.

The parameter ``lib`` is the library. What a library does differently is said where its adapter uses a function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.errors import DTypeError, IntegerOverflowError

from .indexing import check_fits

Function = Callable[..., Any]
SCALARS = frozenset((bool, int, float, complex))
_FLOATS = {1: np.dtype("float16"), 2: np.dtype("float32")}
"""The dtype to which NumPy converts integers of 1 and 2 bytes in functions of floats."""


def otherwise(function: Function, instead: Function) -> Function:
    """Return ``function`` such that ``instead`` is called if a Python integer does not fit the dtype of the array.

    CuPy and dpnp convert the integer to that dtype first and raise ``OverflowError``. The standard leaves this open;
    NumPy converts the integer only if the result has that dtype.

    https://github.com/IntelPython/dpnp/pull/3017, last seen in CuPy 14.2.0 and dpnp 0.20.0. Canaries: ``equal`` and
    ``divide``.
    """

    def wrapped(a: Any, b: Any) -> Any:
        try:
            return function(a, b)
        except OverflowError:
            return instead(function, a, b)

    return wrapped


def compared(lib: Any, function: Function, compare: Function) -> Any:
    """Return a comparison; a Python integer outside the range of the dtype is less or greater than every element."""

    def constant(_: Function, a: Any, b: Any) -> Any:
        array, answer = (b, compare(a, 0)) if type(a) in SCALARS else (a, compare(0, b))
        return lib.full_like(array, answer, dtype=bool)

    return staticmethod(otherwise(function, constant))


def ordered_compared(lib: Any, function: Function, compare: Function) -> Any:
    """Return ``compared(lib, function, compare)`` that refuses complex numbers."""
    return staticmethod(ordered(compared(lib, function, compare).__func__))


def ordered(function: Function) -> Function:
    """Return a comparison, or a maximum or minimum, that refuses complex numbers.

    CuPy and dpnp, like NumPy, order them by their real parts, then by their imaginary parts; by the standard they have
    no order.

    https://github.com/cupy/cupy/pull/1636, last seen in CuPy 14.2.0 and dpnp 0.20.0. Canaries: ``greater``,
    ``greater_equal``, ``less``, ``less_equal``, ``maximum`` and ``minimum``.
    """

    def wrapped(a: Any, b: Any) -> Any:
        for x in (a, b):
            if type(x) is complex or (type(x) not in SCALARS and x.dtype.kind == "c"):
                raise DTypeError("complex numbers have no order; compare abs(x), real(x) or imag(x)")
        return function(a, b)

    return wrapped


def as_floats(lib: Any, function: Function) -> Any:
    """Return a function of real numbers that treats a Python integer which does not fit the dtype as a float."""

    def converted(_: Function, a: Any, b: Any) -> Any:
        array = b if type(a) in SCALARS else a
        small = (
            None if function is lib.divide or array.dtype.kind == "b" else _FLOATS.get(array.dtype.itemsize)
        )
        to = small or np.result_type(float)
        return function(*(float(x) if type(x) in SCALARS else x.astype(to) for x in (a, b)))

    return staticmethod(otherwise(function, converted))


def logical(function: Function) -> Any:
    """Return a logical function that replaces a Python scalar by its truth value.

    dpnp refuses a Python integer out of the range of the array's dtype. The standard takes bools only; only the truth
    of a number matters.

    No upstream issue is known; last seen in dpnp 0.20.0. Canaries: ``logical_and``, ``logical_or`` and ``logical_xor``.
    """
    return staticmethod(lambda a, b: function(*(bool(x) if type(x) in SCALARS else x for x in (a, b))))


def sign_of_infinite(lib: Any, x: Any, sign: Any) -> Any:
    """Return ``sign``, the signs of complex ``x``, corrected where exactly one part of ``x`` is infinite.

    There the result is 1, -1, 1j or -1j, as in NumPy.
    """
    real, imag = lib.isinf(x.real), lib.isinf(x.imag)
    out = lib.empty_like(sign)
    out.real = lib.where(real ^ imag, lib.where(real, lib.sign(x.real), 0), sign.real)
    out.imag = lib.where(real ^ imag, lib.where(imag, lib.sign(x.imag), 0), sign.imag)
    return out


def clip(lib: Any, x: Any, low: Any = None, high: Any = None) -> Any:
    """Return ``x`` limited to the range from ``low`` to ``high``; the dtypes of all three are promoted."""
    out = x if low is None or _is_idle(low, x, low=True) else lib.maximum(x, low)
    out = out if high is None or _is_idle(high, out, low=False) else lib.minimum(out, high)
    return x.copy() if out is x else out


def _is_idle(limit: Any, x: Any, low: bool) -> bool:
    """Return whether ``limit`` is a Python integer that no element of ``x`` can exceed, because of its dtype."""
    if type(limit) is not int or x.dtype.kind not in "iu":
        return False
    try:
        check_fits(limit, x.dtype)
    except IntegerOverflowError:
        return (limit < 0) == low
    return False


def power(lib: Any, a: Any, b: Any) -> Any:
    """Return ``a ** b``.

    Integers to the power of a negative Python integer raise ``ValueError``, as in NumPy. An array of exponents is not
    checked, because that would wait for the GPU.
    """
    if type(b) is int and b < 0 and a.dtype.kind in "bi":
        raise ValueError("integers to negative integer powers are not allowed; convert the array to floats")
    return lib.power(a, b)
