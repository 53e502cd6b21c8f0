"""Methods of arrays beyond the standard give what those of ndarrays give; among them ``view`` and ``round``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from burn_array.errors import ArgumentError, ArrayIndexError

Host = Any

METHODS: dict[str, Callable[[Any], Any]] = {
    "sum": lambda x: x.sum(),
    "sum axis": lambda x: x.sum(axis=1, keepdims=True),
    "sum positional": lambda x: x.sum(0),
    "sum dtype": lambda x: x.sum(dtype="float32"),
    "prod": lambda x: x.prod(axis=0),
    "mean": lambda x: x.mean(axis=-1),
    "mean dtype": lambda x: x.mean(dtype=np.float32),
    "var": lambda x: x.var(axis=0, ddof=1),
    "std": lambda x: x.std(keepdims=True),
    "max": lambda x: x.max(axis=1),
    "min": lambda x: x.min(),
    "any": lambda x: (x > 2).any(axis=0),
    "all": lambda x: (x > 0).all(),
    "argmax": lambda x: x.argmax(axis=1),
    "argmin": lambda x: x.argmin(),
    "cumsum": lambda x: x.cumsum(),
    "cumsum axis": lambda x: x.cumsum(axis=1),
    "cumprod": lambda x: x.cumprod(axis=0),
    "reshape": lambda x: x.reshape(3, 2),
    "reshape tuple": lambda x: x.reshape((3, 2)),
    "reshape -1": lambda x: x.reshape(-1),
    "reshape list": lambda x: x.reshape([2, -1, 1]),
    "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.T.flatten(),
    "transpose": lambda x: x.transpose(),
    "transpose axes": lambda x: x.transpose(1, 0),
    "transpose tuple": lambda x: x.transpose((1, 0)),
    "transpose None": lambda x: x.transpose(None),
    "swapaxes": lambda x: x.swapaxes(0, -1),
    "squeeze": lambda x: x[:1].squeeze(),
    "squeeze axis": lambda x: x[:, :1].squeeze(axis=1),
    "repeat": lambda x: x.repeat(2, axis=1),
    "repeat flat": lambda x: x.repeat(2),
    "take": lambda x: x.take([0, -1], axis=1),
    "take flat": lambda x: x.take([0, 5]),
    "astype": lambda x: x.astype("int8"),
    "astype class": lambda x: x.astype(np.float32),
    "copy": lambda x: x.copy(),
    "conj": lambda x: (x * 1j).conj(),
    "conj real": lambda x: x.conj(),
    "real": lambda x: (x * 1j + 2).real,
    "imag": lambda x: (x * 1j).imag,
    "real real": lambda x: x.real,
    "imag real": lambda x: x.imag,
    "clip": lambda x: x.clip(1, 2),
    "clip max": lambda x: x.clip(max=1.5),
    "round": lambda x: (x * 1.7).round(),
    "round decimals": lambda x: (x * 1.23456).round(2),
    "dot": lambda x: x.dot(x.T),
    "dot vector": lambda x: x[0].dot(x[1]),
    "dot scalar": lambda x: x.dot(2.0),
    "dot 3-d": lambda x: x.dot(x.T[None]),
    "argsort": lambda x: (-x).argsort(axis=1),
    "nonzero": lambda x: x.nonzero(),
    "item": lambda x: x.item(1, 2),
    "tolist": lambda x: x.tolist(),
    "nbytes": lambda x: x.nbytes,
    "itemsize": lambda x: x.itemsize,
}


OF_THE_WIDTH = ("nbytes", "itemsize")


WITH_WIDTHS = [
    pytest.param(name, marks=[pytest.mark.needs("64 bits")] if name in OF_THE_WIDTH else [])
    for name in METHODS
]


@pytest.mark.parametrize("name", WITH_WIDTHS)
def test_method_gives_what_numpy_gives(xp: ModuleType, name: str) -> None:
    a = np.array([[0.5, 1.5, 2.5], [3.5, 0.0, 4.5]])
    wanted, found = METHODS[name](a), METHODS[name](xp.asarray(a))
    if not isinstance(wanted, tuple):
        wanted, found = (wanted,), (found,)
    for one, other in zip(found, wanted, strict=True):
        if isinstance(other, np.ndarray | np.generic) and name != "item":
            dtype = one.device.adapter.narrow.get(other.dtype, other.dtype)
            assert (type(one), one.shape, one.dtype) == (xp.Array, other.shape, dtype)
            np.testing.assert_allclose(one.tolist(), other.tolist(), rtol=1e-6)
        else:
            assert one == other


def test_methods_refuse_out(xp: ModuleType) -> None:
    x = xp.ones(3)
    for name in "sum prod mean var std max min any all argmax argmin cumsum cumprod".split():
        with pytest.raises(ValueError, match="out= is not supported"):
            getattr(x, name)(out=x)


def test_fill(xp: ModuleType) -> None:
    x = xp.ones((2, 2))
    x.fill(3)
    assert x.tolist() == [[3.0, 3.0], [3.0, 3.0]]


def test_swapaxes_and_take_check_their_axes(xp: ModuleType) -> None:
    x = xp.ones((2, 3))
    with pytest.raises(IndexError):
        x.swapaxes(0, 2)
    with pytest.raises(ArrayIndexError):
        x[9]
    # The other libraries do not check this index, or fail inside their kernel.
    if x.device.is_host and x.device.library in ("numpy", "torch"):
        with pytest.raises(ArrayIndexError):
            x.take([9], axis=0)


INF, NAN = float("inf"), float("nan")
PARTS = [1.5, -2.0, 0.0, -0.0, INF, -INF, NAN]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_complex_view_of_pairs_keeps_every_part(xp: ModuleType, host: Host, dtype: str) -> None:
    pairs = np.asarray(list(product(PARTS, PARTS)), dtype=dtype)
    made = xp.asarray(pairs).view("complex64" if dtype == "float32" else "complex128")
    assert made.shape == (49, 1)
    assert made.dtype.itemsize == 2 * pairs.itemsize
    back = host(made.view(dtype))
    np.testing.assert_array_equal(back, pairs)
    np.testing.assert_array_equal(np.signbit(back), np.signbit(pairs))


@pytest.mark.needs("64 bits")
def test_gradients_pass_through_a_complex_view_of_pairs(xp: ModuleType, host: Host) -> None:
    from burn_array.autodiff import grad

    weights = xp.asarray([1.0, 2.0, 3.0, 4.0])
    slope = grad(lambda x: xp.sum(x.view("complex128").view("float64") * weights))(
        xp.asarray([1.0, 0.0, -2.0, -0.5])
    )
    np.testing.assert_array_equal(host(slope), [1.0, 2.0, 3.0, 4.0])


INTEGERS = [0, 1, 4, 5, 6, 14, 15, 16, 25, 35, 44, 45, 46, 55, 95, 99, 100, 105, 120]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
@pytest.mark.parametrize("decimals", [3, 1, 0, -1, -2, -3, -30])
def test_integers_round_to_integers(xp: ModuleType, host: Host, dtype: str, decimals: int) -> None:
    values = np.asarray(INTEGERS + ([-x for x in INTEGERS] if dtype != "uint8" else []), dtype=dtype)
    rounded = xp.asarray(values).round(decimals)
    assert rounded.dtype == values.dtype
    exact = [round(int(value), min(decimals, 0)) for value in values]
    assert host(rounded).tolist() == exact


@pytest.mark.needs("64 bits")
def test_floats_round_as_in_numpy(xp: ModuleType, host: Host) -> None:
    values = np.asarray([15.0, 25.0, 35.0, 1.005, -2.675, 1234.5])
    for decimals in (2, 1, -1, -2):
        np.testing.assert_array_equal(host(xp.asarray(values).round(decimals)), values.round(decimals))


def test_copy_takes_the_order_of_numpy(xp: ModuleType) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    for order in ("C", "F", "A", "K", None):
        y = x.copy(order=order)
        x[0, 0] = 9.0
        assert y.tolist() == [[1.0, 2.0], [3.0, 4.0]]
        x[0, 0] = 1.0
    with pytest.raises(ArgumentError, match=r"^copy: order must be 'C'"):
        x.copy(order="rows")
