"""Constants of the standard: Python floats, and ``newaxis``."""

from __future__ import annotations

import math

__all__ = ["e", "inf", "nan", "newaxis", "pi"]

e: float = math.e
"""Euler's number, the base of natural logarithms."""

inf: float = math.inf
"""Positive infinity."""

nan: float = math.nan
"""Not a number."""

newaxis: None = None
"""An index that inserts an axis of length 1, as in ``x[newaxis, :]``."""

pi: float = math.pi
"""The circumference of a circle divided by its diameter."""
