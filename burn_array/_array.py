"""The old place of ``Array``, kept so that arrays pickled by version 0.1 can be loaded."""

from ._core.array import Array as Array
