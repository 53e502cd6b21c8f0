"""Options that choose the devices and the tests of a run, and the fixtures that all tests share.

``--devices=numpy,torch:cpu``
    The devices under test; the default is every device of the host that is present. The run fails if one of the
    named devices is absent, or if no test ran on one of them. A run that chooses files, ids or words (``-k``) only
    prints a note in the second case.
``--devices-only``
    Leave out the tests that concern no device and no library: keep those with the fixture ``device``, those marked
    ``library("torch")``, and those in ``tests/adapters/torch/``, where a device of PyTorch was chosen.
``--share=0.1``
    Run this fraction of the tests, but all tests in ``tests/adapters/<library>/`` of the chosen devices. A hash of
    its id decides whether a test belongs to the share, so every run takes the same tests, and every device others.

``--devices=array_api_strict:narrow,array_api_strict:immutable`` tests two devices that need no hardware
(``tests/devices/``): they stand for libraries without 64-bit dtypes, and for libraries with immutable arrays.

A test marked ``needs("views")`` or ``needs("64 bits")`` runs only on devices that have them (see ``NEEDS``). A
parameter that names a dtype is left out on devices without it.

A test marked ``host`` runs only on devices whose memory NumPy can read in place.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array._core import device as _device
from burn_array.errors import DeviceNotFoundError, NotSupportedError

HOST_DEVICES = ("numpy", "torch:cpu", "dpnp:cpu")
TESTS = Path(__file__).parent
OWN_DEVICES = TESTS / "devices"
"""The folder with the distribution of the tests' own devices, such as ``array_api_strict:narrow``."""
# SYCL keeps every kernel that it has compiled, 3 MB for each function and dtype of dpnp: gigabytes in a whole run.
# This bounds the code that it keeps, in bytes; what a kernel occupies beside its code is many times as much.
os.environ.setdefault("SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD", "4000000")
FUNCTIONS = json.loads((TESTS / "array_api_2025_12.json").read_text())["functions"]


# -- options ----------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--devices",
        default="",
        help="the devices under test, as in numpy,torch:cpu; default: those of the host. "
        "A run of all tests fails if none ran on one that is named",
    )
    parser.addoption(
        "--devices-only",
        action="store_true",
        help="leave out the tests that concern no device and no library",
    )
    parser.addoption(
        "--share",
        type=_fraction,
        default=1.0,
        help="run this fraction of the tests, chosen by a hash of the id, beside all tests of the adapters",
    )


def _fraction(text: str) -> float:
    share = float(text)
    if not 0 < share <= 1:
        raise ValueError(text)
    return share


def pytest_configure(config: pytest.Config) -> None:
    if any(name.startswith("array_api_strict") for name in _named(config)):
        sys.path.insert(0, str(OWN_DEVICES))
        _device._ENTRY_POINTS.clear()  # read by the conftest of a folder, if that was imported first
        paths = [str(OWN_DEVICES), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))  # for the processes that tests start
    is_worker = hasattr(config, "workerinput")
    if _named(config) and not is_worker and not config.getoption("collectonly"):
        config.pluginmanager.register(_EveryDeviceRan(_named(config), _is_whole(config)))


def _named(config: pytest.Config) -> list[str]:
    """Return the devices that ``--devices`` names."""
    return [name.strip() for name in config.getoption("--devices").split(",") if name.strip()]


def _is_whole(config: pytest.Config) -> bool:
    """Return whether the run takes all tests of the folders, rather than chosen files, ids or words."""
    folders = all((config.invocation_params.dir / name).is_dir() for name in config.args)
    return folders and not config.getoption("keyword")


def _present(name: str) -> bool:
    try:
        burn_array.device(name)
    except DeviceNotFoundError:
        return False
    return True


def _chosen(config: pytest.Config) -> list[str]:
    """Return the devices under test."""
    named = _named(config)
    absent = [name for name in named if not _present(name)]
    if absent:
        raise pytest.UsageError(f"--devices: not here: {', '.join(absent)}")
    return named or [name for name in HOST_DEVICES if _present(name)]


