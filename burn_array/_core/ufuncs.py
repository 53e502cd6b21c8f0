"""Apply NumPy's ufuncs to arrays: ``np.sqrt(x)``, ``ndarray + x`` and ``ndarray += x``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import ArgumentError
from .namespace import namespace

# Ufuncs whose name in the standard differs.
_RENAMED = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
}
_REDUCTIONS = {
    "add": "sum",
    "logical_and": "all",
    "logical_or": "any",
    "maximum": "max",
    "minimum": "min",
    "multiply": "prod",
}


def apply_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Return the result of a ufunc: by the function of the namespace of that name, or else by NumPy on the host.

    If there is ``out=``, as for an in-place operator of an ndarray, the result is written into it.

    Raises
    ------
    ArgumentError
        If ``out``, or the array that ``at`` changes, is on a device with immutable arrays, where the result of writing
        to a slice would be lost.
    """
    if method == "at":
        _check_target(ufunc, inputs[0], "at")
        return _at(ufunc, inputs)
    out = settings.pop("out", None)
    for target in out or ():
        _check_target(ufunc, target, "out=")
    if out is not None and settings.get("where", True) is not True:
        return _write_where(ufunc, method, inputs, settings, out)
    result = _by_namespace(ufunc, method, inputs, settings)
    if result is NotImplemented:
        result = _by_numpy(ufunc, method, inputs, settings)
    return result if out is None else _write(ufunc, result, out)


def _check_target(ufunc: np.ufunc, target: Any, what: str) -> None:
    if isinstance(target, namespace().Array) and not target._device.has_views:
        raise ArgumentError(
            f"{ufunc.__name__}: {what} cannot change an array on {target._device}, whose arrays are immutable, so that "
            f"a slice is a value of its own; assign the result, as in x[key] = np.{ufunc.__name__}(...)"
        )


def _by_namespace(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    xp = namespace()
    if not any(isinstance(x, xp.Array) for x in inputs):
        return NotImplemented
    if method == "__call__" and not settings:
        function = getattr(xp, _RENAMED.get(ufunc.__name__, ufunc.__name__), None)
        if function is not None and ufunc.nout == 1 and getattr(np, ufunc.__name__, None) is ufunc:
            return function(*inputs)
    if method == "reduce" and settings.keys() <= {"axis", "keepdims"} and ufunc.__name__ in _REDUCTIONS:
        reduce = getattr(xp, _REDUCTIONS[ufunc.__name__])
        return reduce(inputs[0], axis=settings.get("axis", 0), keepdims=settings.get("keepdims", False))
    return NotImplemented


def _by_numpy(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    xp = namespace()
    arrays = [x for x in inputs if isinstance(x, xp.Array)]
    settings = {key: _host(value) for key, value in settings.items()}
    run: Callable[..., Any] = getattr(ufunc, method)
    result = run(*map(_host, inputs), **settings)
    at = arrays[0]._device if arrays else None

    def wrap(values: Any) -> Any:
        return xp.asarray(values) if at is None else _on(at, values)

    return tuple(map(wrap, result)) if isinstance(result, tuple) else wrap(result)


def _host(x: Any) -> Any:
    return np.asarray(x) if isinstance(x, namespace().Array) else x


def _at(ufunc: np.ufunc, inputs: tuple[Any, ...]) -> None:
    target, *others = inputs
    values = np.array(target) if not isinstance(target, np.ndarray) else target
    ufunc.at(values, *map(_host, others))
    if values is not target:
        target[...] = values


def _write_where(
    ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], settings: dict[str, Any], out: tuple[Any, ...]
) -> Any:
    """Return the results written only where ``where=`` is true: NumPy writes into copies of ``out``."""
    copies = tuple(None if target is None else np.array(target) for target in out)
    settings = {key: _host(value) for key, value in settings.items()}
    result = getattr(ufunc, method)(*map(_host, inputs), out=copies, **settings)
    return _write(ufunc, result, out)


def _on(at: Any, values: Any) -> Any:
    xp = namespace()
    made = xp.asarray(values, device=at.committed)
    return xp.Array(made._native, at)


def _write(ufunc: np.ufunc, result: Any, out: tuple[Any, ...]) -> Any:
    results = result if isinstance(result, tuple) else (result,)
    given = []
    for target, values in zip(out, results, strict=True):
        given.append(values if target is None else target)
        if target is None:
            continue
        if isinstance(target, np.ndarray):
            np.copyto(target, np.asarray(values), casting="same_kind")
        elif hasattr(target, "__setitem__"):
            target[...] = values
        else:
            raise ArgumentError(f"{ufunc.__name__}: out= must be an array, got {type(target).__name__}")
    return given[0] if len(given) == 1 else tuple(given)
