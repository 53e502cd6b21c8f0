"""Rules of the manipulation functions agree with central differences."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CASES = [
    ("reshape", "rc", lambda xp, x: xp.reshape(x, (3, -1)) ** 2, (2, 3)),
    ("reshape 0-d", "rc", lambda xp, x: xp.reshape(x, ()) ** 2, (1, 1)),
    ("reshape empty", "rc", lambda xp, x: xp.reshape(x, (3, 0)), (0, 2)),
    ("squeeze", "rc", lambda xp, x: xp.squeeze(x, 1) ** 2, (2, 1, 3)),
    ("squeeze axes", "rc", lambda xp, x: xp.squeeze(x, (-1, 0)) ** 2, (1, 2, 1)),
    ("expand_dims", "rc", lambda xp, x: xp.expand_dims(x, -1) ** 2, (2, 3)),
    ("expand_dims axes", "rc", lambda xp, x: xp.expand_dims(x, (0, -1)) ** 2, (2, 3)),
    ("permute_dims", "rc", lambda xp, x: xp.permute_dims(x, (2, 0, 1)) ** 2, (2, 3, 4)),
    ("permute_dims negative", "rc", lambda xp, x: xp.permute_dims(x, (-1, 0, -2)) ** 2, (2, 3, 4)),
    ("moveaxis", "rc", lambda xp, x: xp.moveaxis(x, 0, -1) ** 2, (2, 3, 4)),
    ("moveaxis several", "rc", lambda xp, x: xp.moveaxis(x, (0, 1), (-1, 0)) ** 2, (2, 3, 4)),
    ("matrix_transpose", "rc", lambda xp, x: xp.matrix_transpose(x) ** 2, (2, 3, 4)),
    ("T", "rc", lambda xp, x: x.T * x, (3, 3)),
    ("mT", "rc", lambda xp, x: x.mT * x, (2, 3, 3)),
    ("flip", "rc", lambda xp, x: xp.flip(x) * x, (2, 3)),
    ("flip axis", "rc", lambda xp, x: xp.flip(x, axis=-1) * x, (2, 3)),
    ("flip axes", "rc", lambda xp, x: xp.flip(x, axis=(0, 2)) * x, (2, 3, 2)),
    ("roll", "rc", lambda xp, x: xp.roll(x, 2) * x, (2, 3)),
    ("roll axis", "rc", lambda xp, x: xp.roll(x, -1, axis=1) * x, (2, 3)),
    ("roll axes", "rc", lambda xp, x: xp.roll(x, (1, 2), axis=(0, -1)) * x, (2, 3)),
    ("broadcast_to", "rc", lambda xp, x: xp.broadcast_to(x, (2, 3, 4)) ** 2, (3, 1)),
    ("broadcast_to 0-d", "rc", lambda xp, x: xp.broadcast_to(x, (2, 3)) ** 2, ()),
    ("broadcast_to empty", "rc", lambda xp, x: xp.broadcast_to(x, (0, 3)) ** 2, (1, 3)),
    (
        "broadcast_arrays",
        "rc",
        lambda xp, x, y: [z * z for z in xp.broadcast_arrays(x, y)],
        (3, 1),
        (2, 1, 4),
    ),
    ("broadcast_arrays one seen", "rc", lambda xp, x, y: xp.broadcast_arrays(x, y)[1] ** 2, (3, 1), (4,)),
    ("concat", "rc", lambda xp, x, y: xp.concat([x, y]) ** 2, (2, 3), (1, 3)),
    ("concat axis", "rc", lambda xp, x, y: xp.concat([x, y, x], axis=-1) ** 2, (2, 3), (2, 1)),
    ("concat flat", "rc", lambda xp, x, y: xp.concat([x, y], axis=None) ** 2, (2, 3), (2,)),
    ("concat empty", "rc", lambda xp, x, y: xp.concat([x, y]) ** 2, (0, 3), (1, 3)),
    ("concat constant", "rc", lambda xp, x: xp.concat([xp.ones_like(x), x], axis=1) ** 2, (2, 3)),
    ("stack", "rc", lambda xp, x, y: xp.stack([x, y]) ** 2, (2, 3), (2, 3)),
    ("stack axis", "rc", lambda xp, x, y: xp.stack([x, y, x], axis=-1) ** 2, (2, 3), (2, 3)),
    ("unstack", "rc", lambda xp, x: [y * y for y in xp.unstack(x)], (2, 3)),
    ("unstack axis", "rc", lambda xp, x: xp.unstack(x, axis=-1)[1] ** 2, (2, 3)),
    ("repeat", "rc", lambda xp, x: xp.repeat(x, 2) ** 2, (2, 3)),
    ("repeat axis", "rc", lambda xp, x: xp.repeat(x, 3, axis=-2) ** 2, (2, 3)),
    ("repeat none", "rc", lambda xp, x: xp.repeat(x, 0, axis=0), (2, 3)),
    ("repeat counts", "rc", lambda xp, x: xp.repeat(x, xp.asarray([2, 0, 1]), axis=1) ** 2, (2, 3)),
    ("repeat counts flat", "rc", lambda xp, x: xp.repeat(x, xp.asarray([2, 0, 1, 3])) ** 2, (2, 2)),
    ("repeat one count", "rc", lambda xp, x: xp.repeat(x, xp.asarray([2]), axis=0) ** 2, (2, 2)),
    ("tile", "rc", lambda xp, x: xp.tile(x, (2, 3)) ** 2, (2, 3)),
    ("tile fewer", "rc", lambda xp, x: xp.tile(x, (2,)) ** 2, (2, 3)),
    ("tile more", "rc", lambda xp, x: xp.tile(x, (2, 1, 2)) ** 2, (3,)),
    ("tile none", "rc", lambda xp, x: xp.tile(x, (0, 2)), (2, 3)),
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None]) -> None:
    derivatives(3)


def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()
