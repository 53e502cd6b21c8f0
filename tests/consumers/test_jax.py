"""jax reads arrays, and jax arrays become arrays.

The tests run in their own processes, since a process that has imported jax may not fork.
"""

from __future__ import annotations

from collections.abc import Callable

from burn_array import Device

CODE = """
import sys
import jax
import jax.numpy as jnp
import numpy as np
import burn_array as xp

x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=xp.float32, device=sys.argv[1])
for there in (jnp.asarray(x), jnp.from_dlpack(x), jax.dlpack.from_dlpack(x), jnp.from_dlpack(x, copy=True)):
    assert there.dtype == jnp.float32
    assert np.array_equal(np.asarray(jnp.sum(there, axis=0)), [5.0, 7.0, 9.0])
there = jnp.arange(3.0)
for back in (xp.asarray(there), xp.from_dlpack(there), xp.asarray(there, device=x.device)):
    assert type(back) is xp.Array
    assert np.array_equal(np.asarray(back * 2.0), [0.0, 2.0, 4.0])
assert back.device == x.device
print("right")
"""


def test_jax_reads_arrays_and_its_own_are_read(device: Device, run_python: Callable[..., str]) -> None:
    assert run_python(CODE, str(device)) == "right"
