"""Named lengths: what is found, what is refused, and at which lengths a graph holds."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import burn_array as bn
from burn_array.autodiff import grad
from burn_array.errors import CaptureError, ShapeError
from burn_array.graphs.lengths import Law, probes
from burn_array.graphs.size import Size

HELD: dict[str, Callable[[Any], Any]] = {
    "elementwise": lambda x: bn.sin(x) + 1,
    "reshape": lambda x: bn.reshape(x, (3 * x.shape[0],)),
    "with -1": lambda x: bn.reshape(x, (-1, 3)),
    "mean": lambda x: bn.sum(x, axis=0) / x.shape[0],
    "float factor": lambda x: x * (0.5 * x.shape[0]),
    "float quotient": lambda x: x * (1.0 / x.shape[0]),
    "float difference": lambda x: x * (x.shape[0] + 1.0),
    "float quotient of a sum": lambda x: x * (1.0 / (x.shape[0] + 1)) + x / (2.0 * x.shape[0]),
    "gradient of var": lambda x: grad(lambda y: bn.sum(bn.var(y, axis=0)))(x),
    "gradient of std": lambda x: grad(lambda y: bn.sum(bn.std(y + bn.arange(3.0), axis=1)))(x),
    "gradient of softmax": lambda x: grad(lambda y: bn.sum(bn.special.softmax(y, axis=0) ** 2))(x),
    "slice": lambda x: bn.concat([x, x])[: x.shape[0]],
    "last": lambda x: x[x.shape[0] - 1],
    "arange": lambda x: bn.arange(x.shape[0]) + x[:, 0],
    "zeros": lambda x: bn.concat([bn.zeros((x.shape[0], 3)), x, x], axis=0),
    "square": lambda x: bn.reshape(x @ bn.matrix_transpose(x), (x.shape[0] ** 2,)),
    "gradient": lambda x: grad(lambda y: bn.mean(y**3))(x),
    "assignment": lambda x: _filled(x),
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "parity": lambda x: x * (x.shape[0] % 2),
    "half": lambda x: x[: x.shape[0] // 2],
    "even half": lambda x: x[: 2 * (x.shape[0] // 2)],
    "root": lambda x: x * int(x.shape[0] ** 0.5),
    "padding": lambda x: bn.zeros((-(-x.shape[0] // 8) * 8,)) + bn.sum(x),
    "limit": lambda x: x[: min(x.shape[0], 100)],
    "branch": lambda x: x * 2 if x.shape[0] < 1000 else x * 3,
    "loop": lambda x: sum([x[i] for i in range(x.shape[0])], start=x[0]),
    "constant": lambda x: x[:, 0] * np.arange(float(x.shape[0])),
    "unstack": lambda x: bn.unstack(x)[0],
    "cube": lambda x: bn.zeros((x.shape[0] ** 3,)) + bn.sum(x),
}


def _filled(x: Any) -> Any:
    out = bn.zeros((x.shape[0] + 1, 3))
    out[1:] = x
    out[0] += 2.0
    return out


@pytest.mark.parametrize("name", HELD)
def test_programs_that_hold_at_every_length(
    xp: ModuleType, equal: Callable[[Any, Any], None], name: str
) -> None:
    graph = xp.trace(HELD[name], xp.spec(("n", 3)), name=name)
    with np.errstate(all="ignore"):
        for n in (1, 2, 3, 4, 7, 10, 64, 99, 100):
            if n < graph.least["n"]:
                continue
            x = xp.asarray(np.linspace(-1.0, 2.0, 3 * n).reshape(n, 3))
            found, wanted = graph(x), HELD[name](x)
            assert found.shape == wanted.shape
            np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-14)
    assert graph.least["n"] <= (2 if name.startswith("gradient") else 1)  # one row needs no sum


@pytest.mark.parametrize("name", REFUSED)
def test_programs_that_follow_another_law_are_refused(name: str) -> None:
    with pytest.raises(CaptureError, match=r"named length|small lengths|fails for"):
        bn.trace(REFUSED[name], bn.spec(("n", 3)))


def test_lengths_are_printed() -> None:
    graph = bn.trace(lambda x: bn.concat([x, x, bn.zeros((1,))]), bn.spec(("batch",)))
    assert "float64[1 + 2*batch]" in str(graph)
    assert graph.inputs[0].shape == (Size.named("batch"),)
    assert str(Size({(): 2, ("a",): -1, ("a", "b"): 3})) == "2 - a + 3*a*b"


def test_two_lengths(xp: ModuleType) -> None:
    graph = xp.trace(
        lambda x, y: (xp.reshape(x @ y, (-1,)), xp.zeros((x.shape[0] + 2 * y.shape[1],))),
        xp.spec(("n", 4)),
        xp.spec((4, "m")),
    )
    assert graph.least == {"n": 0, "m": 0}
    product, zeros = graph(xp.ones((3, 4)), xp.ones((4, 5)))
    assert (product.shape, zeros.shape) == ((15,), (13,))
    assert str(graph.specs[graph.outputs[0]].shape[0]) == "n*m"


def test_one_length_of_two_inputs() -> None:
    graph = bn.trace(lambda x, y: x + y, bn.spec(("n",)), bn.spec(("n",)))
    assert graph(bn.ones(3), bn.ones(3)).shape == (3,)
    with pytest.raises(ShapeError, match=r"the length n is 3 in x, but 4 in y"):
        graph(bn.ones(3), bn.ones(4))
    with pytest.raises(ShapeError, match=r"the argument x must be float64\[n\], got float64\[\]"):
        graph(bn.ones(()), bn.ones(()))


def test_lengths_below_the_least_are_refused() -> None:
    graph = bn.trace(lambda x: x * (2 if x.shape[0] > 1 else 3), bn.spec(("n",)))
    assert graph.least == {"n": 2}
    assert graph(bn.ones(2)).tolist() == [2.0, 2.0]
    with pytest.raises(ShapeError, match="the length n is 1, but the program does something else below 2"):
        graph(bn.ones(1))
    assert "n >= 2" in str(graph)


def test_further_lengths_of_the_caller() -> None:
    def f(x: Any) -> Any:
        return x * (2 if x.shape[0] != 77 else 3)

    assert (
        bn.trace(f, bn.spec(("n",)))(bn.ones(77)).tolist() == [2.0] * 77
    )  # what no length shows stays unseen
    with pytest.raises(CaptureError, match="something else for n=77"):
        bn.trace(f, bn.spec(("n",)), sizes=[(77,)])


def test_the_lengths_that_are_tried_differ_in_their_remainders() -> None:
    tried = [one["n"] for one in probes(["n"])]
    for divisor in (2, 3, 4, 5):
        assert len({n % divisor for n in tried}) > 1
    for names in (["n"], ["n", "m"], ["a", "b", "c"]):
        runs = probes(names)
        law = Law(names, runs)
        for name in names:
            assert law.of_ints([one[name] // 2 for one in runs]) is None
            assert law.of_ints([2 * (one[name] // 2) for one in runs]) is None
            assert law.of_ints([one[name] for one in runs]) == Size.named(name)


def test_plans_are_kept_for_some_lengths() -> None:
    run = bn.trace(lambda x: x * 2, bn.spec(("n",))).on("numpy")
    for n in range(1, 100):
        assert run(bn.ones(n)).shape == (n,)
    assert len(run._plans) == 64
    assert run(bn.ones(1)).shape == (1,)


def test_an_error_of_the_program_is_raised_as_it_is() -> None:
    with pytest.raises(ShapeError, match="matmul"):
        bn.trace(lambda x: x @ bn.ones((4, 4)), bn.spec(("n", 3)))
