"""Find a special function: in the library of the device, or else as a formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.array import Array
from .._core.device import Device
from .._core.dispatch import call, wrap
from .._core.dtypes import DType, float64, kind_of
from .._core.namespace import namespace
from .._core.operands import SCALARS, unwrap
from ..errors import NotSupportedError
from ._formulas import CANCELLING, FORMULAS

__all__ = ["elementwise", "find", "with_settings"]


def elementwise(name: str, *operands: Any) -> Array:
    """Return the special function ``name`` of its operands, at least one of them an array.

    A Python number is weak: the result has the floating-point dtype of the arrays. An operand ``None`` is
    left out.
    """
    at, natives = unwrap(name, tuple(x for x in operands if x is not None))
    find(name, at)
    out = wrap(at, call(name, at, *natives))
    if not SCALARS.isdisjoint(map(type, natives)):
        dtype = _dtype([type(x) if type(x) in SCALARS else at.dtype_of(x) for x in natives], at)
        out = wrap(at, call("astype", at, out._native, at.native_dtype(dtype, name), copy=False))
    return out


def with_settings(name: str, x: Any, *args: Any, **settings: Any) -> Array:
    """Return the special function ``name`` of one array, with further arguments that are not arrays."""
    at, (native,) = unwrap(name, (x,))
    find(name, at)
    return wrap(at, call(name, at, native, *args, **settings))


def find(name: str, at: Device) -> Callable[..., Any]:
    """Return a special function of native values: that of the library, or else its formula.

    The formula is kept in the table of the device, so it is looked up once.
    """
    try:
        return at.function(name)
    except NotSupportedError:
        formula = FORMULAS.get(name.removeprefix("special."))
        if formula is None:
            raise
        function = at.functions[name] = _lifted(formula, at)
        return function


def _lifted(formula: Callable[..., Any], at: Device) -> Callable[..., Any]:
    """Return a formula as a function of native values.

    Where the formula loses digits it is computed in double precision, if the device has that.
    """
    xp = namespace()

    def on_natives(*natives: Any, **settings: Any) -> Any:
        operands = [Array(x, at.committed) if type(x) is at.array_type else x for x in natives]
        dtype = _dtype([x.dtype if type(x) is Array else type(x) for x in operands], at)
        wide = formula in CANCELLING and kind_of(dtype) == "f" and float64 in at.adapter.dtypes
        arrays = [_floating(xp, x, float64 if wide else dtype, at) for x in operands]
        out = formula(xp, *arrays, **settings)
        return (xp.astype(out, dtype) if wide and dtype != float64 else out)._native

    return on_natives


def _floating(xp: Any, x: Any, dtype: DType, at: Device) -> Any:
    """Return an array, or a number as an array, in a floating-point dtype."""
    if type(x) is Array:
        return xp.astype(x, dtype, copy=False)
    return xp.full((), x, dtype=dtype, device=at.committed)


def _dtype(operands: list[Any], at: Device) -> DType:
    """Return the floating-point dtype of a result on ``at`` from the dtypes of arrays and the types of numbers."""
    result = None
    for dtype in operands:
        if dtype not in SCALARS:
            result = dtype if result is None else at.adapter.promote(result, dtype)
    assert result is not None
    for number in operands:
        if number in SCALARS:
            result = at.adapter.promote_scalar(result, number)
    return result if kind_of(result) in "fc" else at.adapter.promote(float64)
