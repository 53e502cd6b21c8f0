"""The extension ``random`` on dpnp.

The state of dpnp's generators cannot be saved. So a generator of NumPy makes the seed of a new
``dpnp.random.RandomState`` for each call, and the state of NumPy's generator is saved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._imports import dpnp

Shape = tuple[int, ...]


class _Generator:
    """The generator of seeds for a device, and the queue of this device."""

    __slots__ = ("queue", "seeds")

    def __init__(self, seed: int | None, queue: Any) -> None:
        self.seeds = np.random.default_rng(seed)
        self.queue = queue

    def next(self) -> Any:
        """Return a new generator of dpnp, for one call."""
        words = self.seeds.integers(0, 2**32, 3, dtype=np.uint32)
        return dpnp.random.RandomState([int(word) for word in words], sycl_queue=self.queue)


def _set_state(generator: _Generator, state: Any) -> None:
    generator.seeds.bit_generator.state = state


def _uniform(generator: _Generator, shape: Shape, dtype: Any) -> Any:
    drawn = generator.next().uniform(0.0, 1.0, size=shape, dtype=_drawn_in(dtype))
    return drawn if drawn.dtype == dtype else (dpnp.floor(drawn * 2048) / 2048).astype(dtype)


def _normal(generator: _Generator, shape: Shape, dtype: Any) -> Any:
    return generator.next().normal(0.0, 1.0, size=shape, dtype=_drawn_in(dtype)).astype(dtype, copy=False)


def _drawn_in(dtype: Any) -> Any:
    """Return the dtype in which dpnp draws numbers of ``dtype``: it draws none of float16."""
    return dpnp.float32 if dtype == np.float16 else dtype


def _integers(generator: _Generator, shape: Shape, low: int, high: int, dtype: Any) -> Any:
    """Return integers from ``low`` up to ``high - 1``.

    dpnp draws int32 only. Two draws make one integer of 62 bits, and its remainder is taken.
    """
    state = generator.next()
    words = [state.randint(0, 2**31 - 1, size=shape, dtype=dpnp.int32).astype(dpnp.int64) for _ in range(2)]
    return ((words[0] * 2**31 + words[1]) % (high - low) + low).astype(dtype)


def _permutation(generator: _Generator, n: int) -> Any:
    return dpnp.argsort(_integers(generator, (n,), 0, 2**62, dpnp.int64))


class RandomExtension:
    """The extension ``random``, by ``dpnp.random``."""

    random_generator = staticmethod(_Generator)
    random_get_state = staticmethod(lambda generator: generator.seeds.bit_generator.state)
    random_set_state = staticmethod(_set_state)
    random_uniform = staticmethod(_uniform)
    random_normal = staticmethod(_normal)
    random_integers = staticmethod(_integers)
    random_permutation = staticmethod(_permutation)
