"""A plain array that a graph has saved and that changes in place before ``backward`` raises an error."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Array, Device
from burn_array.adapter import SHARED
from burn_array.autodiff import checkpoint, custom_vjp, vjp
from burn_array.errors import GradientError

pytestmark = pytest.mark.needs("views")  # immutable arrays are never changed in place
V = [1.0, 2.0, 3.0]
CHANGED = "changed in place"


def values(x: Array) -> Any:
    return np.asarray(x.to_device("numpy")).tolist()


def parameter(device: Device, given: Any = V) -> Array:
    return xp.asarray(given, device=device.autodiff()).require_grad()


def fill(p: Array) -> None:
    p[...] = 5.0


def add(p: Array) -> None:
    p += 1.0


def add_array(p: Array) -> None:
    p += xp.ones_like(p)


def set_view(p: Array) -> None:
    p[1:][0] = 5.0


def scale_view(p: Array) -> None:
    view = p[1:]
    view *= 2.0


CHANGES: list[Callable[[Array], None]] = [fill, add, add_array, set_view, scale_view]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_operand_is_refused(device: Device, change: Callable[[Array], None]) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    y = xp.sum(w * p)
    change(p)
    with pytest.raises(GradientError, match="multiply saved was changed in place"):
        y.backward()


@pytest.mark.parametrize(
    "read",
    [
        lambda w, p: p * w,
        lambda w, p: w / p,
        lambda w, p: w**p,
        lambda w, p: w @ p,
        lambda w, p: xp.where(p > 1.5, w, p) * p,
        lambda w, p: xp.vecdot(p, w),
        lambda w, p: xp.tensordot(w, p, axes=1),
        lambda w, p: w[xp.astype(p, xp.int64) - 1] * p,
    ],
)
@pytest.mark.needs("64 bits")
def test_whatever_reads_it(device: Device, read: Callable[[Array, Array], Array]) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    y = xp.sum(read(w, p))
    p -= 0.5
    with pytest.raises(GradientError, match=CHANGED):
        y.backward()


def test_what_no_pull_reads_may_change(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    y = xp.sum(xp.concat([w + p, p]) - xp.concat([p, p]))
    fill(p)
    assert values(y.backward()[w]) == [1.0, 1.0, 1.0]


def test_a_part_that_the_pass_does_not_reach_may_change(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    aside, y = w * p, xp.sum(w * w)
    fill(p)
    assert values(y.backward()[w]) == [2.0, 4.0, 6.0]
    with pytest.raises(GradientError, match=CHANGED):
        aside.backward()


def test_changes_before_the_call_and_after_backward_are_free(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    for number in range(3):
        p[...] = float(number)
        y = xp.sum(w * p)
        assert values(y.backward()[w]) == [float(number)] * 3
        fill(p)


def test_a_copy_is_apart(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    y = xp.sum(w * xp.asarray(p, copy=True))
    fill(p)
    assert values(y.backward()[w]) == V


def test_another_array_may_change(device: Device) -> None:
    p, q, w = xp.asarray(V, device=device), xp.asarray(V, device=device), parameter(device)
    y, other = xp.sum(w * p), w * q
    fill(q)
    assert values(y.backward()[w]) == V
    del other


def test_a_second_pass_sees_it(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    y = xp.sum(w * p)
    assert values(y.backward(retain_graph=True)[w]) == V
    fill(p)
    with pytest.raises(GradientError, match=CHANGED):
        y.backward()


def test_a_pass_that_is_recorded_sees_it(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    y = xp.sum(w * (w * p))
    first = y.backward(retain_graph=True, create_graph=True)[w]
    fill(p)
    with pytest.raises(GradientError, match=CHANGED):
        y.backward(create_graph=True)
    with pytest.raises(GradientError, match=CHANGED):
        xp.sum(first).backward()


def test_views_of_a_constant_share_its_memory(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device, V[1:])
    constant = p.to_device(device.autodiff())
    y = xp.sum(w * constant[1:])
    fill(p)
    with pytest.raises(GradientError, match=CHANGED):
        y.backward()


def test_a_constant_of_the_autodiff_device_is_never_changed_under_a_graph(device: Device) -> None:
    for constant in (xp.asarray(V, device=device.autodiff()), xp.ones(3, device=device.autodiff())):
        w = parameter(device)
        before = values(constant)
        y = xp.sum(w * constant)
        fill(constant)
        add(constant)
        assert values(constant) == [6.0, 6.0, 6.0]
        assert values(y.backward()[w]) == before


def test_a_parameter_made_of_a_plain_array(device: Device) -> None:
    p = xp.asarray(V, device=device)
    w = p.to_device(device.autodiff()).require_grad()
    y = xp.sum(w * w)
    fill(p)
    with pytest.raises(GradientError, match=CHANGED):
        y.backward()


def test_a_result_that_was_handed_out(device: Device) -> None:
    w = parameter(device, [0.0, 0.0, 0.0])
    y = xp.exp(w)
    fill(y.detach().to_device(device))
    with pytest.raises(GradientError, match="exp saved was changed in place"):
        y.backward()


def test_the_functional_interface(device: Device) -> None:
    x = xp.asarray(V, device=device)
    _, pull = vjp(xp.sin, x)
    g = xp.ones(3, device=device)
    np.testing.assert_allclose(values(pull(g)[0]), np.cos(V))
    fill(x)
    with pytest.raises(GradientError, match="sin saved was changed in place"):
        pull(g)
    result, pull = vjp(xp.exp, xp.zeros(3, device=device))
    fill(result)
    with pytest.raises(GradientError, match="exp saved was changed in place"):
        pull(g)


def test_functions_with_a_derivative_of_their_own(device: Device) -> None:
    scale = custom_vjp(lambda a, b: a * b, lambda g, _out, a, b: (g * b, g * a))
    for f in (scale, checkpoint(lambda a, b: a * b)):
        p, w = xp.asarray(V, device=device), parameter(device)
        y = xp.sum(f(w, p))
        fill(p)
        with pytest.raises(GradientError, match=CHANGED):
            y.backward()


def test_balanced_checkpointing_recomputes_from_nothing_changed(device: Device) -> None:
    p, balanced = xp.asarray(V, device=device), device.autodiff().gradient_checkpointing()
    w = xp.asarray(V, device=balanced).require_grad()

    def program() -> Array:
        return xp.sum(xp.exp(xp.sin(w) + p))  # the backward pass recomputes the sum, and reads p for it

    np.testing.assert_allclose(values(program().backward()[w]), np.exp(np.sin(V) + V) * np.cos(V))
    y = program()
    fill(p)
    with pytest.raises(GradientError, match=CHANGED):
        y.backward()


@pytest.mark.parametrize("far", ["numpy", "torch:cpu"])
@pytest.mark.needs("64 bits")
def test_an_operand_of_another_library(device: Device, far: str) -> None:
    """If the move shares memory, the change is an error; if it copies, the change has no effect."""
    p = xp.asarray(V, device=far)
    w = parameter(device)
    y = xp.sum(w * p.to_device(device.autodiff()))
    fill(p)
    if str(device) == "dpnp:cpu" or not device.is_host:  # these moves copy
        assert values(y.backward()[w]) == V
    else:
        with pytest.raises(GradientError, match=CHANGED):
            y.backward()


def test_a_result_handed_to_another_library(device: Device) -> None:
    w = parameter(device, [0.0, 0.0, 0.0])
    y = xp.exp(w)
    out = y.detach().to_device("numpy")
    fill(out)
    if values(y.detach()) == V[:1] * 3:  # the move made a copy
        assert values(y.backward()[w]) == [1.0, 1.0, 1.0]
    else:
        with pytest.raises(GradientError, match=CHANGED):
            y.backward()


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_nothing_is_noted_for_longer_than_the_memory_lives(device: Device, without_collector: None) -> None:
    before = len(SHARED)
    for _ in range(50):
        p, w = xp.asarray(V, device=device), parameter(device)
        y = xp.sum(w * p[1:2] * p)
        result, pull = vjp(xp.exp, p)
        y.backward()
        fill(p)
    assert len(SHARED) > before
    del p, w, y, result, pull
    assert len(SHARED) == before


def test_a_long_lived_operand_is_noted_once(device: Device) -> None:
    p, w = xp.asarray(V, device=device), parameter(device)
    w * p
    noted = len(SHARED)
    for _ in range(100):
        w * p
    assert len(SHARED) == noted


def test_threads(device: Device) -> None:
    shared, wrong = xp.asarray(V, device=device), []

    def work() -> None:
        for _ in range(50):
            p, w = xp.asarray(V, device=device), parameter(device)
            good, bad = xp.sum(w * shared), xp.sum(w * p)
            fill(p)
            try:
                bad.backward()
                wrong.append("not noticed")
            except GradientError:
                pass
            if values(good.backward()[w]) != V:
                wrong.append("another gradient")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
