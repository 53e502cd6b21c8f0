"""The memory layout of an operand does not change a result, and no function changes its operand."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import ModuleType
from typing import Any

import numpy as np
import pytest

MATRIX = np.asarray([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
LAYOUTS: dict[str, Callable[[ModuleType, Any], Any]] = {
    "reversed": lambda xp, m: xp.asarray(m[::-1, ::-1].copy())[::-1, ::-1],
    "reversed rows": lambda xp, m: xp.asarray(m[::-1].copy())[::-1],
    "transposed": lambda xp, m: xp.matrix_transpose(xp.asarray(m.T.copy())),
    "every other column": lambda xp, m: xp.asarray(np.repeat(m, 2, axis=1))[:, ::2],
    "every other row, reversed": lambda xp, m: xp.asarray(np.repeat(m[::-1], 2, axis=0))[::-2],
    "broadcast": lambda xp, m: xp.broadcast_to(xp.asarray(m[:1].copy()), m.shape),
}
Call = Callable[[ModuleType, Any], Any]


def calls(names: str, **settings: Any) -> dict[str, Call]:
    """Return, by name, a call of each function of the namespace or of an extension, with these settings."""

    def call(name: str) -> Call:
        return lambda xp, x: attrgetter(name)(xp)(x, **settings)

    return {" ".join((name, *map(str, settings.items()))): call(name) for name in names.split()}


CALLS: dict[str, Call] = {
    **calls("abs acosh cos exp log negative reciprocal round sign sin sqrt square tanh"),
    **calls("sum prod max min mean std argmax any unique_values"),
    **calls("sum var argmin sort argsort", axis=1),
    **calls(
        "linalg.det linalg.inv linalg.pinv linalg.svdvals linalg.trace linalg.eigvalsh linalg.matrix_norm"
    ),
    "where": lambda xp, x: xp.where(x > 0.75, x, 0.0),
    "where, the condition too": lambda xp, x: xp.where(x, x, 7.0),
    "where, broadcast": lambda xp, x: xp.where(x > 0.75, x, x[0]),
    "clip": lambda xp, x: xp.clip(x, 0.3, 2.5),
    "pow": lambda xp, x: xp.pow(x, 1.5),
    "x + row": lambda xp, x: x + x[0],
    "x / 3": lambda xp, x: x / 3,
    "x // 0.75": lambda xp, x: x // 0.75,
    "complex acosh": lambda xp, x: xp.acosh(x + 0.0 * x + 1j),
    "cumulative_sum": lambda xp, x: xp.cumulative_sum(x, axis=0),
    "diff": lambda xp, x: xp.diff(x),
    "matmul": lambda xp, x: x @ x,
    "vecdot": lambda xp, x: xp.vecdot(x, x),
    "tensordot": lambda xp, x: xp.tensordot(x, x, axes=1),
    "solve": lambda xp, x: xp.linalg.solve(x + xp.eye(3), x),
    "eigh": lambda xp, x: xp.linalg.eigh(x).eigenvalues,
    "svd": lambda xp, x: xp.linalg.svd(x).S,
    "qr": lambda xp, x: xp.abs(xp.linalg.qr(x).R),
    "matrix_power": lambda xp, x: xp.linalg.matrix_power(x, 3),
    "vector_norm": lambda xp, x: xp.linalg.vector_norm(x, axis=0),
    "fft": lambda xp, x: xp.abs(xp.fft.fft(x)),
    "rfftn": lambda xp, x: xp.abs(xp.fft.rfftn(x)),
    "irfft": lambda xp, x: xp.fft.irfft(x + 0j, n=2),
    "concat": lambda xp, x: xp.concat([x, x], axis=1),
    "stack": lambda xp, x: xp.stack([x, x]),
    "reshape": lambda xp, x: xp.reshape(x, (9,)),
    "roll": lambda xp, x: xp.roll(x, 1, axis=0),
    "repeat": lambda xp, x: xp.repeat(x, 2, axis=1),
    "take": lambda xp, x: xp.take(x, xp.asarray([2, 0]), axis=1),
    "mask": lambda xp, x: x[x > 0.75],
    "index array": lambda xp, x: x[xp.asarray([2, 0])],
    "searchsorted": lambda xp, x: xp.searchsorted(xp.sort(x[0]), x),
    "isin": lambda xp, x: xp.isin(x, x[0]),
    "astype": lambda xp, x: xp.astype(x, xp.float32),
    "tril": lambda xp, x: xp.tril(x),
}


PAIRS = [
    (name, layout) for name in CALLS for layout in LAYOUTS if (name, layout) != ("linalg.inv", "broadcast")
]
"""Every call with every layout, except the inverse of a singular matrix."""


@pytest.mark.filterwarnings("ignore")  # NumPy warns of logarithms and roots outside their domains
@pytest.mark.parametrize(("name", "layout"), PAIRS)
@pytest.mark.needs("64 bits")
def test_results_do_not_depend_on_the_layout(xp: ModuleType, name: str, layout: str) -> None:
    x = LAYOUTS[layout](xp, MATRIX)
    values = np.array(x.to_device("numpy"))
    found, wanted = CALLS[name](xp, x), CALLS[name](xp, xp.asarray(values.copy()))
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    a, b = (np.asarray(one.to_device("numpy")) for one in (found, wanted))
    np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(np.asarray(x.to_device("numpy")), values)
