"""A backward pass neither warns nor raises where it divides by zero, and restores NumPy's error settings."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import burn_array as xp
from burn_array.autodiff.engine import numpy_warnings as quiet


@pytest.fixture(params=["as it is", "where NumPy's setting is not found"])
def _setting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param != "as it is":
        monkeypatch.setattr(quiet, "_VARIABLE", None)


@pytest.mark.usefixtures("_setting")
def test_a_pass_back_is_quiet_and_leaves_the_settings() -> None:
    x = xp.asarray([0.0, 4.0], device="numpy+autodiff").require_grad()
    settings = {"divide": "raise", "over": "warn", "under": "print", "invalid": "raise"}
    with warnings.catch_warnings(action="error"), np.errstate(**settings):  # type: ignore[arg-type]
        before = np.geterr()
        y = xp.sum(xp.sqrt(x))
        gradient = y.backward()[x]
        assert np.geterr() == before
        with pytest.raises(FloatingPointError):
            np.asarray(1.0) / np.asarray(0.0)
    assert gradient.tolist() == [float("inf"), 0.25]


@pytest.mark.usefixtures("_setting")
def test_a_pass_back_that_fails_leaves_the_settings() -> None:
    x = xp.asarray([1.0], device="numpy+autodiff").require_grad()
    y = xp.sum(x * x)
    y.backward()
    with np.errstate(divide="raise"):
        before = np.geterr()
        with pytest.raises(xp.errors.GradientError):
            y.backward()
        assert np.geterr() == before


def test_the_setting_of_this_numpy_is_found() -> None:
    assert quiet._find() is not None
