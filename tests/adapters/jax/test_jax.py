"""Arrays of JAX: its transforms take functions written with burn_array, and indices and devices are checked."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import burn_array as xp
from burn_array.errors import ArrayIndexError, DeviceNotFoundError, GradientError

jax = pytest.importorskip("jax")
jnp = jax.numpy
pytestmark = pytest.mark.library("jax")


def floats(*shape: int) -> Any:
    return xp.asarray(np.linspace(-1.0, 2.0, int(np.prod(shape))).reshape(shape), device="jax")


def program(x: Any) -> Any:
    y = xp.sin(x) * 2 + xp.where(x > 0, x, -x)
    y[0] = 5.0
    return xp.sum(y @ xp.matrix_transpose(y), axis=0)


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12)


def test_jit_compiles_a_program_with_an_assignment() -> None:
    x = floats(3, 4)
    out = jax.jit(program)(x)
    assert (type(out), str(out.device)) == (xp.Array, "jax:cpu")
    close(out, program(x))
    assert x[0, 0] == -1.0


def test_a_traced_array_shows_its_dtype_and_shape() -> None:
    texts = []

    def shown(x: Any) -> Any:
        texts.append((repr(x), str(x), x._repr_html_()))
        return x

    jax.jit(shown)(floats(2, 3))
    assert texts[0][0] == "Array(traced float64[2, 3], device='jax:cpu')"
    assert texts[0][1] == "traced float64[2, 3]"
    assert "traced float64[2, 3]" in texts[0][2]


def test_functions_that_make_arrays_work_while_jax_traces() -> None:
    def made(x: Any) -> Any:
        with xp.default_device("jax"):
            return x + xp.arange(3) + xp.ones(3) + xp.asarray([1.0, 2.0, 3.0]) + xp.zeros_like(x)

    close(jax.jit(made)(floats(3)), made(floats(3)))


def test_vmap_and_scan() -> None:
    x = floats(3, 4)
    close(jax.vmap(lambda row: xp.sum(row * row))(x), xp.sum(x * x, axis=1))
    total, sums = jax.lax.scan(lambda carry, row: (carry + row, xp.sum(carry)), xp.zeros(4, device="jax"), x)
    close(total, xp.sum(x, axis=0))
    close(sums, xp.sum(xp.cumulative_sum(x, axis=0, include_initial=True)[:-1], axis=1))


def test_jax_differentiates_a_program() -> None:
    x = floats(3, 4)
    found = jax.grad(lambda x: xp.sum(program(x)).native)(x)
    wanted = xp.autodiff.grad(lambda x: xp.sum(program(x)))(x)
    close(found, wanted)


def test_jit_compiles_a_gradient_of_burn_array() -> None:
    x = floats(3, 4)
    gradient = xp.autodiff.grad(lambda x: xp.sum(program(x)))
    close(jax.jit(gradient)(x), gradient(x))


def test_norms_and_deviations_work_while_jax_traces() -> None:
    x = floats(3, 4) * 1e200
    for function in (xp.linalg.vector_norm, xp.std, xp.linalg.matrix_norm):
        close(jax.jit(function)(x), function(x))


def test_special_functions_work_while_jax_traces() -> None:
    x = floats(5)
    np.testing.assert_allclose(
        np.asarray(jax.jit(xp.special.erf)(x)), np.asarray(xp.special.erf(x)), rtol=1e-6
    )


def test_a_tracked_array_is_refused() -> None:
    w = xp.ones(3, device="jax+autodiff").require_grad()
    with pytest.raises(GradientError, match=r"autodiff\.grad inside"):
        jax.jit(lambda x: x)(w)


def test_trees_keep_committed_and_other_devices() -> None:
    for x in (xp.ones(2, device="jax"), xp.ones(2), xp.ones(2, device="torch:cpu")):
        back = jax.tree.map(lambda leaf: leaf, x)
        assert back._device is x._device
        assert back.tolist() == [1.0, 1.0]
    assert str(jax.jit(lambda x: x + 1)(xp.ones(2, device="numpy")).device) == "jax:cpu"


def test_the_native_array() -> None:
    x = floats(3)
    assert isinstance(x.native, jax.Array)
    assert x.native is x._native
    assert isinstance(xp.ones(3, device="numpy+autodiff").native, np.ndarray)


def test_old_versions_of_dlpack_get_a_capsule() -> None:
    for version in (None, (0, 0), (0, 8), (1, 0)):
        assert "dltensor" in repr(floats(3).__dlpack__(max_version=version))


def test_foreign_arrays_belong_to_their_device() -> None:
    assert str(xp.asarray(jnp.ones(3)).device) == "jax:cpu"


def test_indices_out_of_range_raise() -> None:
    x = floats(3)
    for key in (3, -4, xp.asarray([0, 3], device="jax")):
        with pytest.raises(ArrayIndexError):
            x[key]
        with pytest.raises(ArrayIndexError):
            x[key] = 1.0


def test_an_absent_device_names_those_present() -> None:
    with pytest.raises(DeviceNotFoundError, match="devices of jax: jax:cpu"):
        xp.device("jax:tpu:7")


def test_a_version_that_is_too_old_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = type(xp.device("jax").adapter)
    for old in ("0.5.3", "0.4.38"):
        monkeypatch.setattr(kind, "versions", classmethod(lambda cls, old=old: {"jax": old}))
        with pytest.raises(
            DeviceNotFoundError, match=rf"need jax 0\.6 or newer, and {old} is installed; pip install"
        ):
            kind("cpu")
    monkeypatch.setattr(kind, "versions", classmethod(lambda cls: {"jax": "0.10.2"}))
    assert str(kind("cpu")) == "jax:cpu"


def test_without_jax_the_error_says_how_to_install_it(run_python: Callable[..., str]) -> None:
    code = """
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "jax" else found(name, *rest)
import burn_array as xp
assert not any(d.library == "jax" for d in xp.devices())
try:
    xp.device("jax")
except xp.errors.DeviceNotFoundError as error:
    print(error)
"""
    assert run_python(code) == "JAX is not installed; install it with: pip install jax"


def run(program: str, **environment: str) -> str:
    """Return what a program prints in a fresh process."""
    inherited = {name: value for name, value in os.environ.items() if name != "JAX_ENABLE_X64"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**inherited, **environment}
    )
    return done.stdout.strip()


def test_listing_devices_neither_imports_jax_nor_sets_its_flag() -> None:
    program = """
import sys
import burn_array as xp
assert "jax:cpu" in map(str, xp.devices())
assert "jax" not in sys.modules
import jax
xp.devices()
assert not jax.config.jax_enable_x64
listed = next(d for d in xp.devices() if d.library == "jax")
print(xp.asarray([1.0], device=listed).dtype, jax.config.jax_enable_x64)
"""
    assert run(program) == "float64 True"


def test_the_environment_can_leave_64_bits_off() -> None:
    program = """
import burn_array as xp
x = xp.asarray([1.0, 2.0], device="jax")
for ask in (lambda: xp.zeros(2, dtype="float64", device="jax"), lambda: xp.ones(2, device="numpy").to_device("jax")):
    try:
        ask()
    except xp.errors.UnsupportedDTypeError as error:
        assert "astype(x, xp.float32)" in str(error), error
    else:
        raise AssertionError
print(x.dtype, xp.arange(3, device="jax").dtype, (x + xp.ones(2)).dtype, x[[0, 1]].tolist(), xp.sum(x).dtype)
"""
    assert run(program, JAX_ENABLE_X64="0") == "float32 int32 float32 [1.0, 2.0] float32"
