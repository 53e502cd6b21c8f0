"""Devices: their names and identity, the default device, the environment variables, and errors for absent ones."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array._core import device as _device
from burn_array._core import placement as _placement
from burn_array.adapter import Adapter
from burn_array.errors import (
    ArgumentTypeError,
    DeviceMismatchError,
    DeviceNotFoundError,
    UnsupportedDTypeError,
)


def run(code: str, **environment: str) -> str:
    """Return what code prints in a fresh interpreter, or the last line of its error."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("BURN_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import burn_array as xp\n" + code],
        capture_output=True,
        text=True,
        check=False,
        env=clean | environment,
    )
    return done.stdout.strip() or done.stderr.strip().split("\n")[-1]


# -- strings and identity -------------------------------------------------------------------------


def test_string_round_trips(device: xp.Device) -> None:
    assert xp.device(str(device)) is device
    assert str(xp.device(str(device))) == str(device)
    assert eval(repr(device), {"Device": xp.Device}) is device
    assert f"{device}" == str(device)


def test_device_is_interned_however_it_is_asked_for(device: xp.Device) -> None:
    assert xp.Device(str(device)) is device
    assert xp.Device(device) is device
    assert xp.device(device) is device
    assert xp.zeros(2, device=str(device)).device is device
    assert xp.zeros(2, device=device).device is device


def test_shorthands_mean_the_canonical_device() -> None:
    assert xp.device("numpy:cpu") is xp.device("numpy")
    assert str(xp.device("numpy:cpu")) == "numpy"
    assert xp.device(" numpy ") is xp.device("numpy")


def test_letter_case_of_library_and_place_is_without_meaning(device: xp.Device) -> None:
    plain = device.inner
    assert xp.device(str(plain).upper()) is plain
    assert xp.device(str(plain).title()) is plain
    assert str(xp.device(str(plain).upper() + "+autodiff")) == f"{plain}+autodiff"


def test_a_library_may_give_the_letter_case_a_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    class Remote(Adapter):
        name = "remote"
        any_case = False
        array_type = np.ndarray
        dtypes = MappingProxyType({})

    monkeypatch.setitem(_device._ADAPTER_CLASSES, "remote", Remote)
    entries = {"remote": EntryPoint("remote", "nowhere:Remote", _device.ADAPTERS)}
    monkeypatch.setitem(_device._ENTRY_POINTS, _device.ADAPTERS, entries)
    assert str(xp.device("Remote:HOST:torch:CPU")) == "remote:HOST:torch:CPU"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("cpu", "'numpy' or 'torch:cpu'"),
        ("CPU:0", "'numpy' or 'torch:cpu'"),
        ("cuda", "'torch:cuda' or 'cupy'"),
        ("cuda:1", "'torch:cuda' or 'cupy'"),
        ("nunpy", "'numpy'"),
        ("pytorch", "'torch'"),
        ("numpy+autodif", "'autodiff'"),
    ],
)
def test_a_misspelt_device_is_told_what_may_be_meant(name: str, meant: str) -> None:
    with pytest.raises(DeviceNotFoundError, match=f"did you mean {meant}\\?"):
        xp.zeros(2, device=name)


@pytest.mark.parametrize("wrapper", ["autodiff[balanced", "autodiff]", "autodiff[]", "autodiff[balanced]]"])
def test_a_wrapper_with_unpaired_brackets_is_refused(wrapper: str) -> None:
    with pytest.raises(DeviceNotFoundError, match="cannot read the wrapper"):
        xp.device(f"numpy+{wrapper}")


def test_a_device_object_of_a_library_stands_for_its_device(device: xp.Device) -> None:
    plain = device.inner
    x = xp.zeros(2, device=plain)
    theirs = getattr(x._native, "device", None)
    if theirs is None or isinstance(theirs, str) or callable(theirs):
        pytest.skip("the library has no objects for devices")
    assert xp.device(theirs) is plain
    assert xp.ones(2, device=theirs).device is plain
    assert x.to_device(theirs).device is plain
    with xp.default_device(theirs):
        assert xp.zeros(1).device is plain


def test_a_device_of_pytorch_that_is_absent() -> None:
    with pytest.raises(DeviceNotFoundError, match="torch:cuda:77"):
        xp.device(torch.device("cuda:77"))


def test_device_survives_pickle_and_copies(device: xp.Device) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(device, protocol)) is device
    assert copy.copy(device) is device
    assert copy.deepcopy([device])[0] is device


