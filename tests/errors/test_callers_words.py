"""Mistakes that Python itself would report in words of the implementation, and what arrays say about themselves."""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.errors import ArgumentTypeError, GradientError

SEQUENCES = [(1, 2), [1, 2], "ab", b"ab", bytearray(b"ab")]


# -- operators and the class ----------------------------------------------------------------------


@pytest.mark.parametrize("sequence", SEQUENCES, ids=repr)
@pytest.mark.parametrize("shape", [(), (2,)])
def test_a_sequence_is_not_repeated(xp: ModuleType, shape: tuple[int, ...], sequence: Any) -> None:
    x = xp.full(shape, 2)
    calls: list[Callable[[Any, Any], Any]] = [operator.mul, operator.imul, lambda x, y: y * x]
    for call in calls:
        with pytest.raises(
            ArgumentTypeError, match=r"multiply: expected an Array.*make one with asarray\(x\)"
        ):
            call(x, sequence)


def test_an_unknown_type_may_still_multiply_an_array(xp: ModuleType) -> None:
    class Other:
        def __rmul__(self, x: Any) -> str:
            return "theirs"

    assert xp.ones(2) * Other() == "theirs"
    with pytest.raises(TypeError, match="unsupported operand"):
        xp.ones(2) * None


@pytest.mark.parametrize("args", [([1],), (np.ones(2),), (3, None), (np.ones(2), "numpy")])
def test_the_class_says_how_arrays_are_made(args: tuple[Any, ...]) -> None:
    with pytest.raises(ArgumentTypeError, match=r"^Array: .* use asarray\("):
        burn_array.Array(*args)


def test_an_in_place_operator_names_itself(xp: ModuleType, device: burn_array.Device) -> None:
    w = xp.asarray([1.0, 2.0], device=device.inner.autodiff()).require_grad()
    calls: dict[str, Callable[[Any, Any], Any]] = {"add": operator.iadd, "multiply": operator.imul}
    for name, call in calls.items():
        with pytest.raises(
            GradientError, match=rf"^in-place {name}\(.*detach\(\) - step\)\.require_grad\(\)"
        ):
            call(w, 1.0)
    with pytest.raises(GradientError, match=r"^__setitem__"):
        w[0] = 1.0
    w = (w.detach() - 0.5).require_grad()
    assert w.tolist() == [0.5, 1.5]
    assert w.requires_grad


# -- repr -----------------------------------------------------------------------------------------


@pytest.mark.needs("eager values")
@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (1, 0, 2)])
def test_repr_of_an_array_without_elements_shows_its_shape(xp: ModuleType, shape: tuple[int, ...]) -> None:
    assert f"[], shape={shape}, dtype=" in repr(xp.zeros(shape))


@pytest.mark.needs("eager values")
def test_repr_shows_the_shape_only_if_the_values_do_not(xp: ModuleType) -> None:
    assert "shape=" not in repr(xp.zeros((0,)))
    assert "shape=" not in repr(xp.zeros((2, 3)))
    assert ", shape=(2000,), dtype=" in repr(xp.zeros(2000))


def test_repr_says_what_is_tracked(xp: ModuleType, device: burn_array.Device) -> None:
    at = device.inner.autodiff()
    x = xp.asarray([1.0, 2.0], device=at)
    assert repr(x).endswith(f"device='{at}')")
    w = x.require_grad()
    assert repr(w).endswith(f"device='{at}', requires_grad=True)")
    assert repr(w * w).endswith(f"device='{at}', is_tracked=True)")
    assert repr(w.detach()).endswith(f"device='{at}')")
    assert "is_tracked=True" in (w * w)._repr_html_()
    assert "requires_grad" not in str(w)


# -- to_numpy -------------------------------------------------------------------------------------


def test_to_numpy_returns_an_ndarray(xp: ModuleType, device: burn_array.Device) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    found = x.to_numpy()
    assert type(found) is np.ndarray
    assert found.dtype == x.dtype
    assert found.tolist() == x.tolist()
    assert type(xp.asarray(3)[()].to_numpy()) is np.ndarray
    if device.is_host and device.library != "dask":  # whose values are computed each time
        assert np.shares_memory(found, x.to_numpy())


def test_to_numpy_copies_from_memory_of_its_own(apart: burn_array.Device) -> None:
    x = burn_array.asarray([1.0, 2.0], device=apart)
    found = x.to_numpy()
    found[0] = 7.0
    assert x.tolist() == [1.0, 2.0]


def test_to_numpy_of_a_tracked_array_is_an_error(xp: ModuleType, device: burn_array.Device) -> None:
    w = xp.asarray([1.0, 2.0], device=device.inner.autodiff()).require_grad()
    with pytest.raises(GradientError, match=r"^to_numpy\(.*x\.detach\(\)"):
        w.to_numpy()
    assert w.detach().to_numpy().tolist() == [1.0, 2.0]
