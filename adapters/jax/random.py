"""The extension ``random`` on JAX: the state of a generator is a key of ``jax.random``."""

from __future__ import annotations

import secrets
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

Shape = tuple[int, ...]


class _Generator:
    """A key, which is split for each call, and the device of the numbers."""

    __slots__ = ("device", "key")

    def __init__(self, seed: int | None, device: Any) -> None:
        self.device = device
        with jax.default_device(device):
            halves = divmod(secrets.randbits(64) if seed is None else seed, 2**32)
            # Two words of 32 bits, since a seed of 64 bits needs JAX's 64-bit dtypes.
            self.key = jax.random.fold_in(jax.random.key(halves[0]), halves[1])

    def next(self) -> Any:
        """Return a key for one call."""
        with jax.ensure_compile_time_eval():
            self.key, key = jax.random.split(self.key)
        return key


def _get_state(generator: _Generator) -> tuple[int, ...]:
    return tuple(int(word) for word in np.asarray(jax.random.key_data(generator.key)))


def _set_state(generator: _Generator, state: tuple[int, ...]) -> None:
    words = jax.device_put(np.asarray(state, dtype=np.uint32), generator.device)
    generator.key = jax.random.wrap_key_data(words)


def _uniform(generator: _Generator, shape: Shape, dtype: Any) -> Any:
    return jax.random.uniform(generator.next(), shape, dtype)


def _normal(generator: _Generator, shape: Shape, dtype: Any) -> Any:
    return jax.random.normal(generator.next(), shape, dtype)


def _integers(generator: _Generator, shape: Shape, low: int, high: int, dtype: Any) -> Any:
    """Return integers from ``low`` up to ``high - 1``; those of the full range are plain random bits."""
    span, limits = high - low, np.iinfo(dtype)
    if high <= limits.max:
        return jax.random.randint(generator.next(), shape, low, high, dtype)
    unsigned = np.dtype(f"uint{limits.bits}")
    bits = jax.random.bits(generator.next(), shape, unsigned)
    if span < 2**limits.bits:
        bits = jax.random.randint(generator.next(), shape, 0, span, unsigned)
    return (bits + np.asarray(low % 2**limits.bits, unsigned)).astype(dtype)


def _permutation(generator: _Generator, n: int) -> Any:
    return jax.random.permutation(generator.next(), jnp.arange(n))


class RandomExtension:
    """The extension ``random``, by ``jax.random``."""

    random_generator = staticmethod(_Generator)
    random_get_state = staticmethod(_get_state)
    random_set_state = staticmethod(_set_state)
    random_uniform = staticmethod(_uniform)
    random_normal = staticmethod(_normal)
    random_integers = staticmethod(_integers)
    random_permutation = staticmethod(_permutation)
