"""The array object: words, scalars, iteration, copies, pickles, operators in place and reflected, and methods."""

from __future__ import annotations

import copy
import math
import operator
import pickle
import threading
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import ArgumentTypeError, ArrayIndexError, DTypeError, ShapeError

Host = Callable[[Any], np.ndarray[Any, Any]]
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


# -- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "dtype", "text"),
    [
        ([1.0, 2.5], "float64", "Array([1. , 2.5], dtype=float64, device='{}')"),
        ([1, 2], "int8", "Array([1, 2], dtype=int8, device='{}')"),
        (True, "bool", "Array(True, dtype=bool, device='{}')"),
        (3, "uint64", "Array(3, dtype=uint64, device='{}')"),
        ([1j], "complex64", "Array([0.+1.j], dtype=complex64, device='{}')"),
        ([], "float64", "Array([], dtype=float64, device='{}')"),
        ([[1, 2], [3, 4]], "int64", "Array([[1, 2],\n       [3, 4]], dtype=int64, device='{}')"),
        ([math.nan, -math.inf], "float32", "Array([ nan, -inf], dtype=float32, device='{}')"),
    ],
)
def test_repr(xp: ModuleType, device: burn_array.Device, data: Any, dtype: str, text: str) -> None:
    assert repr(xp.asarray(data, dtype=dtype)) == text.format(device)


