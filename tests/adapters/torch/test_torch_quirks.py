"""Canaries of PyTorch: each asserts what PyTorch still does differently from the standard, or from NumPy.

They run on every version. One that fails means that PyTorch has changed: the override whose docstring tells of
the difference is then needed only for older versions, and goes with the last of them, together with the canary.
The canaries of what only a GPU does are in ``test_torch_cuda.py``.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils.dlpack import from_dlpack

import burn_array as xp
from burn_array.adapters.torch import _complex as torch_complex
from burn_array.adapters.torch.adapter import TorchAdapter

INF, NAN = math.inf, math.nan
ADAPTER = TorchAdapter("cpu")
VERSION = tuple(map(int, torch.__version__.split("+")[0].split(".")[:2]))


def raises(call: Callable[[], Any], error: type[Exception] = Exception) -> bool:
    try:
        call()
    except error:
        return True
    return False


def tensor(*values: Any, dtype: torch.dtype | None = None) -> torch.Tensor:
    return torch.tensor(values, dtype=dtype)


def is_nan(x: torch.Tensor) -> bool:
    return bool(torch.isnan(x).any())


def negative_zero(x: torch.Tensor) -> bool:
    return bool(torch.signbit(x)[0])


def writes_through_read_only_memory() -> bool:
    array = np.zeros(1)
    array.flags.writeable = False
    from_dlpack(array)[0] = 1
    return bool(array[0] == 1)


def export_to_cuda() -> Any:
    return torch.ones(1).__dlpack__(dl_device=(2, 0), copy=False)  # type: ignore[arg-type]


HALVES = tensor(300.0, 300.0, 0.25, dtype=torch.float16)
F64 = torch.float64


def _writes_to_read_only_memory() -> bool:
    a = np.zeros(2)
    a.flags.writeable = False
    vars(torch)["from_dlpack"](a)[0] = 1.0
    return bool(a[0] == 1.0)


DIFFERENCES: dict[str, Callable[[], bool]] = {
    # what PyTorch does: whether it still does
    # moves
    "__dlpack__: a negated tensor loses its sign": lambda: (
        np.from_dlpack(torch.tensor([1j]).conj().imag).tolist() == [1.0]
    ),
    "from_dlpack: read-only memory can be written": lambda: _writes_to_read_only_memory(),
    # dtypes
    "add: an n-d array decides the dtype over a 0-d one of the same kind": lambda: (
        torch.add(tensor(1, dtype=torch.int8), torch.tensor(127)).dtype is torch.int8
    ),
    "add: int64 and float32 are float32": lambda: (
        torch.add(tensor(1), tensor(1.0, dtype=torch.float32)).dtype is torch.float32
    ),
    "sin: integers are float32": lambda: torch.sin(tensor(1)).dtype is torch.float32,
    "sum: uint8 is summed to int64": lambda: torch.sum(tensor(1, dtype=torch.uint8)).dtype is torch.int64,
    "any: uint8 stays uint8": lambda: torch.any(tensor(1, dtype=torch.uint8)).dtype is torch.uint8,
    "floor: refuses bools": lambda: raises(lambda: torch.floor(tensor(True))),
    "abs: refuses bools": lambda: raises(lambda: torch.abs(tensor(True))),
    "matmul: refuses bools": lambda: raises(lambda: torch.matmul(tensor(True), tensor(True))),
    # arithmetic
    "add: a complex infinity gives NaN": lambda: is_nan(torch.add(tensor(1 + 0j), tensor(complex(INF, 0)))),
    "negative: a complex part +0 stays +0": lambda: (
        not torch.signbit(torch.neg(tensor(*[0j] * 64)).real).any()
    ),
    "remainder: a zero has the sign of the dividend": lambda: negative_zero(
        torch.remainder(tensor(-1.0), tensor(1.0))
    ),
    "remainder: NaN where the quotient overflows": lambda: is_nan(
        torch.remainder(torch.full((64,), 1e308, dtype=F64), 0.5)
    ),
    "floor_divide: NaN for an infinity": lambda: is_nan(torch.floor_divide(tensor(INF), tensor(1.0))),
    "floor_divide: an integer divided by 0 is an error": lambda: raises(
        lambda: torch.floor_divide(tensor(1), tensor(0))
    ),
    "pow: 0 for an integer to a negative power": lambda: torch.pow(tensor(2), tensor(-1)).tolist() == [0],
    "pow: NaN for -inf to the power 0.5": lambda: is_nan(torch.pow(tensor(-INF), 0.5)),
    "pow: a number as exponent is not rounded to float32": lambda: (
        torch.pow(tensor(0.0), 1e-50).tolist() == [0.0]
    ),
    "multiply: a number beside half precision is not rounded": lambda: (
        torch.mul(tensor(0.0, dtype=torch.float16), 1e6).tolist() == [0.0]
    ),
    "full: refuses a number beyond the dtype": lambda: raises(
        lambda: torch.full((), 1e300, dtype=torch.float32)
    ),
    "pow: NaN for 0j ** 0j": lambda: is_nan(torch.pow(tensor(0j), tensor(0j))),
    "sign: 0 for NaN": lambda: torch.sign(tensor(NAN)).tolist() == [0.0],
    "sign: refuses complex numbers": lambda: raises(lambda: torch.sign(tensor(1j))),
    "reciprocal: the real part of 1 / -1j is -0": lambda: negative_zero(
        torch.reciprocal(tensor(complex(0, -1))).real
    ),
    "round: refuses complex numbers": lambda: raises(lambda: torch.round(tensor(1j))),
    # special values of complex functions
    "log1p: NaN where the square of the imaginary part underflows": lambda: is_nan(
        torch.log1p(tensor(1e-300 + 5e-324j, dtype=torch.complex128))
    ),
    "acos: the imaginary part of acos(1+0j) is +0": lambda: (
        not negative_zero(torch.acos(tensor(1 + 0j, dtype=torch.complex128)).imag)
    ),
    "tanh: the zero of tanh(inf + 2j) is -0": lambda: negative_zero(
        torch.tanh(tensor(complex(INF, 2.0))).imag
    ),
    "expm1: NaN at a complex infinity": lambda: is_nan(torch.expm1(tensor(complex(INF, 0.0)))),
    "cosh: infinite before it overflows": lambda: bool(
        torch.isinf(torch.cosh(torch.full((64,), 710.0, dtype=F64)))[0]
    ),
    # indexing
    "x[i:j:-1]: refuses a negative step": lambda: raises(lambda: torch.ones(3)[::-1]),
    "x[:, a, :, i]: the axes of index arrays stay in place": lambda: (
        tuple(torch.zeros(2, 3, 5, 7)[:, [0, 1], :, 0].shape) == (2, 2, 5)
    ),
    "x[i]: uint8 indices are a mask": lambda: raises(lambda: torch.ones(3)[tensor(0, 2, dtype=torch.uint8)]),
    "x[i]: an index of an empty array is not checked": lambda: (
        tuple(torch.ones(3, 0)[tensor(9)].shape) == (1, 0)
    ),
    "gather: refuses negative indices": lambda: raises(lambda: torch.gather(tensor(1, 2), 0, tensor(-1))),
    # reductions
    "sum: no axes, (), are all axes": lambda: torch.sum(torch.ones(2), dim=()).ndim == 0,
    "prod: takes one axis": lambda: raises(
        lambda: torch.prod(torch.ones(2, 2), dim=(0, 1))  # type: ignore[call-overload]
    ),
    "prod: halves are rounded at every step": lambda: bool(torch.isinf(torch.prod(HALVES, 0))),
    "argmax: refuses bools": lambda: raises(lambda: torch.argmax(tensor(True))),
    # searching, sets
    "searchsorted: misses where NaN stands at the end": lambda: (
        int(torch.searchsorted(tensor(1.0, NAN, NAN), 1.5)) != 1
    ),
    "isin: refuses an array that is no single axis in memory": lambda: raises(
        lambda: torch.isin(torch.ones(2), torch.ones(3, 2).T)
    ),
    "unique: has no first indices": lambda: raises(lambda: torch.unique(tensor(1), return_index=True)),
    "unique: refuses complex numbers": lambda: raises(lambda: torch.unique(tensor(1j))),
    # creation and manipulation
    "flip: needs the axes": lambda: raises(lambda: torch.flip(torch.ones(2))),  # type: ignore[call-arg]
    "flip: takes an axis of a single number": lambda: torch.flip(torch.tensor(1.0), (0,)).ndim == 0,
    "concat: skips an empty vector": lambda: torch.cat([torch.ones(2, 2), torch.ones(0)]).ndim == 2,
    "concat: takes any axis of empty vectors": lambda: torch.cat([torch.ones(0)] * 2, 5).ndim == 1,
    "reshape: refuses -1 for some empty arrays": lambda: raises(lambda: torch.ones(0, 2).reshape(0, -1)),
    # linear algebra, fft
    "linalg.solve: an (n, n) array can be a stack of vectors": lambda: (
        torch.linalg.solve(torch.eye(2).expand(2, 2, 2), torch.ones(2, 2)).ndim == 2
    ),
    "linalg.cross: refuses arrays of different rank": lambda: raises(
        lambda: torch.linalg.cross(torch.ones(2, 3), torch.ones(3))
    ),
    "linalg.qr: NaN beside a column whose norm overflows": lambda: is_nan(
        torch.linalg.qr(tensor([1.0, 0.5], [1.0, 0.2], dtype=F64) * 1.7e308)[1]
    ),
    "linalg.vector_norm: refuses the infinity norm of no numbers": lambda: raises(
        lambda: torch.linalg.vector_norm(torch.ones(0), INF)
    ),
    "fft: refuses an array that is empty along another axis": lambda: raises(
        lambda: torch.fft.fft(torch.ones(0, 2))
    ),
    "fftshift: refuses no axes": lambda: raises(lambda: torch.fft.fftshift(torch.ones(2), dim=())),
    # special functions
    "special.bessel_j0: is inexact": lambda: (
        abs(torch.special.bessel_j0(torch.tensor(5.25, dtype=F64)).item() + 0.09308098963931788) > 1e-8
    ),
    "special.gammaln: inf at -inf": lambda: torch.special.gammaln(tensor(-INF)).tolist() == [INF],
    "special.zeta: NaN at an infinite q": lambda: is_nan(torch.special.zeta(tensor(2.0), tensor(INF))),
    # exchange
    "from_dlpack: read-only memory becomes writable": writes_through_read_only_memory,
    "__dlpack__: a device out of reach is no BufferError": lambda: raises(export_to_cuda, ValueError),
}


def wide(*shape: int) -> torch.Tensor:
    """Return ones of a dtype that PyTorch has few kernels for."""
    return torch.ones(shape or (2, 2), dtype=torch.uint16)


REFUSES_WIDE_INTEGERS: dict[str, Callable[[], Any]] = {
    # by the function of the standard: PyTorch's
    "abs": lambda: torch.abs(wide()),
    "add": lambda: torch.add(wide(), wide()),
    "arange": lambda: torch.arange(3, dtype=torch.uint16),
    "argmax": lambda: torch.argmax(wide()),
    "bitwise_invert": lambda: torch.bitwise_not(wide()),
    "bitwise_left_shift": lambda: torch.bitwise_left_shift(wide(), wide()),
    "count_nonzero": lambda: torch.count_nonzero(wide()),
    "diff": lambda: torch.diff(wide()),
    "eye": lambda: torch.eye(2, dtype=torch.uint16),
    "flip": lambda: torch.flip(wide(), (1,)),
    "floor_divide": lambda: torch.floor_divide(wide(), wide()),
    "isin": lambda: torch.isin(wide(), wide()),
    "less": lambda: torch.lt(wide(), wide()),
    "logical_and": lambda: torch.logical_and(wide(), wide()),
    "logical_not": lambda: torch.logical_not(wide()),
    "matmul": lambda: torch.matmul(wide(), wide()),
    "max": lambda: torch.amax(wide(), 0),
    "maximum": lambda: torch.maximum(wide(), wide()),
    "negative": lambda: torch.neg(wide()),
    "nonzero": lambda: torch.nonzero(wide()),
    "pow": lambda: torch.pow(wide(), wide()),
    "searchsorted": lambda: torch.searchsorted(wide(2), wide(2)),
    "sign": lambda: torch.sign(wide()),
    "sort, 32768 elements or more": lambda: torch.sort(wide(40000)),
    "square": lambda: torch.square(wide()),
    "subtract": lambda: torch.sub(wide(), wide()),
    "take_along_axis": lambda: torch.gather(wide(), 0, torch.zeros(1, 2, dtype=torch.int64)),
    "tril": lambda: torch.tril(wide()),
    "x[i] = v": lambda: wide().index_put_((tensor(0),), wide()[:1]),
}

TAKES_WIDE_INTEGERS_SINCE_2_13: dict[str, Callable[[], Any]] = {
    # on the CPU; overrides stay for older versions and for GPUs
    "bitwise_and": lambda: torch.bitwise_and(wide(), wide()),
    "concat": lambda: torch.cat([wide(), wide()]),
    "full": lambda: torch.full((2,), 3, dtype=torch.uint16),
    "multiply": lambda: torch.mul(wide(), wide()),
    "repeat": lambda: torch.repeat_interleave(wide(), 2, dim=0),
    "roll": lambda: torch.roll(wide(), 1, 0),
    "stack": lambda: torch.stack([wide(), wide()]),
    "where": lambda: torch.where(tensor(True, False), wide(), wide()),
    "x[i]": lambda: wide()[tensor(0, 1)],
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_canary(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert DIFFERENCES[name](), f"PyTorch has changed: {name}"


@pytest.mark.parametrize("name", REFUSES_WIDE_INTEGERS)
def test_canary_of_wide_unsigned_integers(name: str) -> None:
    """https://github.com/pytorch/pytorch/issues/58734"""
    assert raises(REFUSES_WIDE_INTEGERS[name], RuntimeError), f"PyTorch has changed: {name} takes uint16"


