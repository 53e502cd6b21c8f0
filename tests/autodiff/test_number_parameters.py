"""A tracked 0-d array as a parameter that takes a number: differentiated, or a clear error, never dropped."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.autodiff import grad
from burn_array.errors import GradientError

Call = Callable[[ModuleType, Any], Any]

DIFFERENTIATED: dict[str, tuple[Call, float]] = {
    "full fill_value": (lambda xp, w: xp.full((2, 3), w), 6.0),
    "full fill_value dtype": (lambda xp, w: xp.full(4, w, dtype=xp.float32), 4.0),
    "full_like fill_value": (lambda xp, w: xp.full_like(xp.ones((2, 2)), w), 4.0),
    "linspace start": (lambda xp, w: xp.linspace(w, 3.0, 5), 2.5),
    "linspace stop": (lambda xp, w: xp.linspace(0.0, w, 5, endpoint=False), 2.0),
    "linspace both": (lambda xp, w: xp.linspace(w, 2 * w, 3), 4.5),
    "random.normal mean": (lambda xp, w: xp.random.normal((5,), mean=w), 5.0),
    "random.uniform low, high": (lambda xp, w: xp.random.uniform((5,), low=w, high=w + 1), 5.0),
    "clip min": (lambda xp, w: xp.clip(xp.asarray([0.0, 9.0]), w, 20.0), 1.0),
    "pow": (lambda xp, w: xp.pow(xp.asarray([2.0, 2.0]), w), 2 * 2**1.5 * np.log(2.0)),
    "where": (lambda xp, w: xp.where(xp.asarray([True, False]), w, 0.0), 1.0),
}


@pytest.mark.parametrize("name", DIFFERENTIATED)
@pytest.mark.needs("64 bits")
def test_the_gradient_follows_the_parameter(xp: ModuleType, name: str) -> None:
    call, wanted = DIFFERENTIATED[name]
    found = grad(lambda w: xp.astype(xp.sum(call(xp, w)), xp.float64))(xp.asarray(1.5))
    assert float(found) == pytest.approx(wanted, rel=1e-6)


def test_the_scale_of_normal_numbers_is_differentiated_by_what_was_drawn(xp: ModuleType) -> None:
    state = xp.random.get_state()
    drawn = xp.random.normal((50,))
    xp.random.set_state(state)
    found = grad(lambda w: xp.sum(xp.random.normal((50,), mean=2.0, std=w)))(xp.asarray(1.5))
    assert float(found) == pytest.approx(float(xp.sum(drawn)))


REFUSED: dict[str, Call] = {
    "arange start": lambda xp, w: xp.arange(w, 5.0),
    "arange stop": lambda xp, w: xp.arange(w),
    "arange step": lambda xp, w: xp.arange(0.0, 5.0, w),
    "var correction": lambda xp, w: xp.var(xp.ones(5), correction=w),
    "std correction": lambda xp, w: xp.std(xp.ones(5), correction=w),
    "fft.fftfreq d": lambda xp, w: xp.fft.fftfreq(5, d=w),
    "fft.rfftfreq d": lambda xp, w: xp.fft.rfftfreq(5, d=w),
    "linalg.vector_norm ord": lambda xp, w: xp.linalg.vector_norm(xp.ones(5), ord=w),
    "pad constant_values": lambda xp, w: xp.pad(xp.ones(5), 1, constant_values=w),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_derivative_says_so(device: burn_array.Device, xp: ModuleType, name: str) -> None:
    w = xp.asarray(1.5, device=device.autodiff()).require_grad()
    with pytest.raises(GradientError, match=name.split()[-1]):
        REFUSED[name](xp, w)
    REFUSED[name](xp, w.detach())


def test_filled_arrays_stay_on_the_device_of_the_parameter(device: burn_array.Device, xp: ModuleType) -> None:
    w = xp.asarray(1.5, device=device.autodiff()).require_grad()
    for made in (
        xp.full(3, w),
        xp.linspace(w, 2.0, 3),
        xp.random.normal((3,), std=w),
        xp.full_like(xp.ones(2), w),
    ):
        assert made.is_tracked
        assert made.device.library == device.library
    with pytest.raises(burn_array.errors.ArgumentTypeError, match="0-d"):
        xp.full(3, xp.stack([w, w]))


@pytest.mark.needs("64 bits")
def test_uniform_numbers_over_the_whole_range_of_the_dtype(xp: ModuleType) -> None:
    drawn = xp.random.uniform((1000,), low=-3e38, high=3e38, dtype=xp.float32)
    assert bool(xp.all(xp.isfinite(drawn)))
    assert float(xp.min(drawn)) < -2e38 < 2e38 < float(xp.max(drawn))
    drawn = xp.random.uniform((1000,), low=-1.7e308, high=1.7e308)
    assert bool(xp.all(xp.isfinite(drawn)))


@pytest.mark.needs("64 bits")
def test_linspace_over_more_than_the_range_of_the_dtype(xp: ModuleType) -> None:
    assert xp.linspace(-1.7e308, 1.7e308, 3).tolist() == [-1.7e308, 0.0, 1.7e308]
    assert xp.linspace(-1.7e308, 1.7e308, 2, endpoint=False).tolist() == [-1.7e308, 0.0]
