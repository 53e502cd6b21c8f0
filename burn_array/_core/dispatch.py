"""Call a function of a library for a function of the namespace.

Each function here takes the name of a function of the standard, finds the device of the operands, calls the
adapter's function with native values, and wraps the result.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..errors import ArgumentError, ArgumentTypeError, explain
from .arguments import check_numeric, check_ordered, integer
from .array import Array
from .device import Device
from .dtypes import as_dtype
from .host_data import check_cast
from .large import is_large
from .operands import (
    SCALARS,
    describe,
    describe_native,
    lift,
    lift_operand,
    native_on,
    not_an_array,
    unwrap,
    unwrap_arrays,
)
from .placement import meet
from .records import find_function, find_table

# Every function here repeats the lines that look a function up and wrap its result: a helper would double the cost of
# a call.


def unary(name: str, x: Any, predicate: bool = False) -> Array:
    """Apply the element-wise function ``name`` to one array; the result of a ``predicate`` is of bools."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    array = x
    at = array._device
    functions = table = array._direct
    try:
        function = functions.get(name)
        if function is None:
            function, table = find_function(name, at, functions, x, x)
        native = array._native
        if at.reusing is not None and is_large(native):
            out = at.reusing(function, predicate, native)
        else:
            out = function(native)
    except Exception as error:
        raise explain(name, error, [describe(x)], at.adapter) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    result = Array.__new__(Array)
    result._native = out
    result._device = at
    result._direct = at.bool_table if predicate else table
    return result


def binary(name: str, x1: Any, x2: Any, operator: bool = False, predicate: bool = False) -> Array:
    """Apply the element-wise function ``name`` to two operands, at least one of them an array.

    For an ``operator``, an operand of an unknown type gives ``NotImplemented``. A ``predicate`` gives bools.
    """
    if type(x1) is Array:
        left = x1
        at = left._device
        a = left._native
        if type(x2) is Array:
            right = x2
            b = right._native
            other = right._device
            functions = table = left._direct
            if other is at:
                if right._direct is not table:
                    functions = table = at.no_table
            else:
                at = at.meet_cache.get(other.uid) or meet(name, at, other, x1.ndim, x2.ndim)
                if right._direct is not table:
                    a = native_on(name, left, at)
                    b = native_on(name, right, at)
                    functions = table = at.no_table
        elif type(x2) in SCALARS:
            b = x2
            functions = at.functions
            table = at.no_table
        else:
            return _binary_lifted(name, x1, x2, operator, predicate)
    elif type(x2) is Array and type(x1) in SCALARS:
        right = x2
        at = right._device
        a = x1
        b = right._native
        functions = at.functions
        table = at.no_table
    else:
        return _binary_lifted(name, x1, x2, operator, predicate)
    try:
        function = functions.get(name)
        if function is None:
            function, table = find_function(name, at, functions, x1, x2)
        if at.reusing is not None and (is_large(a) or is_large(b)):
            out = at.reusing(function, predicate, a, b)
        else:
            out = function(a, b)
    except Exception as error:
        raise explain(name, error, [describe(x1), describe(x2)], at.adapter) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    result = Array.__new__(Array)
    result._native = out
    result._device = at
    result._direct = at.bool_table if predicate else table
    return result


_REPEATED = (list, tuple, str, bytes, bytearray)
"""Types that Python repeats when they are multiplied."""


def _binary_lifted(name: str, x1: Any, x2: Any, operator: bool, predicate: bool) -> Array:
    if type(x1) is not Array and type(x2) is not Array:
        raise not_an_array(name, x1 if type(x1) not in SCALARS else x2)
    try:
        near = (x1 if type(x1) is Array else x2)._device
        lifted = [lift_operand(name, x, near) for x in (x1, x2)]
    except ArgumentTypeError:
        if operator and not (name == "multiply" and isinstance(x1 if type(x2) is Array else x2, _REPEATED)):
            return NotImplemented  # type: ignore[no-any-return]
        raise  # Python would repeat a sequence, and complain of the number of repetitions
    return binary(name, lifted[0], lifted[1], operator, predicate)


def ternary(name: str, condition: Any, x1: Any, x2: Any) -> Array:
    """Apply ``name`` (``where``) to a condition and two operands, at least one of the three an array."""
    if type(condition) is Array and type(x1) is Array and type(x2) is Array:
        where, left, right = condition, x1, x2
        at = left._device
        if where._device is at and right._device is at:
            c, a, b = where._native, left._native, right._native
            functions = table = left._direct
            if right._direct is not table or where._direct is not at.bool_table:
                find_table(where)
                functions = at.no_table if where._direct is at.bool_table else at.functions
                table = at.no_table
        else:
            at, (c, a, b) = unwrap(name, (condition, x1, x2))
            functions = at.functions
            table = at.no_table
    else:
        if x1 is None or x2 is None:
            raise not_an_array(name, None)
        if type(condition) in SCALARS:
            condition = lift(name, np.asarray(condition))
        elif type(condition) is not Array:
            _check_condition(name, condition)
        at, (c, a, b) = unwrap(name, (condition, x1, x2))
        functions = at.functions
        table = at.no_table
    try:
        function = functions.get(name)
        if function is None:
            function, table = find_function(name, at, functions, x1, x2)
        out = function(c, a, b)
    except Exception as error:
        raise explain(name, error, [describe(condition), describe(x1), describe(x2)], at.adapter) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    result = Array.__new__(Array)
    result._native = out
    result._device = at
    result._direct = table
    return result


