"""Derivatives composed of backward passes: ``jvp``, ``jacobian``, ``hessian`` and ``hvp``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import burn_array
from burn_array.errors import GradientError

from .engine.backward_pass import BackwardPass, TrackingBackwardPass, reaches
from .engine.tape import Argument, GraphValue, Node
from .engine.trees import tree_leaves, tree_map
from .functional import Argnums, Trace, by_argnums, grad, node_of, returns_scalar
from .gradients import unit_seed

if TYPE_CHECKING:
    from burn_array import Array


def inner_product(a: Any, b: Any) -> Array:
    """Return the sum of ``Re(conj(x) y)`` over all elements of two trees of arrays of one shape."""
    parts = [_real_product(x, y) for x, y in zip(tree_leaves(a), tree_leaves(b), strict=True)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _real_product(x: Array, y: Array) -> Array:
    if burn_array.isdtype(x.dtype, "complex floating"):
        return burn_array.sum(burn_array.real(burn_array.conj(x) * y))
    return burn_array.sum(x * y)


def jvp(f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return ``f(*primals)`` and its derivative in the direction ``tangents``.

    A backward pass is linear in its cotangent, so the directional derivative is the derivative of that pass with
    respect to the cotangent. It costs about one backward pass more than ``vjp``.
    """
    trace = Trace("jvp", f, primals, tuple(range(len(primals))), {})
    zeros = tree_map(_probe, trace.result)
    pairs = list(zip(tree_leaves(trace.result), tree_leaves(zeros), strict=True))
    seeds = [(node, u) for y, u in pairs if (node := node_of(y)) is not None]
    paired = inner_product(trace.backward(seeds, tracking=True, frees=False), tangents)
    root, probes = node_of(paired), {id(u): node_of(u) for _, u in pairs}
    tracking = root is not None and reaches([root], trace.start)
    found = _derivatives(paired, frozenset(n for n in probes.values() if n), trace.start, tracking)
    tangent = tree_map(lambda u: _found(found, u), zeros)
    return trace.returned(trace.result, tracking), trace.returned(tangent, tracking)


def _probe(y: Array) -> Array:
    """Return tracked zeros like ``y``: the cotangent with respect to which a backward pass is differentiated."""
    zeros = burn_array.zeros_like(y)
    if not zeros._device.is_autodiff:
        return zeros
    return burn_array.Array(GraphValue(zeros._native.value, Argument(None)), zeros._device)


def _derivatives(y: Array, targets: frozenset[Node], start: int, tracking: bool) -> dict[Node, Any]:
    root = node_of(y)
    if root is None:
        return {}
    seed = unit_seed(y)
    if tracking:
        return TrackingBackwardPass(False, targets, start).run([(root, seed)])
    return BackwardPass(False, targets, start).run([(root, seed._native.value)])


def _found(found: dict[Node, Any], u: Array) -> Array:
    node = node_of(u)
    g = None if node is None else found.get(node)
    if type(g) is burn_array.Array:
        return g
    device = u._device
    if g is None:
        return burn_array.zeros_like(u)
    return burn_array.Array(device.adapter.adopt(g), device)


def jacobian(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Return the function that gives the Jacobian of ``f``: the derivative of each element of the result by each of
    the argument.

    For a result of shape ``s`` and an argument of shape ``t`` it has shape ``s + t``. Where the result or the
    argument is a tree, so is the Jacobian: the tree of the argument inside that of the result. One pass back is
    made for each element of the result.

    Raises
    ------
    GradientError
        If the result is complex, which has no single Jacobian; take its real and imaginary parts.
    """

    def transformed(*args: Any, **kwargs: Any) -> Any:
        trace = Trace("jacobian", f, args, argnums, kwargs)
        tracking = trace.depends_on_outer(tree_leaves(trace.result))
        return tree_map(
            lambda y: by_argnums(trace.like_given(_rows(trace, y, tracking)), argnums), trace.result
        )

    return transformed


def _rows(trace: Trace, y: Any, tracking: bool) -> tuple[Any, ...]:
    if not isinstance(y, burn_array.Array) or not burn_array.isdtype(y.dtype, "real floating"):
        raise GradientError("jacobian: the function must return real arrays; take real(y) or imag(y)")
    node = node_of(y)
    unit = burn_array.reshape(burn_array.eye(y.size, dtype=y.dtype, device=y.device), (y.size, *y.shape))
    rows = [
        trace.backward([] if node is None else [(node, unit[i])], tracking, frees=False)
        for i in range(y.size)
    ]
    if not rows:
        return tuple(tree_map(lambda x: _empty(y, x), tree) for tree in trace.arguments)
    return tree_map(  # type: ignore[no-any-return]
        lambda *each: burn_array.reshape(burn_array.stack(each), y.shape + each[0].shape), rows[0], *rows[1:]
    )


def _empty(y: Array, x: Array) -> Array:
    return burn_array.zeros(y.shape + x.shape, dtype=x.dtype, device=x.device.inner)


def hessian(f: Callable[..., Any], argnums: Argnums = 0) -> Callable[..., Any]:
    """Return the function that gives the second derivatives of a function with a real 0-d result."""
    return jacobian(grad(returns_scalar("hessian", f), argnums), argnums)


def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """Return the Hessian of ``f`` at ``x`` times ``v``, without forming the Hessian."""
    gradient = grad(returns_scalar("hvp", f))
    return grad(lambda at: inner_product(gradient(at), v))(x)
