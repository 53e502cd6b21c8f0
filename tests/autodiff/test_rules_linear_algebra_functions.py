"""Rules of the linear algebra functions of the main namespace agree with central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

CASES = [
    ("matmul", "rc", lambda xp, x, y: x @ y, (2, 3), (3, 4)),
    ("matmul vectors", "rc", lambda xp, x, y: (x @ y) ** 2, (3,), (3,)),
    ("matmul vector matrix", "rc", lambda xp, x, y: (x @ y) ** 2, (3,), (3, 2)),
    ("matmul vector stack", "rc", lambda xp, x, y: (x @ y) ** 2, (3,), (2, 3, 2)),
    ("matmul matrix vector", "rc", lambda xp, x, y: (x @ y) ** 2, (2, 3), (3,)),
    ("matmul stack vector", "rc", lambda xp, x, y: (x @ y) ** 2, (2, 2, 3), (3,)),
    ("matmul stack matrix", "rc", lambda xp, x, y: (x @ y) ** 2, (2, 2, 3), (3, 2)),
    ("matmul matrix stack", "rc", lambda xp, x, y: (x @ y) ** 2, (2, 3), (2, 3, 2)),
    ("matmul broadcast", "rc", lambda xp, x, y: (x @ y) ** 2, (2, 1, 2, 3), (3, 3, 2)),
    ("matmul empty", "rc", lambda xp, x, y: x @ y, (2, 0), (0, 3)),
    ("matmul in place", "rc", lambda xp, x, y: _squared_in_place(x, y), (2, 2), (2, 2)),
    ("matmul itself", "rc", lambda xp, x: x @ x, (2, 2)),
    ("vecdot", "rc", lambda xp, x, y: xp.vecdot(x, y) ** 2, (2, 3), (2, 3)),
    ("vecdot axis", "rc", lambda xp, x, y: xp.vecdot(x, y, axis=-2) ** 2, (2, 3, 2), (3, 1)),
    ("vecdot broadcast", "rc", lambda xp, x, y: xp.vecdot(x, y) ** 2, (3,), (2, 3)),
    ("tensordot", "rc", lambda xp, x, y: xp.tensordot(x, y) ** 2, (2, 3, 4), (3, 4, 2)),
    ("tensordot none", "rc", lambda xp, x, y: xp.tensordot(x, y, axes=0) ** 2, (2, 3), (2,)),
    ("tensordot one", "rc", lambda xp, x, y: xp.tensordot(x, y, axes=1) ** 2, (2, 3), (3,)),
    ("tensordot all", "rc", lambda xp, x, y: xp.tensordot(x, y, axes=2) ** 2, (2, 3), (2, 3)),
    (
        "tensordot axes",
        "rc",
        lambda xp, x, y: xp.tensordot(x, y, axes=((2, 0), (0, 1))),
        (2, 3, 4),
        (4, 2, 3),
    ),
    (
        "tensordot crossed",
        "rc",
        lambda xp, x, y: xp.tensordot(x, y, axes=((0, 2), (2, -2))),
        (2, 3, 4),
        (3, 4, 2),
    ),
]


def _squared_in_place(x: Any, y: Any) -> Any:
    z = x + y
    z @= y
    return z * x


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None]) -> None:
    derivatives(3)


def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()
