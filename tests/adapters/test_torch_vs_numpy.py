"""The torch adapter against NumPy: the same dtypes, shapes and values, over all dtypes, 0-d and empty arrays."""

from __future__ import annotations

import itertools
import os
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from burn_array.adapters import torch_linalg  # noqa: E402
from burn_array.adapters.torch import TorchAdapter  # noqa: E402

DEVICE = os.environ.get("BURN_TEST_TORCH", "cpu")
ADAPTER = TorchAdapter(DEVICE)
RNG = np.random.default_rng(2025)

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTS = SIGNED + UNSIGNED
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
ALL = ["bool", *INTS, *FLOATS, *COMPLEX]
REAL = INTS + FLOATS
NUMBERS = [*REAL, *COMPLEX]
SHAPES = [(), (0,), (1,), (7,), (3, 4), (0, 3), (2, 1, 3)]


def values(dtype: str, shape: tuple[int, ...], small: bool = False) -> Any:
    """Return values of all magnitudes that the dtype has, the extremes among them."""
    return np.asarray(_values(dtype, shape, small))


def _values(dtype: str, shape: tuple[int, ...], small: bool) -> Any:
    kind = np.dtype(dtype).kind
    if kind == "b":
        return RNG.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        info = np.iinfo(dtype)
        low, high = (max(info.min, -9), 9) if small else (info.min, info.max)
        out = RNG.integers(low, high, shape, dtype=dtype, endpoint=True)
        near = RNG.integers(max(info.min, -9), 9, shape, dtype=dtype)
        return np.where(RNG.random(shape) < 0.5, out, near).astype(dtype)
    if kind == "c":
        part = "float32" if dtype == "complex64" else "float64"
        out = np.empty(shape, dtype)
        out.real, out.imag = values(part, shape, small), values(part, shape, small)
        return out
    out = RNG.normal(0, 3, shape)
    if not small:
        out = np.where(
            RNG.random(shape) < 0.3, RNG.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -2.0], shape), out
        )
    return out.astype(dtype)


def native(x: Any) -> Any:
    return ADAPTER.from_host(np.asarray(x).copy(), True) if isinstance(x, np.ndarray | np.generic) else x


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    args = tuple([native(y) for y in x] if isinstance(x, list) else native(x) for x in args)
    return ADAPTER.find(name)(*args, **{k: native(v) for k, v in kwargs.items()})


def check(got: Any, want: Any, exact: bool = False, what: str = "") -> None:
    assert type(got) is torch.Tensor, (what, type(got))
    got, want = ADAPTER.to_host(got), np.asarray(want)
    assert got.dtype == want.dtype, (what, got.dtype, want.dtype)
    assert got.shape == want.shape, (what, got.shape, want.shape)
    if exact or want.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want, err_msg=what)
    else:
        rtol = {"e": 4e-3, "f": 3e-5, "d": 1e-11, "F": 3e-4, "D": 1e-11}[want.dtype.char]
        for a, b in ((got.real, want.real), (got.imag, want.imag)):
            np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol, err_msg=what)


def pytest_generate(name: str, dtypes: list[str]) -> list[Any]:
    return [pytest.param(name, dtype, id=f"{name}-{dtype}") for dtype in dtypes]


def cases(table: dict[str, list[str]]) -> list[Any]:
    return [case for name, dtypes in table.items() for case in pytest_generate(name, dtypes)]


# -- element-wise -----------------------------------------------------------------------------

_TRIG = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh",
    "atan2": "arctan2", "bitwise_invert": "invert", "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift", "pow": "power", "concat": "concatenate", "permute_dims": "transpose",
}  # fmt: skip

UNARY = dict.fromkeys(
    "sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh exp expm1 log log1p log2 log10 sqrt "
    "isnan isinf isfinite logical_not real imag".split(),
    ALL,
) | {
    "conj": NUMBERS,
    "abs": ALL,
    "negative": NUMBERS,
    "positive": NUMBERS,
    "square": NUMBERS,
    "sign": REAL,
    "signbit": FLOATS,
    "floor": ["bool", *REAL],
    "ceil": ["bool", *REAL],
    "trunc": ["bool", *REAL],
    "round": NUMBERS,
    "reciprocal": FLOATS,
    "bitwise_invert": ["bool", *INTS],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "dtype"), cases(UNARY))
def test_unary(name: str, dtype: str) -> None:
    reference = getattr(np, _TRIG.get(name, name))
    for shape in SHAPES:
        x = values(dtype, shape, small=np.dtype(dtype).kind == "c" or name in ("sin", "cos", "tan"))
        x = (
            x
            if name in ("real", "imag", "conj")
            else np.abs(x)
            if name == "sqrt" and x.dtype.kind == "f"
            else x
        )
        check(call(name, x), reference(x), what=f"{name}({x!r})")


BINARY = (
    "add subtract multiply divide floor_divide remainder maximum minimum equal not_equal less less_equal greater "
    "greater_equal bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor".split()
)
PAIRS = list(itertools.product(ALL, ALL))


