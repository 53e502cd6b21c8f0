"""``torch.compile`` and the transforms of ``torch.func`` take functions written with burn_array."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import burn_array as xp
from burn_array._core import array as _array

pytestmark = pytest.mark.library("torch")
COMPILED = not str(_array.__file__).endswith(".py")
interpreted = pytest.mark.skipif(
    COMPILED, reason="torch.compile traces Python, not compiled code: see make_fx"
)
Program = Callable[[torch.Tensor], torch.Tensor]


def program(t: torch.Tensor) -> Any:
    x = xp.asarray(t)
    y = xp.sin(x) * 2 + xp.where(x > 0, x, -x)
    y[0] = 5.0
    y[1:, 0] = y[:-1, 1]
    y += 1
    return xp.sum(xp.matmul(y, xp.matrix_transpose(y)), axis=0).native


# f: two rows of three floats, i: three integers, s: a symmetric matrix, k: indices that sort the rows of f.
CALLS = """
abs(f); acos(f / 8); add(f, 1); astype(f, xp.float32); atan2(f, 2.0); clip(f, 0, 1); concat([f, f]); cosh(f)
cumulative_sum(f, axis=0); exp(f); expand_dims(f, axis=0); fft.fft(f); fft.ifft(f); fft.rfft(f); flip(f)
floor_divide(f, 0.5); floor_divide(f, f); full_like(f, 2.0); hypot(f, f); isin(i, i); linalg.cholesky(s)
linalg.det(s); linalg.eigvalsh(s); linalg.inv(s); linalg.matrix_norm(s); linalg.qr(s); linalg.slogdet(s)
linalg.solve(s, f[0]); linalg.svdvals(s); linalg.vector_norm(f); log1p(f * 1j); log(f + 3.0); matmul(f, s)
max(f, axis=1); mean(f); meshgrid(i, i); ones_like(f); permute_dims(f, (1, 0)); pow(f, 2); pow(i, i)
remainder(f, 0.3); remainder(i, i); reshape(f, (-1,)); roll(f, 1); searchsorted(f[0], f[1]); sign(f); sinh(f)
sort(f); argsort(f, descending=True); squeeze(expand_dims(f, axis=0), axis=0); std(f); std(f, axis=0); sum(i)
take(f, i - 1, axis=1); take_along_axis(f, k, axis=1); tensordot(f, s, axes=1); tril(s); unstack(f)
var(f, correction=1); vecdot(f, f); where(f > 0, f, 0.0); special.erf(f); special.logsumexp(f, axis=1)
"""
SOURCES = [call.strip() for line in CALLS.splitlines() for call in line.split(";") if call.strip()]


def called(source: str) -> Callable[..., Any]:
    """Return a function of tensors that makes one of ``CALLS``; its result is a tensor, or a tuple of them."""
    code = source.replace("squeeze(expand", "squeeze(xp.expand")
    function = eval(f"lambda f, i, s, k: xp.{code}", {"xp": xp})

    def run(f: Any, i: Any, s: Any) -> Any:
        f, i, s = xp.asarray(f), xp.asarray(i), xp.asarray(s)
        return natives(function(f, i, s, xp.argsort(f, axis=1)))

    return run


def natives(result: Any) -> Any:
    return result.native if type(result) is xp.Array else tuple(one.native for one in result)


def operands() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    f = torch.tensor([[-2.5, -0.5, 0.75], [0.25, 1.0, 3.0]], dtype=torch.float64)
    s = torch.tensor([[4.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 2.0]], dtype=torch.float64)
    return f, torch.tensor([1, 3, 2]), s


def same(found: Any, wanted: Any) -> None:
    for a, b in zip(*(one if isinstance(one, tuple) else (one,) for one in (found, wanted)), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Reset what PyTorch compiled, and let it warn that it traces into cached functions or maps slowly."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
        torch.compiler.reset()


@interpreted
def test_a_program_compiles_without_a_break() -> None:
    t = torch.linspace(-1, 2, 12, dtype=torch.float64).reshape(3, 4)
    wanted = program(t)  # also opens the device, which torch.compile cannot do
    torch.testing.assert_close(torch.compile(program, fullgraph=True, backend="eager")(t), wanted)


@interpreted
@pytest.mark.parametrize("source", SOURCES)
def test_calls_compile_without_a_break(source: str) -> None:
    run = called(source)
    wanted = run(*operands())
    same(torch.compile(run, fullgraph=True, backend="eager")(*operands()), wanted)


@pytest.mark.parametrize("source", SOURCES)
def test_calls_are_mapped(source: str) -> None:
    run = called(source)
    first = operands()
    second = (first[0] + 0.125, first[1], first[2] * 2)
    wanted = [run(*first), run(*second)]
    found = torch.func.vmap(run)(*(torch.stack(pair) for pair in zip(first, second, strict=True)))
    for number in (0, 1):
        same(
            tuple(one[number] for one in found) if isinstance(found, tuple) else found[number], wanted[number]
        )


def test_a_program_is_mapped() -> None:
    t = torch.linspace(-1, 2, 24, dtype=torch.float64).reshape(2, 3, 4)
    torch.testing.assert_close(torch.func.vmap(program)(t), torch.stack([program(t[0]), program(t[1])]))
    rows = torch.func.vmap(torch.func.vmap(lambda row: xp.vecdot(xp.asarray(row), xp.asarray(row)).native))(t)
    torch.testing.assert_close(rows, (t * t).sum(-1))


def test_a_recorded_program_compiles_with_a_compiled_core_too() -> None:
    t = torch.linspace(-1, 2, 12, dtype=torch.float64).reshape(3, 4)
    recorded = make_fx(program)(t)
    compiled = torch.compile(recorded, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(t + 0.5), program(t + 0.5))


def test_large_and_infinite_values_inside_of_vmap() -> None:
    """Where the values cannot be looked at, each function takes the way that is right for all of them."""
    x = torch.tensor([[1.0, -1.0, float("inf"), 7.5], [710.0, float("nan"), -0.0, 0.5]], dtype=torch.float64)
    for name in ("sinh", "cosh", "sign"):
        function = getattr(xp, name)
        mapped = torch.func.vmap(lambda t, f=function: f(xp.asarray(t)).native)(x)
        same_or_nan(mapped, natives_of(function, x))
    y = torch.tensor([[float("inf"), -2.0, 2.0, -0.5], [3.0, 1.0, 1.0, 1e-300]], dtype=torch.float64)
    for name in ("floor_divide", "remainder"):
        function = getattr(xp, name)
        mapped = torch.func.vmap(lambda a, b, f=function: f(xp.asarray(a), xp.asarray(b)).native)(x, y)
        same_or_nan(mapped, natives_of(function, x, y))


def natives_of(function: Any, *tensors: torch.Tensor) -> torch.Tensor:
    found: torch.Tensor = function(*map(xp.asarray, tensors)).native
    return found


def same_or_nan(found: torch.Tensor, wanted: torch.Tensor) -> None:
    torch.testing.assert_close(found, wanted, rtol=1e-12, atol=0, equal_nan=True)