# -- which tests run --------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "device" in metafunc.fixturenames:
        chosen = [burn_array.device(name) for name in _chosen(metafunc.config)]
        metafunc.parametrize("device", chosen, ids=str, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    libraries = {burn_array.device(name).library for name in _chosen(config)}
    if config.getoption("--devices-only"):
        items[:] = [item for item in items if _uses_a_device(item) or _libraries(item) & libraries]
    items[:] = [item for item in items if _fits_memory(item) and _has_what_it_needs(item)]
    share = config.getoption("--share")
    if share < 1:
        items[:] = [item for item in items if _folder(item) in libraries or _position(item) < share]


def _uses_a_device(item: pytest.Item) -> bool:
    return "device" in getattr(item, "fixturenames", ())


def _device_of(item: pytest.Item) -> burn_array.Device | None:
    """Return the device that the test runs on, ``None`` for a test without the fixture ``device``."""
    callspec = getattr(item, "callspec", None)
    return callspec.params.get("device") if callspec else None


def _libraries(item: pytest.Item) -> set[str | None]:
    """Return the libraries that the test is about, by its marks and its folder."""
    return {_folder(item), *(name for mark in item.iter_markers("library") for name in mark.args)}


def _folder(item: pytest.Item) -> str | None:
    """Return the library whose folder in ``tests/adapters`` holds the test."""
    parts = item.path.relative_to(TESTS).parts if item.path.is_relative_to(TESTS) else ()
    return parts[1] if len(parts) > 2 and parts[0] == "adapters" else None


def _fits_memory(item: pytest.Item) -> bool:
    """Return whether the memory of the test's device allows it: tests marked ``host`` need the host's."""
    device = _device_of(item)
    return device is None or device.is_host or item.get_closest_marker("host") is None


LAZY = ("dask",)
"""Libraries whose arrays are graphs: no values are printed, and each look at them gives new memory."""
NEEDS: dict[str, Callable[[burn_array.Device], bool]] = {
    "views": lambda device: device.has_views,
    "immutable arrays": lambda device: not device.has_views,
    "64 bits": lambda device: not device.adapter.narrow,
    "float16": lambda device: np.dtype("float16") in device.adapter.dtypes,
    "eager values": lambda device: device.library not in LAZY,
    "narrow dtypes": lambda device: bool(device.adapter.narrow),
}
"""What a test marked ``needs(...)`` may ask of its device."""


def _has_what_it_needs(item: pytest.Item) -> bool:
    """Return whether the test's device has what its marks ask, and every dtype that its parameters name."""
    device = _device_of(item)
    if device is None:
        return True
    asked = [name for mark in item.iter_markers("needs") for name in mark.args]
    return all(NEEDS[name](device) for name in asked) and not _lacking(item, device)


def _lacking(item: pytest.Item, device: burn_array.Device) -> bool:
    """Return whether a parameter of the test names a dtype that the device lacks, by itself or within code."""
    absent = [name for name in (*Kinds.all, "float16") if np.dtype(name) not in device.adapter.dtypes]
    named = re.compile(rf"\b({'|'.join(absent)})\b") if absent else None
    return named is not None and any(
        named.search(str(value))
        for value in item.callspec.params.values()  # type: ignore[attr-defined]
        if isinstance(value, str | np.dtype)
    )


def _position(item: pytest.Item) -> float:
    """Return a number in [0, 1) that depends on nothing but the id of the test."""
    return int.from_bytes(hashlib.sha256(item.nodeid.encode()).digest()[:4]) / 2**32


# -- whether each device was tested -----------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Name the device in the report, which also reaches the main process of pytest-xdist."""
    report = yield
    report.device = str(_device_of(item))
    return report


class _EveryDeviceRan:
    """Says on which of the devices that ``--devices`` names no test ran; a whole run fails then."""

    def __init__(self, named: list[str], is_whole: bool) -> None:
        self.named = named
        self.is_whole = is_whole
        self.ran: set[str] = set()
        self.missing: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and (not report.skipped or hasattr(report, "wasxfail")):
            self.ran.add(report.device)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        finished = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
        if session.exitstatus in finished:
            self.missing = [name for name in self.named if not self._has_run(name)]
        if self.missing and self.is_whole:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _has_run(self, name: str) -> bool:
        # "cupy" is reported as "cupy:0"; asking for the device imports its library, so the name is compared first.
        return name in self.ran or (_present(name) and str(burn_array.device(name)) in self.ran)

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        if self.missing and reporter:
            note = "" if self.is_whole else "note: "
            reporter.write_line(f"{note}no test ran on: {', '.join(self.missing)}", red=self.is_whole)


# -- fixtures ---------------------------------------------------------------------------------


@pytest.fixture
def xp(device: burn_array.Device) -> Iterator[ModuleType]:
    """The namespace, with the device under test as the default device."""
    with burn_array.default_device(device):
        yield burn_array


@pytest.fixture
def apart() -> Iterator[burn_array.Device]:
    """A device whose memory is not the host's, present on every machine: one of those in ``tests/devices/``."""
    before = str(OWN_DEVICES) in sys.path
    if not before:
        sys.path.insert(0, str(OWN_DEVICES))
        _device._ENTRY_POINTS.clear()
    yield burn_array.device("array_api_strict:apart")
    if not before:
        sys.path.remove(str(OWN_DEVICES))
        _device._ENTRY_POINTS.clear()
        _device._ADAPTER_CLASSES.pop("array_api_strict", None)


@pytest.fixture(scope="session")
def load_program() -> Callable[[str], ModuleType]:
    """A function that returns a program outside the package as a module, as in ``docs/support_table.py``."""

    def loaded(path: str) -> ModuleType:
        file = Path(__file__).parents[1] / path
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))  # as when the program is run, which may import its neighbours
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module  # dataclasses look their module up there
        spec.loader.exec_module(module)
        return module

    return loaded


