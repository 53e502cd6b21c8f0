"""The class ``Device``, how devices are found by their strings, and the registry of adapters."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..adapter import Adapter
from ..errors import (
    ArgumentTypeError,
    BurnArrayError,
    DeviceNotFoundError,
    GradientError,
    UnsupportedDTypeError,
)
from .dtypes import NATIVE_DTYPE_READERS, DType
from .records import DeviceRecord

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ADAPTERS = "burn_array.adapters"
"""Entry points of this group name the adapter classes, built in or third-party."""
WRAPPERS = "burn_array.wrappers"
"""Entry points of this group name the adapter classes that wrap another one, such as autodiff."""


COMPILED = not __file__.endswith(".py")
"""Whether this module is a compiled one."""


class Device(DeviceRecord):
    """One device of one array library, such as ``Device("torch:cuda:0")``.

    The same string gives the same object. Two devices are equal if they are the same hardware of the same library,
    whether or not they differentiate.

    Raises
    ------
    DeviceNotFoundError
        If this machine has no such device. The text says which it has, or what to install.
    """

    __slots__ = ()

    def __new__(cls, name: Any) -> Device:
        return device(name)

    def __init__(self, name: Any) -> None:
        pass

    # -- identity -----------------------------------------------------------------------------

    def __str__(self) -> str:
        return str(self.adapter)

    def __repr__(self) -> str:
        return f"Device('{self.adapter}')"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Device):
            return self.hardware == other.hardware
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.hardware)

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (str(self),)

    def __copy__(self) -> Device:
        return self

    def __deepcopy__(self, memo: object) -> Device:
        return self

    # -- what it has --------------------------------------------------------------------------

    @property
    def library(self) -> str:
        """The name of the library, which is the first part of the device's string."""
        return self.adapter.name

    @property
    def is_host(self) -> bool:
        """Whether arrays of this device lie in ordinary host memory, where NumPy can read them."""
        return self.adapter.is_host

    @property
    def has_views(self) -> bool:
        """Whether ``x[key]`` with integers and slices is a view, so that writing to it writes to ``x``.

        It is false for libraries with immutable arrays.
        """
        return self.adapter.has_views

    def synchronize(self) -> None:
        """Wait until the device has done all its queued work."""
        self.adapter.synchronize()

    # -- differentiation ----------------------------------------------------------------------

    def autodiff(self) -> Device:
        """Return this device with automatic differentiation: it records what is computed from tracked arrays.

        Raises
        ------
        GradientError
            If it differentiates already.
        """
        return wrapped(self, "autodiff")

    def gradient_checkpointing(self) -> Device:
        """Return this autodiff device with balanced checkpointing, which saves memory.

        Results that are cheap to compute are computed again in the backward pass instead of being saved.

        Raises
        ------
        GradientError
            If the device does not differentiate.
        """
        if not self.is_autodiff:
            raise GradientError(
                f"gradient_checkpointing: {self} does not differentiate; use autodiff() first"
            )
        return wrapped(self.inner, "autodiff[balanced]")

    @property
    def is_autodiff(self) -> bool:
        """Whether arrays of this device can be differentiated."""
        return self.adapter.is_autodiff

    @property
    def inner(self) -> Device:
        """The device without autodiff."""
        return device(str(self.adapter.inner)) if self.adapter.inner is not None else self.committed

    @property
    def checkpointing(self) -> str | None:
        """The checkpointing strategy: ``"balanced"``, or ``None`` if every value is saved."""
        return self.adapter.checkpointing

    def native_dtype(self, dtype: DType, function: str) -> Any:
        """Return the library's own object for ``dtype``."""
        try:
            return self.adapter.dtypes[dtype]
        except KeyError:
            have = ", ".join(str(d) for d in self.adapter.dtypes)
            half = self.adapter.narrow.get(dtype)
            advice = "" if half is None else f"; take {half}, for an array by astype(x, xp.{half})"
            raise UnsupportedDTypeError(
                f"{function}: {self} has no dtype {dtype}; it has {have}{advice}"
            ) from None


