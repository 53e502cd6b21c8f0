"""For ``burn-array conformance --traced``: each function of the namespace is traced and replayed when it is called."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

import burn_array as xp
from burn_array.errors import CaptureError

UNTRACED = frozenset(
    """asarray broadcast_shapes can_cast capture default_device device devices empty empty_like finfo from_dlpack iinfo
    isdtype load_graph nonzero restored result_type spec trace unique_all unique_counts unique_inverse
    unique_values""".split()
)
"""Functions that give no arrays, undefined values, or arrays whose size depends on values; and those of graphs."""


def trace_functions() -> list[str]:
    """Put a form that traces and replays in the place of each function of the standard; return their names."""
    found = []
    for module in (xp, xp.linalg, xp.fft):
        names = getattr(module, "__all__", None) or [
            name for name in vars(module) if not name.startswith("_")
        ]
        for name in names:
            function: Any = getattr(module, name, None)
            ours = isinstance(function, _FUNCTIONS) and function.__module__.startswith("burn_array")
            if ours and name not in UNTRACED:
                setattr(module, name, traced(function))
                found.append(name)
    return found


_FUNCTIONS = (FunctionType, type(xp.sum))
"""The types of a function that is interpreted and of one that is compiled."""


def traced(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that traces another one for its arguments, and replays the graph on them."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs.get("device") is not None or str(xp.default_device()) == "capture":
            return function(*args, **kwargs)
        arrays: list[Any] = []
        shape = _without_arrays((args, kwargs), arrays)
        if not all(str(x.device) != "capture" for x in arrays):
            return function(*args, **kwargs)

        def program(*inputs: Any) -> Any:
            again, keywords = _with_arrays(shape, list(inputs)[::-1])
            return function(*again, **keywords)

        try:
            graph = xp.trace(program, *arrays, name=function.__name__)
        except CaptureError:  # it gives no array, or its size depends on values
            return function(*args, **kwargs)
        return graph(*arrays)

    return call


class _Place:
    """Stands for an array among arguments."""


def _without_arrays(value: Any, arrays: list[Any]) -> Any:
    """Return arguments with places for their arrays, which are appended to a list."""
    if type(value) is xp.Array:
        arrays.append(value)
        return _Place()
    if type(value) in (tuple, list):
        return type(value)(_without_arrays(one, arrays) for one in value)
    if type(value) is dict:
        return {key: _without_arrays(one, arrays) for key, one in value.items()}
    return value


def _with_arrays(value: Any, arrays: list[Any]) -> Any:
    """Return arguments with arrays, taken from the end of a list, in their places."""
    if type(value) is _Place:
        return arrays.pop()
    if type(value) in (tuple, list):
        return type(value)([_with_arrays(one, arrays) for one in value])
    if type(value) is dict:
        return {key: _with_arrays(one, arrays) for key, one in value.items()}
    return value
