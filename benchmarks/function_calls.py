"""One call of every function of the standard at any size, and what a user of NumPy, CuPy or PyTorch writes for it.

``xp`` is the namespace that is measured. The operands are ``a`` and ``b`` (of the measured dtype, ``n`` elements),
``c`` (a vector of ``r`` elements) and ``w`` (``r`` by ``r``), where ``r * r`` is about ``n``; ``d`` (``n / 3`` by 3),
``m`` (2 by ``n / 2``), ``g`` (float64, above one), ``o`` (float64, sorted), ``i`` and ``j`` (int64, positive),
``k`` (int32), ``p`` and ``q`` (bool), ``z`` (complex128), ``h`` (an ndarray), and ``s``, a symmetric positive definite
matrix of ``l`` by ``l``.
"""

from __future__ import annotations

import math
from typing import Any

import cases
import numpy as np

MATRIX = tuple(
    name
    for name, text in cases.CALLS.items()
    if "(s" in text and name not in ("linalg.cross", "linalg.tensordot", "tensordot")
)
"""Functions that are measured on a matrix ``s``; their time depends on its size, not on the number of elements."""
WITHOUT_ARRAYS = (
    "can_cast",
    "finfo",
    "iinfo",
    "isdtype",
    "result_type",
    "broadcast_shapes",
    "__array_namespace_info__",
)

CALLS: dict[str, str] = {
    **cases.CALLS,
    "arange": "xp.arange(n)",
    "asarray": "xp.asarray(h, copy=True)",
    "empty": "xp.empty(n)",
    "eye": "xp.eye(r)",
    "full": "xp.full(n, 1.5)",
    "linspace": "xp.linspace(0.0, 1.0, n)",
    "meshgrid": "xp.meshgrid(c, c)",
    "ones": "xp.ones(n)",
    "zeros": "xp.zeros(n)",
    "tril": "xp.tril(w)",
    "triu": "xp.triu(w)",
    "fft.fftfreq": "xp.fft.fftfreq(n)",
    "fft.rfftfreq": "xp.fft.rfftfreq(n)",
    "linalg.cross": "xp.linalg.cross(d, d)",
    "linalg.outer": "xp.linalg.outer(c, c)",
    "linalg.tensordot": "xp.linalg.tensordot(w, w)",
    "tensordot": "xp.tensordot(w, w)",
    "broadcast_to": "xp.broadcast_to(a, (2, n))",
    "searchsorted": "xp.searchsorted(o, a)",
    "isin": "xp.isin(i, j[:10])",
    "conj": "xp.conj(z)",
    "imag": "xp.imag(z)",
    "real": "xp.real(z)",
    **{
        name: f"xp.{name}(a)"
        for name in "max mean min prod std sum var argmax argmin count_nonzero all any".split()
    },
}
"""A call for every function of the standard, by its name."""

STATEMENTS: dict[str, str] = {
    "x[1:] = x[:-1]": "a[1:] = a[:-1]",
    "x[::2] = y": "a[::2] = b[::2]",
    "x[1:] -= y": "a[1:] -= b[1:]",
    "x += y": "a += b",
    "x *= 1": "a *= 1",
    "int64 += int32": "i += k",
    "int64 + int32": "i + k",
    "int64 // 7": "i // 7",
    "int64 % 7": "i % 7",
    "int64 &= 7": "i &= 7",
    "x[p]": "a[p]",
    "x[i]": "a[i]",
    "x[p] = 1": "a[p] = 1",
    "x.T copied": "w.T + 0.0",
    "float64 // 2.0": "g // 2.0",
    "float64 % 2.0": "g % 2.0",
    "clip by arrays": "xp.clip(a, a, b)",
    "count_nonzero(axis=0)": "xp.count_nonzero(m, axis=0)",
    "sum(axis=0)": "xp.sum(m, axis=0)",
    "vecdot of rows": "xp.vecdot(m, m)",
}
"""What is written without a function of the standard, or with other arguments."""

