"""Creation functions on CuPy. Each override has a canary in ``tests/adapters/cupy/test_cupy_quirks.py``."""

from __future__ import annotations

import math
import operator
from typing import Any

import cupy
import numpy as np

from ..common import indexing


def _filled(make: Any) -> Any:
    """Return ``empty``, ``ones`` or ``zeros`` with the signature of the standard.

    CuPy's functions have no parameter ``device``; by the standard they have. The adapter makes its GPU the current one.

    No upstream issue is known; last seen in 14.2.0. Canaries: ``empty``, ``ones`` and ``zeros``.
    """
    return staticmethod(lambda shape, *, dtype, device: make(shape, dtype=dtype))


def _full(shape: Any, value: Any, *, dtype: Any, device: Any) -> Any:
    """Return an array with the same number everywhere.

    CuPy has no parameter ``device``, and before 14.1 it stored an integer that does not fit as some other integer. The
    standard has the parameter and leaves such integers open; NumPy raises an error.

    No upstream issue is known; last seen in 14.2.0. Canary: ``full``.
    """
    if type(value) is int:
        indexing.check_fits(value, dtype)
    return cupy.full(shape, value, dtype=dtype)


def _arange(start: Any, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """Return evenly spaced numbers from ``start`` up to ``stop``.

    CuPy converts start and step to the dtype of the result first: in float16 a large step is infinite, and the first
    number is then NaN. By the standard number ``i`` is ``start + i * step``. Here length and numbers are computed in
    float64, and integers modulo 2**64.

    No upstream issue is known; last seen in 14.2.0. Canary: ``arange``.
    """
    start, stop = (0, start) if stop is None else (start, stop)
    whole = all(isinstance(value, int) for value in (start, stop, step))
    dtype = np.dtype("int64" if whole else "float64") if dtype is None else dtype
    if whole:
        length = len(range(start, stop, step))
        counter = cupy.arange(length, dtype=np.int64)
        if np.dtype(dtype).kind in "iu":  # arithmetic of int64 is modulo 2**64
            start, step = ((value + 2**63) % 2**64 - 2**63 for value in (start, step))
        return (counter * step + start).astype(dtype) if length else cupy.empty(0, dtype=dtype)
    length = max(0, math.ceil((stop - start) / step))
    return (cupy.arange(length, dtype=np.float64) * step + start).astype(dtype)


def _linspace(start: Any, stop: Any, num: int, *, dtype: Any, device: Any, endpoint: bool) -> Any:
    """Return ``num`` evenly spaced numbers.

    CuPy refuses complex limits; the standard takes them.

    https://github.com/cupy/cupy/issues/9370, last seen in 14.2.0. Canary: ``linspace``.
    """
    parts = num - 1 if endpoint else num
    work = np.complex128 if dtype.kind == "c" else np.float64
    counter = cupy.arange(num, dtype=np.float64)
    delta = stop - start
    step = delta / parts if parts > 0 else delta
    values = (counter / parts * delta if step == 0 and parts > 0 else counter * step) + start
    values = values.astype(work)
    if endpoint and num > 1:
        values[-1] = stop
    return cupy.floor(values).astype(dtype) if dtype.kind in "iu" else values.astype(dtype)


def _eye(rows: int, columns: int, *, k: int, dtype: Any, device: Any) -> Any:
    """Return a matrix with ones on a diagonal.

    CuPy's function has no parameter ``device``; by the standard it has.

    No upstream issue is known; last seen in 14.2.0. Canary: ``eye``.
    """
    return cupy.eye(rows, columns, k=k, dtype=dtype)


def _triangle(keep: Any) -> Any:
    """Return ``tril`` or ``triu``; ``keep`` compares column minus row with ``k``."""

    def function(x: Any, *, k: int) -> Any:
        rows, columns = x.shape[-2:]
        kept = keep(cupy.arange(columns) - cupy.arange(rows)[:, None], k)
        return cupy.where(kept, x, cupy.zeros((), dtype=x.dtype))

    return staticmethod(function)


class CreationFunctions:
    """The page ``creation functions`` of the standard."""

    arange = staticmethod(_arange)
    empty = _filled(cupy.empty)
    eye = staticmethod(_eye)
    full = staticmethod(_full)
    linspace = staticmethod(_linspace)
    meshgrid = staticmethod(cupy.meshgrid)
    ones = _filled(cupy.ones)
    tril = _triangle(operator.le)
    triu = _triangle(operator.ge)
    zeros = _filled(cupy.zeros)