def is_defined(name: str, a: str, b: str) -> bool:
    together = np.result_type(a, b).kind
    if name.startswith("bitwise"):
        return together in "biu"
    if name == "subtract":
        return together != "b"
    if name in (
        "floor_divide",
        "remainder",
        "maximum",
        "minimum",
        "less",
        "less_equal",
        "greater",
        "greater_equal",
    ):
        return together != "c"
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BINARY)
def test_binary_of_every_two_dtypes(name: str) -> None:
    reference = getattr(np, name)
    for a, b in PAIRS:
        if not is_defined(name, a, b):
            continue
        for one, two in (((7,), (7,)), ((2, 1, 3), (4, 1)), ((), (3,)), ((3,), ()), ((0,), (1,)), ((), ())):
            small = name == "divide" and np.result_type(a, b).kind == "c"
            x, y = values(a, one, small), values(b, two, small)
            want = reference(x, y)
            if name == "floor_divide" and want.dtype.kind == "f":
                x, y = (
                    z if z.dtype.kind != "f" else np.where(np.isinf(z), 1, z).astype(z.dtype) for z in (x, y)
                )
                want = reference(x, y)
            check(call(name, x, y), want, what=f"{name}({x!r}, {y!r})")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BINARY)
def test_binary_with_python_scalar(name: str) -> None:
    reference = getattr(np, name)
    for dtype, scalar in itertools.product(ALL, [True, 3, -2, 0, 2.5, 1j]):
        kind = np.result_type(np.dtype(dtype), np.asarray(scalar).dtype).name
        if not is_defined(name, kind, kind):
            continue
        x = values(dtype, (5,), small=True)
        if scalar == 0 and name in ("divide", "floor_divide", "remainder"):
            continue
        for args in ((x, scalar), (scalar, x)):
            try:
                want = reference(*args)
            except OverflowError:
                with pytest.raises(OverflowError):
                    call(name, *args)
                continue
            check(call(name, *args), want, what=f"{name}{args!r}")


@pytest.mark.parametrize("name", ["equal", "less", "greater_equal", "not_equal"])
def test_comparison_with_integers_outside_of_the_dtype(name: str) -> None:
    for dtype, scalar in itertools.product(INTS, [-1, 2**63, 2**64, -(2**63) - 1, 300]):
        x = values(dtype, (4,))
        check(call(name, x, scalar), getattr(np, name)(x, scalar))
        check(call(name, scalar, x), getattr(np, name)(scalar, x))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["atan2", "copysign", "hypot", "logaddexp", "nextafter"])
def test_binary_of_floats(name: str) -> None:
    for a, b in itertools.product(["bool", *REAL], repeat=2):
        x, y = values(a, (4, 1)), values(b, (6,))
        check(call(name, x, y), getattr(np, _TRIG.get(name, name))(x, y), what=f"{name}({x!r}, {y!r})")


@pytest.mark.filterwarnings("ignore")
def test_pow() -> None:
    for a, b in itertools.product(NUMBERS, repeat=2):
        x, y = values(a, (5, 1), small=True), np.abs(values(b, (6,), small=True))
        if np.result_type(a, b).kind == "c":
            x, y = x / 4 + 0, y / 4 + 0
        check(
            call("pow", x, y.astype(b) if y.dtype.kind != "f" else y),
            np.power(x, y.astype(b) if y.dtype.kind != "f" else y),
            what=f"{x!r}**{y!r}",
        )
    x, y = values("uint64", (30, 1)), values("uint64", (20,))
    check(call("pow", x, y), np.power(x, y))
    with pytest.raises(ValueError, match="negative"):
        call("pow", np.asarray([2, 3]), np.asarray([1, -1]))
    with pytest.raises(ValueError, match="negative"):
        call("pow", np.asarray([2, 3]), -1)


@pytest.mark.parametrize("name", ["bitwise_left_shift", "bitwise_right_shift"])
def test_shifts(name: str) -> None:
    for a, b in itertools.product(["bool", *INTS], repeat=2):
        if np.result_type(a, b).kind not in "biu":
            continue
        x, y = values(a, (9, 1)), np.arange(0, 2 if b == "bool" else 70, dtype=b)
        check(call(name, x, y), getattr(np, _TRIG[name])(x, y), what=f"{name}, {a}, {b}")


def test_clip() -> None:
    for dtype in REAL:
        x = values(dtype, (6,))
        for low, high in ((2, 5), (None, 3), (1, None), (None, None)):
            check(call("clip", x, low, high), np.clip(x, low, high), exact=True)
        y = values(dtype, (6,), small=True)
        check(call("clip", x, y, None), np.maximum(x, y), exact=True)
        if dtype in INTS:
            check(call("clip", x, -(2**70), 2**70), x)
    with np.errstate(all="ignore"):
        x = np.asarray([1.0, np.nan, 3.0])
        check(call("clip", x, np.asarray(np.nan), 2.0), np.clip(x, np.nan, 2.0))