def test_equality_is_by_library_and_hardware(device: xp.Device) -> None:
    assert device == xp.device(str(device))
    assert device != xp.device("torch:cpu" if str(device) == "numpy" else "numpy")
    assert (device == str(device)) is False
    assert device != 3
    assert len({device, xp.device(str(device))}) == 1
    uncommitted = device.uncommitted
    assert uncommitted == device
    assert hash(uncommitted) == hash(device)
    assert uncommitted.committed is device


def test_x_device_is_committed_and_creation_accepts_it(device: xp.Device) -> None:
    with xp.default_device(device):
        x = xp.zeros(3)
    assert x.device is device
    assert xp.ones(3, device=x.device).device is device


def test_devices_are_interned_by_many_threads() -> None:
    code = (
        "import sys, threading, torch\n"
        "sys.setswitchinterval(1e-6)\n"
        "found, barrier = [], threading.Barrier(16)\n"
        "def ask(name):\n"
        "    barrier.wait()\n"
        "    found.append(xp.device(name))\n"
        "threads = [threading.Thread(target=ask, args=(('torch:cpu', 'numpy')[i % 2],)) for i in range(16)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "records = {id(r): r for d in found for r in (d, d.uncommitted)}.values()\n"
        "print(len(found), len(records), len({r.uid for r in records}), *sorted(map(str, set(found))))"
    )
    assert run(code) == "16 4 4 numpy torch:cpu"


# -- devices that are present --------------------------------------------------------------------------------


def test_devices_are_those_present(device: xp.Device) -> None:
    found = xp.devices()
    assert device in found or not device.adapter.present()  # the devices of the tests are found by name alone
    assert found[0] == xp.device("numpy")
    assert len(set(found)) == len(found)
    assert xp.devices("numpy") == [xp.device("numpy")]
    assert xp.__array_namespace_info__().devices() == tuple(found)
    for one in found:
        assert xp.device(str(one)) is one
        assert one.library == str(one).partition(":")[0]


def test_info_describes_the_requested_device(device: xp.Device) -> None:
    info = xp.__array_namespace_info__()
    dtypes = info.dtypes(device=device)
    for name, dtype in dtypes.items():
        x = xp.ones(2, dtype=dtype, device=device)
        assert x.dtype == getattr(xp, name)
        assert (x + x).dtype == dtype if name != "bool" else x.dtype == dtype
    with xp.default_device(device):
        assert info.default_device() is device
        assert info.dtypes() == dtypes
        defaults = info.default_dtypes()
    assert info.default_dtypes(device=device) == defaults
    assert xp.zeros(1, device=device).dtype == defaults["real floating"]
    assert xp.asarray(1j, device=device).dtype == defaults["complex floating"]
    assert xp.asarray(1, device=device).dtype == defaults["integral"]
    assert xp.argmax(xp.asarray([1, 2], device=device)).dtype == defaults["indexing"]
    assert set(info.dtypes(kind=("bool", "signed integer"))) == {"bool", "int8", "int16", "int32", "int64"}
    assert info.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": 64,
    }


@pytest.mark.needs("64 bits")
def test_an_absent_dtype_is_an_error_that_lists_the_present_ones(device: xp.Device) -> None:
    from ml_dtypes import bfloat16

    if np.dtype(bfloat16) in device.adapter.dtypes:
        assert xp.zeros(2, dtype=bfloat16, device=device).dtype == np.dtype(bfloat16)
    else:
        with pytest.raises(UnsupportedDTypeError, match=rf"zeros: {device} has no dtype bfloat16.*float64"):
            xp.zeros(2, dtype=bfloat16, device=device)


def test_synchronize_works_on_every_device(device: xp.Device) -> None:
    x = xp.ones(4, device=device) * 2
    device.synchronize()
    assert x.tolist() == [2.0] * 4


# -- the default ----------------------------------------------------------------------------------


def test_default_device_is_numpy() -> None:
    assert run("print(xp.default_device(), xp.zeros(1).device)") == "numpy numpy"


