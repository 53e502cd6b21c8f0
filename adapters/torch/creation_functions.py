"""Creation functions on PyTorch. Its ``empty``, ``ones`` and ``zeros`` need no override."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from burn_array.errors import ArgumentError

from .dtypes import (
    COMPLEX,
    FLOATS,
    INTS,
    SIGNED_OF,
    cast,
    filled,
    from_int64,
    signed_scalar,
    via_signed,
    weak_scalar,
)

Shape = int | Sequence[int]


def _shape(shape: Shape) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def _exact(device: torch.device) -> torch.dtype:
    """Return the dtype in which to compute the values of ``arange`` and ``linspace``."""
    return torch.float32 if device.type == "mps" else torch.float64


class CreationFunctions:
    """The page ``creation functions`` of the standard."""

    @staticmethod
    def arange(
        start: Any, stop: Any = None, step: Any = 1, *, dtype: torch.dtype, device: Any
    ) -> torch.Tensor:
        """PyTorch computes the length in the dtype of the result, and refuses wide unsigned dtypes.

        The standard's length is ``ceil((stop - start) / step)``, which is computed here with Python numbers.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.arange.html), last seen in 2.13.0.
        """
        start, stop = (0, start) if stop is None else (start, stop)
        if (
            dtype is torch.int64
            and type(start) is type(stop) is type(step) is int
            and start < stop
            and step > 0
        ):
            return torch.arange(start, stop, step, dtype=dtype, device=device)
        count = max(_ceil_divide(stop - start, step), 0)
        positions = torch.arange(count, device=device)
        if dtype in INTS and isinstance(start, int) and isinstance(step, int):
            whole = positions * signed_scalar(step, torch.int64) + signed_scalar(start, torch.int64)
            return from_int64(whole, dtype)
        return cast(positions.to(_exact(device)) * step + start, dtype)

    @staticmethod
    def eye(
        n_rows: int, n_cols: int | None = None, *, k: int = 0, dtype: torch.dtype, device: Any
    ) -> torch.Tensor:
        """PyTorch's ``eye`` has the main diagonal only; the standard's has a ``k``-th one.

        array_api_compat's function is slower, because it fills a diagonal of zeros for every ``k``.

        https://github.com/pytorch/pytorch/issues/70910, last seen in 2.13.0.
        """
        n_cols = n_rows if n_cols is None else n_cols
        if not k and dtype not in SIGNED_OF:
            return torch.eye(n_rows, n_cols, dtype=dtype, device=device)
        result = torch.zeros((n_rows, n_cols), dtype=SIGNED_OF.get(dtype, dtype), device=device)
        if -n_rows < k < n_cols:
            torch.diagonal(result, k).fill_(1)
        return result.view(dtype)

    @staticmethod
    def full(shape: Shape, fill_value: Any, *, dtype: torch.dtype, device: Any) -> torch.Tensor:
        if isinstance(fill_value, torch.Tensor):
            return cast(fill_value, dtype).to(device).expand(_shape(shape)).clone()
        return filled(_shape(shape), weak_scalar(fill_value, dtype), dtype, device)

    @staticmethod
    def linspace(
        start: Any, stop: Any, num: int, *, dtype: torch.dtype, device: Any, endpoint: bool = True
    ) -> torch.Tensor:
        """PyTorch misses ``stop`` by rounding, and has no ``endpoint``; the standard asks for both.

        So the values are computed in double precision, and the last one is set to ``stop``.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.linspace.html), last seen in
        2.13.0.
        """
        if dtype in COMPLEX:
            parts = [
                CreationFunctions.linspace(a, b, num, dtype=_exact(device), device=device, endpoint=endpoint)
                for a, b in (
                    (complex(start).real, complex(stop).real),
                    (complex(start).imag, complex(stop).imag),
                )
            ]
            return cast(torch.complex(*parts), dtype)
        if num < 0:
            raise ArgumentError(f"linspace: the number of samples is {num}, which is negative")
        intervals = num - 1 if endpoint else num
        positions = torch.arange(num, dtype=_exact(device), device=device)
        step = (stop - start) / intervals if intervals > 0 else 0.0
        result = (
            positions.mul_(step).add_(start)
            if step
            else positions / max(intervals, 1) * (stop - start) + start
        )
        if endpoint and num > 1:
            result[-1:].fill_(stop)
        return cast(result if dtype in FLOATS else torch.floor(result), dtype)

    @staticmethod
    def meshgrid(*arrays: torch.Tensor, indexing: str = "xy") -> tuple[torch.Tensor, ...]:
        """PyTorch's grids are views whose elements share memory, which cannot be written to; these are copies.

        No upstream issue known (https://docs.pytorch.org/docs/stable/generated/torch.meshgrid.html), last seen in
        2.13.0.
        """
        if indexing not in ("xy", "ij"):
            raise ArgumentError(f"meshgrid: indexing is 'xy' or 'ij', not {indexing!r}")
        if not arrays:
            return ()
        count = len(arrays)
        places = [1, 0, *range(2, count)] if indexing == "xy" and count > 1 else list(range(count))
        shape = [arrays[i].numel() for i in places]
        shaped = (x.reshape((-1,) + (1,) * (count - 1 - i)) for i, x in zip(places, arrays, strict=True))
        return tuple(x.expand(shape).clone() for x in shaped)

    @staticmethod
    @via_signed
    def tril(x: torch.Tensor, *, k: int = 0) -> torch.Tensor:
        return torch.tril(x, diagonal=k)

    @staticmethod
    @via_signed
    def triu(x: torch.Tensor, *, k: int = 0) -> torch.Tensor:
        return torch.triu(x, diagonal=k)


def _ceil_divide(length: Any, step: Any) -> int:
    """Return ``length / step`` rounded up."""
    if isinstance(length, int) and isinstance(step, int):
        return -(-length // step)
    return math.ceil(length / step)
