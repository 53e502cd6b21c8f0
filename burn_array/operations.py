"""Operations of your own, with an implementation for each library and a derivative.

An operation is a function in the standard, which runs on every device. Implementations take its place on the devices of
a library: a fused kernel of Triton or CUDA, say. They get and return arrays of that library. The derivative is a
function in the standard too. Operands are placed as by the functions of the namespace.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import nullcontext
from functools import update_wrapper
from typing import Any, overload

import numpy as np

from ._core.array import Array
from ._core.device import Device, check_name
from ._core.moves import move
from ._core.namespace import namespace
from ._core.operands import is_foreign_array, lift_operand, meet_all, native_on, not_an_array
from .errors import ArgumentTypeError, GradientError, NotSupportedError

__all__ = ["Operation", "operation", "placed"]

Function = Callable[..., Any]

_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
)


def placed(name: str, *operands: Any) -> tuple[Any, ...]:
    """Return operands with their arrays on one device, as the functions of the namespace place them.

    An uncommitted array follows a committed one, a plain array follows one of the autodiff device.

    Parameters
    ----------
    name : str
        The function for which they are placed, which errors name.
    *operands : Array or any object
        Arrays of any dtype, shape and device. Objects that are no ``Array`` are returned as they are.

    Returns
    -------
    tuple
        The operands in their order; an array that is there already is returned itself.

    Raises
    ------
    DeviceMismatchError
        If two arrays are committed to different devices, or differ in how they differentiate.
    """
    near = None
    for x in operands:
        if type(x) is Array and x._device is not near:
            if near is not None:
                break
            near = x._device
    else:
        return operands
    at = meet_all(name, [(x._device, x.ndim) for x in operands if type(x) is Array])
    return tuple(
        Array(native_on(name, x, at), at) if type(x) is Array and x._device is not at else x for x in operands
    )


class Operation:
    """A function of arrays, with implementations for libraries and a derivative; ``operation`` makes it."""

    def __init__(self, function: Function, fallback: bool) -> None:
        self._signature = inspect.signature(function)
        for parameter in self._signature.parameters.values():
            if parameter.kind not in _POSITIONAL:
                raise ArgumentTypeError(
                    f"operation: the parameter {parameter.name!r} of {function.__name__} must be positional; "
                    f"callers may still name it"
                )
        update_wrapper(self, function)
        self._name = function.__name__
        self._fallback = function if fallback else None
        self._implementations: dict[str, Function] = {}
        self._derivative: Function | None = None
        self._differentiable: Function | None = None

    def __repr__(self) -> str:
        return f"<operation {self._name} with implementations for {self._listing()}>"

    # -- declarations -------------------------------------------------------------------------

    def implementation(self, device: str) -> Callable[[Function], Function]:
        """Return a decorator that declares an implementation for the devices of a library.

        Parameters
        ----------
        device : str
            A library, such as ``"torch"``, or the beginning of a device's string, such as ``"torch:cuda"``. For a
            device to which several apply, the longest decides.

        Returns
        -------
        callable
            The decorator, which returns the function as it is. The function gets the arguments of the operation with
            native arrays of the library instead of arrays, all on one device. It returns a new native array of that
            device, or a tuple, list or dict of them, and changes no operand.

        Raises
        ------
        DeviceNotFoundError
            If there is no adapter for the library.
        """
        check_name(device)

        def declare(function: Function) -> Function:
            self._implementations[device] = function
            return function

        return declare

    def derivative(self, function: Function) -> Function:
        """Declare the derivative of the operation, as a decorator, and return the function as it is.

        Parameters
        ----------
        function : callable
            ``function(g, result, *args)`` returns a tuple with the cotangent of each argument, of its shape, and
            ``None`` for an argument without one. ``g`` is the cotangent of ``result``. All are arrays. It is a function
            in the standard and is itself differentiated for higher derivatives, as ``backward`` of
            ``autodiff.custom_vjp``.
        """
        self._derivative, self._differentiable = function, None
        return function

    # -- calls --------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        operands = placed(self._name, *self._lifted(bound.args))
        if not any(type(x) is Array and x.is_tracked for x in operands):
            return self._compute(*operands)
        if self._derivative is not None:
            if self._differentiable is None:
                self._differentiable = namespace().autodiff.custom_vjp(
                    self._named_compute(), self._derivative
                )
            return self._differentiable(*operands)
        if self._fallback is None:
            raise GradientError(
                f"{self._name}: an operand is tracked, but the operation has neither a derivative nor a fallback to "
                f"record; declare one with @{self._name}.derivative, or give x.detach()"
            )
        return self._fallback(*operands)

    def _lifted(self, args: tuple[Any, ...]) -> list[Any]:
        """Return the arguments with arrays for ndarrays and arrays of other libraries; one of them must be an array."""
        near = next((x._device for x in args if type(x) is Array), None)
        if near is None:
            raise not_an_array(self._name, args[0] if args else None)
        return [lift_operand(self._name, x, near) if _is_foreign(x) else x for x in args]

    def _compute(self, *args: Any) -> Any:
        """Return the result for arguments whose arrays are on one device and not tracked."""
        at = next(x._device for x in args if type(x) is Array)
        function = self._implementation_for(at)
        if function is None:
            if self._fallback is None:
                raise self._missing(at)
            return self._fallback(*args)
        inner = at.inner if at is at.committed else at.inner.uncommitted
        natives = [move(self._name, x._native, at, inner, None) if type(x) is Array else x for x in args]
        with inner.adapter.guard() or nullcontext():
            out = function(*natives)
        return self._wrapped(out, inner, at)

    def _named_compute(self) -> Function:
        """Return ``_compute`` as a function with the name of the operation, which errors name."""

        def compute(*args: Any) -> Any:
            return self._compute(*args)

        compute.__name__ = self._name
        return compute

    def _implementation_for(self, at: Device) -> Function | None:
        parts = at.hardware.split(":")
        for length in range(len(parts), 0, -1):
            found = self._implementations.get(":".join(parts[:length]))
            if found is not None:
                return found
        return None

    def _wrapped(self, out: Any, inner: Device, at: Device) -> Any:
        """Return what an implementation returned, with arrays on the device ``at`` for native arrays."""
        if isinstance(out, tuple | list):
            each = [self._wrapped(one, inner, at) for one in out]
            return type(out)(*each) if hasattr(out, "_fields") else type(out)(each)
        if isinstance(out, dict):
            return {key: self._wrapped(one, inner, at) for key, one in out.items()}
        adapter = inner.adapter
        is_native = isinstance(out, (adapter.array_type, *adapter.foreign_types))
        if is_native or (isinstance(out, np.generic) and issubclass(adapter.array_type, np.ndarray)):
            return Array(move(self._name, adapter.adopt(out), inner, at, None), at)
        if type(out) is Array or _is_foreign(out):
            raise ArgumentTypeError(
                f"{self._name}: the implementation for {inner} returned {type(out).__module__}.{type(out).__name__}; "
                f"return a native array, {adapter.array_type.__module__}.{adapter.array_type.__name__}"
            )
        return out

    # -- errors -------------------------------------------------------------------------------

    def _listing(self) -> str:
        return (
            ", ".join([*self._implementations, *(["all other devices"] if self._fallback else [])])
            or "nothing"
        )

    def _missing(self, at: Device) -> NotSupportedError:
        return NotSupportedError(
            f"{self._name}: there is no implementation for {at.hardware}, only for {self._listing()}; declare one with "
            f"@{self._name}.implementation({at.library!r}), or move the arrays with to_device"
        )


def _is_foreign(x: Any) -> bool:
    return type(x) is not Array and (isinstance(x, np.ndarray | np.generic) or is_foreign_array(x))


@overload
def operation(function: Function, /) -> Operation: ...
@overload
def operation(*, fallback: bool = True) -> Callable[[Function], Operation]: ...
def operation(
    function: Function | None = None, /, *, fallback: bool = True
) -> Operation | Callable[[Function], Operation]:
    """Return an operation made of a function in the standard; use it as a decorator.

    On devices of libraries with an implementation, that is called; on all others the function itself.

    Parameters
    ----------
    function : callable
        A function of positional parameters, at least one of them an array. It returns an array, or a tuple, list or
        dict of arrays and other objects.
    fallback : bool
        Whether the function computes the operation where there is no implementation. If false, it is never called, and
        gives the operation its name, parameters and docstring alone.

    Returns
    -------
    Operation
        A callable with the parameters of the function, whose methods ``implementation`` and ``derivative`` are
        decorators. Without a derivative, the operation differentiates by recording the function. Called with
        ndarrays beside arrays, it lifts them. It raises ``NotSupportedError`` where it has neither implementation nor
        fallback, and ``DeviceMismatchError`` for arrays committed to different devices.

    Raises
    ------
    ArgumentTypeError
        If the function has parameters that are not positional.

    Examples
    --------
    >>> import burn_array as xp
    >>> @xp.operations.operation
    ... def softsign(x):
    ...     return x / (1.0 + xp.abs(x))
    >>> @softsign.implementation("numpy")
    ... def fused(x):
    ...     return x / (1.0 + abs(x))
    >>> @softsign.derivative
    ... def derivative(g, result, x):
    ...     return (g * (1.0 - xp.abs(result)) ** 2,)
    >>> softsign(xp.asarray([1.0, -3.0], device="numpy")).tolist()
    [0.5, -0.75]
    """
    if function is None:
        return lambda decorated: Operation(decorated, fallback)
    return Operation(function, fallback)