def test_words(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.asarray([[1.5, 2.0]])
    assert str(x) == "[[1.5 2. ]]"
    assert f"{x}" == str(x)
    assert f"{x[0, 0]:.3f}" == "1.500"
    assert f"{xp.asarray(7):>4d}|" == "   7|"
    with pytest.raises(TypeError):
        f"{x:.3f}"
    large = repr(xp.zeros((1000, 1000)))
    assert len(large) < 1000
    assert large.endswith(f"dtype=float64, device='{device}')")


def test_attributes(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.zeros((2, 0, 3), dtype=xp.int16)
    assert (x.shape, x.ndim, x.size, x.nbytes, x.itemsize) == ((2, 0, 3), 3, 0, 0, 2)
    assert type(x.shape) is tuple
    assert all(type(n) is int for n in x.shape)
    assert type(xp.ones((2, 3)).size) is int
    assert x.dtype is xp.int16
    assert x.device is device
    assert x.mT.shape == (2, 3, 0)
    for name in ("shape", "dtype", "device", "ndim", "size", "T"):
        with pytest.raises(AttributeError):
            setattr(x, name, None)
    with pytest.raises(AttributeError):
        x.anything = 1


# -- length, iteration, membership ----------------------------------------------------------------


def test_length_and_iteration(xp: ModuleType) -> None:
    x = xp.reshape(xp.arange(6), (3, 2))
    assert len(x) == 3
    assert [row.tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    assert [row.tolist() for row in reversed(x)] == [[4, 5], [2, 3], [0, 1]]
    a, _, c = x
    assert (a.shape, c.tolist()) == ((2,), [4, 5])
    assert [*xp.zeros((0, 2))] == []
    assert all(type(item) is xp.Array for item in xp.arange(3))
    for row in x:
        row[0] = -1
    assert x[:, 0].tolist() == [-1, -1, -1]
    for function in (len, iter, list):
        with pytest.raises(ArgumentTypeError, match="0-d"):
            function(xp.asarray(1))
    assert dict(zip(xp.arange(2).tolist(), xp.ones(2).tolist(), strict=True)) == {0: 1.0, 1: 1.0}


def test_membership(xp: ModuleType) -> None:
    x = xp.asarray([1.0, math.nan])
    assert 1 in x
    assert 1.0 in x
    assert 2 not in x
    assert math.nan not in x
    assert 0 not in xp.zeros(0)
    assert 3 in xp.asarray(3)
    assert "text" not in x
    assert None not in x


# -- Python scalars -------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", NAMES)
def test_conversion_to_python(xp: ModuleType, dtype: str) -> None:
    kind = np.dtype(dtype).kind
    conversions: list[Callable[[Any], Any]] = [bool, int, float, complex, operator.index]
    x = xp.asarray(1, dtype=dtype)
    assert type(bool(x)) is bool
    assert bool(x) is True
    assert complex(x) == 1
    assert type(x.item()) is {"b": bool, "i": int, "u": int, "f": float, "c": complex}[kind]
    if kind != "c":
        assert (type(int(x)), int(x)) == (int, 1)
        assert (type(float(x)), float(x)) == (float, 1.0)
    else:
        for convert in conversions[1:3]:
            with pytest.raises(TypeError):
                convert(x)
    if kind in "iu":
        assert operator.index(x) == 1
        assert [10, 20, 30][x] == 20
        assert list(range(x)) == [0]
        assert "ab"[x:] == "b"
    else:
        with pytest.raises(TypeError):
            operator.index(x)
    assert bool(xp.asarray([[1]], dtype=dtype)) is True  # as in every array library
    for convert in conversions[1:]:
        with pytest.raises(TypeError):
            convert(xp.asarray([1], dtype=dtype))
    for convert in conversions:
        with pytest.raises(TypeError):
            convert(xp.asarray([1, 1], dtype=dtype))


def test_extreme_scalars(xp: ModuleType) -> None:
    assert int(xp.asarray(2**64 - 1, dtype=xp.uint64)) == 2**64 - 1
    assert int(xp.asarray(-(2**63))) == -(2**63)
    assert math.isnan(float(xp.asarray(math.nan)))
    assert math.copysign(1, float(xp.asarray(-0.0))) == -1
    assert bool(xp.asarray(math.nan))
    assert bool(xp.asarray(1j))
    assert not bool(xp.asarray(-0.0))
    assert xp.asarray([5]).item() == 5
    assert xp.asarray([[5, 6]]).item(0, 1) == 6
    with pytest.raises(ValueError, match="NaN"):
        int(xp.asarray(math.nan))
    with pytest.raises(OverflowError):
        int(xp.asarray(-math.inf))
    assert math.floor(float(xp.asarray(2.5))) == 2
    assert round(float(xp.asarray(2.5))) == 2


def test_tolist_gives_python_scalars(xp: ModuleType) -> None:
    for dtype in NAMES:
        listed = xp.asarray([[1, 0]], dtype=dtype).tolist()
        assert listed == [[1, 0]]
        assert type(listed[0][0]).__module__ == "builtins"
        assert xp.asarray(1, dtype=dtype).tolist() == 1


# -- hash, equality -------------------------------------------------------------------------------


def test_arrays_have_no_hash(xp: ModuleType) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(xp.asarray(1))
    with pytest.raises(TypeError):
        {xp.asarray(1): 1}


def test_equality_with_things_that_are_no_arrays(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    assert (x == 1).tolist() == [True, False]
    assert (x != np.asarray([1.0, 3.0])).tolist() == [False, True]
    assert (x == "text") is False
    assert (x == None) is False  # noqa: E711
    assert (x != object()) is True
    assert (x == [1.0, 2.0]) is False


# -- copies and pickles ---------------------------------------------------------------------------


def test_copies_are_independent(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    for y in (copy.copy(x), copy.deepcopy(x), x.copy(), copy.deepcopy({"x": [x]})["x"][0]):
        assert (type(y), y.tolist(), y._device) == (xp.Array, [1.0, 2.0], x._device)
        y[0] = 9
        assert x.tolist() == [1.0, 2.0]
    shared = [x, x]
    one, two = copy.deepcopy(shared)
    assert one is two


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_keeps_values_dtype_device_and_commitment(device: burn_array.Device, protocol: int) -> None:
    for dtype in NAMES:
        for shape in ((2, 3), (), (0, 2)):
            values = np.arange(math.prod(shape)).reshape(shape).astype(dtype)
            committed = burn_array.asarray(values, device=device)
            with burn_array.default_device(device):
                uncommitted = burn_array.asarray(values)
            for x in (
                committed,
                uncommitted,
                burn_array.permute_dims(committed, tuple(range(len(shape)))[::-1]),
            ):
                y = pickle.loads(pickle.dumps(x, protocol))
                assert (y.dtype, y.shape, y._device) == (x.dtype, x.shape, x._device)
                assert y._device is x._device
                assert y.tolist() == x.tolist()
                y[...] = 1
                assert not np.shares_memory(
                    np.asarray(y.to_device("numpy")), np.asarray(x.to_device("numpy"))
                )


def test_pickle_does_not_depend_on_the_default_device(device: burn_array.Device) -> None:
    data = pickle.dumps(burn_array.asarray([1.0], device=device))
    with burn_array.default_device("torch:cpu"):
        assert pickle.loads(data).device is device
    with burn_array.default_device(device):
        plain = pickle.dumps(burn_array.asarray([1.0]))
    y = pickle.loads(plain)
    assert y._device is device.uncommitted
    out_of_band: list[pickle.PickleBuffer] = []
    large = burn_array.ones(1000, device=device)
    data = pickle.dumps(large, 5, buffer_callback=out_of_band.append)
    again = pickle.loads(data, buffers=out_of_band)
    assert again.tolist() == large.tolist()
    again[0] = 5
    assert again[0].item() == 5


def test_functions_and_results_pickle_by_name(xp: ModuleType) -> None:
    for function in (xp.add, xp.linalg.svd, xp.fft.fft, xp.asarray, xp.Array, xp.Device, xp.default_device):
        assert pickle.loads(pickle.dumps(function)) is function
    result = xp.unique_all(xp.asarray([1, 1]))
    again = pickle.loads(pickle.dumps(result))
    assert type(again) is type(result)
    assert again.counts.tolist() == [2]
    assert pickle.loads(pickle.dumps(xp.finfo(xp.float32))) == xp.finfo(xp.float32)


# -- operators ------------------------------------------------------------------------------------

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
    return eval(f"a {symbol} b", {"a": a, "b": b})


@pytest.mark.parametrize("symbol", [*ARITHMETIC, *BITS])
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
def test_in_place_operators_write_into_the_same_memory(xp: ModuleType, symbol: str) -> None:
    start, other = ([4, 6, 8], [1, 2, 3]) if symbol in BITS else ([4.0, 6.0, 8.0], [1.0, 2.0, 3.0])
    wanted = apply(symbol, np.array(start), np.array(other)).tolist()
    for operand in (xp.asarray(other), np.array(other)):
        x = xp.asarray(start)
        same, view, names = x, x[1:], {"x": x, "y": operand}
        exec(f"x {symbol}= y", {}, names)
        assert names["x"] is same
        assert x.tolist() == wanted
        assert view.tolist() == wanted[1:]
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
        ("x *= x", [1, 4, 9, 16, 25]),
        ("x[x > 2] = x[0]", [1, 2, 1, 1, 1]),
        ("x[[0, 1]] = x[[1, 0]]", [2, 1, 3, 4, 5]),
        ("y = x[1:4]; y *= 2; x[0] = y[0]", [4, 4, 6, 8, 5]),
        ("x[-1], x[0] = x[0] + 0, x[-1] + 0", [5, 2, 3, 4, 1]),
    ],
)
def test_overlapping_memory(xp: ModuleType, code: str, wanted: list[int]) -> None:
    x = xp.asarray([1, 2, 3, 4, 5])
    exec(code, {}, {"x": x})
    assert x.tolist() == wanted


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/", "**"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int16"])
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
    xp: ModuleType, host: Host, dtype: str, target: str, other: str, symbol: str
) -> None:
    """Also where the operands share memory, of which libraries notice only a part."""
    start = np.arange(1, 26).reshape(5, 5).astype(dtype)
    names = {"xp": xp, "x": xp.asarray(start), "y": xp.asarray([3, 1, 2, 5, 4], dtype=dtype)}
    try:
        with np.errstate(all="ignore"):
            wanted = eval(f"{target} {symbol} {other}", {}, names)
        done = xp.can_cast(wanted.dtype, dtype) or (wanted.dtype.kind, dtype[:5]) == ("f", "float")
    except (OverflowError, ValueError):
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
    np.testing.assert_array_equal(host(eval(target, {}, names)), wanted)


