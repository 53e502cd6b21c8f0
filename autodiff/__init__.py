"""Automatic differentiation, as an adapter around any other adapter.

A device with ``+autodiff`` in its name records what is computed from tracked arrays; ``backward`` or the
functions here give the derivatives.
"""

from .check import check_grads
from .custom import checkpoint, custom_vjp, stop_gradient
from .functional import grad, value_and_grad, vjp
from .higher import hessian, hvp, jacobian, jvp

__all__ = [
    "check_grads",
    "checkpoint",
    "custom_vjp",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
