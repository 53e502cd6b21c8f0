"""Indexing on PyTorch by NumPy's rules.

PyTorch refuses negative steps, reads uint8 indices as masks, takes integers out of the index before it decides where
the axes of index arrays go, and hardly moves unsigned integers. So a key that is more than integers, ascending
slices, ``None`` and ``...`` is split here into a *view* (basic indexing), axes of it to *flip*, and index
*arrays* for axes of it, which are brought to the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from burn_array.errors import ArgumentTypeError, ArrayIndexError, ShapeError

from .dtypes import INTS, SIGNED_OF, as_signed, cast, from_signed, signed_scalar, via_signed, weak_scalar
from .manipulation_functions import row_major

_SLICE = slice(None)
_INDEX = frozenset({torch.int64, torch.bool})
_SMALL = 64
"""Up to this many indices, Python finds the extremes faster than PyTorch."""


class _Plan(NamedTuple):
    """What a key means for one array."""

    view: torch.Tensor
    flipped: list[int]
    """Axes of the view that the key reverses."""
    arrays: list[torch.Tensor]
    """Index arrays of one shape, at least one-dimensional, for the leading axes of the view."""
    shape: tuple[int, ...]
    """The shape that the index arrays have together."""
    front: int
    """Where the axes of the index arrays stand in the result."""


def _is_plain(key: Any) -> bool:
    """Return whether PyTorch reads a whole key as NumPy does."""
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
    """Return whether a whole key is an index array or mask that PyTorch reads as NumPy does."""
    return type(key) is torch.Tensor and key.ndim > 0 and key.numel() > 0 and key.dtype in _INDEX


def _single_array_key(key: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """Return a key of one array of integers among slices, which PyTorch takes as NumPy does; of others nothing."""
    found = dots = None
    for place, part in enumerate(key):
        if isinstance(part, torch.Tensor):
            if found is not None or part.dtype not in INTS or not part.ndim:
                return None
            found = place
        elif type(part) is slice:
            if part.step is not None and part.step <= 0:
                return None
        elif part is ... and dots is None:
            dots = place
        elif part is not None:
            return None
    return None if found is None else (*key[:found], cast(key[found], torch.int64), *key[found + 1 :])


# -- reading a key ----------------------------------------------------------------------------


def _expanded(key: Any, ndim: int) -> list[Any]:
    """Return the parts of a key with the ellipsis written out; it stays, as a mark, in front of its slices."""
    parts = list(key) if type(key) is tuple else [key]
    used = sum(_axes_of(part) for part in parts)
    if used > ndim:
        raise ArrayIndexError(f"too many indices: the array has {ndim} axes, but {used} were indexed")
    dots = [position for position, part in enumerate(parts) if part is ...]
    if len(dots) > 1:
        raise ArrayIndexError("an index has at most one ellipsis ('...')")
    if not dots:
        return parts + [_SLICE] * (ndim - used)
    at = dots[0]
    return parts[: at + 1] + [_SLICE] * (ndim - used) + parts[at + 1 :]


def _axes_of(part: Any) -> int:
    if part is None or part is ... or type(part) is bool:
        return 0
    return part.ndim if isinstance(part, torch.Tensor) and part.dtype is torch.bool else 1


def _ascending(part: slice, size: int) -> tuple[slice, bool]:
    """Return a slice as an ascending one, and whether the axis is to be reversed then."""
    if part.step is None or part.step > 0:
        return part, False
    chosen = range(*part.indices(size))
    if not chosen:
        return slice(0, 0), False
    return slice(chosen[-1], chosen[0] + 1, -chosen.step), True


def _array_indices(part: Any, sizes: tuple[int, ...], device: torch.device) -> list[torch.Tensor]:
    """Return the int64 index arrays that a bool, a mask or an integer array stands for."""
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
    """What is found on the way through the parts of a key."""

    def __init__(self, x: torch.Tensor, has_arrays: bool) -> None:
        self.x, self.has_arrays = x, has_arrays
        self.axis = self.out = self.front = (
            0  # axes of the array and of the view passed, and before the first array
        )
        self.basic: list[Any] = []
        self.flipped: list[int] = []
        self.found: list[tuple[int, torch.Tensor]] = []
        self.positions: list[int] = []  # of the integers and index arrays in the key

    def step(self, position: int, part: Any) -> None:
        """Take in the next part."""
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
    """Bring the indexed axes of the view to the front, and the index arrays to one shape."""
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
    plan = _plan(x, key)
    view = torch.flip(plan.view, plan.flipped) if plan.flipped else plan.view
    if not plan.arrays:
        return view
    _check_bounds(plan)
    result = view[tuple(plan.arrays)]
    if not result.numel():  # PyTorch looks at no index then, as _check_bounds says
        _check_indices(plan.arrays, plan.view.shape)
    result = result.reshape(plan.shape + result.shape[1:]) if not plan.shape else result
    return _moved(result, len(plan.shape), plan.front)


def _check_bounds(plan: _Plan) -> None:
    """PyTorch does not check indices of an array in which nothing is left to index."""
    for index, size in zip(plan.arrays, plan.view.shape, strict=False):
        if size == 0 and index.numel():
            raise ArrayIndexError("index out of bounds: the axis has size 0")


def _check_indices(arrays: Sequence[torch.Tensor], shape: Sequence[int]) -> None:
    """Raise before anything is written: PyTorch writes up to the first index that is out of bounds."""
    for index, size in zip(arrays, shape, strict=False):
        if index.is_cpu and index.numel() and index.dtype is not torch.bool:
            least, largest = _extremes(index)
            if least < -size or largest >= size:
                worst = largest if largest >= size else least
                raise ArrayIndexError(f"index {worst} is out of bounds for an axis of size {size}")


def _extremes(index: torch.Tensor) -> tuple[int, int]:
    if index.ndim == 1 and index.numel() < _SMALL:
        numbers = index.tolist()
        return min(numbers), max(numbers)
    least, largest = torch.aminmax(index)
    return int(least), int(largest)


def _moved(x: torch.Tensor, count: int, front: int) -> torch.Tensor:
    """Move the ``count`` leading axes behind the ``front`` ones that follow."""
    if not front or not count:
        return x
    return x.movedim(tuple(range(count)), tuple(range(front, front + count)))


def _write(x: torch.Tensor, key: Any, value: torch.Tensor, accumulate: bool) -> None:
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
    """Broadcast to ``shape``; leading axes of size 1 that are too many are dropped, as in NumPy."""
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
    try:
        return value.expand(shape)
    except RuntimeError:
        raise ShapeError(
            f"a value of shape {tuple(value.shape)} does not broadcast to the indexed shape {shape}"
        ) from None


def _share_memory(a: torch.Tensor, b: torch.Tensor) -> bool:
    one, other = a.untyped_storage(), b.untyped_storage()
    first, second = (
        one.data_ptr(),
        other.data_ptr(),
    )  # of arrays that were imported they may differ and overlap
    return first < second + other.nbytes() and second < first + one.nbytes()


def _with_own_memory(x: torch.Tensor, key: Any) -> Any:
    """Return a key whose arrays lie in other memory than ``x``, as PyTorch demands of one to write through."""
    if isinstance(key, torch.Tensor):
        return key.clone() if _share_memory(x, key) else key
    return tuple(_with_own_memory(x, one) for one in key) if type(key) is tuple else key


def _stores_as_numpy(x: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> bool:
    """Return whether PyTorch stores ``value`` as NumPy does: of one memory each, and with no axes too many."""
    taken = key.ndim if key.dtype is torch.bool else 1
    axes = x.ndim - taken + (1 if key.dtype is torch.bool else key.ndim)
    if value.ndim > axes or x.dtype in SIGNED_OF or not x.numel():
        return False
    return not _share_memory(x, key) and not _share_memory(x, value)


def _storable(x: torch.Tensor, value: Any) -> torch.Tensor:
    """Return what is to be written into ``x``, as an array of the bits of its dtype and apart from its memory."""
    if isinstance(value, torch.Tensor):
        return as_signed(cast(value.clone() if _share_memory(x, value) else value, x.dtype))
    value = _storable_scalar(x.dtype, value)
    return torch.full((), value, dtype=SIGNED_OF.get(x.dtype, x.dtype), device=x.device)


def _storable_scalar(dtype: torch.dtype, value: Any) -> Any:
    if type(value) is complex and not dtype.is_complex:
        raise ArgumentTypeError(f"a complex number cannot be stored as {dtype}")
    if dtype in INTS:
        value = weak_scalar(int(value), dtype)
        return signed_scalar(value, dtype) if dtype in SIGNED_OF else value
    return weak_scalar(value, dtype)


class IndexingFunctions:
    """The page ``indexing functions`` of the standard, and reading and writing by a key."""

    @staticmethod
    def getitem(x: torch.Tensor, key: Any) -> torch.Tensor:
        kind = type(key)
        if kind is int or (kind is slice and key.step is None) or _is_plain(key):
            return x[key]
        if x.dtype not in SIGNED_OF and x.numel():
            if _is_simple_array(key):
                return x[key]
            if kind is tuple and (lone := _single_array_key(key)) is not None and (out := x[lone]).numel():
                return out
        return from_signed(_read(as_signed(x), key), x.dtype)

    @staticmethod
    def setitem(x: torch.Tensor, key: Any, value: Any) -> None:
        if isinstance(value, torch.Tensor):
            if value.dtype is x.dtype:
                if _is_simple_array(key):
                    if _stores_as_numpy(x, key, value):
                        _check_indices((key,), x.shape)
                        x[key] = value
                        return
                elif _is_plain(key) and not _share_memory(x, value):
                    view = x[key]
                    if value.ndim <= view.ndim:
                        view.copy_(value)
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
        if x.dtype.is_complex:  # by parts, because PyTorch's complex sum makes NaN of infinities
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
        key: Any = (*(_SLICE,) * axis, cast(indices, torch.int64))
        return x[key] if indices.ndim and x.shape[axis] and x.numel() else _read(x, key)

    @staticmethod
    @via_signed
    def take_along_axis(x: torch.Tensor, indices: torch.Tensor, *, axis: int = -1) -> torch.Tensor:
        """Gather; PyTorch's gather refuses negative indices."""
        axis = axis + x.ndim if axis < 0 else axis
        indices = cast(indices, torch.int64)
        indices = torch.add(indices, indices < 0, alpha=x.shape[axis])
        if _without(x.shape, axis) == _without(indices.shape, axis):
            return torch.gather(x, axis, indices)
        sizes = torch.broadcast_shapes(_without(x.shape, axis), _without(indices.shape, axis))
        x = x.expand(*sizes[:axis], x.shape[axis], *sizes[axis:])
        indices = indices.expand(*sizes[:axis], indices.shape[axis], *sizes[axis:])
        return torch.gather(x, axis, indices)


def _without(shape: torch.Size, axis: int) -> tuple[int, ...]:
    return tuple(shape[:axis]) + tuple(shape[axis + 1 :])