def test_in_place_arithmetic_of_floats_takes_no_memory_of_its_own(device: burn_array.Device) -> None:
    x, y = (burn_array.ones((300, 300), device=device) for _ in range(2))
    able = device.library in ("numpy", "torch", "dpnp")
    for name in ("add", "subtract", "multiply", "divide"):
        assert device.adapter.in_place(name, x._native, y._native) == able
        assert device.adapter.in_place(name, x._native, 2.0) == able
    assert device.adapter.in_place("pow", x._native, 2) == able
    assert not device.adapter.in_place("add", x._native, burn_array.ones((2, 300, 300), device=device)._native)


def test_unknown_operands_get_their_turn(xp: ModuleType) -> None:
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
def test_mixed_with_a_number_the_dtype_is_that_of_numpy(xp: ModuleType, dtype: str, number: Any) -> None:
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


def test_numbers_of_subclasses(xp: ModuleType) -> None:
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


# -- indexing -------------------------------------------------------------------------------------

ROWS, COLUMNS = np.array([True, False, True]), np.array([True, False, True, False])
KEYS: list[Any] = [
    0, -1, slice(None), slice(1, None), slice(None, None, -1), slice(-1, None, -2), slice(3, 0, -1), slice(5, 1),
    None, ..., (), True, False, (0, 1), (0, ...), (..., 0), (None, 0), (slice(None), None, 1),
    (slice(None, None, 2), slice(None, None, -1)), [0, 1], [[0, 1], [1, 0]], [], ROWS, np.array([0, 2]), np.array(1),
    np.int64(1), np.bool_(True), (np.array([0, 1]), np.array([1, 2])), (slice(None), np.array([0, 1])),
    (np.array([[0], [1]]), np.array([1, 2])), (..., np.array([[0, 1], [1, 0]])), (0, np.array([1, 2])),
    (np.array([0, 1]), None, np.array([1, 2])), (ROWS, 1), (slice(None), COLUMNS), (np.array([0, 1]), slice(1, 3)),
    np.ones((3, 4), dtype=bool), np.zeros((3, 4), dtype=bool), (np.array([-1]), -1), [True, False, True],
    ([], [7]), ([7], []), (np.zeros(0, dtype=int), [9]), ([True, False, True], [0, 3]), ([9], [False] * 4),
]  # fmt: skip


