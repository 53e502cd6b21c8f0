"""The two records that every call reads: an array (native value and device) and a device.

``records.pxd`` declares the same fields for the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentTypeError
from .arguments import with_plain_bounds

if TYPE_CHECKING:
    from ..adapter import Adapter
    from .device import Device
    from .dtypes import DType


_KEYED = ("getitem", "setitem")


class DeviceRecord:
    """The fields of a device that a call reads."""

    __slots__ = (
        "adapter",
        "array_type",
        "bool_table",
        "committed",
        "direct",
        "dtype_of",
        "functions",
        "hardware",
        "meet_cache",
        "no_table",
        "reusing",
        "shape_of",
        "uid",
        "uncommitted",
    )

    adapter: Adapter
    array_type: type
    committed: Device
    uncommitted: Device
    functions: dict[str, Callable[..., Any]]
    """Functions by name, as far as asked for. A plain ``dict``, because a lookup in a subclass would be slower."""
    direct: dict[Any, dict[str, Callable[..., Any]]]
    """Per native dtype: functions that can be called without checking dtypes, because all operands have this dtype.
    Each returns that dtype, or bool for predicates. Empty if ``functions`` never check dtypes anyway."""
    no_table: dict[str, Callable[..., Any]]
    """Table used until the dtype of an array is known. Empty, so that a call falls through to `find_function`; the same
    dict as ``functions`` if ``direct`` is empty."""
    bool_table: dict[str, Callable[..., Any]]
    """The table of ``direct`` for arrays of dtype bool."""
    reusing: Callable[..., Any] | None
    """``Adapter.reusing`` in the compiled form, else ``None``: the look at the extent would cost too much."""
    dtype_of: Callable[[Any], DType]
    shape_of: Callable[[Any], tuple[int, ...]]
    hardware: str
    meet_cache: dict[int, Device]
    """Cache of ``placement.meet``: ``uid`` of the other operand's device -> device of the result."""
    uid: int

    def function(self, name: str) -> Callable[..., Any]:
        """Return the function ``name`` of the standard on native values; the adapter is asked once."""
        found = self.functions.get(name)
        if found is None:
            found = self.adapter.find(name)
            if name in _KEYED and not self.adapter.any_bounds:
                found = with_plain_bounds(found)
            self.functions[name] = found
            self.refresh()
        return found

    def refresh(self) -> None:
        """Read from the adapter again what it may only know once its library is imported."""
        for record in (self.committed, self.uncommitted):
            record.array_type = self.adapter.array_type


class ArrayRecord:
    """A native value of some library, and the device that holds it."""

    __slots__ = ("__weakref__", "_device", "_direct", "_native")

    _native: Any
    _device: Device
    _direct: dict[str, Callable[..., Any]]
    """A table of ``direct`` of its device, or ``no_table``. If two arrays have the same table, other than ``no_table``,
    they share library, device and dtype, so no check is needed. Hence a native array must never change its dtype."""

    def __init__(self, native: Any, device: Any = None) -> None:
        """Hold a native value of the library of ``device``. Calls on the hot path set the fields without it.

        Raises
        ------
        ArgumentTypeError
            If ``native`` is not exactly of the device's type of native values.
        """
        try:
            fits = type(native) is device.array_type or isinstance(native, device.adapter.foreign_types)
        except AttributeError:
            fits = False
        if not fits:
            raise _not_made_so(native)
        self._native = native
        self._device = device
        self._direct = device.no_table


def _not_made_so(native: object) -> ArgumentTypeError:
    """Return the error for a call of ``Array`` with something else than a native value and its device."""
    shown = " ".join(f"{native!r:.60}".split())
    return ArgumentTypeError(
        f"Array: arrays are not made by calling the class, here with {type(native).__name__} {shown}; "
        f"use asarray(value, device=device), where device may be left out, or zeros, arange and the like"
    )


def find_table(x: ArrayRecord) -> None:
    """Set ``x._direct`` to the table of its dtype, unless that is done already."""
    at = x._device
    if x._direct is at.no_table and at.direct:
        x._direct = at.direct.setdefault(x._native.dtype, {})
        if x._device is not at:  # another thread has moved x by an assignment in the meantime
            x._direct = x._device.no_table


def find_function(
    name: str, at: DeviceRecord, functions: Any, x1: Any, x2: Any
) -> tuple[Callable[..., Any], Any]:
    """Return the function ``name``, which the table ``functions`` lacks, and the table of its result.

    If ``functions`` is the general table of the device, the adapter is asked. Otherwise both operands are arrays
    whose dtypes are looked up first: a function of their common table is used if there is one.
    """
    if functions is not at.functions:
        left, right = x1, x2
        find_table(left)
        find_table(right)
        if left._direct is right._direct:
            function = left._direct.get(name)
            if function is not None:
                return function, left._direct
    return at.function(name), at.no_table
