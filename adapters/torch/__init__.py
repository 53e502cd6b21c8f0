"""The adapter of PyTorch."""

from .adapter import TorchAdapter as TorchAdapter
