"""Random numbers, an extension in the style of the standard.

Every device has a generator of its own, made by its library: :func:`seed` starts it, :func:`get_state` and
:func:`set_state` save and restore it, and it neither reads nor changes the global state of the library. What is
drawn depends on the device and the seed alone; two devices draw different numbers from one seed. An array drawn
without ``device=`` is uncommitted, like those of the creation functions.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from ._core.arguments import check_axis, count, integer
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import call, wrap
from ._core.dtypes import as_dtype, float64, kind_of
from ._core.placement import placement
from .constants import inf
from .creation_functions import _shape, asarray
from .data_type_functions import astype
from .elementwise_functions import add, isfinite, less, log, log1p, logical_and, multiply, negative
from .errors import ArgumentError, DeviceMismatchError, DTypeError
from .indexing_functions import take
from .manipulation_functions import reshape
from .searching_functions import count_nonzero, searchsorted, where
from .sorting_functions import argsort
from .statistical_functions import cumulative_sum, max
from .utility_functions import all

__all__ = [
    "State",
    "bernoulli",
    "choice",
    "get_state",
    "integers",
    "normal",
    "permutation",
    "seed",
    "set_state",
    "uniform",
]

_GENERATORS: dict[str, Any] = {}
_LOCK = threading.RLock()


class State(NamedTuple):
    """Where the generator of a device stands; it can be pickled."""

    device: str
    state: Any


def _plain(function: str, device: str | Device | None) -> Device:
    """Return the device that draws: without autodiff."""
    return placement(function, device).inner


def _generator(at: Device) -> Any:
    with _LOCK:
        if at.hardware not in _GENERATORS:
            _GENERATORS[at.hardware] = call("random.generator", at, None, at.adapter.native_device)
        return _GENERATORS[at.hardware]


def _draw(function: str, to: Device, *args: Any) -> Array:
    """Return what the generator of a device gives, with the tag ``to``."""
    at = to.inner
    with _LOCK:
        return wrap(to, call(function, at, _generator(at), *args))


# -- the generator ----------------------------------------------------------------------------


def seed(value: int, /, *, device: str | Device | None = None) -> None:
    """Start the generator of the device anew from an integer."""
    number = count("random.seed", "the seed", value)
    if number >= 2**64:
        raise ArgumentError(f"random.seed: the seed must be less than 2**64, got {number}")
    at = _plain("random.seed", device)
    with _LOCK:
        _GENERATORS[at.hardware] = call("random.generator", at, number, at.adapter.native_device)


def get_state(*, device: str | Device | None = None) -> State:
    """Return where the generator of the device stands."""
    at = _plain("random.get_state", device)
    with _LOCK:
        return State(at.hardware, call("random.get_state", at, _generator(at)))


def set_state(state: State, /, *, device: str | Device | None = None) -> None:
    """Take the generator of the device back to where ``get_state`` found it."""
    at = _plain("random.set_state", state.device if device is None else device)
    if at.hardware != state.device:
        raise DeviceMismatchError(
            f"random.set_state: the state is of {state.device}, not of {at}; states do not move between devices"
        )
    with _LOCK:
        call("random.set_state", at, _generator(at), state.state)


# -- distributions ----------------------------------------------------------------------------


def uniform(
    shape: Any = (),
    *,
    low: float = 0.0,
    high: float = 1.0,
    dtype: Any = None,
    device: str | Device | None = None,
) -> Array:
    """Return numbers drawn evenly from ``low`` to ``high``, ``high`` itself excluded up to rounding."""
    if not low <= high:
        raise ArgumentError(f"random.uniform: low must not be greater than high, got {low!r} and {high!r}")
    drawn = _uniform(placement("random.uniform", device), _shape("random.uniform", shape), dtype)
    return drawn if (low, high) == (0.0, 1.0) else add(multiply(drawn, float(high) - float(low)), float(low))


def normal(
    shape: Any = (),
    *,
    mean: float = 0.0,
    std: float = 1.0,
    dtype: Any = None,
    device: str | Device | None = None,
) -> Array:
    """Return numbers drawn from the normal distribution."""
    if not std >= 0:
        raise ArgumentError(f"random.normal: std must not be negative, got {std!r}")
    at = placement("random.normal", device)
    drawn = _draw("random.normal", at, _shape("random.normal", shape), _real("random.normal", at, dtype))
    return drawn if (mean, std) == (0.0, 1.0) else add(multiply(drawn, float(std)), float(mean))


def _uniform(at: Device, shape: tuple[int, ...], dtype: Any = None) -> Array:
    """Return numbers in [0, 1)."""
    return _draw("random.uniform", at, shape, _real("random.uniform", at, dtype))


def _real(function: str, at: Device, dtype: Any) -> Any:
    """Return a native real floating dtype, the default one for ``None``."""
    to = at.adapter.float_dtype if dtype is None else as_dtype(dtype, function)
    if kind_of(to) != "f":
        raise DTypeError(f"{function}: dtype must be a real floating one, got {to}")
    return at.native_dtype(to, function)


def integers(
    shape: Any = (), *, low: int = 0, high: int, dtype: Any = None, device: str | Device | None = None
) -> Array:
    """Return integers drawn evenly from ``low`` up to, not including, ``high``."""
    name = "random.integers"
    at = placement(name, device)
    to = at.adapter.int_dtype if dtype is None else as_dtype(dtype, name)
    low, high = integer(name, "low", low), integer(name, "high", high)
    if kind_of(to) not in "iu":
        raise DTypeError(f"{name}: dtype must be an integer one, got {to}")
    if low >= high:
        raise ArgumentError(f"{name}: low must be less than high, got {low} and {high}")
    _check_bounds(name, low, high, to)
    return _draw(name, at, _shape(name, shape), low, high, at.native_dtype(to, name))


def _check_bounds(name: str, low: int, high: int, dtype: Any) -> None:
    """The greatest width is that of int64, which every library draws in."""
    bits = 8 * dtype.itemsize
    least, greatest = (0, 2**bits - 1) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if low < least or high - 1 > min(greatest, 2**63 - 2):
        raise ArgumentError(
            f"{name}: {low} to {high} does not fit {dtype} (of uint64 the lower half can be drawn)"
        )


def bernoulli(p: Any = 0.5, *, shape: Any = None, device: str | Device | None = None) -> Array:
    """Return bools that are true with probability ``p``, in the shape of ``p`` or in ``shape``."""
    if type(p) is Array:
        to = p.shape if shape is None else _shape("random.bernoulli", shape)
        return less(_uniform(_beside("random.bernoulli", p, device), to), p)
    if not 0 <= p <= 1:
        raise ArgumentError(f"random.bernoulli: p must be from 0 to 1, got {p!r}")
    return less(uniform(() if shape is None else shape, device=device), float(p))


# -- samples ----------------------------------------------------------------------------------


def permutation(x: Any, /, *, axis: int = 0, device: str | Device | None = None) -> Array:
    """Return an array shuffled along ``axis``, or the integers below ``x`` in random order."""
    if type(x) is Array:
        check_axis("random.permutation", axis, x.ndim)
        return take(x, _order(x.shape[axis], _beside("random.permutation", x, device)), axis=axis)
    n = count("random.permutation", "the number of elements", x)
    return _order(n, placement("random.permutation", device))


def _order(n: int, at: Device) -> Array:
    return _draw("random.permutation", at, n)


def _beside(function: str, x: Any, device: str | Device | None) -> Device:
    """Return the tag of what is drawn for ``x``: that of an array, committed or not, if no device is asked for."""
    return x._device if type(x) is Array and device is None else placement(function, device)


def choice(
    a: Any,
    /,
    shape: Any = (),
    *,
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    device: str | Device | None = None,
) -> Array:
    """Return a random sample of the elements of ``a`` along ``axis``, or of the integers below ``a``.

    Parameters
    ----------
    p
        the weight of each element, an array or a list; all the same if left out. What has weight zero is never drawn
    replace
        whether an element may be drawn more than once

    Raises
    ------
    ArgumentError
        for a sample without replacement that is larger than what it is drawn from, and for weights that are
        negative or not finite
    """
    name = "random.choice"
    at = _beside(name, a, device)
    if type(a) is Array:
        check_axis(name, axis, a.ndim)
    n = a.shape[axis] if type(a) is Array else count(name, "the number of elements", a)
    lengths = _shape(name, shape)
    size = 1
    for length in lengths:
        size *= length
    if size and not n:
        raise ArgumentError(f"{name}: nothing to draw from")
    if not replace and size > n:
        raise ArgumentError(f"{name}: cannot draw {size} of {n} elements without replacement")
    index = _indices(n, size, replace, p, at)
    if type(a) is not Array:
        return reshape(index, lengths)
    drawn = take(a, index, axis=axis)
    first = axis % a.ndim
    return reshape(drawn, (*a.shape[:first], *lengths, *a.shape[first + 1 :]))


def _indices(n: int, size: int, replace: bool, p: Any, at: Device) -> Array:
    if p is None and replace and size:
        name, dtype = "random.integers", at.adapter.int_dtype
        return _draw(name, at, (size,), 0, n, at.native_dtype(dtype, name))
    if p is None:
        return _order(n, at)[:size]
    weights = _weights(n, p, 0 if not size else 1 if replace else size, at)
    if replace:
        total = cumulative_sum(weights)
        return searchsorted(total / total[-1], _uniform(at, (size,)), side="right") if size else _order(0, at)
    # The order of exponential variables of these rates is that of draws without replacement. Logarithms of them, since
    # a quotient by a small weight may be infinite, as long as one by zero.
    some = weights > 0
    waits = log(negative(log1p(negative(_uniform(at, (n,)))))) - log(where(some, weights, 1.0))
    return argsort(where(some, waits, inf))[:size]


def _weights(n: int, p: Any, needed: int, at: Device) -> Array:
    """Return the weights, the greatest of them one, of which as many as ``needed`` must not be zero."""
    given = wrap(at, asarray(p, dtype=None if type(p) is Array else float64, device=at)._native)
    if given.shape != (n,):
        raise ArgumentError(f"random.choice: p must have shape ({n},), got {given.shape}")
    weights = given if kind_of(given.dtype) == "f" else astype(given, at.adapter.float_dtype)
    if not all(logical_and(weights >= 0, isfinite(weights))):
        raise ArgumentError("random.choice: the weights p must be finite and not negative")
    there = int(count_nonzero(weights))
    if there < needed:
        raise ArgumentError(
            f"random.choice: cannot draw {needed} elements, {there} of {n} have a weight above zero"
        )
    return weights / max(weights) if there else weights
