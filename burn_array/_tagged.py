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
        "bools",
        "committed",
        "direct",
        "dtype_of",
        "functions",
        "hardware",
        "met",
        "shape_of",
        "uid",
        "uncommitted",
        "unseen",
    )

    adapter: Adapter
    array_type: type
    committed: Device
    uncommitted: Device
    functions: dict[str, Callable[..., Any]]
    """What ``function`` found so far: a plain ``dict``, since a lookup in a subclass takes longer than most calls."""
    direct: dict[Any, dict[str, Callable[..., Any]]]
    """For each native dtype, what takes arrays that all are of it without a look at them, and gives such arrays, or
    bools where the standard says so. Empty where ``functions`` are as direct."""
    unseen: dict[str, Callable[..., Any]]
    """What an array of this tag takes while nobody has looked at its dtype."""
    bools: dict[str, Callable[..., Any]]
    """What an array of bools takes."""
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

    __slots__ = ("_device", "_direct", "_native")

    _native: Any
    _device: Device
    _direct: dict[str, Callable[..., Any]]
    """The functions that take it as it is: one of ``direct`` of its tag, or ``unseen``. Two arrays that have one and
    the same are of one library and place and, unless that is ``unseen``, of one dtype."""

    def __init__(self, native: Any, device: Device) -> None:
        self._native = native
        self._device = device
        self._direct = device.unseen


def alike(at: Tag, one: Tagged, two: Tagged) -> dict[str, Callable[..., Any]]:
    """Look at the dtypes of two arrays, and return what takes both as they are: ``at.unseen`` for two dtypes."""
    look(one)
    look(two)
    return one._direct if one._direct is two._direct else at.unseen


def look(x: Tagged) -> None:
    """Find what takes ``x`` as it is, unless that is known."""
    at = x._device
    if x._direct is at.unseen and at.direct:
        x._direct = at.direct.setdefault(x._native.dtype, {})
