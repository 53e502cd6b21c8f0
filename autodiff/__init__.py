"""Automatic differentiation, as an adapter around any other adapter."""
