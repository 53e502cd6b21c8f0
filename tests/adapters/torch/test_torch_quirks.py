"""Canaries: every quirk of PyTorch that the adapter repairs is still there, and is repaired."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
import torch

from burn_array.adapters.torch import _complex as torch_complex
from burn_array.adapters.torch._quirks import LAST_SEEN, QUIRKS, Quirk
from burn_array.adapters.torch.adapter import TorchAdapter

INF, NAN = math.inf, math.nan
ADAPTER = TorchAdapter("cpu")


# Another release may have mended or brought some: the canaries are of the one that the tests pin.
CANARIES = QUIRKS if torch.__version__.split("+")[0] == LAST_SEEN else ()


@pytest.mark.parametrize("quirk", CANARIES, ids=lambda quirk: f"{quirk.functions}: {quirk.does}")
def test_canary(quirk: Quirk) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert quirk.there(), f"repaired upstream: remove the override and this row ({quirk.link})"


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    args = tuple(torch.as_tensor(np.asarray(x)) if isinstance(x, list | np.ndarray) else x for x in args)
    result = ADAPTER.find(name)(*args, **kwargs)
    return ADAPTER.to_host(result) if isinstance(result, torch.Tensor) else result


def same(got: np.ndarray[Any, Any], want: Any) -> bool:
    """Compare with NaN equal to NaN, and zeros by sign."""
    want = np.asarray(want)
    parts = [(got.real, want.real), (got.imag, want.imag)] if got.dtype.kind == "c" else [(got, want)]
    return all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        and (
            a.dtype.kind != "f" or np.array_equal(np.signbit(a), np.signbit(b) | np.isnan(b) & np.signbit(a))
        )
        for a, b in parts
    )


def test_the_bessel_functions_of_pytorch_are_inexact() -> None:
    """While this holds, ``torch_bessel`` stays."""
    x = torch.tensor(5.25, dtype=torch.float64)
    assert abs(torch.special.bessel_j0(x).item() + 0.09308098963931788) > 1e-8


def test_products_of_halves_are_rounded_at_every_step() -> None:
    """While this holds, ``torch_statistical`` multiplies them in single precision."""
    assert torch.isinf(torch.prod(torch.tensor([300.0, 300.0, 0.25], dtype=torch.float16), 0))


U64 = np.asarray([2**64 - 1, 2**63, 5], dtype="uint64")

RIGHT: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] = [
    ("add", (U64, U64), {}, np.asarray([2**64 - 2, 0, 10], dtype="uint64")),
    ("floor_divide", (U64, np.asarray([3, 2, 2], dtype="uint64")), {}, [(2**64 - 1) // 3, 2**62, 2]),
    ("less", (U64, np.asarray([-1, 2**62, 6])), {}, [False, False, True]),
    ("less", (np.asarray([1, 255], dtype="uint8"), -1), {}, [False, False]),
    ("sort", (U64,), {"axis": -1, "descending": False, "stable": True}, U64[::-1]),
    ("add", ([1 + 0j], [complex(INF, 0)]), {}, [complex(INF, 0)]),
    ("subtract", ([1 + 0j], [complex(INF, 0)]), {}, [complex(-INF, 0)]),
    ("remainder", ([-1.0, 2.0, -0.0, 0.0], [1.0, -1.0, 1.0, -1.0]), {}, [0.0, -0.0, 0.0, -0.0]),
    ("remainder", ([1e308] * 64, 0.5), {}, [0.0] * 64),
    ("floor_divide", ([INF, 1.0, -1.0], [1.0, -INF, INF]), {}, [INF, -0.0, -0.0]),
    ("floor_divide", ([7, -7], [0, 2]), {}, [0, -4]),
    ("pow", ([0j, 0j], [0j, 1 + 0j]), {}, [1 + 0j, 0j]),
    ("sign", ([NAN, -2.0, -0.0],), {}, [NAN, -1.0, 0.0]),
    ("sign", ([3 + 4j, 0j],), {}, [0.6 + 0.8j, 0j]),
    ("exp", ([complex(INF, 0)] * 20,), {}, [complex(INF, 0)] * 20),
    ("tanh", ([complex(INF, 2.0)],), {}, [1 + 0j]),
    ("expm1", ([complex(INF, 0.0)],), {}, [complex(INF, 0.0)]),
    ("floor", ([True],), {}, [True]),
    ("logaddexp", ([-INF, -INF], [-INF, 1.0]), {}, [-INF, 1.0]),
    ("getitem", ([1, 2, 3], slice(None, None, -1)), {}, [3, 2, 1]),
    ("any", (np.asarray([3, 0], dtype="uint8"),), {"axis": None, "keepdims": False}, True),
    ("sum", ([1, 2],), {"axis": (), "dtype": None, "keepdims": False}, [1, 2]),
    ("searchsorted", ([1.0, NAN, NAN], [1.5, NAN]), {"side": "left", "sorter": None}, [1, 1]),
    ("take_along_axis", ([10, 20, 30], [-1, 0]), {"axis": -1}, [30, 10]),
    (
        "linalg.solve",
        ([[[1.0, 0.0], [0.0, 2.0]]] * 2, [[2.0, 4.0], [2.0, 4.0]]),
        {},
        [[[2.0, 4.0], [1.0, 2.0]]] * 2,
    ),
]


@pytest.mark.parametrize(
    ("name", "args", "kwargs", "want"), RIGHT, ids=lambda value: value if type(value) is str else ""
)
def test_right_value(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], want: Any) -> None:
    got = call(name, *args, **kwargs)
    assert same(got, np.asarray(want).astype(got.dtype)), (got, want)


SPECIAL = [0.0, -0.0, 1.0, -2.0, 0.5, 710.0, -750.0, 100.0, 1e300, 5e-324, INF, -INF, NAN]


@pytest.mark.parametrize("name", ["exp", "sinh", "cosh", "tanh", "sin", "cos", "tan", "sqrt", "acosh"])
def test_complex_functions_for_accelerators(name: str) -> None:
    """Compare with NumPy, by absolute values where only NaN or an infinity of any sign is specified."""
    x = np.empty((len(SPECIAL), len(SPECIAL)), dtype="complex128")
    x.real, x.imag = np.asarray(SPECIAL)[:, None], SPECIAL
    got = getattr(torch_complex, f"careful_{name}")(torch.from_numpy(x)).numpy()
    with np.errstate(all="ignore"):
        want = getattr(np, {"acosh": "arccosh"}.get(name, name))(x)
    for a, b in ((got.real, want.real), (got.imag, want.imag)):
        free = np.isinf(a) & np.isinf(b) & (np.isnan(got) & np.isnan(want))
        np.testing.assert_allclose(a[~free], b[~free], rtol=1e-12, atol=1e-12)
        assert (np.signbit(a) == np.signbit(b))[np.isfinite(x) & (b != 0)].all()


def test_cosh_until_it_overflows() -> None:
    np.testing.assert_allclose(call("cosh", [710.0] * 64), np.cosh([710.0] * 64), rtol=1e-14)


def test_negative_exponent() -> None:
    with pytest.raises(ValueError, match="negative"):
        call("pow", [2], [-1])


def test_where_the_axes_of_index_arrays_go() -> None:
    x = np.zeros((2, 3, 5, 7))
    got = call("getitem", x, (slice(None), torch.tensor([0, 1]), slice(None), 0))
    assert got.shape == x[:, [0, 1], :, 0].shape
