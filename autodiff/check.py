"""Compare derivatives with finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import burn_array

from .engine.trees import tree_map
from .functional import vjp
from .higher import inner_product

if TYPE_CHECKING:
    from burn_array import Array


def check_grads(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    *,
    order: int = 1,
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
    seed: int = 0,
) -> None:
    """Compare the derivatives of ``f`` at ``args`` with central differences, in a random direction.

    Parameters
    ----------
    f : callable
        A function of floating-point arrays, or trees of them, that returns an array or a tree of arrays.
    order : int
        The highest order to compare: 2 also compares derivatives of derivatives.
    eps : float
        Half the step of the difference.
    rtol, atol : float
        The relative and the absolute tolerance.
    seed : int
        The seed of the random direction.

    Raises
    ------
    AssertionError
        If a derivative differs from the difference.
    """
    random = np.random.default_rng(seed)
    direction = tree_map(lambda x: _random(x, random), args)
    weights = tree_map(lambda y: _random(y, random), f(*args))
    result, pullback = vjp(f, *args)
    del result
    exact = float(inner_product(pullback(weights), direction))
    ahead = inner_product(weights, f(*_moved(args, direction, eps)))
    behind = inner_product(weights, f(*_moved(args, direction, -eps)))
    near = float(ahead - behind) / (2 * eps)
    assert np.isclose(exact, near, rtol=rtol, atol=atol), f"derivative {exact}, difference {near} (order 1)"
    if order > 1:
        settings = {"order": order - 1, "eps": eps, "rtol": rtol, "atol": atol, "seed": seed + 1}
        check_grads(lambda *at: vjp(f, *at)[1](weights), args, **settings)  # type: ignore[arg-type]


def _random(x: Array, random: np.random.Generator) -> Array:
    values = random.normal(size=x.shape)
    if burn_array.isdtype(x.dtype, "complex floating"):
        values = values + 1j * random.normal(size=x.shape)
    return burn_array.asarray(values, dtype=x.dtype, device=x.device)


def _moved(args: Any, direction: Any, step: float) -> Any:
    return tree_map(lambda x, v: x + step * v, args, direction)
