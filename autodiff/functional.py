"""Derivatives of functions: ``grad``, ``value_and_grad`` and ``vjp``.

All of them take functions of arrays, or of tuples, lists and dicts of arrays, on any device: the arguments
are lifted to its autodiff twin for the call. They nest to any order: a result that depends on an outer
transformation is tracked for that one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

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
        self.are_ndarrays: list[bool] = []
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
        is_ndarray = isinstance(x, np.ndarray | np.generic)
        if is_ndarray or type(x) in (float, complex):
            x = burn_array.asarray(x)
        if type(x) is not burn_array.Array:
            raise GradientError(
                f"{self.name}: an argument of type {type(x).__name__} has no derivative; "
                f"make an array of it with asarray(x), or leave it out of argnums"
            )
        if kind_of(x.dtype) not in "fc":
            raise GradientError(
                f"{self.name}: an argument of {x.dtype} has no derivative; convert it to a floating dtype, "
                f"or leave it out of argnums"
            )
        self.are_ndarrays.append(is_ndarray)
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
        constant = tree_map(lambda one: _constant(one, plain), result)
        return tree_map(_to_numpy, constant) if all(self.are_ndarrays) and self.given else constant

    def like_given(self, trees: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return trees with the structure of the arguments, with ndarrays where these had ndarrays."""
        if not any(self.are_ndarrays):
            return trees
        which = iter(self.are_ndarrays)
        return tuple(tree_map(lambda one: _to_numpy(one) if next(which) else one, tree) for tree in trees)


def _to_numpy(one: Any) -> Any:
    """Return an array as an ndarray, or as a scalar of NumPy if it has no axes; a tracked one stays as it is."""
    return one.to_numpy()[()] if type(one) is burn_array.Array and not one.is_tracked else one


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


def _real(name: str, y: Any) -> Array:
    if type(y) is not burn_array.Array:
        raise GradientError(f"{name}: the function returned {type(y).__name__}; it must return a real array")
    if kind_of(y.dtype) != "f":
        raise GradientError(f"{name}: the function returned {y.dtype}; it must be real (take abs or real)")
    return y


def returns_scalar(name: str, f: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``f``, which raises ``GradientError`` if its result has axes."""

    def checked(*args: Any, **kwargs: Any) -> Any:
        y = f(*args, **kwargs)
        if type(y) is burn_array.Array and y.shape != ():
            raise GradientError(f"{name}: the function returned shape {y.shape}; reduce it to a 0-d array")
        return y

    return checked


def by_argnums(trees: tuple[Any, ...], argnums: Argnums) -> Any:
    """Return the tree of the argument, or the tuple of those of several."""
    return trees[0] if isinstance(argnums, int) else trees


def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """Return the function that gives the value of ``f`` and its gradient.

    The gradient of a result with axes is that of the sum of its elements, as ``backward`` gives it; ``jacobian`` has
    the derivative of each element.

    Parameters
    ----------
    f : callable
        A function that returns a real array; with ``has_aux``, a pair of that and any other value. It gets arrays.
    argnums : int or tuple of int
        The positional arguments to differentiate; a tuple gives a tuple of gradients. They are arrays, ndarrays, or
        trees of these. ndarrays are lifted to the default device.
    has_aux : bool
        Whether ``f`` returns a second value, which is passed through: ``((value, aux), gradient)``.

    Returns
    -------
    callable
        ``g(*args)`` returns the value of ``f`` and the gradient, with the structure, shapes and dtypes of the argument.
        The gradient by an ndarray is an ndarray, as ``jac`` of SciPy needs it. If all arguments that are differentiated
        are ndarrays, so are the arrays in the value; one without axes is a scalar of NumPy.

    Raises
    ------
    GradientError
        If the result is not a real array, or an argument has no derivative.
    """
    return _value_and_grad("value_and_grad", f, argnums, has_aux)


def _value_and_grad(
    name: str, f: Callable[..., Any], argnums: Argnums, has_aux: bool
) -> Callable[..., tuple[Any, Any]]:
    def transformed(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        trace = Trace(name, f, args, argnums, kwargs)
        y = _real(name, trace.result[0] if has_aux else trace.result)
        tracking = trace.depends_on_outer([y])
        node = node_of(y)
        seeds = [] if node is None else [(node, unit_seed(y))]
        trees = trace.like_given(trace.backward(seeds, tracking, frees=not has_aux))
        return trace.returned(trace.result, tracking), by_argnums(trees, argnums)

    return transformed


def grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return the function that gives the gradient of ``f``; the parameters are those of ``value_and_grad``.

    With ``has_aux`` that function returns ``(gradient, aux)``.
    """
    both = _value_and_grad("grad", f, argnums, has_aux)

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
        return trace.like_given(trace.backward(seeds, tracking, frees=False))

    returned = trace.returned(result, outside)
    return (returned, pullback, trace.returned(aux, outside)) if has_aux else (returned, pullback)


def _seed(y: Array, g: Any) -> Array:
    if isinstance(g, np.ndarray | np.generic):
        g = burn_array.asarray(g, device=y.device.inner)
    if type(g) is not burn_array.Array or g.shape != y.shape or g.dtype != y.dtype or g.device != y.device:
        given = f"{g.dtype}{list(g.shape)} on {g.device}" if type(g) is burn_array.Array else type(g).__name__
        raise GradientError(
            f"vjp: the cotangent ({given}) must be like the result ({y.dtype}{list(y.shape)} on {y.device})"
        )
    return g if g._device.adapter is y._device.adapter else g.to_device(str(y._device))