def with_arrays(xp: ModuleType, key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(with_arrays(xp, one) for one in key)
    return xp.asarray(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_indexing_is_that_of_numpy(xp: ModuleType, key: Any) -> None:
    a = np.arange(12).reshape(3, 4)
    wanted = a[tuple(key)] if isinstance(key, tuple) else a[key]
    for k in (key, with_arrays(xp, key)):
        found = xp.asarray(a)[k]
        assert type(found) is xp.Array
        assert found.shape == np.shape(wanted)
        assert found.tolist() == wanted.tolist()
        for value in (7, xp.asarray(7), np.asarray(7), -found - 1, np.float64(3.0)):
            b, x = a.copy(), xp.asarray(a.copy())
            x[k] = value
            b[key] = np.asarray(value.to_device("numpy")) if isinstance(value, xp.Array) else value
            assert x.tolist() == b.tolist()


def test_a_mask_of_another_library_beside_a_list(xp: ModuleType) -> None:
    x = xp.reshape(xp.arange(40), (2, 2, 10))
    mask = pytest.importorskip("torch").ones(2, 2, dtype=pytest.importorskip("torch").bool)
    assert x[mask, [9, 9, 9, 9]].tolist() == [9, 19, 29, 39]
    x[mask, [9, 9, 9, 9]] = 0
    assert x[..., 9].tolist() == [[0, 0], [0, 0]]


def test_views_of_basic_indices_write_through(xp: ModuleType) -> None:
    x = xp.zeros((2, 3))
    x[0][1] = 1
    x[:, 2][...] = 2
    y = x[1, None, ::2]
    y += 5
    assert x.tolist() == [[0, 1, 2], [5, 0, 7]]
    z = x[xp.asarray([0])]
    z[...] = -1
    assert x.tolist() == [[0, 1, 2], [5, 0, 7]]


def test_0d_arrays_stay_arrays_and_are_writable(xp: ModuleType) -> None:
    x = xp.asarray([1.0, 2.0])
    for zero in (
        x[0],
        xp.sum(x),
        x.max(),
        xp.asarray(3.0),
        x @ x,
        xp.linalg.vector_norm(x),
        xp.mean(x),
        abs(x[0]),
        x[0] + 1,
    ):
        assert (type(zero), zero.shape, zero.ndim, zero.size) == (xp.Array, (), 0, 1)
        zero[...] = 9.0
        assert zero.item() == 9.0
        zero[()] = 8.0
        assert zero[()].item() == 8.0
        zero += 1
        assert float(zero) == 9.0


def test_assignment_casts_as_numpy_does(xp: ModuleType) -> None:
    x = xp.asarray([1, 2, 3])
    x[0] = 2.9
    x[1] = True
    x[2] = xp.asarray(-1.5)
    assert x.tolist() == [2, 1, -1]
    y = xp.asarray([True, False])
    y[...] = xp.asarray([0.0, 0.5])
    assert y.tolist() == [False, True]
    z = xp.asarray([1, 2], dtype=xp.uint8)
    z[...] = xp.asarray([257, -1])
    assert z.tolist() == [1, 255]
    w = xp.asarray([0.0], dtype=xp.float32)
    w[0] = 0.1
    assert w.tolist() == [float(np.float32(0.1))]
    c = xp.asarray([0j])
    c[0] = 1
    assert c.tolist() == [1 + 0j]
    n = xp.zeros((2, 2))
    n[0] = [1, 2]
    n[1] = (3, np.float32(4))
    assert n.tolist() == [[1, 2], [3, 4]]


def test_overlap_is_seen_across_libraries() -> None:
    for start in (0, 1):
        a = np.arange(100_000)
        wanted = a.copy()
        wanted[1:] = wanted[:-1].copy()
        x = burn_array.asarray(a[start:], device="torch:cpu")
        x[1 - start :] = a[:-1]
        assert a.tolist() == wanted.tolist()


def test_deleting_is_refused(xp: ModuleType) -> None:
    x = xp.zeros(3)
    with pytest.raises(TypeError, match="cannot be deleted"):
        del x[0]


# -- methods --------------------------------------------------------------------------------------

METHODS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "sum axis": lambda x: x.sum(axis=1, keepdims=True),
    "sum positional": lambda x: x.sum(0),
    "sum dtype": lambda x: x.sum(dtype="float32"),
    "prod": lambda x: x.prod(axis=0),
    "mean": lambda x: x.mean(axis=-1),
    "mean dtype": lambda x: x.mean(dtype=np.float32),
    "var": lambda x: x.var(axis=0, ddof=1),
    "std": lambda x: x.std(keepdims=True),
    "max": lambda x: x.max(axis=1),
    "min": lambda x: x.min(),
    "any": lambda x: (x > 2).any(axis=0),
    "all": lambda x: (x > 0).all(),
    "argmax": lambda x: x.argmax(axis=1),
    "argmin": lambda x: x.argmin(),
    "cumsum": lambda x: x.cumsum(),
    "cumsum axis": lambda x: x.cumsum(axis=1),
    "cumprod": lambda x: x.cumprod(axis=0),
    "reshape": lambda x: x.reshape(3, 2),
    "reshape tuple": lambda x: x.reshape((3, 2)),
    "reshape -1": lambda x: x.reshape(-1),
    "reshape list": lambda x: x.reshape([2, -1, 1]),
    "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.T.flatten(),
    "transpose": lambda x: x.transpose(),
    "transpose axes": lambda x: x.transpose(1, 0),
    "transpose tuple": lambda x: x.transpose((1, 0)),
    "transpose None": lambda x: x.transpose(None),
    "swapaxes": lambda x: x.swapaxes(0, -1),
    "squeeze": lambda x: x[:1].squeeze(),
    "squeeze axis": lambda x: x[:, :1].squeeze(axis=1),
    "repeat": lambda x: x.repeat(2, axis=1),
    "repeat flat": lambda x: x.repeat(2),
    "take": lambda x: x.take([0, -1], axis=1),
    "take flat": lambda x: x.take([0, 5]),
    "astype": lambda x: x.astype("int8"),
    "astype class": lambda x: x.astype(np.float32),
    "copy": lambda x: x.copy(),
    "conj": lambda x: (x * 1j).conj(),
    "conj real": lambda x: x.conj(),
    "real": lambda x: (x * 1j + 2).real,
    "imag": lambda x: (x * 1j).imag,
    "real real": lambda x: x.real,
    "imag real": lambda x: x.imag,
    "clip": lambda x: x.clip(1, 2),
    "clip max": lambda x: x.clip(max=1.5),
    "round": lambda x: (x * 1.7).round(),
    "round decimals": lambda x: (x * 1.23456).round(2),
    "dot": lambda x: x.dot(x.T),
    "dot vector": lambda x: x[0].dot(x[1]),
    "dot scalar": lambda x: x.dot(2.0),
    "dot 3-d": lambda x: x.dot(x.T[None]),
    "argsort": lambda x: (-x).argsort(axis=1),
    "nonzero": lambda x: x.nonzero(),
    "item": lambda x: x.item(1, 2),
    "tolist": lambda x: x.tolist(),
    "nbytes": lambda x: x.nbytes,
    "itemsize": lambda x: x.itemsize,
}


@pytest.mark.parametrize("name", METHODS)
def test_method_gives_what_numpy_gives(xp: ModuleType, name: str) -> None:
    a = np.array([[0.5, 1.5, 2.5], [3.5, 0.0, 4.5]])
    wanted, found = METHODS[name](a), METHODS[name](xp.asarray(a))
    if not isinstance(wanted, tuple):
        wanted, found = (wanted,), (found,)
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, np.ndarray | np.generic) and name != "item":
            assert (type(one), one.shape, one.dtype) == (xp.Array, other.shape, other.dtype)
            np.testing.assert_allclose(one.tolist(), other.tolist(), rtol=1e-6)
        else:
            assert one == other


