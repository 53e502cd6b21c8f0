"""Creation functions, manipulation functions and ``where`` give on every device what they give on NumPy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import burn_array as xp

Case = tuple[str, Callable[..., Any], tuple[Any, ...]]
Cases = Iterator[Case]
inf, nan = math.inf, math.nan
SCALARS = (True, 2, -1, 0.5, -0.0, nan, 1 + 2j)


def manipulation(vary: Any, grid: Any, sample: Any, kinds: Any, pairs: Any, device: Any) -> Cases:
    for dtype in ("bool", "int8", "uint16", "float32", "complex128"):
        x = grid(dtype, 2, 3, 4)
        yield from vary("flip", x, axis=[None, 0, -1, (0, 2), 7])
        yield from vary("roll", x, 2, axis=[None, 0, -1, 4])
        yield from vary("roll", x, (1, -2), axis=[(0, 2), (1, 1)])
        yield from vary("roll", x, 1, axis=[(0, 2)])
        yield from vary("expand_dims", x, axis=[0, -1, (0, 2), (-1, 0), (-4,), 9])
        yield from vary("squeeze", x[:, :1], axis=[1, -2, (1,), 0])
        yield from vary("permute_dims", x, axes=[(2, 0, 1), (0, 1, 2), (-1, 0, 1), (0, 0, 1)])
        yield from vary("reshape", x, shape=[(6, 4), (-1,), (3, -1, 2), (5, 5)], copy=[None, True, False])
        yield "reshape of T", lambda a: xp.reshape(xp.permute_dims(a, (2, 1, 0)), (-1,)), (x,)
        if device.has_views:  # a copy of an immutable array cannot be told from the array
            yield (
                "reshape copy=False",
                lambda a: xp.reshape(xp.permute_dims(a, (2, 1, 0)), (-1,), copy=False),
                (x,),
            )
        yield from vary("moveaxis", x, 0, -1)
        yield from vary("moveaxis", x, (0, 1), (2, 0))
        yield from vary("repeat", x, 2, axis=[None, 0, -1])
        yield from vary("repeat", x, np.asarray([1, 0, 2]), axis=[1, 0])
        yield from vary("repeat", x, np.asarray([3]), axis=[1])
        yield from vary("repeat", x[0, 0], np.asarray([0, 1, 2, 3], dtype="uint8"), axis=[None])
        yield from vary("repeat", x, 0, axis=[None, 0])
        for times in ((2,), (1, 2, 3), (2, 1, 1, 1), (0,), ()):
            yield from vary("tile", x, times)
        yield from vary("unstack", x, axis=[0, -1, 1])
        yield from vary("broadcast_to", x[:1], shape=[(2, 3, 4), (5, 2, 3, 4), (2, 3, 5)])
        yield from vary("broadcast_arrays", x[:, :1], x[0, 0], x[:1])
        yield from vary("tril", x, k=[-1, 0, 2])
        yield from vary("triu", x, k=[-1, 0, 2])
        yield from vary("diff", x.astype("float32" if dtype == "bool" else dtype), axis=[-1, 0], n=[1, 2, 0])
        yield from vary("meshgrid", x[0, 0], x[0, :, 0], indexing=["xy", "ij"])
        yield from vary("meshgrid", x[0, 0], indexing=["xy", "ij"])
        for shape in ((3, 4, 0), (0,), (2, 0, 2)):
            yield from vary("flip", grid(dtype, *shape), axis=[None, 0])
            yield from vary("roll", grid(dtype, *shape), 1, axis=[None, 0])
    for one, other in pairs:
        yield "concat", lambda a, b: xp.concat((a, b), axis=-1), (grid(one, 2, 3), grid(other, 2, 1))
        yield (
            "concat flat",
            lambda a, b: xp.concat((a, b), axis=None),
            (grid(one, 2, 3), grid(other, 1).reshape(())),
        )
        yield "stack", lambda a, b: xp.stack((a, b), axis=1), (grid(one, 2, 3), grid(other, 2, 3))
        yield f"where({one}, {other})", xp.where, (grid("bool", 2, 3), grid(one, 2, 3), sample(other)[0])
        yield f"where({one}, {other}) bc", xp.where, (grid("bool", 2, 1), sample(one)[:3], sample(other)[:3])
    for dtype, scalar in itertools.product(kinds.all, SCALARS):
        if scalar == -1 and dtype[0] in "bu":
            continue
        yield f"where({dtype}, {scalar})", xp.where, (grid("bool", 3), sample(dtype)[:3], scalar)
        yield f"where({scalar}, {dtype})", xp.where, (grid("bool", 3), scalar, sample(dtype)[:3])
    yield (
        "diff with ends",
        lambda a, b: xp.diff(a, prepend=b, append=b),
        (grid("int64", 2, 3), grid("int64", 2, 1)),
    )


def creation(find: Any, kinds: Any) -> Cases:
    """Yield cases of creation functions; each has an array as argument, only for its device."""

    def here(name: str, *args: Any, **settings: Any) -> Case:
        return (
            f"{name}({args}, {settings})",
            lambda x: find(name)(*args, device=x.device, **settings),
            (np.zeros(1),),
        )

    for dtype in map(np.dtype, kinds.all):
        for name in ("zeros", "ones"):
            yield here(name, (2, 3), dtype=dtype)
        yield here("full", (2,), 3, dtype=dtype)
        yield here("full", (), True, dtype=dtype)
        yield here("full", (2,), 300, dtype=dtype)
        yield here("full", (2,), -1, dtype=dtype)
        yield here("eye", 3, 4, k=1, dtype=dtype)
        yield here("eye", 3, k=-1, dtype=dtype)
        if dtype.kind != "b":
            yield here("arange", 5, dtype=dtype)
            yield here("arange", 2, 9, 3, dtype=dtype)
            yield here("arange", 9, 2, -3, dtype=dtype)
            yield here("arange", 2, 2, dtype=dtype)
            yield here("linspace", 0, 10, 5, dtype=dtype)
            yield here("linspace", 0, 10, 5, dtype=dtype, endpoint=False)
            yield here("linspace", 1, 1, 1, dtype=dtype)
            yield here("linspace", 0, 10, 0, dtype=dtype)
    yield here("arange", 0.5, 3, 0.4)
    yield here("arange", 5)
    yield here("linspace", -1.5, 2.5, 7)
    yield here("linspace", 1j, 2, 4)
    yield here("linspace", 0, inf, 3)
    yield here("full", 3, 1.5)
    yield here("full", 3, 2)
    yield here("full", 3, 1j)
    yield here("full", (), True)
    yield here("full", 3, nan)
    for name in ("fftfreq", "rfftfreq"):
        for n in (1, 4, 5):
            yield here(f"fft.{name}", n, d=0.3)
            yield here(f"fft.{name}", n, dtype=xp.float32)


@pytest.mark.parametrize("page", [manipulation, creation], ids=lambda page: page.__name__)
def test_page_equals_numpy(compare_page: Callable[..., None], page: Callable[..., Any]) -> None:
    compare_page(page)
