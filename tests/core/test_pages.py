"""Every function of the standard gives NumPy's answer on every device: one call a line."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.errors import ArgumentError, IntegerOverflowError

FUNCTIONS = json.loads((Path(__file__).parents[1] / "array_api_2025_12.json").read_text())["functions"]

# The arrays of a call (see samples): of shape (2, 3) f, g floats, i, j integers, b bools, c complex; of shape (3,) v, w
# floats, k indices; of shape (3, 3) m, n floats, h symmetric; z 0-d; e empty (0, 3); s a stack (2, 3, 3).
# The right-hand side is the call of NumPy; "=" means that the name alone differs (see in_numpy).
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
    """Return the arrays of the calls, by name."""
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
    """Return the text of the same call with the names of NumPy."""
    head, _, rest = code.partition("(")
    name = head.removeprefix("xp.")
    name = f"linalg.{name}" if name == "trace" else RENAMED.get(name, name)
    return (
        f"np.{name}({rest}".replace("correction=", "ddof=")
        .replace("xp.", "np.")
        .replace(", descending=False", "")
    )


def check(found: Any, wanted: Any) -> None:
    """Assert that a result has NumPy's shape, dtype and values, as far as its device has the dtype."""
    if isinstance(wanted, tuple | list) and not isinstance(found, tuple | list):
        wanted = np.asarray(wanted)
    if isinstance(found, tuple):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            check(one, other)
    elif isinstance(found, bn.Array):
        dtype = np.asarray(wanted).dtype
        narrow = found.device.adapter.narrow.get(dtype)
        assert (found.shape, found.dtype) == (np.shape(wanted), narrow or dtype)
        rtol, atol = (1e-4, 1e-5) if narrow else (1e-10, 1e-12)
        np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, rtol=rtol, atol=atol)
    elif "dtype" in type(wanted).__name__.lower() and isinstance(found, np.dtype):
        assert found == bn.default_device().adapter.promote(wanted)
    else:
        assert found == wanted


@pytest.mark.parametrize("code", CALLS)
def test_a_call_gives_what_numpy_gives(xp: ModuleType, code: str) -> None:
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


def test_the_first_power_of_a_matrix_is_a_copy(xp: ModuleType) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    power = xp.linalg.matrix_power(x, 1)
    power[0, 0] = 9.0
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30, 300.0])
def test_full_refuses_a_number_that_an_integer_cannot_hold(xp: ModuleType, number: float) -> None:
    for function, first in ((xp.full, (2,)), (xp.full_like, xp.zeros(2))):
        with pytest.raises((ArgumentError, IntegerOverflowError)):
            function(first, number, dtype=xp.int8)
    assert xp.full((2,), -2.9, dtype=xp.int8).tolist() == [-2, -2]


FURTHER = [
    "xp.full((2,), 2.5)",
    "xp.asarray(f)",
    "xp.asarray([1.0, 2.0])",
    "xp.interop.einsum('ij,j->i', f, v)",
    "xp.interop.pad(f, 1)",
    "xp.interop.diag(v)",
    "xp.random.uniform((2,))",
    "xp.random.normal((2,))",
    "xp.random.integers((2,), high=9)",
    "xp.random.bernoulli(f / 2)",
    "xp.random.permutation(v)",
    "xp.random.choice(v, (2,))",
    "xp.random.choice(v, (2,), p=v)",
    "xp.random.choice(v, (2,), replace=False)",
    "f[0]",
    "f[:, None]",
    "f[b]",
    "f[xp.asarray([1, 0])]",
    "f[[1, 0]]",
    "f.__setitem__(0, 1.0)",
    "f.__setitem__(b, 0.0)",
    "f.__iadd__(g)",
    "f.sum()",
    "f.astype(xp.float32)",
    *(f"xp.special.{name}(f)" for name in ("expit", "log_softmax", "logsumexp", "softmax", "softplus")),
]
"""Calls of functions and methods beyond the table of the standard."""
READS: dict[str, str] = {
    "xp.random.choice(v, (2,), p=v)": "the weights are checked",
}
"""Calls that read values on the host, and why; the page on devices has the same table."""


def test_no_function_computes_on_the_host(apart: bn.Device, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"xp": bn}
    with bn.default_device(apart):
        names |= {name: bn.asarray(a) for name, a in samples().items()}

        def refused(*_: object) -> Any:
            raise _ReadError

        for method in ("to_host", "item"):
            monkeypatch.setattr(apart.adapter, method, refused)
        assert [code for code in (*CALLS, *FURTHER) if _reads(code, names)] == list(READS)


class _ReadError(Exception):
    """A value of the device was read on the host."""


def _reads(code: str, names: dict[str, Any]) -> bool:
    """Return whether a call reads values of its device; any other error is raised."""
    try:
        with np.errstate(all="ignore"):
            eval(code, dict(names))
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None and type(cause) is not _ReadError:
            cause = cause.__cause__
        if cause is None:
            raise
        return True
    return False


def test_the_table_has_every_function() -> None:
    text = "\n".join(CALLS)
    assert [name for name in FUNCTIONS if f"xp.{name}(" not in text] == []
