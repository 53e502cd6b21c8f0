"""The methods of :class:`Array` that differentiate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .interchange import Interchange

if TYPE_CHECKING:
    from .array import Array


class Gradients(Interchange):
    """Methods of an array that differentiate; the adapter of its device does the work."""

    __slots__ = ()

    @property
    def requires_grad(self: Any) -> bool:
        """Whether the array is a parameter, for which ``backward`` gives a gradient."""
        return self._device.adapter.requires_grad(self._native)

    @property
    def is_tracked(self: Any) -> bool:
        """Whether the array is a parameter or was computed from one."""
        return self._device.adapter.is_tracked(self._native)

    def require_grad(self: Any, /) -> Array:
        """Make the array a parameter, and return it.

        Raises
        ------
        GradientError
            on a device without autodiff, for a dtype without gradient, or for a computed array
        """
        made: Array = self._device.adapter.require_grad(self)
        return made

    def detach(self: Any, /) -> Array:
        """Return the array as a constant: the same values without their history."""
        return type(self)(self._device.adapter.detach(self._native), self._device)

    def backward(
        self: Any, /, grad: Array | None = None, *, retain_graph: bool = False, create_graph: bool = False
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
        return self._device.adapter.backward(self, grad, retain_graph or create_graph, create_graph)
