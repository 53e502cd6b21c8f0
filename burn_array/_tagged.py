"""The two records that every call touches: a native value with its tag, and the tag.

``_tagged.pxd`` says the same to a compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._device import Device
    from ._dtypes import DType
    from .adapter import Adapter


class Tag:
    """What a call reads of a device."""

    __slots__ = (
        "adapter",
        "array_type",
        "committed",
        "dtype_of",
        "functions",
        "hardware",
        "met",
        "shape_of",
        "uid",
        "uncommitted",
    )

    adapter: Adapter
    array_type: type
    committed: Device
    uncommitted: Device
    functions: dict[str, Callable[..., Any]]
    """What ``function`` found so far: a plain ``dict``, since a lookup in a subclass takes longer than most calls."""
    dtype_of: Callable[[Any], DType]
    shape_of: Callable[[Any], tuple[int, ...]]
    hardware: str
    met: dict[int, Device]
    """Where results live, by ``uid`` of the tag of the other operand, as far as that is known."""
    uid: int

    def function(self, name: str) -> Callable[..., Any]:
        """Return the function ``name`` of the standard on native values; the adapter is asked once."""
        found = self.functions.get(name)
        if found is None:
            found = self.functions[name] = self.adapter.find(name)
        return found


class Tagged:
    """A native value of some library, and the device that holds it."""

    __slots__ = ("_device", "_native")

    _native: Any
    _device: Device

    def __init__(self, native: Any, device: Device) -> None:
        self._native = native
        self._device = device
