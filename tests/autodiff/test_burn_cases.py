"""Results and gradients equal those of numeric cases that Burn's own autodiff passes.

Burn seeds the backward pass with ones; the cases are written with the functions of the standard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array import Device

P, A, B = [[1, 7], [2, 3]], [[1, 7], [13, -3]], [[4, 7], [2, 3]]
C, D, J = [[1, 7], [-2, -3]], [[4, -7], [2, 3]], [[2, 2], [2, 2]]
X, U, V = [[0, 1, 2], [3, 4, 5]], [[0, 1], [3, 4]], [[6, 7], [9, 10]]
K, W = [[0, -1], [3, 4]], [[6, 7], [9, -10]]


def const(like: Any, values: Any, dtype: Any = None) -> Any:
    return xp.asarray(values, dtype=dtype or xp.float64, device=like.device)


def rows(x: Any, name: str) -> Any:
    return getattr(xp, name)(x, axis=1, keepdims=True)


def softmax(x: Any) -> Any:
    e = xp.exp(x - rows(x, "max"))
    return e / rows(e, "sum")


def sigmoid(x: Any) -> Any:
    return 1 / (1 + xp.exp(-x))


def twice(t: Any, b: Any) -> Any:
    return (t - b) + t


def masked_product(a: Any, b: Any, t: Any) -> Any:
    diagonal = const(a, [[True, False], [False, True]], xp.bool)
    return xp.where(diagonal, t, (a @ b) @ t)


def filled_product(a: Any, b: Any) -> Any:
    return xp.where(const(a, [[True, False], [False, True]], xp.bool), 2.0, a @ b)


def gathered(x: Any) -> Any:
    index = const(x, [[2, 1, 0, 1, 2], [1, 0, 2, 1, 0]], xp.int64)
    return (x @ x.T) @ xp.take_along_axis(x, index, axis=1)


def assigned(a: Any, b: Any, value: Any) -> Any:
    t = a @ b
    t[0:1, 0:1] = value
    return t @ a


def every_second(target: Any, value: Any) -> Any:
    t = target * 1.0
    t[:, ::2] = value
    return t * 2


def backwards(target: Any, value: Any) -> Any:
    t = target * 1.0
    t[:, ::-1] = value
    return t * 2


def row_added(x: Any, y: Any) -> Any:
    w = y * 1.0
    w[1, :] += x[0, :]
    return w @ y.T


def embedded(weights: Any) -> Any:
    other = const(weights, [[[1, 2], [4, 5], [3, 4]], [[4, 5], [8, 5], [1, 9]]])
    index = const(weights, [0, 1, 1, 1], xp.int64)
    return xp.reshape(xp.take(weights, index, axis=0), (2, 2, 3)) @ other


def joined(a: Any, b: Any) -> Any:
    middle = const(a, [[10, 20]])
    return xp.sum(xp.concat([a, middle, b], axis=1) * const(a, [1, 2, 3, 4, 5, 6]))


def selected(t: Any, v: Any) -> Any:
    return v @ t[const(t, [[False, True], [True, False]], xp.bool)]


def relu(x: Any) -> Any:
    return xp.maximum(x, 0.0)


CASES: list[tuple[str, Callable[..., Any], list[Any], list[Any]]] = [
    ("1 matmul", lambda p, b: p @ b, [P, B], [[[11, 5], [11, 5]], [[3, 3], [10, 10]]]),
    ("2 multiply", lambda x, y: x * y, [[1, 7], [4, 7]], [[4, 7], [1, 7]]),
    ("2 subtract", lambda x, y: x - y, [[2, 5], [4, 1]], [[1, 1], [-1, -1]]),
    ("3 divide", lambda x, y: x / y, [[1, 7], [4, 7]], [[0.25, 1 / 7], [-0.0625, -1 / 7]]),
    ("4", lambda a, b: ((a @ b) @ a) * b, [A, B], [[[593, 463], [487, 539]], [[734, 294], [1414, 242]]]),
    ("5", lambda a, b: (a @ b) @ a + 17 + b, [A, B], [[[166, 110], [212, 156]], [[113, 141], [33, 41]]]),
    ("6", lambda a, b: twice((a @ b) @ a, b), [A, B], [[[332, 220], [424, 312]], [[223, 279], [63, 79]]]),
    ("7", lambda a, b: a * ((a * b) * const(a, J)), [A, B], [[[16, 196], [104, -36]], [[2, 98], [338, 18]]]),
    (
        "8 nested",
        lambda a, b: a @ ((a @ b) @ const(a, J)),
        [A, B],
        [[[800, 792], [360, 592]], [[264, 264], [344, 344]]],
    ),
    ("8", lambda a, b: (a @ b) @ const(a, J), [A, B], [[[44, 20], [44, 20]], [[56, 56], [16, 16]]]),
    (
        "9",
        lambda a, b: a + (((a + b) + const(a, J)) + 5 + a + b),
        [A, B],
        [[[3, 3], [3, 3]], [[2, 2], [2, 2]]],
    ),
    ("10", lambda c, d: c * rows(c @ d, "max"), [C, D], [[[50, 34], [40, -10]], [[8, 10], [56, 15]]]),
    ("11", lambda c, d: c * rows(c @ d, "min"), [C, D], [[[-42, 38], [-34, -24]], [[10, 8], [15, 56]]]),
    ("12", lambda c, d: c * xp.sort(c @ d, axis=1), [C, D], [[[35, 35], [-1, -8]], [[11, 7], [55, 16]]]),
    (
        "13 mean",
        lambda c, d: c * xp.mean(c @ d),
        [C, D],
        [[[3.5, 9.5], [3.5, 9.5]], [[-0.75, -0.75], [3, 3]]],
    ),
    ("13 sum", lambda c, d: c * xp.sum(c @ d), [C, D], [[[14, 38], [14, 38]], [[-3, -3], [12, 12]]]),
    ("14 sum", lambda c, d: c * rows(c @ d, "sum"), [C, D], [[[8, 72], [6, -34]], [[18, 18], [71, 71]]]),
    ("14 mean", lambda c, d: c * rows(c @ d, "mean"), [C, D], [[[4, 36], [3, -17]], [[9, 9], [35.5, 35.5]]]),
    (
        "15",
        lambda u, v: xp.sum(rows(u @ v, "sum") * (u @ v)),
        [U, V],
        [[[494, 722], [2990, 4370]], [[690, 690], [958, 958]]],
    ),
    (
        "16 rows",
        lambda c, d: xp.sum(c * xp.cumulative_sum(c @ d, axis=0)),
        [C, D],
        [[[-14, 24], [17, 6]], [[3, 10], [-1, 37]]],
    ),
    (
        "16 columns",
        lambda c, d: xp.sum(c * xp.cumulative_sum(c @ d, axis=1)),
        [C, D],
        [[[1, 69], [-13, -28]], [[18, 13], [71, 58]]],
    ),
    ("17", lambda c, d: relu(c @ d) @ d, [C, D], [[[-47, 9], [-35, 15]], [[15, 13], [-2, 39]]]),
    ("18", lambda x: xp.prod(x), [[2, 3, 4]], [[12, 8, 6]]),
    ("18 sign", lambda x: xp.prod(x), [[2, -3, 4]], [[-12, 8, -6]]),
    ("18 rows", lambda x: xp.prod(x, axis=1), [[[1, 2, 3], [4, 5, 6]]], [[[6, 3, 2], [30, 24, 20]]]),
    *[
        (f"19 {x}", lambda x: xp.sum(xp.cumulative_prod(x)), [x], [g])
        for x, g in (
            ([2, 3, 4], [16, 10, 6]),
            ([2, 0, 3, 4], [1, 32, 0, 0]),
            ([0, 2, 3, 4], [33, 0, 0, 0]),
            ([2, 3, 4, 0], [16, 10, 6, 24]),
            ([2, 0, 3, 0, 5], [1, 8, 0, 0, 0]),
        )
    ],
    ("21", lambda x, y: x**y, [[2, 7], [4, 2]], [[32, 14], [11.09035489, 95.34959730]]),
    ("22", sigmoid, [[0.8762, -90.0]], [[0.2075485, 0.0]]),
    (
        "23",
        lambda a, b: (a @ xp.abs(b)) @ b,
        [K, W],
        [[[71, 107], [71, 107]], [[84, 42], [90, 54]]],
    ),
    ("23 zero", lambda a, b: b @ xp.abs(a), [K, W], [[[0, -15], [-3, -3]], [[1, 7], [1, 7]]]),
    ("24 filled", filled_product, [P, B], [[[7, 3], [4, 2]], [[2, 1], [3, 7]]]),
    (
        "24 chosen",
        masked_product,
        [P, B, [[8.8, 9.8], [10.8, 11.8]]],
        [[[121.8, 55], [110.8, 50]], [[27.4, 33.4], [95, 115]], [[15, 18], [23, 29]]],
    ),
    (
        "25 rows",
        lambda x: (x @ x.T) @ x[const(x, [1, 0], xp.int64)],
        [X],
        [[[109, 148, 187], [37, 58, 79]]],
    ),
    ("25 gather", gathered, [X], [[[94, 150, 187], [242, 305, 304]]]),
    ("27", joined, [[[1]], [[100, 200, 300]]], [[[1]], [[4, 5, 6]]]),
    (
        "28 expand",
        lambda x: xp.sum(xp.broadcast_to(x, (4, 4)) * const(x, [2, 4.5, 7, 3])),
        [[4, 7, 2, 3]],
        [[8, 18, 28, 12]],
    ),
    ("28 repeat", lambda x: const(x, C) @ xp.repeat(x, 3, axis=1), [[[4], [2]]], [[[-3], [12]]]),
    ("29", embedded, [X], [[[3, 9, 7], [21, 35, 27]]]),
    (
        "30",
        lambda u, v: softmax(u @ v) @ v,
        [U, V],
        [[[1.179665, 1.179661], [0.005462, 0.005463]], [[0.253469, 0.286237], [0.528630, 2.931664]]],
    ),
    (
        "30 log",
        lambda u, v: xp.log(softmax(u @ v)) @ v,
        [U, V],
        [[[-4.3939, -4.3939], [-12.9709, -12.9709]], [[30.5984, -47.2267], [55.9631, -56.5914]]],
    ),
    ("31", assigned, [P, B, [[9]]], [[[58, 38], [118, 82]], [[16, 15], [24, 50]], [[8]]]),
    (
        "32",
        every_second,
        [np.zeros((2, 4)), np.ones((2, 2))],
        [[[0, 2, 0, 2], [0, 2, 0, 2]], [[2, 2], [2, 2]]],
    ),
    ("32 reverse", backwards, [np.zeros((2, 2)), np.ones((2, 2))], [[[0, 0], [0, 0]], [[2, 2], [2, 2]]]),
    (
        "33",
        lambda x, y: xp.remainder(x, y),
        [[0.9742, 0.3676, 0.0905, 0.8066], [0.3357, 0.0285, 0.4115, 0.5511]],
        [[1, 1, 1, 1], [-2, -12, 0, -1]],
    ),
    ("34", selected, [[[1, 2], [3, 4]], [-1, 1]], [[[0, -1], [1, 0]], [2, 3]]),
    ("35", row_added, [[[1]], [[1], [1]]], [[[2]], [[5], [5]]]),
    *[
        (f"38 {name}", lambda x, name=name: getattr(xp, name)(x) + 0 * x, [[-1.5, 0.0, 2.5]], [[0, 0, 0]])
        for name in ("sign", "round", "floor", "ceil", "trunc")
    ],
]


@pytest.fixture(params=["plain", "balanced"])
def autodiff(device: Device, request: pytest.FixtureRequest) -> Device:
    """The autodiff device of the device under test, with and without checkpointing."""
    return device.autodiff().gradient_checkpointing() if request.param == "balanced" else device.autodiff()


@pytest.mark.parametrize("burn", CASES, ids=[one[0] for one in CASES])
@pytest.mark.needs("64 bits")
def test_case(autodiff: Device, burn: tuple[str, Callable[..., Any], list[Any], list[Any]]) -> None:
    _, function, points, gradients = burn
    arrays = [xp.asarray(p, dtype=xp.float64, device=autodiff).require_grad() for p in points]
    grads = function(*arrays).backward()
    for array, gradient in zip(arrays, gradients, strict=True):
        got = np.asarray(grads[array].to_device("numpy"))
        np.testing.assert_allclose(
            got, np.asarray(gradient, float), rtol=1e-4, atol=1e-5
        )  # Burn prints the digits of float32


@pytest.mark.needs("64 bits")
def test_scatter_adds_are_differentiable(autodiff: Device) -> None:
    x = xp.asarray(X, dtype=xp.float64, device=autodiff).require_grad()
    w = xp.asarray(np.arange(6.0).reshape(2, 3), device=autodiff).require_grad()
    added = x * 1.0
    added[const(x, [1, 0], xp.int64)] += w
    grads = ((x @ x.T) @ added).backward()
    np.testing.assert_allclose(np.asarray(grads[w].to_device("numpy")), [[64] * 3, [19] * 3])