@pytest.mark.skipif(VERSION < (2, 13), reason="PyTorch may still refuse them")
@pytest.mark.parametrize("name", TAKES_WIDE_INTEGERS_SINCE_2_13)
def test_canary_of_older_versions(name: str) -> None:
    assert not raises(TAKES_WIDE_INTEGERS_SINCE_2_13[name]), f"PyTorch has changed: {name} refuses uint16"


@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_many_unsigned_integers_are_sorted(dtype: str) -> None:
    values = np.random.default_rng(5).integers(0, np.iinfo(dtype).max, 40000, dtype=dtype, endpoint=True)
    x = xp.asarray(values, device="torch:cpu")
    for descending in (False, True):
        want = np.sort(values)[::-1] if descending else np.sort(values)
        assert np.array_equal(np.asarray(xp.sort(x, descending=descending)), want)
        order = np.asarray(xp.argsort(x, descending=descending))
        assert np.array_equal(values[order], want)


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    args = tuple(torch.as_tensor(np.asarray(x)) if isinstance(x, list | np.ndarray) else x for x in args)
    result = ADAPTER.find(name)(*args, **kwargs)
    return ADAPTER.to_host(result) if isinstance(result, torch.Tensor) else result


def same(got: np.ndarray[Any, Any], want: Any) -> bool:
    """Compare with NaN equal to NaN, and zeros by sign."""
    want = np.asarray(want)
    parts = [(got.real, want.real), (got.imag, want.imag)] if got.dtype.kind == "c" else [(got, want)]
    return all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        and (
            a.dtype.kind != "f" or np.array_equal(np.signbit(a), np.signbit(b) | np.isnan(b) & np.signbit(a))
        )
        for a, b in parts
    )


