"""Indexing on PyTorch by NumPy's rules.

PyTorch differs in these ways from the standard, or from NumPy where the standard is silent:

* It refuses a slice with a negative step; the standard reads backwards.
  https://github.com/pytorch/pytorch/issues/59786
* It ignores integers when it decides where the axes of index arrays go; NumPy treats integers beside index arrays as
  index arrays. https://github.com/pytorch/pytorch/issues/158134
* It reads uint8 indices as a mask; the standard reads integers.
  https://docs.pytorch.org/docs/stable/tensor_view.html (no issue known)
* It cannot assign wide unsigned integers by index arrays; the standard assigns every dtype.
  https://github.com/pytorch/pytorch/issues/58734

All last seen in 2.13.0. So PyTorch reads only simple keys itself. Any other key is split into a *view* (basic
indexing), axes of the view to *flip*, and index *arrays*, whose axes are moved to the front of the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from burn_array.errors import ArgumentTypeError, ArrayIndexError, ShapeError

from ._host_values import readable
from ._memory import is_same_view, share_memory
from .dtypes import INTS, SIGNED_OF, as_signed, cast, from_signed, signed_scalar, via_signed, weak_scalar
from .manipulation_functions import row_major

_SLICE = slice(None)
_INDEX = frozenset({torch.int64, torch.bool})
"""Dtypes of index arrays that PyTorch reads as NumPy does."""
_SMALL = 64
"""For fewer indices than this, Python finds the extremes faster than PyTorch."""


class _Plan(NamedTuple):
    """What a key selects from an array."""

    view: torch.Tensor
    flipped: list[int]
    """Axes of the view to reverse."""
    arrays: list[torch.Tensor]
    """Index arrays for the leading axes of the view, all of one shape with at least one axis."""
    shape: tuple[int, ...]
    """The shape to which the index arrays broadcast."""
    front: int
    """The position of their axes in the result."""


def _is_plain(key: Any) -> bool:
    """Return whether a key has only integers, ascending slices, ``None`` and one ``...``, which PyTorch reads."""
    dots = 0
    for part in key if type(key) is tuple else (key,):
        kind = type(part)
        if kind is slice:
            if part.step is not None and part.step <= 0:
                return False
        elif part is ...:
            dots += 1
        elif kind is not int and part is not None:
            return False
    return dots < 2


def _is_simple_array(key: Any) -> bool:
    """Return whether a key is a single index array or mask that PyTorch reads as NumPy does."""
    return type(key) is torch.Tensor and key.ndim > 0 and key.numel() > 0 and key.dtype in _INDEX


def _single_array_key(key: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Return the key with int64 indices if it is one array of integers among ascending slices, otherwise ``None``.

    PyTorch reads such a key as NumPy does.
    """
    found = dots = None
    for position, part in enumerate(key):
        if isinstance(part, torch.Tensor):
            if found is not None or part.dtype not in INTS or not part.ndim:
                return None
            found = position
        elif type(part) is slice:
            if part.step is not None and part.step <= 0:
                return None
        elif part is ... and dots is None:
            dots = position
        elif part is not None:
            return None
    return None if found is None else (*key[:found], cast(key[found], torch.int64), *key[found + 1 :])


# -- reading a key ----------------------------------------------------------------------------


def _expanded(key: Any, ndim: int) -> list[Any]:
    """Return the parts of a key with full slices for the axes that it leaves out.

    The ellipsis stays in front of its slices, because it separates index arrays on both sides of it.

    Raises
    ------
    ArrayIndexError
        for more indices than axes, or a second ellipsis
    """
    parts = list(key) if type(key) is tuple else [key]
    used = sum(_axes_of(part) for part in parts)
    if used > ndim:
        raise ArrayIndexError(f"too many indices: the array has {ndim} axes, but {used} were indexed")
    dots = [position for position, part in enumerate(parts) if part is ...]
    if len(dots) > 1:
        raise ArrayIndexError("an index has at most one ellipsis ('...')")
    if not dots:
        return parts + [_SLICE] * (ndim - used)
    after = dots[0] + 1
    return parts[:after] + [_SLICE] * (ndim - used) + parts[after:]


