"""The adapter of NumPy: devices, moves and operators in place. The functions are in the modules beside this one."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from burn_array.errors import CopyRequiredError

from ..common.error_texts import NUMPY_ERRORS
from ..common.numpy_like import DTYPES
from ..common.random import RandomExtension
from ..common.special import SpecialFunctions
from ._undispatched import undispatched
from .creation_functions import CreationFunctions
from .data_type_functions import DataTypeFunctions
from .elementwise_functions import ElementwiseFunctions
from .fft import FourierExtension
from .indexing import IndexingFunctions
from .linalg import LinearAlgebraFunctions
from .manipulation_functions import ManipulationFunctions
from .memory import compute
from .searching_functions import SearchingFunctions
from .set_functions import SetFunctions
from .sorting_functions import SortingFunctions
from .statistical_functions import StatisticalFunctions
from .utility_functions import UtilityFunctions

_NUMBERS: dict[str, Any] = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}
_BITS: dict[str, Any] = {
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
}
_INTEGERS: dict[str, Any] = {
    **_NUMBERS,
    **_BITS,
    "bitwise_left_shift": np.bitwise_left_shift,
    "bitwise_right_shift": np.bitwise_right_shift,
    "floor_divide": np.floor_divide,
    "remainder": np.remainder,
}
_IN_PLACE: dict[str, dict[str, Any]] = {
    "b": _BITS,
    "i": _INTEGERS,
    "u": _INTEGERS,
    "f": {**_NUMBERS, "divide": np.divide, "pow": np.power, "remainder": np.remainder},
    "c": {**_NUMBERS, "divide": np.divide},
}
"""Operators that can work in place, by kind of dtype; the ufuncs themselves handle operands that overlap."""


class NumpyAdapter(
    CreationFunctions,
    DataTypeFunctions,
    ElementwiseFunctions,
    IndexingFunctions,
    ManipulationFunctions,
    SearchingFunctions,
    SetFunctions,
    SortingFunctions,
    StatisticalFunctions,
    UtilityFunctions,
    LinearAlgebraFunctions,
    FourierExtension,
    RandomExtension,
    SpecialFunctions,
):
    """NumPy, in the memory of the host."""

    name = "numpy"
    library = np
    array_type = np.ndarray
    any_bounds = True
    native_device = "cpu"
    special_library = "scipy.special"
    errors = NUMPY_ERRORS
    dtypes = DTYPES
    reusing = staticmethod(compute)
    dtype_of = operator.attrgetter("dtype")  # type: ignore[assignment]
    shape_of = operator.attrgetter("shape")  # type: ignore[assignment]

    def __init__(self, suffix: str) -> None:
        if suffix not in ("", "cpu"):
            raise self.absent(suffix)
        super().__init__("")

    def adopt(self, value: Any) -> np.ndarray[Any, Any]:
        return np.asarray(value)

    item = staticmethod(np.ndarray.item)  # type: ignore[assignment]

    def in_place(self, name: str, native: Any, other: Any) -> bool:
        dtype = native.dtype
        ufunc = _IN_PLACE[dtype.kind].get(name)
        if ufunc is None:
            return False
        if type(other) is np.ndarray:
            if name == "pow" or (other.dtype != dtype and np.promote_types(other.dtype, dtype) != dtype):
                return False
        elif name == "pow":
            if other == 0.5:
                return False
            if other == 2:
                ufunc, other = np.multiply, native
        try:
            ufunc(native, other, native)
        except (OverflowError, TypeError, ValueError):  # a number, a dtype or a shape does not fit
            return False
        return True

    def memory(self, native: Any) -> tuple[Any, Any]:
        base = native.base
        owner = base if type(base) is np.ndarray else native
        return owner, owner

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        return native

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        return np.array(array, copy=True) if copy else np.asarray(array)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        if type(exporter) is np.ndarray:
            return self.from_host(exporter, copy)
        try:
            array = np.from_dlpack(exporter, copy=copy)
        except ValueError as error:
            raise CopyRequiredError(str(error)) from error
        strides = array.strides
        if (
            0 in strides
            and array.size
            and any(n > 1 and not s for n, s in zip(array.shape, strides, strict=True))
        ):
            array.flags.writeable = False  # one element stands for many, as after broadcast_to
        return array

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        """Return the function ``name``, without NumPy's search for overrides."""
        return undispatched(super().find(name))