U64 = np.asarray([2**64 - 1, 2**63, 5], dtype="uint64")

RIGHT: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] = [
    ("add", (U64, U64), {}, np.asarray([2**64 - 2, 0, 10], dtype="uint64")),
    ("floor_divide", (U64, np.asarray([3, 2, 2], dtype="uint64")), {}, [(2**64 - 1) // 3, 2**62, 2]),
    ("less", (U64, np.asarray([-1, 2**62, 6])), {}, [False, False, True]),
    ("less", (np.asarray([1, 255], dtype="uint8"), -1), {}, [False, False]),
    ("sort", (U64,), {"axis": -1, "descending": False, "stable": True}, U64[::-1]),
    ("add", ([1 + 0j], [complex(INF, 0)]), {}, [complex(INF, 0)]),
    ("subtract", ([1 + 0j], [complex(INF, 0)]), {}, [complex(-INF, 0)]),
    ("remainder", ([-1.0, 2.0, -0.0, 0.0], [1.0, -1.0, 1.0, -1.0]), {}, [0.0, -0.0, 0.0, -0.0]),
    ("remainder", ([1e308] * 64, 0.5), {}, [0.0] * 64),
    ("floor_divide", ([INF, 1.0, -1.0], [1.0, -INF, INF]), {}, [INF, -0.0, -0.0]),
    ("floor_divide", ([7, -7], [0, 2]), {}, [0, -4]),
    ("pow", ([0j, 0j], [0j, 1 + 0j]), {}, [1 + 0j, 0j]),
    ("sign", ([NAN, -2.0, -0.0],), {}, [NAN, -1.0, 0.0]),
    ("sign", ([3 + 4j, 0j],), {}, [0.6 + 0.8j, 0j]),
    ("exp", ([complex(INF, 0)] * 20,), {}, [complex(INF, 0)] * 20),
    ("tanh", ([complex(INF, 2.0)],), {}, [1 + 0j]),
    ("expm1", ([complex(INF, 0.0)],), {}, [complex(INF, 0.0)]),
    ("floor", ([True],), {}, [True]),
    ("logaddexp", ([-INF, -INF], [-INF, 1.0]), {}, [-INF, 1.0]),
    ("getitem", ([1, 2, 3], slice(None, None, -1)), {}, [3, 2, 1]),
    ("any", (np.asarray([3, 0], dtype="uint8"),), {"axis": None, "keepdims": False}, True),
    ("sum", ([1, 2],), {"axis": (), "dtype": None, "keepdims": False}, [1, 2]),
    ("searchsorted", ([1.0, NAN, NAN], [1.5, NAN]), {"side": "left", "sorter": None}, [1, 1]),
    ("take_along_axis", ([10, 20, 30], [-1, 0]), {"axis": -1}, [30, 10]),
    (
        "linalg.solve",
        ([[[1.0, 0.0], [0.0, 2.0]]] * 2, [[2.0, 4.0], [2.0, 4.0]]),
        {},
        [[[2.0, 4.0], [1.0, 2.0]]] * 2,
    ),
]


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "want"), RIGHT, ids=lambda value: value if type(value) is str else ""
)
def test_right_value(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], want: Any) -> None:
    got = call(name, *args, **kwargs)
    assert same(got, np.asarray(want).astype(got.dtype)), (got, want)


