"""An operand of integers gives the same gradients as one of floats with the same values."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.autodiff import grad

OF_ALL: dict[str, Callable[..., Any]] = {
    "multiply": lambda xp, x, n: x * n,
    "divide": lambda xp, x, n: x / n,
    "divided": lambda xp, x, n: n / x,
    "pow": lambda xp, x, n: xp.pow(x, n),
    "power": lambda xp, x, n: xp.pow(n, x),
    "matmul": lambda xp, x, n: xp.matmul(x, n),
    "matmul from the left": lambda xp, x, n: xp.matmul(n, x),
    "matmul of a matrix": lambda xp, x, n: xp.matmul(xp.stack([x, x]), n),
    "matmul with a matrix": lambda xp, x, n: xp.matmul(n, xp.stack([x, x], axis=1)),
    "vecdot": lambda xp, x, n: xp.vecdot(x, n),
    "vecdot from the left": lambda xp, x, n: xp.vecdot(n, x),
    "outer": lambda xp, x, n: xp.linalg.outer(x, n),
    "xlogy": lambda xp, x, n: xp.special.xlogy(n, x),
}
OF_REALS: dict[str, Callable[..., Any]] = {
    "hypot": lambda xp, x, n: xp.hypot(x, n),
    "atan2": lambda xp, x, n: xp.atan2(n, x),
    "gammainc": lambda xp, x, n: xp.special.gammainc(n, x),
    "betainc": lambda xp, x, n: xp.special.betainc(n, n, x / 9),
    "stdtr": lambda xp, x, n: xp.special.stdtr(n, x),
    "binom": lambda xp, x, n: xp.special.binom(x, n),
}
OF_ORDERS: dict[str, Callable[..., Any]] = {
    "yn": lambda xp, x, n: xp.special.yn(n, x),
    "expn": lambda xp, x, n: xp.special.expn(n, x),
    "polygamma": lambda xp, x, n: xp.special.polygamma(n, x),
}


def slope(xp: ModuleType, f: Callable[..., Any], n: Any) -> Callable[[Any], Any]:
    return grad(lambda x: xp.sum(xp.real(f(xp, x, n) ** 2)))


def slopes(xp: ModuleType, f: Callable[..., Any], x: Any, n: Any) -> list[np.ndarray[Any, Any]]:
    """Return the gradient at ``x``, and the gradient of the sum of its elements."""
    once = slope(xp, f, n)
    return [np.asarray(one(x).to_device("numpy")) for one in (once, grad(lambda x: xp.sum(xp.real(once(x)))))]


def agree(found: list[np.ndarray[Any, Any]], wanted: list[np.ndarray[Any, Any]]) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-10)


KINDS = [
    *(("real", name) for name in (*OF_ALL, *OF_REALS)),
    # special functions of complex numbers exist on the host alone
    *(pytest.param("complex", name, marks=[pytest.mark.host] * (name == "xlogy")) for name in OF_ALL),
]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8"])
@pytest.mark.parametrize(("kind", "name"), KINDS)
@pytest.mark.needs("64 bits")
def test_integers_count_as_floats(xp: ModuleType, if_there: Any, name: str, dtype: str, kind: str) -> None:
    f, numbers = (OF_ALL | OF_REALS)[name], [1, 2, 3]
    x = xp.asarray([1 + 1j, 2, 3] if kind == "complex" else [1.5, 2.0, 3.0])
    with if_there(name):
        found = slopes(xp, f, x, xp.asarray(numbers, dtype=dtype))
        agree(found, slopes(xp, f, x, xp.asarray(numbers, dtype=xp.float64)))


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "int32"])
@pytest.mark.parametrize("name", OF_ORDERS)
@pytest.mark.needs("64 bits")
def test_orders_are_integers_of_any_dtype(xp: ModuleType, if_there: Any, name: str, dtype: str) -> None:
    x = xp.asarray([1.5, 2.0, 3.0])
    with if_there(name):
        for orders in ([2, 3, 4], [1, 2, 1], *([[0, 1, 0]] if name == "yn" else [])):
            found = slopes(xp, OF_ORDERS[name], x, xp.asarray(orders, dtype=dtype))
            agree(found, slopes(xp, OF_ORDERS[name], x, xp.asarray(orders)))


def test_of_single_numbers(xp: ModuleType, device: burn_array.Device) -> None:
    n = xp.asarray(3, dtype=xp.uint16)
    assert complex(grad(lambda x: xp.real(x * n))(xp.asarray(1 + 2j))) == 3
    assert complex(grad(lambda x: xp.imag(x * n))(xp.asarray(1 + 2j))) == 3j


@pytest.mark.parametrize("of", ["bool", "uint8", "int64", "float64"])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize("name", ["pow", "multiply", "divide"])
def test_a_gradient_has_the_dtype_of_the_parameter(xp: ModuleType, name: str, dtype: str, of: str) -> None:
    x, n = xp.asarray([1.5, 2.0], dtype=dtype), xp.asarray([[1, 0], [1, 1]], dtype=of)
    with np.errstate(all="ignore"):
        found = grad(lambda x: xp.sum(xp.real(getattr(xp, name)(x, n))))(x)
    assert (found.dtype, found.shape) == (x.dtype, x.shape)