# -- reductions -------------------------------------------------------------------------------

AXES: list[Any] = [None, 0, -1, (0, 1), (0,), ()]


def reductions(dtype: str, shape: tuple[int, ...]) -> dict[str, Any]:
    kind = np.dtype(dtype).kind
    table: dict[str, Any] = {"sum": np.sum, "prod": np.prod, "any": np.any, "all": np.all, "mean": np.mean}
    table |= {"var": np.var, "std": np.std}
    if kind != "c":
        table |= {"max": np.max, "min": np.min}
    return table


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ALL)
def test_reductions(dtype: str) -> None:
    for shape, axis, keepdims in itertools.product([(3, 4), (0, 3), (2, 3, 4), (2, 0)], AXES, [False, True]):
        x = values(dtype, shape, small=True)
        for name, reference in reductions(dtype, shape).items():
            try:
                want = reference(x, axis=axis, keepdims=keepdims)
            except ValueError:
                with pytest.raises(ValueError, match="size 0"):
                    call(name, x, axis=axis, keepdims=keepdims)
                continue
            check(
                call(name, x, axis=axis, keepdims=keepdims), want, what=f"{name}({x!r}, {axis}, {keepdims})"
            )
    x = values(dtype, (), small=True)
    for name, reference in reductions(dtype, ()).items():
        check(call(name, x, axis=None, keepdims=True), reference(x), what=name)


@pytest.mark.parametrize("dtype", ALL)
def test_sum_and_prod_wrap_and_take_a_dtype(dtype: str) -> None:
    x = values(dtype, (40,), small=dtype not in INTS)
    for name in ("sum", "prod"):
        check(call(name, x), getattr(np, name)(x), what=f"{name}({x!r})")
        for to in ("uint16", "uint64", "int64"):
            if dtype in INTS:
                got = call(name, x, dtype=getattr(torch, to))
                check(got, getattr(np, name)(x, dtype=to))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("correction", [0, 1, 0.5, 2.0, 3, 5])
def test_correction(correction: float) -> None:
    for dtype in (*FLOATS, *COMPLEX, "int32"):
        x = values(dtype, (3, 2), small=True)
        for name in ("var", "std"):
            check(call(name, x, axis=0, correction=correction), getattr(np, name)(x, axis=0, ddof=correction))


@pytest.mark.parametrize("dtype", ALL)
def test_cumulative(dtype: str) -> None:
    for name, axis, initial in itertools.product(
        ["cumulative_sum", "cumulative_prod"], [0, 1, -1], [False, True]
    ):
        x = values(dtype, (3, 4), small=dtype not in INTS)
        want = getattr(np, name)(x, axis=axis, include_initial=initial)
        check(call(name, x, axis=axis, include_initial=initial), want, what=name)
    x = values(dtype, (5,), small=True)
    check(call("cumulative_sum", x), np.cumulative_sum(x))
    x = values(dtype, (0,))
    check(call("cumulative_sum", x, include_initial=True), np.cumulative_sum(x, include_initial=True))


@pytest.mark.parametrize("dtype", ALL)
def test_diff(dtype: str) -> None:
    x = values(dtype, (3, 5), small=dtype not in INTS)
    for n, axis in itertools.product([0, 1, 2, 6], [0, -1]):
        check(call("diff", x, axis=axis, n=n), np.diff(x, axis=axis, n=n))
    check(call("diff", x, prepend=x[:, :1], append=x[:, :2]), np.diff(x, prepend=x[:, :1], append=x[:, :2]))


# -- searching, sorting, sets -----------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", *REAL])
def test_searching(dtype: str) -> None:
    for axis, keepdims in itertools.product([None, 0, -1], [False, True]):
        x = values(dtype, (4, 5), small=True)
        for name in ("argmax", "argmin"):
            check(
                call(name, x, axis=axis, keepdims=keepdims),
                getattr(np, name)(x, axis=axis, keepdims=keepdims),
            )
    check(call("argmax", np.ones(1000, dtype=dtype)), np.int64(0))
    x = values(dtype, (0, 3))
    check(call("argmax", x, axis=1), np.argmax(x, axis=1))
    with pytest.raises(ValueError, match="size 0"):
        call("argmax", x, axis=0)


@pytest.mark.parametrize("dtype", ALL)
def test_nonzero(dtype: str) -> None:
    x = values(dtype, (4, 5))
    for got, want in zip(call("nonzero", x), np.nonzero(x), strict=True):
        check(got, want)
    for axis, keepdims in itertools.product([None, 0, (0, 1)], [False, True]):
        check(
            call("count_nonzero", x, axis=axis, keepdims=keepdims),
            np.count_nonzero(x, axis=axis, keepdims=keepdims),
        )


