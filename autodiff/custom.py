"""Functions with a derivative of their own: ``custom_vjp``, ``checkpoint``, ``stop_gradient``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import burn_array
from burn_array.adapter import kind_of
from burn_array.errors import GradientError

from .engine.nodes import Call
from .engine.record import recorded_results
from .engine.tape import Op
from .engine.trees import tree_leaves, tree_map
from .functional import node_of, vjp
from .rules import Rule


def stop_gradient(tree: Any) -> Any:
    """Return a tree with its arrays as constants."""
    return tree_map(lambda x: x.detach() if type(x) is burn_array.Array else x, tree)


def custom_vjp(f: Callable[..., Any], backward: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``f`` with the derivative that ``backward`` gives.

    Its arguments are placed as by the functions of the namespace: ``f`` and ``backward`` get all arrays on one device.
    ``burn_array.operations.operation`` also has an implementation for each library.

    Parameters
    ----------
    f : callable
        A function of arrays and other objects that returns an array, or a tree of arrays and other objects.
    backward : callable
        ``backward(g, result, *args)`` returns a tuple with the cotangent of each argument, ``None`` for zero. ``g`` has
        the structure of ``result``, with ``None`` where there is no floating-point array. It is an ordinary function
        of arrays, and is itself differentiated for higher derivatives.

    Returns
    -------
    callable
        A function with the signature of ``f``.

    Raises
    ------
    DeviceMismatchError
        If arrays are committed to different devices, or differ in how they differentiate.
    GradientError
        If ``f`` uses tracked arrays that are not its arguments, or returns an array of another library.
    """
    return _with_derivative(f, backward, True)


def _with_derivative(f: Callable[..., Any], backward: Callable[..., Any], places: bool) -> Callable[..., Any]:
    """Return ``f`` with a derivative; ``places`` says whether its arguments are brought to one device."""

    def vjp(xp: Any, g: Any, out: Any, *args: Any, form: Any) -> tuple[Any, ...]:
        g = tuple(
            xp.zeros_like(y) if one is None else xp.writable(one) for one, y in zip(g, out, strict=True)
        )
        cotangent, result = _fill(form, xp.to_public(g), True), _fill(form, xp.to_public(out), False)
        found = _as_tuple(backward(cotangent, result, *map(xp.to_public, args)), len(args))
        for i, (h, x) in enumerate(zip(found, args, strict=True)):
            _check_cotangent(i, h, x)
        return tuple(None if h is None else xp.from_public(h) for h in found)

    rule = Rule(getattr(f, "__name__", "custom_vjp"), (vjp,), False, True, False, False)

    def transformed(*args: Any) -> Any:
        if places:
            args = burn_array.operations.placed(rule.name, *args)
        parents = [node_of(x) for x in args]
        result = f(*stop_gradient(args))
        leaves = tree_leaves(result)
        if any(node_of(y) is not None for y in leaves):
            raise GradientError(
                f"{rule.name}: it uses tracked arrays that are not its arguments; make them arguments"
            )
        device = next((x._device for x, node in zip(args, parents, strict=True) if node is not None), None)
        if device is None:
            return result
        foreign = next(
            (y for y in leaves if type(y) is not burn_array.Array and hasattr(y, "__array__")), None
        )
        if foreign is not None:
            raise GradientError(
                f"{rule.name}: it returned a {type(foreign).__name__}, which no gradient reaches; return an Array"
            )
        adapter = device.adapter
        natives = [adapter.adopt_operand(x) for x in args]
        values = tuple(adapter.adopt_operand(y) for y in leaves if _is_smooth(y))
        form = tree_map(lambda y: _PLACEHOLDER if _is_smooth(y) else y, result)
        node = Call(Op(rule, adapter.plain, adapter.tracking), parents, natives, {"form": form}, None)
        results = recorded_results(node, values, True)
        return _fill(form, [burn_array.Array(native, device) for native in results], False)

    return transformed


_PLACEHOLDER = object()
"""Marks the place of a floating-point array in the structure of a result."""


def _fill(form: Any, arrays: Sequence[Any], alone: bool) -> Any:
    """Return a form with arrays in it, ``alone`` or beside what was there."""
    rest = iter(arrays)
    return tree_map(lambda one: next(rest) if one is _PLACEHOLDER else None if alone else one, form)


def _check_cotangent(position: int, h: Any, x: Any) -> None:
    if h is not None and type(h) is not burn_array.Array:
        raise GradientError(
            f"custom_vjp: backward returned a {type(h).__name__} for argument {position}; "
            f"return an Array, or None for zero"
        )
    if h is not None and hasattr(x, "shape") and h.shape != x.shape:
        raise GradientError(
            f"custom_vjp: backward returned a cotangent of shape {h.shape} "
            f"for an argument of shape {tuple(x.shape)}"
        )


def _as_tuple(found: Any, count: int) -> tuple[Any, ...]:
    each = tuple(found) if isinstance(found, tuple | list) else (found,)
    if len(each) != count:
        raise GradientError(f"custom_vjp: backward returned {len(each)} cotangents for {count} arguments")
    return each


def checkpoint(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``f`` so that only its arguments are saved; its inner values are computed again in the backward pass.

    The arguments may be trees; all tracked arrays that ``f`` uses must be among them.
    """

    def transformed(*args: Any) -> Any:
        leaves = tree_leaves(args)

        def flat(*each: Any) -> Any:
            rest = iter(each)
            return f(*tree_map(lambda _: next(rest), args))

        def backward(g: Any, _result: Any, *each: Any) -> tuple[Any, ...]:
            smooth = [i for i, x in enumerate(each) if _is_smooth(x)]

            def varied(*some: Any) -> Any:
                at = dict(zip(smooth, some, strict=True))
                return flat(*(at.get(i, x) for i, x in enumerate(each)))

            found = dict(zip(smooth, vjp(varied, *(each[i] for i in smooth))[1](g), strict=True))
            return tuple(found.get(i) for i in range(len(each)))

        return _with_derivative(flat, backward, False)(*leaves)

    return transformed


def _is_smooth(x: Any) -> bool:
    return type(x) is burn_array.Array and kind_of(x.dtype) in "fc"