def test_methods_take_no_out(xp: ModuleType) -> None:
    x = xp.ones(3)
    for name in "sum prod mean var std max min any all argmax argmin cumsum cumprod".split():
        with pytest.raises(ValueError, match="out= is not supported"):
            getattr(x, name)(out=x)


def test_fill(xp: ModuleType) -> None:
    x = xp.ones((2, 2))
    x.fill(3)
    assert x.tolist() == [[3.0, 3.0], [3.0, 3.0]]


def test_swapaxes_and_take_check_their_axes(xp: ModuleType) -> None:
    x = xp.ones((2, 3))
    with pytest.raises(IndexError):
        x.swapaxes(0, 2)
    with pytest.raises(ArrayIndexError):
        x[9]
    if x.device.is_host and x.device.library in ("numpy", "torch"):  # others do not check, or end in the kernel
        with pytest.raises(ArrayIndexError):
            x.take([9], axis=0)


# -- abuse ----------------------------------------------------------------------------------------


def test_arrays_work_in_many_threads(xp: ModuleType, device: burn_array.Device) -> None:
    failures: list[Any] = []

    def work(seed: int) -> None:
        try:
            x = xp.asarray([float(seed)] * 8, device=device)
            for _ in range(100):
                y = (x * 2 + x)[::2]
                y[0] = seed
                y += 1
                assert y.tolist() == [seed + 1.0] + [seed * 3 + 1.0] * 3
                assert xp.sum(xp.concat([x, x])).item() == seed * 16
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_the_class_is_not_called_by_users_but_natives_are_what_it_holds(xp: ModuleType) -> None:
    x = xp.ones(2)
    assert type(xp.Array(x._native, x._device)) is xp.Array
    assert not hasattr(x, "__dict__")


def test_an_array_in_its_own_index_and_value(xp: ModuleType) -> None:
    x = xp.asarray([2, 0, 1])
    assert x[x].tolist() == [1, 2, 0]
    x[x] = x
    assert sorted(x.tolist()) == [0, 1, 2]
    y = xp.asarray([True, False])
    y[y] = y[y]
    assert y.tolist() == [True, False]


def test_nan_payloads_and_signed_zeros_survive(device: burn_array.Device) -> None:
    bits = np.array([0x7FF8000000000123, 0xFFF8000000000001, 0x8000000000000000, 1], dtype=np.uint64)
    x = burn_array.asarray(bits.view(np.float64), device=device)
    for y in (x, x[::-1][::-1], burn_array.asarray(x, copy=True), burn_array.concat([x[:2], x[2:]]),
              pickle.loads(pickle.dumps(x)), x.to_device("numpy"), burn_array.reshape(x, (2, 2)).ravel()):  # fmt: skip
        assert np.asarray(y.to_device("numpy")).view(np.uint64).tolist() == bits.tolist()
