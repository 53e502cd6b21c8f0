"""The ways from a function of the namespace to a function of a library.

Each takes the name of a function of the standard, finds the device, calls the adapter's function on native
values and tags what it gives.
"""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentTypeError, explain
from .arguments import check_ordered
from .array import Array
from .device import Device
from .dtypes import as_dtype
from .operands import SCALARS, describe, describe_native, lift_operand, not_an_array, relocate
from .placement import meet
from .records import resolve

# The lookup of the function and the tag are written out wherever every call passes: a call takes as long again.


def unary(name: str, x: Any, predicate: bool = False) -> Array:
    """Return the element-wise function ``name`` of one array; a ``predicate`` gives bools."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    one = x
    at = one._device
    functions = known = one._direct
    try:
        function = functions.get(name)
        if function is None:
            function, known = resolve(name, at, functions, x, x)
        out = function(one._native)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x)]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    made = Array.__new__(Array)
    made._native = out
    made._device = at
    made._direct = at.bools if predicate else known
    return made


def binary(name: str, x1: Any, x2: Any, operator: bool = False, predicate: bool = False) -> Array:
    """Return the element-wise function ``name`` of two operands, at least one of them an array.

    As an ``operator`` it returns ``NotImplemented`` for an operand that it does not know; a ``predicate`` gives bools.
    """
    if type(x1) is Array:
        one = x1
        at = one._device
        a = one._native
        if type(x2) is Array:
            two = x2
            b = two._native
            other = two._device
            functions = known = one._direct
            if other is at:
                if two._direct is not known:
                    functions = known = at.unseen
            else:
                at = at.met.get(other.uid) or meet(name, at, other, x1.ndim, x2.ndim)
                if two._direct is not known:
                    a = relocate(name, one, at)
                    b = relocate(name, two, at)
                    functions = known = at.unseen
        elif type(x2) in SCALARS:
            b = x2
            functions = at.functions
            known = at.unseen
        else:
            return _binary_lifted(name, x1, x2, operator, predicate)
    elif type(x2) is Array and type(x1) in SCALARS:
        two = x2
        at = two._device
        a = x1
        b = two._native
        functions = at.functions
        known = at.unseen
    else:
        return _binary_lifted(name, x1, x2, operator, predicate)
    try:
        function = functions.get(name)
        if function is None:
            function, known = resolve(name, at, functions, x1, x2)
        out = function(a, b)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x1), describe(x2)]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    made = Array.__new__(Array)
    made._native = out
    made._device = at
    made._direct = at.bools if predicate else known
    return made


def _binary_lifted(name: str, x1: Any, x2: Any, operator: bool, predicate: bool) -> Array:
    if type(x1) is not Array and type(x2) is not Array:
        raise not_an_array(name, x1 if type(x1) not in SCALARS else x2)
    try:
        near = (x1 if type(x1) is Array else x2)._device
        lifted = [lift_operand(name, x, near) for x in (x1, x2)]
    except ArgumentTypeError:
        if operator:
            return NotImplemented  # type: ignore[no-any-return]
        raise
    return binary(name, lifted[0], lifted[1], operator, predicate)


def reduction(name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    """Return the reduction ``name`` of one array over ``axis``."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    one = x
    at = one._device
    try:
        function = at.functions.get(name)
        if function is None:
            function = at.function(name)
        out = function(one._native, axis=axis, keepdims=keepdims)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x), f"axis={axis}"]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    made = Array.__new__(Array)
    made._native = out
    made._device = at
    made._direct = at.unseen
    return made


def extreme(name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    """Return the reduction ``name`` of one array of ordered numbers over ``axis``."""
    if type(x) is Array:
        check_ordered(name, x.dtype)
    return reduction(name, x, axis, keepdims)


def reduction_in(name: str, x: Any, axis: Any, dtype: Any, keepdims: bool) -> Array:
    """Return the reduction ``name`` of one array over ``axis``, computed in ``dtype`` if that is given."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    one = x
    at = one._device
    if dtype is not None:
        dtype = at.native_dtype(as_dtype(dtype, name), name)
    try:
        function = at.functions.get(name)
        if function is None:
            function = at.function(name)
        out = function(one._native, axis=axis, dtype=dtype, keepdims=keepdims)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x), f"axis={axis}"]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    made = Array.__new__(Array)
    made._native = out
    made._device = at
    made._direct = at.unseen
    return made


def apply(name: str, x: Any, /, *args: Any, **kwargs: Any) -> Array:
    """Return the function ``name`` of one array and settings."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    return tag(x._device, call(name, x._device, x._native, *args, **kwargs))


def call(name: str, at: Device, /, *args: Any, **kwargs: Any) -> Any:
    """Return what the adapter's function ``name`` gives for native values, with its errors explained."""
    try:
        return at.function(name)(*args, **kwargs)
    except Exception as error:
        operands = [describe_native(at, value) for value in args]
        operands += [f"{key}={describe_native(at, value)}" for key, value in kwargs.items()]
        raise explain(name, error, str(at), operands) from error


def tag(at: Device, native: Any) -> Array:
    """Return a result of a library as an array of the device."""
    made = Array.__new__(Array)
    made._native = native if type(native) is at.array_type else at.adapter.adopt(native)
    made._device = at
    made._direct = at.unseen
    return made
