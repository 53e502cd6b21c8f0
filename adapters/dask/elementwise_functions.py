"""Element-wise functions on dask, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np

from .apply import Apply, outcome
from .blocks import aligned, block_by_block, kind_of_blocks, nothing

NAMES = frozenset(
    """abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or
    bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater
    greater_equal hypot imag isfinite isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and
    logical_not logical_or logical_xor maximum minimum multiply negative nextafter not_equal positive pow real
    reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc where""".split()
)
"""The functions that are computed block by block, each by the function of the blocks."""


def kind_of(operands: Any) -> str:
    """Return the device of the blocks of the arrays among the operands."""
    return next(kind_of_blocks(x) for x in operands if isinstance(x, da.Array))


def shape_of_all(operands: Any) -> tuple[int, ...]:
    """Return the shape to which the arrays among the operands broadcast."""
    return np.broadcast_shapes(*(x.shape for x in operands if isinstance(x, da.Array)))


def elementwise(name: str, *operands: Any) -> Any:
    """Return the function ``name`` of arrays and Python scalars, block by block.

    Shape and dtype are known at the call: the dtype by the function of the blocks on arrays without elements.
    """
    apply = Apply(kind_of(operands), name)
    (dtype,) = outcome(apply, *operands)
    return each_block(apply, dtype, *operands)


def each_block(apply: Apply, dtype: Any, *operands: Any) -> Any:
    """Return the array of ``apply`` for blocks that are broadcast to each other."""
    shape = shape_of_all(operands)
    ndim = len(shape)
    if 0 in shape:
        return nothing(apply.kind, shape, dtype)
    first = operands[0]
    axes = tuple(range(ndim))
    if len(operands) == 1 and not any(0 in one for one in first.chunks):
        return block_by_block(apply, axes, [(first, axes)], first.chunks, dtype)
    numbered = [
        (x, axes[ndim - x.ndim :] if isinstance(x, da.Array) else None) for x in operands
    ]
    ready, cuts = aligned(numbered)
    return block_by_block(apply, axes, ready, tuple(cuts[axis] for axis in axes), dtype)


def function_of(name: str) -> Callable[..., Any]:
    """Return the element-wise function ``name`` for dask arrays."""

    def function(*operands: Any) -> Any:
        return elementwise(name, *operands)

    return function


def _pow(x1: Any, x2: Any) -> Any:
    if type(x2) is int and x2 < 0 and x1.dtype.kind in "iu":
        raise ValueError("integers to negative integer powers are not allowed")
    return elementwise("pow", x1, x2)


def astype(x: Any, dtype: Any, *, copy: bool = True) -> Any:
    """Return an array of another dtype, block by block."""
    if x.dtype == dtype:
        return x.copy() if copy else x
    return each_block(Apply(kind_of_blocks(x), "astype", (dtype,), copy=True), dtype, x)


class ElementwiseFunctions:
    """Those that are not only the function of the blocks; :data:`NAMES` lists the others."""

    pow = staticmethod(_pow)
    astype = staticmethod(astype)
