"""The inspection interface of the standard."""

from __future__ import annotations

from typing import Any

from ._core.device import Device, devices
from ._core.dtypes import KINDS, STANDARD, DType, kind_of
from ._core.placement import current_device, placement
from .errors import ArgumentError

__all__ = ["__array_namespace_info__"]


class NamespaceInfo:
    """What the namespace can do, and what each device has."""

    def capabilities(self) -> dict[str, Any]:
        """Return what the namespace supports beyond the core, and how many dimensions at most."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> Device:
        """Return the default device in force."""
        return current_device()

    def default_dtypes(self, *, device: str | Device | None = None) -> dict[str, DType]:
        """Return the default dtypes of a device."""
        adapter = placement("default_dtypes", device).adapter
        return {
            "real floating": adapter.float_dtype,
            "complex floating": adapter.complex_dtype,
            "integral": adapter.int_dtype,
            "indexing": adapter.int_dtype,
        }

    def dtypes(
        self, *, device: str | Device | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, DType]:
        """Return the dtypes of the standard that a device has, by name, of all kinds or of some.

        Raises
        ------
        ArgumentError
            for an unknown kind
        """
        adapter = placement("dtypes", device).adapter
        letters = "biufc" if kind is None else _letters(kind)
        return {
            dtype.name: dtype for dtype in STANDARD if dtype in adapter.dtypes and kind_of(dtype) in letters
        }

    def devices(self) -> tuple[Device, ...]:
        """Return the devices present now."""
        return tuple(devices())


def _letters(kind: str | tuple[str, ...]) -> str:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    for one in kinds:
        if one not in KINDS:
            raise ArgumentError(f"dtypes: unknown kind {one!r}; the kinds are {', '.join(KINDS)}")
    return "".join(KINDS[one] for one in kinds)


def __array_namespace_info__() -> NamespaceInfo:
    """Return the inspection interface."""
    return NamespaceInfo()
