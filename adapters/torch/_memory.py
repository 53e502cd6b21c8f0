"""Whether tensors share memory, told from addresses, shapes and strides; PyTorch itself notices some overlaps only."""

from __future__ import annotations

import math

import torch

from ._host_values import traced


def share_memory(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Return whether two tensors may have elements in the same memory.

    The answer is exact for parts of one array that lie one after the other, or that alternate with equal strides, such
    as ``x[::2]`` and ``x[1::2]``, or ``x[:, :2]`` and ``x[:, 2:]``; for others it may be true without need. While
    PyTorch traces it is true.
    """
    if traced():
        return True
    first, second = a.data_ptr(), b.data_ptr()
    overlap = second < first + _extent(a) if first <= second else first < second + _extent(b)
    return overlap and not _alternate(a, b, second - first)


def _extent(x: torch.Tensor) -> int:
    """Return the number of bytes from the first element to the end of the last; strides of PyTorch are not negative."""
    if x.is_contiguous():  # as every array without elements is
        return x.nbytes
    count = 1
    for size, stride in zip(x.shape, x.stride(), strict=True):  # faster than the sum of a generator
        count += (size - 1) * stride
    return count * x.itemsize


def _alternate(a: torch.Tensor, b: torch.Tensor, distance: int) -> bool:
    """Return whether elements, or runs along the last axis, of ``b`` lie between those of ``a``.

    Then all strides but those within a run have a common divisor, and runs of both fit side by side into it.
    """
    for inner in (0, 1):
        step = math.gcd(*_outer_strides(a, inner), *_outer_strides(b, inner))
        if step and _run(a, inner) <= distance % step <= step - _run(b, inner):
            return True
    return False


def _outer_strides(x: torch.Tensor, inner: int) -> list[int]:
    """Return the strides in bytes of all axes but the ``inner`` last ones."""
    outer = max(x.ndim - inner, 0)
    return [
        stride * x.itemsize for size, stride in zip(x.shape[:outer], x.stride(), strict=False) if size > 1
    ]


def _run(x: torch.Tensor, inner: int) -> int:
    """Return the number of bytes from the first to the last element along the ``inner`` last axes, 0 or 1."""
    return ((x.shape[-1] - 1) * x.stride(-1) + 1 if inner and x.ndim else 1) * x.itemsize


def is_same_view(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Return whether two tensors of one dtype have the same elements in the same memory, in the same order."""
    return (
        not traced()
        and a.data_ptr() == b.data_ptr()
        and a.shape == b.shape
        and a.stride() == b.stride()
        and a.is_conj() is b.is_conj()
        and a.is_neg() is b.is_neg()
    )
