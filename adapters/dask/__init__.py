"""The adapter of dask."""

from .adapter import DaskAdapter as DaskAdapter
