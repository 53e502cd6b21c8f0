"""Methods of an array that differentiate, which ``Array`` takes into its body; the adapter does the work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array


def requires_grad(x: Array, /) -> bool:
    """Whether the array is a parameter, for which ``backward`` gives a gradient."""
    return x._device.adapter.requires_grad(x._native)


def is_tracked(x: Array, /) -> bool:
    """Whether the array is a parameter or was computed from one."""
    return x._device.adapter.is_tracked(x._native)


def require_grad(x: Array, /) -> Array:
    """Make the array a parameter, and return it.

    Raises
    ------
    GradientError
        on a device without autodiff, for a dtype without gradient, or for a computed array
    """
    made: Array = x._device.adapter.require_grad(x)
    return made


def detach(x: Array, /) -> Array:
    """Return the array as a constant: the same values without their history."""
    return type(x)(x._device.adapter.detach(x._native), x._device)


def backward(
    x: Array, /, grad: Array | None = None, *, retain_graph: bool = False, create_graph: bool = False
) -> Any:
    """Return the gradients of the array for all parameters behind it, by parameter: ``grads[x]``.

    Parameters
    ----------
    grad
        weights of the elements, of shape, dtype and device of the array; ones if left out
    retain_graph
        keep what was recorded, for another ``backward``
    create_graph
        record this pass too, so that the gradients can be differentiated

    Raises
    ------
    GradientError
        if nothing was recorded, it has been used up, or ``grad`` does not fit
    """
    return x._device.adapter.backward(x, grad, retain_graph or create_graph, create_graph)
