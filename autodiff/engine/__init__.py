"""The engine: it records calls and runs the backward pass.

The derivative rules are in ``burn_array.autodiff.rules``.
"""
