"""Functions beyond the standard: ``einsum``, ``pad``, ``diag``, ``solve_triangular``, and the registration with einops.

Other libraries call them on the namespace of an array, so all but the last are at its top level too:
opt_einsum and einops look for ``einsum`` there, xarray for ``pad``, and ``scipy.interpolate`` for
``diag``. They are written in functions of the standard, so they run on every device and can be
differentiated.

The module ``interop.jax``, imported when it is first used, lets JAX differentiate functions of arrays.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.arguments import integer
from .._core.array import Array
from .._core.dispatch import call, wrap
from .._core.operands import lift, not_an_array, number, unwrap
from ..creation_functions import asarray, full_on
from ..data_type_functions import astype, isdtype, result_type
from ..elementwise_functions import conj
from ..errors import ArgumentError, ArgumentTypeError, ShapeError
from ..indexing_functions import take
from ..linalg import diagonal
from ..linear_algebra_functions import matmul, matrix_transpose
from ..manipulation_functions import (
    concat,
    expand_dims,
    moveaxis,
    permute_dims,
    reshape,
    squeeze,
    stack,
    tile,
)
from ..statistical_functions import sum as sum_

if TYPE_CHECKING:
    from . import jax as jax

__all__ = ["diag", "einsum", "pad", "register_einops", "solve_triangular"]

if not TYPE_CHECKING:  # a type checker that sees __getattr__ accepts every name, also a misspelt one

    def __getattr__(name: str) -> Any:
        """Import ``jax`` at its first use."""
        if name == "jax":
            return import_module(f"{__name__}.jax")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)

    def __dir__() -> list[str]:
        """Return the public names, with that of the module that is imported at its first use."""
        return sorted([*__all__, "jax"])


# -- einsum -----------------------------------------------------------------------------------


def einsum(subscripts: str, /, *operands: Array) -> Array:
    """Return the sum of products that the subscripts describe, as ``"ij,jk->ik"`` does a matrix product.

    The operands are contracted from left to right; for many operands opt_einsum finds a better order.

    Parameters
    ----------
    subscripts : str
        A letter for each axis of each operand, and after ``->`` those of the result; without it the
        letters that occur once, in alphabetical order. ``...`` stands for further axes, which are
        broadcast.
    *operands : Array
        Numeric. Axes with the same letter have the same length, or length 1 and are broadcast.

    Returns
    -------
    Array
        The promoted dtype; sums of small integers are not widened. One axis for each letter of the
        result.

    Raises
    ------
    ArgumentError
        If the subscripts cannot be read or do not fit the operands.
    ArgumentTypeError
        If ``subscripts`` is not a string, or an operand is not an array.
    ShapeError
        If axes with the same letter have different lengths, neither of them 1.
    """
    if not isinstance(subscripts, str):
        raise ArgumentTypeError(
            f"einsum: the subscripts must be a string, such as 'ij,jk->ik', not {subscripts!r:.60}"
        )
    for operand in operands:
        if type(operand) is not Array:
            raise not_an_array("einsum", operand)
    inputs, output = _labels(subscripts, [operand.ndim for operand in operands])
    lengths = _lengths(inputs, operands)
    reduced = [
        _without_broadcast(*_without_repeats(operand, labels), lengths)
        for operand, labels in zip(operands, inputs, strict=True)
    ]
    result, labels = reduced[0]
    for done, (operand, of_operand) in enumerate(reduced[1:], start=2):
        needed = set(output).union(*inputs[done:])
        result, labels = _contract(result, labels, operand, of_operand, needed)
    result, labels = _sum_but(result, labels, set(output))
    return permute_dims(result, tuple(labels.index(label) for label in output))


def _labels(subscripts: str, ndims: Sequence[int]) -> tuple[list[str], str]:
    """Return the labels of each operand and of the result, with letters in the place of each ellipsis."""
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
    longest = max([0, *(n for term, n in zip(terms, extra, strict=True) if "..." in term)])
    ellipsis = "".join(spare[:longest])
    inputs = [term.replace("...", ellipsis[longest - n :]) for term, n in zip(terms, extra, strict=True)]
    if not arrow:
        joined = left.replace("...", "").replace(",", "")
        output = ellipsis + "".join(sorted(label for label in set(joined) if joined.count(label) == 1))
    output = output.replace("...", ellipsis)
    if len(set(output)) < len(output) or not set(output) <= set("".join(inputs)):
        raise ArgumentError(
            f"einsum: the result of {subscripts!r} repeats a label, or has one that no operand has"
        )
    return inputs, output


def _lengths(inputs: Sequence[str], operands: Sequence[Array]) -> dict[str, int]:
    """Return the length of each label; an axis of length 1 is broadcast to it."""
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
    """Return the operand and its labels without the axes that are broadcast: along them it is constant."""
    kept = [label for label, length in zip(labels, x.shape, strict=True) if length == lengths[label]]
    if len(kept) == len(labels):
        return x, labels
    return reshape(x, tuple(lengths[label] for label in kept)), "".join(kept)


def _without_repeats(x: Array, labels: str) -> tuple[Array, str]:
    """Return the operand with the diagonal in the place of axes that share a label."""
    for label in set(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            x = diagonal(moveaxis(x, (first, second), (-2, -1)))
            labels = labels[:first] + labels[first + 1 : second] + labels[second + 1 :] + label
    return x, labels


def _sum_but(x: Array, labels: str, needed: set[str]) -> tuple[Array, str]:
    """Return the operand summed over the labels that are not needed."""
    gone = tuple(axis for axis, label in enumerate(labels) if label not in needed)
    if not gone:
        return x, labels
    return sum_(x, axis=gone, dtype=x.dtype), "".join(label for label in labels if label in needed)


def _contract(a: Array, of_a: str, b: Array, of_b: str, needed: set[str]) -> tuple[Array, str]:
    """Return the product of two operands, summed over the labels that nothing else needs.

    It is computed as a matrix product: labels that both have and that are needed later become stacks.
    """
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
    """Return the operand with the axes of each group of labels joined into one axis."""
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
    """Return ``x`` with elements added before and after it along each axis, as ``numpy.pad`` adds them.

    Parameters
    ----------
    x : Array
        Of any dtype.
    pad_width : int, pair or sequence of pairs
        How many elements: one number for all ends, a pair (before, after) for all axes, or a pair for
        each axis.
    mode : {"constant", "edge", "reflect", "symmetric", "wrap"}
        What is added: a constant, the last element, the mirror image without or with the last element, or
        the elements at the other end.
    constant_values : number, pair or sequence of pairs
        The constants, in the same forms as ``pad_width``.

    Returns
    -------
    Array
        The dtype of ``x``, longer along each axis by the sum of its pair.

    Raises
    ------
    ArgumentError
        If ``mode`` is anything else, or an empty axis is to be padded with its elements.
    ArgumentTypeError
        If ``pad_width`` is not made of integers that are not negative.
    ShapeError
        If ``pad_width`` or ``constant_values`` has another number of pairs than ``x`` has axes.
    """
    if type(x) is not Array:
        raise not_an_array("pad", x)
    if mode != "constant" and mode not in _BY_INDEX:
        raise ArgumentError(f"pad: mode must be 'constant' or one of {', '.join(_BY_INDEX)}, got {mode!r}")
    widths = _pairs("pad_width", pad_width, x.ndim)
    if type(constant_values) is Array and not constant_values.ndim:
        constant_values = number("pad", "constant_values", constant_values)
    values = _pairs("constant_values", constant_values, x.ndim)
    for axis, (before, after) in enumerate(widths):
        if not before and not after:
            continue
        if mode == "constant":
            x = _padded(x, axis, (before, after), values[axis])
        else:
            if not x.shape[axis]:
                raise ArgumentError(
                    f"pad: axis {axis} is empty, so mode {mode!r} has nothing to repeat; use 'constant'"
                )
            order = np.pad(np.arange(x.shape[axis]), (before, after), mode=mode)  # type: ignore[call-overload]
            x = take(x, lift("pad", order), axis=axis)
    return x


def _pairs(name: str, value: Any, ndim: int) -> list[tuple[Any, Any]]:
    """Return ``value`` as a pair for each axis."""
    try:
        pairs = np.broadcast_to(np.asarray(value), (ndim, 2))
    except ValueError:
        raise ShapeError(
            f"pad: {name} must be one number, a pair, or a pair for each of {ndim} axes, got {value!r}"
        ) from None
    if name == "pad_width" and (pairs.dtype.kind not in "iu" or (pairs < 0).any()):
        raise ArgumentTypeError(f"pad: pad_width must be integers that are not negative, got {value!r}")
    return [(first, last) for first, last in pairs.tolist()]


def _padded(x: Array, axis: int, widths: tuple[int, int], values: tuple[Any, Any]) -> Array:
    """Return ``x`` with constants before and after it along one axis."""
    before, after = (
        full_on("pad", x._device, (*x.shape[:axis], width, *x.shape[axis + 1 :]), value, x.dtype)
        for width, value in zip(widths, values, strict=True)
    )
    return concat([before, x, after], axis=axis)


# -- diag -------------------------------------------------------------------------------------


def diag(x: Array, /, k: int = 0) -> Array:
    """Return a matrix with the vector ``x`` on one diagonal, or that diagonal of the matrix ``x``.

    Parameters
    ----------
    x : Array
        Of any dtype, with one or two axes.
    k : int
        The diagonal: 0 for the main one, positive above it, negative below it.

    Returns
    -------
    Array
        The dtype of ``x``: of shape ``(n + abs(k), n + abs(k))`` for a vector of length ``n``,
        one-dimensional for a matrix.

    Raises
    ------
    ShapeError
        If ``x`` has another number of axes; ``linalg.diagonal`` takes stacks of matrices.
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
    # The first column of an n x (n + 1) matrix becomes the diagonal when its elements are put into rows of n.
    zeros = full_on("diag", x._device, (n, n), 0, x.dtype)
    rows = concat([expand_dims(x, axis=1), zeros], axis=1)
    matrix = reshape(reshape(rows, (-1,))[: n * n], (n, n))
    return pad(matrix, ((max(-k, 0), max(k, 0)), (max(k, 0), max(-k, 0)))) if k else matrix


