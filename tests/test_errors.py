"""Bad input: the same class of error on every device, with a text that says what, where and what next."""

from __future__ import annotations

import inspect
import json
import math
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array import errors
from burn_array.errors import (
    ArgumentError,
    ArgumentTypeError,
    ArrayIndexError,
    AxisError,
    BurnArrayError,
    CopyRequiredError,
    DeviceError,
    DeviceMismatchError,
    DeviceNotFoundError,
    DTypeError,
    ExportError,
    GradientError,
    HostAccessError,
    IntegerOverflowError,
    LibraryError,
    NoDTypeError,
    NotSupportedError,
    OutOfMemoryError,
    ShapeError,
    UnsupportedDTypeError,
    explain,
)

FUNCTIONS = json.loads((Path(__file__).parent / "array_api_2025_12.json").read_text())["functions"]

INFO = "__array_namespace_info__"

BUILTINS: dict[type[BurnArrayError], tuple[type[Exception], ...]] = {
    DeviceError: (ValueError,),
    DeviceNotFoundError: (DeviceError,),
    DeviceMismatchError: (DeviceError, ValueError),
    DTypeError: (TypeError,),
    UnsupportedDTypeError: (DTypeError,),
    ArgumentTypeError: (TypeError,),
    NoDTypeError: (ArgumentTypeError, ArgumentError),
    ArgumentError: (ValueError,),
    ShapeError: (ArgumentError,),
    AxisError: (ArgumentError, IndexError),
    ArrayIndexError: (IndexError,),
    IntegerOverflowError: (OverflowError,),
    CopyRequiredError: (ValueError, BufferError),
    ExportError: (BufferError,),
    HostAccessError: (TypeError,),
    OutOfMemoryError: (MemoryError,),
    NotSupportedError: (NotImplementedError,),
    LibraryError: (RuntimeError,),
    GradientError: (RuntimeError,),
}


def test_tree_is_complete_and_printed_in_the_docstring() -> None:
    classes = {
        one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, BurnArrayError)
    }
    assert classes == set(BUILTINS) | {BurnArrayError}
    for one in classes:
        assert one.__name__ in (errors.__doc__ or "")
        assert one.__name__ in errors.__all__
        assert one.__doc__


@pytest.mark.parametrize("kind", BUILTINS, ids=lambda kind: kind.__name__)
def test_class_is_also_the_builtin(kind: type[BurnArrayError]) -> None:
    assert issubclass(kind, BURN := BurnArrayError)
    assert all(issubclass(kind, base) for base in BUILTINS[kind])
    again = pickle.loads(pickle.dumps(kind("text")))
    assert type(again) is kind
    assert str(again) == "text"
    assert isinstance(again, BURN)


# -- one bad call a line ------------------------------------------------------------------------
# Written with xp, and f, i, u8, b, c, s2, s3, v0: arrays of the kinds; m23, m33: matrices.

