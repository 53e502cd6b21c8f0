"""Every function gives on every device what it gives on NumPy: shapes, dtypes, values, errors."""

from __future__ import annotations

import functools
import itertools
import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.errors import BurnArrayError

NUMPY = xp.device("numpy")
BOOL = ("bool",)
INTS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
REALS = INTS + FLOATS
ALL = BOOL + REALS + COMPLEX

MIXED = (
    *((one, one) for one in ALL),
    *(("bool", "int16"), ("int8", "bool"), ("int8", "uint8"), ("uint64", "int64"), ("int8", "float32")),
    *(("float32", "int32"), ("float64", "float32"), ("complex64", "float64"), ("uint16", "complex64")),
)
"""Pairs of dtypes; the functions of ``EVERY_PAIR`` are tried on all pairs."""
ORDER = ("greater", "greater_equal", "less", "less_equal", "maximum", "minimum")
"""For real numbers alone, by the standard."""
FLOATING = ("atan2", "copysign", "hypot", "logaddexp", "nextafter")
EVERY_PAIR = ("add", "bitwise_and", "floor_divide", "less", "logaddexp", "maximum", "pow")

inf, nan = math.inf, math.nan
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 7.25, 1e-3, 1e6, inf, -inf, nan)
SCALARS = (True, 2, -1, 0, 300, 2**40, 2**63, 0.5, -0.0, nan, 1 + 2j)


def sample(dtype: str) -> np.ndarray[Any, Any]:
    """Return a vector with the values of ``dtype`` that are most often treated wrongly."""
    if dtype == "bool":
        return np.array([False, True, True])
    if dtype in INTS:
        info = np.iinfo(dtype)
        wanted = (0, 1, 2, 3, 7, 100, -1, -2, -7, info.min, info.max, info.max - 1)
        return np.array([v for v in wanted if info.min <= v <= info.max], dtype=dtype)
    if dtype in FLOATS:
        return np.array(SPECIAL, dtype=dtype)
    parts = (0.0, -0.0, 1.0, -2.5, 0.25)
    return np.array([complex(a, b) for a in parts for b in parts], dtype=dtype)


def difference(got: Any, want: Any, signed: bool) -> str:
    """Return in one line how two results, or sequences of results, differ; ``""`` if they agree."""
    if isinstance(want, tuple | list):
        if len(got) != len(want):
            return f"{len(got)} results, not {len(want)}"
        return next(filter(None, (difference(*pair, signed) for pair in zip(got, want, strict=True))), "")
    if not isinstance(want, xp.Array):
        return "" if got == want else f"{got!r}, not {want!r}"
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        return f"{got.dtype}{list(got.shape)}, not {want.dtype}{list(want.shape)}"
    return value_difference(np.asarray(got.to_device("numpy")), np.asarray(want), signed)


def value_difference(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], signed: bool) -> str:
    """Return the first element in which two ndarrays differ; signs of real zeros count if ``signed``."""
    with np.errstate(all="ignore"):
        if a.dtype.kind == "c":
            near = np.abs(a - b) <= _PRECISION.get(a.dtype.name, 1e-11) * np.abs(b)
            wrong = ~(near | (_close(a.real, b.real) & _close(a.imag, b.imag)))
        elif a.dtype.kind == "f":
            wrong = ~_close(a, b) | (signed & (a == 0) & (b == 0) & (np.signbit(a) != np.signbit(b)))
        else:
            wrong = a != b
    if not np.any(wrong):
        return ""
    where = tuple(int(i) for i in np.argwhere(np.atleast_1d(wrong))[0])
    one, other = np.atleast_1d(a)[where], np.atleast_1d(b)[where]
    return f"{one}, not {other} at {where}, and {np.sum(wrong) - 1} more of {a.size}"


_PRECISION = {"float16": 4e-3, "float32": 2e-5, "complex64": 2e-5}
"""The relative error that two libraries may differ by; 1e-11 in the wide dtypes."""


