"""Derivatives of functions: ``grad``, ``value_and_grad`` and ``vjp``.

All of them take functions of arrays, or of tuples, lists and dicts of arrays, on any device: the arguments
are lifted to its autodiff twin for the call. They nest to any order: a result that depends on an outer
transformation is tracked for that one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import burn_array
from burn_array.adapter import kind_of
from burn_array.errors import GradientError

from .engine.backward_pass import BackwardPass, TrackingBackwardPass, reaches
from .engine.shared_memory import register_shared
from .engine.tape import LEAVES, Argument, GraphValue, Node, next_order
from .engine.trees import tree_leaves, tree_map
from .gradients import autodiff_adapter, copy_if_shared, inner_device, separate_array, unit_seed

if TYPE_CHECKING:
    from burn_array import Array

Argnums = int | tuple[int, ...]

_STATE = threading.local()


class Trace:
    """One call of a function with tracked arguments, and the backward pass through it."""

    def __init__(
        self, name: str, f: Callable[..., Any], args: tuple[Any, ...], argnums: Argnums, kwargs: Any
    ) -> None:
        self.name = name
        self.numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        self.start = next_order()
        self.given: list[Array] = []
        self.nodes: list[Node] = []
        self.plain: list[Any] = []
        self.nested = _STATE.__dict__.setdefault("depth", 0) > 0
        arguments = list(args)
        for number in self.numbers:
            arguments[number] = tree_map(self._as_argument, args[number])
        self.arguments = [arguments[number] for number in self.numbers]
        _STATE.depth += 1
        try:
            self.result = f(*arguments, **kwargs)
        finally:
            _STATE.depth -= 1

    def _as_argument(self, x: Any) -> Array:
        if type(x) in (float, complex):
            x = burn_array.asarray(x)
        if type(x) is not burn_array.Array or kind_of(x.dtype) not in "fc":
            kind = x.dtype if type(x) is burn_array.Array else type(x).__name__
            raise GradientError(
                f"{self.name}: an argument of {kind} has no derivative; convert it to a floating dtype, "
                f"or leave it out of argnums"
            )
        native, device = x._native, x._device
        if not device.is_autodiff:
            register_shared(device.adapter, native)
            native, device = GraphValue(native, None), device.autodiff()
        node = Argument(native.node)
        self.nested = self.nested or native.node is not None
        self.given.append(x)
        self.plain.append(autodiff_adapter(device).plain)
        self.nodes.append(node)
        return burn_array.Array(GraphValue(native.value, node), device)

    def depends_on_outer(self, results: list[Any]) -> bool:
        """Return whether results depend on what is tracked outside of the call."""
        if not self.nested and not LEAVES:
            return False
        return reaches([node for node in map(node_of, results) if node is not None], self.start)

    def backward(self, seeds: list[tuple[Node, Any]], tracking: bool, frees: bool) -> Any:
        """Return the cotangents of the arguments, as they were given, from those of the results."""
        targets = frozenset(self.nodes)
        seen: set[int] = set()
        moved = False
        if tracking:
            found = TrackingBackwardPass(False, targets, self.start).run(seeds)
        else:
            natives = [(node, g._native.value) for node, g in seeds]
            seen.update(id(g) for _, g in natives)
            backward_pass = BackwardPass(frees, targets, self.start)
            found, moved = backward_pass.run(natives), backward_pass.moved
        each = zip(self.given, self.nodes, self.plain, strict=True)
        gradients = iter([_gradient(x, found.get(node), xp, seen, moved) for x, node, xp in each])
        return tuple(tree_map(lambda _: next(gradients), tree) for tree in self.arguments)

    def returned(self, result: Any, tracking: bool) -> Any:
        """Return results for the caller: constants where the arguments were, unless outer levels track them."""
        if tracking:
            return result
        plain = not any(x._device.is_autodiff for x in self.given)
        return tree_map(lambda one: _constant(one, plain), result)


def _gradient(x: Array, g: Any, xp: Any, seen: set[int], moved: bool) -> Array:
    """Return a cotangent that arrived at ``x`` as an array where ``x`` is."""
    if g is None:
        return burn_array.zeros_like(x)
    if type(g) is burn_array.Array:
        return separate_array(g, x._device)
    device = x._device
    return burn_array.Array(device.adapter.adopt(copy_if_shared(xp, g, seen, moved)), device)


def node_of(x: Any) -> Node | None:
    """Return the node of a tracked array."""
    native = x._native if type(x) is burn_array.Array else None
    return native.node if type(native) is GraphValue else None


def _constant(x: Any, plain: bool) -> Any:
    if type(x) is not burn_array.Array or not x._device.is_autodiff:
        return x
    if plain:
        value, device = x._native.value, inner_device(x._device)
        register_shared(device.adapter, value)
        return burn_array.Array(value, device)
    return x.detach()


def _scalar(name: str, y: Any) -> Array:
    if type(y) is not burn_array.Array:
        raise GradientError(
            f"{name}: the function returned {type(y).__name__}; it must return a real 0-d array"
        )
    if y.shape != ():
        raise GradientError(
            f"{name}: the function returned shape {y.shape}; reduce it to a 0-d array, or use jacobian or vjp"
        )
    if kind_of(y.dtype) != "f":
        raise GradientError(f"{name}: the function returned {y.dtype}; it must be real (take abs or real)")
    return y


def by_argnums(trees: tuple[Any, ...], argnums: Argnums) -> Any:
    """Return the tree of the argument, or the tuple of those of several."""
    return trees[0] if isinstance(argnums, int) else trees


def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """Return the function that gives the value of ``f`` and its gradient.

    Parameters
    ----------
    f : callable
        A function that returns a real 0-d array; with ``has_aux``, a pair of that and any other value.
    argnums : int or tuple of int
        The positional arguments to differentiate; a tuple gives a tuple of gradients.
    has_aux : bool
        Whether ``f`` returns a second value, which is passed through: ``((value, aux), gradient)``.

    Returns
    -------
    callable
        ``g(*args)`` returns the value of ``f`` and the gradient, with the structure, shapes and dtypes of the argument.

    Raises
    ------
    GradientError
        If the result is not real and 0-d, or an argument has no derivative.
    """
    name = "value_and_grad"

    def transformed(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        trace = Trace(name, f, args, argnums, kwargs)
        y = _scalar(name, trace.result[0] if has_aux else trace.result)
        tracking = trace.depends_on_outer([y])
        node = node_of(y)
        seeds = [] if node is None else [(node, unit_seed(y))]
        trees = trace.backward(seeds, tracking, frees=not has_aux)
        return trace.returned(trace.result, tracking), by_argnums(trees, argnums)

    return transformed


def grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return the function that gives the gradient of ``f``; the parameters are those of ``value_and_grad``.

    With ``has_aux`` that function returns ``(gradient, aux)``.
    """
    both = value_and_grad(f, argnums, has_aux)

    def transformed(*args: Any, **kwargs: Any) -> Any:
        value, gradient = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return transformed


