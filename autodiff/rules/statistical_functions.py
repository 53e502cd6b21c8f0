"""Rules of the statistical functions.

Products are differentiated without division, so that zeros among the factors do no harm to any order.
"""

from __future__ import annotations

import math
from typing import Any

from . import rule
from ._axes import axes_of, count_along, unreduced

# -- sums -----------------------------------------------------------------------------------------


def _sum(xp: Any, g: Any, _out: Any, _x: Any, *, axis: Any, keepdims: bool, **_: Any) -> Any:
    return unreduced(xp, g, _x, axis, keepdims)


def _mean(xp: Any, g: Any, _out: Any, _x: Any, *, axis: Any, keepdims: bool) -> Any:
    return unreduced(xp, g, _x, axis, keepdims) / max(count_along(_x, axis), 1)


def _cumulative_sum(
    xp: Any, g: Any, _out: Any, _x: Any, *, axis: Any, include_initial: bool, **_: Any
) -> Any:
    g = xp.moveaxis(g, axis or 0, 0)
    if include_initial:
        g = g[1:, ...]
    sums = xp.flip(xp.cumulative_sum(xp.flip(g, axis=0), axis=0), axis=0)
    return xp.moveaxis(sums, 0, axis or 0)


rule("sum", _sum, moves=True)
rule("mean", _mean, moves=True)
rule("cumulative_sum", _cumulative_sum, moves=True)

# -- products -------------------------------------------------------------------------------------


def products_of_others(xp: Any, x: Any) -> Any:
    """Return for each element the product of the others along the first axis: those before, times those after."""
    before = xp.cumulative_prod(x, axis=0, include_initial=True)[:-1, ...]
    after = xp.cumulative_prod(xp.flip(x, axis=0), axis=0, include_initial=True)[:-1, ...]
    return before * xp.flip(after, axis=0)


def _prod(xp: Any, g: Any, _out: Any, x: Any, *, axis: Any, keepdims: bool, **_: Any) -> Any:
    if x.dtype != g.dtype:
        x = xp.astype(x, g.dtype)
    if 0 in x.shape:
        return xp.zeros_like(x)
    axes = axes_of(axis, x.ndim)
    order = (*axes, *(i for i in range(x.ndim) if i not in axes))
    moved = xp.permute_dims(x, order)
    lanes = xp.reshape(moved, (count_along(x, axis), *moved.shape[len(axes) :]))
    others = xp.reshape(products_of_others(xp, lanes), moved.shape)
    others = xp.permute_dims(others, tuple(order.index(i) for i in range(x.ndim)))
    return unreduced(xp, g, x, axis, keepdims) * xp.conj(others)


def _cumulative_prod(xp: Any, g: Any, out: Any, x: Any, *, axis: Any, include_initial: bool, **_: Any) -> Any:
    """The product of the factors before, times ``s[i] = g[i] + conj(x[i + 1]) * s[i + 1]``.

    The recurrence is a scan of affine functions, run by doubling (Blelloch, *Prefix sums and their applications*,
    1990, section 1.4).
    """
    if 0 in x.shape:
        return xp.zeros_like(x)
    axis = axis or 0
    g, out, x = xp.moveaxis(g, axis, 0), xp.moveaxis(out, axis, 0), xp.moveaxis(x, axis, 0)
    length = x.shape[0]
    if include_initial:
        g, before = g[1:, ...], out[:-1, ...]
    else:
        before = xp.concat([xp.ones_like(out[:1, ...]), out[:-1, ...]], axis=0)
    factors, sums, step = xp.conj(x)[1:, ...], g, 1
    while step < length:
        sums = xp.concat([sums[:-step, ...] + factors * sums[step:, ...], sums[-step:, ...]], axis=0)
        if 2 * step < length:
            factors = factors[:-step, ...] * factors[step:, ...]
        step *= 2
    return xp.moveaxis(xp.conj(before) * sums, 0, axis)


rule("prod", _prod)
rule("cumulative_prod", _cumulative_prod)

# -- extremes -------------------------------------------------------------------------------------


def _extreme(xp: Any, g: Any, out: Any, x: Any, axis: Any, keepdims: bool, lost: Any) -> Any:
    """``g`` shared evenly by the elements that are extreme, NaN for all where the result is."""
    best = unreduced(xp, out, x, axis, keepdims)
    winners = xp.astype(x == best, g.dtype)
    ties = xp.sum(winners, axis=axis, keepdims=True)
    share = unreduced(xp, g, x, axis, keepdims) / ties
    return xp.where(lost(x, best), 0, xp.where(x == best, share, math.nan))


def _max(xp: Any, g: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _extreme(xp, g, out, x, axis, keepdims, lambda one, best: one < best)


def _min(xp: Any, g: Any, out: Any, x: Any, *, axis: Any, keepdims: bool) -> Any:
    return _extreme(xp, g, out, x, axis, keepdims, lambda one, best: one > best)


rule("max", _max, masks=True)
rule("min", _min, masks=True)

# -- moments --------------------------------------------------------------------------------------


def _centred(xp: Any, x: Any, axis: Any) -> Any:
    return x - xp.mean(x, axis=axis, keepdims=True)


def _var(xp: Any, g: Any, _out: Any, x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    weight = 2 * unreduced(xp, g, x, axis, keepdims) / (count_along(x, axis) - correction)
    return weight * _centred(xp, x, axis)


def _std(xp: Any, g: Any, out: Any, x: Any, *, axis: Any, correction: float, keepdims: bool) -> Any:
    """Centred twice: the mean of equal numbers may be off by a rounding, the mean of what remains is exact."""
    centred = _centred(xp, _centred(xp, x, axis), axis)
    deviation = unreduced(xp, out, x, axis, keepdims)
    flat = deviation == 0
    unit = xp.where(flat, 0, centred / xp.where(flat, 1, deviation))
    return unreduced(xp, g, x, axis, keepdims) * unit / (count_along(x, axis) - correction)


rule("var", _var)
rule("std", _std)