_BOOL = np.dtype("bool")
_WRAPPER = re.compile(r"(\w*)(?:\[([^\[\]]+)\])?")
_MEANT: dict[str, tuple[str, ...]] = {
    "cpu": ("numpy", "torch:cpu"),
    "host": ("numpy", "torch:cpu"),
    "np": ("numpy",),
    "cuda": ("torch:cuda", "cupy"),
    "gpu": ("torch:cuda", "cupy"),
    "mps": ("torch:mps",),
    "xpu": ("torch:xpu", "dpnp:gpu"),
    "sycl": ("dpnp",),
    "cp": ("cupy",),
    "pytorch": ("torch",),
    "jnp": ("jax",),
}
"""What may be meant by words that are no names of adapters."""
_DEVICES: dict[str, Device] = {}
"""The devices that were asked for, by the names used for them."""
_INTERNED: dict[str, Device] = {}
"""All devices by their own names, also those that were only listed."""
_WRAPPED: dict[tuple[int, str], Device] = {}
_UIDS = count()  # one at a time, whatever the threads do
_ADAPTER_CLASSES: dict[str, type[Adapter]] = {}
_ENTRY_POINTS: dict[str, dict[str, EntryPoint]] = {}
_WARNED_OF: set[str] = set()
"""Names of libraries and devices that were left out of ``devices()`` with a warning."""


def device(name: Any) -> Device:
    """Return the device of that name, such as ``"numpy"``, ``"torch:cuda:0"`` or ``"dpnp:cpu"``.

    Parameters
    ----------
    name : str, Device or device object of a library
        ``library[:place][+wrapper[option]]``, as in ``"torch:cpu+autodiff[balanced]"``, with library and place in any
        letter case; a device is returned as it is. ``torch.device("cpu")``, ``cupy.cuda.Device(0)`` and the devices
        of dpnp and JAX stand for the device of that library.

    Returns
    -------
    Device
        The same object for the same name.

    Raises
    ------
    DeviceNotFoundError
        If this machine has no such device. The text says which it has, or what to install.
    """
    if isinstance(name, Device):
        return name.committed
    found = _DEVICES.get(name) if type(name) is str else None
    return found if found is not None else _open(name)


def _open(name: Any) -> Device:
    if not isinstance(name, str):
        return device(_string_of(name))
    base, *wrappers = name.split("+")
    plain = _listed_device(*_as_declared(base.strip()))
    _explained(plain.adapter.spelled(plain.adapter.suffix), plain.adapter.open)
    adapter = plain.adapter
    for wrapper in wrappers:
        adapter = _wrap(adapter, wrapper)
    made = _intern(adapter, plain.hardware) if wrappers else plain
    made.refresh()
    _DEVICES[name] = made
    return made


def check_name(name: str) -> None:
    """Raise ``DeviceNotFoundError`` if a device's string names an adapter or a wrapper that is not registered."""
    base, *wrappers = name.split("+")
    _library(_parts(base.strip())[0])
    for wrapper in wrappers:
        _wrapper(wrapper)


def _library(name: str) -> str:
    """Return the name of a registered adapter, given in any letter case."""
    for one in (*_entries(ADAPTERS), *_ADAPTER_CLASSES):
        if one.lower() == name.lower():
            return one
    raise DeviceNotFoundError(
        f"there is no adapter {name!r}{_did_you_mean(_meant(name))}; there are {_listing(ADAPTERS)}"
    )


def _as_declared(name: str) -> tuple[str, str]:
    """Return library and place of a device's string, in the letter case in which they are declared."""
    library, suffix = _parts(name)
    library = _library(library)
    kind = _adapter_class(library)
    if not suffix or not kind.any_case:
        return library, suffix
    present: list[str] = _explained(kind.spelled(suffix), kind.present)
    return library, next((one for one in present if one.lower() == suffix.lower()), suffix.lower())


def _string_of(obj: Any) -> str:
    """Return the string of the device that a device object of a library stands for."""
    for kind in loaded_adapters(obj):
        suffix = kind.suffix_of_device(obj)
        if suffix is not None:
            return kind.spelled(suffix)
    raise ArgumentTypeError(
        f"expected a device or its string, such as 'torch:cpu', got {obj!r:.60} of type {type(obj).__name__}"
    )


def _listed_device(library: str, suffix: str) -> Device:
    """Return a device without opening it."""
    adapter = _started(library, suffix)
    return _intern(adapter, str(adapter))