OTHER_DTYPES = ("bool", "uint8", "int32", "int64", "float32", "complex64")
_ANY = (
    "all any argmax argsort astype concat count_nonzero cumulative_sum diff equal flip logical_and logical_not maximum "
    "max nonzero roll repeat sort sum take unique_values where"
).split()
_NUMBERS = "abs add clip cumulative_prod multiply negative prod square subtract vecdot".split()
_INTEGERS = "bitwise_and bitwise_invert floor_divide less min minimum remainder sign searchsorted".split()
_FLOATS = "divide exp mean sqrt std var isnan isfinite reciprocal".split()
_NO_COMPLEX = {"astype", "argmax", "argsort", "maximum", "max", "sort", "clip", "unique_values"}
CALLS_BY_DTYPE: dict[str, list[str]] = {
    "bool": [*_ANY, "bitwise_and", "bitwise_invert"],
    **{dtype: [*_ANY, *_NUMBERS, *_INTEGERS] for dtype in ("uint8", "int32", "int64")},
    "float32": [*_ANY, *_NUMBERS, *[name for name in _INTEGERS if "bitwise" not in name], *_FLOATS],
    "complex64": [name for name in (*_ANY, *_NUMBERS, *_FLOATS, "sign") if name not in _NO_COMPLEX],
}
"""Functions that are measured in other dtypes than float64, where a library is likely to convert or to copy."""
_OTHER_CALLS = {
    "astype": "xp.astype(a, xp.float64)",
    "clip": "xp.clip(a, 2, 60)",
    "bitwise_and": "xp.bitwise_and(a, b)",
    "bitwise_invert": "xp.bitwise_invert(a)",
    "logical_and": "xp.logical_and(a, b)",
    "logical_not": "xp.logical_not(a)",
    "nonzero": "xp.nonzero(a)",
    "searchsorted": "xp.searchsorted(xp.sort(a[:1000]), b)",
}

_OWN = {
    "astype": "a.astype(xp.float32)",
    "sort": "xp.sort(a, kind='stable')",
    "argsort": "xp.argsort(a, kind='stable')",
}
NATIVE: dict[str, dict[str, str]] = {
    "numpy": {**_OWN, "asarray": "xp.array(h)", "unique_values": "xp.unique(a)"},
    "cupy": {
        **_OWN,
        "asarray": "xp.array(h)",
        "unique_values": "xp.unique(a)",
        "concat": "xp.concatenate((a, b))",
        "pow": "xp.power(a, b)",
        "permute_dims": "xp.transpose(m, (1, 0))",
        "bitwise_invert": "xp.invert(i)",
        "cumulative_sum": "xp.cumsum(a)",
        "cumulative_prod": "xp.cumprod(a)",
        "matrix_transpose": "s.T",
    },
    "torch": {
        **cases.NATIVE["torch"],
        "arange": "xp.arange(n, device=a.device)",
        "asarray": "xp.tensor(h, device=a.device)",
        **{name: f"xp.{name}(n, dtype=xp.float64, device=a.device)" for name in ("empty", "ones", "zeros")},
        "eye": "xp.eye(r, dtype=xp.float64, device=a.device)",
        "full": "xp.full((n,), 1.5, dtype=xp.float64, device=a.device)",
        "linspace": "xp.linspace(0.0, 1.0, n, dtype=xp.float64, device=a.device)",
        "fft.fftfreq": "xp.fft.fftfreq(n, dtype=xp.float64, device=a.device)",
        "fft.rfftfreq": "xp.fft.rfftfreq(n, dtype=xp.float64, device=a.device)",
        "meshgrid": "[x.clone() for x in xp.meshgrid(c, c, indexing='xy')]",
        "positive": "a.clone()",
        "equal": "xp.eq(a, b)",
        "max": "xp.amax(a)",
        "min": "xp.amin(a)",
        "std": "xp.std(a, correction=0)",
        "var": "xp.var(a, correction=0)",
        "cumulative_sum": "xp.cumsum(a, 0)",
        "cumulative_prod": "xp.cumprod(a, 0)",
        "conj": "xp.conj(z).resolve_conj()",
        "nonzero": "xp.nonzero(p, as_tuple=True)",
        "sort": "xp.sort(a, stable=True)[0]",
        "argsort": "xp.argsort(a, stable=True)",
        "unique_values": "xp.unique(a)",
        "unique_counts": "xp.unique(a, return_counts=True)",
        "unique_inverse": "xp.unique(a, return_inverse=True)",
        "unique_all": "xp.unique(a, return_inverse=True, return_counts=True)",
        "broadcast_arrays": "xp.broadcast_tensors(a, b)",
        "take_along_axis": "xp.take_along_dim(a, i, 0)",
        "matrix_transpose": "s.mT",
        "linalg.matrix_transpose": "s.mT",
        "linalg.outer": "xp.outer(c, c)",
        "linalg.tensordot": "xp.tensordot(w, w)",
        "linalg.trace": "xp.trace(s)",
        "vecdot": "xp.linalg.vecdot(a, b)",
        "x[1:] = x[:-1]": "a[1:] = a[:-1].clone()",
        "count_nonzero(axis=0)": "xp.count_nonzero(m, dim=0)",
        "sum(axis=0)": "xp.sum(m, 0)",
        "vecdot of rows": "xp.linalg.vecdot(m, m)",
    },
}
"""What a user of the library writes if the function of that name is missing or means something else."""
_TORCH_INTEGERS = {
    "vecdot": "xp.dot(a, b)",
    "bitwise_invert": "xp.bitwise_not(a)",
    "nonzero": "xp.nonzero(a, as_tuple=True)",
    "searchsorted": "xp.searchsorted(xp.sort(a[:1000])[0], b)",
}


