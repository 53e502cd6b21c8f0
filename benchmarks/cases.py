"""One call of every function of the standard, on about ten elements, as source text.

``xp`` is the namespace that is measured. The operands are ``a`` and ``b`` (float64, positive, below one),
``g`` (float64, above one), ``i`` and ``j`` (int64, small, positive), ``p`` and ``q`` (bool), ``z``
(complex128), ``m`` (float64, 2 by 5), ``s`` (float64, 3 by 3, symmetric, positive definite), ``n`` (a list).
"""

from __future__ import annotations

from typing import Any

import numpy as np

HOT: dict[str, str] = {
    "xp.add": "xp.add(a, b)",
    "a + b": "a + b",
    "a + 1.0": "a + 1.0",
    "xp.sin": "xp.sin(a)",
    "xp.sum(axis=0)": "xp.sum(a, axis=0)",
    "x[2:5]": "a[2:5]",
    "xp.reshape": "xp.reshape(a, (2, -1))",
    "xp.where": "xp.where(p, a, b)",
    "xp.concat": "xp.concat((a, b))",
}
"""The hot calls: those that programs make most."""

VIEWS = ("x[2:5]", "xp.reshape")
"""Hot calls that return a view, so that their time does not depend on the size."""

_UNARY = (
    "abs asin asinh atan acos atanh ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan log log1p "
    "log2 log10 negative positive real reciprocal round sign signbit sin sinh square sqrt tan tanh trunc"
).split()
_BINARY = (
    "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp "
    "maximum minimum multiply nextafter not_equal pow remainder subtract"
).split()
_INTEGER = "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor".split()
_LOGICAL = "logical_and logical_or logical_xor".split()
_REDUCTION = "max mean min prod std sum var argmax argmin count_nonzero all any".split()
_MATRIX = (
    "linalg.cholesky linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv "
    "linalg.matrix_norm linalg.matrix_rank linalg.matrix_transpose linalg.pinv linalg.qr linalg.slogdet "
    "linalg.svd linalg.svdvals linalg.trace matrix_transpose"
).split()
_FFT = "fft ifft fftn ifftn rfft rfftn ihfft fftshift ifftshift".split()
_UNIQUE = "unique_all unique_counts unique_inverse unique_values".split()

