"""Where new arrays and results live: the default device, and the rule by which devices meet."""

from __future__ import annotations

import os
from contextvars import ContextVar
from functools import cache
from typing import overload

from ..errors import BurnArrayError, DeviceError, DeviceMismatchError, DeviceNotFoundError
from .device import Device
from .device import device as lookup

# -- the default device -----------------------------------------------------------------------

_CHOSEN: ContextVar[tuple[Device, ...]] = ContextVar("burn_array_default_device", default=())
"""The choices in force, the innermost last."""


class DefaultDevice:
    """The context manager that :func:`default_device` returns; several threads may share one."""

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
def default_device(device: str | Device) -> DefaultDevice: ...
def default_device(device: str | Device | None = None) -> Device | DefaultDevice:
    """``with default_device("torch:cpu"):`` makes it the default inside; ``default_device()`` tells it.

    Without a choice in force the default is ``BURN_DEVICE``, else the first device of the comma-separated
    ``BURN_DEVICE_PRIORITY`` that is present, else ``numpy``; the environment is read once, when a default
    is first needed. The choice holds for the current context (:mod:`contextvars`), so other threads are
    not affected.

    Raises
    ------
    DeviceNotFoundError
        for a device that is not here
    """
    return current_device() if device is None else DefaultDevice(lookup(device))


def current_device() -> Device:
    """Return the default device in force, committed."""
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
            return lookup(candidate)
        except DeviceError:
            continue
    return lookup("numpy")


def placement(function: str, requested: str | Device | None) -> Device:
    """Return the tag for a new array: committed if a device was asked for, else the uncommitted default."""
    if requested is None:
        return current_device().uncommitted
    try:
        return lookup(requested)
    except BurnArrayError as error:
        raise type(error)(f"{function}: {error}") from error


# -- where a result lives ---------------------------------------------------------------------


def meet(function: str, a: Device, b: Device, a_ndim: int, b_ndim: int) -> Device:
    """Return the tag of the result of an operation on arrays tagged ``a`` and ``b``.

    A committed array decides over an uncommitted one; between equals, an n-d array over a 0-d one; what
    the wrappers add (autodiff) is merged.

    Raises
    ------
    DeviceMismatchError
        for two committed devices, neither of which follows the other
    """
    known = a.meet_cache.get(b.uid)
    if known is not None:
        return known
    if a.hardware == b.hardware or (a is a.committed) != (b is b.committed):
        base = b if b is b.committed and a is not a.committed else a
        result = a.meet_cache[b.uid] = _merge_wrappers(function, base, a, b)
        return result
    if (a_ndim == 0) != (b_ndim == 0):
        return _merge_wrappers(function, b if a_ndim == 0 else a, a, b)
    if a is not a.committed:
        return _merge_wrappers(function, a, a, b)
    shared = a.adapter.dlpack_device == b.adapter.dlpack_device
    costs = ", which copies nothing (both use the same memory)," if shared else ""
    raise DeviceMismatchError(
        f"{function}: arrays are committed to {a} and {b}; move one with "
        f"x.to_device('{a}'){costs} or make it without device="
    )


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