CALLS: dict[str, type[BurnArrayError]] = {
    # dtype kinds
    "xp.bitwise_and(f, f)": DTypeError,
    "xp.bitwise_or(f, f)": DTypeError,
    "xp.bitwise_xor(f, i)": DTypeError,
    "xp.bitwise_invert(f)": DTypeError,
    "xp.bitwise_left_shift(f, i)": DTypeError,
    "xp.bitwise_right_shift(i, 1.5)": DTypeError,
    "~f": DTypeError,
    "f & f": DTypeError,
    "f | True": DTypeError,
    "c % c": DTypeError,
    "c // 2": DTypeError,
    "-b": DTypeError,
    "b - b": DTypeError,
    "xp.negative(b)": DTypeError,
    "xp.floor(c)": DTypeError,
    "xp.ceil(c)": DTypeError,
    "xp.trunc(c)": DTypeError,
    "xp.atan2(c, c)": DTypeError,
    "xp.hypot(c, c)": DTypeError,
    "xp.copysign(c, f)": DTypeError,
    "xp.nextafter(c, f)": DTypeError,
    "xp.logaddexp(c, c)": DTypeError,
    "xp.signbit(c)": DTypeError,
    "xp.sort(c)": DTypeError,
    "xp.argsort(c)": DTypeError,
    "xp.argmax(c)": DTypeError,
    "xp.argmin(c)": DTypeError,
    "xp.max(c)": DTypeError,
    "xp.min(c)": DTypeError,
    "xp.searchsorted(c, c)": DTypeError,
    "xp.astype(c, xp.float32)": DTypeError,
    "xp.asarray(c, dtype=xp.int8)": DTypeError,
    "xp.full((2,), 1j, dtype=xp.float64)": DTypeError,
    "xp.full_like(f, 1j)": DTypeError,
    "xp.linspace(0, 1j, 3, dtype=xp.float64)": DTypeError,
    "xp.asarray([1j], dtype=xp.float64)": DTypeError,
    "xp.asarray([math.nan], dtype=xp.int64)": ArgumentError,
    "xp.asarray([math.inf], dtype=xp.int64)": IntegerOverflowError,
    "xp.fft.rfft(c)": DTypeError,
    "xp.take(f, f)": DTypeError,
    "xp.take_along_axis(f, f)": DTypeError,
    "xp.finfo(xp.int64)": DTypeError,
    "xp.iinfo(xp.float64)": DTypeError,
    "xp.isdtype(xp.int8, 'number')": ArgumentError,
    "xp.zeros(3, dtype='U1')": DTypeError,
    "xp.zeros(3, dtype=object)": DTypeError,
    "xp.zeros(3, dtype='nonsense')": ArgumentTypeError,
    "xp.zeros(3, dtype=3)": ArgumentTypeError,
    "xp.astype(f, None)": ArgumentTypeError,
    "xp.astype(f, 'M8[s]')": DTypeError,
    "xp.result_type()": NoDTypeError,
    "xp.einsum(None, f)": ArgumentTypeError,
    "xp.fft.fftn(xp.ones((64, 300)), axes=(0, 5))": AxisError,
    "xp.fft.fftn(xp.ones((4, 4)), axes=(0, 5))": AxisError,
    "xp.fft.rfftn(xp.ones((4, 4)), axes=())": ArgumentError,
    "xp.result_type(1, 2.0)": NoDTypeError,
    "xp.result_type('abc')": ArgumentTypeError,
    "xp.__array_namespace_info__().dtypes(kind='number')": ArgumentError,
    # data that are not arrays
    "xp.asarray([[1, 2], [3]])": ArgumentError,
    "xp.asarray([[1, 2], 3])": ArgumentError,
    "xp.asarray([1, [2]], dtype=xp.float64)": ArgumentError,
    "xp.asarray('text')": ArgumentTypeError,
    "xp.asarray(['a', 'b'])": ArgumentTypeError,
    "xp.asarray([1.0, 'b'])": ArgumentTypeError,
    "xp.asarray(['1.5'], dtype=xp.float64)": ArgumentTypeError,
    "xp.asarray(b'bytes')": ArgumentTypeError,
    "xp.asarray([None, 1.0])": ArgumentTypeError,
    "xp.asarray(None)": ArgumentTypeError,
    "xp.asarray({})": ArgumentTypeError,
    "xp.asarray({1: 2})": ArgumentTypeError,
    "xp.asarray({1, 2})": ArgumentTypeError,
    "xp.asarray(iter([1, 2]))": ArgumentTypeError,
    "xp.asarray(object())": ArgumentTypeError,
    "xp.asarray(object(), dtype=xp.float64)": ArgumentTypeError,
    "xp.asarray([1.0, object()], dtype=xp.float64)": ArgumentTypeError,
    "xp.asarray(len)": ArgumentTypeError,
    "xp.asarray(np.array([1, None], dtype=object))": ArgumentTypeError,
    "xp.asarray(np.array(['a']))": ArgumentTypeError,
    "xp.asarray(np.array(['2001-01-01'], dtype='M8[D]'))": ArgumentTypeError,
    "xp.asarray(np.zeros(2, dtype=[('a', int)]))": ArgumentTypeError,
    "xp.asarray(np.zeros(2, dtype=np.longdouble))": DTypeError,
    "xp.asarray([f, [1.0]])": ArgumentError,
    "xp.asarray([1.0, 2.0], copy=False)": CopyRequiredError,
    "xp.asarray([f, f], copy=False)": CopyRequiredError,
    "xp.asarray(1.0, copy=False)": CopyRequiredError,
    "xp.asarray(f, dtype=xp.float32, copy=False)": CopyRequiredError,
    "xp.from_dlpack([1.0])": ArgumentTypeError,
    "xp.from_dlpack(1.0)": ArgumentTypeError,
    "xp.from_dlpack(None)": ArgumentTypeError,
    # numbers that do not fit
    "xp.asarray([300], dtype=xp.int8)": IntegerOverflowError,
    "xp.asarray(-1, dtype=xp.uint8)": IntegerOverflowError,
    "xp.asarray(2**70)": IntegerOverflowError,
    "xp.asarray([2**70, 1])": IntegerOverflowError,
    "xp.asarray(2**64, dtype=xp.uint64)": IntegerOverflowError,
    "xp.full((2,), 300, dtype=xp.int8)": IntegerOverflowError,
    "xp.full((2,), 2**70)": IntegerOverflowError,
    "xp.full_like(u8, -1)": IntegerOverflowError,
    "xp.arange(300, dtype=xp.int8)": IntegerOverflowError,
    "xp.arange(2**70, 2**70 + 3)": IntegerOverflowError,
    "u8 + 256": IntegerOverflowError,
    "u8 + -1": IntegerOverflowError,
    "256 - u8": IntegerOverflowError,
    "xp.multiply(u8, 1000)": IntegerOverflowError,
    "i + 2**70": IntegerOverflowError,
    "i & 2**70": IntegerOverflowError,
    "f + 10**400": IntegerOverflowError,
    "xp.maximum(u8, 300)": IntegerOverflowError,
    "xp.where(b, u8, 300)": IntegerOverflowError,
    "xp.searchsorted(u8, 300)": IntegerOverflowError,
    "u8.__setitem__(0, 300)": IntegerOverflowError,
    "u8.__setitem__(..., -1)": IntegerOverflowError,
    "u8.__iadd__(300)": IntegerOverflowError,
    # axes
    "xp.sum(f, axis=1)": AxisError,
    "xp.sum(f, axis=-2)": AxisError,
    "xp.sum(m23, axis=(0, 2))": AxisError,
    "xp.prod(f, axis=3)": AxisError,
    "xp.max(f, axis=3)": AxisError,
    "xp.min(f, axis=3)": AxisError,
    "xp.mean(f, axis=3)": AxisError,
    "xp.std(f, axis=3)": AxisError,
    "xp.var(f, axis=3)": AxisError,
    "xp.any(f, axis=3)": AxisError,
    "xp.all(f, axis=3)": AxisError,
    "xp.argmax(f, axis=3)": AxisError,
    "xp.argmin(f, axis=3)": AxisError,
    "xp.count_nonzero(f, axis=3)": AxisError,
    "xp.cumulative_sum(f, axis=3)": AxisError,
    "xp.cumulative_prod(f, axis=3)": AxisError,
    "xp.sort(f, axis=3)": AxisError,
    "xp.sort(f, axis=3, descending=True)": AxisError,
    "xp.argsort(f, axis=3)": AxisError,
    "xp.argsort(f, axis=3, descending=True)": AxisError,
    "xp.flip(f, axis=3)": AxisError,
    "xp.roll(f, 1, axis=3)": AxisError,
    "xp.concat([f, f], axis=3)": AxisError,
    "xp.stack([f, f], axis=3)": AxisError,
    "xp.unstack(f, axis=3)": AxisError,
    "xp.expand_dims(f, 3)": AxisError,
    "xp.expand_dims(f, -3)": AxisError,
    "xp.squeeze(f, 3)": AxisError,
    "xp.moveaxis(m23, 3, 0)": AxisError,
    "xp.moveaxis(m23, 0, 3)": AxisError,
    "xp.permute_dims(m23, (0, 3))": AxisError,
    "xp.repeat(f, 2, axis=3)": AxisError,
    "xp.take(f, i, axis=3)": AxisError,
    "xp.take_along_axis(f, i, axis=3)": AxisError,
    "xp.diff(f, axis=3)": AxisError,
    "xp.vecdot(f, f, axis=3)": AxisError,
    "xp.linalg.cross(f, f, axis=3)": AxisError,
    "xp.linalg.vector_norm(f, axis=3)": AxisError,
    "xp.fft.fft(f, axis=3)": AxisError,
    "xp.fft.fftshift(f, axes=3)": AxisError,
    "xp.sum(f, axis=1.5)": ArgumentTypeError,
    "xp.sum(f, axis='rows')": ArgumentTypeError,
    "xp.sum(m23, axis=(0, 0))": ArgumentError,
    "xp.permute_dims(m23, (0, 0))": ArgumentError,
    "xp.permute_dims(m23, (0,))": ArgumentError,
    "xp.expand_dims(f, (0, 0))": ArgumentError,
    "xp.moveaxis(m23, (0, 1), (0,))": ArgumentError,
    "xp.cumulative_sum(m23)": ArgumentError,
    "xp.cumulative_prod(m23)": ArgumentError,
    "xp.take(m23, i)": ArgumentError,
    "xp.sort(xp.asarray(1.0))": AxisError,
    "xp.argsort(xp.asarray(1.0))": AxisError,
    "xp.unstack(xp.asarray(1.0))": AxisError,
    # shapes
    "s2 + s3": ShapeError,
    "xp.add(m23, m33)": ShapeError,
    "xp.where(s2 > 0, s2, s3)": ShapeError,
    "xp.where(xp.asarray([True, False]), s3, s3)": ShapeError,
    "xp.clip(s2, s3, None)": ShapeError,
    "xp.broadcast_to(s2, (3,))": ShapeError,
    "xp.broadcast_to(m23, (3,))": ShapeError,
    "xp.broadcast_arrays(s2, s3)": ShapeError,
    "xp.broadcast_shapes((2,), (3,))": ShapeError,
    "xp.reshape(s3, (2, 2))": ShapeError,
    "xp.reshape(s3, (-1, 2))": ShapeError,
    "xp.reshape(s3, (-1, -1))": ShapeError,
    "xp.reshape(v0, (0, -1))": ShapeError,
    "xp.concat([m23, m33.T[:, :2]])": ShapeError,
    "xp.concat([s2, m23])": ShapeError,
    "xp.stack([s2, s3])": ShapeError,
    "xp.squeeze(s2, 0)": ShapeError,
    "xp.squeeze(m23, (0, 1))": ShapeError,
    "s2 @ s3": ShapeError,
    "m23 @ m23": ShapeError,
    "m33 @ s2": ShapeError,
    "m33 @ xp.asarray(2.0)": ShapeError,
    "xp.matmul(xp.asarray(2.0), m33)": ShapeError,
    "m33 @ 2": ShapeError,
    "2 @ m33": ShapeError,
    "xp.tensordot(m23, m23, axes=1)": ShapeError,
    "xp.tensordot(m23, m23, axes=((0,), (1,)))": ShapeError,
    "xp.vecdot(s2, s3)": ShapeError,
    "xp.matrix_transpose(s2)": ShapeError,
    "s2.T": ShapeError,
    "s2.mT": ShapeError,
    "xp.linalg.outer(m23, s2)": ShapeError,
    "xp.linalg.cross(s2, s2)": ShapeError,
    "xp.linalg.det(m23)": ShapeError,
    "xp.linalg.det(s2)": ShapeError,
    "xp.linalg.inv(m23)": ShapeError,
    "xp.linalg.cholesky(m23)": ShapeError,
    "xp.linalg.eigh(m23)": ShapeError,
    "xp.linalg.eigvals(m23)": ShapeError,
    "xp.linalg.slogdet(m23)": ShapeError,
    "xp.linalg.solve(m23, s2)": ShapeError,
    "xp.linalg.solve(m33, s2)": ShapeError,
    "xp.linalg.matrix_power(m23, 2)": ShapeError,
    "xp.linalg.qr(s2)": ShapeError,
    "xp.linalg.svd(s2)": ShapeError,
    "xp.linalg.trace(s2)": ShapeError,
    "xp.linalg.diagonal(s2)": ShapeError,
    "xp.linalg.matrix_norm(s2)": ShapeError,
    "xp.tril(s2)": ShapeError,
    "xp.triu(s2)": ShapeError,
    "s2.__iadd__(m23[:, :2])": ShapeError,
    "s2.__iadd__(s3)": ShapeError,
    # values
    "xp.linalg.inv(xp.zeros((2, 2)))": ArgumentError,
    "xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2))": ArgumentError,
    "xp.linalg.cholesky(-m33)": ArgumentError,
    "xp.max(v0)": ArgumentError,
    "xp.min(v0)": ArgumentError,
    "xp.argmax(v0)": ArgumentError,
    "xp.argmin(v0)": ArgumentError,
    "i ** -1": ArgumentError,
    "xp.pow(i, -2)": ArgumentError,
    "xp.arange(1, 2, 0)": ArgumentError,
    "xp.linspace(0, 1, -1)": ArgumentError,
    "xp.zeros(-1)": ArgumentError,
    "xp.ones((2, -3))": ArgumentError,
    "xp.empty((2, -3))": ArgumentError,
    "xp.full((-2,), 1)": ArgumentError,
    "xp.concat([])": ArgumentError,
    "xp.stack([])": ArgumentError,
    "xp.nonzero(xp.asarray(1))": ArgumentError,
    "xp.meshgrid(f, indexing='yx')": ArgumentError,
    "xp.searchsorted(f, f, side='middle')": ArgumentError,
    "xp.fft.fft(f, norm='unitary')": ArgumentError,
    "xp.fft.fft(f, n=0)": ArgumentError,
    "xp.linalg.qr(m33, mode='full')": ArgumentError,
    "xp.linalg.matrix_norm(m33, ord='nuclear')": ArgumentError,
    "f.to_device('numpy', stream=1)": ArgumentError,
    "f.sum(out=f)": ArgumentError,
    "f.__array_namespace__(api_version='1999.01')": ArgumentError,
    # the wrong type of argument
    "xp.add(1, 2)": ArgumentTypeError,
    "xp.add(f, 'text')": ArgumentTypeError,
    "xp.add(f, None)": ArgumentTypeError,
    "xp.add(f, [1.0, 2.0])": ArgumentTypeError,
    "xp.add(f, object())": ArgumentTypeError,
    "xp.where(b, 'text', f)": ArgumentTypeError,
    "xp.where('text', f, f)": ArgumentTypeError,
    "xp.where(None, f, f)": ArgumentTypeError,
    "xp.clip(f, 'text')": ArgumentTypeError,
    "xp.clip(f, [1.0])": ArgumentTypeError,
    "xp.concat([f, 1.0])": ArgumentTypeError,
    "xp.concat([f, None])": ArgumentTypeError,
    "xp.concat(None)": ArgumentTypeError,
    "xp.concat(f)": ArgumentTypeError,
    "xp.stack(1)": ArgumentTypeError,
    "xp.stack(f)": ArgumentTypeError,
    "xp.broadcast_arrays(f, 1.0)": ArgumentTypeError,
    "xp.meshgrid(f, 1.0)": ArgumentTypeError,
    "xp.matmul(f, 1)": ShapeError,
    "xp.tensordot(f, 1.0)": ArgumentTypeError,
    "xp.vecdot(f, 1.0)": ArgumentTypeError,
    "xp.take(f, [0])": ArgumentTypeError,
    "xp.take(f, 0)": ArgumentTypeError,
    "xp.take_along_axis(f, 0)": ArgumentTypeError,
    "xp.linalg.solve(m33, 1.0)": ArgumentTypeError,
    "xp.linalg.outer(f, 1.0)": ArgumentTypeError,
    "xp.linalg.cross(f, 1.0)": ArgumentTypeError,
    "xp.diff(f, prepend=1.0)": ArgumentTypeError,
    "xp.zeros('text')": ArgumentTypeError,
    "xp.zeros(None)": ArgumentTypeError,
    "xp.zeros(1.5)": ArgumentTypeError,
    "xp.zeros((2, 1.5))": ArgumentTypeError,
    "xp.zeros(f)": ArgumentTypeError,
    "xp.reshape(s3, (1.5, 2))": ArgumentTypeError,
    "xp.reshape(s3, 'text')": ArgumentTypeError,
    "xp.reshape(s3, None)": ArgumentTypeError,
    "xp.broadcast_to(s3, (1.5, 3))": ArgumentTypeError,
    "xp.broadcast_to(s3, None)": ArgumentTypeError,
    "xp.broadcast_shapes((2.5,))": ArgumentTypeError,
    "xp.broadcast_shapes(2)": ArgumentTypeError,
    "xp.full((2,), 'text')": ArgumentTypeError,
    "xp.full((2,), None)": ArgumentTypeError,
    "xp.full((2,), [1, 2])": ArgumentTypeError,
    "xp.full((2,), f)": ArgumentTypeError,
    "xp.arange('text')": ArgumentTypeError,
    "xp.arange(1j)": ArgumentTypeError,
    "xp.linspace('text', 1, 3)": ArgumentTypeError,
    "xp.linspace(0, 1, 2.5)": ArgumentTypeError,
    "xp.linspace(0, 1, None)": ArgumentTypeError,
    "xp.eye(2.5)": ArgumentTypeError,
    "xp.eye(None)": ArgumentTypeError,
    "xp.eye(2, k=0.5)": ArgumentTypeError,
    "xp.eye(-1)": ArgumentError,
    "xp.zeros_like([1.0])": ArgumentTypeError,
    "xp.squeeze(f, None)": ArgumentTypeError,
    "xp.tile(f, 2)": ArgumentTypeError,
    "xp.tile(f, (1.5,))": ArgumentTypeError,
    "xp.tile(f, (-1,))": ArgumentError,
    "xp.repeat(f, -1)": ArgumentError,
    "xp.repeat(f, 1.5)": ArgumentTypeError,
    "xp.roll(f, 1.5)": ArgumentTypeError,
    "xp.fft.fftfreq(2.5)": ArgumentTypeError,
    "xp.fft.fftfreq(0)": ArgumentError,
    # indices
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, 9]))": ArrayIndexError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, -4]))": ArrayIndexError,
    "xp.searchsorted(s3[:0], s3, sorter=xp.asarray([0]))": ShapeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1]))": ShapeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([[0, 1, 2]]))": ShapeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0.0, 1.0, 2.0]))": DTypeError,
    "xp.searchsorted(s3, s3, sorter=xp.asarray([True, True, False]))": DTypeError,
    "s3[3]": ArrayIndexError,
    "s3[-4]": ArrayIndexError,
    "s3[2**70]": ArrayIndexError,
    "s3[0, 0]": ArrayIndexError,
    "m23[0, 0, 0]": ArrayIndexError,
    "xp.asarray(1.0)[0]": ArrayIndexError,
    "s3['text']": ArrayIndexError,
    "s3[1.0]": ArrayIndexError,
    "s3[np.float64(1)]": ArrayIndexError,
    "s3[xp.asarray([1.0])]": ArrayIndexError,
    "s3[np.asarray([1.0])]": ArrayIndexError,
    "s3[[1.0]]": ArrayIndexError,
    "s3[['a']]": ArrayIndexError,
    "s3[[[0], [1, 2]]]": ArrayIndexError,
    "s3[[None]]": ArrayIndexError,
    "s3[object()]": ArrayIndexError,
    "s3[{}]": ArrayIndexError,
    "s3['a':]": ArrayIndexError,
    "s3[1.5:]": ArrayIndexError,
    "s3[xp.asarray(1.5):]": ArrayIndexError,
    "s3[::0]": ArgumentError,
    "s3[::-1][::0]": ArgumentError,
    "s3[xp.asarray([3])]": ArrayIndexError,
    "s3[xp.asarray([-4])]": ArrayIndexError,
    "s3[[3]]": ArrayIndexError,
    "s3[[0, -4]]": ArrayIndexError,
    "m23[..., [3]]": ArrayIndexError,
    "m23[None, [2]]": ArrayIndexError,
    "m23[[0], [3]]": ArrayIndexError,
    "m23.__setitem__((slice(None), [3]), 1.0)": ArrayIndexError,
    "m23[0, xp.asarray([5])]": ArrayIndexError,
    "m23[xp.asarray([0, 1]), xp.asarray([0, 1, 2])]": ArrayIndexError,
    "s3[xp.asarray([True, False])]": ArrayIndexError,
    "s3[[True, False]]": ArrayIndexError,
    "m23[xp.asarray([True, False, True])]": ArrayIndexError,
    "s3[..., ...]": ArrayIndexError,
    "s3.__setitem__(3, 1.0)": ArrayIndexError,
    "s3.__setitem__(2**70, 1.0)": ArrayIndexError,
    "s3.__setitem__((0, 0), 1.0)": ArrayIndexError,
    "s3.__setitem__('text', 1.0)": ArrayIndexError,
    "s3.__setitem__(1.5, 1.0)": ArrayIndexError,
    "s3.__setitem__(slice('a', None), 1.0)": ArrayIndexError,
    "s3.__setitem__(xp.asarray([5]), 1.0)": ArrayIndexError,
    "s3.__setitem__([[0], [1, 2]], 1.0)": ArrayIndexError,
    "s3.__setitem__(xp.asarray([True]), 1.0)": ArrayIndexError,
    "xp.take(s3, xp.asarray([3]))": ArrayIndexError,
    "xp.take(s3, xp.asarray([-4]))": ArrayIndexError,
    "xp.take_along_axis(s3, xp.asarray([3]))": ArrayIndexError,
    "xp.take_along_axis(m23, xp.asarray([0]))": ShapeError,
    # values to store
    "s3.__setitem__(0, 'text')": ArgumentTypeError,
    "s3.__setitem__(0, None)": ArgumentTypeError,
    "s3.__setitem__(0, object())": ArgumentTypeError,
    "s3.__setitem__(0, 1j)": DTypeError,
    "s3.__setitem__(0, c)": DTypeError,
    "s3.__setitem__(0, np.complex64(1))": DTypeError,
    "s3.__setitem__(..., s2)": ShapeError,
    "s3.__setitem__(slice(0, 2), [1.0, 2.0, 3.0])": ShapeError,
    "s3.__setitem__(slice(0, 2), [[1.0, 2.0], [3.0]])": ArgumentError,
    "s3.__setitem__(xp.asarray([True, False, True]), s3)": ShapeError,
    "s3.__setitem__(xp.asarray([0, 1]), s3)": ShapeError,
    "i.__setitem__(0, math.nan)": ArgumentError,
    "i.__setitem__(0, math.inf)": IntegerOverflowError,
    "i.__iadd__(1.5)": DTypeError,
    "i.__itruediv__(2)": DTypeError,
    "f.__iadd__(1j)": DTypeError,
    "b.__iadd__(1)": DTypeError,
    "u8.__iadd__(i)": DTypeError,
    # Python scalars
    "bool(s2)": ArgumentTypeError,
    "int(s2)": ArgumentTypeError,
    "float(s2)": ArgumentTypeError,
    "complex(s2)": ArgumentTypeError,
    "range(s2)": DTypeError,
    "range(f[0])": DTypeError,
    "range(i)": ArgumentTypeError,
    "[1, 2][b[0]]": DTypeError,
    "len(f[0])": ArgumentTypeError,
    "iter(f[0])": ArgumentTypeError,
    "s2.item()": ShapeError,
    "s2.item(5)": ArrayIndexError,
    "hash(f)": TypeError,  # type: ignore[dict-item]
    "float(xp.asarray(1j))": TypeError,  # type: ignore[dict-item]
    "int(xp.asarray(1j))": TypeError,  # type: ignore[dict-item]
    "int(xp.asarray(math.nan))": ValueError,  # type: ignore[dict-item]
    "int(xp.asarray(math.inf))": OverflowError,  # type: ignore[dict-item]
    "f + 'text'": TypeError,  # type: ignore[dict-item]
    "f + None": TypeError,  # type: ignore[dict-item]
    "[1.0] - f": TypeError,  # type: ignore[dict-item]
    "f < 'text'": TypeError,  # type: ignore[dict-item]
    # devices
    "f.to_device('nowhere')": DeviceNotFoundError,
    "f.to_device('torch:cuda:99')": DeviceNotFoundError,
    "f.to_device('')": DeviceNotFoundError,
    "f.to_device(None)": ArgumentTypeError,
    "f.to_device(5)": ArgumentTypeError,
    "f.to_device('numpy:gpu')": DeviceNotFoundError,
    "f.to_device('numpy+nothing')": DeviceNotFoundError,
    "xp.zeros(2, device='nowhere')": DeviceNotFoundError,
    "xp.zeros(2, device=3)": ArgumentTypeError,
    "xp.zeros_like(f, device='nowhere')": DeviceNotFoundError,
    "xp.asarray(1.0, device='nowhere')": DeviceNotFoundError,
    "xp.asarray(f, device='nowhere')": DeviceNotFoundError,
    "xp.astype(f, xp.float32, device='nowhere')": DeviceNotFoundError,
    "xp.from_dlpack(f, device='nowhere')": DeviceNotFoundError,
    "xp.default_device('nowhere')": DeviceNotFoundError,
    "xp.devices('nowhere')": DeviceNotFoundError,
    "xp.device('torch:cpu:7')": DeviceNotFoundError,
    "xp.Device('nowhere')": DeviceNotFoundError,
    "f.__dlpack__(dl_device=(7, 0), copy=False)": BufferError,  # type: ignore[dict-item]
}


