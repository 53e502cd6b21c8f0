"""Random numbers, an extension in the style of the standard.

Every device has its own generator, made by its library: ``seed`` starts it, ``get_state`` and
``set_state`` save and restore it. It neither reads nor changes the global state of the library. The
numbers depend on the device and the seed alone; two devices draw different numbers from the same seed. An
array drawn without ``device=`` is uncommitted, as in the creation functions.

Raises
------
DeviceNotFoundError
    If ``device`` is not present.
ArgumentError
    If a shape has a negative length.
ArgumentTypeError
    If a shape is not made of integers.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from ._core.arguments import check_axis, count, integer
from ._core.array import Array
from ._core.device import Device
from ._core.dispatch import call, wrap
from ._core.dtypes import as_dtype, float64, kind_of
from ._core.operands import is_tracked, number
from ._core.placement import placement
from .constants import inf
from .creation_functions import _shape, asarray
from .data_type_functions import astype, finfo
from .elementwise_functions import add, isfinite, less, log, log1p, logical_and, multiply, negative, subtract
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
    """The state of the generator of a device, for ``set_state``; it can be pickled.

    Attributes
    ----------
    device : str
        The device whose generator it is.
    state : object
        What the library needs to restore the generator.
    """

    device: str
    state: Any


def _plain(function: str, device: Any) -> Device:
    """Return the device whose generator draws, which is the one without autodiff."""
    return placement(function, device).inner


def _generator(at: Device) -> Any:
    """Return the generator of a device; the first time it is made, from entropy of the operating system."""
    with _LOCK:
        if at.hardware not in _GENERATORS:
            _GENERATORS[at.hardware] = call("random.generator", at, None, at.adapter.native_device)
        return _GENERATORS[at.hardware]


def _draw(function: str, to: Device, *args: Any) -> Array:
    """Return what the generator of a device draws, as an array on the device ``to``."""
    at = to.inner
    with _LOCK:
        return wrap(to, call(function, at, _generator(at), *args))


# -- the generator ----------------------------------------------------------------------------


def seed(value: int, /, *, device: Any = None) -> None:
    """Start the generator of a device anew, so that it draws the same numbers each time.

    Parameters
    ----------
    value : int
        The seed, from 0 to ``2**64 - 1``.
    device : Device or str, optional
        By default the default device.

    Raises
    ------
    ArgumentError
        If the seed is out of range.
    ArgumentTypeError
        If the seed is not an integer.
    """
    number = count("random.seed", "the seed", value)
    if number >= 2**64:
        raise ArgumentError(f"random.seed: the seed must be less than 2**64, got {number}")
    at = _plain("random.seed", device)
    with _LOCK:
        _GENERATORS[at.hardware] = call("random.generator", at, number, at.adapter.native_device)


def get_state(*, device: Any = None) -> State:
    """Return the state of the generator of a device.

    Parameters
    ----------
    device : Device or str, optional
        By default the default device.

    Returns
    -------
    State
        For ``set_state``; it can be pickled.
    """
    at = _plain("random.get_state", device)
    with _LOCK:
        return State(at.hardware, call("random.get_state", at, _generator(at)))


def set_state(state: State, /, *, device: Any = None) -> None:
    """Restore the state in which ``get_state`` found the generator.

    Parameters
    ----------
    state : State
        What ``get_state`` returned.
    device : Device or str, optional
        By default the device of the state.

    Raises
    ------
    DeviceMismatchError
        If the state belongs to another device.
    """
    at = _plain("random.set_state", state.device if device is None else device)
    if at.hardware != state.device:
        raise DeviceMismatchError(
            f"random.set_state: the state belongs to {state.device} and cannot be used on {at}; "
            f"call get_state on that device"
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
    device: Any = None,
) -> Array:
    """Return numbers drawn with equal probability from the interval from ``low`` to ``high``.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result; ``()`` for one number.
    low, high : float or 0-d Array
        The ends; ``high`` itself is drawn only by rounding. The result is differentiable in a tracked array.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where to draw; by default the default device.

    Returns
    -------
    Array
        Real and floating-point, with that shape.

    Raises
    ------
    ArgumentError
        If ``low`` is greater than ``high``.
    DTypeError
        If ``dtype`` is not real and floating-point.
    """
    if not low <= high:
        raise ArgumentError(f"random.uniform: low must not be greater than high, got {low!r} and {high!r}")
    at = _of_parameters("random.uniform", device, low, high)
    drawn = _uniform(at, _shape("random.uniform", shape), dtype)
    if is_tracked(low) or is_tracked(high):
        return add(multiply(drawn, subtract(high, low)), low)
    low, high = float(low), float(high)
    if (low, high) == (0.0, 1.0):
        return drawn
    if high - low <= finfo(drawn.dtype).max:
        return add(multiply(drawn, high - low), low)
    return multiply(
        add(multiply(drawn, high / 2 - low / 2), low / 2), 2.0
    )  # the width itself would be infinite


def normal(
    shape: Any = (),
    *,
    mean: float = 0.0,
    std: float = 1.0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return numbers drawn from a normal distribution.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result; ``()`` for one number.
    mean, std : float or 0-d Array
        The mean and the standard deviation. The result, ``mean + std * z``, is differentiable in a tracked array.
    dtype : dtype, optional
        By default the default floating-point dtype.
    device : Device or str, optional
        Where to draw; by default the default device.

    Returns
    -------
    Array
        Real and floating-point, with that shape.

    Raises
    ------
    ArgumentError
        If ``std`` is negative.
    DTypeError
        If ``dtype`` is not real and floating-point.
    """
    if not std >= 0:
        raise ArgumentError(f"random.normal: std must not be negative, got {std!r}")
    at = _of_parameters("random.normal", device, mean, std)
    drawn = _draw("random.normal", at, _shape("random.normal", shape), _real("random.normal", at, dtype))
    if is_tracked(mean) or is_tracked(std):
        return add(multiply(drawn, std), mean)
    return drawn if (mean, std) == (0.0, 1.0) else add(multiply(drawn, float(std)), float(mean))


