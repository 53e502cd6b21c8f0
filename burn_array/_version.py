"""The version of burn_array; no other file holds it."""

__version__ = "0.1.0"