@pytest.fixture(scope="session")
def computed() -> Callable[[Any], Any]:
    """Return a function that lets a lazy device compute a result, or several in a tuple, and raise what that raises."""

    def settled(result: Any) -> Any:
        several = result if isinstance(result, tuple | list) else (result,)
        burn_array.persist(*(one for one in several if isinstance(one, burn_array.Array)))
        return result

    return settled


@pytest.fixture(scope="session")
def host() -> Callable[[Any], np.ndarray[Any, Any]]:
    """Return a function that copies an array of any device to an ndarray."""
    return lambda x: np.array(x.to_device("numpy"))


class Kinds:
    """The names of the dtypes, by kind."""

    bools = ("bool",)
    integers = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
    floats = ("float32", "float64")
    complexes = ("complex64", "complex128")
    reals = integers + floats
    all = bools + reals + complexes

    @classmethod
    def on(cls, device: burn_array.Device) -> list[str]:
        """Return the names of the dtypes that a device has."""
        return [name for name in cls.all if np.dtype(name) in device.adapter.dtypes]


@pytest.fixture(scope="session")
def kinds() -> type[Kinds]:
    """Return the names of the dtypes by kind, for loops inside a test."""
    return Kinds


@pytest.fixture(scope="session")
def values() -> Callable[..., np.ndarray[Any, Any]]:
    """Return a function that makes an ndarray of a dtype and shape, filled with different numbers."""

    def made(dtype: str, shape: tuple[int, ...] = (2, 3)) -> np.ndarray[Any, Any]:
        numbers = (np.arange(np.prod(shape)) * 37 % 101).reshape(shape)
        if dtype == "bool":
            return np.asarray(numbers % 2 == 0)
        return np.asarray((numbers * (1 - 2j if dtype.startswith("complex") else 1)).astype(dtype))

    return made


@pytest.fixture(scope="session")
def pointer() -> Callable[[Any], int]:
    """Return a function that gives the address of the first element of an array in host memory."""
    return lambda x: int(np.asarray(x).__array_interface__["data"][0])


@pytest.fixture
def own_special(device: burn_array.Device) -> Callable[[str], bool]:
    """Return a function that tells whether the device's own library has a special function."""

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
    """Return a function that makes a context in which a test can call a special function.

    On an accelerator whose library lacks the function, and for which there is no formula either, the context
    expects the error ``NotSupportedError``.
    """

    def expecting(name: str) -> AbstractContextManager[Any]:
        special = burn_array.special
        if device.is_host or name not in special.__all__ or name in special.FORMULAS or own_special(name):
            return nullcontext()
        return pytest.raises(NotSupportedError, match=rf"special\.{name} is not available on")

    return expecting


@pytest.fixture
def operands(xp: ModuleType) -> dict[str, Any]:
    """Return the names that the code of a bad call may use: the namespace and arrays of several dtypes and shapes."""
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
def bad_call(
    operands: dict[str, Any], computed: Callable[[Any], Any]
) -> Callable[[str, type[Exception]], None]:
    """Return a function that runs code which must fail.

    It asserts the class of the error, that its text names the function called, and that no array has changed.
    """

    def fails(code: str, kind: type[Exception]) -> None:
        arrays = [x for x in operands.values() if isinstance(x, burn_array.Array)]
        before = [x.tolist() for x in arrays]
        with pytest.raises(kind) as caught:
            computed(eval(code, operands))
        assert [x.tolist() for x in arrays] == before
        if kind.__module__ != "builtins":
            assert caught.type is kind
            _check_text(code, str(caught.value))

    return fails


def _check_text(code: str, text: str) -> None:
    """Assert that the text is one line of moderate length that starts with the name of the function."""
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
