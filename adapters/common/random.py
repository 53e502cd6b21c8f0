"""The extension ``random`` for libraries that have NumPy's ``Generator``."""

from __future__ import annotations

from typing import Any

import numpy as np


def unit(generator: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return numbers in [0, 1); those of float16 are multiples of 2**-11, as it has 11 significant bits."""
    if dtype != np.float16:
        return generator.random(shape, dtype=dtype)
    return generator.integers(0, 2048, shape, dtype=np.int16).astype(dtype) / dtype.type(2048)


def normal(generator: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return standard normal numbers."""
    if dtype != np.float16:
        return generator.standard_normal(shape, dtype=dtype)
    return generator.standard_normal(shape, dtype=np.float32).astype(dtype)


def integers(generator: Any, shape: tuple[int, ...], low: int, high: int, dtype: Any) -> Any:
    """Return integers from ``low`` up to ``high - 1``."""
    return generator.integers(low, high, shape, dtype=dtype)


def restore(generator: Any, state: Any) -> None:
    """Set the generator to a state that was saved."""
    generator.bit_generator.state = state


class RandomExtension:
    """The extension ``random``, by ``numpy.random.Generator``."""

    random_generator = staticmethod(lambda seed, device: np.random.default_rng(seed))
    random_get_state = staticmethod(lambda generator: generator.bit_generator.state)
    random_set_state = staticmethod(restore)
    random_uniform = staticmethod(unit)
    random_normal = staticmethod(normal)
    random_integers = staticmethod(integers)
    random_permutation = staticmethod(lambda generator, n: generator.permutation(n))
