"""Random numbers follow the seed or a stored state, and have the right distribution, shape, dtype and device."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array import random
from burn_array.autodiff import grad
from burn_array.errors import ArgumentError, AxisError, DeviceMismatchError, DTypeError

Host = Callable[[Any], np.ndarray[Any, Any]]

DRAWS: list[tuple[str, Callable[[Any], Any]]] = [
    ("uniform", lambda at: random.uniform((7,), device=at)),
    ("uniform between", lambda at: random.uniform((7,), low=-2.0, high=3.0, device=at)),
    ("uniform float32", lambda at: random.uniform((7,), dtype="float32", device=at)),
    ("uniform float16", lambda at: random.uniform((7,), dtype="float16", device=at)),
    ("normal", lambda at: random.normal((7,), device=at)),
    ("normal float16", lambda at: random.normal((7,), dtype="float16", device=at)),
    ("integers", lambda at: random.integers((7,), high=100, device=at)),
    ("bernoulli", lambda at: random.bernoulli(0.5, shape=(30,), device=at)),
    ("permutation", lambda at: random.permutation(30, device=at)),
    ("choice", lambda at: random.choice(30, (7,), device=at)),
    ("choice of weights", lambda at: random.choice(4, (30,), p=[1, 2, 3, 4], device=at)),
    ("choice without replacement", lambda at: random.choice(30, (7,), replace=False, device=at)),
]
IDS = [name for name, _ in DRAWS]


@pytest.mark.parametrize(("name", "draw"), DRAWS, ids=IDS)
def test_a_seed_gives_the_same_numbers(device: Any, host: Host, name: str, draw: Any) -> None:
    random.seed(7, device=device)
    first, second = host(draw(device)), host(draw(device))
    random.seed(7, device=device)
    np.testing.assert_array_equal(host(draw(device)), first)
    assert not np.array_equal(first, second)
    random.seed(8, device=device)
    assert not np.array_equal(host(draw(device)), first)


@pytest.mark.parametrize(("name", "draw"), DRAWS, ids=IDS)
def test_a_state_gives_the_same_numbers(device: Any, host: Host, name: str, draw: Any) -> None:
    random.uniform((3,), device=device)
    state = pickle.loads(pickle.dumps(random.get_state(device=device)))
    first = host(draw(device))
    random.uniform((3,), device=device)
    random.set_state(state)
    np.testing.assert_array_equal(host(draw(device)), first)


@pytest.mark.parametrize(("name", "draw"), DRAWS, ids=IDS)
def test_results_are_on_the_device(device: Any, name: str, draw: Any) -> None:
    assert draw(device).device == device


def test_devices_have_generators_of_their_own(host: Host) -> None:
    random.seed(1, device="numpy")
    random.seed(1, device="torch:cpu")
    expected = [host(random.uniform((3,), device=name)) for name in ("numpy", "torch:cpu")]
    random.seed(1, device="numpy")
    random.seed(1, device="torch:cpu")
    np.testing.assert_array_equal(host(random.uniform((3,), device="torch:cpu")), expected[1])
    np.testing.assert_array_equal(host(random.uniform((3,), device="numpy")), expected[0])
    assert not np.array_equal(expected[0], expected[1])


def test_the_generators_of_numpy_and_torch_are_not_touched() -> None:
    import torch

    np.random.seed(3)
    torch.manual_seed(3)
    expected = np.random.random(), float(torch.rand(()))
    np.random.seed(3)
    torch.manual_seed(3)
    for name in ("numpy", "torch:cpu"):
        random.seed(5, device=name)
        random.uniform((3,), device=name)
    assert (np.random.random(), float(torch.rand(()))) == expected


def test_numpy_draws_from_default_rng(host: Host) -> None:
    random.seed(42, device="numpy")
    np.testing.assert_array_equal(
        host(random.uniform((4,), device="numpy")), np.random.default_rng(42).random(4)
    )


def test_autodiff_and_plain_devices_share_a_generator(device: Any, host: Host) -> None:
    random.seed(3, device=device.autodiff())
    x = random.normal((3,), device=device.autodiff())
    random.seed(3, device=device)
    np.testing.assert_array_equal(host(random.normal((3,), device=device)), host(x))
    assert x.device.is_autodiff
    assert not x.is_tracked


def test_gradients_pass_through_samples(device: Any, host: Host) -> None:
    x = burn_array.asarray([1.0, 2.0, 3.0], device=device)
    slope = grad(lambda x: burn_array.sum(random.permutation(x) ** 2))(x)
    np.testing.assert_array_equal(host(slope), [2.0, 4.0, 6.0])
    slope = grad(lambda x: burn_array.sum(random.choice(x, (5,))))(x)
    assert float(burn_array.sum(slope)) == 5.0


# -- distributions ----------------------------------------------------------------------------

MANY = 20_000


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_uniform(xp: ModuleType, host: Host, dtype: str) -> None:
    random.seed(11)
    x = random.uniform((MANY,), dtype=dtype)
    assert x.dtype == dtype
    values = host(x).astype(float)
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert abs(values.mean() - 0.5) < 0.01
    assert abs(values.var() - 1 / 12) < 0.005


def test_uniform_between(xp: ModuleType, host: Host) -> None:
    random.seed(11)
    values = host(random.uniform((MANY,), low=-3.0, high=-1.0))
    assert values.min() >= -3.0
    assert values.max() < -1.0
    assert abs(values.mean() + 2.0) < 0.02
    assert host(random.uniform((2,), low=1.5, high=1.5)).tolist() == [1.5, 1.5]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_normal(xp: ModuleType, host: Host, dtype: str) -> None:
    random.seed(12)
    x = random.normal((MANY,), mean=1.0, std=2.0, dtype=dtype)
    assert x.dtype == dtype
    values = (host(x).astype(float) - 1.0) / 2.0
    assert abs(values.mean()) < 0.03
    assert abs(values.var() - 1.0) < 0.05
    assert abs((np.abs(values) < 1).mean() - 0.6827) < 0.02
    assert abs((values**4).mean() - 3.0) < 0.3


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_integers(xp: ModuleType, host: Host, dtype: str) -> None:
    random.seed(13)
    x = random.integers((MANY,), low=3, high=9, dtype=dtype)
    assert x.dtype == dtype
    counts = np.bincount(host(x).astype(int), minlength=10)
    assert counts[:3].sum() == counts[9:].sum() == 0
    assert abs(counts[3:9] - MANY / 6).max() < 5 * np.sqrt(MANY / 6)


@pytest.mark.needs("64 bits")
def test_wide_integers(xp: ModuleType, host: Host) -> None:
    random.seed(13)
    values = host(random.integers((MANY,), low=-(2**61), high=2**61)).astype(float) / 2.0**61
    assert abs(values.mean()) < 0.02
    assert abs(values.var() - 1 / 3) < 0.01


def test_bernoulli(xp: ModuleType, host: Host) -> None:
    random.seed(14)
    x = random.bernoulli(0.3, shape=(MANY,))
    assert x.dtype == xp.bool
    assert abs(host(x).mean() - 0.3) < 0.02
    p = xp.asarray([0.0, 1.0, 0.0])
    assert host(random.bernoulli(p)).tolist() == [False, True, False]
    assert random.bernoulli(p, shape=(4, 3)).shape == (4, 3)
    assert random.bernoulli().shape == ()


@pytest.mark.needs("64 bits")
def test_permutation(xp: ModuleType, host: Host) -> None:
    random.seed(15)
    order = host(random.permutation(100))
    assert order.dtype == np.int64
    np.testing.assert_array_equal(np.sort(order), np.arange(100))
    x = xp.reshape(xp.arange(12), (3, 4))
    shuffled = host(random.permutation(x, axis=1))
    np.testing.assert_array_equal(np.sort(shuffled, axis=1), host(x))
    np.testing.assert_array_equal(shuffled - shuffled[:1], host(x) - host(x)[:1])
    first = [int(random.permutation(3)[0]) for _ in range(300)]
    assert min(np.bincount(first, minlength=3)) > 60


def test_choice_of_weights(xp: ModuleType, host: Host) -> None:
    random.seed(16)
    weights = np.asarray([1.0, 0.0, 3.0, 4.0])
    for p in (weights, weights.tolist(), xp.asarray(weights)):
        counts = np.bincount(host(random.choice(4, (MANY,), p=p)), minlength=4)
        assert counts[1] == 0
        assert abs(counts / MANY - weights / 8).max() < 0.02


def test_choice_without_replacement(xp: ModuleType, host: Host) -> None:
    random.seed(17)
    drawn = np.asarray([host(random.choice(4, (2,), replace=False, p=[1, 2, 1, 0.001])) for _ in range(400)])
    assert (drawn[:, 0] != drawn[:, 1]).all()
    assert abs((drawn[:, 0] == 1).mean() - 0.5) < 0.1
    assert sorted(host(random.choice(5, (5,), replace=False))) == [0, 1, 2, 3, 4]


@pytest.mark.needs("64 bits")
def test_choice_of_zero_weights(xp: ModuleType, host: Host) -> None:
    random.seed(18)
    for p in ([0, 1, 0, 1e-300], xp.asarray([0, 2, 0, 3])):
        for _ in range(50):
            assert sorted(host(random.choice(4, (2,), replace=False, p=p))) == [1, 3]
    assert random.choice(3, (0,), p=[0, 0, 0]).shape == (0,)
    assert random.choice(3, (0,), replace=False, p=[0, 0, 0]).shape == (0,)
    assert set(host(random.choice(3, (50,), p=[1e308, 0, 1e308]))) == {0, 2}


@pytest.mark.needs("64 bits", "subnormal numbers")
def test_choice_of_the_least_weight(xp: ModuleType, host: Host) -> None:
    p = xp.asarray([0.0, 1.0, 0.0, 5e-324])
    for _ in range(50):
        assert sorted(host(random.choice(4, (2,), replace=False, p=p))) == [1, 3]


def test_choice_of_rows(xp: ModuleType, host: Host) -> None:
    x = xp.reshape(xp.arange(12), (3, 4))
    rows = host(random.choice(x, (2, 5)))
    assert rows.shape == (2, 5, 4)
    assert set(rows[..., 0].ravel()) <= {0, 4, 8}
    assert random.choice(x, (2,), axis=-1).shape == (3, 2)
    assert random.choice(x, axis=1).shape == (3,)


@pytest.mark.needs("64 bits")
def test_shapes_and_default_dtypes(xp: ModuleType) -> None:
    assert random.uniform().shape == ()
    assert random.normal(3).shape == (3,)
    assert random.integers((0, 2), high=5).shape == (0, 2)
    assert random.choice(5, (0,)).shape == (0,)
    assert random.uniform((2, 3)).dtype == xp.float64
    assert random.integers((2,), high=5).dtype == xp.int64


def test_numbers_drawn_without_a_device_are_uncommitted(device: Any) -> None:
    x = burn_array.ones((3,), device=device)
    assert (random.uniform((3,)) + x).device == device
    assert random.bernoulli(x).device == device


DRAWN_FROM: list[Callable[[Any], Any]] = [
    random.bernoulli,
    random.permutation,
    lambda x: random.choice(x, (2,)),
    lambda x: random.choice(x, (2,), p=[1, 2, 3]),
    lambda x: random.choice(x, (2,), replace=False),
]


@pytest.mark.parametrize("draw", DRAWN_FROM)
def test_draws_from_an_uncommitted_array_are_uncommitted(device: Any, draw: Callable[[Any], Any]) -> None:
    drawn = draw(burn_array.ones(3))
    assert drawn.device == burn_array.default_device()
    beside = burn_array.ones(drawn.shape, device=device)
    assert (drawn + beside).device == device
    assert draw(burn_array.ones(3, device=device)).device == device


# -- errors -----------------------------------------------------------------------------------

WRONG: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: random.seed(-1), ArgumentError, "the seed must not be negative"),
    (lambda: random.seed(2**64), ArgumentError, r"less than 2\*\*64"),
    (lambda: random.seed(1.5), TypeError, "must be an integer"),  # type: ignore[arg-type]
    (lambda: random.uniform((2,), low=2.0), ArgumentError, "low must not be greater than high"),
    (lambda: random.uniform((2,), dtype="int32"), DTypeError, "must be real and floating-point, got int32"),
    (lambda: random.uniform((-2,)), ArgumentError, "negative"),
    (lambda: random.normal((2,), std=-1.0), ArgumentError, "std must not be negative"),
    (lambda: random.integers((2,), high=0), ArgumentError, "low must be less than high"),
    (lambda: random.integers((2,), high=300, dtype="uint8"), ArgumentError, "does not fit uint8"),
    (lambda: random.integers((2,), high=3, dtype="float32"), DTypeError, "must be an integer dtype"),
    (lambda: random.bernoulli(1.5), ArgumentError, "from 0 to 1"),
    (lambda: random.choice(3, (4,), replace=False), ArgumentError, "cannot draw 4 of 3"),
    (lambda: random.choice(0, (1,)), ArgumentError, "nothing to draw from"),
    (lambda: random.choice(3, (1,), p=[1.0]), ArgumentError, r"p must have shape \(3,\)"),
    (
        lambda: random.choice(3, (2,), replace=False, p=[1, 0, 0]),
        ArgumentError,
        "draw 2 elements, 1 of 3 have",
    ),
    (lambda: random.choice(3, (2,), p=[0, 0, 0]), ArgumentError, "draw 1 elements, 0 of 3 have"),
    (lambda: random.choice(2, (2,), p=[1, -1]), ArgumentError, "finite and not negative"),
    (
        lambda: random.choice(2, (2,), replace=False, p=[1, math.nan]),
        ArgumentError,
        "p must be finite and not",
    ),
    (lambda: random.permutation(burn_array.ones((2,)), axis=1), AxisError, "axis 1 is out of range"),
    (lambda: random.permutation(-1), ArgumentError, "must not be negative"),
]


@pytest.mark.parametrize(("call", "kind", "text"), WRONG, ids=[text for _, _, text in WRONG])
def test_bad_arguments_are_refused(call: Callable[[], Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=rf"random\.\w+: .*{text}|{text}"):
        call()


def test_a_state_belongs_to_its_device() -> None:
    state = random.get_state(device="numpy")
    with pytest.raises(
        DeviceMismatchError, match=r"the state belongs to numpy and cannot be used on torch:cpu"
    ):
        random.set_state(state, device="torch:cpu")
