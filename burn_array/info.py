"""The inspection interface of the standard: which devices and dtypes there are."""

from __future__ import annotations

from typing import Any

from ._core.device import Device, devices
from ._core.dtypes import KINDS, STANDARD, DType, kind_of
from ._core.placement import current_device, placement
from .errors import ArgumentError

__all__ = ["__array_namespace_info__"]


class NamespaceInfo:
    """What the namespace can do, and the dtypes of each device."""

    def capabilities(self) -> dict[str, Any]:
        """Return what the namespace supports beyond the core of the standard.

        Returns
        -------
        dict
            ``"boolean indexing"`` and ``"data-dependent shapes"``, which say whether the default device lets a shape
            depend on values, and ``"max dimensions"``.
        """
        depends = current_device().adapter.data_dependent_shapes
        return {"boolean indexing": depends, "data-dependent shapes": depends, "max dimensions": 64}

    def default_device(self) -> Device:
        """Return the default device in force, where arrays are made without ``device=``."""
        return current_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """Return the dtypes that a device gives to arrays made without ``dtype=``.

        Parameters
        ----------
        device : Device or str, optional
            By default the default device.

        Returns
        -------
        dict
            A dtype for each of ``"real floating"``, ``"complex floating"``, ``"integral"`` and
            ``"indexing"``; without ``"complex floating"`` for a device that has no complex dtype.

        Raises
        ------
        DeviceNotFoundError
            If the device is not present.
        """
        adapter = placement("default_dtypes", device).adapter
        defaults = {
            "real floating": adapter.float_dtype,
            "complex floating": adapter.complex_dtype,
            "integral": adapter.int_dtype,
            "indexing": adapter.index_dtype,
        }
        return {kind: dtype for kind, dtype in defaults.items() if dtype in adapter.dtypes}

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, DType]:
        """Return the dtypes of the standard that a device has, by name.

        Parameters
        ----------
        device : Device or str, optional
            By default the default device.
        kind : str or tuple of str, optional
            The kinds to return, named as for ``isdtype``; by default all.

        Returns
        -------
        dict
            Each dtype by its name.

        Raises
        ------
        ArgumentError
            If a kind is unknown.
        DeviceNotFoundError
            If the device is not present.
        """
        adapter = placement("dtypes", device).adapter
        letters = "biufc" if kind is None else _letters(kind)
        return {
            dtype.name: dtype for dtype in STANDARD if dtype in adapter.dtypes and kind_of(dtype) in letters
        }

    def devices(self) -> tuple[Device, ...]:
        """Return the devices that are present now, as a tuple."""
        return tuple(devices())


def _letters(kind: str | tuple[str, ...]) -> str:
    """Return the letters by which NumPy names the kinds."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    for one in kinds:
        if one not in KINDS:
            raise ArgumentError(f"dtypes: unknown kind {one!r}; the kinds are {', '.join(KINDS)}")
    return "".join(KINDS[one] for one in kinds)


def __array_namespace_info__() -> NamespaceInfo:
    """Return the object that tells which devices and dtypes there are.

    Returns
    -------
    NamespaceInfo
        With the methods ``capabilities``, ``default_device``, ``default_dtypes``, ``devices`` and
        ``dtypes``.
    """
    return NamespaceInfo()
