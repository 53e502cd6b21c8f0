"""The adapter of CuPy."""

from .adapter import CupyAdapter as CupyAdapter
