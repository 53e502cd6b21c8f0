"""The methods ``require_grad`` and ``backward`` of arrays, and the gradients that ``backward`` returns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import burn_array
from burn_array.errors import ArgumentTypeError, GradientError

from .engine.backward_pass import BackwardPass, TrackingBackwardPass
from .engine.tape import GraphValue, Leaf

if TYPE_CHECKING:
    from burn_array import Array, Device


class Gradients:
    """The gradients of one backward pass: ``gradients[w]`` for each parameter ``w`` that the result depends on.

    They are arrays on the device without autodiff; after ``create_graph=True`` they are tracked. Iteration gives them
    in the order in which the parameters were declared.
    """

    __slots__ = ("_found",)

    def __init__(self, found: dict[Leaf, Array]) -> None:
        self._found = found

    def __getitem__(self, x: Array) -> Array:
        found: Array | None = self.get(x)
        if found is None:
            raise GradientError(
                "there is no gradient for this array: the result does not depend on it, or it is no parameter; "
                "call x.require_grad() before the computation"
            )
        return found

    def get(self, x: Array, default: Any = None) -> Any:
        """Return the gradient of ``x``, or ``default``."""
        leaf = leaf_of(x)
        return default if leaf is None else self._found.get(leaf, default)

    def pop(self, x: Array, default: Any = None) -> Any:
        """Return the gradient of ``x`` and remove it."""
        leaf = leaf_of(x)
        return default if leaf is None else self._found.pop(leaf, default)

    def replace(self, x: Array, gradient: Array) -> None:
        """Replace the gradient of ``x``.

        Raises
        ------
        GradientError
            If ``x`` is no parameter, or the gradient is tracked, or has another device, shape or dtype.
        """
        leaf = leaf_of(x)
        if leaf is None:
            raise GradientError("replace: the array is no parameter; call x.require_grad() first")
        if gradient.device.is_autodiff or gradient.device != x.device:
            raise GradientError(
                f"replace: the gradient is on {gradient.device}; give one on the inner device {x.device.inner}"
            )
        _check_like("replace", gradient, x)
        self._found[leaf] = gradient

    def __contains__(self, x: Array) -> bool:
        return self.get(x) is not None

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Array]:
        return (self._found[leaf] for leaf in sorted(self._found, key=lambda leaf: leaf.order))

    def __repr__(self) -> str:
        return f"Gradients({[f'{g.dtype}{list(g.shape)}' for g in self]})"


def autodiff_adapter(device: Device) -> Any:
    """Return the adapter of an autodiff device, whose type the core does not know."""
    return device.adapter


def leaf_of(x: Array) -> Leaf | None:
    """Return the node of a parameter, ``None`` for any other array."""
    native = x._native
    return native.node if type(native) is GraphValue and type(native.node) is Leaf else None


def require_grad(x: Array) -> Array:
    """Make ``x`` a parameter, in place, and return it."""
    if x.dtype.kind not in "fc" and x.dtype.name != "bfloat16":
        raise GradientError(
            f"require_grad: an array of {x.dtype} has no gradient; convert it with astype(x, float64)"
        )
    node = x._native.node
    if node is None:
        x._native = GraphValue(x._native.value, Leaf(x._device))
    elif type(node) is not Leaf:
        raise GradientError(
            "require_grad: the array was computed from tracked ones already; use x.detach() first"
        )
    return x


def backward(y: Array, grad: Array | None, retain_graph: bool, create_graph: bool) -> Gradients:
    """Return the gradients of ``y``, weighted by ``grad`` (ones by default), by parameter."""
    node = y._native.node
    if node is None:
        raise GradientError(
            f"backward: the array ({y.dtype}{list(y.shape)}) is not tracked; "
            f"call x.require_grad() on a parameter before computing from it"
        )
    device = y._device
    if create_graph:
        seed = unit_seed(y) if grad is None else _checked_seed(y, grad)
        tracked = TrackingBackwardPass(False).run([(node, seed)])
        leaves: dict[Any, Array] = {leaf: separate_array(g, leaf.device) for leaf, g in tracked.items()}  # type: ignore[attr-defined]
        return Gradients(leaves)
    xp = autodiff_adapter(device).plain
    value = xp.ones_like(y._native.value) if grad is None else _checked_seed(y, grad)._native.value
    backward_pass = BackwardPass(not retain_graph)
    found = backward_pass.run([(node, value)])
    seen = {id(value)}
    at, inner = device, inner_device(device)
    gradients: dict[Any, Array] = {}
    for leaf, g in found.items():
        if leaf.device is not at:  # type: ignore[attr-defined]
            at = leaf.device  # type: ignore[attr-defined]
            xp, inner = autodiff_adapter(at).plain, inner_device(at)
        gradients[leaf] = burn_array.Array(copy_if_shared(xp, g, seen, backward_pass.moved), inner)
    return Gradients(gradients)


def copy_if_shared(xp: Any, g: Any, seen: set[int], moved: bool) -> Any:
    """Return a cotangent with memory of its own: copied if it is a view, was moved, or was returned before."""
    if moved or xp.is_view(g) or id(g) in seen:
        g = xp.copy(g)
    seen.add(id(g))
    return g


def separate_array(g: Array, at: Device) -> Array:
    """Return a tracked cotangent as an array of its own, as committed as ``at``: several may have got the same."""
    tag = g._device if at is at.committed else g._device.uncommitted
    g._native.owns_memory = False
    return burn_array.Array(GraphValue(g._native.value, g._native.node), tag)


def unit_seed(y: Array) -> Array:
    """Return the cotangent of a result itself."""
    return burn_array.Array(
        GraphValue(autodiff_adapter(y._device).plain.ones_like(y._native.value), None), y._device
    )


def inner_device(device: Device) -> Device:
    """Return the device inside ``device``, committed or not as that is."""
    inner: Device = autodiff_adapter(device).inner_device
    return inner if device is device.committed else inner.uncommitted


def _checked_seed(y: Array, grad: Any) -> Array:
    if type(grad) is not burn_array.Array:
        raise ArgumentTypeError(f"backward: grad must be an Array like the result, not {grad!r:.60}")
    if grad.device != y.device:
        raise GradientError(
            f"backward: grad is on {grad.device}, the result on {y.device}; move it with to_device"
        )
    _check_like("backward", grad, y)
    return grad if grad.device.is_autodiff else grad.to_device(y.device)


def _check_like(function: str, grad: Array, x: Array) -> None:
    if grad.shape != x.shape:
        raise GradientError(
            f"{function}: the gradient has shape {grad.shape}, the array {x.shape}; reshape it"
        )
    if grad.dtype != x.dtype:
        raise GradientError(
            f"{function}: the gradient is {grad.dtype}, the array {x.dtype}; convert it with astype"
        )