def call(name: str, dtype: str) -> str:
    """Return the source text of a call in a dtype."""
    text = STATEMENTS.get(name) or CALLS[name]
    return text if dtype == "float64" else _OTHER_CALLS.get(name, text)


def native_call(name: str, dtype: str, library: str) -> str:
    """Return what a user of the library writes for ``call(name, dtype)``."""
    known = NATIVE.get(library, {})
    if dtype != "float64":
        if library == "torch" and name in _TORCH_INTEGERS:
            return _TORCH_INTEGERS[name]
        if library == "cupy" and name == "bitwise_invert":
            return "xp.invert(a)"
        if name == "astype":
            return "a.to(xp.float64)" if library == "torch" else "a.astype(xp.float64)"
        if name in _OTHER_CALLS:
            return call(name, dtype)
    return known.get(name) or call(name, dtype)


def operands(dtype: str, n: int, size: int) -> dict[str, Any]:
    """Return the operands as ndarrays, for ``n`` elements and matrices of ``size`` by ``size``."""
    rng = np.random.default_rng(2025)
    step = rng.uniform(0.05, 0.95, n)
    other = rng.uniform(0.05, 0.95, n)
    r = max(math.isqrt(n), 3)
    a, b = (_in_dtype(x, dtype) for x in (step, other))
    factor = np.eye(size) + np.triu(rng.uniform(0, 1 / size, (size, size)), 1)
    return {
        "a": a,
        "b": b,
        "c": rng.uniform(0.05, 0.95, r),
        "w": rng.uniform(0.05, 0.95, (r, r)),
        "d": step[: n // 3 * 3].reshape(-1, 3),
        "m": a[: n // 2 * 2].reshape(2, -1),
        "g": step + 1.5,
        "o": np.linspace(0.0, 1.0, n),
        "i": rng.integers(0, 10, n),
        "j": rng.integers(1, 11, n),
        "k": rng.integers(1, 11, n, dtype=np.int32),
        "p": step > 0.5,
        "q": step > 0.3,
        "z": step + 1j * other,
        "h": step,
        "s": factor @ factor.T,
    }


def _in_dtype(x: Any, dtype: str) -> Any:
    """Return numbers below one in ``dtype``: integers from 5 to 95, and about as many true as false bools."""
    if dtype == "bool":
        return x > 0.5
    if dtype.startswith("complex"):
        return (x + 0.5j * x[::-1]).astype(dtype)
    return x.astype(dtype) if dtype.startswith("float") else (100 * x).astype(dtype)