def samples(xp: ModuleType) -> dict[str, Any]:
    return {
        "xp": xp,
        "np": np,
        "math": math,
        "f": xp.asarray([0.5, 1.5]),
        "i": xp.asarray([1, 2]),
        "u8": xp.asarray([1, 2], dtype=xp.uint8),
        "b": xp.asarray([True, False]),
        "c": xp.asarray([1j, 2.0]),
        "s2": xp.asarray([1.0, 2.0]),
        "s3": xp.asarray([1.0, 2.0, 3.0]),
        "v0": xp.asarray([]),
        "m23": xp.ones((2, 3)),
        "m33": xp.eye(3),
    }


# What a check would wait for the device for. On a GPU CuPy wraps an index array instead, and PyTorch ends the CUDA
# context of the whole process, so that these calls must not be made there.
BEYOND = {
    "s3[xp.asarray([3])]",
    "s3[xp.asarray([-4])]",
    "m23[0, xp.asarray([5])]",
    "s3.__setitem__(xp.asarray([5]), 1.0)",
    "xp.take(s3, xp.asarray([3]))",
    "xp.take(s3, xp.asarray([-4]))",
    "xp.take_along_axis(s3, xp.asarray([3]))",
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, 9]))",
    "xp.searchsorted(s3, s3, sorter=xp.asarray([0, 1, -4]))",
}
SINGULAR = {
    "xp.linalg.inv(xp.zeros((2, 2)))",
    "xp.linalg.solve(xp.zeros((2, 2)), xp.ones(2))",
    "xp.linalg.cholesky(-m33)",
}
"""What CuPy does not check, for the same reason."""


