"""Programs that take views and then change arrays in place: the gradient belongs to the value of the plain device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Array, Device
from burn_array.autodiff import grad, value_and_grad
from burn_array.errors import GradientError

pytestmark = pytest.mark.needs("views", "64 bits")

V = [0.5, -1.25, 2.0, 3.0]
FACTORS = [1.0, 10.0, 100.0, 1000.0]

# Each program changes its variable y, of shape (4,), computed from x; z is the array whose sum is differentiated.
PROGRAMS: dict[str, str] = {
    "a slice, then +=": "z = y[:1]; y += x",
    "a slice, then *=": "z = y[1:3]; y *= x",
    "a slice, then a number": "z = y[:2]; y -= 1.0; y /= 2.0; y **= 2",
    "setitem of a slice": "z = y[:3]; y[1:] = x[:3] * 2.0",
    "setitem of everything": "z = y[:3]; y[...] = x * x",
    "setitem of a constant": "z = y[:3]; y[1] = 7.0",
    "setitem of another part": "z = y[:1]; y[1:] = x[1:] * 2.0",
    "setitem with an index array": "z = y[:3]; y[xp.asarray([3, 1], device=y.device)] = x[:2] * 5.0",
    "setitem with a mask": "z = y[:3]; y[y > 0] = 0.5",
    "the view is changed": "v = y[1:3]; v += x[:2] * 3.0; z = y",
    "the view is changed, by a mask": "v = y[1:]; v[v > 0] = 4.0; z = y",
    "the view is set": "v = y[1:3]; v[0] = x[3] * x[3]; z = y",
    "both are changed": "v = y[1:3]; v *= x[:2]; y += x; v += 1.0; z = y * 2.0",
    "element of a slice": "y[1:][0] = x[2]; z = y",
    "augmented item": "y[1:] += y[:-1]; y[0] *= y[1]; z = y",
    "augmented item, in a loop": "for i in range(1, 4): y[slice(i, i + 1)] += y[slice(i - 1, i)] * x[i]\nz = y",
    "two views that overlap": "a, z = y[:3], y[1:]; a *= x[:3]",
    "two views, without their array": "a, z = y[:3], y[1:]; del y; a *= x[:3]",
    "two views apart": "a, z = y[:2], y[2:]; a *= x[:2]",
    "negative steps": "z = y[1:]; v = y[::2]; v += x[2:]",
    "view of a view": "z = y[1:][1:]; y *= x",
    "view of a view is changed": "v = y[1:][1:]; v *= x[:2]; z = y",
    "view of a view, the first is changed": "a = y[1:]; z = a[1:]; a *= x[:3]",
    "view of a view, a third sees it": "z = y[2:]; v = y[1:][1:]; v *= x[:2]",
    "reshape, then +=": "z = xp.reshape(y, (2, 2)); y += x",
    "reshape is changed": "v = xp.reshape(y, (2, 2)); v *= xp.reshape(x, (2, 2)); z = y",
    "transpose, then setitem": "m = xp.reshape(y, (2, 2)); z = m.T; m[0] = x[2:]",
    "transpose is changed": "m = xp.reshape(y, (2, 2)); t = m.T; t[0] = x[2:] * x[:2]; z = y",
    "part of a transpose": "m = xp.reshape(y, (2, 2)); t = m.T[1:]; t *= x[:2]; z = y",
    "mT": "m = xp.reshape(y, (1, 2, 2)); z = m.mT[0]; y += x",
    "permute_dims": "m = xp.reshape(y, (2, 1, 2)); p = xp.permute_dims(m, (2, 0, 1)); p *= 2.0; y += x; z = p",
    "moveaxis": "m = xp.reshape(y, (2, 2)); v = xp.moveaxis(m, 0, 1); v += xp.reshape(x, (2, 2)); z = y",
    "expand_dims": "v = xp.expand_dims(y, axis=0); v *= x; z = y",
    "squeeze": "v = xp.squeeze(y[None], axis=0); v *= x; z = y",
    "flip": "v = xp.flip(y); v *= x; y += x; z = y + v",
    "unstack": "a, b = xp.unstack(xp.reshape(y, (2, 2))); a *= x[:2]; y += x; z = xp.concat([a, b, y])",
    "unstack along another axis": "a, b = xp.unstack(xp.reshape(y, (2, 2)), axis=1); b *= x[:2]; z = y",
    "iteration": "rows = list(xp.reshape(y, (2, 2))); rows[1] *= x[:2]; y += x; z = rows[0] + y[:2]",
    "broadcast_to": "z = xp.broadcast_to(y, (2, 4)); y += x",
    "broadcast_arrays": "z, _ = xp.broadcast_arrays(y, xp.ones((2, 4), device=y.device)); y += x",
    "diagonal": "z = xp.linalg.diagonal(xp.reshape(y, (2, 2))); y += x",
    "positive": "v = +y; y += x; z = v",
    "asarray": "v = xp.asarray(y); y += x; z = v",
    "asarray is changed": "v = xp.asarray(y); v += x; z = y",
    "astype without a copy": "v = xp.astype(y, xp.float64, copy=False); v += x; z = y",
    "a copy": "v = xp.asarray(y, copy=True); y += x; z = v",
    "an index array": "z = y[xp.asarray([0, 2], device=y.device)]; y += x",
    "real": "c = y + 1j * x; z = xp.real(c); c *= 2.0; c[0] = x[0] * x[0]",
    "imag": "c = y + 1j * x; z = xp.imag(c); c *= 2j; c[0] = 1j * x[0]",
    "conj": "c = y + 1j * x; z = xp.imag(xp.conj(c)); c *= 1j",
    "the view was used before": "v = y[:2]; s = v * v; y *= x; z = s + v",
    "the array was used before": "s = y * y; v = y[:2]; v *= x[:2]; z = s + y",
    "a buffer": "b = xp.zeros_like(y); v = b[1:]; b[...] = x * x; z = v",
    "a buffer, by rows": "b = xp.zeros_like(y)\nfor i in range(4): r = b[i : i + 1]; r += x[i] * y[i]\nz = b",
    "views that outlive a loop": "for i in range(3): p = y[i : i + 1]; y[i + 1 : i + 2] = p * x[i]\nz = p * y[:1]",
}


def program(text: str) -> Callable[[Array], Array]:
    """Return the function of x that runs the text."""

    def f(x: Array) -> Array:
        names: dict[str, Any] = {"xp": xp, "x": x, "y": x * 1.5}
        exec(text, names)
        z = xp.reshape(names["z"], (-1,))
        return xp.sum(z * xp.asarray(FACTORS * 4)[: z.shape[0]])

    return f


def differences(f: Callable[[Array], Array], device: Device) -> np.ndarray[Any, Any]:
    """Return the central differences of the program on the plain device."""
    found = []
    for i in range(len(V)):
        high, low = np.array(V), np.array(V)
        high[i] += 1e-6
        low[i] -= 1e-6
        found.append(float(f(xp.asarray(high, device=device))) - float(f(xp.asarray(low, device=device))))
    return np.array(found) / 2e-6


@pytest.mark.parametrize("name", PROGRAMS)
def test_value_and_gradient_are_those_of_the_plain_program(device: Device, name: str) -> None:
    f = program(PROGRAMS[name])
    wanted, slope = float(f(xp.asarray(V, device=device))), differences(f, device)
    value, gradient = value_and_grad(f)(xp.asarray(V, device=device))
    for context in (device.autodiff(), device.autodiff().gradient_checkpointing()):
        w = xp.asarray(V, device=context).require_grad()
        y = f(w)
        assert float(y) == pytest.approx(wanted, rel=1e-13)
        found = y.backward()[w].to_device("numpy")
        np.testing.assert_allclose(np.asarray(found), slope, rtol=1e-6, atol=1e-6)
    assert float(value) == pytest.approx(wanted, rel=1e-13)
    np.testing.assert_allclose(np.asarray(gradient.to_device("numpy")), slope, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["a slice, then *=", "part of a transpose", "two views that overlap"])
def test_second_derivatives(device: Device, name: str) -> None:
    f = program(PROGRAMS[name])
    x = xp.asarray(V, device=device)
    found = np.asarray(grad(lambda x: xp.sum(grad(f)(x) ** 2))(x).to_device("numpy"))
    wanted = differences(lambda x: xp.sum(grad(f)(x) ** 2), device)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-4)


REFUSED: dict[str, tuple[str, str]] = {
    "a parameter": ("w += 1.0", "parameter"),
    "a slice of a parameter": ("v = w[:2]; v += 1.0", "parameter"),
    "a part of a reshaped parameter": ("xp.reshape(w, (2, 2))[0][...] = 0.0", "parameter"),
    "a broadcast array": ("v = xp.broadcast_to(w * 1.0, (2, 4)); v += 1.0", "broadcast_to shares memory"),
    "part of a broadcast array": ("xp.broadcast_to(w * 1.0, (2, 4))[0, 0:1] = 1.0", "broadcast_to shares"),
    "a diagonal": ("v = xp.linalg.diagonal(xp.reshape(w * 1.0, (2, 2))); v += 1.0", "diagonal shares memory"),
}


def _diagonal_is_a_view(device: Device) -> bool:
    x = xp.zeros((2, 2), device=device)
    diagonal = xp.linalg.diagonal(x)
    return device.adapter.memory(diagonal._native)[0] is device.adapter.memory(x._native)[0]


@pytest.mark.parametrize("name", REFUSED)
def test_changes_without_a_gradient_are_refused(device: Device, name: str) -> None:
    text, message = REFUSED[name]
    if name == "a diagonal" and not _diagonal_is_a_view(device):
        return
    w = xp.asarray(V, device=device.autodiff()).require_grad()
    with pytest.raises(GradientError, match=message):
        exec(text, {"xp": xp, "w": w})
    assert np.asarray(w.detach().to_device("numpy")).tolist() == V


def test_a_part_that_was_not_changed_keeps_its_node(device: Device) -> None:
    y = xp.asarray(V, device=device.autodiff()).require_grad() * 2.0
    views = [y[:1], y[:, None][2:], y[1:2]]
    nodes = [view._native.node for view in views]
    y[1] = 0.0
    assert [view._native.node is node for view, node in zip(views, nodes, strict=True)] == [
        True,
        False,
        False,
    ]


def test_views_that_are_gone_are_forgotten(device: Device) -> None:
    y = xp.asarray(V, device=device.autodiff()).require_grad() * 2.0
    for _ in range(20):
        y[:2] * 2.0
    kept = y[1:]
    assert len(y._native.views) == 1
    del kept
    assert len(y._native.views) == 0


def test_what_is_detached_is_apart(device: Device) -> None:
    w = xp.asarray(V, device=device.autodiff()).require_grad()
    y = w * 1.0
    constant = y.detach()
    y += 1.0
    constant[0] = 9.0
    assert constant.tolist() == [9.0, *V[1:]]
    assert y.tolist() == [one + 1.0 for one in V]


def test_gradients_are_arrays_of_their_own(device: Device) -> None:
    a, b = (xp.asarray(V, device=device.autodiff()).require_grad() for _ in range(2))
    found = xp.sum((a + b) ** 2).backward(create_graph=True)
    first, second = found[a], found[b]
    before = second.tolist()
    first += 1.0
    assert second.tolist() == before
