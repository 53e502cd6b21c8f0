"""Functions beyond the standard that other libraries call on the namespace of an array, and their registration.

``einsum`` is what opt_einsum and einops ask for, ``pad`` what xarray does, ``diag`` what ``scipy.interpolate`` does.
They stand at the top of the namespace too, where these look. They are made of functions of the standard, so they run
on every device and are differentiable.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ._core.arguments import integer
from ._core.array import Array
from ._core.operands import lift, not_an_array
from .creation_functions import asarray, full_on
from .errors import ArgumentError, ArgumentTypeError, ShapeError
from .indexing_functions import take
from .linalg import diagonal
from .linear_algebra_functions import matmul
from .manipulation_functions import concat, expand_dims, moveaxis, permute_dims, reshape, stack, tile
from .statistical_functions import sum as sum_

__all__ = ["diag", "einsum", "pad", "register_einops"]


# -- einsum -----------------------------------------------------------------------------------


def einsum(subscripts: str, /, *operands: Array) -> Array:
    """Return the sum of products that ``subscripts`` names, as in ``"ij,jk->ik"``; ``...`` stands for more axes.

    The operands are contracted from left to right; opt_einsum finds a better order for many. Axes of length 1
    are broadcast, as NumPy does it for labels too.

    Raises
    ------
    ArgumentError
        for subscripts that cannot be read or do not fit the operands
    ShapeError
        where axes of one label differ in length and neither is 1
    """
    if not isinstance(subscripts, str):
        raise ArgumentTypeError(
            f"einsum: the subscripts must be a string, such as 'ij,jk->ik', not {subscripts!r:.60}"
        )
    for one in operands:
        if type(one) is not Array:
            raise not_an_array("einsum", one)
    inputs, output = _labels(subscripts, [one.ndim for one in operands])
    lengths = _lengths(inputs, operands)
    single = [
        _without_broadcast(*_without_repeats(operand, theirs), lengths)
        for operand, theirs in zip(operands, inputs, strict=True)
    ]
    result, labels = single[0]
    for place, (other, theirs) in enumerate(single[1:], start=2):
        needed = set(output).union(*inputs[place:])
        result, labels = _contract(result, labels, other, theirs, needed)
    result, labels = _sum_but(result, labels, set(output))
    return permute_dims(result, tuple(labels.index(label) for label in output))


def _labels(subscripts: str, ndims: Sequence[int]) -> tuple[list[str], str]:
    """Return the labels of each operand and those of the result, ellipses spelled out."""
    left, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = left.split(",")
    letters = set(left.replace("...", "").replace(",", "")) | set(output.replace("...", ""))
    if len(terms) != len(ndims) or not letters <= set(string.ascii_letters):
        raise ArgumentError(f"einsum: cannot read {subscripts!r} for {len(ndims)} operands")
    spare = [letter for letter in string.ascii_letters if letter not in letters]
    extra = [ndim - len(term.replace("...", "")) for term, ndim in zip(terms, ndims, strict=True)]
    for term, count in zip(terms, extra, strict=True):
        if count < 0 or (count > 0 and "..." not in term):
            raise ArgumentError(
                f"einsum: {term!r} of {subscripts!r} does not fit the dimensions of its operand"
            )
    most = "".join(spare[: max([0, *(n for term, n in zip(terms, extra, strict=True) if "..." in term)])])
    inputs = [term.replace("...", most[len(most) - n :]) for term, n in zip(terms, extra, strict=True)]
    if not arrow:
        joined = left.replace("...", "").replace(",", "")
        output = most + "".join(sorted(label for label in set(joined) if joined.count(label) == 1))
    output = output.replace("...", most)
    if len(set(output)) < len(output) or not set(output) <= set("".join(inputs)):
        raise ArgumentError(
            f"einsum: the result of {subscripts!r} repeats a label, or has one that no operand has"
        )
    return inputs, output


def _lengths(inputs: Sequence[str], operands: Sequence[Array]) -> dict[str, int]:
    """Return the length of each label, to which axes of length 1 are broadcast."""
    lengths: dict[str, int] = {}
    for labels, operand in zip(inputs, operands, strict=True):
        of_one = dict(zip(labels, operand.shape, strict=True))
        for label, length in zip(labels, operand.shape, strict=True):
            known = lengths.setdefault(label, length)
            if of_one[label] != length or (known != length and 1 not in (known, length)):
                other = of_one[label] if of_one[label] != length else known
                raise ShapeError(f"einsum: the axes {label!r} have lengths {other} and {length}")
            lengths[label] = length if known == 1 else known
    return lengths


def _without_broadcast(x: Array, labels: str, lengths: dict[str, int]) -> tuple[Array, str]:
    """Drop the axes that are broadcast: an operand without a label is the same all along it."""
    kept = [label for label, length in zip(labels, x.shape, strict=True) if length == lengths[label]]
    if len(kept) == len(labels):
        return x, labels
    return reshape(x, tuple(lengths[label] for label in kept)), "".join(kept)


def _without_repeats(x: Array, labels: str) -> tuple[Array, str]:
    """Take the diagonal of axes with one label."""
    for label in set(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            x = diagonal(moveaxis(x, (first, second), (-2, -1)))
            labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    return x, labels


def _sum_but(x: Array, labels: str, needed: set[str]) -> tuple[Array, str]:
    gone = tuple(axis for axis, label in enumerate(labels) if label not in needed)
    if not gone:
        return x, labels
    return sum_(x, axis=gone, dtype=x.dtype), "".join(label for label in labels if label in needed)


def _contract(a: Array, of_a: str, b: Array, of_b: str, needed: set[str]) -> tuple[Array, str]:
    """Multiply two operands as stacks of matrices, summing over the labels that both have and nothing else needs."""
    a, of_a = _sum_but(a, of_a, needed | set(of_b))
    b, of_b = _sum_but(b, of_b, needed | set(of_a))
    both = [label for label in of_a if label in of_b]
    batch = "".join(label for label in both if label in needed)
    inner = "".join(label for label in both if label not in needed)
    left = "".join(label for label in of_a if label not in both)
    right = "".join(label for label in of_b if label not in both)
    x = _grouped(a, of_a, batch, left, inner)
    y = _grouped(b, of_b, batch, inner, right)
    length = dict(zip(of_a + of_b, a.shape + b.shape, strict=True))
    labels = batch + left + right
    return reshape(matmul(x, y), tuple(length[label] for label in labels)), labels


def _grouped(x: Array, labels: str, *groups: str) -> Array:
    """Return the axes of each group as one axis."""
    order = "".join(groups)
    x = permute_dims(x, tuple(labels.index(label) for label in order))
    lengths, start = [], 0
    for group in groups:
        size = 1
        for length in x.shape[start : start + len(group)]:
            size *= length
        lengths.append(size)
        start += len(group)
    return reshape(x, tuple(lengths))


# -- pad --------------------------------------------------------------------------------------

_BY_INDEX = ("edge", "reflect", "symmetric", "wrap")


def pad(x: Array, pad_width: Any, mode: str = "constant", *, constant_values: Any = 0) -> Array:
    """Return the array with elements before and after it along each axis, as ``numpy.pad`` adds them.

    Parameters
    ----------
    pad_width
        an int, a pair (before, after), or a pair for each axis
    mode
        ``"constant"``, ``"edge"``, ``"reflect"``, ``"symmetric"`` or ``"wrap"``
    constant_values
        what to fill with, in the same forms as ``pad_width``
    """
    if type(x) is not Array:
        raise not_an_array("pad", x)
    if mode != "constant" and mode not in _BY_INDEX:
        raise ArgumentError(f"pad: mode must be 'constant' or one of {', '.join(_BY_INDEX)}, got {mode!r}")
    widths = _pairs("pad_width", pad_width, x.ndim)
    values = _pairs("constant_values", constant_values, x.ndim)
    for axis, (before, after) in enumerate(widths):
        if not before and not after:
            continue
        if mode == "constant":
            x = _padded(x, axis, (before, after), values[axis])
        else:
            order = np.pad(np.arange(x.shape[axis]), (before, after), mode=mode)  # type: ignore[call-overload]
            x = take(x, lift("pad", order), axis=axis)
    return x


def _pairs(name: str, value: Any, ndim: int) -> list[tuple[Any, Any]]:
    try:
        pairs = np.broadcast_to(np.asarray(value), (ndim, 2))
    except ValueError:
        raise ShapeError(
            f"pad: {name} must be one, a pair, or a pair for each of {ndim} axes, got {value!r}"
        ) from None
    if name == "pad_width" and (pairs.dtype.kind not in "iu" or (pairs < 0).any()):
        raise ArgumentTypeError(f"pad: pad_width must be integers that are not negative, got {value!r}")
    return [(first, last) for first, last in pairs.tolist()]


def _padded(x: Array, axis: int, widths: tuple[int, int], values: tuple[Any, Any]) -> Array:
    before, after = (
        full_on("pad", x._device, (*x.shape[:axis], width, *x.shape[axis + 1 :]), value, x.dtype)
        for width, value in zip(widths, values, strict=True)
    )
    return concat([before, x, after], axis=axis)


# -- diag -------------------------------------------------------------------------------------


def diag(x: Array, /, k: int = 0) -> Array:
    """Return a matrix with the vector ``x`` on its ``k``-th diagonal, or that diagonal of a matrix, as ``numpy.diag``.

    Raises
    ------
    ShapeError
        for an array of other than one or two dimensions
    """
    if type(x) is not Array:
        raise not_an_array("diag", x)
    k = integer("diag", "k", k)
    if x.ndim == 2:
        return diagonal(x, offset=k)
    if x.ndim != 1:
        raise ShapeError(
            f"diag: expected one or two dimensions, got {x.ndim}; use linalg.diagonal for stacks"
        )
    n = x.shape[0]
    # In rows of one element more than there are columns, the first column is what becomes the diagonal.
    zeros = full_on("diag", x._device, (n, n), 0, x.dtype)
    rows = concat([expand_dims(x, axis=1), zeros], axis=1)
    matrix = reshape(reshape(rows, (-1,))[: n * n], (n, n))
    return pad(matrix, ((max(-k, 0), max(k, 0)), (max(k, 0), max(-k, 0)))) if k else matrix


# -- einops -----------------------------------------------------------------------------------


@cache
def register_einops() -> None:
    """Let einops take arrays in ``rearrange``, ``reduce``, ``repeat``, ``einsum``, ``pack`` and ``unpack``.

    To be called once; ``einops.array_api`` works without.
    """
    from einops import _backends

    class BurnArrayBackend(_backends.AbstractBackend):  # type: ignore[misc]
        """The backend of einops for arrays."""

        framework_name = "burn_array"

        def is_appropriate_type(self, tensor: Any) -> bool:
            return isinstance(tensor, Array)

        def from_numpy(self, x: Any) -> Array:
            return asarray(x)

        def to_numpy(self, x: Array) -> Any:
            return np.asarray(x.to_device("numpy"))

        def stack_on_zeroth_dimension(self, tensors: Iterable[Array]) -> Array:
            return stack(list(tensors), axis=0)

        def add_axis(self, x: Array, new_position: int) -> Array:
            return expand_dims(x, axis=new_position)

        def tile(self, x: Array, repeats: tuple[int, ...]) -> Array:
            return tile(x, repeats)

        def concat(self, tensors: Iterable[Array], axis: int) -> Array:
            return concat(list(tensors), axis=axis)

        def is_float_type(self, x: Array) -> bool:
            return bool(x.dtype.kind in "fcV")

        def einsum(self, pattern: str, *x: Array) -> Array:
            return einsum(pattern, *x)
