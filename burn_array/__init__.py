"""The Python Array API standard, revision 2025.12, over many array libraries.

>>> import burn_array as xp
>>> x = xp.linspace(0, 1, 5, device="numpy")
>>> xp.sum(x * x)
Array(1.875, dtype=float64, device='numpy')
"""

from . import errors, fft, linalg
from ._array import Array
from ._device import Device, default_device, device, devices
from ._dtypes import (
    bool,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ._version import __version__
from .constants import *
from .creation_functions import *
from .data_type_functions import *
from .elementwise_functions import *
from .indexing_functions import *
from .info import __array_namespace_info__
from .linear_algebra_functions import *
from .manipulation_functions import *
from .searching_functions import *
from .set_functions import *
from .sorting_functions import *
from .statistical_functions import *
from .utility_functions import *

__array_api_version__ = "2025.12"