def _axes_of(part: Any) -> int:
    """Return how many axes of the array a part of a key uses."""
    if part is None or part is ... or type(part) is bool:
        return 0
    return part.ndim if isinstance(part, torch.Tensor) and part.dtype is torch.bool else 1


def _ascending(part: slice, size: int) -> tuple[slice, bool]:
    """Return an ascending slice of the same elements, and whether they must be reversed afterwards."""
    if part.step is None or part.step > 0:
        return part, False
    chosen = range(*part.indices(size))
    if not chosen:
        return slice(0, 0), False
    return slice(chosen[-1], chosen[0] + 1, -chosen.step), True


def _array_indices(part: Any, sizes: tuple[int, ...], device: torch.device) -> list[torch.Tensor]:
    """Return a bool, a mask or an array of integers as int64 index arrays, one for each axis that it uses.

    A bool and a 0-d mask use no axis: they select all or nothing along a new one.

    Raises
    ------
    ArrayIndexError
        for a mask that does not have the ``sizes`` of the axes, or an array of another dtype
    """
    if type(part) is bool:
        return [torch.zeros(int(part), dtype=torch.int64, device=device)]
    if part.dtype is torch.bool:
        if part.ndim == 0:
            return [part.reshape(1).nonzero()[:, 0]]
        if any(have not in (size, 0) for have, size in zip(part.shape, sizes, strict=True)):
            raise ArrayIndexError(f"a mask of shape {tuple(part.shape)} does not fit axes of sizes {sizes}")
        return list(part.nonzero(as_tuple=True))
    if part.dtype not in INTS:
        raise ArrayIndexError(f"index arrays are integers or bools, not {part.dtype}")
    return [cast(part, torch.int64)]


class _Walk:
    """The state while the parts of a key are read from left to right."""

    def __init__(self, x: torch.Tensor, has_arrays: bool) -> None:
        self.x, self.has_arrays = x, has_arrays
        self.axis = 0  # the next axis of the array
        self.out = 0  # the next axis of the view
        self.front = 0  # axes of the view before the first index array
        self.basic: list[Any] = []  # the key of the view
        self.flipped: list[int] = []  # axes of the view to reverse
        self.found: list[tuple[int, torch.Tensor]] = []  # index arrays, each with its axis of the view
        self.positions: list[int] = []  # where integers and index arrays stand in the key

    def step(self, position: int, part: Any) -> None:
        """Read the next part."""
        if part is None:
            self._pass(None, axes=0)
        elif type(part) is slice:
            ascending, reverse = _ascending(part, self.x.shape[self.axis])
            self.flipped += [self.out] if reverse else []
            self._pass(ascending)
        elif type(part) is int:
            self._mark(position)
            self.basic.append(part)
            self.axis += 1
        elif _is_array(part):
            self._index(position, part)
        elif part is not ...:
            raise ArrayIndexError(f"an index is an int, slice, None, ..., bool or array, not {part!r}")

    def _pass(self, part: Any, axes: int = 1) -> None:
        self.basic.append(part)
        self.axis, self.out = self.axis + axes, self.out + 1

    def _mark(self, position: int) -> None:
        if self.has_arrays:
            self.front = self.front if self.positions else self.out
            self.positions.append(position)

    def _index(self, position: int, part: Any) -> None:
        self._mark(position)
        used = _axes_of(part)
        sizes = tuple(self.x.shape[self.axis : self.axis + used])
        for index in _array_indices(part, sizes, self.x.device):
            self.found.append((self.out, index))
            self._pass(_SLICE if used else None, axes=1 if used else 0)


def _is_array(part: Any) -> bool:
    return type(part) is bool or isinstance(part, torch.Tensor)


