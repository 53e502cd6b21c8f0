"""One mistake raises one class of error on every device."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import burn_array
from burn_array.errors import BurnArrayError

# f: two floats, i: two integers, b: two bools, c: two complex numbers, m: a matrix of 2 x 3 floats.
MISTAKES = {
    "ArgumentError": """
        f.__dlpack__(copy='x')
        f.__dlpack__(stream=1)
        f[0:2:0]
        xp.arange(0, 5, 0)
        xp.asarray([[1], [1, 2]])
        xp.concat([])
        xp.cumulative_sum(m)
        xp.diff(f, n=-1)
        xp.expand_dims(m, (0, 0))
        xp.eye(-1)
        xp.fft.fft(f, n=-1)
        xp.fft.fft(f, n=0)
        xp.fft.fft(f, norm='x')
        xp.fft.fftfreq(-1)
        xp.fft.fftn(m, axes=(0, 0))
        xp.fft.fftn(m, s=(1,), axes=(0, 1))
        xp.fft.irfft(f, n=0)
        xp.flip(m, axis=(0, 0))
        xp.isdtype(xp.int8, 'x')
        xp.linalg.cholesky(-xp.eye(2))
        xp.linalg.inv(xp.zeros((2, 2)))
        xp.linalg.matrix_norm(m, ord='a')
        xp.linalg.qr(m, mode='x')
        xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2))
        xp.linalg.vector_norm(f, axis=(0, 0))
        xp.linalg.vector_norm(f, ord='a')
        xp.linspace(0, 1, -1)
        xp.max(m, axis=(1, -1))
        xp.meshgrid(f, f, indexing='x')
        xp.moveaxis(m, (0, 0), (0, 1))
        xp.moveaxis(m, (0, 1), (0,))
        xp.nonzero(xp.asarray(1.0))
        xp.permute_dims(m, (0, 0))
        xp.permute_dims(m, (0,))
        xp.pad(xp.zeros((0, 3)), 1, 'edge')
        xp.pow(i, -1)
        xp.pow(i, xp.asarray([-1, -1]))
        xp.random.integers((2,), low=3, high=3)
        xp.random.normal((2,), std=-1)
        xp.random.uniform((2,), low=2, high=1)
        xp.repeat(f, -1)
        xp.roll(m, (1, 2), axis=(0, 1, 0))
        xp.roll(m, (1, 2), axis=0)
        xp.roll(m, 1, axis=(0, -2))
        xp.searchsorted(f, f, side='x')
        xp.stack([])
        xp.sum(m, axis=(0, -2))
        xp.sum(m, axis=(0, 0))
        xp.tensordot(m, m, axes=((0,), (0, 1)))
        xp.tensordot(m, m, axes=((1, 1), (0, 0)))
        xp.tensordot(m, m, axes=-1)
        xp.tile(f, (-1,))
        xp.zeros((-1,))
    """,
    "ArgumentTypeError": """
        f.__dlpack__(max_version='x')
        bool(m)
        float(m)
        int(m)
        xp.arange(1j)
        xp.asarray('a')
        xp.asarray(None)
        xp.astype(f, 'x')
        xp.can_cast(f, 'x')
        xp.from_dlpack(3)
        xp.linalg.matrix_power(xp.eye(2), 1.5)
        xp.linspace(0, 1, 2.5)
        xp.ones((2,), dtype='x')
        xp.repeat(f, 1.5)
        xp.triu(m, k=1.5)
        xp.zeros('a')
        xp.zeros(2.5)
    """,
    "ArrayIndexError": """
        f.__setitem__(9, 1.0)
        f['a']
        f[1.0]
        f[5]
        f[xp.asarray([9])]
        m[0, 0, 0]
        xp.take(f, xp.asarray([9]))
        xp.take(xp.zeros((2, 0)), xp.asarray([5]), axis=0)
        xp.take_along_axis(m, xp.asarray([[9, 9, 9]]), axis=0)
        xp.zeros((0, 3))[:, 7]
        xp.zeros((2, 0))[5]
        xp.zeros((2, 0))[xp.asarray([5])]
    """,
    "AxisError": """
        xp.any(f, axis=3)
        xp.concat([m, m], axis=5)
        xp.count_nonzero(f, axis=3)
        xp.cumulative_sum(f, axis=3)
        xp.diff(f, axis=3)
        xp.diff(xp.asarray(1.0))
        xp.expand_dims(m, 5)
        xp.fft.fft(f, axis=3)
        xp.fft.fftn(m, axes=(0, 5))
        xp.fft.fftshift(m, axes=5)
        xp.flip(m, axis=3)
        xp.linalg.vector_norm(f, axis=3)
        xp.moveaxis(m, 0, 5)
        xp.permute_dims(m, (0, 2))
        xp.roll(m, 1, axis=5)
        xp.sort(f, axis=4)
        xp.special.logsumexp(f, axis=3)
        xp.squeeze(m, 5)
        xp.stack([m, m], axis=4)
        xp.sum(m, axis=2)
        xp.take(f, xp.asarray([0]), axis=3)
        xp.tensordot(m, m, axes=((5,), (0,)))
        xp.tensordot(m, m, axes=3)
        xp.unstack(m, axis=7)
        xp.vecdot(m, m, axis=4)
    """,
    "CopyRequiredError": """
        xp.reshape(xp.permute_dims(xp.ones((2, 3)), (1, 0)), (6,), copy=False)
    """,
    "DTypeError": """
        +b
        -b
        b - b
        b.__iadd__(1)
        c < c
        c >= f
        f & f
        f << 1
        f | f
        f.__setitem__(0, 1j)
        i.__iadd__(1.5)
        i.__itruediv__(2)
        range(3)[f]
        xp.argmax(c)
        xp.argsort(c)
        xp.astype(c, xp.float64)
        xp.atan2(c, c)
        xp.ceil(c)
        xp.clip(c, 0, 1)
        xp.conj(b)
        xp.copysign(c, c)
        xp.cumulative_sum(f, dtype=xp.bool)
        xp.fft.fftfreq(3, dtype=xp.int8)
        xp.fft.ihfft(c)
        xp.fft.rfft(c)
        xp.fft.rfftn(c)
        xp.finfo(xp.int8)
        xp.floor(c)
        xp.floor_divide(c, c)
        xp.hypot(c, c)
        xp.iinfo(xp.float64)
        xp.logaddexp(c, c)
        xp.max(c)
        xp.maximum(c, c)
        xp.minimum(c, f)
        xp.negative(b)
        xp.nextafter(c, c)
        xp.positive(b)
        xp.prod(c, dtype=xp.float64)
        xp.reciprocal(b)
        xp.remainder(c, c)
        xp.round(b)
        xp.searchsorted(c, c)
        xp.sign(b)
        xp.sort(c)
        xp.special.gammaln(c)
        xp.sum(c, dtype=xp.float64)
        xp.sum(f, dtype=xp.bool)
        xp.trunc(c)
        ~f
    """,
    "DeviceNotFoundError": """
        f.to_device('nope')
    """,
    "ExportError": """
        f.__dlpack__(dl_device=(99, 0))
    """,
    "IntegerOverflowError": """
        xp.repeat(f, 2**70)
        i * 2**70
        i + 2**70
        i.__setitem__(0, 2**70)
        xp.asarray(2**70)
        xp.asarray([1], dtype=xp.int8) + 300
        xp.asarray([1], dtype=xp.uint8) + (-1)
        xp.asarray([1], dtype=xp.uint8) - 300
        xp.asarray([300], dtype=xp.int8)
        xp.bitwise_and(i, 2**70)
        xp.bitwise_left_shift(i, 2**70)
        xp.full(3, 2**70)
        xp.maximum(i, 2**70)
        xp.where(b, i, 2**70)
    """,
    "NoDTypeError": """
        xp.result_type()
    """,
    "ShapeError": """
        f.__iadd__(m)
        f.__setitem__(slice(0, 2), xp.ones(5))
        f.mT
        f.reshape((7,))
        xp.broadcast_to(f, -1)
        xp.broadcast_to(m, (3, 3, 3, 4))
        xp.concat([m, f], axis=0)
        xp.linalg.cholesky(m)
        xp.linalg.cross(f, f)
        xp.linalg.cross(xp.ones(4), xp.ones(4))
        xp.linalg.det(m)
        xp.linalg.diagonal(f)
        xp.linalg.eig(m)
        xp.linalg.eigh(f)
        xp.linalg.eigh(m)
        xp.linalg.inv(f)
        xp.linalg.inv(m)
        xp.linalg.matrix_norm(f)
        xp.linalg.matrix_power(m, 2)
        xp.linalg.matrix_rank(f)
        xp.linalg.outer(m, f)
        xp.linalg.pinv(f)
        xp.linalg.qr(f)
        xp.linalg.solve(m, xp.ones(2))
        xp.linalg.solve(xp.eye(2), xp.ones(3))
        xp.linalg.svd(f)
        xp.linalg.trace(f)
        xp.matmul(f, xp.asarray(1.0))
        xp.matmul(m, m)
        xp.matrix_transpose(f)
        xp.repeat(f, xp.asarray([1, 2, 3]))
        xp.reshape(m, (-1, -1))
        xp.reshape(m, (5,))
        xp.searchsorted(m, f)
        xp.squeeze(m, 0)
        xp.stack([m, f])
        xp.tril(f)
        xp.vecdot(f, xp.ones(5))
    """,
}
ONLY_ON_HOSTS = (
    "xp.linalg.cholesky(-xp.eye(2))",
    "xp.linalg.inv(xp.zeros((2, 2)))",
    "xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2))",
    "f[xp.asarray([9])]",
    "xp.zeros((2, 0))[xp.asarray([5])]",
    "xp.take(f, xp.asarray([9]))",
    "xp.take(xp.zeros((2, 0)), xp.asarray([5]), axis=0)",
    "xp.take_along_axis(m, xp.asarray([[9, 9, 9]]), axis=0)",
    "xp.pow(i, xp.asarray([-1, -1]))",
    "f.__dlpack__(stream=1)",
)
"""Mistakes in values, which an accelerator would have to be waited for, and a stream, which hosts do not have."""
CASES = [
    pytest.param(code.strip(), name, marks=[pytest.mark.host] if code.strip() in ONLY_ON_HOSTS else [])
    for name, codes in MISTAKES.items()
    for code in codes.strip().splitlines()
]


@pytest.fixture(scope="module")
def arrays(device: burn_array.Device) -> dict[str, Any]:
    """The names that the code of a mistake uses."""
    xp = burn_array
    with xp.default_device(device):
        return {
            "xp": xp,
            "f": xp.asarray([0.5, 1.5]),
            "i": xp.asarray([1, 2]),
            "b": xp.asarray([True, False]),
            "c": xp.asarray([1 + 1j, 2j]),
            "m": xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        }


@pytest.mark.parametrize(("code", "name"), CASES)
def test_the_class_of_the_error(
    xp: ModuleType, arrays: dict[str, Any], computed: Callable[[Any], Any], code: str, name: str
) -> None:
    with pytest.raises(getattr(burn_array.errors, name)) as caught:
        computed(eval(code, dict(arrays)))
    assert type(caught.value).__name__ == name
    assert isinstance(caught.value, BurnArrayError)
    assert str(caught.value)


def test_integers_beyond_64_bits_are_true(xp: ModuleType, arrays: dict[str, Any]) -> None:
    i, b = arrays["i"], arrays["b"]
    assert xp.logical_and(i, 2**70).tolist() == [True, True]
    assert xp.logical_or(b, 2**70).tolist() == [True, True]
    assert xp.logical_xor(2**70, b).tolist() == [False, True]


def test_a_python_bool_is_a_condition(xp: ModuleType, arrays: dict[str, Any]) -> None:
    f = arrays["f"]
    assert xp.where(True, f, 2.0).tolist() == [0.5, 1.5]
    assert xp.where(False, f, 2.0).tolist() == [2.0, 2.0]
