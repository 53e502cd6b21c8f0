"""Fourier transforms that test_pages.py does not call: empty and broadcast operands, and lengths of several axes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest


@pytest.mark.parametrize("name", ["irfft", "hfft"])
@pytest.mark.needs("64 bits")
def test_an_empty_axis_is_padded_with_zeros(xp: ModuleType, name: str) -> None:
    rest = [xp.full(8, 7e9) for _ in range(50)]  # a read past the end would find these values in freed memory
    del rest
    x = xp.zeros((2, 0), dtype=xp.complex128)
    assert getattr(xp.fft, name)(x, n=4).tolist() == [[0.0] * 4] * 2
    assert xp.fft.irfftn(x, s=(2, 4), axes=(0, 1)).tolist() == [[0.0] * 4] * 2


@pytest.mark.parametrize("name", "fftn ifftn rfftn irfftn".split())
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (-1, 0)])
@pytest.mark.needs("64 bits")
def test_lengths_belong_to_the_axes(xp: ModuleType, name: str, axes: tuple[int, int]) -> None:
    """Length ``s[i]`` belongs to axis ``axes[i]``, even if ``s`` is a permutation of the shape."""
    values = np.arange(12.0).reshape(3, 4) if name == "rfftn" else np.arange(12.0).reshape(3, 4) * (1 + 2j)
    for lengths in ((3, 4), (4, 3), (2, 4), (5, 6)):
        for kept in (values, np.asfortranarray(values)):
            found = getattr(xp.fft, name)(xp.asarray(kept), s=lengths, axes=axes)
            wanted = getattr(np.fft, name)(values, s=lengths, axes=axes)
            assert found.shape == wanted.shape
            np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, atol=1e-12)


@pytest.mark.parametrize("name", "fft ifft rfft ihfft irfft hfft fftn ifftn rfftn irfftn".split())
@pytest.mark.needs("64 bits")
def test_broadcast_operands_are_transformed(xp: ModuleType, name: str) -> None:
    real = name in ("rfft", "ihfft", "rfftn")
    for values in (np.arange(1.0, 5.0), np.arange(1.0, 4.0)[:, None], np.ones((1, 1))):
        values = values if real else values * (1 + 2j)
        for axis in (0, 1):
            settings: dict[str, Any] = {} if name.endswith("n") else {"axis": axis}
            found = getattr(xp.fft, name)(xp.broadcast_to(xp.asarray(values), (3, 4)), **settings)
            wanted = getattr(np.fft, name)(np.broadcast_to(values, (3, 4)), **settings)
            np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, atol=1e-13)


@pytest.mark.parametrize("name", "fft ifft irfft hfft fftn ifftn irfftn".split())
def test_a_transform_does_not_change_its_operand(xp: ModuleType, name: str) -> None:
    values = np.arange(1.0, 13.0).reshape(3, 4) * (1 + 2j)
    for x in (xp.asarray(values), xp.matrix_transpose(xp.asarray(values.T.copy()))):
        for lengths in ((2, 2), (3, 4), (5, 6)):
            settings: dict[str, Any] = (
                {"s": lengths, "axes": (0, 1)} if name.endswith("n") else {"n": lengths[1]}
            )
            getattr(xp.fft, name)(x, **settings)
            np.testing.assert_array_equal(np.asarray(x.to_device("numpy")), values)


ONE_AXIS: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((0, 4), {}),
    ((0, 4), {"n": 7}),
    ((4, 4, 0), {"axis": 1}),
]
SEVERAL_AXES: list[tuple[tuple[int, ...], dict[str, Any]]] = [
    ((0, 4), {"axes": (1,)}),
    ((2, 0, 4), {"axes": (-1,), "s": (7,)}),
    ((4, 4, 0), {"axes": (0, 1)}),
]


ACCEPT_COMPLEX = "fft ifft irfft hfft fftn ifftn irfftn".split()
ACCEPT_REAL = [*ACCEPT_COMPLEX, "rfft", "ihfft", "rfftn"]
REALS = ("bool", "int32", "float64", "float32")


@pytest.mark.parametrize(
    ("name", "dtype"),
    [*((n, d) for n in ACCEPT_REAL for d in REALS), *((n, "complex64") for n in ACCEPT_COMPLEX)],
)
@pytest.mark.needs("64 bits")
def test_empty_operands_give_the_shape_and_dtype_of_numpy(xp: ModuleType, name: str, dtype: str) -> None:
    for shape, settings in SEVERAL_AXES if name.endswith("n") else ONE_AXIS:
        found = getattr(xp.fft, name)(xp.zeros(shape, dtype=dtype), **settings)
        wanted = getattr(np.fft, name)(np.zeros(shape, dtype=dtype), **settings)
        assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)


@pytest.mark.parametrize("name", ["fftn", "rfftn", "irfftn"])
@pytest.mark.needs("64 bits")
def test_lengths_without_axes_belong_to_the_last_axes(xp: ModuleType, name: str) -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    found = getattr(xp.fft, name)(xp.asarray(x), s=(3, 5))
    wanted = getattr(np.fft, name)(x, s=(3, 5), axes=(1, 2))
    np.testing.assert_allclose(np.asarray(found.to_device("numpy")), wanted, atol=1e-12)


def test_a_shift_by_no_axis_is_a_copy(xp: ModuleType) -> None:
    x = xp.asarray([1, 2, 3], dtype=xp.uint16)
    y = xp.fft.fftshift(x, axes=())
    y[0] = 9
    assert x.tolist() == [1, 2, 3]