def vjp(f: Callable[..., Any], *args: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return ``f(*args)``, and a function that maps a cotangent of the result to those of the arguments.

    That function can be called repeatedly, and is differentiable in the cotangent. With ``has_aux``, ``f`` returns a
    pair, and its second part is passed through as a third result.
    """
    trace = Trace("vjp", f, args, tuple(range(len(args))), {})
    result, aux = trace.result if has_aux else (trace.result, None)
    outside = trace.depends_on_outer(tree_leaves(result))

    def pullback(cotangent: Any) -> tuple[Any, ...]:
        pairs = list(zip(tree_leaves(result), tree_leaves(cotangent), strict=True))
        tracking = outside or any(node_of(g) is not None for _, g in pairs)
        seeds = [(node, _seed(y, g)) for y, g in pairs if (node := node_of(y)) is not None]
        trees: tuple[Any, ...] = trace.backward(seeds, tracking, frees=False)
        return trees

    returned = trace.returned(result, outside)
    return (returned, pullback, trace.returned(aux, outside)) if has_aux else (returned, pullback)


def _seed(y: Array, g: Any) -> Array:
    if type(g) is not burn_array.Array or g.shape != y.shape or g.dtype != y.dtype or g.device != y.device:
        given = f"{g.dtype}{list(g.shape)} on {g.device}" if type(g) is burn_array.Array else type(g).__name__
        raise GradientError(
            f"vjp: the cotangent ({given}) must be like the result ({y.dtype}{list(y.shape)} on {y.device})"
        )
    return g if g._device.adapter is y._device.adapter else g.to_device(str(y._device))
