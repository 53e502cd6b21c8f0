"""Every function of the standard against NumPy's answer, on every device, by table."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import burn_array as bn
from burn_array.errors import ArgumentError, IntegerOverflowError

FUNCTIONS = json.loads((Path(__file__).parent / "array_api_2025_12.json").read_text())["functions"]

# Arrays: f, g floats, i, j ints, b bools, c complex, all of shape (2, 3); v, w of (3,); m, n of (3, 3); h Hermitian;
# z 0-d; e empty (0, 3); s a stack (2, 3, 3); k indices (3,). The right-hand side is NumPy's, "=" for the same text.
RENAMED = {
    "acos": "arccos",
    "acosh": "arccosh",
    "asin": "arcsin",
    "asinh": "arcsinh",
    "atan": "arctan",
    "atan2": "arctan2",
    "atanh": "arctanh",
    "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift",
    "bitwise_right_shift": "right_shift",
    "concat": "concatenate",
    "permute_dims": "transpose",
    "pow": "power",
}
UNARY = (
    "abs acos asin asinh atan ceil conj cos cosh exp expm1 floor isfinite isinf isnan log log10 log1p log2 negative "
    "positive real reciprocal round sign signbit sin sinh sqrt square tan tanh trunc imag"
).split()
BINARY = (
    "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum "
    "minimum multiply nextafter not_equal pow remainder subtract"
).split()
BITS = "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift".split()
REDUCTIONS = "sum prod max min mean var std any all count_nonzero".split()

CALLS: dict[str, str] = {
    **{f"xp.{name}({x})": "=" for name in UNARY for x in ("f - 0.25", "z", "e")},
    **{
        f"xp.{name}(c)": "="
        for name in "abs conj exp negative positive real imag reciprocal sign sin sqrt square tanh log".split()
    },
    **{f"xp.{name}(i)": "=" for name in "abs ceil floor negative positive round sign square trunc".split()},
    **{
        f"xp.{name}({x}, {y})": "="
        for name in BINARY
        for x, y in (("f", "g"), ("f", "v"), ("z", "f"), ("e", "v"), ("f", "2"))
    },
    **{
        f"xp.{name}(i, j)": "="
        for name in [*BITS, "add", "floor_divide", "remainder", "multiply", "equal", "less"]
    },
    **{f"xp.{name}(c, f)": "=" for name in "add divide equal multiply not_equal subtract pow".split()},
    **{f"xp.{name}(b, b[0])": "=" for name in "logical_and logical_or logical_xor equal".split()},
    **{
        f"xp.{name}(f{axis})": "="
        for name in REDUCTIONS
        for axis in ("", ", axis=0", ", axis=-1, keepdims=True", ", axis=(0, 1)", ", axis=()")
    },
    **{f"xp.{name}(e, axis=0)": "=" for name in "sum prod any all count_nonzero".split()},
    **{f"xp.{name}(z)": "=" for name in REDUCTIONS},
    **{
        f"xp.{name}(i, axis=0)": "="
        for name in "sum prod max min any all count_nonzero argmax argmin".split()
    },
    **{
        f"xp.linalg.{name}({x})": "="
        for name in "det inv slogdet eigvalsh svdvals matrix_norm trace pinv".split()
        for x in "hs"
    },
    **{
        f"xp.fft.{name}({x})": "="
        for name in "fft ifft fftn ifftn fftshift ifftshift".split()
        for x in ("f", "c")
    },
    **{
        f"xp.fft.{name}(f{more})": "="
        for name in "rfft ihfft".split()
        for more in ("", ", n=4", ", axis=0", ", norm='ortho'")
    },
    **{
        f"xp.fft.{name}(c{more})": "="
        for name in "irfft hfft".split()
        for more in ("", ", n=5", ", axis=0", ", norm='forward'")
    },
    "xp.acosh(f + 1)": "=",
    "xp.atanh(f / 8)": "=",
    "xp.logical_not(b)": "=",
    "xp.bitwise_invert(i)": "=",
    "xp.clip(f, 0.5, 1.5)": "=",
    "xp.clip(f, v, None)": "=",
    "xp.clip(i, None, 3)": "=",
    "xp.where(b, f, g)": "=",
    "xp.where(b[0], f, 0)": "=",
    "xp.where(b, z, v)": "=",
    "xp.arange(5)": "=",
    "xp.arange(1.5, 4, 0.5)": "=",
    "xp.arange(5, 0, -2)": "=",
    "xp.arange(3, 3)": "=",
    "xp.linspace(0, 1, 5)": "=",
    "xp.linspace(1, 0, 4, endpoint=False)": "=",
    "xp.linspace(0, 1j, 3)": "=",
    "xp.linspace(2, 3, 1)": "=",
    "xp.linspace(2, 3, 0)": "=",
    "xp.eye(3)": "=",
    "xp.eye(2, 3, k=1)": "np.eye(2, 3, 1)",
    "xp.zeros((2, 0))": "=",
    "xp.ones((2, 3), dtype=xp.int8)": "=",
    "xp.full((2,), 7)": "=",
    "xp.full((), 2.5)": "=",
    "xp.zeros_like(i)": "=",
    "xp.ones_like(f, dtype=xp.int16)": "=",
    "xp.full_like(f, 3)": "=",
    "xp.empty((2, 3)).shape": "(2, 3)",
    "xp.empty_like(f).shape": "(2, 3)",
    "xp.meshgrid(v, w)": "=",
    "xp.meshgrid(v, w[:2], v, indexing='ij')": "=",
    "xp.tril(m)": "=",
    "xp.triu(s, k=1)": "=",
    "xp.tril(m, k=-1)": "=",
    "xp.asarray([[1, 2]])": "=",
    "xp.astype(f, xp.int32)": "f.astype('int32')",
    "xp.from_dlpack(f)": "f",
    "xp.result_type(f, i)": "=",
    "xp.can_cast(xp.int8, xp.int16)": "=",
    "xp.isdtype(xp.int8, 'integral')": "=",
    "xp.finfo(xp.float32).eps": "=",
    "xp.iinfo(xp.int8).max": "=",
    "xp.broadcast_shapes((2, 1), (3,))": "=",
    "xp.broadcast_arrays(f, v)": "=",
    "xp.broadcast_to(v, (2, 3))": "=",
    "xp.concat([f, g])": "=",
    "xp.concat([f, i], axis=1)": "=",
    "xp.concat([f, v], axis=None)": "=",
    "xp.concat([e, f])": "=",
    "xp.stack([v, w], axis=-1)": "=",
    "xp.unstack(f, axis=1)": "=",
    "xp.expand_dims(f, 1)": "=",
    "xp.expand_dims(f, (0, -1))": "=",
    "xp.flip(f)": "=",
    "xp.flip(f, axis=1)": "=",
    "xp.flip(f, axis=(0,))": "=",
    "xp.moveaxis(s, 0, -1)": "=",
    "xp.moveaxis(s, (0, 1), (2, 0))": "=",
    "xp.permute_dims(s, (2, 0, 1))": "=",
    "xp.repeat(f, 2)": "=",
    "xp.repeat(f, 2, axis=0)": "=",
    "xp.repeat(f, k, axis=1)": "=",
    "xp.reshape(f, (3, 2))": "=",
    "xp.reshape(f, (-1,))": "=",
    "xp.reshape(e, (3, 0))": "=",
    "xp.roll(f, 1)": "=",
    "xp.roll(f, -4, axis=1)": "=",
    "xp.roll(f, (1, 2), axis=(0, 1))": "=",
    "xp.squeeze(f[:1], 0)": "=",
    "xp.squeeze(z[None, None], (0, 1))": "=",
    "xp.tile(f, (2,))": "=",
    "xp.tile(v, (2, 2))": "=",
    "xp.take(f, k, axis=1)": "=",
    "xp.take(v, k)": "np.take(v, k, 0)",
    "xp.take_along_axis(f, xp.argsort(f))": "np.take_along_axis(f, np.argsort(f), -1)",
    "xp.argmax(f)": "=",
    "xp.argmin(f, axis=1, keepdims=True)": "=",
    "xp.nonzero(i - 2)": "=",
    "xp.searchsorted(v, w)": "=",
    "xp.searchsorted(v, f, side='right')": "=",
    "xp.searchsorted(v, 1)": "=",
    "xp.isin(i, j)": "=",
    "xp.isin(i, j[0], invert=True)": "=",
    "xp.unique_values(i)": "np.unique(i)",
    "xp.unique_all(i)": "=",
    "xp.unique_counts(i)": "=",
    "xp.unique_inverse(i)": "=",
    "xp.sort(f)": "=",
    "xp.sort(f, axis=0)": "=",
    "xp.sort(f, descending=True)": "-np.sort(-f)",
    "xp.argsort(f)": "=",
    "xp.argsort(i * 0, descending=True)": "np.argsort(i * 0)",
    "xp.cumulative_sum(f, axis=0)": "=",
    "xp.cumulative_sum(v, include_initial=True)": "=",
    "xp.cumulative_prod(i, axis=1)": "=",
    "xp.var(f, correction=1)": "=",
    "xp.std(f, axis=0, correction=0.5)": "=",
    "xp.diff(f)": "=",
    "xp.diff(f, n=2)": "=",
    "xp.diff(v, prepend=w, append=v)": "=",
    "xp.diff(f, axis=0)": "=",
    "xp.matmul(m, n)": "=",
    "xp.matmul(s, m)": "=",
    "xp.matmul(v, m)": "=",
    "xp.matmul(s, v)": "=",
    "xp.matmul(i, m)": "=",
    "xp.matmul(e, m)": "=",
    "xp.matrix_transpose(s)": "=",
    "xp.tensordot(m, n)": "=",
    "xp.tensordot(m, s, axes=((0,), (2,)))": "=",
    "xp.tensordot(v, w, axes=0)": "=",
    "xp.vecdot(c, c)": "=",
    "xp.vecdot(f, v)": "=",
    "xp.vecdot(m, n, axis=0)": "=",
    "xp.linalg.cholesky(h)": "=",
    "xp.linalg.cholesky(h, upper=True)": "=",
    "xp.linalg.cross(v, w)": "=",
    "xp.linalg.cross(f, v)": "=",
    "xp.linalg.diagonal(s, offset=1)": "=",
    "xp.linalg.matmul(m, n)": "=",
    "xp.linalg.matrix_power(m, 3)": "=",
    "xp.linalg.matrix_power(h, -2)": "=",
    "xp.linalg.matrix_power(m, 0)": "=",
    "xp.linalg.matrix_rank(s)": "=",
    "xp.linalg.matrix_rank(h, rtol=0.5)": "=",
    "xp.linalg.matrix_transpose(m)": "=",
    "xp.linalg.outer(v, w)": "=",
    "xp.linalg.pinv(h, rtol=0.3)": "=",
    "xp.linalg.solve(h, v)": "=",
    "xp.linalg.solve(s, m)": "=",
    "xp.linalg.tensordot(m, n, axes=1)": "=",
    "xp.linalg.vecdot(v, w)": "=",
    "xp.linalg.trace(i[:, :2], offset=1)": "=",
    **{
        f"xp.linalg.vector_norm(f, ord={order}{more})": "="
        for order in ("2", "1", "0", "float('inf')", "-float('inf')", "3.5")
        for more in ("", ", axis=1", ", axis=0, keepdims=True")
    },
    **{
        f"xp.linalg.matrix_norm(s, ord={order})": "="
        for order in ("'fro'", "'nuc'", "1", "-1", "2", "-2", "float('inf')")
    },
    "xp.abs(xp.linalg.qr(m).R)": "np.abs(np.linalg.qr(m).R)",
    "xp.linalg.qr(m, mode='complete').Q.shape": "(3, 3)",
    "xp.linalg.svd(m).S": "=",
    "xp.linalg.svd(f, full_matrices=False).U.shape": "(2, 2)",
    "xp.linalg.eigh(h).eigenvalues": "=",
    "xp.sort(xp.abs(xp.linalg.eigvals(m)))": "np.sort(np.abs(np.linalg.eigvals(m)))",
    "xp.sort(xp.abs(xp.linalg.eig(m).eigenvalues))": "np.sort(np.abs(np.linalg.eigvals(m)))",
    "xp.fft.fft(f, n=2)": "=",
    "xp.fft.fft(f, n=5, axis=0, norm='ortho')": "=",
    "xp.fft.ifft(c, norm='forward')": "=",
    "xp.fft.fftn(c, s=(2, 4), axes=(0, 1))": "=",
    "xp.fft.rfftn(f)": "=",
    "xp.fft.irfftn(c)": "=",
    "xp.fft.irfftn(c, s=(2, 5), axes=(0, 1))": "=",
    "xp.fft.fftfreq(5)": "=",
    "xp.fft.fftfreq(4, d=0.5)": "=",
    "xp.fft.rfftfreq(5, d=2.0)": "=",
    "xp.fft.fftshift(f, axes=1)": "=",
    "xp.fft.ifftshift(v)": "=",
    "xp.__array_namespace_info__().capabilities()['boolean indexing']": "True",
}


def samples() -> dict[str, np.ndarray[Any, Any]]:
    m = np.array([[2.0, 1.0, 0.5], [0.0, 3.0, 1.0], [1.0, -1.0, 4.0]])
    return {
        "f": np.array([[0.5, 1.25, 0.75], [0.25, 1.0, 0.875]]),
        "g": np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]]),
        "i": np.array([[1, 2, 3], [2, 5, 1]]),
        "j": np.array([[2, 1, 3], [1, 2, 2]]),
        "b": np.array([[True, False, True], [False, False, True]]),
        "c": np.array([[1 + 1j, 2.0, -0.5j], [0.25, 1j, 3 - 1j]]),
        "v": np.array([0.5, 1.0, 2.0]),
        "w": np.array([1.5, -1.0, 0.25]),
        "m": m,
        "n": m.T + 1,
        "h": m @ m.T + np.eye(3),
        "z": np.array(0.75),
        "e": np.zeros((0, 3)),
        "s": np.stack([m, m.T + np.eye(3)]),
        "k": np.array([2, 0, 1]),
    }


def in_numpy(code: str) -> str:
    """Return the same call of NumPy."""
    head, _, rest = code.partition("(")
    name = head.removeprefix("xp.")
    name = f"linalg.{name}" if name == "trace" else RENAMED.get(name, name)
    return (
        f"np.{name}({rest}".replace("correction=", "ddof=")
        .replace("xp.", "np.")
        .replace(", descending=False", "")
    )


def check(found: Any, wanted: Any) -> None:
    if isinstance(wanted, tuple | list) and not isinstance(found, tuple | list):
        wanted = np.asarray(wanted)
    if isinstance(found, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            check(one, other)
    elif isinstance(found, bn.Array):
        assert (found.shape, found.dtype) == (np.shape(wanted), np.asarray(wanted).dtype)
        np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, rtol=1e-10, atol=1e-12)
    else:
        assert found == wanted


@pytest.mark.parametrize("code", CALLS)
def test_call(xp: ModuleType, code: str) -> None:
    arrays = samples()
    with np.errstate(all="ignore"):
        wanted = eval(in_numpy(code) if CALLS[code] == "=" else CALLS[code], {"np": np}, dict(arrays))
        found = eval(code, {"xp": xp}, {name: xp.asarray(a.copy()) for name, a in arrays.items()})
    check(found, wanted)


@pytest.mark.parametrize(
    "code", ["xp.clip(x, -1000, 1000)", "xp.diff(x, n=0)", "xp.clip(x)", "xp.sort(x)", "xp.tile(x, (1,))"]
)
def test_a_result_that_equals_the_operand_is_a_copy(xp: ModuleType, code: str) -> None:
    x = xp.ones(3, dtype=xp.int8)
    y = eval(code, {"xp": xp, "x": x})
    y[0] = 7
    assert x.tolist() == [1, 1, 1]


def test_the_table_has_every_function() -> None:
    text = "\n".join(CALLS)
    assert [name for name in FUNCTIONS if f"xp.{name}(" not in text] == []


# -- special values of the standard ---------------------------------------------------------------

INF, NAN = math.inf, math.nan
SPECIAL: dict[str, Any] = {
    "xp.floor_divide(A([INF, -INF, 1., -1., 7., -7., 1.]), A([2., 2., INF, INF, -2., 2., 0.]))": [
        INF,
        -INF,
        0.0,
        -0.0,
        -4.0,
        -4.0,
        INF,
    ],
    "xp.remainder(A([-1., 2., -0., 0., 5., 1.]), A([1., -1., 1., -1., INF, 0.]))": [
        0.0,
        -0.0,
        0.0,
        -0.0,
        5.0,
        NAN,
    ],
    "xp.sign(A([NAN, -2., -0., 3.]))": [NAN, -1.0, 0.0, 1.0],
    "xp.sign(A([3 + 4j, 0j]))": [0.6 + 0.8j, 0j],
    "xp.logaddexp(A([-INF, -INF, INF]), A([-INF, 1., INF]))": [-INF, 1.0, INF],
    "xp.exp(A([INF + 0j, -INF + 0j]))": [INF + 0j, 0j],
    "xp.sqrt(A([-0., INF, -1.]))": [-0.0, INF, NAN],
    "xp.atan2(A([0., -0., 0., -0., 1., INF]), A([-0., -0., 0., 0., 0., INF]))": [
        math.pi,
        -math.pi,
        0.0,
        -0.0,
        math.pi / 2,
        math.pi / 4,
    ],
    "xp.pow(A([NAN, 1., 0., -0., 2., -1.]), A([0., NAN, -1., -3., -INF, INF]))": [
        1.0,
        1.0,
        INF,
        -INF,
        0.0,
        1.0,
    ],
    "xp.round(A([0.5, 1.5, -0.5, -2.5, 2.5]))": [0.0, 2.0, -0.0, -2.0, 2.0],
    "xp.trunc(A([-0.5, 0.5, -INF]))": [-0.0, 0.0, -INF],
    "xp.ceil(A([-0.5]))": [-0.0],
    "xp.maximum(A([NAN, 1.]), A([1., NAN]))": [NAN, NAN],
    "xp.minimum(A([0., NAN]), A([1., 2.]))": [0.0, NAN],
    "xp.copysign(A([1., -1., 0.]), A([-0., 0., -1.]))": [-1.0, 1.0, -0.0],
    "xp.signbit(A([-0., 0., -INF, 1.]))": [True, False, True, False],
    "xp.hypot(A([INF, 3.]), A([NAN, 4.]))": [INF, 5.0],
    "xp.expm1(A([-0., INF, -INF]))": [-0.0, INF, -1.0],
    "xp.log1p(A([-1., -0., INF, -2.]))": [-INF, -0.0, INF, NAN],
    "xp.acosh(A([1., 0.5, INF]))": [0.0, NAN, INF],
    "xp.atanh(A([1., -1., -0., 2.]))": [INF, -INF, -0.0, NAN],
    "xp.tanh(A([INF, -INF, -0.]))": [1.0, -1.0, -0.0],
    "xp.nextafter(A([0., 1.]), A([1., 1.]))": [5e-324, 1.0],
    "xp.divide(A([1., -1., 0.]), A([0., 0., 0.]))": [INF, -INF, NAN],
    "xp.max(A([1., NAN, 3.]))": NAN,
    "xp.min(A([1., NAN]), axis=0)": NAN,
    "xp.argmax(A([0, 1, 1, 1]))": 1,
    "xp.argmax(A([1., NAN, NAN]))": 1,
    "xp.argmin(A([1., NAN, 0.]))": 1,
    "xp.sort(A([NAN, 1., -INF, 0.]))": [-INF, 0.0, 1.0, NAN],
    "xp.argsort(A([10] * 40))": list(range(40)),
    "xp.argsort(A([1, 2, 1, 2]), descending=True)": [1, 3, 0, 2],
    "xp.unique_counts(A([1., 1., NAN, NAN])).counts": [2, 1, 1],
    "xp.unique_values(A([2, 1, 2]))": [1, 2],
    "xp.unique_all(A([[3, 1], [3, 2]])).indices": [1, 3, 0],
    "xp.unique_inverse(A([[3, 1], [3, 2]])).inverse_indices": [[2, 0], [2, 1]],
    "xp.sum(A([200, 200], dtype=xp.uint8))": 400,
    "xp.prod(A([]))": 1.0,
    "xp.sum(xp.zeros((0, 3)), axis=0)": [0.0, 0.0, 0.0],
    "xp.all(A([]))": True,
    "xp.any(A([]))": False,
    "xp.mean(A([1, 2]))": 1.5,
    "xp.any(A([[3, 0], [242, 0]], dtype=xp.uint8), axis=0)": [True, False],
    "A([1], dtype=xp.uint16) + A([70000], dtype=xp.uint32)": [70001],
    "A([1], dtype=xp.int8) + A(127, dtype=xp.int32)": [128],
    "A([-1], dtype=xp.int8) + A([65535], dtype=xp.uint16)": [65534],
    "xp.less(A([-1]), A([2**63], dtype=xp.uint64))": [True],
    "xp.take_along_axis(A([10, 20, 30]), A([-1, 0]))": [30, 10],
    "xp.count_nonzero(A([[1, 0], [1, 1]]), axis=(0, 1), keepdims=True)": [[3]],
    "xp.cumulative_sum(A([[1, 2], [3, 4]]), axis=1, include_initial=True)": [[0, 1, 3], [0, 3, 7]],
    "xp.cumulative_prod(A([[1, 2], [3, 4]]), axis=1, include_initial=True)": [[1, 1, 2], [1, 3, 12]],
    "xp.linspace(-0.031608279794, 0.031531572342, 257, dtype=xp.float32)[-1]": float(
        np.float32(0.031531572342)
    ),
    "A(xp.arange(0.1, 0.5, 0.05, dtype=xp.float32).shape)": [8],
    "xp.vecdot(A([1j, 2]), A([1j, 3]))": 7 + 0j,
    "xp.linalg.matrix_rank(xp.zeros((2, 0, 3)))": [0, 0],
    "xp.linalg.matrix_rank(xp.zeros((0, 3)))": 0,
    "xp.linalg.matrix_rank(A([[[1., 0.], [0., 1e-3]]] * 2), rtol=A([1e-6, 0.1]))": [2, 1],
    "xp.linalg.pinv(A([[1., 0.], [0., 1e-3]]), rtol=0.1)": [[1.0, 0.0], [0.0, 0.0]],
    "xp.linalg.det(xp.zeros((0, 0)))": 1.0,
    "xp.linalg.solve(A([[[2., 0.], [0., 4.]]] * 2), A([[2., 4.], [8., 12.]]))": [[[1.0, 2.0], [2.0, 3.0]]]
    * 2,
    "xp.searchsorted(A([1., 2., NAN]), A([NAN, 3.]))": [2, 2],
    "xp.searchsorted(A([2**62 + i for i in range(100)], dtype=xp.uint64), 2**62 + 25)": 25,
    "xp.searchsorted(xp.flip(A([3., 2., 1.])), A(2.))": 1,
    "xp.searchsorted(A([3, 1, 2]), A([2, 3]), sorter=A([1, 2, 0]))": [1, 2],
    "xp.abs(A([-(2**63)]))": [-(2**63)],
    "xp.bitwise_right_shift(A([-8], dtype=xp.int8), A([1], dtype=xp.int8))": [-4],
    "xp.isin(A([NAN, 1.]), A([NAN, 1.]))": [False, True],
    "xp.clip(A([NAN, 5.]), 0., 1.)": [NAN, 1.0],
    "xp.where(A([True, False]), A([NAN, 1.]), 2)": [NAN, 2.0],
    "xp.var(A([1., 2., 3., 4.]), correction=1)": 5 / 3,
    "xp.diff(A([1]), n=2)": [],
    "xp.trunc(A([3], dtype=xp.int32))": [3],
    "xp.tanh(A([1000 + 1j]))": [1 + 0j],
}


@pytest.mark.parametrize("code", SPECIAL)
def test_special_values(xp: ModuleType, code: str) -> None:
    with np.errstate(all="ignore"):
        found = np.asarray(eval(code, {"xp": xp, "A": xp.asarray, "INF": INF, "NAN": NAN}).to_device("numpy"))
    wanted = np.asarray(SPECIAL[code])
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    if found.dtype.kind == "f":
        same_sign = (np.signbit(found) == np.signbit(wanted)) | np.isnan(wanted)
        assert np.all(same_sign), found


@pytest.mark.parametrize("start", [None, *range(-6, 6)])
def test_slices_are_those_of_lists(xp: ModuleType, start: int | None) -> None:
    numbers = list(range(5))
    x = xp.asarray(numbers)
    for stop in (None, *range(-6, 6)):
        for step in (None, 1, 2, 7, -1, -2, -7):
            key = slice(start, stop, step)
            assert x[key].tolist() == numbers[key]
            y, other = xp.asarray(numbers), np.array(numbers)
            y[key] = -1
            other[key] = -1
            assert y.tolist() == other.tolist()


# -- random programs ------------------------------------------------------------------------------

SHAPES = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3)
FLOATS = st.floats(-8, 8, width=32)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data(), shapes=SHAPES)
def test_arithmetic_of_random_shapes_and_dtypes(
    device: bn.Device, data: st.DataObject, shapes: hnp.BroadcastableShapes
) -> None:
    dtypes = st.sampled_from(
        "int8 uint8 int32 uint32 int64 uint64 float32 float64 complex64 complex128".split()
    )
    a, b = (
        data.draw(hnp.arrays(dtype, shape, elements=st.integers(1, 9) if dtype[0] in "iu" else FLOATS))
        for shape in shapes.input_shapes
        for dtype in [data.draw(dtypes)]
    )
    x, y = bn.asarray(a, device=device), bn.asarray(b, device=device)
    with np.errstate(all="ignore"):
        for one, other in ((x + y, a + b), (x * y, a * b), (x - y, a - b), (x == y, a == b)):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            np.testing.assert_allclose(np.asarray(one.to_device("numpy")), other, rtol=1e-5, atol=1e-5)
        for axis in (None, *range(x.ndim)):
            total = bn.sum(x, axis=axis)
            assert total.shape == np.sum(a, axis=axis).shape
            np.testing.assert_allclose(
                np.asarray(total.to_device("numpy")), np.sum(a, axis=axis), rtol=1e-4, atol=1e-4
            )


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data(), shape=hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4))
def test_random_keys_read_and_write_as_in_numpy(
    device: bn.Device, data: st.DataObject, shape: tuple[int, ...]
) -> None:
    key = data.draw(hnp.basic_indices(shape, allow_newaxis=True) | hnp.integer_array_indices(shape))
    a = np.arange(math.prod(shape)).reshape(shape)
    x = bn.asarray(a.copy(), device=device)
    assert x[key].tolist() == a[key].tolist()
    value = data.draw(st.integers(-9, -1))
    x[key] = value
    a[key] = value
    assert x.tolist() == a.tolist()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30, 300.0])
def test_full_of_a_number_that_an_integer_cannot_hold(xp: ModuleType, number: float) -> None:
    for function, first in ((xp.full, (2,)), (xp.full_like, xp.zeros(2))):
        with pytest.raises((ArgumentError, IntegerOverflowError)):
            function(first, number, dtype=xp.int8)
    assert xp.full((2,), -2.9, dtype=xp.int8).tolist() == [-2, -2]


@pytest.mark.parametrize("name", ["irfft", "hfft"])
def test_a_transform_of_nothing_is_filled_up_with_zeros(xp: ModuleType, name: str) -> None:
    rest = [xp.full(8, 7e9) for _ in range(50)]  # what would be read past the end
    del rest
    x = xp.zeros((2, 0), dtype=xp.complex128)
    assert getattr(xp.fft, name)(x, n=4).tolist() == [[0.0] * 4] * 2
    assert xp.fft.irfftn(x, s=(2, 4), axes=(0, 1)).tolist() == [[0.0] * 4] * 2


@pytest.mark.parametrize("name", "fftn ifftn rfftn irfftn".split())
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (-1, 0)])
def test_lengths_belong_to_the_axes(xp: ModuleType, name: str, axes: tuple[int, int]) -> None:
    """Also where they are those of the shape, of axes in another order."""
    values = np.arange(12.0).reshape(3, 4) if name == "rfftn" else np.arange(12.0).reshape(3, 4) * (1 + 2j)
    for lengths in ((3, 4), (4, 3), (2, 4), (5, 6)):
        for kept in (values, np.asfortranarray(values)):
            found = getattr(xp.fft, name)(xp.asarray(kept), s=lengths, axes=axes)
            wanted = getattr(np.fft, name)(values, s=lengths, axes=axes)
            assert found.shape == wanted.shape
            np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, atol=1e-12)


@pytest.mark.parametrize("name", "fft ifft rfft ihfft irfft hfft fftn ifftn rfftn irfftn".split())
def test_transforms_of_what_is_broadcast(xp: ModuleType, name: str) -> None:
    real = name in ("rfft", "ihfft", "rfftn")
    for values in (np.arange(1.0, 5.0), np.arange(1.0, 4.0)[:, None], np.ones((1, 1))):
        values = values if real else values * (1 + 2j)
        for axis in (0, 1):
            settings: dict[str, Any] = {} if name.endswith("n") else {"axis": axis}
            found = getattr(xp.fft, name)(xp.broadcast_to(xp.asarray(values), (3, 4)), **settings)
            wanted = getattr(np.fft, name)(np.broadcast_to(values, (3, 4)), **settings)
            np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, atol=1e-13)
