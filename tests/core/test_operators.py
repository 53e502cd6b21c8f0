"""Operators between arrays, ndarrays and numbers: reflected, in place, and on overlapping memory."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import DTypeError, ShapeError

Host = Callable[[Any], np.ndarray[Any, Any]]
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()
ARITHMETIC = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "//": "floor_divide", "%": "remainder", "**": "pow",
    "==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal",
}  # fmt: skip
BITS = {
    "&": "bitwise_and",
    "|": "bitwise_or",
    "^": "bitwise_xor",
    "<<": "bitwise_left_shift",
    ">>": "bitwise_right_shift",
}


def apply(symbol: str, a: Any, b: Any) -> Any:
    """Return ``a symbol b``."""
    return eval(f"a {symbol} b", {"a": a, "b": b})


@pytest.mark.parametrize("symbol", [*ARITHMETIC, *BITS])
@pytest.mark.needs("64 bits")
def test_operator_equals_function_and_numpy(xp: ModuleType, symbol: str) -> None:
    name = ARITHMETIC.get(symbol) or BITS[symbol]
    a, b = (
        (np.array([5, 3, 2]), np.array([2, 3, 1]))
        if symbol in BITS
        else (np.array([5.5, 3, 2]), np.array([2.0, 3, 1]))
    )
    x, y = xp.asarray(a), xp.asarray(b)
    number = 2 if symbol in BITS else 2.0
    for left, right, one, other in (
        (x, y, a, b),
        (x, number, a, number),
        (number, x, number, a),
        (x, b, a, b),
        (a, y, a, b),
    ):
        wanted = apply(symbol, one, other)
        found = apply(symbol, left, right)
        assert type(found) is xp.Array
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found.tolist(), wanted.tolist())
        np.testing.assert_array_equal(getattr(xp, name)(*(xp.asarray(z) if isinstance(z, np.ndarray) else z
                                                         for z in (left, right))).tolist(), wanted)  # fmt: skip


def test_unary_operators(xp: ModuleType) -> None:
    x = xp.asarray([1.5, -2.0])
    assert (-x).tolist() == [-1.5, 2.0]
    assert (+x).tolist() == [1.5, -2.0]
    assert abs(x).tolist() == [1.5, 2.0]
    assert (~xp.asarray([0, 5])).tolist() == [-1, -6]
    assert (~xp.asarray([True, False])).tolist() == [False, True]


def test_matmul_operators(xp: ModuleType) -> None:
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    x = xp.asarray(a)
    assert (x @ x).tolist() == (a @ a).tolist()
    assert (x @ a).tolist() == (a @ x).tolist() == (a @ a).tolist()
    y = x.copy()
    y @= x
    assert y.tolist() == (a @ a).tolist()


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "//", "%", "**", *BITS])
@pytest.mark.needs("64 bits")
def test_in_place_operators_write_into_the_same_memory(
    xp: ModuleType, device: burn_array.Device, symbol: str
) -> None:
    start, other = ([4, 6, 8], [1, 2, 3]) if symbol in BITS else ([4.0, 6.0, 8.0], [1.0, 2.0, 3.0])
    wanted = apply(symbol, np.array(start), np.array(other)).tolist()
    for operand in (xp.asarray(other), np.array(other)):
        x = xp.asarray(start)
        same, view, names = x, x[1:], {"x": x, "y": operand}
        exec(f"x {symbol}= y", {}, names)
        assert names["x"] is same
        assert x.tolist() == wanted
        assert view.tolist() == (wanted[1:] if device.has_views else start[1:])
    for number in (2, True) if symbol in BITS else (2, 2.0, True):
        x = xp.asarray(start)
        exec(f"x {symbol}= y", {}, {"x": x, "y": number})
        assert x.tolist() == apply(symbol, np.array(start), number).tolist()


@pytest.mark.parametrize("dtype", ["int8", "uint16", "uint64", "float32", "complex64"])
def test_in_place_operators_keep_the_dtype(xp: ModuleType, dtype: str) -> None:
    x = xp.asarray([1, 2], dtype=dtype)
    x += 1
    x *= xp.asarray(2, dtype=dtype)
    x[0] += 1
    assert x.dtype == np.dtype(dtype)
    assert x.tolist() == [5, 6]


def test_in_place_narrowing_follows_numpy(xp: ModuleType) -> None:
    x = xp.asarray([1.0], dtype=xp.float32)
    x += xp.asarray([1e-9])
    assert (x.dtype, x.tolist()) == (xp.float32, [1.0])
    for start, value in (([1], 1.5), ([1.0], 1j), ([True], 1)):
        x = xp.asarray(start)
        with pytest.raises(DTypeError, match="in-place add"):
            x += value
        assert x.tolist() == start
    x = xp.asarray([1, 2], dtype=xp.uint8)
    with pytest.raises(DTypeError):
        x += xp.asarray([1, 2])
    with pytest.raises(ShapeError):
        x += xp.ones((3, 2), dtype=xp.uint8)
    assert x.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("x -= x[0]", [0, 1, 2, 3, 4]),
        ("x[1:] += x[:-1]", [1, 3, 5, 7, 9]),
        ("x[:-1] += x[1:]", [3, 5, 7, 9, 5]),
        ("x += x[::-1]", [6, 6, 6, 6, 6]),
        ("x[...] = x[::-1]", [5, 4, 3, 2, 1]),
        ("x[1:] = x[:-1]", [1, 1, 2, 3, 4]),
        ("x[::2] = x[:3]", [1, 2, 2, 4, 3]),
        ("x[1::2] = x[:4:2]", [1, 1, 3, 3, 5]),
        ("x[:2] = x[3:]", [4, 5, 3, 4, 5]),
        ("x[:4] = x[1:]", [2, 3, 4, 5, 5]),
        ("x[1:3] -= 1", [1, 1, 2, 4, 5]),
        ("x[1] //= 2", [1, 1, 3, 4, 5]),
        ("x[1::2] %= x[2::2]", [1, 2, 3, 4, 5]),
        ("x[1:] |= x[:-1]", [1, 3, 3, 7, 5]),
        ("x[1::2] += x[:4:2]", [1, 3, 3, 7, 5]),
        ("x *= x", [1, 4, 9, 16, 25]),
        ("x[x > 2] = x[0]", [1, 2, 1, 1, 1]),
        ("x[[0, 1]] = x[[1, 0]]", [2, 1, 3, 4, 5]),
        pytest.param("y = x[1:4]; y *= 2; x[0] = y[0]", [4, 4, 6, 8, 5], marks=pytest.mark.needs("views")),
        ("x[-1], x[0] = x[0] + 0, x[-1] + 0", [5, 2, 3, 4, 1]),
    ],
)
def test_overlapping_memory(xp: ModuleType, code: str, wanted: list[int]) -> None:
    x = xp.asarray([1, 2, 3, 4, 5])
    exec(code, {}, {"x": x})
    assert x.tolist() == wanted


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "**", "//", "%", "&", "|", "^", "<<", ">>"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int16", "uint8"])
@pytest.mark.parametrize(
    ("target", "other"),
    [
        ("x[1:]", "x[:-1]"),
        ("x[:, 1:]", "x[:, :-1]"),
        ("x[::2, ::2]", "x[0, ::2]"),
        ("x", "x.T"),
        ("x", "x"),
        ("x[0]", "y"),
        ("x", "x[1, 2]"),
        ("x.T", "xp.asarray(3, dtype=x.dtype)"),
        ("x", "2"),
        ("x", "0.5"),
        ("x", "-3.0"),
        ("x", "2**70"),
    ],
)
def test_in_place_gives_what_the_operator_gives(
    xp: ModuleType, device: burn_array.Device, host: Host, dtype: str, target: str, other: str, symbol: str
) -> None:
    """This holds for operands that share memory too; libraries notice only some of these."""
    start = np.arange(1, 26).reshape(5, 5).astype(dtype)
    names = {"xp": xp, "x": xp.asarray(start), "y": xp.asarray([3, 1, 2, 5, 4], dtype=dtype)}
    try:
        with np.errstate(all="ignore"):
            wanted = eval(f"{target} {symbol} {other}", {}, names)
        done = xp.can_cast(wanted.dtype, dtype) or (wanted.dtype.kind, dtype[:5]) == ("f", "float")
    except (OverflowError, TypeError, ValueError):
        done = False
    code = f"t = {target}\nt {symbol}= {other}"
    if not done:
        with pytest.raises((TypeError, OverflowError, ValueError)):
            exec(code, {}, names)
        assert names["x"].tolist() == start.tolist()
        return
    wanted = host(xp.astype(wanted, xp.asarray(start).dtype))
    with np.errstate(all="ignore"):
        exec(code, {}, names)
    found = eval(target, {}, names) if device.has_views else names["t"]
    np.testing.assert_array_equal(host(found), wanted)


@pytest.mark.needs("views")
@pytest.mark.needs("64 bits")
def test_in_place_arithmetic_of_floats_takes_no_memory_of_its_own(device: burn_array.Device) -> None:
    x, y = (burn_array.ones((300, 300), device=device) for _ in range(2))
    able = device.library in ("numpy", "torch", "dpnp")
    for name in ("add", "subtract", "multiply", "divide"):
        assert device.adapter.in_place(name, x._native, y._native) == able
        assert device.adapter.in_place(name, x._native, 2.0) == able
    assert device.adapter.in_place("pow", x._native, 2) == able
    assert not device.adapter.in_place(
        "add", x._native, burn_array.ones((2, 300, 300), device=device)._native
    )


@pytest.mark.needs("64 bits")
def test_in_place_operators_of_two_dtypes_give_what_the_operator_gives(xp: ModuleType, host: Host) -> None:
    """For each pair of dtypes the array is either what the operator gives, in its own dtype, or unchanged."""
    names = [
        "bool",
        "int8",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "float32",
        "float64",
        "complex64",
        "complex128",
    ]
    values = [[0, 1, 1], [1, 0, 1]]
    for first, second, symbol in product(names, names, ["+", "-", "*", "/", "//", "%", "&", "|", "^"]):
        x, y = xp.asarray(np.array(values, first)), xp.asarray(np.array([[1, 1, 0]], second))
        operands = {"x": x, "y": y[:, :1] if symbol in ("/", "//", "%") else y}
        try:
            wanted = eval(f"x {symbol} y", {}, operands)
            able = np.can_cast(wanted.dtype, first, "same_kind")
        except TypeError:
            able = False
        if able:
            exec(f"x {symbol}= y", {}, operands)
            np.testing.assert_array_equal(
                host(x), host(wanted).astype(first), err_msg=f"{first} {symbol}= {second}"
            )
        else:
            with pytest.raises(TypeError):
                exec(f"x {symbol}= y", {}, operands)
            np.testing.assert_array_equal(host(x), np.array(values, first))
        assert x.dtype == np.dtype(first)


@pytest.mark.needs("views")
def test_a_view_that_is_stored_where_it_comes_from_changes_nothing(xp: ModuleType) -> None:
    x = xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4))
    start = x.tolist()
    for key in (0, (slice(None), 1), slice(1, None), (..., slice(None, None, 2)), (None, slice(0, 2))):
        x[key] = x[key]
        assert x.tolist() == start
    x[:2, :2] = x[:2, :2].T  # the same memory in another order
    assert x[:2, :2].tolist() == [[0.0, 4.0], [1.0, 5.0]]
    x[0, :] = x[1:2, :]
    assert x[0, :].tolist() == x[1, :].tolist() == [1.0, 5.0, 6.0, 7.0]


def test_operators_of_unknown_operands_are_asked(xp: ModuleType) -> None:
    class Other:
        __array_ufunc__ = None

        def __radd__(self, x: Any) -> str:
            return "reflected"

        def __add__(self, x: Any) -> str:
            return "direct"

        def __rmatmul__(self, x: Any) -> str:
            return "matmul"

        def __eq__(self, x: object) -> bool:
            return True

        def __lt__(self, x: Any) -> bool:
            return False

    x = xp.asarray([1.0])
    assert x + Other() == "reflected"
    assert Other() + x == "direct"
    assert x @ Other() == "matmul"
    assert (x == Other()) is True
    assert (x > Other()) is False
    x += Other()
    assert x == "reflected"
    with pytest.raises(TypeError, match="unsupported operand"):
        xp.asarray(1) - Other()


# -- scalars of NumPy and of Python ---------------------------------------------------------------


@pytest.mark.parametrize("dtype", NAMES)
@pytest.mark.parametrize(
    "number",
    [True, 3, 2.5, 1j, np.float64(2.5), np.complex128(1j), np.float32(2.5), np.int8(3), np.int64(3), np.bool_(True)],
    ids=lambda number: f"{type(number).__name__}",
)  # fmt: skip
@pytest.mark.needs("64 bits")
def test_an_array_and_a_number_promote_as_in_numpy(xp: ModuleType, dtype: str, number: Any) -> None:
    a = np.ones(2, dtype=dtype)
    x = xp.asarray(a)
    weak = number.item() if isinstance(number, np.float64 | np.complex128) else number
    for symbol in ("+", "*", "=="):
        for one, other in (
            (apply(symbol, x, number), apply(symbol, a, weak)),
            (apply(symbol, number, x), apply(symbol, weak, a)),
        ):
            assert type(one) is xp.Array
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one.tolist(), other.tolist())


def test_subclasses_of_int_and_float_are_numbers(xp: ModuleType) -> None:
    import enum

    class Level(enum.IntEnum):
        HIGH = 3

    class Real(float):
        pass

    x = xp.asarray([1, 2], dtype=xp.int8)
    assert ((x + Level.HIGH).dtype, (x + Level.HIGH).tolist()) == (xp.int8, [4, 5])
    assert (x * Real(0.5)).tolist() == [0.5, 1.0]
    assert x[Level(3) - 2].item() == 2
    x[0] = Level.HIGH
    assert x.tolist() == [3, 2]
    assert xp.full(2, Level.HIGH).tolist() == [3, 3]
    assert xp.where(x > 2, Level.HIGH, x).tolist() == [3, 2]
