"""The methods of :class:`Array` that differentiate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .interchange import Interchange

if TYPE_CHECKING:
    from .array import Array


class Gradients(Interchange):
    """The methods of an array that differentiate. The adapter of its device does the work."""

    __slots__ = ()

    @property
    def requires_grad(self: Any) -> bool:
        """Whether the array is a parameter: ``backward`` gives a gradient for it."""
        return self._device.adapter.requires_grad(self._native)

    @property
    def is_tracked(self: Any) -> bool:
        """Whether the array is a parameter or was computed from one."""
        return self._device.adapter.is_tracked(self._native)

    def require_grad(self: Any, /) -> Array:
        """Make the array a parameter, and return the array itself.

        Raises
        ------
        GradientError
            If the device does not differentiate, the dtype is not floating-point, or the array was computed.
        """
        made: Array = self._device.adapter.require_grad(self)
        return made

    def detach(self: Any, /) -> Array:
        """Return an array with the same values that is not tracked."""
        return type(self)(self._device.adapter.detach(self._native), self._device)

    def backward(
        self: Any, /, grad: Array | None = None, *, retain_graph: bool = False, create_graph: bool = False
    ) -> Any:
        """Return the gradients of the array with respect to all parameters it was computed from.

        Parameters
        ----------
        grad : Array, optional
            The cotangent: a weight for each element, with shape, dtype and device of the array. Ones by default.
        retain_graph : bool
            Keep what was recorded, so that ``backward`` can be called again.
        create_graph : bool
            Record this pass too, so that the gradients can be differentiated.

        Returns
        -------
        Gradients
            A mapping: ``gradients[w]`` is the gradient with respect to the parameter ``w``, of its shape and dtype.

        Raises
        ------
        GradientError
            If nothing was recorded, what was recorded has been used up, or ``grad`` does not match the array.
        """
        return self._device.adapter.backward(self, grad, retain_graph or create_graph, create_graph)