@pytest.mark.parametrize("dtype", ["bool", *REAL])
def test_sort(dtype: str) -> None:
    for axis in (0, -1):
        x = values(dtype, (20, 5), small=True)
        x = np.where(RNG.random(x.shape) < 0.3, values(dtype, x.shape), x)
        check(call("sort", x, axis=axis), np.sort(x, axis=axis, stable=True))
        check(call("argsort", x, axis=axis), np.argsort(x, axis=axis, stable=True))
    x = values(dtype, (50,), small=True)
    order = ADAPTER.to_host(call("argsort", x, descending=True))
    assert all(x[i] > x[j] or (x[i] == x[j] and i < j) for i, j in itertools.pairwise(order))
    for shape in ((0,), (3, 0)):
        check(call("sort", values(dtype, shape)), values(dtype, shape))


@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted(side: str) -> None:
    for a, b in itertools.product(["bool", *REAL], repeat=2):
        x, y = np.sort(values(a, (20,))), values(b, (3, 5))
        if {x.dtype.kind, y.dtype.kind} == {"i", "u"} and "uint64" in (a, b):
            continue
        check(call("searchsorted", x, y, side=side), np.searchsorted(x, y, side=side), what=f"{x!r} {y!r}")
        check(call("searchsorted", x[:0], y, side=side), np.searchsorted(x[:0], y, side=side))
        check(call("searchsorted", x, y[0, 0], side=side), np.searchsorted(x, y[0, 0], side=side))
    x, order = np.asarray([3.0, 1.0, 2.0]), np.asarray([1, 2, 0])
    check(call("searchsorted", x, 2, side=side, sorter=order), np.searchsorted(x, 2, side=side, sorter=order))


@pytest.mark.parametrize("dtype", ALL)
def test_unique(dtype: str) -> None:
    for shape in ((0,), (), (30,), (4, 6)):
        x = values(dtype, shape, small=True)
        want = np.unique(x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)
        for got, one in zip(call("unique_all", x), want, strict=True):
            check(got, one)
        check(call("unique_values", x), want[0])
        check(call("unique_inverse", x)[1], want[2])
        check(call("unique_counts", x)[1], want[3])
    if dtype in FLOATS:
        x = np.asarray([np.nan, 1, np.nan, 0.0, -0.0], dtype=dtype)
        check(call("unique_counts", x)[1], np.asarray([2, 1, 1, 1]))


def test_isin() -> None:
    for a, b in itertools.product(ALL, repeat=2):
        x, y = values(a, (4, 5), small=True), values(b, (7,), small=True)
        want = np.asarray([any(bool(i == j) for j in y) for i in x.ravel()]).reshape(x.shape)
        check(call("isin", x, y), want, what=f"{x!r} {y!r}")
        check(call("isin", x, y, invert=True), ~want)
        check(call("isin", x, y[:0]), np.zeros(x.shape, bool))
    check(call("isin", np.asarray([1, 255], dtype="uint8"), -1), np.asarray([False, False]))
    check(call("isin", 3, np.asarray([1, 3])), np.asarray(True))


def test_where() -> None:
    for a, b in PAIRS:
        c, x, y = values("bool", (3, 4)), values(a, (4,)), values(b, (3, 1))
        check(call("where", c, x, y), np.where(c, x, y), exact=True)
    for dtype, scalar in itertools.product(ALL, [True, 3, 2.5, 1j]):
        c, x = values("bool", (3,)), values(dtype, (3,))
        check(call("where", c, x, scalar), np.where(c, x, scalar), exact=True)
        check(call("where", c, scalar, x), np.where(c, scalar, x), exact=True)


# -- indexing ---------------------------------------------------------------------------------


def random_part(size: int) -> Any:
    choice = RNG.integers(0, 9)
    if choice == 0:
        return int(RNG.integers(-size, size))
    if choice in (1, 2):
        low, high = (int(n) for n in RNG.integers(-size - 1, size + 1, 2))
        return slice(low, high, int(RNG.choice([1, 2, -1, -2])))
    if choice == 3:
        return slice(None, None, int(RNG.choice([1, -1, -3])))
    if choice == 4:
        return RNG.integers(0, 2, size).astype(bool)
    if choice == 5:
        return RNG.integers(-size, size, (2, 1))
    if choice == 6:
        return RNG.integers(0, size, 3).astype(RNG.choice(INTS))
    if choice == 7:
        return np.asarray(RNG.integers(-size, size))
    return slice(None)


def random_key(shape: tuple[int, ...]) -> Any:
    count = int(RNG.integers(0, len(shape) + 1))
    dots = bool(RNG.integers(0, 2))
    at = int(RNG.integers(0, count + 1)) if dots else count
    sizes = shape[:at] + (shape[len(shape) - (count - at) :] if count > at else ())
    parts = [random_part(size) for size in sizes]
    parts[at:at] = [...] if dots else []
    if RNG.integers(0, 6) == 0:
        parts.insert(int(RNG.integers(0, len(parts) + 1)), bool(RNG.integers(0, 2)))
    for _ in range(int(RNG.integers(0, 3))):
        parts.insert(int(RNG.integers(0, len(parts) + 1)), None)
    return tuple(parts) if len(parts) != 1 or RNG.integers(0, 2) else parts[0]


