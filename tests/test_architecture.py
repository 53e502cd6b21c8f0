"""The law of imports, the size of files, and what an import brings along."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import burn_array

ROOT = Path(__file__).parents[1]
CORE = sorted((ROOT / "burn_array").glob("*.py"))
ADAPTERS = sorted((ROOT / "adapters").glob("*.py"))
AUTODIFF = sorted((ROOT / "autodiff").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
NAMES = list(json.loads((Path(__file__).parent / "array_api_2025_12.json").read_text())["functions"])

# What a module may import of burn_array: each layer those before it. A page may import pages, too.
LAYERS = [
    "_version",
    "errors",
    "_arguments",
    "_dtypes",
    "adapter",
    "_tagged",
    "_device",
    "_placement",
    "_transfer",
    "_ufuncs",
    "_html",
    "_gradients",
    "_methods",
    "_interchange",
    "_array",
    "_operands",
    "_dispatch",
]
PAGES = {path.stem for path in CORE if not path.stem.startswith("_")} - set(LAYERS)
LAW: dict[str, set[str]] = {
    **{layer: set(LAYERS[:number]) for number, layer in enumerate(LAYERS)},
    **dict.fromkeys(PAGES, set(LAYERS) | PAGES),
    "__init__": set(LAYERS) | PAGES,
    "_array": {*LAYERS[: LAYERS.index("_array")], "_operands", "_dispatch"},  # they come last there
    "adapters": {"adapter", "errors", "adapters"},
    "autodiff": {"", "adapter", "errors", "autodiff"},
}
LAWLESS = {
    "__main__",
    "_cli",
    "_conformance",
    "_conformance_corrections",
    "_conformance_plugin",
    "_progress",
}  # the command, not the library
LIBRARIES = {
    "torch",
    "cupy",
    "dpnp",
    "dpctl",
    "jax",
    "array_api_compat",
    "array_api_strict",
    "scipy",
    "ml_dtypes",
}


def imports(path: Path) -> list[tuple[str, bool]]:
    """Return each module that a file imports, absolute, and whether that happens at the import of the file."""
    tree = ast.parse(path.read_text())
    top = {id(node) for node in _at_import(tree)}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, id(node) in top) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found += [
                (
                    f"{node.module}.{alias.name}" if node.module == "burn_array" else str(node.module),
                    id(node) in top,
                )
                for alias in node.names
            ]
        elif isinstance(node, ast.ImportFrom):
            inside = "burn_array." if path.parent.name == "burn_array" else "burn_array.autodiff."
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found += [(inside + str(name), id(node) in top) for name in names]
    return found


def _at_import(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes that run when the module is imported."""
    nodes = [tree]
    for node in nodes:
        typing_only = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if not typing_only and not isinstance(node, ast.FunctionDef | ast.Lambda):
            nodes += ast.iter_child_nodes(node)
    return nodes


def layer(module: str) -> str | None:
    """Return the layer that an imported module is, ``None`` for one that is not of burn_array."""
    root, _, rest = module.partition(".")
    return rest.partition(".")[0] if root == "burn_array" else None


