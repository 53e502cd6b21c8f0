"""Functions that work element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values import Spec
from . import Rule, rule, rule_for_each
from .probing import is_array, probe

UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf
isnan log log10 log1p log2 logical_not negative positive real reciprocal round sign signbit sin sinh sqrt square tan
tanh trunc"""
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal
floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum
multiply nextafter not_equal pow remainder subtract"""


def broadcast(*operands: Any) -> tuple[int, ...]:
    """Return the shape to which operands broadcast; numbers and ``None`` have the shape of all."""
    shapes = [x.shape for x in operands if is_array(x)]
    if len(shapes) == 2 and shapes[0] == shapes[1]:
        return shapes[0]  # type: ignore[no-any-return]
    return shapes[0] if len(shapes) == 1 else np.broadcast_shapes(*shapes)


@rule_for_each(UNARY)
def _unary(name: str) -> Rule:
    return lambda x: Spec(x.shape, probe(name, (x,), {}))


@rule_for_each(BINARY)
def _binary(name: str) -> Rule:
    return lambda x1, x2: Spec(broadcast(x1, x2), probe(name, (x1, x2), {}))


@rule("clip")
def _clip(x: Any, low: Any = None, high: Any = None) -> Spec:
    return Spec(broadcast(x, low, high), probe("clip", (x, low, high), {}))


@rule("where")
def _where(condition: Any, x1: Any, x2: Any) -> Spec:
    return Spec(broadcast(condition, x1, x2), probe("where", (condition, x1, x2), {}))


@rule("astype")
def _astype(x: Any, dtype: Any, *, copy: bool = True) -> Spec:
    return Spec(x.shape, dtype)


@rule("copy")
def _copy(x: Any) -> Spec:
    return Spec(x.shape, x.dtype)


@rule("isin")
def _isin(x1: Any, x2: Any, *, invert: bool) -> Spec:
    return Spec(x1.shape if is_array(x1) else (), probe("isin", (x1, x2), {"invert": invert}))
