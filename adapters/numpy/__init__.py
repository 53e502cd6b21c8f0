"""The adapter of NumPy."""

from .adapter import NumpyAdapter as NumpyAdapter