@pytest.mark.parametrize(
    "path", [*CORE, *ADAPTERS, *AUTODIFF], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_law_of_imports(path: Path) -> None:
    where = path.stem if path.parent.name == "burn_array" else path.relative_to(ROOT).parts[0]
    if where in LAWLESS:
        where = "__init__"
    allowed = LAW[where] | (LAWLESS if path.stem in LAWLESS else set())
    found = {one for module, at_import in imports(path) if at_import and (one := layer(module)) is not None}
    assert found <= allowed | {""}, f"{path.name} may not import {sorted(found - allowed)}"


@pytest.mark.parametrize("path", [*CORE, *AUTODIFF], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_core_and_autodiff_name_no_library_but_numpy(path: Path) -> None:
    assert not {module.partition(".")[0] for module, at_import in imports(path) if at_import} & LIBRARIES


@pytest.mark.parametrize(
    "path", [*CORE, *ADAPTERS, *AUTODIFF], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_folders_are_never_imported_by_their_bare_names(path: Path) -> None:
    assert not {module.partition(".")[0] for module, _ in imports(path)} & {"adapters", "autodiff"}


def test_core_does_not_import_adapters_or_autodiff() -> None:
    for path in CORE:
        assert not {layer(module) for module, _ in imports(path)} & {"adapters", "autodiff"}, path.name


@pytest.mark.parametrize(
    "path", [*CORE, *ADAPTERS, *AUTODIFF], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_nothing_is_generated_at_run_time(path: Path) -> None:
    tree = ast.parse(path.read_text())
    names = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    assert path == ROOT / "burn_array" / "__init__.py" or not names & {"__getattr__", "__dir__"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call):
            assert getattr(node.value.func, "id", "") not in ("vars", "globals", "locals"), (
                f"line {node.lineno}"
            )
        if isinstance(node, ast.Call):
            assert getattr(node.func, "id", "") not in ("exec", "eval"), f"line {node.lineno}"


@pytest.mark.parametrize(
    "path", [*CORE, *ADAPTERS, *AUTODIFF], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_files_and_functions_are_small(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 450
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{path.name}: {node.name}"


def test_files_of_tests_are_small() -> None:
    assert not [str(path.relative_to(ROOT)) for path in TESTS if len(path.read_text().splitlines()) > 450]


def test_only_whole_extensions_come_on_demand() -> None:
    for name in burn_array._ON_DEMAND:
        assert isinstance(getattr(burn_array, name), ModuleType)
        assert name in dir(burn_array)
    for name in ("no_such_function", "__wrapped__"):
        with pytest.raises(AttributeError, match=name):
            getattr(burn_array, name)


def run(code: str, *flags: str) -> str:
    done = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_import_loads_no_array_library_but_numpy() -> None:
    code = "import sys, burn_array; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(run(code).split())
    assert "numpy" in loaded
    assert not loaded & (LIBRARIES | {"adapters", "autodiff"})


def test_import_loads_no_adapter() -> None:
    code = "import sys, burn_array; print(*[m for m in sys.modules if m.startswith('burn_array.a')])"
    assert run(code).split() == ["burn_array.adapter"]


def test_numpy_arrays_load_no_other_adapter() -> None:
    code = (
        "import sys, numpy as np, burn_array as xp; x = xp.asarray([1.0]) + np.ones(1); x[xp.asarray([0])]; "
        "print(x.device, *[m for m in ('torch', 'dpnp', 'cupy', 'dpctl') if m in sys.modules])"
    )
    assert run(code) == "numpy"


def test_import_gives_no_warning() -> None:
    assert run("import burn_array; print(burn_array.__version__)", "-W", "error") == burn_array.__version__


def test_submodules_are_the_same_however_they_are_imported() -> None:
    code = (
        "import burn_array.adapters.numpy as a, burn_array; d = burn_array.device('numpy'); "
        "print(type(d.adapter) is a.NumpyAdapter, type(d.adapter).__module__)"
    )
    assert run(code) == "True burn_array.adapters.numpy"


SETTLED_BY_THE_CORE = {
    "__array_namespace_info__", "arange", "asarray", "astype", "broadcast_shapes", "can_cast", "empty_like", "finfo",
    "from_dlpack", "full_like", "iinfo", "isdtype", "ones_like", "result_type", "zeros_like",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_every_function_is_found(device: burn_array.Device, name: str) -> None:
    page, _, last = name.rpartition(".")
    if page == "linalg" and getattr(burn_array, last, None) is getattr(burn_array.linalg, last):
        name = last  # one function with two names: adapters are asked for this one
    assert name in SETTLED_BY_THE_CORE or callable(device.function(name))


@pytest.mark.parametrize("name", ["getitem", "setitem", "scatter_add", "copy"])
def test_every_helper_is_found(device: burn_array.Device, name: str) -> None:
    assert callable(device.function(name))


def test_public_names_are_documented(xp: ModuleType) -> None:
    for name in ("Array", "Device", "default_device", "device", "devices", "errors", "fft", "linalg"):
        assert getattr(xp, name).__doc__, name
