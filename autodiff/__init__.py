"""Automatic differentiation, as an adapter around any other adapter."""

from .functional import grad, value_and_grad, vjp

__all__ = ["grad", "value_and_grad", "vjp"]