def native_key(key: Any) -> Any:
    parts = key if isinstance(key, tuple) else (key,)
    made = tuple(native(p) if isinstance(p, np.ndarray | np.generic) else p for p in parts)
    return made if isinstance(key, tuple) else made[0]


def test_indexing() -> None:
    done = 0
    for _ in range(6000):
        x = values(str(RNG.choice(ALL)), (3, 4, 2, 5)[: RNG.integers(0, 5)])
        key = random_key(x.shape)
        try:
            want = x[key]
        except IndexError:
            continue
        done += 1
        check(
            ADAPTER.find("getitem")(native(x), native_key(key)), want, exact=True, what=f"{x.shape} {key!r}"
        )
        value = np.arange(want.size).reshape(want.shape).astype(x.dtype)
        target, expected = native(x), x.copy()
        indices = [p for p in (key if isinstance(key, tuple) else (key,)) if isinstance(p, np.ndarray)]
        if any(p.dtype != bool for p in indices):
            value = np.asarray(RNG.integers(0, 2)).astype(x.dtype)
        expected[key] = value
        ADAPTER.find("setitem")(target, native_key(key), native(value))
        check(target, expected, exact=True, what=f"set {x.shape} {key!r}")
        if x.dtype != bool:
            summed = x.copy()
            with np.errstate(all="ignore"):
                np.add.at(summed, key, np.ones(want.shape, x.dtype))
                ones = native(np.ones(want.shape, x.dtype))
                check(
                    ADAPTER.find("scatter_add")(native(x), native_key(key), ones), summed, what=f"add {key!r}"
                )
    assert done > 3000


def test_mask_of_size_0_selects_nothing() -> None:
    for shape, mask in (((1,), (0,)), ((0, 1), (0, 0)), ((2, 3), (0,))):
        x = np.ones(shape)
        got = ADAPTER.find("getitem")(native(x), native(np.zeros(mask, bool)))
        assert got.shape == (0, *shape[len(mask) :])


def test_setitem_of_overlapping_memory_and_scalars() -> None:
    setitem, getitem = ADAPTER.find("setitem"), ADAPTER.find("getitem")
    for dtype in ALL:
        x = values(dtype, (9,), small=True)
        t, expected = native(x), x.copy()
        setitem(t, slice(1, None), getitem(t, slice(None, -1)))
        expected[1:] = x[:-1]
        check(t, expected, exact=True)
        setitem(t, slice(None), getitem(t, slice(None, None, -1)))
        check(t, expected[::-1], exact=True)
    t = native(np.zeros(2, dtype="uint64"))
    setitem(t, 0, 2**63)
    check(t, np.asarray([2**63, 0], dtype="uint64"))
    for dtype, scalar in (("uint8", 256), ("uint64", -1), ("int8", 128), ("uint16", 2**16)):
        with pytest.raises(OverflowError):
            setitem(native(np.zeros(2, dtype=dtype)), 0, scalar)


@pytest.mark.parametrize("dtype", ALL)
def test_take(dtype: str) -> None:
    x = values(dtype, (3, 4))
    for index in INTS:
        i = np.asarray([0, 2, 1, 1], dtype=index)
        check(call("take", x, i, axis=1), np.take(x, i, axis=1), exact=True)
        check(
            call("take", x, i - 3 if index in SIGNED else i, axis=-2),
            np.take(x, i - 3 if index in SIGNED else i, axis=0),
            exact=True,
        )
    i = RNG.integers(-4, 4, (3, 2))
    check(call("take_along_axis", x, i, axis=1), np.take_along_axis(x, i, axis=1), exact=True)
    check(call("take_along_axis", x, i[:1], axis=-1), np.take_along_axis(x, i[:1], axis=-1), exact=True)


# -- manipulation and creation ----------------------------------------------------------------