def test_default_device_holds_inside_the_with(device: xp.Device) -> None:
    before = xp.default_device()
    with xp.default_device(str(device)) as chosen:
        assert chosen is device is xp.default_device()
        created = [
            xp.zeros(2), xp.asarray([1.0]), xp.arange(3), xp.eye(2), xp.full(2, 1), xp.linspace(0, 1, 3),
            xp.fft.fftfreq(4), xp.empty(1), xp.ones(1), xp.asarray(np.ones(2)),
        ]  # fmt: skip
        assert {x.device for x in created} == {device}
    assert xp.default_device() is before


def test_default_devices_nest_and_reset_after_an_error(device: xp.Device) -> None:
    before = xp.default_device()

    def fail() -> None:
        with xp.default_device("numpy"), xp.default_device(device):
            assert xp.default_device() is device
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert xp.default_device() is before


def test_one_context_manager_can_be_reused_and_nested(device: xp.Device) -> None:
    chosen, before = xp.default_device(device), xp.default_device()
    with chosen, xp.default_device("numpy"), chosen:
        assert xp.default_device() is device
    with chosen:
        assert xp.default_device() is device
    assert xp.default_device() is before


def test_one_context_manager_can_be_used_by_many_threads(device: xp.Device) -> None:
    chosen = xp.default_device(device)
    barrier = threading.Barrier(8)

    def inside(_: int) -> tuple[xp.Device, xp.Device]:
        barrier.wait()
        for _ in range(50):
            with chosen:
                within = xp.default_device()
        return within, xp.default_device()

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(inside, range(8))) == {(device, xp.device("numpy"))}


def test_default_device_belongs_to_the_thread_that_chose_it(device: xp.Device) -> None:
    seen = []
    with xp.default_device(device):
        thread = threading.Thread(
            target=lambda: seen.append((xp.default_device(), xp.asarray([1.0, 2.0]) * 2))
        )
        thread.start()
        thread.join()
    assert seen[0][0] is xp.device("numpy")
    assert seen[0][1].tolist() == [2.0, 4.0]


def test_default_device_belongs_to_the_context_of_a_coroutine() -> None:
    import asyncio

    async def inner(name: str) -> str:
        with xp.default_device(name):
            await asyncio.sleep(0)
            return str(xp.zeros(1).device)

    async def outer() -> list[str]:
        return list(await asyncio.gather(*(inner(name) for name in ("numpy", "torch:cpu") * 4)))

    assert asyncio.run(outer()) == ["numpy", "torch:cpu"] * 4


def test_arrays_outlive_their_default_device(device: xp.Device) -> None:
    with xp.default_device(device):
        x = xp.arange(3)
    assert (x + 1).tolist() == [1, 2, 3]
    assert (x + 1).device is device


