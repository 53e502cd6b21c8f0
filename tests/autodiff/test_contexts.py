"""Tracking: the device of a result, which results are tracked, moves between devices, and errors."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Device
from burn_array.autodiff import grad, jvp
from burn_array.errors import DeviceMismatchError, GradientError, HostAccessError


def values(x: Any) -> Any:
    return np.asarray(x.detach().to_device("numpy")).tolist()


@pytest.fixture(params=["", "[balanced]"])
def autodiff(device: Device, request: pytest.FixtureRequest) -> Device:
    return xp.device(f"{device}+autodiff{request.param}")


# -- devices --------------------------------------------------------------------------------------


def test_device(device: Device) -> None:
    autodiff = device.autodiff()
    assert str(autodiff) == f"{device}+autodiff"
    assert autodiff.is_autodiff
    assert not device.is_autodiff
    assert autodiff.inner is device
    assert device.inner is device
    assert autodiff == device
    assert autodiff.checkpointing is None
    balanced = autodiff.gradient_checkpointing()
    assert balanced.checkpointing == "balanced"
    assert balanced.inner is device
    assert xp.device(str(balanced)) is balanced


def test_device_refuses_what_it_is(device: Device) -> None:
    with pytest.raises(GradientError, match="differentiates already"):
        device.autodiff().autodiff()
    with pytest.raises(GradientError, match="autodiff\\(\\) first"):
        device.gradient_checkpointing()
    with pytest.raises(GradientError, match="unknown strategy"):
        xp.device(f"{device}+autodiff[other]")


# -- contexts -------------------------------------------------------------------------------------


def test_created_floats_are_untracked(autodiff: Device) -> None:
    x = xp.zeros((2, 2), device=autodiff)
    assert str(x.device) == str(autodiff)
    assert not x.is_tracked
    assert not x.requires_grad
    assert x.require_grad() is x
    assert x.requires_grad
    assert x.is_tracked
    assert not (x * 2).requires_grad


@pytest.mark.parametrize("made", [[1, 2], [True, False]])
@pytest.mark.needs("64 bits")
def test_integers_and_bools_carry_the_context(autodiff: Device, made: list[Any]) -> None:
    x = xp.asarray(made, device=autodiff)
    assert str(x.device) == str(autodiff)
    assert str(xp.astype(x, xp.float64).device) == str(autodiff)


def test_results_keep_the_context(autodiff: Device) -> None:
    x = xp.ones((2, 2), device=autodiff)
    assert str((x + x).device) == str(xp.concat([x, x]).device) == str(autodiff)


def test_plain_arrays_join_as_constants(device: Device, autodiff: Device) -> None:
    plain, x = xp.asarray([1.0, 2.0], device=device), xp.asarray([3.0, 4.0], device=autodiff).require_grad()
    for result in (plain * x, x * plain, xp.where(plain > 1, x, plain), xp.concat([plain, x])):
        assert str(result.device) == str(autodiff)
        assert result.is_tracked
    assert values((plain * x).backward()[x]) == [1.0, 2.0]
    index = xp.asarray([1], device=device)
    assert values(xp.sum(x[index]).backward()[x]) == [0.0, 1.0]


def test_integer_with_a_context_beside_a_plain_float(device: Device, autodiff: Device) -> None:
    result = xp.asarray([1, 2], device=autodiff) * xp.asarray([0.5, 0.5], device=device)
    assert str(result.device) == str(autodiff)
    assert not result.is_tracked


def test_strategies_do_not_mix(device: Device) -> None:
    a = xp.ones(2, device=device.autodiff())
    b = xp.ones(2, device=device.autodiff().gradient_checkpointing())
    with pytest.raises(DeviceMismatchError, match="differentiate"):
        a + b
    with pytest.raises(DeviceMismatchError, match="differentiate"):
        xp.concat([a, b])


def test_plain_array_moves_to_the_twin(device: Device, autodiff: Device) -> None:
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], device=device).to_device(autodiff)
    assert str(x.device) == str(autodiff)
    assert not x.is_tracked
    assert values(x) == [[1.0, 2.0], [3.0, 4.0]]
    back = x.to_device(device)
    assert str(back.device) == str(device)


def test_detach(autodiff: Device) -> None:
    x = xp.asarray([1.0], device=autodiff).require_grad()
    y = (x * 2).detach()
    assert not y.is_tracked
    assert str(y.device) == str(autodiff)


def test_gradient_of_a_product(autodiff: Device) -> None:
    x = xp.asarray([2.0, 3.0], device=autodiff).require_grad()
    gradient = (x * x).backward()[x]
    assert str(gradient.device) == str(autodiff.inner)
    assert values(gradient) == [4.0, 6.0]


def test_functions_without_gradient_take_tracked_arrays(autodiff: Device) -> None:
    x = xp.asarray([2.0, -3.0], device=autodiff).require_grad()
    results = [
        xp.floor(x),
        x > 0,
        xp.argmax(x),
        xp.isnan(x),
        xp.signbit(x),
        xp.count_nonzero(x),
        xp.nonzero(x)[0],
    ]
    results += [xp.searchsorted(xp.sort(x), x), xp.isin(x, x), xp.argsort(x), xp.any(x > 0), xp.zeros_like(x)]
    assert not any(result.is_tracked for result in results)
    assert float(x[0]) == 2.0
    assert "2." in repr(x)


@pytest.mark.needs("64 bits")
def test_a_cast_joins_and_leaves_the_graph(autodiff: Device) -> None:
    x = xp.asarray([1.5, 2.5], device=autodiff).require_grad()
    single = xp.astype(x, xp.float32)
    assert values(xp.sum(single * single).backward()[x]) == [3.0, 5.0]
    assert xp.sum(single).backward is not None
    assert not xp.astype(x, xp.int64).is_tracked


# -- moves ----------------------------------------------------------------------------------------

HOSTS = ("numpy", "torch:cpu", "dpnp:cpu")


def pairs() -> list[tuple[str, str]]:
    present = [str(one) for one in xp.devices() if str(one) in HOSTS]
    return list(itertools.permutations(present, 2))


@pytest.mark.parametrize(("first", "second"), pairs(), ids="->".join)
def test_moves_are_differentiable(first: str, second: str) -> None:
    x = xp.asarray([2.0, 3.0], device=f"{first}+autodiff").require_grad()
    moved = x.to_device(f"{second}+autodiff") * 1.0
    back = (moved * moved).to_device(f"{first}+autodiff")
    gradient = xp.sum(back * x).backward()[x]
    assert str(gradient.device) == first
    assert values(gradient) == [12.0, 27.0]


@pytest.mark.parametrize(("first", "second"), pairs(), ids="->".join)
def test_moves_inside_of_a_function(first: str, second: str) -> None:
    def f(x: Any) -> Any:
        return xp.sum(x.to_device(f"{second}+autodiff") ** 3)

    x = xp.asarray([1.0, 2.0], device=first)
    assert values(grad(f)(x)) == [3.0, 12.0]
    assert values(grad(lambda x: xp.sum(grad(f)(x)))(x)) == [6.0, 12.0]


def test_strategies_are_moved_between(device: Device) -> None:
    x = xp.asarray([2.0], device=device.autodiff()).require_grad()
    y = x.to_device(device.autodiff().gradient_checkpointing())
    assert values((y * y).backward()[x]) == [4.0]


# -- bad input ------------------------------------------------------------------------------------

REFUSED: list[tuple[str, Callable[[Any, Any], Any], str]] = [
    ("plain backward", lambda plain, x: plain.backward(), "does not differentiate"),
    ("plain require_grad", lambda plain, x: plain.require_grad(), "autodiff\\(\\)"),
    ("untracked backward", lambda plain, x: x.detach().backward(), "require_grad"),
    ("integer", lambda plain, x: xp.astype(x, xp.int64).require_grad(), "astype"),
    ("integer backward", lambda plain, x: xp.astype(x, xp.int64).backward(), "not tracked"),
    ("computed", lambda plain, x: (x * 2).require_grad(), "detach"),
    ("weights of another shape", lambda plain, x: x.backward(xp.ones(3, device=x.device)), "shape"),
    ("weights of another dtype", lambda plain, x: x.backward(xp.astype(x, xp.float32)), "float32"),
    # The text depends on whether NumPy can read the memory of the device.
    ("export to NumPy", lambda plain, x: np.asarray(x), "detach|which NumPy cannot read"),
    ("export by DLPack", lambda plain, x: x.__dlpack__(), "detach"),
    ("move to the plain twin", lambda plain, x: x.to_device(plain.device), "detach"),
    ("a missing gradient", lambda plain, x: x.backward()[plain], "no gradient"),
    (
        "replacing the gradient of a constant",
        lambda plain, x: x.backward().replace(plain, plain),
        "parameter",
    ),
    ("replacing by a tracked one", lambda plain, x: x.backward().replace(x, x), "inner device"),
    ("replacing by another shape", lambda plain, x: x.backward().replace(x, plain[:1]), "shape"),
    (
        "a tracked tolerance",
        lambda plain, x: xp.linalg.pinv(xp.ones((2, 2), device=x.device), rtol=x[0]),
        "rtol",
    ),
]


@pytest.mark.parametrize(("call", "text"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
@pytest.mark.needs("64 bits")
def test_refusals(autodiff: Device, call: Callable[[Any, Any], Any], text: str) -> None:
    plain = xp.asarray([1.0, 2.0], device=autodiff.inner)
    x = plain.to_device(autodiff).require_grad()
    with pytest.raises((GradientError, HostAccessError), match=text):
        call(plain, x)


def test_a_deep_copy_of_a_parameter_is_a_parameter_of_its_own(autodiff: Device) -> None:
    x = xp.asarray([1.0, 2.0], device=autodiff).require_grad()
    y = copy.deepcopy({"weights": [x]})["weights"][0]
    assert y.requires_grad
    grads = xp.sum(x * y * y).backward()
    assert values(grads[y]) == [2.0, 8.0]
    assert values(grads[x]) == [1.0, 4.0]
    assert not copy.deepcopy(x.detach()).is_tracked
    assert copy.deepcopy(x * 2).is_tracked


def test_gradients_are_as_committed_as_what_they_belong_to(device: Device) -> None:
    committed = xp.asarray([1.0, 2.0], device=device)
    for x in (committed, xp.Array(committed._native, committed._device.uncommitted)):
        w = xp.Array(x.to_device(device.autodiff())._native, x._device.autodiff()).require_grad()
        total = xp.sum(w * w * w)
        for gradients in (total.backward(create_graph=True), total.backward()):
            at = gradients[w]._device
            assert (at is at.committed) == (x is committed)
        for found in jvp(lambda z: grad(lambda y: xp.sum(y * y))(z), (x,), (x,)):
            assert found._device is x._device


# -- plain on one library, tracked on another ------------------------------------------------------

FOUR = ("numpy", "numpy+autodiff", "torch:cpu", "torch:cpu+autodiff")


def _made(name: str, committed: bool, shape: tuple[int, ...], value: float) -> xp.Array:
    x = xp.full(shape, value, device=name)
    x = x if committed else xp.Array(x._native, x._device.uncommitted)
    return x.require_grad() if x.device.is_autodiff else x


@pytest.mark.parametrize("second", FOUR)
@pytest.mark.parametrize("first", FOUR)
@pytest.mark.parametrize("committed", list(itertools.product((True, False), repeat=2)))
@pytest.mark.parametrize("shapes", list(itertools.product(((2,), ()), repeat=2)), ids=str)
def test_both_operands_may_have_to_move(first: str, second: str, committed: Any, shapes: Any) -> None:
    """The result can be on a device of neither operand: the library of one with the tracking of the other."""
    if "torch" in first + second:
        pytest.importorskip("torch")
    x, y = (_made(*each) for each in zip((first, second), committed, shapes, (2.0, 3.0), strict=True))
    try:
        z = x * y
    except DeviceMismatchError:
        assert all(committed)
        return
    assert np.ravel(values(z)).tolist() == [6.0] * z.size
    if z.device.is_autodiff:
        gradients = xp.sum(z).backward()
        for one, factor in ((x, 3.0), (y, 2.0)):
            if one.device.is_autodiff:
                assert np.ravel(values(gradients[one])).tolist() == [factor * z.size / one.size] * one.size