@pytest.mark.parametrize("dtype", ALL)
def test_manipulation(dtype: str) -> None:
    x = values(dtype, (2, 3, 4))
    for axis in (None, 0, (0, -1)):
        check(call("flip", x, axis=axis), np.flip(x, axis=axis), exact=True)
    for shift, axis in ((1, None), (-2, 1), ((1, 2), (0, 1)), (3, (0, 2)), ((1, 1), 0)):
        check(call("roll", x, shift, axis=axis), np.roll(x, shift, axis=axis), exact=True)
    for repeats, axis in ((2, None), (3, 1), (np.asarray([1, 0, 2]), 1), (np.asarray([2]), 0)):
        check(call("repeat", x, repeats, axis=axis), np.repeat(x, repeats, axis=axis), exact=True)
    for axis in (0, -1, (0, 2), (-1, 0)):
        check(call("expand_dims", x, axis), np.expand_dims(x, axis), exact=True)
    for reps in ((2,), (1, 2, 1, 2), (), (0,)):
        check(call("tile", x, reps), np.tile(x, reps), exact=True)
    check(call("moveaxis", x, (0, 1), (-1, 0)), np.moveaxis(x, (0, 1), (-1, 0)), exact=True)
    check(call("permute_dims", x, (2, 0, 1)), np.transpose(x, (2, 0, 1)), exact=True)
    check(call("stack", [x, x], axis=1), np.stack([x, x], axis=1), exact=True)
    check(call("concat", [x, x[:, :, :1]], axis=2), np.concatenate([x, x[:, :, :1]], axis=2), exact=True)
    check(call("concat", [x, x[0, 0]], axis=None), np.concatenate([x, x[0, 0]], axis=None), exact=True)
    check(call("squeeze", x[:1], 0), x[0], exact=True)
    for got, want in zip(call("unstack", x, axis=1), np.unstack(x, axis=1), strict=True):
        check(got, want, exact=True)
    for shape in ((6, 4), (-1,), (2, -1, 2)):
        check(call("reshape", x, shape), x.reshape(shape), exact=True)
    check(call("broadcast_to", x, (5, 2, 3, 4)), np.broadcast_to(x, (5, 2, 3, 4)), exact=True)
    for indexing in ("xy", "ij"):
        arrays = [values(dtype, (n,)) for n in (2, 3, 4)]
        for got, want in zip(
            call("meshgrid", *arrays, indexing=indexing), np.meshgrid(*arrays, indexing=indexing), strict=True
        ):
            check(got, want, exact=True)
    for k in (-1, 0, 2):
        check(call("tril", x, k=k), np.tril(x, k), exact=True)
        check(call("triu", x, k=k), np.triu(x, k), exact=True)


@pytest.mark.parametrize("dtype", ALL)
def test_creation(dtype: str) -> None:
    to = {"dtype": ADAPTER.dtypes[np.dtype(dtype)], "device": ADAPTER.native_device}
    for shape in SHAPES:
        for name in ("zeros", "ones"):
            check(call(name, shape, **to), getattr(np, name)(shape, dtype), exact=True)
        check(call("full", shape, 1, **to), np.full(shape, 1, dtype), exact=True)
        assert call("empty", shape, **to).shape == shape
    for rows, columns, k in ((3, None, 0), (2, 4, 1), (4, 2, -2), (0, 3, 0), (2, 2, 5)):
        check(call("eye", rows, columns, k=k, **to), np.eye(rows, columns, k, dtype), exact=True)
    if dtype in REAL:
        for args in ((5,), (1, 9, 3), (5, 1), (0, 0)):
            check(call("arange", *args, **to), np.arange(*args, dtype=dtype), exact=True)
    if dtype in FLOATS + COMPLEX:
        for args in ((0, 1, 5), (2.0, -3.0, 7), (1, 1, 3), (0, 1, 1), (0, 1, 0)):
            for endpoint in (True, False):
                check(
                    call("linspace", *args, endpoint=endpoint, **to),
                    np.linspace(*args, endpoint=endpoint, dtype=dtype),
                )


def test_astype() -> None:
    for a, b in PAIRS:
        if np.dtype(a).kind == "c" and np.dtype(b).kind != "c" and b != "bool":
            continue
        x = values(a, (20,), small=a in FLOATS + COMPLEX)
        x = np.abs(x).astype(a) if a in FLOATS and b in UNSIGNED else x
        check(call("astype", x, ADAPTER.dtypes[np.dtype(b)]), x.astype(b), exact=True, what=f"{a} {b}")


# -- linear algebra and Fourier transforms ----------------------------------------------------


@pytest.mark.parametrize("name", ["matmul", "tensordot", "vecdot", "linalg.outer", "linalg.cross"])
def test_products_of_every_two_dtypes(name: str) -> None:
    for a, b in PAIRS:
        small = np.result_type(a, b).kind in "fc"
        if name == "matmul":
            for one, two in (
                ((3, 4), (4, 2)),
                ((4,), (4,)),
                ((2, 3, 4), (4,)),
                ((4,), (2, 4, 3)),
                ((3, 0), (0, 2)),
            ):
                x, y = values(a, one, small), values(b, two, small)
                check(call(name, x, y), np.matmul(x, y), what=f"{x!r} {y!r}")
        elif name == "tensordot":
            for one, two, axes in (
                ((3, 4), (4, 2), 1),
                ((2, 3), (3, 2), ((0, 1), (1, 0))),
                ((2,), (3,), 0),
                ((), (), 0),
            ):
                x, y = values(a, one, small), values(b, two, small)
                check(call(name, x, y, axes=axes), np.tensordot(x, y, axes=axes), what=f"{x!r} {y!r}")
        elif name == "vecdot":
            x, y = values(a, (3, 4), small), values(b, (2, 1, 4), small)
            check(call(name, x, y), np.vecdot(x, y))
            check(
                call(name, x, y[0, 0, :3].reshape(3, 1), axis=0),
                np.vecdot(x, y[0, 0, :3].reshape(3, 1), axis=0),
            )
        elif name == "linalg.outer":
            x, y = values(a, (3,), small), values(b, (4,), small)
            check(call(name, x, y), np.outer(x, y))
        elif "bool" not in (a, b):
            x, y = values(a, (2, 1, 3), small), values(b, (4, 3), small)
            check(call(name, x, y), np.cross(x, y))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_integer_matrices_through_float64(dtype: str) -> None:
    """Accelerators multiply so; the result is exact modulo the width."""
    x, y = values(dtype, (2, 5, 600)), values(dtype, (600, 7))
    check(torch_linalg.split_product(torch.as_tensor(x), torch.as_tensor(y)), np.matmul(x, y))
    with pytest.raises(ValueError, match="multiplied"):
        torch_linalg.split_product(torch.as_tensor(x), torch.as_tensor(y[:3]))


