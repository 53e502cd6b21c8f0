"""A Python number beyond the range of a narrow floating dtype becomes infinite in it, as in NumPy."""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest

INF, NAN = math.inf, math.nan

# x is [1., 0.] of float32, c is [1j, 0] of complex64.
OF_SINGLES: dict[str, Any] = {
    "xp.where(x > 0, x, 1e300)": [1.0, INF],
    "xp.where(x > 0, -1e300, x)": [-INF, 0.0],
    "xp.where(c == 0, 1e300, c)": [1j, INF],
    "xp.maximum(x, 1e300)": [INF, INF],
    "xp.minimum(-1e300, x)": [-INF, -INF],
    "xp.full((2,), 1e300, dtype=xp.float32)": [INF, INF],
    "xp.full((2,), 10**60, dtype=xp.float32)": [INF, INF],
    "xp.full((1,), 1e300j, dtype=xp.complex64)": [complex(0, INF)],
    "xp.full((1,), 3.4028235e38, dtype=xp.float32)": [float(np.finfo("float32").max)],
    "xp.full_like(x, -1e300)": [-INF, -INF],
    "xp.pad(x, 1, constant_values=1e300)": [INF, 1.0, 0.0, INF],
    "xp.clip(x, -1e300, 1e300)": [1.0, 0.0],
    "xp.clip(x, 1e300, None)": [INF, INF],
    "xp.copysign(x, -1e300)": [-1.0, -0.0],
    "xp.hypot(1e300, x)": [INF, INF],
    "x + 1e300": [INF, INF],
    "1e300 - x": [INF, INF],
    "c + 1e300": [complex(INF, 1), INF],
    "c == 1e300": [False, False],
    "x < 1e300": [True, True],
    "x // 1e300": [0.0, 0.0],
    "-x // 1e300": [-0.0, -0.0],
    "1e300 // (x - 0.5)": [INF, -INF],
    "1e300 % (x - 0.5)": [NAN, NAN],
    "x % 1e300": [1.0, 0.0],
    "x / 1e-50": [INF, NAN],
    "xp.pow(x, 1e-50)": [1.0, 1.0],
    "xp.pow(x[1], 1e-50)": 1.0,
    "xp.pow(x[1], -1e-50)": 1.0,
    "xp.pow(x - 9, 3.0000000001)": [-512.0, -729.0],
    "xp.pow(-x, 2**24 + 1)": [1.0, 0.0],
    "xp.pow(-x, 0.50000000001)": [NAN, 0.0],
    "after_operator(x, '**', 1e-50)": [1.0, 1.0],
    "xp.isin(x, 1e300)": [False, False],
    "xp.isin(xp.where(x > 0, INF, x), 1e300)": [False, False],
    "xp.isin(x, 1e-60)": [False, False],
    "xp.isin(x, INF)": [False, False],
    "xp.isin(x, 0.1)": [False, False],
    "xp.isin(x, 1)": [True, False],
    "xp.isin(xp.asarray([2.0**24], dtype=xp.float32), 2**24 + 1)": [False],
    "xp.isin(x > 0, 10**60)": [False, False],
    "xp.searchsorted(x[::-1], 1e300)": 2,
    "store(x, 0, 1e300)": [INF, 0.0],
    "store(x, 0, 10**60)": [INF, 0.0],
    "store(x, slice(None), -1e300)": [-INF, -INF],
    "store(x, xp.asarray([1, 0]), 1e300)": [INF, INF],
    "store(x, x > 0, 1e300)": [INF, 0.0],
    "store(x, slice(None, None, -1), 1e300)": [INF, INF],
    "store(c, 1, 1e300)": [1j, INF],
    "store(c, xp.asarray([1]), 1e300j)": [1j, complex(0, INF)],
}

LARGE = 2**53
# i is [2**53 + 1, -1] of int64, u is [2**53 + 1, 2**64 - 1] of uint64, LARGE is 2**53.
OF_INTEGERS: dict[str, Any] = {
    "xp.isin(i, LARGE)": [False, False],
    "xp.isin(i, LARGE + 1)": [True, False],
    "xp.isin(i, LARGE, invert=True)": [True, True],
    "xp.isin(LARGE, i)": False,
    "xp.isin(LARGE, i, invert=True)": True,
    "xp.isin(LARGE + 1, i)": True,
    "xp.isin(i, 2**63)": [False, False],
    "xp.isin(i, 10**60)": [False, False],
    "xp.isin(10**60, i)": False,
    "xp.isin(i, True)": [False, False],
    "xp.isin(i, -1.0)": [False, True],
    "xp.isin(u, LARGE)": [False, False],
    "xp.isin(u, 2**64 - 1)": [False, True],
    "xp.isin(u, -1)": [False, False],
    "xp.isin(u, 2**64)": [False, False],
    "xp.isin(u, i)": [True, False],
    "xp.isin(i, u)": [True, False],
    "xp.isin(u, i - 1, invert=True)": [True, True],
    "xp.isin(xp.asarray([2.0**53]), LARGE + 1)": [False],
    "xp.isin(xp.asarray([1e20]), 10**20)": [True],
    "xp.isin(xp.asarray([INF]), 10**400)": [False],
    "xp.isin(xp.asarray([-1], dtype=xp.int8), 255)": [False],
    "xp.isin(i[:0], 10**60)": [],
    "xp.isin(u[1] - xp.asarray([0, 1], dtype=xp.uint64), xp.asarray([0.5] * 40))": [False, False],
    "xp.isin(i, xp.asarray([-1.0] * 40))": [False, True],
    "xp.full((2,), 10**30, dtype=xp.bool)": [True, True],
}

