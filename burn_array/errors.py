"""The errors of burn_array.

::

    BurnArrayError
    ├── DeviceError (ValueError)             an unknown, absent or unusable device
    │   ├── DeviceNotFoundError              no such device here; the text names what is there
    │   └── DeviceMismatchError              two committed devices in one call
    ├── DTypeError (TypeError)               a dtype that the function does not accept
    │   └── UnsupportedDTypeError            a dtype that the device lacks
    ├── ArgumentTypeError (TypeError)        an argument of the wrong type
    │   └── NoDTypeError (also ArgumentError)  only Python numbers, but a dtype is needed
    ├── ArgumentError (ValueError)           an argument with an invalid value
    │   ├── ShapeError                       shapes that do not fit together
    │   └── AxisError (IndexError)           an axis that the array does not have
    ├── ArrayIndexError (IndexError)         an index outside the array
    ├── IntegerOverflowError (OverflowError) a Python int that the dtype cannot hold
    ├── CopyRequiredError (ValueError, BufferError)  ``copy=False``, but a copy is needed
    ├── ExportError (BufferError)            memory that cannot be exported as asked
    ├── HostAccessError (TypeError)          an array on an accelerator used as host memory
    ├── OutOfMemoryError (MemoryError)       the device has too little free memory
    ├── NotSupportedError (NotImplementedError)      a function that the library lacks
    ├── ClusterLostError (ConnectionError)   a cluster that went away while it computed
    ├── LibraryError (RuntimeError)          any other error that the library raised
    └── GradientError (RuntimeError)         a derivative that cannot be computed as asked

Each class is also a subclass of the builtin in brackets. The text names the function and the devices or dtypes, and the
next step where there is one.
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
    "ClusterLostError",
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
    """The base class of all errors of burn_array."""


class DeviceError(BurnArrayError, ValueError):
    """A device that is unknown, absent or unusable for this call."""


class DeviceNotFoundError(DeviceError):
    """This machine has no such device; the text says which devices it has."""


class DeviceMismatchError(DeviceError):
    """One call got arrays that are committed to different devices."""


class DTypeError(BurnArrayError, TypeError):
    """A dtype that the function does not accept."""


class UnsupportedDTypeError(DTypeError):
    """A dtype that the device lacks."""


class ArgumentTypeError(BurnArrayError, TypeError):
    """An argument of a type that the function does not accept."""


class ArgumentError(BurnArrayError, ValueError):
    """An argument with a value that the function does not accept."""


class NoDTypeError(ArgumentTypeError, ArgumentError):
    """Only Python numbers were given, but a dtype is needed. Libraries raise ``TypeError`` or ``ValueError`` here."""


class ShapeError(ArgumentError):
    """Shapes that do not fit together."""


class AxisError(ArgumentError, IndexError):
    """An axis that the array does not have."""


class ArrayIndexError(BurnArrayError, IndexError):
    """An index outside the array, or of a type that indexing does not accept."""


class IntegerOverflowError(BurnArrayError, OverflowError):
    """A Python int that the dtype cannot hold."""


class CopyRequiredError(BurnArrayError, ValueError, BufferError):
    """``copy=False`` was asked for, but a copy is needed."""


class ExportError(BurnArrayError, BufferError):
    """Memory that cannot be exported as asked."""


class HostAccessError(BurnArrayError, TypeError):
    """An array on an accelerator was used as host memory."""


class OutOfMemoryError(BurnArrayError, MemoryError):
    """The device has too little free memory."""


class NotSupportedError(BurnArrayError, NotImplementedError):
    """A function that the library of the device lacks, as its adapter declares or finds."""


class ClusterLostError(BurnArrayError, ConnectionError):
    """A cluster, or a worker of it, went away while it computed, or holds results that are gone."""


class LibraryError(BurnArrayError, RuntimeError):
    """Any other error that the library raised."""


class GradientError(BurnArrayError, RuntimeError):
    """A derivative that cannot be computed as asked."""


_BY_NAME: dict[str, type[BurnArrayError]] = {"AxisError": AxisError, "OutOfMemoryError": OutOfMemoryError}
"""Error classes of these names mean the same in every library."""

_BY_PYTHON_TEXT: list[tuple[type[Exception], str, type[BurnArrayError]]] = [
    (TypeError, "slice indices must be integers", ArrayIndexError),
    (TypeError, "must be (a )?real number|must be an? int|must be int|integer argument", ArgumentTypeError),
    (TypeError, "interpreted as an integer|not iterable|can't multiply sequence", ArgumentTypeError),
    (AttributeError, "no attribute '(dtype|shape|ndim)'", ArgumentTypeError),
    (IndexError, "^tuple index out of range", AxisError),
]
"""Texts of Python itself, which any library may pass on: builtin class, regular expression, class of this tree."""

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
        what the library raised; an error of this tree keeps its class, and it is returned unchanged if its text begins
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
    """Return the class of this tree for an error, chosen by its class name, else its text, else its builtin class."""
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
