"""The Python Array API standard, revision 2025.12, over many array libraries.

An array knows its device, which decides the library that computes: NumPy, PyTorch, CuPy or dpnp.

>>> import burn_array as xp
>>> x = xp.linspace(0, 1, 5, device="numpy")
>>> xp.sum(x * x)
Array(1.875, dtype=float64, device='numpy')
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import errors as errors
from . import fft as fft
from . import interop as interop
from . import linalg as linalg
from ._core.array import Array as Array
from ._core.device import Device as Device
from ._core.device import device as device
from ._core.device import devices as devices
from ._core.dtypes import bool as bool
from ._core.dtypes import complex64 as complex64
from ._core.dtypes import complex128 as complex128
from ._core.dtypes import float16 as float16
from ._core.dtypes import float32 as float32
from ._core.dtypes import float64 as float64
from ._core.dtypes import int8 as int8
from ._core.dtypes import int16 as int16
from ._core.dtypes import int32 as int32
from ._core.dtypes import int64 as int64
from ._core.dtypes import uint8 as uint8
from ._core.dtypes import uint16 as uint16
from ._core.dtypes import uint32 as uint32
from ._core.dtypes import uint64 as uint64
from ._core.interchange import restored as restored
from ._core.other_names import advice as _advice
from ._core.placement import default_device as default_device
from ._version import __version__ as __version__
from .constants import *
from .creation_functions import *
from .data_type_functions import *
from .elementwise_functions import *
from .indexing_functions import *
from .info import __array_namespace_info__ as __array_namespace_info__
from .interop import diag as diag
from .interop import einsum as einsum
from .interop import pad as pad
from .linear_algebra_functions import *
from .manipulation_functions import *
from .searching_functions import *
from .set_functions import *
from .sorting_functions import *
from .statistical_functions import *
from .utility_functions import *

if TYPE_CHECKING:
    from . import autodiff as autodiff
    from . import operations as operations
    from . import random as random
    from . import special as special
    from .program_functions import persist as persist

__array_api_version__ = "2025.12"

# Compiled modules, which are imported by now, enable the lock by themselves.
if not getattr(sys, "_is_gil_enabled", lambda: True)():
    raise ImportError(
        "burn_array needs the global interpreter lock, which this free-threaded Python has switched off: "
        "start it with PYTHON_GIL=1 or -X gil=1"
    )

for _function in (device, devices, default_device, restored):
    _function.__module__ = __name__  # pickles name these functions here, whatever file defines them
del _function

_ON_DEMAND = ("autodiff", "operations", "random", "special")
_PROGRAM_FUNCTIONS = ("persist",)

if not TYPE_CHECKING:  # a type checker that sees __getattr__ accepts every name, also a misspelt one

    def __getattr__(name: str) -> Any:
        """Import ``autodiff``, ``operations``, ``random``, ``special`` or ``persist`` at its first use.

        The error for any other name says what functions of NumPy and PyTorch are called here.
        """
        if name in _ON_DEMAND:
            return import_module(f"{__name__}.{name}")
        if name in _PROGRAM_FUNCTIONS:
            found = getattr(import_module(f"{__name__}.program_functions"), name)
            setattr(sys.modules[__name__], name, found)
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{_advice(name)}", name=name)

    def __dir__() -> list[str]:
        """Return the names of the namespace, with those that are imported at their first use."""
        return sorted({*vars(sys.modules[__name__]), *_ON_DEMAND, *_PROGRAM_FUNCTIONS})
