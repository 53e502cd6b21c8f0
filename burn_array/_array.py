"""Pickles made by version 0.1 name ``Array`` here."""

from ._core.array import Array as Array
