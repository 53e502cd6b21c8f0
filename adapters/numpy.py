"""The adapter of NumPy."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from burn_array.adapter import Adapter, composed
from burn_array.adapters import numpy_like
from burn_array.errors import CopyRequiredError

_DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"


def _copy(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.array(x, copy=True, order="C")


class NumpyAdapter(Adapter):
    """NumPy, in the memory of the host."""

    name = "numpy"
    library = np
    array_type = np.ndarray
    native_device = "cpu"
    dtypes = {np.dtype(name): np.dtype(name) for name in _DTYPES.split()}

    def __init__(self, suffix: str) -> None:
        if suffix not in ("", "cpu"):
            raise self.absent(suffix)
        super().__init__("")
        self.dtype_of = operator.attrgetter("dtype")  # type: ignore[method-assign]
        self.shape_of = operator.attrgetter("shape")  # type: ignore[method-assign]

    def adopt(self, value: Any) -> np.ndarray[Any, Any]:
        return np.asarray(value)

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Any) -> np.ndarray[Any, Any]:
        return native  # type: ignore[no-any-return]

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Any:
        return _copy(array) if copy else np.asarray(array)

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Any:
        try:
            return np.from_dlpack(exporter, copy=copy)
        except ValueError as error:
            raise CopyRequiredError(str(error)) from error

    # -- indexing -----------------------------------------------------------------------------

    getitem = operator.getitem
    setitem = operator.setitem
    copy = staticmethod(_copy)
    scatter_add = composed(numpy_like.scatter_add)

    # -- faster than the namesake --------------------------------------------------------------

    sum = np.add.reduce
    prod = np.multiply.reduce

    # -- what NumPy names or does otherwise -----------------------------------------------------

    argsort = composed(numpy_like.argsort)
    sort = composed(numpy_like.sort)
    diff = composed(numpy_like.diff)
    fft_fftfreq = composed(numpy_like.fftfreq)
    fft_rfftfreq = composed(numpy_like.rfftfreq)
