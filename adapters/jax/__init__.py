"""The adapter of JAX."""

from .adapter import JaxAdapter as JaxAdapter
