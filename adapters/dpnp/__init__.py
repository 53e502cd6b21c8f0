"""The adapter of dpnp."""

from .adapter import DpnpAdapter as DpnpAdapter
