"""Every error that burn_array raises itself.

::

    BurnArrayError
    ├── DeviceError (ValueError)             an unknown, absent or unusable device
    │   ├── DeviceNotFoundError              no such device here; the text names what is there
    │   └── DeviceMismatchError              two committed devices in one call
    ├── DTypeError (TypeError)               a dtype or kind that the function does not take
    │   └── UnsupportedDTypeError            a dtype that the device does not have
    ├── ArgumentTypeError (TypeError)        an argument that is no array, number or dtype
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
    (ValueError, ArgumentError),
]


def explain(
    function: str, error: Exception, device: str, operands: Sequence[str], advice: str = ""
) -> Exception:
    """Return the error of this tree for an ``error`` that a library raised inside ``function``.

    ``operands`` are short texts such as ``"float64[2, 3]"``. An error of this tree that names
    nothing more than it already does is returned unchanged.
    """
    if isinstance(error, BurnArrayError) or not isinstance(error, Exception):
        return error
    reason = str(error).strip().split("\n")[0] or type(error).__name__
    kind = _kind(error, reason)
    text = f"{function}({', '.join(operands)}) on {device}: {reason}"
    return kind(f"{text}. {advice}" if advice else text)


def _kind(error: Exception, reason: str) -> type[BurnArrayError]:
    low = reason.lower()
    if "out of memory" in low or "unable to allocate" in low or type(error).__name__ == "OutOfMemoryError":
        return OutOfMemoryError
    if type(error).__name__ == "AxisError" or "dimension out of range" in low:
        return AxisError
    if any(words in low for words in ("broadcast", "mismatch", "must match", "shape", "incompatible dim")):
        return ShapeError if isinstance(error, ValueError | RuntimeError) else DTypeError
    for builtin, kind in _BY_BUILTIN:
        if isinstance(error, builtin):
            return kind
    return LibraryError