def _of_parameters(function: str, device: Any, *parameters: Any) -> Device:
    """Return where to draw: on the device asked for, else beside a tracked parameter, else on the default device."""
    near = None if device is not None else next(filter(is_tracked, parameters), None)
    return placement(function, device) if near is None else near._device


def _uniform(at: Device, shape: tuple[int, ...], dtype: Any = None) -> Array:
    """Return numbers drawn from [0, 1)."""
    return _draw("random.uniform", at, shape, _real("random.uniform", at, dtype))


def _real(function: str, at: Device, dtype: Any) -> Any:
    """Return a real floating-point dtype as that of the library, the default one for ``None``."""
    to = at.adapter.float_dtype if dtype is None else as_dtype(dtype, function)
    if kind_of(to) != "f":
        raise DTypeError(f"{function}: dtype must be real and floating-point, got {to}")
    return at.native_dtype(to, function)


def integers(shape: Any = (), *, low: int = 0, high: int, dtype: Any = None, device: Any = None) -> Array:
    """Return integers drawn with equal probability from ``low``, ``low + 1``, ... ``high - 1``.

    Parameters
    ----------
    shape : int or tuple of int
        The shape of the result; ``()`` for one integer.
    low, high : int
        The least integer, and the first one that is not drawn.
    dtype : dtype, optional
        By default the default integer dtype.
    device : Device or str, optional
        Where to draw; by default the default device.

    Returns
    -------
    Array
        Integers, with that shape.

    Raises
    ------
    ArgumentError
        If ``low`` is not less than ``high``, ``dtype`` cannot hold them, or ``high`` is greater than
        ``2**63 - 1``.
    ArgumentTypeError
        If ``low`` or ``high`` is not an integer.
    DTypeError
        If ``dtype`` is not an integer dtype.
    """
    name = "random.integers"
    at = placement(name, device)
    to = at.adapter.int_dtype if dtype is None else as_dtype(dtype, name)
    low, high = integer(name, "low", low), integer(name, "high", high)
    if kind_of(to) not in "iu":
        raise DTypeError(f"{name}: dtype must be an integer dtype, got {to}")
    if low >= high:
        raise ArgumentError(f"{name}: low must be less than high, got {low} and {high}")
    _check_bounds(name, low, high, to)
    return _draw(name, at, _shape(name, shape), low, high, at.native_dtype(to, name))


def _check_bounds(name: str, low: int, high: int, dtype: Any) -> None:
    """Raise if integers from ``low`` to ``high`` do not fit a dtype, or int64, in which every library draws."""
    bits = 8 * dtype.itemsize
    least, greatest = (0, 2**bits - 1) if dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if low < least or high - 1 > min(greatest, 2**63 - 2):
        raise ArgumentError(
            f"{name}: {low} to {high} does not fit {dtype} (uint64 is drawn in its lower half only)"
        )


def bernoulli(p: Any = 0.5, *, shape: Any = None, device: Any = None) -> Array:
    """Return bools that are true with a given probability.

    Parameters
    ----------
    p : float or Array
        The probability; an array gives one for each element, and its values are not checked.
    shape : int or tuple of int, optional
        The shape of the result, to which ``p`` is broadcast; by default that of ``p``.
    device : Device or str, optional
        Where to draw; by default the device of ``p``, or the default device.

    Returns
    -------
    Array
        Bools.

    Raises
    ------
    ArgumentError
        If a Python number ``p`` is not from 0 to 1.
    ShapeError
        If ``p`` does not broadcast to ``shape``.
    """
    if type(p) is Array:
        to = p.shape if shape is None else _shape("random.bernoulli", shape)
        return less(_uniform(_beside("random.bernoulli", p, device), to), p)
    p = number("random.bernoulli", "p", p)
    if not 0 <= p <= 1:
        raise ArgumentError(f"random.bernoulli: p must be from 0 to 1, got {p!r}")
    to = () if shape is None else _shape("random.bernoulli", shape)
    return less(_uniform(placement("random.bernoulli", device), to), float(p))


