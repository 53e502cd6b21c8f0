"""Rules of the Fourier transforms agree with central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

NORMS = ("backward", "ortho", "forward")


def _one(name: str, kind: str, length: int) -> list[Any]:
    """Return cases of a transform along one axis, with every norm, several lengths, and the first axis too."""

    def case(n: int | None, axis: int, norm: str, shape: tuple[int, ...]) -> Any:
        title = f"{name} {shape} n={n} axis={axis} {norm}"
        return title, kind, lambda xp, x: getattr(xp.fft, name)(x * x, n=n, axis=axis, norm=norm), shape

    return [
        *(case(None, -1, norm, (2, length)) for norm in NORMS),
        *(case(n, -1, norm, (2, length)) for n in (1, 2, length + 3, 2 * length) for norm in NORMS),
        case(None, 0, "backward", (length + 1, 2)),
        case(5, -2, "ortho", (length, 2)),
    ]


def _several(name: str, kind: str) -> list[Any]:
    def case(s: Any, axes: Any, norm: str) -> Any:
        title = f"{name} s={s} axes={axes} {norm}"
        return title, kind, lambda xp, x: getattr(xp.fft, name)(x * x, s=s, axes=axes, norm=norm), (2, 3, 4)

    return [
        *(case(None, None, norm) for norm in NORMS),
        *(case((5, 3), (0, -1), norm) for norm in NORMS),
        case((4, 2), (2, 1), "backward"),
        case(None, (1,), "ortho"),
        case(None, (-1, 0), "forward"),
    ]


CASES = [
    *(case for name in ("fft", "ifft", "irfft", "hfft") for case in _one(name, "c", 4)),
    *(case for name in ("rfft", "ihfft") for case in _one(name, "r", 4)),
    *(case for name in ("fftn", "ifftn", "irfftn") for case in _several(name, "c")),
    *_several("rfftn", "r"),
    ("fft of real", "r", lambda xp, x: xp.fft.fft(x * x), (2, 5)),
    ("ifftn of real", "r", lambda xp, x: xp.fft.ifftn(x * x), (2, 3)),
    ("fftshift", "rc", lambda xp, x: xp.fft.fftshift(x) * x, (3, 4)),
    ("fftshift axes", "rc", lambda xp, x: xp.fft.fftshift(x, axes=-1) * x, (3, 5)),
    ("ifftshift", "rc", lambda xp, x: xp.fft.ifftshift(x) * x, (3, 4)),
    ("ifftshift axes", "rc", lambda xp, x: xp.fft.ifftshift(x, axes=(0, 1)) * x, (3, 5)),
]


@pytest.mark.needs("64 bits")
def test_derivatives(derivatives: Callable[[int], None]) -> None:
    derivatives(2)


def test_single_precision(single_precision: Callable[[], None]) -> None:
    single_precision()
