"""The devices that the tests run on.

``--devices=numpy,torch:cpu`` chooses them; without it a test runs on every device of the host that is present.
What only holds where NumPy reads the memory of the device in place is marked ``host`` and left out elsewhere.
``--devices-only`` keeps the tests that use a device, and those marked as of the ``library`` of a chosen one.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import DeviceNotFoundError, NotSupportedError

HOST_DEVICES = ("numpy", "torch:cpu", "dpnp:cpu")
FUNCTIONS = json.loads((Path(__file__).parent / "array_api_2025_12.json").read_text())["functions"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--devices", default="", help="as in numpy,torch:cpu; default: those of the host")
    parser.addoption(
        "--devices-only", action="store_true", help="leave out the tests of no device and no library"
    )


def _present(name: str) -> bool:
    try:
        burn_array.device(name)
    except DeviceNotFoundError:
        return False
    return True


def _chosen(config: pytest.Config) -> list[str]:
    asked = [name.strip() for name in config.getoption("--devices").split(",") if name.strip()]
    absent = [name for name in asked if not _present(name)]
    if absent:
        raise pytest.UsageError(f"--devices: not here: {', '.join(absent)}")
    return asked or [name for name in HOST_DEVICES if _present(name)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        chosen = [burn_array.device(name) for name in _chosen(metafunc.config)]
        metafunc.parametrize("device", chosen, ids=str, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--devices-only"):
        libraries = {burn_array.device(name).library for name in _chosen(config)}
        items[:] = [item for item in items if _uses_a_device(item) or _libraries(item) & libraries]
    items[:] = [item for item in items if _of_host(item) or item.get_closest_marker("host") is None]


def _uses_a_device(item: pytest.Item) -> bool:
    return "device" in getattr(item, "fixturenames", ())


def _libraries(item: pytest.Item) -> set[str]:
    return {name for mark in item.iter_markers("library") for name in mark.args}


def _of_host(item: pytest.Item) -> bool:
    """Return whether the test uses no device, or one whose memory is that of the host."""
    callspec = getattr(item, "callspec", None)
    device = callspec.params.get("device") if callspec else None
    return device is None or device.is_host


@pytest.fixture
def xp(device: burn_array.Device) -> Iterator[ModuleType]:
    """The namespace, with the device under test as the default device."""
    with burn_array.default_device(device):
        yield burn_array


@pytest.fixture(scope="session")
def host() -> Callable[[Any], np.ndarray[Any, Any]]:
    """A function that copies an array of any device to an ndarray."""
    return lambda x: np.array(x.to_device("numpy"))


class Kinds:
    """The names of the dtypes, by kind."""

    bools = ("bool",)
    integers = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    floats = ("float32", "float64")
    complexes = ("complex64", "complex128")
    reals = integers + floats
    all = bools + reals + complexes


@pytest.fixture(scope="session")
def kinds() -> type[Kinds]:
    """The names of the dtypes, by kind: for loops inside of a test."""
    return Kinds


@pytest.fixture(scope="session")
def values() -> Callable[..., np.ndarray[Any, Any]]:
    """A function that gives a new ndarray of a dtype, of different numbers."""

    def made(dtype: str, shape: tuple[int, ...] = (2, 3)) -> np.ndarray[Any, Any]:
        numbers = (np.arange(np.prod(shape)) * 37 % 101).reshape(shape)
        if dtype == "bool":
            return np.asarray(numbers % 2 == 0)
        return np.asarray((numbers * (1 - 2j if dtype.startswith("complex") else 1)).astype(dtype))

    return made


@pytest.fixture(scope="session")
def pointer() -> Callable[[Any], int]:
    """A function that gives the address of the first element of an array of the host."""
    return lambda x: int(np.asarray(x).__array_interface__["data"][0])


@pytest.fixture
def own_special(device: burn_array.Device) -> Callable[[str], bool]:
    """A function that says whether the library of the device has a special function."""

    def own(name: str) -> bool:
        try:
            device.adapter.find(f"special.{name}")
        except NotSupportedError:
            return False
        return True

    return own


@pytest.fixture
def if_there(
    device: burn_array.Device, own_special: Callable[[str], bool]
) -> Callable[[str], AbstractContextManager[Any]]:
    """A function to run the use of a special function in.

    On an accelerator that has neither the function nor a formula of it, the error that says so is expected.
    """

    def expecting(name: str) -> AbstractContextManager[Any]:
        special = burn_array.special
        if device.is_host or name not in special.__all__ or name in special.FORMULAS or own_special(name):
            return nullcontext()
        return pytest.raises(NotSupportedError, match=rf"special\.{name} is not available on")

    return expecting


@pytest.fixture
def operands(xp: ModuleType) -> dict[str, Any]:
    """What the code of a bad call is written with."""
    return {
        "xp": xp,
        "np": np,
        "math": math,
        "f": xp.asarray([0.5, 1.5]),
        "i": xp.asarray([1, 2]),
        "u8": xp.asarray([1, 2], dtype=xp.uint8),
        "b": xp.asarray([True, False]),
        "c": xp.asarray([1j, 2.0]),
        "s2": xp.asarray([1.0, 2.0]),
        "s3": xp.asarray([1.0, 2.0, 3.0]),
        "v0": xp.asarray([]),
        "m23": xp.ones((2, 3)),
        "m33": xp.eye(3),
    }


@pytest.fixture
def bad_call(operands: dict[str, Any]) -> Callable[[str, type[Exception]], None]:
    """A function that runs code: the class of its error is right, the text tells, and no array has changed."""

    def fails(code: str, kind: type[Exception]) -> None:
        arrays = [x for x in operands.values() if isinstance(x, burn_array.Array)]
        before = [x.tolist() for x in arrays]
        with pytest.raises(kind) as caught:
            eval(code, operands)
        assert [x.tolist() for x in arrays] == before
        if kind.__module__ != "builtins":
            assert caught.type is kind
            _check_text(code, str(caught.value))

    return fails


def _check_text(code: str, text: str) -> None:
    """The text is one line of moderate length that starts with the function."""
    assert "\n" not in text
    assert 15 < len(text) < 600
    called = code.partition("(")[0].rpartition(".")[2]
    if (
        code.startswith("xp.")
        and code.endswith(")")
        and called in FUNCTIONS
        and called != "__array_namespace_info__"
    ):
        assert text.startswith((called.removesuffix("_like"), f"linalg.{called}", f"fft.{called}"))
    if code.startswith("xp.linalg."):
        assert called in text


@pytest.fixture(scope="session")
def run_python() -> Callable[..., str]:
    """A function that returns what code prints in a fresh interpreter, which must end with status 0.

    The interpreter imports the same burn_array as the tests. ``arguments`` are those of the code, ``flags`` those of
    the interpreter.
    """
    folder = Path(str(burn_array.__file__)).parents[1]

    def run(code: str, *arguments: str, flags: tuple[str, ...] = ()) -> str:
        command = [sys.executable, *flags, "-c", code, *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-3000:]}"
        return done.stdout.strip()

    return run