# h is [1., 0.] of float16.
OF_HALVES: dict[str, Any] = {
    "xp.pow(h, 2**40)": [1.0, 0.0],
    "xp.pow(h, 1e300)": [1.0, 0.0],
    "xp.maximum(h, 1e300)": [INF, INF],
    "xp.full((2,), 1e300, dtype=xp.float16)": [INF, INF],
    "xp.full((1,), 65519.0, dtype=xp.float16)": [65504.0],
    "store(h, slice(None), 1e5)": [INF, INF],
    "xp.arange(0, 1e6, 5e5, dtype=xp.float16)": [0.0, INF],
    "h + 1e6": [INF, INF],
    "h - 1e6": [-INF, -INF],
    "1e6 - h": [INF, INF],
    "h * 1e6": [INF, NAN],
    "1e6 * h": [INF, NAN],
    "(h + 0.001) * 100000": [INF, INF],
    "h * 65504.0": [65504.0, 0.0],
    "h * 60000.0 * 1e-10": [0.0, 0.0],
    "h / 1e6": [0.0, 0.0],
    "h / 100000": [0.0, 0.0],
    "h / 1e-10": [INF, NAN],
    "1e6 / h": [INF, INF],
    "1e6 / xp.where(h > 0, 6e4, h)": [INF, INF],
    "(h * 3) * 0.1": [float(np.float16(3) * np.float16(0.1)), 0.0],
    "(h * 5) // 0.1": [50.0, 0.0],
    "-h // 1e6": [-0.0, -0.0],
    "1e6 // (h - 0.5)": [INF, -INF],
    "h % 1e6": [1.0, 0.0],
    "xp.pow(h - 9, 3.0001)": [-512.0, -729.0],
    "xp.where(h > 0, h, 1e6)": [1.0, INF],
    "xp.clip(h, -1e6, 1e6)": [1.0, 0.0],
    "xp.clip(h, 1e6, None)": [INF, INF],
    "after_operator(h, '*', 1e6)": [INF, NAN],
    "after_operator(h, '/', 1e6)": [0.0, 0.0],
    "after_operator(h, '*', 100000)": [INF, NAN],
    "after_operator(h, '/', 100000)": [0.0, 0.0],
    "after_operator(h, '+', 1e6)": [INF, INF],
    "after_operator(h, '**', 1e-10)": [1.0, 1.0],
}


def store(x: Any, key: Any, value: Any) -> Any:
    """Return ``x`` after ``x[key] = value``."""
    x[key] = value
    return x


def after_operator(x: Any, sign: str, number: float) -> Any:
    """Return ``x`` after an in-place operator; a view of its memory must have changed too."""
    view, names = x[...], {"x": x, "number": number}
    exec(f"x {sign}= number", names)
    if not x.device.has_views:
        return names["x"]
    assert view.tolist() == pytest.approx(names["x"].tolist(), abs=0, rel=0, nan_ok=True)
    return names["x"]


def evaluated(xp: ModuleType, code: str, **operands: Any) -> np.ndarray[Any, Any]:
    """Return the value of an expression as an ndarray."""
    with np.errstate(all="ignore"):
        out = eval(code, {"xp": xp, "store": store, "after_operator": after_operator, "INF": INF} | operands)
    return np.asarray(out.to_device("numpy"))


@pytest.mark.filterwarnings("ignore")  # NumPy warns where a number overflows
@pytest.mark.parametrize("code", OF_SINGLES)
@pytest.mark.needs("64 bits")
def test_numbers_beyond_single_precision(xp: ModuleType, code: str) -> None:
    x, c = xp.asarray([1.0, 0.0], dtype=xp.float32), xp.asarray([1j, 0], dtype=xp.complex64)
    found = evaluated(xp, code, x=x, c=c)
    assert found.dtype in ("bool", "int64", "float32", "complex64")
    np.testing.assert_array_equal(found, np.asarray(OF_SINGLES[code]))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", OF_HALVES)
@pytest.mark.needs("float16")
def test_numbers_beyond_half_precision(xp: ModuleType, code: str) -> None:
    found = evaluated(xp, code, h=xp.asarray([1.0, 0.0], dtype="float16"))
    assert found.dtype == "float16"
    np.testing.assert_array_equal(found, np.asarray(OF_HALVES[code]))


@pytest.mark.parametrize("code", OF_INTEGERS)
@pytest.mark.needs("64 bits")
def test_large_integers_are_compared_exactly(xp: ModuleType, code: str) -> None:
    i, u = xp.asarray([LARGE + 1, -1]), xp.asarray([LARGE + 1, 2**64 - 1], dtype=xp.uint64)
    found = evaluated(xp, code, i=i, u=u, LARGE=LARGE)
    assert found.dtype == "bool"
    assert found.tolist() == OF_INTEGERS[code]
