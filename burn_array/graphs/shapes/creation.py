"""Functions that make arrays from numbers, and those that draw random numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import CaptureError
from ..values import Spec
from . import rule
from .probing import probe


@rule("zeros", "ones", "empty")
def _filled(shape: Any, *, dtype: Any) -> Spec:
    return Spec(tuple(shape), dtype)


@rule("full")
def _full(shape: Any, fill_value: Any, *, dtype: Any) -> Spec:
    probe(
        "full", ((), fill_value), {"dtype": dtype, "device": None}
    )  # raises if the dtype cannot hold the number
    return Spec(tuple(shape), dtype)


@rule("arange")
def _arange(start: Any, stop: Any, step: Any, *, dtype: Any) -> Spec:
    exact = all(isinstance(one, int) for one in (start, stop, step))
    length = len(range(start, stop, step)) if exact else max(0, math.ceil((stop - start) / step))
    return Spec((length,), dtype)


@rule("linspace")
def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, endpoint: bool) -> Spec:
    return Spec((num,), dtype)


@rule("eye")
def _eye(rows: int, columns: int | None = None, *, k: int, dtype: Any) -> Spec:
    return Spec((rows, rows if columns is None else columns), dtype)


@rule("fft.fftfreq")
def _fftfreq(n: int, *, d: float, dtype: Any) -> Spec:
    return Spec((n,), dtype)


@rule("fft.rfftfreq")
def _rfftfreq(n: int, *, d: float, dtype: Any) -> Spec:
    return Spec((n // 2 + 1,), dtype)


@rule("random.uniform", "random.normal")
def _drawn(shape: Any, dtype: Any) -> Spec:
    return Spec(tuple(shape), dtype)


@rule("random.integers")
def _integers(shape: Any, low: int, high: int, dtype: Any) -> Spec:
    if low >= high:
        raise ValueError(f"low must be less than high, got {low} and {high}")
    return Spec(tuple(shape), dtype)


@rule("random.permutation")
def _permutation(n: int) -> Spec:
    return Spec((n,), np.dtype("int64"))


@rule("random.get_state", "random.set_state")
def _state(*_: Any) -> Any:
    raise CaptureError(
        "the state of a generator belongs to a device, which the replay chooses; call it outside of the capture"
    )
