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


_BY_BUILTIN: list[tuple[type[Exception], type[BurnArrayError]]] = [
    (MemoryError, OutOfMemoryError),
    (OverflowError, IntegerOverflowError),
    (NotImplementedError, NotSupportedError),
    (BufferError, ExportError),
    (IndexError, ArrayIndexError),
    (TypeError, DTypeError),
    (ZeroDivisionError, ArgumentError),
    (ValueError, ArgumentError),
]

# What libraries say, in lower case, in the order of precedence: they agree on the words far more often than on the
# class (PyTorch raises RuntimeError for nearly everything).
_BY_WORDS: list[tuple[type[BurnArrayError], str]] = [
    (
        OutOfMemoryError,
        r"out of memory|unable to allocate|can't allocate memory|allocation failed|alloc_failed",
    ),
    (OutOfMemoryError, r"array is too big|size calculation overflowed|bytes of request allocation"),
    (
        OutOfMemoryError,
        r"negative value to size_t|numel: integer multiplication overflow|iterator is too large",
    ),
    (DTypeError, r"mismatched dtypes|does not support input type|boolean (positive|negative|subtract)"),
    (
        DTypeError,
        r"low precision dtypes|implementation (is )?(defined|available) for|dimensions of float, double",
    ),
    (ShapeError, r"zero-dimensional arrays"),
    (ArrayIndexError, r"of the mask|boolean index did not match|indexing arrays"),
    (
        ArgumentTypeError,
        r"must be (a )?(real number|an? int|int|tuple of ints)|should be an integer|not iterable|integer argument",
    ),
    (
        ArgumentTypeError,
        r"interpreted as an integer|invalid combination of arguments|can't multiply sequence",
    ),
    (ArgumentTypeError, r"no attribute '(dtype|shape|ndim)'|name '.*' not found in tensor"),
    (
        ArgumentError,
        r"multiple times|duplicate|repeated axis|does not match the length|axes don't match|destination",
    ),
    (ShapeError, r"at least (2|two|1|one)[- ]?d|no dimensions|more dimensions than|enough dimensions"),
    (
        ShapeError,
        r"broadcast|mismatch|must match|reshape|square|equal size|same (size|shape|ndim|number of (dim|el))",
    ),
    (
        ShapeError,
        r"incompatible|inconsistent|sizes provided|cannot assign|one-dimensional, but|dimensional vectors",
    ),
    (ShapeError, r"unknown dimension|shapes cannot|shape|ndim < 2|no attribute 'strides'"),
    (
        AxisError,
        r"axis -?\d+ is out of|dimension out of range|tuple index out of range|dimension specified as",
    ),
    (DTypeError, r"not implemented for '|for the input types"),
    (ArgumentError, r"singular|during gesv|positive[- ]definite|not supported\.$|invalid number of"),
    (ArgumentError, r"n(?:on-?|ot be )negative|negative dim"),
    (ArrayIndexError, r"index -?\d+ is out of bounds"),
    (ArgumentError, r"does not have an identity"),
]


def explain(
    function: str, error: Exception, device: str, operands: Sequence[str], advice: str = ""
) -> Exception:
    """Return the error of this tree for an ``error`` that a library raised inside ``function``.

    ``operands`` are short texts such as ``"float64[2, 3]"``. An error of this tree keeps its class; one that
    names the function is returned unchanged.
    """
    reason = str(error).strip().split("\n")[0] or type(error).__name__
    if isinstance(error, BurnArrayError):
        if reason.startswith((function, function.rpartition(".")[2])):
            return error
        kind = type(error)
    else:
        kind = _kind(error, reason)
    text = f"{function}({', '.join(operands)}) on {device}: {reason:.300}"
    return kind(f"{text}. {advice}" if advice else text)


def _kind(error: Exception, reason: str) -> type[BurnArrayError]:
    name = type(error).__name__
    if name == "OutOfMemoryError":
        return OutOfMemoryError
    if name == "AxisError":
        return AxisError
    low = reason.lower()
    for kind, words in _BY_WORDS:
        if re.search(words, low):
            return kind
    if name.endswith("LinAlgError"):
        return ArgumentError
    for builtin, kind in _BY_BUILTIN:
        if isinstance(error, builtin):
            return kind
    return LibraryError
