"""The one array type, and the ways from a function of the namespace to a function of a library.

``unary``, ``binary``, ``reduction`` and ``apply`` are those ways: each takes the name of a function of the
standard, finds the device, calls the adapter's function on native values and tags what it gives.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from ._device import Device, device, meet
from ._dtypes import DType, as_dtype, kind_of
from ._methods import ArrayMethods
from ._transfer import check_cast, home, ingest, move
from .errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    DTypeError,
    HostAccessError,
    IntegerOverflowError,
    ShapeError,
    explain,
)

REVISIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
Scalar = bool | int | float | complex


class Array(ArrayMethods):
    """An n-dimensional array: a native value of some library, tagged with the device that holds it.

    Made by ``asarray``, ``zeros`` and the other creation functions, never by calling the class.
    """

    __slots__ = ("_device", "_native")

    _native: Any
    _device: Device

    def __init__(self, native: Any, device: Device) -> None:
        self._native = native
        self._device = device

    # -- attributes ---------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype, a ``numpy.dtype``."""
        return self._device.dtype_of(self._native)

    @property
    def device(self) -> Device:
        """The device; what is made with ``device=x.device`` is committed to it."""
        return self._device.committed

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""
        return self._device.shape_of(self._native)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._device.shape_of(self._native))

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for length in self._device.shape_of(self._native):
            size *= length
        return size

    @property
    def T(self) -> Array:
        """The transpose of a two-dimensional array."""
        if self.ndim != 2:
            raise ShapeError(f"T: expected two dimensions, got {self.ndim}; use mT or permute_dims")
        return apply("matrix_transpose", self)

    @property
    def mT(self) -> Array:
        """The transpose of the innermost two axes."""
        return apply("matrix_transpose", self)

    # -- arithmetic ---------------------------------------------------------------------------

    def __add__(self, other: Any, /) -> Array:
        return binary("add", self, other, True)

    def __sub__(self, other: Any, /) -> Array:
        return binary("subtract", self, other, True)

    def __mul__(self, other: Any, /) -> Array:
        return binary("multiply", self, other, True)

    def __truediv__(self, other: Any, /) -> Array:
        return binary("divide", self, other, True)

    def __floordiv__(self, other: Any, /) -> Array:
        return binary("floor_divide", self, other, True)

    def __mod__(self, other: Any, /) -> Array:
        return binary("remainder", self, other, True)

    def __pow__(self, other: Any, /) -> Array:
        return binary("pow", self, other, True)

    def __matmul__(self, other: Any, /) -> Array:
        return binary("matmul", self, other, True)

    def __and__(self, other: Any, /) -> Array:
        return binary("bitwise_and", self, other, True)

    def __or__(self, other: Any, /) -> Array:
        return binary("bitwise_or", self, other, True)

    def __xor__(self, other: Any, /) -> Array:
        return binary("bitwise_xor", self, other, True)

    def __lshift__(self, other: Any, /) -> Array:
        return binary("bitwise_left_shift", self, other, True)

    def __rshift__(self, other: Any, /) -> Array:
        return binary("bitwise_right_shift", self, other, True)

    def __radd__(self, other: Any, /) -> Array:
        return binary("add", other, self, True)

    def __rsub__(self, other: Any, /) -> Array:
        return binary("subtract", other, self, True)

    def __rmul__(self, other: Any, /) -> Array:
        return binary("multiply", other, self, True)

    def __rtruediv__(self, other: Any, /) -> Array:
        return binary("divide", other, self, True)

    def __rfloordiv__(self, other: Any, /) -> Array:
        return binary("floor_divide", other, self, True)

    def __rmod__(self, other: Any, /) -> Array:
        return binary("remainder", other, self, True)

    def __rpow__(self, other: Any, /) -> Array:
        return binary("pow", other, self, True)

    def __rmatmul__(self, other: Any, /) -> Array:
        return binary("matmul", other, self, True)

    def __rand__(self, other: Any, /) -> Array:
        return binary("bitwise_and", other, self, True)

    def __ror__(self, other: Any, /) -> Array:
        return binary("bitwise_or", other, self, True)

    def __rxor__(self, other: Any, /) -> Array:
        return binary("bitwise_xor", other, self, True)

    def __rlshift__(self, other: Any, /) -> Array:
        return binary("bitwise_left_shift", other, self, True)

    def __rrshift__(self, other: Any, /) -> Array:
        return binary("bitwise_right_shift", other, self, True)

    def __iadd__(self, other: Any, /) -> Array:
        return self._become("add", other)

    def __isub__(self, other: Any, /) -> Array:
        return self._become("subtract", other)

    def __imul__(self, other: Any, /) -> Array:
        return self._become("multiply", other)

    def __itruediv__(self, other: Any, /) -> Array:
        return self._become("divide", other)

    def __ifloordiv__(self, other: Any, /) -> Array:
        return self._become("floor_divide", other)

    def __imod__(self, other: Any, /) -> Array:
        return self._become("remainder", other)

    def __ipow__(self, other: Any, /) -> Array:
        return self._become("pow", other)

    def __imatmul__(self, other: Any, /) -> Array:
        return self._become("matmul", other)

    def __iand__(self, other: Any, /) -> Array:
        return self._become("bitwise_and", other)

    def __ior__(self, other: Any, /) -> Array:
        return self._become("bitwise_or", other)

    def __ixor__(self, other: Any, /) -> Array:
        return self._become("bitwise_xor", other)

    def __ilshift__(self, other: Any, /) -> Array:
        return self._become("bitwise_left_shift", other)

    def __irshift__(self, other: Any, /) -> Array:
        return self._become("bitwise_right_shift", other)

    def __abs__(self) -> Array:
        return unary("abs", self)

    def __neg__(self) -> Array:
        return unary("negative", self)

    def __pos__(self) -> Array:
        return unary("positive", self)

    def __invert__(self) -> Array:
        return unary("bitwise_invert", self)

    def __lt__(self, other: Any, /) -> Array:
        return binary("less", self, other, True)

    def __le__(self, other: Any, /) -> Array:
        return binary("less_equal", self, other, True)

    def __gt__(self, other: Any, /) -> Array:
        return binary("greater", self, other, True)

    def __ge__(self, other: Any, /) -> Array:
        return binary("greater_equal", self, other, True)

    def __eq__(self, other: Any, /) -> Array:  # type: ignore[override]
        return binary("equal", self, other, True)

    def __ne__(self, other: Any, /) -> Array:  # type: ignore[override]
        return binary("not_equal", self, other, True)

    __hash__ = None  # type: ignore[assignment]

    def _become(self, name: str, other: Any) -> Array:
        """Write the result of ``self (op) other`` into the memory of ``self``."""
        result = binary(name, self, other, True)
        if result is NotImplemented:
            return result  # type: ignore[no-any-return]
        if result.shape != self.shape:
            raise ShapeError(
                f"in-place {name}: the result has shape {result.shape}, the array {self.shape}; "
                f"write x = x (op) y"
            )
        if result.dtype != self.dtype and not np.can_cast(result.dtype, self.dtype, "same_kind"):
            raise DTypeError(
                f"in-place {name}: the result is {result.dtype}, the array {self.dtype}; write x = x (op) y"
            )
        self._store(..., result)
        return self

    # -- elements -----------------------------------------------------------------------------

    def __getitem__(self, key: Any, /) -> Array:
        at = self._device
        if type(key) is not int and type(key) is not slice:
            at, native, key = index_operands("__getitem__", self, key)
        else:
            native = self._native
        try:
            out = at.functions["getitem"](native, key)
        except Exception as error:
            raise explain_index("__getitem__", error, self, key) from error
        if type(out) is not at.array_type:
            out = at.adapter.adopt(out)
        return Array(out, at)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        if type(value) not in SCALARS:
            value = self._as_value(value)
        elif type(value) is complex and kind_of(self.dtype) != "c":
            raise DTypeError(
                f"__setitem__: a complex number cannot be stored in {self.dtype}; convert the array first"
            )
        self._store(key, value)

    def _as_value(self, value: Any) -> Array:
        lifted = lift("__setitem__", value)
        check_cast("__setitem__", lifted.dtype, self.dtype)
        return lifted

    def _store(self, key: Any, value: Any) -> None:
        at, native, key = index_operands("__setitem__", self, key, value)
        if type(value) is Array:
            value = relocate("__setitem__", value, at)
        try:
            out = at.functions["setitem"](native, key, value)
        except Exception as error:
            raise explain_index("__setitem__", error, self, key) from error
        self._native = native if out is None else out
        self._device = at

    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            raise ArgumentTypeError("len() of a 0-d array; use x.size")
        return shape[0]

    def __iter__(self) -> Iterator[Array]:
        if not self.shape:
            raise ArgumentTypeError("iteration over a 0-d array; use x.item()")
        return map(self.__getitem__, range(self.shape[0]))

    def __contains__(self, value: Any) -> bool:
        same = binary("equal", self, value, True)
        return same is not NotImplemented and bool(apply("any", same, axis=None, keepdims=False))

    # -- Python scalars -----------------------------------------------------------------------

    def _scalar(self, function: str) -> Any:
        if self.shape:
            raise ArgumentTypeError(
                f"{function} of an array of shape {self.shape}: only a 0-d array is one number; "
                f"use any(x), all(x) or an index"
            )
        return self._device.adapter.item(self._native)

    def __bool__(self) -> bool:
        if self.shape and self.size == 1:  # as in every array library
            return bool(self[(0,) * self.ndim])
        return bool(self._scalar("bool()"))

    def __int__(self) -> int:
        return int(self._scalar("int()"))

    def __float__(self) -> float:
        return float(self._scalar("float()"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def __index__(self) -> int:
        if kind_of(self.dtype) not in "iu":
            raise DTypeError(f"an index must be an integer array, not {self.dtype}; convert it with int(x)")
        return int(self._scalar("index()"))

    # -- words --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        values = np.array2string(self._host_copy(), separator=", ", prefix="Array(")
        return f"Array({values}, dtype={self.dtype}, device='{self.device}')"

    def __str__(self) -> str:
        return str(self._host_copy())

    def __format__(self, spec: str) -> str:
        return format(self._scalar("format()"), spec) if spec else str(self)

    def _host_copy(self) -> np.ndarray[Any, Any]:
        return self._device.adapter.to_host(self._device.adapter.untracked(self._native))

    # -- copies and moves ---------------------------------------------------------------------

    def __copy__(self) -> Array:
        return Array(self._device.functions["copy"](self._native), self._device)

    def __deepcopy__(self, memo: object) -> Array:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        committed = self._device is self._device.committed
        return _unpickle, (np.array(self._device.adapter.to_host(self._native)), str(self._device), committed)

    def to_device(self, device: str | Device, /, *, stream: Any = None) -> Array:
        """Return the array on ``device``, committed to it; memory is shared where both reach it.

        Raises
        ------
        DeviceNotFoundError
            for a device that is not here
        UnsupportedDTypeError
            for a dtype that the device does not have
        """
        if stream is not None:
            raise ArgumentError("to_device: stream is not supported; synchronise the device and leave it out")
        target = _device(device)
        return Array(move("to_device", self._native, self._device, target, None), target)

    # -- differentiation ----------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether the array is a parameter, for which ``backward`` gives a gradient."""
        return self._device.adapter.requires_grad(self._native)

    @property
    def is_tracked(self) -> bool:
        """Whether the array is a parameter or was computed from one."""
        return self._device.adapter.is_tracked(self._native)

    def require_grad(self) -> Array:
        """Make the array a parameter, and return it.

        Raises
        ------
        GradientError
            on a device without autodiff, for a dtype without gradient, or for a computed array
        """
        made: Array = self._device.adapter.require_grad(self)
        return made

    def detach(self) -> Array:
        """Return the array as a constant: the same values without their history."""
        return Array(self._device.adapter.detach(self._native), self._device)

    def backward(
        self, grad: Array | None = None, *, retain_graph: bool = False, create_graph: bool = False
    ) -> Any:
        """Return the gradients of the array for all parameters behind it, by parameter: ``grads[x]``.

        Parameters
        ----------
        grad
            weights of the elements, of shape, dtype and device of the array; ones if left out
        retain_graph
            keep what was recorded, for another ``backward``
        create_graph
            record this pass too, so that the gradients can be differentiated

        Raises
        ------
        GradientError
            if nothing was recorded, it has been used up, or ``grad`` does not fit
        """
        return self._device.adapter.backward(self, grad, retain_graph or create_graph, create_graph)

    # -- interchange --------------------------------------------------------------------------

    def __array_namespace__(self, /, *, api_version: str | None = None) -> ModuleType:
        if api_version is not None and api_version not in REVISIONS:
            raise ArgumentError(
                f"__array_namespace__: unknown revision {api_version!r}; there are {', '.join(REVISIONS)}"
            )
        return sys.modules["burn_array"]

    def __dlpack__(
        self,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        try:
            return self._device.adapter.dlpack(self._native, stream, max_version, dl_device, copy)
        except Exception as error:
            raise explain("__dlpack__", error, str(self.device), [describe(self)]) from error

    def __dlpack_device__(self, /) -> tuple[int, int]:
        return self._device.adapter.dlpack_device

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if not self._device.is_host:
            raise HostAccessError(
                f"__array__: the array is on {self.device}, which NumPy cannot read; "
                f"move it first: x.to_device('numpy')"
            )
        return np.asarray(self._device.adapter.to_host(self._native), dtype=dtype, copy=copy)


_device = device
SCALARS = frozenset((bool, int, float, complex))


def _unpickle(values: np.ndarray[Any, Any], name: str, committed: bool) -> Array:
    at = device(name) if committed else device(name).uncommitted
    return Array(at.adapter.from_host(values, None), at)


# -- the ways to a library --------------------------------------------------------------------


def unary(name: str, x: Any) -> Array:
    """Return the element-wise function ``name`` of one array."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    try:
        out = at.functions[name](x._native)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x)]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    return Array(out, at)


def binary(name: str, x1: Any, x2: Any, operator: bool = False) -> Array:
    """Return the element-wise function ``name`` of two operands, at least one of them an array.

    As an ``operator`` it returns ``NotImplemented`` for an operand that it does not know.
    """
    if type(x1) is Array:
        at = x1._device
        a = x1._native
        if type(x2) is Array:
            b = x2._native
            if x2._device is not at:
                at = meet(name, at, x2._device, x1.ndim, x2.ndim)
                a = relocate(name, x1, at)
                b = relocate(name, x2, at)
        elif type(x2) in SCALARS:
            b = x2
        else:
            return _binary_lifted(name, x1, x2, operator)
    elif type(x2) is Array and type(x1) in SCALARS:
        at = x2._device
        a = x1
        b = x2._native
    else:
        return _binary_lifted(name, x1, x2, operator)
    try:
        out = at.functions[name](a, b)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x1), describe(x2)]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    return Array(out, at)


def _binary_lifted(name: str, x1: Any, x2: Any, operator: bool) -> Array:
    if type(x1) is not Array and type(x2) is not Array:
        raise not_an_array(name, x1 if type(x1) not in SCALARS else x2)
    try:
        near = (x1 if type(x1) is Array else x2)._device
        lifted = [lift_operand(name, x, near) for x in (x1, x2)]
    except ArgumentTypeError:
        if operator:
            return NotImplemented  # type: ignore[no-any-return]
        raise
    return binary(name, lifted[0], lifted[1], operator)


def reduction(name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    """Return the reduction ``name`` of one array over ``axis``."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    try:
        out = at.functions[name](x._native, axis=axis, keepdims=keepdims)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x), f"axis={axis}"]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    return Array(out, at)


def reduction_in(name: str, x: Any, axis: Any, dtype: Any, keepdims: bool) -> Array:
    """Return the reduction ``name`` of one array over ``axis``, computed in ``dtype`` if that is given."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    at = x._device
    if dtype is not None:
        dtype = at.native_dtype(as_dtype(dtype, name), name)
    try:
        out = at.functions[name](x._native, axis=axis, dtype=dtype, keepdims=keepdims)
    except Exception as error:
        raise explain(name, error, str(at), [describe(x), f"axis={axis}"]) from error
    if type(out) is not at.array_type:
        out = at.adapter.adopt(out)
    return Array(out, at)


def apply(name: str, x: Any, /, *args: Any, **kwargs: Any) -> Array:
    """Return the function ``name`` of one array and settings."""
    if type(x) is not Array:
        raise not_an_array(name, x)
    return tag(x._device, call(name, x._device, x._native, *args, **kwargs))


def call(name: str, at: Device, /, *args: Any, **kwargs: Any) -> Any:
    """Return what the adapter's function ``name`` gives for native values, with its errors explained."""
    try:
        return at.functions[name](*args, **kwargs)
    except Exception as error:
        operands = [describe_native(at, value) for value in args]
        operands += [f"{key}={describe_native(at, value)}" for key, value in kwargs.items()]
        raise explain(name, error, str(at), operands) from error


def tag(at: Device, native: Any) -> Array:
    """Return a result of a library as an array of the device."""
    return Array(native if type(native) is at.array_type else at.adapter.adopt(native), at)


# -- operands ---------------------------------------------------------------------------------


def place(name: str, *operands: Any) -> tuple[Device, list[Any]]:
    """Return where a call with these operands runs, and each operand as a native value there.

    Python scalars and ``None`` stay as they are; foreign arrays are lifted, if there is an array among
    the operands.
    """
    at = None
    natives = []
    for x in operands:
        if type(x) is Array:
            if at is None:
                at = x._device
            elif x._device is not at:
                return _place_mixed(name, operands)
            natives.append(x._native)
        elif x is None or type(x) in SCALARS:
            natives.append(x)
        else:
            return _place_mixed(name, operands)
    if at is None:
        raise not_an_array(name, operands[0])
    return at, natives


def _place_mixed(name: str, operands: Sequence[Any]) -> tuple[Device, list[Any]]:
    if not any(type(x) is Array for x in operands):
        raise not_an_array(name, operands[0])
    near = next(x._device for x in operands if type(x) is Array)
    lifted = [x if x is None or type(x) in SCALARS else lift_operand(name, x, near) for x in operands]
    at = _meet_all(name, [(x._device, x.ndim) for x in lifted if type(x) is Array])
    return at, [relocate(name, x, at) if type(x) is Array else x for x in lifted]


def place_arrays(name: str, *operands: Any) -> tuple[Device, list[Any]]:
    """Do what ``place`` does for a function that takes no Python scalars."""
    for x in operands:
        if x is None or isinstance(x, bool | int | float | complex):
            raise not_an_array(name, x)
    return place(name, *operands)


def _meet_all(name: str, operands: Sequence[tuple[Device, int]]) -> Device:
    """Return the tag of the result of an operation on arrays of these tags and numbers of axes."""
    ranked = sorted(operands, key=lambda one: (one[0] is one[0].committed, one[1] > 0), reverse=True)
    at, ndim = ranked[0]
    for one, other in ranked[1:]:
        if one is not at:
            at = meet(name, at, one, ndim, other)
    return at


def relocate(name: str, x: Array, at: Device) -> Any:
    """Return the native value of ``x`` at ``at``."""
    have = x._device
    return x._native if have.adapter is at.adapter else move(name, x._native, have, at, None)


def lift(name: str, obj: Any) -> Array:
    """Return ``obj`` as an array: itself, or foreign data as an uncommitted one."""
    if type(obj) is Array:
        return obj
    native, at = ingest(name, obj, None, None, None)
    return Array(native, at.uncommitted)


def lift_operand(name: str, obj: Any, near: Device | None = None) -> Any:
    """Return a foreign operand as an uncommitted array, or as a Python scalar if it is one.

    Host data, which are at home everywhere, go to the device ``near``.
    NumPy's ``float64`` and ``complex128`` scalars are Python's ``float`` and ``complex``, hence weak.
    """
    if type(obj) is Array:
        return obj
    if isinstance(obj, bool | int | float | complex):
        base: Any = next(t for t in (bool, int, float, complex) if isinstance(obj, t))
        return base(obj)
    if isinstance(obj, np.ndarray | np.generic):
        native, at = ingest(name, obj, near, None, None)
        return Array(native, at.uncommitted)
    if hasattr(obj, "__dlpack__"):
        return lift(name, obj)
    raise not_an_array(name, obj)


def not_an_array(name: str, x: Any) -> ArgumentTypeError:
    """Return the error for an argument that should have been an array."""
    if isinstance(x, np.ndarray) or hasattr(x, "__dlpack__") or home_is_known(x):
        kind = f"{type(x).__module__}.{type(x).__name__}"
        return ArgumentTypeError(
            f"{name}: expected an Array of burn_array, got a {kind}; convert it with asarray(x)"
        )
    return ArgumentTypeError(
        f"{name}: expected an Array of burn_array, got {type(x).__name__} {x!r:.60}; make one with asarray(x)"
    )


def home_is_known(x: Any) -> bool:
    """Return whether ``x`` is an array of a library that an adapter knows."""
    return hasattr(x, "shape") and hasattr(x, "dtype") and home(x) is not None


def describe(x: Any) -> str:
    """Return dtype and shape of an array, or a scalar's repr, for the text of an error."""
    return f"{x.dtype}{list(x.shape)}" if type(x) is Array else f"{x!r:.60}"


def describe_native(at: Device, value: Any) -> str:
    """Return dtype and shape of a native value, or the repr of anything else."""
    if type(value) is at.array_type:
        return f"{at.dtype_of(value)}{list(at.shape_of(value))}"
    if isinstance(value, Sequence) and any(type(one) is at.array_type for one in value):
        return f"[{', '.join(describe_native(at, one) for one in value)}]"
    return f"{value!r:.60}"


# -- indices ----------------------------------------------------------------------------------


def index_operands(name: str, x: Array, key: Any, value: Any = None) -> tuple[Device, Any, Any]:
    """Return where indexing runs, the native array there, and the key with its arrays native there.

    A ``value`` to store takes part in deciding where.
    """
    at = x._device
    is_tuple = type(key) is tuple
    if (type(value) is not Array or value._device is at) and _is_plain(key if is_tuple else (key,)):
        return at, x._native, key
    at, keys = _index_keys(name, x, key if is_tuple else (key,), value)
    return at, relocate(name, x, at), tuple(keys) if is_tuple else keys[0]


_PLAIN_KEYS = frozenset((int, slice, type(None), type(...), bool))


def _is_plain(keys: tuple[Any, ...]) -> bool:
    for one in keys:  # noqa: SIM110  (a generator takes twice as long)
        if type(one) not in _PLAIN_KEYS:
            return False
    return True


def _index_keys(name: str, x: Array, keys: tuple[Any, ...], value: Any) -> tuple[Device, list[Any]]:
    lifted = [one if type(one) in _PLAIN_KEYS else _index_key(name, one) for one in keys]
    tags = [(one._device, one.ndim) for one in (*lifted, value) if type(one) is Array]
    at = _meet_all(name, [(x._device, x.ndim or 1), *tags]) if tags else x._device
    return at, [relocate(name, one, at) if type(one) is Array else one for one in lifted]


def _index_key(name: str, key: Any) -> Any:
    if isinstance(key, np.bool_):
        return bool(key)
    if isinstance(key, list):
        key = _index_list(name, key)
    if isinstance(key, np.ndarray) and key.dtype.kind not in "iub":
        raise ArrayIndexError(f"{name}: an index array must be of integers or bools, not {key.dtype}")
    if type(key) is Array or isinstance(key, np.ndarray) or hasattr(key, "__dlpack__"):
        lifted = lift(name, key)
        if kind_of(lifted.dtype) not in "iub":
            raise ArrayIndexError(
                f"{name}: an index array must be of integers or bools, not {lifted.dtype}; use astype"
            )
        return lifted
    if hasattr(key, "__index__"):
        return key.__index__()
    raise ArrayIndexError(
        f"{name}: cannot index with {type(key).__name__} {key!r:.40}; use integers, slices, None, ..., "
        f"or arrays of integers or bools"
    )


def _index_list(name: str, key: list[Any]) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(key, dtype=None if key else np.int64)
    except (TypeError, ValueError) as error:
        raise ArrayIndexError(f"{name}: cannot index with the list {key!r:.60}: {error}") from error


def explain_index(name: str, error: Exception, x: Array, key: Any) -> Exception:
    """Return the error of the tree for one that a library raised while indexing."""
    made = explain(name, error, str(x.device), [describe(x), f"key {key!r:.60}"])
    about_key = name == "__getitem__" or re.search("slice indices|indexing arrays|unpacking", str(error))
    if about_key and isinstance(made, _OF_A_KEY) and "step" not in str(error):
        return ArrayIndexError(str(made))
    return made


_OF_A_KEY = (ArgumentError, ArgumentTypeError, DTypeError, IntegerOverflowError)