def _plan(x: torch.Tensor, key: Any) -> _Plan:
    """Return the view, flips and index arrays into which a key is split.

    As in NumPy, the axes of index arrays stay where they are if the arrays, and integers, are adjacent in the key;
    otherwise they come first.
    """
    parts = _expanded(key, x.ndim)
    walk = _Walk(x, any(map(_is_array, parts)))
    for position, part in enumerate(parts):
        walk.step(position, part)
    view = x[tuple(walk.basic)]
    if not walk.found:
        return _Plan(view, walk.flipped, [], (), 0)
    positions = walk.positions
    together = positions[-1] - positions[0] + 1 == len(positions)
    return _arranged(view, walk.flipped, walk.found, walk.front if together else 0)


def _arranged(
    view: torch.Tensor, flipped: list[int], found: list[tuple[int, torch.Tensor]], front: int
) -> _Plan:
    """Return the plan with the indexed axes moved to the front of the view, and the index arrays broadcast."""
    indexed = [axis for axis, _ in found]
    rest = [axis for axis in range(view.ndim) if axis not in indexed]
    try:
        arrays = list(torch.broadcast_tensors(*(index for _, index in found)))
    except RuntimeError as error:
        raise ArrayIndexError(f"index arrays do not broadcast together: {error}") from None
    shape = tuple(arrays[0].shape)
    arrays = [index if shape else index.reshape(1) for index in arrays]
    flipped = [len(indexed) + rest.index(axis) for axis in flipped]
    return _Plan(view.permute(indexed + rest), flipped, arrays, shape, front)


# -- reading and writing ----------------------------------------------------------------------


def _read(x: torch.Tensor, key: Any) -> torch.Tensor:
    """Return ``x[key]``."""
    plan = _plan(x, key)
    view = torch.flip(plan.view, plan.flipped) if plan.flipped else plan.view
    if not plan.arrays:
        return view
    _check_bounds(plan)
    result = view[tuple(plan.arrays)]
    if not result.numel():  # PyTorch has checked no index
        _check_indices(plan.arrays, plan.view.shape)
    result = result.reshape(plan.shape + result.shape[1:]) if not plan.shape else result
    return _moved(result, len(plan.shape), plan.front)


def _check_bounds(plan: _Plan) -> None:
    """PyTorch does not check the indices of an empty array; the standard's index must be within the axis.

    No upstream issue known (https://docs.pytorch.org/docs/stable/tensor_view.html), last seen in 2.13.0.

    Raises
    ------
    ArrayIndexError
        for an index of an axis of size 0
    """
    for index, size in zip(plan.arrays, plan.view.shape, strict=False):
        if size == 0 and index.numel():
            raise ArrayIndexError("index out of bounds: the axis has size 0")


def _check_indices(arrays: Sequence[torch.Tensor], shape: Sequence[int]) -> None:
    """Check indices in host memory before anything is written: PyTorch writes up to the first that is out of bounds.

    Raises
    ------
    ArrayIndexError
        for an index out of bounds
    """
    for index, size in zip(arrays, shape, strict=False):
        if readable(index) and index.numel() and index.dtype is not torch.bool:
            least, largest = _extremes(index)
            if least < -size or largest >= size:
                worst = largest if largest >= size else least
                raise ArrayIndexError(f"index {worst} is out of bounds for an axis of size {size}")


def _extremes(index: torch.Tensor) -> tuple[int, int]:
    """Return the smallest and the largest index."""
    if index.ndim == 1 and index.numel() < _SMALL:
        numbers = index.tolist()
        return min(numbers), max(numbers)
    least, largest = torch.aminmax(index)
    return int(least), int(largest)


def _moved(x: torch.Tensor, count: int, front: int) -> torch.Tensor:
    """Return ``x`` with its first ``count`` axes moved behind the next ``front`` axes."""
    if not front or not count:
        return x
    return x.movedim(tuple(range(count)), tuple(range(front, front + count)))


