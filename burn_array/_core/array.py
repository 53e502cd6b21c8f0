"""The class ``Array``: its attributes, operators, indexing and conversions to Python numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from ..adapter import SHARED, notify_changed
from ..errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError, ValueNeededError, explain
from .device import Device
from .device import device as lookup
from .dtypes import DType, kind_of
from .host_data import check_cast
from .methods import Methods
from .moves import move

Scalar = bool | int | float | complex


class Array(Methods):
    """An n-dimensional array: a native array of some library, and the device that holds it.

    Make one with ``asarray``, ``zeros`` or another creation function, not by calling the class.
    """

    __slots__ = ()

    # -- attributes ---------------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        """The dtype, a ``numpy.dtype``."""
        return self._device.dtype_of(self._native)

    @property
    def device(self) -> Device:
        """The device that holds the array. An array made with ``device=x.device`` is committed to it."""
        return self._device.committed

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis, a tuple of ints."""
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
        return binary("less", self, other, True, True)

    def __le__(self, other: Any, /) -> Array:
        return binary("less_equal", self, other, True, True)

    def __gt__(self, other: Any, /) -> Array:
        return binary("greater", self, other, True, True)

    def __ge__(self, other: Any, /) -> Array:
        return binary("greater_equal", self, other, True, True)

    def __eq__(self, other: Any, /) -> Array:  # type: ignore[override]
        return binary("equal", self, other, True, True)

    def __ne__(self, other: Any, /) -> Array:  # type: ignore[override]
        return binary("not_equal", self, other, True, True)

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def _become(self, name: str, other: Any) -> Array:
        """Return ``self`` after an in-place operator such as ``+=``; ``name`` is its function."""
        at = self._device
        value = other._native if type(other) is Array and other._device is at else other
        if type(value) in (at.array_type, int, float):
            try:
                done = at.adapter.in_place(name, self._native, value)
            except Exception as error:
                raise explain(
                    f"in-place {name}", error, [describe(self), describe(other)], at.adapter
                ) from error
            if done is True:
                if SHARED:
                    notify_changed(at.adapter, self._native)
                return self
            if done is not False:
                self._native = done
                return self
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
        self._store((...,), result, name)
        return self

    # -- elements -----------------------------------------------------------------------------

    def __getitem__(self, key: Any, /) -> Array:
        at = self._device
        if type(key) is int or type(key) is slice or (type(key) is tuple and is_basic(key)):
            native = self._native
        else:
            at, native, key = index_operands("__getitem__", self, key)
        try:
            function = at.functions.get("getitem")
            if function is None:
                function = at.function("getitem")
            out = function(native, key)
        except Exception as error:
            raise explain_index("__getitem__", error, self, key) from error
        return wrap(at, out)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        if type(value) is Array:
            if value.dtype.kind == "c":
                check_cast("__setitem__", value.dtype, self.dtype)
        elif type(value) not in SCALARS:
            value = self._as_value(value)
        elif type(value) is complex and kind_of(self.dtype) != "c":
            raise DTypeError(
                f"__setitem__: a complex number cannot be stored in {self.dtype}; convert the array first"
            )
        self._store(key, value)

    def __delitem__(self, key: Any, /) -> None:
        raise ArgumentTypeError(
            "the elements of an array cannot be deleted; take those that stay, as in x[mask]"
        )

    def _as_value(self, value: Any) -> Array:
        lifted = lift("__setitem__", value)
        check_cast("__setitem__", lifted.dtype, self.dtype)
        return lifted

    def _store(self, key: Any, value: Any, in_place: str | None = None) -> None:
        """Write a value into the array; ``in_place`` is the function of an in-place operator, which errors name."""
        at = self._device
        native = self._native
        basic = type(key) is int or type(key) is slice or (type(key) is tuple and is_basic(key))
        if not basic or (type(value) is Array and value._device is not at):
            at, native, key = index_operands("__setitem__", self, key, value)
            if type(value) is Array:
                value = storable("__setitem__", value, at, self.dtype)
        if type(value) is Array:
            value = native_on("__setitem__", value, at)
        try:
            function = at.functions.get("setitem")
            if function is None:
                function = at.function("setitem")
            out = function(native, key, value)
        except Exception as error:
            if in_place is not None:
                raise explain(f"in-place {in_place}", error, [describe(self)], at.adapter) from error
            raise explain_index("__setitem__", error, self, key) from error
        if SHARED and out is None:
            notify_changed(at.adapter, native)
        self._native = native if out is None else out
        self._device = at
        self._direct = at.no_table

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
        same = binary("equal", self, value, True, True)
        return same is not NotImplemented and bool(apply("any", same, axis=None, keepdims=False))

    # -- Python scalars -----------------------------------------------------------------------

    def _scalar(self, function: str) -> Any:
        if self.shape:
            raise ArgumentTypeError(
                f"{function} of an array of shape {self.shape}: only a 0-d array is one number; "
                f"use any(x), all(x) or an index"
            )
        try:
            return self._device.adapter.item(self._native)
        except ValueNeededError as error:
            raise ValueNeededError(f"{function}: {error}") from None

    def __bool__(self) -> bool:
        at = self._device
        if not at.shape_of(self._native):
            try:
                return bool(at.adapter.item(self._native))
            except ValueNeededError as error:
                raise ValueNeededError(f"bool(): {error}") from None
        if self.size == 1:  # as in every array library
            return bool(self[(0,) * self.ndim])
        return bool(self._scalar("bool()"))

    def __int__(self) -> int:
        at = self._device
        if at.shape_of(self._native):
            self._scalar("int()")
        try:
            return int(at.adapter.item(self._native))
        except ValueNeededError as error:
            raise ValueNeededError(f"int(): {error}") from None

    def __float__(self) -> float:
        at = self._device
        if at.shape_of(self._native):
            self._scalar("float()")
        try:
            return float(at.adapter.item(self._native))
        except ValueNeededError as error:
            raise ValueNeededError(f"float(): {error}") from None

    def __complex__(self) -> complex:
        return complex(self._scalar("complex()"))

    def __index__(self) -> int:
        if kind_of(self.dtype) not in "iu":
            raise DTypeError(f"an index must be an integer array, not {self.dtype}; convert it with int(x)")
        return int(self._scalar("index()"))

    def __round__(self, ndigits: int | None = None, /) -> Any:
        """Return an ``int`` for ``round(x)`` of a 0-d array, and an array for ``round(x, ndigits)``."""
        if ndigits is not None:
            return self.round(ndigits)
        if self.shape:
            raise ArgumentTypeError(
                f"round() of an array of shape {self.shape}: only a 0-d array is one number; "
                f"give the number of decimals, as in round(x, 0)"
            )
        return round(self._scalar("round()"))

    # -- words --------------------------------------------------------------------------------

    def __repr__(self) -> str:
        shown = self._shown()
        if shown is not None:
            return f"Array({shown}, device='{self.device}'{self._tracking()})"
        values = np.array2string(self._host_copy(), separator=", ", prefix="Array(")
        size = self.size
        hides_shape = size > np.get_printoptions()["threshold"] or (not size and self.ndim > 1)
        shape = f", shape={self.shape}" if hides_shape else ""
        return f"Array({values}{shape}, dtype={self.dtype}, device='{self.device}'{self._tracking()})"

    def __str__(self) -> str:
        shown = self._shown()
        return str(self._host_copy()) if shown is None else shown

    def __format__(self, spec: str) -> str:
        return format(self._scalar("format()"), spec) if spec else str(self)

    def _tracking(self) -> str:
        """Return the attribute that says of a tracked array whether it is a parameter or was computed from one."""
        if not self.is_tracked:
            return ""
        return ", requires_grad=True" if self.requires_grad else ", is_tracked=True"

    def _shown(self) -> str | None:
        """Return what is printed instead of the values, ``None`` if these are printed."""
        return self._device.adapter.show(self._native)

    def _host_copy(self) -> np.ndarray[Any, Any]:
        return self._device.adapter.to_host(self._device.adapter.untracked(self._native))

    # -- moves --------------------------------------------------------------------------------

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """Return the array on another device, committed to it.

        The result shares memory with the array if both devices can reach it; otherwise it is a copy.

        Parameters
        ----------
        device : Device or str
            Where the array shall be.
        stream : None
            Not supported.

        Returns
        -------
        Array
            The same shape, dtype and values.

        Raises
        ------
        DeviceNotFoundError
            If this machine has no such device.
        UnsupportedDTypeError
            If the device does not have the dtype.
        """
        if stream is not None:
            raise ArgumentError("to_device: stream is not supported; synchronise the device and leave it out")
        target = lookup(device)
        return Array(move("to_device", self._native, self._device, target, None), target)


# The class and the ways to a library need each other: these come last, when the class is there.
from .dispatch import apply, binary, unary, wrap  # noqa: E402
from .indices import explain_index, index_operands, is_basic  # noqa: E402
from .operands import SCALARS, describe, lift, native_on, storable  # noqa: E402
