"""Data type functions on NumPy."""

from __future__ import annotations


class DataTypeFunctions:
    """The page *data type functions* of the standard; the method is faster than ``numpy.astype``."""

    astype = staticmethod(lambda x, dtype, *, copy: x.astype(dtype, copy=copy))