def _write(x: torch.Tensor, key: Any, value: torch.Tensor, accumulate: bool) -> None:
    """Set ``x[key]`` to ``value``, or add ``value`` to it, repeated indices accumulating."""
    plan = _plan(x, key)
    rest = tuple(plan.view.shape[len(plan.arrays) :])
    shape = rest[: plan.front] + plan.shape + rest[plan.front :]
    value = _fitted(value, shape)
    if plan.arrays:
        count = len(plan.shape)
        value = (
            value.movedim(tuple(range(plan.front, plan.front + count)), tuple(range(count)))
            if count
            else value
        )
        value = value if plan.shape else value.reshape((1, *value.shape))
    if plan.flipped:
        shift = max(len(plan.shape), 1) - len(plan.arrays) if plan.arrays else 0
        value = torch.flip(value, [axis + shift for axis in plan.flipped])
    if plan.arrays:
        _check_bounds(plan)
        if not accumulate:
            _check_indices(plan.arrays, plan.view.shape)
        plan.view.index_put_(tuple(plan.arrays), value, accumulate=accumulate)
    elif accumulate:
        plan.view.add_(value)
    else:
        plan.view.copy_(value)


def _fitted(value: torch.Tensor, shape: tuple[int, ...]) -> torch.Tensor:
    """Return ``value`` broadcast to ``shape``; as in NumPy, surplus leading axes of size 1 are dropped.

    Raises
    ------
    ShapeError
        if it does not broadcast
    """
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return value.expand(shape)
    except RuntimeError:
        raise ShapeError(
            f"a value of shape {tuple(value.shape)} does not broadcast to the indexed shape {shape}"
        ) from None


def _with_own_memory(x: torch.Tensor, key: Any) -> Any:
    """Return the key with copies of the arrays that share memory with ``x``, as PyTorch needs to write to ``x``."""
    if isinstance(key, torch.Tensor):
        return key.clone() if share_memory(x, key) else key
    return tuple(_with_own_memory(x, part) for part in key) if type(key) is tuple else key