@pytest.mark.parametrize("dtype", ["int32", "uint64", *FLOATS, *COMPLEX])
def test_linalg(dtype: str) -> None:
    for shape in ((3, 3), (2, 3, 3), (0, 3, 3), (2, 0, 0)):
        x = values(dtype, shape, small=True) + 10 * np.eye(shape[-1], dtype=dtype)
        x = x.astype(dtype)
        for name in ("det", "inv"):
            check(call(f"linalg.{name}", x), getattr(np.linalg, name)(x))
        check(call("linalg.svdvals", x), np.linalg.svdvals(x))
        check(call("linalg.pinv", x), np.linalg.pinv(x if x.dtype.kind in "fc" else x.astype("float64")))
        if shape[-1]:
            check(call("linalg.matrix_rank", x), np.linalg.matrix_rank(x))
        check(
            call("linalg.matrix_rank", x, rtol=0.5),
            np.linalg.matrix_rank(x, rtol=0.5) if shape[-1] else np.zeros(shape[:-2], int),
        )
        check(call("linalg.diagonal", x, offset=1), np.linalg.diagonal(x, offset=1), exact=True)
        check(call("linalg.trace", x, offset=-1), np.linalg.trace(x, offset=-1))
        for n in (0, 1, 2, 5):
            check(call("linalg.matrix_power", x, n), np.linalg.matrix_power(x, n))
        b = values(dtype, (shape[-1],), small=True)
        check(call("linalg.solve", x, b), np.linalg.solve(x, b))
        for got, want in zip(call("linalg.slogdet", x), np.linalg.slogdet(x), strict=True):
            check(got, want)
        symmetric = x + np.conj(np.swapaxes(x, -1, -2))
        check(call("linalg.eigvalsh", symmetric), np.linalg.eigvalsh(symmetric))
        values_, vectors = (ADAPTER.to_host(one) for one in call("linalg.eigh", symmetric))
        assert np.allclose(symmetric @ vectors, vectors * values_[..., None, :], atol=1e-3)
        values_, vectors = (ADAPTER.to_host(one) for one in call("linalg.eig", x))
        assert values_.dtype.kind == vectors.dtype.kind == "c"
        assert np.allclose(x @ vectors, vectors * values_[..., None, :], atol=1e-3)
    check(
        call("linalg.matrix_power", (np.eye(2) * 2).astype(dtype), -2),
        np.linalg.matrix_power((np.eye(2) * 2).astype(dtype), -2),
    )
    for shape in ((3, 2), (2, 3), (2, 4, 3), (3, 0), (2, 0, 3)):
        x = values(dtype, shape, small=True)
        check(call("linalg.pinv", x), np.linalg.pinv(x if x.dtype.kind in "fc" else x.astype("float64")))
        for full in (True, False):
            u, s, vh = (ADAPTER.to_host(one) for one in call("linalg.svd", x, full_matrices=full))
            for got, want in zip((u, s, vh), np.linalg.svd(x, full_matrices=full), strict=True):
                assert (got.shape, got.dtype) == (want.shape, want.dtype)
        for mode in ("reduced", "complete"):
            for got, want in zip(call("linalg.qr", x, mode=mode), np.linalg.qr(x, mode=mode), strict=True):
                assert tuple(got.shape) == want.shape
        if x.size:
            for order, keepdims in itertools.product(
                ["fro", "nuc", np.inf, -np.inf, 1, -1, 2, -2], [False, True]
            ):
                got = call("linalg.matrix_norm", x, ord=order, keepdims=keepdims)
                check(got, np.linalg.matrix_norm(x, ord=order, keepdims=keepdims), what=f"{order}")


@pytest.mark.parametrize("dtype", ["int32", "uint16", *FLOATS, *COMPLEX])
def test_vector_norm(dtype: str) -> None:
    x = values(dtype, (2, 3, 4), small=True) + np.asarray(10, dtype)
    for order, axis, keepdims in itertools.product(
        [np.inf, -np.inf, 0, 1, 2, 2.5, -1, 3], [None, 0, (0, 2), -1], [False, True]
    ):
        want = np.linalg.vector_norm(x, ord=order, axis=axis, keepdims=keepdims)
        got = call("linalg.vector_norm", x, ord=order, axis=axis, keepdims=keepdims)
        check(
            got, want.astype(np.abs(x).dtype if x.dtype.kind in "fc" else "float64"), what=f"{order} {axis}"
        )
    check(
        call("linalg.vector_norm", x[:0]),
        np.linalg.vector_norm(x[:0]).astype(call("linalg.vector_norm", x).cpu().numpy().dtype),
    )