def _close(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    relative = _PRECISION.get(a.dtype.name, 1e-11)
    return np.asarray(np.isclose(a, b, rtol=relative, atol=relative, equal_nan=True))


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """Return the result of a call, or its error as a value."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args)
        except (BurnArrayError, ZeroDivisionError) as error:
            return error


class Comparison:
    """Calls on one device and on NumPy; collects where they differ, so that one run tells all."""

    def __init__(self, device: xp.Device) -> None:
        self.device = device
        self.signed = False
        self.differences: list[str] = []

    def __call__(self, context: str, function: Callable[..., Any], *args: Any) -> None:
        """Compare ``function`` of arrays (given as ndarrays) and settings."""
        want = outcome(function, *(self._placed(arg, NUMPY) for arg in args))
        got = outcome(function, *(self._placed(arg, self.device) for arg in args))
        if isinstance(want, Exception) or isinstance(got, Exception):
            if isinstance(want, Exception) != isinstance(got, Exception):
                self.differences.append(f"{context}: {got!r} where NumPy gives {want!r}")
            return
        found = difference(got, want, self.signed)
        if found:
            self.differences.append(f"{context}: {found}")

    def _placed(self, arg: Any, device: xp.Device) -> Any:
        if isinstance(arg, np.ndarray):
            return xp.asarray(arg.copy(), device=device)
        return [self._placed(one, device) for one in arg] if isinstance(arg, list) else arg

    def finish(self) -> None:
        """Raise where anything differed."""
        if self.differences:
            pytest.fail(f"{len(self.differences)} differences\n" + "\n".join(self.differences), pytrace=False)


@pytest.fixture
def compare(device: xp.Device) -> Iterator[Comparison]:
    """Compare calls on ``device`` with NumPy's; the differences show when the test ends."""
    comparison = Comparison(device)
    yield comparison
    comparison.finish()


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
"""With integers the second operand must not be negative; to raise for it would mean to wait for the device."""
UNSIGNED_ZERO = ("maximum", "minimum")
"""Either zero is right."""


@pytest.mark.parametrize("name", UNARY)
def test_unary(compare: Comparison, name: str) -> None:
    function, compare.signed = getattr(xp, name), name not in UNSIGNED_ZERO
    for dtype in ALL:
        values = sample(dtype)
        if name == "reciprocal":
            values = values[values != 0] if dtype not in FLOATS else values
        if name == "reciprocal" and dtype == "uint64":
            continue
        if dtype == "bool" and name in ("conj", "positive", "reciprocal", "round"):
            continue  # for numbers alone, by the standard
        compare(f"{name}({dtype})", function, values)
        compare(f"{name}({dtype}[0-d])", function, values[1:2].reshape(()))
        compare(f"{name}({dtype}[0, 2])", function, values[:0].reshape(0, 2))
        compare(f"{name}({dtype}[::2])", lambda x: function(x[::2]), np.repeat(values, 2))


@pytest.mark.parametrize("name", BINARY)
def test_binary(compare: Comparison, name: str) -> None:
    function, compare.signed = getattr(xp, name), name not in UNSIGNED_ZERO
    for one, other in itertools.product(ALL, ALL) if name in EVERY_PAIR else MIXED:
        a, b = sample(one), sample(other)
        if name in ORDER and {one, other} & set(COMPLEX):
            continue
        if {one, other} & set(COMPLEX):
            a, b = a[np.isfinite(a)], b[np.isfinite(b)]
            a, b = a[a.real != 0], b[b.real != 0]
        if name in NOT_NEGATIVE and a.dtype.kind in "biu" and b.dtype.kind in "biu":
            b = b[b >= 0]
        compare(f"{name}({one}, {other})", function, a[:, None], b)


@pytest.mark.parametrize("name", BINARY)
def test_binary_with_scalars(compare: Comparison, name: str) -> None:
    function, compare.signed = getattr(xp, name), name not in UNSIGNED_ZERO
    for dtype, scalar in itertools.product(ALL, SCALARS):
        a = sample(dtype)
        if name == "pow" and scalar == 0.5:
            continue  # NumPy takes the square root, which is NaN at -inf and -0 at -0; by the standard inf and 0
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


# -- the other pages of the standard ------------------------------------------------------------


def grid(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    """Return small numbers, with repeats and both signs where the dtype has them, in an array of ``shape``."""
    numbers = (np.arange(math.prod(shape)) * 7 + 3) % 11
    values = (numbers - (5 if dtype[0] in "ifc" else 0)).astype(dtype)
    if dtype in COMPLEX:
        values = values + 1j * ((numbers * 3) % 5).astype(values.real.dtype)
    return values.reshape(shape).astype(dtype)


def squares(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    """Return well-conditioned square matrices."""
    return np.asarray(grid(dtype, *shape) + 15 * np.eye(shape[-1], dtype=dtype))


def hermitian(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    """Return Hermitian positive-definite matrices."""
    values = grid(dtype, *shape)
    return np.asarray(values @ values.conj().swapaxes(-1, -2) + 5 * np.eye(shape[-1], dtype=dtype))


Case = tuple[str, Callable[..., Any], tuple[Any, ...]]
CASES: dict[str, Callable[[], Iterator[Case]]] = {}


def cases(page: Callable[[], Iterator[Case]]) -> Callable[[], Iterator[Case]]:
    CASES[page.__name__] = page
    return page


def find(name: str) -> Any:
    """Return a function of the namespace, or of an extension, by its name."""
    return functools.reduce(getattr, name.split("."), xp)


def vary(name: str, *args: Any, **options: Any) -> Iterator[Case]:
    """Yield a case for each combination of ``options``, each a list of values."""
    function = find(name)
    for values in itertools.product(*options.values()):
        settings = dict(zip(options, values, strict=True))
        shapes = ", ".join(f"{a.dtype}{list(a.shape)}" if isinstance(a, np.ndarray) else repr(a) for a in args)
        yield f"{name}({shapes}, {settings})", _with(function, settings), args


def _with(function: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Any]:
    return lambda *args: function(*args, **settings)


AXES = [None, -1, (0, 2), (), 5]


@cases
def reductions() -> Iterator[Case]:
    for dtype in ("bool", "int8", "uint8", "int64", "uint64", "float32", "float64", "complex64"):
        arrays = (grid(dtype, 2, 3, 4), sample(dtype), grid(dtype, 0, 3, 2), grid(dtype, 3, 4)[:, ::2])
        for array in arrays:
            for name in ("sum", "prod", "max", "min", "mean", "any", "all", "count_nonzero"):
                if name in ("max", "min", "mean") and dtype in (*COMPLEX, "bool"):
                    continue
                yield from vary(name, array, axis=AXES if array.ndim > 2 else AXES[:2], keepdims=[False, True])
            for name in ("argmax", "argmin"):
                if dtype not in (*COMPLEX, "bool"):
                    yield from vary(name, array, axis=[None, 0, -1], keepdims=[False, True])
            if dtype in FLOATS:
                for name in ("var", "std"):
                    yield from vary(name, array, axis=AXES[:2], correction=[0, 1, 0.5], keepdims=[False, True])
        for name in ("cumulative_sum", "cumulative_prod"):
            yield from vary(name, arrays[0], axis=[0, 1, -1], include_initial=[False, True])
            yield from vary(name, sample(dtype), axis=[None], include_initial=[False, True])
            yield from vary(name, arrays[2], axis=[0, 1], include_initial=[False, True])
        for name in ("sum", "prod"):
            yield from vary(name, grid("int8", 2, 3), dtype=[np.dtype(dtype)], axis=[None, 0])


@cases
def sorting() -> Iterator[Case]:
    for dtype in (*BOOL, *REALS):
        views = grid(dtype, 4, 6)[::2, ::-1], np.repeat(grid(dtype, 5), 40)
        for array in (sample(dtype), grid(dtype, 3, 5), grid(dtype, 0, 2), *views):
            yield from vary("sort", array, axis=[0, -1], descending=[False, True], stable=[True, False])
            yield from vary("argsort", array, axis=[0, -1], descending=[False, True], stable=[True])
    for dtype in REALS:
        sorted_ = np.sort(sample(dtype))
        for values in (sample(dtype), grid("int16", 2, 3), grid("float32", 2, 3), grid("uint64", 4)):
            yield from vary("searchsorted", sorted_, values, side=["left", "right"])
        yield from vary("searchsorted", sorted_, 2, side=["left", "right"])
        order = np.argsort(sample(dtype), stable=True)
        yield "sorter", lambda a, v, o: xp.searchsorted(a, v, sorter=o), (sample(dtype), sample(dtype), order)
    yield from vary("searchsorted", np.asarray([], dtype="float64"), grid("float64", 3), side=["left"])


@cases
def sets() -> Iterator[Case]:
    for dtype in (*BOOL, *REALS, *COMPLEX):
        for array in (np.tile(sample(dtype), 2), grid(dtype, 3, 4), grid(dtype, 0, 2), grid(dtype, 1).reshape(())):
            if dtype in COMPLEX:
                array = np.round(array)
                array = array + 0
            for name in ("unique_all", "unique_counts", "unique_inverse"):
                yield from vary(name, array)
            if dtype not in COMPLEX:
                yield f"unique_values({dtype})", lambda x: xp.sort(xp.unique_values(x)), (array,)
    for one, other in MIXED:
        yield from vary("isin", sample(one), sample(other)[::2], invert=[False, True])
    yield from vary("isin", grid("int64", 3, 4), 2, invert=[False, True])
    yield from vary("isin", grid("float32", 3, 4), np.asarray([], dtype="float32"), invert=[False, True])


@cases
def manipulation() -> Iterator[Case]:
    for dtype in ("bool", "int8", "uint16", "float32", "complex128"):
        x = grid(dtype, 2, 3, 4)
        yield from vary("flip", x, axis=[None, 0, -1, (0, 2), 7])
        yield from vary("roll", x, 2, axis=[None, 0, -1, 4])
        yield from vary("roll", x, (1, -2), axis=[(0, 2), (1, 1)])
        yield from vary("roll", x, 1, axis=[(0, 2)])
        yield from vary("expand_dims", x, axis=[0, -1, (0, 2), (-1, 0), (-4,), 9])
        yield from vary("squeeze", x[:, :1], axis=[1, -2, (1,), 0])
        yield from vary("permute_dims", x, axes=[(2, 0, 1), (0, 1, 2), (-1, 0, 1), (0, 0, 1)])
        yield from vary("reshape", x, shape=[(6, 4), (-1,), (3, -1, 2), (5, 5)], copy=[None, True, False])
        yield "reshape of T", lambda a: xp.reshape(xp.permute_dims(a, (2, 1, 0)), (-1,)), (x,)
        yield "reshape copy=False", lambda a: xp.reshape(xp.permute_dims(a, (2, 1, 0)), (-1,), copy=False), (x,)
        yield from vary("moveaxis", x, 0, -1)
        yield from vary("moveaxis", x, (0, 1), (2, 0))
        yield from vary("repeat", x, 2, axis=[None, 0, -1])
        yield from vary("repeat", x, np.asarray([1, 0, 2]), axis=[1, 0])
        yield from vary("repeat", x, np.asarray([3]), axis=[1])
        yield from vary("repeat", x[0, 0], np.asarray([0, 1, 2, 3], dtype="uint8"), axis=[None])
        yield from vary("repeat", x, 0, axis=[None, 0])
        for times in ((2,), (1, 2, 3), (2, 1, 1, 1), (0,), ()):
            yield from vary("tile", x, times)
        yield from vary("unstack", x, axis=[0, -1, 1])
        yield from vary("broadcast_to", x[:1], shape=[(2, 3, 4), (5, 2, 3, 4), (2, 3, 5)])
        yield from vary("broadcast_arrays", x[:, :1], x[0, 0], x[:1])
        yield from vary("tril", x, k=[-1, 0, 2])
        yield from vary("triu", x, k=[-1, 0, 2])
        yield from vary("diff", x.astype("float32" if dtype == "bool" else dtype), axis=[-1, 0], n=[1, 2, 0])
        yield from vary("meshgrid", x[0, 0], x[0, :, 0], indexing=["xy", "ij"])
        yield from vary("meshgrid", x[0, 0], indexing=["xy", "ij"])
        for shape in ((3, 4, 0), (0,), (2, 0, 2)):
            yield from vary("flip", grid(dtype, *shape), axis=[None, 0])
            yield from vary("roll", grid(dtype, *shape), 1, axis=[None, 0])
    for one, other in MIXED:
        yield "concat", lambda a, b: xp.concat((a, b), axis=-1), (grid(one, 2, 3), grid(other, 2, 1))
        yield "concat flat", lambda a, b: xp.concat((a, b), axis=None), (grid(one, 2, 3), grid(other, 1).reshape(()))
        yield "stack", lambda a, b: xp.stack((a, b), axis=1), (grid(one, 2, 3), grid(other, 2, 3))
        yield f"where({one}, {other})", xp.where, (grid("bool", 2, 3), grid(one, 2, 3), sample(other)[0])
        yield f"where({one}, {other}) bc", xp.where, (grid("bool", 2, 1), sample(one)[:3], sample(other)[:3])
    for dtype, scalar in itertools.product(ALL, SCALARS[:3] + SCALARS[-4:]):
        if scalar == -1 and dtype[0] in "bu":
            continue
        yield f"where({dtype}, {scalar})", xp.where, (grid("bool", 3), sample(dtype)[:3], scalar)
        yield f"where({scalar}, {dtype})", xp.where, (grid("bool", 3), scalar, sample(dtype)[:3])
    yield "diff with ends", lambda a, b: xp.diff(a, prepend=b, append=b), (grid("int64", 2, 3), grid("int64", 2, 1))


@cases
def clipping() -> Iterator[Case]:
    for dtype in REALS:
        x = sample(dtype)
        for low, high in itertools.product((None, 0, 1.5, 2, nan), (None, 2, 1.0, inf)):
            yield f"clip({dtype}, {low}, {high})", xp.clip, (x, low, high)
        for other in REALS:
            yield f"clip({dtype}, {other}[], None)", xp.clip, (x, sample(other)[1], None)
            yield f"clip({dtype}, {other}[], {other}[])", xp.clip, (x, sample(other)[0].reshape(1, 1), sample(other)[2])


@cases
def creation() -> Iterator[Case]:
    """Creation functions get the device of an array that is there to carry it."""

    def here(name: str, *args: Any, **settings: Any) -> Case:
        return (
            f"{name}({args}, {settings})",
            lambda x: find(name)(*args, device=x.device, **settings),
            (np.zeros(1),),
        )

    for dtype in map(np.dtype, ALL):
        for name in ("zeros", "ones"):
            yield here(name, (2, 3), dtype=dtype)
        yield here("full", (2,), 3, dtype=dtype)
        yield here("full", (), True, dtype=dtype)
        yield here("full", (2,), 300, dtype=dtype)
        yield here("full", (2,), -1, dtype=dtype)
        yield here("eye", 3, 4, k=1, dtype=dtype)
        yield here("eye", 3, k=-1, dtype=dtype)
        if dtype.kind != "b":
            yield here("arange", 5, dtype=dtype)
            yield here("arange", 2, 9, 3, dtype=dtype)
            yield here("arange", 9, 2, -3, dtype=dtype)
            yield here("arange", 2, 2, dtype=dtype)
            yield here("linspace", 0, 10, 5, dtype=dtype)
            yield here("linspace", 0, 10, 5, dtype=dtype, endpoint=False)
            yield here("linspace", 1, 1, 1, dtype=dtype)
            yield here("linspace", 0, 10, 0, dtype=dtype)
    yield here("arange", 0.5, 3, 0.4)
    yield here("arange", 5)
    yield here("linspace", -1.5, 2.5, 7)
    yield here("linspace", 1j, 2, 4)
    yield here("linspace", 0, inf, 3)
    yield here("full", 3, 1.5)
    yield here("full", 3, 2)
    yield here("full", 3, 1j)
    yield here("full", (), True)
    yield here("full", 3, nan)
    for name in ("fftfreq", "rfftfreq"):
        for n in (1, 4, 5):
            yield here(f"fft.{name}", n, d=0.3)
            yield here(f"fft.{name}", n, dtype=xp.float32)


@cases
def dtypes() -> Iterator[Case]:
    for one, other in itertools.product(ALL, ALL):
        x = sample(one)
        if x.dtype.kind in "fc" and other in INTS:
            x = x[np.isfinite(x) & (x.real >= 0) & (x.real < 100)]
        yield f"astype({one}, {other})", lambda a, to=other: xp.astype(a, to), (x,)
        yield f"setitem({one}, {other})", _assign(slice(1, 3)), (x[:4], sample(other)[1])


def _assign(key: Any) -> Callable[..., Any]:
    def assign(x: Any, *rest: Any) -> Any:
        *index, value = rest
        x[tuple(index) if index else key] = value
        return x

    return assign


ALL_OF = slice(None)
KEYS = (
    *(0, -1, 5, ALL_OF, slice(None, None, -1), slice(10, None, -2), slice(-1, -4, -1), slice(1, 1)),
    *(..., None, True, False, (0, ...), (..., 0), (None, ..., None), (ALL_OF, 1)),
    *((1, slice(None, None, -2), 2), (slice(2, 0, -1), None, 0), (0, 0, 0), (0, 0, 0, 0)),
    *((ALL_OF, ALL_OF, ALL_OF, 0), (slice(-3, 0), ...), (True, 0), (..., False)),
)
INT = np.asarray([0, -1, 1])
INT2 = np.asarray([[0, 1], [1, -2]], dtype="int32")
SMALL = np.asarray([1, 0], dtype="uint8")
MASK = np.asarray([True, False, True])
YES, NO = np.asarray(True), np.asarray(False)
ARRAY_KEYS: tuple[tuple[Any, ...], ...] = (
    *((INT % 2,), (INT2,), (ALL_OF, INT), (INT, INT), (INT, ALL_OF, INT), (ALL_OF, INT, INT)),
    *((..., INT), (INT, ..., 0), (INT, ..., INT, INT), (INT2, None), (None, INT), (INT[:, None], INT)),
    *((ALL_OF, INT2, slice(None, None, -1)), (SMALL,), (0, INT), (0, ALL_OF, INT), (INT, 0), (1, INT, 0)),
    *((ALL_OF, MASK), (ALL_OF, MASK, INT[:2]), (np.ones((2, 3), dtype=bool),), (YES,), (NO,)),
    *((grid("bool", 2, 3, 4),), (np.zeros(2, dtype=bool),), (np.asarray(1),), (np.asarray(1), ALL_OF)),
    *((INT[:0],), (ALL_OF, YES, INT), (np.ones(3, dtype=bool),)),
)


@cases
def indexing() -> Iterator[Case]:
    x = grid("float32", 2, 3, 4)
    for key in KEYS:
        yield f"x[{key}]", lambda a, k=key: a[k], (x,)
        yield f"x[{key}] = 7", _assign(key), (x, 7)
        yield f"x.T[{key}]", lambda a, k=key: xp.permute_dims(a, (1, 0, 2))[k], (x,)
        yield f"x[{key}] = x[{key}] + 1", lambda a, k=key: _store(a, k, a[k] + 1), (x,)
    for keys in ARRAY_KEYS:
        yield f"x[{keys}]", lambda a, *k: a[k if len(k) > 1 else k[0]], (x, *keys)
        yield f"x[{keys}] = 7", _assign(None), (x, *keys, 7)
        yield f"x[{keys}] = row", _assign(None), (x, *keys, grid("float64", 1))
        yield f"x.T[{keys}]", lambda a, *k: xp.permute_dims(a, (0, 1, 2))[::-1][k], (x, *keys)
    yield "0-d", lambda a: a[()], (grid("int8", 1).reshape(()),)
    yield "0-d mask", lambda a, m: a[m], (grid("int8", 1).reshape(()), np.asarray(False))
    yield "0-d store", lambda a: _store(a, (), 3), (grid("int8", 1).reshape(()),)
    yield "0-d ...", lambda a: _store(a, ..., 3), (grid("int8", 1).reshape(()),)
    yield "overlap", lambda a: _store(a, slice(1, None), a[:-1]), (grid("int64", 9),)
    yield "overlap back", lambda a: _store(a, slice(None, -1), a[1:]), (grid("int64", 9),)
    yield "overlap reversed", lambda a: _store(a, slice(None), a[::-1]), (grid("int64", 9),)
    yield "mask with values", lambda a, m, v: _store(a, m, v), (grid("int64", 3), MASK, grid("int64", 2))
    yield "mask with too many", lambda a, m, v: _store(a, m, v), (grid("int64", 3), MASK, grid("int64", 3))
    yield "out of range", lambda a: _store(a, 0, 300), (grid("int8", 3),)
    yield "out of range u8", lambda a: _store(a, 0, -1), (grid("uint8", 3),)
    yield "2**63", lambda a: _store(a, 0, 2**63), (grid("uint64", 3),)
    yield "float into int", lambda a: _store(a, 0, 2.7), (grid("int64", 3),)
    yield "wrong shape", lambda a, v: _store(a, slice(0, 2), v), (grid("int64", 3), grid("int64", 3))
    for indices in (INT, INT2[:, :1] * 0, SMALL):
        yield from vary("take", x, indices.reshape(-1), axis=[0, 1, -1])
    yield from vary("take", grid("int8", 5), INT2, axis=[0])
    yield from vary("take_along_axis", grid("float32", 3, 4), np.asarray([[0, -1], [1, 1], [-2, 3]]), axis=[-1, 1])
    yield from vary("take_along_axis", grid("float32", 3, 4), np.asarray([[0, -1, 1, 2]]), axis=[0])
    yield from vary("take_along_axis", grid("float32", 3, 1), np.asarray([[0, -1, 1, 2]]), axis=[0])
    yield from vary("nonzero", grid("int8", 2, 3, 4))
    yield from vary("nonzero", sample("float32"))
    yield from vary("nonzero", grid("complex64", 2, 0))


def _store(x: Any, key: Any, value: Any) -> Any:
    x[key] = value
    return x


PRODUCTS = (
    *(((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4))),
    *(((2, 1, 2, 3), (4, 3, 2)), ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((2, 3), (2, 3))),
)


def _shapes(arrays: Any) -> list[Any]:
    return [array.shape for array in arrays]


@cases
def linear_algebra() -> Iterator[Case]:
    for dtype in (*FLOATS, *COMPLEX):
        for shape in ((3, 3), (2, 3, 3), (2, 1, 4, 4), (0, 3, 3), (2, 0, 0), (1, 1)):
            a, h = squares(dtype, *shape), hermitian(dtype, *shape)
            for name in ("det", "inv", "slogdet", "svdvals", "matrix_rank", "pinv"):
                yield from vary(f"linalg.{name}", a)
            yield from vary("linalg.cholesky", h, upper=[False, True])
            yield from vary("linalg.eigvalsh", h)
            for n in (0, 1, 2, 3, -1, -2):
                yield f"matrix_power({dtype}{shape}, {n})", lambda x, n=n: xp.linalg.matrix_power(x, n), (a,)
            for ord_ in ("fro", "nuc", 1, -1, 2, -2, inf, -inf):
                if 0 not in shape[-2:] or ord_ in ("fro", "nuc"):
                    yield from vary("linalg.matrix_norm", a, ord=[ord_], keepdims=[False, True])
            yield from vary("linalg.solve", a, grid(dtype, *shape[:-1], 2))
            yield from vary("linalg.solve", a, grid(dtype, shape[-1]))
            yield from vary("linalg.solve", a, grid(dtype, *shape[-2:]))
            yield f"qr {dtype}{shape}", _from_qr, (a,)
            yield f"svd {dtype}{shape}", _from_svd, (a,)
            yield f"eigh {dtype}{shape}", _from_eigh, (h,)
            yield f"eig {dtype}{shape}", _from_eig, (a,)
            yield f"eigvals {dtype}{shape}", lambda x: xp.sort(xp.real(xp.linalg.eigvals(x))), (h,)
        for shape in ((2, 3), (4, 2), (2, 2, 3), (0, 3), (3, 0), (2, 0, 3), (2, 3, 0)):
            a = grid(dtype, *shape)
            for name in ("svdvals", "matrix_rank", "pinv"):
                yield from vary(f"linalg.{name}", a)
            for mode in ("reduced", "complete"):
                yield f"r {dtype}{shape}{mode}", lambda x, m=mode: xp.abs(xp.linalg.qr(x, mode=m).R), (a,)
                yield f"q {dtype}{shape}{mode}", lambda x, m=mode: xp.linalg.qr(x, mode=m).Q.shape, (a,)
                full = mode == "complete"
                yield f"svd {dtype}{shape}", lambda x, f=full: _shapes(xp.linalg.svd(x, full_matrices=f)), (a,)
            if 0 not in shape:
                yield from vary("linalg.matrix_norm", a, ord=["fro", "nuc", 1, -1, 2, -2, inf, -inf])
        yield from vary("linalg.pinv", grid(dtype, 2, 3, 2), rtol=[0.1])
        stack, limits = grid(dtype, 2, 3, 2), np.asarray([0.1, 0.9])
        yield f"pinv rtol {dtype}", lambda x, r: xp.linalg.pinv(x, rtol=r), (stack, limits)
        yield f"rank rtol {dtype}", lambda x, r: xp.linalg.matrix_rank(x, rtol=r), (stack, limits)
        for ord_ in (0, 1, 2, 3, -1, -2, 0.5, inf, -inf):
            for x in (grid(dtype, 2, 3, 4), grid(dtype, 5)):
                yield from vary("linalg.vector_norm", x, axis=[None, 0, -1], keepdims=[False, True], ord=[ord_])
        yield from vary("linalg.vector_norm", grid(dtype, 2, 3, 4), axis=[(0, 2)], ord=[2, 1, inf])
        yield from vary("linalg.vector_norm", grid(dtype, 0), ord=[1, 2])
    for one, other in itertools.product(("int8", "uint64", *FLOATS, "complex64"), repeat=2):
        for shapes in PRODUCTS:
            yield from vary("matmul", grid(one, *shapes[0]), grid(other, *shapes[1]))
        yield from vary("matmul", grid(one, 3, 2).T, grid(other, 3, 4)[:, ::2])
        yield from vary("vecdot", grid(one, 2, 3), grid(other, 1, 3))
        yield from vary("vecdot", grid(one, 3, 2), grid(other, 3, 2), axis=[0, -1])
        yield from vary("vecdot", grid(one, 2, 0), grid(other, 0))
        yield from vary("tensordot", grid(one, 2, 3, 4), grid(other, 3, 4, 2), axes=[2, ((2, -2), (1, 0))])
        yield from vary("tensordot", grid(one, 3, 2), grid(other, 2, 3), axes=[1, 0])
        yield from vary("linalg.outer", grid(one, 3), grid(other, 2))
        if "uint64" not in (one, other):
            yield from vary("linalg.cross", grid(one, 2, 3), grid(other, 3))
            yield from vary("linalg.cross", grid(one, 3, 2), grid(other, 3, 1), axis=[0])
    for dtype in ALL:
        yield from vary("linalg.trace", grid(dtype, 2, 3, 4), offset=[0, 1, -1, 9])
        yield from vary("linalg.diagonal", grid(dtype, 2, 3, 4), offset=[0, 1, -1, 9])
        yield from vary("matrix_transpose", grid(dtype, 2, 3, 4))
    yield from vary("linalg.trace", grid("float32", 3, 3), dtype=[np.dtype("float64")])
    yield from vary("matmul", grid("float32", 2, 3), grid("float32", 2, 3))
    yield from vary("matmul", grid("float32", 2, 3), 2)


def _from_qr(x: Any) -> Any:
    parts = xp.linalg.qr(x)
    return parts.Q @ parts.R


def _from_svd(x: Any) -> Any:
    u, s, v = xp.linalg.svd(x, full_matrices=False)
    return (u * s[..., None, :]) @ v


def _from_eigh(x: Any) -> Any:
    values, vectors = xp.linalg.eigh(x)
    return (vectors * values[..., None, :]) @ xp.conj(xp.matrix_transpose(vectors))


def _from_eig(x: Any) -> Any:
    values, vectors = xp.linalg.eig(x)
    return xp.round((x @ vectors - vectors * values[..., None, :]) * 100), values.dtype.name, vectors.dtype.name


@cases
def fourier() -> Iterator[Case]:
    norms = ["backward", "ortho", "forward"]
    for dtype in (*FLOATS, *COMPLEX):
        x = grid(dtype, 3, 4, 5)
        for name in ("fft", "ifft", "hfft", "irfft") if dtype in COMPLEX else ("rfft", "ihfft"):
            yield from vary(f"fft.{name}", x, n=[None, 3, 8, 1], axis=[-1, 0], norm=norms)
        names = ("fftn", "ifftn", "irfftn") if dtype in COMPLEX else ("rfftn",)
        for name in names:
            yield from vary(f"fft.{name}", x, norm=norms)
            yield from vary(f"fft.{name}", x, s=[(3, 6), (4, 2)], axes=[(0, 1), (2, 0)], norm=norms)
            yield from vary(f"fft.{name}", x, axes=[(0,), (1, 2), (-1, 0)])
        yield from vary("fft.fftshift", x, axes=[None, 0, (0, 2), -1])
        yield from vary("fft.ifftshift", x, axes=[None, 0, (0, 2), -1])


@pytest.mark.parametrize("page", CASES)
def test_page(compare: Comparison, page: str) -> None:
    for context, function, args in CASES[page]():
        compare(context, function, *args)
