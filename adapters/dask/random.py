"""The extension ``random`` on dask: each block has a stream of its own.

It depends on the seed, the number of the call, and the place of the block, so the same seed and the same chunks give the
same numbers wherever they are computed, also after the loss of a worker.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from .apply import Apply
from .blocks import created, cut_again, place_of
from .memory import chunks_for

Shape = tuple[int, ...]


class _Generator:
    """A seed, how many calls have drawn, and the device of the blocks."""

    __slots__ = ("device", "draws", "seed")

    def __init__(self, seed: int | None, device: str) -> None:
        self.seed = secrets.randbits(64) if seed is None else seed
        self.draws = 0
        self.device = device

    def next(self) -> tuple[int, int]:
        """Return what the streams of one call are made of."""
        self.draws += 1
        return self.seed, self.draws


def _set_state(generator: _Generator, state: tuple[int, int]) -> None:
    generator.seed, generator.draws = state


def _drawn(name: str, generator: _Generator, shape: Shape, dtype: Any, *args: Any) -> Any:
    chunks = chunks_for(shape, dtype.itemsize)
    apply = Apply(generator.device, "blocks.random", (*generator.next(), name, *args))
    return created(apply, chunks, dtype, place_of(chunks))


def _uniform(generator: _Generator, shape: Shape, dtype: Any) -> Any:
    return _drawn("uniform", generator, shape, dtype, dtype)


def _normal(generator: _Generator, shape: Shape, dtype: Any) -> Any:
    return _drawn("normal", generator, shape, dtype, dtype)


def _integers(generator: _Generator, shape: Shape, low: int, high: int, dtype: Any) -> Any:
    return _drawn("integers", generator, shape, dtype, low, high, dtype)


def _permutation(generator: _Generator, n: int) -> Any:
    apply = Apply(generator.device, "blocks.permutation", generator.next())
    return cut_again(created(apply, ((n,),), np.dtype("int64")))


class RandomExtension:
    """The extension ``random``."""

    random_generator = staticmethod(_Generator)
    random_get_state = staticmethod(lambda generator: (generator.seed, generator.draws))
    random_set_state = staticmethod(_set_state)
    random_uniform = staticmethod(_uniform)
    random_normal = staticmethod(_normal)
    random_integers = staticmethod(_integers)
    random_permutation = staticmethod(_permutation)
