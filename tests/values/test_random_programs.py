"""Arithmetic and indexing of random shapes, dtypes and keys give what NumPy gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import burn_array as bn

SHAPES = hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=3)
FLOATS = st.floats(-8, 8, width=32)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data(), shapes=SHAPES)
@pytest.mark.needs("64 bits")
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
@pytest.mark.needs("64 bits")
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