# -- the environment ------------------------------------------------------------------------------


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A monkeypatch without the two variables; burn_array reads the environment again after each change."""
    for name in ("BURN_DEVICE", "BURN_DEVICE_PRIORITY"):
        monkeypatch.delenv(name, raising=False)
    _placement.environment_device.cache_clear()
    yield monkeypatch
    _placement.environment_device.cache_clear()


def test_burn_device_in_a_fresh_interpreter() -> None:
    code = (
        "x = xp.zeros(1); print(x.device, xp.default_device(), x._device is xp.default_device().uncommitted)\n"
        "with xp.default_device('numpy'): print(xp.zeros(1).device)"
    )
    assert run(code, BURN_DEVICE=" torch:cpu ") == "torch:cpu torch:cpu True\nnumpy"


def test_an_absent_burn_device_is_an_error_that_names_the_variable() -> None:
    told = run("xp.zeros(1)", BURN_DEVICE="nowhere:0")
    assert told.startswith("burn_array.errors.DeviceNotFoundError: BURN_DEVICE=nowhere:0: ")
    assert "numpy" in told


def test_environment_is_read_when_a_default_is_needed() -> None:
    code = "x = xp.zeros(1, device='numpy'); print(x.device)"
    assert run(code, BURN_DEVICE="nowhere:0") == "numpy"


def test_burn_device(environment: pytest.MonkeyPatch, device: xp.Device) -> None:
    environment.setenv("BURN_DEVICE", str(device))
    assert xp.default_device() is device
    assert xp.zeros(1)._device is device.uncommitted


@pytest.mark.parametrize(
    ("priority", "wanted"),
    [
        ("torch:cpu,numpy", "torch:cpu"),
        ("torch:cuda:77, torch:cpu", "torch:cpu"),
        ("TORCH:CPU", "torch:cpu"),
        ("cupy:77", "numpy"),
        (" , ,", "numpy"),
        ("", "numpy"),
    ],
)
def test_burn_device_priority(environment: pytest.MonkeyPatch, priority: str, wanted: str) -> None:
    environment.setenv("BURN_DEVICE_PRIORITY", priority)
    assert str(xp.default_device()) == wanted


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nunpy", "did you mean 'numpy'"),
        ("numpy+autodif", "did you mean 'autodiff'"),
        ("numpy+autodiff[balanced", "cannot read the wrapper"),
        ("numpy+autodiff[sometimes]", "unknown strategy"),
    ],
)
def test_an_unknown_name_in_burn_device_priority_is_warned_of(
    environment: pytest.MonkeyPatch, name: str, told: str
) -> None:
    environment.setenv("BURN_DEVICE_PRIORITY", f"{name}, torch:cpu")
    with pytest.warns(
        RuntimeWarning, match=f"BURN_DEVICE_PRIORITY: {re.escape(repr(name))} is left out: .*{told}"
    ):
        assert str(xp.default_device()) == "torch:cpu"


def test_burn_device_takes_precedence_over_burn_device_priority(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("BURN_DEVICE_PRIORITY", "torch:cpu")
    environment.setenv("BURN_DEVICE", "numpy")
    assert str(xp.default_device()) == "numpy"


# -- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "nowhere", "torch:moon", "torch:cpu:5", "numpy:3", "numpy:cpu:0"])
def test_unknown_device(name: str) -> None:
    with pytest.raises(DeviceNotFoundError, match=r"numpy|torch"):
        xp.device(name)
    with pytest.raises(DeviceNotFoundError, match=r"^zeros: "):
        xp.zeros(2, device=name)


@pytest.mark.parametrize("name", ["numpy+", "numpy+nothing", "numpy+nothing[x]", "numpy++"])
def test_unknown_wrapper(name: str) -> None:
    with pytest.raises(DeviceNotFoundError, match="wrapper"):
        xp.device(name)


@pytest.mark.parametrize("value", [None, 3, 2.5, b"numpy", ("numpy",), object(), np, np.ndarray])
def test_device_of_another_type(value: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="torch:cpu"):
        xp.device(value)


def test_the_text_about_a_missing_library_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("missing", "a_library_that_does_not_exist:Adapter", _device.ADAPTERS)
    monkeypatch.setitem(_device._ENTRY_POINTS, _device.ADAPTERS, {"missing": entry})
    with pytest.raises(DeviceNotFoundError, match=r"pip install a-library-that-does-not-exist$") as caught:
        xp.device("missing:0")
    assert isinstance(caught.value.__cause__, ImportError)
    assert xp.devices() == []


@pytest.mark.parametrize(
    ("library", "package"), [("dpnp", "dpnp"), ("torch", "torch"), ("cupy", "cupy-cuda13x"), ("jax", "jax")]
)
def test_the_package_of_a_library_is_named_as_pip_knows_it(library: str, package: str) -> None:
    entry = _device._entries(_device.ADAPTERS)[library]
    assert _device._package(entry, ImportError(name=library)) == package
    assert _device._package(entry, ImportError(name="array_api_compat.torch")) == "array-api-compat"


def test_a_library_that_fails_to_import_hides_no_other_device(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("broken", "burn_array.constants:missing_name", _device.ADAPTERS)
    numpy = _device._entries(_device.ADAPTERS)["numpy"]
    monkeypatch.setitem(_device._ENTRY_POINTS, _device.ADAPTERS, {"broken": broken, "numpy": numpy})
    assert xp.devices() == [xp.device("numpy")]
    with pytest.raises(DeviceNotFoundError, match="broken"):
        xp.device("broken")
    assert xp.asarray(np.ones(2)).tolist() == [1.0, 1.0]


def test_arrays_committed_to_two_devices_are_a_mismatch() -> None:
    with pytest.raises(DeviceMismatchError):
        xp.zeros(2, device="numpy") + xp.zeros(2, device="torch:cpu")


def test_threads_may_share_a_default_device() -> None:
    shared = xp.default_device("numpy+autodiff")
    seen: list[bool] = []
    inside, left = threading.Barrier(2), threading.Barrier(2)

    def run() -> None:
        before = xp.default_device()
        with shared:
            inside.wait()
            seen.append(xp.default_device().is_autodiff)
            left.wait()
        seen.append(xp.default_device() is before)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert seen == [True] * 4
