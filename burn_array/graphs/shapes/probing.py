"""Find dtypes, and errors that depend on dtypes and numbers of axes, by calls of NumPy's functions on one element.

The functions are those of the device ``numpy``, so what they refuse is refused here with the same error.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ..._core.device import device
from ...errors import CaptureError
from ..values import Spec

_HALF = np.dtype("float16")
_SINGLE = np.dtype("float32")
_KNOWN: dict[Any, Any] = {}
_MOST = 20_000
"""How many outcomes of calls are kept."""
_CERTAIN = frozenset((0, 1))
"""Integers that every dtype can hold; any other is part of the key."""


def is_array(x: Any) -> bool:
    """Return whether an argument stands for an array: whether it has a shape and a dtype."""
    return hasattr(x, "shape") and hasattr(x, "dtype")


def _key(x: Any) -> Any:
    kind = type(x)
    if kind is int:
        return int if x in _CERTAIN else x
    if kind is float or kind is complex or kind is bool:
        return kind
    if kind is tuple or kind is list:
        return tuple(map(_key, x))
    if is_array(x):
        return x.dtype, len(x.shape)
    return kind, x


def probe(name: str, args: tuple[Any, ...], settings: dict[str, Any], length: int = 1) -> Any:
    """Return the dtype of the results of a function, or a tuple of dtypes, whatever the lengths of the axes are.

    The function is called on arrays of ones with as many axes, each of that ``length``. The answer is kept.
    """
    key = name, length, tuple(map(_key, args)), tuple([(k, _exact(v)) for k, v in settings.items()])
    found = _KNOWN.get(key)
    if found is None:
        found = call(name, args, settings, lambda x: _ones(x, length))
        found = tuple(one.dtype for one in found) if type(found) is tuple else found.dtype
        if len(_KNOWN) > _MOST:
            _KNOWN.clear()
        _KNOWN[key] = found
    return found


_LARGEST = 2**20
"""How many elements an array may have that is made to find out what a function does."""


def _ones(x: Any, length: int) -> Any:
    """Return an array of ones with as many axes as ``x``, each of that length."""
    if length ** len(x.shape) > _LARGEST:
        raise CaptureError(f"an array of {len(x.shape)} axes is more than a capture can follow here")
    return np.ones((length,) * len(x.shape), _stand_in(x.dtype))


def _zeros(x: Any) -> Any:
    """Return zeros of the shape of ``x``, which need no memory."""
    if prod(n or 1 for n in x.shape) > _LARGEST:
        raise CaptureError(
            f"an array of shape {x.shape} without elements is more than a capture can follow here"
        )
    return np.broadcast_to(np.zeros((), _stand_in(x.dtype)), x.shape)


def _exact(x: Any) -> Any:
    """Return a setting as part of a key, in which 1, 1.0 and True differ."""
    if is_array(x):
        return x.dtype, len(x.shape)
    if type(x) in (tuple, list):
        return tuple(map(_exact, x))
    return type(x), x


def tried(name: str, args: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """Return the specs of the results of a call with arrays of zeros of the real shapes, one of them empty."""
    return call(name, args, settings, _zeros)


def call(name: str, args: tuple[Any, ...], settings: dict[str, Any], made: Callable[[Any], Any]) -> Any:
    """Return the specs of the results of NumPy's function on arrays that ``made`` gives for the operands."""
    dtypes: set[Any] = set()
    natives = [_native(x, made, dtypes) for x in args]
    keywords = {key: _native(value, made, dtypes) for key, value in settings.items()}
    brain = next((one for one in dtypes if one.name == "bfloat16"), None)
    if brain is not None and _HALF in dtypes:  # the two promote to float32
        natives = [
            x.astype(_SINGLE) if isinstance(x, np.ndarray) and x.dtype == _HALF else x for x in natives
        ]
        brain = None
    with np.errstate(all="ignore"):
        out = device("numpy").function(name)(*natives, **keywords)
    if isinstance(out, tuple | list):
        return tuple(_spec(one, brain) for one in out)
    return _spec(out, brain)


def _native(x: Any, made: Callable[[Any], Any], dtypes: set[Any]) -> Any:
    if is_array(x):
        dtypes.add(x.dtype)
        return made(x)
    if type(x) in (tuple, list):
        return type(x)(_native(one, made, dtypes) for one in x)
    if isinstance(x, np.dtype):
        return _stand_in(x)
    return x


def _stand_in(dtype: Any) -> Any:
    """Return the dtype in whose place float16 stands for NumPy: bfloat16, which promotes in the same way."""
    return _HALF if dtype.name == "bfloat16" else dtype


def _spec(out: Any, brain: Any) -> Spec:
    dtype = np.asarray(out).dtype if not hasattr(out, "dtype") else out.dtype
    return Spec(tuple(np.shape(out)), brain if brain is not None and dtype == _HALF else dtype)


def is_empty(*shapes: tuple[int, ...]) -> bool:
    """Return whether an array of one of these shapes has no elements."""
    return any(0 in shape for shape in shapes)


def axis_of(axis: Any, ndim: int) -> int:
    """Return an axis counted from the front; an axis that is not there raises ``numpy.exceptions.AxisError``."""
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return int(axis % ndim)


def replaced(shape: tuple[int, ...], axis: int, *lengths: int) -> tuple[int, ...]:
    """Return a shape with other lengths in the place of an axis."""
    return (*shape[:axis], *lengths, *shape[axis + 1 :])
