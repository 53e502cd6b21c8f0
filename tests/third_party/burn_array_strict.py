"""The adapter of a third party, in one file: array-api-strict becomes a device of burn_array."""

from __future__ import annotations

import operator
from typing import Any

import array_api_strict as strict
import numpy as np

from burn_array.adapter import Adapter, promote, promote_scalar
from burn_array.errors import CopyRequiredError

ARRAY = type(strict.zeros(0))
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
TO_STRICT = {np.dtype(name): getattr(strict, name) for name in NAMES.split()}
TO_NUMPY = {theirs: dtype for dtype, theirs in TO_STRICT.items()}


def promoted(name: str) -> Any:
    """Return the library's function after promotion: it refuses dtypes of different kinds by itself."""
    function = getattr(strict, name)

    def binary(x1: Any, x2: Any) -> Any:
        if not isinstance(x1, ARRAY):
            dtype = promote_scalar(TO_NUMPY[x2.dtype], type(x1))
        elif not isinstance(x2, ARRAY):
            dtype = promote_scalar(TO_NUMPY[x1.dtype], type(x2))
        else:
            dtype = promote(TO_NUMPY[x1.dtype], TO_NUMPY[x2.dtype])
        return function(*(strict.asarray(x, dtype=TO_STRICT[dtype]) for x in (x1, x2)))

    return staticmethod(binary)


class StrictAdapter(Adapter):
    """Adapter of array-api-strict; its CPU device is the only one that is no simulation."""

    name = "strict"
    library = strict
    array_type = ARRAY
    native_device = strict.Device("CPU_DEVICE")
    dtypes = TO_STRICT

    def dtype_of(self, native: Any) -> np.dtype[Any]:
        return TO_NUMPY[native.dtype]

    def adopt(self, value: Any) -> Any:
        return strict.asarray(value)

    def item(self, native: Any) -> Any:
        return np.asarray(native).item()

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        return np.asarray(native)

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        return strict.asarray(array, copy=copy)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        try:
            return strict.from_dlpack(exporter, copy=copy)
        except ValueError as error:
            raise CopyRequiredError(str(error)) from error

    getitem = operator.getitem

    @staticmethod
    def setitem(x: Any, key: Any, value: Any) -> None:
        """Cast the value first: the library does not."""
        x[key] = strict.asarray(np.asarray(value).astype(TO_NUMPY[x.dtype]))

    copy = staticmethod(lambda x: strict.asarray(x, copy=True))
    add, subtract, multiply, divide = map(promoted, ("add", "subtract", "multiply", "divide"))
    equal, less, maximum, minimum = map(promoted, ("equal", "less", "maximum", "minimum"))
