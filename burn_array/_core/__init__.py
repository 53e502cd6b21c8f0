"""The core: the array, its device, and the steps from a function of the namespace to a function of the library."""

import numpy

_OLDEST = (2, 1)

if tuple(int(part) for part in numpy.__version__.split(".")[:2]) < _OLDEST:
    raise ImportError(
        f"burn_array needs NumPy {'.'.join(map(str, _OLDEST))} or newer, but NumPy {numpy.__version__} is installed: "
        f"pip install --upgrade numpy"
    )