# -- samples ----------------------------------------------------------------------------------


def permutation(x: Any, /, *, axis: int = 0, device: Any = None) -> Array:
    """Return an array shuffled along one axis, or the integers below ``x`` in random order.

    Parameters
    ----------
    x : Array or int
        The array, which is not changed, or how many integers.
    axis : int
        The axis along which the array is shuffled: its slices are kept whole.
    device : Device or str, optional
        Where to draw; by default the device of ``x``, or the default device.

    Returns
    -------
    Array
        The dtype and shape of ``x``; integers for an integer.

    Raises
    ------
    AxisError
        If ``x`` does not have the axis.
    ArgumentError
        If an integer ``x`` is negative.
    """
    if type(x) is Array:
        check_axis("random.permutation", axis, x.ndim)
        return take(x, _order(x.shape[axis], _beside("random.permutation", x, device)), axis=axis)
    n = count("random.permutation", "the number of elements", x)
    return _order(n, placement("random.permutation", device))


def _order(n: int, at: Device) -> Array:
    """Return the integers below ``n`` in random order."""
    return _draw("random.permutation", at, n)


def _beside(function: str, x: Any, device: Any) -> Device:
    """Return the device that was asked for; without one that of the array ``x``, else the default device."""
    return x._device if type(x) is Array and device is None else placement(function, device)


def choice(
    a: Any,
    /,
    shape: Any = (),
    *,
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    device: Any = None,
) -> Array:
    """Return a random sample of the elements of an array along one axis, or of the integers below ``a``.

    Parameters
    ----------
    a : Array or int
        What to draw from.
    shape : int or tuple of int
        How many to draw; takes the place of the axis in the result. ``()`` draws one.
    replace : bool
        Whether an element may be drawn more than once.
    p : Array or sequence of float, optional
        The weight of each element; they need not add up to 1, and an element of weight 0 is never drawn.
        By default all are equal.
    axis : int
        The axis of ``a`` to draw from.
    device : Device or str, optional
        Where to draw; by default the device of ``a``, or the default device.

    Returns
    -------
    Array
        The dtype of ``a``; integers for an integer.

    Raises
    ------
    ArgumentError
        If there are fewer elements (of weight above 0) than are drawn without replacement, or none at
        all, or weights are negative, not finite, or not one for each element.
    AxisError
        If ``a`` does not have the axis.
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
        raise ArgumentError(f"{name}: there is nothing to draw from")
    if not replace and size > n:
        raise ArgumentError(f"{name}: cannot draw {size} of {n} elements without replacement")
    index = _indices(n, size, replace, p, at)
    if type(a) is not Array:
        return reshape(index, lengths)
    drawn = take(a, index, axis=axis)
    first = axis % a.ndim
    return reshape(drawn, (*a.shape[:first], *lengths, *a.shape[first + 1 :]))


def _indices(n: int, size: int, replace: bool, p: Any, at: Device) -> Array:
    """Return the indices of a sample."""
    if p is None and replace and size:
        name, dtype = "random.integers", at.adapter.int_dtype
        return _draw(name, at, (size,), 0, n, at.native_dtype(dtype, name))
    if p is None:
        return _order(n, at)[:size]
    weights = _weights(n, p, 0 if not size else 1 if replace else size, at)
    if replace:
        total = cumulative_sum(weights)
        return searchsorted(total / total[-1], _uniform(at, (size,)), side="right") if size else _order(0, at)
    # Draws without replacement come in the order of exponential variables with the weights as rates. Their logarithms
    # are compared, because the quotient by a very small weight would be infinite, like that by zero.
    positive = weights > 0
    times = log(negative(log1p(negative(_uniform(at, (n,)))))) - log(where(positive, weights, 1.0))
    return argsort(where(positive, times, inf))[:size]


def _weights(n: int, p: Any, needed: int, at: Device) -> Array:
    """Return the weights divided by the greatest, after checking that ``needed`` of them are above zero."""
    given = wrap(
        at, asarray(p, dtype=None if type(p) is Array else at.adapter.promote(float64), device=at)._native
    )
    if given.shape != (n,):
        raise ArgumentError(f"random.choice: p must have shape ({n},), got {given.shape}")
    weights = given if kind_of(given.dtype) == "f" else astype(given, at.adapter.float_dtype)
    if not all(logical_and(weights >= 0, isfinite(weights))):
        raise ArgumentError("random.choice: the weights p must be finite and not negative")
    available = int(count_nonzero(weights))
    if available < needed:
        raise ArgumentError(
            f"random.choice: cannot draw {needed} elements, {available} of {n} have a weight above zero"
        )
    return weights / max(weights) if available else weights
