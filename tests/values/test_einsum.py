"""``einsum`` broadcasts axes of length 1, under ellipses and under labels, as NumPy does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array
from burn_array.autodiff import check_grads, grad
from burn_array.errors import ShapeError

Host = Callable[[Any], np.ndarray[Any, Any]]

CASES: list[tuple[str, tuple[tuple[int, ...], ...]]] = [
    ("...ij,...jk->...ik", ((1, 2, 3), (4, 3, 5))),
    ("...ij,...jk->...ik", ((4, 2, 3), (1, 3, 5))),
    ("...i,...i,...->...", ((1, 4, 2), (3, 1, 2), (1,))),
    ("...,...", ((2, 1), (1, 3))),
    ("i...,i->...", ((2, 1), (2,))),
    ("i,i->i", ((1,), (3,))),
    ("i,i,i->i", ((1,), (3,), (1,))),
    ("ij,jk->ik", ((2, 1), (3, 4))),
    ("ij,jk", ((2, 3), (1, 4))),
    ("ij,ij->", ((1, 3), (2, 1))),
    ("ii,i->i", ((1, 1), (3,))),
    ("i,i->i", ((1,), (0,))),
]


@pytest.mark.parametrize(("subscripts", "shapes"), CASES)
@pytest.mark.needs("64 bits")
def test_axes_of_length_one_broadcast(
    device: burn_array.Device, host: Host, subscripts: str, shapes: tuple[tuple[int, ...], ...]
) -> None:
    random = np.random.default_rng(0)
    arrays = [random.normal(size=shape) for shape in shapes]
    wanted = np.einsum(subscripts, *arrays)
    found = host(burn_array.einsum(subscripts, *(burn_array.asarray(one, device=device) for one in arrays)))
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.needs("64 bits")
def test_gradients_are_summed_over_broadcast_axes(device: burn_array.Device, host: Host) -> None:
    x = burn_array.asarray([[1.0], [2.0]], device=device)
    y = burn_array.asarray([[3.0, 4.0, 5.0]], device=device)
    found = grad(lambda x, y: burn_array.einsum("ij,ij->", x, y), argnums=(0, 1))(x, y)
    assert host(found[0]).tolist() == [[12.0], [12.0]]
    assert host(found[1]).tolist() == [[3.0, 3.0, 3.0]]
    check_grads(lambda x, y: burn_array.einsum("...j,...j->...", x, y), (x, y))


@pytest.mark.parametrize(
    ("subscripts", "shapes"), [("i,i", ((2,), (3,))), ("ii->i", ((1, 3),)), ("ii,i->i", ((1, 3), (3,)))]
)
def test_different_lengths_are_refused(
    device: burn_array.Device, subscripts: str, shapes: tuple[tuple[int, ...], ...]
) -> None:
    with pytest.raises(ShapeError, match="einsum: the axes 'i' have lengths"):
        burn_array.einsum(subscripts, *(burn_array.zeros(shape, device=device) for shape in shapes))
