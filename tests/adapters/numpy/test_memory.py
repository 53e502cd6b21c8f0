"""Large element-wise results lie in kept memory, and never in memory that something can still read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import torch

import burn_array as xp
from burn_array._core.large import LARGE, is_large
from burn_array.adapters.numpy import memory

NUMPY = xp.device("numpy")
SHAPE = (2, LARGE // 2)
UNARY = """
abs acos acosh asin asinh atan atanh ceil conj cos cosh exp expm1 floor isfinite isinf isnan log log10 log1p log2
negative positive real reciprocal round sign signbit sin sinh sqrt square tan tanh trunc
""".split()
BINARY = """
add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal logaddexp maximum minimum
multiply nextafter not_equal pow remainder subtract
""".split()


@pytest.fixture(autouse=True)
def reusing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use kept memory in the interpreted form too, beginning with none."""
    memory.clear()
    for device in (NUMPY, NUMPY.uncommitted):
        monkeypatch.setattr(device, "reusing", memory.compute)
    yield
    memory.clear()


def operand(dtype: str, seed: int = 0) -> xp.Array:
    return xp.asarray(np.random.default_rng(seed).uniform(0.5, 0.9, SHAPE).astype(dtype), device="numpy")


def address(x: xp.Array) -> int:
    return int(x.native.ctypes.data)


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_values_and_dtypes_are_those_without_kept_memory(
    name: str, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    operands = [operand(dtype, seed) for seed in range(1 + (name in BINARY))]
    function = getattr(xp, name)
    if name == "acosh":
        operands = [operands[0] + 1.0]
    got = [function(*operands) for _ in range(2)][1]
    scaled = [function(operands[0], 2), function(0.5, operands[0])] if name in BINARY else []
    for device in (NUMPY, NUMPY.uncommitted):
        monkeypatch.setattr(device, "reusing", None)
    wanted = [function(*operands)]
    wanted += [function(operands[0], 2), function(0.5, operands[0])] if name in BINARY else []
    for one, other in zip([got, *scaled], wanted, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_array_equal(one.native, other.native)


@pytest.mark.parametrize(
    "keep",
    [
        lambda x: x,
        lambda x: x[0, 1:3],
        lambda x: x.native,
        lambda x: memoryview(x.native),
        lambda x: torch.from_dlpack(x),
        lambda x: x.to_device("torch:cpu"),
        lambda x: x.__dlpack__(),
    ],
    ids=["array", "view", "ndarray", "buffer", "tensor", "moved", "capsule"],
)
def test_memory_that_something_can_read_stays(keep: Callable[[xp.Array], Any]) -> None:
    x = operand("float64")
    y = x + 1.0
    before, values, where = keep(y), y.native.copy(), address(y)
    del y
    others = [x * float(i) for i in range(3)]
    assert where not in map(address, others)
    if hasattr(before, "shape") and tuple(before.shape) == SHAPE:
        np.testing.assert_array_equal(np.asarray(before), values)
    del before
    others += [x - float(i) for i in range(3)]
    assert where in map(address, others)


def test_a_chain_needs_two_pieces_of_memory() -> None:
    x = operand("float64")
    assert len({address(x * x + x - 2.0) for _ in range(5)}) == 1
    assert len(memory._PIECES) == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.mT + x.mT,
        lambda x: x[:, ::2] + x[:, ::2],
        lambda x: x + x[:1, :],
        lambda x: xp.astype(x, xp.int32) + xp.astype(x, xp.int32),
        lambda x: xp.astype(x, xp.complex64) * 2.0,
        lambda x: x + xp.astype(x, xp.float32),
    ],
    ids=["transposed", "strided", "broadcast", "integers", "complex", "mixed"],
)
def test_other_operands_are_computed_by_numpy_alone(make: Callable[[xp.Array], xp.Array]) -> None:
    x = operand("float64")
    memory.clear()
    assert make(x).native.base is None
    assert not memory._PIECES


def test_bools_take_an_eighth_of_the_memory() -> None:
    x = operand("float64")
    assert xp.isnan(x).native.base.nbytes == x.size


def test_no_more_is_kept_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = operand("float64")
    monkeypatch.setattr(memory, "LIMIT", 3 * x.native.nbytes)
    kept = [x + float(i) for i in range(8)]
    assert sum(piece.nbytes for piece in memory._PIECES) <= memory.LIMIT
    monkeypatch.setattr(memory, "LIMIT", 0)
    memory.clear()
    kept.append(x + x)
    assert not memory._PIECES


def test_threads_do_not_share_memory() -> None:
    x = operand("float64")

    def work(i: int) -> bool:
        y = x * float(i)
        return all(bool(xp.all((y + float(k)) - float(k) - y < 1e-9)) for k in range(10))

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(1, 65)))


def test_an_error_of_the_library_leaves_the_memory_usable() -> None:
    x = operand("float64")
    with np.errstate(divide="raise"), pytest.raises(Exception, match="divide"):
        x / xp.zeros_like(x)
    assert address(x + x)


def test_is_large() -> None:
    assert is_large(np.empty(LARGE)) and is_large(np.empty((2, LARGE // 2), np.int8))
    assert not is_large(np.empty(LARGE - 1)) and not is_large(np.empty((LARGE, 0)))
    assert not any(map(is_large, (1, 2.5, np.float64(1.0), None, [0] * LARGE)))