def _started(library: str, suffix: str) -> Adapter:
    """Return a new adapter of a device; whatever else its library raises becomes ``DeviceNotFoundError``."""
    kind = _adapter_class(library)
    made: Adapter = _explained(kind.spelled(suffix), kind, suffix)
    return made


def _explained(name: str, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function that starts the device ``name``; whatever its library raises becomes ``DeviceNotFoundError``."""
    try:
        return function(*args)
    except BurnArrayError:
        raise
    except Exception as error:
        raise DeviceNotFoundError(
            f"the device {name} does not start: {type(error).__name__}: {error}; "
            f"repair its library or driver, or take another device"
        ) from error


def _intern(adapter: Adapter, hardware: str) -> Device:
    name = str(adapter)
    found = _INTERNED.get(name)
    if found is not None:
        return found
    committed = DeviceRecord.__new__(Device)
    uncommitted = DeviceRecord.__new__(Device)
    functions: dict[str, Callable[..., Any]] = {}
    direct = {dtype: dict(found) for dtype, found in adapter.direct.items()}
    no_table = {} if direct else functions
    for one in (committed, uncommitted):
        one.adapter = adapter
        one.array_type = adapter.array_type
        one.functions = functions
        one.direct = direct
        one.no_table = no_table
        one.reusing = adapter.reusing if COMPILED else None
        one.bool_table = direct.setdefault(adapter.dtypes.get(_BOOL), {}) if direct else functions
        one.dtype_of = adapter.dtype_of
        one.shape_of = adapter.shape_of
        one.hardware = hardware
        one.meet_cache = {}
        one.committed = committed
        one.uncommitted = uncommitted
        one.uid = next(_UIDS)
    return _INTERNED.setdefault(name, committed)


def _wrap(adapter: Adapter, wrapper: str) -> Adapter:
    entry, option = _wrapper(wrapper)
    wrapped: Adapter = entry.load()(adapter, option)
    return wrapped


def _wrapper(text: str) -> tuple[EntryPoint, str]:
    """Return the entry point of a wrapper and its option, as in ``autodiff[balanced]``; without one it is empty."""
    read = _WRAPPER.fullmatch(text.strip())
    if read is None:
        raise DeviceNotFoundError(
            f"cannot read the wrapper '+{text}'; write '+name' or '+name[option]', as in '+autodiff[balanced]'"
        )
    kind, option = read.groups()
    known = _entries(WRAPPERS)
    if kind not in known:
        meant = _did_you_mean(_like(kind, known))
        raise DeviceNotFoundError(f"there is no wrapper '+{kind}'{meant}; there are {_listing(WRAPPERS)}")
    return known[kind], option or ""


def wrapped(base: Device, wrapper: str) -> Device:
    """Return the device ``base`` with one more wrapper, such as ``autodiff`` or ``autodiff[balanced]``."""
    key = base.uid, wrapper
    found = _WRAPPED.get(key)
    if found is None:
        found = _WRAPPED[key] = device(f"{base}+{wrapper}")
    return found if base is base.committed else found.uncommitted


def _entries(group: str) -> dict[str, EntryPoint]:
    if group not in _ENTRY_POINTS:
        from importlib.metadata import entry_points  # takes 25 ms, a third of importing NumPy

        _ENTRY_POINTS[group] = {entry.name: entry for entry in entry_points(group=group)}
    return _ENTRY_POINTS[group]


def _listing(group: str) -> str:
    return ", ".join(sorted(_entries(group))) or "none (is burn_array installed?)"


def _meant(library: str) -> list[str]:
    """Return the devices and adapters that may be meant by a name that no adapter has."""
    known = _entries(ADAPTERS)
    word = library.lower()
    by_word = [one for one in _MEANT.get(word, ()) if one.partition(":")[0] in known]
    return by_word or _like(word, known)


def _like(word: str, known: Iterable[str]) -> list[str]:
    """Return the name that is most like a misspelt word, if there is one."""
    from difflib import get_close_matches  # takes 1 ms, for errors alone

    return get_close_matches(word, list(known), n=1)


def _did_you_mean(names: Iterable[str]) -> str:
    listed = " or ".join(map(repr, names))
    return f"; did you mean {listed}?" if listed else ""


def _adapter_class(library: str) -> type[Adapter]:
    found = _ADAPTER_CLASSES.get(library)
    if found is None:
        found = _ADAPTER_CLASSES[library] = _load(_entries(ADAPTERS)[_library(library)])
    return found


def _load(entry: EntryPoint) -> type[Adapter]:
    try:
        loaded: type[Adapter] = entry.load()
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "burn_array":
            raise
        raise DeviceNotFoundError(
            f"the library behind '{entry.name}' cannot be imported ({error}); "
            f"install it with: pip install {_package(entry, error)}"
        ) from error
    except Exception as error:
        raise DeviceNotFoundError(
            f"the adapter '{entry.name}' ({entry.value}) cannot be loaded: {type(error).__name__}: {error}; "
            f"repair or uninstall its library"
        ) from error
    return loaded


def _package(entry: EntryPoint, error: ImportError) -> str:
    """Return the name by which pip installs what a failed import lacks."""
    missing = (error.name or entry.name).partition(".")[0]
    declared = (entry.dist and entry.dist.requires) or []
    mark = re.compile(rf"extra\s*==\s*['\"]{re.escape(entry.name)}['\"]")
    by_extra = [re.split(r"[^\w.-]", one)[0] for one in declared if mark.search(one)]
    return " ".join(by_extra) if by_extra and missing == entry.name else missing.replace("_", "-")


def adapters(imported: bool = False) -> dict[str, type[Adapter] | BurnArrayError]:
    """Return the registered adapters by name: the class of each, or the error that says why it cannot be used.

    With ``imported``, only those that are loaded already and those whose library, of the same name, is imported.
    """
    found: dict[str, type[Adapter] | BurnArrayError] = {}
    for library in _entries(ADAPTERS):
        if imported and library not in sys.modules and library not in _ADAPTER_CLASSES:
            continue
        try:
            found[library] = _adapter_class(library)
        except BurnArrayError as error:
            found[library] = error
    return found


def devices(library: str | None = None) -> list[Device]:
    """Return the devices that can be used now, of one library or of all that are installed.

    A device that does not start is left out, with one warning; ``device(name)`` raises its error.
    """
    if library is not None:
        return _usable(_listed(_adapter_class(library)))
    names: list[str] = []
    for name, one in sorted(adapters().items(), key=lambda item: (item[0] != "numpy", item[0])):
        try:
            names += () if isinstance(one, BurnArrayError) else _listed(one)
        except DeviceNotFoundError as error:
            _warn_once(name, error)
    return _usable(names)


def _parts(name: str) -> tuple[str, str]:
    library, _, suffix = name.partition(":")
    return library, suffix


def _listed(kind: type[Adapter]) -> list[str]:
    """Return the names of the devices that a library lists."""
    try:
        return [kind.spelled(suffix) for suffix in kind.present()]
    except Exception as error:
        raise DeviceNotFoundError(
            f"the devices of {kind.name} cannot be listed: {type(error).__name__}: {error}; "
            f"repair or uninstall its library"
        ) from error


def _usable(names: Iterable[str]) -> list[Device]:
    """Return the devices of these names without repetition and without those that do not start."""
    found: dict[Device, None] = {}
    for name in names:
        try:
            found[_listed_device(*_parts(name))] = None
        except DeviceNotFoundError as error:
            _warn_once(name, error)
    return list(found)


def _warn_once(name: str, error: DeviceNotFoundError) -> None:
    if name not in _WARNED_OF:
        _WARNED_OF.add(name)
        warnings.warn(f"devices: {error}", RuntimeWarning, stacklevel=4)


def loaded_adapters(obj: Any) -> list[type[Adapter]]:
    """Return the adapters that may know the type of ``obj``; no library is imported for this.

    These are the adapter of its package, and those whose library is imported: the arrays of ``jax`` come from
    ``jaxlib``.
    """
    if type(obj).__module__.partition(".")[0] not in sys.modules:
        return []
    return [one for one in adapters(imported=True).values() if not isinstance(one, BurnArrayError)]


def _dtype_of_native(value: object) -> DType | None:
    """Return the dtype for which a dtype object of a library stands, such as ``torch.float32``."""
    opened = [one.adapter for one in _INTERNED.values()]
    for adapter in (*loaded_adapters(value), *opened):
        for dtype, native in getattr(adapter, "dtypes", {}).items():
            if type(native) is type(value) and native == value:
                found: DType = dtype
                return found
    return None


NATIVE_DTYPE_READERS.append(_dtype_of_native)
