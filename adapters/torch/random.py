"""The extension ``random`` on PyTorch, with a ``torch.Generator`` on the device."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .dtypes import cast

Shape = tuple[int, ...]


def _generator(seed: int | None, device: torch.device) -> torch.Generator:
    """Return a new generator; without a seed it is seeded by chance."""
    generator = torch.Generator(device)
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed)
    return generator


def _set_state(generator: torch.Generator, state: Any) -> None:
    generator.set_state(torch.from_numpy(np.array(state)))


def _uniform(generator: torch.Generator, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    return torch.rand(shape, generator=generator, dtype=dtype, device=generator.device)


def _normal(generator: torch.Generator, shape: Shape, dtype: torch.dtype) -> torch.Tensor:
    return torch.randn(shape, generator=generator, dtype=dtype, device=generator.device)


def _integers(
    generator: torch.Generator, shape: Shape, low: int, high: int, dtype: torch.dtype
) -> torch.Tensor:
    return cast(torch.randint(low, high, shape, generator=generator, device=generator.device), dtype)


def _permutation(generator: torch.Generator, n: int) -> torch.Tensor:
    return torch.randperm(n, generator=generator, device=generator.device)


class RandomExtension:
    """The functions that ``burn_array.random`` asks an adapter for."""

    random_generator = staticmethod(_generator)
    random_get_state = staticmethod(lambda generator: generator.get_state().numpy())
    random_set_state = staticmethod(_set_state)
    random_uniform = staticmethod(_uniform)
    random_normal = staticmethod(_normal)
    random_integers = staticmethod(_integers)
    random_permutation = staticmethod(_permutation)
