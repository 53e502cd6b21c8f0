"""The two records that every call touches: a native value with its tag, and the tag.

``_tagged.pxd`` says the same to a compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..adapter import Adapter
    from .device import Device
    from .dtypes import DType


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
    """For each native dtype, by name, what takes arrays that all are of it without a look at them, and gives such
    arrays, or bools where the standard says so. Empty where ``functions`` are as direct."""
    unseen: dict[str, Callable[..., Any]]
    """The table of an array whose dtype nobody has looked at: empty, so that a call looks; ``functions`` themselves
    where ``direct`` is empty."""
    bools: dict[str, Callable[..., Any]]
    """The table of an array of bools."""
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
    """One of the tables ``direct`` of its tag, or ``unseen``. Two arrays that have one and the same are of one library
    and place and, unless that is ``unseen``, of one dtype: a native array must not change its dtype."""

    def __init__(self, native: Any, device: Device) -> None:
        self._native = native
        self._device = device
        self._direct = device.unseen


def look(x: Tagged) -> None:
    """Find the table of ``x`` by its dtype, unless that has been done."""
    at = x._device
    if x._direct is at.unseen and at.direct:
        x._direct = at.direct.setdefault(x._native.dtype, {})
        if x._device is not at:  # another thread has moved it meanwhile, by an assignment
            x._direct = x._device.unseen


def resolve(name: str, at: Tag, functions: Any, x1: Any, x2: Any) -> tuple[Callable[..., Any], Any]:
    """Return the function ``name`` that is not in ``functions``, and the table of its results.

    If ``functions`` are not those of the tag, both operands are arrays, and nobody has looked at their dtypes yet,
    or these differ, or the function is none of those that take such arrays directly.
    """
    if functions is not at.functions:
        one, two = x1, x2
        look(one)
        look(two)
        if one._direct is two._direct:
            function = one._direct.get(name)
            if function is not None:
                return function, one._direct
    return at.function(name), at.unseen
