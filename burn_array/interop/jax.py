"""Derivatives by JAX of functions that are written with burn_array.

JAX's own ``jit``, ``vmap`` and ``lax.scan`` take functions of arrays as they are. ``jax.grad`` wants a scalar of JAX;
the two functions here stand in its place. They work inside of the other transforms, and the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.array import Array
from .._core.device import device
from .._core.dtypes import kind_of
from ..errors import GradientError

__all__ = ["grad", "value_and_grad"]

Argnums = int | tuple[int, ...]


def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """Return the function that gives the value of ``f`` and its gradient, computed by JAX.

    Parameters
    ----------
    f : callable
        A function that returns a real 0-d array on a device of JAX; with ``has_aux``, a pair of that and any other
        value.
    argnums : int or tuple of int
        The positional arguments to differentiate; a tuple gives a tuple of gradients. They are arrays, or trees of
        arrays as JAX knows them: tuples, lists, dicts and registered classes.
    has_aux : bool
        Whether ``f`` returns a second value, which is passed through: ``((value, aux), gradient)``.

    Returns
    -------
    callable
        ``g(*args)`` returns the value of ``f`` and the gradient, with the structure, shapes and dtypes of the argument.
        Arrays of host devices other than JAX's are copied to ``jax:cpu``, where the gradient then is. The gradient by a
        complex argument is the conjugate of that of ``burn_array.autodiff``.

    Raises
    ------
    GradientError
        If ``f`` returns anything but a real 0-d array, or an argument is not of a floating dtype, is tracked by
        ``burn_array.autodiff``, or is on an accelerator that JAX does not reach.
    DeviceNotFoundError
        If JAX is not installed.
    """
    return _differentiated("value_and_grad", f, argnums, has_aux)


def grad(f: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return the function that gives the gradient of ``f``; parameters and errors are those of ``value_and_grad``.

    With ``has_aux`` that function returns ``(gradient, aux)``.
    """
    both = _differentiated("grad", f, argnums, has_aux)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, slopes = both(*args, **kwargs)
        return (slopes, value[1]) if has_aux else slopes

    return gradient


def _differentiated(
    name: str, f: Callable[..., Any], argnums: Argnums, has_aux: bool
) -> Callable[..., tuple[Any, Any]]:
    """Return ``value_and_grad`` of ``f``; the arrays of the result pass through JAX as a second value of ``f``."""
    at = device("jax")
    import jax

    def scalar(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        result = f(*args, **kwargs)
        value = result[0] if has_aux else result
        _check_result(name, value)
        return value.native, result

    slopes = jax.value_and_grad(scalar, argnums=argnums, has_aux=True)

    def moved(x: Any) -> Any:
        return x.to_device(at) if type(x) is Array and x.device.library != "jax" and x.device.is_host else x

    def gradient(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        given = list(args)
        for number in (argnums,) if isinstance(argnums, int) else argnums:
            given[number] = jax.tree.map(moved, args[number], is_leaf=_is_array)
            for x in jax.tree.leaves(given[number], is_leaf=_is_array):
                _check_argument(name, x)
        (_, result), slope = slopes(*given, **kwargs)
        return result, slope

    return gradient


def _is_array(x: Any) -> bool:
    return type(x) is Array


def _check_result(name: str, value: Any) -> None:
    if type(value) is not Array:
        raise GradientError(
            f"interop.jax.{name}: the function returned {type(value).__name__}; it must return a real 0-d array"
        )
    if value.shape != () or kind_of(value.dtype) != "f":
        raise GradientError(
            f"interop.jax.{name}: the function returned {value.dtype}{list(value.shape)}; it must return a real 0-d "
            f"array (take sum, abs or real)"
        )
    if value.device.library != "jax":
        raise GradientError(
            f"interop.jax.{name}: the function returned an array on {value.device}; JAX differentiates what is "
            f"computed from its arguments on a device of JAX"
        )


def _check_argument(name: str, x: Any) -> None:
    if type(x) is not Array:
        return  # JAX says itself what it does not take
    if x.is_tracked:
        raise GradientError(
            f"interop.jax.{name}: an argument is tracked by burn_array.autodiff, which JAX cannot see; give x.detach()"
        )
    if kind_of(x.dtype) not in "fc":
        raise GradientError(
            f"interop.jax.{name}: an argument of {x.dtype} has no derivative; convert it to a floating dtype, "
            f"or leave it out of argnums"
        )
    if x.device.library != "jax":
        raise GradientError(
            f"interop.jax.{name}: JAX does not reach an array on {x.device}; move it with x.to_device('jax')"
        )
