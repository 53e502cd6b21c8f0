"""Choose devices: the default device for new arrays, and the device of a result."""

from __future__ import annotations

import os
import warnings
from contextvars import ContextVar
from functools import cache
from typing import Any, overload

from ..errors import BurnArrayError, DeviceError, DeviceMismatchError, DeviceNotFoundError
from .device import Device, check_name
from .device import device as lookup
from .moves import moves_freely

# -- the default device -----------------------------------------------------------------------

_CHOSEN: ContextVar[tuple[Device, ...]] = ContextVar("burn_array_default_device", default=())
"""The default devices chosen by ``with`` blocks, the innermost last."""


class DefaultDevice:
    """The context manager that ``default_device`` returns; several threads may share one."""

    __slots__ = ("_device",)

    def __init__(self, chosen: Device) -> None:
        self._device = chosen

    def __enter__(self) -> Device:
        _CHOSEN.set((*_CHOSEN.get(), self._device))
        return self._device

    def __exit__(self, *exc: object) -> None:
        _CHOSEN.set(_CHOSEN.get()[:-1])


@overload
def default_device() -> Device: ...
@overload
def default_device(device: Any) -> DefaultDevice: ...
def default_device(device: Any = None) -> Device | DefaultDevice:
    """Return the default device, or choose it: ``with default_device("torch:cpu"):``.

    Outside of a ``with`` block the default is the environment variable ``BURN_DEVICE``; without it, the first device
    present of the comma-separated ``BURN_DEVICE_PRIORITY``; without that, ``numpy``. A name there that cannot be read
    is left out with a warning. The environment is read once. A choice holds for the current context (see
    ``contextvars``), so other threads are not affected.

    Parameters
    ----------
    device : Device or str, optional
        The device to choose.

    Returns
    -------
    Device or context manager
        The default device in force; with ``device``, a context manager that makes it the default inside.

    Raises
    ------
    DeviceNotFoundError
        If this machine has no such device.
    """
    return current_device() if device is None else DefaultDevice(lookup(device))


def current_device() -> Device:
    """Return the default device in force, as a committed device."""
    chosen = _CHOSEN.get()
    return chosen[-1] if chosen else environment_device()


@cache
def environment_device() -> Device:
    """Return the default device that the environment asks for."""
    name = os.environ.get("BURN_DEVICE", "").strip()
    if name:
        try:
            return lookup(name)
        except BurnArrayError as error:
            raise DeviceNotFoundError(f"BURN_DEVICE={name}: {error}") from error
    for candidate in filter(None, map(str.strip, os.environ.get("BURN_DEVICE_PRIORITY", "").split(","))):
        try:
            check_name(candidate)
        except DeviceNotFoundError as error:
            _warn_of(candidate, error)
            continue
        try:
            return lookup(candidate)
        except DeviceError:  # it is not here, so the next one may be
            continue
        except BurnArrayError as error:
            _warn_of(candidate, error)
    return lookup("numpy")


def _warn_of(candidate: str, error: BurnArrayError) -> None:
    told = f"BURN_DEVICE_PRIORITY: {candidate!r} is left out: {error}"
    warnings.warn(told, RuntimeWarning, stacklevel=3)


def placement(function: str, requested: Any) -> Device:
    """Return the device for a new array: the one asked for, committed, or else the default device, uncommitted."""
    if requested is None:
        return current_device().uncommitted
    try:
        return lookup(requested)
    except BurnArrayError as error:
        raise type(error)(f"{function}: {error}") from error


# -- where a result lives ---------------------------------------------------------------------


def meet(function: str, a: Device, b: Device, a_ndim: int, b_ndim: int) -> Device:
    """Return the device of the result of an operation on arrays of the devices ``a`` and ``b``.

    A device that absorbs others decides. A committed array decides over an uncommitted one. If both or neither are
    committed, an n-d array decides over a 0-d one. Autodiff is added if either device has it.

    Raises
    ------
    DeviceMismatchError
        If both arrays are committed, to different devices.
    """
    known = a.meet_cache.get(b.uid)
    if known is not None:
        return known
    if a.adapter.absorbs != b.adapter.absorbs:
        result = a.meet_cache[b.uid] = a if a.adapter.absorbs else b
        return result
    if a.hardware == b.hardware or (a is a.committed) != (b is b.committed):
        base = b if b is b.committed and a is not a.committed else a
        result = a.meet_cache[b.uid] = _merge_wrappers(function, base, a, b)
        return result
    if (a_ndim == 0) != (b_ndim == 0):
        return _merge_wrappers(function, b if a_ndim == 0 else a, a, b)
    if a is not a.committed:
        return _merge_wrappers(function, a, a, b)
    raise DeviceMismatchError(
        f"{function}: arrays are committed to {a} and {b}; move one with "
        f"{_advised_move(a, b)} or make it without device="
    )


def _advised_move(a: Device, b: Device) -> str:
    """Return the call to advise: a move that copies nothing, if one of the two directions is."""
    if moves_freely(b, a):
        return f"x.to_device('{a}'), which copies nothing (both use the same memory),"
    if moves_freely(a, b):
        return f"x.to_device('{b}'), which copies nothing (the other way is a copy),"
    return f"x.to_device('{a}')"


def _merge_wrappers(function: str, base: Device, a: Device, b: Device) -> Device:
    wrappers = _wrappers(a) or _wrappers(b)
    if _wrappers(a) and _wrappers(b) and _wrappers(a) != _wrappers(b):
        raise DeviceMismatchError(
            f"{function}: {a} and {b} differ in how they differentiate; use one of the two for all arrays"
        )
    if _wrappers(base) == wrappers:
        return base
    found = lookup(f"{base.hardware}+{wrappers}")
    return found if base is base.committed else found.uncommitted


def _wrappers(one: Device) -> str:
    return str(one)[len(one.hardware) + 1 :]
