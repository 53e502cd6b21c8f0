"""The extension ``random`` on CuPy, by NumPy's generator Philox, computed on the GPU.

The state of CuPy's own generators is megabytes large, lies on the GPU and cannot be saved. Philox computes each block
of four words from a key and a counter. So the state is a ``numpy.random.Philox`` on the host, every thread of the GPU
computes a block of its own, and the words are the same as NumPy's.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

Shape = tuple[int, ...]

_INPUTS = "uint64 key0, uint64 key1, uint64 low, uint64 high, int64 count"
_BLOCK = """
    unsigned long long k0 = key0, k1 = key1;
    unsigned long long x0 = low + (unsigned long long)i + 1, x1 = high + (x0 <= low), x2 = 0, x3 = 0;
    for (int turn = 0; turn < 10; ++turn) {
        const unsigned long long a = 0xD2E7470EE14C6C93ULL, b = 0xCA5A826395121157ULL;
        unsigned long long y0 = __umul64hi(b, x2) ^ x1 ^ k0, y2 = __umul64hi(a, x0) ^ x3 ^ k1;
        x1 = b * x2; x3 = a * x0; x0 = y0; x2 = y2;
        k0 += 0x9E3779B97F4A7C15ULL; k1 += 0xBB67AE8584CAA73BULL;
    }
    const unsigned long long words[4] = {x0, x1, x2, x3};
"""
"""Computes the four words of block ``i + 1`` after the counter."""


def _kernel(name: str, each: int, body: str, inputs: str = "") -> Any:
    """Return a kernel in which each thread writes ``each`` elements; ``body`` computes element ``j`` of a thread."""
    store = f"for (int j = 0; j < {each}; ++j) if (i * {each} + j < count) {{ {body} }}"
    return cupy.ElementwiseKernel(_INPUTS + inputs, "raw T out", _BLOCK + store, f"burn_array_random_{name}")


_HALF_WORD = "unsigned int h = (unsigned int)(words[j / 2] >> (32 * (j % 2)));"

_words = _kernel("words", 4, "out[i * 4 + j] = words[j];")
_doubles = _kernel("doubles", 4, "out[i * 4 + j] = (words[j] >> 11) * (1.0 / 9007199254740992.0);")
_floats = _kernel("floats", 8, f"{_HALF_WORD} out[i * 8 + j] = (h >> 8) * (1.0f / 16777216.0f);")
_halves = _kernel("halves", 8, f"{_HALF_WORD} out[i * 8 + j] = T((h >> 21) * (1.0f / 2048.0f));")
# The method of Box and Muller makes two normal numbers of two uniform ones, by a cosine and a sine.
_normal_doubles = _kernel(
    "normal_doubles",
    4,
    """
    double u = 1.0 - (words[j & 2] >> 11) * (1.0 / 9007199254740992.0);
    double t = (words[j | 1] >> 11) * (1.0 / 4503599627370496.0);
    out[i * 4 + j] = sqrt(-2.0 * log(u)) * (j & 1 ? sinpi(t) : cospi(t));
    """,
)
_normal_floats = _kernel(
    "normal_floats",
    8,
    """
    unsigned long long w = words[j / 2];
    float u = ((unsigned int)w + 0.5f) * (1.0f / 4294967296.0f);
    float t = (unsigned int)(w >> 32) * (1.0f / 2147483648.0f);
    out[i * 8 + j] = T(sqrtf(-2.0f * logf(u)) * (j & 1 ? sinpif(t) : cospif(t)));
    """,
)
# The upper bits of 128 random bits times the span: the probabilities of two numbers differ by at most 2**-64.
_integers_kernel = _kernel(
    "integers",
    2,
    """
    unsigned long long rest = words[2 * j] * span;
    unsigned long long carry = rest + __umul64hi(words[2 * j + 1], span) < rest;
    out[i * 2 + j] = T(first + __umul64hi(words[2 * j], span) + carry);
    """,
    ", uint64 first, uint64 span",
)


def _generator(seed: int | None, device: Any) -> Any:
    return np.random.Philox(seed)


def _set_state(generator: Any, state: Any) -> None:
    generator.state = state


def _draw(generator: Any, kernel: Any, each: int, shape: Shape, dtype: Any, *settings: Any) -> Any:
    """Return the array that a kernel fills, and advance the generator past the blocks that it used."""
    out = cupy.empty(shape, dtype=dtype)
    if out.size:
        state = generator.state["state"]
        blocks = -(-out.size // each)
        low, high = state["counter"][:2]
        kernel(*state["key"], low, high, out.size, *settings, out.reshape(-1), size=blocks)
        generator.advance(blocks)
    return out


def words(generator: Any, count: int) -> Any:
    """Return the next words of the generator, as ``generator.random_raw(count)`` would."""
    return _draw(generator, _words, 4, (count,), np.uint64)


def _uniform(generator: Any, shape: Shape, dtype: Any) -> Any:
    kernel = {2: _halves, 4: _floats, 8: _doubles}[dtype.itemsize]
    return _draw(generator, kernel, 4 if kernel is _doubles else 8, shape, dtype)


def _normal(generator: Any, shape: Shape, dtype: Any) -> Any:
    if dtype.itemsize == 8:
        return _draw(generator, _normal_doubles, 4, shape, dtype)
    return _draw(generator, _normal_floats, 8, shape, dtype)


def _integers(generator: Any, shape: Shape, low: int, high: int, dtype: Any) -> Any:
    first = np.uint64(low % 2**64)
    return _draw(generator, _integers_kernel, 2, shape, dtype, first, np.uint64(high - low))


def _permutation(generator: Any, n: int) -> Any:
    return cupy.argsort(words(generator, n)) if n else cupy.empty(0, dtype=np.int64)


class RandomExtension:
    """The extension ``random``, by kernels of this module."""

    random_generator = staticmethod(_generator)
    random_get_state = staticmethod(lambda generator: generator.state)
    random_set_state = staticmethod(_set_state)
    random_uniform = staticmethod(_uniform)
    random_normal = staticmethod(_normal)
    random_integers = staticmethod(_integers)
    random_permutation = staticmethod(_permutation)