def _stores_as_numpy(x: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> bool:
    """Return whether PyTorch's ``x[key] = value`` does what NumPy does, for a simple index array or mask.

    That is so if no memory is shared, and ``value`` has no surplus axes.
    """
    used = key.ndim if key.dtype is torch.bool else 1
    axes = x.ndim - used + (1 if key.dtype is torch.bool else key.ndim)
    if value.ndim > axes or x.dtype in SIGNED_OF or not x.numel():
        return False
    return not share_memory(x, key) and not share_memory(x, value)


def _storable(x: torch.Tensor, value: Any) -> torch.Tensor:
    """Return ``value`` as an array that can be written into ``as_signed(x)`` and shares no memory with it."""
    if isinstance(value, torch.Tensor):
        return as_signed(cast(value.clone() if share_memory(x, value) else value, x.dtype))
    value = _storable_scalar(x.dtype, value)
    return torch.full((), value, dtype=SIGNED_OF.get(x.dtype, x.dtype), device=x.device)


def _storable_scalar(dtype: torch.dtype, value: Any) -> Any:
    """Return a Python scalar in the form in which PyTorch writes it into an array of ``dtype``.

    Raises
    ------
    ArgumentTypeError
        for a complex number and a real dtype
    """
    if type(value) is complex and not dtype.is_complex:
        raise ArgumentTypeError(f"a complex number cannot be stored as {dtype}")
    if dtype in INTS:
        value = weak_scalar(int(value), dtype)
        return signed_scalar(value, dtype) if dtype in SIGNED_OF else value
    return weak_scalar(value, dtype)


class IndexingFunctions:
    """The page ``indexing functions`` of the standard, and reading and writing by a key (see the module)."""

    @staticmethod
    def getitem(x: torch.Tensor, key: Any) -> torch.Tensor:
        kind = type(key)
        if kind is int or (kind is slice and key.step is None) or _is_plain(key):
            return x[key]
        if x.dtype not in SIGNED_OF and x.numel():
            if _is_simple_array(key):
                return x[key]
            if kind is tuple and (found := _single_array_key(key)) is not None and (out := x[found]).numel():
                return out
        return from_signed(_read(as_signed(x), key), x.dtype)

    @staticmethod
    def setitem(x: torch.Tensor, key: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor):
            if value.dtype is x.dtype:
                kind = type(key)
                if kind is int or (kind is slice and key.step is None) or _is_plain(key):
                    view = x[key]
                    if is_same_view(view, value):  # `x[key] += y` has changed the view and stores it
                        return
                    if value.ndim <= view.ndim:
                        view.copy_(value.clone() if share_memory(view, value) else value)
                        return
                elif _is_simple_array(key) and _stores_as_numpy(x, key, value):
                    _check_indices((key,), x.shape)
                    x[key] = value
                    return
            _write(as_signed(x), _with_own_memory(x, key), _storable(x, value), accumulate=False)
        elif _is_plain(key):
            as_signed(x)[key].fill_(_storable_scalar(x.dtype, value))
        elif _is_simple_array(key) and x.numel():
            _check_indices((key,), x.shape)
            as_signed(x)[_with_own_memory(x, key)] = _storable_scalar(x.dtype, value)
        else:
            _write(as_signed(x), _with_own_memory(x, key), _storable(x, value), accumulate=False)

    @staticmethod
    def scatter_add(x: torch.Tensor, key: Any, value: Any) -> torch.Tensor:
        if x.dtype.is_complex:  # by parts, because PyTorch's complex sum of an infinity is NaN
            value = _storable(x, value)
            parts = ((x.real, value.real), (x.imag, value.imag))
            return torch.complex(*(IndexingFunctions.scatter_add(a, key, b) for a, b in parts))
        result = row_major(x)
        _write(as_signed(result), key, _storable(result, value), accumulate=True)
        return result

    @staticmethod
    def copy(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    @via_signed
    def take(x: torch.Tensor, indices: torch.Tensor, *, axis: int | None = None) -> torch.Tensor:
        x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
        axis = axis + x.ndim if axis < 0 else axis
        indices = cast(indices, torch.int64)
        if indices.ndim == 1 and x.ndim and readable(x):
            try:
                return torch.index_select(x, axis, indices)  # several times as fast as indexing
            except (IndexError, RuntimeError):  # an index is negative or out of bounds
                pass
        key: Any = (*(_SLICE,) * axis, indices)
        return x[key] if indices.ndim and x.shape[axis] and x.numel() else _read(x, key)

    @staticmethod
    @via_signed
    def take_along_axis(x: torch.Tensor, indices: torch.Tensor, *, axis: int = -1) -> torch.Tensor:
        """PyTorch's ``gather`` refuses negative indices; the standard counts them from the end.

        array_api_compat's function is slower, accepts indices out of bounds, and refuses index dtypes but int64.

        https://github.com/pytorch/pytorch/issues/146211, last seen in 2.13.0.
        """
        axis = axis + x.ndim if axis < 0 else axis
        indices = cast(indices, torch.int64)
        if not readable(indices) or (indices.numel() and indices.amin().item() < 0):
            indices = torch.add(indices, indices < 0, alpha=x.shape[axis])
        if _without(x.shape, axis) == _without(indices.shape, axis):
            return torch.gather(x, axis, indices)
        sizes = torch.broadcast_shapes(_without(x.shape, axis), _without(indices.shape, axis))
        x = x.expand(*sizes[:axis], x.shape[axis], *sizes[axis:])
        indices = indices.expand(*sizes[:axis], indices.shape[axis], *sizes[axis:])
        return torch.gather(x, axis, indices)


def _without(shape: torch.Size, axis: int) -> tuple[int, ...]:
    return tuple(shape[:axis]) + tuple(shape[axis + 1 :])