CALLS: dict[str, str] = {
    "arange": "xp.arange(10)",
    "asarray": "xp.asarray(n)",
    "empty": "xp.empty(10)",
    "empty_like": "xp.empty_like(a)",
    "eye": "xp.eye(3)",
    "from_dlpack": "xp.from_dlpack(a)",
    "full": "xp.full(10, 1.5)",
    "full_like": "xp.full_like(a, 1.5)",
    "linspace": "xp.linspace(0.0, 1.0, 10)",
    "meshgrid": "xp.meshgrid(a, b)",
    "ones": "xp.ones(10)",
    "ones_like": "xp.ones_like(a)",
    "tril": "xp.tril(m)",
    "triu": "xp.triu(m)",
    "zeros": "xp.zeros(10)",
    "zeros_like": "xp.zeros_like(a)",
    "astype": "xp.astype(a, xp.float32)",
    "can_cast": "xp.can_cast(xp.float32, xp.float64)",
    "finfo": "xp.finfo(xp.float64)",
    "iinfo": "xp.iinfo(xp.int64)",
    "isdtype": "xp.isdtype(xp.float64, 'real floating')",
    "result_type": "xp.result_type(a, b)",
    "acosh": "xp.acosh(g)",
    "bitwise_invert": "xp.bitwise_invert(i)",
    "clip": "xp.clip(a, 0.2, 0.8)",
    "logical_not": "xp.logical_not(p)",
    "fft.irfft": "xp.fft.irfft(z)",
    "fft.irfftn": "xp.fft.irfftn(z)",
    "fft.hfft": "xp.fft.hfft(z)",
    "fft.fftfreq": "xp.fft.fftfreq(10)",
    "fft.rfftfreq": "xp.fft.rfftfreq(10)",
    "take": "xp.take(a, i, axis=0)",
    "take_along_axis": "xp.take_along_axis(a, i, axis=0)",
    "linalg.cross": "xp.linalg.cross(s, s)",
    "linalg.matmul": "xp.linalg.matmul(s, s)",
    "linalg.matrix_power": "xp.linalg.matrix_power(s, 2)",
    "linalg.outer": "xp.linalg.outer(a, b)",
    "linalg.solve": "xp.linalg.solve(s, s)",
    "linalg.tensordot": "xp.linalg.tensordot(s, s)",
    "linalg.vecdot": "xp.linalg.vecdot(a, b)",
    "linalg.vector_norm": "xp.linalg.vector_norm(a)",
    "matmul": "xp.matmul(s, s)",
    "tensordot": "xp.tensordot(s, s)",
    "vecdot": "xp.vecdot(a, b)",
    "broadcast_arrays": "xp.broadcast_arrays(a, b)",
    "broadcast_shapes": "xp.broadcast_shapes((2, 5), (5,))",
    "broadcast_to": "xp.broadcast_to(a, (2, 10))",
    "concat": "xp.concat((a, b))",
    "expand_dims": "xp.expand_dims(a, axis=0)",
    "flip": "xp.flip(a, axis=0)",
    "moveaxis": "xp.moveaxis(m, 0, 1)",
    "permute_dims": "xp.permute_dims(m, (1, 0))",
    "repeat": "xp.repeat(a, 2)",
    "reshape": "xp.reshape(a, (2, -1))",
    "roll": "xp.roll(a, 1)",
    "squeeze": "xp.squeeze(a[None], axis=0)",
    "stack": "xp.stack((a, b))",
    "tile": "xp.tile(a, (2,))",
    "unstack": "xp.unstack(m)",
    "nonzero": "xp.nonzero(p)",
    "searchsorted": "xp.searchsorted(g, a)",
    "where": "xp.where(p, a, b)",
    "isin": "xp.isin(i, j)",
    "argsort": "xp.argsort(a)",
    "sort": "xp.sort(a)",
    "cumulative_prod": "xp.cumulative_prod(a)",
    "cumulative_sum": "xp.cumulative_sum(a)",
    "diff": "xp.diff(a)",
    "__array_namespace_info__": "xp.__array_namespace_info__()",
    **{name: f"xp.{name}(a)" for name in (*_UNARY, *_UNIQUE)},
    **{name: f"xp.{name}(a, b)" for name in _BINARY},
    **{name: f"xp.{name}(i, j)" for name in _INTEGER},
    **{name: f"xp.{name}(p, q)" for name in _LOGICAL},
    **{name: f"xp.{name}(m, axis=0)" for name in _REDUCTION},
    **{name: f"xp.{name}(s)" for name in _MATRIX},
    **{f"fft.{name}": f"xp.fft.{name}(a)" for name in _FFT},
}
"""A call for every function of the standard, by its name."""

NATIVE: dict[str, dict[str, str]] = {
    "torch": {
        "concat": "xp.cat((a, b))",
        "expand_dims": "xp.unsqueeze(a, 0)",
        "permute_dims": "xp.permute(m, (1, 0))",
        "astype": "a.to(xp.float32)",
        "max": "xp.amax(m, 0)",
        "min": "xp.amin(m, 0)",
        "std": "xp.std(m, 0, correction=0)",
        "var": "xp.var(m, 0, correction=0)",
        "flip": "xp.flip(a, (0,))",
        "repeat": "xp.repeat_interleave(a, 2)",
        "bitwise_invert": "xp.bitwise_not(i)",
        "pow": "xp.pow(a, b)",
        "take": "xp.index_select(a, 0, i)",
        "unstack": "xp.unbind(m)",
        "zeros": "xp.zeros(10, dtype=xp.float64)",
        "ones": "xp.ones(10, dtype=xp.float64)",
        "empty": "xp.empty(10, dtype=xp.float64)",
        "full": "xp.full((10,), 1.5, dtype=xp.float64)",
        "eye": "xp.eye(3, dtype=xp.float64)",
        "linspace": "xp.linspace(0.0, 1.0, 10, dtype=xp.float64)",
    }
}
"""What a user of the library writes if the function of that name is missing or means something else."""


def operands(scale: int = 1) -> dict[str, Any]:
    """Return the operands as NumPy arrays, the vectors ``scale`` times as long."""
    step = np.tile(np.linspace(0.05, 0.95, 10), scale)
    factor = np.asarray([[1.0, 0.2, 0.1], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]])
    return {
        "a": step,
        "b": step[::-1].copy(),
        "g": step + 1.5,
        "i": np.tile(np.arange(10), scale),
        "j": np.tile(np.arange(1, 11), scale),
        "p": step > 0.5,
        "q": step > 0.3,
        "z": step + 1j,
        "m": step.reshape(2, -1),
        "s": factor @ factor.T,
    }