def test_solve_takes_a_vector_only_if_it_has_one_axis() -> None:
    a = values("float64", (2, 2, 2), small=True)
    b = values("float64", (2, 2), small=True)
    check(call("linalg.solve", a, b), np.linalg.solve(a, b))
    check(call("linalg.solve", a[0], np.ones((5, 2, 3))), np.linalg.solve(a[0], np.ones((5, 2, 3))))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", *FLOATS, *COMPLEX])
def test_fft(dtype: str) -> None:
    for shape in ((4,), (3, 5)):
        x = values(dtype, shape, small=True)
        names = ["fft", "ifft", "irfft", "hfft"] + ([] if x.dtype.kind == "c" else ["rfft", "ihfft"])
        for name, n, norm in itertools.product(names, [None, 3, 8], ["backward", "ortho", "forward"]):
            check(
                call(f"fft.{name}", x, n=n, axis=0, norm=norm),
                getattr(np.fft, name)(x, n=n, axis=0, norm=norm),
                what=name,
            )
        names = ["fftn", "ifftn", "irfftn"] + ([] if x.dtype.kind == "c" else ["rfftn"])
        for name in names:
            check(call(f"fft.{name}", x), getattr(np.fft, name)(x), what=name)
            check(
                call(f"fft.{name}", x, s=(3,), axes=(-1,)),
                getattr(np.fft, name)(x, s=(3,), axes=(-1,)),
                what=name,
            )
        for name in ("fftshift", "ifftshift"):
            for axes in (None, 0, (0,)):
                check(call(f"fft.{name}", x, axes=axes), getattr(np.fft, name)(x, axes=axes), exact=True)
    for name, to in itertools.product(["fftfreq", "rfftfreq"], FLOATS):
        for n in (1, 4, 7):
            got = call(f"fft.{name}", n, d=0.3, dtype=getattr(torch, to), device=ADAPTER.native_device)
            check(got, getattr(np.fft, name)(n, d=0.3).astype(to))


# -- moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*ALL, "float16"])
def test_moves(dtype: str) -> None:
    for shape in SHAPES:
        x = values(dtype, shape)
        for y in (
            x,
            x[..., ::-1] if shape else x,
            x.T,
            np.broadcast_to(x, (2, *shape)),
            np.asfortranarray(x),
        ):
            t = ADAPTER.from_host(y, None)
            check(t, y, exact=True)
            check(ADAPTER.from_host(y, True), y, exact=True)
            if ADAPTER.is_host:
                check(ADAPTER.from_dlpack(y, None), y, exact=True)
                check(torch.from_dlpack(ADAPTER.dlpack(t, None, (1, 0), None, None)), y, exact=True)


@pytest.mark.skipif(not ADAPTER.is_host, reason="host memory")
def test_memory_is_shared_where_that_is_safe() -> None:
    x = np.arange(6.0).reshape(2, 3)
    t = ADAPTER.from_host(x, False)
    x[0, 0] = 9
    assert t[0, 0] == 9
    assert np.shares_memory(ADAPTER.to_host(t), x)
    assert np.shares_memory(ADAPTER.to_host(ADAPTER.from_dlpack(x, False)), x)
    assert not np.shares_memory(ADAPTER.to_host(ADAPTER.from_host(x, True)), x)
    x.flags.writeable = False
    for move in (ADAPTER.from_host, ADAPTER.from_dlpack):
        assert not np.shares_memory(ADAPTER.to_host(move(x, None)), x)
        with pytest.raises(BufferError):
            move(x, False)
    with pytest.raises(ValueError, match="copy"):
        ADAPTER.from_host(np.arange(3)[::-1], False)


def test_foreign_tensors_become_plain() -> None:
    leaf = torch.nn.Parameter(torch.ones(3))
    for one in (
        leaf,
        leaf * 2,
        torch.ones(3, dtype=torch.complex64).conj(),
        torch.ones(3, dtype=torch.complex64).conj().imag,
    ):
        t = ADAPTER.adopt(one)
        assert type(t) is torch.Tensor
        assert (t.requires_grad, t.is_conj(), t.is_neg()) == (False, False, False)
        assert ADAPTER.to_host(ADAPTER.from_dlpack(one, None)).shape == (3,)


def test_export_elsewhere() -> None:
    t = native(np.arange(3.0))
    with pytest.raises(BufferError):
        ADAPTER.dlpack(t, None, (1, 0), (99, 0), False)
    with pytest.raises(BufferError):
        ADAPTER.dlpack(t, None, (1, 0), (99, 0), None)
    assert torch.from_dlpack(ADAPTER.dlpack(t, None, (1, 0), None, True)).sum() == 3
