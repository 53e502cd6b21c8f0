"""The interface between burn_array and an array library.

An adapter stands for **one device of one library**, such as ``torch`` on ``cuda:0``. To write one, subclass
:class:`Adapter` and give it

* ``name``, ``library``, ``array_type`` and ``dtypes``;
* ``adopt``, ``to_host``, ``from_host`` and ``from_dlpack``;
* four functions that the standard does not have: ``getitem``, ``setitem``, ``copy`` and ``scatter_add``.

All other members have defaults. Every other function is found by its name in the standard (``"add"``,
``"linalg.svd"``), first in the class body, then in the library: see :meth:`Adapter.find`.

**How the core calls a function.**

* Arrays are native values, exactly of type ``array_type`` and on this device. ``dtype=`` gets the library's own
  dtype (a value of ``dtypes``), ``device=`` gets ``native_device``.
* Parameters that the standard allows by position are passed by position, keyword-only ones by keyword. Every call
  passes all of them, with two exceptions that are left out at their defaults: ``axis=0`` of ``concat`` and
  ``stack``, and ``copy=None`` of ``reshape``.
* Placement is settled, shapes are tuples of ints, and creation functions always get a dtype. ``correction`` is an int
  if it is a whole number, otherwise a float.
* A binary function, ``where`` and ``clip`` may get a Python scalar in place of one array.
* A function that stands both in the main namespace and in ``linalg`` is asked for by its short name (``matmul``).
* The function does the promotion, by NumPy's rules with weak Python scalars (:meth:`Adapter.promote` and
  :meth:`Adapter.promote_scalar` are the table), checks ``axis``, and gives the special values of the standard.
* It returns a native value, or something that ``adopt`` makes into one. Several results are a tuple; the core names
  their fields.

**Functions that the standard does not have.**

=============================================  ===============================================================
``getitem(x, key)``                            ``key`` is an int, slice, ``None``, ``...``, bool, a native array
                                               of ints or bools, or a tuple of these, with NumPy's meaning. The
                                               bounds and the step of a slice are ints or ``None``, unless
                                               ``any_bounds``. The result is a view if ``has_views``.
``setitem(x, key, value)``                     The same keys. ``value`` is a native array or a Python scalar; it
                                               is broadcast and cast. Either change ``x`` and return ``None``, or
                                               leave ``x`` alone and return the new array, as a library with
                                               immutable arrays must.
``solve_triangular(a, b, *, lower, unit_diagonal)``  The solutions of triangular systems, of one dtype, with the
                                               right-hand sides as columns of ``b``; by default ``linalg.solve``.
``scatter_add(x, indices, values)``            A new array: ``x`` with ``values`` added at ``x[indices]``, where
                                               repeated indices add up. Only gradients need it.
``copy(x)``                                    An independent array, its axes in the same order in memory or in
                                               row-major order.
=============================================  ===============================================================

``burn_array.random`` needs the following (in the class body: ``random_generator``, ...). Without them its functions
raise ``NotSupportedError``. ``generator`` is any object of the adapter's choice.

=============================================  ===============================================================
``random.generator(seed, device)``             A new generator; ``seed`` is an int below ``2**64``, or ``None``.
``random.get_state(generator)``                The state of the generator, an object that can be pickled.
``random.set_state(generator, state)``         Bring the generator to that state; returns nothing.
``random.uniform(generator, shape, dtype)``    Numbers in [0, 1).
``random.normal(generator, shape, dtype)``     Standard normal numbers.
``random.integers(generator, shape, low,       Integers from ``low`` to ``high - 1``.
high, dtype)``
``random.permutation(generator, n)``           The numbers from 0 to ``n - 1`` in random order.
=============================================  ===============================================================

``burn_array.special`` needs nothing: a function that :meth:`Adapter.find` does not have (``"special.expit"``) is
computed by a formula in functions of the standard. For functions without a formula (``erf``, ``gammaln``,
``ndtri``, Bessel functions, ...) it raises ``NotSupportedError``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial, reduce
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from ._core.dtypes import DType, kind_of, narrowing, promote, promote_scalar
from .errors import DeviceNotFoundError, GradientError, NotSupportedError

__all__ = [
    "Adapter",
    "Composed",
    "DType",
    "NotSupported",
    "composed",
    "kind_of",
    "narrowing",
    "not_supported",
    "promote",
    "promote_scalar",
    "shares_memory",
]

Native = Any
"""An array of the library."""


class Composed:
    """A function made of other functions of the library, which it gets as its first argument."""

    __slots__ = ("body",)

    body: Callable[..., Any]

    def __init__(self, body: Callable[..., Any]) -> None:
        self.body = body


def composed(body: Callable[..., Any]) -> Composed:
    """Declare a function ``body(library, x, ...)`` in the class body of an adapter."""
    return Composed(body)


def solve_triangular(lib: Any, a: Any, b: Any, *, lower: bool, unit_diagonal: bool) -> Any:
    """Return the solutions of triangular systems by a general solver, for libraries that have no other."""
    triangle = (lib.tril if lower else lib.triu)(a)
    if unit_diagonal:
        identity = lib.eye(a.shape[-1], dtype=a.dtype)
        triangle = lib.where(identity == 1, identity, triangle)
    return lib.linalg.solve(triangle, b)


class NotSupported:
    """A gap of a library, as a value in the class body of its adapter."""

    __slots__ = ("link", "why")

    why: str
    link: str

    def __init__(self, why: str, link: str) -> None:
        self.why = why
        self.link = link


def not_supported(why: str, link: str) -> NotSupported:
    """Declare in the class body of an adapter that the library cannot provide a function, and why."""
    return NotSupported(why, link)


class Adapter:
    """One device of one array library; the docstring of this module says what a subclass must have.

    A function in the class body (written as ``@staticmethod``, or assigned) overrides the function of the same name
    in the library. A dot in the name is written ``_`` (``linalg_svd``).
    """

    name: ClassVar[str]
    """The first part of the device string, and the name of the entry point."""
    extra: ClassVar[str] = ""
    """The extra of burn_array that installs the library."""
    library: ModuleType
    """The module in which functions are looked up by their names in the standard."""
    array_type: type
    """The exact type of every native value."""
    foreign_types: tuple[type, ...] = ()
    """Types, beside ``array_type``, of values that stand for arrays of this device, such as the tracers of a compiler.

    ``adopt`` returns such a value as it is, and functions get it as they get an array.
    """
    is_host: bool = True
    """Whether the memory is ordinary host memory that NumPy can read in place."""

    suffix: str
    """The rest of the device string, without the colon: ``""``, ``"cpu"``, ``"cuda:0"``."""
    native_device: Any = None
    """The value for ``device=`` of the library's functions."""
    dtypes: Mapping[DType, Any]
    """The dtypes of this device: NumPy's dtype -> the library's own."""
    float_dtype: DType = np.dtype("float64")
    """The default real floating dtype."""
    complex_dtype: DType = np.dtype("complex128")
    """The default complex dtype."""
    int_dtype: DType = np.dtype("int64")
    """The default integer dtype."""
    index_dtype: DType = np.dtype("int64")
    """The dtype of indices: of what ``argmax`` and ``nonzero`` return, and of the list in ``x[[0, 1]]``."""
    narrow: Mapping[DType, DType] = {}
    """For a device without 64-bit dtypes: each dtype that it lacks -> the widest of that kind that it has.

    Results of promotion, values to be stored and arrays that follow an array of this device are narrowed by it.
    ``narrowing(dtypes)`` returns the usual table. A device with an entry for float64 (int64, complex128) also sets
    ``float_dtype`` (``int_dtype`` and ``index_dtype``, ``complex_dtype``).
    """
    has_views: bool = True
    """Whether ``x[key]`` with ints and slices shares memory with ``x``, and ``setitem`` writes into it."""
    any_case: bool = True
    """Whether a device string may have its suffix in any letter case. If false, the suffix stays as it is."""
    any_bounds: bool = False
    """Whether ``getitem`` and ``setitem`` take slices whose bounds are any objects with ``__index__``.

    The core then spares each ``x[a:b]`` the check that they are ints.
    """
    data_dependent_shapes: bool = True
    """Whether the shape of a result may depend on values, as in ``nonzero``, ``unique_values`` and ``x[mask]``."""
    absorbs: bool = False
    """Whether this device takes over the arrays of every device that it meets, committed or not, as constants."""
    dlpack_device: tuple[int, int] | None = (1, 0)
    """DLPack device type and id of the memory; ``(1, 0)`` is host memory.

    ``None`` says that no other device can reach the memory. :func:`shares_memory` compares two of these.
    """
    errors: tuple[tuple[str, type[Exception]], ...] = ()
    """What the errors of the library mean: pairs of a regular expression and a class of :mod:`burn_array.errors`.

    Each pattern is searched, ignoring case, in ``"ClassName: first line of the text"``; the first that is found
    decides. Errors without a pattern are classified by their builtin class: a ``ValueError`` is an ``ArgumentError``.
    """
    direct: Mapping[Any, Mapping[str, Callable[..., Any]]] = {}
    """Optional fast path: native dtype (the value of ``native.dtype``) -> functions by name.

    Such a function is called without ``find`` when all operands have that dtype, so it need not check dtypes. It
    must return that dtype, or bool for predicates. The core uses it for element-wise functions, ``matmul``, ``where``
    (with a condition of bools), ``concat`` and ``stack``. It pays if the functions of ``find`` check dtypes first.
    """

    def __init__(self, suffix: str) -> None:
        """Stand for the device ``suffix`` of the library.

        Raises
        ------
        DeviceNotFoundError
            if this machine has no such device (see :meth:`absent`)
        """
        self.suffix = suffix

    # -- devices ------------------------------------------------------------------------------

    def open(self) -> None:
        """Get ready to be used; called when the device is asked for by its name, not when it is only listed.

        A library that is slow to import, or that changes settings of the process, may be imported here. Functions of a
        device that was only listed are used without this call, so ``find``, ``adopt``, ``from_host`` and
        ``from_dlpack`` must then do the same. ``array_type`` is read again after the first ``find``.

        Raises
        ------
        DeviceNotFoundError
            if the device turns out not to be there
        """

    @property
    def export_device(self) -> tuple[int, int] | None:
        """DLPack device type and id of what :meth:`dlpack` exports; ``None`` if it cannot export.

        The default is ``dlpack_device``. An adapter whose exports are new host memory, whatever holds its arrays, sets
        it to ``(1, 0)``, in the class body or on the instance.
        """
        own: tuple[int, int] | None = self.__dict__.get("export_device", self.dlpack_device)
        return own

    @export_device.setter
    def export_device(self, value: tuple[int, int] | None) -> None:
        self.__dict__["export_device"] = value

    @classmethod
    def present(cls) -> list[str]:
        """Return the suffixes of the devices that can be used now, the preferred one first."""
        return [""]

    @classmethod
    def versions(cls) -> dict[str, str]:
        """Return the versions that a bug report should contain, by name."""
        return {cls.name: str(getattr(cls.library, "__version__", "unknown"))}

    @classmethod
    def suffix_of(cls, native: Native) -> str:
        """Return the suffix of the device that holds ``native``."""
        return ""

    @classmethod
    def suffix_of_device(cls, value: Any) -> str | None:
        """Return the suffix of the device that an object of the library stands for, such as ``torch.device("cpu")``.

        It is ``None`` if ``value`` is no device of the library. By default the ``native_device`` of the class has
        the suffix ``""``.
        """
        own = cls.native_device
        return "" if own is not None and type(value) is type(own) and value == own else None

    def synchronize(self) -> None:
        """Wait until all work queued on the device is done."""

    @classmethod
    def spelled(cls, suffix: str) -> str:
        """Return the device string for a ``suffix`` of :meth:`present` or :meth:`suffix_of`."""
        return f"{cls.name}:{suffix}" if suffix else cls.name

    def __str__(self) -> str:
        """Return the device string."""
        return self.spelled(self.suffix)

    def absent(self, suffix: str) -> DeviceNotFoundError:
        """Return the error for a ``suffix`` that this machine does not have."""
        here = ", ".join(map(self.spelled, self.present())) or "none"
        return DeviceNotFoundError(
            f"there is no device {self.name}:{suffix} here; devices of {self.name}: {here}"
        )

    # -- values -------------------------------------------------------------------------------

    def dtype_of(self, native: Native) -> DType:
        """Return the dtype of ``native`` as a NumPy dtype."""
        return native.dtype  # type: ignore[no-any-return]

    def shape_of(self, native: Native) -> tuple[int, ...]:
        """Return the shape of ``native`` as a plain tuple."""
        return native.shape  # type: ignore[no-any-return]

    def adopt(self, value: Any) -> Native:
        """Return a ``value`` that is not exactly of ``array_type`` (a scalar, a subclass) as a native value."""
        raise NotImplementedError

    def item(self, native: Native) -> Any:
        """Return the only element of a 0-d ``native`` as a Python scalar."""
        return native.item()

    def show(self, native: Native) -> str | None:
        """Return what ``repr`` prints instead of the values, such as ``"traced float64[2, 2]"``; ``None`` for values.

        It must neither compute nor raise.
        """
        return None

    def layout(self, native: Native) -> Any:
        """Return how ``native`` lies on the hardware, for :meth:`laid`; ``None`` if there is nothing to say.

        A device that spreads arrays over several pieces of hardware says here how they are divided.
        """
        return None

    def laid(self, native: Native, layout: Any) -> Native:
        """Return the values of ``native`` in a ``layout`` that is not ``None``.

        Arrays that are made like another one by ``zeros_like`` and its kind get the layout of that array.
        """
        return native

    # -- promotion ----------------------------------------------------------------------------

    def promote(self, *dtypes: DType) -> DType:
        """Return the dtype that arrays of these dtypes promote to on this device, narrowed by ``narrow``.

        Raises
        ------
        DTypeError
            if they have no common dtype
        """
        result = reduce(promote, dtypes)
        return self.narrow.get(result, result)

    def promote_scalar(self, dtype: DType, scalar: type) -> DType:
        """Return the dtype of an array of ``dtype`` combined with a Python scalar of type ``scalar``, narrowed."""
        result = promote_scalar(dtype, scalar)
        return self.narrow.get(result, result)

    # -- functions ----------------------------------------------------------------------------

    def find(self, name: str) -> Callable[..., Any]:
        """Return the function ``name`` of the standard on native values.

        The core asks once for each name and keeps the answer.

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

    solve_triangular: Any = composed(solve_triangular)

    def in_place(self, name: str, native: Native, other: Any) -> bool | Native:
        """Write the result of the function ``name`` of ``native`` and ``other`` into ``native``, without a copy.

        Return ``True`` if that was done; after ``False`` the core calls the function and ``setitem``. A library with
        immutable arrays may return the result, of the dtype and shape of ``native``, which saves ``setitem``.
        ``other`` is a native value of this device or a Python scalar. Return ``False`` without a change if the outcome
        could differ from that: for another dtype, for operands that share part of their memory, for a shape that does
        not fit.
        """
        return False

    def persist(self, natives: Sequence[Native]) -> Sequence[Native]:
        """Start to compute the values of ``natives`` in one pass, keep them where they are computed, and return them.

        A library that computes at once has nothing to do. A lazy one changes the arrays in place.
        """
        return natives

    # -- moves --------------------------------------------------------------------------------

    def stored(self, native: Native) -> Any:
        """Return what a pickle stores of ``native``, which ``from_host`` gets back: an ndarray of its values.

        A lazy library may store how the values are computed.
        """
        return np.array(self.to_host(native))

    def to_host(self, native: Native) -> np.ndarray[Any, Any]:
        """Return ``native`` as an ndarray: a view if ``is_host``, otherwise a copy.

        A view of memory that must not be written is read-only, as is every view of an immutable array.
        """
        raise NotImplementedError

    def from_host(self, array: np.ndarray[Any, Any], copy: bool | None) -> Native:
        """Return an ndarray (native byte order, dtype in ``dtypes``) as a native value of this device.

        ``copy=None`` shares memory if that is safe. Read-only memory is never shared with an array that can be
        written, and memory that can be written is never shared with an immutable array: without ``has_views``,
        ``copy=None`` copies it.

        Raises
        ------
        CopyRequiredError
            for ``copy=False`` if the memory cannot be shared
        """
        raise NotImplementedError

    def from_dlpack(self, exporter: Any, copy: bool | None) -> Native:
        """Return the array of ``exporter``, whose memory this device can reach, as a native value.

        Raises
        ------
        CopyRequiredError
            for ``copy=False`` if the memory cannot be shared
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
        """Return a DLPack capsule of ``native``; the parameters are those of ``__dlpack__``.

        Raises
        ------
        BufferError
            if the memory cannot be exported as asked
        """
        return native.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)

    def transfer(self, native: Native, source: Adapter, copy: bool | None) -> Native | None:
        """Return ``native`` of the device ``source``, moved here by the library itself; ``None`` if it cannot.

        Every move asks this first, so that a library moves between its own devices.
        """
        return None

    def deliver(self, native: Native, target: Adapter, copy: bool | None) -> Native | None:
        """Return ``native``, moved to the device ``target`` by this adapter; ``None`` if it cannot.

        A move asks this second, before it goes through DLPack or host memory.
        """
        return None

    # -- differentiation and wrappers ---------------------------------------------------------
    #
    # Autodiff wraps a plain adapter in another one, which overrides these members. A plain adapter leaves them as they
    # are, with two exceptions: `guard`, if the library has a current device, and `memory`, if a view does not name its
    # base as NumPy's views do.

    is_autodiff: bool = False
    """Whether arrays of this device can be differentiated."""
    checkpointing: str | None = None
    """The checkpointing strategy of a device that differentiates."""
    inner: Any = None
    """The adapter that a wrapper wraps, ``None`` for a plain adapter."""

    def guard(self) -> AbstractContextManager[Any] | None:
        """Return a context in which operators on native values run on this device; ``None`` if they always do.

        Derivative rules are computed in it. It must be possible to enter it several times.
        """
        return None

    def memory(self, native: Native) -> tuple[Any, Any]:
        """Return two objects that identify the memory of ``native``.

        The first is the same object for all views of this memory. The second is an array that keeps the memory alive
        and allows weak references.
        """
        base = getattr(native, "base", None)
        owner = base if type(base) is type(native) else native
        return owner, owner

    def untracked(self, native: Native) -> Native:
        """Return ``native`` without what a wrapper added, in order to print it."""
        return native

    def unwrapped(self, native: Native) -> Any:
        """Return the array of the library inside of ``native``, for users who want to call the library themselves."""
        return native

    def alias(self, native: Native) -> Native:
        """Return ``native`` for a second array that shares its memory."""
        return native

    def is_tracked(self, native: Native) -> bool:
        """Return whether ``native`` is a parameter or was computed from one."""
        return False

    def requires_grad(self, native: Native) -> bool:
        """Return whether ``native`` is a parameter."""
        return False

    def detach(self, native: Native) -> Native:
        """Return the value of ``native`` as a constant."""
        return native

    def require_grad(self, array: Any) -> Any:
        """Make ``array`` a parameter, and return it."""
        raise self._no_gradient("require_grad")

    def backward(self, array: Any, grad: Any, retain_graph: bool, create_graph: bool) -> Any:
        """Return the gradients of ``array``."""
        raise self._no_gradient("backward")

    def _no_gradient(self, function: str) -> GradientError:
        return GradientError(
            f"{function}: {self} does not differentiate; move the array to a device that does: "
            f"x.to_device(x.device.autodiff())"
        )


def shares_memory(a: tuple[int, int] | None, b: tuple[int, int] | None) -> bool:
    """Return whether two DLPack devices (``Adapter.dlpack_device``) are the same memory; ``None`` is like no other."""
    return a is not None and a == b


SHARED: dict[int, Any] = {}
"""Memory of plain arrays that an autodiff graph also reads: ``id`` of the first object of :meth:`Adapter.memory` -> an
object whose ``change()`` is called after an in-place change, so that ``backward`` can refuse stale values."""


def notify_changed(adapter: Adapter, native: Native) -> None:
    """Tell the graphs that share the memory of ``native`` that it was changed in place."""
    shared = SHARED.get(id(adapter.memory(native)[0]))
    if shared is not None:
        shared.change()
