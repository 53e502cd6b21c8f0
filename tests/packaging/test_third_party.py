"""The adapter of a third party needs one file and one entry point, and passes tests of the core."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
DISTRIBUTION = HERE / "third_party"
# Tests of the core by file and name. Left out are those that array-api-strict is too strict for, since it refuses
# keys shorter than the array and logical functions of numbers.
CORE_TESTS = {
    "core/test_devices.py": "string or interned or survives or equality or info or default_device and not threads",
    "core/test_array_object.py core/test_operators.py core/test_methods.py": (
        "repr or attributes or extreme or tolist or hash or copies or pickle or unary or conversion or threads or "
        "narrowing or membership"
    ),
    "values/test_interop.py": "commitment or ndarray_operators or in_place or errors or testing or reduce",
    "core/test_moves.py core/test_asarray.py core/test_dlpack.py": (
        "every_dtype or foreign_byte_order or torch_tensors or any_producer or python_data or buffers"
    ),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of an environment whose path has the module and the metadata of the distribution."""
    project = tomllib.loads((DISTRIBUTION / "pyproject.toml").read_text())["project"]
    site = tmp_path_factory.mktemp("site")
    metadata = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [f"{name} = {value}" for name, value in project["entry-points"]["burn_array.adapters"].items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[burn_array.adapters]", *lines, ""]))
    (site / "burn_array_strict.py").write_text((DISTRIBUTION / "burn_array_strict.py").read_text())
    inherited = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    others = [one for one in inherited if one and one != str(HERE / "devices")]
    path = os.pathsep.join([str(site), *others])
    return {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}


def run(environment: dict[str, str], *arguments: str) -> str:
    """Return what Python prints with these arguments."""
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=HERE.parent,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_adapter_is_small_and_imports_public_names_only() -> None:
    text = (DISTRIBUTION / "burn_array_strict.py").read_text()
    assert len(text.splitlines()) < 90
    assert "burn_array._" not in text


def test_the_device_works_with_the_others(installed: dict[str, str]) -> None:
    code = (
        "import burn_array as xp, array_api_strict as s, numpy as np\n"
        "x = xp.asarray([3.0, 4.0], device='strict')\n"
        "print(x.device, type(x._native) is type(s.zeros(0)), xp.device('strict') in xp.devices())\n"
        "print(float(xp.linalg.vector_norm(x)), (x + 1).tolist(), xp.asarray(s.asarray([1, 2])).device)\n"
        "print((x + np.ones(2)).device, (xp.ones(2) + x).device, x.to_device('numpy').tolist())\n"
        "a = np.zeros(2); y = xp.asarray(a, device='strict'); y[0] = 7; print(a.tolist())\n"
        "import pickle; print(repr(pickle.loads(pickle.dumps(x))))"
    )
    assert run(installed, "-c", code).splitlines() == [
        "strict True True",
        "5.0 [4.0, 5.0] strict",
        "strict strict [3.0, 4.0]",
        "[7.0, 0.0]",
        "Array([3., 4.], dtype=float64, device='strict')",
    ]


def test_default_device_and_environment(installed: dict[str, str]) -> None:
    code = (
        "import burn_array as xp; print(xp.zeros(1).device, xp.__array_namespace_info__().default_device())"
    )
    assert run({**installed, "BURN_DEVICE": "strict"}, "-c", code).split() == ["strict", "strict"]


@pytest.mark.parametrize("files", CORE_TESTS)
def test_core_tests_pass_on_it(installed: dict[str, str], files: str) -> None:
    told = run(
        installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--devices=strict", "-k",
        CORE_TESTS[files], *(f"tests/{file}" for file in files.split()),
    )  # fmt: skip
    last = told.strip().splitlines()[-1]
    assert int(last.split()[0]) >= 8
    assert "passed" in last
    assert "skipped" not in last