@pytest.mark.parametrize(
    "code", [pytest.param(code, marks=[pytest.mark.host] * (code in BEYOND)) for code in CALLS]
)
def test_bad_call(xp: ModuleType, device: burn_array.Device, code: str) -> None:
    """The class is right, the text tells, and no array has changed."""
    names = samples(xp)
    if device.library == "cupy" and code in SINGULAR:
        eval(code, names)
        assert set(names["s3"].tolist()) <= {1.0, 2.0, 3.0}
        return
    arrays = [x for x in names.values() if isinstance(x, xp.Array)]
    before = [x.tolist() for x in arrays]
    with pytest.raises(CALLS[code]) as caught:
        eval(code, names)
    assert [x.tolist() for x in arrays] == before
    if CALLS[code].__module__ != "builtins":
        assert caught.type is CALLS[code]
        check_text(code, str(caught.value))


def check_text(code: str, text: str) -> None:
    """The text is one line of moderate length that starts with the function."""
    assert "\n" not in text
    assert 15 < len(text) < 600
    called = code.partition("(")[0].rpartition(".")[2]
    if code.startswith("xp.") and code.endswith(")") and called in FUNCTIONS and called != INFO:
        assert text.startswith((called.removesuffix("_like"), f"linalg.{called}", f"fft.{called}"))
    if code.startswith("xp.linalg."):
        assert called in text


