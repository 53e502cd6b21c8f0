"""``concat`` of two arrays of every dtype, layout and length gives what NumPy gives."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from burn_array.errors import BurnArrayError

SHAPES = [
    ((3,), (2,)),
    ((0,), (2,)),
    ((2,), (0,)),
    ((0,), (0,)),
    ((2, 3), (4, 3)),
    ((2, 0), (3, 0)),
    ((0, 3), (1, 3)),
    ((2, 2, 2), (1, 2, 2)),
]
LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "plain": lambda x: x,
    "reversed": lambda x: x[::-1],
    "rows apart": lambda x: x[::2],
    "later rows": lambda x: x[1:],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
def test_pairs_of_every_dtype_shape_and_layout(
    xp: ModuleType,
    host: Callable[[Any], Any],
    values: Callable[..., Any],
    kinds: Any,
    shapes: Any,
    layout: str,
) -> None:
    apply = LAYOUTS[layout]
    for dtype in kinds.on(xp.default_device()):
        arrays = [values(dtype, shape) for shape in shapes]
        operands = [xp.asarray(array) for array in arrays]
        views, expected = ([apply(x) for x in both] for both in (operands, arrays))
        for pair, numpys in ((views, expected), ((views[0], operands[1]), (expected[0], arrays[1]))):
            joined = xp.concat(pair)
            reference = np.concatenate(numpys)
            assert (joined.shape, joined.dtype) == (reference.shape, reference.dtype)
            np.testing.assert_array_equal(host(joined), reference)
        assert [x.shape for x in operands] == [x.shape for x in arrays]


@pytest.mark.parametrize("axis", [0, 1, -1, -2, None])
def test_pairs_of_matrices_along_every_axis(
    xp: ModuleType, host: Callable[[Any], Any], axis: int | None
) -> None:
    a, b = np.arange(9.0).reshape(3, 3), np.arange(9.0, 18.0).reshape(3, 3)
    for x, y in ((a, b), (a.T, b), (a.T, b.T), (a[:, ::-1], b)):
        joined = xp.concat([xp.asarray(x), xp.asarray(y)], axis=axis)
        np.testing.assert_array_equal(host(joined), np.concatenate([x, y], axis=axis))


def test_the_result_is_a_copy(xp: ModuleType) -> None:
    x, y = xp.asarray([1.0, 2.0]), xp.asarray([3.0])
    joined = xp.concat([x, y])
    x += 10
    y[0] = 7
    joined += 1
    assert joined.tolist() == [2.0, 3.0, 4.0]
    assert (x.tolist(), y.tolist()) == ([11.0, 12.0], [7.0])


@pytest.mark.parametrize(
    "shapes", [((), (2,)), ((2,), ()), ((), ()), ((2, 3), (2, 4)), ((2,), (2, 1)), ((0,), (2, 1))]
)
def test_shapes_that_do_not_fit_are_refused(
    xp: ModuleType, shapes: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    with pytest.raises(BurnArrayError, match=r"^concat"):
        xp.concat([xp.ones(shape) for shape in shapes])
