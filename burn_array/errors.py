"""Every error that burn_array raises itself.

::

    BurnArrayError
    ├── DeviceError (ValueError)             an unknown, absent or unusable device
    │   ├── DeviceNotFoundError              no such device here; the text names what is there
    │   └── DeviceMismatchError              two committed devices in one call
    ├── DTypeError (TypeError)               a dtype or kind that the function does not take
    │   └── UnsupportedDTypeError            a dtype that the device does not have
    ├── ArgumentTypeError (TypeError)        an argument that is no array, number or dtype
    │   └── NoDTypeError (also ArgumentError)  only Python numbers where something with a dtype is needed
    ├── ArgumentError (ValueError)           a value outside of what the function takes
    │   ├── ShapeError                       shapes that do not go together
    │   └── AxisError (IndexError)           an axis that the array does not have
    ├── ArrayIndexError (IndexError)         an index outside the array
    ├── IntegerOverflowError (OverflowError) a Python int that the dtype cannot hold
    ├── CopyRequiredError (ValueError, BufferError)  ``copy=False`` where only a copy would do
    ├── ExportError (BufferError)            memory that cannot be handed out as asked
    ├── HostAccessError (TypeError)          accelerator memory asked for as host memory
    ├── OutOfMemoryError (MemoryError)       the device has no room left
    ├── NotSupportedError (NotImplementedError)      a gap that the adapter declares
    ├── LibraryError (RuntimeError)          anything else the library beneath raised
    └── GradientError (RuntimeError)         differentiation that cannot be done as asked

Each is also the builtin in brackets, which is what the standard asks for. Every text names the
function, the devices or dtypes, and the next step to take.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .adapter import Adapter

__all__ = [
    "ArgumentError",
    "ArgumentTypeError",
    "ArrayIndexError",
    "AxisError",
    "BurnArrayError",
    "CopyRequiredError",
    "DTypeError",
    "DeviceError",
    "DeviceMismatchError",
    "DeviceNotFoundError",
    "ExportError",
    "GradientError",
    "HostAccessError",
    "IntegerOverflowError",
    "LibraryError",
    "NoDTypeError",
    "NotSupportedError",
    "OutOfMemoryError",
    "ShapeError",
    "UnsupportedDTypeError",
    "explain",
]


class BurnArrayError(Exception):
    """The root of the tree."""


class DeviceError(BurnArrayError, ValueError):
    """A device that is unknown, absent or not usable for this call."""


class DeviceNotFoundError(DeviceError):
    """No such device here."""


class DeviceMismatchError(DeviceError):
    """Arrays committed to different devices met in one call."""


class DTypeError(BurnArrayError, TypeError):
    """A dtype, or a kind of dtype, that the function does not take."""


class UnsupportedDTypeError(DTypeError):
    """A dtype that the device does not have."""


class ArgumentTypeError(BurnArrayError, TypeError):
    """An argument of a type that the function does not take."""


class ArgumentError(BurnArrayError, ValueError):
    """A value outside of what the function takes."""


class NoDTypeError(ArgumentTypeError, ArgumentError):
    """Nothing but Python numbers where something with a dtype is needed; of both kinds, as libraries raise either."""


class ShapeError(ArgumentError):
    """Shapes that do not go together."""


class AxisError(ArgumentError, IndexError):
    """An axis that the array does not have."""


class ArrayIndexError(BurnArrayError, IndexError):
    """An index outside the array, or of a form that indexing does not take."""


class IntegerOverflowError(BurnArrayError, OverflowError):
    """A Python int that the dtype cannot hold."""


class CopyRequiredError(BurnArrayError, ValueError, BufferError):
    """``copy=False`` where only a copy would do."""


class ExportError(BurnArrayError, BufferError):
    """Memory that cannot be handed out as asked."""


class HostAccessError(BurnArrayError, TypeError):
    """Memory of an accelerator was asked for as host memory."""


class OutOfMemoryError(BurnArrayError, MemoryError):
    """The device has no room left."""


class NotSupportedError(BurnArrayError, NotImplementedError):
    """A gap that the adapter of the device declares."""


class LibraryError(BurnArrayError, RuntimeError):
    """Any other error of the library beneath."""


class GradientError(BurnArrayError, RuntimeError):
    """A differentiation that cannot be done as asked."""


_BY_NAME: dict[str, type[BurnArrayError]] = {"AxisError": AxisError, "OutOfMemoryError": OutOfMemoryError}
"""Names that several libraries give to their own classes of errors."""

_BY_PYTHON_TEXT: list[tuple[type[Exception], str, type[BurnArrayError]]] = [
    (TypeError, "slice indices must be integers", ArrayIndexError),
    (TypeError, "must be (a )?real number|must be an? int|must be int|integer argument", ArgumentTypeError),
    (TypeError, "interpreted as an integer|not iterable|can't multiply sequence", ArgumentTypeError),
    (AttributeError, "no attribute '(dtype|shape|ndim)'", ArgumentTypeError),
    (IndexError, "^tuple index out of range", AxisError),
]
"""Texts of Python itself, which any library may pass on: the builtin class, a pattern, and what they stand for."""

_BY_BUILTIN: list[tuple[type[Exception], type[BurnArrayError]]] = [
    (OverflowError, IntegerOverflowError),
    (NotImplementedError, NotSupportedError),
    (BufferError, ExportError),
    (IndexError, ArrayIndexError),
    (TypeError, DTypeError),
    (ZeroDivisionError, ArgumentError),
    (ValueError, ArgumentError),
]


def explain(function: str, error: Exception, operands: Sequence[str], *adapters: Adapter) -> Exception:
    """Return the error of this tree for an ``error`` that a library raised inside ``function``.

    Parameters
    ----------
    function
        name of the function of the namespace, which begins the text
    error
        what the library raised; an error of this tree keeps its class, and is returned unchanged if its text begins
        with the name of the function
    operands
        short texts such as ``"float64[2, 3]"``
    adapters
        the adapter of the device on which the function ran, or of both devices of a move; their ``errors`` say what
        the texts of their libraries mean
    """
    reason = str(error).strip().split("\n")[0] or type(error).__name__
    if isinstance(error, BurnArrayError):
        if reason.startswith((function, function.rpartition(".")[2])):
            return error
        kind: type[Exception] = type(error)
    else:
        kind = _kind(error, reason, adapters)
    device = " -> ".join(map(str, adapters))
    return kind(f"{function}({', '.join(operands)}) on {device}: {reason:.300}")


def _kind(error: Exception, reason: str, adapters: Sequence[Adapter]) -> type[Exception]:
    """Return the class that stands for an error: by its name, else by its text, else by its builtin class."""
    name = type(error).__name__
    if name in _BY_NAME:
        return _BY_NAME[name]
    if isinstance(error, MemoryError):
        return OutOfMemoryError
    for builtin, pattern, kind in _BY_PYTHON_TEXT:
        if isinstance(error, builtin) and re.search(pattern, reason):
            return kind
    line = f"{name}: {reason}"
    for adapter in adapters:
        for pattern, stands_for in adapter.errors:
            if re.search(pattern, line, re.IGNORECASE):
                return stands_for
    for builtin, kind in _BY_BUILTIN:
        if isinstance(error, builtin):
            return kind
    return LibraryError
