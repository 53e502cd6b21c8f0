"""einops and opt_einsum work on arrays; so do ``einsum``, ``diag`` and ``pad``, which they and xarray call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import einops
import einops.array_api
import numpy as np
import opt_einsum
import pytest

import burn_array
from burn_array.autodiff import grad
from burn_array.errors import ArgumentError, ShapeError

Host = Callable[[Any], np.ndarray[Any, Any]]
RNG = np.random.default_rng(0)
SUBSCRIPTS = (
    "ij,jk->ik ij,jk ij,jk->ki ij,ij->ij ij,ij-> ij->ji ij-> ii->i ii-> ii iij->j ij,j->i ij,kl->ijkl bij,bjk->bik "
    "bij,bkj->bki i,i->i i,j->ij ij,jk,kl->il ij,ik,il->jkl iij,jk->ik ...i->... ...ij,...jk->...ik i...,i...->... "
    "ab,b...->a... ij,k->j abc,cd,b->ad"
).split()
LENGTHS = dict(zip("abcdijkl", (2, 3, 4, 2, 3, 4, 2, 5), strict=True)) | {"i": 3, "j": 3}


def operands(subscripts: str) -> list[Any]:
    """Return random operands whose shapes fit the subscripts."""
    terms = subscripts.replace("->", " ").split()[0].split(",")
    shapes = [
        tuple(
            n for label in term.replace("...", ".") for n in ((2, 3) if label == "." else (LENGTHS[label],))
        )
        for term in terms
    ]
    return [RNG.standard_normal(shape) for shape in shapes]


@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
@pytest.mark.needs("64 bits")
def test_einsum(device: burn_array.Device, host: Host, subscripts: str) -> None:
    args = operands(subscripts)
    out = burn_array.einsum(subscripts, *(burn_array.asarray(one, device=device) for one in args))
    assert out.device == device
    np.testing.assert_allclose(host(out), np.einsum(subscripts, *args), rtol=1e-12, atol=1e-14)


def test_einsum_of_other_dtypes(device: burn_array.Device, host: Host) -> None:
    for dtype in ("int32", "float32", "complex64"):
        x = burn_array.asarray([[1, 2], [3, 4]], dtype=dtype, device=device)
        for subscripts in ("ij,jk->ik", "ij,ij->ij"):
            out = burn_array.einsum(subscripts, x, x)
            assert out.dtype == dtype
            np.testing.assert_array_equal(host(out), np.einsum(subscripts, host(x), host(x)))
        assert burn_array.einsum("ij->", x).dtype == dtype


def test_einsum_is_differentiable(device: burn_array.Device, host: Host) -> None:
    x = burn_array.asarray([[1.0, 2.0], [3.0, 4.0]], device=device)
    slope = grad(lambda x: burn_array.einsum("ij,ij->", x, x))(x)
    np.testing.assert_array_equal(host(slope), 2 * host(x))


@pytest.mark.parametrize(
    ("subscripts", "text"),
    [
        ("ij,jk->ik", "cannot read"),
        ("ijk->i", "does not fit the dimensions"),
        ("i->i", "does not fit the dimensions"),
        ("ij->ik", "that no operand has"),
        ("ij->ii", "repeats a label"),
        ("i1->i", "cannot read"),
    ],
)
def test_wrong_subscripts_are_refused(xp: Any, subscripts: str, text: str) -> None:
    with pytest.raises(ArgumentError, match=f"einsum: .*{text}"):
        xp.einsum(subscripts, xp.ones((2, 3)))


def test_wrong_operands_are_refused(xp: Any) -> None:
    with pytest.raises(ShapeError, match="the axes 'j' have lengths 3 and 2"):
        xp.einsum("ij,jk->ik", xp.ones((2, 3)), xp.ones((2, 3)))
    with pytest.raises(TypeError, match="einsum: expected an Array"):
        xp.einsum("i->i", [1.0])


@pytest.mark.parametrize("subscripts", [one for one in SUBSCRIPTS if "..." not in one and "->" in one])
@pytest.mark.needs("64 bits")
def test_opt_einsum(device: burn_array.Device, host: Host, subscripts: str) -> None:
    args = operands(subscripts)
    out = opt_einsum.contract(subscripts, *(burn_array.asarray(one, device=device) for one in args))
    assert out.device == device
    np.testing.assert_allclose(host(out), np.einsum(subscripts, *args), rtol=1e-12, atol=1e-14)


@pytest.mark.needs("64 bits")
def test_opt_einsum_expression(device: burn_array.Device, host: Host) -> None:
    a, b = RNG.standard_normal((2, 3)), RNG.standard_normal((3, 4))
    expression = opt_einsum.contract_expression("ij,jk->ik", (2, 3), (3, 4))
    out = expression(burn_array.asarray(a, device=device), burn_array.asarray(b, device=device))
    np.testing.assert_allclose(host(out), a @ b)


# -- diag -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int16", "bool"])
@pytest.mark.parametrize("k", [0, 1, -1, 3, -4])
@pytest.mark.parametrize("shape", [(3,), (1,), (0,), (3, 4), (2, 2)])
def test_diag(device: burn_array.Device, host: Host, shape: tuple[int, ...], k: int, dtype: str) -> None:
    x = np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    out = burn_array.diag(burn_array.asarray(x, device=device), k)
    assert (out.device, out.dtype) == (device, x.dtype)
    np.testing.assert_array_equal(host(out), np.diag(x, k))


def test_diag_of_infinity_and_nan_has_zeros_elsewhere(device: burn_array.Device, host: Host) -> None:
    x = burn_array.asarray([burn_array.inf, burn_array.nan], device=device)
    np.testing.assert_array_equal(host(burn_array.diag(x)), [[np.inf, 0], [0, np.nan]])


def test_diag_is_differentiable(device: burn_array.Device, host: Host) -> None:
    x = burn_array.asarray([1.0, 2.0], device=device)
    slope = grad(lambda x: burn_array.sum(burn_array.diag(x, 1) ** 2))(x)
    assert host(slope).tolist() == [2.0, 4.0]


def test_diag_refuses_wrong_operands(xp: Any) -> None:
    with pytest.raises(ShapeError, match="diag: expected one or two dimensions, got 3"):
        xp.diag(xp.ones((2, 2, 2)))
    with pytest.raises(TypeError, match="diag: expected an Array"):
        xp.diag([1.0])
    with pytest.raises(TypeError, match="k"):
        xp.diag(xp.ones(2), 0.5)


# -- einops -----------------------------------------------------------------------------------

X = RNG.standard_normal((2, 4, 6))
EINOPS: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("rearrange", lambda e, x: e.rearrange(x, "a (b c) d -> c (a d) b", c=2)),
    ("reduce mean", lambda e, x: e.reduce(x, "a (b c) d -> a b", "mean", c=2)),
    ("reduce max", lambda e, x: e.reduce(x, "a b d -> d", "max")),
    ("repeat", lambda e, x: e.repeat(x, "a b d -> a (b k) d j", k=2, j=3)),
    ("pack", lambda e, x: e.pack([x, x[:, 0, :]], "a * d")[0]),
    ("unpack", lambda e, x: e.unpack(x, [[2], [2]], "a * d")[1]),
]


@pytest.mark.parametrize(("name", "call"), EINOPS, ids=[name for name, _ in EINOPS])
@pytest.mark.needs("64 bits")
def test_einops(device: burn_array.Device, host: Host, name: str, call: Callable[[Any, Any], Any]) -> None:
    burn_array.interop.register_einops()
    x = burn_array.asarray(X, device=device)
    expected = call(einops, X)
    for module in (einops, einops.array_api):
        out = call(module, x)
        assert out.device == device
        np.testing.assert_allclose(host(out), expected, rtol=1e-14)


@pytest.mark.needs("64 bits")
def test_einops_einsum_and_lists(device: burn_array.Device, host: Host) -> None:
    burn_array.interop.register_einops()
    x = burn_array.asarray(X[0], device=device)
    np.testing.assert_allclose(host(einops.einsum(x, x, "a b, c b -> a c")), X[0] @ X[0].T)
    np.testing.assert_array_equal(
        host(einops.rearrange([x, x], "k a b -> a b k")), np.stack([X[0]] * 2, axis=-1)
    )
    assert einops.parse_shape(x, "a b") == {"a": 4, "b": 6}


def test_a_registration_with_einops_outlives_garbage_collection(
    device: burn_array.Device, run_python: Callable[..., str]
) -> None:
    code = """
