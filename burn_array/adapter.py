"""The one interface between burn_array and an array library.

An adapter stands for **one device of one library** (``torch`` on ``cuda:0``). It is asked three things:

* *what is there*: :meth:`Adapter.present`, :attr:`Adapter.dtypes`, :attr:`Adapter.array_type`, ...
* *a function by its name in the standard* (``"add"``, ``"linalg.svd"``): :meth:`Adapter.find`, once per name
* *moves*: :meth:`Adapter.to_host`, :meth:`Adapter.from_host`, :meth:`Adapter.from_dlpack`,
  :meth:`Adapter.dlpack`, :meth:`Adapter.transfer`

**How the core calls a function that ``find`` returned.** Arrays are native values, each exactly of type
``array_type`` and on this device; a dtype is the library's own (a value of ``dtypes``); ``device=`` is
``native_device``. Parameters that the standard lets be passed by position are passed by position,
keyword-only ones by keyword, all of them, in every call, but for two at their defaults: ``axis=0`` of
``concat`` and ``stack``, ``copy=None`` of ``reshape``. What the core has settled before: axes of creation
functions, default dtypes (creation functions always get a dtype), placement, dotted results (tuples are fine;
the core names the fields). What stays for the function: promotion (by NumPy's rules: a Python scalar is
weak; ``promote`` and ``promote_scalar`` are the table), special values, axes. A binary function, ``where``
and ``clip`` may get a Python scalar in place of one array. Functions that the standard does not name, but the
core asks for:

========================  ====================================================================
``getitem(x, key)``       ``key`` is an int, slice, ``None``, ``...``, bool, a native array, or a
                          tuple of these; NumPy's meaning. A view where the library can.
``setitem(x, key, v)``    the same keys; ``v`` is a native array or Python scalar; broadcasts, casts
``scatter_add(x, i, v)``  a new array: ``x`` with ``v`` added at ``x[i]``, repeats accumulating
``copy(x)``               an independent array, its axes in the same order in memory or row-major
========================  ====================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from ._core.dtypes import DType, kind_of, promote, promote_scalar
from .errors import DeviceNotFoundError, GradientError, NotSupportedError

__all__ = [
    "Adapter",
    "Composed",
    "DType",
    "NotSupported",
    "composed",
    "kind_of",
    "not_supported",
    "promote",
    "promote_scalar",
]

Native = Any
"""An array of the library beneath."""

SHARED: dict[int, Any] = {}
"""Memory of plain arrays that something else reads later, by the ``id`` of the object that stands for it: ``change()``
is called after the memory was changed in place."""


def notify_changed(adapter: Adapter, native: Native) -> None:
    """Tell whom it concerns that ``native`` was changed in place."""
    lent = SHARED.get(id(adapter.memory(native)[0]))
    if lent is not None:
        lent.change()


class Composed:
    """A function made of other functions of the library, which it gets as its first argument."""

    __slots__ = ("body",)

    def __init__(self, body: Callable[..., Any]) -> None:
        self.body = body


def composed(body: Callable[..., Any]) -> Composed:
    """Declare in the class body of an adapter a function ``body(library, x, ...)``."""
    return Composed(body)


class NotSupported:
    """A gap of a library, as a value in the class body of its adapter."""

    __slots__ = ("link", "why")

    def __init__(self, why: str, link: str) -> None:
        self.why = why
        self.link = link


def not_supported(why: str, link: str) -> NotSupported:
    """Declare in the class body of an adapter that a function cannot be had, and why."""
    return NotSupported(why, link)


class Adapter:
    """One device of one array library. Subclass it; ``CONTRIBUTING`` shows a whole one.

    A function in the class body (written as ``@staticmethod``, or assigned) overrides the library's
    namesake; a dot in the name is written ``_`` (``linalg_svd``).
    """

    name: ClassVar[str]
    """First part of the device string, and the name of the entry point."""
    extra: ClassVar[str] = ""
    """The extra of burn_array that installs the library."""
    library: ModuleType
    """Where the namesakes are looked up."""
    array_type: type
    """The exact type of every native value."""
    is_host: bool = True
    """Whether the memory is ordinary host memory that NumPy can read in place."""

    suffix: str
    """The rest of the device string, without the colon: ``""``, ``"cpu"``, ``"cuda:0"``."""
    native_device: Any = None
    """What the library's own ``device=`` takes."""
    dtypes: Mapping[DType, Any]
    """The dtypes of this device, each with the library's own object for it."""
    float_dtype: DType = np.dtype("float64")
    """The default real floating dtype."""
    complex_dtype: DType = np.dtype("complex128")
    """The default complex dtype."""
    int_dtype: DType = np.dtype("int64")
    """The default integer dtype, also the dtype of indices."""
    direct: Mapping[Any, Mapping[str, Callable[..., Any]]] = {}
    """For native dtypes (what ``native.dtype`` is) functions by name, of arrays that all are of that dtype, which give
    such arrays too, or bools where the standard says so: they are called, and ``find`` is not asked, where the core
    knows the dtypes. Worth it where the functions that ``find`` returns look at dtypes first. The names are those of
    element-wise functions, ``matmul``, ``where`` (the condition is of bools), ``concat`` and ``stack``."""
    errors: tuple[tuple[str, type[Exception]], ...] = ()
    """What the library's own errors mean: pairs of a regular expression and a class of :mod:`burn_array.errors`."""
    dlpack_device: tuple[int, int] = (1, 0)
    """DLPack device type and id of the memory."""
    is_autodiff: bool = False
    """Whether arrays of this device can be differentiated."""
    checkpointing: str | None = None
    """The strategy by which saved values are computed again, of a device that differentiates."""
    inner: Any = None
    """The adapter that a wrapper wraps, ``None`` otherwise."""

    def __init__(self, suffix: str) -> None:
        """Stand for the device ``suffix`` of the library.

        Raises
        ------
        DeviceNotFoundError
            if this machine has no such device
        """
        self.suffix = suffix

    # -- what is there ------------------------------------------------------------------------

    @classmethod
    def present(cls) -> list[str]:
        """Return the suffixes of the devices that can be used now, the preferred one first."""
        return [""]

    @classmethod
    def versions(cls) -> dict[str, str]:
        """Return the versions that belong in a bug report, by name."""
        return {cls.name: str(getattr(cls.library, "__version__", "unknown"))}

    @classmethod
    def suffix_of(cls, native: Native) -> str:
        """Return the suffix of the device that holds ``native``."""
        return ""

    def dtype_of(self, native: Native) -> DType:
        """Return the dtype of ``native`` as a NumPy dtype."""
        return native.dtype  # type: ignore[no-any-return]

    def shape_of(self, native: Native) -> tuple[int, ...]:
        """Return the shape of ``native`` as a plain tuple."""
        return native.shape  # type: ignore[no-any-return]

    def adopt(self, value: Any) -> Native:
        """Return what a library function gave, if not of ``array_type`` (a scalar, a subclass), as one."""
        raise NotImplementedError

    def item(self, native: Native) -> Any:
        """Return the one element of a 0-d ``native`` as a Python scalar."""
        return native.item()

    def untracked(self, native: Native) -> Native:
        """Return ``native`` as it may be shown: what a wrapper added is left out."""
        return native

    def synchronize(self) -> None:
        """Wait until all work queued on the device is done."""

    def guard(self) -> AbstractContextManager[Any] | None:
        """Return a context in which operators on native values run on this device, ``None`` if they do anyway.

        It may be entered again and again.
        """
        return None

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        """Return the function ``name`` of the standard on native values.

        Raises
        ------
        NotSupportedError
            if the adapter declares a gap, or neither it nor the library has the function
        """
        function = getattr(type(self), name.replace(".", "_"), None)
        if isinstance(function, NotSupported):
            raise NotSupportedError(f"{name} is not available on {self}: {function.why} ({function.link})")
        if isinstance(function, Composed):
            return partial(function.body, self.library)
        if function is None:
            function = self.library
            for part in name.split("."):
                function = getattr(function, part, None)
        if function is None:
            raise NotSupportedError(
                f"{name} is not available on {self}: neither the adapter nor the library has it; "
                f"move the array with to_device to a device that has"
            )
        return function  # type: ignore[return-value]

    def in_place(self, name: str, native: Native, other: Any) -> bool:
        """Write ``native (name) other`` into ``native`` without a copy, and return whether that was done.

        ``other`` is a native value of this device or a Python scalar. Not to be done, nor tried, where it would
        give anything else than the function ``name`` and ``setitem`` after it: for other dtypes, where both
        share memory in part, for a shape that does not fit.
        """
        return False

    def memory(self, native: Native) -> tuple[Any, Any]:
        """Return the object that stands for the memory of ``native``, the same for all views of it, and an array
        that keeps this memory and can be referred to weakly."""
        base = getattr(native, "base", None)
        owner = base if type(base) is type(native) else native
        return owner, owner

    # -- moves --------------------------------------------------------------------------------

    def to_host(self, native: Native) -> np.ndarray[Any, Any]:
        """Return ``native`` as an ndarray: a view where ``is_host``, otherwise a copy.

        A view of memory that must not be written is read-only.
        """
        raise NotImplementedError

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Native:
        """Return an ndarray (native byte order, dtype in ``dtypes``) as a native value here.

        ``copy=None`` shares memory where that is safe; read-only memory is never shared writable.

        Raises
        ------
        CopyRequiredError
            for ``copy=False`` where only a copy would do
        """
        raise NotImplementedError

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Native:
        """Return the array of ``exporter``, whose memory this device can reach, as a native value.

        Raises
        ------
        CopyRequiredError
            for ``copy=False`` where only a copy would do
        """
        raise NotImplementedError

    def dlpack(
        self,
        native: Native,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        """Return a DLPack capsule of ``native``; the keywords are those of ``__dlpack__``.

        Raises
        ------
        BufferError
            if the memory cannot be handed out as asked
        """
        return native.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def transfer(self, native: Native, source: Adapter, copy: bool | None) -> Native | None:
        """Return ``native`` of ``source``, moved here by the library itself; ``None`` if it cannot.

        Asked first in every move, so that a library moves between its own devices.
        """
        return None

    def deliver(self, native: Native, target: Adapter, copy: bool | None) -> Native | None:
        """Return ``native``, moved to ``target`` by this side; ``None`` if the target has to fetch it.

        Asked when ``target`` does not know how: a wrapper unwraps.
        """
        return None

    def alias(self, native: Native) -> Native:
        """Return ``native`` for a second array that shares it."""
        return native

    # -- differentiation: what a wrapper for it overrides ---------------------------------------

    def is_tracked(self, native: Native) -> bool:
        """Return whether ``native`` has a history that ``backward`` follows."""
        return False

    def requires_grad(self, native: Native) -> bool:
        """Return whether ``native`` is a parameter."""
        return False

    def detach(self, native: Native) -> Native:
        """Return the value of ``native`` without its history."""
        return native

    def require_grad(self, array: Any) -> Any:
        """Make ``array`` a parameter."""
        raise self._no_gradient("require_grad")

    def backward(self, array: Any, grad: Any, retain_graph: bool, create_graph: bool) -> Any:
        """Return the gradients of ``array``."""
        raise self._no_gradient("backward")

    def _no_gradient(self, function: str) -> GradientError:
        return GradientError(
            f"{function}: {self} does not differentiate; move the array to one that does: "
            f"x.to_device(x.device.autodiff())"
        )

    # -- words --------------------------------------------------------------------------------

    def __str__(self) -> str:
        return f"{self.name}:{self.suffix}" if self.suffix else self.name

    def absent(self, suffix: str) -> DeviceNotFoundError:
        """Return the error for a ``suffix`` that this machine does not have."""
        here = ", ".join(f"{self.name}:{s}" if s else self.name for s in self.present()) or "none"
        return DeviceNotFoundError(
            f"there is no device {self.name}:{suffix} here; devices of {self.name}: {here}"
        )
