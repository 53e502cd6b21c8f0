"""The comparison of devices with NumPy, and the choice of folders that are collected.

The folder named after a library is collected where one of its devices is present. The files ``test_vs_numpy_*.py``
consist of pages. A page is a generator that asks for fixtures by name, as a test does, and yields cases: a text, a
function and its arguments. ndarrays among the arguments become arrays of the device. The fixtures ``vary``, ``grid``
and ``sample`` make cases and arguments.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.errors import BurnArrayError, DeviceNotFoundError, UnsupportedDTypeError


def _present(library: str) -> bool:
    try:
        xp.device(library)
    except DeviceNotFoundError:
        return False
    return True


ROOT = Path(__file__).parents[2]
LIBRARIES = sorted(path.parent.name for path in ROOT.glob("adapters/*/adapter.py"))
_DEVICES = [device for library in LIBRARIES if _present(library) for device in xp.devices(library)]
_GPUS = {device.adapter.dlpack_device for device in _DEVICES if not device.is_host}

collect_ignore = [library for library in LIBRARIES if not _present(library)]
collect_ignore += [] if _present("torch:cuda:0") else ["torch/test_torch_cuda.py"]
collect_ignore += [] if len(_GPUS) > 1 else ["test_two_gpus.py"]

NUMPY = xp.device("numpy")
Case = tuple[str, Callable[..., Any], tuple[Any, ...]]


def difference(got: Any, want: Any, signed: bool) -> str:
    """Return in one line how two results, or two sequences of results, differ; ``""`` if they agree."""
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
    """Return a line about the first element in which two ndarrays differ; ``""`` if they agree.

    Signs of real zeros count if ``signed``.
    """
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
"""The relative difference that is allowed between two libraries; 1e-11 for the other dtypes."""


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


def _narrowed(want: Any, device: xp.Device) -> Any:
    """Return what NumPy gives in the dtypes of the device: it promotes int32 and float32 to float64."""
    if isinstance(want, tuple | list):
        return tuple(_narrowed(one, device) for one in want)
    if not isinstance(want, xp.Array) or want.dtype not in device.adapter.narrow:
        return want
    with np.errstate(all="ignore"):
        return xp.astype(want, device.adapter.narrow[want.dtype])


def _halved(got: Any, want: Any, device: xp.Device) -> Any:
    """Return float32 as float16 where NumPy gives that for small integers and the device has no such dtype."""
    if isinstance(want, tuple | list) and isinstance(got, tuple | list):
        return tuple(_halved(*pair, device) for pair in zip(got, want, strict=False))
    if not isinstance(want, xp.Array) or want.dtype != "float16" or want.dtype in device.adapter.dtypes:
        return got
    assert got.dtype == xp.float32
    with np.errstate(all="ignore"):
        return xp.astype(got.to_device("numpy"), "float16")


def _asks_too_much(got: Any, device: xp.Device) -> bool:
    """Return whether a call failed because it names a dtype that the device narrows."""
    named = [f"has no dtype {dtype};" for dtype in device.adapter.narrow]
    return isinstance(got, UnsupportedDTypeError) and any(text in str(got) for text in named)


class Comparison:
    """Run calls on one device and on NumPy, and collect every difference, so that one run shows them all."""

    def __init__(self, device: xp.Device) -> None:
        self.device = device
        self.signed = False
        self.differences: list[str] = []

    def __call__(self, context: str, function: Callable[..., Any], *args: Any) -> None:
        """Call ``function`` on the device and on NumPy, with ndarrays among ``args`` as arrays of each."""
        want = outcome(function, *(self._placed(arg, NUMPY) for arg in args))
        got = outcome(function, *(self._placed(arg, self.device) for arg in args))
        if _asks_too_much(got, self.device):
            return
        if isinstance(want, Exception) or isinstance(got, Exception):
            if isinstance(want, Exception) != isinstance(got, Exception):
                self.differences.append(f"{context}: {got!r} where NumPy gives {want!r}")
            return
        found = difference(_halved(got, want, self.device), _narrowed(want, self.device), self.signed)
        if found:
            self.differences.append(f"{context}: {found}")

    def _placed(self, arg: Any, device: xp.Device) -> Any:
        if isinstance(arg, np.ndarray):
            dtype = self.device.adapter.narrow.get(arg.dtype, arg.dtype)
            with np.errstate(all="ignore"):
                return xp.asarray(arg.astype(dtype), device=device)
        return [self._placed(one, device) for one in arg] if isinstance(arg, list) else arg

    def finish(self) -> None:
        """Fail if anything differed."""
        if self.differences:
            pytest.fail(f"{len(self.differences)} differences\n" + "\n".join(self.differences), pytrace=False)


@pytest.fixture
def compare(device: xp.Device) -> Iterator[Comparison]:
    """A comparison of ``device`` with NumPy, which fails when the test ends."""
    comparison = Comparison(device)
    yield comparison
    comparison.finish()


@pytest.fixture
def compare_page(compare: Comparison, request: pytest.FixtureRequest) -> Callable[..., None]:
    """A function that compares every case of a page."""

    def compared(page: Callable[..., Iterator[Case]]) -> None:
        asked = {name: request.getfixturevalue(name) for name in inspect.signature(page).parameters}
        for context, function, args in page(**asked):
            compare(context, function, *args)

    return compared


# -- makers of cases and arguments -----------------------------------------------------------------------


@pytest.fixture(scope="session")
def pairs(kinds: Any) -> tuple[tuple[str, str], ...]:
    """Pairs of dtypes: each dtype with itself, and an example of each kind of promotion."""
    return (
        *((one, one) for one in kinds.all),
        *(("bool", "int16"), ("int8", "bool"), ("int8", "uint8"), ("uint64", "int64"), ("int8", "float32")),
        *(("float32", "int32"), ("float64", "float32"), ("complex64", "float64"), ("uint16", "complex64")),
    )


inf, nan = math.inf, math.nan
SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 7.25, 1e-3, 1e6, inf, -inf, nan)


@pytest.fixture(scope="session")
def sample(kinds: Any) -> Callable[[str], np.ndarray[Any, Any]]:
    """A function that returns a vector of a dtype with the values that libraries get wrong most often."""

    def sample(dtype: str) -> np.ndarray[Any, Any]:
        if dtype == "bool":
            return np.array([False, True, True])
        if dtype in kinds.integers:
            info = np.iinfo(dtype)
            wanted = (0, 1, 2, 3, 7, 100, -1, -2, -7, info.min, info.max, info.max - 1)
            return np.array([v for v in wanted if info.min <= v <= info.max], dtype=dtype)
        if dtype in kinds.floats:
            return np.array(SPECIAL, dtype=dtype)
        parts = (0.0, -0.0, 1.0, -2.5, 0.25)
        return np.array([complex(a, b) for a in parts for b in parts], dtype=dtype)

    return sample


@pytest.fixture(scope="session")
def grid(kinds: Any) -> Callable[..., np.ndarray[Any, Any]]:
    """A function that returns small numbers of a dtype in a shape, with repeats and, if possible, both signs."""

    def grid(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
        numbers = (np.arange(math.prod(shape)) * 7 + 3) % 11
        values = (numbers - (5 if dtype[0] in "ifc" else 0)).astype(dtype)
        if dtype in kinds.complexes:
            values = values + 1j * ((numbers * 3) % 5).astype(values.real.dtype)
        return values.reshape(shape).astype(dtype)

    return grid


@pytest.fixture(scope="session")
def find() -> Callable[[str], Any]:
    """A function that returns a function of the namespace by its name, as in ``linalg.svd``."""
    return _find


def _find(name: str) -> Any:
    return functools.reduce(getattr, name.split("."), xp)


@pytest.fixture(scope="session")
def vary() -> Callable[..., Iterator[Case]]:
    """A function that yields a case for every combination of options; each option is a list of values."""
    return _vary


def _vary(name: str, *args: Any, **options: Any) -> Iterator[Case]:
    function = _find(name)
    for values in itertools.product(*options.values()):
        settings = dict(zip(options, values, strict=True))
        shapes = ", ".join(
            f"{a.dtype}{list(a.shape)}" if isinstance(a, np.ndarray) else repr(a) for a in args
        )
        yield f"{name}({shapes}, {settings})", _with(function, settings), args


def _with(function: Callable[..., Any], settings: dict[str, Any]) -> Callable[..., Any]:
    return lambda *args: function(*args, **settings)
