"""Element-wise functions of arrays and scalars give on every device what they give on NumPy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp

Cases = Iterator[tuple[str, Callable[..., Any], tuple[Any, ...]]]

UNARY = (
    "abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1 floor imag isfinite isinf "
    "isnan log log10 log1p log2 logical_not negative positive real reciprocal round sign signbit sin sinh sqrt "
    "square tan tanh trunc"
).split()
BINARY = (
    "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal "
    "floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum "
    "minimum multiply nextafter not_equal pow remainder subtract"
).split()
NOT_NEGATIVE = ("pow", "bitwise_left_shift", "bitwise_right_shift")
"""Functions whose second operand must not be negative if it is an integer; to check it would wait for the device."""
ORDER = ("greater", "greater_equal", "less", "less_equal", "maximum", "minimum")
"""Functions that the standard defines for real numbers alone."""
FLOATING = ("atan2", "copysign", "hypot", "logaddexp", "nextafter")
EVERY_PAIR = ("add", "bitwise_and", "floor_divide", "less", "logaddexp", "maximum", "pow")
"""Functions that are tested with all pairs of dtypes."""
UNSIGNED_ZERO = ("maximum", "minimum")
"""Functions whose zero may have either sign."""

inf, nan = math.inf, math.nan
SCALARS = (True, 2, -1, 0, 300, 2**40, 2**63, 0.5, -0.0, nan, 1 + 2j)


@pytest.mark.parametrize("name", UNARY)
def test_unary_functions_equal_numpy(compare: Any, name: str, sample: Any, kinds: Any) -> None:
    function, compare.signed = getattr(xp, name), name not in UNSIGNED_ZERO
    for dtype in kinds.all:
        values = sample(dtype)
        if name == "reciprocal":
            values = values[values != 0] if dtype not in kinds.floats else values
        if name == "reciprocal" and dtype == "uint64":
            continue
        if dtype == "bool" and name in ("conj", "positive", "reciprocal", "round"):
            continue  # the standard defines these for numbers alone
        compare(f"{name}({dtype})", function, values)
        compare(f"{name}({dtype}[0-d])", function, values[1:2].reshape(()))
        compare(f"{name}({dtype}[0, 2])", function, values[:0].reshape(0, 2))
        compare(f"{name}({dtype}[::2])", lambda x: function(x[::2]), np.repeat(values, 2))


@pytest.mark.parametrize("name", BINARY)
def test_binary_functions_equal_numpy(compare: Any, name: str, sample: Any, kinds: Any, pairs: Any) -> None:
    function, compare.signed = getattr(xp, name), name not in UNSIGNED_ZERO
    for one, other in itertools.product(kinds.all, kinds.all) if name in EVERY_PAIR else pairs:
        a, b = sample(one), sample(other)
        if name in ORDER and {one, other} & set(kinds.complexes):
            continue
        if {one, other} & set(kinds.complexes):
            a, b = a[np.isfinite(a)], b[np.isfinite(b)]
            a, b = a[a.real != 0], b[b.real != 0]
        if name in NOT_NEGATIVE and a.dtype.kind in "biu" and b.dtype.kind in "biu":
            b = b[b >= 0]
        compare(f"{name}({one}, {other})", function, a[:, None], b)


@pytest.mark.parametrize("name", BINARY)
def test_binary_functions_of_scalars_equal_numpy(compare: Any, name: str, sample: Any, kinds: Any) -> None:
    function, compare.signed = getattr(xp, name), name not in UNSIGNED_ZERO
    for dtype, scalar in itertools.product(kinds.all, SCALARS):
        a = sample(dtype)
        if name == "pow" and scalar == 0.5:
            continue  # NumPy computes the square root: NaN at -inf and -0 at -0, where the standard demands inf and 0
        if scalar == 2**63 and (dtype == "bool" or name.startswith("logical")):
            continue
        if (dtype == "bool" and name in FLOATING) or (type(scalar) is complex and name in ORDER):
            continue
        if a.dtype.kind == "c" and name in ORDER:
            continue
        if isinstance(scalar, complex) or a.dtype.kind == "c":
            a = a[np.isfinite(a) & (a.real != 0)]
            if scalar == 0 or scalar != scalar:
                continue
        if not (scalar == -1 and name in NOT_NEGATIVE[1:]):
            compare(f"{name}({dtype}, {scalar})", function, a, scalar)
        if name in NOT_NEGATIVE and a.dtype.kind == "i" and isinstance(scalar, int):
            a = a[a >= 0]
        compare(f"{name}({scalar}, {dtype})", function, scalar, a)


def clipping(device: xp.Device, sample: Any, kinds: Any) -> Cases:
    for dtype in kinds.reals:
        x = sample(dtype)
        for low, high in itertools.product((None, 0, 1.5, 2, nan), (None, 2, 1.0, inf)):
            yield f"clip({dtype}, {low}, {high})", xp.clip, (x, low, high)
        for other in kinds.reals:
            if device.adapter.narrow and dtype != other == "uint64":
                continue  # NumPy gives float64 for integers and uint64, and int64 for uint32, which stands for it here
            yield f"clip({dtype}, {other}[], None)", xp.clip, (x, sample(other)[1], None)
            yield (
                f"clip({dtype}, {other}[], {other}[])",
                xp.clip,
                (x, sample(other)[0].reshape(1, 1), sample(other)[2]),
            )


@pytest.mark.parametrize("page", [clipping], ids=lambda page: page.__name__)
def test_page_equals_numpy(compare_page: Callable[..., None], page: Callable[..., Any]) -> None:
    compare_page(page)
