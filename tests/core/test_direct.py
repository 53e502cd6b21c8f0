"""Direct functions give what the adapter's functions give, and each array holds the table of its dtype.

A device has a table of direct functions for each native dtype; an array keeps the table of its dtype, or the empty
table while its dtype has not been looked up.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array._core.records import find_table

PREDICATES = set(
    "equal greater greater_equal isfinite isinf isnan less less_equal logical_and logical_not logical_or logical_xor "
    "not_equal signbit".split()
)
"""Functions whose result is bool for operands of every dtype."""
BINARY = set(
    "add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal "
    "floor_divide greater greater_equal hypot less less_equal logaddexp logical_and logical_or "
    "logical_xor matmul maximum minimum multiply nextafter not_equal pow remainder subtract".split()
)
SPECIAL = {
    "b": [True, False, True, True, False, False],
    "i": [-7, -1, 0, 1, 3, 7],
    "u": [0, 1, 2, 3, 7, 100],
    "f": [-np.inf, -1.5, -0.0, 0.75, np.inf, np.nan],
    "c": [1j, -0.0, complex(0.5, -2.0), complex(np.inf, 1.0), complex(-1.0, -0.0), np.nan],
}


def holds_right_table(x: Any) -> bool:
    """Return whether an array holds no table yet, or that of its dtype."""
    at = x._device
    return x._direct is at.no_table or x._direct is at.direct[x._native.dtype]


def same(a: Any, b: Any) -> None:
    """Assert that two arrays have the same shape, dtype, device and values, signs of zeros included."""
    assert (a.shape, a.dtype, a.device) == (b.shape, b.dtype, b.device)
    if str(a.dtype) == "bfloat16":  # NumPy has no such dtype
        a, b = (burn_array.astype(x, burn_array.float32) for x in (a, b))
    a, b = (np.asarray(x.to_device("numpy")) for x in (a, b))
    np.testing.assert_array_equal(a, b)
    if a.dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(a[~np.isnan(a)]), np.signbit(b[~np.isnan(b)]))


def outcome(function: Callable[..., Any], *operands: Any) -> Any:
    """Return the result of a call, or the class of its error."""
    try:
        return function(*operands)
    except Exception as error:
        return type(error)


def test_direct_functions_give_what_the_adapter_gives(device: burn_array.Device) -> None:
    if not device.direct:
        assert burn_array.ones(1, device=device)._direct is device.functions
        return
    for dtype, native in device.adapter.dtypes.items():
        kind = dtype.kind if dtype.kind in SPECIAL else "f"
        values = np.asarray(SPECIAL[kind]).astype(dtype)
        x = burn_array.asarray(values, device=device)
        y = burn_array.asarray(values[::-1].copy(), device=device)
        chosen = burn_array.asarray(np.arange(6) % 2 == 0, device=device)
        for name, direct in device.direct.get(native, {}).items():
            if name in ("concat", "stack"):
                operands: tuple[Any, ...] = ((x._native, y._native),)
            elif name == "where":
                operands = (chosen._native, x._native, y._native)
            else:
                operands = (x._native, y._native)[: 1 + (name in BINARY)]
            one, other = outcome(direct, *operands), outcome(device.function(name), *operands)
            if isinstance(one, type):
                assert one is other, (name, dtype)
                continue
            result = burn_array.Array(one, device)
            assert result.dtype == (np.dtype("bool") if name in PREDICATES else dtype), (name, dtype)
            same(result, burn_array.Array(other, device))


PROGRAMS: dict[str, Callable[[ModuleType, Any, Any], Any]] = {
    "operators": lambda xp, x, y: [f(x, y) for f in (operator.add, operator.mul, operator.eq, operator.ne)],
    "with itself": lambda xp, x, y: [
        x + x,
        x == x,
        xp.where(x == x, x, x),
        xp.concat([x, x]),
        xp.stack((x, x)),
    ],
    "numbers": lambda xp, x, y: [x * 2, x == 1, 3 * x, xp.add(1, x)],
    "results again": lambda xp, x, y: [
        (x + y) * (x + y),
        (x * 1) + x,
        xp.abs(x) + x,
        xp.sum(x) + x,
        x[1:] + y[1:],
    ],
    "reductions": lambda xp, x, y: [
        xp.sum(x, axis=0),
        xp.any(x),
        xp.argsort(xp.arange(3)),
        xp.mean(xp.ones(3)),
    ],
    "choices": lambda xp, x, y: [xp.where(x == y, x, y), xp.where(x, x, y), xp.where(xp.isnan(x), x, 1)],
    "joined": lambda xp, x, y: [xp.concat((x, y)), xp.concat([x, y], axis=None), xp.stack([x, y], axis=1)],
    "tests": lambda xp, x, y: [
        xp.logical_and(x, y),
        xp.logical_not(x),
        xp.isfinite(x) + xp.isfinite(y),
        ~xp.isinf(x),
    ],
    "other dtypes": lambda xp, x, y: [
        xp.astype(x, xp.complex128) * y,
        xp.real(x) if x.dtype.kind == "c" else x + 1j,
    ],
    "other devices": lambda xp, x, y: [
        xp.asarray(x.tolist()) + x,
        x + x.to_device(str(x.device)),
        x.to_device(x.device),
    ],
    "copies": lambda xp, x, y: [
        xp.asarray(x, copy=True) + y,
        xp.from_dlpack(x) + x,
        xp.reshape(x, (3, 1)) + y,
    ],
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.needs("64 bits")
def test_arrays_hold_the_table_of_their_dtype_or_none(
    xp: ModuleType, host: Callable[[Any], Any], program: Callable[[ModuleType, Any, Any], Any]
) -> None:
    names = ("bool", "int8", "uint8", "uint64", "int64", "float32", "float64", "complex64", "complex128")
    here = xp.__array_namespace_info__().dtypes()
    dtypes = [here[name] for name in names if name in here]
    for one in dtypes:
        for other in dtypes:
            if {one, other} == {xp.int64, xp.uint64}:
                continue
            values = [np.asarray([0, 1, 1]).astype(dtype) for dtype in (one, other)]
            x, y = (xp.asarray(value) for value in values)
            for _ in range(2):  # the second time the operands hold a table
                results = program(xp, x, y)
                assert all(holds_right_table(result) for result in results)
                assert holds_right_table(x)
                assert holds_right_table(y)
            assert (x.dtype, y.dtype) == (one, other)
            if program is PROGRAMS["operators"]:
                for result, expected in zip(results, program(np, *values), strict=True):
                    assert result.dtype == expected.dtype
                    np.testing.assert_allclose(host(result), expected)


def test_the_table_stays_right_when_an_array_changes_in_place(
    xp: ModuleType, device: burn_array.Device
) -> None:
    x = xp.asarray([1.0, 2.0, 3.0])
    y = x + x
    x += y
    x[0] = 5
    x[1:] = xp.asarray([7, 8], device=device)
    x -= 1
    assert holds_right_table(x)
    assert (x + y).tolist() == [6.0, 10.0, 13.0]
    assert holds_right_table(x + y)
    find_table(x)
    assert holds_right_table(x)


def test_the_table_stays_right_when_an_assignment_moves_an_array(device: burn_array.Device) -> None:
    with burn_array.default_device(device):
        x = burn_array.asarray([1.0, 2.0])
    assert (x + x).tolist() == [2.0, 4.0]
    x[:1] = burn_array.asarray([5.0], device="numpy")
    assert holds_right_table(x)
    assert (x + x).tolist() == [10.0, 4.0]


def test_tables_of_a_device(device: burn_array.Device) -> None:
    assert (
        (device.no_table == {})
        if device.direct
        else (device.no_table is device.functions is device.bool_table)
    )
    assert device.functions is device.uncommitted.functions
    if device.library == "torch":
        names = "add divide multiply sqrt abs sign maximum equal where concat stack matmul isnan atan2 pow".split()
        assert set(names) <= set(device.direct[device.adapter.dtypes[np.dtype("float32")]])
        assert device.bool_table is device.direct[device.adapter.dtypes[np.dtype("bool")]]


def test_an_override_takes_a_function_out_of_the_direct_table() -> None:
    torch = pytest.importorskip("torch")
    from burn_array.adapters.torch.adapter import TorchAdapter
    from burn_array.adapters.torch.direct import tables

    class Odd:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, x: Any) -> Any:
            return x

        def __get__(self, instance: Any, owner: Any) -> Any:
            raise RuntimeError

    class Another(TorchAdapter):
        odd = Odd()
        add = staticmethod(torch.sub)

    own, found = (tables(adapter, [torch.float64])[torch.float64] for adapter in (TorchAdapter, Another))
    assert own.keys() - found.keys() == {"add"}


def test_an_adapter_may_lack_the_table_of_bools(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from burn_array._core import device as _device
    from burn_array.adapters.torch.adapter import TorchAdapter

    class Floats(TorchAdapter):
        name = "floats"

        def __init__(self, suffix: str) -> None:
            super().__init__(suffix)
            blend = lambda c, a, b: torch.lerp(b, a, c.to(torch.float64))  # noqa: E731
            self.direct = {torch.float64: {"where": blend}}

    monkeypatch.setitem(_device._ADAPTER_CLASSES, "floats", Floats)
    monkeypatch.setattr(_device, "_DEVICES", dict(_device._DEVICES))
    x, y, condition = (burn_array.asarray(v, device="floats:cpu") for v in ([1.0, 1.0], [0.0, 0.0], [2, 0]))
    for _ in range(2):
        assert burn_array.where(condition, x, y).tolist() == [1.0, 0.0]
        assert (x + x).tolist() == [2.0, 2.0]
    assert burn_array.where(condition != 0, x, y).tolist() == [1.0, 0.0]


OPERATORS = {
    "equal": operator.eq,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "less": operator.lt,
    "less_equal": operator.le,
    "not_equal": operator.ne,
}


@pytest.mark.parametrize("name", sorted(PREDICATES))
def test_results_of_predicates_hold_the_table_of_bools(
    xp: ModuleType, device: burn_array.Device, name: str
) -> None:
    x = xp.asarray([0.5, 0.0, 2.0])
    functions = [getattr(xp, name), *([OPERATORS[name]] if name in OPERATORS else [])]
    for function in functions:
        others = [(x,), (np.asarray([0.5, 1.0, 1.0]),), (1.0,)] if name in BINARY else [()]
        for rest in others:
            result = function(x, *rest)
            assert result.dtype == xp.bool
            assert result._direct is device.bool_table
            assert xp.sqrt(result).dtype == xp.sqrt(xp.asarray([True])).dtype


@pytest.mark.needs("64 bits")
def test_the_order_of_three_dtypes_does_not_matter_to_concat(device: burn_array.Device) -> None:
    wide = [dtype for dtype in device.adapter.dtypes if dtype.name in ("int64", "bfloat16", "float64")]
    arrays = [burn_array.ones(1, dtype=dtype, device=device) for dtype in wide]
    assert burn_array.concat(arrays).dtype == burn_array.concat(arrays[::-1]).dtype == burn_array.float64


def test_promotion_does_not_depend_on_the_tables_found_before(
    xp: ModuleType,
) -> None:
    a, b = xp.asarray([1.5], dtype=xp.float32), xp.asarray([2], dtype=xp.int8)
    first = a + b
    for x in (a, b, first):
        x + x, x == x
    assert (a + b).dtype == first.dtype == xp.float32
    assert xp.where(a == a, a, b).dtype == xp.float32
    assert xp.concat([a, b]).dtype == xp.float32
    assert (b + b).dtype == xp.int8
    assert xp.where(xp.asarray([1]), a, a).tolist() == [1.5]
    assert xp.where(xp.asarray([2], dtype=xp.uint8), a, a).tolist() == [1.5]


@pytest.mark.parametrize("name", ["add", "where", "concat", "matmul"])
def test_errors_of_direct_functions_name_the_function(xp: ModuleType, name: str) -> None:
    x, y, chosen = xp.ones(3), xp.ones(4), xp.ones(3) == 1.0
    calls: dict[str, Callable[[], Any]] = {
        "add": lambda: xp.add(x, y),
        "where": lambda: xp.where(chosen, x, y),
        "concat": lambda: xp.concat([x, xp.ones((2, 2))]),
        "matmul": lambda: xp.matmul(x, xp.ones((4, 4))),
    }
    for _ in range(2):
        with pytest.raises(burn_array.errors.BurnArrayError, match=rf"^{name}"):
            calls[name]()