SPECIAL = [0.0, -0.0, 1.0, -2.0, 0.5, 710.0, -750.0, 100.0, 1e300, 5e-324, INF, -INF, NAN]


@pytest.mark.parametrize("name", ["exp", "sinh", "cosh", "tanh", "sin", "cos", "tan", "sqrt", "acosh"])
def test_complex_functions_for_accelerators(name: str) -> None:
    """Compare with NumPy, by absolute values where only NaN or an infinity of any sign is specified."""
    x = np.empty((len(SPECIAL), len(SPECIAL)), dtype="complex128")
    x.real, x.imag = np.asarray(SPECIAL)[:, None], SPECIAL
    got = getattr(torch_complex, f"careful_{name}")(torch.from_numpy(x)).numpy()
    with np.errstate(all="ignore"):
        want = getattr(np, {"acosh": "arccosh"}.get(name, name))(x)
    for a, b in ((got.real, want.real), (got.imag, want.imag)):
        free = np.isinf(a) & np.isinf(b) & (np.isnan(got) & np.isnan(want))
        np.testing.assert_allclose(a[~free], b[~free], rtol=1e-12, atol=1e-12)
        assert (np.signbit(a) == np.signbit(b))[np.isfinite(x) & (b != 0)].all()


def test_cosh_until_it_overflows() -> None:
    np.testing.assert_allclose(call("cosh", [710.0] * 64), np.cosh([710.0] * 64), rtol=1e-14)


def test_negative_exponent() -> None:
    with pytest.raises(ValueError, match="negative"):
        call("pow", [2], [-1])


def test_where_the_axes_of_index_arrays_go() -> None:
    x = np.zeros((2, 3, 5, 7))
    got = call("getitem", x, (slice(None), torch.tensor([0, 1]), slice(None), 0))
    assert got.shape == x[:, [0, 1], :, 0].shape