def test_text_of_a_library_error_names_call_dtypes_device_and_reason(
    xp: ModuleType, device: burn_array.Device
) -> None:
    with pytest.raises(ShapeError) as caught:
        xp.ones((2, 3)) + xp.ones((4,))
    assert str(caught.value).startswith(f"add(float64[2, 3], float64[4]) on {device}: ")
    assert caught.value.__cause__ is not None


def test_text_of_a_device_mismatch_names_both_and_the_next_step() -> None:
    a, b = burn_array.ones(2, device="numpy"), burn_array.ones(2, device="torch:cpu")
    with pytest.raises(DeviceMismatchError, match=r"^add: .*numpy.*torch:cpu.*to_device\('numpy'\)") as caught:
        burn_array.add(a, b)
    assert "which copies nothing (both use the same memory)" in str(caught.value)


def test_text_of_a_device_mismatch_promises_no_free_move_between_memories(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = burn_array.ones(2, device="numpy"), burn_array.ones(2, device="torch:cpu")
    monkeypatch.setattr(b.device.adapter, "dlpack_device", (2, 0))
    with pytest.raises(DeviceMismatchError, match=r"to_device\('numpy'\) or make it without device=$"):
        burn_array.add(a, b)


@pytest.mark.parametrize("size", [2**46, 2**60])
def test_memory_that_runs_out_is_one_error_on_every_device(
    xp: ModuleType, device: burn_array.Device, size: int
) -> None:
    """And the library goes on working after it."""
    for call in (xp.ones, xp.arange):
        with pytest.raises(OutOfMemoryError, match=f"{call.__name__}.* on {device}: "):
            call(size, dtype=xp.float32)
    many = xp.arange(10.0)
    with pytest.raises(OutOfMemoryError, match=f"repeat.* on {device}: "):
        xp.repeat(many, size // 4)
    assert float(xp.sum(many)) == 45.0


def test_explain_keeps_errors_of_the_tree_and_translates_others() -> None:
    class AxisErrorOfALibrary(Exception):
        pass

    known = ShapeError("add: no")
    assert explain("add", known, "here", []) is known
    told = explain("add", ShapeError("no"), "here", ["int8[2]", "3"])
    assert (type(told), str(told)) == (ShapeError, "add(int8[2], 3) on here: no")
    cases = {
        RuntimeError("CUDA out of memory. Tried to allocate"): OutOfMemoryError,
        RuntimeError("CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"): OutOfMemoryError,
        RuntimeError("Name 'rows' not found in Tensor[None]."): ArgumentTypeError,
        MemoryError("Unable to allocate 1 TiB"): OutOfMemoryError,
        NotImplementedError("\"lt_cpu\" not implemented for 'ComplexDouble'"): DTypeError,
        NotImplementedError("never"): NotSupportedError,
        AxisErrorOfALibrary("strange"): LibraryError,
        KeyError("x"): LibraryError,
        BufferError("no"): ExportError,
        OverflowError("big"): IntegerOverflowError,
    }
    for error, kind in cases.items():
        assert type(explain("f", error, "here", [])) is kind
    assert str(explain("f", ValueError(), "here", [], "Do this")) == "f() on here: ValueError. Do this"
