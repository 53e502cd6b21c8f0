"""Rules can declare a derivative as a function or as the text of an expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.autodiff import rules
from burn_array.autodiff.engine.record import recording
from burn_array.autodiff.engine.tape import Op
from burn_array.autodiff.rules import Rule, derivative


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Rule]:
    """Declare the derivatives of a function of two arrays that is none of the standard."""
    monkeypatch.setattr(rules, "RULES", {})

    def declare(*slopes: Any) -> Rule:
        derivative("f", *slopes)
        found = rules.RULES.pop("f")
        assert isinstance(found, Rule)
        return found

    return declare


def test_a_derivative_as_text_reads_what_it_names(declared: Callable[..., Rule]) -> None:
    rule = declared("y", "out")
    assert rule.saves == ((False, True), (False, False))
    assert rule.saves_out == (False, True)
    one, two = rule.vjps
    assert one is not None
    assert two is not None
    assert one(np, 2.0, None, None, 0.5) == 1
    assert two(np, 2.0, 1 + 1j, None, None) == 2 - 2j
    (alone,) = declared("cos(x)").vjps
    assert alone is not None
    assert alone(np, 2.0, None, 0.5) == 2 * np.cos(0.5)


@pytest.mark.parametrize("slopes", [("cos(z)",), ("y",), ("cos(y)", "x"), ("",)])
def test_a_text_that_names_nothing_is_refused(declared: Callable[..., Rule], slopes: Any) -> None:
    with pytest.raises(ValueError, match="neither"):
        declared(*slopes)


SLOPES: dict[str, tuple[Any, Callable[..., Any], Callable[..., Any]]] = {
    "the other": ("y", lambda x, y: x * y, lambda x, y: y),
    "itself": ("x", lambda x, y: x * x / 2 + y, lambda x, y: x),
    "the result": ("out", lambda x, y: np.exp(x + y), lambda x, y: np.exp(x + y)),
    "both": (lambda xp, _out, x, y: xp.multiply(x, y), lambda x, y: x * x * y / 2, lambda x, y: x * y),
}


@pytest.mark.parametrize("name", SLOPES)
@pytest.mark.parametrize("y", [0.5, [1.0, 3.0], [[1.0], [3.0]], 1 + 2j], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_derivatives_meet_operands_of_all_kinds(
    declared: Callable[..., Rule], name: str, y: Any, dtype: str
) -> None:
    slope, f, wanted = SLOPES[name]
    device = burn_array.device("numpy+autodiff")
    adapter: Any = device.adapter
    call = recording(Op(declared(slope, None), adapter.plain, adapter.tracking), f, adapter.inner)
    x = burn_array.asarray([0.25, 0.75], dtype=dtype, device=device).require_grad()
    other = burn_array.asarray(y, dtype=dtype, device=device)._native if isinstance(y, list) else y
    out = burn_array.Array(call(x._native, other), device)
    (found,) = out.backward()
    host = np.asarray([0.25, 0.75], dtype=dtype)
    operand = np.asarray(y, dtype=dtype) if isinstance(y, list) else y
    expected = np.conj(wanted(host, operand)) * np.ones(out.shape)
    expected = expected.sum(axis=0) if expected.ndim > 1 else expected
    expected = expected if dtype.startswith("complex") else expected.real
    assert found.dtype == dtype
    np.testing.assert_allclose(found.__array__(), expected, rtol=1e-5 if dtype == "float32" else 1e-12)