# -- einops -----------------------------------------------------------------------------------


def register_einops() -> None:
    """Make arrays known to einops, so that ``einops.rearrange`` and its other functions take them.

    Call it once. The functions in ``einops.array_api`` need no registration.

    Raises
    ------
    ImportError
        If einops is not installed.
    """
    _einops_backend()


@cache  # einops finds a backend among the living subclasses of its own class, so the class must not be freed
def _einops_backend() -> type:
    """Return the class through which einops handles arrays of burn_array."""
    from einops import _backends

    class BurnArrayBackend(_backends.AbstractBackend):  # type: ignore[misc]
        """What einops calls to handle arrays of burn_array."""

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

    return BurnArrayBackend


# -- triangular systems -------------------------------------------------------------------------------


def solve_triangular(
    a: Array, b: Array, /, *, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False
) -> Array:
    """Return the solution ``x`` of ``a @ x = b`` for triangular matrices, as ``scipy.linalg.solve_triangular``.

    Parameters
    ----------
    a : Array
        Of shape ``(..., N, N)``. Only the upper or lower triangle is read.
    b : Array
        Of shape ``(..., N, K)``, or ``(N,)`` for one right-hand side; leading axes are broadcast with those
        of ``a``.
    trans : {0, 1, 2, "N", "T", "C"}
        Which system to solve: ``a @ x = b``, that of the transpose (1, "T"), or that of the conjugate
        transpose (2, "C").
    lower : bool
        Whether ``a`` is lower triangular.
    unit_diagonal : bool
        Whether the diagonal of ``a`` is taken to be 1, without reading it.

    Returns
    -------
    Array
        Of the promoted floating dtype, and the shape of ``b`` with the leading axes broadcast. If the diagonal has a
        zero, the library raises an ``ArgumentError`` or returns infinities and NaN.

    Raises
    ------
    ArgumentError
        If ``trans`` is anything else.
    ShapeError
        If ``a`` is not square, or the shapes do not fit.
    """
    for one in (a, b):
        if type(one) is not Array:
            raise not_an_array("solve_triangular", one)
    if trans not in _TRANSPOSED:
        raise ArgumentError(f"solve_triangular: trans must be 0, 1, 2, 'N', 'T' or 'C', got {trans!r}")
    if a.ndim < 2 or not b.ndim or a.shape[-1] != a.shape[-2] or b.shape[-2:][0] != a.shape[-1]:
        raise ShapeError(
            f"solve_triangular: shapes {a.shape} and {b.shape} do not fit; expected (..., N, N) and (..., N, K) or (N,)"
        )
    dtype = result_type(a, b)
    if not isdtype(dtype, ("real floating", "complex floating")):
        dtype = result_type(a, b, 1.0)
    a, b = astype(a, dtype, copy=False), astype(b, dtype, copy=False)
    if _TRANSPOSED[trans]:
        a, lower = matrix_transpose(a), not lower
        a = conj(a) if _TRANSPOSED[trans] == "C" and isdtype(dtype, "complex floating") else a
    columns = expand_dims(b, axis=-1) if b.ndim == 1 else b
    at, natives = unwrap("solve_triangular", (a, columns))
    native = call("solve_triangular", at, *natives, lower=bool(lower), unit_diagonal=bool(unit_diagonal))
    solved = wrap(at, native)
    return squeeze(solved, axis=-1) if b.ndim == 1 else solved


_TRANSPOSED: dict[int | str, str] = {0: "", "N": "", 1: "T", "T": "T", 2: "C", "C": "C"}
