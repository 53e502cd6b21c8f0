"""What copies an array and what hands it to other libraries; ``Array`` takes these methods into its body."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, HostAccessError, explain
from .device import device
from .namespace import namespace

if TYPE_CHECKING:
    from .array import Array

REVISIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


def __array_namespace__(x: Array, /, *, api_version: str | None = None) -> ModuleType:
    """Return the namespace of the standard that the array belongs to."""
    if api_version is not None and api_version not in REVISIONS:
        raise ArgumentError(
            f"__array_namespace__: unknown revision {api_version!r}; there are {', '.join(REVISIONS)}"
        )
    return namespace()


def __dlpack__(
    x: Array,
    /,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """Return a DLPack capsule of the array."""
    try:
        return x._device.adapter.dlpack(x._native, stream, max_version, dl_device, copy)
    except Exception as error:
        raise explain("__dlpack__", error, str(x.device), [f"{x.dtype}{list(x.shape)}"]) from error


def __dlpack_device__(x: Array, /) -> tuple[int, int]:
    """Return type and number of the device, as DLPack counts them."""
    return x._device.adapter.dlpack_device


def __array__(x: Array, /, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """Return the array for ``numpy.asarray``, where NumPy can read it."""
    if not x._device.is_host:
        raise HostAccessError(
            f"__array__: the array is on {x.device}, which NumPy cannot read; "
            f"move it first: x.to_device('numpy')"
        )
    return np.asarray(x._device.adapter.to_host(x._native), dtype=dtype, copy=copy)


def __copy__(x: Array, /) -> Array:
    """Return the array for ``copy.copy``."""
    return type(x)(x._device.function("copy")(x._native), x._device)


def __deepcopy__(x: Array, memo: object, /) -> Array:
    """Return the array for ``copy.deepcopy``; the copy of a parameter is a parameter."""
    adapter = x._device.adapter
    if not adapter.requires_grad(x._native):
        return __copy__(x)
    return type(x)(x._device.function("copy")(adapter.detach(x._native)), x._device).require_grad()


def __reduce__(x: Array, /) -> tuple[Any, ...]:
    """Return the array for ``pickle``: its values and the string of its device."""
    committed = x._device is x._device.committed
    values = np.array(x._device.adapter.to_host(x._native))
    return restored, (values, str(x._device), committed)


def restored(values: np.ndarray[Any, Any], name: str, committed: bool) -> Array:
    """Return the array that a pickle holds: its values, the string of its device, and whether it is committed."""
    at = device(name) if committed else device(name).uncommitted
    return namespace().Array(at.adapter.from_host(values, None), at)  # type: ignore[no-any-return]