import gc, sys
import burn_array as xp, einops
xp.interop.register_einops()
for _ in range(3):
    gc.collect()
x = xp.ones((2, 3), device=sys.argv[1])
print(einops.rearrange(x, "a b -> b a").shape, einops.reduce(x, "a b -> a", "sum").device)
"""
    assert run_python(code, str(device)) == f"(3, 2) {device}"


# -- pad --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap"])
@pytest.mark.parametrize("width", [1, (2, 0), ((0, 1), (3, 2))])
@pytest.mark.needs("64 bits")
def test_pad(device: burn_array.Device, host: Host, mode: str, width: Any) -> None:
    x = np.arange(12.0).reshape(3, 4)
    out = burn_array.pad(burn_array.asarray(x, device=device), width, mode)
    assert out.device == device
    np.testing.assert_array_equal(host(out), np.pad(x, width, mode))  # type: ignore[call-overload]


@pytest.mark.needs("64 bits")
def test_pad_with_constants(device: burn_array.Device, host: Host) -> None:
    x = burn_array.arange(4, device=device)
    assert host(burn_array.pad(x, (1, 2), constant_values=(7, 8))).tolist() == [7, 0, 1, 2, 3, 8, 8]
    assert burn_array.pad(x, 1, constant_values=1).dtype == burn_array.int64


def test_pad_refuses_wrong_settings(xp: Any) -> None:
    x = xp.ones((2, 2))
    with pytest.raises(ArgumentError, match="pad: mode must be"):
        xp.pad(x, 1, "ramp")
    with pytest.raises(ShapeError, match="pad: pad_width must be one number, a pair"):
        xp.pad(x, ((1, 1), (1, 1), (1, 1)))
    with pytest.raises(TypeError, match="not negative"):
        xp.pad(x, -1)


def test_a_padded_array_stays_uncommitted(device: burn_array.Device) -> None:
    padded = burn_array.pad(burn_array.ones(3), 1)
    assert (padded + burn_array.ones(5, device=device)).device == device