def _check_condition(name: str, condition: Any) -> None:
    if not hasattr(condition, "__dlpack__"):
        raise ArgumentTypeError(
            f"{name}: the condition must be an Array of bools, got {type(condition).__name__}; use asarray"
        )


def joined(name: str, arrays: Any, axis: Any) -> Array:
    """Apply ``name`` (``concat`` or ``stack``) to a sequence of arrays."""
    if type(arrays) is not list and type(arrays) is not tuple:
        arrays = _listed(name, arrays)
    at: Any = None
    natives: Any
    if len(arrays) == 2:  # the most frequent case, without a list
        x, y = arrays
        if type(x) is Array and type(y) is Array:
            left, right = x, y
            if left._device is right._device:
                at = left._device
                natives = left._native, right._native
                functions = table = left._direct
                if right._direct is not table:
                    functions = table = at.no_table
    if at is None:
        if not arrays:
            raise ArgumentError(f"{name}: needs at least one array")
        at, natives = unwrap_arrays(name, arrays)
        functions = at.functions
        table = at.no_table
    try:
        function = functions.get(name)
        if function is None:
            function, table = find_function(name, at, functions, arrays[0], arrays[-1])
        # 0 is the default of every library; a keyword argument would cost a tuple.
        if type(axis) is int and axis == 0:
            out = function(natives)
        else:
            out = function(natives, axis=_joining_axis(name, axis))
    except Exception as error:
        raise explain(name, error, [*map(describe, arrays), f"axis={axis}"], at.adapter) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    result = Array.__new__(Array)
    result._native = out
    result._device = at
    result._direct = table
    return result


def _joining_axis(name: str, axis: Any) -> int | None:
    if type(axis) is int:
        return axis
    if axis is None and name == "concat":
        return None
    if isinstance(axis, bool):
        raise ArgumentTypeError(f"{name}: axis must be an integer, got {axis}")
    return integer(name, "axis", axis)


def _listed(name: str, arrays: Any) -> list[Any]:
    if type(arrays) is Array or not isinstance(arrays, Iterable):
        raise ArgumentTypeError(
            f"{name}: expected a list or tuple of arrays, got {type(arrays).__name__}; use unstack for one array"
        )
    return list(arrays)


def reduction(name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    """Apply the reduction ``name`` to one array over ``axis``."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    array = x
    at = array._device
    try:
        function = at.functions.get(name)
        if function is None:
            function = at.function(name)
        out = function(array._native, axis=axis, keepdims=keepdims)
    except Exception as error:
        raise explain(name, error, [describe(x), f"axis={axis}"], at.adapter) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    result = Array.__new__(Array)
    result._native = out
    result._device = at
    result._direct = at.no_table
    return result


def extreme(name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    """Apply the reduction ``name`` to one array over ``axis``; complex numbers are refused."""
    if type(x) is Array:
        check_ordered(name, x.dtype)
    return reduction(name, x, axis, keepdims)


def reduction_in(name: str, x: Any, axis: Any, dtype: Any, keepdims: bool) -> Array:
    """Apply the reduction ``name`` to one array over ``axis``, computed in ``dtype`` if one is given."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    array = x
    at = array._device
    if dtype is not None:
        dtype = as_dtype(dtype, name)
        check_numeric(name, dtype)
        check_cast(name, x.dtype, dtype)
        dtype = at.native_dtype(dtype, name)
    try:
        function = at.functions.get(name)
        if function is None:
            function = at.function(name)
        out = function(array._native, axis=axis, dtype=dtype, keepdims=keepdims)
    except Exception as error:
        raise explain(name, error, [describe(x), f"axis={axis}"], at.adapter) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    result = Array.__new__(Array)
    result._native = out
    result._device = at
    result._direct = at.no_table
    return result


def apply(name: str, x: Any, /, *args: Any, **kwargs: Any) -> Array:
    """Apply the function ``name`` to one array, with further arguments that are not arrays."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    return wrap(x._device, call(name, x._device, x._native, *args, **kwargs))


def call(name: str, at: Device, /, *args: Any, **kwargs: Any) -> Any:
    """Call the adapter's function ``name`` with native values; its errors become those of ``burn_array.errors``."""
    try:
        return at.function(name)(*args, **kwargs)
    except Exception as error:
        operands = [describe_native(at, value) for value in args]
        operands += [f"{key}={describe_native(at, value)}" for key, value in kwargs.items()]
        raise explain(name, error, operands, at.adapter) from error


def wrap(at: Device, native: Any) -> Array:
    """Return an ``Array`` for a result of a library, on the device ``at``."""
    result = Array.__new__(Array)
    result._native = native if type(native) is at.array_type else at.adapter.adopt(native)
    result._device = at
    result._direct = at.no_table
    return result
